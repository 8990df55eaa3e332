"""Matrices of numbers as they stand on the page, with dots for what does not fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from symattn.writing.document import Cell, Entries, Matrix
from symattn.writing.writers import PAGE, set_width, share_out, width

MOST_ROWS = 16  # a matrix of more rows than this is not read number by number, and shows its first three and the last
ROOM = PAGE - 8  # what a line leaves for one side and its relation sign
SPARE = 9  # digits more that paper has, of what is measured closely
T = TypeVar("T")
Place = tuple[int, int]
At = Callable[[int, int], T]  # something of an entry, by its row and column, counted from 0


def itself(i: int, j: int) -> Place:
    """The place of an entry in a matrix that stands as it is."""
    return i, j


def lay(
    shape: Place, cell: At[Cell], room: int | None, *, turned: bool, name: str = "", at: At[Place] = itself
) -> Matrix:
    """A matrix within some room, transposed where tokens are columns; without a limit, all of it.

    `name` is the value whose entries it shows, and `at` says which of them stands where.
    """
    if turned:
        shape, cell, at = (shape[1], shape[0]), turn(cell), turn(at)
    rows, columns = shape
    if room is None:
        whole = tuple(tuple([cell(i, j) for j in range(columns)]) for i in range(rows))
        return Matrix(whole, Entries(name, at, tuple(range(rows)), tuple(range(columns))) if name else None)
    lines: list[int | None] = list(range(rows)) if rows <= MOST_ROWS else [0, 1, 2, rows - 1]
    kept, table = _fit([i for i in lines if i is not None], columns, cell, room)
    shown: list[tuple[Cell | None, ...] | None] = [_dot([row[j] for j in kept], len(kept) < columns) for row in table]
    if len(lines) < rows:
        shown.insert(3, None)
        lines.insert(3, None)
    entries = Entries(name, at, tuple(lines), _dot(kept, len(kept) < columns)) if name else None
    return Matrix(tuple(shown), entries)


def lay_beside(lays: Sequence[Callable[[int], Matrix]], line: int = ROOM) -> tuple[Matrix, ...]:
    """Matrices on one line: whole where they fit, else those that are wider than their share cut down."""
    whole = [lay_one(line) for lay_one in lays]
    if sum(map(width, whole)) + len(whole) - 1 <= line or _beside(whole) <= line + SPARE:
        return tuple(whole)
    rooms = share_out([width(m) for m in whole], line - len(whole) + 1)
    for spare in (0, SPARE):
        cut = [
            m if width(m) <= room else lay_one(room - spare)
            for m, lay_one, room in zip(whole, lays, rooms, strict=True)
        ]
        if _beside(cut) <= line + SPARE:
            break
    return tuple(cut)


def _beside(matrices: Sequence[Matrix]) -> float:
    return sum(map(set_width, matrices)) + len(matrices) - 1


def lay_by_columns(shape: Place, cell: At[Cell], room: int, *, turned: bool, name: str) -> list[Matrix]:
    """All of a matrix, as many columns at a time as fit."""
    at: At[Place] = itself
    if turned:
        shape, cell, at = (shape[1], shape[0]), turn(cell), turn(at)
    lines = tuple(range(shape[0]))
    columns = [[cell(i, j) for i in lines] for j in range(shape[1])]
    wide = [2 + max(map(width, column)) for column in columns]
    parts: list[Matrix] = []
    for part in _in_parts(wide, room - 4):
        rows = zip(*(columns[j] for j in part), strict=True)
        parts.append(Matrix(tuple(rows), Entries(name, at, lines, tuple(part))))
    return parts


def _in_parts(wide: Sequence[int], room: int) -> list[range]:
    """Columns of these widths in as few parts as fit, of nearly the same length where that fits too."""
    begins, spent = [0], 0
    for j, column in enumerate(wide):
        spent += column
        if spent > room and j > begins[-1]:
            begins.append(j)
            spent = column
    each = -(-len(wide) // len(begins))
    even = [range(j, min(j + each, len(wide))) for j in range(0, len(wide), each)]
    if all(sum(wide[j] for j in part) <= room for part in even):
        return even
    return [range(*ends) for ends in zip(begins, [*begins[1:], len(wide)], strict=True)]


def turn(cell: At[T]) -> At[T]:
    """The cells of the transposed matrix."""
    return lambda i, j: cell(j, i)


def _fit(
    lines: Sequence[int], columns: int, cell: Callable[[int, int], Cell], room: int
) -> tuple[list[int], list[dict[int, Cell]]]:
    """The columns that fit on the page: all, or as many of the first as do beside the last, or the first alone.

    Dots stand for two columns or more, unless there are only two.
    """
    table: list[dict[int, Cell]] = [{} for _ in lines]
    spent, kept = 4, [columns - 1]
    for j in [columns - 1, *range(columns - 1)]:
        for row, i in zip(table, lines, strict=True):
            row[j] = cell(i, j)
        spent += 2 + max(width(row[j]) for row in table)
        if j != columns - 1:
            last = j == columns - 2
            if spent > room and not (last and set_width(Matrix(tuple(map(_in_order, table)))) <= room + SPARE):
                kept = kept[:-2] + kept[-1:] if last else kept
                return (kept if len(kept) > 1 else [0]), table
            kept.insert(len(kept) - 1, j)
    return kept, table


def _in_order(row: dict[int, Cell]) -> tuple[Cell, ...]:
    return tuple(row[j] for j in sorted(row))


def _dot(row: Sequence[T], left_out: bool) -> tuple[T | None, ...]:
    if not left_out:
        return tuple(row)
    return (*row[:-1], None, row[-1]) if len(row) > 1 else (*row, None)
