"""Matrices of numbers as they stand on the page, with dots for what does not fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symattn.writing.document import Cell, Matrix
from symattn.writing.writers import PAGE, width

MOST_ROWS = 12  # a matrix of more rows than this shows its first three and the last
ROOM = PAGE - 8  # what a line leaves for one side and its relation sign


def lay(shape: tuple[int, int], cell: Callable[[int, int], Cell], room: int | None, *, turned: bool) -> Matrix:
    """A matrix within some room, transposed where tokens are columns; without a limit, all of it."""
    rows, columns = shape[::-1] if turned else shape
    at: Callable[[int, int], Cell] = (lambda i, j: cell(j, i)) if turned else cell
    if room is None:
        return Matrix(tuple(tuple([at(i, j) for j in range(columns)]) for i in range(rows)))
    lines = list(range(rows)) if rows <= MOST_ROWS else [0, 1, 2, rows - 1]
    kept, table = _fit(lines, columns, at, room)
    shown: list[tuple[Cell | None, ...] | None] = [_dot([row[j] for j in kept], len(kept) < columns) for row in table]
    if len(lines) < rows:
        shown.insert(3, None)
    return Matrix(tuple(shown))


def _fit(
    lines: Sequence[int], columns: int, cell: Callable[[int, int], Cell], room: int
) -> tuple[list[int], list[dict[int, Cell]]]:
    """The columns that fit on the page: all, or as many of the first as do beside the last."""
    table: list[dict[int, Cell]] = [{} for _ in lines]
    spent, kept = 4, [columns - 1]
    for j in [columns - 1, *range(columns - 1)]:
        for row, i in zip(table, lines, strict=True):
            row[j] = cell(i, j)
        spent += 2 + max(width(row[j]) for row in table)
        if j != columns - 1:
            if spent > room and len(kept) > 1:
                break
            kept.insert(len(kept) - 1, j)
    return kept, table


def _dot(row: Sequence[Cell], left_out: bool) -> tuple[Cell | None, ...]:
    return (*row[:-1], None, row[-1]) if left_out else tuple(row)
