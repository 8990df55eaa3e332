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


def _cells(*rows: str) -> str:
    return "<table>" + "".join(f"<tr><td>{'</td><td>'.join(row.split())}</td></tr>" for row in rows) + "</table>"


SAID = ["QK<sup>T</sup> =", "Then QK<sup>T</sup> is", "There are two keys. The scores QK<sup>T</sup> are:"]


@pytest.mark.parametrize("words", [f"<p>{said}</p>" for said in SAID])
def test_a_table_without_words_is_the_right_side_of_what_stands_before_it(words: str) -> None:
    """(0 1; 1 1) (1 1; 1 0) = (1 0; 2 1), of which the transpose is printed."""
    page = f"<p>Q =</p>{_cells('0 1', '1 1')}<p>Let K be</p>\n{_cells('1 1', '1 0')}\n{words}{_cells('1 2', '0 1')}"
    report = check_article(read_article("a.html", page))
    assert [e.printed for claim in report.findings for e in claim.bad] == ["2", "0"]


@pytest.mark.parametrize(
    "words",
    ["The transpose of K is:", "The largest entry of K is", "The product of Q and K is", "It costs as much as K is"],
)
def test_what_is_said_of_a_matrix_is_not_what_it_is(words: str) -> None:
    """(0 1; 1 1) (1 1; 1 0)ᵀ = (1 0; 2 1) whatever table is shown of K."""
    page = f"<p>Q =</p>{_cells('0 1', '1 1')}<p>Let K be</p>{_cells('1 1', '1 0')}<p>{words}</p>{_cells('5 6', '7 8')}"
    report = check_article(read_article("a.html", page + "<p>QK<sup>T</sup> = [[1, 0], [2, 1]]</p>"))
    assert [[e.verdict for e in claim.entries] for claim in report.findings] == [["exact"] * 4]


def test_a_right_side_stands_right_behind_the_sign() -> None:
    page = f"<p>Q =</p><p>(see below)</p>{_cells('0 1', '1 1')}"
    assert read_article("a.html", page).passages == ()
    words = f"<p>Q =</p>{_cells('0 a', '1 1')}"
    assert read_article("a.html", words).passages == ()
