"""A theorem as a page: its chain with the rule of each link, how the links were checked, or why one fails."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any

from sympy import Expr, Lambda, MatrixSymbol, S, Symbol, preorder_traversal
from sympy.matrices.expressions import MatMul

from symattn.checking.theorems import THEOREMS, Checked, Counterexample, Outcome, Theorem, Unknown, check
from symattn.checking.theorems.statement import find_theorem, names_of
from symattn.errors import SymattnError
from symattn.nodes import Activation, MultiHead, Node, is_matrix
from symattn.nodes.boxes import Brackets, Call, Option, Word
from symattn.nodes.kinds.multihead import NAMES as MULTI_HEAD
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
        left, right = told_apart(theorem, left, right)
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
        left, right = told_apart(theorem, left, link.side)
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
    left, right = told_apart(theorem, theorem.sides[0], theorem.sides[-1])
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
        written: Any = node.formula()
        given, names = _given(node), list(_parameters(node))
        if isinstance(node, MultiHead):  # which writes its other options by itself
            more = {k: x for k, x in given.items() if k in _OF_HEADS}
            options = (*written.options, *(Option(k, _told(x)) for k, x in more.items()))
            return Call(written.function, written.arguments, options=options)
        places = [k for k, name in enumerate(names) if is_matrix(given.get(name))]
        plain = [names[at] for k, at in enumerate(places) if k == at]  # in their places; others are named
        options = tuple(Option(k, _told(x)) for k, x in given.items() if k not in plain)
        return Call(type(node).__name__, tuple(Formula(given[k]) for k in plain), options=options)


_OF_HEADS = (*(f"{x}_{y}" for x in "Wb" for y in "QKVO"), "rotary", "qk_norm")  # what MultiHead does not write
_OFTEN_ZERO = (*_OF_HEADS[4:8], "slopes")


def _parameters(node: Any) -> dict[str, Any]:
    """A node's arguments and what they are unless given; none where it takes options, which it shows by itself."""
    if isinstance(node, MultiHead):
        return dict.fromkeys(("X", "Z", "U", *MULTI_HEAD))
    found = list(signature(type(node).__new__).parameters.values())[1:]
    return {} if any(p.kind is p.VAR_POSITIONAL for p in found) else {p.name: p.default for p in found}


def _given(node: Any) -> dict[str, Any]:
    """What a node is told, by name, without what it goes without."""
    usual = _parameters(node)
    given = dict(zip(usual, node.args, strict=False))
    return {name: x for name, x in given.items() if not _is_left_out(name, x, usual[name])}


def _is_left_out(name: str, value: Any, usual: Any) -> bool:
    if value in (S.true, S.false):
        return usual is None or usual is bool(value)
    return name in _OFTEN_ZERO and bool(value == 0 or value.is_ZeroMatrix)


def _hidden(node: Any) -> tuple[tuple[str, Any], ...]:
    """What a node is told and does not write."""
    given = _given(node)
    if isinstance(node, MultiHead):
        return tuple((k, x) for k, x in given.items() if k in _OF_HEADS)
    text = Formula(node).write(_PLAIN)
    return tuple((k, x) for k, x in list(given.items())[1:] if not _is_written(node, x, text))


def _is_written(node: Any, value: Any, text: str) -> bool:
    """Whether a node reads otherwise with another matrix or number in the place of one that it is told."""
    if isinstance(node, Activation):
        return True  # by its own name: σ, ReLU
    if is_matrix(value):
        other: Any = MatrixSymbol("?", *value.shape)
    elif isinstance(value, Expr) and value.is_number:
        other = Symbol("?", integer=True, positive=True)
    else:
        return Formula(value).write(_PLAIN).lower() in text.lower()
    try:
        return bool(Formula(node.func(*(other if x is value else x for x in node.args))).write(_PLAIN) != text)
    except (SymattnError, TypeError):
        return Formula(value).write(_PLAIN) in text


def _told(value: Any) -> Box:
    if isinstance(value, Lambda):
        return Row((Listed(tuple(map(Formula, value.variables))), Spelled(r"\mapsto", "↦"), Formula(value.expr)))
    told = [] if isinstance(value, Expr) else list(_given(value).items())
    if told:
        return Call(type(value).__name__, tuple(Option(k, _told(x)) for k, x in told))
    return Formula(value) if isinstance(value, Expr) else Word(str(value))


def told_apart(theorem: Theorem, left: Any, right: Any) -> tuple[Any, Any]:
    """Two sides, with brackets around the products in their products where they print alike without them.

    In a statement of a user's own, what only one side's nodes are told and do not write is written; in any, where both
    print alike.
    """
    if _products(left, lambda inner: inner.args) == _products(right, lambda inner: inner.args):
        left, right = (_products(side, lambda inner: (_Grouped(inner),)) for side in (left, right))
    if left == right:
        return left, right
    nodes = [
        {x for x in preorder_traversal(side) if isinstance(x, Node) and len(_parameters(x)) > 1}
        for side in (left, right)
    ]
    if theorem.name not in THEOREMS:
        hidden = {x: (type(x), told) for x in nodes[0] | nodes[1] if (told := _hidden(x))}
        of_one = {hidden[x] for x in nodes[0] if x in hidden} ^ {hidden[x] for x in nodes[1] if x in hidden}
        full = {x for x, told in hidden.items() if told in of_one}
        left, right = (_in_full(side, full) for side in (left, right))
    if Formula(left).write(_PLAIN) == Formula(right).write(_PLAIN):
        left, right = (_in_full(side, nodes[0] ^ nodes[1]) for side in (left, right))
    return left, right


def _in_full(side: Any, parts: set[Any]) -> Any:
    if not is_matrix(side) or side.is_symbol or not side.args:
        return side
    arguments = [_in_full(a, parts) for a in side.args]
    made = side if tuple(arguments) == side.args else side.func(*arguments)
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
    yield Paragraph((Sentence("refuted", sizes=sizes) if found.sizes else Sentence("refuted.without_sizes"),))
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
