"""Numbers of lines, left in a program that was copied from a page, are no part of the program."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article
from symattn.reading.articles.scanning.code.line_numbers import without_line_numbers
from tests.processor_time import takes_at_most


def verdicts(text):
    found = check_article(read_article("a.md", text)).findings
    return {e.verdict for claim in found for e in claim.entries}


def test_a_numbered_program_is_judged_as_without_numbers():
    """e^0 = 1, e^0.5 = 1.649, and their sum; 2e^0.5 would be 3.297."""
    plain = [
        "exp(0.0) = 1.000",
        "exp(0.5) = 1.649",
        "total = 1.000 + 1.649 = 2.649",
        "",
        "S = [[1.0, 0.5],",
        " [0.5, 1]]",
    ]
    text = "\n".join(f"{k}{line}" for k, line in enumerate(plain, 1))
    assert verdicts(text) == {"rounded", "exact"} == verdicts("\n".join(plain))
    assert "wrong" in verdicts(text.replace("1.649", "1.694", 1))


@pytest.mark.parametrize(
    "text",
    [
        "1k = 1000\n2k = 2000",
        "1st layer\n2nd layer",
        "1. one\n2. two",
        "1, 2\n2, 3",
        "1 0 0\n2 1 0",
        "1x + 2 = 3",
        "1a\n3b",
        "2a = 4\n3b = 9",
    ],
)
def test_other_numbers_at_the_beginning_of_lines_stay(text):
    assert without_line_numbers(text) == text


def test_long_texts_take_time_in_proportion():
    """40,000 lines, which were copied once for every one of them, took 5 s."""
    with takes_at_most(1):
        assert without_line_numbers("a word\n" * 40_000) == "a word\n" * 40_000
