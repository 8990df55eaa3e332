"""What has the name or the look of a usual form and may be another one: neither false nor right."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow


def verdicts(text):
    return [found.verdict for found in judge_formulas(read_article("a.md", text + "\n")).formulas]


def table(*cases):
    return pytest.mark.parametrize(("text", "expected"), [(text, expected.split()) for text, expected in cases])


@table(
    (r"RMSNorm differs from $y_i = \frac{x_i}{\sqrt{\sum_{j=1}^n x_j^2}}$ by a factor.", ""),
    ("Beside RMSNorm there is norm(x) = x / sqrt(sum(x^2)).", ""),
    ("RMSNorm: norm(x) = x / sqrt(mean(x^2) + eps)", "holds"),
    (r"RMSNorm: $y_i = \frac{x_i}{\sqrt{\frac{1}{n} \sum_{j=1}^n x_j^2}}$", "holds"),
)
def test_norms_beside_rms_norm(text, expected):
    assert verdicts(text) == expected


@table(
    (r"A feature map: $\phi(x) = e^{-\pi x^2}$", ""),
    (r"$\phi(x) = \frac{1}{\sqrt{\pi}} e^{-x^2}$ has the variance 1/2.", ""),
    (r"$\phi(x) = \frac{1}{2\pi} e^{x}$", ""),
    (r"$\phi(x) = \frac{1}{\sqrt{2\pi}} e^{-x^2/2}$", "holds"),
    (r"The standard normal: $\phi(x) = \frac{1}{2\pi} e^{-x^2/2}$", "fails"),
)
def test_maps_with_pi(text, expected):
    assert verdicts(text) == expected


@table(
    (r"$\mathrm{lse}_i = \log \sum_{j \le i} \exp(S_{ij})$", ""),
    (r"$\mathrm{lse}_i = \log \sum_{j=1}^{i} \exp(S_{ij})$", ""),
    (r"$\mathrm{lse}_i = \log(1 + \sum_j \exp(S_{ij}))$", ""),
    (r"$\mathrm{lse}_i = \log_2 \sum_j 2^{S_{ij}}$", ""),
    (r"$\mathrm{lse}_i = \log \sum_j \exp(S_{ij} - m_i)$", ""),
    (r"$\mathrm{lse}_i = \log \frac{1}{n} \sum_{j=1}^n \exp(S_{ij})$", ""),
    (r"$\mathrm{lse}_i = -\log \sum_j \exp(-D_{ij})$", ""),
    (r"$\mathrm{lse}_i = \log \sum_{j=1}^n \exp(S_{ij})$", "holds"),
)
def test_other_sums_by_the_name_of_the_log_sum(text, expected):
    assert verdicts(text) == expected


MASK = r"$M_{ij} = \begin{cases} 0 & j \le i \\ -\infty & j > i \end{cases}$"


@table(
    (r"$\tilde{S} = S - M$ with $M_{ij} = \max_k S_{ik}$; the mask is " + MASK, "holds"),
    (r"The mask is " + MASK + r". $S = QK^T/\sqrt{d_k} - M$", "holds fails"),
    (r"$S_{ij} = \frac{q_j^T k_i}{\sqrt{d_k}} + M_{ij}$", ""),
    (r"$S_{ij} = \frac{q_i^T k_j}{\sqrt{d_k}} + M_{ij}$", "holds"),
    (r"$M$ is 1 where a key is seen and 0 elsewhere. $S = QK^T/\sqrt{d_k} + M$", ""),
    (r"$S = KQ^T/\sqrt{d_k} + M$ with softmax over columns", ""),
)
def test_masks_and_scores_of_another_kind(text, expected):
    assert verdicts(text) == expected


@table(
    (r"$\alpha_{ij} = \text{softmax}_j(Q_i^T + K_j)$", ""),
    (r"$\alpha_{ij} = \text{softmax}_j(q_i - k_j)$", ""),
    (r"$\alpha_{ij} = \text{softmax}_j(q_i^T k_j)$", "holds"),
)
def test_a_softmax_of_what_is_no_score(text, expected):
    assert verdicts(text) == expected


REFLECTION = r"\begin{pmatrix} \cos\theta & \sin\theta \\ \sin\theta & -\cos\theta \end{pmatrix}"
COLUMN = r"\begin{pmatrix} q_0 \\ q_1 \end{pmatrix}"
NEW = r"\begin{pmatrix} q_0' \\ q_1' \end{pmatrix}"


@table(
    (r"RoPE: for head $a$ at position $m$, $q'_a = R_m q_a$", ""),
    (r"RoPE: keys are moved on by $s$, $k'_n = R_s k_n$", ""),
    (r"RoPE: $q'_m = R_{-m} q_m$, $q'_m = R_{m+1} q_m$, $k'_n = R_{2n} k_n$", ""),
    (r"RoPE: $\text{Score} = (R_m q)^T (R_{n-m} k)$", ""),
    (r"RoPE: $\text{Score} = (R_m q)^T (R_n k)$", "holds"),
    (rf"RoPE: $\text{{Reflected}} {COLUMN} = {REFLECTION} {COLUMN}$", ""),
    (rf"A reflection: ${NEW} = {REFLECTION} {COLUMN}$", ""),
)
def test_rotations_by_other_letters_and_reflections(text, expected):
    assert verdicts(text) == expected


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (r"RoPE: $q_m = R_{\Theta, m} W_q x_n$", r"q_m = R_{\Theta, m} W_q x_m"),
        (
            r"ALiBi: $\text{score}_{ALiBi}(q_i, k_j) = q_i \cdot k_j - m (j - i)$",
            r"\text{score}_{ALiBi}(q_i, k_j) = q_i \cdot k_j + m (j - i)",
        ),
    ],
)
def test_what_is_right_instead(text, right):
    assert [found.right for found in judge_formulas(read_article("a.md", text + "\n")).formulas] == [right]


TILES = r"Tiles: $Q_i \in \mathbb{R}^{B_r \times d}$, "


@table(
    (r"FlashAttention backward in blocks: $dS_{ij} = P_{ij}(dP_{ij} - D_j)$", "fails"),
    (r"FlashAttention backward in blocks: $dS_{ij} = P_{ji}(dP_{ij} - D_i)$", "fails"),
    (r"FlashAttention backward in blocks: $dS_{ij} = P_{ij}(dP_{ij} - D_i)$", "holds-if"),
    (r"For the column P of one query: $dS = P \odot (dP - P^T dP)$", ""),
    (r"A tile: $S_i^{(j)} = Q_j K_i^T$", ""),
    (TILES + r"$K_j \in \mathbb{R}^{B_c \times d}$, $S_i^{(j)} = Q_i K_j^T$", "holds holds holds"),
    (TILES + r"$K_j \in \mathbb{R}^{d \times B_c}$, $S_i^{(j)} = Q_i K_j$", "holds holds"),
)
def test_blocks_by_their_indices_and_shapes(text, expected):
    assert verdicts(text) == expected


@table(
    (r"$\Phi(x) = \text{erf}(x)$ and $\text{GELU}(x) = \frac{x}{2}(1 + \Phi(x/\sqrt{2}))$", ""),
    (r"Bağımsız bileşenler, ortalama 0, varyans 2: $\text{Var}(q \cdot k) = 4 d_k$", ""),
    (r"Независимые компоненты с дисперсией 2 и средним 0: $\text{Var}(q \cdot k) = 4 d_k$", ""),
    (r"Não são independentes, com média 0 e variância 1: $\text{Var}(q \cdot k) = d_k$", ""),
    (r"Cross-entropy: $L = -\sum_i y_i \log(1 - \text{softmax}(x_i))$", ""),
    (r"Cross-entropy: $L = -\sum_i x_i \log(\text{softmax}(x_i))$", ""),
    (r"Cross-entropy: $L = -\sum_i y_i \log(\text{softmax}(x_i))$", "holds"),
)
def test_other_functions_moments_and_losses(text, expected):
    assert verdicts(text) == expected


def test_embeddings_of_positions_have_no_row_for_each_word():
    assert verdicts("Position embeddings: Position_Embedding = vocab_size × d_model") == []
