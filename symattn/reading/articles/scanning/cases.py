"""Definitions by cases in a line of plain text: `M_ij = 0 (j ≤ i); −∞ (otherwise)`, `M_ij = 0 if j <= i else -inf`."""

from __future__ import annotations

import re

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join

_WITH_INDEX = r"\([^\s()=;]{1,12}\)"  # (S_1)_ij
_NAME = rf"(?:[^\W\d_]\S{{0,8}}?|{_WITH_INDEX})_(?:[a-z]{{2}}|\{{[a-z],? ?[a-z]\}}|\([a-z], ?[a-z]\))"
_VALUE = rf"(?:{_WITH_INDEX}(?=_)|[^=;；()]){{1,60}}?"
_CONDITION = r"[^()=;；]{0,40}(?:[<>≤≥≠∈∉]|[<>!=]=|=)[^();；]{1,40}"
_OTHERWISE = (
    r"otherwise|else|其[他它余](?:情况)?|否则|それ以外|その他|그 ?외|sinon|sonst|en otro caso|caso contrário|иначе"
)
_IN_BRACKETS = regex(
    rf"\s*(?P<name>{_NAME})\s*=\s*(?P<first>{_VALUE})\s*[(（](?:if |若|当)?\s*(?P<if>{_CONDITION})[)）]"
    rf"\s*[;；,，]\s*(?P<second>{_VALUE})\s*[(（](?:{_OTHERWISE}|{_CONDITION})[)）]\s*[.。]?\s*",
    re.IGNORECASE,
)
_IN_WORDS = regex(
    rf"\s*(?P<name>{_NAME})\s*=\s*\{{?\s*(?P<first>[^=;；,]{{1,60}}?),?\s+if\s+(?P<if>{_CONDITION}?)\s*"
    rf"(?:\s+else\s+(?P<last>[^=;；]{{1,60}}?)|[;；,]\s*(?P<second>[^=;；,]{{1,60}}?),?\s+(?:{_OTHERWISE}|if\s+{_CONDITION}))"
    r"\s*\}?\s*[.。]?\s*",
    re.IGNORECASE,
)
_INDICES = regex(r"(?<=_)(?:[a-z0-9]{2,}|\([a-z], ?[a-z]\))")


def read_cases(line: Located) -> Located | None:
    """The definition as LaTeX writes it, or None for any other line.

    >>> read_cases(Located.whole("M_ij = 0 if j <= i else -inf")).text
    'M_{ij} = \\\\begin{cases} 0 & j <= i \\\\\\\\ -inf & otherwise \\\\end{cases}'
    """
    if "_" not in line.text or "=" not in line.text or len(line.text) > 300:
        return None
    match = _IN_BRACKETS.fullmatch(line.text) or _IN_WORDS.fullmatch(line.text)
    if match is None:
        return None
    second = "second" if match["second"] else "last"
    parts = (
        _braced(line, match, "name"),
        line.here(r" = \begin{cases} ", match.start("first")),
        _braced(line, match, "first"),
        line.here(" & ", match.start("if")),
        line.cut(*match.span("if")),
        line.here(r" \\ ", match.start(second)),
        _braced(line, match, second),
        line.here(r" & otherwise \end{cases}", match.end(second)),
    )
    return join(parts)


def _braced(line: Located, match: re.Match[str], group: str) -> Located:
    """A part of the line with what LaTeX takes for several indices in braces."""
    return line.cut(*match.span(group)).substitute(_INDICES, lambda found: f"{{{found[0].strip('()')}}}")
