"""Lists that words call a function of the list before them."""

from __future__ import annotations

import pytest

from symattn import check_article


def fences(*parts: str) -> str:
    return "".join(
        f"{words}\n\n```\n{numbers}\n```\n\n" for words, numbers in zip(parts[::2], parts[1::2], strict=True)
    )


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (fences("The scores are", "[2, 3, 4]", "Softmax gives", "[0.09, 0.24, 0.67]"), {"rounded": 3}),
        (fences("Before ReLU", "[3.4, -2.8, 4.1]", "After ReLU", "[3.4, 0, 4.1]"), {"exact": 3}),
        (fences("Before GELU", "[3.4, -1.2]", "After GELU", "[3.40, -0.14]"), {"rounded": 2}),
        (
            fences("Before softmax:", "[[1, -inf], [2, 1]]", "After softmax:", "[[1.00, 0.00], [0.80, 0.20]]"),
            {"exact": 2, "wrong": 2},
        ),
        (fences("The scores are", "[2, 3, 4]", "Without softmax", "[0.09, 0.24, 0.67]"), {}),
        (fences("The scores are", "[2, 3, 4]", "Softmax of others", "[0.33, 0.33, 0.34]"), {}),
        (fences("The scores are", "[2, 3, 4]", "The lengths are", "[0.09, 0.24, 0.77]"), {}),
    ],
)
def test_a_function_of_the_list_before(text: str, verdicts: dict[str, int]) -> None:
    assert check_article(text).summary == verdicts


@pytest.mark.parametrize(
    ("label", "numbers", "verdicts"),
    [
        ("After scaling by gamma", "[6, 2, -1]", {"exact": 3}),
        ("After adding gamma", "[5, 3, -1.5]", {"exact": 3}),
        ("After adding gamma", "[5, 3, 1]", {}),  # what else was computed is unknown
        ("The next are", "[6, 2, -1]", {}),
    ],
)
def test_a_list_scaled_or_shifted_by_what_was_just_named(label: str, numbers: str, verdicts: dict[str, int]) -> None:
    text = fences("The entries are", "[3, 1, -2]", "and", "γ = [2, 2, 0.5]", label, numbers)
    assert check_article(text).summary == verdicts


SHARES = "```\n{}\n  exp values: [1.0, 54.6, 2981]\n  weights: {}\n```\n"  # 0.0003, 0.0180, 0.9817


@pytest.mark.parametrize(
    ("head", "weights", "verdicts"),
    [
        ("softmax([0, 4, 8]):", "[0.003, 0.018, 0.979]", ["wrong", "rounded", "wrong"]),
        ("softmax([0, 4, 8]):", "[0.3, 0.18, 0.9]", []),  # no shares
        ("exponentials of [0, 4, 8]:", "[0.003, 0.018, 0.979]", []),
    ],
)
def test_weights_below_the_softmax_that_they_are_of(head: str, weights: str, verdicts: list[str]) -> None:
    claims = [[e.verdict for e in claim.entries] for claim in check_article(SHARES.format(head, weights)).findings]
    assert claims[1:] == ([verdicts] if verdicts else [])


# softmax(0.16, −0.05, −0.04) = 0.3810, 0.3088, 0.3119 with a sum of exponentials of 3.0856…
FRACTIONS = (
    "```\nsoftmax([0.16, -0.05, -0.04]) =\n[exp(0.16), exp(-0.05), exp(-0.04)] / Z\n\nwith Z their sum\n\n{}\n```\n"
)


@pytest.mark.parametrize(
    ("said", "verdicts"),
    [
        ("Approximately: [0.38, 0.31, 0.31]", ["rounded"] * 3),
        ("Etwa: [0.55, 0.22, 0.23]", ["wrong"] * 3),
        ("Approximately: [0.55, 0.22, 0.33]", None),  # no shares
        ("At temperature 0.1 approximately: [0.80, 0.10, 0.10]", None),
    ],
)
def test_what_fractions_of_exponentials_come_to_approximately(said: str, verdicts: list[str] | None) -> None:
    claims = [[e.verdict for e in claim.entries] for claim in check_article(FRACTIONS.format(said)).findings]
    assert claims == ([verdicts] if verdicts else [])


# e^0.5 = 1.6487, e + 1 + e^0.5 = 5.3670; softmax(1, 0, 0.5) = 0.5065, 0.1863, 0.3072
@pytest.mark.parametrize(("row", "bad"), [("[0.506, 0.186, 0.307]", []), ("[0.506, 0.168, 0.307]", ["0.168"])])
def test_weights_below_the_sum_of_their_exponentials(row: str, bad: list[str]) -> None:
    steps = "softmax([1.0, 0.0, 0.5])\n  e^1.0 = 2.718, e^0.0 = 1.0, e^0.5 = 1.649\n  sum = 5.367\n  = "
    claim = check_article(f"```\n{steps}{row}\n```\n").findings[-1]
    assert [e.printed for e in claim.entries] == row.strip("[]").split(", ")
    assert [e.printed for e in claim.bad] == bad


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("The scores are [3.0, 2.0, 1.5]. After softmax: [{}]", 3),
        ("Scores: [3.0, 2.0, 1.5]\n\nAfter softmax: [{}]", 3),
        ("The scores are [3, 2, 1.5], over their sum [0.46, 0.31, 0.23], and after softmax [{}]", 0),  # of which list?
        ("The values are [3.0, 2.0, 1.5]. After softmax: [{}]", 0),  # of others
        ("The scores are [3.0, 2.0, 1.5]. After scaling and softmax: [{}]", 0),
        ("The scores are [3.0, 2.0, 1.5]. After softmax with temperature 2: [{}]", 0),
        ("The scores are [3.0, 1.5, 2.0]. After softmax: [{}]", 0),  # in another order
    ],
)
def test_a_softmax_that_is_wrong_all_over(text: str, bad: int) -> None:
    # softmax([3, 2, 1.5]) = [0.629, 0.231, 0.140]
    found = check_article(text.format("0.55, 0.33, 0.12") + "\n").findings
    assert sum(len(claim.bad) for claim in found) == bad


def test_a_softmax_that_was_scaled_without_a_word() -> None:
    # softmax([3, 2, 1.5] / 2) = [0.481, 0.292, 0.227]
    assert not check_article("The scores are [3.0, 2.0, 1.5]. After softmax: [0.481, 0.292, 0.227]\n").summary.get(
        "wrong"
    )


STANDARDISED = """```
Original tokens:
[[1.0, 2.0, 3.0, 6.0],
 [0.0, 0.0, 2.0, 2.0]]

Some sums: [12, 4]

After layer norm:
[[-1.069, -0.535, 0.000, 1.604],
 [{}]]
```
"""


@pytest.mark.parametrize(
    ("row", "verdicts"),
    [
        ("-1.000, -1.000, 1.000, 1.000", 8),
        ("-0.800, -0.800, 0.800, 0.800", 4),  # divided by another deviation
        ("-0.900, 0.800, 0.300, -0.700", 4),  # something else: the first row is right
    ],
)
def test_a_matrix_that_words_call_standardised(row: str, verdicts: int) -> None:
    entries = [e.verdict for c in check_article("a.md", STANDARDISED.format(row)).findings for e in c.entries]
    assert sum(verdict in ("exact", "rounded") for verdict in entries) == verdicts
    assert entries.count("wrong") == (4 if row.startswith("-0.8") else 0)


def test_a_common_factor_may_be_that_of_the_layer() -> None:
    """γ = 2 makes every row twice as long."""
    text = STANDARDISED.replace("-1.069, -0.535, 0.000, 1.604", "-2.138, -1.069, 0.000, 3.207")
    assert check_article("a.md", text.format("-2.000, -2.000, 2.000, 2.000")).summary == {}


FAR_WEIGHTS = (
    "After adding the mask:\n```\n[[0.1, -inf, -inf], [0.4, 0.5, -inf], [0.7, 0.8, 0.9]]\n```\n\n"
    + "Each row is now made positive and divided by its sum.\n\n" * 6
    + "The attention weights:\n```\n[[1.0, 0.0, 0.0], [{}, 0.0], [0.25, 0.33, 0.42]]\n```\n"
)


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("0.48, 0.52", ["0.25", "0.42"]),  # 0.475 and 0.525; 0.301, 0.332, 0.367
        ("0.47, 0.53", ["0.25", "0.42"]),  # from exponentials that were rounded
        ("0.30, 0.70", []),  # no row shows what was computed
    ],
)
def test_one_row_shows_of_which_scores_far_above_weights_are(row: str, wrong: list[str]) -> None:
    findings = check_article(FAR_WEIGHTS.format(row)).findings
    assert [e.printed for c in findings for e in c.entries if e.verdict == "wrong"] == wrong
