"""Scaled dot-product attention with its options, as one node."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr, MatrixExpr, S, ZeroMatrix
from sympy.core.symbol import Str

from symattn.errors import InputError
from symattn.nodes.base import Node, as_matrix, entry, require_size, shape_of
from symattn.nodes.masks import Masked, as_mask, require_mask
from symattn.nodes.scores import Biased, Scaled, SoftCapped, as_cap, as_scale
from symattn.nodes.softmax import Softmax, transposed
from symattn.prose import Sentence

EMPTY_ROWS = ("error", "zero", "nan", "uniform")


class Attention(Node):
    """Scaled dot-product attention.

    Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V, in the order scale, softcap, mask and bias, softmax

    Shapes: Q (n, d_k), K (m, d_k), V (m, d_v), bias (n, m) give (n, d_v). `mask` is a CausalMask, WindowMask,
    KeepMask or a tuple of them; `scale` is 1/√d_k unless given; `softcap` none; `empty_row` says what a row
    becomes whose keys are all hidden. Raises ShapeError naming both sizes where they differ, InputError for an
    option that is none. Source: Vaswani et al. 2017, equation 1; the ONNX Attention operator for the order.

    >>> from sympy import Matrix
    >>> Attention(Matrix([[0]]), Matrix([[1], [2]]), Matrix([[2], [4]])).as_explicit()
    Matrix([[3]])
    """

    def __new__(
        cls,
        Q: Any,
        K: Any,
        V: Any,
        mask: Any = None,
        bias: Any = None,
        scale: Any = None,
        softcap: Any = None,
        empty_row: Any = None,
    ) -> Any:
        Q, K, V = as_matrix(Q, "Q"), as_matrix(K, "K"), as_matrix(V, "V")
        require_size(Q.shape[1], K.shape[1], f"columns({Q})", f"columns({K})")
        require_size(K.shape[0], V.shape[0], f"rows({K})", f"rows({V})")
        n, m = Q.shape[0], K.shape[0]
        options = read_options(mask, bias, scale, softcap, empty_row, (n, m, K.shape[1]), f"rows({Q})", f"rows({K})")
        return super().__new__(cls, Q, K, V, *options)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.args[0])[0], shape_of(self.args[2])[1]

    @property
    def options(self) -> tuple[Any, Any, Any, Any, str]:
        """mask, bias, scale, softcap, empty_row."""
        return (*self.args[3:7], str(self.args[7]))

    def logits(self, scores: MatrixExpr) -> MatrixExpr:
        """What softmax is taken of: the scores scaled, capped, biased and masked, as far as asked for."""
        mask, bias, scale, softcap, _ = self.options
        return logits(scores, mask, bias, scale, softcap)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        Q, K, V = self.args[:3]
        return entry(Softmax(self.logits(Q * transposed(K))) * V, i, j)

    def _latex(self, printer: Any) -> str:
        inside = ", ".join(printer._print(a) for a in self.args[:3])
        return rf"\mathrm{{Attention}}\left({inside}\right)"

    def _sympystr(self, printer: Any) -> str:
        return f"Attention({', '.join(printer._print(a) for a in self.args[:3])})"


def read_options(
    mask: Any,
    bias: Any,
    scale: Any,
    softcap: Any,
    empty_row: Any,
    sizes: tuple[Expr, Expr, Expr],
    rows_are: str,
    columns_are: str,
) -> tuple[Any, ...]:
    """The canonical options for scores of `sizes` (n, m, d_k); refused where they do not fit or are none."""
    n, m, d_k = sizes
    mask = as_mask(mask)
    require_mask(mask, (n, m), rows_are, columns_are)
    bias = ZeroMatrix(n, m) if bias is None else as_matrix(bias, "bias")
    require_size(n, bias.shape[0], rows_are, f"rows({bias})")
    require_size(m, bias.shape[1], columns_are, f"columns({bias})")
    scale = 1 / sympy.sqrt(d_k) if scale is None else as_scale(scale)
    softcap = S.Infinity if softcap is None or softcap == 0 or softcap is S.Infinity else as_cap(softcap)
    return mask, bias, scale, softcap, empty_row_rule(empty_row)


def logits(scores: Any, mask: Any, bias: Any, scale: Any, softcap: Any) -> MatrixExpr:
    """Scores -> what softmax is taken of, in the order of the ONNX operator; canonical options as in Attention."""
    if scale != 1:
        scores = Scaled(scores, scale)
    if softcap is not S.Infinity:
        scores = SoftCapped(scores, softcap)
    if not isinstance(bias, ZeroMatrix):
        scores = Biased(scores, bias)
    return scores if mask is S.true else Masked(scores, mask)


def empty_row_rule(rule: Any) -> Str:
    """The canonical form of `empty_row`: what a fully masked row becomes."""
    name = "error" if rule is None else str(rule)
    if name not in EMPTY_ROWS:
        raise InputError(Sentence("bad_empty_row", given=name, known=", ".join(EMPTY_ROWS)))
    return Str(name)
