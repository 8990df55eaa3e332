"""Sums that a word says, and shares of them. e^0.5 = 1.6487, e^1.5 = 4.4817; their sum is 6.1304."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed

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
