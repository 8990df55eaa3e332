"""Entries that were stated one by one, S_11, S_12, ..., of which a sum over a letter asks for the whole matrix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from symattn.checking.semantics.picking import pick
from symattn.reading import formula as f
from symattn.values.balls import Balls


class Pieces:
    """The entries of matrices that have no value of their own, by the names of these."""

    def __init__(self) -> None:
        self._keys: dict[f.Expression, dict[tuple[int, int], f.Expression]] = {}
        self.others = set[f.Expression]()  # that are said to be something else, which was not understood
        self._large = set[f.Expression]()  # matrices with an entry whose place has three digits or more, E_3,13

    def note(self, key: f.Expression) -> None:
        """Remember that an entry was stated, if a name is that of one: S_12, (S_1)_12, or a program's S[0][1]."""
        match key:
            case f.Name(item=(str(row), str(column))) if row.isdecimal() and column.isdecimal():
                self._keys.setdefault(replace(key, item=()), {})[int(row), int(column)] = key
                return
            case f.Name(sub=(*_, str(row), str(column)), item=()) if (
                len(row + column) > 2 and (row + column).isdecimal()
            ):
                self._large.add(replace(key, sub=key.sub[:-2]))
                if len(row) > 1:  # entry 13 of row 10, and no entry of E_10
                    return
                whole: f.Expression = replace(key, sub=key.sub[:-1])
                last = column
            case f.Name(sub=(*_, str(last)), item=()):
                whole = replace(key, sub=key.sub[:-1])
            case f.Entry(whole, (str(last),)):
                pass
            case f.Entry(whole, (str(row), str(column))) if len(row) == len(column) == 1:
                last = row + column
            case _:
                return
        if len(last) == 2 and last.isascii() and last.isdigit():
            self._keys.setdefault(whole, {})[int(last[0]), int(last[1])] = key

    def matrix(self, whole: f.Expression, value: Callable[[f.Expression], Balls | None]) -> Balls | None:
        """The matrix, if no entry up to the last row and the last column is missing."""
        named = isinstance(whole, f.Name) and len(whole.base) == 1 and not whole.sub and whole not in self.others
        if whole not in self._keys and named and isinstance(whole, f.Name):
            whole = replace(whole, base=whole.base.lower())  # A of a_11, a_12, ...
        first = self._first(whole)
        # S_10 where nothing counts from 0 is the tenth row
        keys = {(i + 1 - first, j + 1 - first): key for (i, j), key in self._keys.get(whole, {}).items() if j >= first}
        if len(keys) < 2 or whole in self._large:
            return None
        rows, columns = max(i for i, _ in keys), max(j for _, j in keys)
        if len(keys) != rows * columns:
            return None
        table = {place: value(key) for place, key in keys.items()}
        if any(entry is None or entry.shape != (1, 1) for entry in table.values()):
            return None
        hidden = frozenset((i - 1, j - 1) for (i, j), entry in table.items() if entry is not None and entry.hidden)
        cells = {place: entry.rows[0][0] for place, entry in table.items() if entry is not None}
        made = tuple(tuple(cells[i, j] for j in range(1, columns + 1)) for i in range(1, rows + 1))
        return Balls((rows, columns), None, made, hidden)

    def _first(self, whole: f.Expression) -> int:
        """From what the entries of a matrix are counted: S_01 and S[0][1] from 0."""
        return 0 if any(i == 0 for i, _ in self._keys.get(whole, ())) else 1

    def line(self, name: f.Expression, value: Callable[[f.Expression], Balls | None]) -> Balls | None:
        """A whole row S_1: or (S_1)_2:, or a column of such a matrix, counted as its entries are."""
        match name:
            case f.Name(sub=(*_, i, j), item=()) if ":" in (i, j):
                whole: f.Expression = replace(name, sub=name.sub[:-2])
            case f.Entry(whole, (i, j)) if ":" in (i, j):
                pass
            case _:
                return None
        made = self.matrix(whole, value)
        first = self._first(whole)
        indices = [int(x) + 1 - first if x.isdecimal() else x if ":" in x else None for x in (i, j)]
        return None if made is None else pick(made, indices)

    def are_summed(self, expression: f.Expression) -> bool:
        """Whether a sum without an end runs over such entries: that there are no others is not certain."""
        sums = (part for part in f.walk(expression) if isinstance(part, f.BigSum) and not _has_an_end(part))
        names = (part for total in sums for part in f.walk(total.body))
        return any(isinstance(n, f.Name) and n.sub and replace(n, sub=n.sub[:-1]) in self._keys for n in names)


def _has_an_end(total: f.BigSum) -> bool:
    return isinstance(total.lower, f.Number) and isinstance(total.upper, f.Number) and total.condition is None
