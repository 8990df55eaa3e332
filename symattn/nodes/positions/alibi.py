"""ALiBi: a bias that grows with the distance between query and key, steeper in the first heads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Expr, Integer, Piecewise

from symattn.errors import InputError
from symattn.nodes.boxes import Brackets, Indexed, Turned, number_factor
from symattn.nodes.elementary.elementwise import index_letters
from symattn.nodes.elementary.families import HEAD
from symattn.nodes.node import M, Node, Numbers, Sizes, as_number, shape_of
from symattn.writing.document import TIGHT, Box, Formula, Row, Signed, Spelled
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy


class Alibi(Node):
    """The bias of a linear distance, of n queries and m keys.

    Alibi(n, m, slope)_ij = −slope·(i + offset − j)

    `offset` is the number of keys before the first query (a cache). Keys ahead of the query get a positive bias; the
    paper hides them. Shape: (n, m). Raises InputError for a slope that is no number. Source: Press, Smith and Lewis
    2022, section 3.

    >>> Alibi(2, 2, 1).as_explicit()
    Matrix([
    [ 0, 1],
    [-1, 0]])
    """

    def __new__(cls, rows: Any, columns: Any, slope: Any, offset: Any = 0) -> Any:
        number = as_number(slope)
        if number is None:
            raise InputError(Sentence("bad_slope", given=str(slope)[:60]))
        return super().__new__(cls, as_sympy(rows), as_sympy(columns), number, as_sympy(offset))

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.args[0], self.args[1]

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        return "", {"slope": self.args[2]}

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return -self.args[2] * (i + self.args[3] - j)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        sized = self.xreplace(dict(sizes))
        rows, columns = (int(s) for s in shape_of(sized))
        return numbers.given([[sized._entry(Integer(i), Integer(j)) for j in range(columns)] for i in range(rows)])

    def formula(self) -> Box:
        slope, offset = self.args[2:]
        in_latex = Brackets(Formula(slope)) if slope.is_Add or slope.is_Piecewise else Formula(slope)
        row, column = (Formula(x) for x in index_letters(slope))
        steepness = () if slope == 1 else (Spelled(in_latex, number_factor(slope)),)
        position = Signed((("+", row), *((("+", Formula(offset)),) if offset != 0 else ()), ("-", column)))
        term = Signed((("-", Row((*steepness, Brackets(position)), ("", " "))),))
        return Indexed(Brackets(term, "[]"), Turned(Row((row, column), TIGHT), Row((column, row), TIGHT)))


def alibi_slope(heads: Any, head: Any = HEAD) -> Expr:
    """The slope of a head: m_i = 2^(−8i/h) for a power of two.

    For another number of heads the paper takes those of the next lower power of two, then every second of those of
    the next higher one. A symbol for h is taken for a power of two. Source: Press, Smith and Lewis 2022, section 3 and
    its program. A number without a unit, for logits in
    nats; of heads that there are not it goes on as the formula does.

    >>> [alibi_slope(3, head=i) for i in (1, 2, 3)]
    [1/16, 1/256, 1/4]
    """
    heads, head = as_sympy(heads), as_sympy(head)
    lower = heads
    if heads.is_Integer:
        lower = Integer(1 << (int(heads).bit_length() - 1))
    first = Integer(2) ** (-8 * head / lower)
    if lower == heads:
        return first
    second = Integer(2) ** (-4 * (2 * (head - lower) - 1) / lower)
    return Piecewise((first, head <= lower), (second, True))
