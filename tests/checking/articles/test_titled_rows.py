"""Matrices whose rows have a word before each, below a line that says what they are."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

TOKENS = """```
Q (one row a token):
  red: [1.0, 2.0, 0.0]
  big: [0.0, 1.0, 3.0]
  cat: [2.0, 0.0, 1.0]

K (as Q, d_k = 3):
  red: [1.0, 2.0, 0.0]
  big: [0.0, 1.0, 3.0]
  cat: [2.0, 0.0, 1.0]
```

"""
# QKᵀ = [[5, 2, 2], [2, 10, 3], [2, 3, 5]]; over √3 [[2.89, 1.15, 1.15], [1.15, 5.77, 1.73], [1.15, 1.73, 2.89]]
SCORES = """```
Compute Q·K^T:
         red  big  cat
  red: [5.0  2.0  2.0]
  big: [2.0  10.0 3.0]  ← a remark
  cat: [2.0  {}  5.0]
```

"""
SCALED = """```
Scaled scores = Scores / √d_k
```

```
Scaled scores:
         red   big   cat
  red: [2.89  1.15  1.15]
  big: [1.15  5.77  1.73]
  cat: [1.15  {}  2.89]
```

"""


def test_scores_of_titled_rows() -> None:
    assert [bad for _, numbers, bad in judged(TOKENS + SCORES.format("3.0")) if len(numbers) == 9] == [[]]
    assert [bad for _, numbers, bad in judged(TOKENS + SCORES.format("3.5")) if len(numbers) == 9] == [["3.5"]]


@pytest.mark.parametrize(("entry", "wrong"), [("1.73", []), ("1.37", ["1.37"])])
def test_a_step_whose_formula_waits_for_its_numbers(entry: str, wrong: list[str]) -> None:
    assert judged(TOKENS + SCORES.format("3.0") + SCALED.format(entry))[-1][2] == wrong


# softmax of the rows over √3, with a mask: [1], [0.010, 0.990], [0.119, 0.212, 0.670]; without: [[0.74, 0.13, 0.13], …]
WEIGHTS = """```
Attention weights = softmax(Scaled scores)
```

```
{}:
         red   big   cat
{}
```
"""
BEFORE = """```
Mask (-inf for what comes later):
  red  big  cat
  red: [2.89 -inf -inf]
  big: [1.15 5.77 -inf]
  cat: [1.15 1.73 2.89]
```

"""
MASKED = "  red: [1.00  0.00  0.00]\n  big: [{}  0.00]\n  cat: [{}]"


@pytest.mark.parametrize(
    ("second", "third", "wrong"),
    [
        ("0.01  0.99", "0.12  0.21  0.67", []),
        ("0.12  0.88", "0.10  0.31  0.59", ["0.12", "0.88", "0.10", "0.31", "0.59"]),  # wrong all over, in their order
        ("0.88  0.12", "0.10  0.31  0.59", []),  # in another order: something else is meant
    ],
)
def test_weights_that_are_wrong_all_over(second: str, third: str, wrong: list[str]) -> None:
    text = TOKENS + SCORES.format("3.0") + SCALED.format("1.73") + BEFORE
    found = judged(text + WEIGHTS.format("With the causal mask", MASKED.format(second, third)))
    assert [bad for numbers, bad in ((n, b) for _, n, b in found) if "0.00" in numbers] == (
        [wrong] if second < "0.5" else []
    )


@pytest.mark.parametrize(
    "rows",
    [
        "query: [1, 0]\nkey: [0, 1]\nvalue: [1, 1]",  # steps, no tokens
        "scores: [1, 0]\nweights: [0.73, 0.27]",
        "GPT: [1, 0]\nBERT: [0, 2]",  # no other matrix has these rows
    ],
)
def test_rows_that_are_no_matrix(rows: str) -> None:
    text = f"```\nK:\n  red: [1, 2]\n  big: [0, 3]\n\nThe numbers:\n{rows}\n```\n"
    assert not [numbers for _, numbers, bad in judged(text) if bad]
