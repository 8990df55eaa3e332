"""What every node shares: matrix arguments whose sizes fit, entries, and a derivative that says where to go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from numbers import Integral
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import numpy as np
import sympy
from sympy import Basic, Expr, Lambda, MatrixExpr, MatrixSymbol, Symbol
from sympy.matrices.expressions import MatAdd, MatMul, Transpose
from sympy.matrices.matrixbase import MatrixBase

from symattn.errors import InputError, NotSupportedError, Placed, ShapeError, SymattnError
from symattn.nodes.cases import without_piecewise
from symattn.nodes.exact_numbers import read_exact, read_rows, without_floats
from symattn.writing.document import Box
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy
from symattn.writing.writers.latex_style import LatexStyle
from symattn.writing.writers.text_style import TextStyle

if TYPE_CHECKING:
    from sympy.printing.printer import Printer

M = TypeVar("M")
_NO_NUMBERS = (sympy.S.NaN, sympy.S.ComplexInfinity, sympy.S.ImaginaryUnit)
Keep = Callable[[int, int], bool]
Sizes = Mapping[Symbol, int]
At = Callable[
    [Any, str, str], Box
]  # entry (i, j) of a matrix as it is written; "" for the index of what is one row or column


class Numbers(Protocol[M]):
    """What a kind of number must be able to do with matrices, for any node to have a value in it."""

    def given(self, rows: Sequence[Sequence[Expr]]) -> M: ...
    def transpose(self, a: M) -> M: ...
    def matmul(self, a: M, b: M) -> M: ...
    def add(self, a: M, b: M) -> M: ...
    def scale(self, a: M, factor: Expr) -> M: ...
    def add_row(self, a: M, row: M) -> M: ...
    def subtract_column(self, a: M, column: M) -> M: ...
    def divide_rows(self, a: M, column: M) -> M: ...
    def exp(self, a: M) -> M: ...
    def tanh(self, a: M) -> M: ...
    def row_sum(self, a: M) -> M: ...
    def row_max(self, a: M) -> M: ...
    def keep(self, mask: M) -> Keep: ...
    def hide(self, a: M, keep: Keep) -> M: ...
    def softmax(self, a: M) -> M: ...
    def threshold(self, a: M, power: int) -> M:
        """τ of each row, a column: Σ_j max(a_ij/p − τ, 0)^p = 1; −∞ takes no part."""

    def concat(self, parts: Sequence[M]) -> M: ...
    def keep_largest(self, a: M, count: int) -> M:
        """−∞ but for the largest numbers of each row, of equal ones the first."""

    def times(self, a: M, b: M) -> M:
        """Entry by entry."""

    def each(self, a: M, formula: Lambda) -> M:
        """Entry x at (i, j), counted from 0, becomes formula(x, i, j); −∞ hides."""

    def block(self, a: M, rows: range, columns: range) -> M:
        """Some of the rows and columns."""

    def empty_rows(self, a: M) -> list[int]:
        """The rows, counted from 0, in which every entry is −∞."""

    def fill_rows(self, a: M, rows: Sequence[int], value: Expr) -> M:
        """Each entry of these rows becomes the value: a number, or NaN."""


class Written:
    """What says once how it is written: our printers and SymPy's own ask it, each in a style that asks them back."""

    __slots__ = ()

    def formula(self) -> Box:
        """The formula, in boxes."""
        raise NotImplementedError

    def _latex(self, printer: Any) -> str:
        style = getattr(printer, "style", None)
        if style is None:  # a printer of SymPy's own
            style = LatexStyle(printer=printer)
        return self.formula().write(style)

    def _sympystr(self, printer: Any) -> str:
        style = getattr(printer, "style", None)
        if style is None:
            style = TextStyle(minus="-", printer=printer)
        return self.formula().write(style)


class Node(Written, MatrixExpr):  # type: ignore[misc]
    """A matrix expression that SymPy does not know: prints, substitutes and indexes like its own.

    A subclass gives `_entry`, its `formula` and its `shape` (that of the first argument unless it says so), and, where
    it is elementary, says how it is computed (`compute`) from a kind of number's own operations.
    """

    is_commutative = False

    def __new__(cls, *args: Any) -> Any:
        return super().__new__(cls, *map(as_sympy, args))

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.args[0])

    def lengths(self, sizes: Sizes) -> tuple[int, int]:
        """The numbers of rows and columns, once sizes are numbers."""
        rows, columns = (int(size.xreplace(dict(sizes))) for size in self.shape)
        return rows, columns

    @property
    def matrices(self) -> tuple[Any, ...]:
        """The arguments that are matrices."""
        return tuple(a for a in self.args if is_matrix(a))

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        """How the sentence about a step of this kind differs: an ending of its key, and formulas for its blanks."""
        return "", {}

    @property
    def required(self) -> tuple[tuple[str, Expr, Expr], ...]:
        """What its sizes must be once they are numbers: (">=", size, least) or ("==", size, number)."""
        return ()

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        """The value, from the values of `matrices`; composite nodes have none before they are unfolded."""
        raise NotSupportedError(Sentence("unfold_first", node=type(self).__name__))

    def written(self, at: At, i: str, j: str) -> Box | None:
        """Entry (i, j) as it is written, from entries of the arguments; None where there is no such form."""
        return None

    def doit(self, **_hints: object) -> Any:
        """Itself: SymPy asks every part of each product for this, and what is inside was carried out when made."""
        return self

    def diff(self, *_symbols: object, **_options: object) -> Any:
        """SymPy's own rules are silently wrong here, so nothing is differentiated by them."""
        raise NotSupportedError(Sentence("use_differentiate", node=type(self).__name__))

    def _eval_derivative(self, _symbol: object) -> Any:
        return self.diff()

    def _eval_derivative_matrix_lines(self, _symbol: object) -> Any:
        return self.diff()

    def _numpycode(self, printer: Printer) -> str:
        """What `sympy.lambdify` prints: the plain lines of lowering, a room above that is asked only here."""
        from symattn.lowering.lambdify import inline

        return inline(self, printer)


def is_matrix(argument: object) -> bool:
    return isinstance(argument, MatrixExpr | MatrixBase)


def as_matrix(argument: object, role: str) -> Any:
    """A matrix expression or an explicit matrix whose own products fit; `role` names it in the error."""
    if isinstance(argument, MatrixBase):
        matrix = argument.as_immutable()
        if any(not x.is_Rational for x in matrix.flat()):
            matrix = without_floats(matrix)
        for x in matrix.flat():
            if not x.is_Rational and (x.has(*_NO_NUMBERS) or x is sympy.S.Infinity):
                raise InputError(Sentence("not_a_number", text=str(x)[:60]), place=role)
        return matrix
    if isinstance(argument, Sequence | np.ndarray) and not isinstance(argument, str):
        with Placed(role):
            return sympy.ImmutableDenseMatrix(read_rows(argument).rows)
    if not isinstance(argument, MatrixExpr):
        raise InputError(Sentence("not_a_matrix", role=role, given=str(argument)[:60]))
    check_products(argument)
    return without_floats(argument, (Node,))


def as_number(value: object) -> Expr | None:
    """An option that is an exact number or an expression; floats as the shortest decimal. None for all else."""
    if isinstance(value, Expr) and not isinstance(value, MatrixExpr):
        number = without_floats(value)
        return None if number.has(*_NO_NUMBERS, sympy.S.Infinity, sympy.S.NegativeInfinity) else number
    if isinstance(value, str):
        return None  # never evaluated
    try:
        return read_exact(value)
    except SymattnError:
        return None


def as_whole(value: object) -> Any:
    """What may be a count: an integer of Python or NumPy, or an expression. None for all else."""
    if isinstance(value, Basic):
        return value
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    return sympy.Integer(int(cast(int, value))) if whole else None


def as_lists(value: Any) -> Any:
    """An array of NumPy as lists of its numbers, each in its own format; anything else as it is."""
    if not isinstance(value, np.ndarray) or not value.ndim:
        return value
    return [as_lists(part) for part in np.asarray(value)]


def shape_of(matrix: Any) -> tuple[Expr, Expr]:
    rows, columns = matrix.shape
    return as_sympy(rows), as_sympy(columns)  # plain ints for explicit matrices


def same_size(left: Expr, right: Expr) -> bool:
    """Whether two sizes are the same number or, for symbols, the same expression."""
    return bool(left == right or sympy.expand(left - right) == 0)


def require_size(left: Expr, right: Expr, left_is: object, right_is: object) -> None:
    """Refuse two sizes that must agree and do not, naming both."""
    if not same_size(as_sympy(left), as_sympy(right)):
        raise ShapeError(Sentence("sizes_differ", left=left, leftis=left_is, right=right, rightis=right_is))


def require_shape(first: Any, other: Any) -> None:
    """Refuse a matrix of another shape than the first."""
    require_size(first.shape[0], other.shape[0], rows_of(first), rows_of(other))
    require_size(first.shape[1], other.shape[1], columns_of(first), columns_of(other))


def require_own_names(matrices: Iterable[MatrixSymbol]) -> None:
    """Refuse two matrices of one name, which differ in their sizes: arguments and pages know them by it."""
    named: dict[str, MatrixSymbol] = {}
    for matrix in matrices:
        first = named.setdefault(str(matrix.name), matrix)
        if first != matrix:
            sizes = (f"{x.shape[0]} × {x.shape[1]}" for x in (first, matrix))
            raise InputError(Sentence("two_of_one_name", name=matrix.name, first=next(sizes), other=next(sizes)))


def check_products(expression: Basic) -> None:
    """SymPy accepts a product of symbolic sizes that differ in silence; here it is refused, with both named."""
    if isinstance(expression, MatMul):
        factors = [a for a in expression.args if is_matrix(a)]
        for a, b in pairwise(factors):
            require_size(a.shape[1], b.shape[0], columns_of(a), rows_of(b))
    elif isinstance(expression, MatAdd):
        first, *others = expression.args
        for other in others:
            require_shape(first, other)
    elif isinstance(expression, Node):
        return  # it checked itself when it was made
    for argument in expression.args:
        if is_matrix(argument):
            check_products(argument)


class _Side:
    """rows(Q) or columns(Q), spelled only if an error says it: SymPy takes milliseconds to print a product."""

    def __init__(self, side: str, matrix: Any) -> None:
        self.side, self.matrix = side, matrix

    def __str__(self) -> str:
        return f"{self.side}({self.matrix})"


def rows_of(matrix: Any) -> _Side:
    """What the number of rows of a matrix is called."""
    return _Side("rows", matrix)


def columns_of(matrix: Any) -> _Side:
    """What the number of columns of a matrix is called."""
    return _Side("columns", matrix)


def entry(matrix: Any, i: Any, j: Any) -> Expr:
    """Entry (i, j); products become sums over k, l, ... (SymPy's own bound names all read the same)."""
    if isinstance(matrix, MatMul):
        factor, matrices = matrix.as_coeff_matrices()
        left, rest = matrices[0], matrices[1:]
        if not rest:
            return cast(Expr, factor * entry(left, i, j))
        right = MatMul(*rest) if len(rest) > 1 else rest[0]
        avoid = (matrix, as_sympy(i), as_sympy(j))
        return cast(
            Expr,
            factor * sum_over_row(lambda k: entry(left, i, k) * entry(right, k, j), left.shape[1], avoid),
        )
    if isinstance(matrix, MatAdd):
        return sympy.Add(*[entry(a, i, j) for a in matrix.args])
    if isinstance(matrix, Transpose):
        return entry(matrix.arg, j, i)
    return cast(Expr, matrix[i, j])


def sum_over_row(term: Callable[[Any], Expr], count: Expr, avoid: Sequence[Basic]) -> Expr:
    """term(0) + ... + term(count - 1): written out for a number, a Sum over a fresh k for a symbol."""
    count = as_sympy(count)
    if count.is_Integer:
        return sympy.Add(*[term(k) for k in range(int(count))])
    taken = {str(s) for a in avoid for s in getattr(a, "free_symbols", ())}
    name = next(n for n in ("k", "l", "k_1", "l_1", "k_2", "l_2", "k_3", "l_3", "k_4") if n not in taken)
    k = Symbol(name, integer=True, nonnegative=True)
    return sympy.Sum(without_piecewise(term(k)), (k, 0, count - 1))
