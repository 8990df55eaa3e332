"""How tokens and their positions become rows: rows of tables, and sines and cosines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy
from sympy import Expr, Integer, Piecewise, S, Tuple
from sympy.printing.precedence import PRECEDENCE

from symattn.errors import InputError
from symattn.nodes.boxes import Call, in_product
from symattn.nodes.layers.layer_norm import Added
from symattn.nodes.node import M, Node, Numbers, Sizes, as_lists, as_matrix, as_number, entry, shape_of
from symattn.writing.document import Box, Formula, Listed, Product
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy

MOST_TOKENS = 100_000


class OneHot(Node):
    """Rows of zeros with one 1 each: OneHot((t_1, …, t_n), count)_ij = [t_i = j], numbers and columns from 0.

    Shape: as many rows as numbers, by `count`. Raises InputError for numbers that are not below it.

    >>> OneHot((1, 0), 3).as_explicit()
    Matrix([
    [0, 1, 0],
    [1, 0, 0]])
    """

    def __new__(cls, numbers: Any, count: Any) -> Any:
        count = as_sympy(count)
        return super().__new__(cls, as_numbers(numbers, count, "columns"), count)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return Integer(len(self.args[0])), self.args[1]

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(map(int, self.args[0]))

    @property
    def required(self) -> tuple[tuple[str, Expr, Expr], ...]:
        return ((">=", self.args[1], 1 + max(self.args[0])),)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return _chosen(self.args[0], i, lambda number: sympy.KroneckerDelta(number, j))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        _, columns = self.lengths(sizes)
        as_numbers(self.args[0], Integer(columns), "columns")
        return numbers.given([[Integer(t == j) for j in range(columns)] for t in self.numbers])

    def formula(self) -> Box:
        return Call("onehot", (Listed(tuple(map(Formula, self.args[0]))),))


class Embedding(Node):
    """A row of a table for each token: Embedding(E, (t_1, …, t_n))_ij = E_(t_i, j), tokens and rows from 0.

    Shape: as many rows as tokens, by the columns of E. Raises InputError for a token that is no row of the table,
    naming its rows. Source: Vaswani et al. 2017, section 3.4.

    >>> from sympy import Matrix
    >>> Embedding(Matrix([[1, 2], [3, 4]]), (1, 1, 0)).as_explicit()
    Matrix([
    [3, 4],
    [3, 4],
    [1, 2]])
    """

    def __new__(cls, E: Any, tokens: Any) -> Any:
        E = as_matrix(E, "E")
        return super().__new__(cls, E, as_numbers(tokens, shape_of(E)[0], f"rows({E})"))

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return Integer(len(self.args[1])), shape_of(self.args[0])[1]

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        return "", {"table": self.args[0]}

    @property
    def chosen(self) -> OneHot:
        """The matrix of 0 and 1 that chooses the rows: the embedding is its product with the table."""
        made: OneHot = OneHot(self.args[1], shape_of(self.args[0])[0])
        return made

    @property
    def required(self) -> tuple[tuple[str, Expr, Expr], ...]:
        return self.chosen.required

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return _chosen(self.args[1], i, lambda number: entry(self.args[0], number, j))

    precedence = PRECEDENCE["Mul"]

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        return numbers.matmul(self.chosen.compute(numbers, [], sizes), values[0])

    def formula(self) -> Box:
        return Product((self.chosen.formula(), in_product(self.args[0])), gaps=(r"\,", " "))


class SinusoidalPositions(Node):
    """Sines and cosines of positions: entry (t, 2k) is sin((t + offset)·base^(−2k/d)), (t, 2k + 1) its cosine.

    Shape: (n, d), d even. Raises InputError for odd d, or a base that is not positive. Source: Vaswani et al. 2017,
    section 3.5.

    >>> SinusoidalPositions(2, 2).as_explicit()
    Matrix([
    [     0,      1],
    [sin(1), cos(1)]])
    """

    def __new__(cls, n: Any, d: Any, base: Any = 10000, offset: Any = 0) -> Any:
        n, d, offset, number = as_sympy(n), as_sympy(d), as_sympy(offset), as_number(base)
        if number is None or number.is_positive is False:
            raise InputError(Sentence("bad_rotary_base", given=str(base)[:60]))
        if d.is_odd:
            raise InputError(Sentence("odd_positions", width=d))
        return super().__new__(cls, n, d, number, offset)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.args[0], self.args[1]

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        t, k = sympy.symbols("t k")
        return "", {"rate": self.args[2] ** (-2 * k / self.args[1]), "position": t, "left": 2 * k, "right": 2 * k + 1}

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        _, d, base, offset = self.args
        angle = (i + offset) * base ** (-2 * (as_sympy(j) // 2) / d)
        return Piecewise((sympy.sin(angle), sympy.Eq(as_sympy(j) % 2, 0)), (sympy.cos(angle), True))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        sized = self.xreplace(dict(sizes))
        rows, columns = (int(size) for size in sized.shape)
        if columns % 2:
            raise InputError(Sentence("odd_positions", width=columns))
        return numbers.given([[sized._entry(Integer(i), Integer(j)) for j in range(columns)] for i in range(rows)])

    def formula(self) -> Box:
        return Call("sinusoidal", tuple(map(Formula, self.shape)))


class LearnedPositions(Node):
    """The first rows of a learned table, one for each position: P_(offset + i, j). Shape: n by the columns of P.

    Raises InputError where the table has too few rows, naming both numbers. Source: Gehring et al. 2017, section 3.1.

    >>> from sympy import Matrix
    >>> LearnedPositions(Matrix([[1, 2], [3, 4], [5, 6]]), 2).as_explicit()
    Matrix([
    [1, 2],
    [3, 4]])
    """

    def __new__(cls, P: Any, n: Any, offset: Any = 0) -> Any:
        P, n, offset = as_matrix(P, "P"), as_sympy(n), as_sympy(offset)
        rows = shape_of(P)[0]
        if (rows - n - offset).is_negative:
            raise InputError(Sentence("table_too_short", rows=rows, needed=n + offset, name=f"rows({P})"))
        return super().__new__(cls, P, n, offset)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.args[1], shape_of(self.args[0])[1]

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.args[0], i + self.args[2], j)

    def formula(self) -> Box:
        return Call("positions", (Formula(self.args[0]),))


class WithPositions(Added):
    """The rows of tokens and those of their positions, added: X + P, written WithPositions(X, P). Shape: that of both.

    Raises ShapeError where they differ. Source: Vaswani et al. 2017, section 3.5.

    >>> from sympy import Matrix
    >>> WithPositions(Matrix([[1, 2]]), Matrix([[10, 20]])).as_explicit()
    Matrix([[11, 22]])
    """


def as_numbers(numbers: Any, count: Expr, what: str) -> Tuple:
    """The canonical form of token numbers, from 0, each below `count` where this is a number."""
    numbers = as_lists(numbers)
    given = list(numbers) if isinstance(numbers, Sequence | Tuple) and not isinstance(numbers, str) else []
    if not 1 <= len(given) <= MOST_TOKENS:
        raise InputError(Sentence("bad_token_numbers", given=str(numbers)[:40]))
    made = []
    for position, x in enumerate(given):
        number = as_number(x)
        if number is None or not number.is_Integer:
            raise InputError(Sentence("bad_token_numbers", given=str(x)[:40]))
        if number.is_negative or (number - count).is_nonnegative:
            raise InputError(Sentence("no_such_row", number=number, position=position + 1, count=count, what=what))
        made.append(number)
    return Tuple(*made)


def _chosen(numbers: Tuple, i: Any, of: Callable[[Any], Expr]) -> Expr:
    """What belongs to number i."""
    i = as_sympy(i)
    if i.is_Integer:
        return of(numbers[int(i)])
    return Piecewise(*[(of(number), sympy.Eq(i, k)) for k, number in enumerate(numbers)], (S.NaN, True))
