"""What the lines of a lowered module call: each function is one idea, over the last two axes of any array.

Only functions of the Array API standard are used, under the names that NumPy has since 1.26, so that they work on any
library's arrays: `array_api.Namespace` knows the others' names.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


def softmax(Z: Array, empty: float = 0.0) -> Array:
    """exp(Z_ij) / Σ_k exp(Z_ik) along each row, whose largest score is taken off first; an empty row is `empty`."""
    top = np.max(Z, axis=-1, keepdims=True)
    seen = top > -np.inf
    E = np.exp(Z - np.where(seen, top, np.zeros_like(top)))
    total = np.sum(E, axis=-1, keepdims=True)
    A = E / np.where(seen, total, np.ones_like(total))
    made: Array = A if empty == 0.0 else np.where(seen, A, np.full_like(A, empty))
    return made


def weigh(A: Array, V: Array) -> Array:
    """A V, where a weight of zero takes nothing: what a mask hides may be nan or infinite."""
    finite = np.isfinite(V)
    try:
        if np.all(finite):
            return A @ V
        keys = np.nonzero(~np.all(finite, axis=(*range(V.ndim - 2), -1)))[0]
    except TypeError:  # numbers that are not known yet, while a function is traced
        return A @ V
    zero = np.zeros_like(V)
    Y: Array = A @ np.where(finite, V, zero)
    rest = np.where(finite, zero, V)
    for j in map(int, keys):
        weight = A[..., :, j : j + 1]
        Y = Y + weigh_each(weight, rest[..., j : j + 1, :])
    return Y


def weigh_each(A: Array, X: Array) -> Array:
    """A_ij X_ij, where a weight of zero takes nothing: what a mask hides may be nan or infinite."""
    made: Array = A * np.where(A == 0, np.zeros_like(A), X)
    return made


def log_sum_exp(Z: Array) -> Array:
    """log Σ_j exp(Z_ij) of each row, a column; -inf for an empty row."""
    top = np.max(Z, axis=-1, keepdims=True)
    seen = top > -np.inf
    total = np.sum(np.exp(Z - np.where(seen, top, np.zeros_like(top))), axis=-1, keepdims=True)
    made: Array = np.where(seen, top + np.log(np.where(seen, total, np.ones_like(total))), top)
    return made


def hide(Z: Array, keep: Array) -> Array:
    """The scores that may be looked at; -inf elsewhere."""
    return np.where(keep, Z, np.full_like(Z, -np.inf))


def split_heads(X: Array, heads: int) -> Array:
    """Columns of all heads side by side (..., n, heads*d) to an axis of heads (..., heads, n, d)."""
    *lead, n, width = X.shape
    X = np.reshape(X, (*lead, n, heads, width // heads))
    return np.moveaxis(X, -2, -3)


def join_heads(X: Array) -> Array:
    """An axis of heads (..., heads, n, d) to columns side by side (..., n, heads*d)."""
    *lead, heads, n, width = X.shape
    return np.reshape(np.moveaxis(X, -3, -2), (*lead, n, heads * width))


def split_rows(X: Array, heads: int) -> Array:
    """Rows of all heads below each other (..., heads*d, n) to an axis of heads (..., heads, d, n)."""
    *lead, height, n = X.shape
    return np.reshape(X, (*lead, heads, height // heads, n))


def split_groups(X: Array, groups: int) -> Array:
    """Heads (..., h, n, d) as groups of those that share keys (..., groups, h/groups, n, d)."""
    *lead, heads, n, width = X.shape
    return np.reshape(X, (*lead, groups, heads // groups, n, width))


def join_groups(X: Array) -> Array:
    """Groups of heads (..., groups, h/groups, n, d) as heads (..., h, n, d)."""
    *lead, groups, members, n, width = X.shape
    return np.reshape(X, (*lead, groups * members, n, width))


def beside(*parts: Array) -> Array:
    """Matrices side by side; leading axes broadcast."""
    lead = np.broadcast_shapes(*(x.shape[:-2] for x in parts))
    return np.concatenate([np.broadcast_to(x, (*lead, *x.shape[-2:])) for x in parts], axis=-1)


def sum_to(X: Array, shape: tuple[int, ...]) -> Array:
    """The sum over what was broadcast from `shape`."""
    extra = X.ndim - len(shape)
    X = np.sum(X, axis=tuple(range(extra))) if extra > 0 else X
    axes = tuple(k for k, size in enumerate(shape) if size == 1 and X.shape[k] != 1)
    return np.sum(X, axis=axes, keepdims=True) if axes else X


def sum_products(X: Array, Y: Array, shape: tuple[int, ...]) -> Array:
    """The sum of Xᵀ Y over what was broadcast from `shape`: over a whole batch one product, of all its rows."""
    if len(shape) > 2 or X.shape[:-2] != Y.shape[:-2]:
        return sum_to(np.swapaxes(X, -1, -2) @ Y, shape)
    X, Y = (np.reshape(Z, (-1, Z.shape[-1])) for Z in (X, Y))
    return np.swapaxes(X, -1, -2) @ Y


def over_heads(X: Array, like: Array) -> Array:
    """A mask or bias for scores (..., heads, n, m): with one axis more than `like` has, it is that of heads."""
    return X if X.ndim > like.ndim else X[..., None, :, :]


def of_one_head(X: Array, like: Array) -> Array:
    """A mask or bias of the one head there is: with one axis more than `like` has, of length 1, it is that of heads."""
    return X[..., 0, :, :] if X.ndim > like.ndim and X.shape[-3] == 1 else X


def in_groups(X: Array, groups: int) -> Array:
    """Scores' biases and masks of heads (..., h or 1, n, m) beside groups of heads (..., groups, h/groups, n, m)."""
    return X[..., None, :, :] if X.shape[-3] == 1 else split_groups(X, groups)


def penalise(Z: Array, keep: Array, penalty: float) -> Array:
    """Scores with a finite penalty added where they may not be looked at."""
    return np.where(keep, Z, Z + penalty)


def take_off(Z: Array, top: Array) -> Array:
    """Z_ij - top_i; nothing is taken off a row that sees nothing, whose largest score is -inf."""
    left: Array = Z - np.where(top > -np.inf, top, np.zeros_like(top))
    return left


def divide_rows(X: Array, total: Array) -> Array:
    """X_ij / total_i; a row over zero, which is zero itself, stays as it is."""
    divided: Array = X / np.where(total == 0, np.ones_like(total), total)
    return divided


def elu_plus_one(Z: Array) -> Array:
    """elu(z) + 1, the feature map of linear attention: z + 1 where z > 0, exp(z) elsewhere."""
    return np.where(Z > 0, Z + 1, np.exp(np.where(Z > 0, np.zeros_like(Z), Z)))


def softmax_with_sink(Z: Array, sink: Array) -> Array:
    """exp(Z_ij) / (exp(s) + Σ_k exp(Z_ik)): one more key of logit s takes its share, and no value."""
    top = np.maximum(np.max(Z, axis=-1, keepdims=True), sink)
    E = np.exp(Z - top)
    made: Array = E / (np.exp(sink - top) + np.sum(E, axis=-1, keepdims=True))
    return made


def keep_largest(Z: Array, count: int) -> Array:
    """The `count` largest numbers of each row, the others -inf; of equal ones the first. Not a number stays."""
    m = Z.shape[-1]
    if count >= m:
        return Z
    least = np.sort(Z, axis=-1)[..., m - count : m - count + 1]
    one = np.ones_like(Z)
    above = np.where(least < Z, one, np.zeros_like(Z))
    tied = np.where(least == Z, one, np.zeros_like(Z))
    free = count - np.sum(above, axis=-1, keepdims=True)
    kept = (above > 0) | ((tied > 0) & (np.cumsum(tied, axis=-1) <= free)) | (Z != Z)
    return np.where(kept, Z, np.full_like(Z, -np.inf))


def threshold(Z: Array, power: int) -> Array:
    """tau of each row, a column: sum_j max(Z_ij/p - tau, 0)^p = 1. Of a row that sees nothing it is 0."""
    m = Z.shape[-1]
    X = np.flip(np.sort(Z / power, axis=-1), axis=-1)
    top = X[..., :1]
    seen = top != -np.inf  # a row with nan has none for a threshold
    X = X - np.where(seen, top, np.zeros_like(top))
    shown = np.where(-np.inf < X, X, np.zeros_like(X))
    k = np.arange(1, m + 1, dtype=X.dtype)
    total, squares = np.cumsum(shown, axis=-1), np.cumsum(shown * shown, axis=-1)
    beyond = total - k * shown if power == 1 else squares - 2 * shown * total + k * shown * shown
    kept = (-np.inf < X) & (beyond < 1)
    count = np.sum(np.where(kept, np.ones_like(X), np.zeros_like(X)), axis=-1, keepdims=True)
    total = np.sum(np.where(kept, shown, np.zeros_like(X)), axis=-1, keepdims=True)
    squares = np.sum(np.where(kept, shown * shown, np.zeros_like(X)), axis=-1, keepdims=True)
    count = np.where(seen, count, np.ones_like(count))
    least = 1 / count if power == 1 else np.sqrt((1 - squares + total * total / count) / count)
    return np.where(seen, top + total / count - least, np.zeros_like(top))


def above_threshold(Z: Array, tau: Array, power: int, exponent: int) -> Array:
    """max(Z_ij/p - tau_i, 0)^e; 1 above the threshold and 0 below it for e = 0."""
    above = (Z if power == 1 else Z / power) - tau
    if exponent == 0:
        return np.where(above > 0, np.ones_like(above), np.zeros_like(above))
    above = np.maximum(above, np.zeros_like(above))
    return above if exponent == 1 else above**exponent


def entmax(Z: Array, power: int, exponent: int) -> Array:
    """Weights above the threshold of each row, or their slopes, after the largest logit has been taken off."""
    X = take_off(Z, np.max(Z, axis=-1, keepdims=True))
    return above_threshold(X, threshold(X, power), power, exponent)


def rotate(
    X: Array,
    base: float,
    first: Any = 0,
    halves: bool = False,
    back: bool = False,
    rates: Any = None,
    width: int | None = None,
    at: Any = None,
    sections: tuple[int, ...] = (),
    alternating: bool = False,
) -> Array:
    """RoPE: pairs of the first `width` columns of row t turned by (t + first)·base^(-2k/width), or back.

    `first` may be the positions of all rows, `rates` what is in the place of base^(-2k/width). Positions `at`
    (..., rows, 1) are those of the rows of every sequence; with `sections` so many pairs turn by each of their columns,
    if `alternating` pair k by that of k mod the number of sections while it has pairs left, else by the first. Angles
    are of float64.
    """
    n, d = X.shape[-2:]
    r = d if width is None else width
    if r % 2 or r > d:
        raise ValueError(f"rows of {d} numbers have no pairs of {r}, expected an even number of columns")
    if isinstance(first, list) and len(first) != n:
        raise ValueError(f"there are {n} rows, expected {len(first)}, one for each position")
    listed = isinstance(first, list)
    position = np.asarray(first, dtype=np.float64) if listed else np.arange(n, dtype=np.float64) + first
    usual = base ** (-2.0 * np.arange(r // 2, dtype=np.float64) / r)
    position = position[:, None] if at is None else np.asarray(at, dtype=np.float64)
    if sections:
        if 2 * sum(sections) != r:
            raise ValueError(f"the sections have {sum(sections)} pairs, but {r} columns are to be rotated")
        c = len(sections)
        turns = [k % c if k < c * sections[k % c] else 0 for k in range(r // 2)]
        order = turns if alternating else [s for s, count in enumerate(sections) for _ in range(count)]
        position = np.concatenate([position[..., s : s + 1] for s in order], axis=-1)
    angle = position * (usual if rates is None else np.asarray(rates, dtype=np.float64))
    angle = -angle if back else angle
    cos, sin = np.asarray(np.cos(angle), dtype=X.dtype), np.asarray(np.sin(angle), dtype=X.dtype)
    a, b = (X[..., : r // 2], X[..., r // 2 : r]) if halves else (X[..., 0:r:2], X[..., 1:r:2])
    turned = [a * cos - b * sin, a * sin + b * cos]
    lead = turned[0].shape[:-1]  # of positions too, which may have more axes
    Y = np.concatenate(turned, axis=-1) if halves else np.reshape(np.stack(turned, axis=-1), (*lead, r))
    return Y if r == d else np.concatenate([Y, np.broadcast_to(X[..., r:], (*lead, d - r))], axis=-1)


def row_norm(X: Array, mean: bool, epsilon: float = 0.0) -> Array:
    """The length of each row, or with `mean` the root of its mean square; `epsilon` is added below the root.

    Rows whose squares would overflow or vanish are scaled by a power of two.
    """
    far = 2.0 ** (80 if np.finfo(X.dtype).bits == 32 else 640)
    size = np.max(np.abs(X), axis=-1, keepdims=True) + epsilon**0.5
    one = np.ones_like(size)
    factor = np.where(size > far**0.6, one / far, np.where(size < far**-0.6, one * far, one))
    Y = X * factor
    total = np.sum(Y * Y, axis=-1, keepdims=True)
    made: Array = np.sqrt((total / X.shape[-1] if mean else total) + epsilon * factor * factor) / factor
    return made


def below(*parts: Array) -> Array:
    """Matrices one below another; leading axes broadcast."""
    lead = np.broadcast_shapes(*(x.shape[:-2] for x in parts))
    return np.concatenate([np.broadcast_to(x, (*lead, *x.shape[-2:])) for x in parts], axis=-2)


def additive_scores(P: Array, R: Array, v: Array) -> Array:
    """tanh(p_i + r_j) v for each query i and key j."""
    made: Array = (np.tanh(P[..., :, None, :] + R[..., None, :, :]) @ v[..., None, :, :])[..., 0]
    return made


# log(erfc(x) e^(x²)/t) as a sum of c_k T_k(2t - 1), t = 2/(2 + x), x >= 0: Chebyshev coefficients, worked to 60 digits
ERFC = (
    -1.3026537197817094,
    0.6419697923564902,
    0.019476473204185836,
    -0.00956151478680863,
    -0.0009465953444820382,
    0.0003668394978527628,
    4.252332480690644e-05,
    -2.0278578112532917e-05,
    -1.6242900046483436e-06,
    1.3036558355818334e-06,
    1.5626441720764563e-08,
    -8.523809591363454e-08,
    6.529054437817306e-09,
    5.059343496821675e-09,
    -9.91364157751029e-10,
    -2.2736512104825953e-10,
    9.646790978915633e-11,
    2.3940392992692624e-12,
    -6.886028727125367e-12,
    8.944891115117019e-13,
    3.130909729684443e-13,
    -1.1270707468437892e-13,
    3.7996042020195686e-16,
    7.107208120431832e-15,
    -1.5241183486994227e-15,
    -9.350590518333638e-17,
    1.1997651777257355e-16,
    -2.7141986806698258e-17,
)

ERF_POWERS = (  # (−1)^k 2/(√π k! (2k + 1))
    1.1283791670955126,
    -0.37612638903183754,
    0.11283791670955126,
    -0.026866170645131252,
    0.005223977625442188,
    -0.0008548327023450853,
    0.00012055332981789664,
    -1.492565035840625e-05,
    1.6462114365889248e-06,
    -1.6365844691234924e-07,
    1.4807192815879218e-08,
    -1.2290555301717928e-09,
    9.422759064650411e-11,
    -6.7113668551641105e-12,
)
ERF_PART = 1 << 14  # numbers whose steps stay in the cache


def erf(X: Array) -> Array:
    """2/√π ∫_0^x e^(−t²) dt, to a few units of the last place; much of it in parts that stay in the cache."""
    if type(X) is not np.ndarray or X.size <= ERF_PART:
        return erf_of(X)
    flat = np.ravel(X)
    made = np.empty_like(flat)
    for start in range(0, flat.size, ERF_PART):
        made[start : start + ERF_PART] = erf_of(flat[start : start + ERF_PART])
    return np.reshape(made, X.shape)


def erf_of(X: Array) -> Array:
    """A power series near 0, 1 − erfc(|x|) beyond, of as many terms as the type can show."""
    short = str(X.dtype).endswith("float32")
    chebyshev, powers = (ERFC[:16], ERF_POWERS[:8]) if short else (ERFC, ERF_POWERS)
    x = np.minimum(np.abs(X), np.full_like(X, 30.0))
    t = 2 / (2 + x)
    u = 4 * t - 2
    before, last = np.zeros_like(x), np.zeros_like(x)
    for c in chebyshev[:0:-1]:
        before, last = last, u * last - before + c
    beyond = 1 - t * np.exp(0.5 * (ERFC[0] + u * last) - before - x * x)
    near = np.minimum(x, np.full_like(x, 0.5))
    square, total = near * near, np.zeros_like(x)
    for c in powers[::-1]:
        total = total * square + c
    return np.sign(X) * np.where(x < 0.5, near * total, beyond)


def sigmoid(X: Array) -> Array:
    """1 / (1 + e^(−x)), by exponentials that never overflow."""
    E = np.exp(-np.abs(X))
    made: Array = np.where(X < 0, E, np.ones_like(E)) / (1 + E)
    return made


def rows_at(X: Array, numbers: tuple[int, ...]) -> Array:
    """The rows of a table that have these numbers, from 0."""
    return np.take(X, np.asarray(numbers), axis=X.ndim - 2)


def one_hot(numbers: tuple[int, ...], count: int, dtype: Any) -> Array:
    """A row for each number, which is 1 there and 0 elsewhere."""
    return np.take(np.eye(count, dtype=dtype), np.asarray(numbers), axis=0)


def sinusoidal(n: int, d: int, base: float, first: int = 0, *, dtype: Any) -> Array:
    """Sines (even columns) and cosines (odd ones) of positions, worked out in float64."""
    if d % 2:
        raise ValueError(f"rows of {d} numbers have no pairs, expected an even number of columns")
    angle = (np.arange(n, dtype=np.float64) + first)[:, None] * base ** (-2.0 * np.arange(d // 2, dtype=np.float64) / d)
    return np.asarray(np.reshape(np.stack([np.sin(angle), np.cos(angle)], axis=-1), (n, d)), dtype=dtype)


def token_losses(Z: Array, labels: tuple[int, ...]) -> Array:
    """log Σ_k exp(Z_ik) - Z_(i, y_i) of each row, a column."""
    right = np.asarray(labels)[:, None] == np.arange(Z.shape[-1])
    made: Array = log_sum_exp(Z) - np.sum(np.where(right, Z, np.zeros_like(Z)), axis=-1, keepdims=True)
    return made
