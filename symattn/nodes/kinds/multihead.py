"""Multi-head attention: projections, attention in each head, concatenation, output projection, as one node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict, Unpack

import sympy
from sympy import Expr, Identity, Integer, MatrixExpr, S, Tuple, ZeroMatrix

from symattn.errors import InputError, NotSupportedError
from symattn.nodes.boxes import Call, Option
from symattn.nodes.elementary.concat import Concat
from symattn.nodes.elementary.families import HEAD, ConcatHeads, HeadColumns, head_width, kv_head_of
from symattn.nodes.elementary.head_kind import Operand, fill_kind, read_kind
from symattn.nodes.elementary.logits import AddRow
from symattn.nodes.kinds.attention import (
    OPTIONS,
    Attention,
    AttentionOptions,
    name_options,
    read_options,
    read_weighting,
    write_options,
)
from symattn.nodes.layers.qk_norm import as_qk_norm
from symattn.nodes.node import (
    Node,
    as_lists,
    as_matrix,
    as_whole,
    columns_of,
    entry,
    is_matrix,
    require_size,
    rows_of,
    same_size,
    shape_of,
)
from symattn.nodes.positions.rotary import as_rotary
from symattn.writing.document import Box, Formula
from symattn.writing.prose import Sentence


class Projections(TypedDict, total=False):
    """What several heads are made with; `heads`, W_Q, W_K and W_V must be given."""

    heads: Any
    kv_heads: Any  # as many unless given
    W_Q: Any
    W_K: Any
    W_V: Any
    W_O: Any
    b_Q: Any
    b_K: Any
    b_V: Any
    b_O: Any


class MultiHeadOptions(Projections, AttentionOptions, total=False):
    """What MultiHead may be given by name, in the order of its last arguments."""

    rotary: Any
    qk_norm: Any
    kind: Any  # a function of Q, K and V of a head; Attention with the options unless given


NAMES = tuple(MultiHeadOptions.__annotations__)
_FIELDS = ("X", "Z", "U", *NAMES)


class MultiHead(Node):
    """Multi-head attention over wide projection matrices, heads contiguous.

    MultiHead(X) = Concat(head_1, …, head_h) W_O + 1 b_O, head_i = Attention(X W_Q^i + 1 b_Q^i, …)

    X (n, d_model) gives the queries, Z (X if left out) the keys, U (Z if left out) the values; W_Q, W_K, W_V are
    (d_model, heads·width) or a tuple of one matrix for each head, biases 1 by that width or such a tuple, W_O
    (heads·d_v, d_out). With fewer kv_heads than heads, head i uses key/value head ⌈i·kv_heads/heads⌉. Options (mask,
    bias, scale, softcap, empty_row, sink, score_mod, weighting) as in Attention; a tuple of biases has one for each
    head, and so has a row of `sink` logits or of scales; a bias or a score_mod may speak of HEAD, the head's number
    (`alibi_slope`). Queries and keys of each head are normalised first (`qk_norm`: "l2", "rms", "layer" or a QKNorm),
    then turned by their positions (`rotary`: True or a Rotary). `kind` is what a head computes instead, a function of
    its (Q, K, V), which may speak of HEAD: `LinearAttention`, `lambda Q, K, V: LuongAttention(Q, K, V, W_S)`; it has
    its own options, and a projection that it does not need may be left out. Raises ShapeError naming both sizes where
    they differ, InputError for heads that do not divide a width, key/value heads that do not divide the heads, options
    beside a kind, or a kind within a kind that speaks of the outer Q, K or V; NotSupportedError for several heads in
    a head. Source: Vaswani et al. 2017, section 3.2.2; Ainslie et al. 2023 for key/value heads.

    >>> from sympy import eye
    >>> MultiHead(eye(2), heads=1, W_Q=eye(2), W_K=eye(2), W_V=eye(2)).shape
    (2, 2)
    """

    def __new__(cls, X: Any, Z: Any = None, U: Any = None, *canonical: Any, **options: Unpack[MultiHeadOptions]) -> Any:
        X = as_matrix(X, "X")
        Z = X if Z is None else as_matrix(Z, "Z")
        U = Z if U is None else as_matrix(U, "U")
        given = name_options(cls, NAMES, canonical, options)
        heads = _head_count(given["heads"], "heads")
        kv_heads = heads if given["kv_heads"] is None else _head_count(given["kv_heads"], "kv_heads")
        if heads.is_Integer and kv_heads.is_Integer and heads % kv_heads:
            raise InputError(Sentence("kv_heads_do_not_divide", heads=heads, kvheads=kv_heads))
        counts = {"Q": heads, "K": kv_heads, "V": kv_heads}
        projections = {x: _projection(given, f"W_{x}", count) for x, count in counts.items()}
        for x, source in zip("QKV", (X, Z, U), strict=True):
            if (W := projections[x]) is not S.false:
                require_size(source.shape[1], W.shape[0], columns_of(source), rows_of(W))
        require_size(Z.shape[0], U.shape[0], rows_of(Z), rows_of(U))
        widths = {x: head_width(W.shape[1], counts[x]) for x, W in projections.items() if W is not S.false}
        rows = {"Q": X.shape[0], "K": Z.shape[0], "V": Z.shape[0]}
        kind = read_kind(given["kind"], {x: Operand(x, rows[x], width) for x, width in widths.items()}, X)
        if kind is S.false:
            W_Q, W_K = projections["Q"], projections["K"]
            require_size(widths["Q"], widths["K"], f"columns({W_Q})/heads", f"columns({W_K})/kv_heads")
            read = _options_of_heads(given, heads, X, Z, 1 / sympy.sqrt(widths["K"]))
        else:
            read = _no_options(given)
            _require_own_numbers(kind, heads)
            kind = kind.xreplace({HEAD: Integer(1)}) if heads == 1 else kind
        d_v = widths["V"] if kind is S.false else kind.shape[1]
        W_O = Identity(heads * d_v) if given["W_O"] is None else as_matrix(given["W_O"], "W_O")
        require_size(heads * d_v, W_O.shape[0], "heads*d_v", rows_of(W_O))
        matrices = *projections.values(), W_O
        biases = [
            _bias_row(given[f"b_{x}"], W, f"b_{x}", counts.get(x, Integer(1)))
            for x, W in zip("QKVO", matrices, strict=True)
        ]
        before = as_rotary(given["rotary"]), as_qk_norm(given["qk_norm"])
        made = super().__new__(cls, X, Z, U, heads, kv_heads, *matrices, *biases, *read, *before, kind)
        made.head()  # refuses what does not fit a head: gains, an odd width that is to be turned
        return made

    def __getattr__(self, name: str) -> Any:
        if name in _FIELDS:
            return self.args[_FIELDS.index(name)]
        raise AttributeError(name)

    @property
    def head_kind(self) -> Any:
        """What a head computes over its operands, `false` for attention with the options; SymPy has its own `kind`."""
        return self.args[-1]

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.X)[0], shape_of(self.W_O)[1]

    @property
    def per_head(self) -> dict[str, MatrixExpr]:
        """What Q, K, V of a head are made of: the projected inputs, by the numbers of head and key/value head."""
        h, g, j = self.heads, self.kv_heads, kv_head_of(self.heads, self.kv_heads)
        return {
            name: prepare(
                _project(source, _columns(W, at, count), _columns(b, at, count)),
                name,
                self.rotary,
                self.qk_norm,
                at,
                count,
            )
            for name, source, W, b, at, count in (
                ("Q", self.X, self.W_Q, self.b_Q, HEAD, h),
                ("K", self.Z, self.W_K, self.b_K, j, g),
                ("V", self.U, self.W_V, self.b_V, j, g),
            )
            if W is not S.false
        }

    def head(self, **given: Any) -> Any:
        """The attention of head i, over its projected inputs or what is given for some of Q, K and V."""
        made = self.per_head | given
        if self.head_kind is not S.false:
            return fill_kind(self.head_kind, made)
        Q, K, V = made.values()
        bias = self.bias
        if bias.shape[1] != self.Z.shape[0]:
            bias = _columns(bias, HEAD, self.heads)
        sink, scale = (_of_head(x, self.heads) for x in (self.sink, self.scale))
        options = self.mask, bias, scale, self.softcap, self.empty_row, sink, self.score_mod, self.weighting
        return Attention(Q, K, V, *options)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(_project(ConcatHeads(self.head(), HEAD, self.heads), self.W_O, self.b_O), i, j)

    def formula(self) -> Box:
        inputs = [self.X] + [x for x in (self.Z, self.U) if x != self.X]
        options = [Option("heads", Formula(self.heads))]
        options += [Option("kv_heads", Formula(self.kv_heads))] if self.kv_heads != self.heads else []
        if self.head_kind is S.false:
            usual = 1 / sympy.sqrt(head_width(self.W_K.shape[1], self.kv_heads))
            options += write_options({name: getattr(self, name) for name in OPTIONS}, usual)
        else:
            options.append(Option("kind", Formula(self.head_kind)))
        return Call("MultiHead", tuple(map(Formula, inputs)), options=tuple(options))


def prepare(X: Any, name: str, rotary: Any, qk_norm: Any, head: Any = 1, count: Any = 1) -> Any:
    """Queries ("Q") and keys ("K") of a head normalised and turned, as far as asked for by canonical options."""
    if name == "V":
        return X
    X = X if qk_norm is S.false else qk_norm.of(X, name, head, count)
    if isinstance(rotary, Tuple):
        rotary = rotary[0 if name == "Q" else 1]
    return X if rotary is S.false else rotary.of(X)


def _project(source: MatrixExpr, W: MatrixExpr, b: MatrixExpr) -> MatrixExpr:
    product = source if isinstance(W, Identity) else source * W
    return product if isinstance(b, ZeroMatrix) else AddRow(product, b)


def _columns(W: MatrixExpr, index: Any, count: Expr) -> MatrixExpr:
    """The columns of one head."""
    if isinstance(W, ZeroMatrix):
        return ZeroMatrix(W.shape[0], head_width(W.shape[1], count))
    return HeadColumns(W, index, count)


def _of_head(scalar: Any, heads: Expr) -> Any:
    """The number of one head, of a row of them; what all heads share as it is."""
    return _columns(scalar, HEAD, heads) if is_matrix(scalar) and scalar.shape[1] != 1 else scalar


def _head_count(value: Any, name: str) -> Expr:
    value = as_whole(value)
    if value is None or value.is_positive is False or value.is_integer is False:
        raise InputError(Sentence("bad_head_count", name=name))
    return value


def _projection(given: Mapping[str, Any], name: str, count: Expr) -> Any:
    """One wide matrix; false for one that is left out beside a kind, which may need none."""
    if given[name] is S.false or (given[name] is None and given["kind"] is not None):
        return S.false
    if given[name] is None:
        raise InputError(Sentence("projection_missing", name=name))
    return _join(given[name], name, count)


def _require_own_numbers(kind: Any, heads: Expr) -> None:
    """Refuse several heads in a kind where HEAD could mean a head of theirs or one of those around them."""
    for inner in kind.atoms(MultiHead):
        if inner.heads != 1 and (heads != 1 or inner.has(HEAD)):
            raise NotSupportedError(Sentence("heads_within_head", heads=inner.heads))


def _no_options(given: Mapping[str, Any]) -> list[Any]:
    """What stands in the place of the options of attention where heads are of another kind, which has its own."""
    for name in OPTIONS:
        if given[name] is not None and given[name] is not S.false:
            raise InputError(Sentence("option_beside_kind", name=name))
    return [S.false] * len(OPTIONS)


def _join(W: Any, name: str, count: Expr) -> Any:
    """One wide matrix, from a tuple of one matrix per head, all of one width."""
    if not isinstance(W, tuple) or not all(is_matrix(x) or _has_rows(x) for x in W):
        return as_matrix(W, name)
    W = tuple(as_matrix(x, name) for x in W)
    require_size(Integer(len(W)), count, f"the number of matrices in {name}", "the number of heads")
    for part in W[1:]:
        require_size(part.shape[1], W[0].shape[1], columns_of(part), columns_of(W[0]))
    return Concat(*W) if len(W) > 1 else W[0]


def _has_rows(x: Any) -> bool:
    x = as_lists(x)
    return isinstance(x, list | tuple) and all(isinstance(row, list | tuple) for row in map(as_lists, x))


def _options_of_heads(given: Mapping[str, Any], heads: Any, X: Any, Z: Any, scale: Any) -> list[Any]:
    """The options of attention, some of which may be told for each head."""
    biases = _biases_of_heads(given["bias"], heads, (X.shape[0], Z.shape[0]))
    own = {"bias": biases, **{name: _scalars_of_heads(given[name], heads, name) for name in ("sink", "scale")}}
    own = {name: each for name, each in own.items() if each is not None}
    if "sink" in own:
        read_weighting(given["weighting"], own["sink"], given["empty_row"])
    read = read_options({**given, **dict.fromkeys(own)}, X, Z, scale, HEAD)
    options = [own.get(name, option) for name, option in zip(OPTIONS, read, strict=True)]
    return [option.xreplace({HEAD: Integer(1)}) for option in options] if heads == 1 else options


def _biases_of_heads(bias: Any, heads: Expr, shape: tuple[Expr, Expr]) -> Any:
    """A bias for each head side by side, from a tuple of them or as it stands already; None for one that all share."""
    if isinstance(bias, tuple):
        require_size(sympy.Integer(len(bias)), heads, "the number of biases", "heads")
        bias = Concat(*bias)
    elif not isinstance(bias, MatrixExpr) or heads == 1 or same_size(bias.shape[1], shape[1]):
        return None
    require_size(bias.shape[0], shape[0], rows_of(bias), "the number of queries")
    require_size(bias.shape[1], heads * shape[1], columns_of(bias), "heads times the number of keys")
    return bias


def _scalars_of_heads(given: Any, heads: Expr, name: str) -> Any:
    """A row with a number for each head, from a list of them or as it stands; None for one that all share."""
    given = as_lists(given)
    if listed := isinstance(given, list | tuple):
        given = as_matrix([list(given)], name)
    elif not is_matrix(given):
        return None
    if given.shape[1] == 1 and not listed:
        return None
    require_size(given.shape[0], Integer(1), f"rows({name})", "a row")
    require_size(given.shape[1], heads, f"columns({name})", "heads")
    return given


def _bias_row(b: Any, W: MatrixExpr, name: str, count: Expr) -> Any:
    W = ZeroMatrix(1, 0) if W is S.false else W
    if b is None:
        return ZeroMatrix(1, W.shape[1])
    b = _join(b, name, count)
    require_size(b.shape[0], Integer(1), rows_of(name), "a row")
    require_size(b.shape[1], W.shape[1], columns_of(name), columns_of(W))
    return b
