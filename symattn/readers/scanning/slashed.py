"""Rows of bare numbers with slashes between them: `Scores: 0.11 0.00 / 0.19 0.50` is a matrix with a label."""

from __future__ import annotations

import re

from symattn.article import Located, join

_NUMBER = r"(?:[-−+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-−]?(?:inf|∞))"
_ROW = rf"{_NUMBER}(?:[ \t]+{_NUMBER})++"
_LINE = re.compile(
    rf"(?P<label>[^:：\n]{{1,60}})[:：][ \t]*(?P<rows>{_ROW}(?:[ \t]*/[ \t]*{_ROW})++)[ \t]*[.;]?[ \t]*$"
)
_WORDS = re.compile(r"[^\W\d_][^\W\d_ \t-]*(?:[ \t-][^\W\d_]+)*")


def slashed_rows(line: Located) -> Located | None:
    """The matrix of such a line as an equation with its label; None where it is none or its rows differ in length.

    >>> slashed_rows(Located.whole("Masked (causal): 1 -inf / 2 3")).text
    '\\\\text{Masked} = [[1, -inf], [2, 3]]'
    """
    match = _LINE.match(line.text)
    if match is None:
        return None
    numbers = list(re.finditer(_NUMBER, line.text[match.start("rows") : match.end("rows")]))
    counts = [len(re.findall(_NUMBER, row)) for row in match["rows"].split("/")]
    if len(set(counts)) != 1:
        return None
    at = match.start("rows")
    parts: list[Located] = [*_label(line, match), _here("[[", line, at)]
    for k, number in enumerate(numbers):
        if k:
            parts.append(_here("], [" if k % counts[0] == 0 else ", ", line, at + number.start()))
        parts.append(line.cut(at + number.start(), at + number.end()))
    return join([*parts, _here("]]", line, match.end("rows"))])


def _label(line: Located, match: re.Match[str]) -> list[Located]:
    """The label as a name where it is made of words, else as the formula that it is."""
    label = line.cut(match.start("label"), match.end("label")).strip()
    equals = _here(" = ", line, match.end("label"))
    words = _WORDS.match(label.text)
    if words is None or (len(words[0].split()[0]) < 4 and any(c in label.text for c in "=^_·*")):
        return [label, equals]
    name = label.cut(0, words.end())
    return [_here(r"\text{", line, match.start("label")), name, _here("}", line, match.end("label")), equals]


def _here(text: str, line: Located, offset: int) -> Located:
    return Located.inserted(text, line.span(offset, offset)[0])
