"""Attention by blocks of rows: of the scores of a head only 128 rows exist at a time; what is hidden is skipped."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from symattn.lowering.parts.checks import wider
from symattn.lowering.parts.pool import count_threads, run_threads

Array = np.ndarray[Any, np.dtype[Any]]

ROWS = 128  # a block of scores then stays in the second-level cache
TOGETHER = 1 << 14  # heads are taken together while their scores are no more numbers than this
CALM = 1e10  # sums of exponentials between this and its inverse: none overflowed, and none that counts vanished


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

    def make(self, S: Array, q: Array, k: Array, head: Any, rows: slice, columns: slice) -> None:
        """The logits of a block, from queries that are scaled already."""
        np.matmul(q, k.swapaxes(-1, -2), out=S)
        self.finish(S, head, rows, columns)

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
    size, outer = min(n, ROWS) * m, len(lead)
    while outer and size * lead[outer - 1] <= TOGETHER:  # the axes from `outer` on are taken together
        outer -= 1
        size *= lead[outer]
    if not outer and n <= ROWS and size <= TOGETHER:
        return attend_at_once(Q, K, V, logits, lead, logs)
    Q, K, V = (x if x.shape[:-2] == lead else np.broadcast_to(x, lead + x.shape[-2:]) for x in (Q, K, V))
    out = np.empty((*lead, n, V.shape[-1]), Q.dtype)
    L = np.empty((*lead, n, 1), Q.dtype) if logs else None
    workers = count_threads(threads, math.prod(lead) * n * m * (Q.shape[-1] + V.shape[-1]))
    pieces = -(-workers // max(1, math.prod(lead[:outer]))) if workers > 1 else 1
    step = -(-n // (pieces * ROWS)) * ROWS
    heads = product(*map(range, lead[:outer]))
    tasks = iter([(head, range(i, min(i + step, n), ROWS)) for head in heads for i in range(0, n, step)])

    def work() -> None:
        scratch = np.empty(size, Q.dtype)
        with np.errstate(all="ignore"):
            for head, starts in tasks:
                parts = (Q[head], K[head], V[head], out[head], None if L is None else L[head])
                if rest := attend_rows(*parts, logits, head, starts, scratch):
                    attend_widely(*parts, logits, head, rest)

    run_threads(work, workers)
    return out, L


def attend_at_once(
    Q: Array, K: Array, V: Array, logits: Logits, lead: tuple[int, ...], logs: bool
) -> tuple[Array, Array | None]:
    """Heads that are small enough to be taken whole, all together; V meets weights that are divided already."""
    S = Q @ K.swapaxes(-1, -2)
    S *= logits.scale
    if logits.hides or not np.vdot(S, S) < 400:  # some score may be beyond ±20
        return attend_with_care(Q, K, V, S, logits, lead, logs)
    np.exp(S, out=S)
    total = np.add.reduce(S, axis=-1, keepdims=True)
    S /= total
    return S @ V, np.log(total) if logs else None


def attend_with_care(
    Q: Array, K: Array, V: Array, S: Array, logits: Logits, lead: tuple[int, ...], logs: bool
) -> tuple[Array, Array | None]:
    """The same from scaled scores that may be hidden, or too large for exponentials."""
    with np.errstate(all="ignore"):
        S = S if S.shape[:-2] == lead else np.array(np.broadcast_to(S, lead + S.shape[-2:]))
        logits.finish(S, (), slice(0, S.shape[-2]), slice(0, S.shape[-1]))
        top = largest(S)
        if not np.isfinite(top).all() and (wide := wider(Q, K, V)):
            out, L = attend_at_once(Q.astype(wide), K.astype(wide), V.astype(wide), logits, lead, logs)
            return out.astype(Q.dtype), None if L is None else L.astype(Q.dtype)
        S -= top
        np.exp(S, out=S)
        total = np.add.reduce(S, axis=-1, keepdims=True)
        L = log_sums(total, top) if logs else None
        if logits.hides and not total.all():
            fill_empty(S, total, 1 / S.shape[-1] if logits.empty is None else logits.empty)
        S /= total
        return S @ V, L


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
) -> range:
    """The blocks of rows that begin at `starts`, of one head or of a few together; those that overflow are given back.

    Exponentials are taken of logits as they are until their sums say that this was too bold; from then on the largest
    one of each row is taken off first.
    """
    lead, d, m = Q.shape[:-2], Q.shape[-1], K.shape[-2]
    most = math.prod(lead) * min(ROWS, starts.stop)
    scaled, sums, ones = np.empty(most * d, Q.dtype), np.empty(most, Q.dtype), np.ones((m, 1), Q.dtype)
    room = np.finfo(Q.dtype).max / m / max(1.0, math.sqrt(np.einsum("...ij,...ij->", V, V)))
    bold = bool(room > CALM)
    for start in starts:
        rows = slice(start, min(start + ROWS, starts.stop))
        columns = logits.columns(rows, m)
        b, w = rows.stop - rows.start, columns.stop - columns.start
        count = math.prod(lead) * b
        S, total = scratch[: count * w].reshape(*lead, b, w), sums[:count].reshape(*lead, b, 1)
        q, k, v, y = scaled[: count * d].reshape(*lead, b, d), K[..., columns, :], V[..., columns, :], out[..., rows, :]
        np.multiply(Q[..., rows, :], logits.scale, out=q)
        top = None
        if bold:
            logits.make(S, q, k, head, rows, columns)
            np.matmul(np.exp(S, out=S), ones[columns], out=total)
            bold = bool(total.min() > 1 / CALM and total.max() < CALM)
        if not bold:
            logits.make(S, q, k, head, rows, columns)
            top = largest(S)
            if not (room > 1 and np.isfinite(top).all()) and wider(Q, K, V):
                return range(start, starts.stop, ROWS)
            S -= top
            np.matmul(np.exp(S, out=S), ones[columns], out=total)
        np.matmul(S, v, out=y)
        if L is not None:
            L[..., rows, :] = log_sums(total, top)
        if logits.hides and not total.all():
            fill_empty(y, total, V.mean(axis=-2, keepdims=True) if logits.empty is None else logits.empty)
        y /= total
    return range(0)


def attend_widely(
    Q: Array, K: Array, V: Array, out: Array, L: Array | None, logits: Logits, head: tuple[int, ...], starts: range
) -> None:
    """The same where products overflow, in the next wider type."""
    wide = wider(Q, K, V)
    Q, K, V, found = (x.astype(wide) for x in (Q, K, V, out))
    logs = None if L is None else L.astype(wide)
    scratch = np.empty(math.prod(Q.shape[:-2]) * min(ROWS, starts.stop) * K.shape[-2], wide)
    attend_rows(Q, K, V, found, logs, logits, head, starts, scratch)
    rows = slice(starts.start, starts.stop)
    out[..., rows, :] = found[..., rows, :]
    if L is not None and logs is not None:
        L[..., rows, :] = logs[..., rows, :]


def largest(S: Array) -> Array:
    """The largest logit of each row; a finite number for a row that sees nothing."""
    return np.maximum.reduce(S, axis=-1, keepdims=True, initial=np.finfo(S.dtype).min)


def log_sums(total: Array, top: Array | None) -> Array:
    """log Σ exp of the logits, from the sums after `top` was taken off."""
    return np.log(total) if top is None else np.log(total) + top


def fill_empty(X: Array, total: Array, empty: Any) -> None:
    """What rows are that see nothing."""
    nothing = total == 0
    total[nothing] = 1
    np.copyto(X, empty, where=nothing)
