"""Several heads as one family: formulas with a head's number in them, and what joins the members.

A member of a family is an ordinary matrix symbol whose name ends in the letter of its index: Q^(i). `at` says which
member is meant; `HeadColumns` and `HeadRows` are the blocks of matrices that all heads share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy import Expr, Integer, MatrixSymbol, Symbol
from sympy.matrices.matrixbase import MatrixBase
from sympy.printing.precedence import PRECEDENCE

from symattn.errors import InputError, NotSupportedError
from symattn.nodes.boxes import Brackets, Indexed, SideBySide, after_minus
from symattn.nodes.elementary.concat import MOST_PARTS, Concat
from symattn.nodes.elementary.logits import opposite
from symattn.nodes.node import At, M, Node, Numbers, Sizes, as_matrix, entry, require_shape, shape_of
from symattn.writing.document import Box, Formula, Signed, Spelled
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy


class HeadNumber(Symbol):  # type: ignore[misc]
    """The number of a head, from 1. No symbol that a user calls i, for a row, is equal to it."""

    __slots__ = ()

    @classmethod
    def class_key(cls) -> Any:
        """What products are sorted by: as any symbol."""
        return Symbol.class_key()


HEAD = HeadNumber("i", integer=True, positive=True)
KV_HEAD = HeadNumber("j", integer=True, positive=True)  # of a key/value head
TIME = Symbol("t", integer=True, positive=True)  # the number of a token or a block, from 1
_MOST_WRITTEN = 3  # more members than this are written with dots


def member(name: str, index: Any) -> str:
    """The name of a member: Q, 2 -> Q^(2); in a part of a calculation Q^(encoder) -> Q^(encoder,2)."""
    return f"{name[:-1]},{index})" if name.endswith(")") else f"{name}^({index})"


def stem(matrix: Any) -> str:
    """The name of a matrix without what `member` adds: Q of Q^(encoder,2)."""
    return str(matrix.name).partition("^(")[0]


def ending(matrix: Any) -> str:
    """What `member` adds to a name: ^(encoder,2) of Q^(encoder,2)."""
    return str(matrix.name)[len(stem(matrix)) :]


def _with_number(name: str, letter: Symbol, value: Any) -> str:
    """The name with a number in the place of a letter: H^(i,t) with 2 for i -> H^(2,t)."""
    stem, mark, numbers = name.partition("^(")
    if not mark or not numbers.endswith(")"):
        return name
    found = (str(value) if x == letter.name else x for x in numbers[:-1].split(","))
    return f"{stem}^({','.join(found)})"


def other_member(name: str, letter: Any, value: Any) -> str:
    """The name of another member of the same family."""
    return f"{name[: -len(str(letter)) - 1]}{value})"


def at(expression: Any, letter: Symbol, value: Any) -> Any:
    """The expression for one value of the index: Q^(i) W_i becomes Q^(2) W_2."""
    if isinstance(expression, MatrixSymbol):
        name = _with_number(expression.name, letter, value)
        return expression if name == expression.name else MatrixSymbol(name, *expression.shape)
    if isinstance(expression, Member):
        family, own, index = expression.args
        family = family if own == letter else at(family, letter, value)  # its own letter is bound
        return Member(family, own, index.xreplace({letter: as_sympy(value)}))
    if isinstance(expression, OverMembers) and expression.args[1] == letter:
        return expression
    if not expression.has(MatrixSymbol, MatrixBase):
        return expression.xreplace({letter: as_sympy(value)})
    arguments = [at(a, letter, value) for a in expression.args]
    return expression if tuple(arguments) == expression.args else expression.func(*arguments)


class Member(Node):
    """A member of a family by a formula for its number: the key/value head ⌈i g/h⌉ that head i uses.

    Shape: that of every member. Source: Ainslie et al. 2023, section 2.2 (contiguous groups).
    """

    is_symbol = True  # it stands for a step, and prints as one

    def __new__(cls, family: Any, letter: Symbol, index: Any) -> Any:
        if not isinstance(family, MatrixSymbol):
            return family  # what was put in the place of every member
        return super().__new__(cls, family, letter, as_sympy(index))

    @property
    def name(self) -> str:
        return other_member(self.args[0].name, self.args[1], self.args[2])

    def chosen(self) -> MatrixSymbol:
        """The member itself, once its number is one."""
        return at(self.args[0], self.args[1], self.args[2])

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.chosen(), i, j)

    def formula(self) -> Box:
        return Formula(MatrixSymbol(self.name, 1, 1))

    def _sympystr(self, printer: Any) -> str:
        return super()._sympystr(printer).replace("ceiling(", "⌈").replace("))", "⌉)")


class _HeadBlock(Node):
    """One of `count` equal blocks of a matrix that all heads share."""

    axis: int

    def __new__(cls, W: Any, index: Any, count: Any) -> Any:
        W, index, count = as_matrix(W, "W"), as_sympy(index), as_sympy(count)
        if count == 1:
            return W
        if index.is_Integer and (index < 1 or (count.is_Integer and index > count)):
            raise InputError(Sentence("no_such_head", number=index, count=count, whole=str(W)[:40]))
        parts = W.args if isinstance(W, Concat) and cls.axis == 1 else ()
        if index.is_Integer and len(parts) == count:
            return parts[int(index) - 1]  # one matrix was given for each head
        return super().__new__(cls, W, index, count)

    @property
    def name(self) -> str:
        """W_Q^(i), which the writers set as they set a member's name; of separate W_Q1, W_Q2, ... their common part."""
        W = self.args[0]
        names = [a.name for a in (W.args if isinstance(W, Concat) else (W,)) if isinstance(a, MatrixSymbol)]
        stem = names[0] if len(names) == 1 else _common(names)
        return member(stem or "W", self.args[1])

    @property
    def is_named(self) -> bool:
        W = self.args[0]
        return all(isinstance(a, MatrixSymbol) for a in (W.args if isinstance(W, Concat) else (W,)))

    def formula(self) -> Box:
        if self.is_named:
            return Formula(MatrixSymbol(self.name, 1, 1))
        return Indexed(Brackets(Formula(self.args[0])), Formula(self.args[1]))


class HeadColumns(_HeadBlock):
    """The columns of head i in a matrix whose columns the heads share: W = [W_1, …, W_h].

    HeadColumns(W, i, h)_ab = W_{a, (i−1)w + b}, w = columns(W)/h. Shape: (rows, w). Source: Vaswani et al. 2017, 3.2.2.

    >>> from sympy import Matrix
    >>> HeadColumns(Matrix([[1, 2, 3, 4]]), 2, 2).as_explicit()
    Matrix([[3, 4]])
    """

    axis = 1

    @property
    def shape(self) -> tuple[Expr, Expr]:
        rows, columns = shape_of(self.args[0])
        return rows, head_width(columns, self.args[2])

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.args[0], i, (self.args[1] - 1) * self.shape[1] + j)


class HeadRows(_HeadBlock):
    """The rows that meet head i in a matrix which multiplies a concatenation: W_O = [W_1; …; W_h].

    HeadRows(W, i, h)_ab = W_{(i−1)w + a, b}, w = rows(W)/h. Shape: (w, columns).

    >>> from sympy import Matrix
    >>> HeadRows(Matrix([1, 2, 3, 4]), 2, 2).as_explicit()
    Matrix([
    [3],
    [4]])
    """

    axis = 0

    @property
    def shape(self) -> tuple[Expr, Expr]:
        rows, columns = shape_of(self.args[0])
        return head_width(rows, self.args[2]), columns

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.args[0], (self.args[1] - 1) * self.shape[0] + i, j)


class OverMembers(Node):
    """What joins the members of a family; `index` is bound."""

    def __new__(cls, body: Any, index: Symbol, *numbers: Any) -> Any:
        return super().__new__(cls, as_matrix(body, cls.__name__), index, *map(as_sympy, numbers))

    @property
    def bound_symbols(self) -> list[Symbol]:
        return [self.args[1]]

    @property
    def free_symbols(self) -> set[Any]:
        body, index, *numbers = self.args
        found: set[Any] = body.free_symbols - {index}
        return found.union(*[x.free_symbols for x in numbers])

    def members(self) -> list[Any]:
        """The body for each value of the index. Raises NotSupportedError where their number is a symbol."""
        body, index, count = self.args
        if not count.is_Integer:
            raise NotSupportedError(Sentence("heads_unknown", heads=count))
        return [at(body, index, k) for k in range(1, int(count) + 1)]

    def joined(self) -> Any:
        """The same over its members one by one."""
        raise NotImplementedError

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.joined(), i, j)


class ConcatHeads(OverMembers):
    """The heads side by side: Concat(head_1, …, head_h). Shape: (rows, h times the columns of one).

    Source: Vaswani et al. 2017, section 3.2.2.
    """

    @property
    def shape(self) -> tuple[Expr, Expr]:
        rows, columns = shape_of(self.args[0])
        return rows, self.args[2] * columns

    def joined(self) -> Any:
        return Concat(*self.members())

    def formula(self) -> Box:
        body, index, count = self.args
        if count.is_Integer and count <= _MOST_WRITTEN:
            return SideBySide(tuple(map(Formula, self.members())))
        first, last = (Formula(at(body, index, k)) for k in (1, count))
        return SideBySide((first, Spelled(r"\ldots", "…"), last))


class Plus(Node):
    """Matrices added up, in the order as written. Shape: that of each. Raises ShapeError where they differ."""

    precedence = PRECEDENCE["Add"]  # in brackets inside a product

    def __new__(cls, *terms: Any) -> Any:
        made = [as_matrix(t, "Plus") for t in terms]
        for term in made[1:]:
            require_shape(made[0], term)
        return made[0] if len(made) == 1 else super().__new__(cls, *made)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return sympy.Add(*[entry(t, i, j) for t in self.args])

    def written(self, at: At, i: str, j: str) -> Box:
        terms = [(opposite(t), t) for t in self.args]
        return Signed(tuple(("+", at(t, i, j)) if other is None else ("-", at(other, i, j)) for other, t in terms))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        total = values[0]
        for value in values[1:]:
            total = numbers.add(total, value)
        return total

    def formula(self) -> Box:
        """A + B − C: a multiple by a negative number is subtracted; many names in a row have dots for their middle."""
        terms = [(opposite(term), term) for term in self.args]
        shown: list[tuple[str, Box]] = [
            ("+", Formula(term)) if other is None else ("-", after_minus(other)) for other, term in terms
        ]
        if len(shown) > MOST_PARTS and all(term.is_symbol for term in self.args):
            shown[2:-1] = [("+", Spelled(r"\cdots", "⋯"))]
        return Signed(tuple(shown))


def _common(names: Sequence[str]) -> str:
    """What the names of the heads' own matrices have in common: W_Q1, W_Q2 -> W_Q."""
    stem = names[0] if names else ""
    while stem and not all(n.startswith(stem) for n in names):
        stem = stem[:-1]
    return stem.rstrip("_^({0123456789")


def head_width(total: Expr, heads: Expr) -> Expr:
    """The width of one head of several that share `total` columns. Raises InputError where they do not divide them."""
    total = as_sympy(total)
    width = total / heads  # h d_k / h is d_k by itself
    if total.is_Add:
        width = sympy.cancel(width)
    if total.is_Integer and heads.is_Integer and not width.is_Integer:
        raise InputError(Sentence("heads_do_not_divide", heads=heads, width=total))
    return Integer(width) if width.is_Integer else width


def kv_head_of(heads: Expr, kv_heads: Expr) -> Expr:
    """The number of the key/value head that head i uses: ⌈i g/h⌉, from 1. Source: Ainslie et al. 2023."""
    if kv_heads == 1:
        return Integer(1)
    return HEAD if heads == kv_heads else sympy.ceiling(HEAD * kv_heads / heads)
