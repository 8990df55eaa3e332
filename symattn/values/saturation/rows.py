"""What a row of weights says of its softmax: gap, largest weight, what is left, entropy, size of the Jacobian.

None of it comes of subtracting nearly equal numbers: what the largest weight leaves is the sum of the others, so that
it has its digits however small it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from flint import arb, fmpq
from sympy import QQ

from symattn.errors import NotSupportedError
from symattn.values.decimals import MOST_TEN, Near, Shown, nearest_significant, nearest_to_fraction
from symattn.values.enclosures import bounds, enclose, narrow, precision
from symattn.values.exact.closed_form import Form
from symattn.values.exact.forms import average_of
from symattn.values.exact.surds import ZERO, Surd
from symattn.values.floats.formats import FloatFormat
from symattn.values.valuation import FIRST_BITS, Valuation
from symattn.writing.prose import Sentence

MOST_BITS_APART = 1 << 12  # two weights that agree to so many bits must be the same by their form
Row = Sequence[arb]


@dataclass(frozen=True)
class WeightsRow:
    """Row i (from 0) of the weights `name`, every figure to `digits` significant digits, each proven."""

    values: Valuation
    name: str
    i: int
    digits: int = 15

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.values, self.name, self.i, self.digits)  # without what has been found

    def to(self, digits: int) -> WeightsRow:
        """The same row, its figures to another number of digits."""
        if digits == self.digits:
            return self
        row = WeightsRow(self.values, self.name, self.i, digits)
        vars(row).update(order=self.order, shown=self.shown, rationals=self.rationals)
        return row

    @property
    def _weights(self) -> Form:
        return self.values.exact[self.name]

    @property
    def columns(self) -> int:
        return self._weights.shape[1]

    @property
    def undefined(self) -> bool:
        """Whether the row is no row of numbers, as one without keys may be asked to be."""
        return any(self._weights.undefined(self.i, j) for j in range(self.columns))

    @cached_property
    def shown(self) -> list[int]:
        """The columns whose weight is not 0 by a mask."""
        if self._logits is not None:
            return list(self._logits)
        return [j for j in range(self.columns) if self._weights.closed(self.i, j) != ZERO]

    @cached_property
    def rationals(self) -> list[Fraction] | None:
        """The weights where all are rational, as those of equal scores are."""
        if self._logits is not None and len(set(self._logits.values())) > 1:
            return None  # exponentials of different scores are independent
        surds = [self._weights.closed(self.i, j) for j in range(self.columns)]
        rationals = [s.fraction for s in surds if s is not None]
        known = [x for x in rationals if x is not None]
        return known if len(known) == self.columns else None

    # --- the two largest

    @cached_property
    def order(self) -> tuple[int, int | None]:
        """The columns of the largest weight and of the next, the first of equal ones."""
        top = self._largest(self.shown)
        others = [j for j in self.shown if j != top]
        return top, self._largest(others) if others else None

    @property
    def top(self) -> int:
        """The column of the largest weight, the first if there are several."""
        return self.order[0]

    def _largest(self, among: Sequence[int]) -> int:
        logits = self._logits
        if logits is None:
            return self._largest_enclosed(among)
        if len({r for j in among for r, _ in logits[j].terms}) <= 1:  # one radicand: the coefficients decide
            return max(among, key=lambda j: logits[j].terms[0][1] if logits[j].terms else QQ(0))
        best = among[0]
        for j in among[1:]:
            if logits[j].minus(logits[best]).sign() > 0:
                best = j
        return best

    @cached_property
    def _logits(self) -> dict[int, Surd] | None:
        """What softmax was taken of, where it is known in closed form."""
        value = average_of(self._weights)
        if value is None or value.right is not None or self.i in value.filled:
            return None
        return {j: x for j, x in enumerate(value.logits.row(self.i)) if x is not None}

    def _largest_enclosed(self, among: Sequence[int]) -> int:
        bits = FIRST_BITS
        while bits <= MOST_BITS_APART:
            row = self._balls(bits)
            best = max(among, key=lambda j: float(row[j].mid()))
            near = [j for j in among if not row[j] < row[best]]
            if len({str(self._weights.entry(self.i, j)) for j in near}) == 1:
                return near[0]
            bits *= 2
        raise NotSupportedError(Sentence("undecided", row=self.i + 1, column=among[0] + 1), place=self.name)

    # --- the figures

    @cached_property
    def gap(self) -> Decimal:
        """The largest score less the next, as softmax sees them: ln(a₁/a₂); infinite where only one key is seen."""
        first, second = self.order
        if second is None:
            return Decimal("Infinity")
        if self._logits is not None:
            apart = self._logits[first].minus(self._logits[second])
            if apart.fraction is not None:
                return self._nearest(apart.fraction)
            return self._decided(lambda _: enclose(apart.to_sympy()))
        if self._same(first, second):
            return Decimal(0)
        return self._decided(lambda row: (row[first] / row[second]).log())

    def _same(self, j: int, k: int) -> bool:
        return bool(self._weights.entry(self.i, j) == self._weights.entry(self.i, k))

    @cached_property
    def largest(self) -> Decimal:
        if self.rationals is not None:
            return self._nearest(max(self.rationals))
        return self._decided(lambda row: row[self.top])

    @cached_property
    def rest(self) -> Decimal:
        """1 less the largest weight: for softmax the sum of the others, with a sink more than that."""
        if self.rationals is not None:
            return self._nearest(1 - max(self.rationals))
        return self._decided(self._rest)

    @property
    def rest_at_most(self) -> Decimal:
        """The rest; where a Decimal cannot hold it, as with e^(−10¹⁸), a power of ten above it."""
        if self.rationals is None:
            with precision(FIRST_BITS):
                power = (self._rest(self._balls(FIRST_BITS)).abs_upper().log() / arb(10).log()).abs_lower()
            if power >= MOST_TEN:
                return Decimal((0, (1,), -MOST_TEN))
        return self.rest

    @cached_property
    def entropy(self) -> Decimal:
        """−Σ a ln a, in nats; the largest weight's own part as −a ln(1 − rest)."""
        return self._decided(self._entropy) if self.rest else Decimal(0)

    @cached_property
    def jacobian_norm(self) -> Decimal:
        """‖diag(a) − aaᵀ‖∞, its largest sum of absolute values along a row: 2 max a(1 − a) for weights of sum 1."""
        if self.rationals is not None:
            total = sum(self.rationals)
            return self._nearest(max(a * (1 - a) + a * (total - a) for a in self.rationals))
        return self._decided(self._jacobian)

    @cached_property
    def places(self) -> int | None:
        """How many decimal places tell the row from one-hot: the fewest with rest >= ½·10^−places. None where it is."""
        if self.rest == 0:
            return None
        row, digits = self, self.digits
        while digits < 120:
            if _twice(row.rest)[0].strip("0") != "1":
                break
            digits *= 2
            row = self.to(digits)
        return max(0, -_twice(row.rest)[1])

    @property
    def relative_logs(self) -> list[float]:
        """ln(a_j / a_max) of all other weights that are shown, as floats: good enough to draw."""
        row, top = self._balls(FIRST_BITS), self.top
        with precision(FIRST_BITS):
            return [float((row[j] / row[top]).log().mid()) for j in self.shown if j != top]

    def shown_weight(self, j: int, places: int = 2) -> Shown | Near:
        """Weight j as a reader wants it."""
        weight = self.values.shown(self.name, self.i, j, places=places)
        assert weight is not None
        return weight

    def may_be_one(self, form: FloatFormat) -> bool:
        """Whether the largest weight may round to 1; where not, nothing more need be asked."""
        rest = sum((float(x.mid()) for j, x in enumerate(self._balls(FIRST_BITS)) if j != self.top), 0.0)
        return rest < 2.0**-form.precision  # twice what rounds to 1

    def rounded(self, form: FloatFormat) -> tuple[float, ...]:
        """Each weight rounded once to a format."""
        return tuple(self.values.rounded(self.name, self.i, j, form) for j in range(self.columns))

    def ulps(self, form: FloatFormat, computed: Sequence[float]) -> tuple[Decimal | None, ...]:
        """How far each computed weight is from the true one, in units of the last place of the true one; None for nan.

        Two significant digits; 0 for what differs from a true value by less than the enclosure can tell.
        """
        row = self._balls(2 * FIRST_BITS)
        found: list[Decimal | None] = []
        for x, true in zip(computed, row, strict=True):
            if x != x or abs(x) == float("inf"):
                found.append(None)
                continue
            with precision(2 * FIRST_BITS):
                unit = form.ulp(float(true.mid()))
                apart = abs(arb(x) - true) / arb(fmpq(unit.numerator, unit.denominator))
                found.append(nearest_significant(bounds(apart), 2) or Decimal(0))
        return tuple(found)

    def _rest(self, row: Row) -> arb:
        return self._others(row) if self._logits is not None else 1 - row[self.top]

    def _others(self, row: Row) -> arb:
        top = self.top
        return sum((row[j] for j in self.shown if j != top), arb(0))

    def _entropy(self, row: Row) -> arb:
        top = self.top
        small = sum((row[j] * row[j].log() for j in self.shown if j != top), arb(0))
        return -small - row[top] * (-self._rest(row)).log1p()

    def _jacobian(self, row: Row) -> arb:
        top = self.top
        others = self._others(row)
        most = row[top] * (self._rest(row) + others)
        for j in self.shown:
            if j != top:
                most = most.max(row[j] * (1 - row[j] + others + row[top] - row[j]))
        return most

    def _nearest(self, x: Fraction | int) -> Decimal:
        x = Fraction(x)
        return Decimal(x.numerator) if x.denominator == 1 else nearest_to_fraction(x, digits=self.digits)

    def _balls(self, bits: int) -> Row:
        return self.values.balls(self.name, bits).rows[self.i]

    def _decided(self, make: Callable[[Row], arb]) -> Decimal:
        bits = -(-(FIRST_BITS + 4 * self.digits) // 64) * 64  # few precisions, each computed once
        nearest = partial(nearest_significant, digits=self.digits)
        found = narrow(lambda working: make(self._balls(working)), nearest, bits)
        if found is None:
            least = bounds(make(self._balls(bits)))
            tiny = max(abs(least.low), abs(least.high)).bit_length() + least.exponent < -4 * MOST_TEN
            reason = Sentence("scores_too_far_apart", row=self.i + 1)
            undecided = Sentence("undecided", row=self.i + 1, column=self.top + 1)
            raise NotSupportedError(reason if tiny else undecided, place=self.name)
        return found


def _twice(x: Decimal) -> tuple[str, int]:
    """The digits of 2x, and the power of ten of the first: Decimal's own products end at 10^−1000000."""
    _, digits, exponent = x.as_tuple()
    text = str(2 * int("".join(map(str, digits))))
    return text, len(text) - 1 + int(exponent)
