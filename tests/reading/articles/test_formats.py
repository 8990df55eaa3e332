"""LaTeX files, notebooks, HTML, text copied from a rendered page, and files that cannot be used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symattn.errors import InputError
from symattn.reading.articles import read_article
from symattn.reading.articles.article import Article
from symattn.writing.prose.sentences import SENTENCES
from tests.processor_time import takes_at_most

DATA = Path(__file__).parents[2] / "data"


def found(name: str, text: str) -> list[tuple[str, str, int, int]]:
    return [(p.text, p.kind, p.line, p.column) for p in read_article(name, text).passages]


def patch(article: Article, old: str, new: str) -> str:
    passage = next(p for p in article.passages if old in p.text)
    at = passage.text.index(old)
    start, end = passage.source_span(at, at + len(old))
    return article.source[:start] + new + article.source[end:]


def test_latex_file() -> None:
    text = r"""\documentclass{article}
\newcommand{\bm}{\begin{pmatrix}} \def\em{\end{pmatrix}}
\DeclareMathOperator{\softmax}{softmax}
\begin{document} % $no = 1$
Costs 5\% and $a = 1$, not b = 2.
\begin{equation*}
S = \bm 1 & % first
400 \em
\end{equation*}
\begin{verbatim}
X = [[1, 2]]
$no$
\end{verbatim}
\(\softmax(S)\)
\end{document}
"""
    assert found("a.tex", text) == [
        ("a = 1", "inline", 5, 16),
        ("S = \\begin{pmatrix} 1 & \n400 \\end{pmatrix}", "display", 7, 1),
        ("X = [[1, 2]]", "code", 11, 1),
        (r"\operatorname{softmax}(S)", "inline", 14, 3),
    ]
    assert patch(read_article("a.tex", text), "400", "410") == text.replace("400", "410")


def test_latex_macro_that_calls_itself_is_refused() -> None:
    article = read_article("a.tex", r"\def\x{\x\x} $\x = 1$ $y = 2$")
    assert [p.text for p in article.passages] == ["y = 2"]
    assert [(n.line, n.column, n.reason.key) for n in article.not_read] == [(1, 15, "endless_macro")]


def notebook(*cells: dict[str, object]) -> str:
    return json.dumps({"cells": list(cells), "nbformat": 4, "metadata": {}}, indent=1)


def test_notebook() -> None:
    text = notebook(
        {
            "cell_type": "markdown",
            "source": ["Let\n", "$$Q = \\begin{bmatrix} 1 & 400 \\\\ 0 & 1 \\end{bmatrix}$$"],
        },
        {
            "cell_type": "code",
            "source": ["X = np.array([[1, 0],\n", "              [0, 1]])\n", "Q = X @ W"],
            "outputs": [
                {"output_type": "stream", "text": ["scores:\n", "[[1. 2.]\n", " [3. 4.]]\n"]},
                {"output_type": "execute_result", "data": {"text/plain": ["array([[5, 6]])"]}},
                {"output_type": "display_data", "data": {"text/latex": ["$\\displaystyle z \u2248 7$"]}},
            ],
        },
    )
    article = read_article("a.ipynb", text)
    assert [(p.text, p.kind) for p in article.passages] == [
        (r"Q = \begin{bmatrix} 1 & 400 \\ 0 & 1 \end{bmatrix}", "display"),
        ("X = [[1, 0],\n              [0, 1]]", "code"),
        ("Q = X @ W", "code"),
        ("scores = [[1. 2.]\n [3. 4.]]", "output"),
        ("[[5, 6]]", "output"),
        (r"\displaystyle z ≈ 7", "output"),
    ]
    assert patch(article, "400", "410") == text.replace("400", "410")
    first = article.passages[0]
    lines = text.splitlines()
    assert lines[first.line - 1][first.column - 1 :].startswith("Q = ")
    line, column = first.place(first.text.index("400"))
    assert lines[line - 1][column - 1 :].startswith("400")


@pytest.mark.parametrize(
    ("text", "key", "place"),
    [
        ('{"cells": [\n  oops]}', "not_json", "a.ipynb:2:3"),
        ("", "not_json", "a.ipynb:1:1"),
        ("[1, 2]", "not_a_notebook", "a.ipynb:1:1"),
        ("[" * 100_000, "not_json", "a.ipynb:1:1"),
    ],
)
def test_no_notebook(text: str, key: str, place: str) -> None:
    with pytest.raises(InputError) as caught:
        read_article("a.ipynb", text)
    assert (getattr(caught.value.message, "key", ""), caught.value.place) == (key, place)


def test_html() -> None:
    text = (
        "<html><head><title>a = 1</title><style>b = [1, 2]</style></head>\n"
        "<p>Then Q K<sup>T</sup> = [[1, 400]] &asymp; 3</p>\n"
        '<span class="katex"><math><semantics><mi>d</mi><annotation encoding="application/x-tex">'
        "d_k = 2 &lt; 3"
        '</annotation></semantics></math><span class="katex-html" aria-hidden="true">'
        "d<span>k</span>=2</span></span>\n"
        '<script type="math/tex; mode=display">S = 4</script>\n'
        "<p>and \\(x = 5\\) or $$y = 6$$</p>\n"
        "<table><tr><th></th><th>a</th><th>b</th></tr><tr><td>a</td><td>0.5</td><td>0.25</td></tr>"
        "<tr><td>b</td><td>1</td><td>0</td></tr></table>\n"
        "<pre><code>Q:\n[[1 2]\n [3 4]]</code></pre>\n"
        "<p>line one<br>w = [7, 8]</p><math><mi>x</mi></math>"
    )
    article = read_article("a.html", text)
    assert [(p.text, p.kind, p.line) for p in article.passages] == [
        ("Q K^{T} = [[1, 400]] ≈ 3", "line", 2),
        ("d_k = 2 < 3", "inline", 3),
        ("S = 4", "display", 4),
        ("x = 5", "inline", 5),
        ("y = 6", "display", 5),
        ("[[0.5, 0.25], [1, 0]]", "table", 6),
        ("Q = [[1 2]\n [3 4]]", "code", 7),
        ("w = [7, 8]", "line", 10),
    ]
    assert [n.reason.key for n in article.not_read] == ["mathml_without_tex"]
    assert patch(article, "400", "410") == text.replace("400", "410")
    assert patch(article, "0.25", "0.3") == text.replace("0.25", "0.3")


def test_text_copied_from_a_rendered_page() -> None:
    article = read_article(DATA / "rendered_page.txt")
    said = [(p.text, p.kind, p.line, p.column) for p in article.passages]
    assert [s for s in said if s[2] < 17] == [
        (r"Attention(Q, K, V) = softmax(\frac{QK^T}{\sqrt{d_k}})V", "display", 8, 33),
        ("QK^T", "inline", 10, 12),
        (r"\sqrt{d_k}", "inline", 11, 12),
        ("A = [0, 1, 2, 3]", "display", 13, 12),
        ("W^Q", "inline", 15, 8),
        ("W^K", "inline", 15, 15),
        ("W^V", "inline", 15, 22),
        ("W^Q", "inline", 15, 36),
        ("W^K", "inline", 15, 41),
    ]
    assert [(s[0][:14], s[2], s[3]) for s in said if s[2] >= 17] == [
        (r"W^Q = \begin{b", 17, 27),
        (r"Q = X \cdot W^", 18, 6),
        (r"= \begin{bmatr", 19, 13),
        (r"d_k = 2, \sqrt", 23, 13),
        (r"\approx \begin", 25, 51),
        ("[-67.89, -33.94, 0]"[:14], 29, 16),
        (r"e^{-67.89} \ap", 30, 8),
        (r"Softmax(z_i) =", 32, 23),
        ("[0, 0, 1]", 34, 18),
    ]
    assert article.not_read == ()
    source = article.source.splitlines()
    for passage in article.passages:
        assert source[passage.line - 1][passage.column - 1 :].startswith(passage.text)


@pytest.mark.parametrize(
    "line",
    [
        r"X = \begin{bmatrix} 1 & 0 & 0 & 1 \\ 0 & 1 & 0 & 0 \end{bmatrix}",
        r"XX^\top = \begin{bmatrix} 1.414 & 1.414 \end{bmatrix}",
        r"1\times1 + 2\times2 = 5",
    ],
)
def test_a_formula_that_repeats_itself_is_not_cut(line: str) -> None:
    assert [p.text for p in read_article("a.txt", line).passages] == [line]


def test_text_with_marks_is_read_too() -> None:
    assert found("-.txt", "then $a = 1$\n$$b = 2$$") == [
        ("a = 1", "inline", 1, 7),
        ("b = 2", "display", 2, 3),
    ]


@pytest.mark.parametrize(
    ("data", "key", "place"),
    [
        (b"abc\xff", "not_utf8", "a.md: byte 3"),
        (b"ab\0c", "article_not_text", "a.md: byte 2"),
        (b"\x89PNG\r\n", "not_utf8", "a.md: byte 0"),
        (b"PK\x03\x04\x00", "article_archive", "a.md"),
        (b"a" * 20_000_001, "article_too_large", "a.md"),
    ],
)
def test_bytes_that_are_no_article(data: bytes, key: str, place: str) -> None:
    with pytest.raises(InputError) as caught:
        read_article("a.md", data)
    assert (getattr(caught.value.message, "key", ""), caught.value.place) == (key, place)


def test_utf16_with_its_mark() -> None:
    assert [p.text for p in read_article("a.md", "$a = 1$".encode("utf-16")).passages] == ["a = 1"]


def test_a_file_that_is_not_there_and_one_too_large(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_article(tmp_path / "none.md")
    large = tmp_path / "large.md"
    with large.open("wb") as file:
        file.truncate(50_000_000)
    with takes_at_most(1), pytest.raises(InputError, match="50000000 bytes"):
        read_article(large)


def test_every_sentence_of_the_readers_is_said_in_both_languages() -> None:
    for key in ("not_utf8", "article_not_text", "article_too_large", "not_json", "not_a_notebook", "endless_macro"):
        english, chinese = SENTENCES[key]
        assert english.isascii()
        assert any("\u4e00" <= c <= "\u9fff" for c in chinese)


def test_a_name_longer_than_any_file_s_is_a_text() -> None:
    assert read_article("word " * 60).path == "text"
    with pytest.raises(InputError, match="no such file"):
        read_article("folder/" * 60 + "a.md")
