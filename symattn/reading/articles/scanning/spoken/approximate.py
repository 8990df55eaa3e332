"""Results that a word calls approximate: `= about 1.3 GB`, `= 약 1.3GB`, `-log(0.3), about 1.204`."""

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
# a function of a number, and its value behind a comma
_BEHIND_A_COMMA = regex(
    r"(?P<closed>(?:log|ln|exp|sqrt|sin|cos|tanh)\s?\(-?\d+(?:\.\d+)?\))"
    r"(?:,\s(?:or |which is )?(?:about|approximately|roughly|around)\s|，\s?(?:约|大约|約)(?:为|是|等于)?\s?)(?=-?\d)"
)

# a root or a power, and its value in brackets behind it
_IN_BRACKETS = regex(  # standing alone: of a term of a sum it is an aside
    r"(?<![-−–+×*·/÷=≈(^\w])(?<![-−–+×*·/÷=≈(^] )"
    r"(?P<closed>√\d+|√\(\d+\)|sqrt\(\d+\)|\be\^[-−]?\d+(?:\.\d+)?)\s?\(≈\s?(?P<value>\d+(?:\.\d+)?)\)"
    r"(?!\s?[-−–+×*·/÷=≈^])"
)


def with_approximations(line: Located) -> Located:
    """The line with such a word as the sign that it stands for.

    >>> with_approximations(Located.whole("2 × 80 × 8 = 약 1.3K, 3 × 4 = about 12")).text
    '2 × 80 × 8 ≈ 1.3K, 3 × 4 ≈ 12'
    >>> with_approximations(Located.whole("the loss is -log(0.3), about 1.204")).text
    'the loss is -log(0.3) ≈ 1.204'
    >>> with_approximations(Located.whole("scale by √2 (≈1.414):")).text
    'scale by √2 ≈ 1.414:'
    """
    if "≈" in line.text:
        line = line.substitute(_IN_BRACKETS, lambda found: f"{found['closed']} ≈ {found['value']}")
    line = line.substitute(_ABOUT, lambda _: "≈ ") if "=" in line.text or "≈" in line.text else line
    return line.substitute(_BEHIND_A_COMMA, lambda found: found["closed"] + " ≈ ") if "(" in line.text else line
