"""Matrices wider than the page: values and inputs are given by columns, and no number is left out."""

import itertools
import re
from fractions import Fraction

import numpy as np
import pytest
from sympy import MatrixSymbol

from symattn import Attention, CausalMask, check_article, derive
from symattn.pages.numbers.elision import ROOM, lay
from symattn.writing.writers import set_width
from tests.samples import derived

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
    queries, keys = (np.array(VALUES[s], float) for s in (Q, K))
    powers = np.exp(np.where(np.tri(N) > 0, queries @ keys.T / np.sqrt(3), -np.inf))
    weights = powers / powers.sum(axis=1, keepdims=True)
    expected = (weights.T if notation == "phuong-hutter" else weights).tolist()
    assert [len(row) for row in rows] == [N] * N
    for row, true in zip(rows, expected, strict=True):
        assert all(abs(float(x) - y) <= 1e-4 for x, y in zip(row, true, strict=True))


@pytest.mark.parametrize("target", ["markdown", "text"])
def test_what_the_page_prints_by_columns_is_judged(target: str) -> None:
    page = derive(Attention(Q, K, V), VALUES).to(target)
    found = check_article("a.md" if target == "markdown" else "a.txt", page)
    assert not any(f.bad for f in found.findings)
    assert sum(len(f.entries) for f in found.findings if re.match(r"A_\{:", f.subject)) == N * N


def test_a_larger_matrix_has_dots() -> None:
    X = MatrixSymbol("X", 3, 64)
    page = derive(Attention(X, X, X), {X: [[100 + k for k in range(64)]] * 3}).to_markdown()
    assert r"\cdots" in page and "X_{:,1:" not in page


def test_four_columns_that_fit_on_paper_have_no_dots() -> None:
    """Exponents are small: 1 − 1.05·10⁻²⁰ beside three others fits, and the key that a row is about is seen."""
    scores = "[[265, 219, -145, 4], [36, 27, 33, 6], [-85, -85, 311, 28], [11, 8, -1, 1]]"
    page = derived(f"[inputs]\nscaled = {scores}\nV = [[1], [0], [1], [2]]\n").to_markdown()
    matrices = [line for line in page.splitlines() if "bmatrix" in line]
    assert sum(r"1 - 1.24 \times 10^{-123} & 1.24" in line for line in matrices) == 2  # the weights, and in A V
    assert not any(r"\cdots" in line for line in matrices)


@pytest.mark.parametrize("digits", range(4, 40, 3))
@pytest.mark.parametrize("columns", [2, 3, 4, 5, 8])
def test_dots_stand_for_two_columns_or_more(columns: int, digits: int) -> None:
    """Of two columns that are too wide the value is given by columns. A line of paper has 83 digits with a sign."""
    laid = lay((3, columns), lambda i, j: "7" * (digits + (i + j) % 2), ROOM, turned=False, name="A")
    assert laid.entries is not None
    shown = [j for j in laid.entries.columns if j is not None]
    assert columns - len(shown) != 1 or (columns == 2 and digits > 30)
    assert len(shown) == 1 or set_width(laid) <= 80


@pytest.mark.parametrize("notation", ["vaswani", "phuong-hutter"])
def test_two_columns_that_are_too_wide_are_given_one_by_one(notation: str) -> None:
    page = derived("[inputs]\nscaled = [[1, 0], [2, 0]]\nV = [[1], [3]]\n").to_markdown(digits=45, notation=notation)
    assert "A_{:,1:1}" in page and "A_{:,2:2}" in page and r"\cdots" not in page


def test_factors_share_a_line_by_what_they_need() -> None:
    """Twelve weights beside two columns of values have all the room that these leave."""
    scores = [[(i * j) % 5 for j in range(12)] for i in range(12)]
    sheet = f"[inputs]\nscaled = {scores}\nV = {[[k] for k in range(12)]}\n"
    section = derived(sheet).to_text(digits=4).partition("Output")[2]
    row = next(line for line in section.splitlines() if "⋯" in line)
    assert len(re.findall(r"0\.\d+", row)) > 5


def test_a_narrow_matrix_of_sixteen_rows_stands_whole() -> None:
    """Two columns are not wider than the page, however many rows they have."""
    queries, keys, values = ([[(i + k) % 5, 9 * (i % 3)] for i in range(16)] for k in range(3))
    page = derived(f"[inputs]\nQ = {queries}\nK = {keys}\nV = {values}\n").to_markdown()
    for name, rows in (("Q", queries), ("K", keys), ("V", values)):
        found = re.search(rf"{name}\s*= \\begin\{{bmatrix\}} (.*?) \\end", page)
        assert found and [[int(x) for x in row] for row in re.findall(r"(\d+) & (\d+)", found[1])] == rows
    assert "_{:,1:2}" not in page and "columns 1 to 2" not in page


def test_parts_stand_in_the_place_of_their_matrix() -> None:
    rows = [[100 + 10 * i + j for j in range(16)] for i in range(3)]
    sheet = f"[inputs]\nX = {rows}\nW_Q = {[[1]] * 16}\nW_K = {[[1]] * 16}\nW_V = {[[1]] * 16}\n"
    page = derived(sheet).to_text().partition("2 Queries")[0]
    names = re.findall(r"(X_\{:,\d+:\d+\}|W\^.) =", page)
    assert names == ["X_{:,1:8}", "X_{:,9:16}", "W^Q", "W^K", "W^V"]


def test_weights_of_sixteen_tokens_stand_whole_beside_tiny_ones() -> None:
    """Scores that differ by 27 give weights such as 1.88 × 10⁻¹², of which few columns fit on a line."""
    scores = np.array([[3 * ((i * j) % 10) for j in range(16)] for i in range(16)])
    page = derived(f"[inputs]\nscaled = {scores.tolist()}\nV = {[[k] for k in range(16)]}\n").to_markdown()
    shown = parts(page, "A")
    assert len(shown) > 3 and "All rows as decimals" in page
    rows = [[float(x) for x in itertools.chain(*row)] for row in zip(*shown, strict=True)]
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    assert np.allclose(rows, powers / powers.sum(axis=1, keepdims=True), atol=1e-4)


@pytest.mark.parametrize(
    ("level", "said"), [("matrix", "Some of the weights as decimals"), ("index", "Some of the entries")]
)
def test_it_is_said_where_only_some_of_the_numbers_are_shown(level: str, said: str) -> None:
    scores = [[(i * j) % 3 for j in range(17)] for i in range(17)]
    sheet = derived(f"[inputs]\nscaled = {scores}\nV = {[[k] for k in range(17)]}\n")
    page = sheet.to_markdown(level=level)
    assert said in page and "All " not in page


def test_an_index_of_two_digits_is_braced_in_plain_text() -> None:
    """S_2,14 = 4 might be a decimal comma; S_{2,14} is one entry."""
    page = derived(f"[inputs]\nQ = {[[1, 2]] * 14}\nK = {[[k, 1] for k in range(14)]}\nV = {[[1]] * 14}\n").to_text()
    assert re.search(r"S_\{2,\d\d\} = q₂ · k₁", page) and not re.search(r"_\d", page)
