"""Entries that were stated one by one, S_11, S_12, ..., of which a sum over a letter asks for the whole matrix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from symattn.reading import formula as f
from symattn.values.balls import Balls


class Pieces:
    """The entries of matrices that have no value of their own, by the names of these."""

    def __init__(self) -> None:
        self._keys: dict[f.Expression, dict[tuple[int, int], f.Expression]] = {}

    def note(self, key: f.Expression) -> None:
        """Remember that an entry was stated, if a name is that of one: S_12, (S_1)_12, or a program's S[0][1]."""
        match key:
            case f.Name(item=(str(row), str(column))) if row.isdecimal() and column.isdecimal():
                self._keys.setdefault(replace(key, item=()), {})[int(row), int(column)] = key
                return
            case f.Name(sub=(*_, str(last)), item=()):
                whole: f.Expression = replace(key, sub=key.sub[:-1])
            case f.Entry(whole, (str(last),)):
                pass
            case _:
                return
        if len(last) == 2 and last.isascii() and last.isdigit() and "0" not in last:
            self._keys.setdefault(whole, {})[int(last[0]), int(last[1])] = key

    def matrix(self, whole: f.Expression, value: Callable[[f.Expression], Balls | None]) -> Balls | None:
        """The matrix, if no entry up to the last row and the last column is missing."""
        keys = self._keys.get(whole)
        if keys is None:
            return None
        if any(0 in place for place in keys):  # counted from 0
            keys = {(i + 1, j + 1): key for (i, j), key in keys.items()}
        rows, columns = max(i for i, _ in keys), max(j for _, j in keys)
        if len(keys) != rows * columns or len(keys) == 1:
            return None
        table = {place: value(key) for place, key in keys.items()}
        if any(entry is None or entry.shape != (1, 1) for entry in table.values()):
            return None
        hidden = frozenset((i - 1, j - 1) for (i, j), entry in table.items() if entry is not None and entry.hidden)
        cells = {place: entry.rows[0][0] for place, entry in table.items() if entry is not None}
        made = tuple(tuple(cells[i, j] for j in range(1, columns + 1)) for i in range(1, rows + 1))
        return Balls((rows, columns), None, made, hidden)

    def are_summed(self, expression: f.Expression) -> bool:
        """Whether a sum runs over such entries: that there are no others is not certain."""
        sums = (part for part in f.walk(expression) if isinstance(part, f.BigSum))
        names = (part for total in sums for part in f.walk(total.body))
        return any(isinstance(n, f.Name) and n.sub and replace(n, sub=n.sub[:-1]) in self._keys for n in names)
