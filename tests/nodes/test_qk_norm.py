"""Queries and keys normalised as rows of a layer are: mean off, deviation divided out, gain and bias."""

import pytest
from sympy import Matrix, MatrixSymbol, Rational, eye, symbols

from symattn import Attention, InputError, MultiHead, QKNorm, derive
from symattn.nodes.elementary.families import HEAD, HeadColumns
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


def test_heads_have_gains_of_their_own():
    """Rows of one number are 1 once normalised: queries 1, 2, 3, 4 meet keys 2, 2, 3, 3, a key's gain for two heads."""
    X, W_K = MatrixSymbol("X", 1, 4), eye(4)[:, :2]
    norm = QKNorm("l2", Matrix([[1, 2, 3, 4]]), Matrix([[2, 3]]))
    made = MultiHead(X, heads=4, kv_heads=2, W_Q=eye(4), W_K=W_K, W_V=W_K, qk_norm=norm, scale=1)
    found = derive(made, {X: [[1, 1, 1, 1]]})
    assert [found[f"head_{i}.scores"].exact[0, 0] for i in (1, 2, 3, 4)] == [2, 4, 9, 12]


@pytest.mark.parametrize(
    ("refused", "match"),
    [
        (lambda: QKNorm("batch"), "batch"),
        (lambda: QKNorm("rms", bias_Q=b), "rms"),
    ],
)
def test_refusals(refused, match):
    with pytest.raises(InputError, match=match):
        refused()


def test_gains_of_heads_that_nothing_counts_are_refused() -> None:
    g, W = Matrix([[1, 2]]), MatrixSymbol
    projections = {"W_Q": W("W_Q", 4, 4), "W_K": W("W_K", 4, 2), "W_V": W("W_V", 4, 2), "W_O": W("W_O", 4, 4)}
    norm = QKNorm("rms", gain_K=HeadColumns(g, HEAD, 2))
    layer = MultiHead(W("X", 3, 4), heads=4, kv_heads=2, **projections, qk_norm=norm)
    with pytest.raises(InputError, match="counts nothing; give the matrix that joins"):
        derive(layer)
    with pytest.raises(InputError, match="has no head 3; its heads are counted from 1 to 2"):
        HeadColumns(g, 3, 2)
