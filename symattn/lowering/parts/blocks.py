"""Attention by blocks of rows: of the scores of a head only 128 rows exist at a time; what is hidden is skipped."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from symattn.lowering.parts.pool import count_threads, run_threads

Array = np.ndarray[Any, np.dtype[Any]]

ROWS = 128  # a block of scores then stays in the second-level cache
TOGETHER = 1 << 14  # heads are taken together while their scores are no more numbers than this
CALM = 20.0  # exp(±20) neither overflows nor vanishes: scores below it need no shift


class Logits(NamedTuple):
    """What becomes of the product of queries and keys before the softmax, and of rows that see nothing.

    Scores times `scale` are altered in place by `change(block, head, rows, columns)`; query i sees the keys from
    i - left to i + right. A row that sees nothing is `empty`, None for the mean of the values.
    """

    scale: float
    change: Callable[[Array, Any, slice, slice], None] | None = None
    left: int | None = None
    right: int | None = None
    empty: float | None = 0.0

    @property
    def hides(self) -> bool:
        """Whether a row may see nothing."""
        return self.change is not None or self.left is not None or self.right is not None

    def columns(self, rows: slice, m: int) -> slice:
        """The keys that some query of a block sees."""
        start = 0 if self.left is None else min(max(0, rows.start - self.left), m)
        stop = m if self.right is None else max(start, min(m, rows.stop + self.right))
        return slice(start, stop)

    def finish(self, S: Array, head: Any, rows: slice, columns: slice) -> None:
        """Scaled scores of a block to logits, in place."""
        if self.change is not None:
            self.change(S, head, rows, columns)
        b = rows.stop - rows.start
        if self.right is not None:
            beyond = rows.start + self.right + 1  # the first key that the first row does not see
            first = max(beyond, columns.start)
            if first < columns.stop:
                S[..., first - columns.start :] += corner(S.dtype, True)[:b, first - beyond : columns.stop - beyond]
        if self.left is not None:
            before = rows.start - self.left  # the first key that the first row sees
            last = min(rows.stop - 1 - self.left, columns.stop)
            if last > columns.start:
                S[..., : last - columns.start] += corner(S.dtype, False)[:b, columns.start - before : last - before]


@cache
def corner(dtype: Any, upper: bool) -> Array:
    """-inf for the keys beyond the last one seen, or before the first, where rows and keys count alike; else 0."""
    whole = np.full((ROWS, ROWS), -np.inf, dtype)
    return np.triu(whole) if upper else np.tril(whole, -1)


def attend(
    Q: Array, K: Array, V: Array, logits: Logits, lead: tuple[int, ...], *, logs: bool, threads: int | None
) -> tuple[Array, Array | None]:
    """softmax(logits of Q Kᵀ) V without the matrix of scores, and the logarithms of its row sums if asked for.

    `lead` are the leading axes of the result. Source: Dao et al. 2022, without its blocks of keys.
    """
    if threads is not None and threads < 1:
        raise ValueError(f"threads is {threads}, expected at least 1")
    n, m = Q.shape[-2], K.shape[-2]
    outer, size = len(lead), min(n, ROWS) * m
    while outer and size * lead[outer - 1] <= TOGETHER:  # the axes from `outer` on are taken together
        outer -= 1
        size *= lead[outer]
    Q, K, V = (x if x.shape[:-2] == lead else np.broadcast_to(x, lead + x.shape[-2:]) for x in (Q, K, V))
    out = np.empty((*lead, n, V.shape[-1]), Q.dtype)
    L = np.empty((*lead, n, 1), Q.dtype) if logs else None
    if not outer and n <= ROWS:
        attend_at_once(Q, K, V, out, L, logits)
        return out, L
    workers = count_threads(threads, math.prod(lead) * n * m * (Q.shape[-1] + V.shape[-1]))
    pieces = -(-workers // max(1, math.prod(lead[:outer]))) if workers > 1 else 1
    step = -(-n // (pieces * ROWS)) * ROWS
    heads = product(*map(range, lead[:outer]))
    tasks = iter([(head, range(i, min(i + step, n), ROWS)) for head in heads for i in range(0, n, step)])

    def work() -> None:
        scratch = np.empty(size, Q.dtype)
        for head, starts in tasks:
            log = None if L is None else L[head]
            attend_rows(Q[head], K[head], V[head], out[head], log, logits, head, starts, scratch)

    run_threads(work, workers)
    return out, L


def attend_at_once(Q: Array, K: Array, V: Array, out: Array, L: Array | None, logits: Logits) -> None:
    """Heads that are small enough to be taken whole, all together."""
    S = np.matmul(Q * logits.scale, K.swapaxes(-1, -2))
    if logits.hides:
        logits.finish(S, (), slice(0, S.shape[-2]), slice(0, S.shape[-1]))
    top = None
    if not np.vdot(S, S) < CALM * CALM:
        top = largest(S)
        S -= top
    np.exp(S, out=S)
    total = np.add.reduce(S, axis=-1, keepdims=True)
    np.matmul(S, V, out=out)
    divide(out, L, total, top, V, logits)


def attend_rows(
    Q: Array,
    K: Array,
    V: Array,
    out: Array,
    L: Array | None,
    logits: Logits,
    head: tuple[int, ...],
    starts: range,
    scratch: Array,
) -> None:
    """The blocks of rows that begin at `starts`, of one head or of a few that are taken together."""
    lead, d, m = Q.shape[:-2], Q.shape[-1], K.shape[-2]
    rows_of_all = math.prod(lead) * min(ROWS, starts.stop)
    calm = logits.change is None and longest(Q) * longest(K) * abs(logits.scale) <= CALM
    scaled, sums = np.empty(rows_of_all * d, Q.dtype), np.empty(rows_of_all, Q.dtype)
    ones = np.ones((m, 1), Q.dtype)
    for start in starts:
        rows = slice(start, min(start + ROWS, starts.stop))
        columns = logits.columns(rows, m)
        b, w = rows.stop - rows.start, columns.stop - columns.start
        count = math.prod(lead) * b
        q, S = scaled[: count * d].reshape(*lead, b, d), scratch[: count * w].reshape(*lead, b, w)
        np.multiply(Q[..., rows, :], logits.scale, out=q)
        np.matmul(q, K[..., columns, :].swapaxes(-1, -2), out=S)
        logits.finish(S, head, rows, columns)
        top = None
        if not calm:
            top = largest(S)
            S -= top
        np.exp(S, out=S)
        total = np.matmul(S, ones[columns], out=sums[:count].reshape(*lead, b, 1))
        np.matmul(S, V[..., columns, :], out=out[..., rows, :])
        divide(out[..., rows, :], None if L is None else L[..., rows, :], total, top, V, logits)


def largest(S: Array) -> Array:
    """The largest score of each row; a finite number for a row that sees nothing."""
    return np.maximum.reduce(S, axis=-1, keepdims=True, initial=np.finfo(S.dtype).min)


def longest(X: Array) -> float:
    """The length of the longest row; not finite where an entry is not, or is too large to be squared."""
    return math.sqrt(np.einsum("...ij,...ij->...i", X, X).max())


def divide(out: Array, L: Array | None, total: Array, top: Array | None, V: Array, logits: Logits) -> None:
    """Rows by their sums, last, since `out` has fewer columns than the weights; and the logarithms of the sums."""
    if L is not None:
        with np.errstate(divide="ignore"):
            np.log(total, out=L)
        if top is not None:
            L += top
    if logits.hides and not total.all():
        nothing = total == 0
        total[nothing] = 1
        np.copyto(out, V.mean(axis=-2, keepdims=True) if logits.empty is None else logits.empty, where=nothing)
    out /= total
