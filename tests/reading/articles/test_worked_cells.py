"""Rows of a table with a calculation and its result in cells of their own are equations."""

from __future__ import annotations

import pytest

from symattn.reading.articles import read_article
from tests.checking.checked import judged, listed


def _equations(header: str, *rows: str) -> list[str]:
    dashes = "|".join("---" for _ in header.split("|"))
    text = f"| {header} |\n|{dashes}|\n" + "".join(f"| {row} |\n" for row in rows)
    return [p.text for p in read_article("a.md", text).passages]


@pytest.mark.parametrize(
    ("header", "row", "equation"),
    [
        ("step | Calculation | Result", "a | $2 \\cdot 3 + 1$ | $7$", "2 \\cdot 3 + 1 = 7"),
        ("Computation | Value | why", "`6 / 4` | **1.5** | half", "6 / 4 = 1.5"),
        ("x | Computation | Weight | Percentage", "a | 3/8 | ≈ 0.375 | **37.5%**", "3/8 ≈ 0.375 ≈ 37.5%"),
        ("x | **计算** | 结果", "a | 0.5 × [2, 4] | [1, 2]", "0.5 × [2, 4] = [1, 2]"),
        ("x | Calculation | Score", "a | e^{0} / (1 + e^{0}) | 0.5", "e^{0} / (1 + e^{0}) = 0.5"),
    ],
)
def test_a_row_is_an_equation(header: str, row: str, equation: str) -> None:
    assert equation in _equations(header, row)


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("x | Calculation | Result", "a | 50 M / 400 | 125"),  # a letter counts something
        ("x | Calculation | Result", "a | 580 × 3 | 1740 per s"),
        ("x | Calculation | Result", "a | 12 | 12"),  # nothing is calculated
        ("x | Calculation | Heads", "a | 3 × 4 | 8"),  # what stands beside it is no result
        ("x | Layer | Result", "a | 3 × 4 | 12"),
    ],
)
def test_other_cells_are_none(header: str, row: str) -> None:
    assert not any("=" in text or "≈" in text for text in _equations(header, row))


def test_whole_numbers_are_judged_too() -> None:
    text = "| x | Calculation | Result |\n|---|---|---|\n| a | $(1 \\cdot 1) + (1 \\cdot 2)$ | $3$ |\n| b | 2·2 | 5 |"
    assert [(numbers, bad) for _, numbers, bad in judged(text)] == [(["3"], []), (["5"], ["5"])]
    assert not listed(text)


def test_cells_that_are_all_calculations_need_no_name() -> None:
    rows = ("cat | 2·1 + 0·3 | 2", "sat | 1·1 + 1·3 | 4")
    assert _equations("word | Query with key | Score", *rows)[-2:] == ["2·1 + 0·3 = 2", "1·1 + 1·3 = 4"]
    mixed = ("cat | 2·1 + 0·3 | 2", "sat | as above | 2")
    assert not any("=" in text for text in _equations("word | Query with key | Score", *mixed))


@pytest.mark.parametrize(
    ("header", "rows", "equations"),
    [
        (
            "word | raw | scaling | scaled",
            ("a | 12.4 | ÷ 8 | 1.55", "b | 20 | ÷ 8 | 2.5"),
            ["12.4 ÷ 8 = 1.55", "20 ÷ 8 = 2.5"],
        ),
        (
            "w | | v | | w v",
            ("0.5 | × | [1, 0] | = | [0.5, 0]", "0.1 | × | [2,1] | = | [0.2,0.1]"),
            ["0.5 × [1, 0] = [0.5, 0]", "0.1 × [2,1] = [0.2,0.1]"],
        ),
        (
            "Weight | Value | Weighted value",
            ("0.5 | [1, 2] | [0.5, 1.0]", "0.25 | [4,3] | [1.0,0.75]"),
            ["0.5 × [1, 2] = [0.5, 1.0]", "0.25 × [4,3] = [1.0,0.75]"],
        ),
        (
            "word | score | e^score",
            ("a | 1.0 | 2.72", "b | 2.0 | 🔴 7.39", " | | Sum: 10.11"),
            ["e^(1.0) = 2.72", "e^(2.0) = 7.39", "((2.72) + (7.39)) = 10.11"],
        ),
    ],
)
def test_columns_that_signs_and_names_tie_together(header: str, rows: tuple[str, ...], equations: list[str]) -> None:
    assert sorted(text for text in _equations(header, *rows) if "=" in text) == sorted(equations)


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("Weight | Value | Weighted value", ("0.5 | [1, 2] | [7, 8]", "0.25 | [4, 3] | [9, 5]")),  # of other weights
        ("Weight | Value | Output", ("0.5 | [1, 2] | [0.5, 1]", "0.25 | [4, 4] | [1, 1]")),
        ("model | sizes | to | cost", ("a | 12 | ÷ 8 | small", "b | 20 | ÷ 8 | large")),
        ("layers | of each | all | heads", ("64 | × 8 | 12", "32 | × 4 | 6")),
        ("x | score | shifted | e^score", ("a | 2.0 | 0.0 | 1.00", "b | 1.0 | -1.0 | 0.37")),
        ("x | score | e^score", ("a | 1000000 | 1.00", "b | 2000 | 0.37")),
        ("word | score | e^z", ("a | 1.0 | 2.72", "b | 2.0 | 7.39")),  # which column is z is not said
        ("score | e^score", ("low | 2.72", "high | 7.39")),
    ],
)
def test_other_columns_are_left(header: str, rows: tuple[str, ...]) -> None:
    assert not any(sign in text for sign in ("×", "÷", "exp") for text in _equations(header, *rows))


def test_slips_in_such_tables_are_found() -> None:
    text = "| w | v | weighted |\n|---|---|---|\n| 0.5 | [1, 2] | [0.5, 1.0] |\n| 0.2 | [3, 5] | [0.6, 1.2] |"
    assert [bad for _, _, bad in judged(text)] == [[], ["1.2"]]
    text = "| x | score | e^score |\n|---|---|---|\n| a | 1 | 2.718 |\n| b | 2 | 7.398 |\n| | | Sum: 10.116 |"
    assert sorted(bad for _, _, bad in judged(text)) == [[], [], ["7.398"]]  # the sum is that of what is printed


@pytest.mark.parametrize("share", ["0.5", "0.9"])
def test_a_column_of_something_else_is_no_result_of_the_calculation_beside_it(share: str) -> None:
    rows = ["| 1 | $1 \\cdot 1 = 1$ | 0.5 |", f"| 2 | $1 \\cdot 0 + 1 = 1$ | {share} |"]
    text = "\n".join(["| key | $q \\cdot k_j$ | weight |", "|---|---|---|", *rows, ""])
    assert [claim[2] for claim in judged(text)] == [[], []]


NAMED = r"""Given $x = 2$, $w = 0.5$ and $b = -0.5$.

| Step | {heading} | Value |
|------|-----------|-------|
| 1 | $z_1 = wx = 0.5 \times 2$ | $1.0$ |
| 2 | $z = z_1 + b = 1.0 - 0.5$ | $0.5$ |
| 3 | $y = \sigma(0.5) = \frac{{1}}{{1+e^{{-0.5}}}}$ | $\approx {value}$ |
"""


@pytest.mark.parametrize("heading", ["Computation", "Gradient"])
@pytest.mark.parametrize(("value", "wrong"), [("0.6225", []), ("0.6525", ["0.6525"])])
def test_equations_in_letters_with_their_values_beside_them(heading: str, value: str, wrong: list[str]) -> None:
    found = judged(NAMED.format(heading=heading, value=value))
    assert [number for *_, bad in found for number in bad] == wrong
    assert value in [number for _, numbers, _ in found for number in numbers]


def test_what_a_setting_scores_is_no_value_of_it() -> None:
    table = "| Equation | Value |\n|---|---|\n| $d_k = 64$ | 27.3 |\n| $d_k = 32$ | 26.1 |\n"
    for each in (table, table.replace("Value", "Score")):
        assert not any(bad for *_, bad in judged(f"$d_k = 64$\n\n{each}"))


@pytest.mark.parametrize(
    ("header", "rows", "equations"),
    [
        # e² + e¹ + e⁰ = 7.389 + 2.718 + 1 = 11.107
        (
            "Palabra | Cálculo | Porcentaje",
            (r"a | $7.39 \div 11.11$ | **66.5 %**", r"b | $2.72 \div 11.11$ | 24.5 %"),
            [r"7.39 \div 11.11 = 66.5 %", r"2.72 \div 11.11 = 24.5 %"],
        ),
        ("Puntaje | Exponencial", ("$e^2$ | 7.39", "$e^1$ | 2.72"), ["e^2 = 7.39", "e^1 = 2.72"]),
        ("kind | what for | all", ("a | $2 × (64×64)$ | $8{,}192$", "b | 3 × 1024 | 3,072"), None),
    ],
)
def test_numbers_show_that_they_are_results(header: str, rows: tuple[str, ...], equations: list[str] | None) -> None:
    found = [text for text in _equations(header, *rows) if "=" in text]
    assert found == equations if equations else len(found) == len(rows)


FIVE = "| $e^2$ | 7.39 |\n| $e^1$ | 2.72 |\n| $e^3$ | 20.09 |\n| $e^{0.5}$ | 1.65 |\n| $e^{-1}$ | 0.37 |\n"


@pytest.mark.parametrize("header", ["", "Valor", "≈"])
def test_five_decimals_show_what_the_sixth_should_be(header: str) -> None:
    # e⁴ = 54.598
    wrong = [judged(f"| x | {header} |\n|---|---|\n{FIVE}| $e^4$ | {last} |") for last in ("54.60", "54.90")]
    assert [[n for *_, bad in claims for n in bad] for claims in wrong] == [[], ["54.90"]]


@pytest.mark.parametrize("header", ["after masking", "measured", "float16 result", "answer given", "GPU hours"])
def test_below_another_heading_one_may_be_no_result(header: str) -> None:
    claims = judged(f"| x | {header} |\n|---|---|\n{FIVE}| $e^4$ | 0.00 |\n")
    assert not any("0.00" in printed or bad for _, printed, bad in claims)
    assert len(judged(f"| x | {header} |\n|---|---|\n{FIVE}")) == 5


def test_logarithms_of_one_column_have_one_base() -> None:
    rows = "".join(f"| log({x}) | {ln} |\n" for x, ln in ((2, 0.693), (3, 1.099), (5, 1.609), (6, 1.792), (7, 1.946)))
    for header in ("ln", ""):
        found = judged(f"| x | {header} |\n|---|---|\n{rows}| log(10) | 1.000 |\n")
        assert not any(wrong or "1.000" in printed for _, printed, wrong in found)


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("kernel | layers", ("3 × 3 | 9", "5 × 5 | 12")),
        ("grid | seats", ("2 × 3 | 6", "4 × 5 | 20", "6 × 5 | 30", "6 × 6 | 35")),  # one is taken out
        ("range | n", ("1-2 | 5", "3-4 | 6")),
        ("layer | size | parameters", ("a | 2 × 3 | 9", "b | 4 × 5 | 25")),  # with biases
        ("load | machines | spare", ("40 × 0.3 | 13.5 | 1", "50 × 0.3 | 16.5 | 1", "60 × 0.3 | 18.0 | 1")),
    ],
)
def test_numbers_that_do_not_show_it_are_left(header: str, rows: tuple[str, ...]) -> None:
    assert not any("=" in text for text in _equations(header, *rows))
