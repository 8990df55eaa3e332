"""Exact values: every step in closed form, nothing rounded and nothing simplified.

Five forms, the cheapest that holds the value: a matrix of Surds; rows of exponentials over one denominator each
(what softmax makes, and what comes of it by products with known matrices) and sums of such; sums of
fractions of exponentials (gradients); else plain SymPy entries. What would be longer than anyone reads is not written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cmp_to_key
from typing import Any

from sympy import Expr, ImmutableDenseMatrix, Lambda, S

from symattn.errors import InputError, NotSupportedError
from symattn.nodes import Keep, find_threshold
from symattn.values.exact.closed_form import Form
from symattn.values.exact.entries import LONGEST, Entries, is_too_long, makes_vast_power
from symattn.values.exact.exponential_fractions import Fractions
from symattn.values.exact.exponents import Exponents
from symattn.values.exact.forms import ExponentialRows, RowSums
from symattn.values.exact.signs import sign_of
from symattn.values.exact.surd_matrices import SurdMatrix, ones, surd_column
from symattn.values.exact.surds import Surd
from symattn.values.exact.unwritten import Unwritten
from symattn.writing.prose import Sentence

Operation = Callable[..., Form | None]


def _cheapest_of(operation: str, matrices: int = 1) -> Callable[..., Form]:
    """A method: the operation on so many matrices, by what else is given."""

    def carry_out(numbers: ExactNumbers, *given: Any) -> Form:
        return numbers.cheapest(operation, *given[:matrices], by=given[matrices:])

    return carry_out


class ExactNumbers:
    """The operations of the nodes on exact matrices."""

    def __init__(self) -> None:
        self.exponents = Exponents()
        self._without_form: dict[int, tuple[Form, Unwritten]] = {}  # the value itself, so that no other takes its id

    def _unwritten(self, value: Form) -> Unwritten:
        """A value without its closed form: the same each time, so that x − x is 0 whatever x went through."""
        if id(value) not in self._without_form:
            self._without_form[id(value)] = value, Unwritten.of(value)
        return self._without_form[id(value)][1]

    def cheapest(self, operation: str, *operands: Form, by: Sequence[Any] = ()) -> Form:
        """An operation in the operands' own form, in fractions of exponentials, or in SymPy's entries."""
        own = _OWN.get((operation, *map(type, operands)))
        made = None if own is None else own(*operands, *by)
        if made is None and operation in _IN_FRACTIONS:
            fractions = [Fractions.of(a, self.exponents) for a in operands]
            if None not in fractions:
                made = _IN_FRACTIONS[operation](*fractions, *by)
        if made is None:
            entries = [_in_entries(a) for a in operands]
            long = None in entries or is_too_long(operation, [a for a in entries if a is not None])
            form, values = (Unwritten, [self._unwritten(a) for a in operands]) if long else (Entries, entries)
            done: Form = getattr(form, operation)(*values, *by)
            return done
        return made

    def given(self, rows: Sequence[Sequence[Expr]]) -> Form:
        return SurdMatrix.read(rows) or Entries(ImmutableDenseMatrix(rows))

    transpose = _cheapest_of("transpose")
    matmul = _cheapest_of("matmul", 2)
    add = _cheapest_of("add", 2)
    times = _cheapest_of("times", 2)
    scale = _cheapest_of("scale")
    add_row = _cheapest_of("add_row", 2)
    subtract_column = _cheapest_of("subtract_column", 2)
    divide_rows = _cheapest_of("divide_rows", 2)
    exp = _cheapest_of("exp")
    tanh = _cheapest_of("tanh")
    row_max = _cheapest_of("largest")
    softmax = _cheapest_of("softmax")
    hide = _cheapest_of("hide")

    def row_sum(self, a: Form) -> Form:
        return self.matmul(a, ones(a.shape[1], 1))

    def threshold(self, a: Form, power: int) -> Form:
        """By comparisons of closed forms; where these are too long to be written, so is the threshold."""
        entries = _in_entries(a)
        if entries is None:
            return self._unwritten(a).largest()
        rows = enumerate(entries.matrix.tolist())
        return self.given([[_threshold(row, i, power)] for i, row in rows])

    def keep_largest(self, a: Form, count: int) -> Form:
        """By comparisons of closed forms. Raises NotSupportedError where these are too long to be written."""
        entries = _in_entries(a)
        if entries is None:
            raise NotSupportedError(Sentence("order_unknown"))
        kept = {(i, j) for i, row in enumerate(entries.matrix.tolist()) for j in _first(row, count)}
        return self.hide(a, lambda i, j: (i, j) in kept)

    def fill_rows(self, a: Form, rows: Sequence[int], value: Expr) -> Form:
        return self.cheapest("fill_rows", a, by=[rows, value]) if rows else a

    def block(self, a: Form, rows: range, columns: range) -> Form:
        return a.block(rows, columns)

    def empty_rows(self, a: Form) -> list[int]:
        return a.empty_rows()

    def keep(self, mask: Form) -> Keep:
        matrix = mask.to_sympy()
        if any(x not in (0, 1) for x in matrix.flat()):
            raise InputError(Sentence("mask_entries"))
        return lambda i, j: bool(matrix[i, j] == 1)

    def each(self, a: Form, formula: Lambda) -> Form:
        entries = _in_entries(a)
        if entries is None or is_too_long("each", [entries]):
            return self._unwritten(a).each(formula)
        rows = [[(x, i, j) for j, x in enumerate(row)] for i, row in enumerate(entries.matrix.tolist())]
        if any(makes_vast_power(formula, at) for row in rows for at in row):
            return self._unwritten(a).each(formula)
        return self.given([[_number(formula, *at) for at in row] for row in rows])

    def concat(self, parts: Sequence[Form]) -> Form:
        if len(parts) == 1:
            return parts[0]
        averages = [p for p in parts if isinstance(p, ExponentialRows) and not p.filled]
        if len(averages) == len(parts):
            return RowSums.side_by_side(averages)
        entries = [_in_entries(p) for p in parts]
        if None in entries:
            return Unwritten.side_by_side([self._unwritten(part) for part in parts])
        return self.given(ImmutableDenseMatrix.hstack(*[e.matrix for e in entries if e is not None]).tolist())


def _in_entries(a: Form) -> Entries | None:
    """The same as SymPy's expressions; None where these would be too long."""
    if isinstance(a, Entries):
        return a
    return None if not a.is_written or a.is_long(LONGEST) else Entries(a.to_sympy())


def _number(formula: Lambda, x: Expr, i: int, j: int) -> Expr:
    """formula(x, i, j), which must be a real number or −∞ (NaN stays what it is)."""
    if x is S.NaN:
        return x
    value = formula(x, i, j)
    if value is not S.NegativeInfinity and (value.free_symbols or not value.is_finite or value.is_real is False):
        raise InputError(Sentence("no_number_here", formula=formula.expr, row=i + 1, column=j + 1, value=value))
    return value


def _first(row: Sequence[Expr], count: int) -> list[int]:
    """The places of the largest numbers of a row, of equal ones the first."""

    def compare(i: int, j: int) -> int:
        if S.NegativeInfinity in (row[i], row[j]):
            return (row[i] is S.NegativeInfinity) - (row[j] is S.NegativeInfinity)
        return sign_of(row[j] - row[i])

    return sorted(range(len(row)), key=cmp_to_key(compare))[:count]


def _threshold(row: Sequence[Expr], i: int, power: int) -> Expr:
    try:
        return find_threshold(row, power, sign_of).value
    except InputError:
        raise InputError(Sentence("empty_row", row=i + 1)) from None


def _finite(operation: Operation) -> Operation:
    """The operation where no operand has −∞ in it."""
    return lambda *operands: None if any(a.hidden for a in operands) else operation(*operands)


def _scaled(a: SurdMatrix, factor: Expr) -> SurdMatrix | None:
    surd = Surd.read(factor)
    return a.scale(surd) if surd is not None and (not a.hidden or surd.sign() > 0) else None


def _scaled_fractions(a: Fractions, factor: Expr) -> Fractions | None:
    surd = Surd.read(factor)
    return None if surd is None else a.scale(surd)


def _quotients(a: SurdMatrix, column: SurdMatrix) -> Form:
    quotients = Entries(a.to_sympy()).divide_rows(Entries(column.to_sympy())).matrix
    return SurdMatrix.read(quotients.tolist()) or Entries(quotients)


def _largest(a: SurdMatrix) -> SurdMatrix:
    found = []
    for i, top in enumerate(a.row_max()):
        if top is None:
            raise InputError(Sentence("empty_row", row=i + 1))
        found.append(top)
    return surd_column(found)


def _softmax(a: SurdMatrix) -> ExponentialRows:
    """It does not change when the row's largest is subtracted, and reads best so."""
    return ExponentialRows(a.subtract_column(_largest(a)), None, True)


def _filled(a: SurdMatrix, rows: Sequence[int], value: Expr) -> SurdMatrix | None:
    surd = Surd.read(value)
    return None if surd is None else a.fill_rows(rows, surd)


_AVERAGES = (ExponentialRows, RowSums)
# what operands make in a form that is cheaper than fractions of exponentials; None where their result has none
_OWN: Mapping[tuple[object, ...], Operation] = {
    ("transpose", SurdMatrix): SurdMatrix.transpose,
    ("matmul", SurdMatrix, SurdMatrix): _finite(SurdMatrix.matmul),
    ("matmul", ExponentialRows, SurdMatrix): _finite(ExponentialRows.matmul),
    ("matmul", RowSums, SurdMatrix): _finite(RowSums.matmul),
    ("add", SurdMatrix, SurdMatrix): SurdMatrix.add,
    **{("add", a, b): RowSums.add for a in _AVERAGES for b in _AVERAGES},
    ("times", SurdMatrix, SurdMatrix): _finite(SurdMatrix.times),
    ("scale", SurdMatrix): _scaled,
    ("add_row", SurdMatrix, SurdMatrix): SurdMatrix.add_row,
    ("add_row", ExponentialRows, SurdMatrix): ExponentialRows.add_row,
    ("subtract_column", SurdMatrix, SurdMatrix): SurdMatrix.subtract_column,
    ("divide_rows", SurdMatrix, SurdMatrix): _quotients,
    ("divide_rows", ExponentialRows, ExponentialRows): ExponentialRows.divide_rows,
    ("exp", SurdMatrix): lambda a: ExponentialRows(a, None, False),
    ("largest", SurdMatrix): _largest,
    ("softmax", SurdMatrix): _softmax,
    ("hide", SurdMatrix): SurdMatrix.hide,
    ("fill_rows", SurdMatrix): _filled,
    ("fill_rows", ExponentialRows): ExponentialRows.fill_rows,
}
_IN_FRACTIONS: Mapping[str, Operation] = {
    "transpose": Fractions.transpose,
    "matmul": Fractions.matmul,
    "add": Fractions.add,
    "times": Fractions.times,
    "scale": _scaled_fractions,
    "add_row": Fractions.add_row,
    "subtract_column": Fractions.subtract_column,
    "divide_rows": Fractions.divide_rows,
}
