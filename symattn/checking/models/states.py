"""Attention as a recurrence: a state to which every token or chunk of tokens adds keys and values, and what is read.

S_t = Σ_{j ≤ t} k_j v_jᵀ, with decay γ S + k vᵀ, with the delta rule
(I − β k kᵀ) S + β k vᵀ; o_t = S_tᵀ q_t. At numbers only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from symattn.checking.models.evaluate import Model, Scope, UnsettledError
from symattn.checking.models.letters import letter_of
from symattn.checking.models.rings import Numbers, Size
from symattn.checking.models.tensors import Tensor, Tensors, draw_rows
from symattn.reading import formula as f

STEPS, NOW = 4, 2  # how many tokens or chunks there are, and which of them is t, from 0
KEYS, VALUES = 3, 5  # widths
FUNCTIONS = ("φ", "ψ", "phi", "psi", "elu", "feature")


@dataclass(frozen=True)
class Rule:
    """How the state goes on: with what it decays, and whether what the key reads is taken off first."""

    decay: str = ""  # "" none, "constant" γ, "number" γ_t, "gate" Diag(α_t)
    delta: bool = False
    feature: bool = False  # whether keys and queries go through φ
    order: str = "last"  # whether the decay comes "first", "last" (after the delta rule), "apart" from it, or on "all"
    same: bool = False  # whether the delta rule has one β for all steps
    unit: bool = False  # whether the delta rule has no β_t, which is 1
    rest: bool = False  # whether what is added has the factor 1 − α_t
    by_values: bool = False  # whether a gate is one for each column of k vᵀ, not for each row


@dataclass(frozen=True)
class Layout:
    """What papers do in more than one way."""

    columns: bool = True  # whether q_t, k_t, v_t are columns
    keyed: bool = True  # whether the state is keys by values, or values by keys
    normalised: bool = False  # whether o is divided by q · Σ k
    starts: bool = False  # whether S_t is the state before chunk t
    chunk: int = 1  # tokens in Q_t, K_t, V_t
    turned: bool = False  # whether z_t stands the other way than k_t
    capitals: bool = False  # whether Q_t, K_t, V_t are those of one token


class States:
    """The quantities, by letter and step. Every matrix below has tokens in its rows."""

    def __init__(self, rule: Rule, layout: Layout, seed: int = 0) -> None:
        self.tensors, self.rule, self.layout, self.seed = Tensors(Numbers()), rule, layout, seed
        self.sizes: Mapping[str, Size] = {"d_k": KEYS, "d_v": VALUES, "chunk": layout.chunk}
        self.drawn: dict[str, Tensor] = {}
        self._after: dict[int, Tensor] = {}

    def free(self, name: str, rows: int, columns: int) -> Tensor:
        if name not in self.drawn:
            self.drawn[name] = self.tensors.written(draw_rows(f"{name} {self.seed}", rows, columns, 4, 2))
        return self.drawn[name]

    def number(self, name: str, value: Fraction) -> Tensor:
        self.drawn.setdefault(name, self.tensors.number(value))
        return self.drawn[name]

    def rows(self, letter: str, step: int) -> Tensor:
        """q, k or v of the tokens of a step."""
        if not 0 <= step < STEPS:
            raise UnsettledError(letter)
        return self.free(f"{letter}_{step + 1}", self.layout.chunk, VALUES if letter == "v" else KEYS)

    def mapped(self, letter: str, step: int) -> Tensor:
        x = self.rows(letter, step)
        return self.tensors.apply("exp", x) if self.rule.feature else x

    def decay(self, step: int) -> Tensor:
        if self.rule.decay == "constant":
            return self.number("γ", Fraction(2, 3))
        if self.rule.decay == "gate":
            return self.free(f"α_{step + 1}", 1, VALUES if self.rule.by_values else KEYS)
        return self.number(f"γ_{step + 1}", Fraction(step + 2, step + 5))

    def strength(self, step: int) -> Tensor:
        if self.rule.same:
            return self.number("β", Fraction(2, 5))
        return self.tensors.number(1) if self.rule.unit else self.number(f"β_{step + 1}", Fraction(step + 1, step + 3))

    # --- what follows from these

    def state(self, step: int) -> Tensor:
        """The state that S_step names, keys by values."""
        return self.after(step - self.layout.starts)

    def after(self, step: int) -> Tensor:
        t = self.tensors
        if step < -1 or step >= STEPS:
            raise UnsettledError("S")
        if step == -1:
            zero = t.ring.number(Fraction(0))
            return t.make((KEYS, VALUES), lambda i, j: zero)
        if step not in self._after:
            self._after[step] = self._next(self.after(step - 1), step)
        return self._after[step]

    def _next(self, before: Tensor, step: int) -> Tensor:
        t, rule, k, v = self.tensors, self.rule, self.mapped("k", step), self.rows("v", step)
        added = t.multiply(t.transpose(k), v)
        kept = self._decayed(before, step) if rule.order in ("first", "apart") else before
        if rule.delta:
            read = t.multiply(t.transpose(k), t.multiply(k, before if rule.order == "apart" else kept))
            kept = t.add(kept, t.scale(t.hadamard(self.strength(step), read), -1))
            added = t.hadamard(self.strength(step), added)
        if rule.rest:
            added = t.add(added, t.scale(self._decayed(added, step), -1))
        if rule.order == "all":
            return self._decayed(t.add(kept, added), step)
        return t.add(self._decayed(kept, step) if rule.order == "last" else kept, added)

    def _decayed(self, state: Tensor, step: int) -> Tensor:
        if not self.rule.decay:
            return state
        decay = self.decay(step)
        turned = self.rule.decay == "gate" and not self.rule.by_values
        return self.tensors.hadamard(state, self.tensors.transpose(decay) if turned else decay)

    def total_of_keys(self, step: int) -> Tensor:
        """Σ k_j up to a step, as a row."""
        t = self.tensors
        return t.add(*(t.total(self.mapped("k", j), 0) for j in range(step + 1 - self.layout.starts)))

    def read(self, step: int) -> Tensor:
        """What the key of a step reads from the state before it, which the delta rule takes off."""
        return self.tensors.multiply(self.mapped("k", step), self.after(step - 1))

    def written(self, step: int) -> Tensor:
        """What a step writes under its key, u_t of S_t − S_{t-1} = k_t u_tᵀ."""
        t, k = self.tensors, self.mapped("k", step)
        change = t.add(self.after(step), t.scale(self.after(step - 1), -1))
        return t.divide(t.multiply(k, change), t.multiply(k, t.transpose(k)))

    def output(self, step: int) -> Tensor:
        """What the queries of a step read: the state before it, and the tokens of the chunk up to their own."""
        t, q = self.tensors, self.mapped("q", step)
        if self.layout.chunk == 1:
            o = t.multiply(q, self.after(step))
        else:
            inside = t.hadamard(t.multiply(q, t.transpose(self.mapped("k", step))), self.mask())
            o = t.add(t.multiply(q, self.after(step - 1)), t.multiply(inside, self.rows("v", step)))
        if self.layout.normalised:
            keys = t.add(*(t.total(self.mapped("k", j), 0) for j in range(step + 1)))
            o = t.divide(o, t.multiply(q, t.transpose(keys)))
        return o

    def mask(self) -> Tensor:
        ring = self.tensors.ring
        size = self.layout.chunk
        return self.tensors.make((size, size), lambda i, j: ring.number(Fraction(int(j <= i))))


@lru_cache(maxsize=256)
def states_at(rule: Rule, layout: Layout, seed: int) -> States:
    """The quantities at a point, which many formulas are tried at; `drawn` has what any of them asked for."""
    return States(rule, layout, seed)


READ = "read"  # the value that the key of a step finds in the state before it
WRITTEN = "written"  # the value that a step adds to the state under its key
LETTERS = {
    READ: "r",
    WRITTEN: "w",
    "q": "q",
    "k": "k",
    "v": "v",
    "o": "o",
    "y": "o",
    "Q": "q",
    "K": "k",
    "V": "v",
    "O": "o",
    "S": "S",
    "z": "z",
    "Z": "z",
}
DECAYS = ("γ", "λ", "α", "a", "g")


class StateModel(Model):
    """Names of a statement as quantities of `States`, in their layout."""

    def __init__(self, states: States) -> None:
        self.states, self.tensors = states, states.tensors
        self.bound = dict.fromkeys("tni", NOW)

    @property
    def sizes(self) -> Mapping[str, Size]:
        return self.states.sizes

    @property
    def drawn(self) -> Mapping[str, Tensor]:
        return self.states.drawn

    def value(self, name: f.Name, scope: Scope) -> Tensor:
        letter = letter_of(name)
        if letter.key in ("M", "M_C", "M_c", "mask") and not letter.indices:
            return self.states.mask()
        if letter.key in ("ε", "eps") and not letter.indices:
            return self.tensors.number(0)  # what only keeps from dividing by 0
        if letter.key == "I" and not letter.indices:
            return self.tensors.identity(KEYS)
        base = LETTERS.get(letter.key)
        if base is None:
            return self._parameter(letter.key, letter.indices, scope)
        capitals = self.states.layout.chunk > 1 or self.states.layout.capitals
        if len(letter.indices) != 1 or (base not in "Sz" and name.base.isupper() != capitals):
            raise UnsettledError(letter.key)
        step = self._step(letter.indices[0], scope)
        t, layout = self.tensors, self.states.layout
        if base == "S":
            state = self.states.state(step)
            return state if layout.keyed else t.transpose(state)
        s = self.states
        rule = {"o": s.output, "z": s.total_of_keys, "r": s.read, "w": s.written}.get(base)
        row = s.rows(base, step) if rule is None else rule(step)
        upright = layout.columns != (layout.turned and base == "z")
        return t.transpose(row) if upright and layout.chunk == 1 else row

    def _parameter(self, key: str, indices: tuple[str, ...], scope: Scope) -> Tensor:
        rule = self.states.rule
        if key == "β" and rule.same and not indices:
            return self.states.strength(0)
        if key == "β" and rule.delta and not rule.unit and not rule.same and len(indices) == 1:
            return self.states.strength(self._step(indices[0], scope))
        if key in DECAYS and rule.decay and (len(indices) == 1) == (rule.decay != "constant"):
            decay = self.states.decay(self._step(indices[0], scope) if indices else 0)
            return self.tensors.transpose(decay) if self.states.layout.columns else decay
        raise UnsettledError(key)

    def _step(self, index: str, scope: Scope) -> int:
        letter, offset = index[0], int(index[1:] or 0) if index[0].isalpha() else 0
        if letter in scope.bound:
            return int(scope.bound[letter]) + offset
        raise UnsettledError(index)

    def function(self, name: str, x: Tensor) -> Tensor | None:
        return self.tensors.apply("exp", x) if name in FUNCTIONS and self.states.rule.feature else None

    def axis(self, name: f.Name, letter: str) -> Size | None:
        found = letter_of(name)
        return STEPS if letter in found.indices and found.key in LETTERS else None
