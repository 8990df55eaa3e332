"""Exact values: every step in closed form, nothing rounded and nothing simplified.

Five forms, the cheapest that holds the value: a matrix of Surds; rows of exponentials over one denominator each
(what softmax makes, and what comes of it by products with known matrices) and sums of such; sums of
fractions of exponentials (gradients); else plain SymPy entries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sympy
from sympy import QQ, Expr, ImmutableDenseMatrix, Lambda, S
from sympy.polys.matrices import DomainMatrix

from symattn.errors import InputError, NotSupportedError
from symattn.nodes import Keep
from symattn.values.exact.exponential_field import is_zero
from symattn.values.exact.exponential_fractions import Exponents, Fractions
from symattn.values.exact.forms import Entries, ExponentialRows, RowSums, placing
from symattn.values.exact.into_fractions import as_fractions
from symattn.values.exact.surds import ONE, Surd, SurdMatrix, surd_column
from symattn.writing.prose import Sentence

__all__ = ["Entries", "Exact", "ExactNumbers", "ExponentialRows", "RowSums"]

Exact = SurdMatrix | ExponentialRows | RowSums | Fractions | Entries


class ExactNumbers:
    """The operations of the nodes on exact matrices."""

    def __init__(self) -> None:
        self.exponents = Exponents()

    def _fractions(self, operation: str, *operands: Exact) -> Exact | None:
        """The operation on fractions of exponentials, if every operand is one."""
        made = [as_fractions(a, self.exponents) for a in operands]
        if any(m is None for m in made):
            return None
        first, *others = made
        done: Fractions = getattr(first, operation)(*others)
        return done

    def given(self, rows: Sequence[Sequence[Expr]]) -> Exact:
        return SurdMatrix.read(rows) or Entries(ImmutableDenseMatrix(rows))

    def transpose(self, a: Exact) -> Exact:
        if isinstance(a, SurdMatrix):
            return a.transpose()
        return self._fractions("transpose", a) or Entries(a.to_sympy().T)

    def matmul(self, a: Exact, b: Exact) -> Exact:
        if isinstance(b, SurdMatrix) and not b.hidden:
            if isinstance(a, SurdMatrix) and not a.hidden:
                return a.matmul(b)
            if isinstance(a, ExponentialRows):
                return _times(a, b)
            if isinstance(a, RowSums):
                return RowSums(tuple(_times(part, b) for part in a.parts))
        return self._fractions("matmul", a, b) or _entries(_product(_finite(a), _finite(b)))

    def add(self, a: Exact, b: Exact) -> Exact:
        if isinstance(a, SurdMatrix) and isinstance(b, SurdMatrix):
            return a.add(b)
        sums = _sums(a, b)
        if sums is not None:
            return RowSums(sums)
        return self._fractions("add", a, b) or _entries(a.to_sympy() + b.to_sympy())

    def scale(self, a: Exact, factor: Expr) -> Exact:
        surd = Surd.read(factor)
        if isinstance(a, SurdMatrix) and surd is not None and (not a.hidden or surd.sign() > 0):
            return a.scale(surd)
        made = as_fractions(a, self.exponents)
        if made is not None and surd is not None:
            return made.scale(surd)
        return _entries((a.to_sympy() if factor.is_positive else _finite(a)) * factor)

    def add_row(self, a: Exact, row: Exact) -> Exact:
        if isinstance(row, SurdMatrix):
            if isinstance(a, SurdMatrix):
                return a.add(_repeated_rows(row, a.shape[0]))
            if isinstance(a, ExponentialRows) and a.normalised and a.right is not None and not a.filled:
                # weights sum to 1, so a row added after the product is a row added to what they weigh
                return ExponentialRows(a.logits, a.right.add(_repeated_rows(row, a.right.shape[0])), True)
        if (spread := self._spread(row, a.shape)) is not None and (made := self._fractions("add", a, spread)):
            return made
        matrix, added = a.to_sympy(), row.to_sympy()
        return _entries(ImmutableDenseMatrix(*matrix.shape, lambda i, j: matrix[i, j] + added[0, j]))

    def subtract_column(self, a: Exact, column: Exact) -> Exact:
        if isinstance(a, SurdMatrix) and isinstance(column, SurdMatrix):
            return a.add(_repeated_columns(column.scale(Surd(((1, QQ(-1)),))), a.shape[1]))
        if (spread := self._spread(column, a.shape)) is not None:
            made = self._fractions("add", a, spread.scale(Surd(((1, QQ(-1)),))))
            if made is not None:
                return made
        return self._by_row(a, column, lambda x, y: x - y)

    def divide_rows(self, a: Exact, column: Exact) -> Exact:
        if (
            isinstance(a, ExponentialRows)
            and isinstance(column, ExponentialRows)
            and not a.normalised
            and not column.normalised
            and a.logits == column.logits
            and _is_sum(column)
        ):
            return ExponentialRows(a.logits, a.right, True)
        if (made := self._divided(a, column)) is not None:
            return made
        for i, x in enumerate(column.to_sympy()):
            if x.is_zero or (x.is_zero is None and x.is_positive is None and is_zero(x)):
                raise InputError(Sentence("divided_by_zero", row=i + 1))
        return self._by_row(a, column, lambda x, y: x / y)

    def _spread(self, a: Exact, shape: tuple[int, int]) -> Fractions | None:
        made = as_fractions(a, self.exponents)
        return None if made is None else made.spread(shape)

    def _divided(self, a: Exact, column: Exact) -> Exact | None:
        """Rows over sums of exponentials with rational coefficients."""
        made = as_fractions(column, self.exponents)
        rows = as_fractions(a, self.exponents)
        if made is None or rows is None or isinstance(column, SurdMatrix):
            return None
        ones = Fractions(made.shape, lambda _i, _j: {(): {(0, 1): QQ(1)}}, self.exponents)
        try:
            for i in range(made.shape[0]):
                ones.divide_rows(made).fractions(i, 0)
        except NotSupportedError:
            return None
        return rows.divide_rows(made)

    def _by_row(self, a: Exact, column: Exact, combine: Callable[[Expr, Expr], Expr]) -> Exact:
        matrix, by = a.to_sympy(), column.to_sympy()
        combined = ImmutableDenseMatrix(*matrix.shape, lambda i, j: combine(matrix[i, j], by[i, 0]))
        known = isinstance(a, SurdMatrix) and isinstance(column, SurdMatrix)
        return self.given(combined.tolist()) if known else _entries(combined)

    def exp(self, a: Exact) -> Exact:
        if isinstance(a, SurdMatrix):
            return ExponentialRows(a, None, False)
        return _entries(a.to_sympy().applyfunc(sympy.exp))

    def tanh(self, a: Exact) -> Exact:
        return _entries(_finite(a).applyfunc(sympy.tanh))

    def row_sum(self, a: Exact) -> Exact:
        ones = DomainMatrix.ones((a.shape[1], 1), QQ)
        return self.matmul(a, SurdMatrix({1: ones}, (a.shape[1], 1)))

    def row_max(self, a: Exact) -> Exact:
        if isinstance(a, SurdMatrix):
            return surd_column(_shown_max(a))
        matrix = a.to_sympy()
        return _entries(ImmutableDenseMatrix([[sympy.Max(*matrix.row(i))] for i in range(matrix.rows)]))

    def hide(self, a: Exact, keep: Keep) -> Exact:
        if isinstance(a, SurdMatrix):
            return a.hide(keep)
        matrix = a.to_sympy()
        shown = ImmutableDenseMatrix(
            *matrix.shape, lambda i, j: matrix[i, j] if keep(int(i), int(j)) else S.NegativeInfinity
        )
        return _entries(shown)

    def keep(self, mask: Exact) -> Keep:
        matrix = mask.to_sympy()
        if any(x not in (0, 1) for x in matrix.flat()):
            raise InputError(Sentence("mask_entries"))
        return lambda i, j: bool(matrix[i, j] == 1)

    def softmax(self, a: Exact) -> Exact:
        if isinstance(a, SurdMatrix):
            # softmax does not change when the row's maximum is subtracted, and reads best so
            top = surd_column(_shown_max(a)).scale(Surd(((1, QQ(-1)),)))
            return ExponentialRows(a.add(_repeated_columns(top, a.shape[1])), None, True)
        matrix = a.to_sympy()
        for i in range(matrix.rows):
            if all(x is S.NegativeInfinity for x in matrix.row(i)):
                raise InputError(Sentence("empty_row", row=i + 1))
        powers = matrix.applyfunc(sympy.exp)
        totals = [sympy.Add(*powers.row(i)) for i in range(powers.rows)]
        weights = [[x / total if x else x for x in powers.row(i)] for i, total in enumerate(totals)]
        return _entries(ImmutableDenseMatrix(weights))

    def times(self, a: Exact, b: Exact) -> Exact:
        if isinstance(a, SurdMatrix) and isinstance(b, SurdMatrix) and not a.hidden | b.hidden:
            return a.times(b)
        if (made := self._fractions("times", a, b)) is not None:
            return made
        return _entries(_finite(a).multiply_elementwise(_finite(b)))

    def each(self, a: Exact, formula: Lambda) -> Exact:
        matrix = a.to_sympy()
        rows = [[_number(formula, matrix[i, j], i, j) for j in range(matrix.cols)] for i in range(matrix.rows)]
        return self.given(rows)

    def block(self, a: Exact, rows: range, columns: range) -> Exact:
        if isinstance(a, SurdMatrix):
            return a.block(rows, columns)
        if isinstance(a, ExponentialRows):
            return _block(a, rows, columns)
        if isinstance(a, RowSums):
            return RowSums(tuple(_block(part, rows, columns) for part in a.parts))
        if isinstance(a, Fractions):
            return a.block(rows, columns)
        return _entries(a.matrix[rows.start : rows.stop, columns.start : columns.stop])

    def empty_rows(self, a: Exact) -> list[int]:
        if isinstance(a, SurdMatrix):
            return a.empty_rows()
        if not isinstance(a, Entries):
            return []
        matrix = a.matrix
        return [i for i in range(matrix.rows) if all(x is S.NegativeInfinity for x in matrix.row(i))]

    def fill_rows(self, a: Exact, rows: Sequence[int], value: Expr) -> Exact:
        surd = Surd.read(value)
        if not rows:
            return a
        if isinstance(a, SurdMatrix) and surd is not None:
            return a.fill_rows(rows, surd)
        if isinstance(a, ExponentialRows) and (value == 0 or value is S.NaN):
            return ExponentialRows(a.logits, a.right, a.normalised, {**a.filled, **dict.fromkeys(rows, value)})
        matrix = a.to_sympy()
        return _entries(ImmutableDenseMatrix(*matrix.shape, lambda i, j: value if i in rows else matrix[i, j]))

    def concat(self, parts: Sequence[Exact]) -> Exact:
        if len(parts) == 1:
            return parts[0]
        averages = [p for p in parts if isinstance(p, ExponentialRows) and not p.filled]
        if len(averages) == len(parts):
            return RowSums.side_by_side(averages)
        return self.given(ImmutableDenseMatrix.hstack(*[p.to_sympy() for p in parts]).tolist())


def _times(a: ExponentialRows, b: SurdMatrix) -> ExponentialRows:
    return ExponentialRows(a.logits, b if a.right is None else a.right.matmul(b), a.normalised, a.filled)


def _block(a: ExponentialRows, rows: range, columns: range) -> ExponentialRows:
    right = placing(a.shape[1], 0, a.shape[1]) if a.right is None else a.right
    whole = a.right is None and len(columns) == a.shape[1]
    return ExponentialRows(
        a.logits.block(rows, range(a.logits.shape[1])),
        None if whole else right.block(range(right.shape[0]), columns),
        a.normalised,
        {i - rows.start: x for i, x in a.filled.items() if i in rows},
    )


def _sums(*parts: Exact) -> tuple[ExponentialRows, ...] | None:
    """The averages that the parts are sums of, if they are and no row of theirs is filled with something else."""
    found = [p for part in parts if isinstance(part, ExponentialRows | RowSums) for p in _parts(part)]
    alike = all(isinstance(part, ExponentialRows | RowSums) for part in parts)
    return tuple(found) if alike and not any(p.filled for p in found) else None


def _parts(a: ExponentialRows | RowSums) -> tuple[ExponentialRows, ...]:
    return a.parts if isinstance(a, RowSums) else (a,)


def _product(a: ImmutableDenseMatrix, b: ImmutableDenseMatrix) -> ImmutableDenseMatrix:
    """a b; SymPy would ask of every product with 0 whether the other factor is finite, which takes seconds."""
    columns = [list(b.col(j)) for j in range(b.cols)]
    return ImmutableDenseMatrix([[_dot(row, column) for column in columns] for row in a.tolist()])


def _dot(row: Sequence[Expr], column: Sequence[Expr]) -> Expr:
    pairs = zip(row, column, strict=True)
    return sympy.Add(*[x * y for x, y in pairs if (x and y) or S.NaN in (x, y)])


def _finite(a: Exact) -> ImmutableDenseMatrix:
    """The matrix, which must have no −∞: a product with it, or a multiple by 0 or less, means nothing."""
    matrix = a.to_sympy()
    for i in range(matrix.rows):
        for j in range(matrix.cols):
            if matrix[i, j] is S.NegativeInfinity:
                raise InputError(Sentence("minus_infinity_here", row=i + 1, column=j + 1))
    return matrix


def _number(formula: Lambda, x: Expr, i: int, j: int) -> Expr:
    """formula(x, i, j), which must be a real number or −∞ (NaN stays what it is)."""
    if x is S.NaN:
        return x
    value = formula(x, i, j)
    if value is not S.NegativeInfinity and (value.free_symbols or not value.is_finite or value.is_real is False):
        raise InputError(Sentence("no_number_here", formula=formula.expr, row=i + 1, column=j + 1, value=value))
    return value


def _entries(matrix: sympy.MatrixBase) -> Exact:
    return Entries(ImmutableDenseMatrix(matrix))


def _shown_max(a: SurdMatrix) -> list[Surd]:
    found = []
    for i, top in enumerate(a.row_max()):
        if top is None:
            raise InputError(Sentence("empty_row", row=i + 1))
        found.append(top)
    return found


def _repeated_rows(row: SurdMatrix, count: int) -> SurdMatrix:
    ones = SurdMatrix({1: DomainMatrix.ones((count, 1), QQ)}, (count, 1))
    spread = ones.matmul(row)
    hidden = frozenset((i, j) for i in range(count) for _, j in row.hidden)
    return SurdMatrix(spread.parts, spread.shape, hidden)


def _repeated_columns(column: SurdMatrix, count: int) -> SurdMatrix:
    return column.matmul(SurdMatrix({1: DomainMatrix.ones((1, count), QQ)}, (1, count)))


def _is_sum(column: ExponentialRows) -> bool:
    right = column.right
    return right is not None and all(right.entry(j, 0) == ONE for j in range(right.shape[0]))
