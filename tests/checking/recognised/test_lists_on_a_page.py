"""Where the numbers of a page stand, and which of them are lists."""

from __future__ import annotations

import pytest

from symattn.checking.recognised.lists import find_series
from symattn.checking.recognised.prints import read_lines
from symattn.reading.articles import read_article


def lists(text: str, path: str = "a.md") -> list[list[str]]:
    article = read_article(path, text)
    found = find_series(read_lines(article))
    for series in found:
        for number in series.numbers:
            start, end = number.span
            there = article.source[start:end].replace("−", "-").replace("- ", "-").replace("&minus;", "-")
            assert there == number.text
    return [[n.text for n in s.numbers] for s in found if not s.column and s.height == 1]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("so 0.5, 0.25 and 1e-3", ["0.5", "0.25", "1e-3"]),
        ("(0.5;  −2)", ["0.5", "-2"]),
        ("$1.50$, $0.50$ et $1.50$", ["1.50", "0.50", "1.50"]),
        ("0.40 / 0.20 / 0.40", ["0.40", "0.20", "0.40"]),
        ("[ 1.5 -0.5]", ["1.5", "-0.5"]),
        ("1,024 | 536,870,912", ["1,024", "536,870,912"]),
        ("66%, 24.5 %", ["66%", "24.5 %"]),
        (r"$(0.665,\ 0.090)$", ["0.665", "0.090"]),
    ],
)
def test_lists_in_a_line(text: str, found: list[str]) -> None:
    assert lists(text) == [found]


@pytest.mark.parametrize(("text", "found"), [("0.5 - 2", [["0.5"], ["2"]]), ("2 · 3 = 6", [["2"], ["3"], ["6"]])])
def test_arithmetic_is_no_list(text: str, found: list[list[str]]) -> None:
    assert lists(text) == found


def test_names_and_exponents_are_no_numbers() -> None:
    assert lists("x2 v1.0 10^3 q_1 0.5") == [["0.5"]]


def test_decimal_commas() -> None:
    assert lists("Die Gewichte sind 0,25 und 0,75; also (0,25; 0,75).")[-1] == ["0,25", "0,75"]
    assert lists("Les poids : $0{,}269$ et $0{,}731$.", "a.tex") == [["0{,}269", "0{,}731"]]


def test_rows_of_latex_and_of_html() -> None:
    found = lists(r"\begin{pmatrix} 1 & 0.5 \\ 2 & 0.25 \end{pmatrix}", "a.tex")
    assert found == [["1", "0.5"], ["0.5"], ["2", "0.25"], ["0.25"]]  # the first of a line may count it
    assert lists("<tr><td>1.5</td><td>&minus;2</td></tr><tr><td>3</td><td>4</td></tr>", "a.html")[-1] == ["3", "4"]
