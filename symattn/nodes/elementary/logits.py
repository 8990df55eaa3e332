"""What happens to scores between the product and the softmax: scaling, capping, a bias."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, Integer, S
from sympy.printing.precedence import PRECEDENCE

from symattn.errors import InputError
from symattn.nodes.boxes import TANH, Call, Ones, divide, factor, in_product, multiple, number_factor
from symattn.nodes.node import (
    At,
    M,
    Node,
    Numbers,
    Sizes,
    as_matrix,
    as_number,
    columns_of,
    entry,
    require_shape,
    require_size,
    rows_of,
)
from symattn.writing.document import Applied, Box, Formula, Product, Quotient, Row, Signed, Spelled, Style
from symattn.writing.prose import Sentence


class Scaled(Node):
    """A matrix times a number that is printed as it was meant: S/√d_k, not (1/√d_k) S.

    Scaled(S, c)_ij = c S_ij. Shape: that of S.

    >>> from sympy import MatrixSymbol, latex, sqrt, symbols
    >>> n, d_k = symbols("n d_k", positive=True)
    >>> latex(Scaled(MatrixSymbol("S", n, n), 1 / sqrt(d_k)))
    '\\\\frac{S}{\\\\sqrt{d_{k}}}'
    """

    precedence = PRECEDENCE["Mul"]  # in brackets inside a product

    def __new__(cls, S: Any, factor: Any) -> Any:
        return super().__new__(cls, as_matrix(S, "S"), as_scale(factor))

    @property
    def factor(self) -> Expr:
        return self.args[1]

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return self.factor * entry(self.args[0], i, j)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        factor = self.factor.xreplace(dict(sizes))
        if factor.is_finite is False or factor.is_real is False:
            raise InputError(Sentence("bad_scale", given=f"{self.factor} = {factor}"))
        return numbers.scale(values[0], factor)

    def written(self, at: At, i: str, j: str) -> Box:
        scores, below = at(self.args[0], i, j), divisor(self.factor)
        if self.factor == -1:
            return Signed((("-", scores),))
        return Row((multiple(self.factor), scores)) if below is None else Quotient(scores, Formula(below))

    def formula(self) -> Box:
        matrix, below = self.args[0], divisor(self.factor)
        if self.factor == 1:
            return Formula(matrix)
        if below is not None:
            return divide(matrix, below, in_product(matrix))
        if self.factor == -1:
            return Signed((("-", factor(matrix)),))
        return Row((multiple(self.factor), factor(matrix)))


def opposite(term: Any) -> Any:
    """What a multiple by a negative number is with the other sign; None for anything else."""
    if not isinstance(term, Scaled) or not term.factor.could_extract_minus_sign():
        return None
    return term.args[0] if term.factor == -1 else Scaled(term.args[0], -term.factor)


def as_scale(value: object) -> Expr:
    """What scores are multiplied by: an exact number or an expression."""
    factor = as_number(value)
    if factor is None:
        raise InputError(Sentence("bad_scale", given=str(value)[:60]))
    return factor


def as_cap(value: object) -> Expr:
    """What capped scores stay below: a positive exact number or an expression."""
    cap = as_number(value)
    if cap is None or cap.is_positive is False:
        raise InputError(Sentence("bad_softcap", given=str(value)[:60]))
    return cap


def divisor(factor: Expr) -> Expr | None:
    """1/factor where dividing by it is the plainer way to say it: √d_k, √2, 8; None for 3/5 or 2."""
    below = 1 / factor
    if factor.is_Integer or below.as_numer_denom()[1] != 1 or below.is_positive is False:
        return None
    square = sympy.expand(below**2)
    return below if square.is_Integer or square.free_symbols else None


class Biased(Node):
    """Scores and what is added to them, in the order as written: S + B; −∞ in B hides an entry.

    Shape: that of S, which B must have too.
    """

    precedence = PRECEDENCE["Add"]  # in brackets inside a product

    def __new__(cls, S: Any, B: Any) -> Any:
        S, B = as_matrix(S, "S"), as_matrix(B, "bias")
        require_shape(S, B)
        return super().__new__(cls, S, B)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.args[0], i, j) + entry(self.args[1], i, j)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        return numbers.add(values[0], values[1])

    def written(self, at: At, i: str, j: str) -> Box:
        return Signed(tuple(("+", at(a, i, j)) for a in self.args))

    def formula(self) -> Box:
        return Signed(tuple(("+", Formula(a)) for a in self.args))


@dataclass(frozen=True)
class _WithBias:
    """A product and its bias, which some notations put first."""

    product: Box
    bias: Box

    def write(self, style: Style) -> str:
        first, second = (self.bias, self.product) if style.notation.bias_first else (self.product, self.bias)
        return f"{first.write(style)} + {second.write(style)}"


class WithRow(Node):
    """A matrix and a row that meets each of its rows."""

    role = "b"  # what the row is called where it does not fit

    def __new__(cls, Z: Any, row: Any) -> Any:
        Z, row = as_matrix(Z, "Z"), as_matrix(row, cls.role)
        require_size(row.shape[0], Integer(1), rows_of(row), "a row")
        require_size(Z.shape[1], row.shape[1], columns_of(Z), columns_of(row))
        return super().__new__(cls, Z, row)


class AddRow(WithRow):
    """The same row added to each row: Z + 1b, entry Z_ij + b_j (a bias of a projection). Shape: that of Z."""

    precedence = PRECEDENCE["Add"]  # in brackets inside a product

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.args[0], i, j) + entry(self.args[1], 0, j)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        return numbers.add_row(values[0], values[1])

    def written(self, at: At, i: str, j: str) -> Box:
        return Signed((("+", at(self.args[0], i, j)), ("+", at(self.args[1], "", j))))

    def formula(self) -> Box:
        Z, b = self.args
        return _WithBias(Formula(Z), Product((Ones(), in_product(b)), gaps=("", " ")))


class SoftCapped(Node):
    """Scores bent smoothly to stay below a cap: cap·tanh(z/cap), before the mask. Shape: that of S.

    Source: the ONNX Attention operator; Gemma Team 2024, section 2.
    """

    precedence = PRECEDENCE["Mul"]  # in brackets inside a product

    def __new__(cls, S: Any, cap: Any) -> Any:
        return super().__new__(cls, as_matrix(S, "S"), as_cap(cap))

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        cap = self.args[1]
        return cap * sympy.tanh(entry(self.args[0], i, j) / cap)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        cap = self.args[1].xreplace(dict(sizes))
        return numbers.scale(numbers.tanh(numbers.scale(values[0], S.One / cap)), cap)

    def written(self, at: At, i: str, j: str) -> Box:
        cap = Formula(self.args[1])
        return Row((cap, Applied("tanh", Quotient(at(self.args[0], i, j), cap))))

    def formula(self) -> Box:
        S, cap = self.args
        bent = Call(TANH, (divide(S, cap, factor(S)),))
        return Row((Spelled(Formula(cap), number_factor(cap)), bent), ("", " "))
