"""SymPy's own door: lambdify gives the plain lines."""

import numpy as np
import pytest
import sympy
from lowering.references import attention
from lowering.symbols import B, K, M, Q, V, d_k, m, n
from lowering.test_lowered import layer, layer_arrays, numbers
from sympy import MatrixSymbol

from symattn import Attention, CausalMask, KeepMask, Softmax, lower


def test_lambdify_gives_the_plain_form():
    q, k, v = numbers(2, 9, 4), numbers(2, 11, 4), numbers(2, 11, 3)
    f = sympy.lambdify([Q, K, V], Attention(Q, K, V, mask=CausalMask()))
    np.testing.assert_array_equal(f(q, k, v), lower(Attention(Q, K, V, mask=CausalMask()), style="plain")(q, k, v))
    keep, bias = numbers(9, 11) > 0, numbers(9, 11)
    g = sympy.lambdify([Q, K, V, M, B], Attention(Q, K, V, mask=KeepMask(M), bias=B) + Attention(Q, K, V, softcap=2))
    wanted = attention(q, k, v, keep=keep, bias=bias)[0] + attention(q, k, v, softcap=2)[0]
    np.testing.assert_allclose(g(q, k, v, keep, bias), wanted.astype(float), rtol=1e-12, atol=1e-13)


def test_several_heads_and_parts():
    a, node = layer_arrays(4, 2, ()), layer(4, 2)
    symbols = sorted(node.atoms(MatrixSymbol), key=str)
    f = sympy.lambdify(symbols, node)
    np.testing.assert_array_equal(f(*(a[str(s)] for s in symbols)), lower(node, style="plain")(**a))
    S = MatrixSymbol("S", n, m)
    assert sympy.lambdify([S], Softmax(S))(np.zeros((1, 4))).tolist() == [[0.25] * 4]


def test_a_size_that_no_argument_tells():
    h = sympy.Symbol("temperature", positive=True)
    with pytest.raises(Exception, match="temperature"):
        sympy.lambdify([Q, K, V], Attention(Q, K, V, scale=1 / (h * d_k)))


def test_functions_of_other_modules_do_not_stand_in_for_ours():
    """Where SciPy is installed, its softmax is in the namespace, and is that of all entries together."""

    def fail(*_arguments):
        raise AssertionError("not ours")

    q, k, v = numbers(2, 9, 4), numbers(2, 11, 4), numbers(2, 11, 3)
    expression = Attention(Q, K, V, mask=CausalMask())
    f = sympy.lambdify([Q, K, V], expression, modules=[{"softmax": fail, "hide": fail, "see": fail}, "numpy"])
    np.testing.assert_array_equal(f(q, k, v), lower(expression, style="plain")(q, k, v))


def test_a_mask_of_one_head_has_its_axis():
    a, node, keep = layer_arrays(1, 1, (2,)), layer(1, 1, mask=KeepMask(M)), numbers(2, 1, 9, 11) > 0
    symbols = sorted(node.atoms(MatrixSymbol), key=str)
    given = a | {"M": keep}
    f = sympy.lambdify(symbols, node)
    np.testing.assert_array_equal(f(*(given[str(s)] for s in symbols)), lower(node, style="plain")(**given))


@pytest.mark.parametrize("name", ["head", "threads", "softmax", "range"])
def test_names_that_modules_have_themselves(name):
    i, j = sympy.symbols("i j")
    Z, given = MatrixSymbol(name, n, d_k), (numbers(9, 4), numbers(11, 4), numbers(11, 3))
    expressions = [Attention(x, K, V, score_mod=i - j) for x in (Z, Q)]
    f, g = (sympy.lambdify([x, K, V], e) for x, e in zip((Z, Q), expressions, strict=True))
    np.testing.assert_array_equal(f(*given), g(*given))
