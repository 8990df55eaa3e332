"""Tables of steps: vectors in brackets of any kind, rows and columns that say of what they are, functions of a column.

The numbers are worked out with mpmath.
"""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed

VECTORS = """
| token | Query | Key | Value |
|---|---|---|---|
| a | (1, 2) | (1, 0) | (1, 0) |
| b | (2, 1) | (0, 1) | (0, 1) |
| c | (3, 1) | (1, 1) | (2, 1) |
| e | (1, 1) | (2, 0) | (1, 2) |

"""
SCORES = """The attention scores:

| | K: a | K: b | K: c | K: e |
|---|---|---|---|---|
| **Q: a** | 1 | 2 | 3 | 2 |
| **Q: b** | 2 | 1 | 3 | 4 |
| **Q: c** | 3 | {} | 4 | 6 |
| **Q: e** | 1 | 1 | 2 | 2 |

"""
SHARES = """With d_k = 2 the weights of c become:

| of | a | b | c | e |
|---|---|---|---|---|
| weight | 0.086 | 0.021 | 0.175 | {} |
"""
NORMS = (
    "| position | $x$ | RMSNorm | LayerNorm |\n|---|---|---|---|\n| 1 | 1.0 | 0.3651 | −1.3416 |\n"
    "| 2 | 2.0 | {} | −0.4472 |\n| 3 | 3.0 | 1.0954 | 0.4472 |\n| 4 | 4.0 | 1.4606 | 1.3416 |\n"
)
PERCENTS = (
    "| score $z_i$ | exponential $e^{{z_i}}$ | softmax $p_i$ |\n|---|---|---|\n| -1 | 0.368 | 0.22% |\n"
    "| 0 | 1.000 | 0.59% |\n| 3 | {} | 11.82% |\n| 5 | 148.413 | **87.37%** |\n"
)
TEXTS = {
    "scores of labelled queries and keys": (VECTORS + SCORES, "1", "2", 16),
    "weights of one query": (VECTORS + SCORES.format("1") + SHARES, "0.718", "0.781", 21),
    "norms": (NORMS, "0.7303", "0.7303", 8),
    "exponentials and shares in percent": (PERCENTS, "20.086", "20.068", 8),
}


@pytest.mark.parametrize("name", TEXTS)
def test_tables_of_steps(name: str) -> None:
    text, right, wrong, count = TEXTS[name]
    found = judged(text.format(right))
    assert sum(len(numbers) for _, numbers, _ in found) == count and not any(bad for *_, bad in found)
    assert [bad for *_, bad in judged(text.format(wrong)) if bad] == ([[wrong]] if wrong != right else [])


def test_a_column_of_other_numbers_is_of_no_function() -> None:
    text = (
        "| model | size | softmax time |\n|---|---|---|\n| a | 1.0 | 0.31 |\n| b | 2.0 | 0.62 |\n| c | 3.0 | 0.47 |\n"
    )
    assert not judged(text)


# softmax(2, 1) = 0.7311, 0.2689
GRID = "Q = [[1, 0], [0, 1]], K = [[2, 1], [1, 1]]\n\n$Q K^T = [[2, 1], [1, 1]]$\n\nWeights, softmax(Q K^T):\n\n"


@pytest.mark.parametrize("heading", ["Sum", "Row sum", "**Total**"])
def test_a_matrix_with_a_column_of_sums_and_with_marks(heading: str) -> None:
    rows = "|---|---|---|---|\n| cat | 0.73 ✅ | 0.27 | 1.00 |\n| sat | 0.50 | {} 🔥 | 1.00 |\n"
    table = f"{GRID}| | cat | sat | {heading} |\n{rows}"
    assert (["0.73", "0.27", "0.50", "0.50"], []) in [claim[1:] for claim in judged(table.format("0.50"))]
    assert (["0.73", "0.27", "0.50", "0.40"], ["0.40"]) in [claim[1:] for claim in judged(table.format("0.40"))]
    assert listed(table.format("0.50")).count("1.00") == 2


def test_columns_of_decimal_commas_and_accents() -> None:
    exponentials = "| $z$ | $\\exp(z)$ |\n|---|---|\n| 0,6 | 1,82 |\n| −1,5 | {} |\n| 3,2 | 24,53 |\n"
    assert [numbers for _, numbers, _ in judged(exponentials.format("0,22"))] == [["1,82"], ["0,22"], ["24,53"]]
    assert [bad for *_, bad in judged(exponentials.format("0,32")) if bad] == [["0,32"]]
    errors = "| | $y$ | $\\hat y$ | $\\hat y - y$ |\n|---|---|---|---|\n| a | 0 | 0.2 | +0.2 |\n| b | 1 | 0.7 | {} |\n"
    assert [numbers for _, numbers, _ in judged(errors.format("−0.3"))] == [["+0.2"], ["−0.3"]]
    assert [bad for *_, bad in judged(errors.format("−0.4")) if bad] == [["−0.4"]]
    losses = "| n | class | q(class) | −log q |\n|---|---|---|---|\n| 0 | a | 0.659 | 0.417 |\n| 1 | b | 0.821 | {} |\n"
    assert [bad for *_, bad in judged(losses.format("0.297")) if bad] == [["0.297"]]
