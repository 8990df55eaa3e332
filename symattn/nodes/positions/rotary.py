"""RoPE: pairs of columns turned by angles that grow with the position, so that products see differences only."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import sympy
from sympy import Basic, Expr, Integer, Lambda, Piecewise, S, Tuple
from sympy.core.symbol import Str
from sympy.matrices.matrixbase import MatrixBase

from symattn.errors import InputError
from symattn.nodes.boxes import Call, Indexed, Word
from symattn.nodes.node import (
    M,
    Node,
    Numbers,
    Sizes,
    as_lists,
    as_matrix,
    as_number,
    columns_of,
    entry,
    is_matrix,
    require_size,
    rows_of,
)
from symattn.writing.document import Box, Formula, Power
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy

PAIRS = ("interleaved", "halves")


class AlternatingSections(Tuple):  # type: ignore[misc]
    """Sections whose pairs take turns: of c sections pair k belongs to k mod c while that has pairs left, else to 0.

    As mrope_interleaved of Qwen3-VL: high and low rates for each of time, height and width.

    >>> [AlternatingSections(4, 2, 2).section(k) for k in range(8)]
    [0, 1, 2, 0, 1, 2, 0, 0]
    """

    def section(self, k: int) -> int:
        """The section of pair k."""
        own = k % len(self)
        return own if k < len(self) * self[own] else 0

    def chosen(self, k: Any, number: Sequence[Any]) -> Expr:
        """The number of the section of pair k, a letter."""
        c = len(self)
        turns = ((x, sympy.Eq(k % c, own) & (k < c * self[own])) for own, x in enumerate(number) if own)
        return Piecewise(*turns, (number[0], True))


class Rotary(Basic):  # type: ignore[misc]
    """How rows are turned: base of the angles, pairs of columns, positions, rates of one's own, how many columns turn.

    `pairs`: "interleaved", columns 2k and 2k + 1, as in the paper, or "halves", columns k and k + w/2, as in the
    programs of GPT-NeoX and Llama, for the first w columns that turn, `width`, all of them unless given. `offset` is
    the position of the first row, a list of the positions of all rows, or a matrix with a row for each: one column, or
    one for each of the `sections`, which say how many pairs turn by the positions of the first column, how many by
    those of the second, and so on (time, height and width of a patch); with `alternating` pairs take turns, as
    AlternatingSections says. `rates` are w/2 numbers in the place of
    base^(−2k/w), as `linear_rates`, `ntk_rates`, `yarn_rates` and `llama3_rates` make them. Raises InputError for
    another word, a base that is not positive, an odd width, rates that are not one for each pair, or sections that are
    not one for each column of positions. Angles are in radians. Source: Su et al. 2021, section 3.2.2; Wang et al. 2024
    (Qwen2-VL), section 2.1, for sections; Bai et al. 2025 (Qwen3-VL) for those that alternate.

    >>> Rotary(base=100, pairs="halves").args[:2]
    (100, halves)
    """

    def __new__(
        cls,
        base: Any = 10000,
        pairs: Any = "interleaved",
        offset: Any = 0,
        rates: Any = None,
        width: Any = None,
        sections: Any = None,
        alternating: Any = False,
    ) -> Any:
        number = as_number(base)
        if number is None or number.is_positive is False:
            raise InputError(Sentence("bad_rotary_base", given=str(base)[:60]))
        if str(pairs) not in PAIRS:
            raise InputError(Sentence("bad_rotary_pairs", given=str(pairs)[:60]))
        positions = _positions(offset)
        rates = S.true if rates is None or rates is S.true else Tuple(*map(_real, rates))
        width = S.true if width is None or width is S.true else as_sympy(width)
        if width is not S.true and (not width.is_Integer or width < 2 or width % 2):
            raise InputError(Sentence("odd_rotary", width=width))
        if rates is not S.true and width is not S.true and 2 * len(rates) != width:
            raise InputError(Sentence("rotary_rates", count=len(rates), width=width))
        return super().__new__(
            cls, number, Str(str(pairs)), positions, rates, width, _sections(sections, positions, alternating)
        )

    def of(self, X: Any) -> Any:
        """The rows of X, turned."""
        return RotaryEmbedding(X, *self.args)


def _positions(given: Any) -> Any:
    """The position of the first row, a Tuple of those of all rows, or a matrix with a row for each."""
    given = as_lists(given)
    if isinstance(given, list | tuple) and given and isinstance(given[0], list | tuple):
        given = as_matrix(given, "positions")
    if isinstance(given, MatrixBase):
        for x in given.flat():
            _real(x, "offset")
    if is_matrix(given):
        return as_matrix(given, "positions")
    return Tuple(*(_real(x, "offset") for x in given)) if isinstance(given, list | tuple | Tuple) else _position(given)


def _sections(given: Any, positions: Any, alternating: Any) -> Any:
    """How many pairs turn by each column of positions; true where there is one for all."""
    if alternating not in (True, False):
        raise InputError(Sentence("not_true_or_false", name="alternating"))
    if given is None or given is S.true:
        if alternating:
            raise InputError(Sentence("alternating_alone"))
        if is_matrix(positions):
            require_size(positions.shape[1], Integer(1), columns_of(positions), "the number of sections")
        return S.true
    if not is_matrix(positions):
        raise InputError(Sentence("sections_alone"))
    counts: list[Any] = [as_number(x) for x in given] if isinstance(given, list | tuple | Tuple) else []
    if not counts or any(x is None or not x.is_Integer or x < 1 for x in counts):
        raise InputError(Sentence("bad_sections", given=str(given)[:60]))
    require_size(positions.shape[1], Integer(len(counts)), columns_of(positions), "the number of sections")
    if not alternating and not isinstance(given, AlternatingSections):
        return Tuple(*counts)
    for own, count in enumerate(counts):
        if own and len(counts) * (count - 1) + own >= sum(counts):  # the first has all that is left over
            raise InputError(Sentence("sections_cannot_alternate", count=count, pairs=sum(counts)))
    return AlternatingSections(*counts)


def _position(value: Any) -> Expr:
    start = as_number(value)
    if start is None or start.is_integer is False:
        raise InputError(Sentence("not_an_integer", name="offset"))
    return start


def _real(value: Any, place: str = "") -> Expr:
    rate = as_number(value)
    if rate is None or rate.is_real is False:
        raise InputError(Sentence("not_a_number", text=str(value)[:40]), place=place)
    return rate


class RotaryEmbedding(Node):
    """The rows of X turned by their positions.

    (x_a, x_b) of row t becomes (x_a cos φ − x_b sin φ, x_a sin φ + x_b cos φ), φ = (t + offset)·base^(−2k/w) for the
    k-th pair (a, b), counted from 0 like the rows: columns 2k and 2k + 1 ("interleaved", as in the paper) or k and
    k + w/2 ("halves") of the first w columns, all unless `width` says how many; the others stay. `offset` may list the
    positions of all rows, `rates` the numbers in the place of base^(−2k/w). Shape: that of X; w must be even. Raises
    InputError for odd w, ShapeError for a list that does not fit. `offset` may be a matrix, and have `sections`, as in
    Rotary. Source: Su et al. 2021, section 3.2, equation 34.

    >>> from sympy import Matrix
    >>> RotaryEmbedding(Matrix([[1, 2], [1, 0]])).as_explicit()
    Matrix([
    [     1,      2],
    [cos(1), sin(1)]])
    """

    def __new__(
        cls,
        X: Any,
        base: Any = 10000,
        pairs: Any = "interleaved",
        offset: Any = 0,
        rates: Any = None,
        width: Any = None,
        sections: Any = None,
        alternating: Any = False,
    ) -> Any:
        X, manner = as_matrix(X, "X"), Rotary(base, pairs, offset, rates, width, sections, alternating)
        _, _, positions, rates, width, sections = manner.args
        turning = as_sympy(X.shape[1]) if width is S.true else width
        if turning.is_odd:
            raise InputError(Sentence("odd_rotary", width=turning))
        if (as_sympy(X.shape[1]) - turning).is_negative:
            raise InputError(Sentence("rotary_width", width=turning, columns=X.shape[1]))
        if isinstance(positions, Tuple) and as_sympy(X.shape[0]).is_Integer:
            require_size(Integer(len(positions)), X.shape[0], "the number of positions", rows_of(X))
        if is_matrix(positions):
            require_size(positions.shape[0], X.shape[0], rows_of(positions), rows_of(X))
        if rates is not S.true and turning.is_Integer and 2 * len(rates) != turning:
            raise InputError(Sentence("rotary_rates", count=len(rates), width=turning))
        if sections is not S.true and turning.is_Integer and 2 * sum(sections) != turning:
            raise InputError(Sentence("rotary_sections", count=sum(sections), width=turning))
        return super().__new__(cls, X, *manner.args)

    @property
    def turning(self) -> Expr:
        """How many columns turn."""
        return self.shape[1] if self.args[5] is S.true else self.args[5]

    @property
    def required(self) -> tuple[tuple[str, Expr, Expr], ...]:
        rates = self.args[4]
        return () if rates is S.true else (("==", self.turning, as_sympy(2 * len(rates))),)

    def position(self, i: Any, k: Any = 0) -> Expr:
        """The position of row i by which pair k turns."""
        given, sections = self.args[3], self.args[6]
        if not is_matrix(given):
            return _pick(given, i) if isinstance(given, Tuple) else i + given
        if sections is S.true:
            return entry(given, i, 0)
        if as_sympy(k).is_Integer:
            return entry(given, i, self.section(k))
        if isinstance(sections, AlternatingSections):
            return sections.chosen(k, [entry(given, i, c) for c in range(len(sections))])
        return Piecewise(*((entry(given, i, c), k < end) for c, end in enumerate(accumulate(sections))))

    def rate(self, k: Any) -> Expr:
        """How far pair k turns from one position to the next."""
        return self.args[1] ** (-2 * k / self.turning) if self.args[4] is S.true else _pick(self.args[4], k)

    @property
    def pairs(self) -> str:
        return str(self.args[2])

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        t, k = sympy.symbols("t k")
        d = self.turning
        left, apart = (2 * k, Integer(1)) if self.pairs == "interleaved" else (k, d / 2)
        right = sympy.Add(left, apart, evaluate=False)
        rate = self.args[1] ** (-2 * k / d) if self.args[4] is S.true else sympy.Symbol("theta_k")
        return f".{self.pairs}", {"left": left, "right": right, "rate": rate, "position": t}

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return self.turned(i, j, 1)

    def turned(self, i: Any, j: Any, way: int) -> Expr:
        """Entry (i, j) of the rows turned by their angles (way 1) or back (way −1)."""
        X, d, j = self.args[0], self.turning, as_sympy(j)
        if self.args[5] is not S.true and (d <= j) == True:  # noqa: E712  (SymPy's true)
            return entry(X, i, j)
        if self.pairs == "interleaved":
            k, first, second = j // 2, sympy.Eq(j % 2, 0), (j + 1, j - 1)
        else:
            half = d / 2
            first = j < half
            k, second = Piecewise((j, first), (j - half, True)), (j + half, j - half)
        angle = way * self.angle(i, k)
        here = entry(X, i, j) * sympy.cos(angle)
        if first in (True, False):  # SymPy's, for a number
            there = entry(X, i, second[0] if first else second[1]) * sympy.sin(angle)
            return here - there if first else here + there
        turned = [entry(X, i, at) * sympy.sin(angle) for at in second]
        made = Piecewise((here - turned[0], first), (here + turned[1], True))
        return made if self.args[5] is S.true else Piecewise((made, j < d), (entry(X, i, j), True))

    def angle(self, i: Any, k: Any) -> Expr:
        """By how much pair k of row i is turned."""
        return self.position(i, k) * self.rate(k)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        """X ∘ cos + (X P) ∘ sin, with P = ±1 where a column meets its partner."""
        sized = self.sized(sizes)
        d = int(sized.shape[1])
        place = [sized.place(j) for j in range(d)]
        swap = [[Integer(0)] * d for _ in range(d)]
        for j, (_, partner, sign) in enumerate(place):
            swap[partner][j] = Integer(sign)
        cos, sin = sized.turns(numbers, values[1:], [k for k, _, _ in place])
        turned = numbers.times(numbers.matmul(values[0], numbers.given(swap)), sin)
        return numbers.add(numbers.times(values[0], cos), turned)

    def turns(self, numbers: Numbers[M], positions: Sequence[M], pairs: Sequence[int]) -> tuple[M, M]:
        """The cosines and sines of all rows and columns, of pairs that columns belong to; −1: turned by 0."""
        given = self.args[3]
        if is_matrix(given) and not isinstance(given, MatrixBase):
            columns = range(int(given.shape[1]))
            rates = [[self.rate(k) if k >= 0 and self.section(k) == c else S.Zero for k in pairs] for c in columns]
            made, z = numbers.matmul(positions[0], numbers.given(rates)), sympy.symbols("z i j")
            cos, sin = (numbers.each(made, Lambda(z, f(z[0]))) for f in (sympy.cos, sympy.sin))
        else:
            count = range(int(self.shape[0]))
            angles = [[self.angle(Integer(i), Integer(k)) if k >= 0 else S.Zero for k in pairs] for i in count]
            cos, sin = (numbers.given([[f(x) for x in row] for row in angles]) for f in (sympy.cos, sympy.sin))
        return cos, sin

    def section(self, k: int) -> int:
        """The column of positions by which pair k turns."""
        if isinstance(self.args[6], AlternatingSections):
            return self.args[6].section(int(k))
        ends = () if self.args[6] is S.true else accumulate(self.args[6])
        return sum(1 for end in ends if end <= k)

    def sized(self, sizes: Sizes) -> RotaryEmbedding:
        """The same for a matrix of so many rows and columns."""
        sized: RotaryEmbedding = self.func(
            sympy.MatrixSymbol("X", *self.lengths(sizes)), *self.xreplace(dict(sizes)).args[1:]
        )
        return sized

    def place(self, j: int) -> tuple[int, int, int]:
        """The pair of column j, which is −1 if it does not turn, its partner, and the sign with which that comes in."""
        d = int(self.turning)
        if j >= d:
            return -1, j, 0  # turned by the angle 0 that stands after all others
        if self.pairs == "interleaved":
            return (j // 2, j + 1, -1) if j % 2 == 0 else (j // 2, j - 1, 1)
        return (j, j + d // 2, -1) if j < d // 2 else (j - d // 2, j - d // 2, 1)

    def formula(self) -> Box:
        """A first position that is a letter stands below the name."""
        first = self.args[3]
        bare = isinstance(first, Tuple | MatrixBase) or (not is_matrix(first) and first.is_number)
        name = Word("RoPE") if bare else Indexed(Word("RoPE"), Formula(first))
        return Call(name, (Formula(self.args[0]),))


class RotatedBack(Node):
    """The rows of X turned back by their positions: what RotaryEmbedding does, undone. Shape: that of X.

    >>> from sympy import Matrix
    >>> RotatedBack(Matrix([[1, 2], [1, 0]])).as_explicit()
    Matrix([
    [     1,       2],
    [cos(1), -sin(1)]])
    """

    def __new__(cls, X: Any, *manner: Any, **named: Any) -> Any:
        return super().__new__(cls, *RotaryEmbedding(X, *manner, **named).args)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return RotaryEmbedding(*self.args).turned(i, j, -1)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        """Turned by the opposite angles: with the second of each pair negated before and after."""
        n, d = self.lengths(sizes)
        forward = RotaryEmbedding(*self.args)
        sized = forward.sized(sizes)
        signs = [[Integer(-sized.place(j)[2] or 1) for j in range(d)]] * n
        turned = forward.compute(numbers, [numbers.times(values[0], numbers.given(signs)), *values[1:]], sizes)
        return numbers.times(turned, numbers.given(signs))

    def formula(self) -> Box:
        return Call(Power(Word("RoPE"), "-1"), (Formula(self.args[0]),))


def _pick(values: Tuple, index: Any) -> Expr:
    """One of some numbers, by its place from 0."""
    index = as_sympy(index)
    if index.is_Integer:
        return values[int(index)]
    return Piecewise(*((x, sympy.Eq(index, k)) for k, x in enumerate(values)))


def as_rotary(value: Any) -> Any:
    """The canonical form of a rotary option: false, or how rows are turned (True: as in the paper)."""
    if value is None or value is False or value is sympy.S.false:
        return sympy.S.false
    if value is True or value is sympy.S.true:
        return Rotary()
    if isinstance(value, Rotary):
        return value
    if isinstance(value, list | tuple | Tuple) and len(value) == 2 and all(isinstance(x, Rotary) for x in value):
        return Tuple(*value)  # of queries and of keys
    raise InputError(Sentence("bad_rotary", given=str(value)[:60]))
