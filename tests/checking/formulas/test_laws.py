"""Laws that do not hold: e^{1+1} = 7.39 and e + e = 5.44; GELU(1) = 0.84 and GELU(−1) = −0.16; and so on."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

MATRICES = r"Let $A, B \in \mathbb{R}^{n \times n}$."


def verdicts(text, formula):
    found = check_article(read_article("a.md", f"{text}\n\n{formula}\n"))
    return [each.verdict for each in found.formulas if each.line == 3]


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("Of exponentials:", r"$e^{x+y} = e^x + e^y$"),
        ("Of logarithms:", r"$\log(x + y) = \log x + \log y$"),
        ("It is odd:", r"$\mathrm{GELU}(-x) = -\mathrm{GELU}(x)$"),
        ("It adds up:", r"$\tanh(x) + \tanh(y) = \tanh(x + y)$"),
        ("Of vectors:", r"$\mathrm{ReLU}(x + y) = \mathrm{ReLU}(x) + \mathrm{ReLU}(y)$"),
        (
            r"Let $x \in \mathbb{R}^n$ and $W \in \mathbb{R}^{n \times n}$.",
            r"$\mathrm{softmax}(Wx) = W\,\mathrm{softmax}(x)$",
        ),
        (MATRICES, r"Then $AB = BA$."),
        (MATRICES, r"$(AB)^\top = A^\top B^\top$"),
        (MATRICES, r"$\mathrm{tr}(AB) = \mathrm{tr}(A)\,\mathrm{tr}(B)$"),
    ],
)  # fmt: skip
def test_a_law_that_numbers_refute_fails(text, formula):
    assert verdicts(text, formula) == ["fails"]


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        # true of what is meant
        ("For $a > 0$:", r"$\mathrm{ReLU}(a x) = a\,\mathrm{ReLU}(x)$"),
        ("The scale is lost:", r"$\mathrm{RMSNorm}(a x) = \mathrm{RMSNorm}(x)$"),
        ("The scale is lost:", r"$\mathrm{LayerNorm}(a x) = \mathrm{LayerNorm}(x)$"),
        ("Two rotations commute:", r"$AB = BA$"),
        (MATRICES + " Both are diagonal.", r"$AB = BA$"),
        (r"Let $A, B \in \mathbb{R}^{n \times n}$ with", r"$AB = BA$."),
        (MATRICES + " Suppose that", r"$AB = BA$."),
        ("A law of $f$:", r"$f(x + y) = f(x) + f(y)$"),
        ("Of two matrices:", r"$\exp(A + B) = \exp(A)\exp(B)$"),
        ("Its period is the whole turn:", r"$\sin(x + 2 \pi k) = \sin(x)$"),
        ("It is homogeneous:", r"$\sigma(a x) = a \sigma(x)$"),
        # no law, but an equation to be solved, or what a letter is
        ("We look for $x$:", r"$e^{2x} = e^x + 2$"),
        ("Let", r"$y = \tanh(x + y)$"),
        ("With $y = 0$", r"$e^{x+y} = e^x + e^y - 1$"),
        # called wrong
        ("It is a mistake to write", r"$e^{x+y} = e^x + e^y$"),
        ("Is it true that", r"$\log(x + y) = \log x + \log y$?"),
        ("If $x$ and $y$ are numbers with $xy = x + y$, then", r"$\log(x + y) = \log x + \log y$."),
    ],
)
def test_what_may_be_meant_of_special_letters_does_not_fail(text, formula):
    assert "fails" not in verdicts(text, formula)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("Of exponentials:", r"$e^{x+y} = e^x e^y$"),
        (MATRICES, r"$(AB)^\top = B^\top A^\top$"),
        (MATRICES, r"$\mathrm{tr}(AB) = \mathrm{tr}(BA)$"),
        ("A constant is lost:", r"$\mathrm{softmax}(z + c) = \mathrm{softmax}(z)$"),
    ],
)
def test_a_law_that_is_true_holds(text, formula):
    assert verdicts(text, formula) == ["holds"]


EXP, TANH, RELU = (
    "$e^{x+y} = e^x + e^y$",
    r"$\tanh(2x) = 2\tanh(x)$",
    r"$\mathrm{ReLU}(x + y) = \mathrm{ReLU}(x) + \mathrm{ReLU}(y)$",
)


@pytest.mark.parametrize(
    "text",
    [
        # to be solved
        f"Solve the equation {EXP}.", f"The curve {EXP} is bounded.", f"We look for $x$ at which {TANH}",
        f"求方程 {EXP} 的解。", f"Gesucht sind alle $x$, für die {TANH} gilt.", f"On cherche $x$ tel que {TANH}.",
        # of some letters
        f"For nonnegative $x, y$: {RELU}.", f"For $x, y \\ge 0$ we have {RELU}.", f"Let $x, y > 0$. Then {RELU}.",
        f"Inputs are positive. Then {RELU}.", f"{RELU} only for $xy \\ge 0$.", f"对于正数 $x, y$，{RELU}",
        f"Only at zero do we have {TANH}.", f"To first order, {TANH}.", f"Near the origin, {TANH}",
        # called wrong
        f"Beware: {EXP} is nonsense.", f"Ein häufiger Fehler: {EXP}.", f"Es gilt nicht {EXP}.",
        # of matrices that have more
        r"Let $A, B \in \mathbb{R}^{d \times 1}$. Then $A^\top B = B^\top A$.",
        r"Let $A, B \in \mathbb{R}^{1 \times d}$. Then $A B^\top = B A^\top$.",
        MATRICES + " For $n = 1$ we have $AB = BA$.", MATRICES + " Both are powers of one matrix, so $AB = BA$.",
        MATRICES + " By construction $AB = BA$.", MATRICES + r" The optimum satisfies $AB^\top = BA^\top$.",
        MATRICES + " We impose the constraint $AB = BA$.", MATRICES + "求满足条件的矩阵：$AB = BA$",
        r"Let $A \in \mathbb{R}^{n \times n}$ be of the form $cI$ and $B \in \mathbb{R}^{n \times n}$. Then $AB = BA$.",
        r"The Reformer shares them, $Q, K \in \mathbb{R}^{n \times d}$. Therefore $Q K^\top = K Q^\top$.",
    ],
)  # fmt: skip
def test_what_is_not_said_of_all_letters_does_not_fail(text):
    found = check_article(read_article("a.md", text + "\n")).formulas
    assert "fails" not in [each.verdict for each in found]


@pytest.mark.parametrize("text", [f"For all $x, y$ we have {EXP}.", f"Thus {EXP}.", EXP, f"对任意 $x, y$，有 {EXP}。"])
def test_what_is_said_of_all_letters_or_without_words_fails(text):
    found = check_article(read_article("a.md", f"# On functions\n\n{text}\n")).formulas
    assert [each.verdict for each in found] == ["fails"]
