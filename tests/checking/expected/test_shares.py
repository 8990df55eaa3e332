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


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("得分 $[1, 2, 3]$：\n\nsoftmax(1) ≈ 0.09，softmax(2) ≈ 0.24，softmax(3) ≈ 0.76", ["0.76"]),
        ("z = [0, 2]\n\nsoftmax(0) = 0.12, softmax(2) = 0.88", []),
    ],
)
def test_softmax_of_a_number_is_its_weight_in_the_list_before(text: str, wrong: list[str]) -> None:
    found = judged(text)
    assert len(found) > 1
    assert [number for _, _, bad in found for number in bad] == wrong


@pytest.mark.parametrize("text", ["softmax(3) = 0.5", "z = [2, 1, 1]\n\nsoftmax(1) = 0.3"])
def test_softmax_of_a_number_that_is_in_no_list_or_twice_is_left_alone(text: str) -> None:
    assert judged(text) == []


def test_weights_that_have_a_word_each() -> None:
    assert judged(LOGITS + "```\nsoftmax → cat: 0.66, dog: 0.24, bird: 0.12\n```")[-1][1:] == (
        ["0.66", "0.24", "0.12"],
        ["0.12"],
    )
    exponentials = "e^0 = 1.00, e^1.41 ≈ 4.10, e^0.35 ≈ 1.42. Sum ≈ 6.52. Divide:\n\n"
    row = 'weight on "a" ≈ 0.15   weight on "b" ≈ 0.63   weight on "c" ≈ 0.22'
    assert judged(exponentials + row)[-1][1:] == (["0.15", "0.63", "0.22"], [])


def test_a_letter_for_what_the_words_before_it_name() -> None:
    text = "$s = (1.414, 0.707, 0.707)$\n\nSoftmax of the whole row: $a = (0.5305, 0.2483, 0.2483)$"  # 0.5035
    assert judged(text)[-1][1:] == (["0.5305", "0.2483", "0.2483"], ["0.5305"])


POWERS = (
    "Calculate softmax:\n- $e^4 = 54.598$\n- $e^0 = 1$\n- $e^{-3} = 0.0498$\n\nSum = 55.648\n\n"  # 0.9811 0.0180 0.0009
)


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("Softmax output: [0.9811, 0.0180, 0.0009]", []),
        ("Softmax output: [0.9821, 0.0180, 0.0009]", ["0.9821"]),
        ("Lengths: [0.9821, 0.0180, 0.0009]", None),
        ("Softmax at temperature 9: [0.5, 0.3, 0.2]", None),
        ("Weights once smoothed: [0.96, 0.03, 0.01]", None),  # near all three, and none of them
    ],
)
def test_weights_below_exponentials_one_by_one(row: str, wrong: list[str] | None) -> None:
    found = [bad for _, numbers, bad in judged(POWERS + row + "\n") if len(numbers) == 3]
    assert found == ([] if wrong is None else [wrong])


@pytest.mark.parametrize(("row", "right"), [("[1.5, 0, -0.625]", 3), ("[1.5, 0, -0.5]", 0)])
def test_scores_scaled_by_another_root_later_on(row: str, right: int) -> None:
    text = (
        "Raw scores: [12, 0, -5]\n\nWith $\\sqrt{4} = 2$:\n\nScaled scores: $\\frac{[12, 0, -5]}{2} = [6, 0, -2.5]$\n\n"
        f"Softmax: [0.997, 0.002, 0.000]\n\nWith more:\n\n- Factor $= \\sqrt{{64}} = 8$\n- Scaled scores: {row}\n"
    )
    assert sum(numbers[0] == "1.5" for _, numbers, _ in judged(text)) == (right > 0)


# softmax(2/2, 0/2, 1/2) = 0.5064804, 0.1863237, 0.3071959
@pytest.mark.parametrize(
    ("weights", "bad"),
    [
        ("[0.506480, 0.186324, 0.307196]", []),
        ("[0.506479, 0.186324, 0.307197]", ["0.506479", "0.307197"]),
        ("[0.506400, 0.186400, 0.307200]", None),  # of something else
    ],
)
def test_weights_of_named_scores_may_be_off_in_their_last_digits(weights: str, bad: list[str] | None) -> None:
    keys = "`q = [1,0,1,0]`; `k₁ = [1,0,1,0]`, `k₂ = [0,1,0,1]`, `k₃ = [1,1,0,0]`"
    dots = "`q·k₁ = 2`, `q·k₂ = 0`, `q·k₃ = 1`, with `d_k = 4`"
    found = [bad for _, numbers, bad in judged(f"{keys}\n{dots}\nso `α = {weights}`") if len(numbers) > 1]
    assert found == ([] if bad is None else [bad])


def test_weights_of_scores_that_are_printed_anew_with_an_error() -> None:
    given = "- `q=[0 1]`\n- `k0=[0 1]`\n- `k1=[1 0]`\n- `k2=[1 0]`\n\n- `v0=[0 1]`\n- `v1=[1 1]`\n- `v2=[1 1]`\n\n"
    scores = "- `q · k0=0·0 + 1·1=1`\n- `q · k1=0·1 + 1·0=0`\n- `q · k2=0·1 + 1·0=0`\n\n`√d_k=√2 = 1.414`\n\n"
    anew = "- `scaled_scores = [0.707 0.007 0.000]`\n\n"  # e^0.707, e^0.007, 1 over their sum: 0.5026, 0.2496, 0.2478
    table = "| Token | Score | Weight |\n|-|-|-|\n| a | 0.707 | 0.503 |\n| b | 0.007 | 0.250 |\n| c | 0.000 | 0.248 |\n"
    summed = "\n- `z = 0.503·[0 1] + 0.250·[1 1] + 0.248·[1 1] = [0.497 1.000]`\n"
    assert not any(claim.bad for claim in report(given + scores + anew + table + summed).findings)
