"""Formulas that are pictures drawn by a service, whose address holds their LaTeX: `svg.latex?%5Cfrac12`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from symattn.patterns import regex
from symattn.reading.articles.article import Located
from symattn.reading.articles.scanning.cleaning import decode_entities
from symattn.reading.articles.scanning.finding import Found

_PICTURE = regex(
    r"(?:!\[[^\]\n]{0,300}\]\(\s*|<img\b[^<>]{0,300}?\bsrc\s*=\s*[\"'])"
    r"https?://[^\s\"'<>()]{1,80}?(?:\.latex\?|/math\?math=|(?:[?&]|&amp;)(?:math|tex|latex|chl|from|eq)=|/svg/)"
    r"(?P<tex>(?:[^\s\"'<>()]|\((?:[^\s\"'<>()]|\([^\s\"'<>()]*\))*\))*)"
    r"(?:[\"'][^<>\n]{0,300}>|[^()\n]{0,100}\))?"
)
_ESCAPED = regex(r"(?:%[0-9A-Fa-f]{2})+|\+")
_LOOK = regex(
    r"\\(?:bg_[a-z]+|dpi\s?\{\d+\}|inline|huge|large|LARGE|Large|small|fn_[a-z]+|color\{[^{}]*\})(?![A-Za-z])\s*"
)


def find_pictures(text: Located) -> Iterator[tuple[tuple[int, int], Found]]:
    r"""The formulas of pictures, each with the part of the text that its address takes.

    >>> text = Located.whole("![x](https://a.org/svg.latex?%5Cbg_white%20x%20%3D%201)")
    >>> [(span, found.located.text) for span, found in find_pictures(text)]
    [((0, 55), 'x = 1')]
    """
    for match in _PICTURE.finditer(text.text) if "://" in text.text else ():
        tex = decode_entities(text.cut(*match.span("tex"))).substitute(_ESCAPED, _character)
        yield match.span(), Found(tex.substitute(_LOOK, lambda _: "").strip(), "display")


def _character(match: re.Match[str]) -> str:
    return " " if match[0] == "+" else unquote(match[0], errors="replace")
