"""How wrong a computed step may be: forward error bounds, derived step by step, proven for any order of the sums.

Each matrix is its exact value (to long double), a bound on the error of what is computed in its place, and the sums of
absolute values that products had. docs/error-bounds.md derives every rule. Sources: Higham 2002, sections 3.1 and 4.2;
Blanchard, Higham and Higham 2021, section 3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Lambda, S

from symattn.errors import NotSupportedError
from symattn.nodes import Keep
from symattn.values.floats.arithmetic import RISE
from symattn.values.floats.formats import FORMATS, FloatFormat
from symattn.writing.prose import Sentence

Array = NDArray[Any]
PIECE = 128  # keys after which a running maximum may have risen
BEYOND = 1.002  # for what these formulas are rounded themselves, in long double and in double
BOLD = 1e10  # exponentials without a shift have sums between this and its inverse


@dataclass(frozen=True)
class Arithmetic:
    """How a calculation is rounded: u of each operation and of sums, what vanishes, what overflows.

    `function` bounds the relative error of exp and log; a maximum may rise with every `piece` of keys; a logit takes
    `bases` roundings more where it is turned to another base. `lost` is the most that underflow takes of a number,
    `lost_power` of an exponential beside the largest of its row.
    """

    u: float
    sums: float
    function: float
    lost: float
    lost_power: float
    largest: float
    piece: int = 0
    bases: int = 0
    algorithm: str = "shifted"
    cast: tuple[float, float] = (0, 0)  # u of exponentials that are cast before they meet values, and what it takes
    product: Arithmetic | None = None  # of all else than softmax, where that is another

    def rises(self, count: int) -> int:
        """How often a running maximum of so many numbers may rise after the first piece of them."""
        return -(-count // self.piece) - 1 if self.piece else 0


def of_kernels(form: FloatFormat) -> Arithmetic:
    """What holds for every style of lowered functions: NumPy's exp to 4 units in the last place, which it is tested to,
    exponentials with or without a shift, in base e or 2, maxima that rise, numbers below the normal ones flushed or
    not.
    """
    u, tiny = 2.0**-form.precision, 2.0**form.lowest
    return Arithmetic(u, u, 8 * u, tiny, tiny * BOLD, form.largest, PIECE, bases=3)


def of_format(form: FloatFormat, algorithm: str = "shifted", accumulate: FloatFormat | None = None) -> Arithmetic:
    """What holds for `FloatNumbers`: every operation and function rounded to the nearest number of the format."""
    u, half = 2.0**-form.precision, float(form.smallest / 2)
    if algorithm == "p-cast" and form.precision < 24:  # in float32 but for one cast
        u, half, cast = 2.0**-24, float(FORMATS["float32"].smallest / 2), (u, half)
        made = Arithmetic(u, u, u, half, half, form.largest, algorithm=algorithm)
        return replace(made, cast=cast, product=of_format(form, accumulate=accumulate))
    sums = u if accumulate is None else min(u, 2.0**-accumulate.precision)
    return Arithmetic(u, sums, u, half, half, form.largest, int(algorithm in ("online", "lazy")), algorithm=algorithm)


@dataclass(frozen=True)
class Bounded:
    """A matrix with leading axes: exact values, bounds of errors, sums of absolute values, and what is hidden."""

    values: Array
    errors: Array
    mass: Array
    hidden: Array

    @property
    def shape(self) -> tuple[int, int]:
        """The rows and columns."""
        return self.values.shape[-2], self.values.shape[-1]

    @property
    def size(self) -> Array:
        """The most that a computed entry may be in absolute value."""
        made: Array = np.abs(self.values) + self.errors
        return made


def exactly(values: Array) -> Bounded:
    """Numbers that the format holds."""
    wide = np.asarray(values, np.longdouble)
    return Bounded(np.where(np.isneginf(wide), 0, wide), np.zeros(wide.shape), np.abs(wide), np.isneginf(wide))


def _long(x: Expr) -> Any:
    """An exact number as a long double."""
    return (
        -np.inf
        if x is S.NegativeInfinity
        else np.longdouble(int(x))
        if x.is_Integer
        else np.longdouble(str(x.evalf(25)))
    )


class BoundNumbers:
    """The operations of the nodes on values with bounds of their errors."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.of, self.softly = arithmetic.product or arithmetic, arithmetic

    def roundings(self, count: int, u: float | None = None) -> float:
        """(1 + u)^count − 1: what so many roundings may change, relative to a product or a sum of absolute values."""
        return float(np.expm1(count * np.log1p(self.of.u if u is None else u)))

    def made(self, values: Array, errors: Array, mass: Array | None = None, hidden: Array | None = None) -> Bounded:
        """A matrix; where it may overflow nothing is known of it."""
        errors = np.where(np.abs(values) + errors < self.of.largest, errors, np.inf)
        mass = np.abs(values) if mass is None else mass
        return Bounded(values, errors, mass, np.zeros(values.shape, bool) if hidden is None else hidden)

    def given(self, rows: Sequence[Sequence[Expr]]) -> Bounded:
        made = exactly(np.array([[_long(x) for x in row] for row in rows]))
        return replace(made, errors=self.of.u * made.mass + self.of.lost)

    def transpose(self, a: Bounded) -> Bounded:
        return Bounded(*(x.swapaxes(-1, -2) for x in (a.values, a.errors, a.mass, a.hidden)))

    def matmul(self, a: Bounded, b: Bounded) -> Bounded:
        """|ÂB̂ − AB| <= |δA||B̂| + |A||δB|, and f(k) |Â||B̂| for k roundings of each term, in any order."""
        k = a.shape[1]
        x, y = a.size.astype(float), b.size.astype(float)
        with np.errstate(all="ignore"):
            mass = x @ y
        # in kernels a row of weights is divided before or after, and shrinks by an exponential as its maximum rises
        rises = self.of.rises(k) if self.of.bases else 0
        count = k + (2 if self.of.bases else 0) + rises * (1 + math.ceil(self.of.function / self.of.u))
        with np.errstate(all="ignore"):
            errors = a.errors.astype(float) @ y + np.abs(a.values).astype(float) @ b.errors.astype(float)
            errors = errors + self.roundings(count, self.of.sums) * mass
            errors = errors + k * self.of.lost * (1 + self.roundings(count)) * (1 + y.max(axis=-2, keepdims=True))
            if self.of.sums < self.of.u:
                errors = (1 + self.of.u) * errors + self.of.u * mass + self.of.lost
            values = np.asarray(a.values @ b.values)
        return self.made(values, np.where(mass < self.of.largest, errors, np.inf), mass)

    def add(self, a: Bounded, b: Bounded) -> Bounded:
        mass = a.mass + b.mass
        errors = a.errors + b.errors + self.roundings(1 + self.of.bases) * (mass + a.errors + b.errors)
        return self.made(a.values + b.values, errors, mass, a.hidden | b.hidden)

    def scale(self, a: Bounded, factor: Expr) -> Bounded:
        """The factor has two roundings, and meets the sums of absolute values, since it may be put into a query."""
        number = np.longdouble(str(factor.evalf(25)))
        size = float(abs(number))
        errors = size * (a.errors + self.roundings(3 + self.of.bases) * (a.mass + a.errors)) + self.of.lost * (1 + size)
        return self.made(a.values * number, errors, a.mass * size, a.hidden)

    def add_row(self, a: Bounded, row: Bounded) -> Bounded:
        return self.add(a, Bounded(*np.broadcast_arrays(row.values, row.errors, row.mass, row.hidden)))

    def subtract_column(self, a: Bounded, column: Bounded) -> Bounded:
        return replace(self.add(a, replace(column, values=-column.values)), hidden=a.hidden)

    def times(self, a: Bounded, b: Bounded) -> Bounded:
        errors = a.errors * b.size + np.abs(a.values) * b.errors + self.of.u * a.size * b.size + self.of.lost
        return self.made(a.values * b.values, errors, None, a.hidden)

    def divide_rows(self, a: Bounded, column: Bounded) -> Bounded:
        with np.errstate(all="ignore"):
            values = a.values / column.values
            least = np.abs(column.values) - column.errors
            errors = (a.errors + np.abs(values) * column.errors) / np.where(least > 0, least, 0)
            errors = errors + self.of.u * (np.abs(values) + errors) + self.of.lost
        return self.made(values, np.where(least > 0, errors, np.inf), None, a.hidden)

    def exp(self, a: Bounded) -> Bounded:
        values = np.where(a.hidden, 0, np.exp(a.values))
        with np.errstate(all="ignore"):
            grown = np.expm1(a.errors + np.log1p(self.of.function))
            errors = np.where(a.hidden, 0, values * grown + self.of.lost_power)
        return self.made(values, errors)

    def tanh(self, a: Bounded) -> Bounded:
        """The slope is at most 1; loops that take it of exponentials of base 2 have 12 roundings of numbers up to 1."""
        return self.made(np.tanh(a.values), np.minimum(2, a.errors + 12 * self.of.u + self.of.lost), None, a.hidden)

    def row_sum(self, a: Bounded) -> Bounded:
        mass = a.size.sum(axis=-1, keepdims=True)
        errors = a.errors.sum(axis=-1, keepdims=True) + self.roundings(a.shape[1], self.of.sums) * mass
        return self.made(a.values.sum(axis=-1, keepdims=True), errors + self.of.u * mass + self.of.lost, mass)

    def row_max(self, a: Bounded) -> Bounded:
        top = np.where(a.hidden, -np.inf, a.values).max(axis=-1, keepdims=True)
        return self.made(top, np.where(a.hidden, 0, a.errors).max(axis=-1, keepdims=True))

    def keep(self, mask: Bounded) -> Keep:
        return lambda i, j: bool(mask.values[..., i, j] == 1)

    def hide(self, a: Bounded, keep: Keep) -> Bounded:
        rows, columns = a.shape
        out = np.array([[not keep(i, j) for j in range(columns)] for i in range(rows)])
        return replace(a, hidden=a.hidden | out)

    def concat(self, parts: Sequence[Bounded]) -> Bounded:
        pieces = [[getattr(p, name) for p in parts] for name in ("values", "errors", "mass", "hidden")]
        return Bounded(*(np.concatenate(x, axis=-1) for x in pieces))

    def each(self, a: Bounded, formula: Lambda) -> Bounded:
        raise NotSupportedError(Sentence("no_bound"))

    def keep_largest(self, a: Bounded, count: int) -> Bounded:
        raise NotSupportedError(Sentence("no_bound"))  # an error may change which numbers are the largest

    def threshold(self, a: Bounded, power: int) -> Bounded:
        raise NotSupportedError(Sentence("no_bound"))

    def block(self, a: Bounded, rows: range, columns: range) -> Bounded:
        at = (..., slice(rows.start, rows.stop), slice(columns.start, columns.stop))
        return Bounded(a.values[at], a.errors[at], a.mass[at], a.hidden[at])

    def empty_rows(self, a: Bounded) -> list[int]:
        hidden = np.asarray(a.hidden.all(axis=-1))
        return [int(i) for i in np.flatnonzero(hidden.reshape(-1, a.shape[0]).all(axis=0))]

    def fill_rows(self, a: Bounded, rows: Sequence[int], value: Expr) -> Bounded:
        if not rows:
            return a
        parts = [x.copy() for x in (a.values, a.errors, a.mass, a.hidden)]
        for part, filled in zip(parts, (float(value), self.of.lost, abs(float(value)), False), strict=True):
            part[..., list(rows), :] = filled
        return Bounded(*parts)

    def softmax(self, a: Bounded) -> Bounded:
        """|δa_j| <= a_j (Γ M exp(e_j) − 1) + what underflow takes, with M = Σ_k a_k exp(e_k).

        e_j bounds the error of an exponent: that of the logit, and the rounding of its distance from the maximum; Γ has
        the roundings of the exponentials, of the sum and of the division. Without a division the logarithm of the sum
        is rounded, and its sum with the maximum, and the distance from it.
        """
        of, shown = self.softly, ~a.hidden
        with np.errstate(all="ignore"):
            top = np.where(shown, a.values, -np.inf).max(axis=-1, keepdims=True)
            powers = np.where(shown, np.exp(a.values - top), 0)
            total = powers.sum(axis=-1, keepdims=True)
            weights = powers / total
            worst = np.where(shown, a.errors, 0).max(axis=-1, keepdims=True)
            e = a.errors + of.bases * of.u * (a.mass + a.errors)
            if of.algorithm != "naive":
                e = e + of.u * (top - a.values + a.errors + worst) * (1 + of.u)
            if (
                of.algorithm == "lazy"
            ):  # what is taken off may be RISE below the maximum, and the exponent as far beyond 0
                e = e + of.u * 2 * RISE * (1 + of.u)
            e = np.where(shown, e, 0).astype(float)
            count, rises = a.shape[1], of.rises(a.shape[1])
            grown = (weights * np.exp(e)).sum(axis=-1, keepdims=True)  # M
            summed = np.log(grown) - (1 + rises) * np.log1p(-of.function) - (count + rises) * np.log1p(-of.sums)
            lost = of.lost_power / total * (np.exp(-top) if of.algorithm == "naive" else 1)
            gone = count * lost * np.exp(summed)  # of the sum, by underflow, at most
            summed = summed - np.log1p(-np.minimum(gone, 0.5))
            if of.algorithm == "division-free":
                least = np.log(total) + summed  # |ln of the sum|, at most
                e = e + summed + of.function * least + of.lost + of.u * (np.abs(top) + worst + least) * (1 + of.u) ** 2
                e = e + of.u * (top - a.values + a.errors + worst + 2 * least) * (1 + of.u) ** 2
                factor, lost = np.expm1(e + np.log1p(of.function)), of.lost_power
            else:
                factor = np.expm1(e + summed - np.log1p(-of.function) - 2 * np.log1p(-of.u))
            errors = weights * factor + lost * (1 + factor) + of.lost
            errors = errors * (1 + of.cast[0]) + of.cast[0] * weights + of.cast[1] / total * (1 + factor)
            if of.algorithm not in ("division-free", "lazy"):  # no weight is beyond the sum that it is part of
                most = np.maximum(weights, 1 - weights) + self.roundings(count + 2 * rises + 2)
                errors = np.minimum(errors, most)
            sound = np.isfinite(worst) & (count < of.largest) & (gone < 0.5)
            if of.algorithm == "lazy":
                sound = sound & (count * math.exp(RISE) * (1 + self.roundings(2)) < of.largest)
            if of.algorithm == "naive":
                sound = sound & (np.exp(np.abs(top) + worst) * count < of.largest)
            errors = np.where(shown, np.where(sound, errors, np.inf), 0)
        return self.made(weights, errors.astype(float) * BEYOND)


def bound_of_half(form: FloatFormat, result: Bounded) -> Array:
    """What is left to add where a result in float32 is rounded to 16 bits."""
    made: Array = result.errors + 2.0**-form.precision * result.size + float(Fraction(form.smallest) / 2)
    return np.where(result.size + made < float(Fraction(form.largest)), made, np.inf)


def arithmetic_of(name: str) -> Arithmetic:
    """That of a lowered function for numbers of a type: 16 bits are computed in float32."""
    return of_kernels(FORMATS["float32" if name in ("float16", "bfloat16") else name])
