"""Attention by a state in chunks: pairs of tokens within a chunk, and the state for all tokens before it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from symattn.lowering.kernels.pool import count_threads, run_threads

Array = np.ndarray[Any, np.dtype[Any]]

CHUNK = 64  # within so many tokens the products of all pairs cost less than a state for each token


def run_state(
    Q: Array, K: Array, V: Array, decay: Any = 1, strength: Array | None = None, threads: int | None = None
) -> Array:
    """o_t = q_t H_t with H_t = D_t + k_tᵀ u_t, D_t = H_{t−1} times the decay; u_t = v_t, or β_t (v_t − k_t D_t).

    `decay` is a number, or (..., n, 1), or (..., n, d) for each row of the state; `strength` is β. Memory is that of
    the result and, for each thread, of a chunk and a state. Source: Hua et al. 2022, section 3.2, Yang et al. 2024
    (GLA), section 4, and (DeltaNet), section 3, for the chunks.
    """
    Q, K, V, decay, strength = _of_one_shape(Q, K, V, decay, strength)
    lead, (n, d), e = Q.shape[:-2], Q.shape[-2:], V.shape[-1]
    out = np.empty((*lead, n, e), Q.dtype)
    heads = product(*map(range, lead))

    def work() -> None:
        with np.errstate(all="ignore"):
            for head in heads:
                share = None if strength is None else strength[head]
                state_chunks(Q[head], K[head], V[head], decay[head], share, out[head])

    run_threads(work, min(math.prod(lead), count_threads(threads, math.prod(lead) * n * (d + CHUNK) * e)) or 1)
    return out


def _of_one_shape(Q: Array, K: Array, V: Array, decay: Any, strength: Array | None) -> tuple[Any, ...]:
    """The same with the same leading axes, the decay with a row for each token."""
    decay = np.asarray(decay, Q.dtype)
    decay = decay.reshape(1, 1) if decay.ndim < 2 else decay
    decay = np.broadcast_to(decay, (*decay.shape[:-2], Q.shape[-2], decay.shape[-1]))
    given = [X for X in (Q, K, V, decay, strength) if X is not None]
    lead = np.broadcast_shapes(*(X.shape[:-2] for X in given))
    whole = [np.broadcast_to(X, lead + X.shape[-2:]) for X in given]
    return (*whole[:4], whole[4] if strength is not None else None)


def state_chunks(Q: Array, K: Array, V: Array, decay: Array, strength: Array | None, out: Array) -> None:
    """The same for one head, into `out`; token by token where something is not finite: no earlier row may know."""
    finite = all(np.isfinite(X).all() for X in (Q, K, V, decay))
    for tokens in (CHUNK, 1) if finite else (1,):
        state = np.zeros((K.shape[1], V.shape[1]), Q.dtype)
        for rows, kept in decay_chunks(decay, tokens):
            q, k, held = Q[rows] * kept, K[rows], state * decay[rows.start][:, None]
            pairs, u = k / kept, V[rows]
            if strength is not None:
                u = strength[rows] * (u - (k * kept) @ held)
                solve_lower(np.tril((k * kept) @ pairs.T, -1) * strength[rows], u)
            out[rows] = np.tril(q @ pairs.T) @ u + q @ held
            state = held * kept[-1][:, None] + (pairs * kept[-1]).T @ u
        if np.isfinite(out).all():
            return


def decay_chunks(decay: Array, tokens: int) -> Iterator[tuple[slice, Array]]:
    """Chunks of at most so many tokens, with what is left in each of what its first token found.

    That is a product of decays from its second token on; a chunk ends before one that is 0, or near the ends of the
    type, since pairs of tokens are quotients of them.
    """
    least, start = float(np.finfo(decay.dtype).tiny) ** 0.25, 0
    while start < len(decay):
        kept = decay[start : start + tokens].copy()
        kept[0] = 1
        np.cumprod(kept, axis=0, out=kept)
        size = np.abs(kept)
        good = ((size >= least) & (size <= 1 / least)).all(axis=-1)
        good[0] = True
        length = len(good) if good.all() else int(good.argmin())
        yield slice(start, start + length), kept[:length]
        start += length


def solve_lower(lower: Array, u: Array) -> None:
    """(I + L) u' = u for L strictly below the diagonal, into u: each row from those above it."""
    for i in range(1, len(u)):
        u[i] -= lower[i, :i] @ u[:i]
