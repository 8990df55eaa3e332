"""One name for several spellings; numbers put into the formula just defined."""

from __future__ import annotations

import pytest

from symattn import check_article

GIVEN = "$Q = [[1, 2], [3, 4]]$ $K = [[1, 0], [1, 1]]$\n\n"


@pytest.mark.parametrize("name", ["attention_scores", r"$\text{Attention Scores}$", "AttentionScores"])
def test_spellings_of_one_name(name: str) -> None:
    text = GIVEN + f"`attention_scores = Q @ K.T`\n\n{name} = [[1, 3], [3, 8]]\n"
    text = text.replace("$ = [[1, 3], [3, 8]]", " = [[1, 3], [3, 8]]$")
    assert check_article(text).summary == {"exact": 3, "wrong": 1}


def test_numbers_put_into_a_formula_are_those_of_the_name_that_it_defines() -> None:
    text = GIVEN + "`scores = Q @ K.T`\n\n$$[[1, 2], [3, 4]] × [[1, 1], [0, 1]] = [[1, 3], [3, 8]]$$\n\n"
    report = check_article(text + "$scores / 2 = [[0.5, 1.5], [1.5, 4.0]]$\n")
    assert report.summary == {"exact": 6, "wrong": 1, "carried": 1}


def test_an_identity_is_as_large_as_it_says() -> None:
    assert check_article("$W = I_2$\n\n$[1, 2] W = [1, 3]$\n").summary == {"exact": 1, "wrong": 1}


@pytest.mark.parametrize(("heading", "verdicts"), [("", {"exact": 2, "wrong": 2}), ("\n# Another\n\n", {})])
def test_a_name_with_a_formula_is_held_against_it_under_the_same_heading(
    heading: str, verdicts: dict[str, int]
) -> None:
    text = GIVEN + f"`output = Q @ K`\n\nA remark, $x = y$.\n{heading}\n$output = [[3, 2], [1, 1]]$\n"
    assert check_article(text).summary == verdicts


def test_an_example_goes_on_with_the_one_whose_matrix_it_restates() -> None:
    text = "# Example 1\n\n$X = [[1, 2], [3, 4]]$ $W = [[1, 0], [0, 2]]$\n\n# Example 2\n\n{}$X W = [[1, 4], [3, 9]]$\n"
    assert check_article(text.format("")).summary == {}
    assert check_article(text.format("$X = [[1, 2], [3, 4]]$\n\n")).summary["wrong"] == 1


def test_a_root_says_what_its_size_is() -> None:
    text = "$d_k = 64$\n\n# Here\n\n$S = [[2, 4], [6, 8]]$\n\n`scaled = S / sqrt(d_k)`\n\n√d_k = √4 = 2\n\n"
    assert check_article(text + "scaled = [[1, 2], [3, 5]]\n").summary == {"exact": 4, "wrong": 1}


def test_prints_put_into_a_formula_are_no_better_than_what_they_stand_for() -> None:
    text = "$w = [[2, 1]]$ $v = [[10, 1], [20, 2]]$\n\n`a = softmax(w)`\n\n$a = [[0.73, 0.27]]$\n\n`o = a @ v`\n\n"
    report = check_article(text + "$$[[0.73, 0.27]] × [[10, 1], [20, 2]] = [[12.69, 1.27]]$$\n")
    assert report.summary == {"rounded": 4}
