"""What kinds of attention beyond the plain one need in the fast style: sums that run on, scores that are no product."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from symattn.lowering.kernels.checks import wider
from symattn.lowering.kernels.plain import beside
from symattn.lowering.kernels.pool import count_threads, run_threads

Array = np.ndarray[Any, np.dtype[Any]]

TOKENS = 64  # within so many the products of all pairs cost less than a state for each token

FEW = 8  # rows whose distances exist at a time


def running_average(Q: Array, K: Array, V: Array, threads: int | None = None) -> Array:
    """Σ_{j<=i} (q_i k_jᵀ) v_j / Σ_{j<=i} q_i k_jᵀ, from sums over the tokens before a chunk and pairs within it.

    The state is of d rows and d_v + 1 columns: beside Σ k_jᵀ v_j it has Σ k_jᵀ. Source: Katharopoulos et al. 2020,
    equations 9 to 12; Hua et al. 2022, section 3.2, for the chunks.
    """
    lead = np.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    Q, K, V = (np.broadcast_to(X, lead + X.shape[-2:]) for X in (Q, K, V))
    n, d, e = *Q.shape[-2:], V.shape[-1]
    out = np.empty((*lead, n, e), Q.dtype)
    heads = product(*map(range, lead))

    def work() -> None:
        with np.errstate(all="ignore"):
            for head in heads:
                q, k, v = Q[head], K[head], V[head]
                if not average_chunks(q, k, v, out[head]) and (wide := wider(q, k, v)):
                    found = np.empty((n, e), wide)
                    average_chunks(q.astype(wide), k.astype(wide), v.astype(wide), found)
                    out[head] = found

    run_threads(work, min(math.prod(lead), count_threads(threads, math.prod(lead) * n * (d + TOKENS) * e)) or 1)
    return out


def average_chunks(Q: Array, K: Array, V: Array, out: Array) -> bool:
    """The same for one head, into `out`; whether nothing overflowed or vanished. A row over zero is zero."""
    n, e = V.shape
    tokens = TOKENS if np.isfinite(K).all() and np.isfinite(V).all() else 1  # no row knows of a later one
    state = np.zeros((K.shape[1], e + 1), Q.dtype)
    values = np.ones((tokens, e + 1), Q.dtype)
    good = True
    for start in range(0, n, tokens):
        rows = slice(start, min(start + tokens, n))
        q, k, v = Q[rows], K[rows], values[: rows.stop - start]
        v[:, :e] = V[rows]
        total = np.tril(q @ k.T) @ v
        total += q @ state
        state += k.T @ v
        good = good and bool(np.isfinite(total).all() and total[:, e].all())
        out[rows] = total[:, :e] / np.where(total[:, e:] == 0, 1, total[:, e:])
    return good


def running_sum(
    A: Array, B: Array, C: Array, threads: int | None = None, also: Array | None = None, back: bool = False
) -> Array:
    """Σ_{j<=i} w_ij c_j with w_ij = a_i b_jᵀ, and `also` x_i in each; `back` is Σ_{i>=j} w_ij c_i, of the same pairs.

    Memory is that of the result and, for each thread, of a chunk and a state, as in `running_average`.
    """
    if also is not None:  # [a, x] [b, 1]ᵀ
        A, B = beside(A, also), beside(B, np.ones_like(B[..., :1]))
    if back:
        A, B, C = B[..., ::-1, :], A[..., ::-1, :], C[..., ::-1, :]
    lead = np.broadcast_shapes(A.shape[:-2], B.shape[:-2], C.shape[:-2])
    A, B, C = (np.broadcast_to(X, lead + X.shape[-2:]) for X in (A, B, C))
    out = np.empty((*lead, A.shape[-2], C.shape[-1]), A.dtype)
    heads = product(*map(range, lead))

    def work() -> None:
        with np.errstate(all="ignore"):
            for head in heads:
                sum_chunks(A[head], B[head], C[head], out[head])

    pairs = math.prod(lead) * A.shape[-2] * (A.shape[-1] + TOKENS)
    run_threads(work, min(math.prod(lead), count_threads(threads, pairs * C.shape[-1])) or 1)
    return out[..., ::-1, :] if back else out


def sum_chunks(A: Array, B: Array, C: Array, out: Array) -> None:
    """The same for one head, into `out`."""
    tokens = TOKENS if np.isfinite(B).all() and np.isfinite(C).all() else 1  # no row knows of a later one
    state = np.zeros((B.shape[1], C.shape[1]), A.dtype)
    for start in range(0, len(C), tokens):
        rows = slice(start, start + tokens)
        a, b, c = A[rows], B[rows], C[rows]
        out[rows] = np.tril(a @ b.T) @ c + a @ state
        state += b.T @ c


def slant(block: Array, rows: slice, columns: slice, slope: Any, first: int = 0) -> None:
    """ALiBi's bias, -slope (i + first - j), added to a block of scores."""
    j = np.arange(columns.start, columns.stop, dtype=block.dtype)
    for start in range(0, rows.stop - rows.start, FEW):
        part = block[..., start : start + FEW, :]
        i = np.arange(part.shape[-2], dtype=block.dtype) + (rows.start + start + first)
        part += slope * (j - i[:, None])


def additive_block(block: Array, P: Array, R: Array, v: Array) -> None:
    """tanh(p_i + r_j) v written over the products p_i r_jᵀ of a block, a column of P and R at a time."""
    part = np.empty_like(block)
    block[...] = 0
    for t in range(P.shape[-1]):
        np.add(P[..., t : t + 1], R[..., None, :, t], out=part)
        np.tanh(part, out=part)
        part *= v[..., t : t + 1, :]
        block += part


def by_distance(t: Array, n: int, m: int, *buckets: Any) -> Array:
    """The numbers of a column (..., buckets, 1) for i - j; `buckets` are the options of `distances`."""
    line = np.take(t[..., 0], distances(n, m, *buckets), axis=t.ndim - 2)
    again = np.concatenate([line, line[..., :1]], axis=-1)
    lead = line.shape[:-1]
    rows = np.broadcast_to(again[..., None, :], (*lead, n, n + m + 1))  # cut to rows of n + m, each is one place on
    flat = np.reshape(rows, (*lead, n * (n + m + 1)))[..., : n * (n + m)]
    return np.reshape(flat, (*lead, n, n + m))[..., n:]


def distance_sums(G: Array, count: int, *buckets: Any) -> Array:
    """The sum over the places of each of `count` buckets by distance, a column; `buckets` as for `by_distance`."""
    found = distances(G.shape[-2], G.shape[-1], *buckets)
    chosen = np.asarray(found[:, None] == np.arange(count), dtype=G.dtype)
    made: Array = (diagonals(G)[..., None, :] @ chosen)[..., 0, :, None]
    return made


def distances(n: int, m: int, starts: Sequence[int], both: bool = False, first: int = 0, turned: bool = False) -> Array:
    """The buckets of i - j = n, n - 1, ..., 1 - m, by r = i + first - j: how many starts are at most r; with `both`,
    keys ahead have as many again, by -r. If `turned`, r = j + first - i.
    """
    r = first + np.arange(-n, m) if turned else first - np.arange(-n, m)
    far = np.abs(r) if both else r
    bucket: Array = np.searchsorted(np.asarray(tuple(starts)), far, side="right")
    return np.where(r < 0, bucket + (len(starts) + 1), bucket) if both else bucket


def diagonals(G: Array) -> Array:
    """The sums over all places (i, j) with i - j = n, n - 1, ..., 1 - m; the first has none."""
    n, m = G.shape[-2:]
    lead = G.shape[:-2]
    wide = np.concatenate([np.zeros((*lead, n, n), dtype=G.dtype), G], axis=-1)
    flat = np.concatenate([np.reshape(wide, (*lead, n * (n + m))), np.zeros((*lead, n), dtype=G.dtype)], axis=-1)
    made: Array = np.sum(np.reshape(flat, (*lead, n, n + m + 1)), axis=-2)  # each row is one place back
    return made[..., : n + m]


def at_distances(P: Array, m: int, *buckets: Any) -> Array:
    """Of each row of P (..., n, buckets) the numbers of its buckets of m keys; `buckets` as for `distances`."""
    n, lead = P.shape[-2], P.shape[:-2]
    line = np.take(P, distances(n, m, *buckets), axis=P.ndim - 1)  # those of i - j = n, n - 1, ..., 1 - m
    flat = np.reshape(line, (*lead, n * (n + m)))[..., n:]  # cut to rows of n + m - 1, each begins one place earlier
    return np.reshape(flat, (*lead, n, n + m - 1))[..., :m] if n else line[..., :m]


def add_by_distance(
    block: Array,
    Q: Array,
    R: Array,
    rows: slice,
    columns: slice,
    starts: Sequence[int],
    both: bool = False,
    first: int = 0,
    turned: bool = False,
) -> None:
    """The products q_i r_b, b the bucket of i and j, added to a block of scores; buckets as for `distances`."""
    n, m = block.shape[-2:]
    apart = rows.start - columns.start
    line = distances(n, m, starts, both, first - apart if turned else first + apart, turned)
    if R.shape[-2] < n + m:
        P = np.take(Q @ np.swapaxes(R, -1, -2), line, axis=-1)
    else:
        P = Q @ np.swapaxes(np.take(R, line, axis=-2), -1, -2)
    *lead, down, across = P.strides  # of i - j = n, n - 1, ..., 1 - m; each row of the block begins one place earlier
    block += np.lib.stride_tricks.as_strided(P[..., n:], block.shape, (*lead, down - across, across))


def distance_row_sums(A: Array, count: int, *buckets: Any) -> Array:
    """The sums of each row over each of `count` buckets by distance; `buckets` as for `distances`."""
    n, m = A.shape[-2:]
    lead = A.shape[:-2]
    wide = np.concatenate([A, np.zeros((*lead, n, max(n - 1, 0)), dtype=A.dtype)], axis=-1)
    flat = np.concatenate([np.zeros((*lead, n), dtype=A.dtype), np.reshape(wide, (*lead, n * (n + m - 1)))], axis=-1)
    line = np.reshape(flat, (*lead, n, n + m))  # of i - j = n, n - 1, ..., 1 - m, where buckets are ranges
    found = [int(b) for b in distances(n, m, *buckets)]
    ends = [k + 1 for k in range(n + m) if k + 1 == n + m or found[k + 1] != found[k]]
    zero = np.zeros((*lead, n), dtype=A.dtype)
    sums = {found[end - 1]: np.sum(line[..., start:end], axis=-1) for start, end in zip([0, *ends], ends, strict=False)}
    return np.stack([sums.get(b, zero) for b in range(count)], axis=-1)


def grid_buckets(height: int, width: int, turned: bool = False, axis: int | None = None) -> Array:
    """The buckets of two tokens of a window, whose rows stand one after another: of the distances down and across; if
    `turned`, those of the second token to the first; with an axis, of the distances along it alone.
    """
    y, x = np.arange(height * width) // width, np.arange(height * width) % width
    down, across = y[:, None] - y + (height - 1), x[:, None] - x + (width - 1)
    made: Array = down * (2 * width - 1) + across if axis is None else (down, across)[axis]
    return made.T if turned else made


def by_bucket(t: Array, buckets: Array) -> Array:
    """The numbers of a column (..., buckets, 1) at their places."""
    found = np.take(t[..., 0], np.reshape(buckets, (-1,)), axis=t.ndim - 2)
    return np.reshape(found, (*t.shape[:-2], *buckets.shape))


def at_buckets(P: Array, buckets: Array) -> Array:
    """Of each row of P (..., n, buckets) the numbers of its buckets (n, m)."""
    n, count = P.shape[-2:]
    places = np.reshape(buckets + count * np.arange(n)[:, None], (-1,))
    found = np.take(np.reshape(P, (*P.shape[:-2], n * count)), places, axis=P.ndim - 2)
    return np.reshape(found, (*P.shape[:-2], *buckets.shape))


def bucket_row_sums(A: Array, count: int, buckets: Array) -> Array:
    """The sums of each row over the places of each of `count` buckets (n, m)."""
    zero = np.zeros_like(A)
    return np.stack([np.sum(np.where(buckets == b, A, zero), axis=-1) for b in range(count)], axis=-1)


def grid_sums(G: Array, height: int, width: int, turned: bool = False) -> Array:
    """The sum over the places of each bucket of a window, a column: over the distances across, then those down."""
    lead = G.shape[:-2]
    G = np.swapaxes(G, -1, -2) if turned else G
    apart = np.swapaxes(np.reshape(G, (*lead, height, width, height, width)), -3, -2)
    across = np.swapaxes(np.swapaxes(diagonals(apart)[..., 1:], -1, -2), -2, -3)  # places down behind the distances
    down = np.swapaxes(diagonals(across)[..., 1:], -1, -2)
    return np.reshape(np.flip(down, axis=(-2, -1)), (*lead, (2 * height - 1) * (2 * width - 1), 1))


def running_product(X: Array) -> Array:
    """The products of each column down to every row."""
    rows = [X[..., :1, :]]
    for i in range(1, X.shape[-2]):
        rows.append(rows[-1] * X[..., i : i + 1, :])
    return np.concatenate(rows, axis=-2)


def solve_below(L: Array, R: Array, turned: bool = False) -> Array:
    """The solution of (I + L) X = R, row by row, L below the diagonal; with `turned`, of (I + Lᵀ) X = R, from below."""
    n = R.shape[-2]
    rows: list[Array] = []
    for i in reversed(range(n)) if turned else range(n):
        row = R[..., i : i + 1, :]
        if rows:
            factors = np.swapaxes(L[..., i + 1 :, i : i + 1], -1, -2) if turned else L[..., i : i + 1, :i]
            row = row - factors @ np.concatenate(rows, axis=-2)
        rows = [row, *rows] if turned else [*rows, row]
    return np.concatenate(np.broadcast_arrays(*rows), axis=-2)
