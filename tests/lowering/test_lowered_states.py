"""Attention by a state, lowered: beside loops from the sources' own formulas, in chunks, and where decays are 0."""

import numpy as np
import pytest
from sympy import MatrixSymbol, symbols

from symattn import lower
from symattn.nodes import DeltaRule, GatedDeltaRule, GatedLinearAttention, Retention, StateSpaceDuality

n, d, e = symbols("n d_k d_v", integer=True, positive=True)
Q, K, V = MatrixSymbol("Q", n, d), MatrixSymbol("K", n, d), MatrixSymbol("V", n, e)
a, beta, alpha = MatrixSymbol("a", n, 1), MatrixSymbol("beta", n, 1), MatrixSymbol("alpha", n, d)
KINDS = {
    "retention": Retention(Q, K, V, MatrixSymbol("gamma", 1, 1)),
    "gated linear": GatedLinearAttention(Q, K, V, alpha),
    "state space": StateSpaceDuality(Q, K, V, a),
    "delta": DeltaRule(Q, K, V, beta),
    "gated delta": GatedDeltaRule(Q, K, V, a, beta),
}


def draw(kind, rows, lead=(), width=8):
    generator = np.random.default_rng(7)
    q, k, v = (generator.standard_normal((*lead, rows, w)) for w in (width, width, 5))
    given = {"Q": q, "K": k / np.linalg.norm(k, axis=-1, keepdims=True), "V": v}
    shapes = {"alpha": width, "a": 1, "beta": 1}
    for x in KINDS[kind].atoms(MatrixSymbol):
        if x.name in shapes:
            given[x.name] = generator.uniform(0, 1, (*lead, rows, shapes[x.name]))
        elif x.name == "gamma":
            given["gamma"] = np.array([[0.9]])
    return given


def loop(Q, K, V, gamma=1, alpha=None, a=None, beta=None):
    """S_t = S_{t−1} (α_t (I − β_t k_t k_tᵀ)) + β_t v_t k_tᵀ of Yang et al. 2025, with S of d_v rows; o_t = S_t q_t."""
    S, out = np.zeros((V.shape[1], K.shape[1])), []
    for t, (q, k, v) in enumerate(zip(Q, K, V, strict=True)):
        decay = np.full(len(k), np.squeeze(gamma)) * (1 if alpha is None else alpha[t]) * (1 if a is None else a[t])
        forget = np.eye(len(k)) - (0 if beta is None else beta[t] * np.outer(k, k))
        S = S @ np.diag(decay) @ forget + (1 if beta is None else beta[t]) * np.outer(v, k)
        out.append(S @ q)
    return np.array(out)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [1, 63, 200])
def test_chunks_are_the_recurrence(kind, rows):
    given = draw(kind, rows)
    for name in ("alpha", "a"):
        if name in given:
            given[name][rows // 3] = 0
            given[name][rows // 2] *= 1e-200
    for style in ("fast", "plain"):
        np.testing.assert_allclose(lower(KINDS[kind], style=style)(**given), loop(**given), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_leading_axes_and_float32(kind):
    given = {name: x.astype(np.float32) for name, x in draw(kind, 150, (2, 3)).items()}
    got = lower(KINDS[kind])(**given)
    assert got.dtype == np.float32
    one = {name: x if name == "gamma" else x[1, 2] for name, x in given.items()}
    np.testing.assert_allclose(got[1, 2], loop(**one), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_no_row_knows_of_a_later_one(kind):
    given = draw(kind, 100)
    right = lower(KINDS[kind])(**given)
    given["K"][70, 1], given["V"][80, 2] = np.inf, np.nan
    np.testing.assert_allclose(lower(KINDS[kind])(**given)[:70], right[:70], rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("style", ["plain", "fast"])
@pytest.mark.parametrize("kind", KINDS)
def test_gradients_are_differences(kind, style):
    given = draw(kind, 70, width=3)
    G = np.random.default_rng(8).standard_normal(given["V"].shape)
    found = lower(KINDS[kind], style=style, gradient=True)(**given, G=G)
    generator = np.random.default_rng(9)
    for name, x in given.items():
        step = generator.standard_normal(x.shape) * 1e-5
        ahead, behind = (loop(**{**given, name: x + sign * step}) for sign in (1, -1))
        np.testing.assert_allclose(np.sum(found[f"d{name}"] * step), np.sum((ahead - behind) * G) / 2, rtol=1e-6)
