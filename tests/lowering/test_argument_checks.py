"""What lowered functions say of arguments that are none: which one, what it is, what was expected."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sympy import MatrixSymbol, Symbol, symbols

from symattn import (
    CrossEntropy,
    Embedding,
    LearnedPositions,
    RotaryEmbedding,
    TokenLosses,
    WithPositions,
    lower,
)
from symattn.lowering.kernels import checks

SHAPES: dict[str, tuple[str | int, str | int]] = {"Q": ("n", "d"), "K": ("m", "d")}
Q, K = np.ones((2, 3)), np.ones((4, 3))


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"Q": "a", "K": K}, TypeError, "Q is str, expected an array of shape (..., n, d)"),
        ({"Q": np.ones((2, 3), int), "K": K}, TypeError, "Q is int64 of shape (2, 3), expected real floating numbers"),
        ({"Q": Q, "K": K.astype(np.float32)}, TypeError, "K is float32 of shape (4, 3), expected float64 as the other"),
        ({"Q": Q, "K": np.ones((4, 2))}, ValueError, "K has shape (4, 2), expected (..., m = 4, d = 3)"),
        ({"Q": Q, "K": np.ones((0, 3))}, ValueError, "K has shape (0, 3), expected (..., m, d) of at least 1"),
        ({"Q": Q, "K": np.ones(3)}, ValueError, "K has shape (3,), expected (..., m, d = 3)"),
    ],
)
def test_arguments_that_are_refused(given: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error) as raised:
        checks.measure(SHAPES, given)
    assert said in str(raised.value)


def test_sizes_are_found_once() -> None:
    sizes = {"n": 2, "d": 3, "m": 4}
    for _ in range(2):
        assert checks.measure(SHAPES, {"Q": Q, "K": K}) == (sizes, ())
    assert checks.measure(dict(SHAPES), {"Q": Q, "K": K}) == (sizes, ())


@pytest.mark.parametrize(
    ("mask", "error"), [("no", TypeError), (np.ones((3, 4)), ValueError), (np.ones((2, 4), np.float32), TypeError)]
)
def test_a_bias_that_does_not_meet_scores(mask: Any, error: type[Exception]) -> None:
    checks.meets("bias", np.ones((2, 4)), Q, 2, 4)
    checks.meets("bias", np.ones((1, 4)), Q, 2, 4)
    with pytest.raises(error, match="bias"):
        checks.meets("bias", mask, Q, 2, 4)


class Foreign:
    """An array of another library: it has a type and becomes one of NumPy when asked."""

    def __init__(self, made: np.ndarray[Any, Any]) -> None:
        self.made, self.dtype, self.shape = made, made.dtype, made.shape

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.asarray(self.made, dtype)


def test_arrays_of_another_library_have_one_type() -> None:
    half = Foreign(np.array([[1.5, 2.0]], np.float16))
    assert checks.other_type(half) is np.float32  # type: ignore[arg-type]
    made = checks.computed_in(np.float32, lambda X, Y: X + Y, {"X": half, "Y": half})
    assert made.dtype == np.float16 and made.tolist() == [[3.0, 4.0]]
    with pytest.raises(TypeError, match=r"Y is .*float64.*expected float16 as the other arguments are"):
        checks.computed_in(np.float32, lambda X, Y: X + Y, {"X": half, "Y": Foreign(np.ones((1, 2)))})


@pytest.mark.parametrize("given", [np.ma.masked_array([[1.0]], [[True]]), {"a": 1}, np.array([["x"]])])
def test_what_is_no_array_of_real_numbers(given: Any) -> None:
    with pytest.raises(TypeError, match=r"X is .*real numbers"):
        checks.real_array("X", given)
    with pytest.raises(ValueError, match="rows of different lengths"):
        checks.real_array("X", [[1.0], [1.0, 2.0]])


k, width = symbols("k width", integer=True, positive=True)
TABLE, LOGITS = MatrixSymbol("P", k, 2), MatrixSymbol("Z", 2, width)
TOKENS = MatrixSymbol("X", Symbol("n", integer=True, positive=True), 2)


@pytest.mark.parametrize("style", ["plain", "fast"])
@pytest.mark.parametrize("gradient", [False, True])
@pytest.mark.parametrize(
    ("expression", "arrays", "shape", "message"),
    [
        (CrossEntropy(LOGITS, (0, 2)), [np.ones((2, 2))], (1, 1), "width is 2, expected at least 3"),
        (TokenLosses(LOGITS, (0, 2)), [np.ones((2, 2))], (2, 1), "width is 2, expected at least 3"),
        (Embedding(TABLE, (4, 1)), [np.ones((4, 2))], (2, 2), "k is 4, expected at least 5"),
        (
            WithPositions(TOKENS, LearnedPositions(TABLE, TOKENS.shape[0])),
            [np.ones((3, 2)), np.ones((1, 2))],
            (3, 2),
            "k is 1",
        ),
        (
            WithPositions(TOKENS, LearnedPositions(TABLE, TOKENS.shape[0], 2)),
            [np.ones((3, 2)), np.ones((3, 2))],
            (3, 2),
            "k is 3, expected at least 5",
        ),
        (RotaryEmbedding(LOGITS, rates=[1]), [np.ones((2, 4))], (2, 4), "width is 4, expected 2"),
    ],
)
def test_what_tables_labels_and_rates_ask_of_sizes(
    expression: Any, arrays: list[Any], shape: tuple[int, int], message: str, style: Any, gradient: bool
) -> None:
    function = lower(expression, style=style, gradient=gradient)
    upstream = {"G": np.ones(shape)} if gradient else {}
    names = list(function.__signature__.parameters)
    with pytest.raises(ValueError, match=message):
        function(**dict(zip(names, arrays, strict=False)), **upstream)
