"""Attention by sums and states that run on: matrices of n² pairs are no steps then, nor is a state for each token."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sympy import Expr, MatrixExpr, MatrixSymbol, OneMatrix, S
from sympy.matrices.expressions import MatMul, Transpose

from symattn.lowering.rules.elementary import operands, write
from symattn.lowering.text.code import Code, call
from symattn.lowering.text.scope import Scope
from symattn.nodes import CausalMask, Plus, RowSum, StateAttention, Where, is_matrix
from symattn.program.steps import Program, Step

Steps = Mapping[MatrixSymbol, Step]


class RunningAverage(MatrixExpr):  # type: ignore[misc]
    """Σ_{j<=i} (q_i k_jᵀ) v_j / Σ_{j<=i} q_i k_jᵀ, of features Q, K and values V. Shape: (rows(Q), columns(V))."""

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.args[0].shape[0], self.args[2].shape[1]


class RunningSum(MatrixExpr):  # type: ignore[misc]
    """W C with W_ij = a_i b_jᵀ, or a_i b_jᵀ + x_i, where j <= i, else 0; or Wᵀ C. Shape: (rows(A), columns(C))."""

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.args[0].shape[0], self.args[2].shape[1]


def run_back(program: Program, wanted: set[MatrixSymbol]) -> Program:
    """The gradients of a running average by running sums, unless the pairs of tokens themselves are wanted."""
    if not any(isinstance(step.expression, RunningAverage) for step in program):
        return program
    by = program.by_symbol()
    steps = tuple(replace(step, expression=_of_pairs(step.expression, by, wanted)) for step in program)
    return replace(program, steps=steps)


def _of_pairs(expression: Any, by: Steps, wanted: set[MatrixSymbol]) -> Any:
    """A product with pairs of tokens, or their sums, as what runs on; another expression as it is."""
    match expression:
        case RowSum(args=(W,)) if pairs := _pairs(W, by, wanted):
            return RunningSum(*pairs[:2], OneMatrix(W.shape[1], 1), pairs[2], S.false)
        case MatMul(args=(Transpose(args=(W,)), C)) if pairs := _pairs(W, by, wanted):
            return RunningSum(*pairs[:2], C, pairs[2], S.true)
        case MatMul(args=(W, C)) if pairs := _pairs(W, by, wanted):
            return RunningSum(*pairs[:2], C, pairs[2], S.false)
    return expression


def _pairs(W: Any, by: Steps, wanted: set[MatrixSymbol]) -> tuple[Any, Any, Any] | None:
    """A, B and x, if W_ij = a_i b_jᵀ + x_i where j <= i, else 0; `S.false` for no x."""
    if W not in by or W in wanted:
        return None
    match by[W].expression:
        case Where(args=(P, CausalMask(args=(S.Zero,)))) if P in by and P not in wanted:
            match by[P].expression:
                case MatMul(args=(A, Transpose(args=(B,)))):
                    return A, B, S.false
                case Plus(args=(MatMul(args=(A, Transpose(args=(B,)))), MatMul(args=(x, OneMatrix())))):
                    return A, B, x
    return None


@write.register
def _(node: RunningAverage, scope: Scope) -> Code:
    return call("running_average", *operands(node, scope), scope.threads)


@write.register
def _(node: StateAttention, scope: Scope) -> Code:
    made = _matrices(node, scope)
    given = {"decay": node.decay, "strength": node.strength}
    options = {name: made[x] if x in made else scope.number(x) for name, x in given.items() if x is not None}
    return call("run_state", *(made[x] for x in node.args[:3]), threads=scope.threads, **options)


@write.register
def _(node: RunningSum, scope: Scope) -> Code:
    made, (*factors, x, back) = _matrices(node, scope), node.args
    options = {"also": made[x]} if x in made else {}
    turned = {"back": "True"} if back is S.true else {}
    return call("running_sum", *(made[a] for a in factors), scope.threads, **options, **turned)


def _matrices(node: Any, scope: Scope) -> dict[Any, Code]:
    """The values of the arguments that are matrices, with the axes that they need to meet."""
    matrices = [x for x in node.args if is_matrix(x)]
    return dict(zip(matrices, scope.aligned(matrices, [write(x, scope) for x in matrices]), strict=True))
