"""Queries and keys normalised as rows of a layer are: mean off, deviation divided out, gain and bias."""

import pytest
from sympy import Matrix, MatrixSymbol, Rational, symbols

from symattn import Attention, InputError, MultiHead, QKNorm, derive
from symattn.reading.worksheets.worksheet import parse_worksheet

n, m, d = symbols("n m d_k", integer=True, positive=True)
Q, K, V = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, 1)
g, b = MatrixSymbol("g", 1, d), MatrixSymbol("b", 1, d)


def test_rows_by_hand():
    """[1, 3] has mean 2 and, with ε = 3, the deviation 2; gain [1, 4] and bias [1, 0] make [1/2, 2] of [−1/2, 1/2]."""
    norm = QKNorm("layer", gain_Q=g, epsilon=3, bias_Q=b)
    values = {Q: [[1, 3]], K: [[1, 3], [3, 1]], V: [[1], [2]], g: [[1, 4]], b: [[1, 0]]}
    made = derive(Attention(norm.of(Q, "Q"), norm.of(K, "K"), V, scale=1), values)
    assert made["K_normalised"].exact == Matrix([[-1, 1], [1, -1]]) / 2
    assert made["Q_offset"].exact == Matrix([[Rational(1, 2), 2]])
    assert made["scores"].exact == Matrix([[Rational(3, 4), -Rational(3, 4)]])


def test_the_usual_epsilon_is_that_of_programs():
    assert QKNorm("layer").args[3] == Rational(1, 100_000) and QKNorm("rms").args[3] == 0


def test_a_worksheet_states_gains_and_biases():
    sizes = {"Q": "n x d_k", "K": "m x d_k", "V": "m x d_v", "g_Q": "1 x d_k", "beta_K": "1 x d_k"}
    inputs = "".join(f'{name} = "{shape}"\n' for name, shape in sizes.items())
    text = f'[inputs]\n{inputs}[attention]\nqk_norm = "layer"\n'
    symbols_of = {x.name for x in parse_worksheet(text).expression.atoms(MatrixSymbol)}
    assert symbols_of == set(sizes)


def test_heads_share_one_gain():
    W = MatrixSymbol("W", d, 4)
    made = MultiHead(Q, heads=2, W_Q=W, W_K=W, W_V=W, qk_norm=QKNorm("layer", MatrixSymbol("g", 1, 2)))
    assert derive(made).families.steps


@pytest.mark.parametrize(
    ("refused", "match"),
    [
        (lambda: QKNorm("batch"), "batch"),
        (lambda: QKNorm("layer", epsilon=0), "0"),
        (lambda: QKNorm("rms", bias_Q=b), "rms"),
    ],
)
def test_refusals(refused, match):
    with pytest.raises(InputError, match=match):
        refused()
