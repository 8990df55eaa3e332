"""Right formulas in spellings of which another reading would be false."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow


def verdicts(text: str, name: str = "a.md") -> list[tuple[int, str]]:
    return [(x.line, x.verdict) for x in check_article(read_article(name, text + "\n")).formulas]


def failing(text: str) -> list[int]:
    return [line for line, verdict in verdicts(text) if verdict == "fails"]


# --- diagonal matrices


@pytest.mark.parametrize("decay", [r"\text{diag}(\alpha_t I)", r"\alpha_t \text{diag}(I)", r"\text{diag}(\alpha_t)"])
def test_the_diagonal_matrix_of_one_is_itself(decay: str) -> None:
    text = "A recurrent state:\n\n$$S_t = S_{t-1} " + decay + " + v_t k_t^T$$"
    assert verdicts(text) == [(3, "holds")]
    assert "holds" not in [verdict for _, verdict in verdicts(text.replace("v_t k_t^T", "k_t^T v_t"))]


# --- inner products


@pytest.mark.parametrize("times", ["×", "·", "@"])
def test_a_dot_between_vectors_binds_less_than_products_of_matrices(times: str) -> None:
    text = "RoPE:\n\n```\nq_m · k_n = q · R_m^T {0} R_n {0} k = q · R_(n-m) {0} k\n```".replace("{0}", times)
    assert verdicts(text.replace("(n-m)", "{n-m}")) == [(4, "holds")]
    assert failing(text.replace("(n-m)", "{m-n}")) == [4]


# --- values of indices


@pytest.mark.parametrize("times", [r"\cdot ", r"\times ", r"\, ", ""])
def test_a_formula_before_gives_no_letter_a_value(times: str) -> None:
    first = rf"$q_m \cdot k = q {times}R_m^T k$" if times else r"$q_m^T + k = q R_m^T$"
    text = "RoPE turns by rotations.\n\n" + first + "\n\n$(R_m q)^T (R_n k) = q^T R_{m-n} k$"
    assert failing(text) == [5]


# --- functions of a letter in brackets


@pytest.mark.parametrize(
    "formula",
    [
        r"A(x) = J(x) J(x)^T", r"A(x) = J(x)^T H(x) J(x)", r"A(x) = J^T(x) J(x) + I", r"u = J(x) v",
        r"A(x) = \mathbf{J}(\mathbf{x})\mathbf{J}(\mathbf{x})^\top",
    ],
)  # fmt: skip
def test_a_letter_in_brackets_may_be_an_argument(formula: str) -> None:
    given = r"With $x \in \mathbb{R}^d$ and $v \in \mathbb{R}^d$:" + "\n\n"
    assert failing(f"{given}$${formula}$$") == []
    assert failing(f"{given}$$u = J x v$$") == [3]


@pytest.mark.parametrize("transposed", [r"R(\phi)^T", r"R(\phi)^\top", r"\mathbf{R}(\phi)^T"])
def test_the_transpose_behind_an_argument_is_that_of_the_matrix(transposed: str) -> None:
    matrix = transposed.partition("^")[0]
    assert failing(rf"It is true that $({matrix}u)^T({matrix}v) = u^T {transposed} {matrix} v$.") == []
    assert failing(rf"It is true that $({matrix}u)^T({matrix}v) = u^T {matrix} {transposed} v$.") != [1, 1]


# --- gradients


def test_the_gradient_by_a_variance_may_be_written_with_a_d() -> None:
    norm = r"$\mu = \frac{1}{D}\sum_{i=1}^{D} x_i$, $\sigma^2 = \frac{1}{D}\sum_{i=1}^{D}(x_i - \mu)^2$, "
    norm += r"$\hat{x}_i = \frac{x_i - \mu}{\sqrt{\sigma^2 + \varepsilon}}$" + "\n\n"
    slope = r"$d\sigma^2 = \sum_{j=1}^{D} d\hat{x}_j (x_j - \mu) (-\frac{1}{2}) (\sigma^2+\varepsilon)^{-3/2}$"
    assert (3, "holds") in verdicts(norm + slope)
    assert failing(norm + slope.replace("-3/2", "-1/2")) == [3]


def test_of_two_scales_of_the_same_scores_nobody_knows_the_right_one() -> None:
    text = r"$C = softmax(\frac{QK^T}{\sqrt{d_k}})V$, $W = \frac{QK^T}{d_k}$, $B = softmax(W)$ and $C = BV$." + "\n\n"
    slope = r"$\frac{\partial L}{\partial Q} = \frac{\partial L}{\partial W}\frac{K}{\sqrt{d_k}}$"
    assert failing(text + slope) == []
    assert failing(text + slope.replace(r"\sqrt{d_k}", "2 d_k")) == [3]
    assert failing(text.partition(", ")[2] + slope) == [3]


def test_a_gradient_without_the_loss_may_be_a_factor() -> None:
    norm = r"Layer normalization of $n$ features: $\hat{X} = \frac{X - \mu}{\sigma}$" + "\n\n"
    slope = r"$\nabla_X = \frac{1}{\sigma}\nabla_{\hat{X}} - \frac{1}{n\sigma}\mathbf{1}\sum_{i=1}^n \nabla_{\hat{X}_i}"
    slope += r" - \frac{1}{n\sigma}\hat{X} \odot (\sum_{i=1}^n \nabla_{\hat{X}_i}\hat{X}_i)$"
    assert (3, "holds") in verdicts(norm + slope)
    assert failing(norm + slope.replace(r" - \frac{1}{n\sigma}\hat", r" + \frac{1}{n\sigma}\hat")) == [3]
    product = r"$O = A V$" + "\n\n" + r"$\nabla_A = \nabla_O V^T$"
    assert verdicts(product)[-1] == (3, "holds")
    assert failing(product.replace("V^T", "V")) == [3]


@pytest.mark.parametrize("size", ["B", "M", "J"])
def test_what_a_sum_ends_at_is_its_length(size: str) -> None:
    norm = r"$\hat{x}_i = \frac{x_i - \mu}{\sqrt{\sigma^2 + \epsilon}}$, $y_i = \gamma \hat{x}_i + \beta$" + "\n\n"
    slope = (
        r"$\frac{\partial L}{\partial x_i} = \frac{\gamma}{\sqrt{\sigma^2 + \epsilon}} [\frac{\partial L}{\partial y_i}"
    )
    slope += r" - \frac{1}{B} \sum_{j=1}^B \frac{\partial L}{\partial y_j}"
    slope += r" - \frac{\hat{x}_i}{B} \sum_{j=1}^B \frac{\partial L}{\partial y_j} \hat{x}_j]$"
    slope = slope.replace("B", size)
    assert (3, "holds") in verdicts(norm + slope)
    assert failing(norm + slope.replace(r"\frac{\hat{x}_i}", r"\frac{2\hat{x}_i}")) == [3]


def test_a_font_goes_where_its_letter_goes() -> None:
    text = r"$\mathbf{O} = \mathbf{A} \mathbf{V}$" + "\n\n"
    text += r"$\frac{\partial L}{\partial \mathbf{V}} = \frac{\partial L}{\partial \mathbf{O}} \mathbf{A}^\top$"
    found = check_article(read_article("a.md", text)).formulas[-1]
    assert (
        found.right
        == r"\frac{\partial L}{\partial \mathbf{V}} = \mathbf{A}^\top \frac{\partial L}{\partial \mathbf{O}}"
    )


def test_a_gradient_that_is_scaled_in_place_may_be_either() -> None:
    text = r"$S = \frac{QK^T}{\sqrt{d_k}}$, $P = softmax(S)$, $A = PV$." + "\n\n"
    scaled = r"Undo the scale: $dS \leftarrow dS / \sqrt{d_k}$" + "\n\n"
    assert failing(text + scaled + "$dQ = dS K$") == []
    assert failing(text + "$dQ = dS K$") == [3]


def test_a_jacobian_needs_no_loss() -> None:
    text = r"With $L_i = m_i + \log(\ell_i)$, row-wise softmax has the Jacobian" + "\n\n"
    text += r"$\frac{\partial P_{ij}}{\partial S_{ik}} = P_{ij}(\delta_{jk} - P_{ik})$"
    assert verdicts(text)[-1] == (3, "holds")
    assert failing(text.replace(r"\delta_{jk} -", r"\delta_{jk} +")) == [3]


BACKWARD = """```python
{0}dP = dO @ V.T
# (B, T, C) @ (B, T, C).T -> (B, T, T)
{0}dS = P * (dP - sum(dP * P))
```"""


def test_sums_in_comments_are_those_of_rows() -> None:
    assert failing(BACKWARD.replace("{0}", "# ")) == []


def test_names_of_tiles_in_comments_are_loose() -> None:
    text = "```python\n# S = K @ Q.T\n# dV = P.T @ dO\n# dQ = dS @ K\n```"
    assert failing(text) == []
    assert failing(text.replace("# ", "")) == [3, 4]
    assert failing(text.replace("dQ = dS @ K", "dQ = 2 * dS @ K")) == [4]


def test_the_change_of_a_letter_is_one_letter() -> None:
    text = r"$y = xW^T$ with $x \in \mathbb{R}^{1 \times m}$ and $W \in \mathbb{R}^{n \times m}$." + "\n\n"
    assert failing(text + r"$\Delta y_j = \sum_{i=1}^m x_i \Delta w_{ji}$") == []


def test_an_outer_product_goes_on_behind_its_sign() -> None:
    text = "```\nQ = X @ W\ndL/dW = X^T @ dL/dQ = Σ_i X[i]^T ⊗ dL/dQ[i]\n```"
    assert verdicts(text)[-1] == (3, "holds")
    assert failing(text.replace("X^T @ dL/dQ", "dL/dQ^T @ X")) == [3]


def test_sizes_of_two_factors_are_not_those_of_the_sides() -> None:
    text = r"With $W = \frac{QK^T}{\sqrt{d_k}}$, $B = softmax(W)$ and $C = BV$:" + "\n\n"
    text += r"$\frac{\partial L}{\partial K} = \frac{\partial L}{\partial W} \frac{Q}{\sqrt{d_k}}$"
    found = check_article(read_article("a.md", text)).formulas[-1]
    assert found.right == r"\frac{\partial L}{\partial K} = (\frac{\partial L}{\partial W})^T \frac{Q}{\sqrt{d_k}}"
    assert found.counterexample is not None and found.counterexample.of_parts


# --- states and blocks


def test_vectors_of_one_width_have_a_square_outer_product() -> None:
    given = r"A recurrence with $S_t \in \mathbb{R}^{D \times D}$, $q_t, k_t, v_t \in \mathbb{R}^D$:" + "\n\n"
    assert failing(given + r"$S_t = S_{t-1} + (q_t \beta_t - S_{t-1} k_t) \otimes v_t$") == []


@pytest.mark.parametrize(("scores", "values"), [("S_{:,j}", "V_j"), ("S_{:,j}", "V_{j,:}"), ("S^{(j)}", "V^{(j)}")])
def test_columns_of_a_step_are_the_block_of_that_step(scores: str, values: str) -> None:
    text = r"""For each block of keys:

$m^{(j)} = \max(m^{(j-1)}, \max(S))$

$\ell^{(j)} = e^{m^{(j-1)} - m^{(j)}} \ell^{(j-1)} + \text{rowsum}(e^{S - m^{(j)}})$

$O^{(j)} = \text{diag}(e^{m^{(j-1)} - m^{(j)}}) O^{(j-1)} + e^{S - m^{(j)}} V$""".replace("S", scores).replace(
        "V", values
    )
    assert verdicts(text) == [(3, "holds"), (5, "holds"), (7, "holds")]
    assert failing(text.replace(r"e^{m^{(j-1)} - m^{(j)}} \ell", r"e^{m^{(j)} - m^{(j-1)}} \ell")) == [5]


def test_an_unbounded_sum_may_be_over_all_keys_so_far() -> None:
    text = r"""The running sum: $\ell_{new} = \sum_{j} e^{x_j - m_{new}}$

For row $i$ and block $j$: $m_i^{new} = \max(m_i, \tilde{m}_{ij})$

$\ell_i^{new} = e^{m_i - m_i^{new}} \ell_i + e^{\tilde{m}_{ij} - m_i^{new}} \tilde{\ell}_{ij}$"""
    assert failing(text) == []
    assert failing(text.replace("x_j - m_{new}", "m_{new} - x_j")) == [1]


def test_sums_from_which_no_maximum_is_taken() -> None:
    text = r"FlashAttention: with $\ell_i = \sum_j \exp(S_{ij})$ we have $P_{ij} = \exp(S_{ij}) / \ell_i$."
    assert failing(text) == []


@pytest.mark.parametrize("total", ["d", "Z", "n", "s"])
def test_softmax_by_a_maximum_and_a_sum_with_letters_of_their_own(total: str) -> None:
    text = r"$m = \max_i x_i$, $d = \sum_{i=1}^N e^{x_i - m}$" + "\n\n" + r"$softmax(x)_i = \frac{e^{x_i - m}}{d}$"
    text = text.replace("$d =", f"${total} =").replace("{d}", f"{{{total}}}")
    assert verdicts(text)[-1] == (3, "holds")
    assert failing(
        text.replace("\n\n$softmax(x)_i = \\frac{e^{x_i - m}}", "\n\n$softmax(x)_i = \\frac{e^{x_i - 2m}}")
    ) == [3]


# --- definitions


@pytest.mark.parametrize("shape", [r"n \times d", r"N \times d_k", r"H W \times C"])
def test_attention_between_features_is_no_attention_between_tokens(shape: str) -> None:
    given = rf"With $Q, K, V \in \mathbb{{R}}^{{{shape}}}$" + "\n\n"
    formula = r"$\mathrm{Attn}(Q, K, V) = V\, \mathrm{softmax}(K^\top Q / \sqrt{d})$"
    assert [each for each in verdicts(given + formula) if each[0] == 3] == []
    first, _, last = shape.rpartition(r" \times ")
    assert (3, "holds") in verdicts(given.replace(shape, rf"{last} \times {first}") + formula)


def test_the_softmax_of_the_scores_of_a_head_is_of_a_matrix() -> None:
    text = r"For head $i$, $A_i = \text{softmax}(S_i)$."
    assert verdicts(text) == [(1, "holds")]
    assert verdicts(text.replace("A_i", "a_i").replace("S_i", "e_i")) == [(1, "holds-if")]


@pytest.mark.parametrize("turned", [r"(\cos(n\theta_j) - i\sin(n\theta_j))", r"e^{-i n\theta_j}"])
def test_what_is_turned_by_the_conjugate_is_turned_back(turned: str) -> None:
    text = r"RoPE turns the key by $k_{r_j} = (k_j + ik_{j+d/2}) X$:" + "\n\n"
    query = r"$\text{Im}(q_{r_j}) = q_j \sin(m\theta_j) + q_{j+d/2} \cos(m\theta_j)$" + "\n\n"
    key = r"$\text{Re}(k_{r_j}) = k_j \cos(n\theta_j) + k_{j+d/2} \sin(n\theta_j)$"
    product = "\n\n" + r"The score is $\langle q_r, k_r \rangle$."
    assert failing(text.replace("X", turned) + query + key + product) == []
    assert failing(text.replace("X", turned.replace("-", "")) + query + key + product) == [5]


def test_the_argument_of_a_layer_has_not_its_inner_width() -> None:
    text = r"""With $X \in \mathbb{R}^{N \times D}$ and $Z_1$:

$$
\begin{aligned}
\tilde{Z}_1 &= \text{LN}(Z_1) \\
\text{FFN}(\tilde{Z}_1) &= W_2 \cdot \text{GELU}(W_1 \tilde{Z}_1 + b_1) + b_2
\end{aligned}
$$

- $W_1 \in \mathbb{R}^{D \times d_{ff}}$, $W_2 \in \mathbb{R}^{d_{ff} \times D}$"""
    assert [each for each in verdicts(text) if each[0] > 8] == []
    rows = text.replace(r"W_2 \cdot \text{GELU}(W_1 \tilde{Z}_1 + b_1)", r"\text{GELU}(\tilde{Z}_1 W_1 + b_1) W_2")
    assert [each[1] for each in verdicts(rows) if each[0] > 8] == ["holds", "holds"]
