"""Scores and weights under names that other articles use otherwise: QK as one name, S for the weights."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article

pytestmark = pytest.mark.slow


def said(text):
    found = check_article(read_article("a.md", text + "\n")).formulas
    return {each.text: (each.verdict, each.right) for each in found}


def verdicts(text):
    return {formula: verdict for formula, (verdict, _) in said(text).items()}


KEYS_IN_ROWS = """In the kernel:

    # QK = K @ Q^T
    # P = exp(QK - lse)
    # {}
"""


@pytest.mark.parametrize(
    ("line", "verdict", "right"),
    [
        ("dV = P @ dO", "holds", None),
        ("dP = V @ dO^T", "holds", None),
        ("dK = dS @ Q", "holds", None),
        ("dQ = dS^T @ K", "holds", None),
        ("dV = P^T @ dO", "fails", "dV = P @ dO"),
        ("dK = dS^T @ Q", "fails", "dK = dS @ Q"),
        ("dQ = dS @ K", "fails", "dQ = dS^T @ K"),
    ],
)
def test_scores_with_keys_in_rows_under_the_name_qk(line, verdict, right):
    found = said(KEYS_IN_ROWS.format(line))
    assert found[line] == (verdict, right)
    assert found["QK = K @ Q^T"][0] == "holds"


def test_a_product_of_q_and_k_is_no_name_where_no_line_defines_it():
    found = verdicts(r"$$\text{Attention}(Q, K, V) = \text{softmax}\left(\frac{QK}{\sqrt{d_k}}\right) V$$")
    assert list(found.values()) == ["fails"]


BACK_THROUGH_SOFTMAX = """With $S = \\text{softmax}(QK^T)$ and $O = SV$:

$$dS = S \\odot (dP - \\text{rowsum}(S \\odot dP))$$

$$%s$$
"""


@pytest.mark.parametrize(
    ("formula", "verdict", "right"),
    [
        ("dV = S^T dO", "holds", None),
        ("dV = S dO", "fails", "dV = S^T dO"),
        ("dQ = dS K", "holds", None),
        ("dK = dS^T Q", "holds", None),
        ("dK = dS Q", "fails", r"dK = \left(dS\right)^T Q"),
    ],
)
def test_weights_called_s_whose_gradient_is_that_of_the_scores(formula, verdict, right):
    assert said(BACK_THROUGH_SOFTMAX % formula)[formula] == (verdict, right)


@pytest.mark.parametrize(("line", "verdict"), [("dQ = dS @ K", "holds"), ("dK = dS @ Q", "fails")])
def test_a_function_that_goes_back_through_softmax_gives_the_gradient_of_the_scores(line, verdict):
    text = f"    # dV = S^T @ dO  (where S = softmax(QK^T))\n    # {line}\n    # dS = softmax_backward(dO, O, S)\n"
    found = verdicts("Backward:\n\n" + text)
    assert (found["dV = S^T @ dO"], found[line]) == ("holds", verdict)


def test_without_that_the_gradient_of_weights_called_s_is_their_own():
    found = verdicts("$$S = \\text{softmax}(QK^T)$$\n\n$$O = SV$$\n\n$$dS = dO V^T$$\n")
    assert found["dS = dO V^T"] == "holds"


@pytest.mark.parametrize(
    ("name", "scores", "expected"),
    [
        (r"\hat{S}", "QK^T", "holds"),
        (r"\tilde{S}", "QK^T", "holds"),
        ("S'", "QK^T", "holds"),
        (r"\hat{S}", "QV^T", None),
    ],
)
def test_scores_with_a_mark_are_those_of_the_line_before(name, scores, expected):
    text = f"$S = {scores}$\n\n$${name} = \\frac{{S}}{{\\sqrt{{d_k}}}}$$\n"
    found = check_article(read_article("a.md", text)).formulas
    assert [each.verdict for each in found if each.line == 3] == ([expected] if expected else [])
    wrong = check_article(read_article("a.md", text.replace("d_k", "d_v"))).formulas
    assert [each for each in wrong if each.line == 3] == []
