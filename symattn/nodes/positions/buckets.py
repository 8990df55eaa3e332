"""Which number of a table a query and a key take, by how far apart they stand."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from sympy import Basic, Expr, Integer, Max, Min, Piecewise, S, Tuple

from symattn.errors import InputError
from symattn.nodes.node import as_number
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy

MOST_BUCKETS = 10_000


class Buckets(Basic):  # type: ignore[misc]
    """Which number of a table a query and a key take."""

    @property
    def count(self) -> int:
        """How many numbers there are."""
        raise NotImplementedError

    def of(self, i: int, j: int) -> int:
        """The bucket of query i and key j, all counted from 0."""
        raise NotImplementedError

    def chosen(self, i: Any, j: Any, number: Callable[[Any], Expr]) -> Expr:
        """The number of the bucket of letters i and j."""
        raise NotImplementedError

    @property
    def mirrored(self) -> Any:
        """The buckets of a key towards a query: places change sides, so that the bucket of (j, i) is asked for."""
        return self


class DistanceBuckets(Buckets):
    """Buckets of r = i + offset − j: bucket b begins at the distance starts_b, bucket 0 has those before the first.

    With `both`, keys ahead of the query have as many buckets again, by −r; without it r may be negative, and so may
    the starts. Raises InputError for starts that are no whole numbers in order, with `both` from 1 on.

    >>> [DistanceBuckets((1, 3)).of(i, 0) for i in range(5)], DistanceBuckets((1, 3), both=True).of(0, 2)
    ([0, 1, 1, 2, 2], 4)
    """

    def __new__(cls, starts: Any, both: Any = False, offset: Any = 0) -> Any:
        known: list[Any] = [as_number(x) for x in starts] if isinstance(starts, Collection | Tuple) else []
        if both not in (True, False):
            raise InputError(Sentence("not_true_or_false", name="both"))
        good = 0 < len(known) <= MOST_BUCKETS and all(x is not None and x.is_Integer for x in known)
        if not good or known != sorted(known) or (both and known[0] < 1):
            raise InputError(Sentence("bad_buckets", given=str(starts)[:60]))
        first = as_number(offset)
        if first is None or first.is_integer is False:
            raise InputError(Sentence("not_an_integer", name="offset"))
        return super().__new__(cls, Tuple(*known), as_sympy(bool(both)), first)

    @property
    def both(self) -> bool:
        return bool(self.args[1])

    @property
    def count(self) -> int:
        return (len(self.args[0]) + 1) * (2 if self.both else 1)

    @property
    def ranges(self) -> list[tuple[Any, int]]:
        """The distances from which on a bucket holds, in order, with the bucket; the first has all before the next."""
        starts = self.args[0]
        behind = [(s, b) for b, s in enumerate(starts, 1)]
        if not self.both:
            return [(S.NegativeInfinity, 0), *behind]
        half, ahead = len(starts) + 1, [(1 - s, b) for b, s in enumerate(starts)]
        ahead = [(start, half + b) for start, b in reversed(ahead)]
        return [(S.NegativeInfinity, half + len(starts)), *ahead, (S.Zero, 0), *behind]

    @property
    def clips(self) -> bool:
        """Whether every distance from one before the first start to the last has a bucket of its own."""
        starts = self.args[0]
        return not self.both and len(starts) > 1 and starts[-1] - starts[0] == len(starts) - 1

    @property
    def mirrored(self) -> Any:
        return self.func(*self.args[:2], -self.args[2])

    def of(self, i: int, j: int) -> int:
        starts, r = self.args[0], int(i + self.args[2] - j)
        ahead = self.both and r < 0
        return sum(1 for s in starts if s <= (-r if ahead else r)) + (len(starts) + 1 if ahead else 0)

    def chosen(self, i: Any, j: Any, number: Callable[[Any], Expr]) -> Expr:
        starts, r = self.args[0], i + self.args[2] - j
        if self.clips:
            return number(Max(Min(r, starts[-1]), starts[0] - 1) - starts[0] + 1)
        behind = [(number(b), r < s) for b, s in enumerate(starts)]
        half = len(starts) + 1
        ahead = [(number(half + len(starts) - k), r <= -s) for k, s in enumerate(reversed(starts))] if self.both else []
        ahead += [(number(half), r < 0)] if self.both else []
        return Piecewise(*ahead, *behind, (number(len(starts)), True))


class GridBuckets(Buckets):
    """Buckets of tokens that stand in rows of a window: one for each pair of distances, down and across.

    Token i stands at y = i // width, x = i % width; b = (y_i − y_j + height − 1)(2 width − 1) + x_i − x_j + width − 1.
    With an `axis` there is a bucket for each distance down (0) or across (1) alone: b = y_i − y_j + height − 1 or
    x_i − x_j + width − 1. Raises InputError for sizes that are no whole numbers from 1 on, or another axis. Sources:
    Liu et al. 2021 (Swin), section 3.2; Li et al. 2022 (MViTv2), section 3.2, for an axis.

    >>> GridBuckets(1, 2).of(0, 1), GridBuckets(2, 2).count, GridBuckets(2, 3, axis=0).count
    (0, 9, 3)
    """

    def __new__(cls, height: Any, width: Any, axis: Any = None) -> Any:
        sides = [x for x in map(as_number, (height, width)) if x is not None and x.is_Integer and x > 0]
        if len(sides) < 2 or sides[0] * sides[1] > MOST_BUCKETS:
            raise InputError(Sentence("bad_window", given=f"{height} × {width}"[:60]))
        if axis not in (None, 0, 1) or isinstance(axis, bool):
            raise InputError(Sentence("bad_window_axis", given=str(axis)[:40]))
        return super().__new__(cls, *sides, *(() if axis is None else (Integer(axis),)))

    @property
    def axis(self) -> int | None:
        """The axis that is looked at alone."""
        return int(self.args[2]) if len(self.args) > 2 else None

    @property
    def count(self) -> int:
        counts = [2 * int(side) - 1 for side in self.args[:2]]
        return counts[0] * counts[1] if self.axis is None else counts[self.axis]

    def of(self, i: int, j: int) -> int:
        return int(self._number(i, j))

    def chosen(self, i: Any, j: Any, number: Callable[[Any], Expr]) -> Expr:
        return number(self._number(i, j))

    def _number(self, i: Any, j: Any) -> Any:
        height, width = self.args[:2]
        down, across = i // width - j // width + height - 1, i % width - j % width + width - 1
        return down * (2 * width - 1) + across if self.axis is None else (down, across)[self.axis]


def t5_buckets(count: Any, distance: Any = 128, *, both: bool = True, offset: Any = 0) -> Any:
    """T5's buckets: half of them for one distance each, the others for ranges that grow up to `distance`.

    With h buckets for one direction (half of all for `both`) and e = h // 2: b = r for r < e, else
    min(h − 1, e + ⌊(h − e) ln(r/e)/ln(distance/e)⌋), found in whole numbers. Without `both` keys ahead have bucket 0.
    Raises InputError for too few or too many buckets, or a distance that is not above e. Source: Raffel et al. 2020,
    section 2.1, and their program.

    >>> t5_buckets(32).args[0]
    (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91)
    """
    known: list[Any] = [as_number(x) for x in (count, distance)]
    if any(x is None or not x.is_Integer for x in known):
        raise InputError(Sentence("bad_t5_buckets", count=str(count)[:40], distance=str(distance)[:40]))
    count, distance = map(int, known)
    half = count // 2 if both else count
    e = half // 2
    if not 0 < e < distance or count > MOST_BUCKETS or (both and count % 2) or distance > MOST_BUCKETS:
        raise InputError(Sentence("bad_t5_buckets", count=count, distance=distance))
    starts, c = list(range(1, e + 1)), half - e
    bound = e**c  # distance^s e^(c − s), to be reached by r^c: ln(r/e)/ln(distance/e) >= s/c
    for s in range(1, c):
        bound = bound * distance // e
        r = max(starts[-1], int(e * (distance / e) ** (s / c)))  # about where
        while r > starts[-1] and (r - 1) ** c >= bound:
            r -= 1
        while r**c < bound:
            r += 1
        starts.append(r)
    return DistanceBuckets(starts, both, offset)


class TurnedBuckets(Buckets):
    """Buckets of the distance from query to key: the bucket of (i, j) is what others call that of (j, i).

    Shaw et al. 2018 count so, by j − i: TurnedBuckets(clipped_buckets(2 k + 1)).

    >>> TurnedBuckets(DistanceBuckets((1, 3))).of(0, 2), TurnedBuckets(TurnedBuckets(GridBuckets(2, 2)))
    (1, GridBuckets(2, 2))
    """

    def __new__(cls, buckets: Any) -> Any:
        if not isinstance(buckets, Buckets):
            raise InputError(Sentence("bad_buckets", given=str(buckets)[:60]))
        return buckets.args[0] if isinstance(buckets, TurnedBuckets) else super().__new__(cls, buckets)

    @property
    def count(self) -> int:
        return int(self.args[0].count)

    @property
    def mirrored(self) -> Any:
        return self.func(self.args[0].mirrored)

    def of(self, i: int, j: int) -> int:
        return int(self.args[0].of(j, i))

    def chosen(self, i: Any, j: Any, number: Callable[[Any], Expr]) -> Expr:
        made: Expr = self.args[0].chosen(j, i, number)
        return made


def clipped_buckets(count: Any, offset: Any = 0) -> Any:
    """One bucket for each distance r = i + offset − j near 0, those at the ends for all beyond: r + ⌊count/2⌋, clipped.

    Of 2 k + 1 buckets −k ≤ r ≤ k, of 2 k buckets −k ≤ r < k. Raises InputError for fewer than 3. Sources: Shaw et al.
    2018, section 3.2, who count by −r (TurnedBuckets); He et al. 2021 (DeBERTa), equation 3.

    >>> [clipped_buckets(5).of(i, 3) for i in range(8)]
    [0, 0, 1, 2, 3, 4, 4, 4]
    """
    count = _count(count)
    return DistanceBuckets(range(1 - count // 2, count - count // 2), False, offset)


def log_buckets(count: Any, distance: Any = 512, offset: Any = 0) -> Any:
    """DeBERTa's buckets: of each sign count/4 distances have their own, others ranges that grow up to `distance`.

    With s = count/2 and h = s/2 the place of r = i + offset − j is r for |r| ≤ h, else ± (h + ⌈(h − 1) ln(|r|/h) /
    ln((distance − 1)/h)⌉); places from −s to s − 1 are buckets, those beyond them stand at the ends. It is found in
    whole numbers. Raises InputError for a count that is no multiple of 4 from 8 on, or a distance that is not above
    h + 1. Source: He et al. 2021 and the program of DeBERTa-v2, make_log_bucket_position.

    >>> [log_buckets(8, 16).of(r, 0) for r in (-99, -3, -1, 0, 1, 2, 3, 15, 16)]
    [0, 1, 3, 4, 5, 6, 7, 7, 7]
    """
    count, far = _count(count), as_number(distance)
    half, middle = count // 2, count // 4
    if count % 4 or count < 8 or far is None or not far.is_Integer or not middle + 1 < far <= MOST_BUCKETS:
        raise InputError(Sentence("bad_log_buckets", count=count, distance=str(distance)[:40]))
    least = [*range(middle + 1), *_log_starts(middle, int(far), half)]  # the first |r| of each place
    starts = [1 - r for r in reversed(least[1 : half + 1])]  # place −p ends where place 1 − p begins
    return DistanceBuckets([*starts, *least[1:half]], False, offset)


def _log_starts(middle: int, far: int, last: int) -> list[int]:
    """The first r of the places middle + 1 to last: where (h − 1) ln(r/h) / ln((far − 1)/h) exceeds 0, 1, 2, ..."""
    starts, c, r = [], middle - 1, middle + 1
    for s in range(last - middle):  # r^c h^s > h^c (far − 1)^s
        while r**c * middle**s <= middle**c * (far - 1) ** s:
            r += 1
        starts.append(r)
    return starts


def _count(given: Any) -> int:
    """How many buckets there are to be."""
    count = as_number(given)
    if count is None or not count.is_Integer or not 2 < count <= MOST_BUCKETS:
        raise InputError(Sentence("bad_bucket_count", given=str(given)[:40]))
    return int(count)
