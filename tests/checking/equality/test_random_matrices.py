"""Entries of random expressions as the normal form has them for every size, against NumPy at one size.

All sizes are n or 2, the number of heads too, so that an index taken for another one of the same range shows.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from sympy import HadamardProduct, Integer, MatAdd, MatMul, MatrixExpr, MatrixSymbol, Symbol, Transpose

from symattn.checking.equality import positions, rules
from symattn.checking.equality.entries import Entries
from symattn.checking.equality.indices import Axes, Cut
from symattn.checking.equality.normal_form import NormalForms
from symattn.checking.equality.terms import Budget
from symattn.nodes import HEAD, CausalMask, ConcatHeads, Exponential, Scaled, ScaleRows, Softmax, SumHeads, Where
from tests.checking.equality.counting import World

pytestmark = pytest.mark.slow

assert rules and positions  # which say what the entries of nodes are

n, TWO, SIZE = Symbol("n", integer=True, positive=True), Integer(2), 3
MEMBERS = range(1, SIZE + 1)


@dataclass
class Drawn:
    """An expression, and what it is worth in each member of a family."""

    e: MatrixExpr
    worth: Callable[[int], np.ndarray]


class Draw:
    """Random expressions and the arrays of their letters."""

    def __init__(self, seed: int) -> None:
        self.random, self.arrays = random.Random(seed), dict[str, np.ndarray]()

    def leaf(self, shape, member=False, letter=None):
        rows, columns = (int(size.subs(n, SIZE)) for size in shape)
        name = (letter or self.random.choice("AB")) + "".join(str(size).replace("*", "") for size in shape)
        name += "^(i)" * member
        if name not in self.arrays:
            size = (SIZE + 1, rows, columns) if member else (rows, columns)
            self.arrays[name] = np.random.default_rng(len(self.arrays)).uniform(0.3, 1.2, size)
        array = self.arrays[name]
        return Drawn(MatrixSymbol(name, *shape), lambda i: array[i] if member else array)

    def matrix(self, shape, depth, member=False):
        if not depth:
            return self.leaf(shape, member and self.random.random() < 0.7)
        kinds = ["product", "sum", "entries", "transpose", "softmax", "rows", "exponential"]
        kinds += ["number"] if member else ["heads", "beside"]
        kinds += ["causal"] if shape == (n, n) else []
        return getattr(self, self.random.choice(kinds))(
            shape, lambda s, inside=member: self.matrix(s, depth - 1, inside)
        )

    def product(self, shape, of):
        inner = self.random.choice((n, n, TWO))
        a, b = of((shape[0], inner)), of((inner, shape[1]))
        return Drawn(MatMul(a.e, b.e), lambda i: a.worth(i) @ b.worth(i))

    def sum(self, shape, of):
        a, b = of(shape), of(shape)
        return Drawn(MatAdd(a.e, b.e), lambda i: a.worth(i) + b.worth(i))

    def entries(self, shape, of):
        a, b = of(shape), of(shape)
        return Drawn(HadamardProduct(a.e, b.e), lambda i: a.worth(i) * b.worth(i))

    def transpose(self, shape, of):
        a = of(shape[::-1])
        return Drawn(Transpose(a.e), lambda i: a.worth(i).T)

    def softmax(self, shape, of):
        a = of(shape)

        def worth(i):
            powers = np.exp(a.worth(i))
            return powers / powers.sum(axis=1, keepdims=True)

        return Drawn(Softmax(a.e), worth)

    def rows(self, shape, of):
        a, b = of(shape), of((shape[0], Integer(1)))
        return Drawn(ScaleRows(a.e, b.e), lambda i: a.worth(i) * b.worth(i))

    def exponential(self, shape, of):
        a = of(shape)
        return Drawn(Exponential(Scaled(a.e, Integer(1) / 4)), lambda i: np.exp(a.worth(i) / 4))

    def number(self, shape, of):
        a = of(shape)
        return Drawn(Scaled(a.e, HEAD), lambda i: i * a.worth(i))

    def causal(self, shape, of):
        a = of(shape)
        return Drawn(Where(a.e, CausalMask()), lambda i: np.tril(a.worth(i)))

    def heads(self, shape, of):
        a = of(shape, True)
        return Drawn(SumHeads(a.e, HEAD, n), lambda _: sum(map(a.worth, MEMBERS)))

    def beside(self, shape, of):
        width = self.random.choice((Integer(1), TWO, n))
        a, b = of((shape[0], width), True), self.leaf((n * width, shape[1]), letter="C")
        beside = MatMul(ConcatHeads(a.e, HEAD, n), b.e)
        return Drawn(beside, lambda i: np.concatenate([a.worth(k) for k in MEMBERS], axis=1) @ b.worth(i))


def counted(e: MatrixExpr, world: World) -> np.ndarray:
    """What all entries are worth whose normal forms are made for every size."""
    algebra, axes = NormalForms(Budget(20_000, 60)), Axes()
    while True:
        try:
            known = Entries(algebra, axes, {})
            found = [(i, j, known.at(e, i, j)) for i in axes.positions(e.rows) for j in axes.positions(e.cols)]
            break
        except Cut as cut:
            axes.cut(cut)
    made = np.full((world.number(e.rows), world.number(e.cols)), np.nan)
    for i, j, total in found:
        for at in world.ranges({*i.variables, *j.variables}):
            made[world.index(i, at), world.index(j, at)] = world.worth(total, at).real
    return made


@pytest.mark.parametrize("seed", range(60))
def test_entries_for_every_size_are_worth_what_numpy_gives(seed):
    draw = Draw(seed)
    for shape in ((n, n), (n, TWO)):
        drawn = draw.matrix(shape, 2)
        assert np.allclose(counted(drawn.e, World({n: SIZE}, draw.arrays)), drawn.worth(0), rtol=1e-9), drawn.e
