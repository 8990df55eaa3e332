"""Outputs by name: each means the same whatever else is asked for."""

from itertools import combinations

import numpy as np
import pytest
from lowering.symbols import B, K, Q, V, m, n
from lowering.test_lowered import numbers
from sympy import Lambda, MatrixSymbol, symbols

from symattn import Attention, MultiHead, lower

z, i, j = symbols("z i j")
ZERO = np.zeros((1, 1))


@pytest.mark.parametrize("style", ["plain", "fast"])
def test_the_log_sum_counts_the_sink(style):
    names = [found for k in (1, 2, 3) for found in combinations(("lse", "weights", "output"), k) if "lse" in found]
    for outputs in names:
        made = lower(Attention(Q, K, V, sink=0), style=style, outputs=outputs)(ZERO, ZERO, ZERO)
        assert np.allclose(made["lse"] if len(outputs) > 1 else made, np.log(2))  # e^0 of the key and of the sink


@pytest.mark.parametrize("style", ["plain", "fast"])
def test_the_log_sum_of_heads_counts_their_sinks(style):
    X = MatrixSymbol("X", n, 2)
    W = {w: MatrixSymbol(w, 2, 2) for w in ("W_Q", "W_K", "W_V")}
    s = MatrixSymbol("s", 1, 2)
    zeros = {w: np.zeros((2, 2)) for w in W}
    for outputs in (("lse", "output"), ("lse", "weights")):
        made = lower(MultiHead(X, heads=2, **W, sink=s), style=style, outputs=outputs)
        found = made(X=np.zeros((3, 2)), **zeros, s=np.log([[1.0, 5.0]]))["lse"]
        np.testing.assert_allclose(found, np.log([[[4.0]] * 3, [[8.0]] * 3]))


@pytest.mark.parametrize("style", ["plain", "fast"])
@pytest.mark.parametrize("names", [("lse",), ("output", "lse"), ("lse", "weights")])
def test_gradients_beside_the_log_sum_of_groups(names, style):
    X = MatrixSymbol("X", n, 3)
    W = {"W_Q": MatrixSymbol("W_Q", 3, 8), "W_K": MatrixSymbol("W_K", 3, 4), "W_V": MatrixSymbol("W_V", 3, 4)}
    arrays = {w: numbers(*map(int, W[w].shape), seed=k) for k, w in enumerate(W)} | {
        "X": numbers(5, 3),
        "G": numbers(5, 8),
    }
    layer = MultiHead(X, heads=4, kv_heads=2, **W)
    found = lower(layer, style=style, gradient=True, outputs=names)(**arrays)
    alone = lower(layer, style=style, gradient=True)(**arrays)
    for x in ("dX", "dW_Q", "dW_K", "dW_V"):
        np.testing.assert_allclose(found[x], alone[x], atol=1e-12)
    q, k = (np.reshape(arrays["X"] @ arrays[w], (5, -1, 2)) for w in ("W_Q", "W_K"))
    scores = np.einsum("nhd,mhd->hnm", q, np.repeat(k, 2, axis=1)) / np.sqrt(2)
    np.testing.assert_allclose(found["lse"][..., 0], np.log(np.exp(scores).sum(axis=-1)))


@pytest.mark.parametrize("style", ["plain", "fast"])
def test_a_stage_that_is_left_out_means_the_one_before(style):
    changed = Attention(Q, K, V, score_mod=Lambda((z, i, j), z + 100))
    wanted = {"scores": 0, "scaled": 0, "capped": 0, "modified": 100, "masked": 100}
    for name, value in wanted.items():
        assert lower(changed, style=style, outputs=name)(ZERO, ZERO, ZERO) == value
    biased = Attention(Q, K, V, bias=B)
    assert lower(biased, style=style, outputs="modified")(ZERO, ZERO, ZERO, ZERO + 7) == 0
    assert lower(biased, style=style, outputs="masked")(ZERO, ZERO, ZERO, ZERO + 7) == 7
    assert m.is_positive


@pytest.mark.parametrize(("first", "second"), [("W^Q", "WQ"), ("WQ", "W^Q"), ("a b", "ab"), ("Q_{1}", "Q_1")])
def test_no_gradient_is_lost_where_two_names_differ_by_a_mark(first: str, second: str) -> None:
    n, m, d = symbols("n m d")
    A, B, V = MatrixSymbol(first, n, d), MatrixSymbol(second, m, d), MatrixSymbol("V", m, 1)
    function = lower(Attention(A, B, V), gradient=True)
    made = function(np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 1)), np.ones((2, 1)))
    assert [x.shape for x in made.values()] == [(2, 1), (2, 3), (4, 3), (4, 1)]
    assert list(made) == [name for name in function.shapes if name not in (first, second, "V", "G")]
