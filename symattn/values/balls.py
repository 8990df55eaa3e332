"""Enclosures: every step in Arb balls, which are proven to contain the true value.

What is exact stays exact as long as it can (products of rationals and roots), so that balls begin at the exponentials;
this is also what makes them fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import flint
import sympy
from flint import arb, arb_mat, fmpq
from sympy import QQ, Expr, Lambda, S

from symattn.errors import InputError
from symattn.nodes import Keep
from symattn.values.enclosures import enclose
from symattn.values.exact.entries import makes_vast_power
from symattn.values.exact.operations import ExactNumbers
from symattn.values.exact.surd_matrices import SurdMatrix
from symattn.writing.prose import Sentence


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

    def threshold(self, a: Balls, power: int) -> Balls:
        closed = self._closed("threshold", a, power)
        if closed is not None:
            return closed
        found = tuple((_threshold(_shown(a, i), power),) for i in range(a.shape[0]))
        return Balls((a.shape[0], 1), None, found)

    def keep_largest(self, a: Balls, count: int) -> Balls:
        """Where enclosures leave open which numbers are the largest, the row is not known at this precision."""
        if (closed := self._closed("keep_largest", a, count)) is not None:
            return closed
        hidden, rows = set(a.hidden), []
        for i, row in enumerate(a.rows):
            falling = sorted((j for j in range(len(row)) if (i, j) not in a.hidden), key=lambda j: -row[j].mid())
            kept, others = falling[:count], falling[count:]
            known = all(row[j] > row[t] for j in kept for t in others)
            hidden |= {(i, j) for j in others} if known else set()
            rows.append(tuple(row) if known else tuple(arb("nan") for _ in row))
        return Balls(a.shape, None, tuple(rows), frozenset(hidden))

    def times(self, a: Balls, b: Balls) -> Balls:
        return self._closed("times", a, b) or _each(a, lambda x, i, j: x * b.rows[i][j])

    def each(self, a: Balls, formula: Lambda) -> Balls:
        closed = self._closed("each", a, formula)
        if closed is not None:
            return closed
        z, i_, j_ = formula.variables
        known = a.exact.to_sympy() if a.exact is not None else None
        hidden, rows = set(), []
        for i in range(a.shape[0]):
            row = []
            for j in range(a.shape[1]):
                x = S.NegativeInfinity if (i, j) in a.hidden else None if known is None else known[i, j]
                if x is not None and not makes_vast_power(formula, (x, i, j)):
                    value, ball = formula(x, i, j), None
                else:
                    value, ball = formula.expr.xreplace({i_: sympy.Integer(i), j_: sympy.Integer(j)}), a.rows[i][j]
                if value is S.NegativeInfinity:
                    hidden.add((i, j))
                row.append(enclose(value, {} if ball is None else {z: ball}))
            rows.append(tuple(row))
        return Balls(a.shape, None, tuple(rows), frozenset(hidden))

    def block(self, a: Balls, rows: range, columns: range) -> Balls:
        closed = self._closed("block", a, rows, columns)
        if closed is not None:
            return closed
        hidden = frozenset((i - rows.start, j - columns.start) for i, j in a.hidden if i in rows and j in columns)
        chosen = tuple(tuple(a.rows[i][j] for j in columns) for i in rows)
        return Balls((len(rows), len(columns)), None, chosen, hidden)

    def empty_rows(self, a: Balls) -> list[int]:
        return [i for i in range(a.shape[0]) if all((i, j) in a.hidden for j in range(a.shape[1]))]

    def fill_rows(self, a: Balls, rows: Sequence[int], value: Expr) -> Balls:
        if not rows:
            return a
        closed = None if value is S.NaN else self._closed("fill_rows", a, rows, value)
        if closed is not None:
            return closed
        ball = arb("nan") if value is S.NaN else enclose(value)
        filled = tuple(tuple(ball for _ in row) if i in rows else row for i, row in enumerate(a.rows))
        return Balls(a.shape, None, filled, frozenset((i, j) for i, j in a.hidden if i not in rows))

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
    return reduce(arb.max, _shown(a, i))


def _shown(a: Balls, i: int) -> list[arb]:
    """What is not −∞ in a row, which must be something."""
    shown = [x for j, x in enumerate(a.rows[i]) if (i, j) not in a.hidden]
    if not shown:
        raise InputError(Sentence("empty_row", row=i + 1))
    return shown


def _threshold(row: Sequence[arb], power: int) -> arb:
    """τ with f(τ) = Σ max(x/p − τ, 0)^p = 1: a guess by midpoints, widened until f is proven to cross 1 within it."""
    shares = [x / power for x in row]
    guess, radius = _guess(sorted((x.mid() for x in shares), reverse=True), power), max(x.rad() for x in shares)
    radius = 2 * radius + (1 + abs(guess)).mid() * arb(2) ** (4 - flint.ctx.prec)
    for _ in range(flint.ctx.prec):
        left, right = (
            sum(((x - t).max(arb(0)) ** power for x in shares), arb(0)) for t in (guess - radius, guess + radius)
        )
        if left > 1 and right < 1:
            return arb(guess.mid(), radius.mid())
        radius *= 4
    return arb(0, "inf")


def _guess(falling: Sequence[arb], power: int) -> arb:
    """The threshold of numbers that are exact, to the precision in force."""
    top, total, squares, count = falling[0], arb(0), arb(0), 0
    for k, x in enumerate(y - top for y in falling):
        if not (total - k * x if power == 1 else squares - 2 * x * total + k * x * x) < 1:
            break
        total, squares, count = total + x, squares + x * x, k + 1
    if power == 1:
        return (top + (total - 1) / count).mid()
    return (top + total / count - abs((1 - squares + total * total / count) / count).sqrt()).mid()


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
        # a rational's own hash is slow; numerator and denominator are found at once
        keys = [[(int(c.numerator), int(c.denominator)) for c in row] for row in table]
        powers = {key: (arb(fmpq(*key)) * root).exp() for key in {key for row in keys for key in row}}
        rows = tuple(tuple(powers[key] for key in row) for row in keys)
    else:
        rows = tuple(tuple(x.exp() for x in row) for row in _surd_balls(a))
    if a.hidden:
        rows = tuple(
            tuple(arb(0) if (i, j) in a.hidden else x for j, x in enumerate(row)) for i, row in enumerate(rows)
        )
    return Balls(a.shape, None, rows)


def apart(a: Balls, b: Balls) -> bool:
    """Whether an entry of two matrices is proven to differ."""
    return a.shape != b.shape or any(_apart(x, y) for x, y in _pairs(a, b))


def within(a: Balls, b: Balls, bits: int) -> bool:
    """Whether no entry of two matrices differs by 2^-bits of its size, or of 1."""
    return a.shape == b.shape and all(_within(x, y, bits) for x, y in _pairs(a, b))


def _pairs(a: Balls, b: Balls) -> Iterator[tuple[arb | None, arb | None]]:
    """Entry beside entry; None for −∞."""
    for i, (left, right) in enumerate(zip(a.rows, b.rows, strict=True)):
        for j, (x, y) in enumerate(zip(left, right, strict=True)):
            yield (None if (i, j) in a.hidden else x), (None if (i, j) in b.hidden else y)


def _apart(x: arb | None, y: arb | None) -> bool:
    if x is None or y is None:
        return x is not y and all(z is None or z.is_finite() for z in (x, y))
    return bool(x.is_finite() and y.is_finite() and not (x - y).contains(0))


def _within(x: arb | None, y: arb | None, bits: int) -> bool:
    if x is None or y is None:
        return x is y
    size = 1 + abs(x)
    return bool(x.is_finite() and y.is_finite() and abs(x - y) < size * arb(2) ** -bits)
