"""Which keys a query may look at: predicates keep(i, j), each printed as itself.

A mask itself has no shape; it is true where query i may look at key j. `true` is no mask at all. A FiniteMask hides
nothing for good: it lowers scores by a number, as −1e9 is added in programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from sympy import Basic, Expr, S, Tuple
from sympy.logic.boolalg import BooleanTrue
from sympy.matrices.matrixbase import MatrixBase

from symattn.errors import InputError
from symattn.nodes.boxes import Letters
from symattn.nodes.node import Written, as_matrix, as_number, as_whole, entry, is_matrix, require_size
from symattn.writing.document import TIGHT, Box, Cell, Formula, Listed, Row, Signed, Spelled, Style, Symbol
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy
from symattn.writing.visible import clip

POLARITIES = ("attend", "hidden")
LE, OR = Spelled(r"\le", "<="), Spelled(r"\lor", "or")
IN, NOT_IN = Spelled(r"\in", "in"), Spelled(r"\notin", "not in")
_ROW, _KEY = Letters("i"), Letters("j")


class _Mask(Written, Basic):  # type: ignore[misc]
    """A predicate that prints as its condition (`shown`), or as the contrary (`hidden`)."""

    def keep(self, i: Any, j: Any) -> Any:
        """Whether query i may look at key j, both counted from 0."""
        raise NotImplementedError

    def formula(self) -> Box:
        """The condition on i and j, counted from 1, under which the score stays."""
        raise NotImplementedError

    def hidden(self) -> Box:
        """The contrary."""
        raise NotImplementedError


class CausalMask(_Mask):
    """No query looks ahead: keep(i, j) is j <= i + offset.

    Offset 0 aligns the top left corners (torch, jax, ONNX without a cache); with a cache it is the past length, a whole
    number of tokens. Shape: queries by keys, whatever their numbers. Raises InputError for an offset that is no whole
    number. Source: Vaswani et al. 2017, section 3.2.3.

    >>> CausalMask().keep(1, 0), CausalMask().keep(0, 1), CausalMask(1).keep(0, 1)
    (True, False, True)
    """

    def __new__(cls, offset: Any = 0) -> Any:
        return super().__new__(cls, _integer(offset, "offset"))

    def keep(self, i: Any, j: Any) -> Any:
        return as_sympy(j) <= as_sympy(i) + self.args[0]

    def formula(self) -> Box:
        return Row((_KEY, LE, _shift(self.args[0])))

    def hidden(self) -> Box:
        return Row((_KEY, ">", _shift(self.args[0])))


class WindowMask(_Mask):
    """A query sees `left` keys before it and `right` after it, both inclusive: i − left <= j <= i + right.

    None (infinity in the canonical form) leaves that side open. `offset` is the number of keys before the first
    query, as of a cache: i counts from there. Shape: queries by keys, whatever their numbers; all are counts of tokens.
    Raises InputError for what is no count. Source: Beltagy, Peters and Cohan 2020, section 3.1.

    >>> [j for j in range(6) if WindowMask(1, 2).keep(2, j)], [j for j in range(6) if WindowMask(1, 0, 3).keep(1, j)]
    ([1, 2, 3, 4], [3, 4])
    """

    def __new__(cls, left: Any = None, right: Any = None, offset: Any = 0) -> Any:
        return super().__new__(cls, _read_bound(left, "left"), _read_bound(right, "right"), _integer(offset, "offset"))

    @property
    def reach(self) -> tuple[Expr, Expr]:
        """How far to the left of key i, and to the right of it, query i sees."""
        left, right, offset = self.args
        return left if left is S.Infinity else left - offset, right if right is S.Infinity else right + offset

    def keep(self, i: Any, j: Any) -> Any:
        left, right = self.reach
        return sympy.And(as_sympy(i) - left <= as_sympy(j), as_sympy(j) <= as_sympy(i) + right)

    def formula(self) -> Box:
        left, right = self.reach
        before = () if left is S.Infinity else (_shift(-left), LE)
        after = () if right is S.Infinity else (LE, _shift(right))
        return Row((*before, _KEY, *after))

    def hidden(self) -> Box:
        left, right = self.reach
        before = [] if left is S.Infinity else [Row((_KEY, "<", _shift(-left)))]
        after = [] if right is S.Infinity else [Row((_KEY, ">", _shift(right)))]
        return join(OR, before + after) if before or after else Row(("0", "=", "1"))


class KeepMask(_Mask):
    """A matrix of 0 and 1, or a symbol for one: query i may look at key j where M_ij is 1.

    `true` says what 1 (or True) means: "attend", as in torch's scaled_dot_product_attention, ONNX, jax and Keras, or
    "hidden", as in torch.nn.MultiheadAttention, which makes it a HideMask. Shape: queries by keys. Raises InputError
    for another word, and for entries other than 0 and 1, once they are known. Source: Vaswani et al. 2017, section
    3.2.3.

    >>> KeepMask([[1, 0]]).keep(0, 1), KeepMask([[True, False]], true="hidden").keep(0, 1)
    (False, True)
    """

    def __new__(cls, matrix: Any, true: str = "attend") -> Any:
        if true not in POLARITIES:
            raise InputError(Sentence("bad_polarity", given=str(true)[:40]))
        if true == "hidden":
            return HideMask(matrix)
        return super().__new__(cls, _zero_one(matrix))

    def keep(self, i: Any, j: Any) -> Any:
        return sympy.Ne(entry(self.args[0], i, j), 0)

    def formula(self) -> Box:
        return _entry_is("1", self.args[0])

    def hidden(self) -> Box:
        return _entry_is("0", self.args[0])


class HideMask(_Mask):
    """The opposite of a KeepMask: query i may look at key j where M_ij is 0, as in torch.nn.MultiheadAttention.

    Shape of M: queries by keys. Raises InputError for entries other than 0 and 1, once they are known.

    >>> HideMask([[1, 0]]).keep(0, 0), HideMask([[1, 0]]).keep(0, 1)
    (False, True)
    """

    def __new__(cls, matrix: Any) -> Any:
        return super().__new__(cls, _zero_one(matrix))

    def keep(self, i: Any, j: Any) -> Any:
        return sympy.Eq(entry(self.args[0], i, j), 0)

    def formula(self) -> Box:
        return _entry_is("0", self.args[0])

    def hidden(self) -> Box:
        return _entry_is("1", self.args[0])


class PaddingMask(_Mask):
    """Keys that only fill up a batch are hidden from every query: those after `length`, or the ones listed.

    keep(i, j) is j < length; with `keys`, the numbers of the hidden keys counted from 1, it is that j + 1 is none of
    them. Shape: queries by keys, whatever their numbers. Raises InputError where both or neither are given. Source:
    Vaswani et al. 2017, section 3.2.3, hides by −∞ likewise.

    >>> [PaddingMask(2).keep(0, j) for j in range(3)], [PaddingMask(keys=[1, 3]).keep(0, j) for j in range(3)]
    ([True, True, False], [False, True, False])
    """

    def __new__(cls, length: Any = None, keys: Any = None) -> Any:
        if isinstance(length, Tuple):
            length, keys = None, length  # its own canonical form
        if (length is None) == (keys is None):
            raise InputError(Sentence("bad_padding"))
        if keys is None:
            return super().__new__(cls, _read_bound(length, "padding"))
        if isinstance(keys, str) or not isinstance(keys, Sequence | np.ndarray | Tuple) or not len(keys):
            raise InputError(Sentence("bad_padding"))
        numbers = [_integer(k, "padding") for k in keys]
        if any(not k.is_Integer or k < 1 for k in numbers):
            raise InputError(Sentence("bad_padding"))
        return super().__new__(cls, Tuple(*sorted(set(numbers))))

    def keep(self, _i: Any, j: Any) -> Any:
        given = self.args[0]
        return (
            sympy.And(*[sympy.Ne(as_sympy(j), k - 1) for k in given])
            if isinstance(given, Tuple)
            else as_sympy(j) < given
        )

    def formula(self) -> Box:
        return self._compared(LE, NOT_IN)

    def hidden(self) -> Box:
        return self._compared(">", IN)

    def _compared(self, length: Cell, keys: Cell) -> Box:
        given = self.args[0]
        if not isinstance(given, Tuple):
            return Row((_KEY, length, _KeyNumber(given)))
        inside = Listed(tuple(map(_KeyNumber, given)), " ")
        return Row((_KEY, keys, Row((Spelled(r"\{", "{"), inside, Spelled(r"\}", "}")), TIGHT)))


@dataclass(frozen=True)
class _KeyNumber:
    """The number of a key, which is counted from 1 inside."""

    number: Expr

    def write(self, style: Style) -> str:
        return style.expression(self.number + style.notation.first_index - 1)


class FiniteMask(Written, Basic):  # type: ignore[misc]
    """A number, −10⁹ unless given, added to the scores that a mask (or all of several) would hide.

    It is no −∞: exact softmax leaves those keys a weight of e^(−10⁹), and a row that is hidden throughout has the
    weights it has without a mask. Shape: queries by keys. Raises InputError for a value that is not below 0. Source:
    Devlin et al. 2019, whose program adds −10⁴.

    >>> FiniteMask(CausalMask()).args
    (j <= i, -1000000000)
    """

    def __new__(cls, mask: Any, value: Any = -(10**9)) -> Any:
        mask, number = as_mask(mask), as_number(value)
        if mask is S.true:
            raise InputError(Sentence("bad_mask", given=mask))
        if any(isinstance(part, FiniteMask | TopKMask) for part in mask_parts(mask)):
            raise InputError(Sentence("finite_of_what", given=clip(str(mask), 60)))
        if number is None or number.is_negative is not True:
            raise InputError(Sentence("bad_finite_mask", given=str(value)[:60]))
        return super().__new__(cls, mask, number)

    def formula(self) -> Box:
        return Row((conditions(self.args[0], r"\ "), Spelled(r"\ \text{else}\ ", "else"), Formula(self.args[1])))


class TopKMask(Written, Basic):  # type: ignore[misc]
    """The k largest logits of each query, of equal ones the first; those that other masks hide count as −∞.

    It hides by what the scores are, not by where they stand. Shape: queries by keys. Raises InputError for a k that is
    no whole number from 1 on. Source: Zhao et al. 2019 (Explicit Sparse Transformer), equation 5.

    >>> TopKMask(2)
    top 2
    """

    def __new__(cls, count: Any) -> Any:
        count = _integer(count, "top", "not_from_one")
        if count.is_positive is False:
            raise InputError(Sentence("not_from_one", name="top"))
        return super().__new__(cls, count)

    def formula(self) -> Box:
        return Row((Spelled(r"\text{top }", "top "), Formula(self.args[0])), TIGHT)


def as_mask(mask: Any) -> Any:
    """The canonical form of a mask: `true`, one mask, or a Tuple of masks all of which must allow."""
    if mask is None or mask is S.true:
        return S.true
    if isinstance(mask, _Mask | FiniteMask | TopKMask):
        return mask
    if isinstance(mask, tuple | list | Tuple):
        parts = [as_mask(m) for m in mask]
        parts = [p for p in parts if p is not S.true]
        return S.true if not parts else parts[0] if len(parts) == 1 else Tuple(*parts)
    raise InputError(Sentence("bad_mask", given=clip(str(mask), 60)))


def require_number(value: Any) -> None:
    """Raises InputError where a letter stands in what has to be a number, or true or false, naming the letter."""
    if letters := sorted(getattr(value, "free_symbols", ()), key=str):
        raise InputError(Sentence("value_missing", name=letters[0]))


def mask_parts(mask: Any) -> tuple[Any, ...]:
    """The masks that must all allow; none for `true`."""
    if isinstance(mask, BooleanTrue):
        return ()
    return tuple(mask) if isinstance(mask, Tuple) else (mask,)


def mask_matrices(mask: Any) -> tuple[Any, ...]:
    """The matrices that a mask reads its zeros and ones from, where they are no numbers yet."""
    inside = [p.args[0] for p in mask_parts(mask) if isinstance(p, KeepMask | HideMask)]
    return tuple(m for m in inside if not isinstance(m, MatrixBase))


def require_mask(mask: Any, shape: tuple[Expr, Expr], rows_are: object, columns_are: object) -> None:
    """Refuse a 0/1 matrix whose sizes are not those of the scores, and padding that there are no keys for."""
    for part in mask_parts(mask):
        if isinstance(part, FiniteMask):
            require_mask(part.args[0], shape, rows_are, columns_are)
        elif isinstance(part, KeepMask | HideMask):
            M = part.args[0]
            require_size(shape[0], M.shape[0], rows_are, "rows(mask)")
            require_size(shape[1], M.shape[1], columns_are, "columns(mask)")
        elif isinstance(part, PaddingMask):
            last = max(part.args[0]) if isinstance(part.args[0], Tuple) else part.args[0]
            if (as_sympy(shape[1]) - last).is_negative:
                raise InputError(Sentence("padding_beyond", given=last, keys=shape[1]))


def conditions(mask: Any, gap: str = "") -> Box:
    """Under which the score stays, those of several masks with commas between them (and LaTeX's gap after these)."""
    return Listed(tuple(map(Formula, mask_parts(mask))), gap)


def join(sign: Cell, boxes: Sequence[Box]) -> Box:
    """Boxes with a sign between them."""
    return Row(tuple(cell for box in boxes for cell in (sign, box))[1:])


def _zero_one(matrix: Any) -> Any:
    if _is_row(matrix):
        matrix = [
            [int(x) if isinstance(x, bool | np.bool_) else x for x in row] if _is_row(row) else row for row in matrix
        ]
    matrix = as_matrix(matrix, "mask")
    if isinstance(matrix, MatrixBase) and any(x not in (0, 1) for x in matrix.flat()):
        raise InputError(Sentence("mask_entries"))
    return matrix


def _is_row(row: Any) -> bool:
    return isinstance(row, Sequence | np.ndarray) and not isinstance(row, str)


def _entry_is(number: str, matrix: Any) -> Box:
    """M_ij = 1."""
    return Row((Symbol(matrix.name if matrix.is_symbol else "M", ("i", "j")), "=", number))


def _integer(value: Any, name: str, said: str = "not_an_integer") -> Any:
    value = as_whole(value)
    if value is None or is_matrix(value) or value.is_integer is False:
        raise InputError(Sentence(said, name=name))
    return value


def _read_bound(value: Any, name: str) -> Any:
    if value is None or value is S.Infinity:
        return S.Infinity
    value = _integer(value, name)
    if value.is_negative:
        raise InputError(Sentence("negative_count", name=name))
    return value


def _shift(offset: Expr) -> Box:
    """i + offset."""
    if offset == 0:
        return _ROW
    negative = offset.could_extract_minus_sign()
    return Signed((("+", _ROW), ("-", Formula(-offset)) if negative else ("+", Formula(offset))))
