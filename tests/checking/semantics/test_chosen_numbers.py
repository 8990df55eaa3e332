"""A lone number of one digit is chosen and no rounded print: what follows from it follows from itself alone."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def verdicts(text):
    return [e.verdict for claim in check_article(read_article("a.md", text)).findings for e in claim.entries]


@pytest.mark.parametrize(
    "text",
    [
        "rate = 0.001\n\n0.001 · 0.842 = 0.000802",  # 0.000842
        "With $η = 0.05$ and 12 before it: $w = 3 - 0.05 · 12 = 2.42$",  # 2.4
        "Take η = 0.05 for a start, then w = 3 − 0.05·12 = 2.42.",
    ],
)
def test_a_wrong_result_of_a_chosen_number_is_found(text):
    assert verdicts(text)[-1] == "wrong"


@pytest.mark.parametrize(
    "text",
    [
        "weight = 0.467\n\n0.467 · 30 = 14.02",  # 0.4674 · 30 is 14.02
        "weights = [0.05, 0.95]\n\n0.05 · 40 = 1.9",  # 0.0474 · 40 is 1.9
    ],
)
def test_a_rounded_print_has_half_a_unit(text):
    assert "wrong" not in verdicts(text)
