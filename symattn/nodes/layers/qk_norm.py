"""How queries and keys are normalised before they meet: an option of several kinds of attention."""

from __future__ import annotations

from typing import Any

from sympy import Basic, S
from sympy.core.symbol import Str

from symattn.errors import InputError
from symattn.nodes.elementary.families import HeadColumns
from symattn.nodes.layers.layer_norm import EPSILON, LayerNorm, as_epsilon
from symattn.nodes.layers.norms import KINDS, NormalisedRows
from symattn.nodes.node import as_matrix, as_number, same_size
from symattn.writing.prose import Sentence

QK_NORMS = (*KINDS, "layer")


class QKNorm(Basic):  # type: ignore[misc]
    """How queries and keys are normalised: kind, gains of queries and keys, ε, and for "layer" biases of both.

    "l2" and "rms" as in RowNorm, "layer" as LayerNorm, whose ε is 1/100000 unless it is given. Raises InputError for
    another kind, a negative ε, for "layer" 0, and biases of another kind. Gains and biases are rows of d_k numbers, for
    all heads, or rows that join those of each head (for keys, of each key/value head). Source: Henry et al. 2020 for
    "l2"; Dehghani et al. 2023, section 2, for "layer".

    >>> QKNorm("rms") == QKNorm("rms"), QKNorm("rms") == QKNorm("l2")
    (True, False)
    """

    def __new__(
        cls,
        kind: Any = "l2",
        gain_Q: Any = None,
        gain_K: Any = None,
        epsilon: Any = None,
        bias_Q: Any = None,
        bias_K: Any = None,
    ) -> Any:
        if str(kind) not in QK_NORMS:
            raise InputError(Sentence("bad_qk_kind", given=str(kind)[:40], known=", ".join(QK_NORMS)))
        is_layer = str(kind) == "layer"
        rows = [S.true if x is None or x is S.true else as_matrix(x, "gain") for x in (gain_Q, gain_K, bias_Q, bias_K)]
        if not is_layer and rows[2:] != [S.true, S.true]:
            raise InputError(Sentence("bias_of_layer_norm", kind=str(kind)))
        given = (EPSILON if is_layer else 0) if epsilon is None else epsilon
        number = as_number(given)
        if number is None or number.is_negative:
            raise InputError(Sentence("bad_epsilon", given=str(given)[:60]))
        return super().__new__(cls, Str(str(kind)), *rows[:2], as_epsilon(number) if is_layer else number, *rows[2:])

    def of(self, X: Any, name: str, head: Any = 1, count: Any = 1) -> Any:
        """The rows of queries ("Q") or keys ("K") of one of `count` heads, normalised."""
        kind, *gains, epsilon, bias_Q, bias_K = self.args
        gain, bias = (_of_head(x, X, head, count) for x in ((gains[0], bias_Q) if name == "Q" else (gains[1], bias_K)))
        return LayerNorm(X, gain, bias, epsilon) if str(kind) == "layer" else NormalisedRows(X, kind, gain, epsilon)


def _of_head(row: Any, X: Any, head: Any, count: Any) -> Any:
    """The part of one head, of a row that joins those of all."""
    joined = row is not S.true and same_size(row.shape[1], count * X.shape[1])
    return HeadColumns(row, head, count) if joined else row


def as_qk_norm(value: Any) -> Any:
    """The canonical form of a qk_norm option: false, or a QKNorm (True and "l2": as Henry et al.)."""
    if value is None or value is False or value is S.false:
        return S.false
    if value is True or value is S.true:
        return QKNorm()
    return value if isinstance(value, QKNorm) else QKNorm(value)
