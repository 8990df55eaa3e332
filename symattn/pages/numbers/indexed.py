"""An entry of a matrix from entries and rows of those that it is made of, by their indices: Σ_k Q_ik K_jk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Integer, OneMatrix
from sympy.matrices.expressions import MatMul, Transpose

from symattn.nodes import HeadColumns, HeadRows, Node
from symattn.nodes.boxes import free_letter
from symattn.writing.document import Box, Formula, Over, Part, Product, Symbol, Vector


@dataclass(frozen=True)
class Indexed:
    """Writes entries; a sum runs to a number where its length is known."""

    sizes: Mapping[Any, int]

    def write(self, matrix: Any, i: str, j: str) -> Box | None:
        """Entry (i, j) of a matrix from entries of symbols; None where it has no such form."""
        if isinstance(matrix, Transpose):
            return self.write(matrix.arg, j, i)
        if has_name(matrix):
            return entry_of(matrix, i, j)
        if isinstance(matrix, MatMul) and len(matrix.args) == 2:
            return self._product(matrix.args, i, j)
        return matrix.written(self.part, i, j) if isinstance(matrix, Node) else None

    def _product(self, factors: Any, i: str, j: str) -> Box:
        left, right = factors
        if isinstance(right, OneMatrix) and left.shape[1] == 1:  # a column repeated
            return self.part(left, i, "")
        if isinstance(left, OneMatrix) and right.shape[0] == 1:  # a row repeated
            return self.part(right, "", "" if right.shape[1] == 1 else j)
        if left.shape[1] == 1:
            return Product((self.part(left, i, "1"), self.part(right, "1", j)))
        k = free_letter("k", i, j)
        return Over("sum", k, Product((self.part(left, i, k), self.part(right, k, j))), self.number(left.shape[1]))

    def part(self, matrix: Any, i: str, j: str) -> Box:
        """The same within a formula: a part without such a form is indexed as a whole, (B C)_ij."""
        return self.write(matrix, i, j) or Part(Formula(matrix), tuple(filter(None, (i, j))))

    def number(self, size: Any) -> Any:
        """A size as a number, as far as it is known."""
        return size.xreplace({s: Integer(v) for s, v in self.sizes.items()})


def entry_of(matrix: Any, i: str, j: str) -> Symbol:
    """An entry of a matrix that has a name; of one column, such as the sums of rows, it needs no second index."""
    return Symbol(matrix.name, tuple(filter(None, (i, "" if matrix.shape[1] == 1 else j))))


def vector(symbol: Any, i: Any) -> Box:
    """Row i of a matrix, by the lower-case letter: q_i for Q. A name that is no capital keeps its own letter."""
    return Vector(symbol.name, str(i))


def has_name(matrix: Any) -> bool:
    """Whether a matrix is written by its name: a symbol, or a head's block of one."""
    return bool(getattr(matrix, "is_symbol", False) or (isinstance(matrix, HeadColumns | HeadRows) and matrix.is_named))
