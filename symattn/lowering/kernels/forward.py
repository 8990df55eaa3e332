"""Attention by blocks of rows: of the scores of a head only some rows exist at a time; what is hidden is skipped."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from symattn.lowering.kernels.checks import wider
from symattn.lowering.kernels.plain import weigh
from symattn.lowering.kernels.pool import count_threads, run_threads

Array = np.ndarray[Any, np.dtype[Any]]

MOST = 256  # rows of a block; half as many where something is done to logits that may need room of its own
AT_EDGE = 96  # at most, where with fewer rows less is computed beyond the edge of a causal mask or window
TOGETHER = 768 << 10  # heads are taken together while their scores are no more bytes than this
SMALL = 1 << 14  # all heads are taken at once while their scores are no more numbers than this
BOLD = 0  # exponentials are taken of logits as they are,
CAREFUL = 1  # or the largest logit of a row is taken off first,
FINAL = 2  # and what overflows is left so
CALM = 1e10  # sums of exponentials between this and its inverse: none overflowed, and none that counts vanished


class Logits(NamedTuple):
    """What becomes of the product of queries and keys before the softmax, and of rows that see nothing.

    Scores times `scale` are altered in place by `change(block, head, rows, columns)`; query i sees the keys from
    i - left to i + right. A row that sees nothing is `empty`, None for the mean of the values. `slope` puts the
    derivative of `change` in the place of scaled scores. `sink` is the logit of one more key, which has no value. With
    `hidden`, `change` hides keys too.
    """

    scale: float
    change: Callable[[Array, Any, slice, slice], None] | None = None
    left: int | None = None
    right: int | None = None
    empty: float | None = 0.0
    slope: Callable[[Array, Any, slice, slice], None] | None = None
    sink: Array | None = None
    hidden: bool = False

    @property
    def masks(self) -> bool:
        """Whether some keys may be hidden from some queries."""
        return self.hidden or self.left is not None or self.right is not None

    @property
    def hides(self) -> bool:
        """Whether a row may see nothing, or more than the keys."""
        return any(x is not None for x in (self.change, self.left, self.right, self.sink))

    def rows(self, n: int, m: int, itemsize: int) -> int:
        """The rows of a block."""
        if self.left is not None or self.right is not None:
            return min(n, 32 if m <= 512 else 64 if m * itemsize <= 4096 else AT_EDGE)
        most = min(MOST, room_for_block(m, itemsize) // m // 16 * 16) if self.change is None else MOST // 2
        blocks = -(-n // most)
        return min(n, -(-n // (16 * blocks)) * 16)

    def spans(self, n: int, m: int, itemsize: int) -> list[Span]:
        """The blocks of n queries and m keys."""
        rows = self.rows(n, m, itemsize)
        return [self.span(slice(i, min(i + rows, n)), m) for i in range(0, n, rows)]

    def span(self, rows: slice, m: int) -> Span:
        """The block of these rows."""
        start = 0 if self.left is None else min(max(0, rows.start - self.left), m)
        stop = m if self.right is None else max(start, min(m, rows.stop + self.right))
        edges, b = [], rows.stop - rows.start
        if self.right is not None:
            beyond = rows.start + self.right + 1  # the first key that the first row does not see
            if (first := max(beyond, start)) < stop:
                edges.append(edge("right", slice(first - start, stop - start), b, first - beyond))
        if self.left is not None:
            before = rows.start - self.left  # the first key that the first row sees
            if (last := min(rows.stop - 1 - self.left, stop)) > start:
                edges.append(edge("left", slice(0, last - start), b, start - before))
        return Span(rows, slice(start, stop), tuple(edges))


class Span(NamedTuple):
    """A block of scores: its rows, the keys that some of them see, and what hides keys from the others."""

    rows: slice
    columns: slice
    edges: tuple[Edge, ...]


class Edge(NamedTuple):
    """Columns of a block, and which of their keys are hidden from which rows."""

    columns: slice
    hidden: Array


class Head(NamedTuple):
    """The arrays of one head, or of a few that are taken together, and the blocks in which they are computed."""

    which: tuple[Any, ...]
    spans: list[Span]
    Q: Array
    K: Array
    V: Array
    out: Array
    logs: Array | None = None  # the logarithms of the row sums

    @property
    def rows(self) -> slice:
        """All rows of the blocks."""
        return slice(self.spans[0].rows.start, self.spans[-1].rows.stop)

    def wide(self) -> Head:
        """The same arrays in the next wider type."""
        kind = wider(self.Q, self.K, self.V)
        Q, K, V, out = (x.astype(kind) for x in self[2:6])
        return Head(self.which, self.spans, Q, K, V, out, None if self.logs is None else self.logs.astype(kind))

    def scratch(self, copies: int) -> Array:
        """Room for so many copies of a block."""
        rows = max(span.rows.stop - span.rows.start for span in self.spans)
        return np.empty((copies, math.prod(self.Q.shape[:-2]) * rows * self.K.shape[-2]), self.Q.dtype)


def room_for_block(m: int, itemsize: int) -> int:
    """How many numbers a block may have: of 160 for each key and 256 KiB a part is for what else is needed."""
    return 159 * m + (208 << 10) // itemsize


def edge(side: str, columns: slice, rows: int, first: int) -> Edge:
    """The edge in these columns, from the column `first` of its corner on."""
    return Edge(columns, corner(side)[:rows, first : first + columns.stop - columns.start])


@cache
def corner(side: str) -> Array:
    """The keys beyond the last that is seen, or before the first, where rows and keys count alike."""
    ones = np.ones((AT_EDGE, AT_EDGE), bool)
    return np.triu(ones) if side == "right" else np.tril(ones, -1)


def hide_edges(S: Array, edges: tuple[Edge, ...], value: float) -> None:
    """Put a value in the place of what is hidden: -inf in that of logits, 0 in that of exponentials."""
    for columns, hidden in edges:
        np.copyto(S[..., columns], value, where=hidden)


def attend(
    Q: Array, K: Array, V: Array, logits: Logits, lead: tuple[int, ...], *, logs: bool, threads: int | None
) -> tuple[Array, Any]:
    """softmax(logits of Q Kᵀ) V without the matrix of scores, and the logarithms of its row sums if asked for.

    `lead` are the leading axes of the result. Source: Dao et al. 2022, without its blocks of keys.
    """
    n, m = Q.shape[-2], K.shape[-2]
    if n <= AT_EDGE and math.prod(lead) * n * m <= SMALL:
        return attend_at_once(Q, K, V, logits, lead, logs)
    care = BOLD if room_for(V) > CALM else CAREFUL
    Q, K, V = (x if x.shape[:-2] == lead else np.broadcast_to(x, lead + x.shape[-2:]) for x in (Q, K, V))
    out = np.empty((*lead, n, V.shape[-1]), Q.dtype)
    L = np.empty((*lead, n, 1), Q.dtype) if logs else None

    def compute(i: tuple[int, ...], spans: list[Span], scratch: Array) -> None:
        head = Head(i, spans, Q[i], K[i], V[i], out[i], None if L is None else L[i])
        nonlocal care
        if care == BOLD and attend_rows(head, logits, scratch[0], BOLD):
            return
        care = CAREFUL  # what was too bold for one head is not tried on the others
        if not attend_rows(head, logits, scratch[0], CAREFUL):
            attend_widely(head, logits)

    run_blocks(compute, Q, m, logits, math.prod(lead) * n * m * (Q.shape[-1] + V.shape[-1]), threads)
    return out, L


def run_blocks(
    compute: Callable[[tuple[int, ...], list[Span], Array], None],
    Q: Array,
    m: int,
    logits: Logits,
    work: int,
    threads: int | None,
    copies: int = 1,
) -> None:
    """All blocks of all heads, shared among threads; each has room for so many copies of a block.

    Axes of heads whose scores are few are taken together, and heads cut into pieces where they are fewer than threads.
    """
    if not work:
        return  # no heads, or no rows
    *lead, n, _ = Q.shape
    spans, workers = logits.spans(n, m, Q.itemsize), count_threads(threads, work)
    size = spans[0].rows.stop * m
    room = min(TOGETHER // Q.itemsize, room_for_block(m, Q.itemsize)) // (1 if logits.change is None else 2)
    heads, many = shared_heads(tuple(lead), room // size)
    pieces = -(-workers // max(1, len(heads)))
    step = max(1, -(-len(spans) // pieces))
    tasks = iter([(head, spans[i : i + step]) for head in heads for i in range(0, len(spans), step)])

    def share() -> None:
        scratch = np.empty((copies, many * size), Q.dtype)
        with np.errstate(all="ignore"):
            for head, part in tasks:
                compute(head, part, scratch)

    run_threads(share, workers)


def shared_heads(lead: tuple[int, ...], most: int) -> tuple[list[Any], int]:
    """Indices of heads, each of about `most` heads, and the largest number of heads that one means."""
    outer, many = len(lead), 1
    while outer and many * lead[outer - 1] <= most:
        outer -= 1
        many *= lead[outer]
    axes: list[Any] = [range(x) for x in lead[:outer]]
    if outer and (part := most // many) > 1:
        axes[-1] = [slice(i, min(i + part, lead[outer - 1])) for i in range(0, lead[outer - 1], part)]
        many *= part
    return list(product(*axes)), many


def attend_at_once(
    Q: Array, K: Array, V: Array, logits: Logits, lead: tuple[int, ...], logs: bool
) -> tuple[Array, Any]:
    """Heads that are small enough to be taken whole, all together; V meets weights that are divided already.

    Boldly if the sums are calm; what is hidden and not finite, or sees nothing, makes them or the output not finite.
    """
    if logits.change is not None or logits.sink is not None:
        return attend_with_care(Q, K, V, logits, lead, logs)
    with np.errstate(all="ignore"):
        S = Q @ K.swapaxes(-1, -2)
        S *= logits.scale
        np.exp(S, out=S)
        if logits.left is not None or logits.right is not None:
            S *= seen(S.shape[-2], S.shape[-1], logits.left, logits.right, S.dtype.char)
        total = np.add.reduce(S, axis=-1, keepdims=True)
        inverse = 1 / total
        calm = np.vdot(total, total) + np.vdot(inverse, inverse) < CALM**2
        if not calm:
            return attend_with_care(Q, K, V, logits, lead, logs)
        S /= total
        y = S @ V
        size = np.vdot(y, y)
    if not size < np.inf:  # some value may be near the largest number there is
        return attend_with_care(Q, K, V, logits, lead, logs)
    return y, np.log(total) if logs else None


@lru_cache(maxsize=32)
def seen(n: int, m: int, left: int | None, right: int | None, kind: str) -> Array:
    """1 where a query sees a key, else 0."""
    ahead = np.arange(m) - np.arange(n)[:, None]
    shown = np.ones((n, m), bool)
    if left is not None:
        shown &= ahead >= -left
    if right is not None:
        shown &= ahead <= right
    return shown.astype(kind)


def attend_with_care(
    Q: Array, K: Array, V: Array, logits: Logits, lead: tuple[int, ...], logs: bool
) -> tuple[Array, Any]:
    """The same where keys are hidden, or scores too large for exponentials."""
    rows, columns, edges = logits.span(slice(0, Q.shape[-2]), K.shape[-2])
    with np.errstate(all="ignore"):
        S = Q @ K[..., columns, :].swapaxes(-1, -2)
        S = S if S.shape[:-2] == lead else np.array(np.broadcast_to(S, lead + S.shape[-2:]))
        S *= logits.scale
        if logits.change is not None:
            if not (np.vdot(S, S) < np.inf or product_fits(Q, K)) and (wide := wider(Q, K, V)):
                return attend_at_once_widely(Q, K, V, logits, lead, logs, wide)
            logits.change(S, (), rows, columns)
        hide_edges(S, edges, -np.inf)
        top = largest(S, logits.sink)
        if not reaches(top, Q, K) and (wide := wider(Q, K, V)):
            return attend_at_once_widely(Q, K, V, logits, lead, logs, wide)
        S -= top
        np.exp(S, out=S)
        total = np.add.reduce(S, axis=-1, keepdims=True)
        if logits.sink is not None:
            total += np.exp(logits.sink - top)
        L = np.log(total) + top if logs else None
        y = S @ V[..., columns, :]
        if not np.vdot(y, y) < np.inf:  # values are not finite, or near the largest number there is
            if wide := wider(Q, K, V):
                return attend_at_once_widely(Q, K, V, logits, lead, logs, wide)
            y = weigh(S, V[..., columns, :]) if logits.masks else y
        fill_empty(y, total, V, logits)
        y /= total
        return y, L


def attend_at_once_widely(
    Q: Array, K: Array, V: Array, logits: Logits, lead: tuple[int, ...], logs: bool, wide: Any
) -> tuple[Array, Array | None]:
    """The same in a wider type, in which nothing overflows."""
    out, L = attend_with_care(Q.astype(wide), K.astype(wide), V.astype(wide), logits, lead, logs)
    return out.astype(Q.dtype), None if L is None else L.astype(Q.dtype)


def attend_rows(head: Head, logits: Logits, scratch: Array, care: int) -> bool:
    """The blocks of a head into its output; False where it was too bold, or something overflowed."""
    weights, V, out, L = Weights(head, logits, scratch, care), head.V, head.out, head.logs
    finite = care == BOLD or not logits.masks or bool(np.isfinite(V).all())
    for span in head.spans:
        if (found := weights.block(span)) is None:
            return False
        S, total, top = found
        y = out[..., span.rows, :]
        multiply(S, V[..., span.columns, :], y, finite)
        if L is not None:
            L[..., span.rows, :] = np.log(total) if top is None else np.log(total) + top
        if top is not None:
            fill_empty(y, total, V, logits)
    if not weights.good():
        return False
    y = out[..., head.rows, :]
    y /= weights.sums
    return True


def multiply(S: Array, X: Array, out: Array, finite: bool) -> None:
    """The product of a block of weights or their gradients, which takes nothing of what is hidden; X may be finite."""
    if finite:
        np.matmul(S, X, out=out)
    else:
        out[...] = weigh(S, X)


class Weights:
    """Exponentials of the logits of a head, block by block, and their sums, taken with a care of three.

    Boldly they are of logits as they are, which is good while the sums are calm.
    """

    def __init__(self, head: Head, logits: Logits, scratch: Array, care: int) -> None:
        self.head, self.logits, self.scratch, self.care = head, logits, scratch, care
        self.keys = head.K.swapaxes(-1, -2)
        self.ones = np.ones((head.K.shape[-2], 1), head.Q.dtype)
        self.first = head.rows.start
        self.sums = np.empty((*head.Q.shape[:-2], head.rows.stop - self.first, 1), head.Q.dtype)
        fits = care == FINAL or logits.change is None or product_fits(head.Q, head.K)  # a cap hides what overflows
        self.fits = fits and (care != CAREFUL or room_for(head.V) > 1)
        self.sink = None if logits.sink is None else logits.sink[head.which]

    def block(self, span: Span, slopes: Array | None = None) -> tuple[Array, Array, Array | None] | None:
        """The exponentials of a block, their sums, and what was taken off; None where something overflows.

        Into `slopes` goes the derivative of the logits by scaled scores, where it is not 1.
        """
        (rows, columns, edges), Q = span, self.head.Q
        b, w = rows.stop - rows.start, columns.stop - columns.start
        S = by_columns(self.scratch, *Q.shape[:-2], b, w)
        total = self.sums[..., rows.start - self.first : rows.stop - self.first, :]
        top = None
        np.matmul(Q[..., rows, :] * self.logits.scale, self.keys[..., columns], out=S)
        if slopes is not None and self.logits.slope is not None:
            slope = by_columns(slopes, *S.shape)
            np.copyto(slope, S)
            self.logits.slope(slope, self.head.which, rows, columns)
        if self.logits.change is not None:
            self.logits.change(S, self.head.which, rows, columns)
        if self.care == BOLD:
            if not self.fits:
                return None
            np.exp(S, out=S)
            hide_edges(S, edges, 0.0)
        else:
            hide_edges(S, edges, -np.inf)
            top = largest(S, self.sink)
            fits = self.care == FINAL or (self.fits and reaches(top, Q, self.head.K))
            if not fits and wider(*self.head[2:5]):
                return None
            S -= top
            np.exp(S, out=S)
        np.matmul(S, self.ones[:w], out=total)
        if self.sink is not None:
            total += self.sunk(top)
        if self.care == BOLD and rows.start == self.first and not calm(total):
            return None
        return S, total, top

    def good(self) -> bool:
        """Whether what was made boldly may be kept."""
        return self.care != BOLD or calm(self.sums)

    def sunk(self, top: Array | None) -> Array:
        """The exponentials of the sink's logit, from which `top` is taken off too."""
        sink: Any = self.sink
        made: Array = np.exp(sink if top is None else sink - top)
        return made


def by_columns(scratch: Array, *shape: int) -> Array:
    """Room for a block whose columns are contiguous: of products, and of sums over rows, they are made fastest."""
    *lead, b, w = shape
    return scratch[: math.prod(shape)].reshape(*lead, w, b).swapaxes(-1, -2)


def calm(total: Array) -> bool:
    """Whether all sums say that no exponential was too large, and none that counts too small."""
    return bool(total.min() > 1 / CALM and total.max() < CALM)


def room_for(V: Array) -> float:
    """How large every exponential may be before its products with values overflow."""
    return float(np.finfo(V.dtype).max) / float(V.shape[-2]) / max(size_of(V), 1.0)


def attend_widely(head: Head, logits: Logits) -> None:
    """The same where products overflow, in the next wider type."""
    wide = head.wide()
    attend_rows(wide, logits, wide.scratch(1)[0], FINAL)
    head.out[..., head.rows, :] = wide.out[..., head.rows, :]
    if head.logs is not None and wide.logs is not None:
        head.logs[..., head.rows, :] = wide.logs[..., head.rows, :]


def largest(S: Array, sink: Array | None) -> Array:
    """The largest logit of each row, or the sink's; a finite number for a row that sees nothing."""
    top = np.maximum.reduce(S, axis=-1, keepdims=True, initial=np.finfo(S.dtype).min)
    return top if sink is None else np.maximum(top, sink)


def reaches(top: Array, Q: Array, K: Array) -> bool:
    """Whether the largest logits are right: where one is not finite, or of a row that sees nothing, a product may have
    overflowed.
    """
    most = float(np.finfo(top.dtype).max)
    if np.abs(top).max(initial=0) < most:
        return True
    return bool(np.isfinite(top).all()) and product_fits(Q, K)


def product_fits(Q: Array, K: Array) -> bool:
    """Whether no product of a query and a key overflows."""
    return bool(size_of(Q) * size_of(K) * Q.shape[-1] < float(np.finfo(Q.dtype).max))


def size_of(X: Array) -> float:
    """The largest absolute value."""
    return max(float(X.max(initial=0)), -float(X.min(initial=0)))


def fill_empty(y: Array, total: Array, V: Array, logits: Logits) -> None:
    """What rows of the result are that see nothing."""
    if total.all():
        return
    nothing = total == 0
    total[nothing] = 1
    np.copyto(y, V.mean(axis=-2, keepdims=True) if logits.empty is None else logits.empty, where=nothing)
