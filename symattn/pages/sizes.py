"""Shapes and costs -> the tables of a document, and what is said beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import sympy
from sympy import Expr
from sympy.matrices.matrixbase import MatrixBase

from symattn.program.costs import Costs
from symattn.program.operations import Count
from symattn.program.shapes import Measures, Shape, Shapes
from symattn.writing.document import Block, Box, Chain, Formula, Heading, Listed, Paragraph, Style, Symbol, Table
from symattn.writing.polynomials import Amount
from symattn.writing.prose import Sentence

Cell = Sentence | Box | str


@dataclass(frozen=True)
class Axes:
    """The lengths of an array's axes, from the outermost: [b, n, d_model]."""

    lengths: tuple[Expr, ...]

    def write(self, style: Style) -> str:
        return f"[{Listed(tuple(Amount(x) for x in self.lengths)).write(style)}]"


# --- shapes


def shape_blocks(shapes: Shapes) -> Iterator[Block]:
    """The section on shapes: what the axes mean, then the table of every array."""
    yield Heading(1, Sentence("title.shapes"))
    yield Paragraph(tuple(_axes_sentence(shapes)))
    widths = tuple(_widths_sentence(shapes))
    if widths:
        yield Paragraph((*widths, Sentence("shapes.views")))
    known = any(shapes.numbers(row) != row.axes for row in shapes)
    header = (Sentence("table.array"), Sentence("table.shape"))
    rows = [(_array(row), Axes(row.axes), *((Axes(shapes.numbers(row)),) if known else ())) for row in shapes]
    yield Table((*header, Sentence("table.numbers")) if known else header, tuple(rows))


def _axes_sentence(shapes: Shapes) -> Iterator[Sentence]:
    measures = shapes.measures
    yield Sentence("shapes.rows")
    for family, key in (("head", "shapes.heads"), ("kv_head", "shapes.kv_heads")):
        count = next((r.axes[-3] for r in shapes if r.family == family), None)
        if count is not None:
            yield Sentence(key, heads=Amount(count))
    if measures.batch is not None:
        yield Sentence("shapes.batch", batch=Amount(measures.batch))
    yield from _sizes_sentence(measures)


def _sizes_sentence(measures: Measures) -> Iterator[Sentence]:
    """The sizes that are stated: n = 16, d_k = d_model/h = 128."""
    stated = [*measures.numbers, *measures.relations]
    if stated:
        yield Sentence("table.sizes", sizes=Listed(tuple(_known_sizes(size, measures) for size in stated)))


def _widths_sentence(shapes: Shapes) -> Iterator[Sentence]:
    """What the two widths are that articles mix up: that of a wide projection and that of one head."""
    measures = shapes.measures
    arrays: dict[tuple[Expr, Expr], list[Box]] = {}
    for row in shapes:
        if row.kind == "split":
            arrays.setdefault((row.axes[-2], row.axes[-1]), []).append(Formula(row.symbol))
    for (heads, width), names in arrays.items():
        wide, narrow = _product(heads, width, measures), _known_sizes(width, measures)
        yield Sentence("shapes.widths", arrays=Listed(tuple(names)), wide=wide, narrow=narrow)


def _product(heads: Expr, width: Expr, measures: Measures) -> Chain:
    """h d_k = 4 · 128 = 512."""
    numbers = measures.number(heads), measures.number(width)
    between = f"{numbers[0]} · {numbers[1]}" if _whole(*numbers) else None
    return _known_sizes(heads * width, measures, between)


def _known_sizes(amount: Expr, measures: Measures, between: str | None = None) -> Chain:
    """An amount, what it follows from, and its number, as far as these differ: d_k = d_model/h = 128."""
    amount = sympy.expand(amount)
    sides: list[tuple[str, Any]] = [("", Amount(amount))]
    related, number = measures.related(amount), measures.number(amount)
    if between is not None and number != amount:
        sides.append(("=", _Digits(between)))
    elif related not in (amount, number):
        sides.append(("=", Amount(related)))
    if number != amount:
        sides.append(("=", _Digits(f"{int(number):,}") if number.is_Integer else Amount(number)))
    return Chain(tuple(sides))


@dataclass(frozen=True)
class _Digits:
    """786,432, or 4 · 128 before it is 512."""

    text: str

    def write(self, style: Style) -> str:
        text = self.text.replace("·", style.dot)
        return text.replace(",", "{,}") if style.target == "latex" else text


def _whole(*amounts: Expr) -> bool:
    return all(a.is_Integer for a in amounts)


def _array(row: Shape) -> Cell:
    """What an array is called, with the formula that gives it."""
    if row.kind in ("split", "merged"):
        return Sentence("shapes.split" if row.kind == "split" else "shapes.merged", array=Formula(row.symbol))
    if row.formula is None:
        return Formula(row.symbol)
    if _numbers_within(row.formula):
        return Symbol(row.symbol.name)
    return Chain((("", Symbol(row.symbol.name)), ("=", Formula(row.formula))))


def _numbers_within(formula: Any) -> bool:
    return any(isinstance(part, MatrixBase) for part in sympy.preorder_traversal(formula))


# --- costs

# the fields of a Count, in order
KINDS = ("costs.multiply_adds", "costs.exponentials", "costs.divisions", "costs.elementwise", "costs.numbers")


def cost_blocks(costs: Costs, *, sums_again: bool = False) -> Iterator[Block]:
    """The section on costs: each step, in all, and beside another way; the sum over the heads is no part of them."""
    yield Heading(1, Sentence("title.costs"))
    again = [Sentence("costs.sum_again")] if sums_again else []
    yield Paragraph((Sentence("costs.counted"), *again, Sentence("costs.other"), *_sizes_sentence(costs.measures)))
    header: tuple[Cell, ...] = (Sentence("table.step"), *map(Sentence, KINDS))
    general = [(Symbol(costs.letters[name]), count) for name, count in costs.steps.items()]
    numbers = [(Symbol(costs.letters[name]), costs[name]) for name in costs.steps]
    in_letters = not all(count is None or _whole(*count) for _, count in general)
    if in_letters:
        yield Table(header, tuple(_step(symbol, count) for symbol, count in general))
    if all(count is None or _whole(*count) for _, count in numbers):
        yield from [Paragraph((Sentence("costs.in_numbers"),))] if in_letters else []
        yield Table(header, tuple(_step(symbol, count) for symbol, count in numbers))
    yield _totals(costs)
    said = tuple(_sentence(costs))
    if said:
        yield Paragraph(said)


def _step(symbol: Box, count: Count | None) -> tuple[Cell, ...]:
    if count is None:
        return (symbol, *(Sentence("costs.none") for _ in KINDS))
    return (symbol, *map(_amount, count))


def _amount(amount: Expr) -> Cell:
    return f"{int(amount):,}" if amount.is_Integer else Amount(amount)


def _totals(costs: Costs) -> Table:
    """Each kind in all: the amount and its number; beside it those of the other way."""
    ways = [costs] if costs.beside is None else [costs, costs.beside]
    numbered = _count_cell(costs)
    rows = []
    for kinds in zip(*map(_kinds, ways), strict=True):
        row: list[Cell] = [kinds[0][0]]
        for _, amount in kinds:
            row += [_amount(amount), *([_amount(costs.measures.number(amount))] if numbered else [])]
        rows.append(tuple(row))
    header: list[Cell] = [Sentence("table.in_all")]
    for name in _way_names(costs):
        header += [name, *([Sentence("table.numbers")] if numbered else [])]
    return Table(tuple(header), tuple(rows))


def _way_names(costs: Costs) -> Sequence[Sentence]:
    """What is counted, and what it is compared with."""
    other = costs.beside
    if other is None:
        return [Sentence("costs.amount")]
    if other.heads == 1:
        return [Sentence("costs.heads", heads=Amount(costs.heads)), Sentence("costs.one_head")]
    return [Sentence("costs.kv_heads", heads=Amount(c.kv_heads)) for c in (costs, other)]


def _count_cell(costs: Costs) -> bool:
    """Whether there are numbers beside the polynomials."""
    total = costs.total
    return not _whole(*total) and _whole(*total.at(costs.measures))


def _kinds(costs: Costs) -> Sequence[tuple[Sentence, Expr]]:
    total = costs.total
    kinds = [
        (Sentence("costs.parameters"), costs.parameters),
        (Sentence("costs.multiply_adds"), total.multiply_adds),
        (Sentence("costs.flops"), total.flops),
        (Sentence("costs.exponentials"), total.exponentials),
        (Sentence("costs.divisions"), total.divisions),
        (Sentence("costs.elementwise"), total.elementwise),
        (Sentence("costs.numbers"), total.numbers),
    ]
    return kinds if costs.cache is None else [*kinds, (Sentence("costs.cache"), costs.cache)]


def _sentence(costs: Costs) -> Iterator[Sentence]:
    """What follows from the numbers."""
    measures = costs.measures
    if costs.not_counted:
        names = [Sentence("costs.left_out", step=s, node=node) for s, node in costs.not_counted.items()]
        yield Sentence("costs.not_counted", names=_join_sentences(names))
    if costs.unnamed:
        yield Sentence("costs.unnamed")
    if costs.kept is not None and costs.scores is not None:
        yield Sentence(
            "costs.kept", kept=_known_sizes(costs.kept, measures), scores=_known_sizes(costs.scores, measures)
        )
    if costs.beside is not None:
        yield from _compare(costs, costs.beside)


def _compare(costs: Costs, other: Costs) -> Iterator[Sentence]:
    """Which kinds are equal, as polynomials, and by how much the others differ."""
    pairs = [(a[0], a[1], b[1]) for a, b in zip(_kinds(costs), _kinds(other), strict=True)]
    equal = [name for name, a, b in pairs if sympy.expand(a - b) == 0]
    if equal:
        yield Sentence("costs.equal", kinds=_join_sentences(equal))
    ratios: dict[Expr, list[Sentence]] = {}
    for name, a, b in pairs:
        ratio = sympy.cancel(a / b) if b != 0 else None
        if ratio is not None and ratio != 1 and _short(ratio):
            ratios.setdefault(ratio, []).append(name)
        elif ratio != 1 and a != b:
            key, more = ("costs.fewer", b - a) if _is_less(a - b, costs) else ("costs.more", a - b)
            yield Sentence(key, kind=name, count=_known_sizes(more, costs.measures))
    for ratio, names in ratios.items():
        yield Sentence("costs.ratio", kinds=_join_sentences(names), ratio=_known_sizes(ratio, costs.measures))
    if other.heads != 1:
        return
    if {"costs.parameters", "costs.multiply_adds"} <= {name.key for name in equal}:
        yield Sentence("costs.same")
    mixing = other.learned.get("W_O")
    if mixing is not None:
        rest = costs.measures.related(other.parameters - mixing)
        yield Sentence("costs.without_mixing", matrix=Symbol("W_O"), count=_known_sizes(rest, costs.measures))


def _short(ratio: Expr) -> bool:
    return len(ratio.free_symbols) <= 2 and not sympy.denom(ratio).is_Add and not ratio.is_Add


def _is_less(difference: Expr, costs: Costs) -> bool:
    """Whether a difference is negative where heads are more than key/value heads and all else is 1."""
    heads = costs.heads.free_symbols - costs.kv_heads.free_symbols or costs.heads.free_symbols
    return bool(difference.xreplace({s: sympy.Integer(2 if s in heads else 1) for s in difference.free_symbols}) < 0)


def _join_sentences(sentences: Sequence[Sentence]) -> Sentence:
    return reduce(lambda a, b: Sentence("listed", first=a, second=b), sentences)
