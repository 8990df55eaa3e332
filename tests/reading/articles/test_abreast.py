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
