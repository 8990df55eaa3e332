"""What a head computes of its queries, keys and values, where it is not attention by softmax of their products."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr, MatrixExpr, MatrixSymbol, S
from sympy.core.symbol import Str

from symattn.errors import InputError
from symattn.nodes.node import Written, entry, is_matrix, require_size, rows_of
from symattn.writing.document import Box, Formula
from symattn.writing.prose import Sentence


class Operand(Written, MatrixExpr):  # type: ignore[misc]
    """The queries, keys or values of any head, in the expression that says its kind. Shape: (rows, columns)."""

    is_symbol = True
    is_commutative = False

    def __new__(cls, name: Any, rows: Any, columns: Any) -> Any:
        return super().__new__(cls, Str(str(name)), sympy.sympify(rows), sympy.sympify(columns))

    @property
    def name(self) -> str:
        return str(self.args[0])

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.args[1], self.args[2]

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(MatrixSymbol(self.name, *self.shape), i, j)

    def formula(self) -> Box:
        return Formula(MatrixSymbol(self.name, *self.shape))


def read_kind(kind: Any, operands: dict[str, Any], queries: Any) -> Any:
    """The expression of a head over its operands, which a function of (Q, K, V) makes; `false` for no kind of its own.

    What has no projection is None. Raises InputError for what is no matrix, ShapeError for rows that are not those of
    the queries.
    """
    if kind is None or kind is S.false:
        return S.false
    if callable(kind):
        kind = kind(*(operands.get(name) for name in "QKV"))
    if not is_matrix(kind):
        raise InputError(Sentence("bad_kind", given=str(kind)[:40]))
    require_size(kind.shape[0], queries.shape[0], rows_of("kind"), rows_of(queries))
    return kind


def fill_kind(kind: Any, given: dict[str, Any]) -> Any:
    """The expression of a head over what stands for its queries, keys and values."""
    return kind.xreplace({x: given[x.name] for x in kind.atoms(Operand)})
