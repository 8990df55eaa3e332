"""A theorem as a page: its chain with the rule of each link, how the links were checked, or why one fails."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sympy import Symbol
from sympy.matrices.expressions import MatMul

from symattn.checking.theorems import Checked, Counterexample, Outcome, Theorem, Unknown, check
from symattn.checking.theorems.statement import find_theorem, names_of
from symattn.nodes import Node, is_matrix
from symattn.nodes.boxes import Brackets
from symattn.writing.document import Block, Box, Chain, Equation, Formula, Heading, Listed, Matrix, Paragraph, Row
from symattn.writing.document import Symbol as Name
from symattn.writing.prose import Sentence
from symattn.writing.prose.sentences import SENTENCES


def theorem_title(theorem: Theorem) -> Sentence:
    """What a theorem is called; a chain of a user's own has no name."""
    known = f"theorem.{theorem.name}" in SENTENCES
    return Sentence(f"theorem.{theorem.name if known else 'yours'}")


def theorem_blocks(theorem: Theorem, outcomes: Sequence[Outcome], *, columns: bool = False) -> Iterator[Block]:
    """The chain, link by link: the rule, the equation, how it was checked. Numbers may be by columns."""
    sides = theorem.sides
    if f"condition.{theorem.name}" in SENTENCES:
        yield Paragraph((Sentence(f"condition.{theorem.name}"),))
    if theorem.where:
        yield Paragraph((Sentence("where"),))
        yield Equation(tuple(Chain((("", Formula(s)), ("=", Formula(meaning)))) for s, meaning in theorem.where))
    count = len(theorem.base)
    for (left, right), outcome in zip(theorem.base, outcomes, strict=False):
        yield Paragraph((Sentence("induction.base"),))
        relation = "≠" if isinstance(outcome, Counterexample) else "="
        yield Equation((Chain((("", Formula(left)), (relation, Formula(right)))),))
        if isinstance(outcome, Counterexample):
            yield from _refutation(outcome, columns)
            return
    if count:
        yield Paragraph((Sentence("induction.step"),))
    for left, link, outcome in zip(sides, theorem.links, outcomes[count:], strict=False):
        if link.printed is not None:
            yield Paragraph((Sentence("printed_as"),))
            yield Equation((Chain((("", link.printed),)),))
        yield Paragraph((Sentence(f"rule.{link.rule}"),))
        relation = "≠" if isinstance(outcome, Counterexample) else link.relation
        left, right = _told_apart(left, link.side)
        yield Equation((Chain((("", Formula(left)), (relation, Formula(right)))),))
        if isinstance(outcome, Counterexample):
            yield from _refutation(outcome, columns)
            return
    yield Paragraph(tuple(_method_sentences(outcomes, names_of(theorem))))


class _Grouped(Node):
    """A product in brackets, within another product: (A B) C."""

    @property
    def shape(self) -> Any:
        return self.args[0].shape

    def formula(self) -> Box:
        return Brackets(Formula(self.args[0]))


def _told_apart(left: Any, right: Any) -> tuple[Any, ...]:
    """Two sides that print alike with brackets around the products in their products."""
    if _products(left, lambda inner: inner.args) != _products(right, lambda inner: inner.args):
        return left, right
    return tuple(_products(side, lambda inner: (_Grouped(inner),)) for side in (left, right))


def _products(side: Any, within: Callable[[MatMul], tuple[Any, ...]]) -> Any:
    """A side with something else for each product within a product."""
    if not is_matrix(side) or side.is_symbol:
        return side
    arguments = [_products(a, within) for a in side.args]
    if not isinstance(side, MatMul):
        return side.func(*arguments)
    factors = [x for a in arguments for x in (within(a) if isinstance(a, MatMul) else (a,))]
    return MatMul(*factors, evaluate=False)


def _method_sentences(outcomes: Sequence[Outcome], names: Container[str]) -> Iterator[Sentence]:
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


def names_in(theorems: Sequence[str]) -> list[str]:
    """The matrices and sizes that theorems speak of. Raises InputError for an unknown name."""
    return sorted(set().union(*(names_of(find_theorem(name)) for name in theorems)))


def theorem_sections(names: Sequence[str], *, columns: bool) -> Iterator[Block]:
    """Theorems that ship, as sections of a larger page."""
    for theorem in map(find_theorem, names):
        yield Heading(1, theorem_title(theorem))
        yield from theorem_blocks(theorem, check(theorem), columns=columns)
