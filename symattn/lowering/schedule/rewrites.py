"""The same values by other steps: what the fast style computes where steps are told for their own sake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sympy import MatrixSymbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.lowering.rules.blocks import Blocks, alter, alter_operand
from symattn.lowering.rules.elementary import write
from symattn.lowering.schedule.batching import join_products
from symattn.lowering.schedule.fused import find_fused
from symattn.lowering.schedule.placing import LikeFirst, place_by_blocks
from symattn.lowering.schedule.running import RunningAverage, run_back
from symattn.lowering.schedule.steps import Output, find_needed_steps
from symattn.lowering.text.code import Code, call
from symattn.lowering.text.scope import Scope
from symattn.nodes import (
    AboveThreshold,
    AdditiveScores,
    Alibi,
    Biased,
    DivideRows,
    Masked,
    Penalised,
    RowThreshold,
    Softmax,
    StateAttention,
    Where,
    ending,
    stem,
)
from symattn.program.steps import Program, Step, runs_on

Steps = Mapping[MatrixSymbol, Step]


class Slanted(LikeFirst):
    """Scores with ALiBi's bias, which is no matrix then: S_ij − slope·(i + offset − j). Shape: that of S."""


class Rescored(LikeFirst):
    """tanh(p_i + r_j) v in the place of the product P Rᵀ, a block of which it writes over. Shape: that of P Rᵀ."""


class SparseWeights(LikeFirst):
    """[Z/p − τ1ᵀ]₊^e with its own threshold τ, which is no step then. Shape: that of Z."""


def simplify(program: Program, wanted: Sequence[Output]) -> Program:
    """A program in which what is wanted has the same value, computed by blocks where it can be."""
    symbols = {w.step.symbol for w in wanted if not w.log_sum}
    program = run_back(without_turns(program, symbols), symbols)
    by = program.by_symbol()
    steps = [(step, _without_threshold(_slant(step.expression, by), by)) for step in program]
    slanted = (step if made == step.expression else replace(step, expression=made) for step, made in steps)
    program = place_by_blocks(replace(program, steps=tuple(slanted)), symbols)
    program = _rescore(program, symbols)
    return join_products(find_needed_steps(program, wanted), symbols)


def without_turns(program: Program, wanted: set[MatrixSymbol]) -> Program:
    """Families over tokens or blocks as what they come to, if none of their members is wanted."""
    by = program.by_symbol()
    if any(runs_on(step) and (step.symbol in wanted or (step.index and step.index.back)) for step in program):
        return program
    return Program(program.inputs, tuple(made for step in program for made in _of_turns(step, by)))


def _of_turns(step: Step, by: Steps) -> list[Step]:
    """Causal linear attention and states in chunks, online attention as softmax; another step as it is."""
    if any(runs_on(by[s]) for s in step.uses if s in by):
        match step.equals:
            case DivideRows(args=(MatMul(args=(Where(args=(MatMul(args=(Q, Transpose(args=(K,)))), _)), V)), _)):
                return [replace(step, expression=RunningAverage(Q, K, V))]
            case StateAttention() as whole:
                return [replace(step, expression=whole)]
            case MatMul(args=(Softmax() as A, V)):
                weights = MatrixSymbol(f"{stem(step.symbol)} weights{ending(step.symbol)}", *A.shape)
                return [Step("weights", weights, A, index=step.index), replace(step, expression=MatMul(weights, V))]
    return [step]


def _slant(expression: Any, by: Steps) -> Any:
    """Scores with a bias by distance in the place of one that is a matrix."""
    if not isinstance(expression, Biased | Masked | Penalised):
        return expression
    inner, *others = expression.args
    inner = _slant(inner, by)
    bias = by[others[0]].expression if others[0] in by else others[0]
    if isinstance(expression, Biased) and isinstance(bias, Alibi):
        return Slanted(inner, *bias.args[2:])
    return expression.func(inner, *others)


def _without_threshold(expression: Any, by: Steps) -> Any:
    """Weights above a threshold by one call, which may take off the largest logit first."""
    if isinstance(expression, AboveThreshold) and expression.args[1] in by:
        Z, threshold, power, exponent = expression.args
        if by[threshold].expression == RowThreshold(Z, power):
            return SparseWeights(Z, power, exponent)
    return expression


def _rescore(program: Program, wanted: set[MatrixSymbol]) -> Program:
    """Additive scores by blocks, where what follows is computed by blocks."""
    if not any(isinstance(step.expression, AdditiveScores) for step in program):
        return program
    steps: list[Step] = []
    for step in program:
        if isinstance(step.expression, AdditiveScores):
            P, R, v = step.expression.args
            product = MatrixSymbol(f"{step.symbol.name} product", *step.symbol.shape)
            steps.append(Step("product", product, MatMul(P, Transpose(R)), index=step.index))
            step = replace(step, expression=Rescored(product, P, R, v))
        steps.append(step)
    made = Program(program.inputs, tuple(steps))
    fused = {chain.scores.symbol for chain in find_fused(made, wanted)}
    needless = {step.symbol for step in steps if step.role == "product"} - fused
    return program if needless else made


@write.register
def _(node: SparseWeights, scope: Scope) -> Code:
    return call("entmax", write(node.args[0], scope), *map(scope.number, node.args[1:]))


@write.register
def _(node: Slanted, scope: Scope) -> Code:
    return write(Biased(node.args[0], Alibi(*node.shape, *node.args[1:])), scope)


@alter.register
def _(node: Slanted, made: Blocks) -> None:
    alter_operand(node, made)
    _, slope, offset = node.args
    first = "" if offset == 0 else f", {made.scope.number(offset)}"
    made.inside.append(f"slant(block, rows, columns, {made.by_head(slope)}{first})")
    made.term("slope", made.of_heads(slope))
    made.term("first", made.scope.number(offset))


@alter.register
def _(node: Rescored, made: Blocks) -> None:
    P, R, v = node.args[1:]
    p, r, column = (made.of_head(made.aligned(x), x.shape, name) for x, name in ((P, "p"), (R, "r"), (v, "v")))
    made.inside.append(f"additive_block(block, {p}[..., rows, :], {r}[..., columns, :], {column})")
    made.terms = None
    if isinstance(v, MatrixSymbol):
        made.masks_or_biases[made.scope.array(v)] = Code(made.scope.array(v))
