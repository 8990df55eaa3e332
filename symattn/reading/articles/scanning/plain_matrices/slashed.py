"""Rows of bare numbers with slashes between them: `Scores: 0.11 0.00 / 0.19 0.50` is a matrix with a label."""

from __future__ import annotations

import re

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join
from symattn.reading.articles.scanning.wording import find_mathematics

_NUMBER = r"(?:[-−+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-−]?(?:inf|∞))"
_ROW = rf"{_NUMBER}(?:[ \t]+{_NUMBER})++"
_LINE = regex(rf"(?P<label>[^:：\n]{{1,60}})[:：][ \t]*(?P<rows>{_ROW}(?:[ \t]*/[ \t]*{_ROW})++)[ \t]*[.;]?[ \t]*$")
_WORDS = regex(r"[^\W\d_][^\W\d_ \t-]*(?:[ \t-][^\W\d_]+)*")


def read_slashed_rows(line: Located) -> list[Located]:
    """The matrix of such a line as an equation with its label, behind what else the label states; or nothing.

    There is nothing where the rows differ in length.

    >>> [said.text for said in read_slashed_rows(Located.whole("Scale by √d_k = 2 (causal): 1 -inf / 2 3"))]
    ['√d_k = 2', '\\\\text{Scale by} = [[1, -inf], [2, 3]]']
    """
    match = _LINE.match(line.text)
    if match is None:
        return []
    numbers = list(re.finditer(_NUMBER, line.text[match.start("rows") : match.end("rows")]))
    counts = [len(re.findall(_NUMBER, row)) for row in match["rows"].split("/")]
    if len(set(counts)) != 1:
        return []
    at = match.start("rows")
    label, stated = _label(line, match)
    parts: list[Located] = [*label, line.here("[[", at)]
    for k, number in enumerate(numbers):
        if k:
            parts.append(line.here("], [" if k % counts[0] == 0 else ", ", at + number.start()))
        parts.append(line.cut(at + number.start(), at + number.end()))
    return [*stated, join([*parts, line.here("]]", match.end("rows"))])]


def _label(line: Located, match: re.Match[str]) -> tuple[list[Located], list[Located]]:
    """The label as a name where it is made of words, with the equation after them; else as the formula that it is."""
    label = line.cut(match.start("label"), match.end("label")).strip()
    equals = line.here(" = ", match.end("label"))
    words = _WORDS.match(label.text)
    if words is None or (len(words[0].split()[0]) < 4 and any(c in label.text for c in "=^_·*")):
        return [label, equals], []
    equations = [label.cut(a, b) for a, b in find_mathematics(label.text, lists=False)[:1] if label.text[:a].strip()]
    end = min([words.end(), *(label.text.index(e.text) for e in equations)])
    name = label.cut(0, end).strip()
    if equations:  # they come first, so the name stands where the rows do
        return [line.here(rf"\text{{{name.text}}} = ", match.start("rows"))], equations
    return [line.here(r"\text{", match.start("label")), name, line.here("}", match.end("label")), equals], []
