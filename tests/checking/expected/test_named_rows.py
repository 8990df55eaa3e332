"""Rows that words count, and rows of what a formula gives."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

GIVEN = "$A = [[0.6, 0.4], [0.3, 0.7]]$ and $V = [[1, 2], [3, 4]]$.\n\n"  # A V = [[1.8, 2.8], [2.4, 3.4]]


@pytest.mark.parametrize("formula", ["$$O = A V$$", "Output = A V", r"$\text{Output} = A V$"])
@pytest.mark.parametrize(
    "labels",
    [("Row 1", "Row 2"), ("Token 0", "Token 1"), ("第一行", "第二行"), ("For the first token", "second token")],
)
def test_rows_that_words_count(formula: str, labels: tuple[str, str]) -> None:
    text = GIVEN + formula + f"\n\n- {labels[0]}: $[1.8, 2.8]$\n- {labels[1]}: $[2.4, 3.5]$\n"
    assert [(numbers, bad) for _, numbers, bad in judged(text)] == [(["1.8", "2.8"], []), (["2.4", "3.5"], ["3.5"])]


def test_rows_that_stand_together() -> None:
    found = judged("$S = [[1, 2], [3, 5]]$\n\nA = softmax(S)\n\nRow 1: [0.27, 0.73]\n\nRow 2: [0.12, 0.87]")
    assert [(numbers, bad) for _, numbers, bad in found] == [(["0.27", "0.73", "0.12", "0.87"], ["0.87"])]


def test_a_row_where_the_formula_gives_all() -> None:
    rows = [r"**Row 1**", r"$$e^S = [2.718, 7.389], \quad \text{sum} = 10.107$$"]
    rows += [r"**Row 2**", r"$$e^S = [20.09, 148.52], \quad \text{sum} = 168.61$$"]  # e⁵ = 148.413
    found = judged("$S = [[1, 2], [3, 5]]$\n\n" + "\n\n".join(rows))
    assert [(numbers, bad) for _, numbers, bad in found] == [
        (["2.718", "7.389"], []),
        (["10.107"], []),
        (["20.09", "148.52"], ["148.52"]),
        (["168.61"], ["168.61"]),  # carried
    ]


def test_rows_of_something_else_are_left_alone() -> None:
    # the row that softmax is taken of, and the query of a token
    given = "$Q = [[2, 0], [1, 1]]$, $K = [[0, 2], [1, 1]]$\n\n$S = Q K^T$\n\n"
    assert not any(bad for _, _, bad in judged(given + "- Row 1: $[0, 1.41]$\n- Row 2: $[1.41, 1.41]$"))
    assert not any(bad for _, _, bad in judged(given + "Token 2 has the query $[1, 1]$, token 1 has $[2, 0]$."))


def test_a_mask_that_is_put_on_once_all_is_done() -> None:
    text = "$S = [[1.5, 2], [3, 5]]$\n\n$A = softmax(S) = [[0.38, 0.62], [0.12, 0.88]]$\n\n"
    found = judged(text + r"$S_{\text{masked}} = \begin{bmatrix} 1.5 & -\infty \\ 3 & 5 \end{bmatrix}$")
    assert found[-1] == (r"S_{\text{masked}}", ["1.5", "-∞", "3", "5"], [])


def test_softmax_right_below_its_scores() -> None:
    text = "- Scaled scores: [1.25, 0, -0.625]\n- Softmax: [0.60, 0.17, 0.23]"
    assert judged(text) == [("Softmax", ["0.60", "0.17", "0.23"], ["0.60", "0.17", "0.23"])]  # 0.69, 0.20, 0.11
    remark = "```\n  Scaled:    [2, 0.5]\n  Softmax:   [0.82, 0.16]  ← most of it on one token\n```"
    assert judged(remark) == [("Softmax", ["0.82", "0.16"], ["0.16"])]
    assert judged("Example A has the scores [2.0, 0.5].\n\nB has other scores.\n\nSoftmax: [0.6, 0.4]") == []
    assert judged("Scores: [2.0, 0.5]\n\nWith a temperature of 2, softmax: [0.6, 0.4]") == []
    assert judged("Scores: [2.0, 0.5]\nTemperature: 2\nSoftmax: [0.6, 0.4]") == []
    assert judged("Scores: [2.0, 0.5]\n\nSoftmax: [0.6, 0.4] with a temperature of 2") == []
    assert judged("Scores: [2.0, 0.5] (before scaling)\n\nSoftmax: [0.6, 0.4]") == []


def test_a_name_repeated_before_the_next_step() -> None:
    text = "$$s = 1 \\cdot 2 + 3 \\cdot 4$$\n\n$$s = 2 + 13 = 14$$"
    assert judged(text) == [("s", ["2", "13"], ["13"]), ("s", ["14"], [])]


def test_a_calculation_by_hand_in_a_fence_called_python() -> None:
    text = "```python\n1. 求最大值: max = 3\n2. 计算分母: sum = exp(3-3) + exp(1-3) = 1 + 0.153 = 1.135\n```"
    assert judged(text) == [("sum", ["1", "0.153"], ["0.153"]), ("sum", ["1.135"], [])]


def test_letters_in_labels() -> None:
    assert judged("- Query (q): [1, 2]\n- Key (k): [3, 1]\n\nq·k = 5.5") == [("q·k", ["5.5"], ["5.5"])]
    assert judged("Value V1 = [1, 2]\n\nOutput O = 2 · V1 = [2, 5]") == [("O", ["2", "5"], ["5"])]


def test_two_words_multiplied() -> None:
    text = "```\n    cat·sat   = 0.31×0.10 + 0.11×0.00 = 0.012\n```"
    assert judged(text) == [("0.31×0.10 + 0.11×0.00", ["0.012"], ["0.012"])]


def test_rows_in_brackets_of_their_own() -> None:
    text = "```text\nV = [1  0]       shape: 3 × 2\n    [0  1]\n    [1  1]\n\nA = [0.25  0.25  0.5]\n\n"
    text += "A V = [0.75  0.6]\n```"
    assert judged(text) == [("A V", ["0.75", "0.6"], ["0.6"])]
    product = "```\n[0.25 0.25 0.5] × [1 0]\n                  [0 1]\n                  [1 1]\n= [0.75 0.6]\n```"
    assert [(numbers, bad) for _, numbers, bad in judged(product)] == [(["0.75", "0.6"], ["0.6"])]


def test_lengths_in_bars() -> None:
    found = judged("A = [3, 0, 4]\n\n|A| = 5\n\n|A| + |−1| = 7\n\ncos = 8 / (|[3, 4]| × |[0, 2]|) = 0.8")
    assert [(numbers, bad) for _, numbers, bad in found] == [(["5"], []), (["7"], ["7"]), (["0.8"], [])]


def test_a_list_of_equations() -> None:
    found = judged("[0.22/1.41=0.16, 0.20/1.41=0.14, 0.39/1.41=0.29]")
    assert [bad for _, _, bad in found] == [[], [], ["0.29"]]


def test_a_matrix_that_gathers_rows() -> None:
    rows = "row 0: softmax([0.7, 0]) ≈ [0.668, 0.332]\n\nrow 1: softmax([0, 0.7]) ≈ [0.332, 0.668]\n\n"
    assert judged(rows + "[[0.668, 0.332],\n [0.332, 0.668]]")[-1][1:] == (["0.668", "0.332", "0.332", "0.668"], [])
    assert len(judged(rows + "[[0.332, 0.668],\n [0.668, 0.332]]")) == 2


def test_drawn_matrices_of_several_heights_and_with_remarks() -> None:
    drawn = """```
        ┌       ┐     ┌           ┐       ┌           ┐
        │ 1   0 │     │ 0   1   1 │       │ 0   1   1 │  ← the first
        │ 0   1 │  ×  │ 1   1   0 │   =   │ 1   1   0 │  ← the second
        │ 1   1 │     └           ┘       │ 1   2   2 │  ← the third
        └       ┘                         └           ┘
```"""
    assert [(numbers, bad) for _, numbers, bad in judged(drawn)] == [(list("011110122"), ["2"])]


def test_a_formula_of_a_size_that_is_another_now() -> None:
    text = "$Q = [[1, 0], [0, 1]]$, $K = [[1, 2], [3, 4]]$\n\n$Q K^T = [[1, 3], [2, 4]]$\n\n"
    text += r"$\mathrm{Var}(q \cdot k) = d_k$. With $d_k = 512$ it is $\mathrm{Var}(q \cdot k) \approx 512$."
    assert not any(bad for _, _, bad in judged(text))


def test_what_factors_count() -> None:
    cache = "2 × 80 layers × 8 heads × 128 dims × 2 bytes = 327,690"  # 327,680
    assert [bad for _, _, bad in judged(cache)] == [["327,690"]]
    assert [bad for _, _, bad in judged("12 layers × 12 heads = 144 heads")] == [[]]
    assert judged("100 tokens = 75 words.") == []


def test_what_was_only_cut_off_shows_no_row() -> None:
    given = "$X = [[0.1, 0.2], [0.5, 0.6]]$, $W = [[0.34, 0], [0, 0.45]]$\n\n$Q = XW$\n\n"  # row 2 is [0.17, 0.27]
    assert not any(bad for *_, bad in judged(given + "The first row of Q is\n\n[0.1, 0.4]"))
    assert judged(given + "The second row of Q is\n\n[0.17, 0.4]")[-1][1:] == (["0.17", "0.4"], ["0.4"])


def test_a_row_of_what_is_multiplied_is_none_of_the_product() -> None:
    text = "$X = [[5, 1], [0, 3]]$ and $W = [[1, 0], [2, 1]]$.\n\n$$Y = X W$$\n\n"  # Y = [[7, 1], [6, 3]]
    assert judged(text + "- Row 2: $[0, 3]$\n") == []
    assert [bad for *_, bad in judged(text + "- Row 2: $[4, 3]$\n")] == [["4"]]


COUNTED = r"""$$O = \begin{{bmatrix}} 0.5 & 0.5 \\ 0.2 & 0.8 \end{{bmatrix}}
\begin{{bmatrix}} 1 & 4 \\ 3 & 4 \end{{bmatrix}}$$

{}- Token 1: $[{}]$
"""


@pytest.mark.parametrize(
    ("first", "row", "wrong"),
    [
        ("- Token 0: $[0.5 · 1 + 0.5 · 3, 0.5 · 4 + 0.5 · 4] = [2, 4]$\n", "2.6, 4", []),
        ("- Token 0: $[0.5 · 1 + 0.5 · 3, 0.5 · 4 + 0.5 · 4] = [2, 4]$\n", "2.7, 4", ["2.7"]),
        ("", "2.6, 4", []),  # counted from 0
        ("", "2.0, 4", []),
        ("", "2.3, 4", []),  # nobody knows of which row
    ],
)
def test_rows_are_counted_as_the_first_of_them(first: str, row: str, wrong: list[str]) -> None:
    """The rows of the product are (2, 4) and (0.2 + 2.4, 4)."""
    assert [number for *_, bad in judged(COUNTED.format(first, row)) for number in bad] == wrong
