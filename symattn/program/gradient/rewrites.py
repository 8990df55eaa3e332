"""What is differentiated in the place of a calculation by hand: the same in a few products, whose gradients are known.

A softmax taken apart, keys taken block by block, and a state that every token adds to are ways to compute; the theorems
"online-softmax" and "linear-attention" say that they change nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sympy import MatrixExpr, MatrixSymbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.nodes import RowSum, Softmax, StateAttention, Where, ending
from symattn.program.steps import Program, Step, name_apart, take_name


def whole(program: Program) -> tuple[Program, list[Step]]:
    """The program to run backwards over, and its steps that the given one does not have."""
    names = {step.name for step in program} | {s.name for s in program.inputs}
    letters = {step.symbol.name for step in program} | {s.name for s in program.inputs}
    steps: list[Step] = []
    added: list[Step] = []
    for step in program:
        parts: dict[MatrixExpr, Step] = {}
        if step.equals is not None and not isinstance(step.equals, StateAttention):  # whose turns have gradients
            closed = _over_parts(step.equals, parts, step, names, letters)
            step = replace(step, expression=closed, equals=None)
        added += parts.values()
        steps += [*parts.values(), step]
    return replace(program, steps=tuple(steps)), added


def _over_parts(form: Any, parts: dict[MatrixExpr, Step], of: Step, names: set[str], letters: set[str]) -> Any:
    """A closed form over symbols for its parts, each of which becomes a step before `of`."""
    made = []
    for x in form.args:
        if isinstance(x, Softmax | Where | RowSum | MatMul) and x not in parts:
            expression = _over_parts(x, parts, of, names, letters)
            role, letter = _called(expression)
            symbol = MatrixSymbol(take_name(letter, letters, ending(of.symbol)), *x.shape)
            parts[x] = name_apart(Step(role, symbol, expression, of.part, of.index), names)
        made.append(parts[x].symbol if x in parts else x)
    return form.func(*made)


def _called(part: MatrixExpr) -> tuple[str, str]:
    """The role and the letter of a part."""
    match part:
        case Softmax():
            return "weights", "A"
        case Where():
            return "kept", "W"
        case RowSum():
            return "kept_sums", "ell"
        case MatMul(args=(_, Transpose())):
            return "scores", "S"
    return "kept_values", "N"
