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
ROWS_AT_EDGE = 96  # with fewer rows less is computed beyond the edge of a causal mask or window
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

    @property
    def rows(self) -> int:
        """The rows of a block."""
        return ROWS if self.left is None and self.right is None else ROWS_AT_EDGE

    def columns(self, rows: slice, m: int) -> slice:
        """The keys that some query of a block sees."""
        start = 0 if self.left is None else min(max(0, rows.start - self.left), m)
        stop = m if self.right is None else max(start, min(m, rows.stop + self.right))
        return slice(start, stop)

    def cut(self, S: Array, rows: slice, columns: slice, kind: str) -> None:
        """Hide what lies beyond the edges of a block: by -inf added to logits, or by 0 times their exponentials."""
        b, apply = rows.stop - rows.start, np.add if kind == "add" else np.multiply
        if self.right is not None:
            beyond = rows.start + self.right + 1  # the first key that the first row does not see
            first = max(beyond, columns.start)
            if first < columns.stop:
                edge = S[..., first - columns.start :]
                apply(edge, corner(S.dtype, "right", kind)[:b, first - beyond : columns.stop - beyond], out=edge)
        if self.left is not None:
            before = rows.start - self.left  # the first key that the first row sees
            last = min(rows.stop - 1 - self.left, columns.stop)
            if last > columns.start:
                edge = S[..., : last - columns.start]
                apply(edge, corner(S.dtype, "left", kind)[:b, columns.start - before : last - before], out=edge)


@cache
def corner(dtype: Any, side: str, kind: str) -> Array:
    """What hides the keys beyond the last that is seen, or before the first, where rows and keys count alike."""
    ones = np.ones((ROWS, ROWS), bool)
    hidden = np.triu(ones) if side == "right" else np.tril(ones, -1)
    return np.where(hidden, -np.inf if kind == "add" else 0.0, 0.0 if kind == "add" else 1.0).astype(dtype)


def attend(
    Q: Array, K: Array, V: Array, logits: Logits, lead: tuple[int, ...], *, logs: bool, threads: int | None
) -> tuple[Array, Array | None]:
    """softmax(logits of Q Kᵀ) V without the matrix of scores, and the logarithms of its row sums if asked for.

    `lead` are the leading axes of the result. Source: Dao et al. 2022, without its blocks of keys.
    """
    if threads is not None and threads < 1:
        raise ValueError(f"threads is {threads}, expected at least 1")
    n, m = Q.shape[-2], K.shape[-2]
    rows = logits.rows
    size, outer = min(n, rows) * m, len(lead)
    while outer and size * lead[outer - 1] <= TOGETHER:  # the axes from `outer` on are taken together
        outer -= 1
        size *= lead[outer]
    if not outer and n <= rows and size <= TOGETHER:
        return attend_at_once(Q, K, V, logits, lead, logs)
    Q, K, V = (x if x.shape[:-2] == lead else np.broadcast_to(x, lead + x.shape[-2:]) for x in (Q, K, V))
    out = np.empty((*lead, n, V.shape[-1]), Q.dtype)
    L = np.empty((*lead, n, 1), Q.dtype) if logs else None
    workers = count_threads(threads, math.prod(lead) * n * m * (Q.shape[-1] + V.shape[-1]))
    pieces = -(-workers // max(1, math.prod(lead[:outer]))) if workers > 1 else 1
    step = -(-n // (pieces * rows)) * rows
    heads = product(*map(range, lead[:outer]))
    tasks = iter([(head, range(i, min(i + step, n), rows)) for head in heads for i in range(0, n, step)])

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
        everything = slice(0, S.shape[-2]), slice(0, S.shape[-1])
        if logits.change is not None:
            logits.change(S, (), *everything)
        logits.cut(S, *everything, "add")
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
    lead, n, m = Q.shape[:-2], starts.stop, K.shape[-2]
    k, scale = scaled_keys(K, logits.scale)
    many, ones = math.prod(lead), np.ones((m, 1), Q.dtype)
    sums = np.empty(many * min(starts.step, n), Q.dtype)
    room = np.finfo(Q.dtype).max / m / max(1.0, norm(V))
    bold, edged, change = bool(room > CALM), logits.rows != ROWS, logits.change
    for start in starts:
        rows = slice(start, min(start + starts.step, n))
        columns = logits.columns(rows, m) if edged else slice(0, m)
        b, w = rows.stop - start, columns.stop - columns.start
        S, total = scratch[: many * b * w].reshape(*lead, b, w), sums[: many * b].reshape(*lead, b, 1)
        q, y, top = Q[..., rows, :], out[..., rows, :], None
        q = q if scale == 1.0 else q * scale
        for kind in ("multiply", "add") if bold else ("add",):
            np.matmul(q, k[..., columns], out=S)
            if change is not None:
                change(S, head, rows, columns)
            if kind == "add":
                logits.cut(S, rows, columns, kind)
                top = largest(S)
                if not (room > 1 and np.isfinite(top).all()) and wider(Q, K, V):
                    return range(start, n, starts.step)
                S -= top
            np.exp(S, out=S)
            if kind == "multiply" and edged:
                logits.cut(S, rows, columns, kind)
            np.matmul(S, ones[:w], out=total)
            if kind == "multiply" and total.min() > 1 / CALM and total.max() < CALM:
                break
            bold = False
        np.matmul(S, V[..., columns, :], out=y)
        if L is not None:
            L[..., rows, :] = log_sums(total, top)
        if top is not None and not total.all():
            fill_empty(y, total, V.mean(axis=-2, keepdims=True) if logits.empty is None else logits.empty)
        y /= total
    return range(0)


def scaled_keys(K: Array, scale: float) -> tuple[Array, float]:
    """Kᵀ, and by what queries are still to be scaled: while it is small, a copy that is scaled and fast to read."""
    if (K.shape[-1] - 32) * K[..., 0].size * K.itemsize > 200 << 10:
        return K.swapaxes(-1, -2), scale
    return np.multiply(K.swapaxes(-1, -2), scale, order="C"), 1.0


def norm(X: Array) -> float:
    """The root of the sum of squares, which no entry exceeds."""
    return math.sqrt(np.vdot(X, X) if X.flags.c_contiguous else np.einsum("...ij,...ij->", X, X))


def attend_widely(
    Q: Array, K: Array, V: Array, out: Array, L: Array | None, logits: Logits, head: tuple[int, ...], starts: range
) -> None:
    """The same where products overflow, in the next wider type."""
    wide = wider(Q, K, V)
    Q, K, V, found = (x.astype(wide) for x in (Q, K, V, out))
    logs = None if L is None else L.astype(wide)
    scratch = np.empty(math.prod(Q.shape[:-2]) * starts.step * K.shape[-2], wide)
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
