"""Formulas as notes spell them: arrows in aligned rows, a Z that no line defines, capitals for one query and key,
FlashAttention's weights entry by entry, counts of one width."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article

pytestmark = pytest.mark.slow


def judged(text):
    return [(each.line, each.verdict) for each in check_article(read_article("a.md", text)).formulas]


@pytest.mark.parametrize(
    ("factor", "verdict"), [("e^{m_{i - 1} - m_i}", "holds"), ("e^{m_i - m_{i - 1}}", "fails")]
)  # the old sum is moved to the new maximum
def test_arrows_in_the_rows_of_online_softmax(factor, verdict):
    rows = r"for \space & i \to 1 \dots N \\" + "\n" + r"& m_i \leftarrow \max(m_{i - 1}, x_i) \\" + "\n"
    rows += rf"& l_i \leftarrow l_{{i - 1}} {factor} + e^{{x_i - m_i}} \\" + "\n" + r"for \space & i \to 1 \dots N"
    text = f"Online softmax:\n\n$$\n\\begin{{align*}}\n{rows}\n\\end{{align*}}\n$$\n"
    assert judged(text) == [(6, "holds"), (7, verdict)]


ENTRIES = "Let p = softmax(x), p_i = exp(x_i) / Σ_j exp(x_j).\n\nFor i ≠ j: "


@pytest.mark.parametrize(("sign", "verdict"), [("−", "holds"), ("", "fails")])
def test_the_sum_of_a_softmax_without_a_definition(sign, verdict):
    text = ENTRIES + f"∂p_i/∂x_j = {sign}exp(x_i)·exp(x_j)/Z² = {sign}p_i p_j.\n"
    assert (3, verdict) in judged(text)


@pytest.mark.parametrize(
    ("space", "formula", "verdict"),
    [
        ("R^n", "diag(p) − p p^T", "holds"),
        ("R^n", "diag(p) − p^T p", "fails"),  # a number, for a p in ℝⁿ
        ("R^{1×n}", "diag(p) − p^T p", "holds-if"),
    ],
)
def test_the_jacobian_of_what_lies_in_a_space_of_tuples(space, formula, verdict):
    text = f"Let p = softmax(x) where x ∈ {space}.\n\nThe Jacobian of softmax is J = {formula}.\n"
    assert (3, verdict) in judged(text)


FLASH = r"""
$$S = QK^T / \sqrt{d}$$
$$P_{ij} = \exp(S_{ij} - L_i)$$
$$O = PV$$
$$D = \text{row-sum}(O \circ dO)$$
$$dP = dO V^T$$
"""


@pytest.mark.parametrize(("index", "verdict"), [("i", "holds"), ("j", "fails")])
def test_weights_from_the_logarithms_of_their_rows(index, verdict):
    assert (7, verdict) in judged(FLASH + f"$$dS_{{ij}} = P_{{ij}} (dP_{{ij}} - D_{index})$$\n")


@pytest.mark.parametrize(("value", "verdict"), [("d_k", "holds"), (r"\sqrt{d_k}", "fails")])
def test_one_query_and_one_key_in_capitals(value, verdict):
    text = "The entries are independent, of mean 0 and variance 1:\n\n"
    text += r"$Q \cdot K = \sum_{i=1}^{d_k} Q_i K_i$" + "\n\n" + rf"$$\mathrm{{Var}}(Q \cdot K) = {value}$$" + "\n"
    assert (5, verdict) in judged(text)


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("Total: N = 3 × (d_model × 2 × d_model) = 6 × d_model²", [(1, "holds")]),
        ("Total: N = 3 × (d_model × 2 × d_model) = 5 × d_model²", [(1, "fails")]),
        ("Total: N = 3 × (d_model × 2 × d_model) = 12 × d_model² bytes", []),  # two bytes each
    ],
)
def test_counts_of_one_width(text, verdicts):
    assert judged(text) == verdicts


@pytest.mark.parametrize(("below", "verdict"), [("sqrt(d_k)", "holds"), ("d_k", "fails")])
def test_the_transpose_of_typst(below, verdict):
    assert judged(f"attention(Q, K, V) = softmax((Q K^TT) / {below}) V") == [(1, verdict)]
