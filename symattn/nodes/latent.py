"""Multi-head latent attention (MLA): keys and values that are made of one narrow matrix, which alone is kept."""

from __future__ import annotations

from typing import Any, Unpack

import sympy
from sympy import MatrixExpr

from symattn.errors import InputError
from symattn.nodes.attention import OPTIONS, AttentionOptions, SoftmaxAttention, name_options, read_options
from symattn.nodes.node import as_matrix, columns_of, require_size, rows_of, shape_of
from symattn.nodes.softmax import transpose
from symattn.writing.prose import Sentence


class LatentAttention(SoftmaxAttention):
    """Attention over keys C U_K and values C U_V, in the absorbed form that never makes them.

    LatentAttention(Q, C, U_K, U_V) = softmax((Q U_Kᵀ) Cᵀ / √d_k) C U_V, weights times C first

    With absorbed=False it is Attention(Q, C U_K, C U_V), which has the same value: q (C U_K)ᵀ = (q U_Kᵀ) Cᵀ and A (C
    U_V) = (A C) U_V. Shapes: Q (n, d_k), C (m, d_c), U_K (d_c, d_k), U_V (d_c, d_v) give (n, d_v). Options (mask, bias,
    scale, softcap, empty_row, sink, score_mod, weighting) as in Attention. Raises ShapeError naming both sizes where
    they differ. Source: DeepSeek-AI 2024 (DeepSeek-V2), section 2.1.2 and appendix C, without the decoupled rotary
    part.

    >>> from sympy import MatrixSymbol, symbols
    >>> n, m, c, d = symbols("n m c d")
    >>> U_K, U_V = MatrixSymbol("U_K", c, d), MatrixSymbol("U_V", c, d)
    >>> LatentAttention(MatrixSymbol("Q", n, d), MatrixSymbol("C", m, c), U_K, U_V).shape
    (n, d)
    """

    def __new__(
        cls,
        Q: Any,
        C: Any,
        U_K: Any,
        U_V: Any,
        absorbed: Any = True,
        *canonical: Any,
        **options: Unpack[AttentionOptions],
    ) -> Any:
        Q, C, U_K, U_V = as_matrix(Q, "Q"), as_matrix(C, "C"), as_matrix(U_K, "U_K"), as_matrix(U_V, "U_V")
        require_size(C.shape[1], U_K.shape[0], columns_of(C), rows_of(U_K))
        require_size(C.shape[1], U_V.shape[0], columns_of(C), rows_of(U_V))
        require_size(Q.shape[1], U_K.shape[1], columns_of(Q), columns_of(U_K))
        if absorbed not in (True, False, sympy.true, sympy.false):
            raise InputError(Sentence("not_true_or_false", name="absorbed"))
        read = read_options(name_options(cls, OPTIONS, canonical, options), Q, C, 1 / sympy.sqrt(U_K.shape[1]))
        return super().__new__(cls, Q, C, U_K, U_V, sympy.sympify(bool(absorbed)), *read)

    @property
    def absorbed(self) -> bool:
        return bool(self.args[4])

    def scores(self) -> MatrixExpr:
        Q, C, U_K = self.args[:3]
        return Q * transpose(U_K) * transpose(C)

    def values(self) -> Any:
        return self.args[1] * self.args[3]

    @property
    def usual_scale(self) -> Any:
        return 1 / sympy.sqrt(shape_of(self.args[2])[1])

    @property
    def _written(self) -> tuple[Any, ...]:
        return tuple(self.args[:4])
