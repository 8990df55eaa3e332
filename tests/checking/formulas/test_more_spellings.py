"""Formulas of attention under letters and marks that articles use: each with right ones, and such with one slip."""

import pytest

from symattn import check_article
from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow


def verdicts(text):
    return [found.verdict for found in judge_formulas(read_article("a.md", text + "\n")).formulas]


def table(*cases):
    return pytest.mark.parametrize(("text", "expected"), [(text, expected.split()) for text, expected in cases])


PLAIN_TILES = """Flash attention:

```
S_i^(j) = Q_i K_j^T
m_i^(j) = max(m_i^(j-1), rowmax(S_i^(j)))
P_i^(j) = exp(S_i^(j) - m_i^(j))
l_i^(j) = exp(m_i^(j-1) - m_i^(j)) * l_i^(j-1) + rowsum(P_i^(j))
O_i^(j) = diag(exp(m_i^(j-1) - m_i^(j))) * O_i^(j-1) + P_i^(j) V_j
O_i = diag(l_i^(Tc))^-1 O_i^(Tc)
L_i = m_i^(Tc) + log(l_i^(Tc))
```
"""
TILDE = (
    r"Flash attention: $\tilde{S}_j = Q_i K_j^T / \sqrt{d}$, $m_j = \max(m_{j-1}, \text{rowmax}(\tilde{S}_j))$,"
    r" $\ell_j = e^{m_{j-1} - m_j} \ell_{j-1} + \text{rowsum}(e^{\tilde{S}_j - m_j})$."
)
OPEN = r"Flash attention: $\tilde{O}_i^{(j)} = e^{m_i^{(j-1)} - m_i^{(j)}} \tilde{O}_i^{(j-1)} + \tilde{P}_{ij} V_j$"


FACTOR = "exp(m_i^(j-1) - m_i^(j)) * l"


@table(
    (PLAIN_TILES, "holds " * 7),
    (PLAIN_TILES.replace(FACTOR, "exp(m_i^(j) - m_i^(j-1)) * l"), "holds holds holds fails holds holds holds"),
    (PLAIN_TILES.replace("diag(l_i^(Tc))^-1", "diag(l_i^(Tc))"), "holds " * 5 + "fails holds"),
    (PLAIN_TILES.replace("m_i^(Tc) + log", "m_i^(Tc) - log"), "holds " * 6 + "fails"),
    (TILDE, "holds holds holds"),
    (TILDE.replace("e^{m_{j-1} - m_j}", "e^{m_j - m_{j-1}}"), "holds holds fails"),
    (OPEN, "holds"),
    (OPEN.replace("^{(j-1)} - m_i^{(j)}}", "^{(j)} - m_i^{(j-1)}}"), "fails"),
    (r"Flash attention: $O_i = \text{diag}(\ell_i^{(T_c)})^{-1} \tilde{O}_i^{(T_c)}$", "holds"),
    (r"Flash attention: $O_i = \text{diag}(\ell_i^{(T_c)}) \tilde{O}_i^{(T_c)}$", "fails"),
    (r"A tile: $S_i^{(j)} = Q_i K_j^T$", "holds"),
    (r"A tile: $S_i^{(j)} = Q_i K_j$", "fails"),
)  # fmt: skip
def test_online_softmax_over_tiles(text, expected):
    assert verdicts(text) == expected


@table(
    (r"RMSNorm: $y_i = \frac{x_i}{\sqrt{\frac{1}{n}\sum_{i=1}^n x_i^2}} \cdot g_i$", "holds"),
    (r"RMSNorm: $y_i = \frac{x_i}{\sqrt{\frac{1}{n}\sum_{j=1}^n x_j^2 + \epsilon}} \gamma_i$", "holds"),
    (r"RMSNorm: $y_i = \frac{x_i}{\frac{1}{n}\sum_{j=1}^n x_j^2 + \epsilon} \gamma_i$", "fails"),
    (r"RMSNorm: $\hat{x}_j = \frac{x_j}{\text{RMS}(x) + \epsilon}$", "holds-if"),
    (r"RMSNorm: $\bar{a}_i = \frac{a_i}{\text{RMS}(\mathbf{a})} g_i$", "holds"),
    ("RMSNorm(x) = x / sqrt(mean(x^2) + eps) * gamma", "holds"),
    ("RMSNorm(x) = x * sqrt(mean(x^2) + eps) * gamma", "fails"),
    ("RMSNorm(x) = x / mean(x^2 + eps) * gamma", "fails"),
    ("RMSNorm: y = x * γ / sqrt(mean(x²) + ε)", "holds"),
    ("RMSNorm: RMS(x) = sqrt(sum(x**2) / len(x))", "holds"),
    ("RMSNorm: RMS(x) = sqrt(sum(x**2) * len(x))", "fails"),
    ("RMSNorm: rstd = 1 / sqrt(mean(x^2) + eps)", "holds"),
    ("RMSNorm: rstd = 1 / sqrt(mean(x^2) - eps)", ""),
)
def test_root_mean_square_norms(text, expected):
    assert verdicts(text) == expected


@table(
    ("RoPE angles: theta_i = 10000^(-2i/d), omega_i = 1 / 10000^(2i / d)", "holds holds"),
    ("RoPE angles: theta_i = 10000^(2i/d)", "fails"),
    (r"$PE_{i, 2t} = \sin({i/10000^{2t/d}})$, $PE_{i, 2t+1} = \cos({i/10000^{2t/d}})$", "holds holds"),
    (r"$PE_{i, 2t} = \cos({i/10000^{2t/d}})$", "fails"),
    (r"$P_{i, 2j} = \sin(i/10000^{2j/d})$ and $P_{i, 2j} = A_{ij} B$", "holds"),
)
def test_positions_by_other_letters(text, expected):
    assert verdicts(text) == expected


SUM = r"\sum_i P(i) \log \frac{P(i)}{Q(i)}"


@table(
    (rf"$D_{{KL}}(P \| Q) = {SUM} = H(P, Q) - H(P)$", "holds"),
    (rf"$D_{{KL}}(P \| Q) = {SUM} = H(P) - H(P, Q)$", "fails"),
    (r"$D_{KL}(P \| Q) = H(P, Q) - H(P)$ and $H(P, Q) = -\sum_i P(i) \log Q(i)$", "holds holds"),
    (r"$KL(\hat{y}_T \| \hat{y}_S) = \sum_i \hat{y}_T^{(i)} \log(\hat{y}_T^{(i)} / \hat{y}_S^{(i)})$", "holds"),
    (r"$KL(\hat{y}_T \| \hat{y}_S) = \sum_i \hat{y}_T^{(i)} \log(\hat{y}_S^{(i)} / \hat{y}_T^{(i)})$", "fails"),
    (r"Cross-entropy: $L = -\sum_i y_i \log(\text{softmax}(x_i))$", "holds"),
    (r"Cross-entropy: $L = -\sum_{i=1}^C y_i \log(\text{softmax}(x)_i)$", "holds"),
    (r"Cross-entropy: $L = \sum_i y_i \log(\text{softmax}(x_i))$", "fails"),
)
def test_entropies_and_losses(text, expected):
    assert verdicts(text) == expected


@table(
    (r"$a_{m,n} = \text{softmax}\left(\frac{q_m^T k_n}{\sqrt{d}}\right)$", "holds-if"),
    (r"$\alpha_{ij} = \text{softmax}\left(\frac{Q_i \cdot K_j^T}{\sqrt{d_k}}\right)$", "holds-if"),
    (r"$\alpha_{i,j,h} = \text{softmax}_j(\frac{q_{i,h} k_{j,h}^T}{\sqrt{d_k}})$", "holds"),
    (r"$\alpha_{ij}^h = \text{softmax}_j(\frac{q_i^h \cdot k_j^h}{\sqrt{d_k}})$", "holds"),
    (r"$\alpha_{i,j,h} = \text{softmax}_i(\frac{q_{i,h} k_{j,h}^T}{\sqrt{d_k}})$", ""),  # as slots compete
    (r"$a_{ij} = \text{softmax}(q_i^T k_j)$, $a_{ij} = \text{softmax}(q_i^T k_j / d)$", "holds-if"),
    (r"$\mathrm{lse}_i = \log \sum_j \exp(S_{ij})$", "holds"),
    (r"$\mathrm{lse}_i = m_i + \log \sum_{j=1}^n e^{S_{ij} - m_i}$", "holds"),
    (r"$\mathrm{lse}_i = m_i + \log \sum_j e^{S_{ij} + m_i}$", "fails"),
    (r"$\mathrm{lse}_i = \sum_j \exp(S_{ij})$", "fails"),
)
def test_weights_and_sums_of_a_row(text, expected):
    assert verdicts(text) == expected


MASK = r" with $M_{ij} = \begin{cases} 0 & j \le i \\ -\infty & j > i \end{cases}$"


@table(
    (r"$E = \frac{QK^T}{\sqrt{d_k}}$, $\tilde{E} = E + M$, $A = \text{softmax}(\tilde{E})$", "holds holds holds"),
    (r"$S = (QK^T / \sqrt{d_k}) + M$" + MASK, "holds holds"),
    (r"$S = (QK^T / \sqrt{d_k}) - M$" + MASK, "fails holds"),
    (r"$S = QK^T / \sqrt{d_k}$, $\tilde{S} = S - M$" + MASK, "holds fails holds"),
    (r"$S_{ij} = \frac{q_i^T k_j}{\sqrt{d_k}} + M_{ij}$", "holds"),
    (r"$S_{ij} = \frac{q_i^T k_j}{\sqrt{d_k}} + M_{ji}$", ""),
    ("$S = QK^T$. S_scaled = S / √d_k, A = softmax(S_scaled)", "holds holds holds"),
    (r"$A = \text{softmax}(S + M)$" + MASK, "holds holds"),
)
def test_scores_that_lines_name(text, expected):
    assert verdicts(text) == expected


OF_TOKEN = r"\frac{\phi(q_i)^\top \sum_j \phi(k_j) v_j^\top}{\phi(q_i)^\top \sum_j \phi(k_j)}"


@table(
    (
        rf"$\mathrm{{LinearAttention}}(Q, K, V)_i = {OF_TOKEN}$",
        "holds",
    ),
    (rf"$Attn(Q, K, V)_i = {OF_TOKEN}$", "holds"),
    (
        r"$V'_i = \frac{\phi(Q_i)^\top S_i}{\phi(Q_i)^\top Z_i}$, $S_i = \sum_{j=1}^i \phi(K_j) V_j^\top$,"
        r" $Z_i = \sum_{j=1}^i \phi(K_j)$",
        "holds holds holds",
    ),
    ("Linear attention: output = φ(Q) @ (φ(K)^T @ V)", "holds"),
    ("Linear attention: output = φ(K) @ (φ(Q)^T @ V)", "fails"),
    (r"$\phi(x) = \text{elu}(x) + 1$", "holds"),
    (r"$\phi(x) = \text{ELU}(x) + 1.0$", "holds"),
    (r"$\phi(x) = \text{elu}(x) - 1$", "fails"),
)
def test_linear_attention(text, expected):
    assert verdicts(text) == expected


HELPERS = r"GELU by $u(x) = \sqrt{2/\pi}(x + 0.044715 x^3)$ and $t = \tanh(u)$." + "\n\n"
GELU = r"$\text{GELU}(x) = 0.5 x (1 + t)$" + "\n\n"
ELU = r"$\text{ELU}(x) = \begin{cases} x & x > 0 \\ \alpha(e^x - 1) & x \leq 0 \end{cases}$" + "\n\n"
SWISH = r"The sigmoid is σ. $\text{Swish}(x) = x \cdot \sigma(\beta x)$" + "\n\n"


@table(
    (HELPERS + r"$\text{GELU}(x) = 0.5 x (1 + t)$", "holds"),
    (HELPERS + r"$\text{GELU}(x) = \frac{1}{2} x (1 - t)$", "fails"),
    (HELPERS + GELU + r"$\text{GELU}'(x) = 0.5(1 + t) + 0.5x \cdot \frac{dt}{dx}$", "holds holds"),
    (HELPERS + GELU + r"$\text{GELU}'(x) = 0.5(1 + t) - 0.5x \cdot \frac{dt}{dx}$", "holds fails"),
    (HELPERS + r"$\frac{dt}{dx} = (1 - t^2) \cdot u'(x)$", "holds"),
    (HELPERS + r"$\frac{dt}{dx} = (1 + t^2) \cdot u'(x)$", "fails"),
    (HELPERS + r"$u'(x) = \sqrt{2/\pi}(1 + 3 \cdot 0.044715 x^2)$", "holds"),
    (HELPERS + r"$u'(x) = \sqrt{2/\pi}(1 - 3 \cdot 0.044715 x^2)$", "fails"),
    (r"GELU: $t = \sqrt{2/\pi}(x + 0.044715 x^3)$, $\frac{d}{dx}\tanh(t) = (1 - \tanh^2(t)) \cdot t'$", "holds"),
    (r"GELU: $\frac{d}{dx}[x \Phi(x)] = 1 \cdot \Phi(x) + x \cdot \Phi'(x)$", "holds"),
    (r"$\frac{d}{dx} \text{GELU}(x) = \frac{d}{dx}[x \Phi(x)] = 1 \cdot \Phi(x) - x \cdot \Phi'(x)$", "fails"),
    (r"$\Phi(x) = \frac{1}{2}(1 + \text{erf}(\frac{x}{\sqrt{2}}))$", "holds"),
    (r"$\phi(x) = \frac{1}{\sqrt{2\pi}} e^{-x^2/2}$", "holds"),
    (r"$\Phi(x) = \frac{1}{2}(1 + \text{erf}(\frac{x}{2}))$, $\phi(x) = \frac{1}{2\pi} e^{-x^2/2}$", "fails fails"),
    (r"$\phi(x) = e^{-x^2/2}$", ""),  # a feature map
    (ELU + r"$\text{ELU}'(x) = \begin{cases} 1 & x > 0 \\ \text{ELU}(x) + \alpha & x \leq 0 \end{cases}$", "holds"),
    (ELU + r"$\text{ELU}'(x) = \begin{cases} 1 & x > 0 \\ \text{ELU}(x) - \alpha & x \leq 0 \end{cases}$", "fails"),
    (SWISH + r"$\text{Swish}'(x) = \sigma(\beta x) + \beta x \sigma(\beta x)(1 - \sigma(\beta x))$", "holds holds"),
    (SWISH + r"$\text{Swish}'(x) = \sigma(\beta x) + x \sigma(\beta x)(1 - \sigma(\beta x))$", "holds fails"),
)  # fmt: skip
def test_activations_and_their_slopes(text, expected):
    assert verdicts(text) == expected


@table(
    (r"MLA: $k^R_t = \text{RoPE}(W^{KR} h_t)$, $c^Q = RmsNorm(x \cdot W^{DQ})$", "holds holds"),
)
def test_what_is_turned_or_normalised_behind_a_projection(text, expected):
    assert verdicts(text) == expected


TURN = r"\begin{pmatrix} \cos m\theta & -\sin m\theta \\ \sin m\theta & \cos m\theta \end{pmatrix}"
COLUMN = r"\begin{pmatrix} q_0 \\ q_1 \end{pmatrix}"
NEW = r"\begin{pmatrix} q_0' \\ q_1' \end{pmatrix}"


@table(
    (rf"${NEW} = {TURN} {COLUMN}$", "holds"),
    (rf"${NEW} = {TURN.replace('& -', '& ')} {COLUMN}$", "fails"),
    (rf"RoPE: ${NEW} = R(\theta) {COLUMN}$", "holds"),
    (rf"RoPE: ${NEW} = R(\theta) " + r"\begin{pmatrix} q_1 \\ q_0 \end{pmatrix}$", "fails"),
    (rf"RoPE: $\text{{Rotated}} {COLUMN} = {TURN} \cdot {COLUMN}$", "holds"),
    (r"RoPE: $x' = R(m\theta_i) x$, $q'_m = R_m q_m$, $q_m = R_{\Theta, m} W_q x_m$", "holds holds holds"),
    (r"RoPE: $q'_m = R_n q_m$, $k_n = R_{\Theta, m} W_k x_n$", "fails fails"),
    (r"RoPE: $q_m = R_{\Theta, m} W_k x_m$", ""),
    (r"RoPE: $\text{Score} = (R_m q)^T (R_n k)$", "holds"),
    (r"RoPE: $q_{rot} = (q_0 + i q_1)(\cos m\theta + i \sin m\theta)$", "holds"),
    (r"RoPE: $k_{rot} = (k_0 + i k_1)(\cos m\theta - i \sin m\theta)$", "holds-if"),
)
def test_rotated_vectors_by_name(text, expected):
    assert verdicts(text) == expected


@table(
    ('$ "Attention"(Q, K, V) = "softmax"((Q K^T) / sqrt(d_k)) V $', "holds"),
    ('$ "Attention"(Q, K, V) = "softmax"((Q K^T) / d_k) V $', "fails"),
    ("$ attention(Q, K, V) = softmax((Q K^TT) / sqrt(d_k)) V $", "holds"),
    ("$ attention(Q, K, V) = softmax((Q^TT K) / sqrt(d_k)) V $", "fails"),
)
def test_typst(text, expected):
    assert verdicts(text) == expected


@table(
    (r"$\text{score}_{dot}(q, k) = q^T k$, $\text{score}_{scaled}(q, k) = \frac{q^T k}{\sqrt{d_k}}$", "holds holds"),
    (r"$\text{score}_{scaled}(q, k) = \frac{q k}{\sqrt{d_k}}$", "fails"),
    (r"$\text{score}_{add}(q, k) = v_a^T \tanh(W_q q + W_k k)$", "holds"),
    (r"Additive: $\text{score}_{add}(q, k) = v_a^T (W_q q + W_k k)$", "fails"),
    (r"$\text{score}_{ALiBi}(q_i, k_j) = \frac{q_i \cdot k_j}{\sqrt{d_k}} - m \cdot |i - j|$", "holds"),
    (r"$\text{score}_{ALiBi}(q_i, k_j) = \frac{q_i \cdot k_j}{\sqrt{d_k}} + m \cdot |i - j|$", "fails"),
    (r"ALiBi: head $h$ of $H$ has the slope $m = 2^{-\frac{8h}{H}}$", "holds"),
    (r"ALiBi: head $h$ of $H$ has the slope $m = 2^{\frac{8h}{H}}$", "fails"),
    (r"RoPE: $\text{RoPE}(x) = x \odot \cos + \text{rotate\_half}(x) \odot \sin$", "holds"),
    (r"$q = a \cdot W^q$, $k = a \cdot W^k$", "holds holds"),
    (r"$c_t = W_c x_t$", "holds"),
    ("The embedding: Token_Embedding = vocab_size × d_model", "holds"),
    ("The embedding: Token_Embedding = vocab_size × d_model × d_model", ""),
)
def test_scores_projections_and_counts_by_name(text, expected):
    assert verdicts(text) == expected


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (r"$h(x)=\tanh(x)$, so $h'(x)=1-h(x)^2$", "holds"),
        (r"$h(x)=\tanh(x)$, so $h'(x)=1+h(x)^2$", "fails"),
        (r"$u(x)=e^{-x}$, so $u'(x)=-u(x)$", "holds"),
        (r"$s(x)=\frac{1}{1+e^{-x}}$, $s'(x)=s(x)(1-s(x))$", "holds"),
        (r"$s(x)=\frac{1}{1+e^{-x}}$, $\text{SiLU}(x)=x s(x)$", "holds"),
        (r"$s(x)=\frac{1}{1+e^{-x}}$, $\text{SiLU}(x)=s(x)$", "fails"),
        (r"$r(x)=\max(0,x)$ and $\text{ReLU}(x)=r(x)$", "holds"),
    ],
)
def test_a_function_of_the_article_is_applied(text: str, verdict: str) -> None:
    assert [x.verdict for x in check_article(text + "\n").formulas] == [verdict]
