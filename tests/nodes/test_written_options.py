"""repr, str and LaTeX of an attention show its mask and options, and nothing that is as usual."""

import sympy
from sympy import Identity, MatrixSymbol, latex, symbols

from symattn import (
    Attention,
    CausalMask,
    FiniteMask,
    LatentAttention,
    LinearAttention,
    LuongAttention,
    MultiHead,
    WindowMask,
)

n, m, d, a = symbols("n m d a", positive=True)
Q, K, V = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, d)


def test_nothing_is_said_of_what_is_as_usual():
    assert repr(Attention(Q, K, V)) == str(Attention(Q, K, V, scale=1 / sympy.sqrt(d))) == "Attention(Q, K, V)"
    assert str(LuongAttention(Q, K, V, Identity(d))) == "LuongAttention(Q, K, V, I)"
    assert str(LatentAttention(Q, MatrixSymbol("C", m, a), *[MatrixSymbol(u, a, d) for u in "UW"])).endswith("U, W)")


def test_options_are_named():
    assert repr(Attention(Q, K, V, mask=CausalMask())) == "Attention(Q, K, V; mask: j <= i)"
    assert latex(Attention(Q, K, V, mask=CausalMask())).endswith(r"V; \mathrm{mask}: j \le i\right)")
    bias = MatrixSymbol("B", n, m)
    made = Attention(Q, K, V, mask=(CausalMask(), WindowMask(3, 0)), bias=bias, scale=a, softcap=30, empty_row="zero")
    masks = "(j <= i, i - 3 <= j <= i)"
    assert str(made) == f"Attention(Q, K, V; mask: {masks}; bias: B; scale: a; softcap: 30; empty_row: zero)"


def test_a_mask_by_a_number_is_not_shown_as_one_that_hides():
    assert "j <= i else -1000)" in str(Attention(Q, K, V, mask=FiniteMask(CausalMask(), -1000)))


def test_several_heads():
    X = MatrixSymbol("X", n, 4)
    made = MultiHead(X, heads=2, kv_heads=1, W_Q=Identity(4), W_K=MatrixSymbol("A", 4, 2), W_V=MatrixSymbol("B", 4, 2))
    assert str(made) == "MultiHead(X; heads: 2; kv_heads: 1)"


def test_linear_attention_shows_its_feature_and_that_it_is_causal():
    z = sympy.Symbol("z")
    assert repr(LinearAttention(Q, K, V)) == "LinearAttention(Q, K, V)"
    made = LinearAttention(Q, MatrixSymbol("K", n, d), MatrixSymbol("V", n, d), feature=z**2, causal=True)
    assert str(made) == "LinearAttention(Q, K, V; feature: Lambda(z, z**2); causal: True)"
    assert r"\mathrm{causal}: \text{True}" in latex(made)
