"""How a derivation is written, as data: letters, rows or columns, the mark of a transpose, where indices begin.

Inside, tokens are rows and names are those of Vaswani et al.; another notation is a way of writing the same steps. In
columns every matrix is written transposed, so that products turn around: S = Q Kᵀ reads S = Kᵀ Q.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from symattn.errors import InputError
from symattn.patterns import regex
from symattn.writing.choices import choice
from symattn.writing.nearest import hint, nearest
from symattn.writing.prose import Sentence

_GREEK = (
    "alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ "
    "sigma σ tau τ upsilon υ phi φ chi χ psi ψ omega ω ell ℓ "
    "Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω"
)
GREEK = dict(re.findall(r"(\w+) (\w)", _GREEK))
_SCRIPT = r"([A-Za-z0-9]+|\([A-Za-z0-9]+\))"
_NAME = regex(rf"([A-Za-z]+)('*|~)(?:_{_SCRIPT})?(?:\^{_SCRIPT})?")
_MEMBER = regex(r"(.+?)\^\((.+)\)")
_DONE = regex(r"(.+)\^([a-z])")
_GRADIENT = regex(
    r"d(?=d*([A-Z]|b_|g_[A-Z]|alpha|gamma|beta|head|scores|ell|mu|sigma|tau|[a-z]\^\(|a$))"
)  # dQ, dW_Q, db_K, dell; d_k and delta are none
LETTERS = ("i", "j", "k")  # query, key, and what is summed over


@dataclass(frozen=True)
class Name:
    """A name taken apart: P~_q^(i) has the base P, a mark, a subscript and a superscript; `indices` follow these."""

    base: str
    mark: str = ""
    sub: str = ""
    sup: str = ""
    done: str = ""  # what was done to the matrix, a mark of its own: r of Q^r, the queries rotated
    member_index: str = ""  # which head it belongs to, where that stands below
    indices: tuple[str, ...] = ()
    gradient: str = ""  # d, before the name of what a gradient is taken by; dd of a second one

    @staticmethod
    def read(text: str) -> Name:
        """The parts of a name; what is no such name is a base as it stands."""
        found = _NAME.fullmatch(text)
        if found is not None:
            base, mark, sub, sup = (part or "" for part in found.groups())
            return Name(base, mark, sub, sup)
        base, _, sub = text.partition("_")
        return Name(base, "", sub)

    def member(self, index: str, *, below: bool) -> Name:
        """One of several of the same name: W^Q becomes W_i^Q, Q becomes Q^(i), or Q_i where it stands `below`."""
        if below or self.sup or (len(self.base) > 1 and self.base not in GREEK):
            return replace(self, member_index=index)
        return replace(self, sup=f"({index})")

    @property
    def vector(self) -> Name:
        """The name of one row (or column): q for Q; a name that is no capital letter keeps its own."""
        return replace(self, base=self.base.lower()) if len(self.base) == 1 else self


@dataclass(frozen=True)
class Notation:
    """A way of writing the same steps. Names are written as `Omega_q`, `W^(q)`, `P~`, `d_attn`."""

    symbols: Mapping[str, str] = field(default_factory=dict)  # our name (or a step's) -> the name to write
    own: Mapping[str, str] = field(default_factory=dict)  # the same, as the user says, before the preset
    entries: Mapping[str, str] = field(default_factory=dict)  # the letter of entries, where it is another: A -> a
    calls: Mapping[str, tuple[str, str, str]] = field(default_factory=dict)  # entry (i, j) as score(x_i, x_j)
    columns: bool = False  # tokens are columns
    transpose: str = r"\top"
    first_index: int = 1
    softmax: str = "softmax"
    brackets: tuple[str, str] = ("(", ")")  # around what softmax and concatenation are taken of
    concat: str = "Concat"  # a function's name, or the sign between the parts
    bias_first: bool = False  # β 1ᵀ + Ω X
    members_below: bool = False  # heads as Q_h instead of Q^(h)
    head: str = "i"  # the letter that counts heads
    turns: frozenset[tuple[str, int]] = frozenset()  # what has a member for each token or block: letter, counters

    def name(self, name: str) -> Name:
        """The name to write for one of ours."""
        if name not in self.symbols and _GRADIENT.match(name):
            inner = self.name(name[1:])
            return replace(inner, gradient="d" + inner.gradient)
        member, done = _MEMBER.fullmatch(name), _DONE.fullmatch(name)
        if done is not None and name not in self.symbols:
            return replace(self.name(done[1]), done=done[2])
        if member is None or name in self.symbols:
            # W_E is written as W_Q is; W_1 of a feed-forward network is not, which would read as a power
            other = name.startswith("W_") and name not in self.symbols and not name[2:].isdigit()
            raised = other and self.symbols.get("W_Q", "").startswith("W^")
            return Name("W", sup=name[2:]) if raised else Name.read(self.symbols.get(name, name))
        return self.member(member[1], ",".join(map(self.counter, self._turned(member[1], member[2].split(",")))))

    def _turned(self, letter: str, counters: list[str]) -> list[str]:
        """What counts the members of a family, of which tokens and blocks are numbered as rows are."""
        if (letter, len(counters)) not in self.turns or not counters[-1].isdigit():
            return counters
        return [*counters[:-1], self.index(counters[-1])]

    def member(self, name: str, index: str) -> Name:
        """The name of one of a family of heads."""
        return self.name(name).member(index, below=self.members_below)

    def counter(self, letter: str) -> str:
        """What counts heads: the letter (i inside), which is no token's, or ⌈i g/h⌉ of the head of keys that i uses."""
        if letter.startswith("ceiling("):
            inside = re.sub(r"[a-z]\w*", lambda m: self.counter(m[0]), letter[8:-1])
            return f"⌈{inside.replace('*', ' ')}⌉"
        return self.head if letter == "i" else letter if letter == "j" else self.symbols.get(letter, letter)

    def entry(self, name: str, indices: Sequence[str]) -> Name:
        """An entry, a row, or the columns of a span."""
        whole = self.name(name)
        letter = None if ":" in indices else self.entries.get(name.partition("^(")[0].lstrip("d"))
        shown = whole if letter is None else replace(whole, base=letter, mark="")
        return replace(shown, indices=self.ordered(indices))

    def ordered(self, indices: Sequence[str]) -> tuple[str, ...]:
        """Indices as they are written: a column's comes first in columns."""
        return tuple(self.index(i) for i in (reversed(indices) if self.columns else indices))

    def vector(self, name: str, index: str) -> Name:
        """One row of a matrix, in columns one column: q_i of Q."""
        return replace(self.name(name).vector, indices=(self.index(index),))

    def index(self, index: str) -> str:
        """An index: a number, which counts from 1 inside, a span of these, 1:7, or a letter."""
        if ":" in index[1:]:
            return ":".join(map(self.index, index.split(":")))
        return str(int(index) + self.first_index - 1) if index.isdigit() else self.symbols.get(index, index)

    def fitted(self, names: Sequence[str], steps: Mapping[str, str]) -> Notation:
        """The notation for a derivation with these names: those of steps become their letters, score(…) takes what is.

        Where a preset would give two things one name, one of them keeps ours. Raises InputError where a name of the
        user's is nowhere in the vocabulary, or makes two names read the same.
        """
        known = dict.fromkeys([*names, *steps, *steps.values(), *VOCABULARY])
        for name in self.own:
            if name not in known:
                raise InputError(Sentence("notation_symbol", name=name[:40], near=nearest(name, known) or "X"))
        own = {steps.get(name, name): spelled for name, spelled in self.own.items()}
        symbols = {**self.symbols, **own}
        counted = {self.counter(letter) for letter in ("i", "j") if any(_counts(name, letter) for name in names)}
        if counted & {symbols.get("i", "i"), symbols.get("j", "j")}:  # an i that counts heads counts no tokens
            counters = {part for name in names for m in [_MEMBER.fullmatch(name)] if m for part in m[2].split(",")}
            pair = next(p for p in ("st", "pq", "ab", "vw") if not set(p) & {*names, *counters})
            symbols |= {"i": pair[0], "j": pair[1]}
        made = replace(self, symbols=symbols, calls=_calls(self.calls, names), turns=_turns(names))
        while (clash := made._clash(names)) is not None:
            stems = [name.partition("^(")[0] for name in clash]
            presets = [stem for stem in stems if stem in symbols and stem not in own]
            if not presets:
                spelled = symbols.get(stems[1], stems[1])
                raise InputError(Sentence("notation_clash", first=clash[0], second=clash[1], spelled=spelled))
            del symbols[presets[-1]]
        return made

    def _clash(self, names: Sequence[str]) -> tuple[str, str] | None:
        """Two things that would be written alike, if there are such."""
        said: dict[Name, str] = {}
        for name in dict.fromkeys([*names, *LETTERS[:2]]):
            other = said.setdefault(self.name(name), name)
            if other != name:
                return other, name
        return None


def _counts(name: str, letter: str) -> bool:
    """Whether a name is that of a family counted by a letter."""
    member = _MEMBER.fullmatch(name)
    return member is not None and letter in member[2].split(",")


def _turns(names: Sequence[str]) -> frozenset[tuple[str, int]]:
    """The families that are counted by t, which counts tokens and blocks."""
    members = [found for name in names if (found := _MEMBER.fullmatch(name)) is not None]
    return frozenset((m[1], m[2].count(",") + 1) for m in members if m[2].split(",")[-1] == "t")


def _calls(calls: Mapping[str, tuple[str, str, str]], names: Sequence[str]) -> dict[str, tuple[str, str, str]]:
    """score(x_i, x_j) of self-attention, score(x_i, z_j) of two sequences, score(q_i, k_j) of given Q and K."""
    if "X" in names:
        arguments = ("X", "Z" if "Z" in names else "X")
    elif "Q" in names:
        arguments = ("Q", "K")
    else:
        return {}
    return {name: (function, *arguments) for name, (function, _, _) in calls.items()}


def _symbols(W: str, b: str, others: str = "") -> dict[str, str]:
    """What W_Q, …, b_O are called, from patterns of their letter ({} in lower case, {upper}), and other names."""
    found = dict(pair.split("=") for pair in others.split())
    for letter in "QKVO":
        found.setdefault(f"W_{letter}", W.format(letter.lower(), upper=letter))
        found.setdefault(f"b_{letter}", b.format(letter.lower(), upper=letter))
    return found


VASWANI = Notation(_symbols("W^{upper}", "b_{upper}"))
# as in the papers and books of these authors; what a source has no name for keeps ours
PRESETS: Mapping[str, Notation] = {
    "vaswani": VASWANI,
    "phuong-hutter": Notation(
        _symbols("W_{}", "b_{}", "O=V~ C=Y Y=Y~ head=Y n=ell_X m=ell_Z d_model=d_X d_k=d_attn d_v=d_mid h=H"),
        columns=True,
        concat=";",
    ),
    "bishop": Notation(
        _symbols("W^({})", "b^({})", "O=H head=H i=n j=m n=N m=M h=H d_model=D d_k=D_k d_v=D_v d_out=D_o"),
        entries={"A": "a"},
        softmax="Softmax",
        brackets=("[", "]"),
        members_below=True,
        head="h",
    ),
    "jurafsky-martin": Notation(
        _symbols("W^{upper}", "b^{upper}", "A=alpha O=head Y=A n=N m=M d_model=d"),
        calls={"S'": ("score", "X", "X")},
        concat="⊕",
    ),
    "prince": Notation(
        _symbols(
            "Omega_{}",
            "beta_{}",
            "W_O=Omega_c b_O=beta_c O=Sa head=Sa Y=MhSa n=N m=M h=H d_model=D d_k=D_q d_v=D_v",
        ),
        columns=True,
        softmax="Softmax",
        brackets=("[", "]"),
        concat=";",
        bias_first=True,
        members_below=True,
        head="h",
    ),
    "flash": Notation(_symbols("W^{upper}", "b_{upper}", "A=P S~=S^masked mu=m E=P~ n=N m=M d_k=d")),
}

# what may be named although a derivation has no such symbol or step: presets name all of it
VOCABULARY = (
    *("X", "Z", "U", "Q", "K", "V", "B", *VASWANI.symbols, "head"),
    *("S", "S'", "S^c", "S~", "A", "O", "C", "Y", "mu", "Delta", "E", "ell", "R"),
    *("n", "m", "h", "g", "d_model", "d_k", "d_v", "d_out", *LETTERS),
    *("scores", "scaled", "capped", "masked", "row_max", "shifted", "exponentials", "row_sum", "weights"),
    *("output", "concat", "projection"),
)
CHOICES: Mapping[str, tuple[Any, ...]] = {
    "preset": tuple(PRESETS),
    "symbols": (),
    "transpose": ("top", "T"),
    "first_index": (1, 0),
    "tokens": ("rows", "columns"),
}


def read_notation(given: Any) -> Notation:
    """A notation from a preset's name, or a table of `preset`, `symbols`, `transpose`, `first_index`, `tokens`.

    Raises InputError for an unknown preset, naming those that there are, and for any other key or value.

    >>> read_notation("prince").columns, read_notation({"preset": "flash", "symbols": {"X": "H"}}).own
    (True, {'X': 'H'})
    """
    if isinstance(given, Notation):
        return given
    table = given if isinstance(given, Mapping) else {"preset": given}
    for key, value in table.items():
        if key not in CHOICES:
            raise InputError(Sentence("unknown_key", name=str(key)[:40], hint=hint(key, CHOICES)), place="notation")
        if CHOICES[key]:
            place = f"notation.{key}" if table is given else ""
            choice("notation" if key == "preset" else key, value, CHOICES[key], place=place)
    made = PRESETS[table.get("preset", "vaswani")]
    return replace(
        made,
        own=_own(table.get("symbols", {})),
        transpose={"top": r"\top", "T": "T"}[table.get("transpose", "top")],
        first_index=table.get("first_index", made.first_index),
        columns=made.columns if "tokens" not in table else table["tokens"] == "columns",
    )


def _own(symbols: Any) -> dict[str, str]:
    """A symbol map of the user's, every name of which can be set."""
    if not isinstance(symbols, Mapping):
        raise InputError(Sentence("not_a_table", name="symbols"), place="notation.symbols")
    for name, spelled in symbols.items():
        if not isinstance(spelled, str) or len(spelled) > 40 or _NAME.fullmatch(spelled) is None:
            raise InputError(Sentence("notation_name", given=str(spelled)[:40]), place=f"notation.symbols.{name}"[:80])
    return {str(name): spelled for name, spelled in symbols.items()}
