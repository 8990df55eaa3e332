"""Arguments that cannot be used: the exception names the argument, its shape, and what was expected."""

import re

import numpy as np
import pytest
from lowering.symbols import B, K, M, Q, V, d_k
from lowering.test_lowered import layer, layer_arrays, numbers
from sympy import Matrix, MatrixSymbol

from symattn import Attention, BahdanauAttention, CausalMask, KeepMask, Softmax, lower
from symattn.errors import InputError

GOOD = {"Q": numbers(2, 3, 4), "K": numbers(2, 5, 4), "V": numbers(2, 5, 6)}
WRONG = [
    ({"K": numbers(2, 5, 3)}, ValueError, r"K has shape \(2, 5, 3\), expected \(\.\.\., m = 5, d_k = 4\)"),
    ({"V": numbers(2, 4, 6)}, ValueError, r"V has shape \(2, 4, 6\), expected \(\.\.\., m = 5, d_v\)"),
    ({"Q": numbers(3, 3, 4)}, ValueError, r"Q \(3, 3, 4\), K \(2, 5, 4\)"),
    ({"Q": numbers(4)}, ValueError, r"Q has shape \(4,\), expected \(\.\.\., n, d_k\)"),
    ({"K": numbers(2, 0, 4), "V": numbers(2, 0, 6)}, ValueError, r"K has shape \(2, 0, 4\), expected .* at least 1"),
    ({"Q": np.full((2, 3, 4), "1")}, TypeError, r"Q is <U1 of shape \(2, 3, 4\), expected real numbers"),
    ({"Q": [[1.0, 2.0], [3.0]]}, ValueError, "Q has rows of different lengths, expected an array"),
    ({"Q": np.ones((2, 3, 4), complex)}, TypeError, r"Q is complex128 of shape \(2, 3, 4\)"),
    ({"Q": np.ones((2, 3, 4), object)}, TypeError, r"Q is object of shape \(2, 3, 4\)"),
    ({"Q": np.ma.masked_less(numbers(2, 3, 4), 0)}, ValueError, "Q is MaskedArray; expected an array"),
    ({"V": [[1.0]]}, ValueError, r"V has shape \(1, 1\), expected"),
    ({"V": None}, ValueError, "V is NoneType; expected an array"),
    ({"B": numbers(3, 4)}, ValueError, r"B has shape \(3, 4\), expected one that broadcasts to \(\.\.\., 3, 5\)"),
    ({"B": numbers(7, 3, 5)}, ValueError, r"B \(7, 3, 5\)"),
    ({"M": numbers(3, 5)}, TypeError, r"M is float64 of shape \(3, 5\), expected booleans"),
    (
        {"M": np.ones((4, 5), bool)},
        ValueError,
        r"M has shape \(4, 5\), expected one that broadcasts to \(\.\.\., 3, 5\)",
    ),
]


@pytest.mark.parametrize("style", ["fast", "plain", "compiled"])
@pytest.mark.parametrize(("change", "kind", "message"), WRONG)
def test_wrong_arguments(change, kind, message, style):
    options = {"bias": B} if "B" in change else {"mask": KeepMask(M)} if "M" in change else {}
    with pytest.raises(kind, match=message):
        lower(Attention(Q, K, V, **options), style=style)(**(GOOD | change))


def test_arguments_that_are_missing_or_unknown():
    f = lower(Attention(Q, K, V))
    for arrays, named, message in (
        ((), {"Q": GOOD["Q"]}, "K is missing; the arguments are Q, K, V"),
        ((), GOOD | {"W": GOOD["Q"]}, "W is not an argument"),
        ((GOOD["Q"],), GOOD, "Q is not an argument, or is given twice"),
        (tuple(GOOD.values()) * 2, {}, "6 arrays are too many"),
        (tuple(GOOD.values()), {"threads": 0}, "threads is 0"),
    ):
        with pytest.raises(ValueError, match=message):
            f(*arrays, **named)


def test_sizes_that_must_divide():
    arrays = layer_arrays(4, 2, ())
    with pytest.raises(ValueError, match=r"b_K has shape \(1, 8\), expected \(\.\.\., 1, 2 \* d_k = 7\)"):
        lower(layer(4, 2))(**(arrays | {"W_K": arrays["W_K"][:, :7]}))


@pytest.mark.parametrize("style", ["fast", "plain", "compiled"])
@pytest.mark.parametrize("lead", [(3,), (1, 3), (2, 3), (5, 1), (5, 4), (3, 4)])
def test_masks_that_do_not_fit_the_heads(lead, style):
    arrays, shape = layer_arrays(4, 2, (2,)), (*lead, 9, 11)
    expected = r"expected one that broadcasts to \(2, 9, 11\), or to \(2, 4, 9, 11\) with one for each head"
    said = f" has shape {re.escape(str(shape))}, {expected}"
    with pytest.raises(ValueError, match="B" + said):
        lower(layer(4, 2, bias=B), style=style)(**arrays, B=numbers(*shape))
    with pytest.raises(ValueError, match="M" + said):
        lower(layer(4, 2, mask=KeepMask(M)), style=style)(**arrays, M=numbers(*shape) > 0)


@pytest.mark.parametrize("style", ["fast", "plain", "compiled"])
def test_masks_that_do_not_fit_the_keys_of_heads(style):
    arrays = layer_arrays(4, 2, (1,)) | {"Z": numbers(3, 11, 12)}
    with pytest.raises(ValueError, match=r"do not broadcast: X \(1, 9, .*, Z \(3, 11, .*, M \(2, 9, 11\)"):
        lower(layer(4, 2, mask=KeepMask(M)), style=style)(**arrays, M=numbers(2, 9, 11) > 0)


@pytest.mark.parametrize("style", ["fast", "plain", "compiled"])
def test_leading_axes_of_all_arguments_are_named(style):
    weights = {x: MatrixSymbol(x, d_k, 1 if x == "w" else d_k) for x in "WUw"}
    given = GOOD | {"W": numbers(5, 4, 4), "U": numbers(4, 4), "w": numbers(4, 1)}
    with pytest.raises(ValueError, match=r"Q \(2, 3, 4\), .* W \(5, 4, 4\), U \(4, 4\), w \(4, 1\)"):
        lower(BahdanauAttention(Q, K, V, *weights.values()), style=style)(**given)


@pytest.mark.parametrize("style", ["fast", "plain", "compiled"])
@pytest.mark.parametrize("options", [{}, {"mask": CausalMask()}, {"bias": B}, {"mask": KeepMask(M), "softcap": 2}])
def test_no_queries_give_no_rows(style, options):
    more = {"B": numbers(1, 5)} if "bias" in options else {"M": np.ones((0, 5), bool)} if "softcap" in options else {}
    got = lower(Attention(Q, K, V, **options), style=style)(**(GOOD | {"Q": numbers(2, 0, 4)} | more))
    assert got.shape == (2, 0, 6)


@pytest.mark.parametrize("style", ["fast", "plain", "compiled"])
@pytest.mark.parametrize(("lead", "rows"), [((2,), 0), ((0,), 3), ((2, 0), 300), ((), 0)])
def test_an_empty_batch_has_empty_results(lead, rows, style):
    q, k, v, g = (numbers(*lead, *shape) for shape in ((rows, 4), (300, 4), (300, 6), (rows, 6)))
    got = lower(Attention(Q, K, V, mask=CausalMask()), style=style, outputs=("output", "lse"))(q, k, v)
    assert got["output"].shape == (*lead, rows, 6) and got["lse"].shape == (*lead, rows, 1)
    made = lower(Attention(Q, K, V, mask=CausalMask()), style=style, gradient=True)(q, k, v, g)
    for name, x in (("dQ", q), ("dK", k), ("dV", v)):
        assert made[name].shape == x.shape and not made[name].any()


@pytest.mark.parametrize("style", ["fast", "plain", "compiled"])
def test_no_tokens_are_no_keys(style):
    with pytest.raises(ValueError, match=r"Q has shape \(2, 0, 4\), expected .* at least 1"):
        lower(Attention(Q, Q, Q), style=style)(numbers(2, 0, 4))


@pytest.mark.parametrize("style", ["plain", "fast"])
@pytest.mark.parametrize("check", [False, True])
def test_an_expression_without_symbols_takes_no_arguments(style, check):
    f = lower(Attention(Matrix([[1]]), Matrix([[0], [1]]), Matrix([[1], [2]])), style=style, check=check)
    np.testing.assert_allclose(f(), (1 + 2 * np.e) / (1 + np.e), rtol=1e-15)
    assert f().dtype == np.float64 and f.shapes == {"output": (1, 1)} and "Shapes" not in f.__doc__
    with pytest.raises(InputError, match="too many"):
        f(np.ones((1, 1)))


def test_a_function_of_one_matrix_is_checked():
    z = np.array([[0.0, 1.0]])
    assert lower(Softmax(MatrixSymbol("Z", 1, 2)), check=True)(z)[0, 1] == pytest.approx(np.e / (1 + np.e))
