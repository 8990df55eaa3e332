"""A list that is introduced behind another one of a name: what follows is about it."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed

GIVEN = "Scores are raw numbers, for example $z = [1.5, 0.2, 2.5]$.\n\n"  # e^z = [4.48, 1.22, 12.18]


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("For $[2, 1, 0]$ we get $e^z = [7.389, 2.718, 1]$.", []),
        ("For $[2, 1, 0]$ we get $e^z = [7.389, 2.817, 1]$.", ["2.817"]),
        ("Now take the scores $[2, 1, 0]$.\n\n$$e^z = [7.389, 2.718, 1]$$", []),
        ("对于 $[2, 1, 0]$，$e^z = [7.389, 2.718, 1]$", []),
        ("We get $e^z = [4.48, 1.22, 13.18]$.", ["13.18"]),
        ("Its softmax is $[0.25, 0.07, 0.68]$. We get $e^z = [4.48, 1.22, 13.18]$.", ["13.18"]),
        ("For $[2, 1, 0]$ we get more.\n\n# Powers\n\n$e^z = [4.48, 1.22, 13.18]$.", ["13.18"]),
    ],
)
def test_the_list_that_was_introduced_last(text: str, bad: list[str]) -> None:
    assert judged(GIVEN + text)[-1][2] == bad


def test_what_follows_is_of_the_same_list() -> None:
    given = "```\nlogits = [1.2, 0.1, 3.0]\n```\n\nFor the three logits `[2, 1, 0]`:\n\n"
    steps = "```\nexp(logits) = [7.389, 2.718, 1]\nsum         = 11.107\nsoftmax     = [0.665, 0.245, {}]\n```"
    assert [bad for _, _, bad in judged(given + steps.format("0.090"))] == [[], [], []]
    assert [bad for _, _, bad in judged(given + steps.format("0.190"))] == [[], [], ["0.190"]]


def test_numbers_that_fit_neither_list_are_left_alone() -> None:
    text = GIVEN + "For $[2, 1, 0]$ we get $e^z = [8.389, 2.817, 2]$."
    assert not judged(text) and "[8.389, 2.817, 2]" in listed(text)


def test_a_name_may_mean_its_first_list_again() -> None:
    text = "$z = [1.5, 0.2, 2.5]$\n\nFor [2, 1, 0] we get $e^z = [7.39, 2.72, 1.00]$.\n\n"
    text += r"Back to the first example: $\mathrm{softmax}(z) = [0.25, 0.07, {}]$"  # e^1.5 = 4.48, 1.22, 12.18 of 17.88
    assert [bad for *_, bad in judged(text.replace("{}", "0.68"))] == [[], []]
    assert [bad for *_, bad in judged(text.replace("{}", "0.58"))] == [[], ["0.58"]]


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("$z = [1.5, 0.2, 2.5]$\n\nFor the inputs [10, 20, 30]: $e^z = [4.48, 1.22, 12.81]$.", ["12.81"]),
        (r"$z = [2.0, 1.0]$. For the target [1, 0]: $\mathrm{softmax}(z) = [0.63, 0.37]$", ["0.63", "0.37"]),
    ],
)
def test_a_list_that_is_no_other_value_of_a_name(text: str, bad: list[str]) -> None:
    assert [wrong for *_, wrong in judged(text)] == [bad]
