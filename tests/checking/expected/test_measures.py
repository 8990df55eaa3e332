"""Means, variances and deviations that a name or words alone say, and LayerNorm that a name says."""

from __future__ import annotations

import pytest

from symattn import check_article
from tests.checking.checked import judged, listed

X = "x = [2, 4, 6, 9]\n\n"  # mean 5.25, variance 6.6875 (by n − 1: 8.9167), deviation 2.5860 (2.9861)


@pytest.mark.parametrize(
    "text",
    [
        "μ = 5.25, σ² = 6.69, σ = 2.59",
        "$\\mu = 5.25$, $\\sigma^2 = 6.6875$",
        "mean = 5.25, variance = 8.92, std = 2.99",  # by n − 1
        "- Mean: 5.25\n- **Variance:** 6.69\n- Standard deviation: 2.59",
        "The mean is 5.25 and the variance is 6.69.",
        "均值为 5.25，方差为 6.69，标准差为 2.59。",
    ],
)
def test_measures_of_the_vector_before(text: str) -> None:
    found = judged(X + text)
    assert len(found) == 2 + ("2.59" in text or "2.99" in text)
    assert not any(bad for _, _, bad in found)


def test_a_wrong_measure_beside_a_right_one() -> None:
    assert judged(X + "mean = 5.25\n\nvariance = 7.69") == [("mean", ["5.25"], []), ("variance", ["7.69"], ["7.69"])]


@pytest.mark.parametrize(
    "text", ["mean = 5.25\n\nThe target has std = 1", "mean = 7.1", "variance = 1", "mean = 5.25\n\n\n\n\n\nstd = 0.02"]
)
def test_a_number_that_fits_no_vector_is_listed(text: str) -> None:
    assert all(not bad for _, _, bad in judged(X + text))
    assert listed(X + text)


def test_words_of_a_sum_without_a_sign() -> None:
    assert judged("e^2 = 7.389\n\ne^1 = 2.718\n\n- Sum: 10.107")[-1] == ("sum", ["10.107"], [])
    assert listed("The sum: 3 + 4, and a mean time of 5 ms") == []


def test_a_standardised_vector_by_its_name() -> None:
    assert judged(X + "x_norm = [-1.26, -0.48, 0.29, 1.35]") == [
        ("x_norm", ["-1.26", "-0.48", "0.29", "1.35"], ["1.35"])
    ]
    by_sample = "mean = 5.25, std = 2.99\n\nx_norm = [-1.09, -0.42, 0.25, 1.35]"
    assert judged(X + by_sample)[-1][2] == ["1.35"]  # 1.26


def test_layernorm_by_the_convention_that_most_numbers_show() -> None:
    found = judged("h = [0.5, 1.5, 4.0]\n\nLayerNorm(h) = [-0.83, -0.28, 1.21]")  # by n − 1; 1.11
    assert found == [("LayerNorm(h)", ["-0.83", "-0.28", "1.21"], ["1.21"])]


def test_a_mean_as_a_fraction_of_a_sum() -> None:
    mean = r"$$\mu = \frac{1}{4} (2.0 + 4.0 + 6.0 + 9.0) = \frac{21.0}{4} = 5.25$$"
    assert judged(mean) == [(r"\mu", ["21.0"], []), (r"\mu", ["5.25"], [])]
    squares = r"$$\sigma^2 = \frac{1}{2} [(-3.0)^2 + 1.0^2] = \frac{1}{2} [9.0 + 1.0] = \frac{10.0}{2} = 5.0$$"
    assert [numbers for _, numbers, _ in judged(squares)] == [["9.0", "1.0"], ["10.0"], ["5.0"]]
    assert listed(squares) == []


ROWS = "X = [[0.0, 0.1, 0.4, -0.1], [1, 2, 3, 6], [2, 2, 5, 7]]\n\n```python\n{}\n```"  # deviations 0.187, 1.871, 2.121


def test_measures_of_one_row_after_the_other() -> None:
    lines = '"a": mean=0.1, std=0.187\n"b": mean=3, std=1.87\n"c": mean=4, std=2.31'
    found = judged(ROWS.format(lines))
    assert [(numbers, bad) for _, numbers, bad in found] == [
        (["0.1"], []), (["0.187"], []), (["3"], []), (["1.87"], []), (["4"], []), (["2.31"], ["2.31"])
    ]  # fmt: skip


@pytest.mark.parametrize("lines", ['"a": mean=0.1, std=0.3', '"a": mean=0.2, std=0.187\n"b": mean=3, std=1.9'])
def test_what_no_row_before_bears_out_is_listed(lines: str) -> None:
    assert all(not bad for _, _, bad in judged(ROWS.format(lines)))


@pytest.mark.parametrize(
    "text",
    [
        "var(x) = 0.035",
        "σ² = ((0.0 - 0.1)² + (0.1 - 0.1)² + (0.4 - 0.1)² + (-0.1 - 0.1)²) / 4 = 0.035",
        "(x - 0.1)² = [0.01, 0.0, 0.09, 0.04]",
        "```\nμ = 0.1\n(x - μ)² = [0.01, 0.0, 0.09, 0.04]\n```",
    ],
)
def test_an_entry_that_is_the_mean(text: str) -> None:
    found = judged(f"x = [0.0, 0.1, 0.4, -0.1]\n\n{text}")
    assert len(found) == 1 + ("μ" in text)
    assert not any(bad for _, _, bad in found)


def test_rows_standardised_by_their_name_where_one_of_them_is_right() -> None:
    rows = "X = [[0.1, 0.3, -0.2, 0.8], [1, 2, 3, 6]]\n\n"  # (-0.41, 0.14, -1.24, 1.51), (-1.07, -0.53, 0, 1.60)
    printed = "normalized_X = [[-0.41, 0.14, -1.24, 1.51], [-0.98, -0.49, 0.0, 1.46]]"
    assert judged(rows + printed)[-1][2] == ["-0.98", "-0.49", "1.46"]
    assert [bad for *_, bad in judged(rows + printed.replace("1.51", "1.41"))] == [["1.41"]]
    assert not any(bad for *_, bad in judged(rows + printed.replace("-0.98, -0.49", "0.98, 0.49")))


TOKENS = "```\nThe tokens:\n[[1.0, 2.0, 3.0, 6.0],\n [0.0, 0.0, 2.0, 2.0],\n [4.0, 1.0, 0.0, 3.0]]\n{}\n```\n"


@pytest.mark.parametrize(
    ("lines", "verdicts"),
    [
        ("Means per token: [3.0, 1.0, 2.0]\nStds per token: [1.871, 1.000, 1.581]", {"exact": 4, "rounded": 2}),
        (
            "Means per token: [3.0, 1.0, 2.0]\nStds per token: [2.160, 1.155, 1.826]",
            {"exact": 3, "rounded": 3},  # n − 1
        ),
        (
            "Means per token: [3.0, 1.0, 2.0]\nStds per token: [1.871, 1.250, 1.300]",
            {"exact": 3, "rounded": 1, "wrong": 2},
        ),
        ("每行的均值: [3.0, 1.0, 2.0]", {"exact": 3}),
        ("Stds per token: [1.871, 1.250, 1.300]", {}),  # of which matrix, no means say
        ("Means per head: [3.0, 1.0, 2.5]", {}),
        ("Means per token: [3.0, 1.0, 2.0]\nStds per token: [1.0, 1.0, 1.0]", {"exact": 3}),  # what one aims at
    ],
)
def test_lists_of_the_measures_of_all_rows(lines: str, verdicts: dict[str, int]) -> None:
    assert check_article("a.md", TOKENS.format(lines)).summary == verdicts


@pytest.mark.parametrize(("number", "verdicts"), [("4.5", {"exact": 2}), ("4.6", {"exact": 1})])
def test_a_mean_beside_the_list_right_before_it(number: str, verdicts: dict[str, int]) -> None:
    text = f"x = [1, 2, 3, 6]\n\nmean = 3.0\n\ny = [3, 4, 5, 6]\n\nmean = {number}\n"
    assert check_article("a.md", text).summary == verdicts


def test_a_list_is_no_measure_of_one_vector() -> None:
    text = X + "mean = 5.25\n\nstd = [2.59, 9]"
    assert judged(text) == [("mean", ["5.25"], [])]
    assert listed(text)


M = "M = [[1, 2, 6], [2, 4, 9]]\n\n"  # means 3 and 5, variances 14/3 and 26/3 (by n − 1: 7 and 13)


def test_measures_of_the_rows_one_after_the_other() -> None:
    found = judged(M + "Mean is 3, variance is 4.67\n\nMean is 5, variance is 8.76")
    assert [bad for _, _, bad in found] == [[], [], [], ["8.76"]]
    neither = judged(M + "Mean is 3, variance is 4.76\n\nMean is 5, variance is 8.76")
    assert not any(bad for _, _, bad in neither)
    assert listed(M + "Mean is 3\n\nMean is 5\n\nMean is 9")  # there are two rows


@pytest.mark.parametrize("text", ["z = (x - μ) / σ → μ=0, σ=1", "LayerNorm makes mean = 0, std = 1"])
def test_what_one_normalises_to_is_no_measure_of_the_list_before(text: str) -> None:
    assert judged("x = [0.5, 1.0]\n\n" + text) == []
    assert judged("x = [-1, 1]\n\nmean = 0, std = 1") == [("mean", ["0"], []), ("std", ["1"], [])]
