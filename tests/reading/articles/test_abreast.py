"""Matrices of plain text that stand side by side, and chains of them that go on over blank lines."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed

PRODUCT = """```
S = [[2, 0],     [[0, 2],     [[{}, 4],
     [0, 2]]  @   [2, 0]]  =   [4, 0]]
```"""
MASKED = """```
[
 [1, 2],         [0, -∞],         [1, -∞],
 [3, 4]     +    [0,  0]     =    [3,  {}]
]
```"""
CHAIN = """```
Q = [[3, 4],
     [4, 3]]
```

Scaled: Q / √4

```
= [[3/√4, 4/√4],
   [4/√4, 3/√4]]

≈ [[1.50, {}],   （保留两位小数）
   [2.00, 1.50]]
```"""


@pytest.mark.parametrize(("text", "right", "wrong"), [(PRODUCT, "0", "1"), (MASKED, "4", "5"), (CHAIN, "2.00", "2.10")])
def test_an_equation_through_several_lines_is_judged(text: str, right: str, wrong: str) -> None:
    assert [bad for *_, bad in judged(text.format(right))][-1] == []
    assert [bad for *_, bad in judged(text.format(wrong))][-1] == [wrong]


def test_three_products_abreast_are_no_one_equation() -> None:
    text = "```\n@ [[1, 0],     @ [[0, 1],\n   [0, 1]]        [1, 0]]\n```"
    assert judged(text) == []


def test_matrices_abreast_without_a_sign_are_no_product() -> None:
    text = "```\n[[1, 0],     [[0, 1],\n [0, 1]]      [1, 0]]  = [[5, 5], [5, 5]]\n```"
    assert judged(text) == [] and listed(text)


# Q Kᵀ for two queries and three keys
FEWER_ROWS = """```
Q = [[2, 1],    K = [[1, 0],    V = [[8, 4],
     [0, 3]]         [0, 1],         [6, 2],
                     [1, 1]]         [4, 0]]

QKᵀ = [[2, 1, {}],    # both keys in one
       [0, 3, 3]]
```"""


def test_matrices_abreast_may_have_fewer_rows_than_their_neighbours() -> None:
    right, wrong = (judged(FEWER_ROWS.format(number)) for number in ("3", "4"))
    assert right[0][1:] == (["2", "1", "3", "0", "3", "3"], []) and wrong[0][2] == ["4"]


# 0.25 [8, 4] + 0.75 [4, 0] = [5, 1] and 0.5 [8, 4] + 0.5 [4, 0] = [6, 2]
WORKED_ROWS = """```
O = [[0.25×[8, 4] + 0.75×[4, 0]],  = [[5, {}],
     [0.5×[8, 4] + 0.5×[4, 0]]]       [6, 2]]
```"""


def test_rows_abreast_may_be_worked_out_of_others() -> None:
    assert judged(WORKED_ROWS.format("1"))[0] == ("O", ["5", "1", "6", "2"], [])
    assert judged(WORKED_ROWS.format("2"))[0][2] == ["2"]


# Q Kᵀ of the queries (1, 0), (0, 2) and the keys (2, 1), (0, 1); over √2, masked, and softmax of that
COLUMNS = """```
         q (query)     k (key)      v (value)
cat:     [1, 0]        [2, 1]       [1, 0]
dog:     [0, 2]        [0, 1]       [0, 1]
```

**Step 1, scores = Q·Kᵀ**:

```
        k1   k2
q1 →  [  2    0  ]     (q1·k1, q1·k2)
q2 →  [  2    {}  ]
```

**Step 2, scale by √2:**

```
q1 → [1.41, 0.00]
q2 → [{}, 1.41]
```

**Step 3, causal mask:**

```
q1 → [1.41,  −∞ ]
q2 → [1.41, 1.41]
```

**Step 4, softmax:**

```
q1 → [1.000, 0.000]
q2 → [{}, 0.500]
```"""


def _bad(*numbers: str) -> list[str]:
    return [number for *_, bad in judged(COLUMNS.format(*numbers)) for number in bad]


def test_columns_of_lists_and_rows_that_an_arrow_leads_to() -> None:
    right = ("2", "1.41", "0.500")
    assert sum(len(numbers) for _, numbers, _ in judged(COLUMNS.format(*right))) >= 12
    assert _bad(*right) == []
    assert _bad("2", "1.41", "0.600") == ["0.600"]


@pytest.mark.parametrize(
    "text",
    [
        "```\n   q    k\na: [1, 0]  [2, 1]\nb: [0, 2]  [0, 1, 3]\n```",  # rows of other lengths
        "```\nscores → [2, 1]\nsoftmax → [0.9, 0.1]\n```",
    ],
)
def test_other_columns_and_arrows_make_no_matrix(text: str) -> None:
    assert all(len(numbers) < 3 for _, numbers, _ in judged(text))


# Q Kᵀ of the queries (2, 1), (0, 3) and the keys (1, 0), (1, 2): [[2, 4], [0, 6]], over 2: [[1, 2], [0, 3]]
BARE_ROWS = """```
Q = [2, 1]    K = [1, 0]    V = [8, 4]
    [0, 3]        [1, 2]        [6, 2]
```

```
Q × K^T = [2, 1]   [1, 1]
          [0, 3] × [0, 2]

Result matrix:
[2, 4]
[0, {}]
```

```
Halved:
[2/2, 4/2]     [1.0, {}]
[0/2, 6/2]  =  [0.0, 3.0]
```"""


def test_rows_in_brackets_of_their_own_make_matrices_abreast() -> None:
    def bad(*numbers: str) -> list[str]:
        return [number for *_, each in judged(BARE_ROWS.format(*numbers)) for number in each]

    assert sum(len(numbers) for _, numbers, _ in judged(BARE_ROWS.format("6", "2.0"))) >= 8
    assert (bad("6", "2.0"), bad("6", "2.5")) == ([], ["2.5"])


@pytest.mark.parametrize(
    "text",
    [
        "```\na = [2, 1]    b = [1, 0]\nc = [0, 3]    d = [1, 2]\n```",  # four rows
        "```\n[2, 1] = [3, 0]\n[0, 3] = [1, 2]\n```",  # an equation a line
        "```\n[2, 1]    [3, 0]\n[0, 3]    [1, 2]\n```",  # no sign
    ],
)
def test_rows_with_names_or_signs_of_their_own_are_no_matrices(text: str) -> None:
    assert all(len(numbers) < 3 for _, numbers, _ in judged(text))
