"""What is differentiated in the place of a calculation by hand: the same in a few products, whose gradients are known.

A softmax taken apart, keys taken block by block, and a state that every token adds to are ways to compute; the theorems
"online-softmax" and "linear-attention" say that they change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from sympy import MatrixExpr, MatrixSymbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.nodes import (
    Block,
    CausalMask,
    DivideRows,
    Exponential,
    Kept,
    Member,
    Plus,
    Previous,
    RowMax,
    RowSum,
    ScaleRows,
    Softmax,
    StackMembers,
    SubtractColumn,
    ending,
)
from symattn.program.steps import Program, Step, name_apart, take_name

Made = Mapping[Any, MatrixExpr]
Parts = list[tuple[str, str, Callable[..., MatrixExpr]]]  # role, letter, and the value over the parts before


def whole(program: Program) -> tuple[Program, list[Step]]:
    """The program to run backwards over, and its steps that the given one does not have."""
    made = {step.symbol: step.expression for step in program}
    names = {step.name for step in program} | {s.name for s in program.inputs}
    letters = {step.symbol.name for step in program} | {s.name for s in program.inputs}
    steps: list[Step] = []
    added: list[Step] = []
    for step in program:
        one = _softmax(step.expression, made)
        if one is not None:
            steps.append(replace(step, expression=one))
            continue
        parts = _blocks(step.expression, made) or _tokens(step.expression, made) or []
        symbols: list[Any] = []
        for role, letter, value in parts:
            expression = value(*symbols)
            if not role:
                step = replace(step, expression=expression)
                break
            letter = take_name(letter, letters, ending(step.symbol))
            symbols.append(MatrixSymbol(letter, *expression.shape))
            added.append(name_apart(Step(role, symbols[-1], expression, step.part), names))
            steps.append(added[-1])
        steps.append(step)
    return replace(program, steps=tuple(steps)), added


def _softmax(quotient: MatrixExpr, made: Made) -> MatrixExpr | None:
    """The end of a softmax taken apart (shifted, exponentials, row sums, quotient) as the softmax that it is."""
    if not isinstance(quotient, DivideRows):
        return None
    match made.get(quotient.args[0]):
        case Exponential(args=(shifted,)):
            match made.get(shifted):
                case SubtractColumn(args=(_, mu)) if isinstance(made.get(mu), RowMax):
                    if made.get(quotient.args[1]) == RowSum(quotient.args[0]):
                        return Softmax(made[mu].args[0])
    return None


def _blocks(output: MatrixExpr, made: Made) -> Parts | None:
    """Attention block by block: O = softmax(Z) V."""
    match output:
        case DivideRows(args=(Member(args=(sums, *_)), Member())):
            match made.get(sums):
                case Plus(args=(ScaleRows(args=(Previous(), _)), MatMul(args=(E, Block(args=(V, *_)))))):
                    Z = _scores_of(E, made)
                    if Z is not None:
                        return [("weights", "A", lambda: Softmax(Z)), ("", "", lambda A: MatMul(A, V))]
    return None


def _scores_of(E: Any, made: Made) -> Any:
    """The scores, a block of which E has the exponentials of."""
    match made.get(E):
        case Exponential(args=(SubtractColumn(args=(seen, _)),)):
            match made.get(seen):
                case Block(args=(Z, *_)):
                    return Z
    return None


def _tokens(output: MatrixExpr, made: Made) -> Parts | None:
    """Causal linear attention token by token: every row of (QKᵀ ∘ [j ≤ i]) V over that row's sum."""
    match output:
        case StackMembers(args=(row, *_)):
            match made.get(row):
                case DivideRows(args=(numerator, _)):
                    match made.get(numerator):
                        case MatMul(args=(Block(args=(Q, *_)), state)):
                            return _of_state(Q, made.get(state))
    return None


def _of_state(Q: Any, state: Any) -> Parts | None:
    match state:
        case Plus(args=(Previous(), MatMul(args=(Transpose(args=(Block(args=(K, *_)),)), Block(args=(V, *_)))))):
            return [
                ("scores", "S", lambda: MatMul(Q, Transpose(K))),
                ("kept", "W", lambda S: Kept(S, CausalMask())),
                ("kept_values", "N", lambda _, W: MatMul(W, V)),
                ("kept_sums", "ell", lambda _, W, __: RowSum(W)),
                ("", "", lambda _, __, N, ell: DivideRows(N, ell)),
            ]
    return None
