"""Attention by compiled loops with the arguments of the fast style, which takes over wherever a number is in doubt."""

from __future__ import annotations

import math
import sys
import threading
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from symattn.lowering.compiled import backward as back
from symattn.lowering.compiled import forward
from symattn.lowering.compiled.forward import LN2, LOW, STARTS
from symattn.lowering.compiled.vectors import BYTES
from symattn.lowering.kernels import backward as fast_back
from symattn.lowering.kernels import forward as fast
from symattn.lowering.kernels.forward import Logits
from symattn.lowering.kernels.pool import count_threads, run_threads

Array = np.ndarray[Any, np.dtype[Any]]

FAR = 1 << 40  # no bound of a window
CACHED = 6 << 20  # bytes of keys, values and their gradients up to which whole rows of exponentials are kept
WORTH = 1 << 22  # multiply-adds from which the style "auto" takes compiled loops


class Terms(NamedTuple):
    """What `Logits.change` does, told as data: scaled scores are capped, a bias and a slope are added, some are hidden.

    `cap` tanh(score / cap); `bias`, `keep` and `hide` have one row or column for all or one for each; `slope` times
    (key - query - `first`) is added; keys from `length` on are hidden.
    """

    cap: float | None = None
    bias: Array | None = None
    slope: Any = None
    first: int = 0
    keep: tuple[Array, ...] = ()
    hide: tuple[Array, ...] = ()
    length: int | None = None


PLAIN = Terms()


def attend_compiled(
    Q: Array,
    K: Array,
    V: Array,
    logits: Logits,
    lead: tuple[int, ...],
    *,
    logs: bool,
    threads: int | None,
    terms: Terms | None = None,
    again: Any = None,
) -> tuple[Array, Any]:
    """softmax(logits of Q Kᵀ) V, and the logarithms of the row sums if asked for, by compiled loops.

    Where an argument or a result is not finite, a score overflows or a row sees nothing, the fast style computes it all
    again, whose rules for these cases are the same ones. `again` is given where logits are told by shapes alone:
    `attend_again` then finds the plan of small arrays by it.
    """
    if takes(Q, logits, terms):
        call = Call(Q, K, V, logits, lead, terms or PLAIN)
        out, L = np.empty(call.plan.out, Q.dtype), np.empty(call.plan.logs, Q.dtype)
        if call.plan.work and call.forward(out, L, count_threads(threads, call.plan.work)):
            if again is not None and threads is None and call.plan.work < WORTH:
                keep(again, Q, K, V, call.plan)
            return out, L if logs else None
    return fast.attend(Q, K, V, logits, lead, logs=logs, threads=threads)


PLANS: dict[Any, tuple[Any, Plan]] = {}  # of small arrays: by what their function, shapes and types are
MOST = 256


def keep(owner: Any, Q: Array, K: Array, V: Array, made: Plan) -> None:
    """Let `attend_again` find a plan."""
    if len(PLANS) >= MOST:
        PLANS.clear()
    PLANS[id(owner), Q.shape, K.shape, V.shape, Q.dtype, K.dtype, V.dtype] = owner, made


def attend_again(owner: Any, Q: Array, K: Array, V: Array) -> Array | None:
    """The output for small arrays of shapes and types that were good once, with what was found out then.

    None for all others, and where a number is in doubt.
    """
    if not (type(Q) is type(K) is type(V) is np.ndarray):
        return None
    found = PLANS.get((id(owner), Q.shape, K.shape, V.shape, Q.dtype, K.dtype, V.dtype))
    if found is None or found[0] is not owner:
        return None
    made = found[1]
    out, L, state = np.empty(made.out, Q.dtype), np.empty(made.rows, Q.dtype), np.zeros(2, np.int64)
    forward.attend(made.lanes, flat(Q), flat(K), flat(V), out.ravel(), L, *made.rest, state)
    return None if state[1] else out


def attend_back_compiled(
    Q: Array,
    K: Array,
    V: Array,
    G: Array,
    logits: Logits,
    lead: tuple[int, ...],
    *,
    bias: tuple[int, ...] | None = None,
    threads: int | None,
    terms: Terms | None = None,
) -> tuple[Array, Array, Array, Array, Any, Any]:
    """The output and, for its gradient G, those by Q, K, V, a bias of a given shape, and a sink, by compiled loops."""
    work = 3 * count_products(Q, K, V, lead)
    if takes(Q, logits, terms) and work:
        call = Call(Q, K, V, logits, lead, terms or PLAIN)
        made = call.backward(G, bias, count_threads(threads, work))
        if made is not None:
            return made
    return fast_back.attend_back(Q, K, V, G, logits, lead, bias=bias, threads=threads)


def attend_auto(
    Q: Array, K: Array, V: Array, logits: Logits, lead: tuple[int, ...], *, terms: Terms | None = None, **options: Any
) -> Any:
    """Compiled loops where the work is worth it, else the fast style."""
    if count_products(Q, K, V, lead) >= WORTH:
        return attend_compiled(Q, K, V, logits, lead, terms=terms, **options)
    return fast.attend(Q, K, V, logits, lead, **options)


def attend_back_auto(
    Q: Array,
    K: Array,
    V: Array,
    G: Array,
    logits: Logits,
    lead: tuple[int, ...],
    *,
    terms: Terms | None = None,
    **options: Any,
) -> Any:
    """Compiled loops where the work is worth it, else the fast style."""
    if count_products(Q, K, V, lead) >= WORTH:
        return attend_back_compiled(Q, K, V, G, logits, lead, terms=terms, **options)
    return fast_back.attend_back(Q, K, V, G, logits, lead, **options)


def count_products(Q: Array, K: Array, V: Array, lead: tuple[int, ...]) -> int:
    """The multiply-adds of both products of all heads."""
    return int(math.prod(lead) * Q.shape[-2] * K.shape[-2] * (Q.shape[-1] + V.shape[-1]))


def takes(Q: Array, logits: Logits, terms: Terms | None) -> bool:
    """Whether the loops are made for this type, and know all that becomes of the scores."""
    return (terms is not None or logits.change is None) and Q.dtype.char in "fd"


class Plan(NamedTuple):
    """What is known of a call by its shapes and numbers alone; nobody writes to it."""

    work: int  # multiply-adds of both products
    lanes: int  # of a vector
    out: tuple[int, ...]  # the shape of the output, and of the logarithms of the row sums
    logs: tuple[int, ...]
    rows: int  # of all heads
    whole: Array  # `Sizes`
    rest: tuple[Array, ...]  # bias, mask, whole and real numbers, where each head's arrays begin, numbers of each head


class Call:
    """The arguments of the loops for one call."""

    def __init__(self, Q: Array, K: Array, V: Array, logits: Logits, lead: tuple[int, ...], terms: Terms) -> None:
        self.dtype, self.lead = Q.dtype, lead
        self.arrays = flat(Q), flat(K), flat(V)
        cap = None if terms.cap is None else number(terms.cap)
        right = logits.right
        made = plan(Q.dtype, lead, Q.shape, K.shape, V.shape, number(logits.scale), logits.left, right, cap)
        self.plan, self.whole, self.rest = made, made.whole, made.rest
        if terms is not PLAIN or logits.sink is not None:
            self._tell(logits, terms)

    def _tell(self, logits: Logits, terms: Terms) -> None:
        """Put what becomes of the scores where the loops look for it."""
        told: dict[str, int] = {"first": terms.first}
        bias, keep, whole, real, starts, of_heads = (x.copy() for x in self.rest)
        starts, of_heads = starts.reshape(STARTS, -1), of_heads.reshape(2, -1)
        if terms.length is not None:
            starts[LENGTHS] = np.clip(terms.length, 0, starts[LENGTHS])
        if logits.sink is not None:
            told["has_sink"] = 1
            of_heads[1] = np.reshape(logits.sink, -1) / LN2
        if terms.slope is not None:
            told["has_slope"] = 1
            of_heads[0] = np.broadcast_to(terms.slope, (*self.lead, 1, 1)).reshape(-1) / LN2
        if terms.bias is not None:
            bias = flat(np.asarray(terms.bias, self.dtype))
            told |= {"has_bias": 1} | distances("bias", terms.bias)
            starts[BIASES] = begin(np.shape(terms.bias), self.lead)
        if terms.keep or terms.hide:
            shown = joined(terms)
            keep = flat(shown).view(np.uint8)
            told |= {"has_keep": 1} | distances("keep", shown)
            starts[KEEPS] = begin(shown.shape, self.lead)
        for name, value in told.items():
            whole[forward.Sizes._fields.index(name)] = value
        self.whole, self.rest = whole, (bias, keep, whole, real, starts.reshape(-1), of_heads.reshape(-1))

    def forward(self, out: Array, L: Array, threads: int) -> bool:
        """Compute the output and the logarithms of the row sums; whether they are certain."""
        state = np.zeros(2, np.int64)
        arguments = (self.plan.lanes, *self.arrays, out.reshape(-1), L.reshape(-1), *self.rest, state)
        run(forward.attend, arguments, threads)
        return not state[1]

    def backward(
        self, G: Array, bias: tuple[int, ...] | None, threads: int
    ) -> tuple[Array, Array, Array, Array, Any, Any] | None:
        """The output and all gradients; None where one of them is not certain."""
        sizes, kind, lead = forward.Sizes(*map(int, self.whole)), self.dtype, self.lead
        n, m, d, e = sizes[1:5]
        g = flat(G if G.shape[:-2] == lead else np.broadcast_to(G, (*lead, n, e)))
        out, L = np.empty((*lead, n, e), kind), np.empty((*lead, n, 1), kind)
        shares = bool(sizes.has_cap or 2 * m * (d + e) * kind.itemsize > CACHED)
        if shares and not self.forward(out, L, threads):
            return None
        if bias is not None:  # what several tasks add to is made by one thread
            threads = 1
            self.whole[forward.Sizes._fields.index("by_bias")] = 1
        parts = 1 if sizes.heads % threads == 0 else threads
        dQ, dB = np.empty((*lead, n, d), kind), np.zeros(self.rest[0].shape if bias is not None else 1, kind)
        dK, dV = np.empty((*lead, parts, m, d), kind), np.empty((*lead, parts, m, e), kind)
        sums, state = np.zeros(sizes.heads * parts, kind), np.zeros(2, np.int64)
        made = (x.reshape(-1) for x in (out, L, dQ, dK, dV))
        arguments = (self.plan.lanes, *self.arrays, g, *made, dB, *self.rest, sums, parts, shares, state)
        run(back.attend_back, arguments, threads)
        if state[1]:
            return None
        by_bias = None if bias is None else dB.reshape((1,) * (len(lead) + 2 - len(bias)) + bias)
        by_sink = sums.reshape(*lead, parts).sum(axis=-1)[..., None, None] if sizes.has_sink else None
        return out, dQ, added(dK), added(dV), by_bias, by_sink


def added(X: Array) -> Array:
    """The sum over the parts of heads."""
    return X[..., 0, :, :] if X.shape[-3] == 1 else X.sum(axis=-3)


BIASES, KEEPS, LENGTHS = 3, 4, 5  # rows of the starts
NO_MASK = np.zeros(1, np.uint8)


@lru_cache(maxsize=256)
def plan(
    dtype: Any,
    lead: tuple[int, ...],
    Q: tuple[int, ...],
    K: tuple[int, ...],
    V: tuple[int, ...],
    scale: float,
    left: int | None,
    right: int | None,
    cap: float | None,
) -> Plan:
    """The plan of calls with these shapes and numbers."""
    (n, d), (m, e), heads = Q[-2:], V[-2:], math.prod(lead)
    starts = np.zeros((STARTS, heads), np.int64)
    for row, shape in enumerate((Q, K, V)):
        starts[row] = begin(shape, lead)
    starts[LENGTHS] = m
    seen = (FAR if left is None else left, FAR if right is None else right)
    whole = np.array(forward.Sizes(heads, n, m, d, e, *seen, has_cap=int(cap is not None)))
    real = np.array([scale if cap is not None else scale / LN2, scale, cap or 0, LOW[dtype.itemsize]], dtype)
    rest = (real, NO_MASK, whole, real, starts.reshape(-1), np.zeros(2 * heads, dtype))
    return Plan(heads * n * m * (d + e), BYTES // dtype.itemsize, (*lead, n, e), (*lead, n, 1), heads * n, whole, rest)


def number(x: Any) -> float:
    """A number of Python's, from one that may be an array of one."""
    return x if type(x) is float else float(np.reshape(x, ()))


def begin(shape: tuple[int, ...], lead: tuple[int, ...]) -> Array:
    """Where the matrices of a flat array begin that is broadcast to these leading axes."""
    own = shape[:-2]
    places = np.arange(math.prod(own), dtype=np.int64).reshape(own) * math.prod(shape[-2:])
    return np.broadcast_to(places, lead).reshape(-1)


def distances(name: str, X: Any) -> dict[str, int]:
    """How far the rows and the columns of a flat matrix are apart; 0 where there is one for all."""
    rows, columns = np.shape(X)[-2:]
    return {f"{name}_row": columns if rows > 1 else 0, f"{name}_column": 1 if columns > 1 else 0}


def flat(X: Array) -> Array:
    """The numbers of an array in order; copied where they are not, or where they cannot be written."""
    row = X.ravel()
    return row if row.flags.writeable else row.copy()


def joined(terms: Terms) -> Array:
    """What all masks let be seen, as booleans."""
    shown = [np.asarray(x, bool) for x in terms.keep] + [~np.asarray(x, bool) for x in terms.hide]
    made = shown[0]
    for x in shown[1:]:
        made = made & x
    return made


def run(loops: Any, arguments: tuple[Any, ...], threads: int) -> None:
    """Compiled loops in so many threads; that they are compiled first is said on a terminal."""
    if loops.overloads and threads == 1:
        loops(*arguments)
        return
    if loops.overloads or not sys.stderr.isatty():
        run_threads(lambda: loops(*arguments), threads)
        return
    said = threading.Timer(1.0, print, ("symattn: compiling attention, once",), {"file": sys.stderr, "flush": True})
    said.daemon = True
    said.start()
    try:
        run_threads(lambda: loops(*arguments), threads)
    finally:
        said.cancel()
