"""Plain text: pasted, or copied from a rendered page. Markdown's and TeX's signs are heeded too."""

from __future__ import annotations

from symattn.reading.articles.article import Article, Located
from symattn.reading.articles.scanning.blocks import find_in_blocks
from symattn.reading.articles.scanning.finding import gather
from symattn.reading.articles.scanning.macros import Macros


def read(source: str, path: str) -> Article:
    r"""The mathematics of a text, with or without marks around it.

    >>> [p.text for p in read("The score is\nq1k1=2q_1 k_1 = 2\n", "-").passages]
    ['q_1 k_1 = 2']
    """
    return gather(path, source, find_in_blocks(Located.whole(source)), Macros.read(source))
