"""Functions of entries, rows and all entries; where two conventions are in use, both are right."""

from __future__ import annotations

import pytest

from symattn import check_article
from tests.checking.checked import judged


@pytest.mark.parametrize(
    "claim",
    [
        "ReLU([2, -1, 0]) = [2, 0, 0]",
        "max(0, [2, -1]) = [2, 0]",
        "GELU([1, -1]) = [0.841, -0.159]",
        "GELU(2) = 1.95460",  # by tanh; x Φ(x) is 1.95450
        "σ(0.76) = 0.681",
        "sigmoid([0, 2]) = [0.5, 0.88]",
        "tanh(1) = 0.7616",
        "[sin(1), cos(1)] = [0.84, 0.54]",
        "-log(0.681) ≈ 0.384",
        "log2(8) = 3",
        "log(8) = 3",
        "log(50000) ≈ 4.70",
        "ln(50000) ≈ 10.82",
        "mean([1, 2, 6]) = 3",
        "var([1, 3]) = 1",
        "var([1, 3]) = 2",  # by n − 1
        "LayerNorm([1, 2, 3]) = [-1.22, 0, 1.22]",
        "LayerNorm([1, 3]) = [-0.999995, 0.999995]",  # 1 / √1.00001, as PyTorch adds 0.00001 to the variance
        "RMSNorm([3, 4]) = [0.849, 1.131]",
        "sum([0.2, 0.3]) = 0.5",
        "||[1, 2, 2]|| = 3",
        "|−3| + |4| + 0 = 7",
        "|[3, 4]| = 5",
        "‖[3, 4]‖ · ‖[0, 2]‖ = 10",
        "exp([1, 0]) / sum(exp([1, 0])) = [0.731, 0.269]",
        "[[1, 2], [5, 6]] * [[3, 4], [7, 8]] = [[3, 8], [35, 48]]",  # as programs mean it
        "[[1, 2], [5, 6]] * [[3, 4], [7, 8]] = [[17, 20], [57, 68]]",
        "[[1, 2], [3, 4]] + [10, 20] = [[11, 22], [13, 24]]",
    ],
)
def test_right_values(claim: str) -> None:
    summary = check_article(claim + "\n").summary
    assert summary and not summary.keys() - {"exact", "rounded", "truncated"}


@pytest.mark.parametrize(
    "claim",
    [
        "ReLU([2, -1]) = [2, 1]",
        "σ(0.76) = 0.7812",
        "mean([1, 2, 6]) = 4",
        "ln(50000) ≈ 4.70",  # log10; ln is 10.82
        r"$-\ln 0.576 \approx 0.240$",  # 0.552
        "log(8) = 2.5",
    ],
)
def test_wrong_values(claim: str) -> None:
    assert check_article(claim + "\n").summary["wrong"] == 1


def test_minus_infinity_is_no_argument() -> None:
    assert check_article("ReLU([1, -inf]) = [1, 0]\n").summary == {}


def test_an_index_behind_a_product_is_that_of_the_product() -> None:
    text = "```\nQ = K = [[1, 0],   ← first\n         [2, 1]]   ← second\n\nQKᵀ[0,1] = 2\nQKᵀ[1,1] = 4\n```\n"
    assert check_article(text).summary == {"exact": 1, "wrong": 1}


def test_a_row_of_names_has_one_value() -> None:
    assert check_article("X = [[1, 2]]\n\nQ = K = V = X\n\nQ + V = [[2, 5]]\n").summary == {"exact": 1, "wrong": 1}


@pytest.mark.parametrize("rowsum", [r"\mathrm{rowsum}", r"\operatorname{rowsum}"])
def test_rowsum_is_a_column_that_is_taken_from_each_row(rowsum: str) -> None:
    """The rows of P ⊙ dP add up to 0.6 and 0.5: 0.6 (1 − 0.6) = 0.24, 0.4 (0 − 0.6) = −0.24, ±0.5 · 0.5 = ±0.25."""
    given = r"$$P = [[0.6, 0.4], [0.5, 0.5]], \quad dP = [[1, 0], [0, 1]]$$"
    sums = rf"$$D = {rowsum}(P \odot dP) = [0.6, 0.6]$$"
    back = rf"$$dS = P \odot (dP - {rowsum}(P \odot dP)) = [[0.24, -0.24], [-0.25, 0.20]]$$"
    assert [bad for _, _, bad in judged(f"{given}\n\n{sums}\n\n{back}")] == [["0.6"], ["0.20"]]
