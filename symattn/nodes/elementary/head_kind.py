"""What a head computes of its queries, keys and values, where it is not attention by softmax of their products."""

from __future__ import annotations

from itertools import count
from typing import Any

from sympy import Basic, Expr, Integer, MatrixExpr, MatrixSymbol, S
from sympy.core.symbol import Str

from symattn.errors import InputError
from symattn.nodes.node import Written, entry, is_matrix, require_size, rows_of
from symattn.writing.document import Box, Formula
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy

_CALLS = count(1)


class Operand(Written, MatrixExpr):  # type: ignore[misc]
    """The queries, keys or values of any head, in the expression that says its kind. Shape: (rows, columns).

    While the function that makes the kind runs, `call` tells them from those of a kind around it; it is 0 afterwards.
    """

    is_symbol = True
    is_commutative = False

    def __new__(cls, name: Any, rows: Any, columns: Any, call: Any = 0) -> Any:
        return super().__new__(cls, Str(str(name)), as_sympy(rows), as_sympy(columns), Integer(call))

    @property
    def name(self) -> str:
        return str(self.args[0])

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.args[1], self.args[2]

    @property
    def call(self) -> Any:
        return self.args[3]

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(MatrixSymbol(self.name, *self.shape), i, j)

    def formula(self) -> Box:
        return Formula(MatrixSymbol(self.name, *self.shape))


def read_kind(kind: Any, operands: dict[str, Any], queries: Any) -> Any:
    """The expression of a head over its operands, which a function of (Q, K, V) makes; `false` for no kind of its own.

    What has no projection is None. Raises InputError for what is no matrix and for a kind that speaks of the operands
    of a kind around it, ShapeError for rows that are not those of the queries.
    """
    if kind is None or kind is S.false:
        return S.false
    own = {}
    if callable(kind):
        call = next(_CALLS)
        own = {name: Operand(x.name, x.shape[0], x.shape[1], call) for name, x in operands.items()}
        kind = kind(*(own.get(name) for name in "QKV"))
    if not is_matrix(kind):
        raise InputError(Sentence("bad_kind", given=str(kind)[:40]))
    require_size(kind.shape[0], queries.shape[0], rows_of("kind"), rows_of(queries))
    kind = kind.xreplace({x: operands[name] for name, x in own.items()})
    if other := next((x for x in kind.atoms(Operand) if x.call != 0), None):
        raise InputError(Sentence("operand_of_outer_kind", name=other.name))
    return kind


def fill_kind(kind: Any, given: dict[str, Any]) -> Any:
    """The expression of a head over what stands for its queries, keys and values.

    The kind of several heads within it, their last argument, has operands of its own, which stay.
    """
    if isinstance(kind, Operand):
        return given[kind.name]
    if not isinstance(kind, Basic) or not kind.has(Operand):
        return kind
    outer = kind.args[:-1] if hasattr(kind, "head_kind") else kind.args
    return kind.func(*(fill_kind(x, given) for x in outer), *kind.args[len(outer) :])
