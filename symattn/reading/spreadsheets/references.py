"""The names of cells: B2, $B$2, B2:D4."""

from __future__ import annotations

from symattn.errors import InputError
from symattn.patterns import regex
from symattn.writing.prose import Sentence

MOST_CELLS = 1_000_000
LAST_COLUMN, LAST_ROW = 16_384, 1_048_576  # XFD1048576
CELL = r"(\$?)([A-Za-z]{1,3})(\$?)([1-9]\d{0,6})"
_RANGE = regex(rf"{CELL}:{CELL}")
Span = tuple[int, int, int, int]  # first row and column, last row and column, from 1


def read_range(text: str) -> Span:
    """The corners of a range as spreadsheets name it. Raises InputError where it is none, or holds too many cells.

    >>> read_range("B2:AA4")
    (2, 2, 4, 27)
    """
    found = _RANGE.fullmatch(text.strip())
    if found is None:
        raise InputError(Sentence("bad_range", given=text[:40]))
    top, left, bottom, right = int(found[4]), column_number(found[2]), int(found[8]), column_number(found[6])
    if bottom < top or right < left or (bottom - top + 1) * (right - left + 1) > MOST_CELLS:
        raise InputError(Sentence("bad_range", given=text[:40]))
    return top, left, bottom, right


def column_number(letters: str) -> int:
    """Which column letters name, from 1."""
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def cell_name(row: int, column: int) -> str:
    """The name of a cell, from row and column 1.

    >>> cell_name(4, 27)
    'AA4'
    """
    letters = ""
    while column:
        column, k = divmod(column - 1, 26)
        letters = chr(ord("A") + k) + letters
    return f"{letters}{row}"
