"""A theorem by its name, or a chain that somebody states; and the letters that it speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Equality, Expr, MatrixSymbol, Symbol, preorder_traversal
from sympy.logic.boolalg import BooleanAtom

from symattn.checking.theorems import THEOREMS, Link, Theorem
from symattn.errors import InputError
from symattn.nodes import as_matrix, is_matrix, require_size
from symattn.nodes.node import columns_of, require_own_names, rows_of
from symattn.writing.nearest import hint
from symattn.writing.prose import Sentence


def find_theorem(name: Any) -> Theorem:
    """A theorem that ships. Raises InputError for an unknown name."""
    if not isinstance(name, str) or name not in THEOREMS:
        raise InputError(
            Sentence("no_such_theorem", given=str(name)[:40], hint=hint(name, THEOREMS, listed_by="symattn prove"))
        )
    return THEOREMS[name]()


def read_chain(given: Sequence[Any]) -> Theorem:
    """A chain of a user's own, or the sides of an equation.

    Raises InputError for one side alone, for a scalar and for two matrices of one name, ShapeError for sides of
    different sizes.
    """
    if len(given) == 1 and isinstance(given[0], Equality):
        given = given[0].args
    if len(given) == 1 and isinstance(given[0], BooleanAtom):
        raise InputError(Sentence("decided_side", given=str(given[0])))
    if len(given) < 2:
        raise InputError(Sentence("one_side", given=str(given[0])[:40]))
    for k, side in enumerate(given, 1):
        if isinstance(side, Expr | int | float) and not is_matrix(side):
            raise InputError(Sentence("scalar_side", number=k, given=str(side)[:40]))
    sides = [as_matrix(side, f"prove({k})") for k, side in enumerate(given, 1)]
    require_own_names(s for side in sides for s in preorder_traversal(side) if isinstance(s, MatrixSymbol))
    for side in sides:
        for axis, where in enumerate((rows_of, columns_of)):
            require_size(sides[0].shape[axis], side.shape[axis], where(sides[0]), where(side))
    return Theorem("yours", sides[0], tuple(Link(side, "stated") for side in sides[1:]), ())


def _letters(side: Any) -> set[Symbol]:
    """The sizes of a side: the symbols that are no matrices."""
    sizes = [size for x in side.atoms(MatrixSymbol) for size in x.shape]
    return {s for x in (side, *sizes) for s in getattr(x, "free_symbols", ()) if isinstance(s, Symbol)}


def names_of(theorem: Theorem) -> set[str]:
    """The matrices and sizes that a theorem speaks of."""
    parts = [*theorem.sides, *(x for pair in (*theorem.where, *theorem.base) for x in pair)]
    matrices = {s for part in parts for s in part.atoms(MatrixSymbol)}
    letters = {s for part in parts for s in _letters(part)}
    return {str(s.name) for s in (*matrices, *letters)}
