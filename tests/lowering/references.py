"""Attention in NumPy's long doubles, written down from the formulas, for tests to compare with."""

import numpy as np


def attention(q, k, v, keep=None, bias=None, scale=None, softcap=None, empty=0.0):
    """softmax(scale q kᵀ, capped, biased, masked) v, and the weights and logits on the way."""
    q, k, v = (x.astype(np.longdouble) for x in (q, k, v))
    z = np.einsum("...id,...jd->...ij", q, k) * (1 / np.sqrt(np.longdouble(q.shape[-1])) if scale is None else scale)
    if softcap is not None:
        z = softcap * np.tanh(z / softcap)
    if bias is not None:
        z = z + bias
    if keep is not None:
        z = np.where(keep, z, -np.inf)
    top = z.max(axis=-1, keepdims=True)
    e = np.exp(z - np.where(top == -np.inf, 0, top))
    total = e.sum(axis=-1, keepdims=True)
    weights = np.where(total == 0, empty, e / np.where(total == 0, 1, total))
    return weights @ v, weights, z


def error(got, q, k, v, **options):
    """The largest error, relative to what the bound allows: Σ_j a_ij |v_j| times max(1, the largest |logit|)."""
    return error_of(got, v, attention(q, k, v, **options))


def error_of(got, v, reference):
    """The same, from what `attention` gave."""
    wanted, weights, z = reference
    largest = max(1, float(np.abs(z[np.isfinite(z)]).max(initial=0)))
    allowed = weights @ np.abs(v.astype(np.longdouble)) * largest
    wrong = np.abs(got - wanted)
    assert not np.isnan(got).any() and (wrong[allowed == 0] == 0).all()
    return float((wrong[allowed > 0] / allowed[allowed > 0]).max(initial=0))


TOLERANCE = {np.dtype(np.float32): 2e-5, np.dtype(np.float64): 1e-13}
