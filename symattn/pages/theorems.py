"""A theorem as a page: its chain with the rule of each link, how the links were checked, or why one fails."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any

from sympy import Expr, Lambda, Symbol, preorder_traversal
from sympy.matrices.expressions import MatMul

from symattn.checking.theorems import Checked, Counterexample, Outcome, Theorem, Unknown, check
from symattn.checking.theorems.statement import find_theorem, names_of
from symattn.nodes import Node, is_matrix
from symattn.nodes.boxes import Brackets, Call, Option, Word
from symattn.writing.document import (
    Block,
    Box,
    Chain,
    Equation,
    Formula,
    Heading,
    Listed,
    Matrix,
    Paragraph,
    Row,
    Spelled,
)
from symattn.writing.document import Symbol as Name
from symattn.writing.prose import Sentence
from symattn.writing.prose.sentences import SENTENCES
from symattn.writing.writers.text_style import TextStyle

_PLAIN = TextStyle()


def theorem_title(theorem: Theorem) -> Sentence:
    """What a theorem is called; a chain of a user's own has no name."""
    known = f"theorem.{theorem.name}" in SENTENCES
    return Sentence(f"theorem.{theorem.name if known else 'yours'}")


def theorem_blocks(theorem: Theorem, outcomes: Sequence[Outcome], *, columns: bool = False) -> Iterator[Block]:
    """The chain, link by link: the rule, the equation, how it was checked. Numbers may be by columns."""
    sides = theorem.sides
    if f"condition.{theorem.name}" in SENTENCES:
        yield Paragraph((Sentence(f"condition.{theorem.name}"),))
    yield from _opening(theorem, any(isinstance(outcome, Counterexample) for outcome in outcomes))
    count = len(theorem.base)
    for (left, right), outcome in zip(theorem.base, outcomes, strict=False):
        yield Paragraph((Sentence("induction.base"),))
        relation = "≠" if isinstance(outcome, Counterexample) else "="
        left, right = told_apart(left, right)
        yield Equation((Chain((("", Formula(left)), (relation, Formula(right)))),))
        if isinstance(outcome, Counterexample):
            yield from _refutation(outcome, columns)
            return
    if count:
        yield Paragraph((Sentence("induction.step"),))
    for left, link, outcome in zip(sides, theorem.links, outcomes[count:], strict=False):
        if link.printed is not None:
            yield Paragraph((Sentence("printed_wrongly" if isinstance(outcome, Counterexample) else "printed_as"),))
            yield Equation((Chain((("", link.printed),)),))
        yield Paragraph((Sentence(f"rule.{link.rule}"),))
        relation = "≠" if isinstance(outcome, Counterexample) else link.relation
        left, right = told_apart(left, link.side)
        yield Equation((Chain((("", Formula(left)), (relation, Formula(right)))),))
        if isinstance(outcome, Counterexample):
            yield from _refutation(outcome, columns)
            return
    yield Paragraph(tuple(_method_sentences(outcomes, names_of(theorem))))


def _opening(theorem: Theorem, refuted: bool) -> Iterator[Block]:
    """What is to be shown, and the abbreviations: these first where the statement has any."""
    stated = [] if theorem.base or refuted else [*_statement(theorem)]
    abbreviations = [symbol for symbol, _ in theorem.where]
    late = bool(abbreviations) and any(theorem.sides[k].has(*abbreviations) for k in (0, -1))
    yield from () if late else stated
    if theorem.where:
        yield Paragraph((Sentence("where"),))
        yield Equation(tuple(Chain((("", Formula(s)), ("=", Formula(meaning)))) for s, meaning in theorem.where))
    yield from stated if late else ()


def _statement(theorem: Theorem) -> Iterator[Block]:
    """The first and the last side of a chain of several links, between which the links follow."""
    relations = {link.relation for link in theorem.links} - {"="}
    if len(theorem.links) < 2 or len(relations) > 1 or any(link.printed is not None for link in theorem.links):
        return
    left, right = told_apart(theorem.sides[0], theorem.sides[-1])
    yield Paragraph((Sentence("statement"),))
    yield Equation((Chain((("", Formula(left)), (relations.pop() if relations else "=", Formula(right)))),))


class _Shown(Node):
    """A part of a side that is written in another way, for the page alone."""

    @property
    def shape(self) -> Any:
        return self.args[0].shape


class _Grouped(_Shown):
    """A product in brackets, within another product: (A B) C."""

    def formula(self) -> Box:
        return Brackets(Formula(self.args[0]))


class _Full(_Shown):
    """A node with all that it is told: RotaryEmbedding(X; base: 10000; pairs: halves; offset: 0)."""

    def formula(self) -> Box:
        node = self.args[0]
        given = list(zip(_parameters(node), node.args, strict=False))
        matrices = tuple(Formula(x) for _, x in given if is_matrix(x))
        return Call(
            type(node).__name__, matrices, options=tuple(Option(k, _told(x)) for k, x in given if not is_matrix(x))
        )


def _parameters(node: Any) -> list[str]:
    """The names of a node's arguments; none where it takes options, which it shows by itself."""
    found = list(signature(type(node).__new__).parameters.values())[1:]
    return [] if any(p.kind is p.VAR_POSITIONAL for p in found) else [p.name for p in found]


def _told(value: Any) -> Box:
    if isinstance(value, Lambda):
        return Row((Listed(tuple(map(Formula, value.variables))), Spelled(r"\mapsto", "↦"), Formula(value.expr)))
    return Formula(value) if isinstance(value, Expr) else Word(str(value))


def told_apart(left: Any, right: Any) -> tuple[Any, Any]:
    """Two sides that print alike: with brackets around the products in their products, or all that nodes are told."""
    if _products(left, lambda inner: inner.args) == _products(right, lambda inner: inner.args):
        left, right = (_products(side, lambda inner: (_Grouped(inner),)) for side in (left, right))
    if left != right and Formula(left).write(_PLAIN) == Formula(right).write(_PLAIN):
        parts = [
            {x for x in preorder_traversal(side) if isinstance(x, Node) and _parameters(x)} for side in (left, right)
        ]
        left, right = (_in_full(side, parts[0] ^ parts[1]) for side in (left, right))
    return left, right


def _in_full(side: Any, parts: set[Any]) -> Any:
    if not is_matrix(side) or side.is_symbol:
        return side
    made = side.func(*(_in_full(a, parts) for a in side.args))
    return _Full(made) if side in parts else made


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
        sizes = [{s: v for s, v in case.items() if s.name in names} for case in tried[0].cases]
        cases = _Cases([case for k, case in enumerate(sizes) if case not in sizes[:k]])
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
