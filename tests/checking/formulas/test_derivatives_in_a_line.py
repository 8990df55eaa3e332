"""d/dx of a function as plain text writes it; the derivatives are those of any table."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def verdicts(text: str) -> list[str]:
    return [formula.verdict for formula in check_article(read_article("a.md", text + "\n")).formulas]


@pytest.mark.parametrize(
    "text",
    [
        "d/dx(tanh(x)) = 1 - tanh(x)^2",
        "- `d/dx(sigmoid(x)) = sigmoid(x) * (1 - sigmoid(x))`",
        "d/dz σ(z) = σ(z)(1 - σ(z))",
        "d/dx[sigmoid(x)] = sigmoid(x)(1 - sigmoid(x))",
        "d/dx (x^2) = 2x",
        "d/dx tanh(x) = 1 - tanh²(x)",
    ],
)
def test_right_derivatives_hold(text: str) -> None:
    assert verdicts(text) == ["holds"]


@pytest.mark.parametrize(
    "text", ["d/dx(tanh(x)) = 1 + tanh(x)^2", "d/dz σ(z) = σ(z)(1 + σ(z))", "d/dx(sigmoid(x)) = sigmoid(x)^2"]
)
def test_wrong_ones_fail(text: str) -> None:
    assert verdicts(text) == ["fails"]


@pytest.mark.parametrize("text", ["d/d_k = 8", "n = d/dx", "d/dx a · b = 3"])
def test_other_quotients_are_no_derivatives(text: str) -> None:
    assert "fails" not in verdicts(text)
