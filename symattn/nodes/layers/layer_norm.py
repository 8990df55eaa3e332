"""What a layer does to the rows between its parts: it adds them to what came in, and brings them to one size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Expr, Rational, S

from symattn.errors import InputError
from symattn.nodes.boxes import Call
from symattn.nodes.elementary.families import Plus
from symattn.nodes.elementary.logits import AddRow, Scaled
from symattn.nodes.elementary.softmax import DivideRows, RowSum, SubtractColumn
from symattn.nodes.layers.norms import NormalisedRows, RowNorm, ScaleColumns
from symattn.nodes.node import M, Node, Numbers, Sizes, as_matrix, as_number, entry, require_shape
from symattn.writing.document import Box, Formula
from symattn.writing.prose import Sentence

EPSILON = Rational(1, 100_000)  # what programs add under the root unless they are told otherwise


class _Normalised(Node):
    """Rows that are normalised one by one, with a learned gain for each column, if there is one."""

    name: str  # what the function is called

    def spelled(self) -> Any:
        """The same in elementary nodes."""
        raise NotImplementedError

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.spelled(), i, j)

    def formula(self) -> Box:
        return Call(self.name, (Formula(self.args[0]),))


class LayerNorm(_Normalised):
    """Every row less its mean, divided by its standard deviation; then each column times its gain, plus its bias.

    LayerNorm(X)_ij = g_j (X_ij − μ_i)/√(σ_i² + ε) + b_j, with μ_i = Σ_k X_ik/d and σ_i² = Σ_k (X_ik − μ_i)²/d

    Shape: that of X; gain and bias are rows of its width. Raises ShapeError where these differ, InputError for an ε
    that is not positive. Source: Ba, Kiros and Hinton 2016, equation 4.

    >>> from sympy import Matrix
    >>> LayerNorm(Matrix([[1, 3]]), epsilon=3).as_explicit()
    Matrix([[-1/2, 1/2]])
    """

    name = "LayerNorm"

    def __new__(cls, X: Any, gain: Any = None, bias: Any = None, epsilon: Any = EPSILON) -> Any:
        X = as_matrix(X, "X")
        gain, bias = (S.true if row is None or row is S.true else row for row in (gain, bias))
        gain = gain if gain is S.true else ScaleColumns(X, gain).args[1]
        bias = bias if bias is S.true else AddRow(X, bias).args[1]
        return super().__new__(cls, X, gain, bias, as_epsilon(epsilon))

    @property
    def gain(self) -> Any:
        return self.args[1]

    @property
    def bias(self) -> Any:
        return self.args[2]

    @staticmethod
    def mean(X: Any) -> Any:
        """The mean of each row, a column."""
        return Scaled(RowSum(X), 1 / X.shape[1])

    def deviation(self, centred: Any) -> Any:
        """√(σ² + ε) of each row, whose mean is 0."""
        return RowNorm(centred, "rms", self.args[3])

    def spelled(self) -> Any:
        X = self.args[0]
        centred = SubtractColumn(X, self.mean(X))
        rows = DivideRows(centred, self.deviation(centred))
        rows = rows if self.gain is S.true else ScaleColumns(rows, self.gain)
        return rows if self.bias is S.true else AddRow(rows, self.bias)


class RMSNorm(_Normalised):
    """Every row divided by the root of its mean square; then each column times its gain.

    RMSNorm(X)_ij = g_j X_ij/√(Σ_k X_ik²/d + ε)

    Shape: that of X; the gain is a row of its width. Raises ShapeError where these differ, InputError for an ε that is
    not positive. Source: Zhang and Sennrich 2019, equation 4.

    >>> from sympy import Matrix
    >>> RMSNorm(Matrix([[1, 3]]), epsilon=4).as_explicit()
    Matrix([[1/3, 1]])
    """

    name = "RMSNorm"

    def __new__(cls, X: Any, gain: Any = None, epsilon: Any = EPSILON) -> Any:
        made = NormalisedRows(X, "rms", gain, as_epsilon(epsilon))
        return super().__new__(cls, made.args[0], made.args[2], made.args[3])

    def spelled(self) -> Any:
        X, gain, epsilon = self.args
        return NormalisedRows(X, "rms", gain, epsilon)


def as_epsilon(value: Any) -> Expr:
    """What is added under the root of a norm: a number that is not negative."""
    number = as_number(value)
    if number is None or number.is_negative:
        raise InputError(Sentence("bad_norm_epsilon", given=str(value)[:60]))
    return number


class Added(Node):
    """What came in, and what is added to it."""

    precedence = Plus.precedence

    def __new__(cls, X: Any, Y: Any) -> Any:
        X, Y = as_matrix(X, "X"), as_matrix(Y, "what is added")
        require_shape(X, Y)
        return super().__new__(cls, X, Y)

    def spelled(self) -> Any:
        """The same as a sum."""
        return Plus(*self.args)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.spelled(), i, j)

    def formula(self) -> Box:
        return self.spelled().formula()  # type: ignore[no-any-return]


class Residual(Added):
    """What came in and what was made of it: X + F(X), written Residual(X, F(X)). Shape: that of both.

    Raises ShapeError where they differ. Source: He et al. 2016, equation 1; Vaswani et al. 2017, section 3.1.

    >>> from sympy import Matrix
    >>> Residual(Matrix([[1, 2]]), Matrix([[10, 20]])).as_explicit()
    Matrix([[11, 22]])
    """


class Dropout(Node):
    """Dropout as it is once training is over: nothing is left out. Dropout(X, p) = X. Shape: that of X.

    While a network is trained each entry is 0 with probability p, and divided by 1 − p otherwise, so that X is the
    expected value. Raises InputError for a p that is no probability below 1. Source: Srivastava et al. 2014, section 4.

    >>> from sympy import Matrix
    >>> Dropout(Matrix([[1, 2]]), 0.1).as_explicit()
    Matrix([[1, 2]])
    """

    def __new__(cls, X: Any, p: Any) -> Any:
        rate = as_number(p)
        if rate is None or not (rate.is_nonnegative and (rate - 1).is_negative):
            raise InputError(Sentence("bad_dropout", given=str(p)[:60]))
        return super().__new__(cls, as_matrix(X, "X"), rate)

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        return "", {"probability": self.args[1], "kept": 1 - self.args[1]}

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.args[0], i, j)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        return values[0]

    def formula(self) -> Box:
        return Call("Dropout", (Formula(self.args[0]),), Formula(self.args[1]))
