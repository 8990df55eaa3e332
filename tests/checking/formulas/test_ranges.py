"""Sums over an index, and how many there are of what it counts."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article

STATED = r"$Q \in \mathbb{R}^{n \times d}$, $K, V \in \mathbb{R}^{m \times d}$, $e_{ij} = q_i^T k_j$" + "\n\n"


def said(formula, before=STATED):
    found = check_article(read_article("a.md", f"{before}$${formula}$$\n")).formulas
    return [(each.verdict, each.condition and each.condition.text()) for each in found if each.line == 3]


def test_a_sum_over_the_keys_up_to_the_number_of_queries_holds_for_self_attention():
    [(verdict, condition)] = said(r"a_{ij} = \frac{\exp(e_{ij})}{\sum_{k=1}^n \exp(e_{ik})}")
    assert verdict == "holds-if"
    assert "self-attention" in condition


def test_an_equation_that_is_not_known_to_hold_is_not_called_right_under_a_condition():
    assert said(r"o_i = \sum_{j=1}^n a_{ij} q_j") == []


@pytest.mark.parametrize(
    "formula",
    [r"a_{ij} = \frac{\exp(e_{ij})}{\sum_{k=1}^m \exp(e_{ik})}", r"o_i = \sum_j a_{ij} v_j"],
)
def test_a_sum_over_all_keys_needs_nothing(formula):
    assert "holds-if" not in [verdict for verdict, _ in said(formula)]


WEIGHTS = r"\text{softmax}(x_{ij}) = \frac{e^{x_{ij}}}{\sum_{k=%s}^{%s} e^{x_{ik}}}"
OF_COLUMNS = r"A softmax for each row of the scores $X \in \mathbb{R}^{M \times N}$:" + "\n\n"


def test_a_sum_from_0_to_the_number_of_columns_has_one_term_too_many():
    [found] = check_article(read_article("a.md", f"{OF_COLUMNS}$${WEIGHTS % (0, 'N')}$$\n")).formulas
    assert (found.verdict, found.right) == ("fails", WEIGHTS % (0, "N-1"))


@pytest.mark.parametrize(("first", "last"), [(0, "N-1"), (1, "N"), (0, "M")])
def test_a_sum_over_all_columns_is_none(first, last):
    assert "fails" not in [verdict for verdict, _ in said(WEIGHTS % (first, last), OF_COLUMNS)]


@pytest.mark.parametrize(
    "before", ["Scores of each row:", r"Rows $x_0, x_1, …, x_N$ of $X \in \mathbb{R}^{M \times N}$:"]
)
def test_a_sum_from_0_is_left_alone_where_nothing_says_how_many_there_are(before):
    assert "fails" not in [verdict for verdict, _ in said(WEIGHTS % (0, "N"), before + "\n\n")]


SOFTMAX = r"y_i = \frac{\exp(x_i)}{\sum_{j=1}^%s \exp(x_j)}"
ELSEWHERE = "\n\nFor a product, let $\\mathbf{X} \\in \\mathbb{R}^{m \\times n}$."


@pytest.mark.parametrize(
    ("words", "last", "expected"),
    [
        (r"For logits $x \in \mathbb{R}^V$ the softmax is ", "V", "holds"),
        ("For logits the softmax is ", "V", "holds"),
        (r"For logits $x \in \mathbb{R}^n$ the softmax is ", "m", "holds-if"),
    ],
)
def test_entries_of_a_vector_are_no_rows_of_the_matrix_of_another_section(words, last, expected):
    found = check_article(read_article("a.md", f"{words}${SOFTMAX % last}$.{ELSEWHERE}\n")).formulas
    assert [x.verdict for x in found] == [expected]
