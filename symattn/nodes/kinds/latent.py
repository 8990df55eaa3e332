"""Multi-head latent attention (MLA): keys and values that are made of one narrow matrix, which alone is kept."""

from __future__ import annotations

from typing import Any, Unpack

import sympy
from sympy import MatrixExpr

from symattn.errors import InputError
from symattn.nodes.elementary.softmax import transpose
from symattn.nodes.kinds.attention import OPTIONS, AttentionOptions, SoftmaxAttention, name_options, read_options
from symattn.nodes.node import as_matrix, columns_of, is_matrix, require_size, rows_of, shape_of
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy


class LatentAttention(SoftmaxAttention):
    """Attention over keys C U_K and values C U_V, in the absorbed form that never makes them.

    LatentAttention(Q, C, U_K, U_V) = softmax((Q U_Kᵀ) Cᵀ / √d_k) C U_V, weights times C first

    With absorbed=False it is Attention(Q, C U_K, C U_V), which has the same value: q (C U_K)ᵀ = (q U_Kᵀ) Cᵀ and A (C
    U_V) = (A C) U_V. `Q_R` and `K_R` are the decoupled rotary part, columns of queries and keys that the absorption
    leaves alone (RotaryEmbedding of them, as a rule): the scores are Q Kᵀ + Q_R K_Rᵀ, over √(d_k + d_r). Shapes: Q (n,
    d_k), C (m, d_c), U_K (d_c, d_k), U_V (d_c, d_v), Q_R (n, d_r), K_R (m, d_r) give (n, d_v). Options (mask, bias,
    scale, softcap, empty_row, sink, score_mod, weighting) as in Attention. Raises ShapeError naming both sizes where
    they differ, InputError for one of Q_R and K_R alone. Source: DeepSeek-AI 2024 (DeepSeek-V2), section 2.1 and
    appendix C.

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
        Q_R: Any = None,
        K_R: Any = None,
        **options: Unpack[AttentionOptions],
    ) -> Any:
        Q, C, U_K, U_V = as_matrix(Q, "Q"), as_matrix(C, "C"), as_matrix(U_K, "U_K"), as_matrix(U_V, "U_V")
        require_size(C.shape[1], U_K.shape[0], columns_of(C), rows_of(U_K))
        require_size(C.shape[1], U_V.shape[0], columns_of(C), rows_of(U_V))
        require_size(Q.shape[1], U_K.shape[1], columns_of(Q), columns_of(U_K))
        if absorbed not in (True, False, sympy.true, sympy.false):
            raise InputError(Sentence("not_true_or_false", name="absorbed"))
        if canonical and is_matrix(canonical[0]):  # as in args
            Q_R, K_R, *others = canonical
            canonical = tuple(others)
        turned = _rotary_part(Q, C, Q_R, K_R)
        width = U_K.shape[1] + (turned[0].shape[1] if turned else 0)
        read = read_options(name_options(cls, OPTIONS, canonical, options), Q, C, 1 / sympy.sqrt(width))
        return super().__new__(cls, Q, C, U_K, U_V, as_sympy(bool(absorbed)), *turned, *read)

    @property
    def turned(self) -> tuple[Any, ...]:
        """Q_R and K_R, where there are any."""
        return tuple(self.args[5 : -len(OPTIONS)])

    @property
    def absorbed(self) -> bool:
        return bool(self.args[4])

    def scores(self) -> MatrixExpr:
        Q, C, U_K = self.args[:3]
        plain = Q * transpose(U_K) * transpose(C)
        return plain + self.turned[0] * transpose(self.turned[1]) if self.turned else plain

    def values(self) -> Any:
        return self.args[1] * self.args[3]

    @property
    def usual_scale(self) -> Any:
        more = self.turned[0].shape[1] if self.turned else 0
        return 1 / sympy.sqrt(shape_of(self.args[2])[1] + more)

    @property
    def _written(self) -> tuple[Any, ...]:
        return (*self.args[:4], *self.turned)


def _rotary_part(Q: Any, C: Any, Q_R: Any, K_R: Any) -> tuple[Any, ...]:
    """Both rotary parts, of as many rows as queries and keys; nothing where there are none."""
    if Q_R is None and K_R is None:
        return ()
    if Q_R is None or K_R is None:
        raise InputError(Sentence("one_rotary_part", name="K_R" if K_R is None else "Q_R"))
    Q_R, K_R = as_matrix(Q_R, "Q_R"), as_matrix(K_R, "K_R")
    for part, whole in ((Q_R, Q), (K_R, C)):
        require_size(whole.shape[0], part.shape[0], rows_of(whole), rows_of(part))
    require_size(Q_R.shape[1], K_R.shape[1], columns_of(Q_R), columns_of(K_R))
    return Q_R, K_R
