"""What the sides of theorems are worth in floating point: NumPy for matrices, plain sums for indexed numbers.

Written from the definitions alone, so that it can say whether a check of `symattn.identities` was right.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import sympy
from sympy import KroneckerDelta, MatrixSymbol, Sum
from sympy.matrices.expressions import MatMul, MatPow, Transpose

from symattn import nodes
from symattn.checking.theorems.gradients import Gradient
from symattn.checking.theorems.sums import Mean


def matrix_worth(e, point, sizes):
    """The value of a matrix expression: `point` has arrays by the names of matrices."""

    def of(x):
        return matrix_worth(x, point, sizes)

    def size(x):
        return float(sympy.sympify(x).xreplace(sizes))

    match e:
        case MatrixSymbol():
            return point[e.name]
        case sympy.ZeroMatrix() | sympy.OneMatrix():
            return np.full([int(size(x)) for x in e.shape], float(isinstance(e, sympy.OneMatrix)))
        case MatMul():
            factor, matrices = e.as_coeff_matrices()
            return size(factor) * chained([of(x) for x in matrices])
        case MatPow():
            return np.linalg.matrix_power(of(e.base), int(size(e.exp)))
        case Transpose():
            return of(e.arg).T
        case nodes.Plus():
            return sum(of(x) for x in e.args)
        case nodes.Scaled():
            return size(e.factor) * of(e.args[0])
        case Gradient():
            return slopes(e.args[0], e.args[1], point, sizes)
        case nodes.ScaleRows() | nodes.ScaleColumns():
            return of(e.args[0]) * of(e.args[1])
        case nodes.RowNorm():
            X = of(e.args[0])
            return np.sqrt((X**2).mean(axis=1, keepdims=True) + size(e.args[2]))
        case nodes.Mapped():
            (z,) = e.args[1].variables
            return sympy.lambdify(z, e.args[1].expr, "numpy")(of(e.args[0]))
        case nodes.Where():
            X = of(e.args[0])
            return np.where(seen(e.args[1], X.shape, of), X, 0)
        case nodes.Penalised():
            X = of(e.args[0])
            return np.where(seen(e.args[1], X.shape, of), X, X + size(e.args[2]))
        case nodes.RotaryEmbedding():
            return turned(of(e.args[0]), e.pairs, size(e.args[3]))
        case nodes.HeadColumns():
            whole, number, count = of(e.args[0]), int(size(e.args[1])), int(size(e.args[2]))
            return np.split(whole, count, axis=1)[number - 1]
        case nodes.Hadamard():
            return of(e.args[0]) * of(e.args[1])
        case nodes.Softmax():
            powers = np.exp(of(e.args[0]) - of(e.args[0]).max())
            return powers / powers.sum(axis=1, keepdims=True)
        case nodes.Exponential():
            return np.exp(of(e.args[0]))
        case nodes.RowSum():
            return of(e.args[0]).sum(axis=1, keepdims=True)
        case nodes.ColumnSum():
            return of(e.args[0]).sum(axis=0, keepdims=True)
        case nodes.DivideRows():
            return of(e.args[0]) / of(e.args[1])
        case nodes.SubtractColumn():
            return of(e.args[0]) - of(e.args[1])
        case nodes.AddRow():
            return of(e.args[0]) + of(e.args[1])
        case nodes.Diagonal():
            return np.diag(of(e.args[0]).ravel())
        case nodes.Concat() | nodes.Stack():
            return np.concatenate([of(x) for x in e.args], axis=1 if isinstance(e, nodes.Concat) else 0)
        case nodes.Block():
            top, height, left, width = (int(size(x)) for x in e.args[1:])
            return of(e.args[0])[top : top + height, left : left + width]
        case nodes.Masked():
            scores = of(e.args[0])
            return np.where(seen(e.args[1], scores.shape, of), scores, -np.inf)
        case nodes.ConcatHeads() | nodes.SumHeads():
            body, letter, count = e.args
            heads = [matrix_worth(nodes.at(body, letter, k + 1), point, sizes) for k in range(int(size(count)))]
            return np.concatenate(heads, axis=1) if isinstance(e, nodes.ConcatHeads) else sum(heads)
        case nodes.HeadRows():
            whole, number, count = of(e.args[0]), int(size(e.args[1])), int(size(e.args[2]))
            return np.split(whole, count)[number - 1]
    raise TypeError(type(e))


def seen(mask, shape, of):
    """Which entries a mask keeps."""
    if isinstance(mask, nodes.KeepMask | nodes.HideMask):
        return (of(mask.args[0]) != 0) == isinstance(mask, nodes.KeepMask)
    return np.tri(*shape, k=int(mask.args[0]), dtype=bool)


def turned(X, pairs, first):
    """Row i by the angles (first + i) 10000^(−2k/d), as complex numbers."""
    rows, width = X.shape
    half = width // 2
    places = np.arange(width).reshape(half, 2) if pairs == "interleaved" else np.arange(width).reshape(2, half).T
    angles = (first + np.arange(rows))[:, None] * 10000.0 ** (-2 * np.arange(half) / width)
    made = (X[:, places[:, 0]] + 1j * X[:, places[:, 1]]) * np.exp(1j * angles)
    result = np.empty((rows, width))
    result[:, places[:, 0]], result[:, places[:, 1]] = made.real, made.imag
    return result


def slopes(loss, symbol, point, sizes):
    """∂L/∂X entry by entry, by a step into the imaginary direction: exact to the last digits."""
    value = point[symbol.name]
    found = np.zeros(value.shape)
    for place in np.ndindex(value.shape):
        moved = value.astype(complex)
        moved[place] += 1e-30j
        found[place] = matrix_worth(loss, point | {symbol.name: moved}, sizes).item().imag / 1e-30
    return found


def chained(matrices):
    """The product; only the sizes of what is given may fit, since NumPy would broadcast."""
    product = matrices[0]
    for matrix in matrices[1:]:
        product = product @ matrix
    return product


def scalar_worth(e, point, counts):
    """The value of a formula in indexed numbers: `point` has arrays by name, counted from 1."""

    def of(x, more=None):
        return scalar_worth(x, point, counts | (more or {}))

    match e:
        case sympy.Symbol():
            return counts[e]
        case sympy.Indexed() if e.base.name == "a":
            weights = np.exp(point["z"])
            return weights[int(of(e.indices[0])) - 1] / weights.sum()
        case sympy.Indexed():
            return point[e.base.name][int(of(e.indices[0])) - 1]
        case Sum():
            *within, (letter, _, count) = e.limits
            term = Sum(e.function, *within) if within else e.function
            return sum(of(term, {letter: k}) for k in range(1, int(of(count)) + 1))
        case KroneckerDelta():
            return float(of(e.args[0]) == of(e.args[1]))
        case sympy.Derivative():
            step, at = 1e-6, int(of(e.variables[0].indices[0])) - 1
            sides = []
            for move in (step, -step):
                moved = point["z"].copy()
                moved[at] += move
                sides.append(scalar_worth(e.expr, point | {"z": moved}, counts))
            return (sides[0] - sides[1]) / (2 * step)
        case Mean():
            return expected(e.args[0], counts)
        case sympy.exp():
            return math.exp(of(e.args[0]))
        case sympy.Abs():
            return abs(of(e.args[0]))
        case sympy.Add():
            return sum(of(x) for x in e.args)
        case sympy.Mul():
            return math.prod(of(x) for x in e.args)
        case sympy.Pow():
            return of(e.base) ** of(e.exp)
    return float(e)


def expected(inside, counts):
    """The mean over every way to choose each q_i and k_i from −1 and 1: independent, of mean 0 and variance 1."""
    width = max(int(v) for v in counts.values())
    found = [
        scalar_worth(inside, {"q": signs[:width], "k": signs[width:]}, counts)
        for signs in itertools.product((-1, 1), repeat=2 * width)
    ]
    return sum(found) / len(found)
