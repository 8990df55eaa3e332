"""Which keys a query may look at: predicates keep(i, j), and the node that hides the rest.

A mask itself has no shape; it is true where query i may look at key j. `true` is no mask at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy
from sympy import Basic, Expr, Integer, S, Tuple
from sympy.logic.boolalg import BooleanTrue
from sympy.matrices.matrixbase import MatrixBase

from symattn.errors import InputError
from symattn.nodes.base import M, Node, Numbers, Sizes, as_matrix, entry, is_matrix, require_size, shape_of
from symattn.prose import Sentence


class CausalMask(Basic):  # type: ignore[misc]
    """No query looks ahead: keep(i, j) is j <= i + offset.

    Offset 0 aligns the top left corners (torch, jax, ONNX without a cache); with a cache it is the past length.

    >>> CausalMask().keep(1, 0), CausalMask().keep(0, 1), CausalMask(1).keep(0, 1)
    (True, False, True)
    """

    def __new__(cls, offset: Any = 0) -> Any:
        return super().__new__(cls, _integer(offset, "offset"))

    def keep(self, i: Any, j: Any) -> Any:
        return S(j) <= S(i) + self.args[0]

    def _latex(self, printer: Any) -> str:
        offset = self.args[0]
        return r"j \le i" + ("" if offset == 0 else f"{_signed(printer._print(offset))}")

    def _sympystr(self, printer: Any) -> str:
        offset = self.args[0]
        return "j <= i" + ("" if offset == 0 else f"{_signed(printer._print(offset))}")


class WindowMask(Basic):  # type: ignore[misc]
    """A query sees `left` keys before it and `right` after it, both inclusive: i − left <= j <= i + right.

    None (infinity in the canonical form) leaves that side open.

    >>> [j for j in range(6) if WindowMask(1, 2).keep(2, j)]
    [1, 2, 3, 4]
    """

    def __new__(cls, left: Any = None, right: Any = None) -> Any:
        return super().__new__(cls, _bound(left, "left"), _bound(right, "right"))

    def keep(self, i: Any, j: Any) -> Any:
        left, right = self.args
        return sympy.And(S(i) - left <= S(j), S(j) <= S(i) + right)

    def _latex(self, printer: Any) -> str:
        left, right = self.args
        lowest = "i" if left == 0 else f"i - {printer._print(left)}"
        highest = "i" if right == 0 else f"i + {printer._print(right)}"
        before = "" if left is S.Infinity else rf"{lowest} \le "
        after = "" if right is S.Infinity else rf" \le {highest}"
        return f"{before}j{after}"

    def _sympystr(self, printer: Any) -> str:
        return self._latex(printer).replace(r"\le", "<=")


class KeepMask(Basic):  # type: ignore[misc]
    """A matrix of 0 and 1, or a symbol for one: query i may look at key j where M_ij is 1 (true attends)."""

    def __new__(cls, matrix: Any) -> Any:
        matrix = as_matrix(matrix, "mask")
        if isinstance(matrix, MatrixBase) and any(x not in (0, 1) for x in matrix.flat()):
            raise InputError(Sentence("mask_entries"))
        return super().__new__(cls, matrix)

    def keep(self, i: Any, j: Any) -> Any:
        return sympy.Ne(entry(self.args[0], i, j), 0)

    def _latex(self, printer: Any) -> str:
        name = printer._print(self.args[0]) if self.args[0].is_symbol else "M"
        return rf"{name}_{{ij}} = 1"

    def _sympystr(self, printer: Any) -> str:
        name = printer._print(self.args[0]) if self.args[0].is_symbol else "M"
        return f"{name}_ij = 1"


def as_mask(mask: Any) -> Any:
    """The canonical form of a mask: `true`, one mask, or a Tuple of masks all of which must allow."""
    if mask is None or mask is S.true:
        return S.true
    if isinstance(mask, CausalMask | WindowMask | KeepMask):
        return mask
    if isinstance(mask, tuple | list | Tuple):
        parts = [as_mask(m) for m in mask]
        parts = [p for p in parts if p is not S.true]
        return S.true if not parts else parts[0] if len(parts) == 1 else Tuple(*parts)
    raise InputError(Sentence("bad_mask", given=str(mask)[:60]))


def mask_parts(mask: Any) -> tuple[Any, ...]:
    """The masks that must all allow; none for `true`."""
    if isinstance(mask, BooleanTrue):
        return ()
    return tuple(mask) if isinstance(mask, Tuple) else (mask,)


class Masked(Node):
    """Scores with the hidden ones at −∞, so that softmax gives them weight 0.

    Masked(S, mask)_ij = S_ij where mask.keep(i, j), else −∞. Shape: that of S.

    >>> from sympy import Matrix
    >>> Masked(Matrix([[1, 2], [3, 4]]), CausalMask()).as_explicit()
    Matrix([
    [1, -oo],
    [3,   4]])
    """

    def __new__(cls, S: Any, mask: Any) -> Any:
        S, mask = as_matrix(S, "S"), as_mask(mask)
        require_mask(mask, S.shape, f"rows({S})", f"columns({S})")
        return super().__new__(cls, S, mask)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.args[0])

    @property
    def matrices(self) -> tuple[Any, ...]:
        inside = [p.args[0] for p in mask_parts(self.args[1]) if isinstance(p, KeepMask)]
        return (self.args[0], *(m for m in inside if not isinstance(m, MatrixBase)))

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        keep = sympy.And(*[p.keep(i, j) for p in mask_parts(self.args[1])])
        return sympy.Piecewise((entry(self.args[0], i, j), keep), (S.NegativeInfinity, True))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        value, *masks = values
        for part in mask_parts(self.args[1]):
            symbolic = isinstance(part, KeepMask) and not isinstance(part.args[0], MatrixBase)
            value = numbers.hide(value, numbers.keep(masks.pop(0)) if symbolic else _decided(part.keep))
        return value

    def _latex(self, printer: Any) -> str:
        parts = ",\\ ".join(printer._print(p) for p in mask_parts(self.args[1]))
        return rf"\mathrm{{mask}}_{{{parts}}}\left({printer._print(self.args[0])}\right)"

    def _sympystr(self, printer: Any) -> str:
        parts = ", ".join(printer._print(p) for p in mask_parts(self.args[1]))
        return f"mask({printer._print(self.args[0])}; {parts})"


def require_mask(mask: Any, shape: tuple[Expr, Expr], rows_are: str, columns_are: str) -> None:
    """Refuse a 0/1 matrix whose sizes are not those of the scores."""
    for part in mask_parts(mask):
        if isinstance(part, KeepMask):
            M = part.args[0]
            require_size(shape[0], M.shape[0], rows_are, "rows(mask)")
            require_size(shape[1], M.shape[1], columns_are, "columns(mask)")


def _decided(keep: Callable[[Any, Any], Any]) -> Callable[[int, int], bool]:
    return lambda i, j: bool(keep(Integer(i), Integer(j)) == True)  # noqa: E712  (SymPy's true)


def _integer(value: Any, name: str) -> Any:
    value = sympy.sympify(value) if isinstance(value, int | Basic) and not isinstance(value, bool) else None
    if value is None or is_matrix(value) or value.is_integer is False:
        raise InputError(Sentence("not_an_integer", name=name))
    return value


def _bound(value: Any, name: str) -> Any:
    if value is None or value is S.Infinity:
        return S.Infinity
    value = _integer(value, name)
    if value.is_negative:
        raise InputError(Sentence("not_an_integer", name=name))
    return value


def _signed(text: str) -> str:
    return f" - {text[1:]}" if text.startswith("-") else f" + {text}"
