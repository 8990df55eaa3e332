"""What a mask does to scores: −∞ where it hides, or a finite number added there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy
from sympy import Expr, Integer, S
from sympy.matrices.matrixbase import MatrixBase
from sympy.printing.precedence import PRECEDENCE

from symattn.errors import InputError
from symattn.nodes.boxes import Brackets, Call
from symattn.nodes.masking.masks import (
    OR,
    FiniteMask,
    HideMask,
    KeepMask,
    TopKMask,
    as_mask,
    conditions,
    join,
    mask_matrices,
    mask_parts,
    require_mask,
    require_number,
)
from symattn.nodes.node import At, Keep, M, Node, Numbers, Sizes, as_matrix, columns_of, entry, rows_of
from symattn.writing.document import Box, Cases, Formula, Power, Row, Signed
from symattn.writing.prose import Sentence


class UnderMask(Node):
    """A matrix of which a mask decides entry by entry."""

    @property
    def matrices(self) -> tuple[Any, ...]:
        return (self.args[0], *mask_matrices(self.args[1]))

    def keep(self, i: Any, j: Any) -> Any:
        """Whether every part of the mask keeps entry (i, j)."""
        return sympy.And(*[part.keep(i, j) for part in mask_parts(self.args[1])])

    def keeps(self, numbers: Numbers[M], masks: list[M], sizes: Sizes) -> Sequence[Keep]:
        """The same for each part, with the values of its symbols; refused where padding goes beyond the keys."""
        mask = self.args[1].xreplace(dict(sizes))
        require_mask(mask, tuple(s.xreplace(dict(sizes)) for s in self.shape), "rows", "columns")
        return mask_keeps(mask, numbers, masks)

    def choose(self, numbers: Numbers[M], masks: list[M], sizes: Sizes, kept: Expr, hidden: Expr) -> M:
        """One number where the mask keeps an entry and another where it hides it."""
        keeps, (rows, columns) = self.keeps(numbers, masks, sizes), self.lengths(sizes)
        shown = [[all(keep(i, j) for keep in keeps) for j in range(columns)] for i in range(rows)]
        return numbers.given([[kept if x else hidden for x in row] for row in shown])


class Masked(UnderMask):
    """Scores with the hidden ones at −∞, so that softmax gives them weight 0.

    Masked(S, mask)_ij = S_ij where mask.keep(i, j), else −∞. Shape: that of S.

    >>> from sympy import Matrix
    >>> from symattn.nodes.masking.masks import CausalMask
    >>> Masked(Matrix([[1, 2], [3, 4]]), CausalMask()).as_explicit()
    Matrix([
    [1, -oo],
    [3,   4]])
    """

    def __new__(cls, S: Any, mask: Any) -> Any:
        S, mask = as_matrix(S, "S"), as_mask(mask)
        if any(isinstance(part, FiniteMask) for part in mask_parts(mask)):
            raise InputError(Sentence("finite_hides_nothing"))
        if any(isinstance(part, TopKMask) for part in mask_parts(mask)):
            raise InputError(Sentence("top_k_is_of_scores"))
        require_mask(mask, S.shape, rows_of(S), columns_of(S))
        return super().__new__(cls, S, mask)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return sympy.Piecewise((entry(self.args[0], i, j), self.keep(i, j)), (S.NegativeInfinity, True))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        value, *masks = values
        for keep in self.keeps(numbers, masks, sizes):
            value = numbers.hide(value, keep)
        return value

    def written(self, at: At, i: str, j: str) -> Box:
        """The score where the mask keeps it; for given numbers i and j, of which it is known, without the condition."""
        value = at(self.args[0], i, j)
        return value if i.isdigit() else _cases(value, self.args[1], Formula(S.NegativeInfinity))

    def formula(self) -> Box:
        return Call("mask", (Formula(self.args[0]),), beside=conditions(self.args[1], r"\ "))


class Penalised(UnderMask):
    """Scores with a finite number added where a mask would hide them: S − 10⁹ [j > i].

    Penalised(S, mask, c)_ij = S_ij where mask.keep(i, j), else S_ij + c. Shape: that of S. Source: the first
    Transformer programs; in exact arithmetic it hides nothing for good.

    >>> from sympy import Matrix
    >>> from symattn.nodes.masking.masks import CausalMask
    >>> Penalised(Matrix([[1, 2], [3, 4]]), CausalMask(), -100).as_explicit()
    Matrix([
    [1, -98],
    [3,   4]])
    """

    precedence = PRECEDENCE["Add"]  # in brackets inside a product

    def __new__(cls, S: Any, mask: Any, value: Any = -(10**9)) -> Any:
        S, finite = as_matrix(S, "S"), FiniteMask(mask, value)
        require_mask(finite, S.shape, rows_of(S), columns_of(S))
        return super().__new__(cls, S, *finite.args)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.args[0], i, j) + sympy.Piecewise((Integer(0), self.keep(i, j)), (self.args[2], True))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        value, *masks = values
        return numbers.add(value, self.choose(numbers, masks, sizes, Integer(0), self.args[2].xreplace(dict(sizes))))

    def written(self, at: At, i: str, j: str) -> Box | None:
        """Without a formula for given numbers, of which the mask's own entries would have to be known."""
        value, added = at(self.args[0], i, j), Formula(-self.args[2])
        return None if i.isdigit() else _cases(value, self.args[1], Signed((("+", value), ("-", added))))

    def formula(self) -> Box:
        scores, mask, value = self.args
        hidden = join(OR, [part.hidden() for part in mask_parts(mask)])
        return Signed((("+", Formula(scores)), ("-", Row((_power_of_ten(-value), Brackets(hidden, "[]"))))))


def _cases(kept: Box, mask: Any, otherwise: Box) -> Cases:
    return Cases(((kept, conditions(mask)),), otherwise)


def _power_of_ten(value: Expr) -> Box:
    """10⁹ for 1000000000."""
    zeros = len(str(value)) - 1
    return Power("10", str(zeros)) if zeros > 3 and value == 10**zeros else Formula(value)


def mask_keeps(mask: Any, numbers: Numbers[M], masks: list[M]) -> Sequence[Keep]:
    """keep(i, j) of each part of a mask; `masks` are the values of those that are symbols."""
    found: list[Keep] = []
    for part in mask_parts(mask):
        if isinstance(part, KeepMask | HideMask) and not isinstance(part.args[0], MatrixBase):
            shown = numbers.keep(masks.pop(0))
            found.append(shown if isinstance(part, KeepMask) else _negate(shown))
        else:
            found.append(_decide(part.keep))
    return found


def _negate(shown: Keep) -> Keep:
    return lambda i, j: not shown(i, j)


def _decide(keep: Callable[[Any, Any], Any]) -> Keep:
    def kept(i: int, j: int) -> bool:
        found = keep(Integer(i), Integer(j))
        require_number(found)
        return bool(found)

    return kept
