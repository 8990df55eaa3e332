"""Arguments that cannot be used: the exception names the argument, its shape, and what was expected."""

import numpy as np
import pytest
from lowering.symbols import B, K, M, Q, V
from lowering.test_lowered import layer, layer_arrays, numbers

from symattn import Attention, KeepMask, lower

GOOD = {"Q": numbers(2, 3, 4), "K": numbers(2, 5, 4), "V": numbers(2, 5, 6)}
WRONG = [
    ({"K": numbers(2, 5, 3)}, ValueError, r"K has shape \(2, 5, 3\), expected \(\.\.\., m = 5, d_k = 4\)"),
    ({"V": numbers(2, 4, 6)}, ValueError, r"V has shape \(2, 4, 6\), expected \(\.\.\., m = 5, d_v\)"),
    ({"Q": numbers(3, 3, 4)}, ValueError, r"Q \(3, 3, 4\), K \(2, 5, 4\)"),
    ({"Q": numbers(4)}, ValueError, r"Q has shape \(4,\), expected \(\.\.\., n, d_k\)"),
    ({"K": numbers(2, 0, 4), "V": numbers(2, 0, 6)}, ValueError, r"K has shape \(2, 0, 4\), expected .* at least 1"),
    ({"Q": np.ones((2, 3, 4), int)}, TypeError, r"Q is int64 of shape \(2, 3, 4\), expected real floating"),
    ({"Q": np.ones((2, 3, 4), complex)}, TypeError, r"Q is complex128 of shape \(2, 3, 4\)"),
    ({"Q": np.ones((2, 3, 4), object)}, TypeError, r"Q is object of shape \(2, 3, 4\)"),
    (
        {"K": numbers(2, 5, 4).astype(np.float32)},
        TypeError,
        r"K is float32 of shape \(2, 5, 4\), expected float64 as the other",
    ),
    ({"V": [[1.0]]}, ValueError, "V is list; expected an array"),
    ({"B": numbers(3, 4)}, ValueError, r"B has shape \(3, 4\), expected one that broadcasts to \(\.\.\., 3, 5\)"),
    ({"B": np.zeros((3, 5), np.float32)}, TypeError, r"B is float32 of shape \(3, 5\), expected float64"),
    ({"B": numbers(7, 3, 5)}, ValueError, r"B \(7, 3, 5\)"),
    ({"M": numbers(3, 5)}, TypeError, r"M is float64 of shape \(3, 5\), expected booleans"),
    (
        {"M": np.ones((4, 5), bool)},
        ValueError,
        r"M has shape \(4, 5\), expected one that broadcasts to \(\.\.\., 3, 5\)",
    ),
]


@pytest.mark.parametrize("style", ["fast", "plain"])
@pytest.mark.parametrize(("change", "kind", "message"), WRONG)
def test_wrong_arguments(change, kind, message, style):
    options = {"bias": B} if "B" in change else {"mask": KeepMask(M)} if "M" in change else {}
    with pytest.raises(kind, match=message):
        lower(Attention(Q, K, V, **options), style=style)(**(GOOD | change))


def test_arguments_that_are_missing_or_unknown():
    f = lower(Attention(Q, K, V))
    for arrays, named, message in (
        ((), {"Q": GOOD["Q"]}, "K is missing; the arguments are Q, K, V"),
        ((), GOOD | {"W": GOOD["Q"]}, "W is no argument"),
        ((GOOD["Q"],), GOOD, "Q is no argument, or given twice"),
        (tuple(GOOD.values()) * 2, {}, "6 arrays are too many"),
        (tuple(GOOD.values()), {"threads": 0}, "threads is 0"),
    ):
        with pytest.raises(ValueError, match=message):
            f(*arrays, **named)


def test_sizes_that_must_divide():
    arrays = layer_arrays(4, 2, ())
    with pytest.raises(ValueError, match=r"b_K has shape \(1, 8\), expected \(\.\.\., 1, 2 \* d_k = 7\)"):
        lower(layer(4, 2))(**(arrays | {"W_K": arrays["W_K"][:, :7]}))
