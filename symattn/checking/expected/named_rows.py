"""Rows that words count: after O = A V, "Row 1: [1.8, 2.8]", "- Token 2: [2.4, 3.4]", "第二行：[2.4, 3.4]".

Words are no equation, so the numbers have to bear them out: half of a row are right, or another row of the same matrix
was. Authors count from 1 or from 0; of the two that is meant by which more numbers are right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from symattn.checking.expected.evidence import evident, telling_places
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, agreeing, is_all_right, relation_at, right_places, try_define
from symattn.patterns import regex
from symattn.reading import formula as f

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_CHINESE = "一二三四五六七八九"
_COUNTED = (
    r"row|line|token|word|position|query|fila|ligne|zeile|riga|rij|satır|baris|hàng|wiersz\w?|tokenu|строка"
    r"|行|词元|詞元|位置|토큰"
)
_INDEX = regex(
    rf"(?<![^\W\d_])(?:{_COUNTED})\s?(?P<number>\d{{1,3}})(?!\d*[.,]\d)"
    rf"|第\s?(?P<chinese>[{_CHINESE}]|\d{{1,3}})\s?(?:行|个词元|個詞元|个词|个 ?token)"
    rf"|\b(?P<ordinal>{'|'.join(_ORDINALS)}) (?:row|token|word|query|position)",
    re.IGNORECASE,
)


def index_in(label: str) -> int | None:
    """Which row words count, if they count one.

    >>> index_in("- Row 2:"), index_in("the second token"), index_in("第三行"), index_in("rows 1 and 2")
    (2, 2, 3, None)
    """
    found = list(_INDEX.finditer(label))
    if len(found) != 1:
        return None
    match = found[0]
    if match["ordinal"]:
        return 1 + _ORDINALS.index(match["ordinal"].lower())
    said = match["number"] or match["chinese"]
    return int(said) if said.isdecimal() else 1 + _CHINESE.index(said)


class NamedRows:
    """The matrix whose rows are printed one after the other, the number of the first, and that of the last one read."""

    def __init__(self) -> None:
        self._series: tuple[f.Expression, int, int] | None = None
        self._from_zero = -1  # the heading under which a row was counted as number 0

    def note(self, label: str, section: int) -> None:
        """Notice where rows are counted from 0, "for token 0:", whatever follows these words."""
        if index_in(label) == 0:
            self._from_zero = section

    def find(
        self, label: str, printed: Printed, matrices: Iterable[f.Expression], section: int, environment: Environment
    ) -> Definition | None:
        """The row of a matrix that words say a print is, or the matrix where the rows stand together.

        Where as many numbers are right if rows are counted from 0 as from 1, nobody knows which is meant.
        """
        index = index_in(label)
        if index is None or not printed.places():
            return None
        for matrix in matrices:
            if printed.shape[0] > 1:
                if (whole := _whole(matrix, printed, environment)) is not None:
                    return whole
                continue
            known = self._series is not None and self._series[::2] == (matrix, index - 1)
            firsts = (0,) if self._from_zero == section else (1, 0)
            rows = [
                (first, row)
                for first, row in _rows(matrix, index, environment, firsts)
                if row.true.shape == printed.shape and not (known and self._series != (matrix, first, index - 1))
            ]
            right = [agreeing(printed, row.true) for _, row in rows]
            if len(set(right)) < len(rows) and max(right) < len(printed.places()):
                continue
            for first, row in sorted(rows, key=lambda each: -agreeing(printed, each[1].true)):
                if known or _is_whole(row, printed):
                    self._series = matrix, first, index
                if known or (_is_half(row, printed) and not _is_of_operand(matrix, index, printed, environment)):
                    return row
        return None


def row_in(definition: Definition, label: str, printed: Printed, environment: Environment) -> Definition:
    """The row of a formula that is printed alone, as words count it or as all its numbers show; else the formula."""
    rows, columns = definition.true.shape
    if rows < 2 or printed.shape != (1, columns) or columns < 2:
        return definition
    index = index_in(label)
    counted = range(1, rows + 1) if index is None else (index, index + 1)
    found = [row for k in counted for _, row in _rows(definition.expression, k, environment, firsts=(1,))]
    right = [row for row in found if _is_whole(row, printed)]
    if len(right) == 1 or (right and index is not None):
        return right[0]
    half = [row for row in found if _is_half(row, printed)]
    return half[0] if index is not None and half else definition


def _is_of_operand(formula: f.Expression, index: int, printed: Printed, environment: Environment) -> bool:
    """Whether a print is that row of a matrix which a formula is made of: "Row 2: [0, 2]" of X, below Y = X W."""
    names = [part for part in f.walk(formula) if isinstance(part, f.Name)]
    rows = (row for name in names for _, row in _rows(name, index, environment))
    return any(row.true.shape == printed.shape and _is_whole(row, printed) for row in rows)


def _is_whole(row: Definition, printed: Printed) -> bool:
    """Whether all numbers of a row are right."""
    return bool(telling_places(printed)) and is_all_right(printed, row.true)


def _is_half(row: Definition, printed: Printed) -> bool:
    """Whether half of the numbers that are neither 0 nor 1 are right, or follow from numbers as they are written."""
    telling = telling_places(printed)
    for value in (row.true, row.written):
        right = right_places(printed, value).intersection(telling)
        right = {place for place in right if relation_at(printed, value, place) != "truncated"}
        if 0 < len(telling) <= 2 * len(right):
            return True
    return False


def _whole(matrix: f.Expression, printed: Printed, environment: Environment) -> Definition | None:
    whole = try_define(matrix, environment)
    fits = whole is not None and whole.true.shape == printed.shape and evident(whole, printed, environment)
    return whole if fits else None


def _rows(
    matrix: f.Expression, index: int, environment: Environment, firsts: tuple[int, ...] = (1, 0)
) -> Iterator[tuple[int, Definition]]:
    """The rows that a count may mean, with the number of the first."""
    for first in firsts:
        if index >= first:
            row = try_define(f.Entry(matrix, (str(index - first + 1), ":")), environment)
            if row is not None:
                yield first, row
