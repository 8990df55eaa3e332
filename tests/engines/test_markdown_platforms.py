"""Markdown pages as platforms render them: texmath's and dollarmath's rules, GitHub's, and KaTeX for every formula."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.texmath import texmath_plugin

from symattn.checking.theorems import THEOREMS
from symattn.reading.worksheets import library
from symattn.writing.prose import LANGUAGES
from tests.samples import SHEETS, page, proven

READERS = {"texmath": (texmath_plugin, {"delimiters": "dollars"}), "dollarmath": (dollarmath_plugin, {})}


def pages(language: str) -> Iterator[str]:
    for name in (*library.names(), *SHEETS):
        yield page(name, "markdown", language)
    for name in THEOREMS:
        yield proven(name).to_markdown(language=language)


def tokens(tree: list[Token]) -> Iterator[Token]:
    for token in tree:
        yield token
        yield from tokens(token.children or [])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reader", READERS)
def test_every_formula_is_found_and_set(reader: str, language: str, katex: Callable[[str], str]) -> None:
    plugin, options = READERS[reader]
    parser = MarkdownIt("commonmark").enable("table").use(plugin, **options)
    formulas: set[str] = set()
    for text in pages(language):
        for token in tokens(parser.parse(text)):
            if token.type.startswith("math"):
                formulas.add(token.content)
            elif token.type == "text":
                escaped = text.count("\\$")
                assert token.content.count("$") <= escaped, token.content
    assert len(formulas) > 500
    assert [f"{said}\n{tex}" for tex in formulas if (said := katex(tex))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_formulas_begin_where_github_looks_for_them(language: str) -> None:
    """GitHub reads a dollar sign that opens after white space or at a line's start, none after full-width marks."""
    seen = 0
    for text in pages(language):
        lines = re.sub(r"(?ms)^\$\$$.*?^\$\$$|^```.*?^```", "", text).replace("\\$", "").splitlines()
        for line in lines:
            opening = [m.start() for m in re.finditer(r"\$", line)][::2]
            seen += len(opening)
            assert all(k == 0 or line[k - 1] in " (" for k in opening), line
    assert seen > 300
