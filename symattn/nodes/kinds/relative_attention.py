"""Attention that adds to its scores what queries and keys score against relative positions."""

from __future__ import annotations

from typing import Any, Unpack

import sympy
from sympy import Expr, Integer, MatrixExpr, S
from sympy.matrices.expressions import Transpose

from symattn.errors import InputError
from symattn.nodes.boxes import Call, Option
from symattn.nodes.elementary.families import Plus
from symattn.nodes.elementary.logits import AddRow, Biased
from symattn.nodes.elementary.softmax import transpose
from symattn.nodes.kinds.attention import (
    OPTIONS,
    AttentionOptions,
    SoftmaxAttention,
    as_sequences,
    name_options,
    read_options,
    write_options,
)
from symattn.nodes.node import as_matrix, columns_of, entry, is_matrix, require_size, rows_of, shape_of
from symattn.nodes.positions.buckets import TurnedBuckets
from symattn.nodes.positions.relative import AtBuckets, RowBucketSums, require_buckets, require_window
from symattn.writing.document import Box, Formula
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy

OF_POSITIONS = ("keys", "queries", "values", "content", "position")


class RelativeAttention(SoftmaxAttention):
    """Attention in which relative positions have keys, queries and values of their own, a row for each bucket.

    S_ij = (q_i + u)·k_j + (q_i + v)·keys_b + k_j·queries_b,  o_i = Σ_j A_ij (v_j + values_b),  b the bucket of (i, j)

    Each of the five may be left out: keys, queries and values are tables (buckets, width), `content` u and `position` v
    rows (1, width) that are added to every query. With `mirrored` the keys take the bucket of (j, i). Shapes: Q (n,
    d_k), K (m, d_k), V (m, d_v) give (n, d_v). Options (mask, bias, scale, softcap, empty_row, sink, score_mod,
    weighting) as in Attention; `scale` and what follows it are of the whole sum. In several heads it is a `kind`, whose
    tables may be the columns of a head. Raises ShapeError naming both sizes where they differ, InputError where no
    table is given, or a position without keys. Sources: Shaw et al. 2018 (keys, values); Huang et al. 2018 (keys); Dai
    et al. 2019 (keys = R W_R, content, position); He et al. 2021, equation 4 (keys, queries, mirrored; scale
    1/√(3 d)).

    >>> from sympy import Matrix
    >>> from symattn.nodes.positions.buckets import clipped_buckets
    >>> one = Matrix([[1], [1]])
    >>> RelativeAttention(0 * one, one, one, clipped_buckets(3), values=Matrix([0, 2, 4])).as_explicit()
    Matrix([
    [2],
    [4]])
    """

    def __new__(
        cls,
        Q: Any,
        K: Any,
        V: Any,
        buckets: Any,
        *canonical: Any,
        keys: Any = None,
        queries: Any = None,
        values: Any = None,
        content: Any = None,
        position: Any = None,
        mirrored: Any = False,
        **options: Unpack[AttentionOptions],
    ) -> Any:
        Q, K, V = as_sequences(Q, K, V)
        require_size(Q.shape[1], K.shape[1], columns_of(Q), columns_of(K))
        require_buckets(buckets)
        require_window(buckets, Q.shape[0], K.shape[0])
        given = dict(zip(OF_POSITIONS, (keys, queries, values, content, position), strict=True))
        if canonical:  # as in args
            mirrored, *rest = canonical
            given, canonical = dict(zip(OF_POSITIONS, rest, strict=False)), tuple(rest[len(OF_POSITIONS) :])
        if mirrored not in (True, False):
            raise InputError(Sentence("not_true_or_false", name="mirrored"))
        read = _of_positions(given, buckets.count, {"values": V.shape[1]}, Q.shape[1])
        own = read_options(name_options(cls, OPTIONS, canonical, options), Q, K, 1 / sympy.sqrt(K.shape[1]))
        return super().__new__(cls, Q, K, V, buckets, as_sympy(bool(mirrored)), *read, *own)

    @property
    def buckets(self) -> Any:
        return self.args[3]

    @property
    def of_positions(self) -> dict[str, Any]:
        """What relative positions have, by name."""
        given = zip(OF_POSITIONS, self.args[5 : 5 + len(OF_POSITIONS)], strict=True)
        return {name: matrix for name, matrix in given if matrix is not S.false}

    @property
    def key_buckets(self) -> Any:
        """The buckets by which keys, as rows, take from their own products."""
        return self.buckets.mirrored if self.args[4] else TurnedBuckets(self.buckets)

    def scores(self) -> MatrixExpr:
        Q, K, given = self.args[0], self.args[1], self.of_positions
        content, position = (AddRow(Q, given[x]) if x in given else Q for x in ("content", "position"))
        made = content * transpose(K)
        if "keys" in given:
            met = position * transpose(given["keys"])
            made = Biased(made, AtBuckets(met, K.shape[0], self.buckets))
        if "queries" in given:
            met = K * transpose(given["queries"])
            made = Biased(made, Transpose(AtBuckets(met, Q.shape[0], self.key_buckets)))
        return made

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        A, given = self.weights(self.scores()), self.of_positions
        weighed = A * self.values()
        if "values" in given:
            weighed = Plus(weighed, RowBucketSums(A, self.buckets) * given["values"])
        return entry(weighed, i, j)

    @property
    def usual_scale(self) -> Any:
        return 1 / sympy.sqrt(shape_of(self.args[1])[1])

    def formula(self) -> Box:
        tables = tuple(Option(name, Formula(matrix)) for name, matrix in self.of_positions.items())
        options = tables + write_options(self.options, self.usual_scale)
        return Call("RelativeAttention", tuple(map(Formula, self.args[:3])), options=options)


def _of_positions(given: dict[str, Any], count: int, widths: dict[str, Any], usual: Any) -> list[Any]:
    """What relative positions have, in order; false for what is left out. Refused where sizes do not fit."""
    made = {x: S.false if y is None or y is S.false else as_matrix(y, x) for x, y in given.items()}
    if not any(is_matrix(made[x]) for x in ("keys", "queries", "values")):
        raise InputError(Sentence("no_positions"))
    if is_matrix(made["position"]) and not is_matrix(made["keys"]):
        raise InputError(Sentence("position_alone"))
    for name, matrix in made.items():
        if is_matrix(matrix):
            rows = (
                (Integer(1), "a row") if name in ("content", "position") else (Integer(count), "the number of buckets")
            )
            width = widths.get(name, usual)
            require_size(matrix.shape[0], rows[0], rows_of(name), rows[1])
            require_size(
                matrix.shape[1], width, columns_of(name), f"the width of {'values' if name in widths else 'keys'}"
            )
    return list(made.values())
