"""How large the exponential polynomials of an expression can be, for the chance that a random point hides a difference.

Every entry is a fraction of two sums of exponentials, each term a polynomial times e to a polynomial. The bounds are
on the number of terms and on the degrees; `chance` makes of them what Schwartz and Zippel state for polynomials. Two
fractions that differ have a difference whose numerator is a sum of T terms with different exponents, one of them with
a coefficient p that is no zero polynomial. It is 0 at a random point only if p is (at most degree p in the number of
coordinates to choose from), or if the exponent of this term meets one of the others there (T times the degree of the
exponents in that number): exponentials of different algebraic numbers are linearly independent. What is no such
fraction, an exponential of a quotient or a largest score, has no bound and is not decided.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from sympy import Expr

from symattn.errors import NotSupportedError
from symattn.nodes import Keep
from symattn.writing.prose import Sentence

RANGE_BITS = 160  # coordinates are drawn from so many bits


@dataclass(frozen=True)
class Terms:
    """Bounds for every entry of a matrix."""

    shape: tuple[int, int]
    above: int = 1  # terms of the numerator
    below: int = 1  # terms of the denominator
    degree: int = 1  # of the coefficients of the numerator
    bottom: int = 0  # of those of the denominator
    exponent: int = 0  # degree of the exponents

    @property
    def is_polynomial(self) -> bool:
        """Whether there is nothing below the line."""
        return self.below == 1 and self.bottom == 0

    def times(self, other: Terms, shape: tuple[int, int]) -> Terms:
        return Terms(
            shape,
            self.above * other.above,
            self.below * other.below,
            self.degree + other.degree,
            self.bottom + other.bottom,
            max(self.exponent, other.exponent),
        )

    def plus(self, other: Terms) -> Terms:
        return Terms(
            self.shape,
            self.above * other.below + other.above * self.below,
            self.below * other.below,
            max(self.degree + other.bottom, other.degree + self.bottom),
            self.bottom + other.bottom,
            max(self.exponent, other.exponent),
        )

    def over(self, other: Terms) -> Terms:
        return self.times(
            replace(other, above=other.below, below=other.above, degree=other.bottom, bottom=other.degree), self.shape
        )

    def raised(self, above: int, below: int) -> Terms:
        """So many exponentials above and below the line, of entries like this one."""
        if not self.is_polynomial or self.exponent:
            raise NotSupportedError(Sentence("not_decided"))
        return Terms(self.shape, above, below, 0, 0, self.degree)

    def repeated(self, count: int, shape: tuple[int, int]) -> Terms:
        """The sum of so many entries, none of which need have the denominator of another."""
        return Terms(
            shape,
            count * self.above * self.below ** (count - 1),
            self.below**count,
            self.degree + (count - 1) * self.bottom,
            count * self.bottom,
            self.exponent,
        )


class TermNumbers:
    """The operations of the nodes on these bounds."""

    def given(self, rows: Sequence[Sequence[Expr]]) -> Terms:
        return Terms((len(rows), len(rows[0])))

    def transpose(self, a: Terms) -> Terms:
        return replace(a, shape=a.shape[::-1])

    def matmul(self, a: Terms, b: Terms) -> Terms:
        shape = (a.shape[0], b.shape[1])
        return a.times(b, shape).repeated(a.shape[1], shape)

    def add(self, a: Terms, b: Terms) -> Terms:
        return a.plus(b)

    def scale(self, a: Terms, factor: Expr) -> Terms:
        return a

    def times(self, a: Terms, b: Terms) -> Terms:
        return a.times(b, a.shape)

    def add_row(self, a: Terms, row: Terms) -> Terms:
        return a.plus(row)

    def subtract_column(self, a: Terms, column: Terms) -> Terms:
        return a.plus(column)

    def divide_rows(self, a: Terms, column: Terms) -> Terms:
        return a.over(column)

    def exp(self, a: Terms) -> Terms:
        return a.raised(1, 1)

    def tanh(self, a: Terms) -> Terms:
        return a.raised(2, 2)

    def row_sum(self, a: Terms) -> Terms:
        return a.repeated(a.shape[1], (a.shape[0], 1))

    def _undecided(self, a: Terms, *_: object) -> NoReturn:
        """Which entries are the largest, or above a threshold, differs from place to place; a mask is no polynomial."""
        raise NotSupportedError(Sentence("not_decided"))

    row_max = keep = keep_largest = threshold = each = _undecided

    def hide(self, a: Terms, keep: Keep) -> Terms:
        return a

    def softmax(self, a: Terms) -> Terms:
        return a.raised(1, a.shape[1])

    def concat(self, parts: Sequence[Terms]) -> Terms:
        return Terms(
            (parts[0].shape[0], sum(p.shape[1] for p in parts)),
            *(max(getattr(p, name) for p in parts) for name in ("above", "below", "degree", "bottom", "exponent")),
        )

    def block(self, a: Terms, rows: range, columns: range) -> Terms:
        return replace(a, shape=(len(rows), len(columns)))

    def empty_rows(self, a: Terms) -> list[int]:
        return []

    def fill_rows(self, a: Terms, rows: Sequence[int], value: Expr) -> Terms:
        return a


def chance(left: Terms, right: Terms) -> int:
    """k, where a random point hides that the two differ with a probability of at most 10^-k."""
    difference = left.plus(right)
    bad = difference.above * difference.exponent + difference.degree
    return math.floor((RANGE_BITS - math.log2(max(bad, 1))) * math.log10(2))
