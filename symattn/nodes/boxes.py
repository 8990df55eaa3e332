"""The boxes that formulas of nodes are made of, beside those of every document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sympy import Expr
from sympy.matrices.expressions import MatAdd, Transpose
from sympy.printing.precedence import PRECEDENCE

from symattn.writing.document import TIGHT, Box, Cell, Formula, Quotient, Row, Spelled, Style, write

TANH = Spelled(r"\tanh", "tanh")
ENTRYWISE = (PRECEDENCE["Add"] + PRECEDENCE["Mul"]) // 2  # between a sum and a product
CIRCLE = Spelled(r"\circ", "∘")


@dataclass(frozen=True)
class Word:
    """A name that is no letter of the notation's: rowmax, RoPE."""

    text: str

    def write(self, style: Style) -> str:
        return style.word(self.text)


@dataclass(frozen=True)
class Brackets:
    """What is taken together, in round brackets or others."""

    inside: Cell
    pair: str = "()"

    def write(self, style: Style) -> str:
        return style.bracketed(write(self.inside, style), *self.pair)


@dataclass(frozen=True)
class Call:
    """A function of arguments: rowmax(Z). What it depends on `beside` stands below its name, in text after them.

    `notated` brackets are those in which a notation has softmax and concatenation. Options follow the arguments:
    Attention(Q, K, V; mask: j <= i).
    """

    function: Cell
    arguments: tuple[Cell, ...]
    beside: Cell = ""
    notated: bool = False
    options: tuple[Option, ...] = ()

    def write(self, style: Style) -> str:
        name = style.word(self.function) if isinstance(self.function, str) else self.function.write(style)
        inside, beside = ", ".join(write(a, style) for a in self.arguments), write(self.beside, style)
        if beside and style.target == "latex":
            name = style.indexed(name, beside)
        elif beside:
            inside = f"{inside}; {beside}"
        inside = "; ".join([inside, *(option.write(style) for option in self.options)])
        return name + style.bracketed(inside, *(style.notation.brackets if self.notated else "()"))


@dataclass(frozen=True)
class Option:
    """What a function is told by name: mask: j <= i."""

    name: str
    value: Box

    def write(self, style: Style) -> str:
        return f"{style.word(self.name)}: {self.value.write(style)}"


@dataclass(frozen=True)
class Notated:
    """What a notation calls softmax or concatenation."""

    function: str

    def write(self, style: Style) -> str:
        return style.word(getattr(style.notation, self.function))


@dataclass(frozen=True)
class Turned:
    """One thing where tokens are rows, another where they are columns."""

    rows: Cell
    columns: Cell

    def write(self, style: Style) -> str:
        return write(self.columns if style.notation.columns else self.rows, style)


@dataclass(frozen=True)
class Ones:
    """A column of ones, or a row of them."""

    row: bool = False

    def write(self, style: Style) -> str:
        return style.transposed(style.one) if self.row != style.notation.columns else style.one


@dataclass(frozen=True)
class Letters:
    """The letters of rows and columns, in the order in which a notation writes them."""

    letters: str

    def write(self, style: Style) -> str:
        return "".join(style.notation.ordered(self.letters))


@dataclass(frozen=True)
class Indexed:
    """Something with what stands below it."""

    whole: Cell
    below: Cell

    def write(self, style: Style) -> str:
        return style.indexed(write(self.whole, style), write(self.below, style))


@dataclass(frozen=True)
class Stacked:
    """Matrices one below another; where tokens are columns, side by side. None stands for dots."""

    parts: tuple[Cell | None, ...]

    def write(self, style: Style) -> str:
        dots = Turned(Spelled(r"\vdots", "…"), Spelled(r"\cdots", "…")).write(style)
        parts = [dots if p is None else write(p, style) for p in self.parts]
        return style.blocks([parts] if style.notation.columns else [[p] for p in parts])


@dataclass(frozen=True)
class SideBySide:
    """A concatenation as a notation writes it: Concat(Y_1, Y_2), [Y_1; Y_2], or Y_1 ⊕ Y_2."""

    parts: tuple[Cell, ...]

    def write(self, style: Style) -> str:
        if style.notation.concat == "⊕":
            return Spelled(r" \oplus ", " ⊕ ").write(style).join(write(p, style) for p in self.parts)
        if style.notation.concat == ";":
            return style.bracketed("; ".join(write(p, style) for p in self.parts), *"[]")
        return Call(Notated("concat"), self.parts, notated=True).write(style)


def precedence_of(matrix: Any) -> int:
    """How tightly a matrix binds as it is printed."""
    return int(PRECEDENCE["Add"] if isinstance(matrix, MatAdd) else getattr(matrix, "precedence", PRECEDENCE["Mul"]))


def factor(matrix: Any) -> Box:
    """A matrix as a factor: in brackets unless it has a name."""
    return Formula(matrix) if matrix.is_symbol else Brackets(Formula(matrix))


def in_product(matrix: Any) -> Box:
    """A matrix in a product: a sum or an entrywise product in brackets."""
    return Brackets(Formula(matrix)) if precedence_of(matrix) < PRECEDENCE["Mul"] else Formula(matrix)


def after_minus(matrix: Any) -> Box:
    """A matrix after a minus: a sum in brackets."""
    return Brackets(Formula(matrix)) if precedence_of(matrix) <= PRECEDENCE["Add"] else Formula(matrix)


def multiple(number: Expr) -> Box:
    """A number in front of what it multiplies: a sum in brackets."""
    return Brackets(Formula(number)) if number.is_Add or number.is_Piecewise else Formula(number)


def number_factor(number: Expr) -> Box:
    """A number as a factor or a divisor on a line: in brackets where it is a sum, a product, or a fraction."""
    apart = number.is_Add or number.is_Mul or number.is_Piecewise or (number.is_Rational and not number.is_Integer)
    return Brackets(Formula(number)) if apart else Formula(number)


def divide(above: Any, below: Expr, in_text: Box) -> Box:
    """A matrix over a number: a fraction, or `in_text` and a stroke."""
    fraction = Quotient(Formula(above), Formula(below))
    return Spelled(fraction, Row((in_text, "/", number_factor(below)), TIGHT))


def entry_of(matrix: Any, letters: str) -> Box:
    """An entry (by two letters, or one of a vector) or a row of a matrix; of a transpose, the matrix's own entry."""
    if isinstance(matrix, Transpose) and (len(letters) == 2 or 1 in matrix.shape):
        return entry_of(matrix.arg, letters[::-1])
    return Indexed(Row((Spelled("{", ""), factor(matrix), Spelled("}", "")), TIGHT), Letters(letters))


def free_letter(usual: str, *taken: str) -> str:
    """The letter that a sum runs over: the usual one, or another where that is already the index of something.

    >>> free_letter("j", "i"), free_letter("j", "j")
    ('j', 'i')
    """
    letters = (usual, "i", "j", "k", "p")
    return next(letter for letter in letters if letter not in taken)
