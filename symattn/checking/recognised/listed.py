"""What was listed as not checked, without what has been recognised since."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence

from symattn.checking.recognised.prints import Span
from symattn.checking.recognised.recognise import Recognised
from symattn.checking.unread import find_numbers
from symattn.reading.articles.article import Article, LineBreaks, NotChecked

_FARTHEST = 200  # characters from one number of a passage to the next, which may have been spelled out in it


def without_recognised(listed: Sequence[NotChecked], recognised: Recognised, article: Article) -> Iterator[NotChecked]:
    """All that is listed but what holds no numbers but those of claims, and what these begin with.

    A passage of inputs alone is left out where it stands before all claims: the rows of a table that goes on with them.
    """
    breaks = LineBreaks.of(article.source)
    judged, used, inputs = (_ends(s) for s in (recognised.judged, recognised.used, recognised.inputs))

    def is_said(each: NotChecked, begin: int) -> bool:
        numbers = _places(each.text, article.source, begin)
        of_claims = [_is_among(at, judged) for at in numbers]
        known = all(of or _is_among(at, used) for of, at in zip(of_claims, numbers, strict=True))
        return bool(numbers) and known and (any(of_claims) or all(_is_among(at, inputs) for at in numbers))

    for each in listed:
        if not judged or not any(is_said(each, begin) for begin in _beginnings(each, article.source, breaks)):
            yield each


def _beginnings(listed: NotChecked, source: str, breaks: LineBreaks) -> Iterator[int]:
    """Where a listed text may begin: at its place, or before that, where this is the place of what was not expected."""
    if listed.line is None or listed.column is None:
        return
    line = breaks.starts[listed.line - 1]
    place = line + listed.column - 1
    yield place
    at = source.find(listed.text, line, place + len(listed.text))
    if 0 <= at < place:
        yield at


def _ends(spans: Collection[Span]) -> list[int]:
    return sorted(end for _, end in spans)


def _places(text: str, source: str, begin: int) -> list[int]:
    """Where the numbers of a passage that begins there end; none where one is not found."""
    places, at = [], begin
    for number in find_numbers(text):
        found = source.find(number, at, at + _FARTHEST)
        if found < 0:
            return []
        at = found + len(number)
        places.append(at)
    return places


def _is_among(at: int, ends: Sequence[int]) -> bool:
    """Whether one of these numbers ends there, or behind a percent sign there."""
    k = bisect_left(ends, at)
    return k < len(ends) and ends[k] <= at + 2
