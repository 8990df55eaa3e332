"""Gradients in lowered modules: the rules of their nodes, and sums over what was broadcast."""

from __future__ import annotations

from typing import Any

from sympy import MatrixSymbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.lowering.rules.elementary import over_heads, write
from symattn.lowering.rules.variants import modified, rotation
from symattn.lowering.text.scope import Lines, factor, left_factor
from symattn.nodes import CapSlope, ColumnSum, Diagonal, Hadamard, Plus, RotatedBack, ScoreMod, SumGroup, SumHeads
from symattn.program.steps import Step


@write.register
def _(node: Hadamard, lines: Lines) -> str:
    texts = [modified(a, lines) if isinstance(a, ScoreMod) else write(a, lines) for a in node.args]
    left, right = lines.aligned(node.args, texts)
    return f"{left_factor(left)} * {factor(right)}"


@write.register
def _(node: ColumnSum, lines: Lines) -> str:
    return f"np.sum({write(node.args[0], lines)}, axis=-2, keepdims=True)"


@write.register
def _(node: Diagonal, lines: Lines) -> str:
    """A row or a column times the identity, entry by entry."""
    return (
        f"{left_factor(write(node.args[0], lines))} * np.eye({lines.number(node.shape[0])}, dtype={lines.like}.dtype)"
    )


@write.register
def _(node: CapSlope, lines: Lines) -> str:
    return f"1 - np.tanh({left_factor(write(node.args[0], lines))} / {factor(lines.number(node.args[1]))}) ** 2"


@write.register
def _(node: RotatedBack, lines: Lines) -> str:
    return f"{rotation(node, lines)[:-1]}, back=True)"


@write.register
def _(node: SumGroup, lines: Lines) -> str:
    return f"np.sum(split_groups({over_heads(node, lines)}, {lines.number(node.args[4])}), axis=-3)"


def gradient_text(step: Step, lines: Lines) -> str:
    """The text of an input's gradient, of its shape; a bias may have had an axis of heads of its own."""
    return _summed(step.expression, step.by, lines)


def _summed(expression: Any, symbol: MatrixSymbol, lines: Lines) -> str:
    name = lines.array(symbol)
    if symbol in lines.bare and isinstance(expression, Plus):
        return " + ".join(_summed(term, symbol, lines) for term in expression.args)
    if symbol in lines.bare and isinstance(expression, SumHeads):
        shape = f"over_heads({name}, {lines.anchor}).shape"
        return f"np.reshape(sum_to({over_heads(expression, lines)}, {shape}), {name}.shape)"
    if lines.fast and isinstance(expression, MatMul) and len(expression.args) == 2:
        left, right = expression.args
        if isinstance(left, Transpose) and isinstance(right, MatrixSymbol):
            return f"sum_products({write(left.arg, lines)}, {write(right, lines)}, {name}.shape)"
    return f"sum_to({write(expression, lines)}, {name}.shape)"
