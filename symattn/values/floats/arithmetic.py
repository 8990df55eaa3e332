"""Steps in a floating-point format, rounded after every operation as hardware does.

Sums are taken from left to right, products are rounded before they are added (no fused multiply-add), functions are
rounded correctly. `accumulate` names a wider format for sums and products of sums, as tensor cores have; what leaves
them is rounded to the format itself. All numbers are kept as float64, which holds every format: an operation on two
numbers of a format with p <= 24 in float64, rounded to p bits, is the operation rounded once (Figueroa 1995: 53 >=
2p + 2).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from flint import arb
from numpy.typing import NDArray
from sympy import Expr, Lambda, Rational, S

from symattn.errors import InputError, NotSupportedError
from symattn.nodes import Keep, find_threshold
from symattn.values.enclosures import enclose, narrow
from symattn.values.floats.formats import FORMATS, Array, FloatFormat
from symattn.writing.prose import Sentence

ALGORITHMS = ("naive", "shifted", "division-free", "online", "lazy", "p-cast")
RISE = 8 * math.log(2)  # how far a maximum rises before what was summed is scaled anew
# NumPy documents its float64 functions to below one unit in the last place (2^−52); four are allowed for here
SURE = 2.0**-50
FLOAT32 = FORMATS["float32"]
FAR = 800.0  # e^±800 is beyond float64
MOST_BITS = 1 << 17


@dataclass(frozen=True)
class Floats:
    """A matrix of numbers of a format; entries in `hidden` are masked and take no part in softmax."""

    values: Array
    hidden: NDArray[np.bool_]

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.values.shape
        return rows, columns


class FloatNumbers:
    """The operations of the nodes in one format, softmax by one of `ALGORITHMS`."""

    def __init__(self, form: FloatFormat, algorithm: str = "shifted", accumulate: FloatFormat | None = None) -> None:
        self.form, self.algorithm = form, algorithm
        self.sums = accumulate if accumulate is not None and accumulate.precision > form.precision else form

    def given(self, rows: Sequence[Sequence[Expr]]) -> Floats:
        hidden = np.array([[x is S.NegativeInfinity for x in row] for row in rows])
        values = [[0.0 if x is S.NegativeInfinity else self.number(x) for x in row] for row in rows]
        return Floats(np.array(values), hidden)

    def number(self, x: Expr) -> float:
        """An exact number rounded to the format."""
        if x.is_Rational:
            return self.form.of(Fraction(int(x.p), int(x.q)))
        return _enclose(self.form, lambda: enclose(x))

    def transpose(self, a: Floats) -> Floats:
        return Floats(a.values.T, a.hidden.T)

    def matmul(self, a: Floats, b: Floats) -> Floats:
        _finite(a)
        _finite(b)
        total = np.zeros((a.shape[0], b.shape[1]))
        with np.errstate(all="ignore"):
            for k in range(a.shape[1]):
                product = self.sums.cast(np.outer(a.values[:, k], b.values[k]))
                total = product if k == 0 else self.sums.cast(total + product)
        return _show(self.form.cast(total))

    def add(self, a: Floats, b: Floats) -> Floats:
        return Floats(self._cast(lambda: a.values + b.values), a.hidden | b.hidden)

    def scale(self, a: Floats, factor: Expr) -> Floats:
        number = self.number(factor)
        return Floats(self._cast(lambda: a.values * number), a.hidden)

    def add_row(self, a: Floats, row: Floats) -> Floats:
        return Floats(self._cast(lambda: a.values + row.values), a.hidden | row.hidden)

    def subtract_column(self, a: Floats, column: Floats) -> Floats:
        return Floats(self._cast(lambda: a.values - column.values), a.hidden)

    def divide_rows(self, a: Floats, column: Floats) -> Floats:
        return Floats(self._cast(lambda: a.values / column.values), a.hidden)

    def exp(self, a: Floats) -> Floats:
        return _show(np.where(a.hidden, 0.0, self.function("exp", a.values)))

    def tanh(self, a: Floats) -> Floats:
        _finite(a)
        return _show(self.function("tanh", a.values))

    def row_sum(self, a: Floats) -> Floats:
        return _show(self.form.cast(self._sum(a.values)))

    def row_max(self, a: Floats) -> Floats:
        return _show(self._top(a))

    def keep(self, mask: Floats) -> Keep:
        if not np.isin(mask.values, (0.0, 1.0)).all():
            raise InputError(Sentence("mask_entries"))
        return lambda i, j: bool(mask.values[i, j] == 1)

    def hide(self, a: Floats, keep: Keep) -> Floats:
        rows, columns = a.shape
        out = np.array([[not keep(i, j) for j in range(columns)] for i in range(rows)])
        return Floats(a.values, a.hidden | out)

    def concat(self, parts: Sequence[Floats]) -> Floats:
        return Floats(np.hstack([p.values for p in parts]), np.hstack([p.hidden for p in parts]))

    def keep_largest(self, a: Floats, count: int) -> Floats:
        falling = np.argsort(np.where(a.hidden, np.inf, -a.values), axis=-1, kind="stable")
        places = np.argsort(falling, axis=-1, kind="stable")
        return Floats(a.values, a.hidden | (places >= count))

    def times(self, a: Floats, b: Floats) -> Floats:
        return Floats(self._cast(lambda: a.values * b.values), a.hidden)

    def each(self, a: Floats, formula: Lambda) -> Floats:
        """The formula is worked exactly of the number that there is, and rounded once."""
        values, hidden = a.values.copy(), a.hidden.copy()
        for i, j in np.ndindex(a.shape):
            x = float(values[i, j])
            if not a.hidden[i, j] and not math.isfinite(x):
                continue
            exact = S.NegativeInfinity if a.hidden[i, j] else Rational(*x.as_integer_ratio())
            found = formula(exact, i, j)
            hidden[i, j] = found is S.NegativeInfinity
            values[i, j] = 0.0 if hidden[i, j] else self.number(found)
        return Floats(values, hidden)

    def threshold(self, a: Floats, power: int) -> Floats:
        """Worked exactly of the numbers that there are, and rounded once; not a number where one of them is none."""
        self._top(a)
        found = np.full((a.shape[0], 1), np.nan)
        for i, (row, hidden) in enumerate(zip(a.values, a.hidden, strict=True)):
            if np.isfinite(row[~hidden]).all():
                exact = [Rational(*float(x).as_integer_ratio()) for x in row[~hidden]]
                found[i, 0] = self.number(find_threshold(exact, power).value)
        return _show(found)

    def block(self, a: Floats, rows: range, columns: range) -> Floats:
        chosen = np.ix_(rows, columns)
        return Floats(a.values[chosen], a.hidden[chosen])

    def empty_rows(self, a: Floats) -> list[int]:
        return [int(i) for i in np.flatnonzero(a.hidden.all(axis=1))]

    def fill_rows(self, a: Floats, rows: Sequence[int], value: Expr) -> Floats:
        if not rows:
            return a
        values, hidden = a.values.copy(), a.hidden.copy()
        values[list(rows)] = np.nan if value is S.NaN else self.number(value)
        hidden[list(rows)] = False
        return Floats(values, hidden)

    def softmax(self, a: Floats) -> Floats:
        """Softmax of each row by the algorithm chosen.

        naive: e^z / Σ e^z. shifted: e^(z − max) / Σ e^(z − max). division-free: e^(z − lse) with lse =
        max + ln Σ e^(z − max) (Blanchard, Higham and Higham 2021). online: maximum and sum in one pass (Milakov and
        Gimelshein 2018). lazy: the same, but what is taken off stays until a score is more than 8 ln 2 above it, so
        that exponentials are as large as 256 (FlashAttention-4). p-cast: exponentials and their sum in float32, of
        which the product with values takes those rounded to the format; they are divided in float32.
        """
        if self.algorithm == "naive":
            powers = self.exp(a).values
            self._top(a)
            return _show(self._cast(lambda: powers / self._sum(powers)))
        if self.algorithm == "p-cast" and self.form.precision < FLOAT32.precision:
            wide = FloatNumbers(FLOAT32)
            powers = wide.exp(wide._less(a, self._top(a))).values
            return _show(wide._cast(lambda: self.form.cast(powers) / wide._sum(powers)))
        if self.algorithm in ("online", "lazy"):
            top, total = self._running(a, RISE if self.algorithm == "lazy" else 0.0)
            powers = self.exp(self._less(a, top)).values
            return _show(self._cast(lambda: powers / total))
        top = self._top(a)
        powers = self.exp(self._less(a, top)).values
        if self.algorithm in ("shifted", "p-cast"):
            return _show(self._cast(lambda: powers / self._sum(powers)))
        lse = self._cast(lambda: top + self.function("log", self._sum(powers)))
        return self.exp(self._less(a, lse))

    def _running(self, a: Floats, rise: float) -> tuple[Array, Array]:
        """The maximum of each row and the sum of e^(z − maximum), both in one pass from left to right.

        A score becomes the maximum if it is above it by more than `rise`.
        """
        self._top(a)
        top, total = np.full((a.shape[0], 1), -np.inf), np.zeros((a.shape[0], 1))
        for j in range(a.shape[1]):
            z, hidden = a.values[:, j : j + 1], a.hidden[:, j : j + 1]
            with np.errstate(all="ignore"):
                new = np.where(hidden | np.isnan(top) | (self.form.cast(z - top) <= rise), top, z)
                seen = np.isneginf(top) & (total == 0)
                before = np.where(seen, 0.0, self.function("exp", self.form.cast(top - new)))
                here = np.where(hidden, 0.0, self.function("exp", self.form.cast(z - new)))
                total = np.where(hidden, total, self.sums.cast(self.sums.cast(total * before) + here))
            top = new
        return top, total

    def _less(self, a: Floats, column: Array) -> Floats:
        return Floats(self._cast(lambda: a.values - column), a.hidden)

    def _top(self, a: Floats) -> Array:
        if a.hidden.all(axis=1).any():
            raise InputError(Sentence("empty_row", row=int(a.hidden.all(axis=1).argmax()) + 1))
        top: Array = np.where(a.hidden, -np.inf, a.values).max(axis=1, keepdims=True)
        return top

    def _sum(self, values: Array) -> Array:
        total = values[:, :1]
        for j in range(1, values.shape[1]):
            with np.errstate(all="ignore"):
                total = self.sums.cast(total + values[:, j : j + 1])
        return total

    def _cast(self, operation: Callable[[], Array]) -> Array:
        with np.errstate(all="ignore"):
            return self.form.cast(operation())

    def function(self, name: str, values: Array) -> Array:
        """exp, log or tanh of each value, rounded correctly to the format.

        Where all numbers that NumPy's result may stand for round alike that is the answer; enclosures decide the rest.
        """
        with np.errstate(all="ignore"):
            near = getattr(np, name)(values)
            low, high = self.form.cast(near * (1 - SURE)), self.form.cast(near * (1 + SURE))
            found = self.form.cast(near)
        sure = (low == high) if self.form.precision < 53 else np.zeros(values.shape, bool)
        if name == "exp":
            sure |= np.abs(values) > FAR
        for at in np.argwhere(~sure & np.isfinite(values) & ~np.isneginf(near)):
            place = tuple(at)
            found[place] = self._one(name, float(values[place]))
        return np.asarray(found, dtype=np.float64)

    def _one(self, name: str, x: float) -> float:
        if (name, x) not in self._known:
            self._known[name, x] = _enclose(self.form, lambda: getattr(arb(x), name)())
        return self._known[name, x]

    @cached_property
    def _known(self) -> dict[tuple[str, float], float]:
        return {}


def _enclose(form: FloatFormat, ball: Callable[[], arb]) -> float:
    """A number rounded to a format, enclosed ever more narrowly until all of the enclosure rounds alike."""
    found = narrow(lambda _: ball(), form.nearest, 128, MOST_BITS)
    if found is None:
        raise NotSupportedError(Sentence("on_a_tie", form=form.name))
    return found


def _show(values: Array) -> Floats:
    return Floats(values, np.zeros(values.shape, bool))


def _finite(a: Floats) -> None:
    if a.hidden.any():
        i, j = np.argwhere(a.hidden)[0]
        raise InputError(Sentence("minus_infinity_here", row=int(i) + 1, column=int(j) + 1))
