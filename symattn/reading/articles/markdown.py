"""Markdown, with the ways that GitHub, Hugo, MDX and Jupyter have of setting mathematics in it; and plain text.

A text that was pasted, or copied from a rendered page, may use Markdown's and TeX's signs too.
"""

from __future__ import annotations

from dataclasses import replace

from symattn.reading.articles.article import Article, Located
from symattn.reading.articles.scanning.blocks import find_in_blocks
from symattn.reading.articles.scanning.code.line_numbers import without_line_numbers
from symattn.reading.articles.scanning.finding import gather
from symattn.reading.articles.scanning.macros import Macros
from symattn.reading.articles.wordless import find_comments


def read(source: str, path: str) -> Article:
    r"""The mathematics of a page or text: marked formulas, code, tables, and lines that are mathematics.

    >>> [p.text for p in read("- so $d_k = 2$ and `[1, 2]`", "a.md").passages]
    ['d_k = 2', '[1, 2]']
    >>> [p.text for p in read("The score is\nq1k1=2q_1 k_1 = 2\n", "-").passages]
    ['q_1 k_1 = 2']
    """
    shown = Located.whole(without_line_numbers(source))
    article = gather(path, source, find_in_blocks(shown), Macros.read(source))
    return replace(article, wordless=tuple(find_comments(source)))
