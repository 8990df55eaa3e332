"""Lists that gather numbers computed one by one before."""

from __future__ import annotations

import pytest

from symattn import check_article
from tests.checking.checked import judged

ONE_BY_ONE = "```\n{}\n```\n\nTogether they are\n\n```\n{}\n```\n"


@pytest.mark.parametrize(
    ("singles", "gathered", "verdicts"),
    [
        ("2 × 3 = 6\n\n4 × 5 = 20\n\n1 − 4 = −3", "[6, 20, −3]", {"exact": 6}),
        ("2 / 3 = 0.6667\n\n4 / 3 = 1.3333\n\n5 / 3 = 1.6667", "[0.67, 1.33, 1.67]", {"rounded": 6}),
        ("2 × 3 = 6\n\n4 × 5 = 20\n\n1 − 4 = −3", "[6, −3, 20]", {"exact": 3}),  # in another order
        ("2 × 3 = 6\n\n4 × 5 = 20", "[6, 20]", {"exact": 2}),  # two may agree by chance
    ],
)
def test_lists_of_what_was_computed_one_by_one(singles: str, gathered: str, verdicts: dict[str, int]) -> None:
    assert check_article(ONE_BY_ONE.format(singles, gathered)).summary == verdicts


def test_a_wrong_number_stays_wrong_where_it_is_gathered() -> None:
    report = check_article(ONE_BY_ONE.format("2 × 3 = 7\n\n4 × 5 = 20\n\n1 − 4 = −3", "[7, 20, −3]"))
    assert [e.printed for c in report.findings for e in c.entries if e.verdict in ("wrong", "carried")] == ["7", "7"]


def test_what_was_rounded_on_the_way_is_no_fault_where_it_is_gathered() -> None:
    # tanh(1.21) = 0.83665, and 3.055/3.651 = 0.83676
    singles = "a = tanh(-1.21) = -3.055/3.651 = {}\n\nb = tanh(0.71) = 0.6107\n\nc = tanh(1.39) = {}"
    right = check_article(ONE_BY_ONE.format(singles.format("-0.8368", "0.8832"), "[-0.8368, 0.6107, 0.8832]"))
    assert right.summary == {"rounded": 4, "intermediate": 2}
    wrong = check_article(ONE_BY_ONE.format(singles.format("-0.8368", "0.8380"), "[-0.8368, 0.6107, 0.8380]"))
    assert [e.printed for c in wrong.findings for e in c.entries if e.verdict in ("wrong", "carried")] == ["0.8380"] * 2


def test_names_that_have_changed_are_not_taken_for_what_they_were() -> None:
    text = "$a = 2$\n\n$a \\times 3 = 6$\n\n$4 \\times 5 = 20$\n\n$7 - 4 = 3$\n\nNow $a = 5$ and\n\n$$[6, 20, 3]$$"
    assert "wrong" not in check_article(text).summary


def test_two_numbers_that_are_called_the_result() -> None:
    text = "$2 × 3 = 6$\n\n$4 × 5 = 20$\n\n"
    assert check_article(f"{text}Result: $[6, 20]$").summary == {"exact": 4}
    assert check_article(f"{text}$7 - 4 = 3$\n\nResult: $[6, 20]$").summary == {"exact": 3}  # not the last two


@pytest.mark.parametrize(
    "scores_and_weights",
    [
        "The scores are [3, 1, 1].\n\nThe output weights are [1, 0, 0].",
        "Scores: $scores = [3, 1, 1]$.\n\n$weights = [1, 0, 0]$",
        "Scores: [3, 1, 1]\n\nOne-hot weights: [1, 0, 0]",
        "키는 $(0, 1)$이다.\n\n출력 가중치는 $(0, 1)$이다.",
    ],
)
def test_0_and_1_without_decimals_are_no_softmax_because_words_call_them_weights(scores_and_weights: str) -> None:
    # softmax([3, 1, 1]) = [0.787, 0.107, 0.107] and softmax([1, 0]) = [0.731, 0.269] come to the same, rounded
    assert not check_article(scores_and_weights).summary


def test_a_matrix_is_no_copy_of_rows_that_have_fewer_digits() -> None:
    rows = "softmax([1, 0]) ≈ [{}, {}]\n\nsoftmax([0, 1]) ≈ [{}, {}]\n\n```python\nkeys = [[{}, {}], [{}, {}]]\n```\n"
    # softmax([1, 0]) = [0.731, 0.269]: 1 and 0, rounded to whole numbers
    assert check_article(rows.format(1, 0, 0, 1, "1.0", "0.0", "0.0", "1.0")).summary == {"rounded": 4}
    assert check_article(rows.format(*(0.73, 0.27, 0.27, 0.73) * 2)).summary == {"rounded": 8}


@pytest.mark.parametrize("entry", ["F[{}][{}]", "F[{}, {}]"])
def test_a_matrix_of_entries_that_a_program_counts(entry: str) -> None:
    lines = [f"{entry.format(i, j)} = {i} + 2 × {j} = {i + 2 * j}" for i in range(2) for j in range(2)]
    report = check_article("\n\n".join([*lines, "F = [[0, 2], [1, 5]]"]) + "\n")
    assert [(e.printed, e.decimal) for claim in report.findings for e in claim.bad] == [("5", "3")]


DOTS = "- a·b: [0,1]·[1,0]=0, [0,1]·[0,1]=1, [0,1]·[1,1]=1"


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (f"{DOTS}  → [0, 1, 1]", {"exact": 6}),
        (f"{DOTS}\n\nThe attention scores of a: [0, 1, 1]", {"exact": 6}),
        (f"{DOTS}  → [1, 0, 1]", {"exact": 3}),  # perhaps a mask
        (f"{DOTS}\n\nThe mask is [0, 1, 1]", {"exact": 3}),
    ],
)
def test_zeros_and_ones_behind_an_arrow_or_called_scores(text: str, verdicts: dict[str, int]) -> None:
    assert check_article(text).summary == verdicts


ROWS = """```
row 1: [1.5 + 1.25, −1.5 + 1.25, 0.5 + 1.0] = [2.75, −0.25, 1.50]
row 2: [1 + 1.5, −2.5 + 1.5, 0.25 + 0.5] = [2.50, −1.00, 0.75]
```

Then:

```
{} = {}
```
"""


@pytest.mark.parametrize(
    ("name", "rows", "bad"),
    [
        ("ReLU", "[[2.75, 0, 1.50], [2.50, 0, 0.75]]", []),
        ("ReLU", "[[2.75, 0, 1.50], [2.50, 0, 0.65]]", ["0.65"]),
        ("ReLU", "[[1.25, 0, 1.50], [3.50, 0, 0.65]]", None),  # of something else
        ("U", "[[2.75, 0, 1.50], [2.50, 0, 0.75]]", None),
    ],
)
def test_a_matrix_with_the_name_of_a_function_is_that_of_the_rows_above(
    name: str, rows: str, bad: list[str] | None
) -> None:
    found = check_article(ROWS.format(name, rows)).findings[2:]
    assert [[e.printed for e in c.bad] for c in found] == ([] if bad is None else [bad])


LINES = "[1,1] · [1,0] = 1\n[1,1] · [0,1] = 1\n[1,1] · [1,1] = 2\n\n"


@pytest.mark.parametrize("name", ["raw scores = ", "Scores: ", "The dot-product scores: "])
def test_scores_collected_from_the_lines_above_may_have_a_slip(name: str) -> None:
    assert judged(f"{LINES}{name}[1, 1, 2]")[-1][1:] == (["1", "1", "2"], [])
    assert judged(f"{LINES}{name}[1, 1, 3]")[-1][2] == ["3"]


@pytest.mark.parametrize(
    "text",
    [
        f"{LINES}masked scores = [1, 1, 3]",
        f"{LINES}scaled scores = [1, 1, 3]",
        f"{LINES}scores = [2, 1, 3]",
        f"{LINES}scores = [1, 1, -∞]",
        f"{LINES}v = [1, 1, 3]",
        f"2 + 5 = 7\n{LINES}scores = [1, 1, 3]",
        f"{LINES}Of another query:\n\nscores = [1, 1, 3]",
        f"{LINES}Scores for the first query: [1, 0, 2]",
        f"{LINES}causal scores = [1, 1, 0]",
        f"{LINES}Scores with bias: [1, 1, 2.5]",
        f"{LINES}Scores with ALiBi = [1, 1, 1]",
        f"{LINES}Scores of head 2: [1, 1, 1]",
        f"{LINES}$scores_2 = [1, 1, 1]$",
        f"{LINES}Next query scores: [1, 1, 1]",
        f"{LINES}Scores: [1, 1, 1] for the next query",
    ],
)
def test_other_lists_below_lines_with_results(text: str) -> None:
    assert not any(bad for *_, bad in judged(text))
