"""A neutral document: what a derivation says, before any writer gives it a form.

Blocks (headings, paragraphs, equations, tables, diagrams) hold sentences and mathematics. Mathematics is a small tree
of boxes; each writes itself in a Style, which knows how one target spells a fraction, a root, a subscript.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from symattn.writing.notation import VASWANI, Notation
from symattn.writing.prose import Sentence


class Style(Protocol):
    """How a target spells the pieces of a formula."""

    @property
    def target(self) -> str: ...  # its name, for what is written once and kept
    @property
    def notation(self) -> Notation: ...
    @property
    def minus(self) -> str: ...
    @property
    def times(self) -> str: ...
    @property
    def dot(self) -> str: ...
    @property
    def equals(self) -> str: ...
    @property
    def approx(self) -> str: ...
    @property
    def one(self) -> str: ...
    @property
    def minus_infinity(self) -> str: ...
    @property
    def space(self) -> str: ...
    def word(self, text: str) -> str: ...
    def bracketed(self, inside: str, opening: str, closing: str) -> str: ...
    def indexed(self, whole: str, below: str) -> str: ...
    def transposed(self, inside: str) -> str: ...
    def blocks(self, rows: Sequence[Sequence[str]]) -> str: ...
    def name(self, name: str) -> str: ...
    def expression(self, expression: object) -> str: ...
    def fraction(self, above: str, below: str) -> str: ...
    def root(self, inside: str) -> str: ...
    def power(self, base: str, exponent: str) -> str: ...
    def entry(self, name: str, indices: tuple[str, ...]) -> str: ...
    def part(self, whole: str, indices: tuple[str, ...]) -> str: ...
    def vector(self, name: str, index: str) -> str: ...
    def over(self, sign: str, index: str, last: str, body: str) -> str: ...
    def summed(self, under: str, above: str, body: str) -> str: ...
    def applied(self, function: str, inside: str) -> str: ...
    def cases(self, cases: Sequence[tuple[str, str]], otherwise: str) -> str: ...
    def belongs(self, name: str, rows: str, columns: str) -> str: ...
    def boxed(self, digits: str) -> str: ...
    def matrix(self, rows: Sequence[Sequence[str]]) -> str: ...
    def matrix_of(self, entries: Entries, rows: list[list[str]]) -> str: ...


class Box(Protocol):
    """A piece of mathematics that can write itself."""

    def write(self, style: Style) -> str: ...


Cell = str | Box  # digits are cells already; a target spells their minus sign


def write(cell: Cell, style: Style) -> str:
    return cell.replace("-", style.minus) if isinstance(cell, str) else cell.write(style)


@dataclass(frozen=True)
class Formula:
    """A SymPy expression, written by the target's printer."""

    expression: object

    def write(self, style: Style) -> str:
        return style.expression(self.expression)


@dataclass(frozen=True)
class Spelled:
    """What differs in LaTeX and in plain text."""

    latex: Cell
    text: Cell

    def write(self, style: Style) -> str:
        side = self.latex if style.target == "latex" else self.text
        return side if isinstance(side, str) else side.write(style)


@dataclass(frozen=True)
class Symbol:
    """A named letter, perhaps with indices, counted from 1: A_{23}. The style's notation may write another."""

    name: str
    indices: tuple[str, ...] = ()

    def write(self, style: Style) -> str:
        return style.entry(self.name, self.indices) if self.indices else style.name(self.name)


@dataclass(frozen=True)
class Vector:
    """One row of a matrix, by its own letter: q_2 of Q."""

    name: str
    index: str

    def write(self, style: Style) -> str:
        return style.vector(self.name, self.index)


@dataclass(frozen=True)
class Part:
    """An entry of what has no name: (B C)_{23}."""

    whole: Cell
    indices: tuple[str, ...]

    def write(self, style: Style) -> str:
        return style.part(write(self.whole, style), self.indices)


@dataclass(frozen=True)
class Row:
    """Pieces one after another, with a gap between them in LaTeX and one in text."""

    parts: tuple[Cell, ...]
    gap: tuple[str, str] = (" ", " ")

    def write(self, style: Style) -> str:
        return self.gap[style.target != "latex"].join(write(p, style) for p in self.parts)


TIGHT = ("", "")  # a row without gaps


@dataclass(frozen=True)
class Product:
    """Factors in the order of rows; where tokens are columns, they turn around. The gaps are LaTeX's for either."""

    factors: tuple[Cell, ...]
    gaps: tuple[str, str] = (" ", " ")

    def write(self, style: Style) -> str:
        turned = style.notation.columns
        gap = self.gaps[turned] if style.target == "latex" else " "
        return gap.join(write(f, style) for f in (self.factors[::-1] if turned else self.factors))


@dataclass(frozen=True)
class Listed:
    """Pieces with commas between them, and a gap of LaTeX's own after these if one is given."""

    parts: tuple[Cell, ...]
    gap: str = ""

    def write(self, style: Style) -> str:
        gap = self.gap if self.gap and style.target == "latex" else style.space
        return f",{gap}".join(write(p, style) for p in self.parts)


def quote_token(name: str) -> Sentence:
    """A token within a sentence, where “a” would else be read as an article and “A” as a matrix."""
    return Sentence("quoted", name=name)


def quote_row(tokens: Sequence[str], row: int, number: object) -> Sentence:
    """The token of a row, counted from 0, with its number on the page where another token is called the same."""
    name = tokens[row]
    return Sentence("quoted_row", name=name, number=number) if tokens.count(name) > 1 else quote_token(name)


def list_names(names: Sequence[Sentence | str]) -> Sentence | str:
    """Names in a sentence: t1, t2, t3; in Chinese t1、t2、t3."""
    if len(names) == 1:
        return names[0]
    half = len(names) // 2  # a list of a thousand is not nested a thousand times
    return Sentence("listed", first=list_names(names[:half]), second=list_names(names[half:]))


@dataclass(frozen=True)
class Signed:
    """Terms added up, with their signs."""

    terms: tuple[tuple[str, Cell], ...]  # ("+" or "-", term)

    def write(self, style: Style) -> str:
        out: list[str] = []
        for k, (sign, term) in enumerate(self.terms):
            shown = style.minus if sign == "-" else "+"
            lead = f" {shown} " if k else (shown if sign == "-" else "")
            text = write(term, style)
            out += lead, _bracket(text, style) if lead else text
        return "".join(out)


def _bracket(term: str, style: Style) -> str:
    """A term after a sign: a factor that has a sign of its own stands in brackets."""
    if not term.startswith(style.minus):
        return term
    first, dot, rest = term.partition(f" {style.dot} ")
    return f"({first}){dot}{rest}"


@dataclass(frozen=True)
class Dotted:
    """Two factors with a dot between them: 9 · 21; where tokens are columns, they turn around."""

    left: Cell
    right: Cell

    def write(self, style: Style) -> str:
        pair = [write(self.left, style), write(self.right, style)]
        if style.notation.columns:
            pair.reverse()
        return f" {style.dot} ".join(f"({p})" if p.startswith(style.minus) and k else p for k, p in enumerate(pair))


@dataclass(frozen=True)
class Quotient:
    above: Cell
    below: Cell

    def write(self, style: Style) -> str:
        return style.fraction(write(self.above, style), write(self.below, style))


@dataclass(frozen=True)
class Power:
    base: Cell
    exponent: Cell

    def write(self, style: Style) -> str:
        return style.power(write(self.base, style), write(self.exponent, style))


@dataclass(frozen=True)
class Root:
    """A square root."""

    inside: Cell

    def write(self, style: Style) -> str:
        return style.root(write(self.inside, style))


@dataclass(frozen=True)
class Over:
    """The sum ("sum") or the largest ("max") of a body over an index, or two, up to number `last` if that is given."""

    sign: str
    index: str | tuple[str, str]
    body: Cell
    last: object = None

    def write(self, style: Style) -> str:
        last = "" if self.last is None else style.expression(self.last)
        letters = (self.index,) if isinstance(self.index, str) else self.index
        return style.over(self.sign, ", ".join(map(style.notation.index, letters)), last, write(self.body, style))


@dataclass(frozen=True)
class Applied:
    """A function of something: tanh(z)."""

    function: str
    inside: Cell

    def write(self, style: Style) -> str:
        return style.applied(self.function, write(self.inside, style))


@dataclass(frozen=True)
class Called:
    """An entry of softmax; a notation that names scores by a function says so: softmax(score(x_i, x_j)) = ..."""

    notated: Cell
    formula: Cell

    def write(self, style: Style) -> str:
        formula = write(self.formula, style)
        if not style.notation.calls:
            return formula
        return f"{style.applied(style.notation.softmax, write(self.notated, style))} {style.equals} {formula}"


@dataclass(frozen=True)
class Cases:
    """What holds under conditions, and what holds otherwise."""

    cases: tuple[tuple[Cell, Cell], ...]
    otherwise: Cell

    def write(self, style: Style) -> str:
        cases = [(write(value, style), write(condition, style)) for value, condition in self.cases]
        return style.cases(cases, write(self.otherwise, style))


@dataclass(frozen=True)
class Entries:
    """Which entries of a value the cells of a matrix are: `at` says it of a place before dots took that of others."""

    name: str  # the step's, or the input's
    at: Callable[[int, int], tuple[int, int]]  # (row, column), counted from 0
    rows: tuple[int | None, ...]  # None: dots
    columns: tuple[int | None, ...]


@dataclass(frozen=True)
class Matrix:
    """A table of cells; None among `rows` or inside a row stands for dots."""

    rows: tuple[tuple[Cell | None, ...] | None, ...]
    entries: Entries | None = field(default=None, compare=False, repr=False)  # for pages that can be explored

    def write(self, style: Style) -> str:
        width = max(len(r) for r in self.rows if r is not None)
        written = [self._row(r, width, style) for r in self.rows]
        return style.matrix(written) if self.entries is None else style.matrix_of(self.entries, written)

    def _row(self, row: tuple[Cell | None, ...] | None, width: int, style: Style) -> list[str]:
        if row is None:
            across = next(r for r in self.rows if r is not None)
            return [style.name("ddots" if c is None else "vdots") for c in across][:width]
        return [style.name("cdots") if c is None else write(c, style) for c in row]


def within(box: Cell) -> tuple[Cell, ...]:
    """The pieces in which matrices may stand: those of a row or a sum, both parts of a quotient."""
    if isinstance(box, Row):
        return box.parts
    if isinstance(box, Signed):
        return tuple(term for _, term in box.terms)
    return (box.above, box.below) if isinstance(box, Quotient) else ()


def has_dots(box: Cell) -> bool:
    """Whether a matrix within leaves rows or columns out."""
    if isinstance(box, Matrix):
        return any(row is None or None in row for row in box.rows)
    return any(map(has_dots, within(box)))


def sign_of(relation: str, style: Style) -> str:
    """How a target spells a relation: = ≈ ≠ ≤ ≥."""
    if relation in ("=", "≈"):
        return style.approx if relation == "≈" else style.equals
    return style.name({"≠": "ne", "≤": "le", "≥": "ge"}[relation])


@dataclass(frozen=True)
class Chain:
    """Sides joined by relations: a = b = c ≈ d. The first relation is not printed."""

    sides: tuple[tuple[str, Box], ...]  # ("=", "≈", "≠", "≤" or "≥", side)
    broken: bool = False  # each side on a line of its own, whether or not they would fit on one

    def first(self, count: int) -> Chain:
        """The chain up to its side number `count`."""
        return Chain(self.sides[:count])

    def write(self, style: Style) -> str:
        out = []
        for k, (relation, side) in enumerate(self.sides):
            out.append(side.write(style) if k == 0 else f"{sign_of(relation, style)} {side.write(style)}")
        return " ".join(out)


@dataclass(frozen=True)
class Heading:
    level: int
    text: Sentence | str


@dataclass(frozen=True)
class Paragraph:
    """Sentences; their fields may be boxes, which are set as inline mathematics."""

    sentences: tuple[Sentence, ...]


@dataclass(frozen=True)
class Equation:
    """Displayed chains, side by side; `step` is the name of the step that the first states, if it states one."""

    chains: tuple[Chain, ...]
    step: str = ""


FIGURE_SPACE = "\u2007"  # in plain text, the place of a digit that a number of a table lacks


@dataclass(frozen=True)
class Table:
    """A table; a column of numbers stands to the right, and so does each but the first of a table of `figures`."""

    header: tuple[Sentence | Box | str, ...]
    rows: tuple[tuple[Sentence | Box | str, ...], ...]
    figures: bool = False

    def right(self, column: int) -> bool:
        """Whether a column holds numbers alone."""
        if self.figures:
            return column > 0
        cells = [row[column] for row in self.rows]
        return bool(cells) and all(isinstance(c, str) and c.replace(",", "").isdigit() for c in cells)


@dataclass(frozen=True)
class Place:
    """A node of a diagram: its key, its label, and the step that it stands for, if it is one."""

    key: str
    label: Box
    step: str = ""


@dataclass(frozen=True)
class Group:
    """Nodes of a diagram that stand in a frame: what is done alike for every head."""

    label: Box
    keys: frozenset[str]


@dataclass(frozen=True)
class Diagram:
    """A flow: nodes in the order of the calculation, arrows between their keys, frames around some."""

    nodes: tuple[Place, ...]
    arrows: tuple[tuple[str, str], ...]
    groups: tuple[Group, ...] = ()


@dataclass(frozen=True)
class Shade:
    """A weight in a heat map: how dark it is, of 100, and its value to two places."""

    percent: int
    text: str


@dataclass(frozen=True)
class HeatMap:
    """The weights of a step as shades, a row for each query. What has many columns has no numbers."""

    step: str
    symbol: Box
    cells: tuple[tuple[Shade, ...], ...]
    queries: tuple[str, ...]
    keys: tuple[str, ...]

    @property
    def has_numbers(self) -> bool:
        return max(len(self.queries), len(self.keys)) <= 12


@dataclass(frozen=True)
class Boxes:
    """What a step is defined as, and boxes for its entries: empty, to be filled in by hand, or with what belongs there.

    `answers` are the values as decimals, by which a page of empty boxes says right or wrong.
    """

    step: str
    definition: Chain
    cells: tuple[tuple[Cell, ...], ...]  # "" is empty
    answers: tuple[tuple[str, ...], ...] = field(default=(), repr=False)

    @property
    def symbol(self) -> Box:
        return self.definition.sides[0][1]


OBJECTS = ("queries", "keys", "values", "weights")  # that have a colour of their own through all steps
Block = Heading | Paragraph | Equation | Table | Diagram | HeatMap | Boxes


@dataclass(frozen=True)
class Document:
    title: Sentence | str
    blocks: tuple[Block, ...]
    notation: Notation = VASWANI
    explored: Any = None  # an `Explored`, where readers can point at what the page shows
    objects: Mapping[str, str] = field(default_factory=dict)  # the names of what has a colour -> one of OBJECTS


def number_headings(document: Document) -> Iterator[tuple[str, Block]]:
    """Each block with its number, "4 ": that of a heading of the first level where there are several; else ""."""
    several = sum(isinstance(b, Heading) and b.level == 1 for b in document.blocks) > 1
    count = 0
    for block in document.blocks:
        if several and isinstance(block, Heading) and block.level == 1:
            count += 1
            yield f"{count} ", block
        else:
            yield "", block
