"""The nodes that a formula is read into: plain frozen values that keep the digits as printed and the place.

`start` and `end` are offsets into the text that was read, the end exclusive; comparisons ignore them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain

from symattn.patterns import regex
from symattn.writing.prose import Sentence


@dataclass(frozen=True)
class Expression:
    """Anything that stands on one side of a relation."""

    start: int = field(default=-1, compare=False, kw_only=True, repr=False)
    end: int = field(default=-1, compare=False, kw_only=True, repr=False)

    @cached_property
    def parts(self) -> Sequence[Expression]:
        """The expressions directly inside this one, in reading order."""
        names: tuple[str, ...] = self.__match_args__
        return tuple(part for name in names for part in _expressions(getattr(self, name)))

    @cached_property
    def inside(self) -> Sequence[Expression]:
        """All expressions inside this one, in reading order: whoever judges a formula looks through it many times."""
        found: list[Expression] = []
        waiting = [*reversed(self.parts)]
        while waiting:
            part = waiting.pop()
            found.append(part)
            if part.parts:
                waiting.extend(reversed(part.parts))
        return tuple(found)


def _expressions(value: object) -> Iterator[Expression]:
    if isinstance(value, Expression):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _expressions(each)


def walk(expression: Expression) -> Iterator[Expression]:
    """The expression and everything inside it, in reading order."""
    return chain((expression,), expression.inside)


class Atom(Expression):
    """An expression with nothing inside."""

    parts = inside = ()


@dataclass(frozen=True)
class Number(Atom):
    """A printed number: `text` its characters in the source, `places` the worth of its last printed digit.

    `unit` is the unit of bytes behind it, which its value is without.

    >>> Number("7.07", Fraction(707, 100), Fraction(1, 100)).places
    Fraction(1, 100)
    """

    text: str
    value: Fraction
    places: Fraction
    approximate: bool = False
    unit: str = ""


@dataclass(frozen=True)
class Infinity(Atom):
    """±∞, in any spelling; `sign` is 1 or -1."""

    sign: int


@dataclass(frozen=True)
class NotANumber(Atom):
    """The `nan` of a program's print."""


@dataclass(frozen=True)
class Dots(Atom):
    """What the author left out: `\\dots`, `\\vdots`, `...` as a cell, an argument, a term or a row."""


@dataclass(frozen=True)
class Unread(Atom):
    """A side that was not understood, for the reason given."""

    reason: Sentence


@dataclass(frozen=True)
class Name(Atom):
    """A symbol: base letter or word, subscripts and superscript labels, whatever fonts they were set in.

    `item` is a program's index in brackets (from 0); `sub` is what a formula writes below the line (from 1).
    A prime is the superscript label "′". `text` is the source and does not count in comparisons.

    >>> Name("W", sub=("i",), sup=("Q",)) == Name("W", ("i",), ("Q",), text=r"\\mathbf{W}_i^{Q}")
    True
    """

    base: str
    sub: tuple[str, ...] = ()
    sup: tuple[str, ...] = ()
    item: tuple[str, ...] = ()
    text: str = field(default="", compare=False, kw_only=True)

    @property
    def symbol(self) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
        """The base and its labels, by which symbols are told apart."""
        return self.base, self.sub, self.sup

    @property
    def indices(self) -> tuple[int | str | None, ...]:
        """The subscripts (or the program index) as integers, ":" for a whole row, "1:6" for a span, None for others.

        `S_{12}` gives (12,): only who knows the shape of S can tell row 1, column 2 from the twelfth row. `S_{01}`
        can be nothing but (0, 1).

        >>> Name("A", ("1", ":")).indices, Name("Q", item=("-1",)).indices, Name("d", ("k",)).indices
        ((1, ':'), (-1,), (None,))
        >>> Name("A", (":", "1:6")).indices
        (':', '1:6')
        """
        marks: Sequence[str] = self.item or self.sub
        if len(self.sub) == 1 and len(self.sub[0]) == 2 and self.sub[0][0] == "0":
            marks = self.sub[0]
        return tuple(_index(part) for part in marks)


_SPAN = regex(r"\d{0,9}:\d{0,9}")


def _index(part: str) -> int | str | None:
    digits = part.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) < 10:
        return int(part)
    return part if _SPAN.fullmatch(part) else None


@dataclass(frozen=True)
class Sum(Expression):
    """Terms with their signs (1 or -1); a lone `-x` is a sum of one term."""

    terms: tuple[Expression, ...]
    signs: tuple[int, ...]


@dataclass(frozen=True)
class Product(Expression):
    """Factors in order; `operators` between them: "" by juxtaposition, "·", "×", "*" or "@"."""

    factors: tuple[Expression, ...]
    operators: tuple[str, ...]


def without_signs(part: Expression) -> Expression:
    """A product without the signs between its factors; anything else as it is."""
    return replace(part, operators=("",) * len(part.operators)) if isinstance(part, Product) else part


@dataclass(frozen=True)
class Elementwise(Expression):
    """Entry by entry: `\\odot`, `\\circ`, ⊙."""

    factors: tuple[Expression, ...]


@dataclass(frozen=True)
class Quotient(Expression):
    """`\\frac`, `/` or ÷."""

    numerator: Expression
    denominator: Expression


@dataclass(frozen=True)
class Power(Expression):
    base: Expression
    exponent: Expression


@dataclass(frozen=True)
class Root(Expression):
    """The square root."""

    radicand: Expression


@dataclass(frozen=True)
class Transpose(Expression):
    """`mark` is "'" when only a program's prime says so: who defines a symbol `K'` means that one instead; "*" where
    it is the adjoint."""

    operand: Expression
    mark: str = field(default="", compare=False)


@dataclass(frozen=True)
class Call(Expression):
    """A function applied: `function` canonical and in lower case ("softmax", "exp", "concat", "multihead"),
    `label` what stands below it (`softmax_j`), `options` a program's keyword arguments as written."""

    function: str
    arguments: tuple[Expression, ...]
    label: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Entry(Expression):
    """An entry or row of what has no name of its own: `(QK^T)_{ij}`, `softmax(z)_j`."""

    operand: Expression
    indices: tuple[str, ...]


@dataclass(frozen=True)
class BigSum(Expression):
    """`\\sum_{index=lower}^{upper} body`; index is "" and the bounds are None where they are not written.

    `condition` is another one below the sign, `k ≠ j`; `j ≤ i` and `j < i` are upper bounds.
    """

    index: str
    lower: Expression | None
    upper: Expression | None
    body: Expression
    condition: Chain | None = None


@dataclass(frozen=True)
class Derivative(Expression):
    """∂L/∂X, dL/dX or ∇_X L."""

    of: Expression
    by: Expression


@dataclass(frozen=True)
class Cases(Expression):
    """A definition by cases: values, and the condition of each as written, whose letters count from `first`."""

    values: tuple[Expression, ...]
    conditions: tuple[str, ...]
    first: int = field(default=1, compare=False, kw_only=True)


@dataclass(frozen=True)
class Matrix(Expression):
    """Rows of cells: an environment, a nested list, a program's print, a row vector in any brackets.

    `brackets` are "[", "(", "{", "|", "‖" or "" as written; `annotations` what stood beside it and is no
    factor (row labels, a size below). Neither counts in comparisons.
    Rows are equally long unless cells are `Dots`.
    """

    rows: tuple[tuple[Expression, ...], ...]
    brackets: str = field(default="[", compare=False)
    annotations: tuple[str, ...] = field(default=(), compare=False)

    @cached_property
    def is_printed(self) -> bool:
        return all(isinstance(c, _CELLS) for row in self.rows for c in row)


@dataclass(frozen=True)
class Space(Expression):
    """ℝ with its dimensions, the right side of a statement of shape."""

    dimensions: tuple[Expression, ...]


@dataclass(frozen=True)
class Side:
    """One side of a chain and the relation in front of it ("" where there is none)."""

    relation: str
    expression: Expression
    start: int = field(default=-1, compare=False)
    end: int = field(default=-1, compare=False)


@dataclass(frozen=True)
class Chain:
    """`a = b ≈ c`: sides joined by relations. A first side with a relation continues what was said before."""

    sides: tuple[Side, ...]
    start: int = field(default=-1, compare=False)
    end: int = field(default=-1, compare=False)


def is_printed(expression: Expression) -> bool:
    """Whether this is a number, or a matrix of nothing but numbers, infinities and dots.

    >>> is_printed(Matrix(((Infinity(-1), Dots()),))), is_printed(Name("Q")), is_printed(Dots())
    (True, False, False)
    """
    return expression.is_printed if isinstance(expression, Matrix) else isinstance(expression, _PRINTED)


_PRINTED = (Number, Infinity, NotANumber)
_CELLS = (*_PRINTED, Dots)
