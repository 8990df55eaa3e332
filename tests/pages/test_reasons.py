"""What is said of a step fits the step: of its scale, its mask, and the factor that a gradient is taken by."""

import pytest
from sympy import MatrixSymbol, Rational, floor, sqrt, symbols

from symattn import Attention, CausalMask, MultiHead, RMSNorm, derive, differentiate
from symattn.api.worksheets import derive_sheet
from symattn.reading.worksheets.worksheet import parse_worksheet

n, d = symbols("n d", positive=True, integer=True)
Q, K, V = (MatrixSymbol(x, n, d) for x in "QKV")


@pytest.mark.parametrize(
    ("scale", "said", "not_said"),
    [
        (None, "The variance of a dot product", "The scores are divided"),
        (Rational(1, 8), "The scores are divided by $8$", "variance"),
        (3, "The scores are multiplied by the scale $3$", "variance"),
    ],
)
def test_only_the_root_of_the_width_compensates_for_the_variance(scale, said, not_said):
    page = derive(Attention(Q, K, V, scale=scale)).to_markdown()
    assert said in page and not_said not in page


def test_softmax_is_not_spoken_of_where_there_is_none():
    page = derive(Attention(Q, K, V, mask=CausalMask(), weighting="sigmoid")).to_markdown()
    assert "and its weight is 0" in page and "softmax" not in page
    assert "which softmax turns into weight 0" in derive(Attention(Q, K, V, mask=CausalMask())).to_markdown()


def test_a_factor_that_enters_transposed_has_a_transposed_gradient():
    """S = QKᵀ: dQ = dS K = dS (Kᵀ)ᵀ, and dK = dSᵀ Q."""
    page = differentiate(derive(Attention(Q, K, V, scale=1))).to_markdown()
    said = [line for line in page.splitlines() if line.startswith(("$Q$ ", "$K$ "))]
    assert ["times the transpose of the other factor" in line for line in said] == [True, False]
    assert ["the transposed gradient of the product" in line for line in said] == [False, True]


@pytest.mark.parametrize(("weighting", "twice"), [("sparsemax", False), ("entmax-1.5", True)])
def test_only_halved_scores_have_twice_the_sum(weighting, twice):
    page = differentiate(derive(Attention(Q, K, V, weighting=weighting))).to_markdown()
    assert ("minus twice the sum" in page) == twice and "α" not in page.partition("is subtracted from all")[2][:200]


def test_chinese_quotation_marks_have_no_space_beside_them():
    values = {MatrixSymbol(x, 2, 1): [[1], [2]] for x in "QKV"}
    page = derive(Attention(*values), values, tokens=["the", "猫"]).to_markdown(language="zh")
    assert "依次为“the”、“猫”。" in page and " “" not in page


@pytest.mark.parametrize("scale", [1 + d, 1 + sqrt(2), -1 - sqrt(2)])
def test_a_sum_before_a_matrix_stands_in_brackets(scale):
    symbolic = derive(Attention(Q, K, V, scale=scale))
    assert ") S\n" in symbolic.to_text()
    assert r"\right) S_{ij}" in symbolic.to_markdown(level="index")
    assert r"\right) \left(dS'" in differentiate(symbolic).to_markdown()


@pytest.mark.parametrize("options", ["", 'mask = "causal"'])
def test_capped_scores_that_come_within_a_hair_of_the_cap_are_told(options):
    """tanh(30) = 1 − 2·10⁻²⁶ has no plain decimals, and no row is told by its largest score."""
    text = f"[inputs]\nQ = [[30], [2]]\nK = [[1], [0]]\nV = [[1], [2]]\n[attention]\nsoftcap = 1\n{options}\n"
    for detail in ("brief", "full"):
        page = derive_sheet(parse_worksheet(text), detail, "en").to_markdown()
        assert r"\approx \begin{bmatrix} 0.73 & 0.27 \\" in page or r"\approx \begin{bmatrix} 1 & 0 \\" in page


def test_infinity_does_not_stand_within_a_word():
    assert "floor" in derive(Attention(Q, K, V, scale=floor(n / 2))).to_text()


def test_names_of_what_is_made_of_named_matrices_are_set_as_names():
    page = differentiate(derive(Attention(Q, K, V, weighting="sparsemax"))).to_markdown()
    assert r"d\tau" in page and "{dtau}" not in page
    twice = derive(RMSNorm(MatrixSymbol("H_2", n, d))).to_markdown()
    assert r"N_{H_{2}}" in twice and r"\_" not in twice


def test_a_page_says_of_which_tokens_the_keys_are():
    X, Z = MatrixSymbol("X", 2, 3), MatrixSymbol("Z", 3, 2)
    W = {f"W_{x}": MatrixSymbol(f"W_{x}", 3 if x == "Q" else 2, 2) for x in "QKV"}
    said = "Keys and values are computed from $Z$"
    assert said in derive(MultiHead(X, Z, heads=2, **W)).to_markdown()
    own = derive(MultiHead(X, heads=2, **{**W, "W_K": W["W_Q"], "W_V": W["W_Q"]})).to_markdown()
    assert "other sequence" not in own


GRADIENTS = """[inputs]
Q = [[1, 0.5], [0, -1], [2, 1]]
K = [[1, 1], [0, 1], [-1, 0.5]]
V = [[1, 0], [0, 1], [2, -1]]
G = [[1, 0], [0, 1], [1, 1]]
[attention]
mask = "causal"
[gradient]
wrt = ["Q", "K", "V"]
"""


def gradients(attention='mask = "causal"', more=""):
    sheet = GRADIENTS.replace('mask = "causal"', attention) + more
    page = derive_sheet(parse_worksheet(sheet), "brief", "en").to_text()
    return " ".join(page.split())


@pytest.mark.parametrize(("first", "shown"), [(1, ("=1..2 dO", "=1..3 dS̃")), (0, ("=0..1 dO", "=0..2 dS̃"))])
def test_sums_run_to_numbers_where_these_are_known(first, shown):
    """Three tokens of width 2: neither n nor d_v is ever said on such a page."""
    page = gradients(more=f"[notation]\nfirst_index = {first}\n")
    assert all(f"Σ_k{bounds}" in page for bounds in shown) and "..d_v" not in page


@pytest.mark.parametrize(
    ("attention", "said"),
    [
        (
            'mask = "causal"',
            "Hidden scores have the gradient 0, and the scale of the scores multiplies the gradient: with respect to S",
        ),
        (
            'mask = "causal"\nscale = 1',
            "so that the mask changes nothing on the way back: with respect to S the gradient is dS̃ as well",
        ),
        ("", "The scale of the scores multiplies the gradient: with respect to S it is dS'/√d_k"),
    ],
)
def test_the_way_back_through_mask_and_scale_is_said(attention, said):
    """dQ = dS K with dS = dS̃/√d_k: S has no gradient of its own on the page."""
    page = gradients(attention)
    assert page.count(said) == 2  # for the queries and for the keys


def test_matrices_are_put_in_behind_a_scale():
    """dQ = dS̃ K/√d_k with d_k = 2: row 2 of dS̃ is a₂ ∘ (da₂ − δ₂) = (0.5 · (0 − 0.5), 0.5 · (1 − 0.5), 0)."""
    page = gradients().partition("dQ = dS̃ K/√d_k = dS̃ K/√2 ")[2]
    assert page.startswith("[ 0 0 0 ] [ 1 1 ] = 1/√2 · [ −0.25 0.25 0 ] [ 0 1 ] [ 0 0 0 ] [ −1 0.5 ]")


@pytest.mark.parametrize(
    "example",
    [
        "dA₂₃ = dO₂₁ V₃₁ + dO₂₂ V₃₂ = 0 · 2 + 1 · (−1) = −1",
        "δ₂ = A₂₁ dA₂₁ + A₂₂ dA₂₂ + A₂₃ dA₂₃ = 0.5 · 0 + 0.5 · 1 + 0 · (−1) = 0.5",
        "dS̃₂₂ = A₂₂ (dA₂₂ − δ₂) = 0.5 · (1 − 0.5) = 0.25",
        # −0.25/√2 = −0.1767...
        "dQ₂₁ = (dS̃₂₁ K₁₁ + dS̃₂₂ K₂₁ + dS̃₂₃ K₃₁)/√d_k = (−0.25 · 1 + 0.25 · 0 + 0 · (−1))/√2 ≈ −0.18",
        "dK₂₂ = (dS̃₁₂ Q₁₂ + dS̃₂₂ Q₂₂ + dS̃₃₂ Q₃₂)/√d_k = (0 · 0.5 + 0.25 · (−1) + 0 · 1)/√2 ≈ −0.18",
        # the second weight of row 3 is e^0.7071/(e^2.1213 + e^0.7071 + e^−1.0607) = 0.1891...
        "dV₂₂ = A₁₂ dO₁₂ + A₂₂ dO₂₂ + A₃₂ dO₃₂ ≈ 0 · 0 + 0.5 · 1 + 0.19 · 1 ≈ 0.69",
    ],
)
def test_one_entry_of_every_gradient_is_spelled_out(example):
    """By hand: row 2 attends to keys 1 and 2 alike, its upstream gradient is (0, 1)."""
    assert f"For example, {example}." in gradients()


def test_the_gradient_of_a_bias_is_spelled_out_without_a_row():
    """db = 1ᵀ dQ: the sum of a column."""
    sheet = """[inputs]
X = [[1, 0], [0, 1]]
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 1], [0, 2]]
W_V = [[1, 0], [0, 1]]
b_Q = [0, 1]
G = [[1, 0], [0, 2]]
[gradient]
wrt = ["b_Q"]
"""
    page = " ".join(derive_sheet(parse_worksheet(sheet), "brief", "en").to_text().split())
    assert "For example, db_Q₂ = dQ₁₂ + dQ₂₂" in page
