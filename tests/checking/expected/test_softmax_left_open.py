"""Weights below a softmax that is left open, and vectors standardised by what was printed; worked out by hand."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged


def wrong(text: str) -> list[str]:
    return [number for *_, bad in judged(text) for number in bad]


OPEN = "Row 1: `softmax([1.414, 1.414, 2.828])`\n\n- `exp(1.414) ≈ 4.11`\n- Weights ≈ `[0.164, 0.164, {}]`\n\n"
OPEN += "Row 2: `softmax([0.707, 0.707, 1.414])`\n\n- `exp(0.707) ≈ 2.03`\n- Weights ≈ `[0.248, 0.248, {}]`\n"


def test_named_weights_below_a_softmax() -> None:
    assert not wrong(OPEN.format("0.673", "0.503"))
    assert wrong(OPEN.format("0.683", "0.503")) == ["0.683"] and wrong(OPEN.format("0.673", "0.533")) == ["0.533"]
    assert [shown for _, shown, _ in judged(OPEN.format("0.673", "0.503")) if len(shown) == 3] == [
        ["0.164", "0.164", "0.673"],
        ["0.248", "0.248", "0.503"],
    ]


def test_other_weights_below_a_softmax() -> None:
    assert not wrong(OPEN.format("0.673", "0.503").replace("0.248, 0.248", "0.333, 0.164"))
    assert not wrong(OPEN.replace("Weights", "Targets").format("0.683", "0.533"))


@pytest.mark.parametrize(("deviation", "bad"), [("2.24", []), ("2.16", ["2.16", "-1.39", "0.46", "-0.46", "1.39"])])
def test_a_vector_standardised_by_the_printed_deviation(deviation: str, bad: list[str]) -> None:
    numbers = "-1.39, 0.46, -0.46, 1.39" if bad else "-1.34, 0.45, -0.45, 1.34"
    assert wrong(f"```\nx = [1.0, 5.0, 3.0, 7.0]\nμ = 4.0\nσ = {deviation}\nnormalized = [{numbers}]\n```\n") == bad


def test_a_vector_normalised_otherwise() -> None:
    text = "```\nx = [1.0, 5.0, 3.0, 7.0]\nμ = 4.0\nσ = 2.24\nnormalized = [0.14, 0.71, 0.43, 1.00]\n```\n"  # x / max
    assert not wrong(text)
