"""What one node takes, as exact polynomials in the sizes: one rule for each node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import singledispatch
from typing import Any

import sympy
from sympy import Expr, HadamardProduct, MatrixExpr, MatrixSymbol, S
from sympy.matrices.expressions import MatAdd, MatMul, Transpose
from sympy.matrices.matrixbase import MatrixBase

from symattn import nodes
from symattn.program.shapes import Measures


@dataclass(frozen=True)
class Count:
    """How many operations of each kind, and how many numbers the result holds."""

    multiply_adds: Expr = S.Zero  # in products of matrices
    exponentials: Expr = S.Zero  # tanh among them
    divisions: Expr = S.Zero
    elementwise: Expr = S.Zero  # additions, multiplications and comparisons outside products
    numbers: Expr = S.Zero

    @property
    def flops(self) -> Expr:
        """Floating-point operations of the products: two for each multiply-add."""
        return 2 * self.multiply_adds

    def __add__(self, other: Count) -> Count:
        return Count(*(a + b for a, b in zip(self, other, strict=True)))

    def __sub__(self, other: Count) -> Count:
        return Count(*(sympy.expand(a - b) for a, b in zip(self, other, strict=True)))

    def __mul__(self, times: Expr) -> Count:
        return Count(*(sympy.expand(a * times) for a in self))

    def __iter__(self) -> Iterator[Expr]:
        return (getattr(self, f.name) for f in fields(self))

    def at(self, measures: Measures) -> Count:
        """The same with every known size filled in."""
        return Count(*map(measures.number, self))


class Uncounted(Exception):  # noqa: N818  (no error of a user's)
    """A node that has no rule here."""


# of matrices and of families that are there already
_PARTS = nodes.Member | nodes.Previous | nodes.Following | nodes.HeadColumns | nodes.HeadRows


def count(expression: Any) -> Count:
    """What an expression takes, and what stands within it. Raises Uncounted where a node has no rule."""
    if isinstance(expression, MatrixSymbol | MatrixBase | _PARTS):
        return Count()
    times = expression.args[2] if isinstance(expression, nodes.ConcatHeads | nodes.SumHeads) else S.One
    made: Count = operations(expression)
    for operand in filter(nodes.is_matrix, expression.args):
        made += count(operand) * times
    return made


@singledispatch
def operations(node: Any) -> Count:
    """What a node takes once its operands are there."""
    raise Uncounted(type(node).__name__)


def _entries(matrix: MatrixExpr) -> Expr:
    rows, columns = matrix.shape
    return rows * columns


@operations.register(Transpose | nodes.Concat | nodes.ConcatHeads | nodes.Masked | nodes.Largest | nodes.Vanishing)
@operations.register(nodes.Stack | nodes.StackMembers | nodes.Block | nodes.Constant | nodes.Alibi | nodes.Diagonal)
@operations.register(nodes.Where | nodes.SeenRows | nodes.OneHot | nodes.Embedding | nodes.Dropout)
@operations.register(nodes.SinusoidalPositions | nodes.RelativeBias | nodes.AtBuckets)
def _(_node: Any) -> Count:
    """Numbers are moved, left out, or known beforehand; none is computed."""
    return Count()


@operations.register
def _(node: MatMul) -> Count:
    """(p × q)(q × r) takes p q r multiply-adds; several factors from left to right, as written."""
    factor, matrices = node.as_coeff_matrices()
    rows = matrices[0].shape[0]
    products = sympy.Add(*(rows * m.shape[0] * m.shape[1] for m in matrices[1:]))
    return Count(multiply_adds=products, elementwise=S.Zero if factor == 1 else _entries(node))


@operations.register(MatAdd | nodes.Plus | nodes.Biased | nodes.AddRow | HadamardProduct | nodes.Hadamard)
def _(node: Any) -> Count:
    """One operation less than there are terms, for each entry."""
    return Count(elementwise=(len(node.args) - 1) * _entries(node))


@operations.register
def _(node: nodes.SumHeads) -> Count:
    return Count(elementwise=(node.args[2] - 1) * _entries(node))


@operations.register(nodes.Scaled | nodes.SubtractColumn | nodes.RunningProduct)
@operations.register(
    nodes.Penalised | nodes.ScaledBy | nodes.ScaleRows | nodes.ScaleColumns | nodes.ScoreMod | nodes.OfEntries
)
def _(node: Any) -> Count:
    """One operation, or one function, for each entry: to divide by √d_k is to multiply by a constant."""
    return Count(elementwise=_entries(node))


@operations.register(nodes.SoftCapped | nodes.CapSlope)
def _(node: Any) -> Count:
    """cap·tanh(z/cap): two multiplications and a tanh."""
    return Count(elementwise=2 * _entries(node), exponentials=_entries(node))


@operations.register
def _(node: nodes.Softmax) -> Count:
    """RowMax, SubtractColumn, Exponential, RowSum and DivideRows together."""
    rows, columns = node.shape if node.axis == -1 else reversed(node.shape)
    each = rows * columns
    return Count(exponentials=each, divisions=each, elementwise=each + 2 * rows * (columns - 1))


@operations.register(nodes.RowMax | nodes.RowSum)
def _(node: Any) -> Count:
    rows, columns = node.args[0].shape
    return Count(elementwise=rows * (columns - 1))


@operations.register
def _(node: nodes.ColumnSum) -> Count:
    rows, columns = node.args[0].shape
    return Count(elementwise=(rows - 1) * columns)


@operations.register
def _(node: nodes.SumGroup) -> Count:
    return Count(elementwise=(node.args[2] / node.args[4] - 1) * _entries(node))


@operations.register
def _(node: nodes.Exponential) -> Count:
    return Count(exponentials=_entries(node))


@operations.register
def _(node: nodes.DivideRows) -> Count:
    return Count(divisions=_entries(node))


# --- the kinds beyond the plain one


@operations.register
def _(node: nodes.RotaryEmbedding) -> Count:
    """x cos φ ± y sin φ: two products and a sum; the cosines and sines are known beforehand."""
    return Count(elementwise=3 * node.shape[0] * node.turning)


@operations.register
def _(node: nodes.RowNorm) -> Count:
    """A square and a sum for each entry; a root for each row."""
    return Count(elementwise=2 * _entries(node.args[0]))


@operations.register
def _(node: nodes.SinkSoftmax) -> Count:
    """Softmax of one column more, which is not divided."""
    rows, columns = node.shape
    each = rows * columns
    return Count(exponentials=each + rows, divisions=each, elementwise=each + rows + 2 * rows * columns)


@operations.register
def _(node: nodes.RowThreshold) -> Count:
    """Each row sorted (m log₂ m comparisons), then p + 1 operations for each entry, and a division for each row."""
    rows, columns = node.args[0].shape
    sorting = columns * sympy.log(columns, 2) if not columns.is_Integer else columns * (int(columns) - 1).bit_length()
    return Count(divisions=rows, elementwise=rows * (sorting + (node.args[1] + 1) * columns))


@operations.register
def _(node: nodes.AboveThreshold) -> Count:
    """A difference and a comparison for each entry; for p = 2 it is halved and squared too."""
    return Count(elementwise=2 * node.args[2] * _entries(node))


@operations.register
def _(node: nodes.SigmoidWeights) -> Count:
    """An exponential, a sum and a division for each entry, and one sum more where a number is added."""
    each = _entries(node)
    return Count(exponentials=each, divisions=each, elementwise=each if node.bias == 0 else 2 * each)


@operations.register
def _(node: nodes.AdditiveScores) -> Count:
    """A sum and a tanh for each query, key and unit; then a product with v."""
    each = _entries(node) * node.args[2].shape[0]
    return Count(multiply_adds=each, exponentials=each, elementwise=each)


@operations.register
def _(node: nodes.AdditiveSlope) -> Count:
    """A sum, a tanh, its square and what that takes off for each query, key and unit; then the product with G."""
    rows, units = node.shape
    each = rows * units * node.args[1].shape[0]
    return Count(multiply_adds=each, exponentials=each, elementwise=3 * each + rows * units)


@operations.register
def _(node: nodes.AdditiveGain) -> Count:
    """A sum and a tanh for each query, key and unit; then the product with G."""
    each = node.shape[0] * node.args[0].shape[0] * node.args[1].shape[0]
    return Count(multiply_adds=each, exponentials=each, elementwise=each)


@operations.register
def _(node: nodes.TokenLosses) -> Count:
    """Softmax without its divisions, a logarithm and a difference for each row."""
    rows, columns = node.args[0].shape
    each = rows * columns
    return Count(exponentials=each + rows, elementwise=each + 2 * rows * (columns - 1) + 2 * rows)


@operations.register
def _(node: nodes.SolveLower) -> Count:
    """Each row less the product of those before it with what stands below the diagonal."""
    rows, columns = node.shape
    return Count(multiply_adds=columns * rows * (rows - 1) / 2)


@operations.register(nodes.BucketSums | nodes.RowBucketSums)
def _(node: Any) -> Count:
    """Each number is added once."""
    return Count(elementwise=_entries(node.args[0]))


@operations.register
def _(node: nodes.RotatedBack) -> Count:
    """Each number of a pair takes two products and a sum."""
    return Count(elementwise=3 * node.shape[0] * nodes.RotaryEmbedding(*node.args).turning)
