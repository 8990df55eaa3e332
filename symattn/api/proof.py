"""The face that users hold of a theorem: its chain with the rule of each link, how it was checked, or why it fails."""

from __future__ import annotations

import json
import secrets
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sympy import MatrixSymbol, Symbol

from symattn.api.page import Page
from symattn.checking.theorems import THEOREMS, Checked, Counterexample, Link, Outcome, Theorem, Unknown, check
from symattn.errors import InputError
from symattn.nodes import as_matrix, require_size
from symattn.writing.document import (
    Block,
    Box,
    Chain,
    Document,
    Equation,
    Formula,
    Heading,
    Listed,
    Matrix,
    Paragraph,
    Row,
)
from symattn.writing.document import Symbol as Name
from symattn.writing.notation import read_notation
from symattn.writing.prose import Sentence
from symattn.writing.prose.sentences import SENTENCES


@dataclass(frozen=True)
class Proof(Page):
    """A theorem with what its check found, link by link."""

    theorem: Theorem
    outcomes: Sequence[Outcome]

    @property
    def status(self) -> str:
        """ "proven" for every size, "refuted", "tried" (true at the sizes tried) or "undecided"."""
        if self.counterexample is not None:
            return "refuted"
        if any(isinstance(o, Unknown) for o in self.outcomes):
            return "undecided"
        return "proven" if all(isinstance(o, Checked) and o.is_proof for o in self.outcomes) else "tried"

    @property
    def holds(self) -> bool:
        """Whether every link is proven, for every size."""
        return self.status == "proven"

    @cached_property
    def counterexample(self) -> Counterexample | None:
        """Small exact numbers at which a link fails."""
        return next((o for o in self.outcomes if isinstance(o, Counterexample)), None)

    @property
    def title(self) -> Sentence:
        known = f"theorem.{self.theorem.name}" in SENTENCES
        return Sentence(f"theorem.{self.theorem.name if known else 'yours'}")

    def blocks(self, *, columns: bool = False) -> Iterator[Block]:
        """The chain, link by link: the rule, the equation, how it was checked. Numbers may be by columns."""
        sides = self.theorem.sides
        if f"condition.{self.theorem.name}" in SENTENCES:
            yield Paragraph((Sentence(f"condition.{self.theorem.name}"),))
        if self.theorem.where:
            yield Paragraph((Sentence("where"),))
            yield Equation(
                tuple(Chain((("", Formula(s)), ("=", Formula(meaning)))) for s, meaning in self.theorem.where)
            )
        count = len(self.theorem.base)
        for (left, right), outcome in zip(self.theorem.base, self.outcomes, strict=False):
            yield Paragraph((Sentence("induction.base"),))
            relation = "≠" if isinstance(outcome, Counterexample) else "="
            yield Equation((Chain((("", Formula(left)), (relation, Formula(right)))),))
            if isinstance(outcome, Counterexample):
                yield from _refutation(outcome, columns)
                return
        if count:
            yield Paragraph((Sentence("induction.step"),))
        for left, link, outcome in zip(sides, self.theorem.links, self.outcomes[count:], strict=False):
            if link.printed is not None:
                yield Paragraph((Sentence("printed_as"),))
                yield Equation((Chain((("", link.printed),)),))
            yield Paragraph((Sentence(f"rule.{link.rule}"),))
            relation = "≠" if isinstance(outcome, Counterexample) else link.relation
            yield Equation((Chain((("", Formula(left)), (relation, Formula(link.side)))),))
            if isinstance(outcome, Counterexample):
                yield from _refutation(outcome, columns)
                return
        yield Paragraph(tuple(_said(self.outcomes, _names(self.theorem))))

    def document(self, notation: Any = None) -> Document:
        """The proof, in a notation as `derive` takes it."""
        written = read_notation(notation or {}).fitted(sorted(_names(self.theorem)), {})
        return Document(self.title, tuple(self.blocks(columns=written.columns)), written)

    def to_dict(self) -> dict[str, Any]:
        """What is stated, link by link, and what is known of it: plain data."""
        theorem = self.theorem
        stated = [(left, "=", right) for left, right in theorem.base]
        stated += [(left, link.relation, link.side) for left, link in zip(theorem.sides, theorem.links, strict=False)]
        links = zip(stated, self.outcomes, strict=False)
        return {
            "name": self.theorem.name,
            "title": self.title.text("en"),
            "status": self.status,
            "links": [
                {"left": str(left), "relation": relation, "right": str(right), **_outcome_data(outcome)}
                for (left, relation, right), outcome in links
            ],
        }

    def to_json(self) -> str:
        """`to_dict` as text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2) + "\n"

    def __repr__(self) -> str:
        return f"{self.theorem.name}: {_STATUS[self.status]}"


_STATUS = {
    "proven": "proven for every size",
    "refuted": "does not hold",
    "tried": "true at the sizes tried",
    "undecided": "not decided",
}


def _outcome_data(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Counterexample):
        sizes = {str(s): str(v) for s, v in outcome.sizes.items()}
        values = {str(s.name): [[str(x) for x in row] for row in rows] for s, rows in outcome.values.items()}
        shown = {"sizes": sizes, "values": values, "left": str(outcome.left), "right": str(outcome.right)}
        return {"status": "refuted", "counterexample": shown}
    if isinstance(outcome, Unknown):
        return {"status": "undecided", "reason": outcome.reason.text("en")}
    if outcome.is_proof:
        return {"status": "proven", "method": outcome.method}
    cases = [{str(s): int(v) for s, v in case.items()} for case in outcome.cases]
    chance = None if outcome.chance is None else f"1e-{outcome.chance}"
    return {"status": "tried", "sizes": cases, "seed": outcome.seed, "chance": chance}


def prove(theorem: Any, *sides: Any, seed: int | None = None) -> Proof:
    """Check a theorem that ships, by its name, or that matrix expressions of your own are equal, the chain as given.

    Each link is first tried at small exact numbers, which may refute it. Then it is proven for every size, by a normal
    form of the entries. What that does not settle is tried at random points of sizes that differ; `seed` repeats them.
    The time for a link is limited. Raises InputError for an unknown name, ShapeError for sides of different sizes.

    >>> from sympy import symbols
    >>> from symattn import Softmax
    >>> n, m = symbols("n m", integer=True, positive=True)
    >>> Z = MatrixSymbol("Z", n, m)
    >>> prove("shift-invariance").status, prove(Softmax(Z), Softmax(Z, -2)).status
    ('proven', 'refuted')
    """
    made = _stated((theorem, *sides)) if sides else _shipped(theorem)
    return Proof(made, check(made, secrets.randbits(32) if seed is None else seed))


def _shipped(name: Any) -> Theorem:
    if not isinstance(name, str) or name not in THEOREMS:
        raise InputError(Sentence("no_such_theorem", given=str(name)[:40], known=", ".join(THEOREMS)))
    return THEOREMS[name]()


def _stated(given: Sequence[Any]) -> Theorem:
    """A chain of a user's own."""
    sides = [as_matrix(side, f"prove({k})") for k, side in enumerate(given, 1)]
    for side in sides:
        for axis, where in enumerate(("rows", "columns")):
            require_size(sides[0].shape[axis], side.shape[axis], f"{where}({sides[0]})", f"{where}({side})")
    return Theorem("yours", sides[0], tuple(Link(side, "stated") for side in sides[1:]), ())


def _letters(side: Any) -> set[Symbol]:
    """The sizes of a side: the symbols that are no matrices."""
    sizes = [size for x in side.atoms(MatrixSymbol) for size in x.shape]
    return {s for x in (side, *sizes) for s in getattr(x, "free_symbols", ()) if isinstance(s, Symbol)}


def _said(outcomes: Sequence[Outcome], names: Container[str]) -> Iterator[Sentence]:
    """How the links were checked, each way said once."""
    found = [o for o in outcomes if isinstance(o, Checked)]
    for method in dict.fromkeys(o.method for o in found if o.is_proof):
        yield Sentence(f"checked.{method}")
    tried = [o for o in found if not o.is_proof]
    if tried:
        cases = _Cases([{s: v for s, v in case.items() if s.name in names} for case in tried[0].cases])
        points, seed = str(sum(o.points for o in tried)), str(tried[0].seed)
        if all(o.chance is not None for o in tried):
            chance = _Power(min(o.chance for o in tried if o.chance is not None))
            yield Sentence("checked.points", points=points, cases=cases, chance=chance, seed=seed)
        else:
            yield Sentence("checked.nearly", points=points, cases=cases, seed=seed)
    for o in outcomes:
        if isinstance(o, Unknown):
            yield Sentence("unproven")
            yield o.reason


@dataclass(frozen=True)
class _Cases:
    """Assignments of sizes: (n, m) = (2, 3), (1, 4)."""

    cases: Sequence[Mapping[Symbol, Any]]

    def write(self, style: Any) -> str:
        names = list(self.cases[0])
        if not names:
            return "–"
        first = Listed(tuple(map(Formula, names))).write(style)
        others = [Listed(tuple(str(case[s]) for s in names)).write(style) for case in self.cases]
        if len(names) > 1:
            first, others = f"({first})", [f"({other})" for other in others]
        return f"{first} = {f',{style.space}'.join(others)}"


@dataclass(frozen=True)
class _Power:
    """10^-k."""

    k: int

    def write(self, style: Any) -> str:
        return str(style.power("10", f"{style.minus}{self.k}"))


def _refutation(found: Counterexample, columns: bool) -> Iterator[Block]:
    def shown(value: Any) -> Box:
        rows = value.tolist() if hasattr(value, "tolist") else value
        if not isinstance(rows, list):
            return Formula(rows)
        turned = [list(row) for row in zip(*rows, strict=True)] if columns else rows
        if len(turned) == len(turned[0]) == 1:
            return Formula(turned[0][0])
        return Matrix(tuple(tuple(Formula(x) for x in row) for row in turned))

    sizes = Listed(tuple(Row((Formula(s), "=", str(v))) for s, v in found.sizes.items()))
    yield Paragraph((Sentence("refuted", sizes=sizes),))
    given = [Chain((("", Name(str(s.name))), ("=", shown(rows)))) for s, rows in found.values.items()]
    if given:
        yield Equation(tuple(given))
    yield Paragraph((Sentence("refuted.sides"),))
    yield Equation((Chain((("", shown(found.left)), ("≠", shown(found.right)))),))


def _names(theorem: Theorem) -> set[str]:
    parts = [*theorem.sides, *(x for pair in (*theorem.where, *theorem.base) for x in pair)]
    matrices = {s for part in parts for s in part.atoms(MatrixSymbol)}
    letters = {s for part in parts for s in _letters(part)}
    return {str(s.name) for s in (*matrices, *letters)}


def names_in(theorems: Sequence[str]) -> list[str]:
    """The matrices and sizes that theorems speak of. Raises InputError for an unknown name."""
    return sorted(set().union(*(_names(_shipped(name)) for name in theorems)))


def told(names: Sequence[str], *, columns: bool) -> Iterator[Block]:
    """Theorems that ship, as sections of a larger page."""
    for proof in map(prove, names):
        yield Heading(1, proof.title)
        yield from proof.blocks(columns=columns)


def listed(language: str = "en") -> str:
    """The theorems that ship: a line each, name first."""
    width = max(map(len, THEOREMS))
    titles = {name: Sentence(f"theorem.{name}").text(language) for name in THEOREMS}
    return "".join(f"{name.ljust(width)}  {title}\n" for name, title in titles.items())
