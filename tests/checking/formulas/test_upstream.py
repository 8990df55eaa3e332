"""Names for gradients, and gradients of forward passes that the other tests do not have."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

FORWARD = [r"S = QK^T", r"A = \text{softmax}(S)", r"Z = AV"]
ADDITIVE = [r"h_i = W_q q + W_k k_i + b", r"s_i = \tanh(h_i)"]


def verdicts(*formulas, words=""):
    text = words + "\n\n" + "\n\n".join(f"$${x}$$" for x in formulas) + "\n"
    found = check_article(read_article("a.md", text)).formulas
    return {each.text: each.verdict for each in found}


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"\frac{\partial L}{\partial V} = A^T G_Z", "holds"),
        (r"\frac{\partial L}{\partial A} = G_Z V^T", "holds"),
        (r"\frac{\partial L}{\partial V} = A G_Z", "fails"),
        (r"\frac{\partial L}{\partial A} = V^T G_Z", "fails"),
        (r"\frac{\partial L}{\partial S} = A \odot (G_Z V^T) - A \odot (A (G_Z V^T))", "fails"),
        (r"G_V = A^T G_Z", "holds"),
    ],
)
def test_a_name_for_a_gradient_is_that_gradient(formula, verdict):
    found = verdicts(*FORWARD, r"\frac{\partial L}{\partial Z} = G_Z", formula)
    assert found.get(formula) == verdict


def test_a_family_of_names_is_read_as_one():
    own = r"\delta_Z = \frac{\partial L}{\partial Z} = W^T \delta_Y"
    assert verdicts("Y = W Z", own)[own] == "holds"
    wrong = own.replace("W^T", "W")
    assert verdicts("Y = W Z", wrong)[wrong] == "fails"


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"\frac{\partial L}{\partial z_i} = \hat{y}_i - y_i", "holds"),
        (r"\frac{\partial L}{\partial z_i} = y_i - \hat{y}_i", "fails"),
    ],
)
def test_cross_entropy_of_a_softmax(formula, verdict):
    assert verdicts(formula, words="Softmax with the cross-entropy loss.")[formula] == verdict


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"\frac{\partial L}{\partial v} = \sum_{i=1}^n \frac{\partial L}{\partial e_i} s_i", "holds"),
        (r"\frac{\partial L}{\partial W_q} = \sum_i \frac{\partial L}{\partial e_i} (v \odot (1-s_i^2)) q^T", "holds"),
        (r"\frac{\partial L}{\partial W_k} = \sum_i \frac{\partial L}{\partial e_i} v^T (1-s_i^2) k_i^T", "fails"),
    ],
)
def test_additive_attention(formula, verdict):
    assert verdicts(*ADDITIVE, formula)[formula] == verdict


def test_other_letters_for_indices():
    right, wrong = (
        rf"\frac{{\partial A_{{ij}}}}{{\partial V_{{xy}}}} = P_{{i{a}}} \delta_{{j{b}}}" for a, b in ("xy", "yx")
    )
    words = "Let $P = \\text{softmax}(S)$ and $A = PV$."
    assert verdicts(right, words=words)[right] == "holds"
    assert verdicts(wrong, words=words)[wrong] == "fails"


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"\frac{\partial L}{\partial W_Q} = \sum_{i=1}^n (Q_i - \nabla_{u_i} L) x_i", "fails"),
        (r"\frac{\partial L}{\partial W_Q} = \sum_{i=1}^n (\nabla_{u_i} L + W_Q) x_i", None),  # a decay of weights
        (r"\frac{\partial L}{\partial W_Q} = \sum_{i=1}^n (p_i - \nabla_{u_i} L) x_i", None),  # p may be a gradient
    ],
)
def test_a_gradient_is_0_where_the_loss_is_flat(formula, verdict):
    assert verdicts(formula).get(formula) == verdict


def test_weights_that_are_called_W():
    forward = [r"A = \frac{QK^T}{\sqrt{d_k}}", r"W = \text{softmax}(A)", "Z = WV"]
    right, wrong = r"\frac{\partial L}{\partial V} = W^T dZ", r"\frac{\partial L}{\partial Q} = dZ \cdot W(1-W) \cdot K"
    found = verdicts(*forward, right, wrong)
    assert (found[right], found[wrong]) == ("holds", "fails")


def test_latex_in_the_comment_of_a_program():
    formula = r"\frac{\partial L}{\partial A} = \frac{\partial L}{\partial C} \cdot B^T"
    found = verdicts(words=f"```cpp\n/* $$C = A \\cdot B$$\n   $${formula}$$ */\n```")
    assert found[formula] == "holds"


SIGMA = ["p = \\text{softmax}(z)", r"g = \partial L / \partial p"]


@pytest.mark.parametrize(
    ("lines", "formula", "said"),
    [
        (SIGMA, r"\frac{\partial L}{\partial z} = p \odot (g - (g^\top p) \mathbf{1})", "holds"),
        (SIGMA, r"\frac{\partial L}{\partial z} = p \odot (g - (g^\top \mathbf{1}) p)", "fails"),
        (
            [r"p = \sigma(z), \text{ a softmax}"],
            r"\frac{\partial p_i}{\partial z_j} = p_i (\delta_{ij} - p_j)",
            "holds",
        ),
        ([r"P = \exp(S - L), \text{ L the logsumexp}", "S = QK^T"], r"dV = P^T dO", "holds"),
        ([r"P = \exp(S - L), \text{ L the logsumexp}", "S = QK^T"], r"dV = P dO", "fails"),
        (
            [r"p_j = \frac{e^{z_j}}{\sum_k e^{z_k}}", r"L = -\sum_j t_j \log p_j = -\log p_y"],
            r"\frac{\partial L}{\partial z_l} = -(\delta_{yl} - p_l) = t_l - p_l",
            "fails",
        ),
        (
            [r"p_j = \frac{e^{z_j}}{\sum_k e^{z_k}}", r"L = -\sum_j t_j \log p_j = -\log p_y"],
            r"\frac{\partial L}{\partial z_l} = -(\delta_{yl} - p_l) = p_l - t_l",
            "holds",
        ),
        ([], r"\frac{\partial}{\partial z_j} \ln \text{softmax}(z_k) = \delta_{jk} - \text{softmax}(z_j)", "holds"),
        ([], r"\frac{\partial}{\partial z_j} \ln \text{softmax}(z_k) = \delta_{jk} - \text{softmax}(z_k)", "fails"),
    ],
)
def test_gradients_of_a_softmax_by_other_names(lines, formula, said):
    text = "\n\n".join(f"$${x}$$" for x in (*lines, formula))
    found = check_article(read_article("a.md", text + "\n")).formulas
    assert [x.verdict for x in found if x.line > 2 * len(lines)] == [said]


@pytest.mark.parametrize(
    ("right", "verdict"),
    [
        (r"A \odot (G_Z V^T) - A \odot \text{rowsum}(A \odot (G_Z V^T))", "holds"),
        (r"A \odot (G_Z V^T) - A \odot (A (G_Z V^T))", "fails"),
    ],
)
def test_a_product_that_a_line_calls_a_gradient_is_that_gradient(right, verdict):
    formula = rf"$$\frac{{\partial L}}{{\partial S}} = {right}$$" + "\n\n$$S = \\frac{1}{\\sqrt{d_k}} Q K^T$$\n"
    for line, expected in (("`dA = G_Z @ V.T`\n\n", verdict), ("", None)):
        found = check_article(read_article("a.md", line + formula)).formulas
        assert next((x.verdict for x in found if "partial" in x.text), None) == expected
