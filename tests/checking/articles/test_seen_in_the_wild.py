"""Right numbers of others' articles that were called wrong, each in its shortest form."""

from __future__ import annotations

import re

import pytest

from symattn import check_article
from tests.checking.checked import judged, listed, report

pytestmark = pytest.mark.slow


def bad(text: str) -> list[str]:
    return [number for _, _, wrong in judged(text) for number in wrong]


@pytest.mark.parametrize("function", ["\\max(|w|)", "max(|w|)"])
def test_the_largest_entry_without_its_sign(function: str) -> None:
    given = "Weights $w = [3.2, -1.1, 2.8]$.\n\n"
    assert judged(f"{given}${function} = 3.2$")[-1][1:] == (["3.2"], [])
    assert "2.8" in listed(f"{given}${function} = 2.8$")  # the strokes may be a length


def test_the_mean_and_the_sum_of_entries_without_their_signs() -> None:
    assert judged("W = [3.0, -1.0, 2.0]\nmean(|W|) = 2.0\nsum(|W|) = 6.0")[-2:] == [
        ("mean(|W|)", ["2.0"], []),
        ("sum(|W|)", ["6.0"], []),
    ]
    assert bad("w = [3, 4]\n|w| = 5") == []


def test_a_sum_of_products_with_a_letter_before_each() -> None:
    assert bad("LoRA with r=2: B (500×2) + A (2×500) = 2000 parameters") == []


def test_kilowatt_hours_behind_a_formula_in_kilojoules() -> None:
    energy = "Energy: $600 \\text{ s} \\times 900 \\text{ W} = 540 \\text{ kJ} = NUMBER$ kWh."
    assert bad(energy.replace("NUMBER", "0.150")) == []


def test_a_whole_total_is_not_that_of_decimals_before_it() -> None:
    assert bad("hits = 2 + 2 + 1 = 5\nrate = 5/6 = 0.833\nPairs seen: total = 5") == []


def test_roots_with_their_value_in_brackets() -> None:
    assert judged("Step 2: scale by √2 (≈1.414).")[-1][1:] == (["1.414"], [])
    assert bad("Step 2: scale by √2 (≈1.514).") == ["1.514"]


@pytest.mark.parametrize("label", ["Step 1 — Q·Kᵀ:", "1. Q·Kᵀ:", "Paso 1: Q·Kᵀ"])
def test_a_formula_behind_the_number_of_its_step(label: str) -> None:
    given = "`Q = [[1, 2], [3, 2]]`, `K = [[1, 4], [3, 5]]`\n\n"
    assert judged(f"{given}{label}\n```\n[[9, 13],\n [11, 18]]\n```")[-1][1:] == (["9", "13", "11", "18"], ["18"])


def test_decimal_commas_in_rows_with_spaces() -> None:
    keys = "    K = [ 1,00   0,00 ]   ← key 0\n        [ 0,95   0,20 ]   ← key 1\n\n"
    text = "    Q = [ 1,00   0,50 ]\n\n" + keys + "    Q Kᵀ = [ 1,00  1,15 ]"
    assert judged(text)[-1][1:] == (["1,00", "1,15"], ["1,15"])
    assert bad("    q = [1,0   0,1], k = [1,1   0,1]\n\n    q·k = 2") == []


def test_calculations_beside_a_symbol() -> None:
    table = (
        "| z | Calculation | ẑ_i |\n|--|--|--|\n| 2 | (2 − 5) / 2.236 | −1.342 |\n| 6 | (6 − 5) / 2.236 | +0.547 |\n"
    )
    assert [wrong for _, _, wrong in judged(table)] == [[], ["+0.547"]]


def test_settings_that_dots_part() -> None:
    text = "L = 6 ชั้น · d = 512 · vocab = 30,000 · context = 2,048\n\n12 · d² = 12 × 512² = 3,145,728"
    assert bad(text) == []
    assert "d = 512 · vocab" not in " ".join(listed(text))


def test_a_row_in_closed_form_that_another_row_follows() -> None:
    rows = "**Row 1**: $s = [\\sqrt{2}, \\sqrt{2}, 2\\sqrt{2}]$\n\n**Row 3**: $s = [\\sqrt{2}, \\sqrt{2}, 0]$"
    assert bad(rows) == []


@pytest.mark.parametrize(
    "word", ["Sum", "Summe", "Somme", "Suma", "Soma", "Somma", "Toplam", "Jumlah", "Сумма", "总和", "合計"]
)
def test_a_sum_of_exponentials_in_many_languages(word: str) -> None:
    text = "```\nexp(0.5) = 1.6487\nexp(1.5) = 4.4817\n" + word + " = {}\n```"
    assert judged(text.format("6.1304"))[-1][1:] == (["6.1304"], [])
    assert bad(text.format("6.1404")) == ["6.1404"]


def test_a_list_behind_a_sum_and_an_arrow() -> None:
    powers = "e^2 = 7.389, e^1 = 2.718, e^0 = 1, sum = 11.107 → [0.665, {}, 0.090]"
    assert judged(powers.format("0.245"))[-1][1:] == (["0.665", "0.245", "0.090"], [])
    assert listed("total = 7.389 + 2.718 = 10.107") == []


def test_a_calculation_behind_a_result_and_an_arrow() -> None:
    text = "q = [2, 0], k = [1, 0]\n\nq·k = 2*1 + 0*0 = 2  -> 2 / 1.41 = {}"
    assert judged(text.format("1.42"))[-1][1:] == (["1.42"], [])
    assert bad(text.format("1.52")) == ["1.52"]


def test_points_that_part_thousands_below_a_power() -> None:
    assert bad("M × M = 50.176² ≈ 2.5 · 10⁹") == []
    assert bad("x = 50.176² ≈ 2.5 · 10⁵") == ["2.5 · 10⁵"]


def test_words_in_code_are_what_a_program_wrote() -> None:
    assert (
        bad("| temperature | first line |\n|--|--|\n| 1.0 | `leo says 4+9=14.` |\n| 1.5 | `ana says 5+8=14.` |") == []
    )
    assert bad("So `4+9=14`.") == ["14"]


@pytest.mark.parametrize(
    "text",
    [
        "q_1 = [1, 2], k_1 = [2, 1]. In BERT-base, scores are divided by √d_k = 8.",
        "K = [[1, 0], [2, 3]]; the dimension d of the model is 512. √d ≈ 22.63",
        "Scaled: 10 / √2 (≈1.414) = 7.07",
        "e^2 (≈7.39) + e^1 (≈2.72) + 1 = 11.11",
        "In Python rows and columns are indexed from 0, but here from 1.\n\nS = [[3, 1], [2, 7]]\n\nS_12 = 1",
        "Cache entries are numbered from 0.\n\n$S = [[3, 1], [2, 7]]$\n\n$T_{12} = S_{12}/2 = 0.5$",
        "| Item | Calculation | GB |\n|--|--|--|\n| W | 7000 × 2 | 14 |\n| V | 700 × 2 | 1.4 |",
        "| token | Calculation | k |\n|--|--|--|\n| cat | 2 × 3 | 1 |\n| dog | 2 × 4 | 2 |",
        "```\nS = [[2, 1],  [[1, 0.5],\n     [4, 2]]   [2, 1]]\n```\n\nS_{12} + 1 = 2",
        "$S = [[3, 9], [2, 7]]$, with a causal mask $m_1 = \\max_j S_{1j} = 3$.",
    ],
)
def test_what_a_new_reader_attacked_first(text: str) -> None:
    assert bad(text) == []


def test_wrong_numbers_that_look_like_other_conventions() -> None:
    assert bad("$24 \\times 0.5 = 3.33$ kWh") == ["3.33"]
    assert bad("`the score is 2*3 + 1*1 = 8`") == ["8"]
    assert bad("x = 3\n\nx^(2) = 10") == ["10"]


@pytest.mark.parametrize(
    "text", ["m = 1, n = 2. C = 2(m + n) × 3 = {}", "x = 3. C = 3(x) × 2 = {}", "C = 2 (K and V) × 9 = {}"]
)
def test_brackets_of_letters_are_factors_and_those_of_words_asides(text: str) -> None:
    assert judged(text.format(18))[-1][1:] == (["18"], [])
    assert judged(text.format(6))[-1][1:] == (["6"], ["6"])


def test_words_behind_the_rows_of_a_comment() -> None:
    text = (
        "```python\nS = np.array([[1.0, 2.0], [0.0, 4.0]])\nprint(S / 2)\n"
        "# [[0.5, 1.0],    first\n#  [0.0, {}]]    second, last\n```"
    )
    assert judged(text.format("2.0"))[-1][1:] == (["0.5", "1.0", "0.0", "2.0"], [])
    assert bad(text.format("3.0")) == ["3.0"]


def test_comments_that_go_on_with_a_calculation() -> None:
    program = (
        '```python\nS = Q @ K.T\n# S = [[0, 2],    "a" to "a"=0\n#      [4, 0]]    "b" to "a"=4\nA = softmax(S / 2)\n'
        "# Row 2: softmax([4/2, 0/2])\n#   = softmax([2, 0])\n#   ≈ [{}, 0.12]\nO = A @ V\n"
        "# O[1] = 0.88*[1,0] + 0.12*[0,2]\n#      = [0.88, {}]\n```"
    )
    assert [c[1] for c in judged(program.format("0.88", "0.24"))] == [["0.88", "0.12"], ["0.88", "0.24"]]
    assert bad(program.format("0.78", "0.44")) == ["0.78", "0.44"]


def test_plain_sides_before_a_formula() -> None:
    text = r"Q = $[[1, 0], [0, 2]]$, K = $[[1, 0], [0, 1]]$.{}Scaled = Q Kᵀ / √2 ≈ $[[0.71, 0], [0, {}]]$."
    assert judged(text.format("\n\n", "1.41"))[-1][1:] == (["0.71", "0", "0", "1.41"], [])
    assert bad(text.format("\n\n", "1.51")) == ["1.51"]


@pytest.mark.parametrize("rule", ["---- --------- ---------", "==== ========= ========="])
def test_tables_below_rules(rule: str) -> None:
    text = f"Word Q         K\n{rule}\nI    `[2, 1]`  `[0, 1]`\nsee  `[0, 2]`  `[2, 0]`\n\nS = Q × Kᵀ\n\n"
    scores = "     I    see\n---- ---- ----\nI       1    4\nsee     2    {}\n"
    assert judged(text + scores.format(0))[-1][1:] == (["1", "4", "2", "0"], [])


def test_rows_between_single_bars() -> None:
    text = "X = [[1, 0], [0, 2]]\n\nW =\n|1 2|\n|0 1|\n\nY = X W =\n|1 2|\n|0 {}|\n"
    assert judged(text.format(2))[-1][1:] == (["1", "2", "0", "2"], [])
    assert bad(text.format(3)) == ["3"]


def test_entries_of_a_matrix_by_cases() -> None:
    text = (
        "S₁₁ = 1 + 1 = 2\n\nS₁₂ = 1 + 2 = 3\n\nS₂₁ = 1 + 3 = 4\n\nS₂₂ = 1 + 4 = 5\n\n"
        "M_ij = S_ij (j ≤ i); −∞ (otherwise)\n\nM₁₂ = {}\n\nM₂₁ = {}\n"
    )
    assert [c[1] for c in judged(text.format("−∞", 4))][-2:] == [["-∞"], ["4"]]
    assert [c[1] for c in judged(text.replace("(j ≤ i); −∞ (otherwise)", "if j <= i else -inf").format("−∞", 4))][
        -2:
    ] == [
        ["-∞"],
        ["4"],
    ]
    assert bad(text.format("−∞", 6)) == ["6"]
    bracketed = text.replace("M_ij", "(M_1)_ij").replace("S_ij", "(S_1)_ij").replace("otherwise", "其他情况")
    bracketed = re.sub(r"([SM])([₁₂]{2})", r"(\1_1)\2", bracketed)
    assert [c[1] for c in judged(bracketed.format("−∞", 4))][-2:] == [["-∞"], ["4"]]
    assert bad(bracketed.format("−∞", 6)) == ["6"]


def test_the_matrix_of_entries_in_small_letters() -> None:
    entries = "a_11 = 2/4 = 0.5\n\na_12 = 1/4 = 0.25\n\na_21 = 3/4 = 0.75\n\na_22 = 4/4 = 1\n\n"
    text = entries + "G = [[1], [2]]\n\n$A^T G = [[2], [{}]]$\n"
    assert judged(text.format("2.25"))[-1][1] == ["2", "2.25"]
    assert bad(text.format("2.35")) == ["2.35"]


def test_calculations_listed_before_one_sign() -> None:
    text = "exp(2), exp(1), e^0.1 = 7.389, {}, 1.105"
    assert [c[1] for c in judged(text.format("2.718"))] == [["7.389"], ["2.718"], ["1.105"]]
    assert bad(text.format("2.728")) == ["2.728"]


@pytest.mark.parametrize("word", ["sum", "somme", "total"])
def test_a_list_divided_by_what_is_called_its_sum(word: str) -> None:
    text = f"softmax = [e^0, e^1, e^0] / {word} ≈ [0.21, {{}}, 0.21]"
    assert judged(text.format("0.58"))[-1][1:] == (["0.21", "0.58", "0.21"], [])
    assert bad(text.format("0.48")) == ["0.48"]


@pytest.mark.parametrize("frame", ["```\n{}```\n", "<pre>\n{}</pre>\n", "{}"])
def test_tables_whose_lines_cross(frame: str) -> None:
    rows = (
        "z  │ Sigmoid σ(z) │ Tanh(z)\n───┼──────────────┼────────\n−2 │ 0.119        │ −0.964\n+1 │ 0.731        │ {}\n"
    )
    assert [c[1] for c in judged(frame.format(rows.format("+0.762")))] == [["0.119"], ["−0.964"], ["0.731"], ["+0.762"]]
    assert bad(frame.format(rows.format("+0.772"))) == ["+0.772"]


@pytest.mark.parametrize("words", ["所有 e^(x_j) 的总和", "сумма всех e^(x_j)", "the sum of all e^(x_j)"])
def test_a_formula_that_goes_on_in_words(words: str) -> None:
    assert not [x for x in check_article(f"softmax(x_i) = e^(x_i) / {words}\n").formulas if x.verdict == "fails"]


@pytest.mark.parametrize(
    ("formula", "right", "wrong"),
    [
        (r"-\\log 0.5 = {}", "0.693", "0.793"),
        (r"C = -\\ln 4 = {}", "-1.386", "1.386"),
        (r"\\dfrac{{2.3 - 2}}{{0.1}} = {}", "3.0", "4.0"),
        (r"-\\log 0.5 = {} \text{{ nats}}", "0.693", "0.793"),
    ],
)
def test_backslashes_doubled_in_the_string_of_a_program(formula: str, right: str, wrong: str) -> None:
    for text in (f"${formula}$", f'steps: ["{formula}"],')[: 1 if "nats" in formula else 2]:
        assert judged(text.format(right))[-1][1:] == ([right], [])
        assert bad(text.format(wrong)) == [wrong]
    assert judged(r"$x = 2 \\y = 3 \\x + y = 5$")[-1][1:] == (["5"], [])


@pytest.mark.parametrize(
    ("chain", "right", "wrong"),
    [
        ("3 × 7.13 = 21.4 × 12 = {}", "256.7", "257.7"),
        ("1/8 = 0.13 × 100 = {}", "12.5%", "14.5%"),
        ("50 / 3 = 16.7 + 4 = {}", "20.67", "21.67"),
        ("768 × 768 ≈ 590,000 × 12 = {}", "7.1M", "9.1M"),
    ],
)
def test_running_on_from_what_a_result_was_rounded_from(chain: str, right: str, wrong: str) -> None:
    assert [numbers for _, _, numbers in judged(chain.format(right))] == [[], []]
    assert bad(chain.format(wrong)) == [wrong]


def test_running_on_judges_what_is_between() -> None:
    factor = "f = 0.157, c = 7.4\n\nc = (1 + 1/f) * 4/3 = 7.4 * 1.33 = 9.9"
    assert judged(factor)[-1] == ("c", ["9.9"], [])
    assert judged("4 × 768² = 2.4M × 12 = 28.3M") == [("4 × 768²", ["2.4M"], []), ("2.4M × 12", ["28.3M"], [])]
    assert judged("4 × 25 = 100 × 12 = 1200") == [("4 × 25", ["100"], []), ("100 × 12", ["1200"], [])]


def test_a_hyphen_that_is_a_dash_between_words_and_an_equation() -> None:
    assert listed("Use 2 - sqrt(2) = 1.414.") == ["1.414"]
    assert listed("It reaches 0.5 - tanh(0.5) = 0.462.") == ["0.462"]
    assert bad("Use 2 - sqrt(2) = 1.514.") == ["1.514"]
    assert bad("x = 2 - sqrt(2) = 1.414.") == ["1.414"]
    assert bad("It reaches $2 - \\sqrt{2} = 1.414$.") == ["1.414"]
    assert bad("The rest is 1 - σ(1) = 0.731.") == ["0.731"]
    assert bad("The rest is 5 - 2 = 2.") == ["2"]


def test_digits_cut_by_a_base_that_the_text_has_shown() -> None:
    assert bad("log(0.8) = -0.0969, log(0.5111) = -0.2914") == []
    assert bad("log(2) = 0.3010, log(5.1) = 0.7075") == []
    assert bad("log(2) = 0.3010, log(5.1) = 0.7085") == ["0.7085"]
    assert bad("log(2) = 0.6931, log(5.1) = 0.7075") == ["0.7075"]


@pytest.mark.parametrize("later", [" Later w = 0.5.", "\n\nw = 0.5", "\n\nw = -0.5"])
def test_a_value_given_later_where_a_chain_puts_in_another(later: str) -> None:
    assert judged("w − 0.1·w = 1 − 0.1 = 0.9." + later) == [("w − 0.1·w", ["0.9"], [])]
    assert bad("w − 0.1·w = 1 − 0.1 = 0.8." + later) == ["0.8"]
    assert bad("w − 0.1·w = 0.9." + later) == []  # perhaps of another w
    assert bad("w = 0.5\n\nw − 0.1·w = 1 − 0.1 = 0.9") == ["0.9"]


@pytest.mark.parametrize(
    "text",
    [
        "Divide by √d_k = 2. Without it, with d_k = 64, softmax saturates.",
        "Use $1/\\sqrt{d_k} = 0.5$. Large models have $d_k = 128$.",
        "除以 √d_k = 2。大模型用 d_k = 64。",
    ],
)
def test_a_value_of_another_case_farther_on_says_nothing_of_what_stands_before_it(text: str) -> None:
    assert bad(text) == []


def test_a_value_before_or_put_in_does() -> None:
    assert bad("Here d_k = 64. Divide by √d_k = 7.") == ["7"]
    assert bad("Divide by √d_k = √64 = 7, as d_k = 64.") == ["7"]
    assert bad("q · k = 1·3 + 2·4 = 12, where q = [1, 2] and k = [3, 4].") == ["12"]


def test_items_of_a_list_that_are_alternatives() -> None:
    given = "lr = 0.1, λ = 0.1\n\n- SGD: w ← w − lr·λ·w = 1 − 0.1·0.1 = 0.99\n- Adam: w = 0.9\n"
    assert bad(given + "- AdamW: w ← w − lr·λ·w = 0.99") == []
    assert bad("- A: w = 0.9\n- B: w = w − 0.1·w = 0.7") == []
    assert bad("- Step 1: w = 0.9\n- Step 2: w ← w − 0.1·w = 0.7") == ["0.7"]
    assert bad("w = 0.9\n- Adam: w ← w − 0.1·w = 0.7") == ["0.7"]
    assert bad("- Input: x = 2\n- Output: y = x + 1 = 4") == ["4"]


@pytest.mark.parametrize("pi", ["π = 3.14", "π ≈ 3.1416"])
def test_a_rounded_pi_is_not_that_of_other_formulas(pi: str) -> None:
    right = "sin(30°) = 0.5000, tan(45°) = 1.000, cos(π/3) = 0.5000"
    for text in (f"{pi}\n\n{right}", f"{right}\n\n{pi}"):
        found = report(text).findings
        assert not any(claim.bad for claim in found)
        degrees = [entry.verdict for claim in found if "°" in claim.subject for entry in claim.entries]
        assert degrees == ["exact", "exact"]
    assert bad(f"{pi}\n\nsin(30°) = 0.6000") == ["0.6000"]
    assert bad("π = 3.14\n\n2π · 3 = 18.84") == []
    assert bad("policy π = 0.2\n\n2π = 0.4") == []


@pytest.mark.parametrize(
    "text",
    [
        "[1, 1]\nplease → [1, 0]",
        "queries [1, 1]\nred → [1, 0]\nblue → [0, 1]",
        "[2, 2, 2]\nplease → [0, 0, 0]",
        "a: [9.0, 1.0]\nb → [1.0, 0.0]",
        "[0, 1] → [1, 3]",
    ],
)
def test_labels_with_their_vectors(text: str) -> None:
    assert judged(text) == []
    assert judged("[2, 1] → [0.73, 0.27]")[-1][1:] == (["0.73", "0.27"], [])
    assert judged("[5, 1] → softmax → [1, 0]")[-1][1:] == (["1", "0"], [])
    assert judged("$(1, -\\infty) \\rightarrow (1, 0)$")[-1][1:] == (["1", "0"], [])


def test_a_sum_that_goes_on_in_dots_beyond_what_is_known() -> None:
    text = "e^z = [e^2.5, e^1.2, e^0.3] = [12.18, 3.32, 1.35]\nsum(e^z) = 12.18 + 3.32 + 1.35{} ≈ 25.6"
    assert bad(text.format(" + ...")) == []
    assert bad(text.format("")) == ["25.6"]
    assert bad("S = [1, 2, 3, 4]\n\nsum(S) = 1 + 2 + ... = 11") == ["11"]


def test_a_letter_behind_a_sum_counts_for_its_terms() -> None:
    for total in ("$85 + 113 + 25 \\approx {}\\text{{M}}$", "85 + 113 + 25 = {}M", "85.0 + 113.0 + 25.0 = {}.0M"):
        assert len(judged(total.format(223))) == 1
        assert bad(total.format(223)) == []
        assert len(bad(total.format(243))) == 1
    assert bad("85 + 113 + 25 = 224M") == []  # which are rounded
    assert listed("12 × 7 = 84M") == ["84M"]


def test_endings_of_turkish_words_behind_numbers() -> None:
    assert bad("τ = 1'de pay artar. Sonra τ = 2 için böl.") == []
    text = "x = 2'dir. x + 1 = {}'tür, y = 0.5'te y(1 − y) = 0.25"
    assert [numbers for _, numbers, _ in judged(text.format(3))] == [["3"], ["0.25"]]
    assert bad(text.format(4)) == ["4"]


def test_normalised_rows_whose_gains_are_not_printed() -> None:
    said = "LayerNorm has learned γ and β.\n\n"
    first = "x = LayerNorm([0.82, 0.52, 2.13, 0.65]) = [0.15, -0.22, 1.08, -0.31]\n\n"
    then = "y = LayerNorm([0.15, -0.22, 1.08, -0.31] + [0.33, 0.15, -0.42, 0.61])\n"
    then += "  = LayerNorm([0.48, -0.07, 0.66, 0.30])\n  = [-0.10, -0.35, 0.22, -0.18]"
    assert judged(f"{said}```\n{first}{then}\n```") == [("y", ["0.48", "-0.07", "0.66", "0.30"], [])]
    assert bad(f"{said}y = LayerNorm([0.48, -0.07, 0.66, 0.30]) = [0.50, -1.52, 1.27, -0.15]") == ["1.27"]
    for given in ("", "With γ = 1 and β = 0.\n\n", "Without γ and β.\n\n"):
        assert len(bad(given + first)) == 4


@pytest.mark.parametrize(
    "text",
    [
        "Top 1 = $0.76$, Top 5 = $0.93$.",
        "the top - 3 = $0.5$ and best - 1 = $0.2$",
        "Accuracy at 10 = $0.7$, at 20 = $0.8$",
        "At t=1 = $0.9$",
        "sum of 1, 2, 3 = $6$; sum of a, b = $3$, where b = $2$",
        "n! / 2 = $3$ for n = 3",
        "[2, 3] / total = [0.2, 0.3], with 10 tokens in total",
        "$a_{11} = 0.3, a_{12} = 0.7, a_{21} = 0.6, a_{22} = 0.4$. With $A = xW$: $2A = [[2, 4], [6, 8]]$",
        "With whole numbers only, √2 = 1.",
        "| 1 | 2 |\n| 3 | 4 |",
        "|x| ≤ |y| ≤ |z|",
        "```\nLayers  ReLU  GELU\n------  ----  ----\n6       27.1  27.4\n```",
        "| params (M) | bytes | params · bytes |\n|--|--|--|\n| 7000 | 2 | 14 |",
        "| f(0) | f(1) | f(0)+f(1) |\n|--|--|--|\n| 2 | 3 | 5 |",
        "```python\nx = f(2)\n# x^2 + 1\n# = 5\n# (x + 1)^2\n# = 9\n```",
        "```python\nx = 3\n# y = x + 1\n# = 4\n# z = x * 2\n# = 6 (not 7)\n# total y + z\n# = 10\n```",
        "sin(45), cos(45) = 0.707, 0.707",
        "LayerNorm: x = [1, 2, 3], γ = 2, β = 1: LN(x) = [-1.45, 1, 3.45]",
        "| angle | sin(angle) | height |\n|--|--|--|\n| 30 | 0.5 | 10 |",
        "| Layers | ReLU | GELU | SwiGLU |\n|--|--|--|--|\n| 6 | 27.1 | 27.4 | 27.9 |\n| 12 | 28.3 | 28.6 | 29.0 |",
    ],
)
def test_what_a_new_reader_attacked_next(text: str) -> None:
    assert bad(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "If a:b = 2:3 and b:c = 4:5, then b/c = 4/5.",
        "n:m = 8:2 and m:k = 2:5, so m/k = 2/5",
        "a∶b = 2∶3，b∶c = 4∶5，b/c = 0.8",
        "b:c = 4:5 = 12:15, c = 5, b = 4, b/c = 0.8",
    ],
)
def test_ratios_give_no_values(text: str) -> None:
    assert bad(text) == []


def test_a_colon_before_an_equation_is_no_ratio() -> None:
    assert bad("Layer a: x = 2, y = 3: x·y = 7") == ["7"]


def test_a_factor_in_brackets_before_a_function_belongs_to_it() -> None:
    """5 (cos 1 − sin 1) = −1.51, of which sin 2θ = 0.84 is only a part."""
    text = "θ = 0.5. In theory (q·k) cos(2θ) − (q×k) sin(2θ) = 5 × (0.540 − 0.841) = −1.51."
    assert not bad(text) and "−1.51" in listed(text)[-1]


def test_a_column_with_a_plus_before_its_last_number_alone() -> None:
    """-0.4580 - 0.1780 + 2.0762 - 0.9866 = 0.4536."""
    text = "```\n   -0.4580\n   -0.1780\n   2.0762\n + -0.9866\n = 0.4536\n```"
    assert not bad(text)
    assert bad("```\n  2.0762\n + -0.9866\n = 1.4536\n```") == ["1.4536"]
