"""Where the numbers stand that were listed as not checked, and what need not be listed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symattn.checking.findings import Claim
from symattn.patterns import regex
from symattn.reading.articles.article import LineBreaks, NotChecked

_NUMBER = regex(r"(?<![A-Za-z_\d.])\d[\d,]*(?:\.\d+)?")
_FARTHEST = 200  # characters from one number to the next


def offsets_of_numbers(listed: NotChecked, source: str, breaks: LineBreaks) -> list[int]:
    """The place of what is listed, and of each number behind it, with or without what was taken out of its text.

    A formula that is judged may hold the first of them and none of the others: of "2 × 28 × 8 bytes, about 0.4 KB"
    a shape may be read, and nothing is said of 0.4.

    >>> from symattn.writing.prose import Sentence
    >>> said = "is 2 × 3 bytes, 6 KB"
    >>> listed = NotChecked(1, 4, said, Sentence("line_unread"))
    >>> offsets_of_numbers(listed, said, LineBreaks.of(said))
    [3, 7, 16]
    >>> taken_out = NotChecked(1, 4, "2 × 3, 6 KB", Sentence("line_unread"))
    >>> offsets_of_numbers(taken_out, said, LineBreaks.of(said))
    [3, 7, 16]
    """
    assert listed.line is not None and listed.column is not None
    line = breaks.starts[listed.line - 1]
    start = line + listed.column - 1
    at = source.find(listed.text, line, start + len(listed.text))
    if at < 0 or at > start:
        return [start, *_one_by_one(listed.text, source, start)]
    behind = (found.start() for found in _NUMBER.finditer(source, start, at + len(listed.text)))
    return [start, *(offset for offset in behind if offset > start)]


def _one_by_one(text: str, source: str, start: int) -> Iterator[int]:
    """Where the numbers of a text stand behind its start, each close to the one before, as far as they are found."""
    at = start
    for number in (found.rstrip(",") for found in _NUMBER.findall(text)):
        found = source.find(number, at, at + _FARTHEST)
        if found < 0:
            return
        if found > start:
            yield found
        at = found + len(number)


def is_number_anew(listed: NotChecked) -> bool:
    """Whether a result is another than its name had, so that nothing was held against it: no judge of letters did."""
    return listed.reason.key == "defined_anew" and _NUMBER.fullmatch(listed.text.strip()) is not None


_ARITHMETIC = regex(  # without letters but those of functions
    r"(?:[\s\d.,+\-−*·×/÷^(){}\[\]=&²³⁻√~]|\\[ ,;:!\\]|e(?=\^)|(?<=log)_\{?(?:2|10)\}?"
    r"|(?<![a-z])(?:log|ln|exp|sqrt|tanh|sin|cos)(?![a-z])"
    r"|\\(?:times|cdot|[dt]?frac|left|right|log|ln|exp|sqrt|tanh|sin|cos|quad|big|Big|div)(?![A-Za-z]))+"
)
_SOON = 8  # lines


def is_step_in_numbers(listed: NotChecked, claims: Iterable[Claim]) -> bool:
    """Whether a formula puts numbers in for what its name is, E = 0.5(1 - 0.7)^2, and a value of E below was judged."""
    name, sign, rest = listed.text.partition("=")
    if not sign or listed.line is None or _NUMBER.search(rest) is None or _ARITHMETIC.fullmatch(rest) is None:
        return False
    words = name.replace("&", "").split()
    soon = (c for c in claims if c.line is not None and listed.line <= c.line <= listed.line + _SOON)
    return any(claim.subject.replace("&", "").split() == words for claim in soon)
