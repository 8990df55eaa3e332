"""Derivatives of softmax entry by entry, rows of a chain by themselves, joined heads, and heads' widths in numbers."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article


def said(text, line):
    found = judge_formulas(read_article("a.md", text + "\n")).formulas
    return [each.verdict for each in found if each.line >= line]


GIVEN = r"$$p_i = \text{softmax}(z)_i = \frac{e^{z_i}}{\sum_{k=1}^n e^{z_k}} = \frac{e^{z_i}}{Z}$$" + "\n\n"
OWN = r"\frac{\partial p_i}{\partial z_i} = "
OTHER = r"\frac{\partial p_i}{\partial z_j} = "


@pytest.mark.parametrize(
    ("formula", "verdicts"),
    [
        (OWN + r"\frac{e^{z_i} Z - e^{z_i} e^{z_i}}{Z^2} = p_i (1 - p_i)", ["holds"]),
        (OWN + r"\frac{e^{z_i}}{Z} \left(1 - \frac{e^{z_i}}{Z}\right)", ["holds"]),
        (OWN + r"\frac{e^{z_i} Z + e^{z_i} e^{z_i}}{Z^2}", ["fails"]),
        (OWN + r"p_i (1 - z_i)", ["fails"]),
        (OTHER + r"-\frac{e^{z_i} e^{z_j}}{Z^2} = -p_i p_j \quad (i \neq j)", ["holds"]),
        (OTHER + r"p_i p_j \quad (i \neq j)", ["fails"]),
        (OTHER + r"-p_i p_j", ["holds-if"]),  # of two entries
        (OTHER + r"p_i (\delta_{ij} - p_j)", []),
    ],
)
def test_derivatives_of_entries(formula, verdicts):
    found = said(f"{GIVEN}$${formula}$$", 3)
    assert found == verdicts or ("delta" in formula and "fails" not in found)


def test_rows_of_a_false_chain_that_are_the_row_before_hold():
    rows = [
        r"s &= q_a \cdot k_b \\",
        r"&= (W (x + p))^T U (y + r) \\",
        r"&= (x + p)^T W^T U (y + r) \\",
        r"&= x W^T U y + x^T W^T U r + p^T W^T U y + p^T W^T U r",
    ]
    text = "$$\n\\begin{align}\n" + "\n".join(rows) + "\n\\end{align}\n$$"
    found = judge_formulas(read_article("a.md", text + "\n")).formulas
    assert [each.verdict for each in found if each.line == 5] == ["holds"]
    assert "fails" in [each.verdict for each in found]


@pytest.mark.parametrize(
    ("formula", "verdicts"),
    [
        (r"\text{MultiHead} = \text{Concat} \cdot W^O", ["holds"]),
        (r"\text{MultiHead} = W^O \cdot \text{Concat}^T", []),
    ],
)
def test_what_is_joined_may_have_no_arguments(formula, verdicts):
    assert [v for v in said(f"$${formula}$$", 1) if v == "holds"] == verdicts


@pytest.mark.parametrize(
    ("formula", "verdicts"),
    [
        (r"d_k = d_{model} / h = 768 / 12 = 64", ["holds"]),
        (r"d_k = d_{model} / h = 768 / 12 = 46", []),
        (r"d_k = d_{model} h = 64 \cdot 12 = 768", []),
    ],
)
def test_the_width_of_a_head_in_numbers(formula, verdicts):
    assert [v for v in said(f"Each head: ${formula}$", 1) if v != "fails"] == verdicts


def test_sums_of_terms_in_words():
    given = "设 $q_i, k_i$ 均值为 0，方差为 1，"
    assert said(f"{given}则 $q_i k_i$ 的方差为 1，求和后方差 $d_k$。", 1) == ["holds-if"]
    assert said(f"{given}相互独立，则 $q_i k_i$ 的方差为 1，求和后方差 $d_k$。", 1) == ["holds"]
    assert said(f"{given}则 $q_i$ 的方差为 1，求和后方差 $d_k$。", 1) == []
    english = (
        "Entries are independent with mean 0 and variance 1; each $q_i k_i$ has variance 1, summing the terms gives "
    )
    assert said(f"{english}variance $d_k$.", 1) == ["holds"]


@pytest.mark.parametrize(
    ("left", "below", "verdict"),
    [
        (r"\text{softmax}(z)", "j", "holds"),
        (r"\text{softmax}(z)", "i", "fails"),
        (r"\text{softmax}(z)_i", "i", "fails"),
    ],
)
def test_a_softmax_beside_an_entry_is_read_at_this_entry(left, below, verdict):
    formula = rf"{left} = \frac{{e^{{z_i}}}}{{\sum_j e^{{z_#}}}}"
    [found] = judge_formulas(read_article("a.md", f"$${formula.replace('#', below)}$$\n")).formulas
    assert found.verdict == verdict
    assert found.right in (None, formula.replace("#", "j"))  # and no sum over the free i
