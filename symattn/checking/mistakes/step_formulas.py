"""A step of a derivation as the formula that an article would have for it, so that mistakes with a name are known."""

from __future__ import annotations

import math
from collections.abc import Mapping

from sympy import Expr, MatrixSymbol, Symbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.checking.mistakes.rules import integer
from symattn.nodes import Biased, Concat, Masked, Scaled, Softmax
from symattn.reading import formula as f
from symattn.values.balls import Balls

Names = Mapping[MatrixSymbol, str]


def formula_of(expression: Expr, names: Names, sizes: Mapping[Symbol, int], true: Balls) -> f.Expression | None:
    """The step's expression with its operands named, `true` being what it is worth; None where articles have no sign.

    A mask is written as the matrix of 0 and −∞ that is added.
    """
    if expression in names:
        return f.Name(names[expression])
    if not isinstance(expression, MatMul | Transpose | Softmax | Scaled | Masked | Biased | Concat):
        return None
    count = {Softmax: 1, Scaled: 1, Masked: 1}.get(type(expression), len(expression.args))
    operands = [formula_of(x, names, sizes, true) for x in expression.args[:count]]
    named = tuple(x for x in operands if x is not None)
    if len(named) < len(operands):
        return None
    match expression:
        case MatMul():
            return f.Product(named, ("",) * (len(named) - 1))
        case Transpose():
            return f.Transpose(named[0])
        case Softmax():
            return f.Call("softmax", named, options=() if expression.axis == -1 else (("axis", "0"),))
        case Scaled():
            below = _divisor(expression.factor.xreplace(dict(sizes)))
            return f.Quotient(named[0], below) if below is not None else None
        case Masked():
            return f.Sum((named[0], _mask(true)), (1, 1))
        case Biased():
            return f.Sum(named, (1, 1))
    return f.Call("concat", named)


def _divisor(factor: Expr) -> f.Expression | None:
    """√n or n for a factor 1/√n or 1/n."""
    square = 1 / factor**2
    if not square.is_Integer or not factor.is_positive:
        return None
    root = math.isqrt(int(square))
    return integer(root) if root * root == square else f.Root(integer(int(square)))


def _mask(true: Balls) -> f.Matrix:
    rows, columns = true.shape
    return f.Matrix(
        tuple(
            tuple(f.Infinity(-1) if (i, j) in true.hidden else integer(0) for j in range(columns)) for i in range(rows)
        )
    )
