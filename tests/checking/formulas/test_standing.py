"""Equations that are true of rows and false of columns: x yᵀ is a number for rows and a matrix for columns."""

from __future__ import annotations

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

COLUMNS, ROWS = r"column vectors $x, y \in \mathbb{R}^{d \times 1}$", r"row vectors $x, y \in \mathbb{R}^{1 \times d}$"


def verdicts(text, formula):
    found = judge_formulas(read_article("a.md", f"{text}:\n\n$${formula}$$\n"))
    return [each.verdict for each in found.formulas if each.line == 3]


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        (COLUMNS, r"x y^\top = y x^\top"),  # entry (1, 2): x_1 y_2 and y_1 x_2
        ("Two vectors", r"q k^\top = k q^\top"),
        ("Three vectors", r"q k^\top v = k q^\top v"),
        ("Two vectors $u = W x$ and $v$, in columns", r"v u^\top = u v^\top"),
    ],
)
def test_rows_are_not_taken_for_columns(text, formula):
    assert "holds" not in verdicts(text, formula)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        (ROWS, r"x y^\top = y x^\top"),
        (COLUMNS, r"x^\top y = y^\top x"),
        ("Two vectors", r"x^\top y = y^\top x"),
        ("With row vectors", r"q k^\top = k q^\top"),
        ("With the keys $k = x W_K$", r"q k^\top = k q^\top"),
        (r"The score is $s = q k^\top / \sqrt{d_k}$", r"\|q - k\|^2 = \|q\|^2 - 2 q k^\top + \|k\|^2"),
        ("Vectors", r"\|q - k\|^2 = \|q\|^2 - 2 q k^\top + \|k\|^2"),  # what is beside a number is a number
        (r"The scores $s_{ij} = q_i k_j^\top$ are", r"q_i k_j^\top = k_j q_i^\top"),
        (r"Every token is a row $x_i$ of $X \in \mathbb{R}^{n \times d}$", r"x y^\top z = y x^\top z"),
        ("In code `q @ k.T` is the score", r"q k^\top v = k q^\top v"),
        ("Zeilenvektoren $q$, $k$, $v$", r"q k^\top v = k q^\top v"),
        ("Two vectors", r"(x + y) k^\top = x k^\top + y k^\top"),  # of either kind
    ],
)
def test_what_is_true_of_vectors_as_they_stand_holds(text, formula):
    assert verdicts(text, formula) == ["holds"]


@pytest.mark.parametrize(
    ("text", "formula", "verdict"),
    [
        ("Three vectors", r"q k^\top v = k q^\top v", []),  # true of rows
        ("A layer $y = W x$ and scores $s = q k^\\top$", r"q k^\top = k q^\top", []),
        ("Three vectors", r"q^\top k v = k^\top v q", ["fails"]),  # of neither
    ],
)
def test_what_is_true_of_rows_alone_fails_only_where_vectors_are_said_to_be_columns(text, formula, verdict):
    assert verdicts(text, formula) == verdict
    assert verdicts(COLUMNS, formula.replace("q", "x").replace("k", "y")) != ["holds"]
