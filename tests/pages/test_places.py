"""Pages agree with themselves: what a reader calculates again from the printed numbers comes out as printed."""

from __future__ import annotations

import math
import random
import re
from decimal import Decimal
from fractions import Fraction

import pytest
from sympy import MatrixSymbol

from symattn import Attention, CausalMask, RMSNorm, Softmax, derive
from symattn.api.worksheets import derive_sheet
from symattn.pages.fillings import entry_block
from symattn.reading.worksheets.worksheet import parse_worksheet
from symattn.writing.document import Document
from symattn.writing.writers.markdown import write_markdown
from tests.checking.checked import report
from tests.samples import derived

pytestmark = pytest.mark.slow

MATRIX = re.compile(r"\\begin\{bmatrix\}(.*?)\\end\{bmatrix\}", re.DOTALL)


def number(text: str) -> Fraction:
    if text.startswith(r"\frac"):
        return Fraction(*map(int, re.findall(r"\d+", text)))
    mantissa, _, power = text.replace("-", "-").partition(r"\times 10^{")
    return Fraction(mantissa.strip()) * Fraction(10) ** int(power.strip("{} ") or 0)


def matrices(page: str) -> list[list[list[str]]]:
    return [[[x.strip() for x in row.split("&")] for row in m.split(r"\\")] for m in MATRIX.findall(page)]


def attention(seed: int, tokens: int, *, mask: object = None, whole: bool = False, **options: object) -> str:
    draw = random.Random(seed)
    pick = (lambda: draw.randint(-3, 3)) if whole else (lambda: f"{draw.randint(-99, 199) / 100:.2f}")
    shapes = {"Q": 3, "K": 3, "V": 2}
    symbols = {name: MatrixSymbol(name, tokens, width) for name, width in shapes.items()}
    rows = {s: [[pick() for _ in range(s.shape[1])] for _ in range(tokens)] for s in symbols.values()}
    return derive(Attention(*symbols.values(), mask=mask), rows).to_markdown(**options)


def half_a_unit(printed: str) -> Fraction:
    return Fraction(1, 2 * 10 ** len(printed.partition(".")[2]))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("tokens", [2, 3, 4])
def test_rows_sum_to_one_and_products_come_out(seed: int, tokens: int) -> None:
    page = attention(seed, tokens, whole=bool(seed % 2), mask=CausalMask() if seed % 3 == 0 else None)
    weights, V, output = matrices(page.partition("## 5 Output" if seed % 3 else "## 6 Output")[2])
    if any(r"\times" in x or "-" in x[1:] for row in weights for x in row):
        return  # next to 0 or 1 a weight is printed by its distance from it
    noted = "These decimals are rounded" in page
    assert noted or all(sum(map(number, row)) == 1 for row in weights)
    for i, row in enumerate(output):
        for j, printed in enumerate(row):
            again = sum(number(w) * Fraction(v[j]) for w, v in zip(weights[i], V, strict=True))
            assert noted or abs(again - number(printed)) <= half_a_unit(printed)


@pytest.mark.parametrize("seed", range(8))
def test_weights_come_out_of_the_scores_where_these_are_decimals(seed: int) -> None:
    page = attention(seed, 3)
    (scaled,) = matrices(page.partition("## 3 ")[2].partition("## 4 ")[0])
    weights, *_ = matrices(page.partition("## 5 ")[2])
    for scores, row in zip(scaled, weights, strict=True):
        powers = [math.exp(float(x)) for x in scores]
        for power, printed in zip(powers, row, strict=True):
            close = abs(power / sum(powers) - float(number(printed))) <= float(half_a_unit(printed)) * 1.0001
            assert close or r"\times" in printed or "These decimals are rounded" in page


def test_decimals_are_told_in_decimals_and_exactly_on_demand() -> None:
    page = attention(1, 2)
    assert r"\sqrt{3}" in page and not re.search(r"\d\\sqrt|\\frac\{\d+ ?\\sqrt", page)  # 0.2105/√3, no 421√3/6000
    assert re.search(r"\\frac\{\d+ ?\\sqrt", attention(1, 2, exact=True))


CAPPED = "[inputs]\nQ = [[2, 1]]\nK = [[1, 2], [0, 1], [1, 1]]\nV = [[1], [2], [3]]\n[attention]\nsoftcap = 5\n"


def test_softmax_of_scores_that_are_decimals_is_worked_with_them() -> None:
    """5 tanh(S/5√2) is (2.560918, 0.702430, 2.002583), its softmax (0.578681, 0.090221, 0.331098)."""
    derivation = derived(CAPPED)
    page = derivation.to_markdown()
    assert "A_{ij}" in page and re.search(r"largest score \$2\.56\d*\$", page)
    assert re.search(r"\\approx \\frac\{.* 1 & e\^\{-1\.8[56]\d*\} & e\^\{-0\.5[56]\d*\} .*\}\{1 \+ e\^", page)
    entry = entry_block(derivation.program["weights"], 1, 3, derivation.equations)
    told = write_markdown(Document("", (entry,)))
    assert re.search(r"\\approx \\frac\{e\^\{-0\.5[56]\d*\}\}\{1 \+ .*\}\n\\approx 0\.33", told)


def test_places_on_demand() -> None:
    page = attention(1, 2, decimals=5)
    assert {len(x.partition(".")[2]) for m in matrices(page)[-3:] for row in m for x in row if "." in x} <= {2, 5}


SMALL = "[inputs]\nQ = [[1]]\nK = [[6], [0], [-4]]\nV = [[0], [1], [4]]\n[attention]\nscale = 1\n"


def test_as_many_places_as_an_author_asks_for() -> None:
    """Softmax of (6, 0, −4) is (0.997482, 0.002473, 0.000045), and the output 0.002654."""
    derivation = derived(SMALL)
    weights = {n: matrices(derivation.to_markdown(decimals=n, step="weights"))[-1] for n in (0, 2, 3, 5, 6)}
    assert weights[2] == [["1.00", "0.00", "0.00"]] and weights[3] == [["0.997", "0.002", "0.000"]]
    assert weights[5] == [["0.99748", "0.00247", "0.00005"]] and weights[6] == [["0.997482", "0.002473", "0.000045"]]
    assert weights[0] == [["1", "0", "0"]]
    page = derivation.to_markdown(decimals=2)
    assert r"\approx 0.00" in page.replace("\n", " ") and r"\times 10" not in page and "not proven" not in page
    assert r"4.53 \times 10^{-5}" in derivation.to_markdown()  # left to itself, a page hides nothing
    assert {e.verdict for c in report(page).findings for e in c.entries} <= {"exact", "rounded"}


def test_gradients_come_out_of_what_is_printed() -> None:
    """dS of row 3 is (0.05348, 0.05348, −0.10697): with two places it would not sum to 0, nor give dQ₃₁ = −0.1337."""
    sheet = """[inputs]
Q = [[1, 0, 2, -1], [0.5, 1, 0, 3], [2, "-1/3", 1, 0]]
K = [[0, 1, 1, 2], [1, 1, -1, 0], [3, 0, 0.25, 1]]
V = [[1, 2, 3, 4], [0, -1, 0, 1], [2, 2, -2, 0.1]]
G = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, -1]]
[attention]
mask = "causal"
[gradient]
"""
    page = derive_sheet(parse_worksheet(sheet), "brief", "en").to_markdown()
    dS = matrices(page.partition('<a id="eq-dS"></a>')[2])[0]
    dQ = matrices(page.partition('<a id="eq-dQ"></a>')[2])[2]  # behind dS and K
    assert all(sum(map(number, row)) == 0 for row in dS)
    K = [[0, 1, 1, 2], [1, 1, -1, 0], [3, 0, Fraction(1, 4), 1]]
    for row, printed in zip(dS, dQ, strict=True):
        for x, column in zip(printed, zip(*K, strict=True), strict=True):
            again = sum((number(s) * k for s, k in zip(row, column, strict=True)), Fraction(0)) / 2
            assert abs(again - number(x)) <= (half_a_unit(x) if "." in x else Fraction(1, 200))


def test_a_note_says_what_does_not_come_out() -> None:
    # softmax([0, 1]) is (0.27, 0.73) to two places, which sums to 1, but 0.27·100 is not 26.89;
    # softmax([0, 0.5, 0.5]) is (0.23, 0.38, 0.38), which sums to 0.99
    Z, V, W = MatrixSymbol("Z", 1, 2), MatrixSymbol("V", 2, 1), MatrixSymbol("W", 1, 3)
    product = derive(Softmax(Z) * V, {Z: [[0, 1]], V: [[100], [0]]}).to_markdown(decimals=2)
    assert "what is calculated from them may differ" in product and "may not sum" not in product
    scores = derive(Softmax(W), {W: [["0", "0.5", "0.5"]]}).to_markdown(decimals=2)
    assert "may not sum to exactly 1" in scores


def test_a_note_stands_where_no_number_of_places_agrees() -> None:
    # softmax([0, 0.8, 0]) is not 1 in sum when rounded to 2, 3, 4 or 5 places
    Z, V = MatrixSymbol("Z", 1, 3), MatrixSymbol("V", 3, 1)
    scores = (0, 0.8, 0)
    powers = [math.exp(x) for x in scores]
    for places in (2, 3, 4, 5):
        assert round(sum(round(p / sum(powers), places) for p in powers), places) != 1
    page = derive(Softmax(Z) * V, {Z: [[str(x) for x in scores]], V: [["0.1"], ["0.2"], ["0.3"]]}).to_markdown()
    assert "These decimals are rounded" in page
    assert (
        "These decimals" not in derive(Softmax(Z) * V, {Z: [["0.1", "0.2", "0.3"]], V: [[1], [2], [3]]}).to_markdown()
    )


def test_norms_are_spelled_out_and_quotients_come_out() -> None:
    """Rows of (3, 1) and (1, 2) have the norms √10 and √5; 3/3.16 is 0.949, as 3/√10 is."""
    sheet = "[inputs]\nQ = [['3.0', 1]]\nK = [[1, 2]]\nV = [[1]]\n[attention]\nqk_norm = 'l2'\n"
    page = derived(sheet).to_text()
    assert "√(3² + 1²)" in page and "√(1² + 2²)" in page
    rms = derived(sheet.replace("l2", "rms")).to_text()
    assert "√((3² + 1²)/2" in rms


def test_factors_and_scales_of_decimals_come_out_as_printed() -> None:
    """Under a mask and a bias too, scores have the places with which what is made of them comes out."""
    sheet = """[inputs]
Q = [["-0.9", "-1.2", "2.3"], ["-1.0", "-2.0", "1.8"]]
K = [["1.7", "2.5", "-2.2"], ["2.3", "-1.1", "2.6"]]
V = [["2.3"], ["2.5"]]
[attention]
mask = [[1, 1], [1, 1]]
bias = [["-0.1", "2.4"], ["1.1", "-2.3"]]
qk_norm = "l2"
"""
    places = derived(sheet).equations.expansion.places
    assert places is not None and places.of("scaled") >= places.of("masked")
    scaled, masked = (derived(sheet).values.shown(n, 0, 0, places=places.of(n)) for n in ("scaled", "masked"))
    assert scaled is not None and masked is not None
    assert round(scaled.number - Decimal("0.1"), places.of("masked")) == masked.number


def test_a_matrix_has_one_number_of_places() -> None:
    """softmax(0, 6) is (0.0025, 0.9975): with two places the first would have three digits of its own beside 0.50."""
    (weights,) = matrices(derived("[inputs]\nscaled = [[0, 6], [0, 0]]\n").to_markdown().rpartition("All rows")[2])
    assert weights == [["0.0025", "0.9975"], ["0.5000", "0.5000"]] or weights == [
        ["0.002", "0.998"],
        ["0.500", "0.500"],
    ]


def test_small_matrices_say_two_digits() -> None:
    """0.007 and 0.014 rather than 0.00711 beside 0.01."""
    page = derived("[inputs]\nscaled = [[0, 0], [0, 0]]\nV = [['0.01', '0.02'], ['1/237', '2/237']]\n").to_markdown()
    *_, output = matrices(page)
    assert output == [["0.007", "0.014"]] * 2


def test_a_whole_number_comes_out_among_decimals() -> None:
    """Q̂ K̂ᵀ of a row turned by 1 with itself is 4: from 1.74, 4.69, 0.84 and 0.54 it would be 3.99."""
    sheet = "[inputs]\nQ = [[1, 1], [3, 4]]\nK = [[1, 0], [0, 1]]\nV = [[1], [2]]\n[attention]\nrope = true\n"
    queries, keys, scores = matrices(derived(sheet).to_markdown().partition("Scores")[2])[:3]
    again = sum(number(x) * number(y[1]) for x, y in zip(queries[1], keys, strict=True))
    assert scores[1][1] == "4" and abs(again - 4) <= Fraction(1, 200)


@pytest.mark.parametrize("level", ["matrix", "token", "index"])
def test_the_note_stands_at_every_level(level: str) -> None:
    """softmax(0, 0.8, 0) is not 1 in sum with two to five places: 0.2367 + 0.5267 + 0.2367 is 1.0001."""
    sheet = "[inputs]\nscaled = [['0', '0.8', '0']]\nV = [['0.1'], ['0.2'], ['0.3']]\n"
    assert "These decimals are rounded" in derived(f'{sheet}[show]\nlevel = "{level}"\n').to_markdown()


def test_products_with_roots_come_out() -> None:
    """softmax(0, 1) is (0.269, 0.731): 0.27 times 10√3 is 4.68, and not 4.66 as of more digits."""
    assert abs(10 * math.sqrt(3) / (1 + math.e) - 4.658) < 0.001 and abs(0.27 * 10 * math.sqrt(3) - 4.677) < 0.001
    page = derived("[inputs]\nscaled = [[0, 1]]\nV = [['10*sqrt(3)'], [0]]\n").to_markdown()
    weights, *_ = (m for m in matrices(page.partition("## 3 ")[2]) if m[0][0].startswith("0.2"))
    *_, printed = re.findall(r"4\.6\d+", page)
    assert abs(float(weights[0][0]) * 10 * math.sqrt(3) - float(printed)) <= float(half_a_unit(printed))


@pytest.mark.parametrize("seed", range(8))
def test_the_root_mean_square_of_a_printed_row_comes_out(seed: int) -> None:
    draw = random.Random(seed)
    symbols = [MatrixSymbol(x, 3, 2) for x in "QKV"]
    values = {s: [[draw.randint(-3, 3) for _ in range(2)] for _ in range(3)] for s in symbols}
    page = derive(RMSNorm(Attention(*symbols)), values).to_markdown()
    [(row, printed)] = re.findall(r"\\approx \\sqrt\{\\frac\{(.*?)\}\{2\} \+ .*?\} \\approx ([\d.]+)\$", page)
    squares = sum(float(x) ** 2 for x in re.findall(r"(-?[\d.]+)(?:\\right)?\)?\^", row))
    assert row.count("^") == 2
    assert abs(math.sqrt(squares / 2 + 1e-5) - float(printed)) <= 0.5 * 10 ** -len(printed.partition(".")[2])


DIFFERENTIAL = """[inputs]
Q = [[1, 0], [0, 1], [1, 1]]
K = [[1, 1], [0, 1], [1, 0]]
Q_2 = [[0, 1], [1, 1], [1, 0]]
K_2 = [[1, 0], [1, 1], [0, 1]]
V = [[1, 0], [0, 1], [2, 2]]
[attention]
kind = "differential"
lambda = "4/5"
"""


def test_a_difference_of_printed_weights_comes_out() -> None:
    page = derive_sheet(parse_worksheet(DIFFERENTIAL), "brief", "en").to_markdown()
    parts = [page.partition(f'eq-{name}"')[2].partition("<a id")[0] for name in ("weights", "weights_2", "difference")]
    A, A_2, D = ([[number(x) for x in row] for row in matrices(part)[-1]] for part in parts)
    made = [[x - Fraction(4, 5) * y for x, y in zip(*rows, strict=True)] for rows in zip(A, A_2, strict=True)]
    apart = [abs(x - y) for rows in zip(made, D, strict=True) for x, y in zip(*rows, strict=True)]
    assert max(apart) <= Fraction(1, 10_000) and "last places" in page


def test_a_row_of_weights_that_is_printed_as_zeros_is_said_not_to_sum_to_one() -> None:
    symbols = [MatrixSymbol(x, 3, 2) for x in "QKV"]
    page = derive(Attention(*symbols), {s: [[1, 0], [0, 1], [1, 1]] for s in symbols}).to_markdown(decimals=0)
    assert r"\begin{bmatrix} 0 & 0 & 0 \\" in page and "may not sum to exactly 1" in page


def test_a_learned_gain_times_a_printed_row_comes_out() -> None:
    """7 · 0.84 is 5.88, and not 5.86."""
    symbols = [MatrixSymbol(x, 2, 2) for x in "QKV"]
    gain = MatrixSymbol("gamma", 1, 2)
    values = dict(zip(symbols, ([[1, 2], [3, 1]], [[1, 0], [2, 1]], [[1, -1], [2, 3]]), strict=True))
    page = derive(RMSNorm(Attention(*symbols), gain), values | {gain: [[7, 9]]}).to_markdown()
    parts = [page.partition(f'eq-{name}"')[2].partition("<a id")[0] for name in ("O_normalised", "O_gained")]
    before, after = (matrices(part)[-1] for part in parts)
    for row, made in zip(before, after, strict=True):
        for x, y, g in zip(row, made, (7, 9), strict=True):
            assert round(g * number(x), len(y.partition(".")[2])) == number(y)


GATED = """[inputs]
X = [[1, 2], [3, 1]]
[stack]
norm = "rms"
activation = "silu"
[[layer]]
mask = "causal"
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 0], [0, 1]]
W_V = [[1, 0], [0, 1]]
W_1 = [[1, 0], [0, 1]]
W_2 = [[1, 0], [0, 1]]
W_3 = [[1, 1], [1, 0]]
"""
NOTE = "These decimals are rounded; what is calculated from them may differ in the last places."


def test_a_product_by_entries_that_does_not_come_out_is_noted() -> None:
    """0.41 · 1.90 = 0.779, while the product of what these are rounded of is 0.784."""
    page = " ".join(derived(GATED).to_text().split())
    activated, gate = (page.index(title) for title in ("Activations -", "Gate of the hidden layer -"))
    assert "0.41 " in page[activated:gate] and "1.90 " in page[gate:] and "[ 0.784 " in page[gate:]
    assert NOTE in page[activated:gate] and NOTE in page[gate : page.index("Gated activations -")]


def test_a_sum_of_what_is_printed_comes_out() -> None:
    """NumPy: H is (1.63246, 3.26491), Y (0.78363, 0.62390) and their sum (2.41609, 3.88881); 1.63 + 0.784 is 2.414."""
    page = " ".join(derived(GATED).to_text().split())
    assert "H^(layer1) = X + O^(layer1) ≈ [ 1.632 3.265 ]" in page and "[ 0.784 0.624 ]" in page
    assert "H_2^(layer1) = H^(layer1) + Y^(layer1) ≈ [ 2.42 3.89 ]" in page


def test_a_difference_from_means_that_does_not_come_out_is_noted() -> None:
    """NumPy: the first entry of H is 1.44727 and its mean 1.14909; 1.45 − 1.15 is no 0.298."""
    sheet = """[inputs]
X = [[1, 0, 2], [0, 1, 1], [2, 1, 3]]
[stack]
epsilon = "1/4"
[[layer]]
W_Q = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
W_K = [[0, 1, 0], [1, 0, 0], [0, 0, 1]]
W_V = [[1, 0, 1], [0, 1, 0], [1, 1, 0]]
W_1 = [[1], [0], [0]]
W_2 = [[1, 0, 0]]
"""
    page = " ".join(derived(sheet).to_text().split())
    titles = ("Residual connection -", "Mean of each row of H -", "H minus its means -")
    residual, mean, centred = map(page.index, titles)
    assert "[ 1.45 " in page[residual:mean] and "[ 0.298 " in page[centred:]
    assert NOTE in page[residual:mean] and NOTE in page[mean:centred]
