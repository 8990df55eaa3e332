"""Steps that are taken again and again: one family over tokens or blocks, each member made from the one before."""

from __future__ import annotations

from typing import Any, Unpack

import sympy
from sympy import Expr, MatrixSymbol, ZeroMatrix

from symattn.errors import InputError
from symattn.nodes.boxes import Stacked
from symattn.nodes.elementary.families import OverMembers, at, other_member
from symattn.nodes.elementary.softmax import transpose
from symattn.nodes.elementary.stack import Stack
from symattn.nodes.kinds.attention import OPTIONS, Attention, AttentionOptions, SoftmaxAttention, name_options
from symattn.nodes.node import M, Node, Numbers, Sizes, entry, shape_of
from symattn.writing.document import TIGHT, Box, Formula, Row, Spelled
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy


class Previous(Node):
    """The member before this one, of the family of a symbol: H^(t−1) for H^(t). Shape: that of every member."""

    is_symbol = True  # it stands for a step, and prints as one

    def __new__(cls, symbol: Any, index: Any) -> Any:
        if not isinstance(symbol, MatrixSymbol):
            return symbol  # what was put in the place of every member
        return super().__new__(cls, symbol, as_sympy(index))

    @property
    def name(self) -> str:
        symbol, index = self.args
        return other_member(symbol.name, index, index - 1)

    def chosen(self) -> MatrixSymbol:
        """The member itself, once its number is one."""
        return MatrixSymbol(self.name, *self.shape)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.chosen(), i, j)

    def formula(self) -> Box:
        return Formula(self.chosen())


class Following(Node):
    """The member after this one, in what goes on from the last to the first: R^(t+1) for R^(t); 0 after the last.

    Shape: that of every member.
    """

    is_symbol = True  # it stands for a step, and prints as one

    def __new__(cls, symbol: Any, index: Any, last: Any) -> Any:
        if not isinstance(symbol, MatrixSymbol):
            return symbol  # what was put in the place of every member
        return super().__new__(cls, symbol, as_sympy(index), as_sympy(last))

    @property
    def name(self) -> str:
        symbol, index, _ = self.args
        return other_member(symbol.name, index, index + 1)

    def chosen(self) -> Any:
        """The member itself, once its number is one."""
        _, index, last = self.args
        return ZeroMatrix(*self.shape) if index == last else MatrixSymbol(self.name, *self.shape)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.chosen(), i, j)

    def formula(self) -> Box:
        return Formula(self.chosen())


class Constant(Node):
    """The same number everywhere, or −∞: what a recurrence starts from. Shape: (rows, columns)."""

    def __new__(cls, value: Any, rows: Any, columns: Any) -> Any:
        return super().__new__(cls, *(as_sympy(a) for a in (value, rows, columns)))

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.args[1], self.args[2]

    def _entry(self, _i: Any, _j: Any, **_: object) -> Expr:
        return self.args[0]

    def compute(self, numbers: Numbers[M], values: Any, sizes: Sizes) -> M:
        rows, columns = self.lengths(sizes)
        return numbers.given([[self.args[0]] * columns for _ in range(rows)])

    def formula(self) -> Box:
        if self.args[0] == 0:
            return Spelled(r"\mathbf{0}", "0")
        one = Spelled(r" \cdot \mathbf{1}", "·1")
        return Row((Formula(self.args[0]), one), TIGHT)


class StackMembers(OverMembers):
    """The members of a family one below another: the rows that tokens made one by one. Shape: the heights add up."""

    @property
    def shape(self) -> tuple[Expr, Expr]:
        rows, columns = shape_of(self.args[0])
        return self.args[2] * rows, columns

    def joined(self) -> Any:
        return Stack(*self.members())

    def formula(self) -> Box:
        body, index, count = self.args
        first, last = (Formula(at(body, index, k)) for k in (1, count))
        return Stacked((first, None, last))


class OnlineAttention(SoftmaxAttention):
    """Attention computed a block of keys at a time, as FlashAttention does, with the same value as Attention.

    μ' = max(μ, rowmax Z_t), α = e^(μ − μ'), E = e^(Z_t − μ'), ℓ' = αℓ + rowsum E, O' = αO + E V_t; at the end O/ℓ

    `block` keys at a time, which must divide their number. Every row must see a key of the first block. Options (mask,
    bias, scale, softcap, empty_row, sink, score_mod, weighting) as in Attention, without a sink; an empty row is an
    error. Raises ShapeError naming both sizes where they differ. Source: Milakov and Gimelshein 2018; Dao et al. 2022,
    algorithm 1.

    >>> from sympy import MatrixSymbol, symbols
    >>> n, d = symbols("n d")
    >>> OnlineAttention(MatrixSymbol("Q", n, d), MatrixSymbol("K", 4, d), MatrixSymbol("V", 4, d), block=2).shape
    (n, d)
    """

    def __new__(
        cls, Q: Any, K: Any, V: Any, block: Any = 1, *canonical: Any, **options: Unpack[AttentionOptions]
    ) -> Any:
        attention = Attention(Q, K, V, *name_options(cls, OPTIONS, canonical, options).values())
        block = as_sympy(block)
        keys = shape_of(attention.args[1])[0]
        if not block.is_Integer or block < 1 or (keys.is_Integer and keys % block):
            raise InputError(Sentence("bad_block", block=block, keys=keys))
        if str(attention.options["empty_row"]) != "error" or attention.options["sink"] is not sympy.false:
            raise InputError(Sentence("online_without"))
        if attention.options["weighting"] is not sympy.true:
            raise InputError(Sentence("online_softmax", kind=attention.options["weighting"].kind))
        return super().__new__(cls, *attention.args[:3], block, *attention.args[3:])

    def scores(self) -> Any:
        return self.args[0] * transpose(self.args[1])

    @property
    def usual_scale(self) -> Any:
        return 1 / sympy.sqrt(shape_of(self.args[1])[1])

    @property
    def _written(self) -> tuple[Any, ...]:
        return tuple(self.args[:3])
