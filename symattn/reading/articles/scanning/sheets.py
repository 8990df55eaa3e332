"""Sheets of cells: numbers between tabs, products in Falk's scheme, where arrows say what is multiplied.

            0  1   the matrix above the arrows down,
            2  3
            ↓  ↓
    4  5  → 10 19   times the matrix left of the arrow, from the left

A block beside a result, of its size and below the word softmax, is the softmax of it, along the side whose sums are 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join
from symattn.reading.articles.scanning.finding import Found
from symattn.reading.articles.scanning.matrices import list_of

MOST_CELLS = 50_000
_NUMBER = regex(r"[-−+]?(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})(?:[eE][-+]?\d{1,2})?")
_NAME = regex(r"[A-Z]")
_LABEL_ROWS = 3  # a label stands at most so far above its block
_GAP_ROWS = 2  # and arrows at most so far below theirs
_GAP_CELLS = 3  # between the columns of a result and its softmax, an index among them
_SCALED = regex(r"/\s*(?:sqrt|√)\s*\(?\s*d", re.IGNORECASE)
_SOFTMAX = regex(r"\bsoftmax\b", re.IGNORECASE)


def is_sheet(lines: list[Located]) -> bool:
    """Whether lines are a sheet with a product in Falk's scheme."""
    tabbed = [line.text for line in lines if line.text.count("\t") > 2]
    return any("→" in text for text in tabbed) and any("↓" in text for text in tabbed)


def find_in_sheet(lines: list[Located]) -> Iterator[Found]:
    """The products and softmaxes of a sheet, as equations whose numbers stand in its cells."""
    sheet = _Sheet(_cells(lines))
    if len(sheet.cells) <= MOST_CELLS:
        yield from (Found(equation, "table") for equation in sheet.equations())


def _cells(lines: list[Located]) -> dict[tuple[int, int], Located]:
    """The cells of a sheet that are not empty, by row and column."""
    cells = {}
    for row, line in enumerate(lines):
        start = 0
        for column, text in enumerate(line.text.split("\t")):
            if text.strip():
                cells[row, column] = line.cut(start, start + len(text)).strip()
            start += len(text) + 1
    return cells


@dataclass(frozen=True)
class _Block:
    """A rectangle of numbers: its first row and column, and its cells."""

    row: int
    column: int
    cells: tuple[tuple[Located, ...], ...]

    @property
    def rows(self) -> int:
        return len(self.cells)

    @property
    def columns(self) -> int:
        return len(self.cells[0])

    @cached_property
    def numbers(self) -> list[list[Fraction]]:
        return [[Fraction(cell.text.replace("−", "-")) for cell in row] for row in self.cells]

    def below(self, count: int) -> _Block:
        """The block without its first rows."""
        return _Block(self.row + count, self.column, self.cells[count:])

    def beside(self, count: int) -> _Block:
        """The block without its first columns."""
        return _Block(self.row, self.column + count, tuple(row[count:] for row in self.cells))

    def first_rows(self, count: int) -> _Block:
        return _Block(self.row, self.column, self.cells[:count])

    def first_columns(self, count: int) -> _Block:
        return _Block(self.row, self.column, tuple(row[:count] for row in self.cells))

    @property
    def text(self) -> Located:
        return list_of([list_of(list(row)) for row in self.cells])


class _Sheet:
    def __init__(self, cells: dict[tuple[int, int], Located]) -> None:
        self.cells = cells
        self.named: list[tuple[str, _Block]] = []  # results so far, for their copies further on

    def equations(self) -> Iterator[Located]:
        for row, first, last in self._arrows():
            top = self._above(row, first, last)
            for result in self._results(row, first, last) if top is not None else ():
                left = self._left(result)
                scaled = bool(_SCALED.search(self._label(result)))
                pairs = [] if top is None or left is None else list(_factors(left, top, result, scaled))
                if len(pairs) == 1:
                    yield from self._product(*pairs[0], result)

    def _arrows(self) -> Iterator[tuple[int, int, int]]:
        """Runs of arrows down: row, first and last column."""
        arrows = sorted(at for at, cell in self.cells.items() if cell.text == "↓")
        for row, column in arrows:
            if self._is(row, column - 1, "↓"):
                continue
            last = column
            while self._is(row, last + 1, "↓"):
                last += 1
            yield row, column, last

    def _is(self, row: int, column: int, text: str) -> bool:
        return (row, column) in self.cells and self.cells[row, column].text == text

    def _numbers(self, row: int, first: int, last: int) -> tuple[Located, ...] | None:
        """The cells of a row between two columns, if all are numbers."""
        cells = [self.cells.get((row, c)) for c in range(first, last + 1)]
        found = [cell for cell in cells if cell is not None and _NUMBER.fullmatch(cell.text)]
        return tuple(found) if len(found) == len(cells) else None

    def _above(self, row: int, first: int, last: int) -> _Block | None:
        """The numbers above arrows, in the same columns."""
        start = next((r for r in range(row - 1, row - 2 - _GAP_ROWS, -1) if self._numbers(r, first, last)), None)
        rows: list[tuple[Located, ...]] = []
        while start is not None and (cells := self._numbers(start - len(rows), first, last)):
            rows.insert(0, cells)
        return _Block(start - len(rows) + 1, first, tuple(rows)) if start is not None else None

    def _results(self, row: int, first: int, last: int) -> Iterator[_Block]:
        """The blocks below arrows, in the same columns, each with an arrow on its left, down to the next arrows."""
        rows: list[tuple[Located, ...]] = []
        bottom = max(r for r, _ in self.cells)
        for r in range(row + 1, bottom + 2):
            cells = self._numbers(r, first, last) if self._points_to(r, first) else None
            if cells:
                rows.append(cells)
            elif rows:
                yield _Block(r - len(rows), first, tuple(rows))
                rows = []
            if self._is(r, first, "↓"):
                return

    def _points_to(self, row: int, column: int) -> bool:
        return self._pointer(row, column) is not None

    def _pointer(self, row: int, column: int) -> int | None:
        """The column of the arrow that points to a cell from the left, with no number between but perhaps a label."""
        for c in range(column - 1, column - 2 - _GAP_CELLS, -1):
            if self._is(row, c, "→"):
                return c
            if self._numbers(row, c, c):
                return None
        return None

    def _left(self, result: _Block) -> _Block | None:
        """The numbers left of the arrows that point to a result."""
        rows = []
        for row in range(result.row, result.row + result.rows):
            arrow = self._pointer(row, result.column)
            assert arrow is not None
            end = next((c for c in (arrow, arrow - 1) if self._numbers(row, c - 1, c - 1)), arrow)
            first = end
            while self._numbers(row, first - 1, first - 1):
                first -= 1
            rows.append((first, self._numbers(row, first, end - 1) if first < end else None))
        if len({first for first, _ in rows}) != 1 or any(not cells for _, cells in rows):
            return None
        return _Block(result.row, rows[0][0], tuple(cells for _, cells in rows if cells))

    def _label(self, block: _Block) -> str:
        """The words above a block, the nearest ones."""
        for row in range(block.row - 1, block.row - 1 - _LABEL_ROWS, -1):
            for column in range(block.column - 1, block.column + block.columns):
                cell = self.cells.get((row, column))
                if cell is not None and not _NUMBER.fullmatch(cell.text) and cell.text not in ("→", "↓"):
                    return cell.text
        return ""

    def _product(self, left: _Block, top: _Block, result: _Block) -> Iterator[Located]:
        label = self._label(result)
        scaled = bool(_SCALED.search(label))
        name = self._name(label if _NAME.fullmatch(label) else "S" if scaled else "O")
        below = f" / sqrt({left.columns})" if scaled else ""
        parts: list[str | Located] = []
        for a, b in self._parts(left, top):
            parts += [*([" + "] if parts else []), self._written(a), " @ ", self._written(b)]
        yield _equation(f"{name} = ", [*parts, below], result)
        self.named.append((name, result))
        weights = self._softmax_of(result)
        if weights is not None:
            along = _sides_of_sum_1(weights)
            said = f"softmax({name})" if along == "rows" else f"(softmax({name}^T))^T"
            name = self._name("A")
            yield _equation(f"{name} = ", [said], weights)
            self.named.append((name, weights))

    def _parts(self, left: _Block, top: _Block) -> list[tuple[_Block, _Block]]:
        """A product as a sum over parts, where the second factor is copies of earlier results, one below another."""
        parts, done = [], 0
        while done < top.rows:
            rest = top.below(done)
            copies = [r.rows for _, r in self.named if r.numbers == rest.numbers[: r.rows]]
            if not copies:
                return [(left, top)]
            parts.append((left.beside(done).first_columns(copies[-1]), rest.first_rows(copies[-1])))
            done += copies[-1]
        return parts

    def _name(self, letter: str) -> str:
        """A letter with the number of the head, or of whatever is done again: Q^{(2)}."""
        again = sum(name.startswith(f"{letter}^") for name, _ in self.named)
        return f"{letter}^{{({again + 1})}}"

    def _written(self, block: _Block) -> str | Located:
        """A copy of an earlier result by its name, perhaps transposed; anything else by its numbers."""
        for name, result in reversed(self.named):
            if block.numbers == result.numbers:
                return name
            if block.numbers == [list(column) for column in zip(*result.numbers, strict=True)]:
                return f"{name}^T"
        return block.text

    def _softmax_of(self, scores: _Block) -> _Block | None:
        """The block right of scores, of their size and below the word softmax, whose sums are 1 along one side."""
        end = scores.column + scores.columns
        for first in range(end + 1, end + 1 + _GAP_CELLS + 1):
            rows = [
                self._numbers(r, first, first + scores.columns - 1) for r in range(scores.row, scores.row + scores.rows)
            ]
            if all(rows) and not self._numbers(scores.row, first + scores.columns, first + scores.columns):
                block = _Block(scores.row, first, tuple(cells for cells in rows if cells))
                if _SOFTMAX.search(self._label(block)) and _sides_of_sum_1(block):
                    return block
        return None


def _factors(left: _Block, top: _Block, result: _Block, scaled: bool) -> Iterator[tuple[_Block, _Block]]:
    """The two factors, with or without an index of rows or columns, where sizes fit and the result resembles it."""
    lefts = [left, *([left.beside(1)] if left.columns > 1 and _is_index([row[0] for row in left.numbers]) else [])]
    tops = [top, *([top.below(1)] if top.rows > 1 and _is_index(top.numbers[0]) else [])]
    for a, b in product(lefts, tops):
        if a.columns == b.rows and _resembles(a, b, result, a.columns if scaled else 1):
            yield a, b


def _is_index(numbers: list[Fraction]) -> bool:
    return numbers in ([Fraction(k) for k in range(len(numbers))], [Fraction(k + 1) for k in range(len(numbers))])


def _resembles(left: _Block, top: _Block, result: _Block, divisor: int) -> bool:
    """Whether most entries are the product's within a hundredth: a sheet that means something else is left alone."""
    hits = 0
    for row, printed in zip(left.numbers, result.numbers, strict=True):
        for column, entry in enumerate(printed):
            value = sum((a * b[column] for a, b in zip(row, top.numbers, strict=True)), Fraction(0))
            # |value/√d − entry| ≤ |entry|/100 + 1/1000, squared so that no root is taken
            near = Fraction(abs(entry) / 100 + Fraction(1, 1000))
            low, high = entry - near, entry + near
            hits += _squared(low) * divisor <= _squared(value) <= _squared(high) * divisor
    return 2 * hits > result.rows * result.columns


def _squared(x: Fraction) -> Fraction:
    """The square with the sign of the number, which keeps their order."""
    return x * abs(x)


def _sides_of_sum_1(block: _Block) -> str:
    """ "rows" or "columns", where all of them but none of the others sum to 1 within a hundredth; else nothing."""
    near = Fraction(1, 100)
    turned = list(zip(*block.numbers, strict=True))
    rows, columns = (all(1 - near <= sum(x, Fraction(0)) <= 1 + near for x in xs) for xs in (block.numbers, turned))
    return "" if rows == columns else "rows" if rows else "columns"


def _equation(head: str, parts: list[str | Located], printed: _Block) -> Located:
    """The equation; what is no cell of the sheet stands where its result begins."""
    at = printed.text.span(0, 1)[0]
    pieces = [Located.inserted(p, at) if isinstance(p, str) else p for p in (head, *parts, " = ")]
    return join([*pieces, printed.text])
