"""Matrices that a page hands to a component: `matrixA={[[1, 2]]} nameA="Q"` states Q = [[1, 2]]."""

from __future__ import annotations

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join

_VALUE = regex(r"\b[a-z]+([A-Z]\w*)=\{?(\[\s*\[[^{}\"]*\]\s*\])\}?")
_NAME = regex(r"\bname([A-Z]\w*)=(?:\{?[\"'`])([^\"'`]{1,40})[\"'`]")


def component_matrices(line: Located) -> list[Located]:
    """Each matrix of the line that is named by a property with the same ending, as an equation.

    >>> [m.text for m in component_matrices(Located.whole('<Product matrixA={[[1, 2]]} nameA="Q" />'))]
    ['Q = [[1, 2]]']
    """
    names = {match[1]: match.span(2) for match in _NAME.finditer(line.text)}
    found = []
    for match in _VALUE.finditer(line.text) if names else ():
        if match[1] in names:
            rows = line.cut(*match.span(2))
            name = line.cut(*names[match[1]]).strip()
            found.append(join([name, Located.inserted(" = ", rows.span(0, 0)[0]), rows]))
    return found
