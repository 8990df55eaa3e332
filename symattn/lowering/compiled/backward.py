"""Attention's backward pass in compiled loops, rows of queries in the lanes of vectors.

dV = AᵀG, dZ = A ∘ (G Vᵀ - rowsum(G ∘ O)), dQ = dZ K, dK = dZᵀ Q. Where a head's keys, values and their gradients stay
in the cache, whole rows of exponentials are kept and six products taken; else the output and the logarithms of row
sums are made first, and a piece of keys serves several blocks of rows, for a seventh product.
Source: Dao et al. 2022, algorithm 4.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from symattn.lowering.compiled.compiler import compiled
from symattn.lowering.compiled.forward import (
    KEYS,
    LN2,
    ROWS,
    Inputs,
    Numbers,
    all_finite,
    alter,
    fill,
    head_of,
    inputs_finite,
    pack,
    product,
    sizes_of,
)
from symattn.lowering.compiled.vectors import add, exp2, get, larger, load, multiply, put, splat, store, subtract, take

SHARE = 6  # blocks of rows that share a piece of keys


class Room(NamedTuple):
    """Where in the scratch X are: exponentials, gradients by logits, slopes (or -1), blocks, gradients by K and V."""

    S: Any
    W: Any
    slopes: Any
    blocks: Any
    dk: Any
    dv: Any


class Back(NamedTuple):
    """The gradient by the output, what the forward pass made, what is made here, and the place of the sink's sum."""

    G: Any
    O: Any
    Z: Any
    by_q: Any
    by_bias: Any
    sums: Any
    place: Any


@compiled
def wide(x, L):
    """The numbers of the vectors that hold x numbers."""
    return (x + L - 1) // L * L


@compiled
def size_of_block(d, e, L):
    """How many numbers the parts of a block are."""
    return (2 * d + 2 * e + 3 + wide(d, L) + wide(e, L)) * ROWS


@compiled
def at_mean(q, d, e):
    """Where the means of a block are; its row maxima and sums follow, its rows of queries, then of gradients.

    Before them are the parts by columns: queries, gradients by outputs and by queries, outputs.
    """
    return q + (2 * d + 2 * e) * ROWS


@compiled
def pack_rows(X, to, F, f0, r, columns, padded, factor):
    """A row of F, times a factor, into the row r of `padded` numbers, with zeros after the last."""
    for k in range(columns):
        put(X, to + r * padded + k, get(F, f0 + k) * factor)
    for k in range(columns, padded):
        put(X, to + r * padded + k, 0)


@compiled
def begin(L, Q, q0, c, used, d, e, X, q, numbers):
    """The queries of a block by columns and by rows, and zeros for what is added up by columns."""
    pack(X, q, Q, q0, c, used, d, numbers.scale)
    fill(X, q + (d + e) * ROWS, q + (2 * d + 2 * e) * ROWS, L, X.dtype.type(0))
    rows = at_mean(q, d, e) + 3 * ROWS
    for r in range(c):
        pack_rows(X, rows, Q, q0 + r * d, r, d, wide(d, L), numbers.back)


@compiled
def take_gradient(L, G, g0, d, e, X, q, r, factor):
    """The row r of the gradient by the output, times a factor, by columns and by rows."""
    rows = at_mean(q, d, e) + (3 + wide(d, L)) * ROWS
    pack_rows(X, rows, G, g0, r, e, wide(e, L), factor)
    for k in range(e):
        put(X, q + (d + k) * ROWS + r, get(G, g0 + k) * factor)


@compiled
def back_piece(L, inputs, sizes, head, back, i, j, h, c, X, S, q, room):
    """What keys [j, j + h) and a block of c rows from i on, with exponentials S, give to all gradients."""
    d, e, W = sizes.d, sizes.e, room.W
    used, dp, ep = wide(c, L), wide(d, L), wide(e, L)
    mean = at_mean(q, d, e)
    by_rows = mean + 3 * ROWS
    product(L, h, used, e, inputs.V, head.v + j * e, e, 1, X, q + d * ROWS, ROWS, X, W, ROWS, False)
    for l in range(0, used, L):
        t = load(X, mean + l)
        for s in range(0, h * ROWS, ROWS):
            x = subtract(load(X, W + s + l), t)
            store(X, W + s + l, multiply(load(X, S + s + l), x))
    if sizes.by_bias:
        for s in range(h):
            for r in range(c):
                place = head.bias + (i + r) * sizes.bias_row + (j + s) * sizes.bias_column
                put(back.by_bias, place, get(back.by_bias, place) + get(X, W + s * ROWS + r))
    if room.slopes >= 0:
        for s in range(0, h * ROWS, ROWS):
            for l in range(0, used, L):
                store(X, W + s + l, multiply(load(X, W + s + l), load(X, room.slopes + s + l)))
    product(L, d, used, h, inputs.K, head.k + j * d, 1, d, X, W, ROWS, X, q + (d + e) * ROWS, ROWS, True)
    product(L, h, dp, c, X, W, ROWS, 1, X, by_rows, dp, X, room.dk + j * dp, dp, True)
    product(L, h, ep, c, X, S, ROWS, 1, X, by_rows + ROWS * dp, ep, X, room.dv + j * ep, ep, True)


@compiled
def finish(dQ, p0, c, d, e, X, q, factor):
    """The gradient by the queries of a block; whether all of it is finite."""
    x = X.dtype.type(0)
    for r in range(c):
        for k in range(d):
            y = get(X, q + (d + e + k) * ROWS + r) * factor
            put(dQ, p0 + r * d + k, y)
            x += y - y
    return x == 0


@compiled
def exponentials(L, inputs, sizes, numbers, head, i, c, start, stop, X, q, room):
    """All exponentials of a block of c rows from i on, below their maxima, their sums, and their products with V."""
    d, e, used = sizes.d, sizes.e, wide(c, L)
    top = at_mean(q, d, e) + ROWS
    total, o = top + ROWS, q + (2 * d + e) * ROWS
    fill(X, top, total, L, head.sink if sizes.has_sink else numbers.lowest)
    for j in range(start, stop, KEYS):
        h, s0 = min(KEYS, stop - j), room.S + (j - start) * ROWS
        product(L, h, used, d, inputs.K, head.k + j * d, d, 1, X, q, ROWS, X, s0, ROWS, False)
        alter(L, X, s0, i, j, c, h, used, inputs, sizes, numbers, head, -1)
        for l in range(0, used, L):
            x = load(X, top + l)
            for s in range(s0 + l, s0 + l + h * ROWS, ROWS):
                x = larger(load(X, s), x)
            store(X, top + l, x)
    for l in range(0, used, L):
        x = load(X, top + l)
        store(X, total + l, exp2(subtract(splat(head.sink), x)) if sizes.has_sink else subtract(x, x))
    for j in range(start, stop, KEYS):
        h, s0 = min(KEYS, stop - j), room.S + (j - start) * ROWS
        for l in range(0, used, L):
            x, y = load(X, top + l), load(X, total + l)
            for s in range(s0 + l, s0 + l + h * ROWS, ROWS):
                p = exp2(subtract(load(X, s), x))
                y = add(y, p)
                store(X, s, p)
            store(X, total + l, y)
        product(L, e, used, h, inputs.V, head.v + j * e, 1, e, X, s0, ROWS, X, o, ROWS, True)


@compiled
def whole_rows(L, inputs, sizes, numbers, head, back, i, c, X, room):
    """A block of c rows from i on, there and back, with all its exponentials kept; whether all is certain."""
    d, e, q = sizes.d, sizes.e, room.blocks
    mean, o = at_mean(q, d, e), q + (2 * d + e) * ROWS
    start = min(max(0, i - sizes.left), head.m)
    stop = max(start, min(head.m, i + c + sizes.right))
    begin(L, inputs.Q, head.q + i * d, c, wide(c, L), d, e, X, q, numbers)
    exponentials(L, inputs, sizes, numbers, head, i, c, start, stop, X, q, room)
    good = inputs_finite(L, inputs, sizes, head, i, c)
    good = all_finite(L, back.G, head.out + i * e, c * e) and good
    for r in range(c):
        top, total = get(X, mean + ROWS + r), get(X, mean + 2 * ROWS + r)
        y, x, at = 1 / total, X.dtype.type(0), head.out + (i + r) * e
        for k in range(e):
            w = get(X, o + k * ROWS + r) * y
            put(back.O, at + k, w)
            x += w * get(back.G, at + k)
        put(X, mean + r, x * y)
        good = good and x - x == 0 and total > 0 and abs(top) < -numbers.lowest
        take_gradient(L, back.G, at, d, e, X, q, r, y)
        if sizes.has_sink:
            put(back.sums, back.place, get(back.sums, back.place) - np.exp2(head.sink - top) * x * y)
    for j in range(start, stop, KEYS):
        S = room.S + (j - start) * ROWS
        back_piece(L, inputs, sizes, head, back, i, j, min(KEYS, stop - j), c, X, S, q, room)
    return finish(back.by_q, head.by_q + i * d, c, d, e, X, q, numbers.back) and good


@compiled
def begin_back(L, inputs, sizes, numbers, head, back, i, c, X, q):
    """The parts of a block of c rows from i on whose output and logarithms of the row sums are known."""
    d, e = sizes.d, sizes.e
    mean = at_mean(q, d, e)
    begin(L, inputs.Q, head.q + i * d, c, wide(c, L), d, e, X, q, numbers)
    for r in range(c):
        x, at = X.dtype.type(0), head.out + (i + r) * e
        for k in range(e):
            x += get(back.O, at + k) * get(back.G, at + k)
        z = get(back.Z, head.row + i + r) * X.dtype.type(1 / LN2)
        put(X, mean + r, x)
        put(X, mean + ROWS + r, z)
        take_gradient(L, back.G, at, d, e, X, q, r, X.dtype.type(1))
        if sizes.has_sink:
            put(back.sums, back.place, get(back.sums, back.place) - np.exp2(head.sink - z) * x)


@compiled
def shared_pieces(L, inputs, sizes, numbers, head, back, i, b, X, room):
    """Rows [i, i + b) back, in blocks that share pieces of keys; whether the gradient by their queries is finite."""
    d, e, m = sizes.d, sizes.e, head.m
    each = size_of_block(d, e, L)
    start = min(max(0, i - sizes.left), m)
    stop = max(start, min(m, i + b + sizes.right))
    for f in range(0, b, ROWS):
        begin_back(L, inputs, sizes, numbers, head, back, i + f, min(ROWS, b - f), X, room.blocks + f // ROWS * each)
    for piece in range(start, stop, KEYS):
        for f in range(0, b, ROWS):
            q, c = room.blocks + f // ROWS * each, min(ROWS, b - f)
            used, top = wide(c, L), at_mean(q, d, e) + ROWS
            j = max(piece, i + f - sizes.left)
            h = min(piece + KEYS, m, i + f + c + sizes.right) - j
            if h <= 0:
                continue
            product(L, h, used, d, inputs.K, head.k + j * d, d, 1, X, q, ROWS, X, room.S, ROWS, False)
            alter(L, X, room.S, i + f, j, c, h, used, inputs, sizes, numbers, head, room.slopes)
            for l in range(0, used, L):
                z = load(X, top + l)
                for s in range(room.S + l, room.S + l + h * ROWS, ROWS):
                    store(X, s, exp2(subtract(load(X, s), z)))
            back_piece(L, inputs, sizes, head, back, i + f, j, h, c, X, room.S, q, room)
    good = all_finite(L, back.G, head.out + i * e, b * e)
    for f in range(0, b, ROWS):
        q, c = room.blocks + f // ROWS * each, min(ROWS, b - f)
        good = finish(back.by_q, head.by_q + (i + f) * d, c, d, e, X, q, numbers.back) and good
    return good


@compiled
def copy_columns(L, F, f0, X, x0, rows, columns):
    """Rows of whole vectors in X into those of F; whether all of them are finite."""
    total = X.dtype.type(0)
    for r in range(rows):
        for k in range(columns):
            y = get(X, x0 + r * wide(columns, L) + k)
            put(F, f0 + r * columns + k, y)
            total += y - y
    return total == 0


@compiled
def attend_back(
    L, Q, K, V, G, O, Z, dQ, dK, dV, dB, bias, keep, whole, real, starts, of_heads, sums, parts, shares, state
):
    """All gradients of all heads; the rows of a head are shared among `parts` tasks, each with its own dK, dV and sum.

    `shares` says that pieces of keys are shared, and the output and the logarithms of the row sums there already.
    """
    inputs, sizes, numbers = Inputs(Q, K, V, bias, keep), sizes_of(whole), Numbers(real[0], real[1], real[2], real[3])
    n, m, d, e = sizes.n, sizes.m, sizes.d, sizes.e
    blocks = SHARE if shares else 1
    scores = KEYS if shares else wide(m, KEYS)
    dp, ep, each = wide(d, L), wide(e, L), size_of_block(d, e, L)
    X = np.empty((scores + 2 * KEYS) * ROWS + blocks * each + m * (dp + ep) + 16, Q.dtype)
    S = (-X.ctypes.data % 64) // X.itemsize
    W = S + scores * ROWS
    first = W + 2 * KEYS * ROWS
    dk = first + blocks * each
    room = Room(S, W, W + KEYS * ROWS if sizes.has_cap else -1, first, dk, dk + m * dp)
    step = blocks * ROWS
    task = take(state)
    while task < sizes.heads * parts:
        head, good = head_of(task // parts, sizes, starts, of_heads), True
        back = Back(G, O, Z, dQ, dB, sums, task)
        fill(X, dk, dk + m * (dp + ep), L, X.dtype.type(0))
        for i in range(task % parts * step, n, parts * step):
            b = min(step, n - i)
            if shares:
                made = shared_pieces(L, inputs, sizes, numbers, head, back, i, b, X, room)
            else:
                made = whole_rows(L, inputs, sizes, numbers, head, back, i, b, X, room)
            good = good and made
        good = copy_columns(L, dK, task * m * d, X, room.dk, m, d) and good
        good = copy_columns(L, dV, task * m * e, X, room.dv, m, e) and good
        if not good:
            put(state, 1, 1)
        task = take(state)
