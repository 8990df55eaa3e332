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
    "a weight of a table that was rounded": "$\\sqrt{2} \\approx 1.41$\n\n$6/1.41 \\approx 4.24$\n\n"
    "| token | weight |\n|---|---|\n| a | 0.93 |\n| b | 0.01 |\n| c | 0.06 |\n\n$0.06 \\cdot 3 \\approx 0.17$",
    "a loss of exact shares": "p ≈ [0.659, 0.242, 0.099]\n\nL = -log(0.242) ≈ 1.417",  # of the logits 2, 1 and 0.1
    "a unit of operations": "FLOPs ≈ `2 × 1024 × 768 × 3072` ≈ 4.8 GFLOPs",
    "what a formula counts": "$$2 \\times 8^2 \\times 3 = 384 \\text{ FLOPs per token}$$\n\n"
    "$n = 8 \\times 16 = 128\\ \\text{parameters}$.",
    "sizes of another model put in": "d = 512, d_ff = 2048\n\nd × d_ff = 768 × 3072 = 2359296",
    "a size put in that was given before": "d = 512\n\nd = 768\n\nd = 1024\n\n4 d = 4 × 768 = 3072",
    "shares in percent too": "2.718 / 3.718 = 0.731 (73%), 1 / 3.718 = 0.269 (about 27%)",
    "another percentage in brackets": "3 / 4 = 0.75 (5%)",
    "remarks with signs": "2 × 30 = 60 (K + V tensors × layers)\n\n60 × 4 = 240 (× context tokens)",
    "sums with commas": "Total = 1,280 + 4,160 = 5,440",
    "thousands beside others, by a longer one": "1,280 + 60 = 1,340\n\n1024 × 1024 = 1,048,576",
    "thousands beside others, by a point": "1,280 + 60 = 1,340\n\n3 × 0.5 = 1.5",
    "a name behind a comma": "d = 8 × 64 = 512, vocab = 37000.\n\n37000 × 512 = 18944000",
    "what a formula counts, squared": "$$a = (3 \\times 2) \\times 4 = 24\\ \\text{px}^2$$",
    "what a formula counts, in a plain word": "$7 \\times 6 = 42 \\text{ patches}$",
    "what a letter stands for": "Query Q = [1.0, 2.0]\n\nKey K = [3.0, 1.0]\n\nscore = Q · K = 5.0",
    "words about a matrix": "Keys K = [[1.0, 0.0],\n          [0.0, 1.0]] (Two key vectors, K1 and K2)\n\n"
    "q = [2, 3]\n\nq Kᵀ = [2, 3]",
    "a letter with its hat in one character": "y = 1\n\nŷ = σ(1.3) ≈ 0.7858\n\n- d = ŷ − y = −0.2142",
    "a letter given another's value in words": "- K = [[1,0],[0,-1]]\n\n- X = [[1,0],[0,1]]\n\n"
    "- Q = X = [[1,0],[0,1]]; K = X.\n\n- QKᵀ = [[1,0],[0,1]].",
    "a letter that is supposed to be another": "$Q = [[1,0],[0,3]]$\n\n$K = [[2,0],[0,1]]$\n\nIf $Q = K$ they "
    "are symmetric.\n\n$QK^T = [[2,0],[0,3]]$",
    "letters in labels": "- Query (q): [1, 2]\n- **Key k₁:** [3, 1]\n\nq·k₁ = 5",
    "letters of two tokens": "cat:\n\nQ: [1, 0]\n\nK: [0, 1]\n\nsat:\n\nQ: [0, 2]\n\nK: [1, 1]\n\nQ·K = 1\n\n2 + 2 = 4",
    # decimal commas
    "a nought behind a sign": "x = [-0,36; 0,46]\n\nm = ((−0,36) + 0,46)/2 = 0,05",
    "semicolons between": "z = [-0,5; 1,2]\n\nT = 1: softmax([-0,50; 1,20]) ≈ [0,15; 0,85]",
    "in braces": "$z = [1; 0{,}5]$\n\n$\\mathrm{softmax}(z) \\approx (0{,}62; 0{,}38)$\n\n$e^{1{,}5} \\approx 4{,}482$",
    "thousands or not": "$\\sqrt{3} = 1{,}732$",
    "a list of both": "h = [3; 0]\n\ny = [0; 1,2]\n\nh + y = [3; 1,2]",
    "vectors of whole numbers beside": "0,71 · [10,0] + 0,29 · [0,10] = [7,1 ; 2,9]",
    "functions of two numbers": "Mit $x = 0{,}5$ ist $\\max(0,3) = 3$.\n\nsum(2,4) = 6\n\n‖x‖ = norm(3,4) = 5",
    "a function of two numbers beside decimals": "max(3,5) = 5\n\n0,25 + 0,75 = 1,00\n\n0,15 + 0,75 = 0,90",
    "decimals in parentheses": "p = 0,25; q = 0,75\n\ns = (-1,5)·(0,4) = -0,6\n\n(1,5)·(2,2) = 3,3",
    "a mean of decimals in parentheses": "x = [-1,6; -1,1; 1,8; 0,0]\n\n"
    "μ = ((-1,6) + (-1,1) + 1,8 + 0,0)/4 = -0,225\n\nx − μ = [-1,375; -0,875; 2,025; 0,225]",
    "a list of decimals or rows": "2 · [1,5; 2,0] = [3,0; 4,0]",
    "names of lists of decimals or rows": "x = [-2,0; -1,5]\n\ny = [1; 2]\n\nx + y = [-1,0; 0,5]\n\n"
    "x + x = [-4,0; -3,0]",
    # points of thousands
    "a point of thousands": "0,5 · 4 = 2,0\n\n2 · 512 = 1.024",
    "a point of thousands in a matrix": "$x = 0{,}5$\n\n$$2 \\cdot \\begin{pmatrix} 512 & 1024 \\end{pmatrix} = "
    "\\begin{pmatrix} 1.024 & 2.048 \\end{pmatrix}$$",
    "a product that only thousands explain": "Parameter: $4 \\cdot 512 = 2.048$",
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
    # softmax([1, 0.5, 0.2]/0.8), and of the scores less 0, 1/4 and 1/2
    "weights at a temperature": "Scaled scores: [1.0, 0.5, 0.2]\n\nWeights at T = 0.8: [0.53, 0.28, 0.19]",
    "weights with a bias": "Scaled scores: [1.0, 0.5, 0.2]\n\nWeights (with ALiBi, slope 1/4): [0.57, 0.27, 0.16]",
    "a logistic function": "Not softmax: $P = \\sigma(S)$ entry by entry, $S = QK^T$, $O = PV$.\n\n"
    "$$dS = dP \\circ P \\circ (1 - P)$$",
    "an entry counted from 0": "The target is y = [0, 1, 0]ᵀ, of which y₁ = 1 is the only one that counts.",
    "matrices side by side": "```\nA =      B =\n[        [\n 1  2     5  6\n 3  4     7  8\n]        ]\n```\n\n"
    "Divide by √d_k = 2.",
}
WRONG = [
    "The target is y = [0, 1, 0]ᵀ, of which y₂ = 3 is the only one that counts.",
    # what is written exactly is no print: 0.09, 0.71, 1, 1.25, 1.5, 0.995, 4
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


LISTS = {
    "indices": "For $t = 1,2$ and $i = 1,2$ we have",
    "indices from zero": "For $t = 0,10$ and $i = 0,12$ we have",
    "indices in braces": "$S_{1{,}2} = 4$ and $i = 1{,}2$ and",
    "displayed": "$$i = 1,2$$\n\n$$h = 1,2$$\n\n",
    "settings": "$h_1 = 8,16$ and $h_2 = 32,64$ and $c = 10,20$:",
    "slices": "$A_{0:2,10} = B_{0:3,12}$ and",
}


@pytest.mark.parametrize(
    "arrow", ["[1, 1, 2] → [0.5, 0.5, 1.0]", "[1, 2, 0.5] → [1, 2, 1.0]", "d = 2 → 1", "The size goes from 256 → 512."]
)
def test_what_stands_behind_an_arrow_may_be_used(arrow: str) -> None:
    assert judged(f"{arrow}\n\nq · k = 1×1 + 0×1 = 1\n")[-1][1:] == (["1"], [])
    assert judged(f"{arrow}\n\n$512 · 128 = 65537$")[-1][1:] == (["65537"], ["65537"])  # 65,536


@pytest.mark.parametrize("arrow", ["size [128, 256] → [128, 512]", "The size goes from 256 → 512."])
def test_what_is_right_of_the_number_before_an_arrow_is_left_alone(arrow: str) -> None:
    assert judged(f"{arrow}\n\n$512 · 128 = 32768$") == []  # 256 · 128
    assert judged("The loss fell: 0.9 → 0.5.\n\n$0.5 · 4 = 3$")[-1][2] == ["3"]  # 3.6 with 0.9, which is not cut off


@pytest.mark.parametrize("name", LISTS)
def test_lists_of_whole_numbers_are_no_decimals(name: str) -> None:
    assert judged(f"{LISTS[name]} $4 \\cdot 256 = 1{{,}}024$.")[-1][1:] == (["1{,}024"], [])


def test_a_sum_of_decimals_in_parentheses_is_judged() -> None:
    assert judged("$x = 0{,}5$\n\n(0,5 + 1,5)/2 = 1,1")[-1][1:] == (["1,1"], ["1,1"])


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


@pytest.mark.parametrize(
    "formula",
    [
        r"3 \times 512 = 2 \text{ kilobit per token}",
        r"2 \times 10^9 = 4 \text{ GB}",
        r"8 \times 4 \text{ bits} = 4 \text{ bytes}",
    ],
)
def test_units_that_scale_are_not_left_out(formula: str) -> None:
    assert not judged(f"$${formula}$$")


@pytest.mark.parametrize("sign", ["-", "−", "–"])
def test_the_end_of_a_difference_is_no_side(sign: str) -> None:
    assert [c for c in judged(f"y = 1\n\n- d = wörd {sign} y = −0.3657") if c[2]] == []
    assert judged(f"y = 1\n\n- d = wörd {sign} y = −0.3657\n\n2y = 2")[-1][1:] == (["2"], [])  # y is still 1


def test_a_calculation_with_decimals_is_no_formula() -> None:
    text = "v = (0,2)\n\nw = (1.414,1.414)\n\nz[0]=0.500·0 + 0.500·0 = 0.000\n\nz[1]=0.500·2 + 0.500·2 = 2.000"
    assert not report(text).failing


@pytest.mark.parametrize(("printed", "bad"), [("0.667", []), ("0.687", ["0.687"])])
def test_what_follows_from_rounded_numbers_of_a_formula_that_has_no_value(printed: str, bad: list[str]) -> None:
    text = "V = [[1, 0], [0, 2], [1, 0]]\n\nA = softmax(Y Yᵀ) = [0.333, 0.333, 0.333]\n\nO = A V = [{}, 0.667]"
    assert [wrong for *_, wrong in judged(text.format(printed))] == [bad]
