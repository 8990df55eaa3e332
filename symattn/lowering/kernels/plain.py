"""What the lines of a lowered module call: each function is one idea, over the last two axes of any array.

Only functions of the Array API standard are used, under the name `np`, so that they work on any library's arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def softmax(Z: Array, empty: float = 0.0) -> Array:
    """exp(Z_ij) / Σ_k exp(Z_ik) along each row, whose largest score is taken off first; an empty row is `empty`."""
    top = np.max(Z, axis=-1, keepdims=True)
    seen = top > -np.inf
    E = np.exp(Z - np.where(seen, top, np.zeros_like(top)))
    total = np.sum(E, axis=-1, keepdims=True)
    A = E / np.where(seen, total, np.ones_like(total))
    return A if empty == 0.0 else np.where(seen, A, np.full_like(A, empty))


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
    Y, rest = A @ np.where(finite, V, zero), np.where(finite, zero, V)
    for j in map(int, keys):
        weight = A[..., :, j : j + 1]
        Y = Y + np.where(weight == 0, np.zeros_like(weight), weight * rest[..., j : j + 1, :])
    return Y


def weigh_each(A: Array, X: Array) -> Array:
    """A_ij X_ij, where a weight of zero takes nothing: what a mask hides may be nan or infinite."""
    return np.where(A == 0, np.zeros_like(A), A * X)


def log_sum_exp(Z: Array) -> Array:
    """log Σ_j exp(Z_ij) of each row, a column; -inf for an empty row."""
    top = np.max(Z, axis=-1, keepdims=True)
    seen = top > -np.inf
    total = np.sum(np.exp(Z - np.where(seen, top, np.zeros_like(top))), axis=-1, keepdims=True)
    return np.where(seen, top + np.log(np.where(seen, total, np.ones_like(total))), top)


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
    return np.concat([np.broadcast_to(x, (*lead, *x.shape[-2:])) for x in parts], axis=-1)


def sum_to(X: Array, shape: tuple[int, ...]) -> Array:
    """The sum over what was broadcast from `shape`."""
    extra = X.ndim - len(shape)
    X = np.sum(X, axis=tuple(range(extra))) if extra > 0 else X
    axes = tuple(k for k, size in enumerate(shape) if size == 1 and X.shape[k] != 1)
    return np.sum(X, axis=axes, keepdims=True) if axes else X


def sum_products(X: Array, Y: Array, shape: tuple[int, ...]) -> Array:
    """The sum of Xᵀ Y over what was broadcast from `shape`: over a whole batch one product, of all its rows."""
    if len(shape) > 2 or X.shape[:-2] != Y.shape[:-2]:
        return sum_to(np.matrix_transpose(X) @ Y, shape)
    X, Y = (np.reshape(Z, (-1, Z.shape[-1])) for Z in (X, Y))
    return np.matrix_transpose(X) @ Y


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
    return Z - np.where(top > -np.inf, top, np.zeros_like(top))


def divide_rows(X: Array, total: Array) -> Array:
    """X_ij / total_i; a row over zero, which is zero itself, stays as it is."""
    return X / np.where(total == 0, np.ones_like(total), total)


def elu_plus_one(Z: Array) -> Array:
    """elu(z) + 1, the feature map of linear attention: z + 1 where z > 0, exp(z) elsewhere."""
    return np.where(Z > 0, Z + 1, np.exp(np.where(Z > 0, np.zeros_like(Z), Z)))


def softmax_with_sink(Z: Array, sink: Array) -> Array:
    """exp(Z_ij) / (exp(s) + Σ_k exp(Z_ik)): one more key of logit s takes its share, and no value."""
    top = np.maximum(np.max(Z, axis=-1, keepdims=True), sink)
    E = np.exp(Z - top)
    return E / (np.exp(sink - top) + np.sum(E, axis=-1, keepdims=True))


def rotate(X: Array, base: float, first: int = 0, halves: bool = False, back: bool = False) -> Array:
    """RoPE: pairs of columns of row t turned by (t + first)·base^(-2k/d), or back; angles are worked out in float64."""
    n, d = X.shape[-2:]
    if d % 2:
        raise ValueError(f"rows of {d} numbers have no pairs, expected an even number of columns")
    k = np.arange(d // 2, dtype=np.float64)
    angle = (np.arange(n, dtype=np.float64) + first)[:, None] * base ** (-2.0 * k / d)
    angle = -angle if back else angle
    cos, sin = np.asarray(np.cos(angle), dtype=X.dtype), np.asarray(np.sin(angle), dtype=X.dtype)
    a, b = (X[..., : d // 2], X[..., d // 2 :]) if halves else (X[..., 0::2], X[..., 1::2])
    turned = [a * cos - b * sin, a * sin + b * cos]
    return np.concat(turned, axis=-1) if halves else np.reshape(np.stack(turned, axis=-1), X.shape)


def row_norm(X: Array, mean: bool, epsilon: float = 0.0) -> Array:
    """The length of each row, or with `mean` the root of its mean square; `epsilon` is added below the root."""
    total = np.sum(X * X, axis=-1, keepdims=True)
    return np.sqrt((total / X.shape[-1] if mean else total) + epsilon)


def below(*parts: Array) -> Array:
    """Matrices one below another; leading axes broadcast."""
    lead = np.broadcast_shapes(*(x.shape[:-2] for x in parts))
    return np.concat([np.broadcast_to(x, (*lead, *x.shape[-2:])) for x in parts], axis=-2)


def additive_scores(P: Array, R: Array, v: Array) -> Array:
    """tanh(p_i + r_j) v for each query i and key j."""
    return (np.tanh(P[..., :, None, :] + R[..., None, :, :]) @ v[..., None, :, :])[..., 0]
