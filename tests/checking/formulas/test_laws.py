"""Laws that do not hold: e^{1+1} = 7.39 and e + e = 5.44; GELU(1) = 0.84 and GELU(−1) = −0.16; and so on.

They are refuted where their sentence says them of all letters, and nothing else.
"""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

EXP, TANH, RELU = (
    "$e^{x+y} = e^x + e^y$",
    r"$\tanh(2x) = 2\tanh(x)$",
    r"$\mathrm{ReLU}(x + y) = \mathrm{ReLU}(x) + \mathrm{ReLU}(y)$",
)


def verdicts(text):
    return [each.verdict for each in check_article(read_article("a.md", f"# On functions\n\n{text}\n")).formulas]


@pytest.mark.parametrize(
    "text",
    [
        f"For all $x, y$: {EXP}.", f"For all $x, y$ we have {EXP}.", f"{EXP} for all $x$ and $y$.",
        f"For all real numbers $x, y$, {EXP}.", rf"For any $x, y \in \mathbb{{R}}$: {EXP}",
        f"对任意 $x, y$，有 {EXP}。",
        f"Für alle $x, y$ gilt {RELU}.", f"- for every $x$: {TANH}", rf"For all $x, y \in \mathbb{{R}}^n$, {RELU}.",
        r"$$\log(x + y) = \log x + \log y \quad \forall x, y$$",
        r"For all $x$: $\mathrm{GELU}(-x) = -\mathrm{GELU}(x)$.",
        r"For all matrices $A, B$: $AB = BA$.", r"For all $A, B \in \mathbb{R}^{n \times n}$, $AB = BA$.",
        r"对任意方矩阵 $A, B$，有 $(AB)^\top = A^\top B^\top$。",
        r"For all square matrices $A, B$: $\mathrm{tr}(AB) = \mathrm{tr}(A)\,\mathrm{tr}(B)$.",
    ],
)  # fmt: skip
def test_a_law_of_all_letters_that_numbers_refute_fails(text):
    assert verdicts(text)[-1] == "fails"


@pytest.mark.parametrize(
    "text",
    [
        # said of no letters
        EXP, f"Thus {EXP}.", f"The curve {EXP} is bounded.", f"Solve the equation {EXP}.", f"求方程 {EXP} 的解。",
        f"We look for $x$ at which {TANH}", f"Gesucht sind alle $x$, für die {TANH} gilt.", f"Near the origin, {TANH}",
        # of some letters
        f"For nonnegative $x, y$: {RELU}.", rf"For all $x, y \ge 0$ we have {RELU}.", f"For all $x, y > 0$: {RELU}.",
        f"For all $x$: {EXP}", f"For all $x, y$ with $xy = x + y$: {EXP}", f"For all $x, y$, to first order, {EXP}.",
        f"For all $x, y$: {RELU} if their signs agree.", f"{RELU} for all $x, y$ of one sign.",
        # called wrong, asked, announced as such
        f"It is not true that for all $x, y$: {EXP}.", f"For all $x, y$: {EXP} is nonsense.", f"For all $x, y$: {EXP}?",
        f"Ein häufiger Fehler: für alle $x, y$ gilt {EXP}.", f"Which of these are true?\n\n- for all $x, y$: {EXP}",
        f"What follows is no law:\n\nFor all $x, y$: {EXP}",
        # of matrices that have more
        "For all diagonal matrices $A, B$: $AB = BA$.", "For all $A, B$: $AB = BA$.",
        r"For all $A, B \in \mathbb{R}^{d \times 1}$: $A^\top B = B^\top A$.",
        "Suppose that all matrices are diagonal. For all matrices $A, B$: $AB = BA$.",
        r"For all $A, B \in \mathcal{D}$: $AB = BA$.", "For all matrices $A$ and some $B$: $AB = BA$.",
        # true of what is meant
        r"For all $a, x$: $\mathrm{ReLU}(a x) = a\,\mathrm{ReLU}(x)$.", "For all $x, y$: $f(x + y) = f(x) + f(y)$.",
        r"For all matrices $A, B$: $\exp(A + B) = \exp(A)\exp(B)$.",
    ],
)  # fmt: skip
def test_what_is_not_said_of_all_letters_does_not_fail(text):
    assert "fails" not in verdicts(text)


@pytest.mark.parametrize(
    "formula",
    [r"e^{x+y} = e^x e^y", r"(AB)^\top = B^\top A^\top", r"\mathrm{tr}(AB) = \mathrm{tr}(BA)"],
)
def test_a_law_that_is_true_holds(formula):
    assert verdicts(f"For all letters that fit: ${formula}$") == ["holds"]
