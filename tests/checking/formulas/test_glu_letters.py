"""Gated layers in the letters of their paper, SwiGLU(x, W, V) = Swish(xW) ⊗ xV, which plain text runs together."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def verdict(text: str) -> list[str]:
    return [formula.verdict for formula in check_article(read_article("a.md", text + "\n")).formulas]


@pytest.mark.parametrize(
    "text",
    [
        "SwiGLU(x) = (Swish(xW) ⊙ xV)W₂",
        "SwiGLU(x, W, V) = Swish(xW) ⊗ (xV)",
        r"$$\text{FFN}_{\text{SwiGLU}}(x) = (\text{Swish}(xW) \odot xV) W_2$$",
    ],
)
def test_the_layer_holds(text: str) -> None:
    assert verdict(text) == ["holds"]


@pytest.mark.parametrize("text", ["SwiGLU(x) = (Swish(xW) + xV)W₂", "SwiGLU(x) = W₂(Swish(xW) ⊙ xV)"])
def test_another_layer_is_not_said_to_hold(text: str) -> None:
    assert "holds" not in verdict(text)
