"""Derivatives entry by entry, by the chain rule with the article's own formulas.

What is right is worked out by hand: ∂(−log p_c)/∂z_i = p_i − δ_ic for p = softmax(z), and
∂y_i/∂x_j = (δ_ij − x_i x_j/(d r²))/r for y = x/r with the root mean square r.
"""

import re

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

SOFTMAX = r"$p_i = \frac{e^{z_i}}{\sum_j e^{z_j}}$, "
BY_CLASS = SOFTMAX + r"$L = -\log p_c$."
SIGMA = r"Softmax: $\sigma(z)_i = \frac{e^{z_i}}{\sum_j e^{z_j}}$."
LOGISTIC = r"$L = -[t\log y + (1-t)\log(1-y)]$, $y = \sigma(z)$ the sigmoid, $z = w^\top x + b$."
NORM = (
    r"$\mu = \frac1m\sum_{i=1}^m x_i$, $\sigma^2 = \frac1m\sum_{i=1}^m (x_i-\mu)^2$,"
    r" $\hat x_i = \frac{x_i-\mu}{\sqrt{\sigma^2+\epsilon}}$, $y_i = \gamma\hat x_i+\beta$. Later,"
    r" $y_i = \gamma \frac{x_i - \mu_{run}}{\sqrt{\sigma_{run}^2+\epsilon}} + \beta$."
)

NORM_SLOPE = (
    r"D(L,x_i) = \frac{\gamma}{\sqrt{\sigma^2+\epsilon}}\left(D(L,y_i)"
    r" - \frac1m\sum_{j=1}^m D(L,y_j) - \frac{\hat x_i}{m}\sum_{j=1}^m D(L,y_j) \hat x_j\right)"
)
SQUARES = r"$y = \sigma(z)$ (sigmoid), $z = \sum_j w_j x_j + b$, $L = \frac12(y-t)^2$."
REGRESSION = r"$L = \frac1n\sum_{i=1}^n (y_i - wx_i - b)^2$."
ERRORS = r"$\delta_{ij} = D(L,z_{ij})$, $z_{ij} = w_i x_j$, $L = \sum_{ij} z_{ij}^2$."
ROOT = r"$r = \sqrt{\frac1d\sum_i x_i^2}$, $y_i = \frac{x_i}{r}$."
RELU = r"$f(x) = \begin{cases} x & x > 0 \\ 0 & x \le 0 \end{cases}$."
STEPS = r"D(L,w_j) = \left(-\frac{t}{y} + \frac{1-t}{1-y}\right) y(1-y) x_j"


def said(text, formula):
    text, formula = (
        re.sub(r"D\(([^(),]+),([^(),]+)\)", r"\\frac{\\partial \1}{\\partial \2}", x) for x in (text, formula)
    )
    found = check_article(read_article("a.md", f"{text}\n\n${formula}$\n")).formulas
    return [(x.verdict, x.condition) for x in found if x.line == 3]


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        (BY_CLASS, r"D(L,z_i) = p_i - \delta_{ic}"),
        (BY_CLASS, r"D(L,z_c) = p_c - 1"),
        (BY_CLASS, r"\nabla_z L = p - e_c"),
        (BY_CLASS, r"L = -z_c + \log\sum_j e^{z_j}"),
        (BY_CLASS, r"D(L,z_i) = -\frac{1}{p_c}D(p_c,z_i) = p_i - \delta_{ic}"),
        (BY_CLASS + r" For $i \neq c$:", r"D(L,z_i) = p_i"),
        (SIGMA + r" $p_i = \sigma(z)_i$.", r"D(p_i,z_j) = p_i(\delta_{ij} - p_j)"),
        (SIGMA + r" $L = -\sum_k y_k \log \sigma(z)_k$.", r"D(L,z_i) = \sigma(z)_i - y_i"),
        (LOGISTIC, r"D(L,y) = -\frac{t}{y} + \frac{1-t}{1-y}"),
        (LOGISTIC, r"D(L,w_j) = D(L,y)D(y,z)D(z,w_j) = (y-t)x_j"),
        (LOGISTIC, r"D(L,w) = (y-t)x"),
        ("", r"D(L,y) = \frac{\partial}{\partial y}[-t\log y - (1-t)\log(1-y)] = -\frac{t}{y} + \frac{1-t}{1-y}"),
        ("", r"D(z,w_j) = \frac{\partial}{\partial w_j}(w^\top x) = x_j"),
        (NORM, r"D(L,\gamma) = \sum_{i=1}^m D(L,y_i)\hat x_i"),
        (NORM, NORM_SLOPE),
        (r"$f = \sum_{i,j} A_{ij} x_i x_j$.", r"D(f,x_k) = \sum_j A_{kj} x_j + \sum_i A_{ik} x_i"),
        (REGRESSION, r"D(L,w) = -\frac2n\sum_{i=1}^n x_i(y_i - wx_i - b)"),
        (RELU, r"f'(x) = \begin{cases} 1 & x > 0 \\ 0 & x \le 0 \end{cases}"),
        (ROOT, r"D(y_i,x_j) = \frac1r\left(\delta_{ij} - \frac{x_i x_j}{d r^2}\right)"),
    ],
)  # fmt: skip
def test_what_the_chain_rule_gives_holds(text, formula):
    assert said(text, formula) == [("holds", None)]


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        (BY_CLASS, r"D(L,z_i) = \delta_{ic} - p_i"),
        (LOGISTIC, r"D(L,w_j) = (t-y)x_j"),
        (SQUARES, r"D(L,w_j) = (y-t)x_j"),
        (REGRESSION, r"D(L,b) = \frac2n\sum_{i=1}^n (y_i - wx_i - b)"),
        ("", STEPS + r" = (-t + ty + 1 - t - y + ty) x_j = (y-t)x_j"),
    ],
)  # fmt: skip
def test_another_derivative_fails(text, formula):
    assert [verdict for verdict, _ in said(text, formula)] == ["fails"]


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        # up to a factor, for active units, of one term alone
        (r"$E = \sum_k (y_k - t_k)^2$.", r"D(E,y_k) = y_k - t_k"),
        (r"$a = \max(0, z)$, $L = \frac12(a-y)^2$.", r"D(L,z) = a - y"),
        (r"$a = \max(0, z)$.", r"D(a,z) = 1"),
        (r"$y = wx + b$, $L = \frac12(y-t)^2 + \frac{\lambda}{2}w^2$.", r"D(L,w) = (y-t)x"),
        # of a loss that is not told, and may be a function of one entry
        (SOFTMAX + "a loss.", r"D(L,z_y) = D(L,p_y)D(p_y,z_y) = p_y(1-p_y)(-\frac{1}{p_y}) = p_y - 1"),
        # of letters with two formulas, or with one that is not read
        (LOGISTIC + r" Or else $L = \frac12(y-t)^2$.", r"D(L,z) = (y - t)^2"),
        (ERRORS, r"D(L,w_i) = \sum_j \delta_{ij} x_j"),
    ],
)  # fmt: skip
def test_what_may_be_meant_otherwise_does_not_fail(text, formula):
    assert "fails" not in [verdict for verdict, _ in said(text, formula)]


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        (BY_CLASS, r"D(L,z_i) = p_i"),
        (r"$s_t = \tanh(u x_t + w s_{t-1})$.", r"D(s_t,u) = (1 - s_t^2) x_t"),
        (RELU, r"f'(x) = \begin{cases} 1 & x > 0 \\ 1 & x \le 0 \end{cases}"),
        (RELU, r"f'(x) = \begin{cases} 0 & x > 0 \\ 1 & x \le 0 \end{cases}"),
        (BY_CLASS, r"L = z_c - \log\sum_j e^{z_j}"),
        (NORM, r"D(L,x_i) = \frac{\gamma}{\sqrt{\sigma^2+\epsilon}}D(L,y_i)"),
        (REGRESSION, r"D(L,w) = -2\sum_{i=1}^n x_i(y_i - wx_i - b)"),
    ],
)  # fmt: skip
def test_what_is_wrong_does_not_hold(text, formula):
    assert "holds" not in [verdict for verdict, _ in said(text, formula)]


def test_a_function_with_two_formulas_is_the_one_in_front():
    lines = ["f(x) = x^2", "f'(x) = 2x", "f(x) = x^3", "f'(x) = 3x^2", "f'(x) = 2x"]
    found = check_article(read_article("a.md", "\n\n".join(f"$${line}$$" for line in lines) + "\n")).formulas
    assert [(x.line, x.verdict) for x in found] == [(3, "holds"), (7, "holds")]


def test_paths_through_the_moments_of_a_batch():
    """x̂_i depends on x_i itself, on the mean and on the deviation; each path holds the others."""
    link = (
        r"\frac{\partial l}{\partial \hat{x}_j} \frac{\partial \hat{x}_j}{\partial %s} \frac{\partial %s}{\partial x_i}"
    )
    mean, deviation = (rf"\sum_j {link}" % (x, x) for x in (r"\mu_B", r"\sigma_B"))
    alone = r"\frac{\partial l}{\partial \hat{x}_i} \frac{\partial \hat{x}_i}{\partial x_i}"
    text = rf"$$\frac{{\partial l}}{{\partial x_i}} = {alone} + {mean} + {deviation}$$" + "\n"
    [found] = check_article(read_article("a.md", text)).formulas
    assert (found.verdict, found.condition.key) == ("holds-if", "condition.held")
    [found] = check_article(read_article("a.md", text.replace(f"+ {mean}", f"- {mean}"))).formulas
    assert found.verdict == "fails"


def test_letters_of_no_forward_pass_are_not_those_of_attention():
    right = r"\frac{\partial E}{\partial v_j} = e_j \cdot \cos(v_j)"
    assert check_article(read_article("a.md", f"${right}$\n")).formulas == ()
    passed = r"$$\frac{\partial E}{\partial V} = P \frac{\partial E}{\partial O}$$"
    assert [x.verdict for x in check_article(read_article("a.md", passed + "\n")).formulas] == ["fails"]


@pytest.mark.parametrize(
    ("formula", "verdicts"),
    [
        (r"D(L,Q) = D(L,S) \cdot D(S,Q)", ["holds"]),
        (r"D(L,W) = D(y,z) D(z,W) D(L,y)", ["holds"]),
        (r"D(L,W_q) = D(L,Q) D(Q,W_q)", ["holds"]),  # weights have no other way
        (r"D(L,X) = D(L,Q) D(Q,X) + D(L,K) D(K,X) + D(L,V) D(V,X)", ["holds"]),
        (r"D(L,X) = D(L,Q) D(Q,X)", []),  # not the only way
        (r"D(L,X) = D(L,Q) D(Q,X) + D(L,K) D(K,X) + D(L,V) D(V,X) + D(L,Q) D(K,X)", []),
        (r"D(L,W) = D(L,Q) D(Q,W)", []),  # of one W for all
        (r"D(L,Q) = D(L,S) D(Q,S)", []),
        (r"D(L,z_i) = D(L,p_j) D(p_j,z_i)", []),  # of one entry alone
        (r"D(L,W) = D(L,h_t) D(h_t,W)", []),
    ],
)
def test_one_quantity_after_the_other(formula, verdicts):
    assert [verdict for verdict, _ in said("", formula)] == verdicts
