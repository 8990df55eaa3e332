"""Short texts with formulas, and what is to be said of their last formulas; every verdict is by hand or by NumPy."""

from __future__ import annotations

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

SCORES = "Let $S = QK^T$, $P = softmax(S)$ and $O = PV$.\n\n"
NORM = r"Batch norm: $\hat{x}_i = \frac{x_i - \mu}{\sqrt{\sigma^2 + \epsilon}}$ with mean $\mu$ and variance." + "\n\n"
HEADS = r"Multi-head attention has $W_i^Q \in \mathbb{R}^{d \times k}$, $W_i^K \in \mathbb{R}^{d \times k}$, "
SLOPE = r"$\frac{\partial \text{softmax}(x)_i}{\partial x_j} = "
RMS = r"With $r = \sqrt{\frac{1}{D} \sum_k x_k^2}$ and $y_i = x_i/r$ let $g_i = \partial L/\partial y_i$." + "\n\n"
TEXTS = [
    # a cap that multiplies what it should divide
    (r"Logits are capped: $\text{softcap}(x) = c \tanh(x / c)$", ["holds"]),
    (r"Logits are capped: $\text{softcap}(x) = c \tanh(c x)$", ["fails"]),
    # outer products, and decays by their logarithms
    (
        "A linear recurrence of the state.\n\n$S_t = e^{g_t} S_{t-1} + k_t \\otimes v_t$\n\n"
        "$S_t = S_{t-1} + \\beta_t k_t \\otimes (v_t - S_{t-1}^T k_t)$",
        ["holds", "holds"],
    ),
    (
        "A linear recurrence of the state.\n\n$S_t = S_{t-1} + k_t \\otimes v_t$\n\n$o_t = S_t^T q_t$\n\n"
        "$S_t = S_{t-1} + \\beta_t k_t \\otimes (v_t + S_{t-1}^T k_t)$",
        ["holds", "holds", "fails"],
    ),
    # the division by the whole sum at the end of FlashAttention
    (
        r"Online softmax: $\ell_i = e^{m_i^{old} - m_i} \ell_i^{old} + rowsum(e^{S_i - m_i})$; at last "
        r"$O_i = diag(\ell_i)^{-1} O_i$ and $L_i = m_i + \log(\ell_i)$",
        ["holds", "holds", "holds"],
    ),
    (
        r"Online softmax: $\ell_i = e^{m_i^{old} - m_i} \ell_i^{old} + rowsum(e^{S_i - m_i})$; at last "
        r"$O_i = diag(\ell_i) O_i$",
        ["holds", "fails"],
    ),
    (
        r"With $L_i = m_i + \log(\ell_i)$ we have "
        r"$P_{ij} = e^{S_{ij} - m_i - \log(\ell_i)} = e^{S_{ij} - m_i} e^{\log(\ell_i)}$",
        ["holds", "fails"],
    ),
    # FlashAttention's backward pass without a line for O = PV, or with one of other letters
    (r"$D_i = \sum_d (dO)_{id} \cdot O_{id} = rowsum(dO \circ O)$ and $dS = P \circ (dP - D_i)$", ["holds", "holds"]),
    (r"$O = O_f / l_f$. $D = rowsum(dO \circ O)$ and $dS = P \circ (dP - D_i)$", ["holds", "holds"]),
    (r"$D = rowsum(dO \circ O)$ and $dS = P \circ (dP + D)$", ["holds", "fails"]),
    # derivatives of softmax(x)_i, which has no letter of its own
    (SLOPE + r"\text{softmax}(x_i)(\delta_{ij} - \text{softmax}(x_j))$", ["holds"]),
    (SLOPE + r"\begin{cases} s_i(1 - s_i) & i = j \\ -s_i s_j & i \neq j \end{cases}$", ["holds"]),
    (SLOPE + r"\text{softmax}(x)_i(\delta_{ij} + \text{softmax}(x)_j)$", ["fails"]),
    (SLOPE + r"\begin{cases} s_i(1 + s_i) & i = j \\ -s_i s_j & i \neq j \end{cases}$", ["fails"]),
    # means of vectors
    (RMS + r"$\frac{\partial L}{\partial x} = \frac{1}{r} (g - y \cdot \text{mean}(g \odot y))$", ["holds"]),
    (RMS + r"$\frac{\partial L}{\partial x} = \frac{1}{r} (g + y \cdot \text{mean}(g \odot y))$", ["fails"]),
    # an index ℓ, dropout, and a softmax of linear attention
    (SCORES + r"$D_i = \sum_\ell P_{i\ell} dP_{i\ell} = \sum_\ell P_{i\ell} \sum_k dO_{ik} V_{\ell k}$", ["holds"]),
    (SCORES + r"$D_i = \sum_\ell P_{i\ell} dP_{i\ell} = \sum_\ell P_{i\ell} \sum_k dO_{\ell k} V_{ik}$", ["fails"]),
    (r"$A = Dropout(softmax(\frac{QK^T}{\sqrt{d_k}}))$", ["holds"]),
    (r"$A = Dropout(softmax(\frac{QK}{\sqrt{d_k}}))$", ["fails"]),
    # letters of a recurrence that are said to be what the state was
    (
        "DeltaNet: $\\tilde v_t = S_{t-1}^T k_t$, and so $S_t = S_{t-1} + \\beta_t k_t (v_t - \\tilde v_t)^T$",
        ["holds"],
    ),
    (
        "DeltaNet: $\\tilde v_t = S_{t-1} k_t$, and so $S_t = S_{t-1} + \\beta_t k_t (v_t + \\tilde v_t)^T$",
        ["fails"],
    ),
    # definitions of textbooks: tokens that are queries, keys and values; heads in brackets; primes for indices
    (r"$Y = \text{Softmax}\left[\frac{XX^T}{\sqrt{d}}\right]X$", ["holds"]),
    (r"$Y = X\,\text{Softmax}[XX^T]$", ["fails"]),
    (r"$a_{nm} = \frac{\exp(x_n^T x_m)}{\sum_{m'=1}^{N} \exp(x_n^T x_{m'})}$", ["holds"]),
    (r"$\alpha_{ij} = \text{softmax}_j(\text{score}(x_i, x_j))$", ["holds"]),
    (r"$u_t = W^O [o_{t,1}; o_{t,2}; \ldots; o_{t,n_h}]$", ["holds"]),
    (r"$Y(X) = \text{Concat}[H_1, \ldots, H_H] W^{(o)}$", ["holds"]),
    (r"$\text{SwiGLU}(x, W, V) = \text{Swish}_1(xW) \otimes xV$", ["holds"]),
    (r"$\text{SwiGLU}(x, W, V) = \text{Swish}_1(xW) + xV$", ["fails"]),
    (r"$\text{softmax}(z)_i = \frac{e^{z_i - \max_j z_j}}{\sum_k e^{z_k - \max_j z_j}}$", ["holds"]),
    (r"$\text{LSE}(x) = m + \log \sum_i e^{x_i - m}$", ["holds"]),
    (r"$q^T k = (W c)^T (U b) = c^T W^T U b$", ["holds"]),
    (r"$q^T k = (W c)^T (U b) = c^T W U b$", ["fails"]),
    # a loss of other letters beside a backward pass
    (SCORES + r"$L = -\sum_i y_i \log p_i$ and $dV = P^T dO$", ["holds", "holds"]),
    # products of shapes of any letters
    (r"$$(m, q) \; @ \; (q, m) \longrightarrow (m, m)$$", ["holds"]),
    (r"$$(m, q) \; @ \; (q, m) \longrightarrow (q, q)$$", ["holds-if"]),
    # gradients by scores that are scaled in words; sums over a row
    (SCORES + r"$dQ = dS K$; the scaling by $1/\sqrt{d}$ carries over: $dQ = dS K / \sqrt{d}$", ["holds", "holds-if"]),
    (SCORES + r"$dQ = dS K / \sqrt{d}$", ["fails"]),
    (SCORES + r"$$dS = P \odot (dP - \sum_j (dP_j P_j))$$", ["holds"]),
    (SCORES + r"$$dS = P \odot (dP + \sum_j (dP_j P_j))$$", ["fails"]),
    # sides that shapes decide
    (r"Let $X \in \mathbb{R}^{(n \times d)}$ and $Q ∈ ℝ^(n × k)$. $$Q = W_q X$$", ["fails"]),
    (r"Let $X \in \mathbb{R}^{d \times n}$ and $Q \in \mathbb{R}^{k \times n}$. $$Q = W_q X$$", ["holds"]),
    (
        r"Let $W^O \in \mathbb{R}^{h d_v \times d}$. $$MultiHead(Q, K, V) = W^O \cdot Concat(head_1, ..., head_h)$$",
        ["fails"],
    ),
    (
        r"Let $W^O \in \mathbb{R}^{d \times h d_v}$. $$MultiHead(Q, K, V) = W^O \cdot Concat(head_1, ..., head_h)$$",
        ["holds"],
    ),
    # weights of heads by themselves
    (HEADS + r"$W_i^V \in \mathbb{R}^{d \times v}$, $W^O \in \mathbb{R}^{v \times d}$", ["holds", "holds", "fails"]),
    (HEADS + r"$W_i^V \in \mathbb{R}^{d \times v}$, $W^O \in \mathbb{R}^{h v \times d}$", ["holds"] * 4),
    (HEADS + r"$W_i^V \in \mathbb{R}^{d \times v}$, $W^O \in \mathbb{R}^{h k \times d}$", ["holds"] * 3 + ["holds-if"]),
    # Jacobians of norms
    (
        r"$\frac{\partial \text{RMSNorm}(x)_j}{\partial x_k} = \frac{\gamma_j}{\text{RMS}(x)}"
        r"\left(\delta_{jk} - \frac{x_j x_k}{d \cdot \text{RMS}(x)^2}\right)$",
        ["holds"],
    ),
    (
        r"$\frac{\partial \text{RMSNorm}(x)_j}{\partial x_k} = \frac{1}{\text{RMS}(x)}"
        r"\left(\delta_{jk} - \frac{x_j x_k}{\text{RMS}(x)^2}\right)$",
        ["fails"],
    ),
    (
        r"$\frac{\partial \text{LayerNorm}(x)_i}{\partial x_j} = \frac{1}{\sigma}"
        r"\left(\delta_{ij} - \frac{1}{d} - \frac{\hat{x}_i \hat{x}_j}{d}\right)$",
        ["holds"],
    ),
    (
        r"$\frac{\partial \text{LN}(x_i)}{\partial x_j} = \frac{1}{\sigma}"
        r"\left(\delta_{ij} - \frac{1}{d} - \frac{(x_i - \bar{x})(x_j - \bar{x})}{d \sigma^2}\right)$",
        ["holds"],
    ),
    (r"$\frac{\partial \text{LN}(x)_i}{\partial x_j} = \frac{1}{\sigma}(\delta_{ij} - \frac{1}{d} - A_{ij})$", []),
    # gradients by the mean and by the variance
    (
        NORM + r"$\frac{\partial L}{\partial \sigma^2} = -\frac{1}{2} \sum_i \frac{\partial L}{\partial \hat{x}_i}"
        r" (x_i - \mu) (\sigma^2 + \epsilon)^{-3/2}$",
        ["holds", "holds"],
    ),
    (
        NORM + r"$\frac{\partial L}{\partial \sigma^2} = -\frac{1}{2} \sum_i \frac{\partial L}{\partial \hat{x}_i}"
        r" (x_i - \mu) (\sigma^2 + \epsilon)^{-1/2}$",
        ["holds", "fails"],
    ),
    (NORM + r"$\frac{\partial L}{\partial \mu} = \sum_i \frac{\partial L}{\partial x_i}$", ["holds", "fails"]),
    # ALiBi
    (r"ALiBi slopes: $m_h = (2^{-8/H})^h$", ["holds"]),
    (r"ALiBi slopes: $m_h = 2^{-8} \cdot 2^{-(h-1)/H}$ for $H$ heads", ["fails"]),
]


@pytest.mark.parametrize(("text", "verdicts"), TEXTS, ids=range(len(TEXTS)))
def test_formulas_of_a_text(text: str, verdicts: list[str]) -> None:
    judged = judge_formulas(read_article("a.md", text)).formulas
    said = [each.verdict for each in judged if "in \\mathbb" not in each.text or "W" in each.text]
    assert said[-len(verdicts) :] == verdicts if verdicts else said == []


def test_what_is_said_again_claims_nothing() -> None:
    text = "The output is $Z = \\varphi(V W)$. Computing $Z = \\varphi(V \\cdot W)$ again."
    assert not judge_formulas(read_article("a.md", text)).formulas
