"""Chains of which only some sides are understood, and sides whose numbers stand for parts of the side before."""

from __future__ import annotations

import pytest

from symattn import check_article


def said(text: str) -> list[tuple[str, str]]:
    """Every number that was judged, with its verdict."""
    return [(e.printed, e.verdict) for claim in check_article(text).findings for e in claim.entries]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"$\nabla_w L = 2 \times 0.4 = 0.8$", [("0.8", "exact")]),
        (r"$\nabla_w L = 2 \times 0.4 = 0.9$", [("0.9", "wrong")]),
        (r"$2 \times 3 = 6 = \nabla \# = 7$", [("6", "exact")]),  # nothing is known beyond what was not understood
        ("$$\n2. 先算乘积\nP = 2 \\times 4 = 8, \\quad R = 3 \\times 5 = 16\n$$", [("8", "exact"), ("16", "wrong")]),
        (
            r"$$\begin{aligned} a &= 2 \cdot 5 = 10 \\ \nabla &= 3 \cdot 5 = 14 \end{aligned}$$",
            [("10", "exact"), ("14", "wrong")],
        ),
        (r"$\nabla(2 \times 3 = 6$", []),  # brackets that do not pair may hold anything
    ],
)
def test_sides_are_read_for_themselves(text: str, expected: list[tuple[str, str]]) -> None:
    assert said(text + "\n") == expected


def test_what_was_not_understood_is_listed() -> None:
    report = check_article("$\\nabla_{3} L = 2 \\times 0.4 = 0.8$\n")
    assert [n.text for n in report.not_checked] == ["\\nabla_{3} L"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$5 \\cos(1) - 6 \\sin(1) = 5 \\times 0.540 - 6 \\times 0.841 = -2.347$", ["0.540", "0.841", "-2.347"]),
        (
            r"$\frac{e^{1}}{e^{1} + e^{0}} = \frac{2.718}{2.718 + 1} = \frac{2.718}{3.718} = 0.731$",
            ["2.718", "2.718", "1", "2.718", "3.718", "0.731"],
        ),
        (r"$[1 \cdot 2, 3 + 4] + [1, 1] = [2, 7] + [1, 1] = [3, 8]$", ["2", "7", "3", "8"]),
        (r"$\frac{1}{2} \cdot [1, 2] \cdot 4 = \frac{1}{2} \cdot [4, 8] = [2, 4]$", ["4", "8", "2", "4"]),
    ],
)
def test_numbers_in_the_place_of_parts_are_results(text: str, expected: list[str]) -> None:
    assert [
        printed for printed, verdict in said(text + "\n") if verdict in ("exact", "rounded", "intermediate")
    ] == expected


def test_a_wrong_number_in_the_place_of_a_part() -> None:
    text = r"$\frac{e^{1}}{e^{1} + e^{0}} = \frac{2.718}{2.718 + 1} = \frac{2.718}{3.781} = 0.731$"
    assert ("3.781", "wrong") in said(text + "\n")


def test_a_logarithm_of_the_rounded_number_beside_it() -> None:
    """log₂(25/70) is −1.4854, and log₂ 0.357 is −1.4860."""
    text = "H = -(25/70 × log₂(25/70)) = -(0.357 × (-1.486)) = 0.531\n"
    assert ("-1.486", "intermediate") in said(text)
    assert ("-1.487", "wrong") in said(text.replace("1.486", "1.487"))


def test_numbers_given_before_are_no_results() -> None:
    assert said("$a = 2$, $b = 3$\n\n$a \\cdot b + 1 = 2 \\cdot 3 + 1 = 7$\n") == [("7", "exact")]


def test_softmax_written_out() -> None:
    text = "$\\text{softmax}([2, 1]) = \\frac{[7.389, 2.718]}{10.107} = [0.731, 0.269]$\n"
    assert [printed for printed, verdict in said(text) if verdict == "rounded"] == [
        "7.389",
        "2.718",
        "10.107",
        "0.731",
        "0.269",
    ]


def test_lists_below_a_softmax_that_has_no_result_beside_it() -> None:
    text = (
        "```\nRow 1: softmax([0.5, 0.1])\n  exp values: [1.649, 1.105]   sum = 2.754\n  weights: [0.599, 0.401]\n```\n"
    )
    assert dict(check_article(text).summary) == {"rounded": 4, "exact": 1}


def test_arithmetic_behind_an_arrow() -> None:
    assert said("```\nq · K → [1·2+0·3, 4·1] = [2, 5]\n```\n") == [("2", "exact"), ("5", "wrong")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = [2, 4]  (d = 2)\n\nx - 3 = [-1, 1], x - 4 = [-2, 1]", ["-1", "1", "-2", "1"]),
        ("$G = [2, 4]（单位矩阵）$\n\n$G - 3 = [-1, 1]$", ["-1", "1"]),
        (r"$A = [1, 2] \quad \left(\text{row: } \frac{6}{3} = 2\right)$", ["2"]),
        (r"$A = [1, 2] \quad \left(\nabla \# \frac{6}{3} = 2\right)$", []),
    ],
)
def test_a_remark_in_parentheses_is_no_factor(text: str, expected: list[str]) -> None:
    assert [printed for printed, _ in said(text + "\n")] == expected


def test_a_remark_that_is_not_understood_is_listed() -> None:
    report = check_article("$A = [1, 2] \\quad (\\nabla \\# = 7001)$\n")
    assert any("7001" in n.text for n in report.not_checked)


@pytest.mark.parametrize("sign", [r"\,\Vert\,", r"\|", "‖"])
def test_side_by_side(sign: str) -> None:
    text = rf"$a = [1, 2]$, $b = [3, 4]$, $c = \big[a {sign} b\big] = [1, 2, 3, {{}}]$" + "\n"
    assert said(text.format("4")) == [(x, "exact") for x in "1234"]
    assert said(text.format("5"))[-1] == ("5", "wrong")


def test_softmax_of_numbers_without_brackets() -> None:
    assert said(r"$\text{softmax}(2, 1) = [0.73, 0.37]$" + "\n") == [("0.73", "rounded"), ("0.37", "wrong")]
    assert said("S = [2, 1]\n\nsoftmax(S, 1) = [0.73, 0.37]\n") == []  # along an axis


def test_the_largest_of_nothing_yet_and_a_number() -> None:
    assert said("m = max(−∞, 2) = 2, n = max(−∞, 2) = 3\n") == [("2", "exact"), ("3", "wrong")]
    assert said("m = min(−∞, 2) = 2\n") == []


def test_a_chain_that_ends_in_a_name_defines_it() -> None:
    text = r"$\frac{{1}}{{2}} [2, 4] = [1, 2] = A$, then $2 \cdot A = [2, {}]$" + "\n"
    assert said(text.format("4"))[-1] == ("4", "exact")
    assert said(text.format("5"))[-1] == ("5", "wrong")


def test_words_with_accents_are_names() -> None:
    assert said("```\nSaída = 2 · 3 = 6\nÖlçek = Saída / 3 = 3\n```\n") == [("6", "exact"), ("3", "wrong")]
    assert said("số = 2\n\nđiểm số × 3 = 12\n") == []  # of which this is only the last word


def test_an_equation_below_a_line_that_was_not_read() -> None:
    lines = "```\n∮a₂⟩ = ∮\n   = 2×[1, 3] + 1×[0, 1]\n   = [2, 6] + [0, 1]\n   = [2, {}]\n```\n"
    assert said(lines.format("7"))[-2:] == [("2", "exact"), ("7", "exact")]
    assert said(lines.format("8"))[-1] == ("8", "wrong")
    assert said("```\n∮a₂⟩ = ∮ 2\n   = 7\n```\n") == []


def test_what_a_program_sets_anew_may_still_be_the_same() -> None:
    lines = "LN1 = [1, 2]\n\n```python\nLN1 = layer_norm(x)\n```\n\n3 · LN1 = [3, {}]\n"
    assert said(lines.format("6")) == [("3", "exact"), ("6", "exact")]
    assert said(lines.format("7")) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "$c = 0.5 [2, 4] + 2 [1, 3] = [1 + 2, 2 + 7] = [3, 9]$",
            ["exact", "exact", "exact", "wrong", "exact", "carried"],
        ),
        ("```\nH row 1 = 0.5·[2,4] + 2·[1,3] = [3, 8]\n```", ["exact", "exact"]),
        ("```\nH row 1 = 0.5·[2,4] + 2·[1,3] = [3, 9]\n```", ["exact", "wrong"]),
    ],
)
def test_sums_of_scaled_rows(text: str, expected: list[str]) -> None:
    assert [verdict for _, verdict in said(text + "\n")] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$0.5 · 3 + 0 + 2 · 4 = 1.5 + 8 = 9.5$", ["exact"] * 3),  # 0 is left out
        ("$0.5 · 3 + 0 · 7 + 2 · 4 = 1.5 + 9 = 9.5$", ["exact", "wrong", "exact"]),
        ("$2π ≈ 6.28$", ["rounded"]),
        ("```\nPosition 1: [sin(1/1), cos(1/1)]\n          = [0.84, 0.64]\n```", ["rounded", "wrong"]),
    ],
)
def test_sides_that_leave_out_a_nought_constants_and_names_of_lines(text: str, expected: list[str]) -> None:
    assert [verdict for _, verdict in said(text + "\n")] == expected


def test_attn_is_a_name_of_the_weights() -> None:
    text = "$$S_{masked} = [[1, -\\infty], [3, 5]]$$\n\n$$attn = [[1, 0], [0.12, 0.88]]$$\n"
    assert said(text)[-4:] == [("1", "exact"), ("0", "exact"), ("0.12", "rounded"), ("0.88", "rounded")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$s = [2, 5] \\cdot [3, 1] = 6 + 5 = 11$", ["exact"] * 3),
        ("$s = [2, 5] \\cdot [3, 1] = 6 + 4 = 11$", ["exact", "wrong", "exact"]),
        ("$s = [2, 0] \\cdot [3, 0] = 6 + 0 = 6$", ["exact"] * 3),
        ("$s = [2, 5] \\cdot [3, 1] = 11 + 2 = 13$", ["wrong"]),  # the terms are others, and listed
        ("$K = [[1, 0], [0, 1]], q = [[2], [4]]$\n\n$K q / 4 = [2, 4] / 4 = [0.5, 1]$", ["exact"] * 4),  # as a row
    ],
)
def test_dot_products_term_by_term(text: str, expected: list[str]) -> None:
    assert [verdict for _, verdict in said(text + "\n")] == expected


def test_a_list_above_one_denominator() -> None:
    text = r"$\frac{1 \cdot 1,\ 3 \cdot 2}{1 + 7} = \frac{1,\ 6}{8} = [0.125,\ 0.85]$" + "\n"
    assert said(text) == [("1", "exact"), ("6", "exact"), ("8", "exact"), ("0.125", "exact"), ("0.85", "wrong")]
    assert said(r"$\frac{2,50}{2} = 1,25$" + "\n") == []  # no list of 2 and 50


@pytest.mark.parametrize(
    ("side", "verdicts"),
    [
        (r"\frac{1}{2} [[1, 5], [3, 11]]", ["exact"] * 4),
        (r"\frac{1}{2} [[1, 5], [3, 12]]", ["exact"] * 3 + ["wrong"]),
        (r"\frac{1}{\sqrt{16}} [[2, 10], [6, 22]]", ["exact"] * 4),
        (r"\frac{1}{2} [[2, 6], [4, 12]]", []),  # of another matrix, or wrong throughout: nobody knows
        (r"0.49 [[1, 5], [3, 12]]", []),  # by a rounded factor
    ],
)
def test_a_matrix_behind_a_number(side: str, verdicts: list[str]) -> None:
    given = "$$Q = [[1, 2], [3, 4]]$$\n\n$$K = [[1, 0], [1, 2]]$$\n\n"
    assert [verdict for _, verdict in said(f"{given}$$S = \\frac{{QK^T}}{{\\sqrt{{4}}}} = {side}$$\n")] == verdicts


_COLUMN = r"\begin{bmatrix} 0 \\ 1 \end{bmatrix}"


def test_a_print_of_another_shape_is_gone_on_with() -> None:
    """A row times a column is printed as the column: what is computed from that name is of the column."""
    row = r"\begin{bmatrix} 1 & 0 \end{bmatrix}"
    named = "".join(f"$$ {name} = {row} {_COLUMN} = {_COLUMN} $$\n\n" for name in "qk")
    assert said(named + rf"$$ a = q \cdot k = {_COLUMN} \cdot {_COLUMN} = 1 $$" + "\n") == [("1", "exact")]
    text = "q = [1, 0], K = [[1, 0], [0, 1]]\n\nq K^T = [[8, 3], [3, 10]]\n\nq K^T / 2 = [[4, 1.5], [1.5, 6]]\n"
    assert [v for _, v in said(text)] == ["exact", "exact", "exact", "wrong"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"$p = \frac{e^0}{e^1 + e^0 + e^0} = \frac{1}{3}$", [("1/3", "wrong")]),  # not 3 for 5
        (r"$p = \frac{e^1}{e^1 + e^0 + e^0} = \frac{1}{2}$", [("1/2", "wrong")]),
        (r"$p = \frac{e^0}{e^0 + e^0 + e^0} = \frac{1}{3}$", [("1", "exact"), ("3", "exact")]),
        (r"$p = \frac{1 + 1}{1 + 2} = \frac{2}{3}$", [("2", "exact"), ("3", "exact")]),
        (r"$p = \frac{e^0}{e^1 + e^0 + e^0} \approx \frac{1}{5}$", [("1", "exact"), ("5", "rounded")]),
    ],
)
def test_a_wrong_fraction_at_the_end_is_one_number(text: str, expected: list[tuple[str, str]]) -> None:
    assert said(text + "\n") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"$2 \cdot 512 \cdot 2048 = 2\,097\,152$", [(r"2\,097\,152", "exact")]),
        (r"$2 \cdot 512 \cdot 2048 = 2\,097\,512$", [(r"2\,097\,512", "wrong")]),
        (r"$\sqrt{\tfrac14(3 + 13)} = 2$", [("2", "exact")]),
        (r"$\dfrac12 \cdot 3 = 2.5$", [("2.5", "wrong")]),
    ],
)
def test_thousands_and_fractions_of_digits(text: str, expected: list[tuple[str, str]]) -> None:
    assert said(text + "\n") == expected


def test_measures_that_are_printed_anew_together_are_of_other_numbers() -> None:
    worked = "$\\mu = (2 + 4)/2 = 3$, $\\sigma^2 = ((2-3)^2 + (4-3)^2)/2 = 1$, $\\sigma = \\sqrt{1} = 1$\n\n"
    assert [v for _, v in said(worked + "```\n均值 μ = 2\n方差 σ² = 0\n```\n")] == ["exact"] * 3
    assert [v for _, v in said(worked + "$\\sigma^2 = 3$\n")] == ["exact"] * 3 + ["wrong"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "a = sin(3 / 100^0.25) = sin(3 / 3.162) = sin(0.949) = 0.813",
            [("3.162", "rounded"), ("0.949", "rounded"), ("0.813", "rounded")],
        ),
        (  # 100^0.25 is 3.162, 3/3.612 is 0.831, and its sine 0.738
            "a = sin(3 / 100^0.25) = sin(3 / 3.612) = sin(0.831) = 0.738",
            [("3.612", "bad"), ("0.831", "bad"), ("0.738", "bad")],
        ),
        ("a = sin(3 / 100^0.25) = sin(2 / 3.612)", []),  # two numbers have changed
    ],
)
def test_one_number_worked_out_within_a_function(text: str, expected: list[tuple[str, str]]) -> None:
    found = [(n, "bad" if v in ("wrong", "carried") else v) for n, v in said(f"$${text}$$\n")]
    assert found == expected


def test_rows_of_one_number_may_be_counted_from_zero() -> None:
    operands = (
        r"Q = \begin{bmatrix} 3 \\ 0.02 \\ 1 \end{bmatrix}, \quad K = \begin{bmatrix} 0.25 \\ -1.5 \\ -2 \end{bmatrix}"
    )
    scores = r"S = QK^T = \begin{bmatrix} 0.75 & -4.5 & -6 \\ 0.005 & -0.03 & -0.04 \\ 0.25 & -1.5 & -2 \end{bmatrix}"
    line = r"$S_{12} = q_{1} \cdot k_{2} = 0.02 \cdot (-2) = -0.04$"
    found = check_article("a.md", f"$${operands}$$\n\n$${scores}$$\n\n{line}\n")
    assert not [e.printed for claim in found.findings for e in claim.bad]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"$d = (0.3 - 0.5) \cdot 0.3(1 - 0.3) = (-0.2)(0.22) = -0.042$", ["0.22"]),
        (r"$d = (0.3 - 0.5) \cdot 0.3(1 - 0.3) = (-0.2)(0.21) = -0.042$", []),
        ("With p = 0.3 and y = 0.5:\n\n- δ = (p − y)p(1 − p) = (−0.2)(0.22) = −0.042", ["0.22"]),
        (  # 0.0264 = 0.11 · 0.24 is right whatever stands before it
            "$$ d = [(0.2)(0.3) + 0.05] \\cdot 0.6(1 - 0.6) $$\n$$ d \\approx 0.13 \\cdot 0.24 \\approx 0.0264 $$",
            ["0.13"],
        ),
        ("With ŷ = 0.6 and y = 1: d = (ŷ − y)ŷ(1 − ŷ) = (−0.4)(0.25) = −0.096", ["0.25"]),
        (r"$x = 2(3 + 1) \cdot 5(1 + 1) = 8 \cdot 10 = 81$", ["81"]),
    ],
)
def test_factors_that_were_worked_out(text: str, expected: list[str]) -> None:
    assert [number for number, verdict in said(text) if verdict == "wrong"] == expected


def test_factors_in_another_order_are_no_mistake() -> None:
    text = r"$0.3(1-0.3)\cdot(0.5-0.3) = (0.2)(0.21) = 0.042$"
    assert [number for number, verdict in said(text) if verdict not in ("exact", "rounded")] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\frac{\frac{\sqrt{3}}{3}}{\sqrt{3}} = \frac{1}{3}", []),
        (r"\frac{-\frac{\sqrt{5}}{3}}{\sqrt{5}} = -\frac{1}{3}", []),
        (r"\frac{\frac{\sqrt{3}}{3}}{\sqrt{3}} = \frac{1}{4}", ["1/4"]),
    ],
)
def test_a_fraction_in_lowest_terms_stands_for_the_whole(text: str, expected: list[str]) -> None:
    assert [number for number, verdict in said(f"${text}$") if verdict not in ("exact", "rounded-right")] == expected
