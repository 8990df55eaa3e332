"""Matrices drawn over several lines of text are read as one, with the equation through their middle."""

import pytest

from symattn import check_article
from symattn.reading.articles import read_article
from tests.checking.checked import judged


def passages(text: str) -> list[str]:
    return [p.text for p in read_article("a.txt", text).passages]


@pytest.mark.parametrize(
    ("drawn", "read"),
    [
        (
            """
                      [ 1  0 ]
    P R = [ 2  3  4 ] [ 0  1 ] = C
                      [ 5  6 ]
""",
            ["P R = [[2, 3, 4]] @ [[1, 0], [0, 1], [5, 6]] = C"],
        ),
        (
            """
         [1, 0]
[2, 3] x [0, 1] = [2, 3]
[4, 5]            [4, 5]
""",
            ["[[2, 3], [4, 5]] × [[1, 0], [0, 1]] = [[2, 3], [4, 5]]"],
        ),
        (
            "A B = [[1, 2],  × [[1, 0],  = [[1, 2],\n       [3, 4]]     [0, 1]]     [3, 4]]\n",
            ["A B = [[1, 2], [3, 4]]  × [[1, 0], [0, 1]]  = [[1, 2], [3, 4]]"],
        ),
        (
            "R = P B = [1  2] × [3  0] = [3  4]\n          [0  1]   [0  2]   [0  2]\n",  # without a space behind [
            ["R = P B = [[1, 2], [0, 1]] × [[3, 0], [0, 2]] = [[3, 4], [0, 2]]"],
        ),
        ("R = [1×2  0]\n    [3  1 + 1]\n", ["R = [[1×2, 0], [3, 1 + 1]]"]),
        ("S̃ = [ 1  −∞ ]\n    [ 2   3 ]\n", ["S̃ = [[1, −∞], [2, 3]]"]),  # an accent fills no column
        ("    ⎡ 1  x + 1 ⎤\nM = ⎢ 0    2   ⎥\n    ⎣ 3    4   ⎦\n", ["M = [[1, x + 1], [0, 2], [3, 4]]"]),
        ("a = [ e^(-1)  1 ] / (e^(-1) + 1) ≈ [ 0.27  0.73 ]\n", ["a = [[e^(-1), 1]] / (e^(-1) + 1) ≈ [[0.27, 0.73]]"]),
    ],
)
def test_a_drawing_is_one_formula(drawn: str, read: list[str]) -> None:
    assert passages(drawn) == read


@pytest.mark.parametrize(
    "text",
    [
        "a = [ 1  2 ]\nb = [ 3  4 ]\n",  # two equations
        "[0.1 0.2]\n[0.3 0.4]\n",  # rows that a program printed one by one
        "[[0.1 0.2]\n [0.3 0.4]]\n",  # a program's matrix
        "[1, 2] × [3, 1] = [3, 2]\n[1, 2] × [3, 2] = [3, 4]\n",  # each by itself
        "[1, 2]   [3, 4]\n[5, 6]   [7, 8]\n",
        "  [ 1  2 ]\nS = [ 3  4 ]\n",  # not below one another
    ],
)
def test_other_rows_are_not_joined(text: str) -> None:
    assert not any("], [" in p for p in passages(text) if "\n" not in p)


def test_a_drawn_number_keeps_its_place() -> None:
    text = "A = [ 1  2 ]\n    [ 3  4 ]\n\n2*A = [ 2  4 ]\n      [ 6  9 ]\n"
    found = check_article("a.txt", text)
    assert found.summary == {"exact": 3, "wrong": 1}
    [wrong] = found.findings[0].bad
    assert wrong.span is not None
    assert text[slice(*wrong.span)] == "9"


def test_many_rows_are_bounded() -> None:
    check_article("a.txt", "[ 1  2 ]\n" * 1_000)


def test_matrices_between_bars_with_their_names_above() -> None:
    text = (
        "```\nQ (2×2):      K (2×2):\n┌       ┐     ┌       ┐\n│ 1   0 │     │ 3   4 │\n│ 0   2 │     │ 5   6 │\n"
        "└       ┘     └       ┘\n\nS =\n  |  1.5  -0.5 |\n  |  2.0   0.5 |\n```\n"
    )
    assert [p.text for p in read_article("a.md", text).passages] == [
        "Q = [[1, 0], [0, 2]]",
        "K = [[3, 4], [5, 6]]",
        "S =\n  [[1.5, -0.5], [2.0, 0.5]]",
    ]


@pytest.mark.parametrize(("printed", "bad"), [("0.245", []), ("0.255", ["0.255"])])
def test_blocks_of_plain_rows_are_matrices(printed: str, bad: list[str]) -> None:
    scores = "Scores\n\n```\n 2  1  0\n 1  3  1\n 0  1  2\n```"
    masked = "Masked\n\n```\n 2  -inf  -inf\n 1   3    -inf\n 0   1     2\n```"
    weights = f"Softmax of each row\n\n```\n1.000  0.000  0.000\n0.119  0.881  0.000\n0.090  {printed}  0.665\n```"
    found = judged(f"{scores}\n\n{masked}\n\n{weights}")
    assert [number for *_, wrong in found for number in wrong] == bad
    assert sum(len(numbers) for _, numbers, _ in found) >= 9


def test_rows_of_other_lengths_or_with_words_are_no_matrix() -> None:
    assert not judged("Softmax\n\n```\n1.0 0.0\n0.5\n```\n\n```\nepoch 1 0.5\nepoch 2 0.4\n```")


@pytest.mark.parametrize(("number", "bad"), [("2.5", []), ("2.6", ["2.6"])])
def test_matrices_between_bars_with_sums_for_entries(number: str, bad: list[str]) -> None:
    text = f"""```
H = | 1.5 + 1.0   2.0 - 0.5 |  =  | {number}  1.5 |   ("red" is first)
    | 0.5 + 1.5   4.0 + 1.0 |     | 2.0  5.0 |   ("big" is second)
```"""
    assert judged(text) == [("H", [number, "1.5", "2.0", "5.0"], bad)]


# X W_Q = [[2, 1], [0, 2]] and X W_K = [[1, 2], [2, 0]]
PROJECTED = """| Token | E |
|---|---|
| red | [1, 0] |
| big | [0, 1] |
| cat | [1, 1] |

```
    WQ              WK
[ 2.0  1.5 ]     [ 1.0  2.5 ]
[ 0.0  2.0 ]     [ 2.0  0.5 ]
```

| Token | Q | K |
|---|---|---|
| red | [2.0, 1.5] | [1.0, 2.5] |
| big | [0.0, 2.0] | [2.0, 0.5] |
| cat | [2.0, {}] | [3.0, 3.0] |
"""


@pytest.mark.parametrize(("number", "bad"), [("3.5", [])])
def test_names_stand_above_drawn_matrices_without_a_colon(number: str, bad: list[str]) -> None:
    found = judged(PROJECTED.format(number))
    assert sum(len(numbers) for _, numbers, _ in found) == 12
    assert [n for *_, wrong in found for n in wrong] == bad
    aside = PROJECTED.replace("    WQ              WK", "the WQ              WK")
    assert not judged(aside.format(number))


BOXED = """```
The input matrix X (2×3):
    ┌         ┐
    │ 1  0  2 │  ← token a
    │ 0  1  1 │  ← token b
    └         ┘
W = ┌     ┐
    │ 1 0 │
    │ 0 1 │
    │ 1 1│
    └     ┘
{said}
S = X W = ┌     ┐
          │ 3 2 │
          │ 1 {last} │
          └     ┘
```"""


@pytest.mark.parametrize(("last", "wrong"), [("2", []), ("3", ["3"])])
def test_boxes_with_their_equation_above_the_first_row(last: str, wrong: list[str]) -> None:
    """The second row of X W is (0 + 0 + 1, 0 + 1 + 1)."""
    assert judged(BOXED.format(said="", last=last)) == [("S", ["3", "2", "1", last], wrong)]


@pytest.mark.parametrize("words", ["Transpose of X:", "Updated X (2×2):", "softmax of X:"])
def test_words_that_change_a_matrix_give_it_no_numbers(words: str) -> None:
    box = f"{words}\n    ┌     ┐\n    │ 1 9 │\n    │ 0 1 │\n    └     ┘"
    assert judged(BOXED.format(said=box, last="2")) == [("S", ["3", "2", "1", "2"], [])]


@pytest.mark.parametrize("said", ["K and V = X", "K 和 V 同样 = X"])
def test_two_names_of_one_matrix(said: str) -> None:
    """Rows of X: (1, 0, 2) · (0, 1, 1) = 2; whose own ones no error has brought there."""
    text = BOXED.format(said=said, last="2") + "\n\n```\nv_1 · v_2 = 0+0+2 = 2\nv_2 · v_2 = 1+1+1 = 3\n```"
    assert [bad for *_, bad in judged(text)[1:]] == [[], ["3"]]
