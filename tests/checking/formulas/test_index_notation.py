"""Derivatives entry by entry, in any index letters: what is true was worked out with the product rule by hand."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

ENTRIES = [r"A = \text{softmax}(S)", r"O_{ip} = \sum_j A_{ij} V_{jp}"]
TENSORS = [r"A^{ij} = \text{softmax}_j(S^{ij})", "O^{ib} = A^{ij} V^{jb}"]
SCALED = [r"S = QK^T \cdot s", r"P = \text{softmax}(S)", "O = PV", r"\Delta_i = \text{rowsum}(dO \odot O)"]
ROWS = [r"S_{ij} = \sigma Q_i K_j^T", r"P_{ij} = \frac{e^{S_{ij}}}{\sum_j e^{S_{ij}}}", r"O_i = \sum_j P_{ij} V_j"]
SUMS = [ROWS[0], r"L_i = \sum_j e^{S_{ij}}", r"P_{ij} = \frac{e^{S_{ij}}}{L_i}", ROWS[2]]
BY_TWO = r"\frac{\partial O_{ab}}{\partial V_{jp}}"


@pytest.mark.parametrize(
    ("lines", "formula", "said"),
    [
        (ENTRIES, rf"{BY_TWO} = A_{{aj}} \delta_{{bp}}", "holds"),
        (ENTRIES, rf"{BY_TWO} = A_{{ja}} \delta_{{bp}}", "fails"),
        (ENTRIES, rf"{BY_TWO} = \sum_c A_{{ac}} \delta_{{cj}} \delta_{{bp}} = A_{{aj}} \delta_{{bp}}", "holds"),
        (ENTRIES, rf"\frac{{\partial L}}{{\partial V_{{jp}}}} = \sum_{{a, b}} \frac{{\partial L}}{{\partial O_{{ab}}}}"
                  rf" {BY_TWO}", "holds"),
        (TENSORS, r"\frac{\partial O^{ib}}{\partial V^{mn}} = A^{ij} \delta^j_m \delta^b_n", "holds"),
        (TENSORS, r"\frac{\partial O^{ib}}{\partial A^{mn}} = \delta^i_m V^{nb}", "holds"),
        (TENSORS, r"\frac{\partial O^{ib}}{\partial A^{mn}} = \delta^i_m V^{bn}", "fails"),
        (TENSORS, r"\frac{\partial L}{\partial A^{mn}} = \frac{\partial L}{\partial O^{mb}} V^{nb}", "holds"),
        (TENSORS, r"\frac{\partial A^{ij}}{\partial S^{mn}} = \delta^i_m A^{ij} (\delta^j_n - A^{in})", "holds"),
        (SCALED, r"dS = P \odot (dP - \Delta)", "holds"),
        (SCALED, r"dS = P \odot (dP + \Delta)", "fails"),
        (SCALED, r"dQ = dS \cdot K \cdot s", "holds"),
        (SCALED, r"dQ = dS \cdot K", "fails"),
        (ROWS, r"dV_j = \sum_i P_{ij} dO_i", "holds"),
        (ROWS, r"dP_{ij} = dO_i V_j^T", "holds"),
        (ROWS, r"dQ_i = \sigma \sum_j dS_{ij} K_j", "holds"),
        (ROWS, r"dQ_i = \sum_j dS_{ij} K_j", "fails"),
        (SUMS, r"dS_{ij} = P_{ij} (dP_{ij} - \sum_k P_{ik} dP_{ik})", "holds"),
        (SUMS, r"dS_{ij} = P_{ij} (dP_{ij} - \sum_k P_{kj} dP_{kj})", "fails"),
    ],
)  # fmt: skip
def test_derivatives_of_entries_and_scaled_scores(lines, formula, said):
    text = "\n\n".join(f"$${x}$$" for x in (*lines, formula))
    found = [x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas if x.line > 2 * len(lines)]
    assert found == [said]


def test_the_last_of_running_sums_is_no_size():
    text = r"""Online softmax: $d_t = \sum_{j=1}^t e^{x_j - m_t}$ and at the end

$$\text{softmax}(x)_i = \frac{e^{x_i - m_n}}{d_n}$$
"""
    assert [x.verdict for x in check_article(read_article("a.md", text)).formulas][1:] == ["holds"]


def test_weights_are_a_softmax_over_keys_beside_the_gradient_of_values():
    weights = r"$$P_{ij} = \frac{e^{S_{ij}}}{\sum_j e^{S_{ij}}}$$"
    text = weights + "\n\n" + r"$$O_i = \sum_j P_{ij} V_j$$" + "\n\n" + r"$$dV_j = \sum_i P_{ij} dO_i$$" + "\n"
    assert [x.verdict for x in check_article(read_article("a.md", text)).formulas] == ["holds"] * 3


@pytest.mark.parametrize(("index", "found"), [("i", ["holds"]), ("j", [])])
def test_weights_over_a_sum_that_has_a_letter(index, found):
    text = rf"""$$S_{{ij}} = Q_i K_j^T$$

$$Z_{index} = \sum_j e^{{S_{{ij}}}}, \quad O_i = \sum_j P_{{ij}} V_j$$

$$P_{{ij}} = \frac{{e^{{S_{{ij}}}}}}{{Z_{index}}}$$
"""
    assert [x.verdict for x in check_article(read_article("a.md", text)).formulas if x.line == 5] == found
