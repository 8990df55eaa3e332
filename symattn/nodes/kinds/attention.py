"""Scaled dot-product attention with its options, as one node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack

import sympy
from sympy import Expr, Integer, MatrixExpr, S, ZeroMatrix

from symattn.errors import InputError
from symattn.nodes.boxes import Call, Option
from symattn.nodes.elementary.elementwise import ScoreMod, as_score_mod
from symattn.nodes.elementary.learned import ScaledBy, as_scalar
from symattn.nodes.elementary.logits import Biased, Scaled, SoftCapped, as_cap, as_scale
from symattn.nodes.elementary.softmax import Softmax, empty_row_rule, transpose
from symattn.nodes.masking.masked import Masked, Penalised
from symattn.nodes.masking.masks import FiniteMask, TopKMask, as_mask, mask_parts, require_mask
from symattn.nodes.masking.top_k import Largest
from symattn.nodes.node import Node, as_matrix, columns_of, entry, is_matrix, require_size, rows_of, shape_of
from symattn.nodes.weights.sink import SinkSoftmax, as_sink
from symattn.nodes.weights.weighting import OFF_BY_ONE, as_weighting
from symattn.writing.document import Box, Formula
from symattn.writing.prose import Sentence


class AttentionOptions(TypedDict, total=False):
    """What every attention by softmax may be given by name, in the order of its last arguments."""

    mask: Any  # which keys a query may look at; a tuple of masks, all of which must allow
    bias: Any  # added to the scaled scores
    scale: Any
    softcap: Any
    empty_row: Any  # what a row becomes whose keys are all hidden
    sink: Any  # the logit of a key without a value
    score_mod: Any
    weighting: Any  # how logits become weights: by softmax unless given


OPTIONS = tuple(AttentionOptions.__annotations__)


class SoftmaxAttention(Node):
    """What every attention by softmax shares: its last arguments are its options, in canonical form."""

    @property
    def options(self) -> dict[str, Any]:
        """The options by name."""
        return dict(zip(OPTIONS, self.args[-len(OPTIONS) :], strict=True))

    def scores(self) -> MatrixExpr:
        """How well every query fits every key, before any option."""
        raise NotImplementedError

    def logits(self, scores: Any) -> MatrixExpr:
        """What softmax is taken of: the scores scaled, capped, changed, biased and masked, as far as asked for."""
        o = self.options
        return logits(scores, o["mask"], o["bias"], o["scale"], o["softcap"], o["score_mod"])

    def weights(self, scores: Any) -> MatrixExpr:
        """The weights, from the scores."""
        o = self.options
        return weights(self.logits(scores), o["empty_row"], o["sink"], o["weighting"])

    def values(self) -> Any:
        """What the weights weigh."""
        return self.args[2]

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.args[0])[0], shape_of(self.values())[1]

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.weights(self.scores()) * self.values(), i, j)

    @property
    def _written(self) -> tuple[Any, ...]:
        return tuple(self.args[: -len(OPTIONS)])

    @property
    def usual_scale(self) -> Any:
        """What scores are multiplied by where nothing is said of it."""
        return Integer(1)

    def formula(self) -> Box:
        options = write_options(self.options, self.usual_scale)
        return Call(type(self).__name__, tuple(map(Formula, self._written)), options=options)


class Attention(SoftmaxAttention):
    """Scaled dot-product attention.

    Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V, in the order scale, softcap, score_mod, bias, mask, softmax

    Shapes: Q (n, d_k), K (m, d_k), V (m, d_v), bias (n, m) give (n, d_v). `mask` is a CausalMask, WindowMask,
    KeepMask, HideMask, PaddingMask, FiniteMask, TopKMask or a tuple of them; `scale` is 1/√d_k unless given (a
    matrix symbol of shape (1, 1) is learned); `softcap` none; `empty_row` says what a row becomes whose keys are
    all hidden (error, zero, nan, uniform); `sink` is the logit of a key without a value; `score_mod` is an expression
    in symbols z, i, j and head (a score, its row and column from 0, its head from 1), or a SymPy Lambda of these;
    `weighting` takes the place of softmax (sparsemax, entmax-1.5, sigmoid or a Weighting,
    softmax-off-by-one, which is a sink of 0). Raises ShapeError naming both sizes where they differ, InputError for
    an option that is none. Source: Vaswani et al. 2017, equation 1; the ONNX Attention operator for the order.

    >>> from sympy import Matrix
    >>> Attention(Matrix([[0]]), Matrix([[1], [2]]), Matrix([[2], [4]])).as_explicit()
    Matrix([[3]])
    """

    def __new__(cls, Q: Any, K: Any, V: Any, *canonical: Any, **options: Unpack[AttentionOptions]) -> Any:
        Q, K, V = as_sequences(Q, K, V)
        require_size(Q.shape[1], K.shape[1], columns_of(Q), columns_of(K))
        read = read_options(name_options(cls, OPTIONS, canonical, options), Q, K, 1 / sympy.sqrt(K.shape[1]))
        return super().__new__(cls, Q, K, V, *read)

    def scores(self) -> MatrixExpr:
        return self.args[0] * transpose(self.args[1])

    @property
    def usual_scale(self) -> Any:
        return 1 / sympy.sqrt(shape_of(self.args[1])[1])


def write_options(options: Mapping[str, Any], scale: Any) -> tuple[Option, ...]:
    """The canonical options that are not as usual, as they are written."""
    usual = {"scale": scale, "softcap": S.Infinity, "sink": S.false, "score_mod": S.false}
    usual |= {"mask": S.true, "weighting": S.true}
    shown = {name: Formula(value) for name, value in options.items() if value != usual.get(name)}
    if options["bias"].is_ZeroMatrix:
        del shown["bias"]
    if str(options["empty_row"]) == "error":
        del shown["empty_row"]
    return tuple(Option(name, value) for name, value in shown.items())


def name_options(
    node: type, known: Sequence[str], canonical: Sequence[Any], options: Mapping[str, Any]
) -> dict[str, Any]:
    """All options by their names, None where they are left out: some in canonical order, as in args, others by name.

    Raises TypeError for an unknown name, with the known ones, and for what is given twice, as Python does.
    """
    if len(canonical) > len(known):
        raise TypeError(f"{node.__name__} takes {len(known)} options ({', '.join(known)}), not {len(canonical)}")
    given = dict(zip(known, canonical, strict=False))
    for name in options:
        if name not in known:
            raise TypeError(f"{node.__name__} has no option {name!r}; it has {', '.join(known)}")
        if name in given:
            raise TypeError(f"{node.__name__} is given {name!r} twice")
    return dict.fromkeys(known) | given | dict(options)


def as_sequences(Q: Any, K: Any, V: Any) -> tuple[Any, Any, Any]:
    """Queries, keys and values; as many values as keys."""
    Q, K, V = as_matrix(Q, "Q"), as_matrix(K, "K"), as_matrix(V, "V")
    require_size(K.shape[0], V.shape[0], rows_of(K), rows_of(V))
    return Q, K, V


def read_options(given: Mapping[str, Any], queries: Any, keys: Any, scale: Any, head: Any = 1) -> tuple[Any, ...]:
    """The canonical OPTIONS for these queries and keys, `scale` unless given; refused where they do not fit."""
    n, m, rows_are, columns_are = queries.shape[0], keys.shape[0], rows_of(queries), rows_of(keys)
    scale = scale if given["scale"] is None else given["scale"]
    bias, softcap, sink, score_mod = (given[name] for name in ("bias", "softcap", "sink", "score_mod"))
    mask = as_mask(given["mask"])
    require_mask(mask, (n, m), rows_are, columns_are)
    bias = ZeroMatrix(n, m) if bias is None else as_matrix(bias, "bias")
    require_size(n, bias.shape[0], rows_are, rows_of(bias))
    require_size(m, bias.shape[1], columns_are, columns_of(bias))
    softcap = S.Infinity if softcap is None or softcap == 0 or softcap is S.Infinity else as_cap(softcap)
    sink = S.false if sink is None or sink is False or sink is S.false else as_sink(sink)
    score_mod = S.false if score_mod is None or score_mod is S.false else as_score_mod(score_mod, head)
    scale = as_scalar(scale, "scale") if is_matrix(scale) else as_scale(scale)
    empty_row = empty_row_rule(given["empty_row"])
    sink, weighting = read_weighting(given["weighting"], sink, empty_row)
    return mask, bias, scale, softcap, empty_row, sink, score_mod, weighting


def read_weighting(given: Any, sink: Any, empty_row: Any) -> tuple[Any, Any]:
    """The canonical sink and weighting.

    Raises InputError for options of softmax beside another weighting, and for what an empty row becomes other than
    zero beside a sink, to which all of its weight goes.
    """
    if given == OFF_BY_ONE:
        if sink is not S.false:
            raise InputError(Sentence("option_of_softmax", name="sink", kind=OFF_BY_ONE))
        sink, given = as_sink(0), None
    weighting = as_weighting(given)
    if sink is not S.false and str(empty_row) in ("nan", "uniform"):
        raise InputError(Sentence("empty_row_of_sink", given=empty_row))
    for name, option, usual in (("sink", sink, S.false), ("empty_row", str(empty_row), "error")):
        if weighting is not S.true and option != usual:
            raise InputError(Sentence("option_of_softmax", name=name, kind=weighting.kind))
    return sink, weighting


def logits(scores: Any, mask: Any, bias: Any, scale: Any, softcap: Any, score_mod: Any = S.false) -> MatrixExpr:
    """Scores -> what softmax is taken of, in the order of the ONNX operator; canonical options as in Attention."""
    if is_matrix(scale):
        scores = ScaledBy(scores, scale)
    elif scale != 1:
        scores = Scaled(scores, scale)
    if softcap is not S.Infinity:
        scores = SoftCapped(scores, softcap)
    if score_mod is not S.false:
        scores = ScoreMod(scores, score_mod)
    if not isinstance(bias, ZeroMatrix):
        scores = Biased(scores, bias)
    hiding = tuple(part for part in mask_parts(mask) if not isinstance(part, FiniteMask | TopKMask))
    for part in mask_parts(mask):
        if isinstance(part, FiniteMask):
            scores = Penalised(scores, *part.args)
    scores = Masked(scores, hiding) if hiding else scores
    for part in mask_parts(mask):
        if isinstance(part, TopKMask):
            scores = Largest(scores, *part.args)
    return scores


def weights(Z: Any, empty_row: Any, sink: Any, weighting: Any = S.true) -> MatrixExpr:
    """The weights of logits; with a sink no row is empty, since every row may look there."""
    if weighting is not S.true:
        return weighting.of(Z)
    return Softmax(Z, -1, empty_row) if sink is S.false else SinkSoftmax(Z, sink)
