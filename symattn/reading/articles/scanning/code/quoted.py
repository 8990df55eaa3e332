"""Text that stands in the strings of a program or of a diagram: what a reader sees of them is that text."""

from __future__ import annotations

import re

from symattn.patterns import regex
from symattn.reading.articles.article import Located

_LABEL = regex(r"(?<=[\[({>|])\"(?P<label>[^\"\n]{1,2000})\"(?=[\])}|])")
_BREAK = regex(r"<br\s?/?>|\\n", re.IGNORECASE)
_STRING = regex(r"[ \t]*[rR]?(?P<mark>['\"])(?P<said>.*?)(?P<ends>(?:\\n)*)(?P=mark)[ \t]*[,+)]?[ \t]*")
_FEWEST = 2  # strings one below the other


def labels_of(diagram: list[Located]) -> list[Located]:
    """The lines of what stands in the boxes of a diagram of Mermaid, a blank line after each box.

    >>> [line.text for line in labels_of([Located.whole('A["x = 2<br/>y = 3"] --> B["z = 5"]')])]
    ['x = 2', 'y = 3', '', 'z = 5', '']
    """
    lines: list[Located] = []
    for line in diagram:
        for found in _LABEL.finditer(line.text):
            start = found.start("label")
            for mark in _BREAK.finditer(line.text, *found.span("label")):
                lines.append(line.cut(start, mark.start()))
                start = mark.end()
            lines += [line.cut(start, found.end("label")), Located("", ())]
    return lines


def lines_in_strings(lines: list[Located], k: int) -> tuple[list[Located], int] | None:
    r"""What strings one below the other say, of which all but the last end their lines; and the line after them.

    >>> said, end = lines_in_strings([Located.whole(r"'a = 2\n\n'"), Located.whole("'b = 3')")], 0)
    >>> [line.text for line in said], end
    (['a = 2', '', 'b = 3'], 2)
    """
    said: list[Located] = []
    first, ended = k, True
    while ended and k < len(lines) and (found := _STRING.fullmatch(lines[k].text)) is not None:
        breaks = len(found["ends"]) // 2
        said += [lines[k].cut(*found.span("said")), *[Located("", ())] * (breaks - 1)]
        k, ended = k + 1, breaks > 0
    return (said, k) if k - first >= _FEWEST else None
