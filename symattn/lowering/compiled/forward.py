"""Attention forward in compiled loops: rows of queries in the lanes of vectors, keys in pieces, softmax on the way.

Scores of a piece are kept by keys, (KEYS, ROWS), so that no sum runs across lanes. Logits are those of exp2: they are
scaled by log2(e). Sources: Dao et al. 2022, algorithm 1; Milakov and Gimelshein 2018 for the running maximum.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from symattn.lowering.compiled.compiler import compiled
from symattn.lowering.compiled.vectors import (
    HIGH,
    add,
    apart,
    divide,
    exp2,
    extract,
    fma,
    get,
    larger,
    load,
    multiply,
    put,
    splat,
    store,
    subtract,
    take,
    tile,
)

ROWS = 48  # queries in the lanes of 3 vectors of 16, 6 of 8 or 12 of 4
KEYS = 128  # keys of a piece
MANY = 8  # blocks of rows that share a piece of keys while it is in the cache
LOW = {4: -3e38, 8: -1e308}  # below every logit that is not hidden
EMPTY = -np.inf
LN2 = 0.6931471805599453

tile3, tile2, tile1 = tile(HIGH, 3), tile(HIGH, 2), tile(HIGH, 1)
row3, row2, row1 = tile(1, 3), tile(1, 2), tile(1, 1)


class Inputs(NamedTuple):
    """Flat arrays that are only read."""

    Q: Any
    K: Any
    V: Any
    bias: Any
    keep: Any  # 0 and 1


class Sizes(NamedTuple):
    """The whole numbers of a call: sizes, how far is seen, the distances of rows and columns, and what there is."""

    heads: Any
    n: Any
    m: Any
    d: Any
    e: Any
    left: Any
    right: Any
    first: Any = 0  # the slope is 0 where key - query is this
    bias_row: Any = 0
    bias_column: Any = 0
    keep_row: Any = 0
    keep_column: Any = 0
    has_cap: Any = 0
    has_slope: Any = 0
    has_bias: Any = 0
    has_keep: Any = 0
    has_sink: Any = 0
    by_bias: Any = 0  # whether the gradient by the bias is wanted


class Numbers(NamedTuple):
    """The numbers of a call, of the type of the arrays."""

    scale: Any  # of exp2's logits, or of scores that are capped
    back: Any  # of gradients
    cap: Any
    lowest: Any


class Head(NamedTuple):
    """Where the arrays of a head begin, how many keys it has, and its own numbers."""

    q: Any
    k: Any
    v: Any
    bias: Any
    keep: Any
    m: Any
    out: Any
    row: Any  # of its first query, among those of all heads
    by_q: Any
    slope: Any
    sink: Any


STARTS = 6  # q, k, v, bias, keep, m: what is known of a head beforehand


@compiled
def sizes_of(x):
    """Whole numbers by their names."""
    return Sizes(
        x[0],
        x[1],
        x[2],
        x[3],
        x[4],
        x[5],
        x[6],
        x[7],
        x[8],
        x[9],
        x[10],
        x[11],
        x[12],
        x[13],
        x[14],
        x[15],
        x[16],
        x[17],
    )


@compiled
def head_of(t, sizes, starts, numbers):
    """The head t: `starts` and `numbers` have a row for each of these that all heads have."""
    h, n = sizes.heads, sizes.n
    return Head(
        starts[t], starts[h + t], starts[2 * h + t], starts[3 * h + t], starts[4 * h + t], starts[5 * h + t],
        t * n * sizes.e, t * n, t * n * sizes.d, numbers[t], numbers[h + t],
    )  # fmt: skip


@compiled
def product(L, rows, columns, depth, A, a, ra, ca, B, b, ldb, C, c, ldc, more):
    """C (+)= A B, of which whole vectors of columns are made: see `tile`."""
    apart()
    left = columns // L
    groups = (left + 2) // 3
    whole = rows - rows % HIGH
    while groups > 0:
        wide = (left + groups - 1) // groups
        if wide == 3:
            for i in range(0, whole, HIGH):
                tile3(depth, A, a + i * ra, ra, ca, B, b, ldb, C, c + i * ldc, ldc, more)
            for i in range(whole, rows):
                row3(depth, A, a + i * ra, ra, ca, B, b, ldb, C, c + i * ldc, ldc, more)
        elif wide == 2:
            for i in range(0, whole, HIGH):
                tile2(depth, A, a + i * ra, ra, ca, B, b, ldb, C, c + i * ldc, ldc, more)
            for i in range(whole, rows):
                row2(depth, A, a + i * ra, ra, ca, B, b, ldb, C, c + i * ldc, ldc, more)
        else:
            for i in range(0, whole, HIGH):
                tile1(depth, A, a + i * ra, ra, ca, B, b, ldb, C, c + i * ldc, ldc, more)
            for i in range(whole, rows):
                row1(depth, A, a + i * ra, ra, ca, B, b, ldb, C, c + i * ldc, ldc, more)
        left -= wide
        b += wide * L
        c += wide * L
        groups -= 1


@compiled
def pack(X, to, F, f0, rows, used, columns, factor):
    """Rows of F, times a factor, become columns of ROWS numbers, with zeros after the last."""
    for k in range(columns):
        for r in range(rows):
            put(X, to + k * ROWS + r, get(F, f0 + r * columns + k) * factor)
        for r in range(rows, used):
            put(X, to + k * ROWS + r, 0)


@compiled
def fill(X, start, stop, L, value):
    """X[start : stop] in whole vectors."""
    v = splat(value)
    for i in range(start, stop, L):
        store(X, i, v)


@compiled
def alter(L, X, S, i, j, c, h, used, inputs, sizes, numbers, head, slopes):
    """Scores of c queries from i on and h keys from j on -> logits: cap, bias, slope, and what is hidden.

    Where there is a cap, its derivative goes to `slopes`, unless that is -1.
    """
    log2e = X.dtype.type(1 / LN2)
    if sizes.has_cap:
        cap_scores(L, X, S, h, used, numbers.cap, slopes)
    if sizes.has_bias:
        for r in range(c):
            at = head.bias + (i + r) * sizes.bias_row + j * sizes.bias_column
            for s in range(h):
                y = get(inputs.bias, at + s * sizes.bias_column) * log2e
                put(X, S + s * ROWS + r, get(X, S + s * ROWS + r) + y)
    if sizes.has_slope:
        for s in range(h):
            for r in range(c):
                y = head.slope * X.dtype.type(j + s - i - r - sizes.first)
                put(X, S + s * ROWS + r, get(X, S + s * ROWS + r) + y)
    if sizes.has_keep:
        for r in range(c):
            at = head.keep + (i + r) * sizes.keep_row + j * sizes.keep_column
            for s in range(h):
                if get(inputs.keep, at + s * sizes.keep_column) == 0:
                    put(X, S + s * ROWS + r, EMPTY)
    if j + h > i + sizes.right + 1:
        for s in range(max(0, i + sizes.right + 1 - j), h):
            for r in range(min(used, j + s - i - sizes.right)):
                put(X, S + s * ROWS + r, EMPTY)
    if j < i + c - 1 - sizes.left:
        for s in range(min(h, i + c - 1 - sizes.left - j)):
            for r in range(max(0, j + s + sizes.left + 1 - i), used):
                put(X, S + s * ROWS + r, EMPTY)


@compiled
def cap_scores(L, X, S, h, used, cap, slopes):
    """Scores -> cap tanh(score / cap), with tanh |x| = (1 - q) / (1 + q) and q = exp(-2 |x|); 1 - tanh² to `slopes`."""
    one, least = splat(X.dtype.type(1)), splat(X.dtype.type(1e-30))
    double, to_log2 = splat(X.dtype.type(2 / LN2) / cap), splat(cap * X.dtype.type(1 / LN2))
    for s in range(S, S + h * ROWS, ROWS):
        for l in range(s, s + used, L):
            x = load(X, l)
            zero = subtract(x, x)
            positive = larger(x, subtract(zero, x))
            q = exp2(multiply(subtract(zero, positive), double))
            y = divide(subtract(one, q), add(one, q))
            if slopes >= 0:
                store(X, slopes + l - S, subtract(one, multiply(y, y)))
            store(X, l, multiply(multiply(to_log2, y), divide(x, larger(positive, least))))


@compiled
def fold(L, X, S, h, used, top, o, e, begun):
    """Scores become exponentials below the running maximum `top`; sums (after it) and outputs shrink as it rises."""
    zero = splat(X.dtype.type(0))
    total = top + ROWS
    for l in range(0, used, L):
        old = load(X, top + l)
        t = old
        u = old
        for s in range(h // 2):
            t = larger(load(X, S + 2 * s * ROWS + l), t)
            u = larger(load(X, S + (2 * s + 1) * ROWS + l), u)
        if h % 2:
            t = larger(load(X, S + (h - 1) * ROWS + l), t)
        t = larger(t, u)
        y = zero
        for s in range(h):
            p = exp2(subtract(load(X, S + s * ROWS + l), t))
            y = add(y, p)
            store(X, S + s * ROWS + l, p)
        a = exp2(subtract(old, t))
        store(X, total + l, fma(load(X, total + l), a, y))
        store(X, top + l, t)
        if begun:
            for k in range(e):
                store(X, o + k * ROWS + l, multiply(load(X, o + k * ROWS + l), a))


@compiled
def all_finite(L, X, start, count):
    """Whether so many numbers of a flat array from `start` on are finite."""
    x = y = splat(X.dtype.type(0))
    whole = start + count - count % (2 * L)
    for i in range(start, whole, 2 * L):
        u, v = load(X, i), load(X, i + L)
        x, y = add(x, subtract(u, u)), add(y, subtract(v, v))
    total = X.dtype.type(0)
    for i in range(whole, start + count):
        total += get(X, i) - get(X, i)
    both = add(x, y)
    for i in range(L):
        total += extract(both, i)
    return total == 0


@compiled
def inputs_finite(L, inputs, sizes, head, i, b):
    """Whether rows [i, i + b) of a head's queries are finite, and its keys and values, which the first rows look at."""
    d, e = sizes.d, sizes.e
    good = all_finite(L, inputs.Q, head.q + i * d, b * d)
    if i == 0:
        good = good and all_finite(L, inputs.K, head.k, sizes.m * d) and all_finite(L, inputs.V, head.v, sizes.m * e)
    return good


@compiled
def rows_of_head(L, inputs, O, Z, sizes, numbers, head, i, b, X, S):
    """Rows [i, i + b) of one head's output, and the logarithms of the sums; whether all of them are certain."""
    m, d, e = head.m, sizes.d, sizes.e
    first = S + KEYS * ROWS
    each = (d + e + 2) * ROWS
    start = min(max(0, i - sizes.left), m)
    stop = max(start, min(m, i + b + sizes.right))
    for f in range(0, b, ROWS):
        q = first + f // ROWS * each
        top = q + (d + e) * ROWS
        c = min(ROWS, b - f)
        used = (c + L - 1) // L * L
        pack(X, q, inputs.Q, head.q + (i + f) * d, c, used, d, numbers.scale)
        fill(X, q + d * ROWS, top, L, X.dtype.type(0))
        fill(X, top, top + ROWS, L, head.sink if sizes.has_sink else numbers.lowest)
        fill(X, top + ROWS, top + 2 * ROWS, L, X.dtype.type(1 if sizes.has_sink else 0))
    for piece in range(start, stop, KEYS):
        for f in range(0, b, ROWS):
            q = first + f // ROWS * each
            o = q + d * ROWS
            c = min(ROWS, b - f)
            used = (c + L - 1) // L * L
            j = max(piece, i + f - sizes.left)
            h = min(piece + KEYS, m, i + f + c + sizes.right) - j
            if h <= 0:
                continue
            product(L, h, used, d, inputs.K, head.k + j * d, d, 1, X, q, ROWS, X, S, ROWS, False)
            alter(L, X, S, i + f, j, c, h, used, inputs, sizes, numbers, head, -1)
            fold(L, X, S, h, used, o + e * ROWS, o, e, piece > start)
            product(L, e, used, h, inputs.V, head.v + j * e, 1, e, X, S, ROWS, X, o, ROWS, True)
    good = inputs_finite(L, inputs, sizes, head, i, b)
    for r in range(i, i + b):
        o = first + (r - i) // ROWS * each + d * ROWS + (r - i) % ROWS
        top = get(X, o + e * ROWS)
        total = get(X, o + (e + 1) * ROWS)
        y = 1 / total
        for k in range(e):
            put(O, head.out + r * e + k, get(X, o + k * ROWS) * y)
        put(Z, head.row + r, X.dtype.type(LN2) * (top + np.log2(total)))
        good = good and total > 0 and abs(top) < -numbers.lowest
    return good and all_finite(L, O, head.out + i * e, b * e)


@compiled
def attend(L, Q, K, V, O, Z, bias, keep, whole, real, starts, of_heads, state):
    """All rows of all heads; `state` is a counter, from which threads take pieces, and whether a number is in doubt."""
    inputs, sizes, numbers = Inputs(Q, K, V, bias, keep), sizes_of(whole), Numbers(real[0], real[1], real[2], real[3])
    n, each = sizes.n, sizes.d + sizes.e
    step = ROWS * (MANY if sizes.m * each * Q.itemsize > 1 << 20 else 2)
    X = np.empty((KEYS + min(step // ROWS, n // ROWS + 1) * (each + 2)) * ROWS + 16, Q.dtype)
    S = (-X.ctypes.data % 64) // X.itemsize
    pieces = (n + step - 1) // step
    task = take(state)
    while task < sizes.heads * pieces:
        i = (pieces - 1 - task % pieces) * step  # with a causal mask the longest first
        head = head_of(task // pieces, sizes, starts, of_heads)
        if not rows_of_head(L, inputs, O, Z, sizes, numbers, head, i, min(step, n - i), X, S):
            put(state, 1, 1)
        task = take(state)
