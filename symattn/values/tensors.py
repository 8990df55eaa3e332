"""Small matrices of Arb balls at which printed formulas are tried: every entry is proven to lie in its ball.

A number is a tensor of shape (); vectors are matrices of one row or one column. What does not fit raises `MisfitError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from flint import arb, arb_mat, fmpq

from symattn.values.enclosures import raised, whole_of
from symattn.values.functions import OF_ALL, OF_EACH

BITS = 240  # of working precision: use `symattn.values.balls.precision(BITS)`
CLOSE = 120  # bits to which equal sides agree


class MisfitError(Exception):
    """Shapes that do not fit: what was done, and the two shapes."""

    def __init__(self, operation: str, *shapes: tuple[int, ...]) -> None:
        super().__init__(operation, *shapes)
        self.operation, self.shapes = operation, shapes


@dataclass(frozen=True)
class Tensor:
    """A number, or a matrix row by row.

    >>> a = Tensor.of([[1, 2], [3, 4]])
    >>> (a @ a.turned()).shape, close(a.turned().turned(), a)
    ((2, 2), True)
    """

    shape: tuple[int, ...]
    entries: tuple[arb, ...]

    @staticmethod
    def number(value: Fraction | int) -> Tensor:
        return Tensor((), (_ball(value),))

    @staticmethod
    def of(rows: Sequence[Sequence[Fraction | int]]) -> Tensor:
        return Tensor((len(rows), len(rows[0])), tuple(_ball(x) for row in rows for x in row))

    @staticmethod
    def infinity(sign: int) -> Tensor:
        return Tensor((), (arb.pos_inf() if sign > 0 else arb.neg_inf(),))

    @staticmethod
    def pi() -> Tensor:
        return Tensor((), (arb.pi(),))

    @staticmethod
    def identity(size: int) -> Tensor:
        return Tensor.of([[int(i == j) for j in range(size)] for i in range(size)])

    @staticmethod
    def full(shape: tuple[int, ...], value: int) -> Tensor:
        return Tensor(shape, (arb(value),) * (reduce(lambda a, b: a * b, shape, 1)))

    # --- parts

    @property
    def is_number(self) -> bool:
        return all(size == 1 for size in self.shape)

    @property
    def is_vector(self) -> bool:
        return len(self.shape) == 2 and 1 in self.shape

    @property
    def rows(self) -> int:
        return self.shape[0] if self.shape else 1

    @property
    def columns(self) -> int:
        return self.shape[1] if self.shape else 1

    def at(self, i: int, j: int) -> Tensor:
        if not (0 <= i < self.rows and 0 <= j < self.columns):
            raise MisfitError("entry", self.shape, (i + 1, j + 1))
        return Tensor((), (self.entries[i * self.columns + j],))

    def block(self, rows: Sequence[int], columns: Sequence[int]) -> Tensor:
        found = tuple(self.at(i, j).entries[0] for i in rows for j in columns)
        return Tensor((len(rows), len(columns)), found)

    def row(self, i: int) -> Tensor:
        return self.block([i], range(self.columns))

    def column(self, j: int) -> Tensor:
        return self.block(range(self.rows), [j])

    def turned(self) -> Tensor:
        """The transpose."""
        if not self.shape:
            return self
        found = tuple(self.entries[i * self.columns + j] for j in range(self.columns) for i in range(self.rows))
        return Tensor((self.columns, self.rows), found)

    def diagonal(self) -> Tensor:
        """diag(v): the entries of a vector on the diagonal of a matrix; of a matrix its diagonal, as a column."""
        if self.is_vector or not self.shape:
            n = len(self.entries)
            zero = arb(0)
            return Tensor((n, n), tuple(self.entries[i] if i == j else zero for i in range(n) for j in range(n)))
        if self.rows != self.columns:
            raise MisfitError("diag", self.shape)
        return Tensor((self.rows, 1), tuple(self.entries[i * self.columns + i] for i in range(self.rows)))

    # --- arithmetic

    def _pair(self, other: Tensor, operation: str, combine: Callable[[arb, arb], arb]) -> Tensor:
        """Entry by entry; a number, a column or a row beside a matrix is repeated."""
        if self.shape == other.shape:
            return Tensor(self.shape, tuple(combine(x, y) for x, y in zip(self.entries, other.entries, strict=True)))
        if not other.shape:
            return Tensor(self.shape, tuple(combine(x, other.entries[0]) for x in self.entries))
        if not self.shape:
            return Tensor(other.shape, tuple(combine(self.entries[0], y) for y in other.entries))
        rows, columns = (max(a, b) for a, b in zip(self.shape, other.shape, strict=True))
        for tensor in (self, other):
            if tensor.rows not in (1, rows) or tensor.columns not in (1, columns):
                raise MisfitError(operation, self.shape, other.shape)
        if (rows, columns) not in (self.shape, other.shape):
            raise MisfitError(operation, self.shape, other.shape)  # a column beside a row makes no matrix here
        a, b = self._spread(rows, columns), other._spread(rows, columns)
        return Tensor((rows, columns), tuple(combine(x, y) for x, y in zip(a.entries, b.entries, strict=True)))

    def _spread(self, rows: int, columns: int) -> Tensor:
        return self.block([i % self.rows for i in range(rows)], [j % self.columns for j in range(columns)])

    def __add__(self, other: Tensor) -> Tensor:
        return self._pair(other, "+", lambda x, y: x + y)

    def __sub__(self, other: Tensor) -> Tensor:
        return self._pair(other, "-", lambda x, y: x - y)

    def __mul__(self, other: Tensor) -> Tensor:
        """Entry by entry."""
        return self._pair(other, "⊙", lambda x, y: x * y)

    def __truediv__(self, other: Tensor) -> Tensor:
        if any(y.contains(0) for y in other.entries):
            raise ZeroDivisionError
        return self._pair(other, "/", lambda x, y: x / y)

    def __neg__(self) -> Tensor:
        return self.map(lambda x: -x)

    def __matmul__(self, other: Tensor) -> Tensor:
        if not self.shape or not other.shape:
            return self * other
        if self.columns != other.rows:
            raise MisfitError("product", self.shape, other.shape)
        a = [self.entries[i * self.columns : (i + 1) * self.columns] for i in range(self.rows)]
        b = [other.entries[j :: other.columns] for j in range(other.columns)]
        found = tuple(sum((x * y for x, y in zip(row, column, strict=True)), arb(0)) for row in a for column in b)
        return Tensor((self.rows, other.columns), found)

    def inverse(self) -> Tensor:
        if not self.shape:
            return Tensor.number(1) / self
        if self.rows != self.columns:
            raise MisfitError("inverse", self.shape)
        n = self.rows
        found = arb_mat(n, n, list(self.entries)).inv()
        return Tensor((n, n), tuple(found[i, j] for i in range(n) for j in range(n)))

    def map(self, function: Callable[[arb], arb]) -> Tensor:
        return Tensor(self.shape, tuple(map(function, self.entries)))

    def raised(self, exponent: Fraction) -> Tensor:
        """Entry by entry to a rational power."""
        if exponent.denominator == 1:
            if exponent < 0 and any(x.contains(0) for x in self.entries):
                raise ZeroDivisionError
            return self.map(lambda x: raised(x, arb(int(exponent))))
        return self.apply("log").map(lambda x: (x * _ball(exponent)).exp())

    # --- along rows

    def fold(self, axis: int, name: str) -> Tensor:
        """Sum, mean, variance, largest or norm of each row (axis 1) or column (axis 0): a column or a row."""
        if axis == 0:
            return self.turned().fold(1, name).turned()
        found = []
        for i in range(self.rows):
            found.append(_FOLDS[name](self.entries[i * self.columns : (i + 1) * self.columns]))
        return Tensor((self.rows, 1), tuple(found))

    def total(self, name: str = "sum") -> Tensor:
        """The same of all entries: a number."""
        return Tensor((), (_FOLDS[name](self.entries),))

    def softmax(self, axis: int) -> Tensor:
        """Of each row (axis 1) or column (axis 0); −∞ gets the weight 0."""
        if axis == 0:
            return self.turned().softmax(1).turned()
        powers = self.apply("exp")
        return powers / powers.fold(1, "sum")

    def apply(self, name: str) -> Tensor:
        """A function of each entry, by its name in `ENTRYWISE`."""
        return self.map(ENTRYWISE[name])

    # --- looking

    def whole(self) -> int | None:
        """The integer that a number is, if it is one."""
        return whole_of(self.entries[0]) if self.is_number else None

    @property
    def finite(self) -> bool:
        return all(x.is_finite() for x in self.entries)

    def __str__(self) -> str:
        if not self.shape:
            return _show(self.entries[0])
        rows = [self.entries[i * self.columns : (i + 1) * self.columns] for i in range(self.rows)]
        return "[" + ", ".join("[" + ", ".join(map(_show, row)) + "]" for row in rows) + "]"


def join(parts: Iterable[Tensor], axis: int) -> Tensor:
    """Matrices side by side (axis 1) or below each other (axis 0)."""
    tensors = [t if t.shape else Tensor((1, 1), t.entries) for t in parts]
    if axis == 0:
        return join([t.turned() for t in tensors], 1).turned()
    rows = tensors[0].rows
    for tensor in tensors:
        if tensor.rows != rows:
            raise MisfitError("concat", tensors[0].shape, tensor.shape)
    found = [x for i in range(rows) for t in tensors for x in t.entries[i * t.columns : (i + 1) * t.columns]]
    return Tensor((rows, sum(t.columns for t in tensors)), tuple(found))


def largest(a: Tensor, b: Tensor) -> Tensor:
    """The larger of two, entry by entry."""
    return a._pair(b, "max", lambda x, y: x.max(y))


def close(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors of one shape agree to 120 bits; a number may stand for a matrix of one entry."""
    if a.shape != b.shape and not (a.is_number and b.is_number):
        return False
    return all(_close(x, y) for x, y in zip(a.entries, b.entries, strict=True))


def apart(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors are proven to differ: in shape, or in an entry."""
    if a.shape != b.shape and not (a.is_number and b.is_number):
        return True
    return any(_apart(x, y) for x, y in zip(a.entries, b.entries, strict=True))


def _close(x: arb, y: arb) -> bool:
    if not (x.is_finite() and y.is_finite()):
        return bool(x == y)
    return bool((x - y).abs_upper() < arb(2) ** -CLOSE * (1 + x.abs_upper()))


def _apart(x: arb, y: arb) -> bool:
    if not (x.is_finite() and y.is_finite()):
        return not (x.is_nan() or y.is_nan()) and bool(x != y)
    return not (x - y).contains(0)


def _ball(value: Fraction | int) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


_SHOWN_WHOLE = arb(10) ** 15


def _show(x: arb) -> str:
    """A number in at most five digits."""
    if not x.is_finite():
        return "nan" if x.is_nan() else "-∞" if x < 0 else "∞"
    whole = whole_of(x) if abs(x) < _SHOWN_WHOLE else None  # of e^(10^9) it would be written out
    if whole is not None and x.rad() < arb(2) ** -CLOSE:
        return str(whole)
    return str(x.str(5, radius=False))


_FOLDS: dict[str, Callable[[Sequence[arb]], arb]] = {
    **{name: OF_ALL[name] for name in ("sum", "mean", "max", "min", "norm")},
    "variance": OF_ALL["var"],
    "square": lambda row: sum((x * x for x in row), arb(0)),
}


def _exp(x: arb) -> arb:
    return x.exp() if x.is_finite() or x > 0 or x.is_nan() else arb(0)


ENTRYWISE: dict[str, Callable[[arb], arb]] = {
    **{name: OF_EACH[name] for name in ("log", "sin", "cos", "abs", "sigmoid", "silu", "gelu", "gelu_tanh")},
    "exp": _exp,
    "sqrt": arb.sqrt,
    "tanh": arb.tanh,
    "erf": arb.erf,
    "relu": lambda x: x.max(arb(0)),
    "elu": lambda x: x if x > 0 else _exp(x) - 1,
    "elu1": lambda x: x + 1 if x > 0 else _exp(x),
    "floor": arb.floor,
    "ceil": arb.ceil,
}
__all__ = ["BITS", "ENTRYWISE", "MisfitError", "Tensor", "apart", "close", "join", "largest"]
