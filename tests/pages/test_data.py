"""The JSON of `derive` and `evaluate`: keys and shapes of the contract, values against SymPy and mpmath."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
import sympy
from mpmath import MPContext

from symattn.cli.main import run
from tests.samples import SHEETS, sample

X = sympy.Matrix([[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]])
W_Q = sympy.Matrix([[1, 0], [1, 0], [0, 1], [0, 1]])
W_K = sympy.Matrix([[0, 1], [0, 1], [1, 0], [1, 0]])
W_V = sympy.Matrix([[1, 0], [0, 1], [1, 0], [0, 1]])


def by_hand() -> dict[str, sympy.Matrix]:
    """The hand calculation through SymPy's own matrices."""
    Q, K, V = X * W_Q, X * W_K, X * W_V
    S = Q * K.T
    scaled = S / sympy.sqrt(2)
    E = scaled.applyfunc(sympy.exp)
    A = sympy.Matrix(3, 3, lambda i, j: E[i, j] / sum(E[i, k] for k in range(3)))
    return {"Q": Q, "K": K, "V": V, "scores": S, "scaled": scaled, "weights": A, "output": A * V}


def numbers(matrix: sympy.Matrix, digits: int) -> list[list[Any]]:
    """The entries as mpmath numbers, with cancellation to spare."""
    context = MPContext()
    context.dps = digits + 20
    return [[context.mpf(str(sympy.N(x, digits + 20))) for x in row] for row in matrix.tolist()]


def output_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    assert run(arguments) == 0
    return json.loads(capsys.readouterr().out)


def test_derive_says_what_sympy_computes(capsys: pytest.CaptureFixture[str]) -> None:
    data = output_of(["derive", "hand-calculation", "--to", "json"], capsys)
    assert set(data) == {"title", "steps"} and data["title"] == "Self-attention of three tokens, by hand"
    expected = by_hand()
    assert [step["name"] for step in data["steps"]] == list(expected)
    for step in data["steps"]:
        assert set(step) == {"name", "latex", "definition", "shape", "value", "decimal"}
        matrix = expected[step["name"]]
        assert step["shape"] == list(matrix.shape) and step["definition"] in step["latex"]
        for i in range(matrix.rows):
            for j in range(matrix.cols):
                value = sympy.sympify(step["value"][i][j])
                # the same as a rational function of exponentials: cross-multiplied, nothing is left
                above, below = sympy.fraction(sympy.together(value - matrix[i, j]))
                assert sympy.expand(above) == 0 and below != 0
                shown = step["decimal"][i][j]
                last = sympy.Rational(10) ** _last_place(shown)
                assert abs(sympy.N(matrix[i, j] - sympy.Rational(shown), 30, maxn=1000)) <= last / 2


def _last_place(text: str) -> int:
    mantissa, _, ten = text.partition("e")
    return int(ten or 0) - len(mantissa.partition(".")[2])


def test_symbolic_sizes_are_text_and_there_are_no_values(capsys: pytest.CaptureFixture[str]) -> None:
    data = output_of(["derive", "scaled-dot-product", "--to", "json"], capsys)
    assert [step["shape"] for step in data["steps"]] == [["n", "m"], ["n", "m"], ["n", "m"], ["n", "d_v"]]
    assert all(step["value"] is None and step["decimal"] is None for step in data["steps"])


def test_what_a_mask_hides_is_minus_infinity() -> None:
    (masked,) = (s for s in sample("causal").to_json()["steps"] if s["name"] == "masked")
    for i in range(3):
        for j in range(3):
            assert (masked["value"][i][j] == "-oo") == (j > i)
            assert (masked["decimal"][i][j] == "-inf") == (j > i)


@pytest.mark.parametrize("name", [n for n in SHEETS if n not in ("matrix mask", "several masks")])
def test_every_sample_has_the_shape_of_the_contract(name: str) -> None:
    data = sample(name).to_json()
    for step in data["steps"]:
        if step["value"] is None:
            assert all(isinstance(size, str | int) for size in step["shape"])
            continue
        rows, columns = step["shape"]
        for table in (step["value"], step["decimal"]):
            assert len(table) == rows and all(len(row) == columns for row in table)
    json.dumps(data, allow_nan=False)


@pytest.mark.parametrize("digits", [1, 15, 200])
def test_evaluate_gives_the_nearest_decimals(digits: int, capsys: pytest.CaptureFixture[str]) -> None:
    data = output_of(["evaluate", "hand-calculation", "--json", "--digits", str(digits)], capsys)
    assert data["digits"] == digits
    expected = by_hand()
    assert list(data["steps"]) == list(expected)
    context = MPContext()
    context.dps = digits + 250
    for name in ("scores", "scaled", "weights", "output"):
        for i, row in enumerate(data["steps"][name]):
            for j, shown in enumerate(row):
                exact = expected[name][i, j]
                if exact.is_Integer:
                    assert shown == str(exact)
                    continue
                mantissa = shown.partition("e")[0].replace(".", "").replace("-", "").lstrip("0")
                assert len(mantissa) == digits
                wanted = context.mpf(str(sympy.N(exact, digits + 240, maxn=10_000)))
                unit = context.mpf(10) ** _last_place(shown)
                assert abs(context.mpf(shown) - wanted) <= unit / 2


def test_evaluate_one_step_as_json_and_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    data = output_of(["evaluate", "hand-calculation", "--json", "--step", "scores"], capsys)
    # 1·5 + 5·1, 1·13 + 5·9, ...
    assert data == {
        "digits": 15,
        "steps": {"scores": [["10", "58", "106"], ["58", "234", "410"], ["106", "410", "714"]]},
    }
    assert run(["evaluate", "hand-calculation", "--step", "scores"]) == 0
    assert capsys.readouterr().out == "scores\n   10   58  106\n   58  234  410\n  106  410  714\n"


def test_sums_of_weights_to_many_digits(capsys: pytest.CaptureFixture[str]) -> None:
    rows = output_of(["evaluate", "thinking-machines", "--json", "--step", "weights"], capsys)["steps"]["weights"]
    # scores 2 and 6 over sqrt(2); 5 and 5
    small = 1 / (1 + math.exp(4 / math.sqrt(2)))
    assert math.isclose(float(rows[0][0]), small, rel_tol=1e-13)
    assert math.isclose(float(rows[0][1]), 1 - small, rel_tol=1e-13)
    assert [sympy.Rational(x) for x in rows[1]] == [sympy.Rational(1, 2)] * 2


def test_a_mask_after_a_softcap_hides_in_decimals_too() -> None:
    (masked,) = (s for s in sample("softcap, bias and mask").to_json()["steps"] if s["name"] == "masked")
    assert [[x == "-inf" for x in row] for row in masked["decimal"]] == [[j > i for j in range(3)] for i in range(3)]
