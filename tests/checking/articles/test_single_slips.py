"""One wrong number where an article says by layout, arrow or program what it was computed from."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article
from tests.checking.checked import judged, listed


def wrong(text: str) -> list[str]:
    return [number for *_, bad in judged(text) for number in bad]


def wrong_in_tex(body: str) -> list[str]:
    text = "\\documentclass{article}\n\\begin{document}\n" + body + "\n\\end{document}\n"
    return [e.printed for c in check_article(read_article("a.tex", text)).findings for e in c.bad]


@pytest.mark.parametrize(("total", "bad"), [("8,169", []), ("7,169", ["7,169"])])
def test_decimal_commas_with_three_decimals(total: str, bad: list[str]) -> None:
    """4.113 + 2.028 + 2.028 = 8.169; a thousandth of it is near to no other sum."""
    rows = f"\\text{{a}}\\quad & 2,028+1,000 = 3,028\\\\\n\\text{{b}}\\quad & 4,113+2,028+2,028 = {total}"
    assert wrong_in_tex(f"Also $0,25$ und $0,11$.\n\\begin{{align*}}\n{rows}\n\\end{{align*}}") == bad


@pytest.mark.parametrize(("product", "bad"), [("-0,50", []), ("2,50", ["2,50"])])
def test_negative_decimals_in_brackets(product: str, bad: list[str]) -> None:
    body = "\\[ W=\\begin{pmatrix}1&0\\\\0,5&0\\\\0&1\\end{pmatrix}. \\]\n\\[ a = 0,25 + 0,11 = 0,36 \\]\n"
    assert wrong_in_tex(body + f"\\[ s=1,0\\cdot1,0+(-1,5)\\cdot1,0={product} \\]") == bad


@pytest.mark.parametrize("sign", ["=$ ", "= $ ", "=$ **"])
@pytest.mark.parametrize(("result", "bad"), [("3.5", []), ("5.3", ["5.3"])])
def test_a_result_behind_the_mark(sign: str, result: str, bad: list[str]) -> None:
    end = "**" if sign.endswith("**") else ""
    assert wrong(f"- first: $2\\times1 + 1\\times0.5 + (-1)\\times(-1) {sign}{result}{end}\n") == bad


@pytest.mark.parametrize("behind", ["3.5 × 2", "3.5 million", "3.5 tokens"])
def test_what_goes_on_behind_the_mark_is_no_result(behind: str) -> None:
    assert not wrong(f"- first: $2\\times2 =$ {behind}\n")


@pytest.mark.parametrize(
    ("line", "entries", "bad"),
    [
        ("- 0.2725 · 1.3012 → 0.3546", 1, []),
        ("- 0.2725 · 1.3012 → 0.3564", 1, ["0.3564"]),  # two digits have changed places
        ("- 0.2725 · 1.3012 → 0.9127", 0, []),  # something else was meant
        ("- 2 · 8 → 61", 0, []),
        ("- 5 → 0.5", 0, []),
        ("- 1.98 − 0.33 → 1.56", 0, []),  # a difference may be a range
        ("- 2.58 · 2.56 → 6.62", 0, []),  # of numbers that were rounded
        ("- 24 / 32 → 0.57", 0, []),  # two digits
    ],
)
def test_arithmetic_before_an_arrow(line: str, entries: int, bad: list[str]) -> None:
    found = judged(line + "\n")
    assert sum(len(printed) for _, printed, _ in found) == entries and wrong(line + "\n") == bad
    assert entries or "→" not in line or not found


PROGRAM = """```python
X = np.array([[1, 1], [0, 1]])
W = np.array([[2.25, 1.5], [1.25, 2.75]])
```

## Projections

```python
Q = X @ W
# [[3.5, 4.25],
#  [1.25, {}]]
```
"""


@pytest.mark.parametrize(("entry", "bad"), [("2.75", []), ("2.57", ["2.57"]), ("9.25", []), ("0", [])])
def test_one_number_of_a_matrix_that_a_program_printed(entry: str, bad: list[str]) -> None:
    """Another number may have been put in between; the same with two digits in another order is a slip."""
    assert wrong(PROGRAM.format(entry)) == bad


def test_two_other_numbers_are_those_of_another_run() -> None:
    text = PROGRAM.format("2.57").replace("4.25", "4.52")
    assert wrong(text) == [] and listed(text)


@pytest.mark.parametrize(("result", "bad"), [("1.375", []), ("1.357", ["1.357"]), ("2.191", [])])
def test_a_comment_behind_a_statement(result: str, bad: list[str]) -> None:
    text = f"```python\nx = [2.0, -1.0, 0.5, 4.0]\n```\n\n## Mean\n\n```python\nmu = sum(x) / 4   # {result}\n```\n"
    assert wrong(text) == bad


@pytest.mark.parametrize(
    ("ahead", "bad"),
    [("Exercise. Do the same with base $10000$: ", []), ("For the third plane ", ["0.03"])],
)
def test_a_calculation_done_again_with_another_number(ahead: str, bad: list[str]) -> None:
    assert wrong(f"With $\\theta_1 = 0.1$ we go on.\n\n{ahead}$3\\theta_1 = 0.03$.\n") == bad


COUNTS = """| part | formula | {} |
|---|---|--:|
| queries | 2 · 1024 · 768 · 2304 | 3.624 |
| scores | 2 · 1024² · 768 | {} |
| output | 2 · 1024 · 768² | 1.208 |
| layers | 2 · 2 · 1024 · 768 · 3072 | 9.664 |
"""


@pytest.mark.parametrize("head", ["GFLOP", "cost", "10⁹"])
@pytest.mark.parametrize(("count", "bad"), [("1.611", []), ("1.161", ["1.161"])])
def test_results_that_are_counted_in_a_power(head: str, count: str, bad: list[str]) -> None:
    """2 · 1024² · 768 = 1,610,612,736, and so on."""
    text = COUNTS.format(head, count)
    assert wrong(text) == bad
    assert sum(len(printed) for _, printed, _ in judged(text)) == 4


def test_results_in_two_powers_are_left() -> None:
    assert not wrong(COUNTS.format("GFLOP", "1610.6"))


def test_a_square_in_a_calculation() -> None:
    table = "| part | formula | FLOP |\n|---|---|--:|\n| scores | 2 · 1024² · 768 | {} |\n| sum | 2 · 3² + 1 | 19 |\n"
    assert len(judged(table.format("1610612736"))) == 2
