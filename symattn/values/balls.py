"""Enclosures: every step in Arb balls, which are proven to contain the true value.

What is exact stays exact as long as it can (products of rationals and roots), so that balls begin at the exponentials;
this is also what makes them fast. The precision is in bits and local: flint's own context is restored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

import flint
import sympy
from flint import arb, arb_mat, fmpq
from sympy import QQ, Expr, S

from symattn.errors import InputError, NotSupportedError
from symattn.nodes import Keep
from symattn.prose import Sentence
from symattn.values.exact import ExactNumbers
from symattn.values.surds import SurdMatrix


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Arb works with `bits` bits inside, and as before afterwards."""
    with flint.ctx.workprec(bits):
        yield


@dataclass(frozen=True)
class Balls:
    """A matrix as balls; `exact` holds it in closed form while there is one. Entries in `hidden` are −∞."""

    shape: tuple[int, int]
    exact: SurdMatrix | None
    rows_of_balls: tuple[tuple[arb, ...], ...] | None = None
    hidden: frozenset[tuple[int, int]] = frozenset()

    @property
    def rows(self) -> tuple[tuple[arb, ...], ...]:
        return self._rows_of_surds if self.rows_of_balls is None else self.rows_of_balls

    @cached_property
    def _rows_of_surds(self) -> tuple[tuple[arb, ...], ...]:
        assert self.exact is not None
        return _surd_balls(self.exact)

    @cached_property
    def matrix(self) -> arb_mat:
        return arb_mat([list(row) for row in self.rows])


class BallNumbers:
    """The operations of the nodes on balls, at the precision in force."""

    def __init__(self) -> None:
        self.closed = ExactNumbers()

    def given(self, rows: Sequence[Sequence[Expr]]) -> Balls:
        exact = SurdMatrix.read(rows)
        if exact is not None:
            return Balls(exact.shape, exact, hidden=exact.hidden)
        balls = tuple(tuple(enclose(x) for x in row) for row in rows)
        hidden = frozenset((i, j) for i, row in enumerate(rows) for j, x in enumerate(row) if x is S.NegativeInfinity)
        return Balls((len(rows), len(rows[0])), None, balls, hidden)

    def _closed(self, operation: str, *operands: object) -> Balls | None:
        """The operation in closed form, if every operand has one and the result does."""
        exact = [x.exact if isinstance(x, Balls) else x for x in operands]
        if any(x is None for x in exact):
            return None
        result = getattr(self.closed, operation)(*exact)
        return Balls(result.shape, result, hidden=result.hidden) if isinstance(result, SurdMatrix) else None

    def transpose(self, a: Balls) -> Balls:
        turned = tuple(zip(*a.rows, strict=True)) if a.exact is None else None
        exact = a.exact.transpose() if a.exact is not None else None
        return Balls(a.shape[::-1], exact, turned, frozenset((j, i) for i, j in a.hidden))

    def matmul(self, a: Balls, b: Balls) -> Balls:
        return self._closed("matmul", a, b) or _from_matrix(a.matrix * b.matrix)

    def add(self, a: Balls, b: Balls) -> Balls:
        return self._closed("add", a, b) or _from_matrix(a.matrix + b.matrix, a.hidden | b.hidden)

    def scale(self, a: Balls, factor: Expr) -> Balls:
        return self._closed("scale", a, factor) or _from_matrix(a.matrix * enclose(factor), a.hidden)

    def add_row(self, a: Balls, row: Balls) -> Balls:
        return self._closed("add_row", a, row) or _each(a, lambda x, _, j: x + row.rows[0][j])

    def subtract_column(self, a: Balls, column: Balls) -> Balls:
        return self._closed("subtract_column", a, column) or _each(a, lambda x, i, _: x - column.rows[i][0])

    def divide_rows(self, a: Balls, column: Balls) -> Balls:
        return _each(a, lambda x, i, _: x / column.rows[i][0])

    def exp(self, a: Balls) -> Balls:
        if a.exact is not None:
            return _exponentials(a.exact)
        rows = tuple(
            tuple(arb(0) if (i, j) in a.hidden else x.exp() for j, x in enumerate(row)) for i, row in enumerate(a.rows)
        )
        return Balls(a.shape, None, rows)

    def tanh(self, a: Balls) -> Balls:
        return _each(a, lambda x, _i, _j: x.tanh())

    def row_sum(self, a: Balls) -> Balls:
        return self._closed("row_sum", a) or Balls((a.shape[0], 1), None, tuple((sum(row, arb(0)),) for row in a.rows))

    def row_max(self, a: Balls) -> Balls:
        closed = self._closed("row_max", a)
        if closed is not None:
            return closed
        return Balls((a.shape[0], 1), None, tuple((_largest(a, i),) for i in range(a.shape[0])))

    def hide(self, a: Balls, keep: Keep) -> Balls:
        rows, columns = a.shape
        more = frozenset((i, j) for i in range(rows) for j in range(columns) if not keep(i, j))
        exact = a.exact.hide(keep) if a.exact is not None else None
        return Balls(a.shape, exact, a.rows_of_balls, a.hidden | more)

    def keep(self, mask: Balls) -> Keep:
        if mask.exact is None:
            raise InputError(Sentence("mask_entries"))
        return self.closed.keep(mask.exact)

    def softmax(self, a: Balls) -> Balls:
        if a.exact is not None:
            shifted = self.closed.subtract_column(a.exact, self.closed.row_max(a.exact))
            assert isinstance(shifted, SurdMatrix)
            powers = _exponentials(shifted).rows
        else:
            # any number may be subtracted from a row; a midpoint is exact and keeps exp in range
            tops = [_largest(a, i).mid() for i in range(a.shape[0])]
            powers = self.exp(_each(a, lambda x, i, _: x - tops[i])).rows
        rows = []
        for row in powers:
            total = 1 / sum(row, arb(0))
            rows.append(tuple(e * total for e in row))
        return Balls(a.shape, None, tuple(rows))

    def concat(self, parts: Sequence[Balls]) -> Balls:
        if len(parts) == 1:
            return parts[0]
        rows = tuple(tuple(x for p in parts for x in p.rows[i]) for i in range(parts[0].shape[0]))
        hidden, left = set(), 0
        for part in parts:
            hidden |= {(i, left + j) for i, j in part.hidden}
            left += part.shape[1]
        return Balls((len(rows), left), None, rows, frozenset(hidden))


def _each(a: Balls, change: Callable[[arb, int, int], arb]) -> Balls:
    rows = tuple(tuple(change(x, i, j) for j, x in enumerate(row)) for i, row in enumerate(a.rows))
    return Balls(a.shape, None, rows, a.hidden)


def _from_matrix(matrix: arb_mat, hidden: frozenset[tuple[int, int]] = frozenset()) -> Balls:
    shape = (matrix.nrows(), matrix.ncols())
    return Balls(shape, None, tuple(tuple(row) for row in matrix.tolist()), hidden)


def _largest(a: Balls, i: int) -> arb:
    shown = [x for j, x in enumerate(a.rows[i]) if (i, j) not in a.hidden]
    if not shown:
        raise InputError(Sentence("empty_row", row=i + 1))
    top = shown[0]
    for x in shown[1:]:
        top = top.max(x)
    return top


def _rational(c: object) -> fmpq:
    return c if isinstance(c, fmpq) else fmpq(int(QQ.numer(c)), int(QQ.denom(c)))


def _surd_balls(a: SurdMatrix) -> tuple[tuple[arb, ...], ...]:
    if not a.tables:
        return tuple((arb(0),) * a.shape[1] for _ in range(a.shape[0]))
    roots = {r: arb(r).sqrt() for r in a.tables}
    if len(a.tables) == 1:
        ((r, table),) = a.tables.items()
        if r == 1:
            return tuple(tuple(arb(_rational(c)) for c in row) for row in table)
        return tuple(tuple(arb(_rational(c)) * roots[r] for c in row) for row in table)
    return tuple(
        tuple(sum((arb(_rational(t[i][j])) * roots[r] for r, t in a.tables.items()), arb(0)) for j in range(a.shape[1]))
        for i in range(a.shape[0])
    )


def _exponentials(a: SurdMatrix) -> Balls:
    """e to each entry: only the distinct ones are computed."""
    if len(a.tables) == 1:
        ((r, table),) = a.tables.items()
        root = arb(r).sqrt()
        powers = {c: (arb(_rational(c)) * root).exp() for row in table for c in row}
        rows = tuple(tuple(powers[c] for c in row) for row in table)
    else:
        rows = tuple(tuple(x.exp() for x in row) for row in _surd_balls(a))
    if a.hidden:
        rows = tuple(
            tuple(arb(0) if (i, j) in a.hidden else x for j, x in enumerate(row)) for i, row in enumerate(rows)
        )
    return Balls(a.shape, None, rows)


_FUNCTIONS: Mapping[type, Callable[[arb], arb]] = {
    sympy.exp: lambda x: x.exp(),
    sympy.log: lambda x: x.log(),
    sympy.tanh: lambda x: x.tanh(),
    sympy.cos: lambda x: x.cos(),
    sympy.sin: lambda x: x.sin(),
}


def enclose(value: Expr) -> arb:
    """A ball around an exact real number, at the precision in force (0 stands in for −∞, which is hidden)."""
    if value.is_Rational:
        return arb(fmpq(int(value.p), int(value.q)))
    if value is S.NegativeInfinity:
        return arb(0)
    if value is S.Pi:
        return arb.pi()
    if value is S.Exp1:
        return arb.const_e()
    if value.is_Add:
        return sum((enclose(a) for a in value.args), arb(0))
    if value.is_Mul:
        product = arb(1)
        for a in value.args:
            product *= enclose(a)
        return product
    if value.is_Pow:
        base, exponent = value.args
        if exponent.is_Integer:
            return enclose(base) ** int(exponent)
        return enclose(base).sqrt() if exponent == sympy.Rational(1, 2) else enclose(base) ** enclose(exponent)
    if type(value) in _FUNCTIONS:
        return _FUNCTIONS[type(value)](enclose(value.args[0]))
    raise NotSupportedError(Sentence("no_enclosure", given=str(value)[:60]))
