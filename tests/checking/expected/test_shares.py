"""Rows of weights after the numbers that are divided by their sum, or after the logits."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, report

ROW = "$[e^2, e^0] = [7.389, 1]$, "  # 7.389/8.389 = 0.8808, 1/8.389 = 0.1192


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (ROW + "normalised $[0.881, 0.119]$", []),
        (ROW + "normalised $[0.818, 0.119]$", ["0.818"]),
        (ROW + "归一化后 $[0.881, 0.191]$", ["0.191"]),
        ("`exp([-2.5, 0, -inf]) = [0.0821, 1, 0]`, sum=1.0821, alpha_1 = `[0.0795, 0.9241, 0]`.", ["0.0795"]),
    ],
)
def test_each_number_over_the_sum_of_all(text: str, wrong: list[str]) -> None:
    *_, (_, numbers, bad) = judged(text)
    assert len(numbers) > 1
    assert bad == wrong


@pytest.mark.parametrize(
    "text",
    [
        ROW + "normalised $[0.7, 0.2]$",  # nothing of it is right
        ROW + "after dropout $[0.881, 0]$",
        ROW + "the lengths are $[0.818, 0.119]$",
    ],
)
def test_other_rows_are_no_shares(text: str) -> None:
    assert not any(claim.bad for claim in report(text).findings)


LOGITS = "logits = [2.0, 1.0, 0.1]\n\n"  # softmax: 0.6590, 0.2424, 0.0986


@pytest.mark.parametrize(
    "words", ["After softmax, we get ", "Softmax gives ", "probs = ", "The probabilities are ", "概率为 ", "weights = "]
)
def test_softmax_of_the_row_before_that_words_name(words: str) -> None:
    assert judged(LOGITS + words + "[0.66, 0.24, 0.12]")[-1][2] == ["0.12"]
    assert judged(LOGITS + words + "[0.66, 0.24, 0.10]")[-1][2] == []
    assert judged(LOGITS + words + "[0.50, 0.30, 0.20]") == []  # of other logits, or divided by something
