"""Weights of several rows that words call the softmax of the scores above, though many of their numbers are wrong."""

from __future__ import annotations

import pytest

from symattn import check_article
from symattn.reading.articles import read_article

SCORES = """
Scores, scaled by √d_k:
           sun    rain   snow
    sun  [ 1.50   0.50   0.10 ]
    rain [ 0.40   2.00   0.90 ]
    snow [ 0.20   0.30   1.00 ]
"""
# softmax: 0.6171 0.2270 0.1522 → with 0.62 0.23 0.15; 0.1316 0.6517 0.2169; 0.2320 0.2564 0.5116
WEIGHTS = """
{}:
           sun    rain   snow
    sun  [ {} ]
    rain [ {} ]
    snow [ {} ]
"""
FAR = (
    "\nThe word sun is read first, and it looks at itself the most:\n    exp(1.50) = 4.48\n\nThen rain.\n\nThen snow.\n"
)


def verdicts(words: str, *rows: str, between: str = "") -> list[str]:
    text = "```" + SCORES + between + WEIGHTS.format(words, *rows) + "```\n"
    return [e.verdict for c in check_article("a.md", text).findings for e in c.entries if c.shape == (3, 3)]


INVENTED = ("0.50   0.30   0.20", "0.20   0.50   0.30", "0.25   0.30   0.45")
ONE_RIGHT = ("0.62   0.23   0.15", "0.20   0.50   0.30", "0.25   0.30   0.45")


def test_rows_that_have_the_order_of_the_scores_are_meant_for_their_softmax() -> None:
    found = verdicts("After softmax (rows sum to 1)", *INVENTED)
    assert len(found) == 9
    assert set(found) == {"wrong"}


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        ("After softmax", ("0.30   0.50   0.20", *INVENTED[1:])),  # another order
        ("After softmax", ("0.50   0.30   0.25", *INVENTED[1:])),  # no shares
        ("After softmax at temperature 2", INVENTED),
        ("After adding the bias and softmax", INVENTED),
        ("Before softmax", INVENTED),
        ("The target weights", INVENTED),
        ("The distances", INVENTED),
    ],
)
def test_nothing_is_held_against_other_rows(words: str, rows: tuple[str, ...]) -> None:
    assert verdicts(words, *rows) == []


def test_farther_below_one_row_has_to_be_right() -> None:
    assert verdicts("Attention weights", *INVENTED, between=FAR) == []
    found = verdicts("Attention weights", *ONE_RIGHT, between=FAR)
    assert found == ["rounded"] * 3 + ["wrong"] * 6


def test_rows_below_masked_scores_that_stand_before_softmax() -> None:
    text = """```
Masked, BEFORE softmax the scores are:
             To: a    To: b    To: c
    From: a [ 1.0     -inf     -inf ]
    From: b [ 0.2      1.0     -inf ]
    From: c [ 0.3      0.2      0.9 ]

After softmax:
             To: a    To: b    To: c
    From: a [ 1.00    0.00     0.00 ]  ← itself
    From: b [ 0.20    0.80     0.00 ]
    From: c [ 0.30    0.20     0.50 ]
```
"""
    [claim] = [c for c in check_article("a.md", text).findings if c.shape == (3, 3)]  # 0.310 0.690; 0.268 0.243 0.489
    assert [e.verdict in ("exact", "rounded") for e in claim.entries] == [True] * 3 + [False, False, True] + [False] * 3


def test_a_row_of_scores_whose_width_is_named() -> None:
    """Of [6, 4, 0] the weights 0.70, 0.26, 0.04 are those of [6, 4, 0]/√4: right where nobody names another width."""
    line = "Scores: [6, 4, 0] → after softmax: [0.70, 0.26, 0.04]\n"
    assert check_article("a.md", f"```\n{line}```\n").summary == {}
    found = check_article("a.md", f"With d_k = 9:\n\n```\n{line}```\n")  # softmax itself: 0.87 0.12 0.00
    assert found.summary == {"wrong": 3}


def test_rows_that_say_what_they_add_up_to() -> None:
    text = "```\nshares:\n  From: a [ 0.20   0.80 ] = 1.0 ✓\n  From: b [ 0.30   0.60 ] = 1.0 ✓\n```\n"
    assert [p.text for p in read_article("a.md", text).passages] == [
        "[[0.20, 0.80],\n[0.30, 0.60]]",
        "0.20 + 0.80= 1.0",
        "0.30 + 0.60= 1.0",
    ]
    assert check_article("a.md", text).summary == {"exact": 1, "wrong": 1}


def test_a_number_with_the_letter_of_weights_is_no_row_of_them():
    factors = (r"\begin{bmatrix} 1 & 2 \\ 0 & 1 \end{bmatrix}", r"\begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix}")
    scores = f"$$S = QK^T = {' '.join(factors)} = {factors[0]}$$"
    report = check_article("a.md", f"{scores}\n\nEntmax with $\\alpha = 1.5$ halves the scores.\n")
    assert report.clean
