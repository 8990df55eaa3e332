"""Printed definitions: right in every usual form, false with a typical slip, silence where another thing is meant."""

from __future__ import annotations

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow


def verdicts(text: str) -> dict[str, str]:
    """The verdict on each formula of a text."""
    return {each.text: each.verdict for each in judge_formulas(read_article("a.md", text + "\n")).formulas}


def mended(text: str) -> list[str | None]:
    return [
        each.right for each in judge_formulas(read_article("a.md", text + "\n")).formulas if each.verdict == "fails"
    ]


ATTENTION = r"\text{Attention}(Q, K, V) = "
RIGHT = [
    ATTENTION + r"\text{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V",
    ATTENTION + r"\text{softmax}\left(\frac{QK^\top}{\sqrt{d_k}} + M\right)V",
    r"\mathbf{Z} = \text{softmax}\left(\frac{\mathbf{Q}\mathbf{K}^\top}{\sqrt{d}}\right)\mathbf{V}",
    r"\text{Attn}(X) = \text{softmax}\left(\frac{X W_Q W_K^T X^T}{\sqrt{d_k}}\right) X W_V",
    r"\text{MultiHead}(Q,K,V) = \text{Concat}(\text{head}_1, \ldots, \text{head}_h) W^O",
    r"\text{head}_i = \text{Attention}(QW_i^Q, KW_i^K, VW_i^V)",
    r"\text{head}_i = \text{Attention}(W_i^Q Q, W_i^K K, W_i^V V)",
    r"\text{head}_i = \text{Attention}(Q_i, K_{\lceil i g/h \rceil}, V_{\lceil i g/h \rceil})",
    r"\alpha_{ij} = \frac{\exp(e_{ij})}{\sum_{k=1}^{T} \exp(e_{ik})}",
    r"\alpha_{ij} = \frac{\exp(q_i^\top k_j / \sqrt{d_k})}{\sum_{l=1}^{T} \exp(q_i^\top k_l / \sqrt{d_k})}",
    r"c_i = \sum_{j=1}^{T} \alpha_{ij} h_j",
    r"z_1 = a_{11} v_1 + a_{12} v_2 + a_{13} v_3",
    r"S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_k}}",
    r"e_{ij} = v_a^T \tanh(W_a s_{i-1} + U_a h_j)",
    r"\text{score}(h_t, \bar{h}_s) = h_t^\top W_a \bar{h}_s",
    r"\text{score}(h_t, \bar{h}_s) = v^\top \tanh(W [h_t; \bar{h}_s])",
    r"\text{softmax}(x_i) = \frac{e^{x_i}}{\sum_{j=1}^{n} e^{x_j}}",
    r"\sigma(z)_i = \frac{e^{z_i}}{\sum_{j=1}^K e^{z_j}}",
    r"\text{LayerNorm}(x) = \gamma \odot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta",
    r"\text{RMSNorm}(x) = \frac{x}{\sqrt{\frac{1}{d}\sum_{i=1}^d x_i^2 + \epsilon}} \odot \gamma",
    r"\sigma^2 = \frac{1}{d}\sum_{i=1}^d (x_i-\mu)^2",
    r"\text{FFN}(x) = \max(0, xW_1 + b_1)W_2 + b_2",
    r"\text{FFN}(x) = W_2 \, \text{GELU}(W_1 x + b_1) + b_2",
    r"\text{SwiGLU}(x) = (\text{Swish}(xW) \odot xV) W_2",
    r"\text{Swish}_1(x) = x \sigma(x)",
    r"\text{Swish}_2(x) = x \sigma(2x)",
    r"\text{Swish}_\beta(x) = x \sigma(\beta x)",
    r"\text{Swish}_\beta(x) = \frac{x}{1 + e^{-\beta x}}",
    r"\text{softplus}(x) = \ln(1 + e^x)",
    r"\text{GELU}(x) = x \Phi(x)",
    r"\text{GELU}(x) = 0.5 x \left(1 + \tanh\left[\sqrt{2/\pi}\,(x + 0.044715 x^3)\right]\right)",
    r"\text{SiLU}(x) = \frac{x}{1 + e^{-x}}",
    r"PE_{(pos, 2i+1)} = \cos(pos / 10000^{2i/d_{model}})",
    r"(AB)^T = B^T A^T",
    r"Q = XW_Q",
]


@pytest.mark.parametrize("formula", RIGHT)
def test_a_usual_form_holds(formula: str) -> None:
    assert verdicts(f"$${formula}$$") == {formula: "holds"}


SCALED = r"\text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V"
WRONG = [  # left side, the slip, what should stand there
    (ATTENTION, r"\text{softmax}\left(\frac{QK}{\sqrt{d_k}}\right)V", SCALED),
    (ATTENTION, r"\text{softmax}\left(\frac{QK^T}{d_k}\right)V", SCALED),
    (ATTENTION, r"\text{softmax}\left(\frac{QK^TV}{\sqrt{d_k}}\right)", SCALED),
    (ATTENTION, r"\text{softmax}\left(\frac{QV^T}{\sqrt{d_k}}\right)K", SCALED),
    (ATTENTION, r"\frac{\text{softmax}(QK^T)}{\sqrt{d_k}}V", r"\text{softmax}(\frac{QK^T}{\sqrt{d_k}})V"),
    (r"\alpha_{i} = ", r"\frac{e_{i}}{\sum_{k} e_{k}}", r"\frac{\exp(e_{i})}{\sum_{k} \exp(e_{k})}"),
    (r"\text{softmax}(x)_i = ", r"\frac{e^{x_i}}{\sum_{j} x_j}", r"\frac{e^{x_i}}{\sum_{j} \exp(x_j)}"),
    (
        r"\text{LayerNorm}(x) = ",
        r"\gamma \odot \frac{x - \mu}{\sigma^2 + \epsilon} + \beta",
        r"\gamma \odot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta",
    ),
    (r"\text{SiLU}(x) = ", r"z \sigma(z)", r"x \sigma(x)"),
    (r"\sigma(x) = ", r"\frac{1}{1+e^{x}}", r"\frac{1}{1+e^{-x}}"),
    (r"PE_{(pos, 2i+1)} = ", r"\cos(pos / 10000^{(2i+1)/d})", r"\cos(pos / 10000^{(2i)/d})"),
    (r"\text{score}(h_t, \bar{h}_s) = ", r"h_t W_a \bar{h}_s", r"h_t^T W_a \bar{h}_s"),
]


@pytest.mark.parametrize(("left", "slip", "right"), WRONG)
def test_a_slip_is_found_and_mended_in_the_authors_letters(left: str, slip: str, right: str) -> None:
    assert mended(f"$${left}{slip}$$") == [left + right]
    assert verdicts(f"$${left}{right}$$") == {left + right: "holds"}


def test_a_transposed_index_is_found_where_the_article_says_which_counts_the_queries() -> None:
    wrong = r"\alpha_{ij} = \frac{\exp(e_{ij})}{\sum_{k} \exp(e_{kj})}"
    assert (
        "fails" not in verdicts(f"$${wrong}$$").values()
    )  # the columns of this matrix may be what softmax is taken of
    assert verdicts(rf"$${wrong}$$ and $o_i = \sum_j \alpha_{{ij}} v_j$")[wrong] == "fails"


OTHERS = [
    r"$$\text{Attention}(Q,K,V) = \text{softmax}(\beta Q K^T) V$$",
    r"$$\text{Attention}(Q,K,V) = \sigma\left(\frac{QK^T}{\sqrt{d_k}}\right)V$$",
    r"$$\text{Attention}(Q,K,V) = \phi(Q)(\phi(K)^T V)$$",
    r"$$\text{Attention}(Q,K,V) = \text{softmax}\left(\frac{QK^T}{d}\right)V$$ under µP",
    r"A naive version, $\text{Attention}(Q,K,V) = \text{softmax}(QK)V$, does not fit.",
    r"This is ❌: $\text{Attention}(Q,K,V) = \text{softmax}(QK)V$",
    r"错误写法：$\text{Attention}(Q,K,V) = \text{softmax}(QK)V$",
    r"$$\text{RMSNorm}(x) = \frac{x}{\sqrt{\text{mean}(x^2)}} \cdot (1 + w)$$",
    r"$$\text{LayerNorm}(x) = \gamma \cdot \frac{x - \mu}{\sigma + \epsilon} + \beta$$",
    r"The unbiased variance is $\sigma^2 = \frac{1}{n-1}\sum_{i=1}^n (x_i - \mu)^2$ for a standard deviation.",
    r"$$\alpha_{ij} = \frac{\exp(e_{ij})}{\sum_{m\in\mathcal{N}(i)}\exp(e_{im})}, \quad o_i = \sum_j \alpha_{ij} v_j$$",
    r"Pre-LN moves the norm from $\text{LN}(x + F(x))$ to $x + F(\text{LN}(x))$.",
    r"Rotations are orthogonal: $R^T R = R R^T = I$.",
    r"$$A B = B A$$",
    r"$$x^{(2)} = x^{(1)} + \text{FFN}(x^{(1)})$$",
]


@pytest.mark.parametrize("text", OTHERS)
def test_another_convention_or_a_quoted_mistake_does_not_fail(text: str) -> None:
    assert "fails" not in verdicts(text).values()


@pytest.mark.parametrize(
    "formula",
    [
        r"\text{Swish}_\beta(x) = x \sigma(x)",  # for β = 1 alone
        r"\text{SiLU}_2(x) = x \sigma(x)",
        r"\text{sigmoid}_T(x) = \frac{1}{1 + e^{-x}}",
        r"\tanh_a(x) = \frac{e^x - e^{-x}}{e^x + e^{-x}}",
    ],
)
def test_one_of_a_family_is_not_said_to_be_the_usual_function(formula: str) -> None:
    assert verdicts(f"$${formula}$$") == {}


def test_tokens_are_columns_where_the_article_says_so() -> None:
    formula = r"\text{Attention}(Q,K,V)=\text{softmax}\left(\frac{Q^TK}{\sqrt{d_k}}\right)V"
    right = r"\text{Attention}(Q,K,V)=V \text{softmax}\left(\frac{K^TQ}{\sqrt{d_k}}\right)"
    assert mended(f"Every vector is a column of $Q$, $K$, $V$. $${formula}$$") == [right]
    assert verdicts(f"Every vector is a column. $${right}$$") == {right: "holds"}


def test_the_slip_is_told_where_it_was_made() -> None:
    text = r"$$S = \frac{QK^T}{d_k}$$ $$A = \text{softmax}(S)$$ Then $\text{Attention}(Q, K, V) = AV$."
    assert mended(text) == [r"S = \frac{QK^T}{\sqrt{d_k}}"]


def test_conditions_are_said() -> None:
    [found] = judge_formulas(read_article("a.md", r"$\text{Attention}(Q,K,V) = \text{softmax}(QK^T)V$" + "\n")).formulas
    assert (found.verdict, str(found.condition)) == ("holds-if", "the scores are not scaled")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (r"**Pre-LN**: $x + \text{Sublayer}(\text{LayerNorm}(x))$", "holds"),
        (r"**Pre-LN**: $x + \text{LayerNorm}(\text{Sublayer}(x))$", "fails"),
        (r"**Post-LN**: $\text{LayerNorm}(x + \text{Sublayer}(x))$", "holds"),
        (r"**Post-LN**: $x + \text{LayerNorm}(\text{Sublayer}(x))$", "fails"),
        (r"**Pre-LN**: $\text{LayerNorm}(x + \text{Sublayer}(x))$", "fails"),
        (r"**Res-Post-Norm**: $x + \text{LayerNorm}(\text{Sublayer}(x))$", None),
    ],
)
def test_where_the_norm_stands(text: str, verdict: str | None) -> None:
    assert list(verdicts(text).values()) == ([] if verdict is None else [verdict])


def test_a_chain_holds_only_if_all_of_it_does() -> None:
    assert verdicts(r"$$\text{Swish}(z) = z \cdot \sigma(z) = \frac{z}{1 + e^{-z}}$$") != {}
    assert "holds" not in verdicts(r"$$\text{Swish}(z) = z \cdot \sigma(z) = \frac{1}{1 + e^{-z}}$$").values()


WITHOUT_SOFTMAX = [
    (
        ATTENTION + r"\frac{QK^T}{\sqrt{d_k}} \cdot V",
        ATTENTION + r"\text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right) \cdot V",
    ),
    (ATTENTION + r"\text{softmax}(\frac{QK^T}{\sqrt{d_k}})", ATTENTION + r"\text{softmax}(\frac{QK^T}{\sqrt{d_k}}) V"),
    ("Attention(Q, K, V) = (Q K^T / sqrt(d_k)) V", "Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V"),
]


@pytest.mark.parametrize(("formula", "right"), WITHOUT_SOFTMAX)
def test_softmax_or_values_left_out(formula: str, right: str) -> None:
    assert mended(f"${formula}$" if "\\" in formula else f"`{formula}`") == [right]


def test_linear_attention_leaves_softmax_out_on_purpose() -> None:
    assert mended(rf"Linear attention: ${ATTENTION}(QK^T) V$") == []


def test_values_may_be_the_keys() -> None:
    formula = r"\text{Attention}(Q, V) = \text{softmax}\left(\frac{QV^T}{\sqrt{d_k}}\right) V"
    assert verdicts(f"${formula}$") == {formula: "holds"}


def test_a_side_of_a_chain_that_is_another_than_the_right_one_is_false() -> None:
    assert mended("$$FFN(Z) = Relu(Z)W_2 + b_2 = max(0, ZW_1 + b_1)W_2 + b_2$$") == [
        "FFN(Z) = max(0, ZW_1 + b_1)W_2 + b_2"
    ]


def test_factors_of_plain_text_are_parted() -> None:
    formula = "FFN(x) = max(0, xW_1 + b_1)W_2 + b_2"
    assert verdicts(f"```\n{formula}\n```") == {formula: "holds"}


@pytest.mark.parametrize(
    ("formula", "right"),
    [
        (r"PE_{(pos, 2i)} = \sin(pos/10000^{2i}/d)", r"PE_{(pos, 2i)} = \sin(pos/10000^{2i/d})"),
        (r"\omega_k = \frac{1}{10000^{2k}/d}", r"\omega_k = \frac{1}{10000^{2k/d}}"),
    ],
)
def test_a_width_that_slipped_out_of_the_exponent(formula: str, right: str) -> None:
    assert mended(f"${formula}$") == [right]


def test_positions_by_wavelengths() -> None:
    text = r"\text{PE}(m)_{2i} = \sin(m/\theta_i), \quad \text{PE}(m)_{2i+1} = \cos(m/\theta_i)"
    text += r", \quad \theta_i = 10000^{2i/d}"
    assert list(verdicts(f"$${text}$$").values()) == ["holds"] * 3


def test_where_the_norm_stands_in_lines_of_text_and_of_programs() -> None:
    text = "# Post-LN (first)\nx = x + LayerNorm(Sublayer(x))\n\n# Pre-LN\nx = x + Sublayer(LayerNorm(x))"
    assert list(verdicts(f"```python\n{text}\n```").values()) == ["fails", "holds"]
    assert mended("Pre-norm: LayerNorm(x) + Sublayer(x)") == ["x + Sublayer(LayerNorm(x))"]
    assert list(verdicts("It is LayerNorm(x + Sublayer(x)), by definition.").values()) == ["holds"]


def test_a_projection_has_the_order_that_stated_shapes_ask_for():
    shapes = r"Let $X \in \mathbb{R}^{m \times v}$ and $Q \in \mathbb{R}^{m \times q}$."
    assert "holds" in verdicts(shapes + "\n\n$$Q = X W_q$$")["Q = X W_q"]
    assert verdicts(shapes + "\n\n$$Q = W_q X$$")["Q = W_q X"] == "fails"
    assert verdicts("$$Q = W_q X$$")["Q = W_q X"] == "holds"


PARITY = "For a position pos the feature is computed by a sine if {} and by a cosine if {}:\n\n"


def test_a_condition_on_even_features_is_one_of_formulas_that_do_not_say_it():
    words = PARITY.format("the index is even", "it is odd")
    text = words + r"$$PE(pos, 2i+1) = \cos(pos / 10000^{(2i+1)/d_{model}})$$" + "\n"
    assert list(verdicts(text).values()) == ["fails"]
    own = words + r"$$PE(pos, i) = \sin(pos / 10000^{i/d_{model}})$$" + "\n"
    assert "fails" not in verdicts(own).values()


@pytest.mark.parametrize(
    ("given", "formula", "expected"),
    [
        ("$Q = X W_Q$, $K = X W_K$", r"A = \text{softmax}(Q^T K / \sqrt{d_k})", "fails"),
        ("$Q = X W_Q$, $K = X W_K$", r"A = \text{softmax}(Q K^T / \sqrt{d_k})", "holds"),
        ("$Q = X W_Q$, $K = X W_K$", "S = Q^T K", "fails"),
        ("$Q = X W_Q$, $K = X W_K$: attention between channels", "S = Q^T K", "holds"),
        ("$Q = W_Q X$, $K = W_K X$", "S = Q^T K", "holds"),
        ("$Q = X W_Q$, $K = W_K X$", "S = Q^T K", "holds-if"),  # no order of its own
    ],
)
def test_projections_from_the_right_have_tokens_in_rows(given: str, formula: str, expected: str) -> None:
    assert verdicts(f"{given}\n\n$${formula}$$")[formula] == expected


@pytest.mark.parametrize("line", ["$S = Q^T K$", "```python\nscores = q.transpose(-2, -1) @ k\n```"])
def test_queries_turned_round_hold_with_tokens_in_columns(line: str) -> None:
    """QᵀK multiplies queries and keys only where tokens are columns."""
    assert list(verdicts(f"{line}\n").values()) == ["holds-if"]
    assert list(verdicts(f"Each token is a column of $X$.\n\n{line}\n").values()) == ["holds"]


def test_weights_may_be_named_in_words() -> None:
    for name in ("attn_weights", r"\text{attention\_weights}", "attention_probs"):
        for formula, expected in ((r"QK^T / \sqrt{d_k}", "holds"), (r"QK / \sqrt{d_k}", "fails")):
            text = rf"{name} = \text{{softmax}}({formula})"
            assert verdicts(f"$${text}$$") == {text: expected}


ENTRIES = [
    (r"\text{ReLU}(x_i)", r"\max(0, x_i)", r"\max(1, x_i)"),
    (r"\text{ReLU}(x)_i", r"\max(0, x_i)", r"\max(1, x_i)"),
    (r"\text{SiLU}(z_i)", r"z_i \cdot \sigma(z_i)", r"z_i + \sigma(z_i)"),
    (r"\tanh(z_i)", r"\frac{e^{z_i} - e^{-z_i}}{e^{z_i} + e^{-z_i}}", r"\frac{e^{z_i} + e^{-z_i}}{e^{z_i} + e^{-z_i}}"),
    (r"\text{SoftPlus}(z_i)", r"\log(1 + e^{z_i})", r"\log(1 - e^{z_i})"),
]


@pytest.mark.parametrize(("left", "right", "wrong"), ENTRIES)
def test_an_activation_of_one_entry(left: str, right: str, wrong: str) -> None:
    assert list(verdicts(f"${left} = {right}$\n").values()) == ["holds"]
    assert list(verdicts(f"${left} = {wrong}$\n").values()) == ["fails"]


@pytest.mark.parametrize(
    "text",
    [
        "$$\n\\text{ReLU}(z_i)\n &= z_i \\ \\ &&\\text{if } z_i > 0 \\\\\n &= 0 &&\\text{otherwise}\n$$",
        "ReLU(x) = x for x > 0, ReLU(x) = 0 for x < 0.",
        r"$\mathrm{ReLU}(x) = x \quad (x > 0)$",
        "`relu(x) = x if x > 0 else 0`",
    ],
)
def test_one_case_of_a_function_is_no_formula_of_all(text: str) -> None:
    assert "fails" not in verdicts(text + "\n").values()


@pytest.mark.parametrize(
    "text",
    [
        r"$\text{LayerNorm}(x) = \frac{x - \mu}{\sigma^2 + \epsilon}$ where $\epsilon > 0$ is small",
        r"$\text{softmax}(z)_i = \frac{e^{z_i}}{\sum_j z_j}$ for $T > 0$",
        r"$\text{Attention}(Q, K, V) = \text{softmax}(QK^T / d_k) V$ where $d_k > 0$",
        r"$\text{SoftPlus}(x) = \log(1 - e^x)$ for $x > 0$",
        r"Additive scores: $e_{ij} = v^T \tanh(W s_i + U h_j)$ give $\alpha_{ij} = \frac{e_{ij}}{\sum_k e_{ik}}$ and "
        r"$c_i = \sum_j \alpha_{ij} h_j$",
        r"We use post-norm: $y = x + \text{LN}(\text{Attn}(x))$. Later came Swin.",
        r"Cosine similarity is the normalized dot product: $\cos(a, b) = a \cdot b$",
        r"The weights of the logits z are $p_i = \frac{z_i}{\sum_j z_j}$",
        r"Rotary positions turn by $\theta_i = 10000^{-2i/(d-1)}$",
    ],
)
def test_words_beside_a_false_formula_do_not_excuse_it(text: str) -> None:
    assert "fails" in verdicts(text + "\n").values()


def test_a_letter_without_an_index_is_a_number_beside_entries() -> None:
    """softmax does not change with a constant c that is taken from every score."""
    shifted = r"\text{softmax}(x_i) = \frac{e^{x_i - c}}{\sum_j e^{x_j - c}}"
    assert verdicts(f"${shifted}$\n") == {shifted: "holds"}
    above = shifted.replace("e^{x_j - c}", "e^{x_j}")
    assert "holds" not in verdicts(f"${above}$\n").values()
    scaled = r"\text{LayerNorm}(x_i) = a \frac{x_i - \mu}{\sigma} + c"
    assert "fails" not in verdicts(f"${scaled}$\n").values()


@pytest.mark.parametrize("letter", ["T", "c", "L", "S", "B", "v", "D", "b"])
def test_any_letter_may_count_the_entries_of_a_softmax(letter):
    for left in (r"\text{softmax}(z)_i", r"\sigma(z)_i", r"\text{softmax}(z)_i = p_i"):
        right = rf"{left} = \frac{{e^{{z_i}}}}{{\sum_{{j=1}}^{{{letter}}} e^{{z_j}}}}"
        assert list(verdicts(f"$${right}$$").values()) == ["holds"]
        assert list(verdicts("$$" + right.replace("e^{z_j}", "z_j") + "$$").values()) == ["fails"]
