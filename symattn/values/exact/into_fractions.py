"""Other closed forms as sums of fractions of exponentials."""

from __future__ import annotations

from symattn.values.exact.exponential_fractions import Entry, Exponents, Fractions, Numerator
from symattn.values.exact.forms import ExponentialRows, RowSums
from symattn.values.exact.surds import Surd, SurdMatrix, total


def as_fractions(a: object, exponents: Exponents) -> Fractions | None:
    """A matrix of closed form as sums of fractions of exponentials; None where it is none, or has −∞ in it."""
    if isinstance(a, Fractions):
        return a
    if isinstance(a, SurdMatrix) and not a.hidden:
        known = a
        return Fractions(a.shape, lambda i, j: _constant_fraction(known.entry(i, j)), exponents)
    if isinstance(a, ExponentialRows) and not a.filled:
        rows = a
        return Fractions(a.shape, lambda i, k: _fraction_of_row(rows, i, k, exponents), exponents)
    if isinstance(a, RowSums) and not any(p.filled for p in a.parts):
        sums = a
        return Fractions(
            a.shape,
            lambda i, k: exponents.added([_fraction_of_row(p, i, k, exponents) for p in sums.terms(i, k)]),
            exponents,
        )
    return None


def _constant_fraction(x: Surd | None) -> Entry:
    return {(): {(0, r): c for r, c in x.terms}} if x is not None and x.terms else {}


def _fraction_of_row(a: ExponentialRows, i: int, k: int, exponents: Exponents) -> Entry:
    above: Numerator = {}
    counts: dict[int, int] = {}
    for x, keys in a.logits.groups(i):
        number = exponents.number(x)
        counts[number] = len(keys)
        for r, c in total(a.coefficient(j, k) for j in keys).terms:
            above[number, r] = c
    if not above:
        return {}
    if not a.normalised:
        return {(): above}
    if list(counts) == [0]:  # all weights are equal
        return {(): {key: c / counts[0] for key, c in above.items()}}
    return {((exponents.denominator(counts), 1),): above}
