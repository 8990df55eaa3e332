"""Differential attention: the weights of one pair of queries and keys, less a multiple of those of another."""

from __future__ import annotations

from typing import Any, Unpack

import sympy
from sympy import Expr
from sympy.matrices.matrixbase import MatrixBase

from symattn.nodes.boxes import Call
from symattn.nodes.elementary.families import Plus
from symattn.nodes.elementary.learned import ScaledBy
from symattn.nodes.elementary.logits import Scaled
from symattn.nodes.elementary.softmax import Exponential, transpose
from symattn.nodes.exact_numbers import read_exact
from symattn.nodes.kinds.attention import (
    OPTIONS,
    AttentionOptions,
    as_sequences,
    logits,
    name_options,
    read_options,
    weights,
    write_options,
)
from symattn.nodes.node import Node, as_matrix, columns_of, entry, require_shape, require_size, shape_of
from symattn.nodes.weights.sink import as_sink
from symattn.writing.document import Box, Formula


class DifferentialAttention(Node):
    """Two attentions over the same values, one taken off the other.

    DifferentialAttention(Q, K, Q_2, K_2, V, λ) = (softmax(Q Kᵀ/√d_k) − λ softmax(Q_2 K_2ᵀ/√d_k)) V

    λ is a number, a matrix symbol of shape (1, 1), which is learned, or what `differential_lambda` makes. Shapes: Q and
    Q_2 (n, d_k), K and K_2 (m, d_k), V (m, d_v) give (n, d_v). Options (mask, bias, scale, softcap, empty_row, sink,
    score_mod, weighting) as in Attention, the same for both. Raises ShapeError naming both sizes where they differ.
    Source: Ye et al. 2024, equation 1, for one head.

    >>> from sympy import Matrix
    >>> one, V = Matrix([[0]]), Matrix([[2], [4]])
    >>> DifferentialAttention(one, Matrix([0, 0]), one, Matrix([0, 0]), V, sympy.S.Half).as_explicit()
    Matrix([[3/2]])
    """

    def __new__(
        cls,
        Q: Any,
        K: Any,
        Q_2: Any,
        K_2: Any,
        V: Any,
        lam: Any,
        *canonical: Any,
        **options: Unpack[AttentionOptions],
    ) -> Any:
        Q, K, V = as_sequences(Q, K, V)
        Q_2, K_2 = as_matrix(Q_2, "Q_2"), as_matrix(K_2, "K_2")
        require_size(Q.shape[1], K.shape[1], columns_of(Q), columns_of(K))
        require_shape(Q, Q_2)
        require_shape(K, K_2)
        read = read_options(name_options(cls, OPTIONS, canonical, options), Q, K, 1 / sympy.sqrt(K.shape[1]))
        return super().__new__(cls, Q, K, Q_2, K_2, V, as_sink(lam), *read)

    @property
    def options(self) -> dict[str, Any]:
        """The options by name."""
        return dict(zip(OPTIONS, self.args[-len(OPTIONS) :], strict=True))

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.args[0])[0], shape_of(self.args[4])[1]

    def weights(self, scores: Any) -> Any:
        """The weights of one pair, from its scores."""
        o = self.options
        Z = logits(scores, o["mask"], o["bias"], o["scale"], o["softcap"], o["score_mod"])
        return weights(Z, o["empty_row"], o["sink"], o["weighting"])

    @staticmethod
    def difference(first: Any, second: Any, lam: Any) -> Any:
        """A_1 − λ A_2."""
        taken = Scaled(second, -lam[0, 0]) if isinstance(lam, MatrixBase) else Scaled(ScaledBy(second, lam), -1)
        return Plus(first, taken)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        Q, K, Q_2, K_2, V, lam = self.args[:6]
        first, second = (self.weights(q * transpose(k)) for q, k in ((Q, K), (Q_2, K_2)))
        return entry(self.difference(first, second, lam) * V, i, j)

    def formula(self) -> Box:
        options = write_options(self.options, 1 / sympy.sqrt(shape_of(self.args[1])[1]))
        return Call("DifferentialAttention", tuple(map(Formula, self.args[:6])), options=options)


def differential_lambda(q_1: Any, k_1: Any, q_2: Any, k_2: Any, initial: Any = "4/5") -> Any:
    """λ = e^(q_1 k_1ᵀ) − e^(q_2 k_2ᵀ) + λ_init, of four learned rows. Source: Ye et al. 2024, equation 2.

    >>> from sympy import Matrix
    >>> one = Matrix([[1]])
    >>> differential_lambda(one, one, one, one, "1/5").as_explicit()
    Matrix([[1/5]])
    """
    rows = [as_matrix(x, "lambda") for x in (q_1, k_1, q_2, k_2)]
    first, second = (Exponential(q * transpose(k)) for q, k in (rows[:2], rows[2:]))
    start = read_exact(initial) if isinstance(initial, str) else initial
    return as_sink(Plus(first, Scaled(second, -1), as_sink(start)))
