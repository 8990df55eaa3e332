"""Sums that a word says, and shares of them. e^0.5 = 1.6487, e^1.5 = 4.4817; their sum is 6.1304."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed, report

POWERS = "$e^{0.5} = 1.65$, $e^{1.5} = 4.48$"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (f"{POWERS}. Sum = $6.13$.", ["6.13"]),
        (f"{POWERS}，和为 $6.13$。", ["6.13"]),
        ("```\nexp(0.5) = 1.65\nexp(1.5) = 4.48\nSuma = 6.13\n```", ["6.13"]),
        ("```\n[0.5, 0.5]: e^0.5 = 1.65, 总和=3.30 → [0.50, 0.50]\n```", ["3.30"]),  # 1.65 + 1.65, as printed
        ("```\nq = 2 × 8192² = 134,217,728\nk = 2 × 8192 × 1024 = 16,777,216\nall = 150,994,944\n```", ["150,994,944"]),
        ("$[1.65, 4.48] / 6.13 = [0.27, 0.73]$", ["6.13"]),
        ("$[1.65/6.13, 4.48/6.13] = [0.27, 0.73]$", ["6.13"]),
        (f"{POWERS}, so the row is $[0.27, 0.73]$.", ["0.27", "0.73"]),
        (f"{POWERS}.\n\n$$\\alpha_1 = [0.27, 0.73]$$", ["0.27", "0.73"]),
    ],
)
def test_sums_and_shares_of_what_was_computed_before(text: str, claim: list[str]) -> None:
    assert (claim, []) in [(numbers, bad) for _, numbers, bad in judged(text)]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (f"{POWERS}. Sum = $7.13$.", "7.13"),  # there may be a third
        (f"{POWERS}. Loss = $6.13$.", "6.13"),
        (f"{POWERS}, so the row is $[0.37, 0.63]$.", "[0.37, 0.63]"),
    ],
)
def test_what_is_no_sum_or_share_is_listed(text: str, rest: str) -> None:
    assert rest in listed(text) and not any(bad for _, _, bad in judged(text))


def test_a_sum_may_stand_anew_for_other_numbers() -> None:
    text = "```\nexp(0.5) = 1.65\nexp(1.5) = 4.48\nsum = 6.13\nexp(2) = 7.39\nexp(1) = 2.72\nsum = 10.11\n```"
    assert [numbers for _, numbers, bad in judged(text) if not bad][-1] == ["10.11"] and listed(text) == []


@pytest.mark.parametrize("words", ["which sum to", "which add up to", "totalling about"])
def test_verbs_say_that_a_number_is_a_sum(words: str) -> None:
    assert (["6.13"], []) in [(n, b) for _, n, b in judged(f"{POWERS}, {words} $6.13$.")]
    assert listed(f"{POWERS}, {words} $6.14$.") == ["6.14"]  # there may be a third


def test_a_column_with_the_sum_is_none_of_the_weights() -> None:
    powers = "At $T = 2$: $e^{2} \\approx 7.389$, $e^{1} \\approx 2.718$, $e^{0.5} \\approx 1.649$.\n\n"
    text = (
        powers + "| Temperature | A | B | C | Sum |\n|---|---|---|---|---|\n| T = 2 | 0.629 | 0.231 | 0.140 | 1.000 |\n"
    )
    assert (["0.629", "0.231", "0.140"], []) in [(numbers, bad) for _, numbers, bad in judged(text)]
    assert "1.000" in listed(text)


@pytest.mark.parametrize(
    ("said", "bad"),
    [
        ("e^2.0 = 7.389\ne^1.0 = 2.718\ne^0.0 = 1.0\nsum = {}", ["11.017"]),  # 11.107
        ("e^2.0 = 7.389\ne^1.0 = 2.718\ne^0.0 = 1.0\nsum = {}", ["11.207"]),
        ("-ln(0.600) = 0.5108\n-ln(0.400) = 0.9163\nmean = {}", ["0.7163"]),  # 1.4271/2 = 0.7136
    ],
)
def test_a_slip_of_the_pen_in_a_sum_or_a_mean(said: str, bad: list[str]) -> None:
    assert judged(f"```\n{said.format(*bad)}\n```")[-1][2] == bad


@pytest.mark.parametrize(
    ("total", "bad"),
    [
        ("the sum is 10.407", ["10.407"]),
        ("with 0.3 for the sink, the sum is 10.407", []),
        ("the sum is 10.407, 0.3 for it", []),
    ],
)
def test_a_number_of_the_sentence_may_be_one_more_term(total: str, bad: list[str]) -> None:
    found = [wrong for *_, wrong in judged(f"exp(1) = 2.718 and exp(2) = 7.389; {total}.") if wrong]
    assert found == ([bad] if bad else [])


@pytest.mark.parametrize("total", ["11.999", "11.243", "14.107"])
def test_any_other_sum_may_be_that_of_more_numbers(total: str) -> None:
    text = f"```\ne^2.0 = 7.389\ne^1.0 = 2.718\nsum = {total}\n```"
    assert total in listed(text) and not any(bad for _, _, bad in judged(text))


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("z = [0, 0.71]\n\ne^0 = 1, e^0.71 ≈ 2.03, sum = 6.03", "3.03"),
        ("Softmax of `[1, 1, 2]`:\n- e¹ ≈ 2.72, e¹ ≈ 2.72, e² ≈ 7.39, sum = 16.83", "12.83"),
        (
            "Let $s = [2, 1]$:\n\n$$e^2 = 7.39,\\quad e^1 = 2.72 \\quad \\text{sum} = 40.11$$",
            "10.11",
        ),
        ("Let x = [2.0, 1.0].\n\n- exp(2.0) = 7.389\n- exp(1.0) = 2.718\n\nSum = 12.107", "10.107"),
    ],
)
def test_a_wrong_sum_right_behind_the_exponentials_of_a_whole_list(text: str, right: str) -> None:
    entry = report(text).findings[-1].entries[-1]
    assert (entry.verdict, entry.decimal) == ("wrong", right)


@pytest.mark.parametrize(
    "rest",
    [
        "sum = 3.00",  # of the list itself
        "sum = 3",
        "sum = 1",  # of the weights
        "sum = 1.00",
        "sum = 8.39",
        "sum = 18.50",  # with e^2 twice
        "sum = 22.22",  # of two rows
        "the other row adds some: sum = 14.52",
        "with both sinks in it the sum = 15.2",
        "…, sum = 31.2",
        "and the others, sum = 31.2",
        "sum of squares = 63.01",
        "e^3 = 20.09, sum = 31.20",
        "Σ = 11.11",
        "total ≈ 11",
        "sum = 11.1",
    ],
)
def test_another_sum_behind_the_exponentials_of_a_list(rest: str) -> None:
    assert not [n for *_, bad in judged("s = [2, 1, 0]; e^2 = 7.39, e^1 = 2.72, e^0 = 1; " + rest) for n in bad]


def test_a_sum_has_no_part_of_the_row_above() -> None:
    """2.03 + 4.10 is 6.13, and with the 3.03 above 9.16."""
    text = "e^0 = 1, e^0.71 ≈ 2.03, sum = 3.03\n\ne^0.71 ≈ 2.03, e^1.41 ≈ 4.10, sum = {}"
    assert judged(text.format("6.13"))[-1] == ("sum", ["6.13"], [])
    assert listed(text.format("9.16")) == ["9.16"]
