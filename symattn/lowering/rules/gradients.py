"""Gradients in lowered modules: the rules of their nodes, and sums over what was broadcast."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Any

from sympy import MatrixSymbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.lowering.rules.elementary import (
    distance_options,
    grid_options,
    keep,
    modify,
    operands,
    over_heads,
    rotation,
    turn,
    write,
)
from symattn.lowering.text.code import SUM, Code, call
from symattn.lowering.text.scope import Scope
from symattn.nodes import (
    AdditiveGain,
    AdditiveSlope,
    BucketSums,
    CapSlope,
    Diagonal,
    Hadamard,
    Plus,
    RotatedBack,
    ScoreMod,
    SeenRows,
    SumGroup,
    SumHeads,
    Vanishing,
    Where,
)
from symattn.program.steps import Step


@write.register
def _(node: Hadamard, scope: Scope) -> Code:
    made = [modify(a, scope) if isinstance(a, ScoreMod) else write(a, scope) for a in node.args]
    A, X = scope.aligned(node.args, made)
    return call("weigh_each", A, X) if node.args[0] in scope.veiled else A * X


@write.register
def _(node: Diagonal, scope: Scope) -> Code:
    """A row or a column times the identity, entry by entry."""
    return write(node.args[0], scope) * call("np.eye", scope.number(node.shape[0]), dtype=scope.dtype)


@write.register
def _(node: CapSlope, scope: Scope) -> Code:
    return Code("1") - call("np.tanh", write(node.args[0], scope) / scope.number(node.args[1])) ** Code("2")


@write.register
def _(node: RotatedBack, scope: Scope) -> Code:
    return rotation(node, scope, back=True)


@write.register
def _(node: BucketSums, scope: Scope) -> Code:
    G, buckets = node.args
    if (grid := grid_options(buckets, scope)) is not None:
        if len(grid) <= 3:
            return call("grid_sums", write(G, scope), *grid)
        rows = call("bucket_row_sums", write(G, scope), str(buckets.count), call("grid_buckets", *grid))
        return call("np.sum", rows, axis=-2).at("..., None")
    return call("distance_sums", write(G, scope), str(buckets.count), *distance_options(buckets, scope))


@write.register
def _(node: Vanishing, scope: Scope) -> Code:
    """In floating point the sum is computed, as programs do: nearly 0, and not a number where something is none."""
    return write(node.args[0], scope)


@write.register
def _(node: SumGroup, scope: Scope) -> Code:
    return call("np.sum", call("split_groups", over_heads(node, scope), scope.number(node.args[4])), axis=-3)


def _bent(P: Code, R: Code) -> Code:
    """tanh(p_i + r_j), an axis of keys before that of units."""
    return call("np.tanh", P.at("..., :, None, :") + R.at("..., None, :, :"))


@write.register
def _(node: AdditiveSlope, scope: Scope) -> Code:
    """Rows of G times the slopes, key by key; then every unit times its own v."""
    P, R, v, G = operands(node, scope)
    sums = G.at("..., :, None, :") @ (Code("1") - _bent(P, R) ** Code("2"))
    return sums.at("..., 0, :") * turn(v)


@write.register
def _(node: AdditiveGain, scope: Scope) -> Code:
    P, R, G = operands(node, scope)
    rows = (G.at("..., :, None, :") @ _bent(P, R)).at("..., 0, :")
    return turn(call("np.sum", rows, axis=-2, keepdims=True))


@write.register
def _(node: Where, scope: Scope) -> Code:
    return call("np.where", keep(node, scope), write(node.args[0], scope), "0.0")


@write.register
def _(node: SeenRows, scope: Scope) -> Code:
    X, Z = operands(node, scope)
    unseen = call("np.max", Z, axis=-1, keepdims=True).compared("==", Code("-np.inf", SUM))
    return call("np.where", unseen, "0.0", X)


def write_gradient(step: Step, scope: Scope) -> Code:
    """An input's gradient, of its shape; a bias may have had an axis of heads of its own."""
    return _sum_broadcast(step.expression, step.by, scope)


def _sum_broadcast(expression: Any, symbol: MatrixSymbol, scope: Scope) -> Code:
    name = scope.array(symbol)
    if symbol in scope.inputs.lone_biases and isinstance(expression, Plus):
        return reduce(add, (_sum_broadcast(term, symbol, scope) for term in expression.args))
    if symbol in scope.inputs.lone_biases and isinstance(expression, SumHeads):
        summed = call("sum_to", over_heads(expression, scope), f"over_heads({name}, {scope.like}).shape")
        return call("np.reshape", summed, f"{name}.shape")
    if scope.fast and isinstance(expression, MatMul) and len(expression.args) == 2:
        left, right = expression.args
        hidden = isinstance(left, Transpose) and left.arg in scope.veiled_rows
        if isinstance(left, Transpose) and isinstance(right, MatrixSymbol) and not hidden:
            return call("sum_products", write(left.arg, scope), write(right, scope), f"{name}.shape")
    return call("sum_to", write(expression, scope), f"{name}.shape")
