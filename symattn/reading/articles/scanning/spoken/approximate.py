"""Results that a word calls approximate: `= about 1.3 GB`, `= 약 1.3GB`, `= ca. 12`."""

from __future__ import annotations

import re

from symattn.patterns import regex
from symattn.reading.articles.article import Located

_ABOUT = regex(
    r"[=≈]\s*(?:(?:about|approx(?:imately|\.)?|roughly|around|circa|ca\.|etwa|ungefähr|rund|environ|cerca de"
    r"|aproximadamente"
    r"|около|примерно|приблизительно|khoảng|xấp xỉ)\s|(?:약|대략|約|约|大约|大約|およそ)\s?)\s*(?=~?\d)",
    re.IGNORECASE,
)


def with_approximations(line: Located) -> Located:
    """The line with such a word as the sign that it stands for.

    >>> with_approximations(Located.whole("2 × 80 × 8 = 약 1.3K, 3 × 4 = about 12")).text
    '2 × 80 × 8 ≈ 1.3K, 3 × 4 ≈ 12'
    """
    return line.substitute(_ABOUT, lambda _: "≈ ") if "=" in line.text or "≈" in line.text else line
