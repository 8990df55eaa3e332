"""Matrices wider than the page: values and inputs are given by columns, and no number is left out."""

import itertools
import re
from fractions import Fraction

import pytest
from sympy import MatrixSymbol

from symattn import Attention, CausalMask, check_article, derive

pytestmark = pytest.mark.slow

N = 12
Q, K, V = (MatrixSymbol(x, N, 3) for x in "QKV")
VALUES = {s: [[(3 * i + 5 * j + k) % 7 - 3 for j in range(3)] for i in range(N)] for k, s in enumerate((Q, K, V))}


def parts(page: str, name: str) -> list[list[list[Fraction]]]:
    """The rows of each part A_{:,1:6} of a matrix."""
    found = re.findall(rf"{name}_\{{:,\d+:\d+\}}\s*\\approx \\begin{{bmatrix}} (.*?) \\end", page)
    return [[[number(x) for x in row.split(" & ")] for row in re.split(r" \\\\(?:\[\S+\])? ", part)] for part in found]


def number(text: str) -> Fraction:
    return Fraction(re.sub(r" \\times 10\^\{(.*)\}", r"e\1", text))


@pytest.mark.parametrize("notation", ["vaswani", "phuong-hutter"])
def test_every_weight_of_twelve_tokens_is_printed(notation: str) -> None:
    derivation = derive(Attention(Q, K, V, mask=CausalMask()), VALUES)
    page = derivation.to_markdown(notation=notation)
    rows = [list(itertools.chain(*row)) for row in zip(*parts(page, "A"), strict=True)]
    weights = [list(map(Fraction, map(str, row))) for row in derivation["weights"].evaluate(8).tolist()]
    expected = list(zip(*weights, strict=True)) if notation == "phuong-hutter" else weights
    assert [len(row) for row in rows] == [N] * N
    for row, true in zip(rows, expected, strict=True):
        assert all(abs(x - y) <= Fraction(1, 10**4) for x, y in zip(row, true, strict=True))


def test_what_the_page_prints_by_columns_is_judged() -> None:
    page = derive(Attention(Q, K, V), VALUES).to_markdown()
    found = check_article("a.md", page)
    assert not any(f.bad for f in found.findings)
    assert sum(len(f.entries) for f in found.findings if re.match(r"A_\{:", f.subject)) == N * N


def test_a_larger_matrix_has_dots() -> None:
    X = MatrixSymbol("X", 3, 64)
    page = derive(Attention(X, X, X), {X: [[100 + k for k in range(64)]] * 3}).to_markdown()
    assert r"\cdots" in page and "X_{:,1:" not in page
