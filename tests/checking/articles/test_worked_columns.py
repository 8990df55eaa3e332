"""Tables whose headings are formulas of another column; the numbers are worked out by hand and with mpmath."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

TABLES = {
    "deviations": "μ = (7.0 + 3.2 + 5.1 + 5.0)/4 = 5.075\n\n|$x_i$| $x_i - \\mu$ | $(x_i - \\mu)^2$ |\n|---|---|---|\n"
    "| 7.0 | 1.925 | 3.7056 |\n| 3.2 | {} | 3.5156 |\n",
    "in words": "Mean = (7.0 + 3.2 + 5.1 + 5.0)/4 = 5.075\n\n| Value | Value − Mean | Square |\n|---|---|---|\n"
    "| 7.0 | 1.925 | 3.7056 |\n| 3.2 | {} | 3.5156 |\n",
    "exponentials": "| token | score | exp(score) |\n|---|---|---|\n| a | 1.0 | 2.718 |\n| b | 2.0 | {} |\n",
    "roots": "| d_k | √d_k | 1/√d_k |\n|---|---|---|\n| 64 | 8 | 0.125 |\n| 2 | {} | 0.707 |\n",
    "of two columns": "| a | b | a+b |\n|---|---|---|\n| 1 | 2 | 3 |\n| 3 | 4 | {} |\n",
    "of words": "| raw score | score/√2 | exp |\n|---|---|---|\n| 1 | 0.71 | 2.03 |\n| 2 | {} | 4.11 |\n",
}
RIGHT = {
    "deviations": "-1.875",
    "in words": "-1.875",
    "exponentials": "7.389",
    "roots": "1.414",
    "of two columns": "7",
    "of words": "1.41",
}


@pytest.mark.parametrize("name", TABLES)
def test_columns_worked_out_from_another(name: str) -> None:
    right = judged(TABLES[name].format(RIGHT[name]))
    assert any(RIGHT[name] in said for _, said, _ in right) and not any(bad for *_, bad in right)
    assert ["9.999"] in [bad for *_, bad in judged(TABLES[name].format("9.999"))]


@pytest.mark.parametrize("heading", ["/ sqrt(2)", "scaled (÷√2)", r"$/ \sqrt{2}$"])
@pytest.mark.parametrize(("scaled", "bad"), [("2.83", []), ("2.93", ["2.93"])])
def test_a_heading_that_only_divides_is_of_the_column_before(heading: str, scaled: str, bad: list[str]) -> None:
    text = f"| token | q . k | {heading} | softmax weight |\n|---|---|---|---|\n| a | 4 | {scaled} | 0.804 |\n"
    found = judged(text + "| b | 2 | 1.41 | 0.196 |\n")
    assert [number for *_, wrong in found for number in wrong] == bad
    assert scaled in [number for _, said, _ in found for number in said]


def test_what_stands_below_several_devices_or_divisors_is_not_divided() -> None:
    assert not judged("| GPU | speed | ×2 |\n|---|---|---|\n| A | 3.1 | 5.9 |\n| B | 2.0 | 3.5 |\n")
    assert not any(bad for *_, bad in judged("| s | / 2 | / 4 |\n|---|---|---|\n| 8 | 4 | 2 |\n| 6 | 3 | 1.5 |\n"))


@pytest.mark.parametrize(("new", "bad"), [("0.5321", []), ("0.5421", ["0.5421"])])
@pytest.mark.parametrize("heading", ["New value = old − η × gradient", "Nuevo valor = old − η × gradient"])
def test_words_before_the_formula_in_a_heading(heading: str, new: str, bad: list[str]) -> None:
    text = f"η = 0.5\n\n| | Old value | Gradient | {heading} |\n|---|---|---|---|\n| w | 0.5 | −0.0642 | {new} |\n"
    found = [(said, wrong) for _, said, wrong in judged(text)]
    assert found == [([new], bad)]


@pytest.mark.parametrize("heading", ["Error: t − y", "Squared t − y", "max t − y"])
def test_a_word_before_the_formula_in_a_heading_may_change_it(heading: str) -> None:
    text = f"| x | Target t | y | {heading} |\n|---|---|---|---|\n| 5 | 0 | 1 | 1 |\n| 6 | 1 | 0 | 1 |\n"
    assert [number for *_, wrong in judged(text) for number in wrong] == []


def test_a_number_in_a_name_is_no_formula() -> None:
    assert not judged("| step | add | exp |\n|---|---|---|\n| weights | 3 | 6 |\n| scores | 4 | 0 |\n")
    assert not judged("| tokens | tokens/s | tok |\n|---|---|---|\n| 512 | 1.649 | 3 |\n| 64 | 2.649 | 4 |\n")
    assert not judged("| GPT | GPT-2 | GPT+ |\n|---|---|---|\n| 0.5 | 1.649 | 0.25 |\n| 1.5 | 2.649 | 0.35 |\n")


@pytest.mark.parametrize(
    ("label", "right", "wrong"),
    [
        ("total", "10.107", "11.107"),
        ("**Sum**", "10.107", "20.086"),
        ("mean", "5.054", "4.482"),
        ("最大", "7.389", None),
    ],
)
def test_a_last_row_with_the_sum_or_the_mean(label: str, right: str, wrong: str | None) -> None:
    text = f"| token | z | $e^z$ |\n|---|---|---|\n| a | 1 | 2.718 |\n| b | 2 | 7.389 |\n| {label} | 3 | {{}} |\n"
    assert not any(bad for *_, bad in judged(text.format(right)))
    assert wrong is None or [wrong] in [bad for *_, bad in judged(text.format(wrong))]


@pytest.mark.parametrize(("last", "bad"), [("0.37", []), ("0.47", ["0.47"])])
def test_another_column_may_be_what_is_meant(last: str, bad: list[str]) -> None:
    text = f"| z | z − max | $e^z$ |\n|---|---|---|\n| 2.0 | 0.0 | 1.00 |\n| 1.0 | -1.0 | {last} |\n"
    assert [number for *_, wrong in judged(text) for number in wrong] == bad


def test_the_print_itself_is_no_other_number() -> None:
    text = "| d | h | d/h |\n|---|---|---|\n| 64 | 4 | 16 |\n| 4096 | 32 | 64 |\n"
    assert [number for *_, wrong in judged(text) for number in wrong] == ["64"]


COUNTS = (
    "| input | N | N² | memory |\n|---|---|---|---|\n| short | 128 | 16,384 | ~64 KB |\n"
    "| long | 4,096 | {} | ~64 MB |\n"
)


@pytest.mark.parametrize(("square", "bad"), [("16,777,216", []), ("16.8M", []), ("16,777,226", ["16,777,226"])])
def test_squares_of_long_numbers(square: str, bad: list[str]) -> None:
    said = judged(COUNTS.format(square))
    assert [numbers for _, numbers, _ in said] == [["16,384"], [square]] and said[-1][2] == bad
