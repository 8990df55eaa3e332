"""Values in no better closed form than SymPy's own, entry by entry; never simplified."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import sympy
from sympy import Expr, ImmutableDenseMatrix, Lambda, S, postorder_traversal, preorder_traversal

from symattn.errors import InputError
from symattn.nodes import Keep
from symattn.values.exact.closed_form import Form
from symattn.values.exact.exponential_field import is_zero
from symattn.values.exact.surds import Surd
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy

LONGEST = 4_000  # parts of an expression; a longer one is not written down
MOST_WORK = 20_000  # parts of all expressions together that a function is taken of, which SymPy evaluates first
SHORT = 40  # parts of an expression that is no work
ROOT = 10  # times as much work is the root of a sum
MOST_BITS, SMALL_POWER = 10_000, 64  # of a power of a rational that is written out; one that is not looked at
_FUNCTIONS = ("exp", "tanh", "softmax", "largest", "each")


def _comparable(x: Expr) -> Expr:
    """The same number as one that SymPy compares: it takes none for comparable that is 0 unsimplified.

    >>> s, c = sympy.sin(5), sympy.cos(5)
    >>> _comparable((s - c) * (-c - s) + (s + c) * (s - c))
    0
    """
    return S.Zero if x.is_zero is None and not x.is_comparable and is_zero(x) else x


@dataclass(frozen=True)
class Entries(Form):
    """Entries of any kind, as SymPy expressions, and what the nodes ask of them."""

    matrix: ImmutableDenseMatrix

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.matrix.shape
        return int(rows), int(columns)

    @cached_property
    def hidden(self) -> frozenset[tuple[int, int]]:
        rows = enumerate(self.matrix.tolist())
        return frozenset((i, j) for i, row in rows for j, x in enumerate(row) if x is S.NegativeInfinity)

    def entry(self, i: int, j: int) -> Expr:
        return self.matrix[i, j]

    def closed(self, i: int, j: int) -> Surd | None:
        return Surd.read(self.matrix[i, j])

    def undefined(self, i: int, j: int) -> bool:
        return self.matrix[i, j] is S.NaN

    def is_long(self, room: int) -> bool:
        first = self.matrix.row(0)
        return any(next(islice(preorder_traversal(x), room, None), None) is not None for x in first)

    @cached_property
    def length(self) -> int:
        """How many parts the longest entry has."""
        return self._most(lambda _: 1)

    @cached_property
    def work(self) -> int:
        """As many parts as SymPy goes through for the longest entry; it takes nested roots apart."""
        return self._most(lambda x: ROOT if x.is_Pow and not (x.exp.is_Integer or x.base.is_Rational) else 1)

    def _most(self, times: Callable[[Expr], int]) -> int:
        """The parts of the longest entry, those of each expression so many times, however often it appears."""
        known: dict[Expr, int] = {}
        for top in self.matrix:
            stack = [top]
            while stack:
                x = stack[-1]
                missing = [a for a in x.args if a not in known]
                if missing:
                    stack += missing
                else:
                    known[x] = times(x) * (1 + sum(known[a] for a in x.args))
                    stack.pop()
        return max(known[x] for x in self.matrix)

    def to_sympy(self) -> ImmutableDenseMatrix:
        return self.matrix

    # --- operations

    def transpose(self) -> Entries:
        return Entries(self.matrix.T)

    def matmul(self, other: Entries) -> Entries:
        """SymPy would ask of every product with 0 whether the other factor is finite, which takes seconds."""
        a, b = self.finite(), other.finite()
        columns = [list(b.col(j)) for j in range(b.cols)]
        return Entries(ImmutableDenseMatrix([[_dot(row, column) for column in columns] for row in a.tolist()]))

    def add(self, other: Entries) -> Entries:
        return Entries(self.matrix + other.matrix)

    def times(self, other: Entries) -> Entries:
        """Entry by entry."""
        return Entries(self.finite().multiply_elementwise(other.finite()))

    def scale(self, factor: Expr) -> Entries:
        return Entries((self.matrix if factor.is_positive else self.finite()) * factor)

    def add_row(self, row: Entries) -> Entries:
        return self._each(lambda x, _, j: x + row.matrix[0, j])

    def subtract_column(self, column: Entries) -> Entries:
        return self._each(lambda x, i, _: x - column.matrix[i, 0])

    def divide_rows(self, column: Entries) -> Entries:
        for i, x in enumerate(column.matrix):
            if x.is_zero or (x.is_zero is None and x.is_positive is None and is_zero(x)):
                raise InputError(Sentence("divided_by_zero", row=i + 1))
        return self._each(lambda x, i, _: x / column.matrix[i, 0])

    def exp(self) -> Entries:
        return Entries(self.matrix.applyfunc(sympy.exp))

    def tanh(self) -> Entries:
        return Entries(self.finite().applyfunc(sympy.tanh))

    def largest(self) -> Entries:
        """The largest of each row, as a column."""
        return Entries(ImmutableDenseMatrix([[sympy.Max(*map(_comparable, row))] for row in self.matrix.tolist()]))

    def softmax(self) -> Entries:
        for i in self.empty_rows():
            raise InputError(Sentence("empty_row", row=i + 1))
        powers = self.exp().matrix.tolist()
        totals = [sympy.Add(*row) for row in powers]
        return Entries(
            ImmutableDenseMatrix([
                [x if not x else S.One if x == total else x / total for x in row]  # one alone has all the weight
                for row, total in zip(powers, totals, strict=True)
            ])
        )  # fmt: skip

    def hide(self, keep: Keep) -> Entries:
        return self._each(lambda x, i, j: x if keep(i, j) else S.NegativeInfinity)

    def fill_rows(self, rows: Sequence[int], value: Expr) -> Entries:
        return self._each(lambda x, i, _: value if i in rows else x)

    def block(self, rows: range, columns: range) -> Entries:
        return Entries(ImmutableDenseMatrix(self.matrix[rows.start : rows.stop, columns.start : columns.stop]))

    def finite(self) -> ImmutableDenseMatrix:
        """The matrix, which must have no −∞: a product with it, or a multiple by 0 or less, means nothing."""
        if self.hidden:
            i, j = min(self.hidden)
            raise InputError(Sentence("minus_infinity_here", row=i + 1, column=j + 1))
        return self.matrix

    def _each(self, change: Callable[[Expr, int, int], Expr]) -> Entries:
        rows = enumerate(self.matrix.tolist())
        return Entries(ImmutableDenseMatrix([[change(x, i, j) for j, x in enumerate(row)] for i, row in rows]))


def is_too_long(operation: str, operands: Sequence[Entries]) -> bool:
    """Whether what an operation makes would be too long to write down, or too much work for SymPy."""
    length = sum(a.length for a in operands)
    if operation == "matmul":
        length *= operands[0].shape[1]
    if length > LONGEST:
        return True
    if operation in ("exp", "softmax") and any(_is_vast_power(x) for a in operands for x in a.matrix):
        return True
    functions = operation in _FUNCTIONS and length > SHORT
    return functions and max(a.work * a.shape[0] * a.shape[1] for a in operands) > MOST_WORK


def _is_vast_power(exponent: Expr) -> bool:
    """Whether e to it has too many digits: SymPy makes 3^k of e^(k log 3) and writes it out, however large k is."""
    for term in sympy.Add.make_args(exponent):
        factor, rest = term.as_coeff_Mul(rational=True)
        if any(_is_vast(x.args[0], factor) for x in rest.atoms(sympy.log)):
            return True
    return False


def _is_vast(base: Expr, exponent: Expr) -> bool:
    """Whether a power of a rational has too many digits."""
    if not (base.is_Rational and exponent.is_Rational) or abs(base) in (0, 1):
        return False
    return bool(abs(exponent) * max(abs(base.p), base.q).bit_length() > MOST_BITS)


def makes_vast_power(formula: Lambda, at: Sequence[Any]) -> bool:
    """Whether a power in a formula has too many digits to be written out there.

    >>> z = sympy.Symbol("z")
    >>> [makes_vast_power(sympy.Lambda((z,), 2**z), [sympy.Integer(k)]) for k in (100, 10**9)]
    [False, True]
    """
    known = dict(zip(formula.variables, map(as_sympy, at), strict=True))
    for part in postorder_traversal(formula.expr):  # what is inside is worked out first
        if isinstance(part, sympy.exp) and part.has(sympy.log) and _is_vast_power(part.exp.xreplace(known)):
            return True
        power = part.is_Pow and not (part.exp.is_Rational and abs(part.exp) <= SMALL_POWER)
        if power and _is_vast(part.base.xreplace(known), part.exp.xreplace(known)):
            return True
    return False


def _dot(row: Sequence[Expr], column: Sequence[Expr]) -> Expr:
    pairs = zip(row, column, strict=True)
    return sympy.Add(*[x * y for x, y in pairs if (x and y) or S.NaN in (x, y)])
