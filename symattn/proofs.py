"""The face that users hold of a theorem: its chain with the rule of each link, how it was checked, or why it fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sympy import MatrixSymbol, Symbol

from symattn.document import Block, Box, Chain, Document, Equation, Formula, Heading, Listed, Matrix, Paragraph, Row
from symattn.document import Symbol as Name
from symattn.errors import InputError
from symattn.identities import THEOREMS, Checked, Counterexample, Link, Theorem, check
from symattn.nodes import check_products, require_size
from symattn.prose import LANGUAGES, Sentence
from symattn.prose.sentences import SENTENCES
from symattn.writers import WRITERS


@dataclass(frozen=True)
class Proof:
    """A theorem with what its check found, link by link."""

    theorem: Theorem
    outcomes: Sequence[Checked | Counterexample]

    @property
    def holds(self) -> bool:
        """Whether every link passed its check."""
        return self.counterexample is None

    @cached_property
    def counterexample(self) -> Counterexample | None:
        """Small exact numbers at which a link fails."""
        return next((o for o in self.outcomes if isinstance(o, Counterexample)), None)

    @property
    def title(self) -> Sentence:
        known = f"theorem.{self.theorem.name}" in SENTENCES
        return Sentence(f"theorem.{self.theorem.name if known else 'yours'}")

    def blocks(self) -> Iterator[Block]:
        """The chain, link by link: the rule, the equation, how it was checked."""
        sides = self.theorem.sides
        if self.theorem.where:
            yield Paragraph((Sentence("where"),))
            yield Equation(
                tuple(Chain((("", Formula(s)), ("=", Formula(meaning)))) for s, meaning in self.theorem.where)
            )
        for left, link, outcome in zip(sides, self.theorem.links, self.outcomes, strict=False):
            if link.printed is not None:
                yield Paragraph((Sentence("printed_as"),))
                yield Equation((Chain((("", link.printed),)),))
            yield Paragraph((Sentence(f"rule.{link.rule}"),))
            relation = "≠" if isinstance(outcome, Counterexample) else link.relation
            yield Equation((Chain((("", Formula(left)), (relation, Formula(link.side)))),))
            if isinstance(outcome, Counterexample):
                yield from _refutation(outcome)
                return
        yield Paragraph(tuple(_said(self.outcomes)))

    def document(self) -> Document:
        return Document(self.title, tuple(self.blocks()))

    def to(self, target: str, *, language: str = "en", fragment: bool = False) -> str:
        """The proof as "latex", "markdown" or "text"."""
        for name, given, known in (("to", target, WRITERS), ("language", language, LANGUAGES)):
            if given not in known:
                raise InputError(Sentence("unknown_choice", name=name, given=given, known=", ".join(known)))
        return WRITERS[target](self.document(), language, fragment=fragment)

    def to_latex(self, **options: Any) -> str:
        """A complete LaTeX article; with fragment=True its body."""
        return self.to("latex", **options)

    def to_markdown(self, **options: Any) -> str:
        """A Markdown page with LaTeX mathematics."""
        return self.to("markdown", **options)

    def to_text(self, **options: Any) -> str:
        """Plain text for a terminal."""
        return self.to("text", **options)

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def __repr__(self) -> str:
        return f"{self.theorem.name}: {'holds' if self.holds else 'does not hold'}"


def prove(theorem: Any, *sides: Any) -> Proof:
    """Check a theorem that ships, by its name, or that matrix expressions of your own are equal, the chain as given.

    Every link is decided exactly: scalars symbolically, matrices at random integer points of explicit small sizes
    (the probability that a mistake stays hidden is stated). What does not hold has a counterexample in small exact
    numbers. Raises InputError for an unknown name, ShapeError for sides of different sizes.

    >>> from sympy import symbols
    >>> from symattn import Softmax
    >>> n, m = symbols("n m", integer=True, positive=True)
    >>> Z = MatrixSymbol("Z", n, m)
    >>> prove("shift-invariance").holds, prove(Softmax(Z), Softmax(Z, -2)).holds
    (True, False)
    """
    if not sides:
        if theorem not in THEOREMS:
            raise InputError(Sentence("no_such_theorem", given=str(theorem)[:40], known=", ".join(THEOREMS)))
        made = THEOREMS[theorem]()
    else:
        made = _stated((theorem, *sides))
    return Proof(made, check(made))


def _stated(sides: Sequence[Any]) -> Theorem:
    """A chain of a user's own, checked at two assignments of sizes."""
    for side in sides:
        check_products(side)
        for axis, where in enumerate(("rows", "columns")):
            require_size(sides[0].shape[axis], side.shape[axis], f"{where}({sides[0]})", f"{where}({side})")
    letters = sorted({s for side in sides for x in side.atoms(MatrixSymbol) for s in _sizes(x)}, key=str)
    cases: list[Mapping[Symbol, int]] = [
        {s: 2 + k % 2 for k, s in enumerate(letters)},
        {s: 1 + (k + 1) % 3 for k, s in enumerate(letters)},
    ]
    return Theorem("yours", sides[0], tuple(Link(side, "stated") for side in sides[1:]), tuple(cases))


def _sizes(matrix: MatrixSymbol) -> set[Symbol]:
    return set().union(*(getattr(size, "free_symbols", set()) for size in matrix.shape))


def _said(outcomes: Sequence[Checked | Counterexample]) -> Iterator[Sentence]:
    """How the links were checked, each way said once."""
    found = [o for o in outcomes if isinstance(o, Checked)]
    for method in dict.fromkeys(o.method for o in found):
        cases = sum(o.cases for o in found if o.method == method)
        chances = [o.chance for o in found if o.method == method and o.chance is not None]
        fields = {"cases": str(cases)} | ({"chance": _Power(min(chances))} if chances else {})
        yield Sentence(f"checked.{method}", **fields)


@dataclass(frozen=True)
class _Power:
    """10^-k."""

    k: int

    def write(self, style: Any) -> str:
        return str(style.power("10", f"{style.minus}{self.k}"))


def _refutation(found: Counterexample) -> Iterator[Block]:
    sizes = Listed(tuple(Row((Formula(s), "=", str(v))) for s, v in found.sizes.items()))
    yield Paragraph((Sentence("refuted", sizes=sizes),))
    given = [Chain((("", Name(str(s.name))), ("=", _matrix(rows)))) for s, rows in found.values.items()]
    if given:
        yield Equation(tuple(given))
    if isinstance(found.left, list) or hasattr(found.left, "tolist"):
        sides = [_matrix(side.tolist()) for side in (found.left, found.right)]
    else:
        sides = [Formula(side) for side in (found.left, found.right)]
    yield Paragraph((Sentence("refuted.sides"),))
    yield Equation((Chain((("", sides[0]), ("≠", sides[1]))),))


def _matrix(rows: Sequence[Sequence[Any]]) -> Box:
    if len(rows) == len(rows[0]) == 1:
        return Formula(rows[0][0])
    return Matrix(tuple(tuple(Formula(x) for x in row) for row in rows))


def told(names: Sequence[str]) -> Iterator[Block]:
    """Theorems that ship, as sections of a larger page."""
    for name in names:
        proof = prove(name)
        yield Heading(1, proof.title)
        yield from proof.blocks()


def listed(language: str = "en") -> str:
    """The theorems that ship: a line each, name first."""
    width = max(map(len, THEOREMS))
    return "".join(f"{name.ljust(width)}  {prove(name).title.text(language)}\n" for name in THEOREMS)
