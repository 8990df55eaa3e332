"""Matrices: environments, nested lists, programs' prints, row vectors."""

from __future__ import annotations

import re
from fractions import Fraction

from symattn.reading.formula.lexer import Token
from symattn.reading.formula.names import Names
from symattn.reading.formula.numerals import power_of_ten, read_number
from symattn.reading.formula.spellings import MATRICES
from symattn.reading.formula.tree import Dots, Expression, Infinity, Matrix, Name, Number

_PRINTED = frozenset(["number", "sign", "infinity", "nan", "dots", "percent", "tilde"])
_ENDS = frozenset(["cell", "row", "end"])

_GRID_PART = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?)|\\\\")

Cell = Expression | str | None  # a label is a string, an empty cell None


class Matrices(Names):
    """Reads what has rows and cells."""

    worn_rows = False  # whether rows end with a lone backslash, `1 & 0 \\ 0 & 1` worn down

    # --- environments

    def environment(self) -> Matrix:
        begin = self.i
        token = self.take()
        if token.value not in MATRICES:
            self.refuse("formula_unknown", token)
        if token.value == "array":
            self._skip_columns()
        outer, self.worn_rows = self.worn_rows, "row" not in self.layout.inside[begin]
        self.brackets += 1
        rows: list[list[Cell]] = [[]]
        while not self.at("end"):
            rows[-1].append(self._cell())
            if self.take_if("row") or (
                self.worn_rows and self.token.gap == "worn" and not self.at("end") and not self.at("cell")
            ):
                rows.append([])
            elif self.take_if("cell"):
                rows[-1] += [None] if self.at("end") else []
            elif not self.at("end"):
                self.refuse("formula_neighbours")
        self.take()
        self.brackets -= 1
        self.worn_rows = outer
        return self._assemble(rows, token)

    def grid(self) -> Matrix:
        """A matrix of plain numbers, which the lexer has seen to be one."""
        token = self.take()
        rows: list[list[Number]] = [[]]
        inside = self.text.index("}", token.start) + 1
        for found in _GRID_PART.finditer(self.text, inside, self.text.rindex("\\end", inside, token.end)):
            if found[1] is not None:
                rows[-1].append(_plain_number(found[1], found.start(1), found.end(1)))
            else:
                rows.append([])
        filled = [row for row in rows if row]
        width = max(map(len, filled))
        for i, row in enumerate(filled):
            if len(row) != width:
                self._refuse_ragged(i, list(row), [list(r) for r in filled], token)
        cells = tuple(map(tuple, filled))
        return Matrix(cells, MATRICES[token.value], (), start=token.start, end=token.end)

    def _skip_columns(self) -> None:
        """The column specification of an array, `{c|cc}`, and its position, `[t]`."""
        for bracket in "[", "{":
            if self.at("open", bracket):
                close = self.layout.partner[self.i]
                if bracket == "[" and self.tokens[close + 1].value != "{":
                    return
                if bracket == "{" and any(set(t.value) - set("lcr|@{}!. ") for t in self.tokens[self.i : close]):
                    return
                self.i = close + 1

    def _cell(self) -> Cell:
        token = self.token
        if token.kind == "number" and self.next.kind in _ENDS and self.next.gap != "worn":
            return read_number(self.take())
        if token.kind in ("cell", "row", "end"):
            return None
        if token.kind == "bar" and self.next.kind in _ENDS:
            return self.take().value
        if token.kind in ("arrow", "quoted") or (token.kind == "text" and token.value[:1] in "\"'“‘"):
            return self._row_label()
        return self.approximate() if self.at("relation", "≈") else self.expression()

    def _row_label(self) -> str:
        words = []
        while self.token.kind in ("arrow", "quoted", "text"):
            words.append(self.take().value)
        return " ".join(words)

    def approximate(self) -> Expression:
        """A number or infinity with the sign ≈ or ~ in front of it."""
        start = self.take().start
        found = self.operand()
        if not isinstance(found, Number):
            self.refuse("formula_unexpected", found)
        return Number(found.text, found.value, found.places, approximate=True, start=start, end=found.end)

    def _assemble(self, rows: list[list[Cell]], begin: Token) -> Matrix:
        """Drop empty rows and columns and labels; what is left must be a rectangle."""
        rows = [row for row in rows if any(cell is not None for cell in row)]
        width = max(map(len, rows), default=0)
        partial = any(isinstance(cell, Dots) for row in rows for cell in row)
        for i, row in enumerate(rows):
            if len(row) != width and not (partial and any(isinstance(c, Dots) for c in row)):
                self._refuse_ragged(i, row, rows, begin)
        if rows and all(len(row) == width and row[-1] is None for row in rows):
            rows, width = [row[:-1] for row in rows], width - 1
        if any(all(cell is None for cell in column) for column in zip(*rows, strict=False)):
            self.refuse("formula_blank_cell", begin)
        columns = [
            c for c in range(width) if any(isinstance(cell, Expression) for row in rows for cell in row[c : c + 1])
        ]
        labels = tuple(cell for row in rows for cell in row if isinstance(cell, str) and cell != "|")
        kept = tuple(tuple(row[c] for c in columns if c < len(row)) for row in rows)
        cells = tuple(tuple(cell for cell in row if isinstance(cell, Expression)) for row in kept)
        if any(len(full) != len(row) for full, row in zip(kept, cells, strict=True)):
            self.refuse("formula_blank_cell", begin)
        if not columns and not labels:
            self.refuse("formula_no_matrix", begin)
        return Matrix(cells if columns else (), MATRICES[begin.value], labels, start=begin.start, end=self.behind)

    def _refuse_ragged(self, i: int, row: list[Cell], rows: list[list[Cell]], begin: Token) -> None:
        cell = next((c for c in row if isinstance(c, Expression)), begin)
        self.refuse("formula_ragged", cell, row=i + 1, found=len(row), expected=len(rows[0]))

    # --- lists and prints

    def bracketed(self, row: bool = False) -> Expression:
        """What stands in square brackets: a matrix, or (one expression that is no row) a group.

        `row` says that it is an item of a list, and so a row for certain.
        """
        opening = self.i
        close, inside = self.layout.partner[opening], self.layout.inside[opening]
        start = self.take().start
        with self.deeper:
            if inside.isdisjoint(("comma", "semicolon")) and (cells := self._print(close)):
                rows = [cells]
            else:
                rows = self._items(opening, close)
        self.expect("close", "[")
        one = rows[0][0] if len(rows) == len(rows[0]) == 1 else None
        if one is not None and not row:
            if isinstance(one, Matrix) and one.brackets != "row":
                return one
            if not isinstance(one, Number | Infinity | Name | Matrix):
                return one
        return Matrix(self._stack(rows), "row" if row else "[", start=start, end=self.behind)

    def _items(self, opening: int, close: int) -> list[list[Expression]]:
        """Items between commas, rows between semicolons; nested rows may go without, as numpy prints them."""
        rows: list[list[Expression]] = [[]]
        self.brackets += 1
        while self.i < close:
            rows[-1].append(self._item_of_list())
            if self.take_if("semicolon"):
                rows.append([])
            elif not self.take_if("comma") and self.i < close and not self._next_row(rows[-1][-1]):
                self.refuse("formula_neighbours")
        self.brackets -= 1
        if not rows[-1]:
            rows.pop()
        if not rows or not all(rows):
            self.refuse("formula_no_matrix", self.tokens[opening])
        return rows

    def _next_row(self, last: Expression) -> bool:
        return self.at("dots") or (self.at("open", "[") and isinstance(last, Matrix | Dots))

    def _item_of_list(self) -> Expression:
        if self.at("dots"):
            token = self.take()
            return Dots(start=token.start, end=token.end)
        if self.at("relation", "≈"):
            return self.approximate()
        if self.at("open", "["):
            behind = self.tokens[self.layout.partner[self.i] + 1]
            if behind.kind in ("comma", "close", "semicolon") or (
                behind.kind in ("open", "dots") and behind.value in "[…"
            ):
                return self.bracketed(row=True)
        return self.expression()

    def _stack(self, rows: list[list[Expression]]) -> tuple[tuple[Expression, ...], ...]:
        """The rows of a matrix of these items; items that are rows themselves go below one another."""
        items = rows[0]
        if len(rows) == 1 and any(isinstance(i, Matrix) and i.brackets == "row" for i in items):
            cells = []
            for item in items:
                if not isinstance(item, Dots) and not (isinstance(item, Matrix) and len(item.rows) == 1):
                    self.refuse("formula_unexpected", item)
                cells.append(item.rows[0] if isinstance(item, Matrix) else (item,))
        else:
            cells = [tuple(row) for row in rows]
            for item in (i for row in rows for i in row):
                if isinstance(item, Matrix) and item.brackets == "row":
                    self.refuse("formula_unexpected", item)
        self._require_rectangle(cells)
        return tuple(cells)

    def _require_rectangle(self, rows: list[tuple[Expression, ...]]) -> None:
        full = [row for row in rows if not any(isinstance(cell, Dots) for cell in row)]
        for i, row in enumerate(full):
            if len(row) != len(full[0]):
                self.refuse("formula_ragged", row[0], row=i + 1, found=len(row), expected=len(full[0]))

    def _print(self, close: int) -> list[Expression]:
        """The numbers of a print such as `[0.5 -1. ...]`; nothing when this is no print but an expression."""
        content = self.tokens[self.i : close]
        count = sum(t.kind in ("number", "infinity", "nan", "dots") for t in content)
        if any(t.kind not in _PRINTED for t in content) or count < 2 or not self._signs_are_tight(content):
            return []
        cells: list[Expression] = []
        while self.i < close:
            cells.append(self.approximate() if self.at("tilde") else self.operand())
        return cells

    def _signs_are_tight(self, content: list[Token]) -> bool:
        """`[1 -2]` is two numbers, `[1 - 2]` and `[1-2]` are one; in LaTeX `[1 -2]` is refused."""
        signs = [i for i, t in enumerate(content) if t.kind == "sign"]
        if any(i + 1 == len(content) or content[i + 1].gap or (i and not content[i].gap) for i in signs):
            return False
        numbers = sum(t.kind != "sign" for t in content)
        inner = sum(i > 0 for i in signs)
        if self.latex and inner and inner >= numbers - 1:
            self.refuse("formula_ambiguous", content[signs[-1]])
        return True


def _plain_number(text: str, start: int, end: int) -> Number:
    whole, _, decimals = text.partition(".")
    value = Fraction(int(whole + decimals), 10 ** len(decimals)) if decimals else Fraction(int(whole))
    return Number(text, value, power_of_ten(-len(decimals)), start=start, end=end)
