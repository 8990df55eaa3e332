"""Markdown, with the ways that GitHub, Hugo, MDX and Jupyter have of setting mathematics in it."""

from __future__ import annotations

from symattn.reading.articles.article import Article, Located
from symattn.reading.articles.scanning.blocks import find_in_blocks
from symattn.reading.articles.scanning.finding import gather
from symattn.reading.articles.scanning.macros import Macros


def read(source: str, path: str) -> Article:
    """The mathematics of a Markdown page: marked formulas, code, tables, and lines that are mathematics.

    >>> [p.text for p in read("- so $d_k = 2$ and `[1, 2]`", "a.md").passages]
    ['d_k = 2', '[1, 2]']
    """
    return gather(path, source, find_in_blocks(Located.whole(source)), Macros.read(source))
