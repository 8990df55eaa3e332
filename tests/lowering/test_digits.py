"""Matrices of mpmath and flint: no digit of theirs is lost, against mpmath's own loops at twice as many."""

import flint
import mpmath
import numpy as np
import pytest
from lowering.symbols import B, K, Q, V
from lowering.test_lowered import layer, layer_arrays, numbers

from symattn import Attention, CausalMask, lower
from symattn.errors import InputError, NotSupportedError


def by_loops(context, q, k, v, keep):
    rows = []
    for i in range(q.rows):
        seen = [j for j in range(k.rows) if keep(i, j)]
        z = [context.fdot(q[i, :], k[j, :]) / context.sqrt(q.cols) for j in seen]
        e = [context.exp(x) for x in z]
        rows.append([context.fdot(e, [v[j, a] for j in seen]) / context.fsum(e) for a in range(v.cols)])
    return context.matrix(rows)


@pytest.mark.parametrize("digits", [15, 40, 120])
def test_mpmath_matrices_lose_no_digit(digits):
    context, wide = mpmath.MPContext(), mpmath.MPContext()
    context.dps, wide.dps = digits, 2 * digits + 20
    q, k, v = (context.matrix(numbers(4, 3, seed=s).tolist()) * context.pi for s in range(3))
    got = lower(Attention(Q, K, V, mask=CausalMask()))(Q=q, K=k, V=v)
    wanted = by_loops(wide, *(wide.matrix(x) for x in (q, k, v)), lambda i, j: j <= i)
    for i in range(4):
        for a in range(3):
            assert got[i, a].context is context
            assert got[i, a] == context.mpf(wanted[i, a])  # the nearest number of the context


def test_flint_matrices_enclose():
    arrays = [numbers(4, 3, seed=s) for s in range(3)]
    with flint.ctx.workprec(200):
        got = lower(Attention(Q, K, V))(*(flint.arb_mat(x.tolist()) for x in arrays))
        context = mpmath.MPContext()
        context.prec = 300
        wanted = by_loops(context, *(context.matrix(x.tolist()) for x in arrays), lambda *_: True)
        for i in range(4):
            for a in range(3):
                middle = flint.arb(context.nstr(wanted[i, a], 80))
                assert got[i, a].overlaps(middle) and got[i, a].rad() < 1e-50


def test_several_heads_and_outputs():
    a = layer_arrays(2, 1, ())
    f = lower(layer(2, 1), outputs=("output", "weights", "head_2.weights"))
    context = mpmath.MPContext()
    got = f(**{name: context.matrix(x.tolist()) for name, x in a.items()})
    wanted = f(**a)
    np.testing.assert_allclose(np.array(got["output"].tolist(), float), wanted["output"], rtol=1e-11, atol=1e-12)
    for head in range(2):
        weights = np.array(got["weights"][head].tolist(), float)
        np.testing.assert_allclose(weights, wanted["weights"][head], rtol=1e-11)
    assert got["head_2.weights"] == got["weights"][1]


def test_what_cannot_be_used():
    context = mpmath.MPContext()
    good = context.matrix([[1]])
    with pytest.raises(InputError, match="inf"):
        lower(Attention(Q, K, V))(context.matrix([[context.inf]]), good, good)
    with pytest.raises(InputError, match=r"K of shape .* is an array of numpy; expected one of mpmath"):
        lower(Attention(Q, K, V))(good, np.ones((1, 1)), good)
    with pytest.raises(NotSupportedError, match="lse"):
        lower(Attention(Q, K, V), outputs=("lse",))(good, good, good)


def test_a_bias_of_minus_infinity_hides():
    context = mpmath.MPContext()
    one, two = context.matrix([[1], [2]]), context.matrix([[0, context.ninf], [0, 0]])
    got = lower(Attention(Q, K, V, bias=B))(one, one, one, two)
    assert got[0, 0] == 1
