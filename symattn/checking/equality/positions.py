"""What depends on relative positions, as sums: a bucket of distances is a difference of steps, 1 from a distance on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symattn.checking.equality.entries import Entries, entry_of, opaque
from symattn.checking.equality.indices import Index, constant
from symattn.checking.equality.terms import Sum
from symattn.nodes import (
    AtBuckets,
    BucketSums,
    DistanceBuckets,
    RelativeAttention,
    RelativeBias,
    RowBucketSums,
    TurnedBuckets,
)

FIRST = constant(0)
MOST_BUCKETS = 12


@entry_of.register
def _(e: RelativeAttention, i: Index, j: Index, known: Entries) -> Sum:
    """Weights times values, and by buckets times those of positions."""
    A, V, algebra = e.weights(e.scores()), e.values(), known.algebra
    of_keys = known.total(V.shape[0], lambda k: algebra.multiply(known.at(A, i, k), known.at(V, k, j)))
    if "values" not in e.of_positions:
        return of_keys
    return algebra.add(of_keys, known.at(RowBucketSums(A, e.buckets) * e.of_positions["values"], i, j))


@entry_of.register
def _(e: AtBuckets, i: Index, j: Index, known: Entries) -> Sum:
    """P_ib, b the bucket of (i, j)."""
    if not _has_steps(e.buckets):
        return opaque(e, i, j, known)
    return _chosen(e.buckets, i, j, lambda b: known.at(e.args[0], i, constant(b)), known)


@entry_of.register
def _(e: RelativeBias, i: Index, j: Index, known: Entries) -> Sum:
    """t_b, b the bucket of (i, j)."""
    if not _has_steps(e.buckets):
        return opaque(e, i, j, known)
    return _chosen(e.buckets, i, j, lambda b: known.at(e.args[0], constant(b), FIRST), known)


@entry_of.register
def _(e: RowBucketSums, i: Index, j: Index, known: Entries) -> Sum:
    """Σ_t A_it over the (i, t) of bucket j."""
    if not _has_steps(e.buckets):
        return opaque(e, i, j, known)

    def of_bucket(b: int) -> Sum:
        return known.total(e.args[0].shape[1], lambda t: _within(e, b, i, t, known))

    return _of_buckets(e, j, of_bucket, known)


@entry_of.register
def _(e: BucketSums, i: Index, j: Index, known: Entries) -> Sum:
    """Σ_st G_st over the (s, t) of bucket i."""
    if not _has_steps(e.buckets):
        return opaque(e, i, j, known)
    rows, columns = e.args[0].shape

    def of_bucket(b: int) -> Sum:
        return known.total(rows, lambda s: known.total(columns, lambda t: _within(e, b, s, t, known)))

    return _of_buckets(e, i, of_bucket, known)


def _has_steps(buckets: Any) -> bool:
    """Whether a bucket is a range of distances, and there are few."""
    plain = buckets.args[0] if isinstance(buckets, TurnedBuckets) else buckets
    return isinstance(plain, DistanceBuckets) and plain.count <= MOST_BUCKETS


def _chosen(buckets: Any, i: Index, j: Index, number: Callable[[int], Sum], known: Entries) -> Sum:
    """number(b), b the bucket of (i, j): that of the least distances, and what each step changes."""
    if isinstance(buckets, TurnedBuckets):
        buckets, i, j = buckets.args[0], j, i
    algebra, (before, *steps) = known.algebra, buckets.ranges
    at, total = i.plus(known.index(buckets.args[2])), number(before[1])
    for (_, last), (start, bucket) in zip([before, *steps], steps, strict=False):
        change = algebra.subtract(number(bucket), number(last))
        total = algebra.add(total, algebra.multiply(change, known.at_most(j.shifted(start), at)))
    return total


def _within(e: Any, bucket: int, i: Index, j: Index, known: Entries) -> Sum:
    """Entry (i, j) of the operand where that is its bucket, else 0."""
    algebra = known.algebra
    own = _chosen(e.buckets, i, j, lambda b: algebra.one if b == bucket else algebra.zero, known)
    return algebra.multiply(own, known.at(e.args[0], i, j))


def _of_buckets(e: Any, place: Index, of_bucket: Callable[[int], Sum], known: Entries) -> Sum:
    """The sum of the bucket that an index is."""
    algebra = known.algebra
    terms = (algebra.multiply(algebra.delta(place, constant(b)), of_bucket(b)) for b in range(e.buckets.count))
    return algebra.add(*terms)
