"""Any text and any bytes: nothing but InputError, every place right, time in proportion."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.errors import InputError
from symattn.reading.articles import read_article
from symattn.reading.articles.article import Article
from symattn.reading.articles.scanning.commas import read_commas
from tests.processor_time import in_proportion, takes_at_most
from tests.sampling import sampled

pytestmark = pytest.mark.slow

SUFFIXES = ("md", "tex", "html", "txt", "ipynb")

# pieces from which most of what the readers look for can come about
PIECES_TEXT = r"""
    $ $$ \( \) \[ \] [ ] [[ ]] { } \begin{bmatrix} \end{bmatrix} \begin{align} \end{align} & \\ = ≈ → \approx
    1 0.5 -2 Q K^T W_q d_kd_k QKTQK^T softmax ( ) , ; : | |--|--| ` ``` ```math ~~~ > - * # %
    <b> <sub> </sub> <br> <math> </math> <td> <table> </table> <pre> </pre> <!-- --> &lt; &amp; &#8722;
    \newcommand{\a}{\b} \def\b{\a} \a array( tensor( ) grad_fn=<A>) --- the and 我 是 “ " 中文，
"""
PIECES = st.sampled_from(PIECES_TEXT.split()) | st.sampled_from([" ", "\n", "\r\n", "\n\n", "    ", "\ufeff", "\u3000"])
TEXTS = st.lists(PIECES, max_size=60).map("".join) | st.lists(PIECES, max_size=60).map(" ".join) | st.text(max_size=200)


def check(article: Article) -> None:
    """Every character that was not resolved from something else stands in the source at its place."""
    source = article.source
    before = 0
    for passage in article.passages:
        assert passage.text
        assert passage.text.strip() == passage.text
        start, end = passage.source_span(0, len(passage.text))
        assert 0 <= before <= start <= end <= len(source)
        before = start
        assert passage.line >= 1
        assert passage.column >= 1
        assert (passage.line, passage.column) == passage.place(0)
        ends = [run[0] for run in passage.runs[1:]] + [len(passage.text)]
        for (at, place, length), stop in zip(passage.runs, ends, strict=True):
            said, stood = passage.text[at:stop], source[place : place + length]
            resolved = len(said) != length or "\\" in stood or "&" in stood or "<" in stood
            assert said == stood or resolved or said.isspace() or stood in (":", "：")
        assert len(passage.places) == len(passage.text)


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.sampled_from(SUFFIXES[:4]))
def test_any_text(text: str, suffix: str) -> None:
    try:
        check(read_article("a." + suffix, text))
    except InputError:
        assert "\0" in text


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(SUFFIXES))
def test_any_bytes(data: bytes, suffix: str) -> None:
    try:
        article = read_article("a." + suffix, data)
    except InputError as error:
        place = error.place
    else:
        check(article)
        place = article.path
    assert place.startswith("a." + suffix)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["markdown", "code", "raw"]), TEXTS, st.booleans()), max_size=4))
def test_any_notebook(cells: list[tuple[str, str, bool]]) -> None:
    import json

    held = [
        {
            "cell_type": kind,
            "source": text.splitlines(keepends=True) if split else text,
            "outputs": [{"text": text}],
        }
        for kind, text, split in cells
    ]
    article = read_article(
        "a.ipynb",
        json.dumps({"cells": held}, ensure_ascii=bool(cells and cells[0][2])).replace("\\u0000", ""),
    )
    for passage in article.passages:
        for k, place in enumerate(passage.places):
            if article.source[place] != "\\" and passage.text[k].isdigit():
                assert article.source[place] in (passage.text[k], "&")


MANY = 10_000
HOSTILE = {
    "dollars": "$" * MANY,
    "spaced dollars": "$a " * MANY,
    "braces": "{" * MANY,
    "brackets": "[" * MANY,
    "lines of brackets": "[[1, 2],\n" * MANY,
    "opened displays": "\\[ a " * MANY + "\\]",
    "opened environments": "\\begin{align} " * MANY,
    "opened matrices": "\\begin{bmatrix}\n" * MANY,
    "ticks": "` `` ```" * MANY,
    "comments": "<!-- " * MANY,
    "tags": '<a "' * MANY,
    "definitions": "\\def\\a{" * MANY,
    "doubling macros": "".join(
        f"\\def\\{a}{{\\{b}\\{b}}}" for a, b in zip("abcdefghijklmnopqrstuvw", "bcdefghijklmnopqrstuvwx", strict=True)
    ),
    "rendered": "dkd_k " * MANY,
    "ones": "1" * MANY + "^1",
    "pipes": "|" * MANY,
    "labels": "a [ 1 1 1 ,\n" * MANY,
    "side by side": "a = [[1], b = [[2],\n" * MANY,
    "opened tables": "\\begin{tabular}{l}\n" * MANY,
    "short codes": "{{< math >}}" * MANY,
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "suffix"), sampled(itertools.product(HOSTILE, SUFFIXES[:4]), 5))
def test_hostile_text_takes_time_in_proportion(name: str, suffix: str) -> None:
    text = HOSTILE[name]
    quarter = text[: len(text) // 4]
    assert in_proportion(lambda part: read_article("a." + suffix, part), text, quarter, times=10, floor=0.08)


@pytest.mark.parametrize("text", ["1" * 19_000 + "x = 1,5", "1" + "\n" * 19_000 + "2", "=1*1" * 4_700, "_{{}" * 4_700])
def test_commas_are_looked_for_in_bounded_time(text: str) -> None:
    with takes_at_most(1):
        read_commas([text])


@pytest.mark.slow
def test_a_matrix_of_a_thousand_by_a_thousand() -> None:
    row = " & ".join("1" * 1000)
    quarter, whole = ("$$A = \\begin{bmatrix}" + "\\\\\n".join([row] * n) + "\\end{bmatrix}$$" for n in (250, 1000))
    assert len(read_article("a.md", whole).passages) == 1
    assert in_proportion(lambda text: read_article("a.md", text), whole, quarter, times=10, floor=0.1)


def test_a_line_of_a_million_numbers_is_not_read() -> None:
    bare = read_article("a.md", f"so A = {[[1] * 1000] * 1000}")
    assert [n.reason.key for n in bare.not_read] == ["line_too_long"]
