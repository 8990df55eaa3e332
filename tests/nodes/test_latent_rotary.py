"""Latent attention with the rotary part that the absorption leaves alone."""

import numpy as np
import pytest
from sympy import MatrixSymbol, sqrt, symbols

from symattn import Attention, Concat, InputError, LatentAttention, RotaryEmbedding, ShapeError, lower, prove
from symattn.reading.worksheets.worksheet import parse_worksheet

n, m, d, c, e, r = symbols("n m d_k d_c d_v d_r", integer=True, positive=True)
Q, C, U_K, U_V = (MatrixSymbol(x, *s) for x, s in (("Q", (n, d)), ("C", (m, c)), ("U_K", (c, d)), ("U_V", (c, e))))
Q_R, K_R = MatrixSymbol("Q_R", n, r), MatrixSymbol("K_R", m, r)


@pytest.mark.parametrize("style", ["plain", "fast"])
@pytest.mark.parametrize("absorbed", [True, False])
def test_scores_are_the_sum_of_both_parts(absorbed, style):
    rng = np.random.default_rng(4)
    shapes = {"Q": (3, 2), "C": (5, 4), "U_K": (4, 2), "U_V": (4, 3), "Q_R": (3, 2), "K_R": (5, 2)}
    a = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    turned = {"Q_R": RotaryEmbedding(Q_R), "K_R": RotaryEmbedding(K_R)}
    found = lower(LatentAttention(Q, C, U_K, U_V, absorbed, **turned), style=style)(**a)

    def turn(X):
        """Pairs of columns as complex numbers; two columns turn by the position itself."""
        Z = (X[:, 0] + 1j * X[:, 1]) * np.exp(1j * np.arange(len(X)))
        return np.stack([Z.real, Z.imag], axis=-1)

    scores = a["Q"] @ (a["C"] @ a["U_K"]).T + turn(a["Q_R"]) @ turn(a["K_R"]).T
    E = np.exp(scores / 2)  # √(2 + 2)
    np.testing.assert_allclose(found, E / E.sum(-1, keepdims=True) @ a["C"] @ a["U_V"], rtol=1e-12)


def test_both_forms_are_one_attention_for_every_size():
    whole = Attention(Concat(Q, Q_R), Concat(C * U_K, K_R), C * U_V)
    for absorbed in (True, False):
        assert prove(LatentAttention(Q, C, U_K, U_V, absorbed, Q_R=Q_R, K_R=K_R), whole).status == "proven"


def test_it_is_rebuilt_from_its_arguments():
    node = LatentAttention(Q, C, U_K, U_V, Q_R=Q_R, K_R=K_R, scale=3)
    assert node.func(*node.args) == node and node.turned == (Q_R, K_R) and node.options["scale"] == 3
    assert LatentAttention(Q, C, U_K, U_V, Q_R=Q_R, K_R=K_R).options["scale"] == 1 / sqrt(d + r)
    assert LatentAttention(Q, C, U_K, U_V).turned == ()


def test_refusals():
    with pytest.raises(InputError, match="K_R"):
        LatentAttention(Q, C, U_K, U_V, Q_R=Q_R)
    with pytest.raises(ShapeError, match="d_k"):
        LatentAttention(Q, C, U_K, U_V, Q_R=Q_R, K_R=MatrixSymbol("K_R", m, d))
    sizes = 'Q = "n x d_k"\nC = "m x d_c"\nU_K = "d_c x d_k"\nU_V = "d_c x d_v"\n'
    with pytest.raises(InputError, match="Q_R"):
        parse_worksheet(f'[inputs]\n{sizes}[attention]\nkind = "latent"\nrope = true\n')
