"""What was listed as not checked, without what has been recognised since."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence

from symattn.checking.recognised.prints import Span
from symattn.checking.unread import find_numbers
from symattn.reading.articles.article import Article, LineBreaks, NotChecked

_FARTHEST = 200  # characters from one number of a passage to the next, which may have been spelled out in it


def without_recognised(listed: Sequence[NotChecked], spans: Collection[Span], article: Article) -> Iterator[NotChecked]:
    """All that is listed but what holds no other numbers than those at these places."""
    breaks = LineBreaks.of(article.source)
    ends = sorted(end for _, end in spans)
    for each in listed:
        if (
            each.line is None
            or each.column is None
            or not ends
            or not _is_known(each.text, article.source, breaks.starts[each.line - 1] + each.column - 1, ends)
        ):
            yield each


def _is_known(text: str, source: str, begin: int, ends: Sequence[int]) -> bool:
    """Whether each number of a passage that begins there is one of those that end at these places."""
    at = begin
    for number in find_numbers(text):
        found = source.find(number, at, at + _FARTHEST)
        if found < 0:
            return False
        at = found + len(number)
        near = ends[bisect_left(ends, at)] if bisect_left(ends, at) < len(ends) else at + _FARTHEST
        if near > at + 2:  # a percent sign may follow
            return False
    return at > begin
