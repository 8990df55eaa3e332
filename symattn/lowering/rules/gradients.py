"""Gradients in lowered modules: the rules of their nodes, and sums over what was broadcast."""

from __future__ import annotations

from functools import reduce
from operator import add, mul
from typing import Any

from sympy import MatrixSymbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.lowering.code import SUM, Code, call
from symattn.lowering.rules.elementary import keep, modified, operands, over_heads, rotation, turned, write
from symattn.lowering.text.scope import Lines
from symattn.nodes import (
    AdditiveGain,
    AdditiveSlope,
    CapSlope,
    ColumnSum,
    Diagonal,
    Hadamard,
    Kept,
    Plus,
    RotatedBack,
    ScoreMod,
    SeenRows,
    SumGroup,
    SumHeads,
)
from symattn.program.steps import Step


@write.register
def _(node: Hadamard, lines: Lines) -> Code:
    made = [modified(a, lines) if isinstance(a, ScoreMod) else write(a, lines) for a in node.args]
    return reduce(mul, lines.aligned(node.args, made))


@write.register
def _(node: ColumnSum, lines: Lines) -> Code:
    return call("np.sum", write(node.args[0], lines), axis=-2, keepdims=True)


@write.register
def _(node: Diagonal, lines: Lines) -> Code:
    """A row or a column times the identity, entry by entry."""
    return write(node.args[0], lines) * call("np.eye", lines.number(node.shape[0]), dtype=lines.dtype)


@write.register
def _(node: CapSlope, lines: Lines) -> Code:
    return Code("1") - call("np.tanh", write(node.args[0], lines) / lines.number(node.args[1])) ** Code("2")


@write.register
def _(node: RotatedBack, lines: Lines) -> Code:
    return rotation(node, lines, back=True)


@write.register
def _(node: SumGroup, lines: Lines) -> Code:
    return call("np.sum", call("split_groups", over_heads(node, lines), lines.number(node.args[4])), axis=-3)


def _bent(P: Code, R: Code) -> Code:
    """tanh(p_i + r_j), an axis of keys before that of units."""
    return call("np.tanh", P.at("..., :, None, :") + R.at("..., None, :, :"))


@write.register
def _(node: AdditiveSlope, lines: Lines) -> Code:
    """Rows of G times the slopes, key by key; then every unit times its own v."""
    P, R, v, G = operands(node, lines)
    sums = G.at("..., :, None, :") @ (Code("1") - _bent(P, R) ** Code("2"))
    return sums.at("..., 0, :") * turned(v)


@write.register
def _(node: AdditiveGain, lines: Lines) -> Code:
    P, R, G = operands(node, lines)
    rows = (G.at("..., :, None, :") @ _bent(P, R)).at("..., 0, :")
    return turned(call("np.sum", rows, axis=-2, keepdims=True))


@write.register
def _(node: Kept, lines: Lines) -> Code:
    return call("np.where", keep(node, lines), write(node.args[0], lines), "0.0")


@write.register
def _(node: SeenRows, lines: Lines) -> Code:
    X, Z = operands(node, lines)
    unseen = call("np.max", Z, axis=-1, keepdims=True).compared("==", Code("-np.inf", SUM))
    return call("np.where", unseen, "0.0", X)


def write_gradient(step: Step, lines: Lines) -> Code:
    """An input's gradient, of its shape; a bias may have had an axis of heads of its own."""
    return _summed(step.expression, step.by, lines)


def _summed(expression: Any, symbol: MatrixSymbol, lines: Lines) -> Code:
    name = lines.array(symbol)
    if symbol in lines.bare and isinstance(expression, Plus):
        return reduce(add, (_summed(term, symbol, lines) for term in expression.args))
    if symbol in lines.bare and isinstance(expression, SumHeads):
        summed = call("sum_to", over_heads(expression, lines), f"over_heads({name}, {lines.anchor}).shape")
        return call("np.reshape", summed, f"{name}.shape")
    if lines.fast and isinstance(expression, MatMul) and len(expression.args) == 2:
        left, right = expression.args
        if isinstance(left, Transpose) and isinstance(right, MatrixSymbol):
            return call("sum_products", write(left.arg, lines), write(right, lines), f"{name}.shape")
    return call("sum_to", write(expression, lines), f"{name}.shape")
