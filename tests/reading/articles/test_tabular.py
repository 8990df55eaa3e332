r"""Tables of LaTeX are read as those of Markdown are: formulas, calculations and columns of values in their cells."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

CALCULATED = r"a & $3 \cdot 4$ & \textbf{13} \\", r"b & $2 + 5$ & 7 \\"
OF_FUNCTIONS = r"$0$ & 0 & 1 \\", r"$2$ & 0.91 & \num{7.28} \\"  # sin 2 = 0.909, e² = 7.389


def _bad(header: str, *rows: str, environment: str = "tabular", arguments: str = "{l|rr}") -> list[list[str]]:
    opening = rf"\begin{{{environment}}}{arguments}"
    table = "\n".join([opening, rf"\toprule {header} \\", r"\midrule", *rows, rf"\end{{{environment}}}", ""])
    return [[e.printed for e in claim.bad] for claim in check_article(read_article("a.tex", table)).findings]


@pytest.mark.parametrize(
    ("environment", "arguments"),
    [("tabular", "{lrr}"), ("tabular*", r"{\textwidth}{lrr}"), ("tabularx", r"{\linewidth}{Xrr}"), ("tblr", "{lll}")],
)
def test_a_calculation_and_its_result(environment: str, arguments: str) -> None:
    bad = _bad("step & Calculation & Result", *CALCULATED, environment=environment, arguments=arguments)
    assert bad == [["13"], []]


def test_the_values_of_functions() -> None:
    assert _bad(r"$x$ & $\sin(x)$ & $\exp(x)$", *OF_FUNCTIONS) == [[], [], [], ["7.28"]]


def test_bars_inside_a_formula_end_no_cell() -> None:
    assert _bad("size & Calculation & Result", r"$|x|$ & $3 \cdot 4$ & 13 \\", r"$\|x\|$ & $1 + 1$ & 2 \\") == [
        ["13"],
        [],
    ]


def test_a_row_over_two_lines() -> None:
    assert _bad("step & Calculation & Result", "a &\n $3 \\cdot 4$\n & 13 \\\\", r"b & $1 + 1$ & 2 \\") == [["13"], []]
