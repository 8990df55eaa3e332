"""What is no slip: a program that sets a name once more, the aim of a normalisation, a rounded power of ten."""

import json

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def verdicts(text, name="a.md"):
    report = check_article(read_article(name, text))
    return {e.verdict for claim in report.findings for e in claim.entries}


def test_a_notebook_sets_a_matrix_once_more():
    cells = [
        "W_Q = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.0, 1.0, 0.5]])",
        "# a second example\nWq = np.eye(3)",
    ]
    made = [
        {"cell_type": "code", "metadata": {}, "execution_count": 1, "outputs": [], "source": [cell]} for cell in cells
    ]
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made}
    assert verdicts(json.dumps(notebook), "a.ipynb") == set()


@pytest.mark.parametrize("words", ["均值 0、方差 1", "平均：0，标准差：1", "mean: 0, variance: 1"])
def test_mean_0_and_variance_1_are_what_normalisation_is_for(words):
    assert verdicts(f"The row is `[2, 1, 3, 2, 4, 5]`.\n\nLayerNorm: {words}\n") == set()


def test_a_mantissa_may_be_a_rounded_print():
    """6 · 8 589 934 592 = 5.154e10, though 6 · 8.6e9 is 5.16e10; 5.25e10 is out of reach."""
    text = "$$= 24Td^2 \\approx 8.6 \\times 10^9$$\n\nTotal: $6 \\times 8.6 \\times 10^9 = 5.15 \\times 10^{10}$\n"
    assert "wrong" not in verdicts(text)
    assert "wrong" in verdicts(text.replace("5.15", "5.25"))


def test_blocks_side_by_side_are_no_product():
    text = r"$P_i \in \mathbb{R}^{n \times b}$ for both. $P = [P_1\quad P_2] \in \mathbb{R}^{n \times 2b}$"
    assert not [f for f in check_article(read_article("a.md", text)).formulas if f.verdict == "fails"]


def test_an_entry_is_set_at_a_prompt():
    console = ">>> Z = f(X)\n>>> Z\narray([[0.5, 1.5], [3.5, 4.5]])\n"
    assert "wrong" not in verdicts(console + ">>> Z[1][0] = 20\n")
    assert "wrong" in verdicts("Z = [[0.5, 1.5], [3.5, 4.5]]\n\nSo Z[1][0] = 20\n")
