"""Weights as matrices and by entries, ALiBi, the Jacobian of softmax, heads by their letters, equations in comments."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow


def judged(text):
    return judge_formulas(read_article("a.md", text + "\n")).formulas


def verdicts(text):
    return [x.verdict for x in judged(text)]


RIGHT = [
    r"$A = \text{softmax}\left(\frac{QK^T}{\sqrt{d_k}} + M\right)$",
    r"Tokens are columns: $A = \text{softmax}\left(\frac{Q^T K}{\sqrt{d_k}}\right)$",
    r"$H_i = \text{softmax}\left(\frac{Q_i K_i^\top}{\sqrt{d_k}}\right) V_i$",
    "`attn = softmax(q @ k.transpose(-2, -1) / sqrt(d_k)) @ v`",
    r"$p_i = \frac{e^{z_i/\tau}}{\sum_j e^{z_j/\tau}}$",
    r"$s_i = \frac{\exp(x_i - m)}{\sum_j \exp(x_j - m)}$",
    r"$\alpha_i = \sum_{j \le i} a_{ij} v_j$",
    r"ALiBi: $s_{ij} = \frac{q_i k_j^\top}{\sqrt{d}} - m_h |i - j|$",
    r"ALiBi: $m_h = 2^{-8h/n}$",
    r"ALiBi: $m_h = 2^{-8(h+1)/n}$ for $h = 0, \dots, n - 1$",
    r"Of softmax: $\frac{\partial p}{\partial z} = \operatorname{diag}(p) - p p^\top$",
    r"$\text{score}(x_i, x_j) = \frac{q_i \cdot k_j}{\sqrt{d_k}}$",
    r"$\text{PPL} = e^{\ell}$",
    "```python\n# y = (x - mu) / np.sqrt(var + eps) * gamma + beta\n```",
    r"$\text{QKVAttention}(Q, K, V) = \text{softmax}(QK^T/\sqrt{d_k}) V$",
    r"$P = \text{softmax}(S)$",
    r"$p = \text{softmax}(z)$",
    r"$H(p) = -\sum_i p_i \log p_i$",
    r"$H(a_i) = -\sum_j a_{ij} \log a_{ij}$",
    r"$D_{KL}(p \| q) = \sum_i p_i \log\frac{p_i}{q_i} = H(p, q) - H(p)$",
    r"$\mathrm{KL}(P || Q) = \sum_i P_i (\log P_i - \log Q_i)$",
    r"$H(p) = -\sum_x p(x) \log p(x)$",
    r"$H(p, q) = -\sum_{x \in X} p(x) \log q(x) = H(p) + KL(p || q)$",
    r"$KL(p || q) = \sum_x p(x) \log \frac{p(x)}{q(x)}$",
    r"$PE_{(pos + k, 2i)} = PE_{(pos, 2i)} PE_{(k, 2i+1)} + PE_{(pos, 2i+1)} PE_{(k, 2i)}$",
]


@pytest.mark.parametrize("text", RIGHT)
def test_usual_forms_hold(text):
    assert verdicts(text)[:1] == ["holds"]


WRONG = [
    (r"$A = \text{softmax}\left(\frac{QK^T}{d_k}\right)$", r"A = \text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)"),
    (
        r"$H_i = \text{softmax}\left(\frac{Q_i K_i}{\sqrt{d_k}}\right) V_i$",
        r"H_i = \text{softmax}\left(\frac{Q_i K_i^T}{\sqrt{d_k}}\right) V_i",
    ),
    (
        r"$\alpha_{ij} = \frac{\exp(q_i^\top k_j)}{\sum_l \exp(q_l^\top k_j)}$",
        r"\alpha_{ij} = \frac{\exp(q_i^\top k_j)}{\sum_l \exp(q_i^\top k_l)}",
    ),
    (r"$p_i = \frac{e^{z_i - m}}{\sum_j e^{z_j}}$", r"p_i = \frac{e^{z_i - m}}{\sum_j e^{z_j - m}}"),
    (r"ALiBi: $s_{ij} = q_i k_j^\top + m_h |i - j|$", r"s_{ij} = q_i k_j^\top - m_h |i - j|"),
    (r"ALiBi: $m_h = 2^{8h/n}$", r"m_h = 2^{-8h/n}"),
    (r"ALiBi: the head $h$ has $m_h = 2^{-8/h}$", r"m_h = 2^{-8h/H}"),
    (r"Of softmax: $J = \operatorname{diag}(p) + p p^\top$", r"J = \operatorname{diag}(p) - p p^\top"),
]


WRONG += [
    (r"$D_{KL}(p \| q) = \sum_i p_i \log\frac{q_i}{p_i}$", r"D_{KL}(p \| q) = -\sum_i p_i \log\frac{q_i}{p_i}"),
    (r"$H(p, q) = \sum_x p(x) \log q(x)$", r"H(p, q) = -\sum_x p(x) \log q(x)"),
    (r"$KL(p || q) = \sum_x p(x) \log \frac{q(x)}{p(x)}$", r"KL(p || q) = -\sum_x p(x) \log \frac{q(x)}{p(x)}"),
    (r"$D_{KL}(p \| q) = H(p, q) + H(p)$", r"D_{KL}(p \| q) = H(p, q) - H(p)"),
    (r"$H(p) = \sum_i p_i \log p_i$", r"H(p) = -\sum_i p_i \log p_i"),
    (r"With $\omega_i = 10000^{-2i/d}$. $PE(pos + k, 2i + 1) = \cos(\omega_i pos)\cos(\omega_i k)"
     r" + \sin(\omega_i pos)\sin(\omega_i k)$",
     r"PE(pos + k, 2i + 1) = \cos(\omega_i pos)\cos(\omega_i k) - \sin(\omega_i pos)\sin(\omega_i k)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "right"), WRONG)
def test_slips_are_mended(text, right):
    assert [x.right for x in judged(text) if x.verdict == "fails"] == [right]


def test_columns_are_a_convention_where_nothing_says_so():
    [found] = judged("$A = softmax(Q^T K)$")
    assert (found.verdict, found.condition.key) == ("holds-if", "formula.if_columns")


def test_another_symbol_below_the_line_is_no_slip():
    assert "fails" not in verdicts(r"$p_i = \frac{e^{s_i}}{\sum_j e^{t_j}}$")


def test_a_new_maximum_may_be_primed():
    text = r"Online softmax: $m' = \max(m, x)$, $\ell' = \ell e^{m - m'} + e^{x - m'}$"
    assert verdicts(text) == ["holds", "holds"]
    assert verdicts(text.replace("m - m'", "m' - m")) == ["holds", "fails"]


def test_an_equation_in_words_is_read_to_its_last_letter():
    text = "```c\n// dA = dO * V^T\n// dV = A * dO\n```\nwhere O = A V."
    assert verdicts(text)[:2] == ["holds", "fails"]


def test_a_size_beside_a_capital_that_is_defined():
    assert verdicts(r"$D_i = \sum_j dO_{ij} O_{ij}$, $dQ = dS K / \sqrt{d}$") == ["holds", "holds-if"]


def test_a_dot_between_states_is_a_product_by_entries():
    text = "Flash attention:\n\n```c\n// ℓ_new = exp(m - m_new)·ℓ + rowsum(exp(S - m_new))\n```"
    assert verdicts(text) == ["holds"]
    assert verdicts(text.replace("exp(m - m_new)", "exp(m_new - m)")) == ["fails"]


def test_a_mask_that_is_defined_elsewhere_changes_nothing():
    text = r"$\text{MaskedAttn}(Q, K, V) = \text{softmax}\left(\frac{QK^T}{\sqrt{d_k}} + M\right) V$ with"
    text += r" $M_{ij} = \begin{cases} 0 & j \le i \\ -\infty & j > i \end{cases}$"
    assert verdicts(text) == ["holds", "holds"]


def test_a_mask_may_have_the_letter_of_a_width():
    text = r"$\text{Attention}(Q, K, V) = \text{softmax}\left(\frac{QK^T}{\sqrt{d_k}} + E\right) V$"
    assert verdicts(text) == ["holds"]
    assert verdicts(text.replace("QK^T", "Q^T K")) == ["fails"]


def test_tokens_by_any_letter_and_weights_transposed():
    text = r"$Q = H W_Q^\top$, $\frac{\partial L}{\partial W_Q} = \left(\frac{\partial L}{\partial Q}\right)^\top H$"
    assert verdicts(text)[-1] == "holds"
    assert verdicts(text.replace(r")^\top H", ") H"))[-1] == "fails"


def test_an_indicator_is_a_delta():
    assert verdicts(r"For softmax $\frac{\partial a_i}{\partial z_j} = a_i (\mathbb{1}[i = j] - a_j)$") == ["holds"]


def test_the_range_of_an_index_behind_a_formula():
    text = r"$w_i = \frac{1}{10000^{2i/d}}, i = 0, 1, 2, \dots, \frac{d}{2} - 1$"
    assert verdicts(text) == ["holds"]


def test_a_variance_is_a_mean_of_squares():
    text = r"LayerNorm: $\sigma^2 = \frac{1}{n} \sum_{i=1}^n (a_i - \mu)$"
    assert [x.right for x in judged(text)] == [r"\sigma^2 = \frac{1}{n} \sum_{i=1}^n (a_i - \mu)^2"]


@pytest.mark.parametrize(
    ("formula", "right"),
    [
        (r"P E(pos, 2i) = \sin\left(\frac{pos}{10000^{2i/d}}\right)", None),
        (
            r"P E(pos, 2i+1) = \cos\left(\frac{pos}{10000^{(2i+1)/d}}\right)",
            r"P E(pos, 2i+1) = \cos\left(\frac{pos}{10000^{(2i)/d}}\right)",
        ),
        (
            r"\text{FFN}(X) = \text{ReLU}(W_2\text{ReLU}(W_1 X + b_1)) + b_2",
            r"\text{FFN}(X) = (W_2\text{ReLU}(W_1 X + b_1)) + b_2",
        ),
    ],
)
def test_letters_apart_and_functions_twice(formula, right):
    [found] = judge_formulas(read_article("a.md", f"$${formula}$$\n")).formulas
    assert (found.verdict, found.right) == ("holds" if right is None else "fails", right)


def test_scores_are_what_a_line_says_them_to_be():
    for scores, verdict in ((r"QK^T/\sqrt{d}", "holds"), ("QK^T", "holds-if")):
        assert verdicts(f"$$S = {scores}$$ then\n\n$$P = \\text{{softmax}}(S)$$") == ["holds", verdict]
    twice = r"$$S = QK^T/\sqrt{d}$$ and $$P = \text{softmax}(S/\sqrt{d})$$"
    assert verdicts(twice) == ["holds"]  # scaled twice: of P nothing is said


def test_softmax_of_one_score_is_meant_of_its_row():
    assert verdicts(r"$\alpha_i = \text{softmax}(e_i)$") == ["holds-if"]


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (r"o_t = \sum_{i=1}^{t} \frac{\exp(k_i^\top q_t)}{\sum_{j=1}^{t} \exp(k_j^\top q_t)} v_i", ["holds"]),
        (r"o_i = \sum_{j=1}^{n} \frac{\exp(q_i^\top k_j)}{\sum_{l=1}^{n} \exp(q_i^\top k_l)} v_j", ["holds"]),
        (r"o_t = \sum_{i=1}^{t} \frac{\exp(k_i^\top q_t)}{\sum_{j=1}^{n} \exp(k_j^\top q_t)} v_i", []),  # of other keys
        (r"J_{\text{softmax}}(z) = \operatorname{diag}(p) - p p^T", ["holds"]),
        (r"J_{\text{softmax}}(z) = \operatorname{diag}(p) + p p^T", ["fails"]),
    ],
)
def test_attention_of_a_token_and_the_jacobian_of_its_weights(formula, said):
    assert verdicts(f"$${formula}$$") == said


def test_a_star_between_vectors_multiplies_entry_by_entry() -> None:
    text = r"$\mathrm{{FFN}}(x) = W_d (\mathrm{{SiLU}}(W_g x) {} (W_u x))$"
    for sign in ("*", r"\ast", r"\odot"):
        assert [x.verdict for x in judge_formulas(read_article("a.md", text.format(sign))).formulas] == ["holds"]
