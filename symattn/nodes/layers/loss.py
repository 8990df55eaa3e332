"""What a language model is trained by: the cross-entropy of its logits and the tokens that come next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy import Expr, Integer, Lambda

from symattn.nodes.boxes import Call, Indexed, Notated
from symattn.nodes.elementary.elementwise import COLUMN, ROW, Z
from symattn.nodes.elementary.entrywise import ColumnSum
from symattn.nodes.elementary.logits import Scaled
from symattn.nodes.elementary.softmax import Softmax
from symattn.nodes.layers.embedding import OneHot, as_numbers
from symattn.nodes.node import M, Node, Numbers, Sizes, as_matrix, entry, require_size, rows_of, shape_of
from symattn.writing.document import Box, Formula, Row, Signed, Spelled
from symattn.writing.strict import as_sympy

LOG = Spelled(r"\log", "log")


class TokenLosses(Node):
    """The cross-entropy of each token: ℓ_i = −log softmax(Z)_(i, y_i) = log Σ_k exp(Z_ik) − Z_(i, y_i), a column.

    Shape: rows of Z by 1. `labels` are the columns of Z, from 0, that are right. Raises ShapeError where these are not
    as many as rows, InputError for a label that is no column. Source: Goodfellow, Bengio and Courville 2016, section
    6.2.2.

    >>> from sympy import Matrix
    >>> TokenLosses(Matrix([[0, 0]]), (1,)).as_explicit()
    Matrix([[log(2)]])
    """

    def __new__(cls, logits: Any, labels: Any) -> Any:
        logits = as_matrix(logits, "logits")
        rows, columns = shape_of(logits)
        labels = as_numbers(labels, columns, f"columns({logits})")
        require_size(rows, Integer(len(labels)), rows_of(logits), "labels")
        return super().__new__(cls, logits, labels)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.args[0])[0], Integer(1)

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        return "", {"labels": self.args[1]}

    @property
    def required(self) -> tuple[tuple[str, Expr, Expr], ...]:
        return self.right.required

    @property
    def right(self) -> OneHot:
        """The right labels as a matrix of 0 and 1."""
        made: OneHot = OneHot(self.args[1], shape_of(self.args[0])[1])
        return made

    def _entry(self, i: Any, _j: Any, **_: object) -> Expr:
        weights = Softmax(self.args[0])
        i = as_sympy(i)
        if i.is_Integer:
            return -sympy.log(entry(weights, i, self.args[1][int(i)]))
        cases = [(-sympy.log(entry(weights, k, y)), sympy.Eq(i, k)) for k, y in enumerate(self.args[1])]
        return sympy.Piecewise(*cases, (sympy.nan, True))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        right = self.right.compute(numbers, [], sizes)
        weights = numbers.row_sum(numbers.times(numbers.softmax(values[0]), right))
        return numbers.each(weights, Lambda((Z, ROW, COLUMN), -sympy.log(Z)))

    def formula(self) -> Box:
        weights = Call(Notated("softmax"), (Formula(self.args[0]),), notated=True)
        return Signed((("-", Row((LOG, Indexed(weights, "y")))),))


class CrossEntropy(Node):
    """The mean cross-entropy of the tokens: (1/n) Σ_i −log softmax(Z)_(i, y_i). Shape: 1 by 1.

    In nats. Arguments and errors as of `TokenLosses`, which raises InputError for labels that are no columns. Source:
    Bishop 2006, equation 4.108.

    >>> from sympy import Matrix
    >>> CrossEntropy(Matrix([[0, 0], [0, 0]]), (1, 0)).as_explicit()
    Matrix([[log(2)]])
    """

    def __new__(cls, logits: Any, labels: Any) -> Any:
        return super().__new__(cls, *TokenLosses(logits, labels).args)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return Integer(1), Integer(1)

    def losses(self, logits: Any) -> Any:
        """The loss of each token."""
        return TokenLosses(logits, self.args[1])

    @staticmethod
    def mean(losses: Any) -> Any:
        """The mean of a column."""
        return Scaled(ColumnSum(losses), 1 / losses.shape[0])

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.mean(self.losses(self.args[0])), i, j)

    def formula(self) -> Box:
        return Call("CE", (Formula(self.args[0]), "y"))
