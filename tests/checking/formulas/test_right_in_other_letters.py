"""Formulas of papers in letters that are rarer: none is called false, and most are known."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def said(words: str, formula: str) -> str | None:
    found = check_article(read_article("a.md", f"{words}\n\n$${formula}$$\n")).formulas
    return next((each.verdict for each in found if each.line == 3), None)


STABLE = r"\text{softmax}(z_i) = \frac{e^{z_i - SHIFT}}{\sum_j e^{z_j - SHIFT}}"
GROUPS = "Grouped-query attention (Ainslie et al., 2023): a head has the keys of its group."
VARIANCE = "The entries of q and k are independent, of mean 0 and variance 1."
SLOPE = r"\frac{\partial y_i}{\partial x_j} = \frac{1}{\sigma}"
SLOPE += r"\left(\delta_{ij} - \frac{1}{d} - \frac{\hat x_i \hat x_j}{d}\right)"
RIGHT = [
    *[("A stable softmax.", STABLE.replace("SHIFT", c), "holds") for c in ("z_{max}", "c_{max}", "M_z", r"\ell")],
    (GROUPS, r"\text{head}_i = \text{Attention}(Q_i, K_{g(i)}, V_{g(i)})", "holds"),
    (GROUPS, r"\text{head}_i = \text{Attention}(Q_i, K_g, V_g)", None),
    *[(VARIANCE, rf"\text{{Var}}(q_i \cdot k_j) = {width}", "holds") for width in ("d_k", "D_k", "D")],
    ("The backward pass of FlashAttention (Dao et al., 2022).", r"dS = P \odot dP - \text{diag}(D) P", "holds-if"),
    ("FlashAttention divides at the end.", r"O_i = \text{diag}(L_i^{(T)})^{-1} O_i^{(T)}", "holds"),
    ("Online softmax with its running sum s.", r"s_j = s_{j-1} e^{m_{j-1} - m_j} + e^{x_j - m_j}", "holds"),
    ("The Jacobian of a layer norm without gain.", SLOPE, "holds"),
    ("RoPE: position interpolation (Chen et al., 2023).", r"f'(x, m) = f\left(x, \frac{m}{s}\right)", None),
    ("xPos (Sun et al., 2022), rotary positions that decay.", r"f_k(k, n) = k \gamma^{-n} e^{in\theta}", None),
    ("The divergence in bits.", r"D_{KL}(P \| Q) = \sum_i P_i \log_2 \frac{P_i}{Q_i}", None),
    ("Softmax, and then the largest k are kept.", r"p'_i = \frac{p_i}{\sum_{j=1}^{k} p_j}", None),
    (
        r"The softmax has $\frac{\partial p_i}{\partial z_j} = p_i (\delta_{ij} - p_j)$, an activation another slope:",
        r"\frac{\partial L}{\partial z} = \frac{\partial L}{\partial a} \odot \sigma'(z)",
        None,
    ),
    ("The divergence in bits.", r"D_{KL}(P \| Q) = \frac{1}{\ln 2} \sum_i P_i \ln \frac{P_i}{Q_i}", None),
    ("Distillation.", r"\ell_{KD} = \alpha \ell_{CE} + (1 - \alpha) \ell_{KD}", None),
]
WRONG = [
    (VARIANCE, r"\text{Var}(q_i \cdot k_j) = \sqrt{D_k}"),
    ("Online softmax with its running sum s.", r"s_j = s_{j-1} e^{m_j - m_{j-1}} + e^{x_j - m_j}"),
    (r"The Jacobian of a layer norm with gain $\gamma$ is", SLOPE),  # which γ_i multiplies
    ("The backward pass of FlashAttention (Dao et al., 2022).", r"dS = dP - \text{diag}(D) P"),
    ("The Jacobian of a layer norm without gain.", SLOPE.replace(r"- \frac{1}{d} -", r"+ \frac{1}{d} -")),
]


@pytest.mark.parametrize(("words", "formula", "verdict"), RIGHT)
def test_none_is_false(words: str, formula: str, verdict: str | None) -> None:
    assert said(words, formula) == verdict


@pytest.mark.parametrize(("words", "formula"), WRONG)
def test_slips_in_them_are_found(words: str, formula: str) -> None:
    assert said(words, formula) == "fails"


def test_a_head_has_queries_beside_its_weights() -> None:
    assert said("Multi-query attention.", r"\text{head}_i = \text{Attention}(Q W_i^Q, K W^K, V W^V)") == "holds"
    assert said("Multi-query attention.", r"\text{head}_i = \text{Attention}(W_i^Q, K W^K, V W^V)") != "holds"


def test_outputs_of_a_merge_are_divided_whatever_other_lines_do() -> None:
    undivided = "Online softmax, block by block:\n\n$$O_i = \\text{diag}(\\ell_i)^{-1} O_i^{(T)}$$\n\n"
    undivided += "$$O_i^{(j)} = e^{m_i^{(j-1)} - m_i^{(j)}} O_i^{(j-1)} + \\tilde P_i^{(j)} V_j$$\n\n"
    merge = r"O = \frac{e^{L_1} O_1 + e^{L_2} O_2}{e^{L_1} + e^{L_2}}"
    for formula, expected in ((merge, "fails"), (merge.replace("{e^{L_1} + e^{L_2}}", "{L_1 + L_2}"), "holds")):
        found = check_article(read_article("a.md", f"{undivided}$${formula}$$\n")).formulas
        assert expected not in [each.verdict for each in found if each.line == 7]


def test_what_an_arrow_leads_to_is_not_equal_to_what_it_comes_from() -> None:
    shapes = r"$W^Q \in \mathbb{R}^{d \times k}$ and $X \in \mathbb{R}^{n \times d}$"
    text = f"The flow with {shapes}:\n\n$$W^Q \\to Q = X W^Q$$\n"
    found = check_article(read_article("a.md", text)).formulas
    assert [each.verdict for each in found if each.line == 3] == ["holds"]
