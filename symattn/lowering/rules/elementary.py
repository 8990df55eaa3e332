"""One rule for each kind of node: the text of its value, from the texts of its operands.

All texts mean arrays (..., rows, columns); in a family of heads (..., heads, rows, columns).
"""

from __future__ import annotations

from functools import reduce, singledispatch
from operator import add, and_, mul
from typing import Any

import sympy
from sympy import Identity, MatrixSymbol, OneMatrix, S, Tuple, ZeroMatrix
from sympy.matrices.expressions import MatAdd, MatMul, Transpose
from sympy.matrices.matrixbase import MatrixBase

from symattn import nodes
from symattn.errors import NotSupportedError
from symattn.lowering.text.code import POWER, PRODUCT, Code, call
from symattn.lowering.text.scalars import formula
from symattn.lowering.text.scope import Scope
from symattn.program.steps import Index
from symattn.writing.prose import Sentence


@singledispatch
def write(node: Any, scope: Scope) -> Code:
    """A matrix's value as code. Raises NotSupportedError for a node that has no rule."""
    raise NotSupportedError(Sentence("no_source", node=type(node).__name__))


def operands(node: Any, scope: Scope) -> list[Code]:
    """The values of a node's arguments, with the axes that they need to meet."""
    return scope.aligned(node.args, [write(a, scope) for a in node.args])


def turn(code: Code) -> Code:
    return call("np.swapaxes", code, -1, -2)


# nodes whose value is a function of their operands, and what it is told beside them
CALLS: dict[type, tuple[str, dict[str, object]]] = {
    nodes.AdditiveScores: ("additive_scores", {}),
    nodes.RunningProduct: ("running_product", {}),
    nodes.ColumnSum: ("np.sum", {"axis": -2, "keepdims": True}),
    nodes.DivideRows: ("divide_rows", {}),
    nodes.Exponential: ("np.exp", {}),
    nodes.RowMax: ("np.max", {"axis": -1, "keepdims": True}),
    nodes.RowSum: ("np.sum", {"axis": -1, "keepdims": True}),
    nodes.SinkSoftmax: ("softmax_with_sink", {}),
    nodes.Stack: ("below", {}),
}


def _called(node: Any, scope: Scope) -> Code:
    function, options = CALLS[type(node)]
    return call(function, *operands(node, scope), **options)


for kind in CALLS:
    write.register(kind, _called)


@write.register
def _(node: Transpose, scope: Scope) -> Code:
    (made,) = operands(node, scope)
    return turn(made)


@write.register
def _(node: MatrixSymbol, scope: Scope) -> Code:
    return Code(scope.array(node))


@write.register(MatrixBase)
def _(node: Any, scope: Scope) -> Code:
    return scope.constant(node)


@write.register(ZeroMatrix | OneMatrix)
def _(node: Any, scope: Scope) -> Code:
    function = "np.zeros" if isinstance(node, ZeroMatrix) else "np.ones"
    return call(function, f"({scope.number(node.shape[0])}, {scope.number(node.shape[1])})", dtype=scope.dtype)


@write.register
def _(node: Identity, scope: Scope) -> Code:
    return call("np.eye", scope.number(node.shape[0]), dtype=scope.dtype)


@write.register
def _(node: MatMul, scope: Scope) -> Code:
    number, matrices = node.as_coeff_matrices()
    matrices = [m for m in matrices if not isinstance(m, Identity)] or matrices[:1]
    made, code = matrices[0], write(matrices[0], scope)
    for matrix in matrices[1:]:
        code = _product(made, code, matrix, scope)
        made = MatMul(made, matrix)
    return code if number == 1 else scope.number(number) * code


def _product(A: Any, left: Code, B: Any, scope: Scope) -> Code:
    """A B, from the code of A; a block of columns of a shared matrix is cut out of the product with the whole."""
    if isinstance(B, nodes.HeadColumns) and scope.in_family(B) and not scope.in_family(A):
        W = B.args[0]
        return call("split_heads", left if isinstance(W, Identity) else left @ write(W, scope), scope.number(B.args[2]))
    a, b = scope.aligned((A, B), (left, write(B, scope)))
    hidden = A in scope.veiled or (isinstance(A, Transpose) and A.arg in scope.veiled_rows)
    return call("weigh", a, b) if hidden else a @ b


def is_grouped(node: nodes.Member, scope: Scope) -> bool:
    """Whether consecutive heads share a member: head i uses ⌈i g/h⌉."""
    assert scope.index is not None
    found = node.args[2]
    return (
        isinstance(found, sympy.ceiling) and sympy.cancel(found.args[0] / scope.index.letter).is_positive is not False
    )


@write.register
def _(node: nodes.Member, scope: Scope) -> Code:
    if last := scope.arrays.get(("last", node.args[0])):
        return Code(last)  # of what goes on by itself only the last member is used later
    family = scope.array(node.args[0])
    if scope.index is not None and node.args[2] == scope.index.letter:
        return Code(family)
    if scope.index is None or not is_grouped(node, scope):
        raise NotSupportedError(Sentence("no_source", node=str(node)))
    size = sympy.cancel(scope.index.letter / node.args[2].args[0])  # heads that share one
    times = size if size.is_Integer else scope.number_of_heads() // Code(f"{family}.shape[-3]")
    return call("np.repeat", family, times, axis=-3)


@write.register(MatAdd | nodes.Plus | nodes.Biased)
def _(node: Any, scope: Scope) -> Code:
    return reduce(add, operands(node, scope))


@write.register
def _(node: nodes.AddRow, scope: Scope) -> Code:
    """The bias of a head's projection is added before the heads are taken apart."""
    Z, b = node.args
    if isinstance(b, nodes.HeadColumns) and isinstance(Z, MatMul):
        *before, W = Z.args
        if (
            isinstance(W, nodes.HeadColumns)
            and W.args[1:] == b.args[1:]
            and not any(scope.in_family(x) for x in before)
        ):
            whole = nodes.AddRow(MatMul(*before, W.args[0]), b.args[0])
            return call("split_heads", write(whole, scope), scope.number(b.args[2]))
    return reduce(add, operands(node, scope))


@write.register
def _(node: nodes.HeadColumns, scope: Scope) -> Code:
    return call("split_heads", write(node.args[0], scope), scope.number(node.args[2]))


@write.register
def _(node: nodes.HeadRows, scope: Scope) -> Code:
    return call("split_rows", write(node.args[0], scope), scope.number(node.args[2]))


@write.register
def _(node: nodes.Concat, scope: Scope) -> Code:
    if len(node.args) == 1:
        return write(node.args[0], scope)
    return call("beside", *operands(node, scope))


@write.register
def _(node: nodes.ConcatHeads, scope: Scope) -> Code:
    return call("join_heads", over_heads(node, scope))


@write.register
def _(node: nodes.SumHeads, scope: Scope) -> Code:
    if members := scope.arrays.get(("all", node.args[0])):
        return call("sum", members)  # of what goes on token by token
    return call("np.sum", over_heads(node, scope), axis=-3)


def over_heads(node: Any, scope: Scope) -> Code:
    """What is summed or joined over heads, with their axis."""
    body, letter, count, *_ = node.args
    with scope.within(Index(letter, count)):
        if not scope.in_family(body):
            raise NotSupportedError(Sentence("no_source", node=str(node)))
        return write(body, scope)


@write.register
def _(node: nodes.Scaled, scope: Scope) -> Code:
    code, below = write(node.args[0], scope), nodes.divisor(node.factor)
    if below is not None:
        return code / scope.number(below)
    return code if node.factor == 1 else code * scope.number(node.factor)


@write.register
def _(node: nodes.SoftCapped, scope: Scope) -> Code:
    cap = scope.number(node.args[1])
    return cap * call("np.tanh", write(node.args[0], scope) / cap)


@write.register
def _(node: nodes.Largest, scope: Scope) -> Code:
    return call("keep_largest", write(node.args[0], scope), scope.number(node.count))


@write.register
def _(node: nodes.Masked, scope: Scope) -> Code:
    return call("hide", write(node.args[0], scope), keep(node, scope))


def keep(node: Any, scope: Scope) -> Code:
    """A mask as an array of booleans that broadcasts with the scores."""
    return reduce(and_, (visible(part, node, scope) for part in nodes.mask_parts(node.args[1])))


@singledispatch
def visible(mask: Any, node: Any, scope: Scope) -> Code:
    """What a mask lets be seen. Raises NotSupportedError for a mask that has no rule."""
    raise NotSupportedError(Sentence("no_source", node=type(mask).__name__))


@visible.register(nodes.CausalMask | nodes.WindowMask)
def _(mask: Any, node: Any, scope: Scope) -> Code:
    return within_reach(mask, scope.rows(node.shape[0]), scope.columns(node.shape[1]), scope)


def within_reach(mask: Any, i: Code, j: Code, scope: Scope) -> Code:
    """Whether query i sees key j."""
    left, right = reach(mask)
    parts = [] if left is None else [j.compared(">=", move_axis(i, -left, scope))]
    parts += [] if right is None else [j.compared("<=", move_axis(i, right, scope))]
    return reduce(and_, parts) if parts else call("np.asarray", True)


def move_axis(i: Code, distance: Any, scope: Scope) -> Code:
    """The number of a row, moved by a distance."""
    if distance == 0:
        return i
    less = distance.could_extract_minus_sign()
    return i - scope.number(-distance) if less else i + scope.number(distance)


@visible.register
def _(mask: nodes.KeepMask, node: Any, scope: Scope) -> Code:
    M = mask.args[0]
    return booleans(M) if isinstance(M, MatrixBase) else meeting(node.args[0], M, scope)


@visible.register
def _(mask: nodes.HideMask, node: Any, scope: Scope) -> Code:
    M = mask.args[0]
    if isinstance(M, MatrixBase):
        return booleans(M.applyfunc(lambda x: 1 - x))
    return call("np.logical_not", meeting(node.args[0], M, scope))


@visible.register
def _(mask: nodes.PaddingMask, node: Any, scope: Scope) -> Code:
    columns, given = scope.columns(node.shape[1]), mask.args[0]
    if not isinstance(given, Tuple):
        return columns.compared("<", scope.number(given))
    return reduce(and_, (columns.compared("!=", Code(f"{int(k) - 1}")) for k in given))


def booleans(M: MatrixBase) -> Code:
    """An explicit mask."""
    rows = ", ".join("[" + ", ".join(str(x == 1) for x in row) + "]" for row in M.tolist())
    return call("np.asarray", f"[{rows}]")


def meeting(scores: Any, M: Any, scope: Scope) -> Code:
    """A mask with the axes that the scores have."""
    made = write(M, scope)
    return scope.shared(M, made) if scope.in_family(scores) and not scope.in_family(M) else made


def reach(mask: Any) -> tuple[Any, Any]:
    """How far to the left and right a query sees; None without end."""
    if isinstance(mask, nodes.CausalMask):
        return None, mask.args[0]
    left, right = mask.reach
    return None if left is S.Infinity else left, None if right is S.Infinity else right


@write.register
def _(node: nodes.Softmax, scope: Scope) -> Code:
    Z, share = write(node.args[0], scope), Code("1") / scope.number(node.shape[node.axis])
    empty = {"nan": [Code("np.nan")], "uniform": [share]}.get(node.empty_row, [])  # else zero
    made = call("softmax", Z if node.axis == -1 else turn(Z), *empty)
    return made if node.axis == -1 else turn(made)


@write.register
def _(node: nodes.RowThreshold, scope: Scope) -> Code:
    return call("threshold", write(node.args[0], scope), scope.number(node.args[1]))


@write.register
def _(node: nodes.AboveThreshold, scope: Scope) -> Code:
    Z, tau = scope.aligned(node.args[:2], [write(a, scope) for a in node.args[:2]])
    return call("above_threshold", Z, tau, *map(scope.number, node.args[2:]))


@write.register
def _(node: nodes.SigmoidWeights, scope: Scope) -> Code:
    if not nodes.is_matrix(node.bias):
        Z = write(node.args[0], scope)
        return call("sigmoid", Z if node.bias == 0 else Z + scope.number(node.bias))
    return call("sigmoid", reduce(add, operands(node, scope)))


@write.register
def _(node: nodes.SubtractColumn, scope: Scope) -> Code:
    left, right = operands(node, scope)
    return call("take_off", left, right) if node.args[1] in scope.row_maxima else left - right


# --- kinds of attention beyond the plain one


@write.register
def _(node: nodes.Penalised, scope: Scope) -> Code:
    return call("penalise", write(node.args[0], scope), keep(node, scope), scope.number(node.args[2]))


@write.register
def _(node: nodes.Alibi, scope: Scope) -> Code:
    rows, columns, slope, offset = node.args
    i, j = scope.rows(rows, real=True), scope.columns(columns, real=True)
    first = i if offset == 0 else i + scope.number(offset)
    return Code(f"-{scope.number(slope).within(POWER)} * ({first} - {j})", PRODUCT)


@write.register
def _(node: nodes.SolveLower, scope: Scope) -> Code:
    L, R, _ = node.args
    options = {"turned": True} if node.turned else {}
    return call("solve_below", *scope.aligned((L, R), (write(L, scope), write(R, scope))), **options)


@write.register
def _(node: nodes.RelativeBias, scope: Scope) -> Code:
    t, (rows, columns) = write(node.args[0], scope), map(scope.number, node.shape)
    if (grid := grid_options(node.buckets, scope)) is not None:
        return call("by_bucket", t, call("grid_buckets", *grid))
    return call("by_distance", t, rows, columns, *distance_options(node.buckets, scope))


@write.register
def _(node: nodes.AtBuckets, scope: Scope) -> Code:
    P, columns = write(node.args[0], scope), scope.number(node.shape[1])
    if (grid := grid_options(node.buckets, scope)) is not None:
        return call("at_buckets", P, call("grid_buckets", *grid))
    return call("at_distances", P, columns, *distance_options(node.buckets, scope))


@write.register
def _(node: nodes.RowBucketSums, scope: Scope) -> Code:
    A, count = write(node.args[0], scope), str(node.buckets.count)
    if (grid := grid_options(node.buckets, scope)) is not None:
        return call("bucket_row_sums", A, count, call("grid_buckets", *grid))
    return call("distance_row_sums", A, count, *distance_options(node.buckets, scope))


def grid_options(buckets: Any, scope: Scope) -> list[Any] | None:
    """How buckets of a window are spoken of: its sides, whether from key to query, an axis. None for others."""
    turned = isinstance(buckets, nodes.TurnedBuckets)
    grid = buckets.args[0] if turned else buckets
    if not isinstance(grid, nodes.GridBuckets):
        return None
    given = [*map(scope.number, grid.args[:2]), *(["True"] if turned else [])]
    return given if grid.axis is None else [*given, *([] if turned else ["False"]), str(grid.axis)]


def distance_options(buckets: Any, scope: Scope) -> list[Any]:
    """How buckets by distance are spoken of: where they begin, whether ahead too, the first place, whose distance."""
    turned = isinstance(buckets, nodes.TurnedBuckets)
    plain: nodes.DistanceBuckets = buckets.args[0] if turned else buckets
    starts, _, first = plain.args
    numbers = tuple(map(int, starts))
    given: list[Any] = [f"range({numbers[0]}, {numbers[-1] + 1})" if plain.clips else tuple_text(numbers)]
    if plain.both or first != 0 or turned:
        given.append(str(plain.both))
    if first != 0 or turned:
        given.append(scope.number(first))
    return [*given, "True"] if turned else given


@write.register
def _(node: nodes.ScoreMod, scope: Scope) -> Code:
    """A formula that does not ask for the scores has their axes all the same."""
    made, (z, *_) = modify(node, scope), node.args[1].variables
    return made if node.args[1].expr.has(z) else call("np.zeros_like", write(node.args[0], scope)) + made


def modify(node: nodes.ScoreMod, scope: Scope) -> Code:
    """A formula of scores: z, i and j are arrays; the number of the head too."""
    z, *variables = node.args[1].variables
    arrays = {z: write(node.args[0], scope)}
    for x, count, numbers in zip(variables, node.shape, (scope.rows, scope.columns), strict=True):
        if node.args[1].expr.has(x):
            arrays[x] = numbers(count, real=True)
    return formula(node.args[1].expr, arrays, scope.number)


@write.register
def _(node: nodes.Mapped, scope: Scope) -> Code:
    if node.args[1] == nodes.ELU_PLUS_ONE:
        return call("elu_plus_one", write(node.args[0], scope))
    return of_entries(node, scope)


@write.register
def of_entries(node: nodes.OfEntries, scope: Scope) -> Code:
    (z,) = node.function.variables
    return formula(node.function.expr, {z: write(node.args[0], scope)}, scope.number)


@write.register
def _(node: nodes.Dropout, scope: Scope) -> Code:
    return write(node.args[0], scope)


@write.register
def _(node: nodes.OneHot, scope: Scope) -> Code:
    return call("one_hot", tuple_text(node.numbers), scope.number(node.args[1]), dtype=scope.dtype)


@write.register
def _(node: nodes.Embedding, scope: Scope) -> Code:
    return call("rows_at", write(node.args[0], scope), tuple_text(node.chosen.numbers))


@write.register
def _(node: nodes.SinusoidalPositions, scope: Scope) -> Code:
    n, d, base, first = node.args
    given: dict[str, object] = {"base": float(base) if base.is_number else scope.number(base)}
    given |= {} if first == 0 else {"first": scope.number(first)}
    return call("sinusoidal", scope.number(n), scope.number(d), **given, dtype=scope.dtype)


@write.register
def _(node: nodes.TokenLosses, scope: Scope) -> Code:
    return call("token_losses", write(node.args[0], scope), tuple_text(node.right.numbers))


def tuple_text(numbers: tuple[int, ...]) -> str:
    """Numbers as a tuple in Python."""
    return repr(tuple(numbers))


@write.register
def _(node: nodes.RotaryEmbedding, scope: Scope) -> Code:
    return rotation(node, scope)


def rotation(node: Any, scope: Scope, **options: object) -> Code:
    """Rows turned by their positions."""
    X, base, pairs, first, rates, width, sections = node.args
    given: dict[str, object] = {"base": float(base) if base.is_number else scope.number(base)}
    if isinstance(first, Tuple):
        given["first"] = f"[{', '.join(str(scope.number(x)) for x in first)}]"
    elif nodes.is_matrix(first):
        rows = first if isinstance(first, MatrixBase) else None
        made = write(first, scope) if rows is None else Code(repr([[float(x) for x in row] for row in rows.tolist()]))
        given["at"] = scope.shared(X, made) if rows is None and scope.in_family(X) else made
    elif first != 0:
        given["first"] = scope.number(first)
    given |= {} if rates is S.true else {"rates": f"[{', '.join(str(scope.number(x)) for x in rates)}]"}
    given |= {} if width is S.true else {"width": scope.number(width)}
    given |= {} if sections is S.true else {"sections": tuple_text(tuple(map(int, sections)))}
    given |= {"alternating": True} if isinstance(sections, nodes.AlternatingSections) else {}
    return call("rotate", write(X, scope), **given, halves=str(pairs) == "halves", **options)


@write.register
def _(node: nodes.RowNorm, scope: Scope) -> Code:
    options = {} if node.args[2] == 0 else {"epsilon": scope.number(node.args[2])}
    return call("row_norm", write(node.args[0], scope), mean=node.kind == "rms", **options)


@write.register(nodes.ScaledBy | nodes.ScaleRows | nodes.ScaleColumns)
def _(node: Any, scope: Scope) -> Code:
    if isinstance(node, nodes.ScaleRows) and isinstance(quotient := node.args[1], nodes.DivideRows):
        X, (c, r) = node.args[0], quotient.args  # x c may be near 1 where c/r overflows
        return write(nodes.DivideRows(nodes.ScaleRows(X, c), r), scope)
    return reduce(mul, operands(node, scope))


@write.register
def _(node: nodes.Block, scope: Scope) -> Code:
    spans = []
    for start, count, size in ((*node.args[1:3], node.args[0].shape[0]), (*node.args[3:5], node.args[0].shape[1])):
        whole = start == 0 and count == size
        spans.append(":" if whole else f"{scope.number(start)} : {scope.number(start + count)}")
    spans = spans[1:] if spans[0] == ":" else spans
    return write(node.args[0], scope).at(", ".join(["...", *spans]))
