"""Formulas that are right by what words say beside them: a constraint, an approximation, another function or entry."""

from __future__ import annotations

import pytest

from symattn import check_article

pytestmark = pytest.mark.slow


def test_a_line_that_does_not_fit_itself_makes_no_gradient_false() -> None:
    row = " & ".join([r"\frac{1}{2}"] * 4)
    halves = r"\begin{bmatrix} " + r" \\ ".join([row] * 4) + r" \end{bmatrix}"
    masked = r"\begin{cases} S_{ij} + B_{ij} & j \le i \\ -\infty & \text{otherwise} \end{cases}"
    lines = [f"S = {halves}", f"B = {halves}", r"S_{ij}^{\mathrm{masked}} = " + masked]
    lines += [
        r"P_{ij} = \frac{e^{S_{ij}^{\mathrm{masked}}}}{\ell_{i}}",
        r"\ell_{i} = \sum_{k} e^{S_{ik}^{\mathrm{masked}}}",
    ]
    lines += [r"ds_{i}^{\mathrm{masked}} = dp_{i} (\mathrm{diag} (p_{i}) - p_{i}^{\top} p_{i})"]
    assert "fails" not in verdicts("\n\n".join(f"$${line}$$" for line in lines))


def verdicts(text: str) -> list[str]:
    return [each.verdict for each in check_article("a.md", text + "\n").formulas]


@pytest.mark.parametrize(
    "text",
    [
        r"$Y = DX$ with $D$ diagonal. $dL = \langle \frac{\partial L}{\partial Y}, D\,dX\rangle = "
        r"\langle D\frac{\partial L}{\partial Y}, dX\rangle$",
        r"$z \in \mathbb{R}^4$; of the first three, $\mathrm{softmax}(z_{1:3})_i = "
        r"\frac{e^{z_i}}{\sum_{j=1}^{3} e^{z_j}}$",
        "For all matrices $A, B$, $AB = BA$.",  # a list of mistakes may say so
        "After pooling: 28/2 = 14×14",  # rows and columns
        r"$(32 - 5)/1 + 1 = 28 \times 28$",
        r"$g = \sigma(x)$, $y = gx$. Local derivatives: $\frac{\partial y}{\partial g} = x$, "
        r"$\frac{\partial y}{\partial x} = g$.",
        r"$y \in \{-1, 1\}$, $L = \frac12(yf - 1)^2$, $\frac{\partial L}{\partial f} = f - y$",
        r"$f = \sin\theta$. For small angles $\frac{\partial f}{\partial \theta} = 1 - \theta^2/2$",
        r"$y = \tanh(wx)$. In the linear regime $\frac{\partial y}{\partial w} = x$",
        r"Sigmoid: $y = \sigma(x)$, $\frac{\partial y}{\partial x} = y(1-y)$. Tanh: $\frac{\partial "
        r"y}{\partial x} = 1 - y^2$.",
        r"$u = \sum_i a_ib_i$ with $\sum_i b_i^2 = 1$; $L = \frac12\sum_i(a_i - ub_i)^2$; "
        r"$\frac{\partial L}{\partial a_i} = a_i - ub_i$",
        r"For $q_i$ uniform in $[-1, 1]$ and $k_i$ too, $\mathrm{Var}(q\cdot k) = d_k/9$.",  # 1/3 · 1/3 each
        r"With unit-norm queries and keys $\mathrm{Var}(q\cdot k) = 1/d$.",
        r"For $x\gg1$: $\tanh x = 1$.",
        r"$L = -t\log y-(1-t)\log(1-y)$. For $t=1$: $\frac{\partial L}{\partial y} = -\frac1y$.",
        r"$w_{ij}=w_{ji}$: $E = -\frac12\sum_{i,j}w_{ij}s_is_j$, $\frac{\partial E}{\partial s_i} = -\sum_jw_{ij}s_j$",
        r"Two classes. $s_i = e^{x_i}/\sum_j e^{x_j}$, $\frac{\partial s_1}{\partial x_1} = s_1s_2$.",
    ],
)
def test_nothing_is_called_false_of_which_words_say_more(text: str) -> None:
    assert "fails" not in verdicts(text)


@pytest.mark.parametrize(
    "text",
    [
        r"$L = \frac12(y - t)^2$, $\frac{\partial L}{\partial y} = t - y$",
        r"$y = \sigma(x)$, $\frac{dy}{dx} = y(1+y)$",
        r"$Y = AV$. $\langle dY, \frac{\partial L}{\partial Y}\rangle = \langle dV, A \frac{\partial "
        r"L}{\partial Y}\rangle$",
        r"The entries have mean 0 and variance 1, so $\mathrm{Var}(q\cdot k) = \sqrt{d_k}$.",
    ],
)
def test_what_is_false_by_the_letters_alone_is(text: str) -> None:
    assert verdicts(text)[-1] == "fails"
