"""Pictures of formulas, Pandoc's raw LaTeX, and equations in inline code."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from symattn.reading.articles import read_article

TEX = r"S = \begin{bmatrix} 1 & 2 \end{bmatrix}"


@pytest.mark.parametrize(
    "text",
    [
        f"![scores](https://latex.codecogs.com/svg.latex?{quote(chr(92) + 'bg_white ' + TEX)})",
        f"![](https://math.example.com/render/math?math={quote(TEX)})",
        f'<img src="https://chart.example.com/chart?cht=tx&amp;chl={quote(TEX)}" alt="S = 3">',
    ],
)
def test_the_formula_of_a_picture_is_in_its_address(text: str) -> None:
    article = read_article("a.md", f"Then\n{text}\nfollows.\n")
    assert [(p.text, p.kind, p.line) for p in article.passages] == [(TEX, "display", 2)]
    two = article.passages[0].text.index("2")
    start, end = article.passages[0].source_span(two, two + 1)
    assert article.source[start:end] == "2"


def test_raw_latex_of_pandoc_is_part_of_its_line() -> None:
    text = "`\\text{Scores}`{=tex} = \\[ 0.1 0.2 \\\\ 0.3\n0.4\\]\n"
    assert [p.text for p in read_article("a.md", text).passages] == [r"\text{Scores} = [[0.1, 0.2], [0.3, 0.4]]"]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("scores = Queries @ Keys.T", ["scores = Queries @ Keys.T"]),
        ("Queries = Keys = X", ["Queries = Keys = X"]),
        ("d_k = 64", ["d_k = 64"]),
    ],
)
def test_inline_code_is_an_equation_where_it_is_mathematics(code: str, found: list[str]) -> None:
    assert [p.text for p in read_article("a.md", f"so `{code}` here").passages] == found
