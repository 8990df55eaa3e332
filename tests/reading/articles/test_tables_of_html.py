"""Tables of HTML, in pages of their own and in Markdown: cells are read as cells, and all of their lines are listed."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article
from tests.checking.checked import judged, listed

ROWS = (
    "<table>\n<tr><th>name</th><th>z</th><th>exp(z)</th></tr>\n<tr>\n<td>a</td>\n<td>1.0</td>\n<td>2.718</td>\n</tr>\n"
    "<tr><td>b</td><td>2.0</td><td>7.489</td></tr>\n</table>"
)


def test_columns_are_judged_as_those_of_a_pipe_table() -> None:
    pipes = "| name | z | exp(z) |\n|---|---|---|\n| a | 1.0 | 2.718 |\n| b | 2.0 | 7.489 |"
    assert judged(ROWS) == judged(pipes)
    assert [wrong for _, _, wrong in judged(ROWS) if wrong] == [["7.489"]]  # e² = 7.389


def test_cells_of_a_line_are_not_joined() -> None:
    text = "<table>\n<tr><td>2.0</td><td>`3 * 4 = 13`</td><td>$2^3 = 8$</td></tr>\n</table>"
    assert judged(text) == [("3 * 4", ["13"], ["13"]), ("2^3", ["8"], [])]


@pytest.mark.parametrize("name", ["a.md", "a.html"])
def test_every_line_of_a_row_is_listed(name: str) -> None:
    cells = "\n".join(f"<tr>\n<td>\n{k}.5</td>\n<td>{k}.25</td>\n</tr>" for k in range(3))
    source = f"<table>\n{cells}\n</table>\n"
    missing = set(range(4, 18, 5)) | set(range(5, 18, 5))  # the lines that hold a number
    for left in check_article(read_article(name, source)).not_checked:
        missing -= set(range(left.line, left.line + left.text.count("\n") + 1))
    assert not missing


def test_a_table_that_is_never_closed_is_text() -> None:
    assert listed("<table>\n<tr><td>\nThe sum is = 7.25 then.")
