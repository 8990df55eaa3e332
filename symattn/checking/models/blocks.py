"""Attention over keys that arrive in blocks: what the running maximum, sum and output are before and after one block.

All earlier blocks count as one, of any width; then one more is seen. Maxima enter every formula as numbers that are
taken off and cancel, so that for every size they may be any numbers; at a point they are the maxima.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from symattn.checking.models.evaluate import Model, Scope, UnsettledError, evaluate
from symattn.checking.models.rings import Forms, Numbers, Ring, Size
from symattn.checking.models.tensors import Tensor, Tensors
from symattn.reading import formula as f

# states; the blocks are the one before, the one after, and all keys. The own state is that of the new block by itself,
# the merged one that of both blocks put together
BEFORE, AFTER, WHOLE, OWN, MERGED = "before", "after", "whole", "own", "merged"


@dataclass(frozen=True)
class Conventions:
    """What letters mean that papers use in more than one way."""

    normalised: bool = True  # whether O is divided by ℓ as it goes
    weights: str = "running"  # P̃ is taken at the "running" maximum, the "own" one of the block, or "divided" by ℓ
    apart: bool = False  # whether o_1 and o_2, lse_1 and lse_2 are those of the two blocks, each by itself
    fresh: bool = False  # whether m_cur beside m_new, m_ij beside m_i are the new block's own
    plain: bool = False  # whether P is not divided by ℓ, as P̃


class Blocks:
    """The quantities of online softmax over a ring, by letter and state."""

    def __init__(
        self, ring: Ring, sizes: Mapping[str, Size], conventions: Conventions, seed: int = 0, whole: bool = False
    ) -> None:
        self.tensors, self.sizes, self.conventions, self.seed = Tensors(ring), sizes, conventions, seed
        self.whole = whole  # whether all keys so far are one block
        self._known: dict[tuple[str, str], Tensor] = {}
        self._made_of: dict[tuple[str, str], dict[str, Tensor]] = {}
        self._drawn: dict[str, Tensor] = {}  # for the quantity that is being made
        self._asked = set[str]()  # the conventions on which that depends
        self._turns_on: dict[tuple[str, str], set[str]] = {}

    def of(self, letter: str, state: str) -> Tensor:
        """A quantity: S, V, P̃, m, m̃, ℓ, ℓ̃, O, Õ, P, lse. Raises UnsettledError for another."""
        key = letter, state
        if key not in self._known:
            drawn, asked = self._drawn, self._asked
            self._drawn, self._asked = {}, set()
            try:
                self._known[key] = self._made(letter, state)
            finally:
                self._made_of[key], self._turns_on[key] = self._drawn, self._asked
                self._drawn, self._asked = drawn, asked | self._asked
        self._drawn |= self._made_of[key]
        self._asked |= self._turns_on[key]
        return self._known[key]

    def turns_on(self, letter: str, state: str) -> set[str]:
        """The names of the conventions on which a quantity depends that was asked for."""
        return self._turns_on.get((letter, state), set())

    def _is(self, convention: str, value: object) -> bool:
        """Whether a convention has a value, which is what the quantity that is being made depends on."""
        self._asked.add(convention)
        return bool(getattr(self.conventions, convention) == value)

    def drawn(self, letter: str, state: str) -> Mapping[str, Tensor]:
        """The numbers that a quantity is made of."""
        return self._made_of[letter, state]

    def _made(self, letter: str, state: str) -> Tensor:
        t = self.tensors
        if state == OWN:
            return self._of_block(letter)
        rule: Callable[[str], Tensor] | None = {
            "S": lambda s: self._block("S", s),
            "V": lambda s: self._block("V", s),
            "m": self._largest,
            "m̃": self._own_largest,
            "ℓ": lambda s: self._total(s, lambda k: t.total(self._powers(k, self.of("m", s)), 1)),
            "ℓ̃": lambda s: t.total(self.of("P̃", s), 1),
            "P̃": self._weights,
            "P": lambda s: t.divide(self._powers(s, self.of("m", s)), self.of("ℓ", s)),
            "Õ": self._sum,
            "O": self._output,
            "lse": self._log_sum,
        }.get(letter)
        if rule is None:
            raise UnsettledError(letter)
        return rule(state)

    def _of_block(self, letter: str) -> Tensor:
        """A quantity of the new block by itself: its own maximum, its sum of weights, its output."""
        t = self.tensors
        if letter in ("m", "ℓ"):
            return self.of(letter + "̃", AFTER)
        if letter in ("O", "Õ"):
            whole = t.multiply(self.of("P̃", AFTER), self.of("V", AFTER))
            return t.divide(whole, self.of("ℓ̃", AFTER)) if letter == "O" and self._is("normalised", True) else whole
        if letter == "lse":
            own = self.of("m̃", AFTER)
            return t.add(own, t.apply("log", t.total(self._powers(AFTER, own), 1)))
        return self.of("P̃" if letter == "P" else letter, AFTER)

    def _block(self, letter: str, state: str) -> Tensor:
        """Scores or values of a block; of all keys where these are one."""
        if state == WHOLE and not self.whole:
            return self._joined(self._block(letter, BEFORE), self._block(letter, AFTER), 1 if letter == "S" else 0)
        width = self.sizes["p" if state == BEFORE else "b"]
        name = f"{letter}_{ {BEFORE: 1, AFTER: 2, WHOLE: ''}[state] }".rstrip("_")
        return self._free(name, (self.sizes["n"], width) if letter == "S" else (width, self.sizes["e"]))

    def _joined(self, x: Tensor, y: Tensor, axis: int) -> Tensor:
        if isinstance(self.tensors.ring, Forms):
            raise UnsettledError("join")
        first = x.shape[axis]
        shape = (x.shape[0], first + y.shape[1]) if axis else (first + y.shape[0], x.shape[1])

        def at(i: int, j: int) -> Any:
            k = j if axis else i
            if k < first:
                return x.at(i, j)
            return y.at(i, j - first) if axis else y.at(i - first, j)

        return self.tensors.make(shape, at)

    def _free(self, name: str, shape: tuple[Size, ...]) -> Tensor:
        t = self.tensors
        if isinstance(t.ring, Forms):
            ring = t.ring
            return t.make(shape, lambda *place: ring.algebra.entry(name, *place))
        generator = random.Random(f"{name} {self.seed}")
        raised = 3 * (name == f"S_{2 - self.seed % 2}")  # so that the maximum changes at one point and stays at another
        rows = [
            [raised + Fraction(generator.randint(-4, 4), 2) for _ in range(int(shape[1]))] for _ in range(int(shape[0]))
        ]
        made = t.make(shape, lambda i, j: t.ring.number(rows[i][j]))
        self._drawn[name] = made
        return made

    # --- states

    def _seen(self, state: str) -> tuple[str, ...]:
        """The blocks that a state has seen."""
        if self.whole or state == BEFORE:
            return (state,)
        if state in (WHOLE, MERGED):
            return (BEFORE, AFTER)
        return (AFTER,) if self._is("apart", True) else (BEFORE, AFTER)

    def _powers(self, block: str, largest: Tensor) -> Tensor:
        t = self.tensors
        return t.apply("exp", t.add(self.of("S", block), t.scale(largest, -1)))

    def _total(self, state: str, term: Callable[[str], Tensor]) -> Tensor:
        return self.tensors.add(*map(term, self._seen(state)))

    def _largest(self, state: str) -> Tensor:
        if isinstance(self.tensors.ring, Forms):
            return self._free(f"m {state}", (self.sizes["n"], 1))
        parts = [self.tensors.largest(self.of("S", block)) for block in self._seen(state)]
        return self.tensors.together(lambda *xs: max_of(xs), *parts)

    def _own_largest(self, state: str) -> Tensor:
        if isinstance(self.tensors.ring, Forms):
            return self._free(f"own m {state}", (self.sizes["n"], 1))
        return self.tensors.largest(self.of("S", state))

    def _weights(self, state: str) -> Tensor:
        own = self._is("weights", "own")
        powers = self._powers(state, self.of("m̃" if own else "m", state))
        return self.tensors.divide(powers, self.of("ℓ", state)) if self._is("weights", "divided") else powers

    def _sum(self, state: str) -> Tensor:
        t = self.tensors
        return self._total(state, lambda k: t.multiply(self._powers(k, self.of("m", state)), self.of("V", k)))

    def _output(self, state: str) -> Tensor:
        whole = self._sum(state)
        divided = state == WHOLE or self._is("normalised", True)
        return self.tensors.divide(whole, self.of("ℓ", state)) if divided else whole

    def _log_sum(self, state: str) -> Tensor:
        t = self.tensors
        return t.add(self.of("m", state), t.apply("log", self.of("ℓ", state)))


def max_of(values: tuple[Any, ...]) -> Any:
    top = values[0]
    for value in values[1:]:
        top = top.max(value)
    return top


class BlockModel(Model):
    """Names of a statement as quantities: `state_of` says which letter and state each is."""

    def __init__(
        self,
        blocks: Blocks,
        state_of: Callable[[f.Name], tuple[str, str] | None],
        defined: Mapping[f.Name, f.Expression],
        asked: set[str] | None = None,
    ) -> None:
        self.blocks, self.tensors, self.state_of, self.defined = blocks, blocks.tensors, state_of, defined
        self.asked = set[str]() if asked is None else asked  # the conventions on which what was worked out depends
        self.sizes, self.drawn = blocks.sizes, dict[str, Tensor]()
        self._open: list[f.Name] = []

    @property
    def ring(self) -> Ring:
        return self.tensors.ring

    def value(self, name: f.Name, scope: Scope) -> Tensor:
        found = self.state_of(name)
        if found is not None:
            try:
                x = self.blocks.of(*found)
            finally:
                self.asked |= self.blocks.turns_on(*found)
            self.drawn |= self.blocks.drawn(*found)
            return Tensor((), lambda: x.at(*(self.ring.some(1),) * 2)) if x.shape == (1, 1) else x
        if name in self.defined and name not in self._open:
            self._open.append(name)
            try:
                return evaluate(self.defined[name], scope)
            finally:
                self._open.pop()
        raise UnsettledError(name.base)

    def special(self, e: f.Expression, scope: Scope) -> Tensor | None:
        """|lse_1 − lse_2|, for every query."""
        if isinstance(e, f.Call) and e.function == "abs" and isinstance(self.ring, Numbers):
            return self.tensors.together(abs, evaluate(e.arguments[0], scope))
        return None


@lru_cache(maxsize=512)  # five points for each of 48 conventions, by which every slip is tried
def at_point(conventions: Conventions, queries: int, width: int, seed: int, whole: bool) -> Blocks:
    """The quantities at a point, which many formulas are tried at."""
    return Blocks(Numbers(), {"n": queries, "p": 2, "b": width, "e": 5}, conventions, seed, whole)
