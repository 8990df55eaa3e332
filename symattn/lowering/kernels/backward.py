"""The backward pass by blocks of rows: weights are computed once more, and forgotten once their gradients are known."""

from __future__ import annotations

import math
import threading
from typing import Any, NamedTuple

import numpy as np

from symattn.lowering.kernels.forward import (
    BOLD,
    CALM,
    CAREFUL,
    FINAL,
    Head,
    Logits,
    Span,
    Weights,
    by_columns,
    fill_empty,
    multiply,
    room_for,
    run_blocks,
)
from symattn.lowering.kernels.plain import sum_to

Array = np.ndarray[Any, np.dtype[Any]]


class Back(NamedTuple):
    """The gradient by the output of a head, and where those by its queries and by a bias go."""

    by_output: Array
    by_queries: Array
    by_bias: Array | None

    def wide(self, kind: Any) -> Back:
        """The same arrays in another type."""
        by_bias = None if self.by_bias is None else self.by_bias.astype(kind)
        return Back(self.by_output.astype(kind), self.by_queries.astype(kind), by_bias)


def attend_back(
    Q: Array,
    K: Array,
    V: Array,
    G: Array,
    logits: Logits,
    lead: tuple[int, ...],
    *,
    bias: tuple[int, ...] | None = None,
    threads: int | None,
) -> tuple[Array, Array, Array, Array, Any, Any]:
    """O = softmax(logits of Q Kᵀ) V and, for its gradient G, those by Q, K, V, a bias of a given shape, and a sink.

    For the logits Z and weights A of a row: dV = AᵀG, dA = G Vᵀ, dZ = A ∘ (dA - rowsum(A ∘ dA)), dQ = dZ K,
    dK = dZᵀ Q, all with the leading axes `lead`; that by a bias is summed over what it was broadcast over. A sink of
    weight a has the gradient -Σ a rowsum(A ∘ dA) over the rows. Source: Dao et al. 2022, algorithm 4, with whole rows.
    """
    n, m = Q.shape[-2], K.shape[-2]
    care, lock = BOLD if room_for(V) > CALM else CAREFUL, threading.Lock()
    Q, K, V, G = (x if x.shape[:-2] == lead else np.broadcast_to(x, lead + x.shape[-2:]) for x in (Q, K, V, G))
    out, dQ = np.empty((*lead, n, V.shape[-1]), Q.dtype), np.empty((*lead, *Q.shape[-2:]), Q.dtype)
    dK, dV = np.zeros((*lead, *K.shape[-2:]), Q.dtype), np.zeros((*lead, *V.shape[-2:]), Q.dtype)
    dB = None if bias is None else np.zeros((1,) * (len(lead) + 2 - len(bias)) + bias, Q.dtype)
    ds = None if logits.sink is None else np.zeros((*lead, 1, 1), Q.dtype)

    def compute(i: tuple[Any, ...], spans: list[Span], scratch: Array) -> None:
        head = Head(i, spans, Q[i], K[i], V[i], out[i])
        back = Back(G[i], dQ[i], None if dB is None else part_of(dB, i))
        nonlocal care
        made = back_rows(head, back, logits, scratch, BOLD) if care == BOLD else None
        if made is None:
            care = CAREFUL
            made = back_rows(head, back, logits, scratch, CAREFUL)
        if made is None:
            made = back_widely(head, back, logits, len(scratch))
        with lock:  # pieces of one head, and heads with one bias, are made by several threads
            totals = dK[i], dV[i], back.by_bias, None if ds is None else ds[i]
            for total, part in zip(totals, made, strict=True):
                if total is not None:
                    total += part

    work = 3 * math.prod(lead) * n * m * (Q.shape[-1] + V.shape[-1])
    run_blocks(compute, Q, m, logits, work, threads, copies=2 if logits.slope is None else 3)
    return out, dQ, dK, dV, dB, ds


def back_rows(
    head: Head, back: Back, logits: Logits, scratch: Array, care: int
) -> tuple[Array, Array, Array | None, Array | None] | None:
    """What the blocks of a head add to the gradients by keys, values, bias and sink.

    None where it was too bold, or something overflowed.
    """
    weights = Weights(head, logits, scratch[0], care)
    (Q, K, V, out), (G, dQ, dB) = head[2:6], back
    values = V.swapaxes(-1, -2)
    dK, dV, dk, dv = np.zeros_like(K), np.zeros_like(V), np.empty_like(K), np.empty_like(V)
    db = None if dB is None else np.zeros_like(dB)
    ds = None if weights.sink is None else np.zeros((*Q.shape[:-2], 1, 1), Q.dtype)
    finite = not logits.masks or bool(np.isfinite(K).all() and np.isfinite(V).all())
    for span in head.spans:
        rows, columns, _ = span
        if (found := weights.block(span, scratch[-1])) is None:
            return None
        E, total, top = found
        y, k, w = out[..., rows, :], K[..., columns, :], columns.stop - columns.start
        multiply(E, V[..., columns, :], y, finite)
        if top is not None:
            fill_empty(y, total, V, logits)
        y /= total
        g = G[..., rows, :] / total
        dS = by_columns(scratch[1], *E.shape)
        np.matmul(g, values[..., columns], out=dS)
        dS *= E
        hidden = None if finite else E == 0
        if hidden is not None:
            np.copyto(dS, 0, where=hidden)
        dV[..., columns, :] += np.matmul(E.swapaxes(-1, -2), g, out=dv[..., :w, :])
        mean = np.matmul(dS, weights.ones[:w]) / total  # nearer than from the output where one weight is nearly 1
        E *= mean
        dS -= E
        if ds is not None:
            ds -= np.sum(weights.sunk(top) * mean, axis=-2, keepdims=True)
        if db is not None:
            add_block(db, dS, rows, columns)
        if logits.slope is not None:
            dS *= by_columns(scratch[-1], *E.shape)
        if hidden is not None:
            np.copyto(dS, 0, where=hidden)
        multiply(dS, k, dQ[..., rows, :], finite)
        dK[..., columns, :] += np.matmul(dS.swapaxes(-1, -2), Q[..., rows, :], out=dk[..., :w, :])
    if not weights.good():
        return None
    dq = dQ[..., head.rows, :]
    dq *= logits.scale
    dK *= logits.scale
    return dK, dV, db, ds


def back_widely(head: Head, back: Back, logits: Logits, copies: int) -> Any:
    """The same where products overflow, in the next wider type."""
    wide = head.wide()
    other = back.wide(wide.Q.dtype)
    made = back_rows(wide, other, logits, wide.scratch(copies), FINAL)
    head.out[..., head.rows, :] = wide.out[..., head.rows, :]
    back.by_queries[..., head.rows, :] = other.by_queries[..., head.rows, :]
    return made


def add_block(total: Array, block: Array, rows: slice, columns: slice) -> None:
    """Add a block to its place in a sum, which may have one row or column for all."""
    place = rows if total.shape[-2] > 1 else slice(None), columns if total.shape[-1] > 1 else slice(None)
    part = total[(..., *place)]
    part += sum_to(block, part.shape)


def part_of(B: Array, head: tuple[Any, ...]) -> Array:
    """The part of a bias that meets heads; with an axis of length 1 it meets all."""
    index = (
        (0 if isinstance(h, int) else slice(0, 1)) if size == 1 else h for size, h in zip(B.shape, head, strict=False)
    )
    return B[tuple(index)]
