"""The gradient itself, as what a backward pass has to be: ∂L/∂X of a scalar L, entry by entry."""

from __future__ import annotations

from typing import Any

from sympy import Expr, Integer, MatrixSymbol

from symattn.checking.equality.derivatives import derivative
from symattn.checking.equality.entries import Entries, entry_name, entry_of
from symattn.checking.equality.indices import Index, constant
from symattn.checking.equality.terms import Sum
from symattn.errors import InputError
from symattn.nodes import ColumnSum, Hadamard, Node, RowSum, as_matrix, require_size
from symattn.nodes.node import shape_of
from symattn.writing.document import TIGHT, Box, Formula, Quotient, Row, Spelled
from symattn.writing.prose import Sentence


class Gradient(Node):
    """∂L/∂X for a matrix L of one entry and a symbol X. Shape: that of X. Raises ShapeError where L has more.

    It has no rule in any other room: points work it out by the backward pass of L, the normal form by the product rule,
    so that each checks the other.
    """

    def __new__(cls, L: Any, X: Any) -> Any:
        L = as_matrix(L, "L")
        for size, side in zip(L.shape, ("rows", "columns"), strict=True):
            require_size(size, Integer(1), f"{side}(L)", "one number")
        if not isinstance(X, MatrixSymbol):
            raise InputError(Sentence("not_a_matrix", role="X", given=str(X)[:60]))
        return super().__new__(cls, L, X)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.args[1])

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        raise NotImplementedError

    def formula(self) -> Box:
        X = Formula(self.args[1])
        return Spelled(Quotient(r"\partial L", Row((r"\partial", X))), Row(("∂L/∂", X), TIGHT))


def inner(G: Any, Y: Any) -> Any:
    """⟨G, Y⟩ = Σ G_ij Y_ij: any L whose gradient by Y is G is this, as far as gradients go."""
    return ColumnSum(RowSum(Hadamard(G, Y)))


@entry_of.register
def _(e: Gradient, i: Index, j: Index, known: Entries) -> Sum:
    L, X = e.args
    first = constant(0)
    return derivative(known.at(L, first, first), entry_name(X), (*known.member(X), i, j), known.algebra)
