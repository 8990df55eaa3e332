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


@pytest.mark.parametrize(
    "text",
    [
        "price = 1.25\n\n4 × 1.25 = 5.01",  # 5
        "z = [1.25, 0.75]\n\ne^1.25 = 3.492",  # 3.4903
        "decay = 0.99\n\n0.99 · 200 = 197.4",  # 198
        "v2 = 0.999·0.00016 + 0.001·0.04 = 0.00019914",  # 0.00019984
    ],
)
def test_whatever_is_given_is_exact(text):
    assert verdicts(text)[-1] == "wrong"


def test_a_statistic_is_a_result():
    assert "wrong" not in verdicts("std = 0.82\n\n1 / 0.82 = 1.225")  # of √(2/3)


WEIGHTED = "$A = \\begin{{pmatrix}}{}\\end{{pmatrix}}$\n\n"
WEIGHTED += "$$V = \\begin{{pmatrix}}9&0\\\\0&9\\\\6&3\\end{{pmatrix}}$$\n\n$$AV = {}$$"


def test_weights_that_add_up_to_one_but_for_rounding_are_rounded():
    # softmax(1, 0, 0) = (0.57612, 0.21194, 0.21194), times V (6.4567, 2.5433)
    text = WEIGHTED.format("0.576&0.212&0.212", "\\begin{pmatrix}6.46&2.54\\end{pmatrix}")
    assert "wrong" not in verdicts(text)
    # softmax(0, 2, 2) = (0.063379, 0.468311, 0.468311), times V (3.38027, 5.61973)
    text = WEIGHTED.format("0.063&0.468&0.468", "\\begin{pmatrix}3.380&5.620\\end{pmatrix}")
    assert "wrong" not in verdicts(text)
    assert "wrong" in verdicts(text.replace("3.380", "3.480"))


def test_weights_that_do_not_add_up_to_one_have_the_slip_themselves():
    # with 0.212 for 0.232
    assert "wrong" not in verdicts(WEIGHTED.format("0.232&0.212&0.576", "\\begin{pmatrix}5.364&3.636\\end{pmatrix}"))
