"""Entries and rows of steps, spelled out with their numbers."""

from __future__ import annotations

import re

import pytest
from sympy import MatrixSymbol, symbols

from symattn import Attention, LinearAttention, check_article, derive
from symattn.api.worksheets import derive_sheet
from symattn.reading.worksheets.worksheet import parse_worksheet
from tests.samples import SHEETS, derived, sample

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("step", "entry", "expected"),
    [
        ("scores", (1, 3), r"S_{13} = q_{1} \cdot k_{3} = 1 \cdot (-1) + 2 \cdot 2 = 3"),
        ("scores", (3, 1), r"S_{31} = q_{3} \cdot k_{1} = 0 \cdot 2 + 1 \cdot 0 = 0"),
        # 6/sqrt(2) = 3 sqrt(2) = 4.2426...
        ("scaled", (2, 1), r"S'_{21} = \frac{S_{21}}{\sqrt{d_k}} = \frac{6}{\sqrt{2}} = 3\sqrt{2} \approx 4.24"),
    ],
)
def test_entries_by_hand(step: str, entry: tuple[int, int], expected: str) -> None:
    assert " ".join(sample("tokens")[step].entry(*entry).split()) == expected


def test_rows_in_symbols() -> None:
    page = " ".join(sample("symbolic").to_markdown().split())
    assert r"o_{i} = \sum_{j} A_{ij} v_{j}" in page and r"S_{ij} = q_{i} \cdot k_{j}" in page


def test_scores_of_many_digits_give_pages() -> None:
    one, huge = 10**18, 10**20  # what is left of the weights is e^(−10³⁷), beyond what a Decimal holds
    Q, K, V = (MatrixSymbol(name, 2, 2) for name in "QKV")
    page = derive(Attention(Q, K, V), {Q: [[huge, 1], [2, one]], K: [[one, 3], [1, huge]], V: [[1, 0], [2, 5]]})
    assert "gives all but at most 1 × 10⁻¹⁰⁰⁰⁰⁰⁰⁰⁰⁰⁰⁰⁰⁰⁰⁰⁰⁰ of its attention" in " ".join(page.to_text().split())


@pytest.mark.parametrize(
    ("sheet", "shown"),
    [
        # entry (2, 2) is the last of its row that a causal mask leaves
        ("causal", "S_{22} = q_{2} \\cdot k_{2} = 3 \\cdot 1 + (-1) \\cdot 1 = 2$"),
        # row 2 is (0, 1, 0): row 3 has (1, 1) · (2, 0)
        ("[inputs]\nQ = [[1, 1], [0, 1], [1, 1]]\nK = [[2, 0], [0, 1], [3, 0]]\nV = [[1], [2], [3]]\n", "S_{33} = "),
    ],
)
def test_an_example_shows_an_entry_that_is_seen_and_not_0_or_1(sheet: str, shown: str) -> None:
    derivation = sample(sheet) if sheet in SHEETS else derived(sheet)
    scores = next(line for line in derivation.to_markdown().splitlines() if "For example" in line and "S_{" in line)
    assert shown in scores


@pytest.mark.parametrize("values", ['[["sqrt(2)"], [3]]', "[[2], [3]]"])
def test_an_example_of_an_output_weighs_more_than_one_value(values: str) -> None:
    """Under a causal mask the first token sees itself alone: 1 · √2 + 0 · 3 shows no average."""
    page = f"[inputs]\nQ = [[1], [2]]\nK = [[1], [0]]\nV = {values}\n[attention]\nmask = 'causal'\n"
    assert "For example, $O_{21} " in derived(page).to_markdown()


def test_an_example_of_a_scaled_score_shows_what_is_divided() -> None:
    """Nothing is divided by √1."""
    page = "[inputs]\nQ = [[{q}], [{q}]]\nK = [[3], [2]]\nV = [[1], [2]]\n[attention]\nscale = {scale}\n"
    assert r"\frac{8}{4} = 2$" in derived(page.format(q=4, scale='"1/4"')).to_markdown()
    assert r"\frac{8}{1}" not in derived(page.format(q=4, scale=1)).to_markdown()


def test_a_single_row_of_weights_is_told_once() -> None:
    page = derived("[inputs]\nscaled = [[1, 0]]\n").to_text()
    assert page.count("0.73") == 1 and "s decimals" not in page


def test_a_sum_so_far_has_the_indices_of_what_it_becomes() -> None:
    """The features summed so far are a column: one index, before as after."""
    n, d = symbols("n d", integer=True, positive=True)
    text = derive(LinearAttention(*(MatrixSymbol(x, n, d) for x in "QKV"), causal=True)).to_text()
    assert "z^(t)_i = z^(t−1)_i + Kᶠ_ti" in text and "H^(t)_ij = H^(t−1)_ij + Kᶠ_ti V_tj" in text


def test_an_exact_number_among_rounded_ones_is_put_in_as_it_is() -> None:
    """4.5 = 0.5·3 + 1·0 + 0·0.25 + 3·1 stands beside multiples of √2, for which the matrix has rounded decimals."""
    sheet = """[inputs]
Q = [["sqrt(2)", 1, 0, 0], [0.5, 1, 0, 3], [2, "-1/3", 1, 0]]
K = [[0, 1, 1, 2], [1, 1, -1, 0], [3, 0, 0.25, 1]]
V = [[1, 2, 3, 4], [0, -1, 0, 1], [2, 2, -2, 0.1]]
"""
    text = " ".join(derived(sheet).to_text().split())
    assert "S₂₃ = q₂ · k₃ = 0.5 · 3 + 1 · 0 + 0 · 0.25 + 3 · 1 = 4.5." in text
    assert "S'₂₃ = S₂₃/√d_k = 4.5/2 = 2.25." in text
    rounded = " ".join(derived(sheet + '[show]\nlevel = "index"\n', "full").to_text().split())
    assert "≈ 4.5/2" not in rounded


def test_what_is_rounded_counts_for_nothing_beside_an_exact_0() -> None:
    """The second token's key has no rotary part: (0, 1, 0, 3) times W_KR is 0, so that its scores are whole numbers."""
    sheet = """[inputs]
X = [[1, 0, 2, -1], [0, 1, 0, 3], [2, 1, 1, 0]]
W_Q = [[1, 0], [0, 1], [1, 0], [0, 1]]
W_C = [[1, 0], [0, 1], [1, 1], [0, 0]]
U_K = [[1, 0], [0, 1]]
U_V = [[1, 1], [0, 1]]
W_QR = [[1, 0], [0, 1], [0, 0], [0, 0]]
W_KR = [[1, 0], [0, 0], [0, 1], [0, 0]]
[attention]
kind = "latent"
rope = true
mask = "causal"
"""
    text = " ".join(derived(sheet).to_text().split())
    assert "= 0 · 0 + 4 · 1 + (−0.8415) · 0 + 0.5403 · 0 = 4." in text
    assert "/(√(d_k + d_r)) = 4/2 = 2." in text


ROUNDED = '[inputs]\nscaled = [[0, 1], [1, 0]]\nV = [[3, 0], [3, 1]]\nG = [[1, 0], [0, 1]]\n[gradient]\nwrt = ["V"]\n'


def test_what_is_exact_stands_before_what_is_rounded() -> None:
    """1/(1 + e) = 0.2689...: AᵀG is no product of 0.27 and 0.73, and 0.27·3 + 0.73·3 is nearly 3."""
    page = " ".join(derive_sheet(parse_worksheet(ROUNDED), "brief", "en").to_markdown().split())
    sides = re.search(r"dV &= A\^\{\\top\} \\, dO(.*?)\$\$", page)
    assert sides is not None and re.findall(r"=|\\approx", sides[1]) == ["=", r"\approx", r"\approx"]
    exact, product, decimals = re.split(r"&\\approx", sides[1])
    assert "e^{-1}" in exact and "0.27 & 0.73" in product and product.count("begin") == 2 and "0.73 & 0.27" in decimals
    assert r"O_{11} \approx 0.27 \cdot 3 + 0.73 \cdot 3 \approx 3$" in page


@pytest.mark.parametrize("level", ["matrix", "token", "index"])
@pytest.mark.parametrize("name", list(SHEETS))
def test_nothing_is_equal_to_what_is_rounded(name: str, level: str) -> None:
    page = derived(SHEETS[name]).to_markdown(level=level)
    formulas = re.findall(r"\$\$(.*?)\$\$|\$([^$]+)\$", page, re.DOTALL)
    for chain in (chain for pair in formulas for chain in re.split(r",\s*\\qquad", "".join(pair))):
        assert "=" not in chain.partition(r"\approx")[2], chain


def test_the_worked_row_weighs_more_than_one_key() -> None:
    """Turned by angles that are no fractions of π, row 1 of a causal mask still has the weight 1 alone."""
    rows = "[[1, 0, 1, 0], [0, 1, 1, 1], [1, 1, 0, 1]]"
    keys = "[[0, 1, 1, 0], [1, 0, 0, 1], [1, 1, 1, 0]]"
    options = 'rope = { base = 100, pairs = "halves", offset = 5 }\nmask = "causal"\n'
    sheet = f"[inputs]\nQ = {rows}\nK = {keys}\nV = {rows}\n[attention]\n{options}"
    page = derived(sheet).to_markdown()
    assert re.search(r"A_\{2\}\s*\\approx \\frac", page) and "A_{1}" not in page


BIASED = "[inputs]\nX = [[1, 2], [3, 4]]\nW_Q = [[1, 0], [1, 1]]\nW_K = [[1, 0], [0, 1]]\nW_V = [[1, 0], [0, 1]]\n"


@pytest.mark.parametrize(
    ("notation", "numbers", "example"),
    [
        ("vaswani", ["[ 1  2 ] [ 1  0 ] + [ 1 ] [ 1  −1 ]", "[ 3  4 ] [ 1  1 ]   [ 1 ]"], "3 · 0 + 4 · 1 + (−1) = 3"),
        ("phuong-hutter", ["[ 1  1 ] [ 1  3 ] + [  1 ] [ 1  1 ]", "[ 0  1 ] [ 2  4 ]   [ −1 ]"], "1 · 4 + (−1) = 3"),
    ],
)
def test_a_bias_is_put_in(notation: str, numbers: list[str], example: str) -> None:
    page = derived(f"{BIASED}b_Q = [1, -1]\n").to_text(notation=notation)
    assert all(line in page for line in numbers)
    assert f"{example}." in page


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        # 2 · 1 + 3 · 5 = 17, and the rest is 0
        ([2, 0, 0, 0, 3, 0, 0, 0], "Q₂₁ = 2 · 1 + 3 · 5 + ⋯ = 17."),
        ([0, 0, 0, 0, 0, 0, 0, 7], "Q₂₁ = 7 · 8 + ⋯ = 56."),
        # 2 (1 + 2 + 3 + 4 + 6 + 7 + 8) = 62
        ([2, 2, 2, 2, 0, 2, 2, 2], "Q₂₁ = 2 · 1 + 2 · 2 + 2 · 3 + ⋯ + 2 · 8 = 62."),
        ([0] * 8, "Q₁₁ = 1 · 1 + 1 · 2 + 1 · 3 + ⋯ + 1 · 8 = 36."),
    ],
)
def test_a_long_sum_shows_what_is_not_zero(row: list[int], shown: str) -> None:
    weights = [[k] for k in range(1, 9)]
    sheet = f"[inputs]\nX = {[[1] * 8, row]}\nW_Q = {weights}\nW_K = {weights}\nW_V = {weights}\n"
    page = derived(sheet).to_text()
    assert f"For example, {shown}" in " ".join(page.split())
    assert not any(f.bad for f in check_article("a.txt", page).findings)


ROOTS = """[inputs]
Q = [[1, 0.5], [0, -1], [2, 1]]
K = [[1, 1], [0, 1], [-1, 0.5]]
V = [[1, 0], [0, 1], [2, -1]]
[attention]
mask = "causal"
"""


def test_decimals_that_are_the_numbers_themselves_are_equal_to_them() -> None:
    """Row 1 sees one key and row 2 two with the same score, −1/√2, so that its weights are 1/2; row 3 is rounded."""
    page = derived(ROOTS, detail="full").to_text()
    assert "A₁ = [ 1  0  0 ] / (1) = [ 1  0  0 ]" in page and "A₂ = [ 1  1  0 ] / (2) = [ 0.50  0.50  0 ]" in page
    assert "≈ [ 0.78  0.19  0.03 ]" in page
    token = " ".join(derived(ROOTS).to_text(level="token").split())
    assert "= 1/1 = 1 " in token and "= 1/(1 + 1) = 0.5 " in token and "≈ 1/(1 + e^(−1.41) + e^(−3.18)) ≈ 0.78" in token


def test_scores_that_are_only_printed_alike_give_weights_that_are_nearly_equal() -> None:
    """2/√2 and 1.99999/√2 are both printed as 1.41; the weights are 0.500002 and 0.499998."""
    sheet = '[inputs]\nQ = [[1]]\nK = [[2], [1.99999]]\nV = [[1], [0]]\n[attention]\nscale = "1/sqrt(2)"\n'
    assert "≈ 1/(1 + 1) ≈ 0.50" in " ".join(derived(sheet).to_text(level="token").split())


EXPONENTIALS = "[inputs]\nscaled = [[0, 0], [0, 1]]\nV = [[1, 0], [0, 1]]\n"


@pytest.mark.parametrize("level", ["matrix", "index"])
def test_exact_weights_and_outputs_are_exponentials_over_their_sum(level: str) -> None:
    """Row 2 is (1/(1 + e), e/(1 + e)) = (e⁻¹, 1)/(e⁻¹ + 1), and V the identity."""
    page = derived(EXPONENTIALS).to_text(level=level, exact=True)
    assert page.count("[ e⁻¹/(e⁻¹ + 1)  1/(e⁻¹ + 1) ]") == 2 and page.count("[ 0.27  0.73 ]") >= 2
    assert "e⁻¹/(e⁻¹ + 1)  1" not in derived(EXPONENTIALS).to_text(level=level)


def test_exact_averages_that_do_not_fit_a_matrix_are_told_row_by_row() -> None:
    page = derived(ROOTS).to_text(exact=True)
    assert "O₃ = [ 1 + 2e^(−9√2/4)  e^(−√2) − e^(−9√2/4) ] / (1 + e^(−√2) + e^(−9√2/4))" in page


def test_an_exact_page_says_what_is_too_long_to_be_exact() -> None:
    """The scores of a second layer have exponentials in their exponents."""
    layer = "[[layer]]\nW_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]\n"
    sheet = f"[inputs]\nX = [[1], [2]]\n[stack]\nnorm = 'none'\n{layer}{layer}"
    assert "The exact entries of A^(layer2) are too long" in " ".join(derived(sheet).to_text(exact=True).split())
    assert "too long" not in derived(sheet).to_text()
