"""What the styles of LaTeX and of text share: names by the notation, and a printer of SymPy's that asks a style."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sympy.printing.precedence import PRECEDENCE

from symattn.writing.document import Entries
from symattn.writing.notation import Name, Notation


class NamingStyle:
    """Says what a thing is called; a target says how a name is spelled, and what its signs are."""

    notation: Notation
    minus: str

    @property
    def signs(self) -> Mapping[str, str]:
        raise NotImplementedError

    def spelled(self, name: Name) -> str:
        raise NotImplementedError

    def applied(self, function: str, inside: str) -> str:
        raise NotImplementedError

    def matrix(self, rows: Sequence[Sequence[str]]) -> str:
        raise NotImplementedError

    def matrix_of(self, entries: Entries, rows: list[list[str]]) -> str:
        """A matrix whose cells are entries of a value; a page in colours, or one that can be explored, says so."""
        return self.matrix(rows)

    def name(self, name: str) -> str:
        return self.signs.get(name) or self.spelled(self.notation.name(name))

    def counter(self, letter: str) -> str:
        """What counts heads."""
        return self.spelled(Name.read(self.notation.counter(letter)))

    def entry(self, name: str, indices: tuple[str, ...]) -> str:
        call = self.notation.calls.get(name)
        if call is None or len(indices) != 2 or ":" in indices:
            return self.spelled(self.notation.entry(name, indices))
        function, *rows = call
        return self.applied(function, ", ".join(self.vector(r, i) for r, i in zip(rows, indices, strict=True)))

    def last_index(self, count: str) -> str:
        """The last of so many: where they are counted from 0, one less than their number."""
        if count.isdigit():
            return self.notation.index(count)
        return count if self.notation.first_index else f"{count} {self.minus} 1"

    def vector(self, name: str, index: str) -> str:
        return self.spelled(self.notation.vector(name, index))


class StyledPrinter:
    """For one of SymPy's printers: what a style knows better."""

    style: Any

    def _print_MatrixSymbol(self, expr: Any) -> str:
        return str(self.style.name(expr.name))

    def _print_Symbol(self, expr: Any, style: str = "plain") -> str:
        counts_heads = expr.name in ("i", "j") and expr.is_positive
        return str(self.style.counter(expr.name) if counts_heads else self.style.name(expr.name))

    def _print_OneMatrix(self, expr: Any) -> str:
        """A column of ones, or a row of them."""
        down, across = self.style.one, self.style.transposed(self.style.one)
        rows, columns = expr.shape[::-1] if self.style.notation.columns else expr.shape
        return str(down if columns == 1 else across if rows == 1 else f"{down} {across}")

    def _print_Transpose(self, expr: Any) -> str:
        inside = self._print(expr.arg)  # type: ignore[attr-defined]
        plain = (expr.arg.is_symbol or getattr(expr.arg, "is_row", False)) and "^" not in inside
        return str(self.style.transposed(inside if plain else self.style.bracketed(inside, *"()")))


def is_loose(matrix: Any) -> bool:
    """Whether a matrix needs brackets as a factor: a sum, an entrywise product."""
    return matrix.is_MatAdd or bool(getattr(matrix, "precedence", PRECEDENCE["Mul"]) < PRECEDENCE["Mul"])
