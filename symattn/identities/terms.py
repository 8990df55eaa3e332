"""How large the exponential polynomials of an expression can be, for the chance that a random point hides a difference.

Every entry is a fraction of two sums of exponentials, each term a polynomial times e to a polynomial. The bounds are
on the number of terms and on the degrees; `chance` makes of them what Schwartz and Zippel state for polynomials: two
exponential polynomials that differ agree at a random point only if an exponent of a term that is left meets another
one there, or the coefficient of that term is 0 (exponentials of different rationals are linearly independent).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sympy import Expr, Lambda

from symattn.errors import NotSupportedError
from symattn.nodes import Keep
from symattn.prose import Sentence

RANGE_BITS = 160  # coordinates are drawn from so many bits


@dataclass(frozen=True)
class Terms:
    """Bounds for every entry of a matrix."""

    shape: tuple[int, int]
    above: int = 1  # terms of the numerator
    below: int = 1  # terms of the denominator
    degree: int = 1  # of the coefficients, above and below
    exponent: int = 0  # degree of the exponents

    def times(self, other: Terms, shape: tuple[int, int]) -> Terms:
        return Terms(
            shape,
            self.above * other.above,
            self.below * other.below,
            self.degree + other.degree,
            max(self.exponent, other.exponent),
        )

    def plus(self, other: Terms) -> Terms:
        return Terms(
            self.shape,
            self.above * other.below + other.above * self.below,
            self.below * other.below,
            self.degree + other.degree,
            max(self.exponent, other.exponent),
        )

    def repeated(self, count: int, shape: tuple[int, int]) -> Terms:
        """The sum of so many entries."""
        if self.below == 1:  # polynomials over 1
            return replace(self, shape=shape, above=count * self.above)
        above, below = count * self.above * self.below ** (count - 1), self.below**count
        return Terms(shape, above, below, count * self.degree, self.exponent)


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
        return a.times(replace(column, above=column.below, below=column.above), a.shape)

    def exp(self, a: Terms) -> Terms:
        return Terms(a.shape, 1, 1, 0, a.degree)

    def tanh(self, a: Terms) -> Terms:
        return Terms(a.shape, 2, 2, 0, a.degree)

    def row_sum(self, a: Terms) -> Terms:
        return a.repeated(a.shape[1], (a.shape[0], 1))

    def row_max(self, a: Terms) -> Terms:
        return replace(a, shape=(a.shape[0], 1))

    def keep(self, mask: Terms) -> Keep:
        return lambda _i, _j: True

    def hide(self, a: Terms, keep: Keep) -> Terms:
        return a

    def softmax(self, a: Terms) -> Terms:
        return Terms(a.shape, 1, a.shape[1], 0, a.degree)

    def concat(self, parts: Sequence[Terms]) -> Terms:
        return Terms(
            (parts[0].shape[0], sum(p.shape[1] for p in parts)),
            *(max(getattr(p, name) for p in parts) for name in ("above", "below", "degree", "exponent")),
        )

    def block(self, a: Terms, rows: range, columns: range) -> Terms:
        return replace(a, shape=(len(rows), len(columns)))

    def each(self, a: Terms, formula: Lambda) -> Terms:
        raise NotSupportedError(Sentence("not_decided"))

    def empty_rows(self, a: Terms) -> list[int]:
        return []

    def fill_rows(self, a: Terms, rows: Sequence[int], value: Expr) -> Terms:
        return a


def chance(left: Terms, right: Terms) -> int:
    """k, where a random point hides that the two differ with a probability of at most 10^-k."""
    difference = left.plus(right)
    bad = difference.above * difference.exponent + difference.degree
    return math.floor((RANGE_BITS - math.log2(max(bad, 1))) * math.log10(2))
