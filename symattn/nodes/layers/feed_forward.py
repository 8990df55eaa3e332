"""The part of a layer that sees one token at a time: two products with a function of each entry between them."""

from __future__ import annotations

from typing import Any

from sympy import Expr, S
from sympy.matrices.expressions import MatMul

from symattn.nodes.boxes import Call
from symattn.nodes.elementary.entrywise import Hadamard
from symattn.nodes.elementary.logits import AddRow
from symattn.nodes.layers.activation import Activation, as_activation
from symattn.nodes.node import Node, as_matrix, columns_of, entry, require_shape, require_size, rows_of, shape_of
from symattn.writing.document import Box, Formula


class FeedForward(Node):
    """A network of one hidden layer, applied to each row: φ(X W_1 + 1b_1) W_2 + 1b_2, or with a gate beside it.

    FeedForward(X, W_1, W_2, b_1, b_2, φ) = φ(X W_1 + 1b_1) W_2 + 1b_2
    FeedForward(X, W_1, W_2, b_1, b_2, φ, W_3) = (φ(X W_1 + 1b_1) ∘ X W_3) W_2 + 1b_2, which is SwiGLU where φ is silu

    Shapes: X (n, d), W_1 and W_3 (d, f), W_2 (f, e), b_1 (1, f), b_2 (1, e) give (n, e). The function is one of
    `Activation`, relu if left out. Raises ShapeError naming both sizes where they differ, InputError for a function
    that is not known. Source: Vaswani et al. 2017, section 3.3; Shazeer 2020, equations 5 and 6.

    >>> from sympy import Matrix
    >>> FeedForward(Matrix([[1, 2]]), Matrix([[1, 1], [0, -1]]), Matrix([3, 4])).as_explicit()
    Matrix([[3]])
    """

    def __new__(
        cls, X: Any, W_1: Any, W_2: Any, b_1: Any = None, b_2: Any = None, activation: Any = "relu", W_3: Any = None
    ) -> Any:
        X, W_1, W_2 = as_matrix(X, "X"), as_matrix(W_1, "W_1"), as_matrix(W_2, "W_2")
        require_size(X.shape[1], W_1.shape[0], columns_of(X), rows_of(W_1))
        require_size(W_1.shape[1], W_2.shape[0], columns_of(W_1), rows_of(W_2))
        b_1 = S.true if b_1 is None or b_1 is S.true else AddRow(MatMul(X, W_1), b_1).args[1]
        b_2 = S.true if b_2 is None or b_2 is S.true else AddRow(MatMul(X, W_1, W_2), b_2).args[1]
        W_3 = S.true if W_3 is None or W_3 is S.true else as_matrix(W_3, "W_3")
        if W_3 is not S.true:
            require_shape(W_1, W_3)
        return super().__new__(cls, X, W_1, W_2, b_1, b_2, as_activation(activation), W_3)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.args[0])[0], shape_of(self.args[2])[1]

    def hidden(self, X: Any) -> Any:
        """X W_1 + 1b_1"""
        return _with_row(MatMul(X, self.args[1]), self.args[3])

    def result(self, hidden: Any) -> Any:
        """H W_2 + 1b_2"""
        return _with_row(MatMul(hidden, self.args[2]), self.args[4])

    def spelled(self) -> Any:
        """The same in elementary nodes."""
        X, W_3 = self.args[0], self.args[6]
        activated = Activation(self.hidden(X), self.args[5])
        return self.result(activated if W_3 is S.true else Hadamard(activated, MatMul(X, W_3)))

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.spelled(), i, j)

    def formula(self) -> Box:
        return Call("FFN", (Formula(self.args[0]),))


class Gated(Node):
    """What is made of X, let through by a gate that X decides: Y ∘ φ(X W + 1b), φ = σ if left out.

    Shapes: Y (n, e), X (n, d), W (d, e), b (1, e) give (n, e). Raises ShapeError naming both sizes where they differ.
    Source: Dauphin et al. 2017, equation 1; Qiu et al. 2025, equation 5, for attention.

    >>> from sympy import Matrix
    >>> Gated(Matrix([[4]]), Matrix([[1]]), Matrix([[0]])).as_explicit()
    Matrix([[2]])
    """

    def __new__(cls, Y: Any, X: Any, W: Any, b: Any = None, activation: Any = "sigmoid") -> Any:
        Y, X, W = as_matrix(Y, "Y"), as_matrix(X, "X"), as_matrix(W, "W")
        require_size(X.shape[1], W.shape[0], columns_of(X), rows_of(W))
        require_shape(Y, MatMul(X, W))
        b = S.true if b is None or b is S.true else AddRow(MatMul(X, W), b).args[1]
        return super().__new__(cls, Y, X, W, b, as_activation(activation))

    def opened(self, X: Any) -> Any:
        """X W + 1b, what decides how far the gate is open."""
        return _with_row(MatMul(X, self.args[2]), self.args[3])

    def spelled(self) -> Any:
        """The same in elementary nodes."""
        return Hadamard(self.args[0], Activation(self.opened(self.args[1]), self.args[4]))

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.spelled(), i, j)

    def formula(self) -> Box:
        return Call("gate", (Formula(self.args[0]), Formula(self.args[1])))


def _with_row(product: Any, row: Any) -> Any:
    return product if row is S.true else AddRow(product, row)
