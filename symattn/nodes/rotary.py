"""RoPE: pairs of columns turned by angles that grow with the position, so that products see differences only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy import Basic, Expr, Integer, Piecewise
from sympy.core.symbol import Str

from symattn.errors import InputError
from symattn.nodes.boxes import Call, Indexed, Word
from symattn.nodes.node import M, Node, Numbers, Sizes, as_matrix, as_number, entry
from symattn.writing.document import Box, Formula, Power
from symattn.writing.prose import Sentence

PAIRS = ("interleaved", "halves")


class Rotary(Basic):  # type: ignore[misc]
    """How rows are turned: the base of the angles, which columns are pairs, and the position of the first row.

    `pairs`: "interleaved", columns 2k and 2k + 1, as in the paper, or "halves", columns k and k + d/2, as in the
    programs of GPT-NeoX and Llama. Raises InputError for another word, or a base that is not positive.
    """

    def __new__(cls, base: Any = 10000, pairs: Any = "interleaved", offset: Any = 0) -> Any:
        number = as_number(base)
        if number is None or number.is_positive is False:
            raise InputError(Sentence("bad_rotary_base", given=str(base)[:60]))
        if str(pairs) not in PAIRS:
            raise InputError(Sentence("bad_rotary_pairs", given=str(pairs)[:60]))
        start = as_number(offset)
        if start is None or start.is_integer is False:
            raise InputError(Sentence("not_an_integer", name="offset"))
        return super().__new__(cls, number, Str(str(pairs)), start)

    def of(self, X: Any) -> Any:
        """The rows of X, turned."""
        return RotaryEmbedding(X, *self.args)


class RotaryEmbedding(Node):
    """The rows of X turned by their positions.

    (x_a, x_b) of row t becomes (x_a cos φ − x_b sin φ, x_a sin φ + x_b cos φ), φ = (t + offset)·base^(−2k/d) for the
    k-th pair (a, b), counted from 0 like the rows: columns 2k and 2k + 1 ("interleaved", as in the paper) or k and
    k + d/2 ("halves"). Shape: that of X, whose columns d must be even. Raises InputError for odd d. Source: Su et al.
    2021, section 3.2 and equation 34.

    >>> from sympy import Matrix
    >>> RotaryEmbedding(Matrix([[1, 2], [1, 0]])).as_explicit()
    Matrix([
    [     1,      2],
    [cos(1), sin(1)]])
    """

    def __new__(cls, X: Any, base: Any = 10000, pairs: Any = "interleaved", offset: Any = 0) -> Any:
        X = as_matrix(X, "X")
        if sympy.sympify(X.shape[1]).is_odd:
            raise InputError(Sentence("odd_rotary", width=X.shape[1]))
        return super().__new__(cls, X, *Rotary(base, pairs, offset).args)

    @property
    def pairs(self) -> str:
        return str(self.args[2])

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        t, k, d = sympy.symbols("t k d")
        pair = (2 * k, 2 * k + 1) if self.pairs == "interleaved" else (k, k + d / 2)
        angle = {"rate": self.args[1] ** (-2 * k / d), "position": t, "first": self.args[3]}
        return f".{self.pairs}", {"left": pair[0], "right": pair[1], **angle}

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return self.turned(i, j, 1)

    def turned(self, i: Any, j: Any, way: int) -> Expr:
        """Entry (i, j) of the rows turned by their angles (way 1) or back (way −1)."""
        X, d, j = self.args[0], self.shape[1], sympy.sympify(j)
        if self.pairs == "interleaved":
            k, first, second = j // 2, sympy.Eq(j % 2, 0), (j + 1, j - 1)
        else:
            half = d / 2
            first = j < half
            k, second = Piecewise((j, first), (j - half, True)), (j + half, j - half)
        angle = way * self._angle(i, k)
        here = entry(X, i, j) * sympy.cos(angle)
        if first in (True, False):  # SymPy's, for a number
            there = entry(X, i, second[0] if first else second[1]) * sympy.sin(angle)
            return here - there if first else here + there
        turned = [entry(X, i, at) * sympy.sin(angle) for at in second]
        return Piecewise((here - turned[0], first), (here + turned[1], True))

    def _angle(self, i: Any, k: Any) -> Expr:
        return (i + self.args[3]) * self.args[1] ** (-2 * k / self.shape[1])

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        """X ∘ cos + (X P) ∘ sin, with P = ±1 where a column meets its partner."""
        sized = self.xreplace(dict(sizes))
        n, d = (int(s) for s in sized.shape)
        if d % 2:
            raise InputError(Sentence("odd_rotary", width=d))
        angles = [[sized._angle(Integer(i), Integer(k)) for k in range(d // 2)] for i in range(n)]
        place = [sized._place(j, d) for j in range(d)]
        swap = [[Integer(0)] * d for _ in range(d)]
        for j, (_, partner, sign) in enumerate(place):
            swap[partner][j] = Integer(sign)
        cos = numbers.given([[sympy.cos(row[k]) for k, _, _ in place] for row in angles])
        sin = numbers.given([[sympy.sin(row[k]) for k, _, _ in place] for row in angles])
        turned = numbers.times(numbers.matmul(values[0], numbers.given(swap)), sin)
        return numbers.add(numbers.times(values[0], cos), turned)

    def _place(self, j: int, d: int) -> tuple[int, int, int]:
        """The pair of column j, its partner, and the sign with which that comes in."""
        if self.pairs == "interleaved":
            return (j // 2, j + 1, -1) if j % 2 == 0 else (j // 2, j - 1, 1)
        return (j, j + d // 2, -1) if j < d // 2 else (j - d // 2, j - d // 2, 1)

    def formula(self) -> Box:
        """A first position that is a letter stands below the name."""
        first = self.args[3]
        name = Word("RoPE") if first.is_number else Indexed(Word("RoPE"), Formula(first))
        return Call(name, (Formula(self.args[0]),))


class RotatedBack(Node):
    """The rows of X turned back by their positions: what RotaryEmbedding does, undone. Shape: that of X.

    >>> from sympy import Matrix
    >>> RotatedBack(Matrix([[1, 2], [1, 0]])).as_explicit()
    Matrix([
    [     1,       2],
    [cos(1), -sin(1)]])
    """

    def __new__(cls, X: Any, base: Any = 10000, pairs: Any = "interleaved", offset: Any = 0) -> Any:
        return super().__new__(cls, *RotaryEmbedding(X, base, pairs, offset).args)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return RotaryEmbedding(*self.args).turned(i, j, -1)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        """Turned by the opposite angles: with the second of each pair negated before and after."""
        n, d = self.lengths(sizes)
        forward = RotaryEmbedding(*self.args)
        signs = [[Integer(-forward._place(j, d)[2]) for j in range(d)]] * n
        turned = forward.compute(numbers, [numbers.times(values[0], numbers.given(signs))], sizes)
        return numbers.times(turned, numbers.given(signs))

    def formula(self) -> Box:
        return Call(Power(Word("RoPE"), "-1"), (Formula(self.args[0]),))


def as_rotary(value: Any) -> Any:
    """The canonical form of a rotary option: false, or how rows are turned (True: as in the paper)."""
    if value is None or value is False or value is sympy.S.false:
        return sympy.S.false
    if value is True or value is sympy.S.true:
        return Rotary()
    if isinstance(value, Rotary):
        return value
    raise InputError(Sentence("bad_rotary", given=str(value)[:60]))
