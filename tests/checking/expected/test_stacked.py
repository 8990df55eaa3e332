"""Rows given one by one, and formulas in the matrix that they make. Products by hand."""

import pytest

from tests.checking.checked import judged, listed

# adds columns 1 and 3, and 2 and 4: the rows below become [2, 5] and [5, 3]
W_Q = r"$W_Q = \begin{pmatrix}1&0\\0&1\\1&0\\0&1\end{pmatrix}$" + "\n\n"
COLUMNS = r"$x_1 = \begin{pmatrix}1\\3\\1\\2\end{pmatrix}$, $x_2 = \begin{pmatrix}0\\2\\5\\1\end{pmatrix}$" + "\n\n"
ROWS = {
    "indexed": "The embeddings are $x_1 = [1, 3, 1, 2]$ and $x_2 = [0, 2, 5, 1]$.\n\n",
    "named": "Embeddings:\n\n- `the` = [1, 3, 1, 2]\n- `cat` = [0, 2, 5, 1]\n\n",
    "labelled": 'Inputs:\n\nx("the") = [1, 3, 1, 2]\n\nx("cat") = [0, 2, 5, 1]\n\n',
    "columns": COLUMNS,
}


def product(formula: str, cells: str) -> str:
    return rf"$${formula} = \begin{{pmatrix}}{cells}\end{{pmatrix}}$$" + "\n\n"


@pytest.mark.parametrize("kind", ROWS)
def test_rows_are_the_matrix_of_a_formula(kind: str) -> None:
    article = ROWS[kind] + W_Q + product("Q = XW_Q", r"2&5\\5&3")
    assert judged(article) == [("Q", ["2", "5", "5", "3"], [])]
    assert listed(article) == []
    assert judged(ROWS[kind] + W_Q + product("Q = XW_Q", r"4&5\\5&3")) == [("Q", ["4", "5", "5", "3"], ["4"])]


def test_what_follows_is_held_against_the_same_rows() -> None:
    first_two = r"$W_K = \begin{pmatrix}1&0\\0&1\\0&0\\0&0\end{pmatrix}$" + "\n\n"
    article = ROWS["indexed"] + W_Q + product("Q = XW_Q", r"2&5\\5&3") + first_two + product("K = XW_K", r"1&4\\0&7")
    assert judged(article)[1] == ("K", ["1", "4", "0", "7"], ["4", "7"])  # [1, 3] and [0, 2]


def test_tokens_as_columns() -> None:
    turned = r"$W_Q = \begin{pmatrix}1&0&1&0\\0&1&0&1\end{pmatrix}$" + "\n\n"
    assert judged(COLUMNS + turned + product("W_Q X", r"2&5\\5&3")) == [("W_Q X", ["2", "5", "5", "3"], [])]


@pytest.mark.parametrize(
    "cells",
    [
        r"8&1\\9&6",  # of other rows
        r"5&3\\2&5",  # in another order
        r"2&5\\9&6",  # the second of something else
    ],
)
def test_rows_that_the_numbers_do_not_show_are_not_taken(cells: str) -> None:
    article = ROWS["indexed"] + W_Q + product("Q = XW_Q", cells)
    assert judged(article) == []
    assert len(listed(article)) == 1


def test_rows_of_an_earlier_example_are_not_taken() -> None:
    article = ROWS["indexed"] + "## Another example\n\n" + W_Q + product("Q = XW_Q", r"2&5\\5&3")
    assert judged(article) == []
