"""Lists that sentences give without brackets; softmax(1, 2, 3) = 0.0900, 0.2447, 0.6652 by mpmath."""

from __future__ import annotations

import pytest

from symattn import check_article
from tests.checking.checked import judged

SENTENCES = {
    "and": "scores = [1, 2, 3]\n\nAfter softmax the weights are {}, 0.245 and 0.665.",
    "comma and": "scores = [1, 2, 3]\n\nThe softmax weights become {}, 0.245, and 0.665, as before.",
    "a sign": "scores = [1, 2, 3]\n\nThe attention weights are ≈ {}, 0.245 and 0.665.",
    "German": "scores = [1, 2, 3]\n\nDie Gewichte sind {}, 0.245 und 0.665.",
    "Chinese": "得分为 1.0、2.0 和 3.0。\n\nsoftmax 后权重分别为 {}、0.245 和 0.665。",
    "a colon": "scores = [1, 2, 3]\n\nSoftmax: {}, 0.245, 0.665",
    "exponentials": "scores = [1, 2, 3]\n\nThe exponentials are 2.718, 7.389 and 20.086, so the softmax weights are "
    "{}, 0.245 and 0.665.",
}


@pytest.mark.parametrize("text", SENTENCES.values(), ids=SENTENCES)
def test_lists_in_sentences(text: str) -> None:
    assert judged(text.format("0.090"))[-1][1:] == (["0.090", "0.245", "0.665"], [])
    assert judged(text.format("0.190"))[-1][2] == ["0.190"]


@pytest.mark.parametrize(
    "text",
    [
        "It takes 1.5 and 2.5 ms.",
        "Versions 2.1, 2.2 and 2.3 are supported.",
        "Heads are 2, 4 and 8.",
        "Accuracies are 0.91, 0.92% and 0.93%.",
    ],
)
def test_other_numbers_in_sentences(text: str) -> None:
    report = check_article(f"scores = [1, 2, 3]\n\n{text}")
    assert not any(claim.bad for claim in report.findings)
    assert "[" not in "".join(n.text for n in report.not_checked[1:])


# softmax(2, 1) = 0.7311, 0.2689
@pytest.mark.parametrize(
    "text", ["scores: [2.0, 1.0, -∞] → weights: [{}, 0.27, 0.00]", "Scores [2.0, 1.0, -∞] -> [{}, 0.27, 0.00]"]
)
def test_lists_beside_an_arrow_may_have_names(text: str) -> None:
    assert judged(f"```\n{text.format('0.73')}\n```")[-1][1:] == (["0.73", "0.27", "0.00"], [])


def test_weights_behind_an_arrow_may_be_those_of_another_scale() -> None:
    assert not judged("```\nscores: [2.0, 1.0] → weights: [0.67, 0.33]\n```")  # of scores over √2


ENTRIES = "\n".join(f"H_{k + 1} = {x}" for k, x in enumerate((3.4, -2.8, 4.1, -1.2, 4.5)))


def test_a_list_of_entries_given_one_by_one_may_have_a_slip() -> None:
    text = f"{ENTRIES}\n\nThe output of the first layer is therefore [3.4, -2.8, 4.1, {{}}, 4.5]."
    assert judged(text.format("-1.2"))[-1][2] == []
    assert judged(text.format("-1.0"))[-1][2] == ["-1.0"]


@pytest.mark.parametrize("after", ["The output is [3.4, -2.8, 4.1, 0, 4.5]", "Updated: [3.4, -2.8, 4.1, -1.1, 4.5]"])
def test_what_was_done_to_entries_is_no_slip(after: str) -> None:
    assert not any(bad for *_, bad in judged(f"{ENTRIES}\n\n{after}\n"))


@pytest.mark.parametrize(("printed", "bad"), [("0.58, 0.21, 0.21", []), ("0.50, 0.25, 0.25", ["0.50", "0.25", "0.25"])])
def test_a_step_applied_to_numbers_before_an_arrow_is_an_equation(printed: str, bad: list[str]) -> None:
    assert judged(f"softmax([2, 1, 1]) → [{printed}]\n")[0][2] == bad  # 0.5761, 0.2119 twice


# (0.68, 0.56, 0.26)/1.41 = 0.482, 0.397, 0.184; softmax of these, as printed: 0.376, 0.347, 0.278
STEPS = """```
score(a) = 0.8×0.8 + 0.2×0.2 = 0.68
score(b) = 0.8×0.6 + 0.2×0.4 = 0.56
score(c) = 0.8×0.1 + 0.2×0.9 = 0.26

Divide by √2 ≈ 1.41
→ Scaled scores: [0.48, 0.40, 0.18]

→ Attention weights: {}
```"""


@pytest.mark.parametrize(
    ("weights", "bad"),
    [
        ("[0.38, 0.35, 0.28]", []),
        ("[0.44, 0.39, 0.20]", ["0.44", "0.39", "0.20"]),  # in their order, and none of them right
        ("[0.39, 0.44, 0.20]", None),  # perhaps of other scores
        ("[0.70, 0.20, 0.10]", None),
    ],
)
def test_weights_that_only_words_call_so(weights: str, bad: list[str] | None) -> None:
    claims = judged(STEPS.format(weights))
    assert [numbers for _, numbers, _ in claims].count(["0.48", "0.40", "0.18"]) == 1
    assert claims[-1][2] == bad if bad is not None else not any(bad for _, _, bad in claims)


# [1, 2] W for W with the columns (3, 4) and (5, 0)
@pytest.mark.parametrize("opening", [r"**\[{}\]** = **\[{}\]**", r"\[{}\] = \[{}\]", "**[{}]** = **[{}]**"])
@pytest.mark.parametrize("times", [r"\*", "×", "·"])
def test_lists_of_products_between_escaped_brackets(opening: str, times: str) -> None:
    given = f"1{times}3 + 2{times}4, 1{times}5 + 2{times}0"
    assert judged("For the first token: " + opening.format(given, "11, 5"))[-1][1:] == (["11", "5"], [])
    assert judged("For the first token: " + opening.format(given, "11, 6"))[-1][1:] == (["11", "6"], ["6"])


# softmax(1, 2, 3) = 0.0900, 0.2447, 0.6652
@pytest.mark.parametrize(
    "words", ["For scores {} the weights are roughly", "Take logits {}: their softmax weights are"]
)
def test_a_word_says_what_the_list_behind_it_is(words: str) -> None:
    text = words.format("[1, 2, 3]") + " [0.09, {}, 0.67]."
    assert judged(text.format("0.24"))[-1][1:] == (["0.09", "0.24", "0.67"], [])
    assert judged(text.format("0.34"))[-1][2] == ["0.34"]


def test_a_number_at_the_end_of_a_sentence_is_no_factor() -> None:
    text = "The scores are q·k_1 = 1 + 1 = 2 and q·k_2 = 3 - 2 = 1. softmax([2, 1]) = [0.73, {}]"
    assert judged(text.format("0.27"))[-1][1:] == (["0.73", "0.27"], [])
    assert judged(text.format("0.17"))[-1][2] == ["0.17"]


def test_a_verb_leads_from_scores_to_weights_of_whole_numbers() -> None:
    text = "The softmax saturates: [10, 20, 30] {} [0, 0, 1]."
    assert judged(text.format("gives weights close to"))[-1][1:] == (["0", "0", "1"], [])
    assert judged(text.format("and the target weights")) == []
    assert judged(text.format("gives, at another temperature, weights near")) == []


@pytest.mark.parametrize(
    ("key", "verdicts"),
    [
        ("the keys K1[0.4, 1.0] and K2[0.6, 0.5]", {"exact": 1, "wrong": 1}),
        ("the entries K1[4, 10] and K2[6, 5]", {}),  # indices
    ],
)
def test_decimals_right_behind_a_letter_are_what_it_stands_for(key: str, verdicts: dict[str, int]) -> None:
    text = f'The state for "dog" (after masked attention) = Q = [0.5, 0.2]\n\n{key}\n\n'
    text += "Q·K1 = 0.4 (cat)\n\nQ·K2 = 0.5 (dog)\n"  # 0.2 + 0.2, and 0.3 + 0.1
    assert check_article(text).summary == verdicts


def test_letters_in_brackets_behind_a_number_are_a_factor() -> None:
    assert check_article("b = 2\n\nz = 3\n\nx = 0.5 · b · z = 1.5 (bz)\n").summary == {}


def test_a_letter_before_decimals_that_are_added_is_given_nothing() -> None:
    assert check_article("P = [2, 3]\n\n[0.5, 0.6] + P[0.5, 0.4]\n").summary == {}


@pytest.mark.parametrize(("size", "verdict"), [("4,800", "exact"), ("5,800", "wrong")])
def test_brackets_behind_bytes_say_their_format(size: str, verdict: str) -> None:
    assert check_article(f"```\n1200 × 4 bytes (float32) = {size}\n```\n").summary == {verdict: 1}


@pytest.mark.parametrize(
    "powers",
    ["e⁰ = 1, e^1.41 ≈ 4.10, e^2 ≈ 7.39", "1, e^1.41 ≈ 4.10, e^2 ≈ 7.39", "e^2 ≈ 7.39, e^{1.41} ≈ 4.10, e⁰ = 1"],
)
def test_the_exponential_of_nothing_may_stand_apart_from_the_others(powers):
    report = check_article(f"{powers}. The sum is 12.49.\n")
    assert [claim.subject for claim in report.findings if claim.bad] == []
