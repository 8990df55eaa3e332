"""Markdown: what is found, where, and that a patched digit lands where it was printed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from symattn.reading.articles import read_article
from symattn.reading.articles.article import Article

DATA = Path(__file__).parents[2] / "data"


def read(text: str) -> Article:
    return read_article("page.md", text)


def found(text: str) -> list[tuple[str, str, int, int]]:
    return [(p.text, p.kind, p.line, p.column) for p in read(text).passages]


def patch(article: Article, old: str, new: str) -> str:
    """The source with the first such digits of a passage replaced where they stand."""
    passage = next(p for p in article.passages if old in p.text)
    at = passage.text.index(old)
    start, end = passage.source_span(at, at + len(old))
    return article.source[:start] + new + article.source[end:]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("so $d_k = 2$ here", [("d_k = 2", "inline", 1, 5)]),
        ("$$S = 1$$", [("S = 1", "display", 1, 3)]),
        ("a\n$$\nS = 1\n\n+ 2\n$$", [("S = 1\n\n+ 2", "display", 3, 1)]),
        (r"the \(a = 1\) and", [("a = 1", "inline", 1, 7)]),
        ("\\[\nO=AV.\n\\]", [("O=AV.", "display", 2, 1)]),
        ("```math\nA = B\n```", [("A = B", "display", 2, 1)]),
        (
            "\\begin{align}\na &= b\n\\end{align}",
            [("\\begin{align}\na &= b\n\\end{align}", "display", 1, 1)],
        ),
        ("\\begin{equation}a = b\\end{equation}", [("a = b", "display", 1, 17)]),
        ("- item\n\n  $$\n  x = 2\n  $$", [("x = 2", "display", 4, 3)]),
        ("> $$\n> S =\n> 1\n> $$", [("S =\n1", "display", 2, 3)]),
        ("and $`g = 1`$", [("g = 1", "inline", 1, 7)]),
        ("I have $5 and $10 in cash, $3 less.", []),
        ("from $5 to $10, then $x = 1$", [("x = 1", "inline", 1, 23)]),
        ("<Math math={String.raw`Z = 1`} />", [("Z = 1", "display", 1, 24)]),
        ("{{< math >}}$W = 1${{< /math >}}", [("W = 1", "display", 1, 14)]),
        ("<!-- $x = 1$ --> $y = 2$", [("y = 2", "inline", 1, 19)]),
        ("---\na = [1, 2]\n---\n$x = 1$", [("x = 1", "inline", 4, 2)]),
    ],
)
def test_marked_formulas(text: str, expected: list[tuple[str, str, int, int]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- Q = X W^Q = [[1, 5], [9, 13]]", [("Q = X W^Q = [[1, 5], [9, 13]]", "line", 1, 3)]),
        ("QK^T = [[10,58,106],[58,234,400]]", [("QK^T = [[10,58,106],[58,234,400]]", "line", 1, 1)]),
        (r"400/\sqrt2 = 282.84", [(r"400/\sqrt2 = 282.84", "line", 1, 1)]),
        ("score(q1,k1) = 1*2 + 0*1 = 2", [("score(q1,k1) = 1*2 + 0*1 = 2", "line", 1, 1)]),
        ("scores = [2, 2] → actually [2, 3]", [("scores = [2, 2]", "line", 1, 1), ("[2, 3]", "line", 1, 28)]),
        ("10 → 7.09 ; 32 → 22.6", [("10 → 7.09", "line", 1, 1), ("32 → 22.6", "line", 1, 13)]),
        ("q1 · k1 = 112    q1 · k2 = 96", [("q1 · k1 = 112", "line", 1, 1), ("q1 · k2 = 96", "line", 1, 18)]),
        (r"* softmax(\[0, 1]) → \[0.27, 0.73]", [("softmax([0, 1]) → [0.27, 0.73]", "line", 1, 3)]),
        (r"0.73 \* \[0, 1] = \[0, 0.73]", [("0.73 * [0, 1] = [0, 0.73]", "line", 1, 1)]),
        ("x&nbsp;= [1, 2] &minus; 3", [("x\xa0= [1, 2] − 3", "line", 1, 1)]),
        (
            "a<sub>1</sub> = 2<br>b<sup>2</sup> = 3",
            [("a_{1} = 2", "line", 1, 1), ("b^{2} = 3", "line", 1, 22)],
        ),
        ("K\u3000=\u3000[1, 2]", [("K\u3000=\u3000[1, 2]", "line", 1, 1)]),
        ("**Score:** `q . k = 1*2 = 2`", [("q . k = 1*2 = 2", "code", 1, 13)]),
        (
            "0,266 [0,34, 0,95] + 0,7 [1,0, 2] = [1,005, 1,041]",
            [("0,266 [0,34, 0,95] + 0,7 [1,0, 2] = [1,005, 1,041]", "line", 1, 1)],
        ),
        ("The weights of every row sum to one, as they should.", []),
        ("See [the paper](https://example.org/?a=b), or [1].", []),
    ],
)
def test_lines_that_are_mathematics(text: str, expected: list[tuple[str, str, int, int]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X = [[1, 0],\n     [0, 1]]", [("X = [[1, 0],\n     [0, 1]]", "line", 1, 1)]),
        ("Q:\n[[1. 0.]\n [0. 1.]]", [("Q = [[1. 0.]\n [0. 1.]]", "line", 1, 1)]),
        ("Q =\n[[1. 0.]\n [0. 1.]]", [("Q =\n[[1. 0.]\n [0. 1.]]", "line", 1, 1)]),
        ("w_query\n\n[[1 0]\n\n [0 1]]", [("w_query = [[1 0]\n\n [0 1]]", "line", 1, 1)]),
        (
            "tensor([[1., -inf],\n        [0., 1.]], grad_fn=<MmBackward0>)",
            [("[[1., -inf],\n        [0., 1.]]", "line", 1, 8)],
        ),
        ("tensor([[1., 2.]],\n       grad_fn=<MmBackward0>)", [("[[1., 2.]]", "line", 1, 8)]),
        (
            "A = \\begin{bmatrix}\n1&0\\\\\n0&1\n\\end{bmatrix}.",
            [("A = \\begin{bmatrix}\n1&0\\\\\n0&1\n\\end{bmatrix}", "line", 1, 1)],
        ),
        (
            "Wq = [[1, 0], Wk = [[1, 1], Wv = [[1, 0],\n      [0, 1]]       [1, 0]]       [1, 2]]",
            [
                ("Wq = [[1, 0],\n[0, 1]]", "line", 1, 1),
                ("Wk = [[1, 1],\n[1, 0]]", "line", 1, 15),
                ("Wv = [[1, 0],\n[1, 2]]", "line", 1, 29),
            ],
        ),
        (
            "will| -0.04    0.30 |\nwork| -0.01    0.04 |",
            [("[[-0.04, 0.30],\n[-0.01, 0.04]]", "table", 1, 7)],
        ),
        (
            "bank      [ 4.20,  2.57]\nriver     [ 1.0,  2.5]",
            [("[[4.20, 2.57],\n[1.0, 2.5]]", "table", 1, 13)],
        ),
    ],
)
def test_matrices_over_several_lines(text: str, expected: list[tuple[str, str, int, int]]) -> None:
    assert found(text) == expected


def test_code_gives_literals_prints_and_comments() -> None:
    text = (
        "```python\nX = np.array([[1, 0],\n              [0, 1]])  # rows\nQ = X @ W\n"
        "# scores = [[1, 2], [3, 4]]\n"
        "S = Q @ K.T  # [[2, 1], [1, 2]]\n```\n\n```\nscores:\n[[1 2]\n [3 4]]\n```\n"
        "\n```mermaid\nq[Q = 1]\n```\n"
    )
    assert [(p.text, p.kind, p.line) for p in read(text).passages] == [
        ("X = [[1, 0],\n              [0, 1]]", "code", 2),
        ("Q = X @ W", "code", 4),
        ("scores = [[1, 2], [3, 4]]", "code", 5),
        ("S = Q @ K.T", "code", 6),
        ("S = [[2, 1], [1, 2]]", "comment", 6),
        ("scores = [[1 2]\n [3 4]]", "code", 10),
    ]


def test_a_labelled_table_is_one_matrix() -> None:
    text = "| | cat | sat |\n|---|---|---|\n| cat | 0.5 | **0.5** |\n| sat | 0.25 | 0.75 |\n"
    article = read(text)
    assert [(p.text, p.kind) for p in article.passages] == [("[[0.5, 0.5], [0.25, 0.75]]", "table")]
    assert patch(article, "0.75", "0.7") == text.replace("0.75", "0.7")
    assert article.passages[0].place(article.passages[0].text.index("0.25")) == (4, 9)


def test_a_table_of_quantities_is_no_matrix_but_its_cells_are_read() -> None:
    text = "| Word | Score | Weight |\n|---|---|---|\n| the | 2.0 | 0.1 |\n| a | $q k = 3$ | [0.1, 0.2] |\n"
    assert [(p.text, p.kind) for p in read(text).passages] == [("q k = 3", "inline"), ("[0.1, 0.2]", "table")]


@pytest.mark.parametrize(
    "text",
    [
        "> $$S = 400$$",
        r"* a = \[400, 1]",
        "Wq = [[1, 0], Wk = [[1, 1],\n [0, 1]] [1, 400]]",
        "x &lt; y and S = [400, 1]",
        "```python\nX = np.array([[400, 0]])\n```",
        "Q:\r\n[[1. 0.]\r\n [0. 400]]",
        "\ufeff$S = 400$",
    ],
)
def test_a_patched_digit_lands_in_place(text: str) -> None:
    assert patch(read(text), "400", "410") == text.replace("400", "410")


def test_a_byte_order_mark_is_no_column_and_line_ends_keep_their_places() -> None:
    page = read("\ufeff$a = 1$\r\nb\r\n$c = 2$")
    assert [(p.line, p.column) for p in page.passages] == [(1, 2), (3, 2)]


def test_macros_are_expanded_and_endless_ones_refused() -> None:
    page = read("$\\newcommand{\\T}{^\\top}\\def\\a{\\b}\\def\\b{\\a}$ so $Q K\\T = 1$ and $\\a = 2$")
    assert [p.text for p in page.passages] == ["Q K^\\top = 1"]
    assert [(n.line, n.reason.key) for n in page.not_read] == [(1, "endless_macro")]


def test_an_unclosed_formula_is_said() -> None:
    page = read("$$S = 1\n\nand $T = 2$")
    assert [p.text for p in page.passages] == ["S = 1", "T = 2"]
    assert [(n.line, n.column, n.reason.key) for n in page.not_read] == [(1, 1, "formula_not_closed")]


@pytest.mark.parametrize(
    ("name", "text"), json.loads((DATA / "clean_articles.json").read_text(encoding="utf-8")).items()
)
def test_every_formula_of_the_corpus_is_found(name: str, text: str) -> None:
    """Worked examples of attention as published, each set as Markdown with one equation a line."""
    assert name
    passages = read(text).passages
    display = len(re.findall(r"\$\$.+?\$\$", text, re.DOTALL)) + len(re.findall(r"(?<!\\)\\\[", text))
    inline = len(re.findall(r"(?<!\$)\$[^$]+\$(?!\$)", text))
    assert sum(p.kind == "display" for p in passages) == display
    assert sum(p.kind == "inline" for p in passages) == inline
    assert len(passages) == display + inline


def test_a_page_may_begin_with_a_rule() -> None:
    text = "---\n\nHere $2 + 3 = 5$.\n\n---\n\nThere $1 + 1 = 2$.\n"
    assert [p.text for p in read_article("a.md", text).passages] == ["2 + 3 = 5", "1 + 1 = 2"]
    assert [p.text for p in read_article("a.md", "---\ntitle: x = 1 + 1\n---\n\n$2 + 3 = 5$\n").passages] == [
        "2 + 3 = 5"
    ]


def test_formulas_of_a_page_that_was_a_string_of_a_program() -> None:
    article = read_article("a.md", "$\\\\text{softmax}([1, 1]) = \\\\frac{[1, 1]}{2}$ and $[1 \\\\ 2]$\n")
    assert [p.text for p in article.passages] == ["\\text{softmax}([1, 1]) = \\frac{[1, 1]}{2}", "[1 \\\\ 2]"]


@pytest.mark.parametrize(("info", "found"), [("{note}", 2), ("{admonition} Proof\n:class: tip\n", 2), ("text", 0)])
def test_a_fence_of_a_directive_holds_a_part_of_the_page(info, found):
    article = read_article("a.md", f"```{info}\n\nLet $a = 1$.\n\n$$\nb = 2\n$$\n```\n")
    assert sum(each.kind in ("inline", "display") for each in article.passages) == found


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        (r"so \\( d_k = 2 \\) and \\(x_1\\)", ["d_k = 2", "x_1"]),
        ("thus\n\\\\[\na = 1 + 1 = 2\n\\\\]\nindeed", ["a = 1 + 1 = 2"]),
        (r"a \\[4pt] row and \\[1em] another", []),
        (r"\\(not closed and \\( twice, \\) or \\[ never", ["twice,"]),
        (r"$$A = \begin{bmatrix} 1 \\[2pt] 2 \end{bmatrix}$$", [r"A = \begin{bmatrix} 1 \\[2pt] 2 \end{bmatrix}"]),
    ],
)
def test_marks_whose_backslashes_are_doubled(text: str, formulas: list[str]) -> None:
    assert [p.text.strip() for p in read(text + "\n").passages] == formulas
