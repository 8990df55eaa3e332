"""Learned biases by relative position: every pair of query and key takes the number of its bucket from a table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import reduce
from typing import Any

import sympy
from sympy import Basic, Expr, Integer, Piecewise, S, Tuple

from symattn.errors import InputError
from symattn.nodes.boxes import Call
from symattn.nodes.node import (
    At,
    M,
    Node,
    Numbers,
    Sizes,
    as_matrix,
    as_number,
    columns_of,
    entry,
    require_size,
    rows_of,
    shape_of,
)
from symattn.writing.document import Box, Formula
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy

MOST_BUCKETS = 10_000


class Buckets(Basic):  # type: ignore[misc]
    """Which number of a table a query and a key take."""

    @property
    def count(self) -> int:
        """How many numbers there are."""
        raise NotImplementedError

    def of(self, i: int, j: int) -> int:
        """The bucket of query i and key j, all counted from 0."""
        raise NotImplementedError

    def chosen(self, i: Any, j: Any, number: Callable[[Any], Expr]) -> Expr:
        """The number of the bucket of letters i and j."""
        raise NotImplementedError


class DistanceBuckets(Buckets):
    """Buckets of r = i + offset − j: bucket b begins at the distance starts_b, bucket 0 has those before the first.

    With `both`, keys ahead of the query have as many buckets again, by −r; without it they have bucket 0. Raises
    InputError for starts that are no whole numbers in order from 1 on.

    >>> [DistanceBuckets((1, 3)).of(i, 0) for i in range(5)], DistanceBuckets((1, 3), both=True).of(0, 2)
    ([0, 1, 1, 2, 2], 4)
    """

    def __new__(cls, starts: Any, both: Any = False, offset: Any = 0) -> Any:
        known: list[Any] = [as_number(x) for x in starts] if isinstance(starts, Collection | Tuple) else []
        good = 0 < len(known) <= MOST_BUCKETS and all(x is not None and x.is_Integer and x > 0 for x in known)
        if not good or known != sorted(known):
            raise InputError(Sentence("bad_buckets", given=str(starts)[:60]))
        first = as_number(offset)
        if first is None or first.is_integer is False:
            raise InputError(Sentence("not_an_integer", name="offset"))
        if both not in (True, False):
            raise InputError(Sentence("not_true_or_false", name="both"))
        return super().__new__(cls, Tuple(*known), as_sympy(bool(both)), first)

    @property
    def both(self) -> bool:
        return bool(self.args[1])

    @property
    def count(self) -> int:
        return (len(self.args[0]) + 1) * (2 if self.both else 1)

    def of(self, i: int, j: int) -> int:
        starts, r = self.args[0], int(i + self.args[2] - j)
        ahead = self.both and r < 0
        return sum(1 for s in starts if s <= (-r if ahead else r)) + (len(starts) + 1 if ahead else 0)

    def chosen(self, i: Any, j: Any, number: Callable[[Any], Expr]) -> Expr:
        starts, r = self.args[0], i + self.args[2] - j
        behind = [(number(b), r < s) for b, s in enumerate(starts)]
        half = len(starts) + 1
        ahead = [(number(half + len(starts) - k), r <= -s) for k, s in enumerate(reversed(starts))] if self.both else []
        ahead += [(number(half), r < 0)] if self.both else []
        return Piecewise(*ahead, *behind, (number(len(starts)), True))


class GridBuckets(Buckets):
    """Buckets of tokens that stand in rows of a window: one for each pair of distances, down and across.

    Token i stands at y = i // width, x = i % width; b = (y_i − y_j + height − 1)(2 width − 1) + x_i − x_j + width − 1.
    Raises InputError for sizes that are no whole numbers from 1 on. Source: Liu et al. 2021 (Swin), section 3.2.

    >>> GridBuckets(1, 2).of(0, 1), GridBuckets(2, 2).count
    (0, 9)
    """

    def __new__(cls, height: Any, width: Any) -> Any:
        sides = [x for x in map(as_number, (height, width)) if x is not None and x.is_Integer and x > 0]
        if len(sides) < 2 or sides[0] * sides[1] > MOST_BUCKETS:
            raise InputError(Sentence("bad_window", given=f"{height} × {width}"[:60]))
        return super().__new__(cls, *sides)

    @property
    def count(self) -> int:
        height, width = map(int, self.args)
        return (2 * height - 1) * (2 * width - 1)

    def of(self, i: int, j: int) -> int:
        return int(self._number(i, j))

    def chosen(self, i: Any, j: Any, number: Callable[[Any], Expr]) -> Expr:
        return number(self._number(i, j))

    def _number(self, i: Any, j: Any) -> Any:
        height, width = self.args
        return (i // width - j // width + height - 1) * (2 * width - 1) + i % width - j % width + width - 1


def t5_buckets(count: Any, distance: Any = 128, *, both: bool = True, offset: Any = 0) -> Any:
    """T5's buckets: half of them for one distance each, the others for ranges that grow up to `distance`.

    With h buckets for one direction (half of all for `both`) and e = h // 2: b = r for r < e, else
    min(h − 1, e + ⌊(h − e) ln(r/e)/ln(distance/e)⌋), found in whole numbers. Without `both` keys ahead have bucket 0.
    Raises InputError for too few or too many buckets, or a distance that is not above e. Source: Raffel et al. 2020,
    section 2.1, and their program.

    >>> t5_buckets(32).args[0]
    (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91)
    """
    known: list[Any] = [as_number(x) for x in (count, distance)]
    if any(x is None or not x.is_Integer for x in known):
        raise InputError(Sentence("bad_t5_buckets", count=str(count)[:40], distance=str(distance)[:40]))
    count, distance = map(int, known)
    half = count // 2 if both else count
    e = half // 2
    if not 0 < e < distance or count > MOST_BUCKETS or (both and count % 2) or distance > MOST_BUCKETS:
        raise InputError(Sentence("bad_t5_buckets", count=count, distance=distance))
    starts, c = list(range(1, e + 1)), half - e
    bound = e**c  # distance^s e^(c − s), to be reached by r^c: ln(r/e)/ln(distance/e) >= s/c
    for s in range(1, c):
        bound = bound * distance // e
        r = max(starts[-1], int(e * (distance / e) ** (s / c)))  # about where
        while r > starts[-1] and (r - 1) ** c >= bound:
            r -= 1
        while r**c < bound:
            r += 1
        starts.append(r)
    return DistanceBuckets(starts, both, offset)


class RelativeBias(Node):
    """The bias of learned relative positions: RelativeBias(t, n, m, buckets)_ij = t_b, b the bucket of (i, j).

    Shape: (n, m); t is a column with a number for each bucket. Raises ShapeError where it has not as many, or where a
    window has not as many tokens. Sources: Raffel et al. 2020, section 2.1 (DistanceBuckets, by `t5_buckets`); Liu et
    al. 2021, equation 4 (GridBuckets).

    >>> from sympy import Matrix
    >>> RelativeBias(Matrix([5, 6, 7]), 2, 2, GridBuckets(1, 2)).as_explicit()
    Matrix([
    [6, 5],
    [7, 6]])
    """

    def __new__(cls, t: Any, rows: Any, columns: Any, buckets: Any) -> Any:
        t, rows, columns = as_matrix(t, "table"), as_sympy(rows), as_sympy(columns)
        if not isinstance(buckets, Buckets):
            raise InputError(Sentence("bad_buckets", given=str(buckets)[:60]))
        require_size(t.shape[0], Integer(buckets.count), rows_of(t), "the number of buckets")
        require_size(t.shape[1], Integer(1), columns_of(t), "a column")
        require_window(buckets, rows, columns)
        return super().__new__(cls, t, rows, columns, buckets)

    @property
    def buckets(self) -> Any:
        return self.args[3]

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.args[1], self.args[2]

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        buckets = self.buckets
        blanks: dict[str, object] = {"table": self.args[0], "b": sympy.Symbol("b")}
        if isinstance(buckets, GridBuckets):
            return ".window", blanks | {"height": buckets.args[0], "width": buckets.args[1]}
        blanks |= {
            "starts": sympy.FiniteSet(*buckets.args[0]),
            "distance": sympy.Symbol("i") + buckets.args[2] - sympy.Symbol("j"),
        }
        return (".both" if buckets.both else ".behind"), blanks

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        i, j = as_sympy(i), as_sympy(j)
        if i.is_Integer and j.is_Integer and not self.buckets.free_symbols:
            return entry(self.args[0], self.buckets.of(int(i), int(j)), 0)
        made: Expr = self.buckets.chosen(i, j, lambda b: entry(self.args[0], b, 0))
        return made

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        """Column by column, of 0 and 1 that choose from the table."""
        chosen = choices(self.buckets.xreplace(dict(sizes)), *self.lengths(sizes))
        return numbers.concat([numbers.matmul(numbers.given(column), values[0]) for column in chosen])

    def written(self, at: At, i: str, j: str) -> Box | None:
        """t_b, b the bucket of (i, j): its number where these are numbers."""
        known = i.isdigit() and j.isdigit() and not self.buckets.free_symbols
        return at(self.args[0], str(self.buckets.of(int(i) - 1, int(j) - 1) + 1) if known else "b", "")

    def formula(self) -> Box:
        return Call("bucket", (Formula(self.args[0]),))


class BucketSums(Node):
    """The sum over each bucket: BucketSums(G, buckets)_b = Σ G_ij over the (i, j) of bucket b; a column.

    It is the gradient of a table by the gradient of the bias that is made of it. Raises ShapeError where a window has
    not as many tokens as G has rows and columns.

    >>> from sympy import Matrix
    >>> BucketSums(Matrix([[1, 2], [3, 4]]), GridBuckets(1, 2)).as_explicit()
    Matrix([
    [2],
    [5],
    [3]])
    """

    def __new__(cls, G: Any, buckets: Any) -> Any:
        G = as_matrix(G, "G")
        require_window(buckets, *G.shape)
        return super().__new__(cls, G, buckets)

    @property
    def buckets(self) -> Any:
        return self.args[1]

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return Integer(self.buckets.count), S.One

    def _entry(self, i: Any, _j: Any, **_: object) -> Expr:
        n, m = shape_of(self.args[0])
        s, t = sympy.symbols("s t", integer=True, nonnegative=True)
        own = self.buckets.chosen(s, t, lambda b: sympy.Piecewise((1, sympy.Eq(b, i)), (0, True)))
        if n.is_Integer and m.is_Integer:
            pairs = ((a, b) for a in range(int(n)) for b in range(int(m)))
            return sympy.Add(
                *(own.xreplace({s: Integer(a), t: Integer(b)}) * entry(self.args[0], a, b) for a, b in pairs)
            )
        return sympy.Sum(own * entry(self.args[0], s, t), (s, 0, n - 1), (t, 0, m - 1))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        """Column by column."""
        n, m = (int(x.xreplace(dict(sizes))) for x in shape_of(self.args[0]))
        chosen = choices(self.buckets.xreplace(dict(sizes)), n, m)
        return reduce(
            numbers.add,
            (
                numbers.matmul(
                    numbers.transpose(numbers.given(rows)), numbers.block(values[0], range(n), range(j, j + 1))
                )
                for j, rows in enumerate(chosen)
            ),
        )

    def formula(self) -> Box:
        return Call("bucketsum", (Formula(self.args[0]),))


def choices(buckets: Any, n: int, m: int) -> list[list[list[Expr]]]:
    """For each of m keys the rows of 0 and 1 that choose the buckets of n queries."""
    return [[[Integer(buckets.of(i, j) == b) for b in range(buckets.count)] for i in range(n)] for j in range(m)]


def require_window(buckets: Any, rows: Any, columns: Any) -> None:
    """Refuse scores of more or fewer tokens than a window has."""
    if isinstance(buckets, GridBuckets):
        tokens = buckets.args[0] * buckets.args[1]
        for size, side in ((rows, "the number of queries"), (columns, "the number of keys")):
            require_size(size, tokens, side, "the tokens of the window")
