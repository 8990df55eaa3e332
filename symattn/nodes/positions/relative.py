"""Scores by relative position: every pair of query and key takes the number of its bucket."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import sympy
from sympy import Expr, Integer, S

from symattn.errors import InputError
from symattn.nodes.boxes import Call
from symattn.nodes.node import (
    At,
    M,
    Node,
    Numbers,
    Sizes,
    as_matrix,
    columns_of,
    entry,
    require_size,
    rows_of,
    shape_of,
    sum_over_row,
)
from symattn.nodes.positions.buckets import Buckets, GridBuckets, TurnedBuckets
from symattn.writing.document import Box, Formula, Style
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy


@dataclass(frozen=True)
class OverBucket:
    """A sum over what is of a bucket: the letters that run, the place (i, j) that is looked at, the bucket."""

    letters: tuple[str, ...]
    place: tuple[str, str]
    bucket: str
    body: Box

    def write(self, style: Style) -> str:
        at = [style.notation.index(x) for x in self.place]
        apart = "," if any(len(x) > 1 for x in at) else ""
        running = ",".join(map(style.notation.index, self.letters))
        place = style.indexed("b", apart.join(at))
        colon = r" :\, " if style.target == "latex" else ": "
        return style.summed(
            f"{running}{colon}{place} = {style.notation.index(self.bucket)}", "", self.body.write(style)
        )


class ByBuckets(Node):
    """What pairs of queries and keys take from a table by their buckets, its last argument."""

    @property
    def buckets(self) -> Any:
        return self.args[-1]

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        buckets, (i, j) = self.buckets, sympy.symbols("i j")
        blanks: dict[str, object] = {"table": self.args[0], "b": sympy.Symbol("b")}
        if isinstance(buckets, TurnedBuckets):
            buckets, i, j = buckets.args[0], j, i
        if isinstance(buckets, GridBuckets):
            ending = ".window" if buckets.axis is None else (".down", ".across")[buckets.axis]
            return ending, blanks | {"height": buckets.args[0], "width": buckets.args[1]}
        starts = buckets.args[0]
        blanks |= {"distance": i + buckets.args[2] - j}
        if buckets.clips:
            return ".clipped", blanks | {"first": starts[0] - 1, "last": starts[-1]}
        return (".both" if buckets.both else ".behind"), blanks | {"starts": sympy.FiniteSet(*starts)}

    def bucket_written(self, i: str, j: str) -> str:
        """The number of the bucket of (i, j), or its letter where these are letters."""
        known = i.isdigit() and j.isdigit() and not self.buckets.free_symbols
        return str(self.buckets.of(int(i) - 1, int(j) - 1) + 1) if known else "b"

    def bucket(self, i: Any, j: Any, number: Any) -> Expr:
        """What `number` makes of the bucket of (i, j)."""
        i, j = as_sympy(i), as_sympy(j)
        if i.is_Integer and j.is_Integer and not self.buckets.free_symbols:
            i, j = int(i), int(j)
            found: Expr = number(self.buckets.of(i, j))
            return found
        made: Expr = self.buckets.chosen(i, j, number)
        return made


class RelativeBias(ByBuckets):
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
        require_buckets(buckets)
        require_size(t.shape[0], Integer(buckets.count), rows_of(t), "the number of buckets")
        require_size(t.shape[1], Integer(1), columns_of(t), "a column")
        require_window(buckets, rows, columns)
        return super().__new__(cls, t, rows, columns, buckets)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.args[1], self.args[2]

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return self.bucket(i, j, lambda b: entry(self.args[0], b, 0))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        """Column by column, of 0 and 1 that choose from the table."""
        chosen = choices(self.buckets.xreplace(dict(sizes)), *self.lengths(sizes))
        return numbers.concat([numbers.matmul(numbers.given(column), values[0]) for column in chosen])

    def written(self, at: At, i: str, j: str) -> Box | None:
        """t_b, b the bucket of (i, j): its number where these are numbers."""
        return at(self.args[0], self.bucket_written(i, j), "")

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
        G, i = self.args[0], as_sympy(i)
        n, m = shape_of(G)

        def own(s: Any, t: Any) -> Any:
            return self.buckets.chosen(
                as_sympy(s), as_sympy(t), lambda b: sympy.Piecewise((1, sympy.Eq(b, i)), (0, True))
            )

        return sum_over_row(
            lambda s: sum_over_row(lambda t: own(s, t) * entry(G, s, t), m, (G, i, as_sympy(s))), n, (G, i)
        )

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

    def written(self, at: At, i: str, j: str) -> Box | None:
        """Σ G_st over the pairs of bucket i."""
        return OverBucket(("s", "t"), ("s", "t"), i, at(self.args[0], "s", "t"))

    def formula(self) -> Box:
        return Call("bucketsum", (Formula(self.args[0]),))


class AtBuckets(ByBuckets):
    """Each row's own numbers at their buckets: AtBuckets(P, m, buckets)_ij = P_ib, b the bucket of (i, j).

    With P = Q Rᵀ, R a row for each bucket, it is q_i · r_b: what a query scores against the relative position of a key.
    Shapes: P (n, buckets) gives (n, m). Raises ShapeError where P has not as many columns, or where a window has not
    as many tokens. Sources: Shaw et al. 2018, equation 5; Dai et al. 2019, appendix B; Huang et al. 2018, section 3.4.

    >>> from sympy import Matrix
    >>> AtBuckets(Matrix([[1, 2, 3], [4, 5, 6]]), 2, GridBuckets(1, 2)).as_explicit()
    Matrix([
    [2, 1],
    [6, 5]])
    """

    def __new__(cls, P: Any, columns: Any, buckets: Any) -> Any:
        P, columns = as_matrix(P, "P"), as_sympy(columns)
        require_buckets(buckets)
        require_size(P.shape[1], Integer(buckets.count), columns_of(P), "the number of buckets")
        require_window(buckets, P.shape[0], columns)
        return super().__new__(cls, P, columns, buckets)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.args[0])[0], self.args[1]

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return self.bucket(i, j, lambda b: entry(self.args[0], i, b))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        """Entry by entry, each taken from its row."""
        (n, m), buckets = self.lengths(sizes), self.buckets.xreplace(dict(sizes))
        return below(numbers, [[_one(numbers, values[0], i, buckets.of(i, j)) for j in range(m)] for i in range(n)])

    def written(self, at: At, i: str, j: str) -> Box | None:
        """P_ib, b the bucket of (i, j): its number where these are numbers."""
        return at(self.args[0], i, self.bucket_written(i, j))

    def formula(self) -> Box:
        return Call("bucket", (Formula(self.args[0]),))


class RowBucketSums(ByBuckets):
    """The sums of each row over each bucket: RowBucketSums(A, buckets)_ib = Σ_j A_ij over the (i, j) of bucket b.

    Times a table with a row for each bucket, it weighs positions as A weighs keys; and it is the gradient of P by that
    of AtBuckets(P). Shapes: A (n, m) gives (n, buckets). Raises ShapeError where a window has not as many tokens as A
    has rows and columns. Source: Shaw et al. 2018, equation 3.

    >>> from sympy import Matrix
    >>> RowBucketSums(Matrix([[1, 2], [3, 4]]), GridBuckets(1, 2)).as_explicit()
    Matrix([
    [2, 1, 0],
    [0, 4, 3]])
    """

    def __new__(cls, A: Any, buckets: Any) -> Any:
        A = as_matrix(A, "A")
        require_buckets(buckets)
        require_window(buckets, *A.shape)
        return super().__new__(cls, A, buckets)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.args[0])[0], Integer(self.buckets.count)

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        return "", {}

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        A, i, j = self.args[0], as_sympy(i), as_sympy(j)

        def own(k: Any) -> Any:
            return self.bucket(i, as_sympy(k), lambda b: sympy.Piecewise((1, sympy.Eq(as_sympy(b), j)), (0, True)))

        return sum_over_row(lambda k: own(k) * entry(A, i, k), shape_of(A)[1], (A, i, j))

    def written(self, at: At, i: str, j: str) -> Box | None:
        """Σ_k A_ik over the keys of bucket j."""
        return OverBucket(("k",), (i, "k"), j, at(self.args[0], i, "k"))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        """Row by row, the sums of what is of each bucket."""
        n, m = (int(x.xreplace(dict(sizes))) for x in shape_of(self.args[0]))
        buckets, zero = self.buckets.xreplace(dict(sizes)), numbers.given([[S.Zero]])
        rows = []
        for i in range(n):
            own: dict[int, list[M]] = {}
            for j in range(m):
                own.setdefault(buckets.of(i, j), []).append(_one(numbers, values[0], i, j))
            sums = {b: numbers.row_sum(numbers.concat(parts)) for b, parts in own.items()}
            rows.append([sums.get(b, zero) for b in range(buckets.count)])
        return below(numbers, rows)

    def formula(self) -> Box:
        return Call("bucketsum", (Formula(self.args[0]),))


def below(numbers: Numbers[M], rows: Sequence[Sequence[M]]) -> M:
    """Rows of single numbers as one matrix."""
    return numbers.transpose(numbers.concat([numbers.transpose(numbers.concat(row)) for row in rows]))


def _one(numbers: Numbers[M], X: M, i: int, j: int) -> M:
    """Entry (i, j) as a matrix of its own."""
    return numbers.block(X, range(i, i + 1), range(j, j + 1))


def choices(buckets: Any, n: int, m: int) -> list[list[list[Expr]]]:
    """For each of m keys the rows of 0 and 1 that choose the buckets of n queries."""
    return [[[Integer(buckets.of(i, j) == b) for b in range(buckets.count)] for i in range(n)] for j in range(m)]


def require_window(buckets: Any, rows: Any, columns: Any) -> None:
    """Refuse scores of more or fewer tokens than a window has."""
    if isinstance(buckets, TurnedBuckets):
        buckets = buckets.args[0]
    if isinstance(buckets, GridBuckets):
        tokens = buckets.args[0] * buckets.args[1]
        for size, side in ((rows, "the number of queries"), (columns, "the number of keys")):
            require_size(size, tokens, side, "the tokens of the window")


def require_buckets(buckets: Any) -> None:
    """Refuse what are no buckets."""
    if not isinstance(buckets, Buckets):
        raise InputError(Sentence("bad_buckets", given=str(buckets)[:60]))
