"""Rows, entries and blocks of a value by their indices, counted from 1 or from 0."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.values.balls import Balls


def pick(value: Balls, indices: Sequence[int | str | None]) -> Balls | None:
    """Row i, entry (i, j) or a block of a matrix, counted from 1; None where the indices do not say which.

    >>> from symattn.values.printed import enclose
    >>> two = enclose([[1, 2], [3, 4]], [[0, 0], [0, 0]])
    >>> pick(two, (2,)).rows == ((3, 4),), pick(two, (":", "1:1")).rows == ((1,), (3,))
    (True, True)
    """
    indices = split_digits(indices, value.shape)
    if len(indices) == 1 and isinstance(indices[0], int) and value.shape[0] == 1:
        indices = (1, indices[0])
    lines, places = (_span(i, n) for i, n in zip((*indices, ":")[:2], value.shape, strict=True))
    if len(indices) > 2 or not lines or not places or set(indices) <= {":"}:
        return None
    hidden = frozenset(
        (i, j) for i, line in enumerate(lines) for j, place in enumerate(places) if (line, place) in value.hidden
    )
    block = tuple(tuple(value.rows[line][place] for place in places) for line in lines)
    return Balls((len(lines), len(places)), None, block, hidden)


def _span(index: int | str | None, length: int) -> range:
    """The rows or columns, from 0, that an index or a span counted from 1 means; none where there are not so many."""
    if isinstance(index, int):
        first, last = index, index
    elif index is None:
        return range(0)
    else:
        begin, _, end = index.partition(":")
        first, last = int(begin or 1), int(end or length)
    return range(first - 1, last) if 1 <= first <= last <= length else range(0)


def shifted(index: int | str | None) -> int | str | None:
    """An index or a span that a formula counts from 0, as one that it counts from 1; both ends of a span belong to it.

    >>> shifted(0), shifted("6:11"), shifted(":"), shifted(":2"), shifted(-1)
    (1, '7:12', ':', ':3', None)
    """
    if isinstance(index, int):
        return index + 1 if index >= 0 else None
    if index is None:
        return None
    return ":".join(end and str(int(end) + 1) for end in index.split(":"))


def counted_from_one(index: int | str | None) -> int | str | None:
    """A program's index, from 0 and without the end of a span, as a formula counts; None for one from the end.

    >>> counted_from_one(0), counted_from_one("2:4"), counted_from_one(":2"), counted_from_one(-1)
    (1, '3:4', ':2', None)
    """
    if isinstance(index, int):
        return index + 1 if index >= 0 else None
    begin, colon, end = (index or "").partition(":")
    return f"{int(begin) + 1}:{end}" if begin else index if colon else None


def split_digits(indices: Sequence[int | str | None], shape: tuple[int, int]) -> Sequence[int | str | None]:
    """The 12 of S_12 as 1 and 2, and the 10 of S_10 as 1 and 0, where S has not so many rows."""
    rows, columns = shape
    if len(indices) != 1 or not isinstance(indices[0], int) or not 10 <= indices[0] <= 99:
        return indices
    i, j = divmod(indices[0], 10)
    if indices[0] <= (columns if rows == 1 else rows) or (j == 0 and (i >= rows or indices[0] <= columns)):
        return indices
    return i, j
