"""Scores by relative position in blocks: of products with a table only those are made that meet a block of scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sympy import Expr, MatrixExpr, MatrixSymbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.lowering.rules.blocks import Blocks, alter, alter_operand
from symattn.lowering.rules.elementary import distance_options
from symattn.lowering.schedule.fused import find_fused
from symattn.nodes import AtBuckets, Biased, DistanceBuckets
from symattn.program.steps import Program, Step


class LikeFirst(MatrixExpr):  # type: ignore[misc]
    """A matrix of the shape of its first operand."""

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.args[0].shape[0], self.args[0].shape[1]


class Placed(LikeFirst):
    """Scores S and q_i r_b, b the bucket of (i, j), of rows Q and a table R; if `turned`, of rows of keys. Shape: S."""


def place_by_blocks(program: Program, wanted: set[MatrixSymbol]) -> Program:
    """Scores by distance in the place of biases that are matrices, where what follows is computed by blocks."""
    by = program.by_symbol()
    placed = {step.symbol: made for step in program if (made := _place(step.expression, by)) != step.expression}
    if not placed:
        return program

    def with_only(symbols: set[MatrixSymbol]) -> Program:
        steps = (replace(s, expression=placed[s.symbol]) if s.symbol in symbols else s for s in program)
        return Program(program.inputs, tuple(steps))

    inner = {symbol for chain in find_fused(with_only(set(placed)), wanted) for symbol in chain.inner}
    return with_only(inner & set(placed))


def _place(expression: Any, by: Mapping[MatrixSymbol, Step]) -> Any:
    """What is added to scores, as far as it is by distance and of a product with a table."""
    if not isinstance(expression, Biased):
        return expression
    scores, added = expression.args
    scores = _place(scores, by)
    of_keys = isinstance(added, Transpose)
    found = _stands_for(added.arg if of_keys else added, by)
    if isinstance(found, AtBuckets) and found.buckets.atoms(DistanceBuckets):  # windows are small
        match _stands_for(found.args[0], by):
            case MatMul(args=(Q, Transpose(args=(R,)))):
                return Placed(scores, Q, R, found.buckets, int(of_keys))
    return Biased(scores, added)


def _stands_for(matrix: Any, by: Mapping[MatrixSymbol, Step]) -> Any:
    return by[matrix].expression if matrix in by else matrix


@alter.register
def _(node: Placed, made: Blocks) -> None:
    alter_operand(node, made)
    _, Q, R, buckets, of_keys = node.args
    given = [made.aligned(x) for x in (Q, R)]
    q, r = (made.of_head(*x) for x in zip(given, (Q.shape, R.shape), ("rows_of", "table"), strict=True))
    for code in given:
        made.masks_or_biases[made.scope.names.fresh("positions")] = code
    block, own, other = ("np.swapaxes(block, -1, -2)", "columns", "rows") if of_keys else ("block", "rows", "columns")
    how = ", ".join(map(str, distance_options(buckets, made.scope)))
    made.inside.append(f"add_by_distance({block}, {q}[..., {own}, :], {r}, {own}, {other}, {how})")
    made.terms = None
