"""What stands in a file that nobody reads as words: fonts and pictures, and the stretches that a reader names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symattn.patterns import regex

# no text has so many letters without a blank
_ENCODED = regex(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{1000,}+")
BLOT = "\0"  # no letter, no sign and no blank: every search for words stops at it


def blot_out(source: str, stretches: Iterable[tuple[int, int]]) -> str:
    r"""The source with BLOT for every character of these stretches and of what is encoded; lines stay lines.

    >>> blot_out("ab\ncd, " + 2000 * "A" + "!", [(1, 4)]).replace(2000 * BLOT, "…")
    'a\x00\n\x00d, …!'
    """
    parts: list[str] = []
    at = 0
    for start, end in sorted(stretches):
        if end > at:
            start = max(start, at)
            parts += source[at:start], "\n".join(BLOT * len(line) for line in source[start:end].split("\n"))
            at = end
    return _ENCODED.sub(lambda run: BLOT * len(run[0]), "".join([*parts, source[at:]]))


def find_comments(source: str) -> Iterator[tuple[int, int]]:
    """Where the comments of a page stand, `<!-- so -->`, which no page shows.

    >>> list(find_comments("a <!-- b --> c <!-- d"))
    [(2, 12)]
    """
    at = source.find("<!--")
    while at >= 0 and (end := source.find("-->", at + 4)) >= 0:
        yield at, end + 3
        at = source.find("<!--", end)
