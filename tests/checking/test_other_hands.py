"""Right numbers of many hands: rounded on the way or not, cut off, with decimal commas, in tables, below one another.

Each text was called wrong, or was not judged, before; the numbers are worked out by hand or with mpmath.
"""

from __future__ import annotations

import pytest

from symattn import check_article
from tests.checking.checked import judged, report

RIGHT = {
    # each number is right as somebody goes on with all digits of his calculator
    "loss of a rounded weight": "z = [-0.9, -0.7, 0.3]\n\np = softmax(z) = [0.18, 0.22, 0.60]\n\n"
    "L = -ln 0.22 = 1.51\n\n"
    "PPL = e^1.51 = 4.54",
    "weights cut off": "v1 = [2, 2]\n\nv2 = [1, 1]\n\ne^0 = 1\n\ne^6 = 403.428\n\nsum = 404.428\n\n"
    "1 / 404.428 = 0.002\n\n"
    "403.428 / 404.428 = 0.997\n\nout = 0.002*v1 + 0.997*v2 = [1.002, 1.002]",
    "exponential of a rounded list": "z ≈ [8.083, 2.11]\n\nexp(8.083) ≈ 3238.624",
    "squares of rounded differences": "$$m = (3.22 + (-0.95)) / 2 = 1.14$$\n\n"
    "$$s^2 = ((2.09)^2 + (-2.09)^2) / 2 = 4.35$$",
    "by the printed mean and deviation": "h = [0.77, -0.22, 0.86, 1.18]\n\n"
    "mean = (0.77 + (-0.22) + 0.86 + 1.18) / 4 = 0.65"
    "\n\nstd = sqrt(0.27) = 0.52\n\nLayerNorm(h) ≈ [0.23, -1.67, 0.40, 1.02]",
    # layout and names
    "a negative number below a result": "q·k = 1 × 2 + 2 × (−2) = −2\n−2 / √2 ≈ −1.41",
    "an article that is a name": "- `V = [[1, 0], [0, 2]]`\n- `A = softmax([[1, 0], [0, 1]]) ≈ [[0.73, 0.27], "
    "[0.27, 0.73]]`\n\n"
    "- `A V ≈ [[0.73, 0.54], [0.27, 1.46]]`",
    "a letter before a point": "a = [1, 2]\n\nW2 = [[1, 0], [0, 3]]\n\ny = a · W2 = [1, 6]",
    "entry by entry beside a sum": "x = [1, 2]\n\ng = [3, -1]\n\nb = [1, 1]\n\ny = g · x + b = [4, -1]",
    "a function of another letter": "x = [1, 2, 6]\n\nh = [2, 2, 8]\n\nm = (2 + 2 + 8) / 3 = 4\n\ns = √8 ≈ 2.83\n\n"
    "LayerNorm(x) = [(2 - 4)/2.83, (2 - 4)/2.83, (8 - 4)/2.83] ≈ [-0.71, -0.71, 1.41]",
    # decimal commas
    "semicolons between": "z = [-0,5; 1,2]\n\nT = 1: softmax([-0,50; 1,20]) ≈ [0,15; 0,85]",
    "in braces": "$z = [1; 0{,}5]$\n\n$\\mathrm{softmax}(z) \\approx (0{,}62; 0{,}38)$\n\n$e^{1{,}5} \\approx 4{,}482$",
    "thousands or not": "$\\sqrt{3} = 1{,}732$",
    "a list of both": "h = [3; 0]\n\ny = [0; 1,2]\n\nh + y = [3; 1,2]",
    "vectors of whole numbers beside": "0,71 · [10,0] + 0,29 · [0,10] = [7,1 ; 2,9]",
}


# a 1 that is no weight, a third that is a weight, what stands below a result, what was not read
RIGHT |= {
    "one less a weight": "σ(6) = 1.00\n\n1.00 · (1 − 1.00) = 0.0025",  # σ(6) = 0.99753
    "a weight near two thirds": "z = [0.1, -0.1, 1.4]\n\np = softmax(z) ≈ [0.18, 0.15, 0.67]\n\nL = −ln(0.67) ≈ 0.403",
    "minus a function below a result": "2 · 3 = 6\n\n−ln 0.5 = 0.69\n\n−(1·2) = −2",
    "minus a power below a result": "2 · 3 = 6\n-e^{-1} = −0.37",
    "weights that were not read": "注意: (0.51 0.49)\n\no1 = 0.51·(-1.5) + 0.49·1.6 ≈ 0.03",  # 0.5062 and 0.4938, say
    "differences near a third": "x = [1.2, -0.5, -0.3, -0.3]\n\nmean = (1.20 + (-0.50) + (-0.30) + (-0.30)) / 4 = 0.03"
    "\n\nx - mean = [1.18, -0.53, -0.33, -0.33]\n\nvar = ((1.18)^2 + (-0.53)^2 + (-0.33)^2 + (-0.33)^2) / 3 = 0.62",
    "a definition": "Let $f(x,y) = x + y$.",
}
WRONG = [  # what is written exactly is no print: 0.09, 0.71, 1, 1.25, 1.5, 0.995, 4
    "0.3² = 0.12",
    "√(0.5² + 0.5²) = 0.75",
    "|q| = √(0.6² + 0.8²) = 1.04",
    "x = [1, 2, 3, 4]\n\nvar = ((−1.5)² + (−0.5)² + 0.5² + 1.5²)/4 = 1.30",
    "σ(6) = 1.00\n\n1 + 0.5 = 1.4975",
    "σ(6) = 1.00\n\n2 · 1.00 − 1 = 0.998",
    "softmax([0, 9]) = [0, 1]\n\n4 / 1 = 4.0005",
    "x = [1, 2, 3]\n\n1.99 · 1 = 1.99\n\n0.83 · 1 = 0.83\n\nLayerNorm(x) = [-1.19, 0.01, 1.22]",
]


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_print_of_anything_is_as_it_is_written(text: str) -> None:
    assert [e for c in report(text).findings for e in c.bad]


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_called_wrong(name: str) -> None:
    found = report(RIGHT[name])
    assert not [(c.subject, e.printed) for c in found.findings for e in c.bad] and not found.failing


def test_a_list_that_divides_single_scores() -> None:
    text = "k1 = [1, 2]\n\n√d_k = √2 ≈ 1.41\n\n1·1 + 1·2 = 3\n\n1·0 + 1·5 = 5\n\nz = [2.13, 3.55]\n\nz2 = [2.13, 3.58]"
    assert ("z", ["2.13", "3.55"], []) in judged(text)  # 3 / 1.41 = 2.128, 5 / 1.41 = 3.546


def test_weights_in_a_table_of_words() -> None:
    table = "| Wort | Score | Gewicht |\n|---|---|---|\n| ich | $2$ | $0.73$ |\n| du | $1$ | $0.27$ |"
    assert [c[1:] for c in judged(table) if "Gewicht" in c[0]] == [(["0.73", "0.27"], [])]


def test_shares_in_a_table_of_temperatures() -> None:
    text = "z = [1, 2, 4]\n\n| T | a | b | c |\n|---|---|---|---|\n"
    text += "| 1 | 0.042 | 0.114 | 0.844 |\n| $T = 2$ | 0.140 | 0.231 | 0.629 |"
    found = [(numbers, bad) for _, numbers, bad in judged(text)]  # e^(x/T) over their sum
    assert found == [(["0.042", "0.114", "0.844"], []), (["0.140", "0.231", "0.629"], [])]


def test_scores_in_a_table_below_their_formula() -> None:
    table = "|  | a | b |\n|---|---|---|\n| a | 14 | 16 |\n| b | 14 | 11 |"
    text = f"- Q = [[1, 2, 3, 2], [2, 0, 2, 3]]\n- K = [[3, 2, 1, 2], [0, 3, 2, 2]]\n\n$QK^T$:\n\n{table}"
    assert judged(text)[-1][1:] == (["14", "16", "14", "11"], ["11"])  # 2·0 + 0·3 + 2·2 + 3·2 = 10


@pytest.mark.parametrize("text", ["q = (3 -2)", "k = (1 -1)"])
def test_numbers_with_gaps_between_are_no_difference(text: str) -> None:
    assert not check_article("a.md", f"{text}\n").findings


def test_a_calculation_with_decimals_is_no_formula() -> None:
    text = "v = (0,2)\n\nw = (1.414,1.414)\n\nz[0]=0.500·0 + 0.500·0 = 0.000\n\nz[1]=0.500·2 + 0.500·2 = 2.000"
    assert not report(text).failing
