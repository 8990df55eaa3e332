"""Articles that say that their tokens are columns: softmax goes down them, masks turn around, q_1 is a column."""

from __future__ import annotations

import pytest

from symattn import check_article
from symattn.checking.semantics.orientation import has_tokens_in_columns
from symattn.reading.articles import read_article

COLUMNS = "Each column of $S$ is one token.\n\n"
SCORES = "$$S = [[2, 0, 1], [1, 1, 0], [0, 2, 3]]$$\n\n"
# softmax of (2, 1, 0), (0, 1, 2), (1, 0, 3); of the rows (2, 0, 1), (1, 1, 0), (0, 2, 3)
DOWN = "[[0.67, 0.09, 0.11], [0.24, 0.24, 0.04], [0.09, 0.67, 0.84]]"
ALONG = "[[0.67, 0.09, 0.24], [0.42, 0.42, 0.16], [0.04, 0.26, 0.71]]"


@pytest.mark.parametrize(
    "said",
    [
        "Each column of $X$ is one token: a, b, c.",
        "Softmax is applied to each column.",
        "We take a column-wise softmax of it.",
        "The tokens are the columns of X.",
        "We are given, with one token in each column,",
        "$X$ 的每一列是一个词元。",
        "softmax 沿列进行。",
    ],
)
def test_columns_are_said_in_many_ways(said: str) -> None:
    assert has_tokens_in_columns(read_article("a.md", said + "\n"))
    turned = said.replace("column", "row").replace("列", "行")
    assert not has_tokens_in_columns(read_article("a.md", turned + "\n"))
    assert not has_tokens_in_columns(read_article("a.md", said + "\n\n" + turned + "\n"))


@pytest.mark.parametrize("said", ["Softmax over the columns.", "Each column of the table is one size.", "两列词元"])
def test_what_may_mean_rows_says_nothing(said: str) -> None:
    assert not has_tokens_in_columns(read_article("a.md", said + "\n"))


def test_softmax_goes_down_the_columns() -> None:
    right = check_article(COLUMNS + SCORES + rf"$$A = \mathrm{{softmax}}(S) \approx {DOWN}$$" + "\n")
    assert right.summary == {"rounded": 9}
    wrong = check_article(
        COLUMNS + SCORES + rf"$$A = \mathrm{{softmax}}(S) \approx {DOWN.replace('84', '94')}$$" + "\n"
    )
    assert wrong.summary == {"rounded": 8, "wrong": 1}


def test_a_print_that_is_right_by_rows_is_not_called_wrong() -> None:
    assert check_article(COLUMNS + SCORES + rf"$$A = \mathrm{{softmax}}(S) \approx {ALONG}$$" + "\n").clean


def test_masks_and_vectors_stand_in_columns() -> None:
    mask = r"$$M = \mathrm{mask}_{j \le i}(S) = [[2, 0, 1], [-\infty, 1, 0], [-\infty, -\infty, 3]]$$"
    assert check_article(COLUMNS + SCORES + mask + "\n").summary == {"exact": 9}
    vectors = "$$Q = [[1, 2, 3], [4, 5, 6]]$$\n\n$$q_2 \\cdot q_3 = 2 \\cdot 3 + 5 \\cdot 6 = 36$$"
    assert check_article(COLUMNS + vectors + "\n").summary == {"exact": 1}
    scaled = "$$K = [[1, 2, 3], [4, 5, 6]]$$\n\n$$\\frac{6}{\\sqrt{d_k}} \\approx 4.24$$"  # 6/√2: keys are two wide
    assert check_article(COLUMNS + scaled + "\n").summary == {"rounded": 1}


def test_a_mask_counts_from_0_down_the_columns_too() -> None:
    """Of one query, the first, in a column of three scores."""
    scores = r"$$S = \begin{bmatrix} 3 \\ 1 \\ 2 \end{bmatrix}$$" + "\n\nThe first is $S_{00} = 3$.\n\n"
    mask = r"$$M = \mathrm{mask}_{j \le i}(S) = \begin{bmatrix} 3 \\ -\infty \\ -\infty \end{bmatrix}$$"
    assert check_article(COLUMNS + scores + mask + "\n").clean


@pytest.mark.parametrize("said", ["Rows and columns are numbered from 0.", "Indices start at 0.", "下标从 0 开始。"])
def test_an_article_that_says_that_it_counts_from_0_may_do_so(said: str) -> None:
    """The second row and column, of which the mask hides the third: S_11 = 5."""
    scores = r"$$S = \begin{bmatrix} 1 & 2 & 3 \\ 4 & 5 & 6 \end{bmatrix}$$" + "\n\n$S_{11} = 5$\n\n"
    mask = r"$$\mathrm{mask}_{j \notin \{2\}}(S) = \begin{bmatrix} 1 & 2 & -\infty \\ 4 & 5 & -\infty \end{bmatrix}$$"
    assert check_article(f"{said}\n\n{scores}{mask}\n").clean
