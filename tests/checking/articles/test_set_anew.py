"""What is no slip: a program that sets a name once more, the aim of a normalisation, a rounded power of ten."""

import json
import math

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def verdicts(text, name="a.md"):
    report = check_article(read_article(name, text))
    return {e.verdict for claim in report.findings for e in claim.entries}


def wrong(text):
    report = check_article(read_article("a.md", text))
    return [e.printed for claim in report.findings for e in claim.entries if e.verdict == "wrong"]


def test_a_notebook_sets_a_matrix_once_more():
    cells = [
        "W_Q = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.0, 1.0, 0.5]])",
        "# a second example\nWq = np.eye(3)",
    ]
    made = [
        {"cell_type": "code", "metadata": {}, "execution_count": 1, "outputs": [], "source": [cell]} for cell in cells
    ]
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made}
    assert verdicts(json.dumps(notebook), "a.ipynb") == set()


@pytest.mark.parametrize("words", ["均值 0、方差 1", "平均：0，标准差：1", "mean: 0, variance: 1"])
def test_mean_0_and_variance_1_are_what_normalisation_is_for(words):
    assert verdicts(f"The row is `[2, 1, 3, 2, 4, 5]`.\n\nLayerNorm: {words}\n") == set()


def test_a_mantissa_may_be_a_rounded_print():
    """6 · 8 589 934 592 = 5.154e10, though 6 · 8.6e9 is 5.16e10; 5.25e10 is out of reach."""
    text = "$$= 24Td^2 \\approx 8.6 \\times 10^9$$\n\nTotal: $6 \\times 8.6 \\times 10^9 = 5.15 \\times 10^{10}$\n"
    assert "wrong" not in verdicts(text)
    assert "wrong" in verdicts(text.replace("5.15", "5.25"))


def test_blocks_side_by_side_are_no_product():
    text = r"$P_i \in \mathbb{R}^{n \times b}$ for both. $P = [P_1\quad P_2] \in \mathbb{R}^{n \times 2b}$"
    assert not [f for f in check_article(read_article("a.md", text)).formulas if f.verdict == "fails"]


def test_an_entry_is_set_at_a_prompt():
    console = ">>> Z = f(X)\n>>> Z\narray([[0.5, 1.5], [3.5, 4.5]])\n"
    assert "wrong" not in verdicts(console + ">>> Z[1][0] = 20\n")
    assert "wrong" in verdicts("Z = [[0.5, 1.5], [3.5, 4.5]]\n\nSo Z[1][0] = 20\n")


@pytest.mark.parametrize(
    "again",
    [
        "For the other branch H = 1.",  # an even split
        "For the pure branch H = 0.",
        "H = 0 if and only if one outcome is certain.",
    ],
)
def test_a_whole_number_is_no_print_of_decimals(again):
    assert verdicts(f"$H = 1.25 + 0.327 = 1.577$\n\n{again}\n") <= {"exact"}
    assert "wrong" in verdicts("$p = 3/4 = 0.75$ and $H = 1.25 + 0.327 = 1$\n")


def test_a_product_of_unknown_names_is_a_name():
    text = "```\nKL = (1.5 + 0.944)/2\n   = 1.222\n```\n\n"
    assert verdicts(text + "KL = 0 iff q = p.\n") == {"exact"}
    assert "wrong" in verdicts("```\nK = 2\nL = 3\nKL = 5\n```\n")


def test_a_square_whose_root_was_taken_is_given():
    text = r"The variance is 25, so $\sigma = \sqrt{\sigma^2} = \sqrt{25} = 5$." + "\n\n"
    assert verdicts(text + "1. A low variance ($\\sigma^2 = 4$)\n2. A high variance ($\\sigma^2 = 100$)\n") == {"exact"}
    assert "wrong" in verdicts("$\\sigma = 2 + 3 = 5$ and $\\sigma^2 = 24$.\n")


def test_an_entry_is_worked_out_of_a_result_of_its_own():
    text = "C = [[8, 0], [0, 8]] / 4 = [[2, 0], [0, 2]]\n\n"
    anew = "Other points: $\\sum x^2 = 16 + 16 = 32$, so $C_{11} = 32/4 = 8$.\n"
    assert verdicts(text + anew) == {"exact"}
    assert "wrong" in verdicts(text + "Its first entry is $C_{11} = 12/4 = 3$.\n")


@pytest.mark.parametrize("before", ["mean: 4.8, variance: 4.16", "mean: 4.8\nvariance: 4.16"])
def test_a_mean_after_the_variance_is_of_another_list(before):
    text = f"Data [2, 4, 4, 6, 8]\n\n{before}\n"
    assert "wrong" not in verdicts(text + "average: 3, std: 1.41\n")
    assert "wrong" in verdicts(text + "std: 2.14\n")


def test_a_measure_again_is_of_another_list():
    text = "Data [2, 4, 4, 6, 8]\n\nmean: 4.8\n"
    assert "wrong" not in verdicts(text + "average: 3\n")
    assert "wrong" in verdicts(text + "variance: 5.16\n")


def test_names_that_are_worked_out_together_are_set_anew():
    text = "P₁ = 6/8 = 0.75\n\nP₂ = 2/8 = 0.25\n\n"
    assert verdicts(text + "Two alike: P₁ = P₂ = 3/6 = 0.5\n") == {"exact"}
    assert "wrong" in verdicts(text + "Two alike: P₁ = P₂ = 3/6 = 0.6\n")


def test_a_result_is_parted_from_the_next_one_by_a_stroke_alone():
    assert wrong("We add 5 + 3 = 8. Hence 8 · 3 = 3.\n") == ["3"]
    assert wrong("It is 8/2 = 4 / 6/2 = 3.\n") == []


def test_another_case_has_an_equation_before_it():
    vectors = "$q = [1, 2]$, $k = [3, 4]$.\n\n"
    assert wrong(vectors + "Se obtiene el producto escalar o $q \\cdot k = 12$.\n") == ["12"]


def test_a_remark_does_not_take_the_place_of_a_result():
    text = "H = 1.5 + 0.077 = 1.577. The most for two classes is H = 1. So H - 1 = 0.577.\n"
    assert wrong(text) == []


def test_what_is_right_in_another_arithmetic_goes_on_as_printed():
    assert wrong("Modulo 5: x = 3 + 4 = 2 and y = x + 1 = 3.\n") == []


def test_lines_without_left_sides_may_be_many():
    assert wrong("= 2 · 3 = 6\n= 4 · 5 = 20\n= 6 + 20 = 26\n") == []


def test_a_last_digit_is_not_blamed_on_another_example():
    """0.1 · 1 + 0.1 · 1 + 0 = 0.2 with the weights set anew in words; with those of before it is 0.119."""
    first = "## Example 1\n\nW1 = 0.1096\nb1 = 0.0096\n\n"
    again = "z1 = W1 x + b1 = [0.2, 0.2]\n"
    assert verdicts(first + "## Example 2\n\nEvery weight is 0.1. x = [1, 1]\n\n" + again) == set()
    assert verdicts(first + "x = [1, 1]\n\n" + again) == {"last-digit"}


def test_strokes_part_the_items_of_a_list():
    assert verdicts("For C=8/16/24/32 we gain a little.\n\nThe worst is C=16.\n") == set()
    assert verdicts("It is $C = 8/16/24$.\n\nSo $C = 0.03$.\n") == {"last-digit"}


def test_thousands_parted_twice_in_a_square():
    """400 000²/1600 = 100 000 000."""
    assert wrong("s = 400.000, n = 1600, s²/n = 100.000.000\n") == []
    assert wrong("s = 400.000, n = 1600, s²/n = 200.000.000\n") == ["200.000.000"]


def test_what_follows_from_wrong_numbers_is_not_cut_off():
    """softmax([2, 1, 0.5]) is 0.6285, 0.2312, 0.1402; 0.59 + 0.17 = 0.76, and from the right ones 0.7687."""
    text = "scores [2.0, 1.0, 0.5] → softmax → [0.59, 0.24, 0.17]\n\n```\n"
    sums = "out = 0.59×[1,0] + 0.24×[0,1] + 0.17×[1,1] = [0.76, 0.41]\n```\n"
    report = check_article(read_article("a.md", text + sums))
    assert [e.verdict for claim in report.findings for e in claim.entries][-2:] == ["carried", "carried"]


def test_a_number_that_is_replaced_may_be_either():
    """1/√2048 = 0.022, 1/√64 = 0.125."""
    assert verdicts("We raised N=64→2048.\n\nThe scale 1/sqrt(N)≈0.022 is small.\n") == set()
    assert verdicts("We have N=64.\n\nThe scale 1/sqrt(N)≈0.022 is small.\n") == {"wrong"}


def test_a_word_between_two_quantities_is_no_unit():
    assert verdicts("Here m≈0.02 vs step*1.5≈0.06.\n") == set()


@pytest.mark.parametrize(("call", "right"), [("diag(x, k=1)", False), ("diag(x)", True)])
def test_what_a_keyword_argument_changes_is_not_computed(call, right):
    shown = "[[1, 0], [0, 2]]" if right else "[[0, 1], [0, 0]]"
    found = verdicts(f"```\nx = [1, 2]\n{call} = {shown}\n```\n")
    assert found == ({"exact"} if right else set())


def test_the_sum_of_amounts_is_no_length():
    assert wrong("```\nx = [3, 4]\nnorm(x, ord=1) = 7\n```\n") == []
    assert wrong("```\nx = [3, 4]\nnorm(x) = 7\n```\n") == ["7"]


def test_the_field_of_a_number_is_no_power_of_e():
    assert wrong("The scale has another bias (exp 7->15, i.e. eight more).\n") == []
    assert wrong("So exp(7) → 15.\n") == ["15"]


def test_how_often_a_size_fits_is_a_whole_number():
    """10 / 1.5 = 6.67: six sessions fit, and no seventh one."""
    assert verdicts("It is 2 · 1.25 = 2.5 GB.\n\nSessions: 10 / 1.5 = 6 sessions per card\n") == {"exact"}
    assert "last-digit" in verdicts("It is 2 · 1.25 = 2.5 GB.\n\nIt is 10 / 1.5 = 6.\n")
    assert "wrong" in verdicts("It is 2 · 1.25 = 2.5 GB.\n\nSessions: 10 / 1.5 = 5 sessions per card\n")


def test_a_stroke_parts_two_statements_of_a_name():
    assert wrong("P = 16 here.\n\nWe leave out P = 9 / P = 19 as runs.\n") == []
    assert wrong("P = 16 here.\n\nThen 9 / P = 19.\n") == ["19"]


def test_two_names_that_share_a_value():
    assert wrong("a_K = 64 and a_O = 64 here.\n\nKept: a_K / a_O = 64.\n") == []
    assert wrong("a_K = 64 and a_O = 32 here.\n\nKept: a_K / a_O = 64.\n") == ["64"]


def test_the_shape_of_one_case_says_nothing_of_another():
    assert wrong("Fine: S_q = 2 x 96/8 (24 rows);\nnot at S_q = 120 here.\n") == []
    assert wrong("```\nb = 128 * 2\nb = 1\n```\n") == ["1"]


def test_what_is_no_quantity_has_no_value():
    assert verdicts("Here None = 2.\n\nThen 0 / None = 148.\n") == set()


def test_an_expression_whose_first_factor_is_a_word_is_not_cut():
    assert verdicts("Dispatch: hidden_bytes = hidden / 2 × 1   = 3584 (default)\n") == set()


def test_prefixes_that_differ_count():
    """22.75 GFLOPS / 65 TFLOPS = 0.00035 = 0.035 %."""
    assert wrong("22.75 GFLOPS / 65 TFLOPS ≈ 0.035%\n") == []
    assert verdicts("4 × 100 TFLOPs = 400 TFLOPs\n") == {"exact"}


def test_seconds_before_a_sign_and_milliseconds_behind_it():
    """2 · 98 / 4000 s = 49 ms and 35/3350 s = 10.4 ms."""
    times = (
        r"$$T = \max\left(\frac{2×98}{4000}, \frac{35\text{GB}}{3.35\text{TB/s}}\right) = \max({}) = {} \text{ ms}$$"
    )
    assert wrong(times.replace("{}", "49, 10.4", 1).replace("{}", "49") + "\n") == []
    seconds = r"$$T = \max\left(\frac{2×98}{4000}, \frac{35}{3350}\right) = \max(0.059, 0.0104)$$"
    assert wrong(seconds + "\n") == ["0.059"]


def test_an_array_in_a_program_is_not_the_formula_of_its_name_before():
    """sin² of −1, 0 and 1 is 0.708, 0 and 0.708, of which 1, 0 and −1 are no prints."""
    before = ">>> x = jnp.array([0, 2, 5, 7])\n>>> y = jnp.sin(x) ** 2\n"
    assert wrong(before + ">>> x = jnp.array([-1, 0, 1])\n>>> y = jnp.array([1, 0, -1])\n") == []


def test_a_type_is_no_quantity():
    assert verdicts("    hbm: int = 80 * 1024\n    pod: int = 8\n    share: float = 0.5\n") == set()


def test_strokes_with_blanks_part_the_items_of_a_list_too():
    assert verdicts("We measured at T = 512 / 1024 / 2048 rows.\n\nAt T = 512 it is best.\n") == set()


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("We have d_k = 512 / 8. Then d_k = 65.", "65"),
        ("x = softmax([1, 2])\n\nx = [0.27, 0.75]", "0.75"),
        ("**Heads** · 12 × 64 = 778 parameters.", "778"),
        ("So 2 × 3.1 + 1.5 × 2 = 6200 + 3 = 9.2", "6200"),
        ("exp 2 → 7.93", "7.93"),
        ("n = 128, so 4 × n = 512.000.000", "512.000.000"),
        ("accuracy(True) = 0.5 + 0.2 = 0.8", "0.8"),
        ("a = 64 and h = 64.\n\nratio = a / h = 64", "64"),
        ("It is 2 · 1.5 = 3.0.\n\nThen 10 · 1.25 = 11 heads.", "11"),
    ],
)
def test_slips_beside_what_is_left_alone(text, printed):
    assert wrong(text + "\n") == [printed]


def test_a_last_digit_of_several_is_blamed_on_what_stands_under_another_heading():
    """0.5 · 0.8125 + 0.15 = 0.55625."""
    text = "## Inputs\n\nw = 0.8125, x = 0.5, b = 0.15\n\n## Forward pass\n\nz = w * x + b = 0.557\n"
    assert verdicts(text) == {"last-digit"}


def test_a_divisor_is_the_sum_of_the_numbers_beside_it():
    """7.39 + 2.72 + 1.11 = 11.22; with all digits it is 11.213."""
    text = "```\nsoftmax([2.0, 1.0, 0.1])\n  = [e², e¹, e⁰·¹] / (e² + e¹ + e⁰·¹)\n  = [7.39, 2.72, 1.11] / {}\n```\n"
    assert "last-digit" not in verdicts(text.replace("{}", "11.22"))
    assert wrong(text.replace("{}", "11.42")) == ["11.42"]


def test_the_widths_of_layers_are_no_difference():
    assert verdicts("The stack, 784-256-128-10 = 235,146 knobs, is small.\n") == set()
    assert wrong("So 784 - 256 - 128 = 410 remain.\n") == ["410"]


def test_from_a_smaller_decimal_to_a_larger_one_is_a_range():
    assert wrong("It is best for \\(T = 0.5 - 0.8\\).\n\nThe usual one is \\(T = 1.0\\).\n") == []
    assert wrong("It is \\(T = 0.5 - 0.8 = -0.4\\).\n") == ["-0.4"]


def test_a_prefix_that_is_written_out():
    """6 · 1.3e8 · 2e9 = 1.56e18."""
    product = r"$F \approx 6 \times 130,000,000 \times 2,000,000,000 \approx 1.56"
    assert wrong(product + r" \text{ ExaFLOPs}$" + "\n") == []
    assert wrong(product + "$\n") == ["1.56"]


def test_the_digits_of_a_row_whose_formula_was_sought():
    """The third row may be a sum of the others or scores over √2: e^{4/√2} is 16.9188, and e^2.828 is 16.9116."""
    rows = (
        "Over `sqrt(2) = 1.41421` the rows are `[0.707, 1.414, 2.121]`, `[0, 0.707, 0.707]`, `[0.707, 2.121, 2.828]`."
    )
    assert wrong(rows + "\n\nThen `exp(2.828) = 16.9188` and `exp(2.828) = 16.9388`.\n") == ["16.9388"]


def test_percents_that_are_added_up():
    assert verdicts("Check: 62.9 + 23.1 + 14.0 = 100.0%\n") == {"exact"}
    assert verdicts("Check: 0.629 + 0.231 + 0.140 = 100.0%\n") == {"exact"}
    assert verdicts("Shares: 0.62 + 0.38 = 1.00%\n") == set()
    found = check_article(read_article("a.md", "Check: 62.9 + 23.1 + 12.0 = 100.0%\n"))
    assert [(e.verdict, e.decimal) for claim in found.findings for e in claim.entries] == [("wrong", "98.0%")]


def test_a_number_of_things_is_the_next_whole_one():
    assert wrong("There are 1024/768 = 2 tiles, and 1024/300 = 4 tiles.\n") == []
    assert wrong("There are 1024/768 = 3 tiles, and 1024/256 = 5 tiles.\n") == ["3", "5"]
    assert verdicts("On average there are 13/3 = 5 tokens.\n") == {"last-digit"}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("C = 6 × 124M × 300B = 2.232 × 10²⁰ FLOPs", []),
        ("C = 6 × 124M × 300B = 2.232 × 10²² FLOPs", ["2.232 × 10²²"]),
        ("768 × 3072 = 236 万个参数，4 × 768 × 768 = 2.36 million parameters", []),
        ("768 × 3072 = 2,359,297 个参数", ["2,359,297"]),
        ("2 × 1024 × (768 × 2304) = 3,623,878,656 ≈ 3.6 GFLOPs", []),
        ("2 × 1024 × (768 × 2304) = 3,623,878,656 ≈ 4.6 GFLOPs", ["4.6"]),
        ("2 × 1024 × (768 × 2304) = 1.8 GFLOPs", []),  # a multiplication and an addition as one
        ("Eight GPUs with 312 TFLOPs each have 8 × 312 = 2.5 PFLOPs", []),
        ("The embedding (50K × 768): 50 × 768 = 38,400,000 parameters", []),
    ],
)
def test_operations_and_parameters_are_counted_one_by_one(line, found):
    assert wrong(line + "\n") == found


@pytest.mark.parametrize(("result", "found"), [("114,688", []), ("115,688", ["115,688"])])
def test_factors_with_what_they_count(result, found):
    line = f"2 (K and V) × 28 layers × 8 KV heads × 128 head_dim × 2 bytes (fp16) = {result} bytes\n"
    assert wrong(line) == found
    assert verdicts(line) == {"wrong" if found else "exact"}


def test_a_b_behind_thousands_is_a_byte():
    assert verdicts("x = 4,096 × 114,688 B = 469.8 MB\n") == {"rounded"}
    assert verdicts("x = 4.2 B × 2 bytes = 8.4 GB\n") <= {"exact"}


def test_a_value_behind_a_comma():
    assert wrong("For class 2 the loss is -log(0.3), about 1.404. It is -log(0.8), roughly 0.223.\n") == ["1.404"]
    assert wrong("类别 2 的损失为 -log(0.3)，约 1.404。\n") == ["1.404"]


def test_what_follows_from_a_power_of_ten_that_is_wrong():
    """2.23 · 10²⁰ / 93.6 · 10¹² / 86,400 = 27.6, whose print without decimals is 28."""
    text = "$C = 6 · 124 · 10^6 · 300 · 10^9 = 2.23 · 10^{22}$\n\n$d = C / (93.6 · 10^{12} · 86400) = 2757$\n"
    found = check_article(read_article("a.md", text)).findings
    assert [(e.verdict, e.decimal) for claim in found for e in claim.entries][1:] == [("carried", "28")]


@pytest.mark.parametrize(
    "masked",
    [
        "[[1, 0, 0], [0.5, 0.5, 0], [0.212, 0.212, 0.576]]",
        "[[1.000, 0.000, 0.000], [0.500, 0.500, 0.000], [0.212, 0.212, 0.576]]",
        "[[1. 0. 0. ] [0.5 0.5 0. ] [0.212 0.212 0.576]]",
    ],
)
def test_weights_with_a_mask_are_not_those_without_it(masked):
    """e / (2 + e) = 0.576, e / (1 + 2e) = 0.422; behind the mask 1 of 1, a half of two, and all three as before."""
    e = math.e
    assert [round(x, 3) for x in (e / (2 + e), 1 / (2 + e), e / (1 + 2 * e))] == [0.576, 0.212, 0.422]
    plain = (
        "S = [[0, 1, 0], [1, 1, 0], [0, 0, 1]]\n\n"
        "A = softmax(S) = [[0.212, 0.576, 0.212], [0.422, 0.422, 0.155], [0.212, 0.212, 0.576]]\n\n"
    )
    assert verdicts(plain) == {"rounded"}
    assert verdicts(f"{plain}With the decoder's mask A = {masked}\n") == {"rounded"}
    slip = plain.rpartition("A = ")[2].replace("0.155", "0.551").partition(" = ")[2]
    assert wrong(f"{plain}So A = {slip}") == ["0.551"]


def test_whole_numbers_are_not_what_shares_were_cut_off_to():
    """After 1 / √2 = 0.707 a row [1, 0] is no [0.707, 0.707], though 0 is that without its decimals."""
    table = "| token | q |\n|---|---|\n| the | [1, 0] |\n"
    text = f"$s = 1 \\cdot 1 = 1$, $t = 1 \\cdot 1 = 1$, $\\sqrt2 = 1.414$\n\n{table}"
    claims = check_article(read_article("a.md", text)).findings
    assert [(e.printed, e.verdict) for c in claims for e in c.entries][2:] == [("1.414", "rounded")]


@pytest.mark.parametrize(
    "text",
    [
        "A:\nσ² = 36\nσ = √36 = 6\n\nB:\nσ² = 1.44\nσ = √1.44 = 1.2",
        "Row 1: $\\sigma^2 = 0.25$, $\\sigma = 0.5$\n\nRow 2: $\\sigma^2 = 2.25$, $\\sigma = 1.5$",
        "第一层：σ² = 4，σ = 2。第二层：σ² = 16，σ = 4。",
        "r² = 0.81, so r = 0.9. The second model has r² = 0.64.",
    ],
)
def test_a_square_that_was_given_before_its_root_is_given_anew(text: str) -> None:
    assert "wrong" not in verdicts(text)


@pytest.mark.parametrize("text", ["σ = 3, σ² = 8", "σ² = 9, σ = √9 = 4", "σ² = (1 + 9)/2 = 6"])
def test_a_square_is_held_against_what_was_given(text: str) -> None:
    assert "wrong" in verdicts(text)
