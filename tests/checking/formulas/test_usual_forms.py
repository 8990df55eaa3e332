"""What equals none of the usual forms is false where all symbols are settled; variants of the literature are not."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow


def verdicts(text):
    return [x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas]


@pytest.mark.parametrize(
    "formula",
    [
        r"\text{FFN}(x) = \max(0, W_1 x + b_1) W_2 + b_2",  # W_2 fits neither a row nor a column
        r"\text{RMS}(x) = \sqrt{\sum_{i=1}^n x_i^2}",
        r"\text{LayerNorm}(x) = \frac{x}{\sqrt{\text{var}(x) + \epsilon}} \sqrt{\text{var}(x) + \epsilon}",
        r"\text{GELU}(x) = \frac{1}{2} x (1 + \text{erf}(x))",
        r"\text{Attention}(Q, K, V) = \text{softmax}\left(\frac{Q^T K}{\sqrt{d_k}}\right)",
        r"\text{Attention}(Q, K, V) = \text{softmax}(Q Q^T) V",
    ],
)
def test_what_is_no_usual_form_fails_with_one(formula):
    [found] = check_article(read_article("a.md", f"$${formula}$$\n")).formulas
    assert (found.verdict, found.right is not None) == ("fails", True)
    assert verdicts(f"$${found.right}$$") in (["holds"], [])


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (r"\text{FFN}(x) = \max(0, x W_1^T + b_1) W_2^T + b_2", ["holds"]),
        (r"\text{GLU}(x) = (x W_1) * \sigma(x W_2)", ["holds"]),
        (r"\text{FFN}(x) = x + \max(0, x W_1) W_2", []),
        (r"\text{FFN}(x) = \text{ReLU}(x W_1)^2 W_2", []),
        (r"\text{FFN}(x) = \text{ReLU}(W_2 \text{ReLU}(W_1 x + b_1) + b_2)", []),
        (r"\text{softmax}(x)_i = \frac{e^{x_i}}{1 + \sum_j e^{x_j}}", ["holds-if"]),
        (r"\text{softmax}(x)_i = \frac{2^{x_i}}{\sum_j 2^{x_j}}", []),
        (r"\text{softmax}(x)_i \approx \frac{1 + x_i}{\sum_j (1 + x_j)}", []),
        (r"\text{softmax}(x)_i = \frac{m_i e^{x_i}}{\sum_j m_j e^{x_j}}", []),
        (r"\text{RMSNorm}(x) = \frac{x}{\text{RMS}(x)} (1 + g)", []),
        (r"\text{GELU}(x) = x \sigma(1.702 x)", []),
        (r"\text{Norm}(x) = \frac{x}{\|x\|}", []),
        (r"\text{RMSNorm}(x) = \frac{x}{\|x\|} \gamma", []),
        (r"\text{LayerNorm}(x) = \frac{x - \mu}{\sqrt{\frac{1}{n - 1} \sum_i (x_i - \mu)^2}}", []),
        (r"\text{Attention}(Q, K, V) = \text{softmax}(2 QK^T) V", []),
        (r"\text{ReLU}(x) = \max(0.01 x, x)", []),
        (r"\text{softmax}(x) = \exp(x) / \text{sum}(\exp(all))", []),
    ],
)
def test_variants_and_conventions_do_not_fail(formula, said):
    assert verdicts(f"$${formula}$$") == said


@pytest.mark.parametrize(
    ("formula", "said"),
    [(r"y = c \tanh(x / c)", ["holds"]), (r"y = c \tanh(c x)", ["fails"]), (r"y = \tanh(x / c)", [])],
)
def test_only_c_tanh_of_x_over_c_is_a_soft_cap(formula, said):
    """tanh(x/c) stays below 1, not c; with c tanh(cx) small scores are c² times as large."""
    assert verdicts(f"Scores are soft-capped, ${formula}$.") == said


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Post-LN variant (as it was): `y = x + Sublayer(LayerNorm(x))`", "y = LayerNorm(x + Sublayer(x))"),
        ("Post-Norm (first): `x + LayerNorm(SubLayer(x))`", "LayerNorm(x + SubLayer(x))"),
    ],
)
def test_the_label_of_a_norm_may_have_a_word_and_a_bracket_behind_it(text, right):
    [found] = check_article(read_article("a.md", text + "\n")).formulas
    assert (found.verdict, found.right) == ("fails", right)


def test_rows_are_read_one_by_one_where_one_is_not_understood():
    text = r"$$\begin{aligned} a &= \unknown{b} \\ \text{Attention}(Q, K, V) &= \text{softmax}(QK^T) \end{aligned}$$"
    assert verdicts(text) == ["fails"]
    assert verdicts(r"$$\mathrm{Attention(Q, K, V) = \frac{QK^T}{\sqrt{d_k}} V$$") == ["fails"]
    assert verdicts(r"$$\text{softmax}(\frac{QK^T}{\sqrt{d_k}} V$$") == []  # where it closes is not known
    assert verdicts(r"$$k = \unknown{2i}, \quad j = k \\ + 3$$") == []


def test_cases_of_an_index_are_no_contradiction():
    assert verdicts("$k = 2i$\n\n$k = 2i + 1$") == []


def test_identities_of_sums_hold():
    assert verdicts(r"$$\log \sum_i e^{z_i} = m + \log \sum_i e^{z_i - m}$$") == ["holds"]
    assert verdicts(r"$$\log \sum_i e^{z_i} = m + \log \sum_i e^{z_i + m}$$") == ["fails"]  # but for m = 0
    assert verdicts(
        r"$$\frac{\sum_j e^{x_j - c} v_j}{\sum_j e^{x_j - c}} = \frac{\sum_j e^{x_j} v_j}{\sum_j e^{x_j}}$$"
    ) == ["holds"]


@pytest.mark.parametrize(("lines", "expected"), [
    (["Q = X W_Q", "K = X W_K", "V = X W_V"], ["holds"] * 3),
    (["Q = X W_Q", "K = X W_Q", "V = X W_V"], ["holds", "fails", "holds"]),
    (["k_t = W^{UV} c_t", "v_t = W^{UV} c_t"], ["fails", "holds"]),
    (["k_t = W^{UK} c_t", "v_t = W^{UV} c_t"], ["holds"] * 2),
    (["K = X W_Q"], []),  # of no line that says what these weights make
    ([r"\text{head}_i = \text{Attention}(Q W_i^Q, K W_i^Q, V W_i^V)"], ["fails"]),
    ([r"\text{head}_i = \text{Attention}(Q W_i^Q, K W_i^K, V W_i^V)"], ["holds"]),
])  # fmt: skip
def test_weights_of_one_role_do_not_make_another(lines, expected):
    text = "\n\n".join(f"$${line}$$" for line in lines)
    assert [x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas] == expected
    shared = "Here queries and keys share their weights.\n\n" + text + "\n"
    assert expected.count("fails") == 0 or "fails" not in {
        x.verdict for x in check_article(read_article("a.md", shared)).formulas
    }


@pytest.mark.parametrize(("text", "expected"), [
    (r"Additive attention: $\text{score}(q, k) = v^T \tanh(W_q q + W_k k)$", ["holds"]),
    (r"Additive attention: $\text{score}(q, k) = v^T (W_q q + W_k k)$", ["fails"]),
    (r"A score: $\text{score}(q, k) = v^T (W_q q + W_k k)$", []),
    (r"$\text{Attention}(Q, K, V) = \text{softmax}(QK^T \sqrt{d_k})V$", ["fails"]),
    (r"$$Q = X_{dec} W_Q, \quad K = X_{enc} W_K, \quad V = X_{enc} W_V$$", ["holds"] * 3),
    (r"$$Q = X_{enc} W_Q, \quad K = X_{dec} W_K, \quad V = X_{dec} W_V$$", []),
    (r"The loss is $L = -\frac{1}{T}\sum_{t=1}^{T} \log p(x_t | x_{<t})$.", ["holds"]),
    (r"The loss is $L = -\frac{1}{T}\sum_{t=1}^{T} \log p(x_{<t} | x_t)$.", []),
])  # fmt: skip
def test_slips_in_scores_sources_and_conditions(text, expected):
    assert verdicts(text) == expected
