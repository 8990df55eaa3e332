"""Columns of a softmax: sums and shares of the lists beside them, probabilities at temperatures, losses."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article
from tests.checking.checked import judged


def bad(header, *rows):
    """What is wrong in a table, and how many numbers were judged."""
    lines = [f"| {header} |", "|" + "---|" * (header.count("|") + 1), *(f"| {row} |" for row in rows)]
    report = check_article(read_article("a.md", "\n".join(lines) + "\n"))
    wrong = [entry.printed for claim in report.findings for entry in claim.bad]
    return wrong, sum(len(claim.entries) for claim in report.findings)


# e^0.5 = 1.6487, e^1 = 2.7183
@pytest.mark.parametrize("mark", [("", ""), ("$", "$"), ("\\(", "\\)")])
@pytest.mark.parametrize(("share", "wrong"), [("0.38", []), ("0.48", ["0.48"])])
def test_sums_and_shares_of_a_list(mark, share, wrong):
    first, last = mark
    rows = [
        f"{n} | {first}[e^{{{a}}}, e^0] \\approx [{x}, 1.00]{last} | {first}{s}{last} | {first}{shares}{last}"
        for n, a, x, s, shares in (
            (1, "0.5", "1.65", "2.65", f"[0.62, {share}]"),
            (2, "1", "2.72", "3.72", "[0.73, 0.27]"),
        )
    ]
    found, judged = bad("Query | exp | Sum | Softmax", *rows)
    assert found == wrong
    assert judged >= 6


def test_a_sum_that_most_rows_do_not_bear_out_is_of_something_else():
    assert bad("q | counts | Sum", "1 | [1, 2] | 10", "2 | [3, 4] | 20")[0] == []
    assert bad("q | counts | Sum", "1 | [1, 2] | 3", "2 | [3, 4] | 7", "3 | [5, 6] | 12")[0] == ["12"]


# softmax([2, 1, 0]) = 0.665, 0.245, 0.090; softmax([4, 2, 0]) = 0.867, 0.117, 0.016
HEADER = "token | logit | p at T=1 | p at T=0.5"


def test_probabilities_at_the_temperatures_of_the_headings():
    rows = ["a | 2 | **0.665** | 0.867", "b | 1 | 0.245 | 0.117", "c | 0 | 0.090 | 0.016"]
    assert bad(HEADER, *rows) == ([], 6)
    assert bad(HEADER, *rows[:2], "c | 0 | 0.090 | 0.061")[0] == ["0.061"]
    assert bad(HEADER, *rows[:2])[0] == []  # the best two of more
    assert (
        bad("token | logit | P (T=1)", "a | 8 | 0.85", "b | 6 | 0.12", "c | 4 | 0.02")[0] == []
    )  # 0.87 of these three


def test_shares_of_a_softmax_are_none_of_a_sum():
    rows = ["I | [1, 1] | 2 | [0.5, 0.5]", "love | [2, 1] | 3 | [0.73, 0.27]"]
    assert bad("Query | Scores | Sum | Softmax", *rows)[0] == []


def test_a_loss_may_be_of_a_number_with_more_digits():
    assert bad("p | loss -log(p)", "0.05 | 3.02", "0.70 | 0.36")[0] == []  # −ln 0.0488 = 3.02
    assert bad("p | loss -log(p)", "0.05 | 3.42", "0.70 | 0.36")[0] == ["3.42"]


@pytest.mark.parametrize("heading", ["损失 -log(p)", "Loss −ln(p)", "-log(p)"])
def test_losses_below_words_and_a_logarithm(heading):
    assert bad(f"p | {heading}", "0.5 | 0.693", "0.9 | 0.205") == (["0.205"], 2)  # −ln 0.9 = 0.105


def test_a_sum_of_rounded_numbers_is_left_alone():
    assert bad("q | exp(s) | Sum", "1 | [1.6, 1.3, 1.1] | 4.1", "2 | [1.5, 1.0, 1.0] | 3.5") == ([], 1)
    assert bad("q | exp(s) | Sum", "1 | [1.6, 1.3, 1.1] | 5.1", "2 | [1.5, 1.0, 1.0] | 3.5")[0] == ["5.1"]


def test_columns_headed_by_temperatures_with_decimal_commas() -> None:
    table = "| Wort | $z_i$ | $T=0{{,}}5$ | $T=1$ |\n|---|---|---|---|\n| a | $2{{,}}0$ | $0{{,}}867$ | $0{{,}}665$ |\n"
    table += "| b | $1{{,}}0$ | $0{{,}}117$ | $0{{,}}245$ |\n| c | $0{{,}}0$ | $0{{,}}016$ | ${}$ |\n"
    shares = judged(table.format("0{,}090"))[-2:]
    assert shares[0][1] == ["0{,}867", "0{,}117", "0{,}016"]
    assert [bad for *_, bad in shares] == [[], []]
    assert [bad for *_, bad in judged(table.format("0{,}190"))[-1:]] == [["0{,}190"]]
