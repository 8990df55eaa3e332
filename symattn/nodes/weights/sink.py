"""Softmax with a sink: a key without a value that takes a share of every row's attention."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy import Expr, Integer
from sympy.matrices.matrixbase import MatrixBase

from symattn.errors import InputError
from symattn.nodes.boxes import Call, Word, free_letter
from symattn.nodes.elementary.learned import as_scalar
from symattn.nodes.node import (
    At,
    M,
    Node,
    Numbers,
    Sizes,
    as_matrix,
    as_number,
    entry,
    is_matrix,
    sum_over_row,
)
from symattn.writing.document import Box, Called, Cell, Formula, Over, Power, Quotient, Row, Signed, Spelled
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy


class SinkSoftmax(Node):
    """The softmax of each row beside one more key, whose logit is s and whose value is 0.

    SinkSoftmax(Z, s)_ij = exp(Z_ij) / (exp(s) + Σ_k exp(Z_ik))

    s = 0 is softmax-off-by-one, a matrix symbol of shape (1, 1) a learned sink. A row with nothing to look at is 0.
    Shape: that of Z. Raises ShapeError where s is not one number. Source: Miller 2023 (off by one); Xiao et al. 2023
    and the gpt-oss model card for learned sinks.

    >>> from sympy import Matrix
    >>> SinkSoftmax(Matrix([[0, 0]])).as_explicit()
    Matrix([[1/3, 1/3]])
    """

    def __new__(cls, Z: Any, sink: Any = 0) -> Any:
        return super().__new__(cls, as_matrix(Z, "Z"), as_sink(sink))

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        return ".sink", {"sink": self.logit}

    @property
    def logit(self) -> Expr:
        """The logit, a number where it is one."""
        s = self.args[1]
        return s[0, 0] if isinstance(s, MatrixBase) else s

    @property
    def power(self) -> Cell:
        """What the additional key adds to the sum of exponentials: e^s, which is 1 for softmax-off-by-one."""
        return "1" if self.logit == 0 else Power("e", Formula(self.logit))

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        Z, s = self.args
        total = sum_over_row(lambda k: sympy.exp(entry(Z, i, k)), Z.shape[1], (Z, as_sympy(i), as_sympy(j)))
        return sympy.exp(entry(Z, i, j)) / (sympy.exp(entry(s, 0, 0)) + total)

    @property
    def matrices(self) -> tuple[Any, ...]:
        return (self.args[0], self.args[1])

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        rows, columns = self.lengths(sizes)
        column = numbers.matmul(numbers.given([[Integer(1)]] * rows), values[1])
        weights = numbers.softmax(numbers.concat([values[0], column]))
        return numbers.block(weights, range(rows), range(columns))

    def written(self, at: At, i: str, j: str) -> Box:
        Z, k = self.args[0], free_letter("k", i, j)
        total = Signed((("+", self.power), ("+", Over("sum", k, Power("e", at(Z, i, k))))))
        formula = Quotient(Power("e", at(Z, i, j)), total)
        return formula if i.isdigit() else Called(at(Z, i, j), formula)

    def formula(self) -> Box:
        Z, s = Formula(self.args[0]), Formula(self.logit)
        in_text = Call("softmax_sink", (Z,), beside=s)
        return Spelled(Call("softmax", (Z,), beside=Row((Word("sink"), "=", s))), in_text)


def as_sink(value: Any) -> Any:
    """The logit of a sink as a matrix of one entry."""
    if is_matrix(value):
        return as_scalar(value, "sink")
    number = as_number(value)
    if number is None:
        raise InputError(Sentence("bad_sink", given=str(value)[:60]))
    return sympy.ImmutableDenseMatrix([[number]])
