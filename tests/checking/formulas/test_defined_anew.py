"""A letter that is defined anew: what stands between its definitions is about the first of them."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article

FIRST = "Take `Z = X @ Y` first.\n\n```\ndX = dZ @ Y^T\ndY = {}\n```\n\n"
ANEW = "For `Z = X ⊙ Y` instead:\n\n```\ndX = dZ ⊙ Y\ndY = dZ ⊙ X\n```\n"
OF_BOTH = "Take `Z = X @ Y` or else `Z = X ⊙ Y`.\n\n```\ndY = {}\n```\n"


def verdicts(text, line):
    return [x.verdict for x in check_article(read_article("a.md", text)).formulas if x.line == line]


@pytest.mark.parametrize(("printed", "said"), [("X^T @ dZ", ["holds"]), ("dZ @ X^T", ["fails"])])
def test_a_gradient_between_two_definitions_is_of_the_first(printed, said):
    assert verdicts(FIRST.format(printed) + ANEW, 5) == said


def test_a_gradient_behind_both_definitions_is_left_alone():
    assert "fails" not in verdicts(OF_BOTH.format("dZ ⊙ X"), 4) + verdicts(OF_BOTH.format("X^T @ dZ"), 4)
