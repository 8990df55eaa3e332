"""Linear attention: a feature map in the place of the exponential, so that keys and values are summed up first."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr

from symattn.errors import InputError
from symattn.nodes.boxes import Call, Option
from symattn.nodes.elementary.elementwise import ELU_PLUS_ONE, Mapped, as_function
from symattn.nodes.kinds.attention import as_sequences
from symattn.nodes.node import Node, columns_of, entry, require_size, rows_of, shape_of, sum_over_row
from symattn.writing.document import Box, Formula
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy


class LinearAttention(Node):
    """Attention whose weights are products of features, each row over its sum.

    LinearAttention(Q, K, V)_i = φ(q_i) Σ_j φ(k_j)ᵀ v_j / φ(q_i) Σ_j φ(k_j)ᵀ, sums over all j or, causal, over j <= i

    Computed without any n by m matrix: φ(Q) (φ(K)ᵀ V), or, causal, by a state that every token adds to. `feature` is
    φ, a Lambda or an expression in a symbol named z; elu(z) + 1 unless given. Shapes: Q (n, d_k), K (m, d_k),
    V (m, d_v) give (n, d_v); causal needs n = m. Raises ShapeError naming both sizes where they differ. Source:
    Katharopoulos et al. 2020, equations 5 to 12.

    >>> from sympy import Matrix
    >>> LinearAttention(Matrix([[1]]), Matrix([[0], [2]]), Matrix([[4], [0]])).as_explicit()
    Matrix([[1]])
    """

    def __new__(cls, Q: Any, K: Any, V: Any, feature: Any = None, causal: Any = False) -> Any:
        Q, K, V = as_sequences(Q, K, V)
        require_size(Q.shape[1], K.shape[1], columns_of(Q), columns_of(K))
        if causal not in (True, False, sympy.true, sympy.false):
            raise InputError(Sentence("not_true_or_false", name="causal"))
        if causal:
            require_size(Q.shape[0], K.shape[0], rows_of(Q), rows_of(K))
        feature = ELU_PLUS_ONE if feature is None else as_function(feature)
        return super().__new__(cls, Q, K, V, feature, as_sympy(bool(causal)))

    @property
    def causal(self) -> bool:
        return bool(self.args[4])

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.args[0])[0], shape_of(self.args[2])[1]

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        Q, K, V, feature, _causal = self.args
        q, k = Mapped(Q, feature), Mapped(K, feature)
        avoid = (Q, K, V, as_sympy(i), as_sympy(j))

        def alike(t: Any) -> Expr:
            product = sum_over_row(lambda a: entry(q, i, a) * entry(k, t, a), Q.shape[1], (*avoid, as_sympy(t)))
            return sympy.Piecewise((product, t <= i), (0, True)) if self.causal else product

        above = sum_over_row(lambda t: alike(t) * entry(V, t, j), K.shape[0], avoid)
        return above / sum_over_row(alike, K.shape[0], avoid)

    def formula(self) -> Box:
        _, _, _, feature, causal = self.args
        options = [Option("feature", Formula(feature))] if feature != ELU_PLUS_ONE else []
        options += [Option("causal", Formula(causal))] if self.causal else []
        return Call("LinearAttention", tuple(map(Formula, self.args[:3])), options=tuple(options))
