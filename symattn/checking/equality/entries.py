"""A matrix expression -> its entry at (i, j), as a sum over any sizes; its exponential where −∞ may hide entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import singledispatch
from typing import Any

import sympy
from sympy import Expr, Identity, Integer, MatrixSymbol, OneMatrix, S, Symbol, ZeroMatrix
from sympy.matrices.expressions import MatAdd, MatMul, MatPow, Transpose
from sympy.matrices.expressions.matexpr import MatrixElement
from sympy.matrices.matrixbase import MatrixBase

from symattn.checking.equality.algebra import Algebra
from symattn.checking.equality.indices import At, Axes, Cut, Grid, Index, Undecided, Variable, constant, lone
from symattn.checking.equality.numbers import number_of
from symattn.checking.equality.relations import AT_MOST
from symattn.checking.equality.terms import Atom, Sum
from symattn.writing.strict import as_sympy

MOST_EXPLICIT = 16  # rows or columns of numbers that are looked at one by one


class Entries:
    """Entries of matrices, with what is known: cut axes, letters of families, matrices that are permutations."""

    def __init__(self, algebra: Algebra, axes: Axes, kinds: Mapping[Any, str] | None = None) -> None:
        self.algebra, self.axes = algebra, axes
        self.kinds = {str(s.name): kind for s, kind in (kinds or {}).items()}
        self.letters: dict[Symbol, Index] = {}
        self._known: dict[object, Sum] = {}

    def at(self, e: Any, i: Index, j: Index) -> Sum:
        """Entry (i, j)."""
        return self._remembered(entry_of, e, i, j)

    def exp(self, e: Any, i: Index, j: Index) -> Sum:
        """e to entry (i, j): 0 where that is −∞."""
        return self._remembered(exponential_of, e, i, j)

    def _remembered(self, rule: Callable[..., Sum], e: Any, i: Index, j: Index) -> Sum:
        """Every matrix is worked out once for indices of a kind, which are then renamed."""
        away, back = dict[Variable, Index](), dict[Variable, Index]()
        taken = {v for index in self.letters.values() for v in index.variables}
        for letter, index in (("r", i), ("c", j)):
            for k, v in enumerate(index.variables):
                if v not in away:
                    new = Variable(f"{letter}{k}", v.size)
                    while new in taken:  # the number of a member may be a row or a column of what is worked out
                        new = Variable(f"{new.name}′", v.size)
                    away[v], back[new] = lone(new), lone(v)
        rows, columns = i.renamed(away), j.renamed(away)
        key = (rule, e, rows, columns, tuple(self.letters.items()))
        if key not in self._known:
            self._known[key] = rule(e, rows, columns, self)
        return self.algebra.rename(self._known[key], back)

    def positions(self, size: Expr) -> Iterator[Index]:
        """Indices that together run over a range, which is no other for other members of a family."""
        if size.has(*self.letters):
            raise Undecided("formula", size)
        return self.axes.positions(size)

    def total(self, size: Expr, term: Callable[[Index], Sum]) -> Sum:
        """Σ over a range."""
        size = sympy.expand(size)
        try:
            return self.algebra.add(*(self.algebra.bind(term(k), k.variables) for k in self.positions(size)))
        except Cut as cut:
            if not (self.axes.one_by_one and cut.size == size and isinstance(cut.parts, At)):
                raise
            place = cut.parts.place
            return self.algebra.add(self.total(place, term), self.total(size - place, lambda k: term(k.shifted(place))))

    def number(self, value: Expr, known: Mapping[Symbol, Sum] | None = None) -> Sum:
        """A scalar, the letters of families as the numbers of their members, entries of matrices as what they are."""
        value = as_sympy(value)
        entries = {e: sympy.Dummy() for e in value.atoms(MatrixElement)}
        letters = {s: self.position(i) for s, i in self.letters.items()}
        letters |= {s: self.at(e.parent, self.index(e.i), self.index(e.j)) for e, s in entries.items()}
        return number_of(value.xreplace(entries), letters | dict(known or {}), self.algebra)

    def position(self, index: Index) -> Sum:
        """The number that an index is."""
        made = [number_of(index.offset, {}, self.algebra)]
        for factor, permutations, v in index.parts:
            at = Index(S.Zero, ((S.One, permutations, v),))
            made.append(self.algebra.multiply(number_of(factor, {}, self.algebra), self.algebra.atom(POSITION, at)))
        return self.algebra.add(*made)

    def index(self, value: Expr) -> Index:
        """A formula for a row or a member as an index."""
        value = sympy.expand(value)
        made = constant(value.xreplace(dict.fromkeys(self.letters, Integer(0))))
        for letter, index in self.letters.items():
            factor = value.coeff(letter)
            if factor.has(*self.letters):
                raise Undecided("formula", value)
            made = made.plus(index.times(factor))
            value = sympy.expand(value - factor * letter)
        if value.has(*self.letters):
            raise Undecided("formula", value)
        return made

    def with_letter(self, letter: Symbol, index: Index) -> Entries:
        """The same where a letter of a family is known."""
        made = Entries(self.algebra, self.axes)
        made.kinds, made._known = self.kinds, self._known
        made.letters = {**self.letters, letter: index}
        return made

    def member(self, X: MatrixSymbol) -> tuple[Index, ...]:
        """The numbers of the member of families that a matrix is, if it is one."""
        numbers = str(X.name).partition("^(")[2].removesuffix(")").split(",")
        return tuple(i for x in numbers for s, i in self.letters.items() if s.name == x)

    def members(self, letter: Symbol, count: Expr, term: Callable[[Entries], Sum]) -> Sum:
        """Σ over the members of a family, which are counted from 1."""
        return self.total(count, lambda k: term(self.with_letter(letter, k.shifted(S.One))))

    def at_most(self, low: Index, high: Index) -> Sum:
        """1 where one index is at most another, else 0."""
        difference = low.plus(high.times(Integer(-1)))
        try:
            return self.algebra.one if self.axes.below(difference, S.One) else self.algebra.zero
        except Undecided:  # nobody knows whether the place is in the range
            return self.algebra.atom(AT_MOST, difference)

    def split(self, index: Index, count: Expr, width: Expr) -> tuple[Index, Index]:
        """An index of count · width as that of a block, from 0, and that within the block."""
        outer, inner = constant(0), constant(0)
        for part in (Index(index.offset), *(Index(S.Zero, (p,)) for p in index.parts)):
            factor = part.parts[0][0] if part.parts else part.offset
            share = sympy.cancel(factor / width)
            below = sympy.fraction(share)[1].free_symbols & width.free_symbols
            whole = sympy.floor(share) if share.is_Rational else S.Zero if below else share
            outer = outer.plus(part.times(whole / factor) if factor != 0 else part)
            inner = inner.plus(part.plus(part.times(-whole * width / factor)) if factor != 0 else part)
        least, most = self.axes.bounds(inner)
        if self.axes.is_nonnegative(least) and self.axes.is_nonnegative(width - 1 - most):
            return outer, inner
        if (v := index.lone) is not None and sympy.expand(v.size - count * width) == 0:
            raise Cut(v.size, Grid(count, width))
        raise Undecided("blocks_of_heads")


POSITION = Atom("position", "")


# --- entries


@singledispatch
def entry_of(e: Any, i: Index, j: Index, known: Entries) -> Sum:
    """The rule of a node; what has none is a matrix of its own, equal to itself."""
    if isinstance(e, MatrixBase):
        return explicit(e, i, j, known)
    return opaque(e, i, j, known)


def opaque(e: Any, i: Index, j: Index, known: Entries) -> Sum:
    """A matrix of which nothing is known but that it is itself."""
    if e.has(*known.letters) or any(known.member(X) for X in e.atoms(MatrixSymbol)):
        raise Undecided("node", type(e).__name__)
    return known.algebra.atom(Atom("opaque", sympy.srepr(e)), i, j)


def explicit(e: MatrixBase, i: Index, j: Index, known: Entries) -> Sum:
    """A matrix of numbers, whose ranges are looked at one by one."""
    for index in (i, j):
        if index.parts:
            size = index.variables[0].size
            if not size.is_Integer or size > MOST_EXPLICIT:
                raise Undecided("numbers")
            raise Cut(size, At(S.One))
    value = e[int(i.offset), int(j.offset)]
    if value.has(S.NegativeInfinity):
        raise Undecided("minus_infinity")
    return known.number(value)


@entry_of.register
def _(e: MatrixSymbol, i: Index, j: Index, known: Entries) -> Sum:
    name, algebra, member = str(e.name), known.algebra, known.member(e)
    kind = known.kinds.get(name)
    if kind and member:
        raise Undecided("node", e)
    if kind == "permutation":
        if any(k.lone is None or k.lone.size != e.shape[0] for k in (i, j)):
            raise Undecided("permuted_part")
        return algebra.delta(i.permuted(name), j)
    if kind == "rotation":
        return _rotated(name, S.One, i, j, known)
    return algebra.entry(entry_name(e), *member, i, j)


def entry_name(X: MatrixSymbol) -> str:
    """What the atom of an entry is called: two matrices of one name may differ in their sizes."""
    return f"{str(X.name)!r}[{X.shape[0]},{X.shape[1]}]"


def _rotated(name: str, power: Expr, i: Index, j: Index, known: Entries) -> Sum:
    """R^a of a rotation by θ: cos aθ on the diagonal, −sin aθ above it, sin aθ below it."""
    angle = power * Symbol(f"angle of {name}")
    places = (int(i.offset), int(j.offset))
    value = {(0, 1): -sympy.sin(angle), (1, 0): sympy.sin(angle)}.get(places, sympy.cos(angle))
    return known.number(value)


@entry_of.register
def _(e: MatPow, i: Index, j: Index, known: Entries) -> Sum:
    base, power = e.args
    if isinstance(base, MatrixSymbol) and known.kinds.get(str(base.name)) == "rotation":
        return _rotated(str(base.name), power, i, j, known)
    if not (power.is_Integer and 0 < power <= 8):
        return opaque(e, i, j, known)
    return known.at(MatMul(*[base] * int(power)), i, j)


@entry_of.register
def _(e: MatMul, i: Index, j: Index, known: Entries) -> Sum:
    factor, matrices = e.as_coeff_matrices()
    left, *others = matrices
    if not others:
        return known.algebra.multiply(known.number(factor), known.at(left, i, j))
    right = others[0] if len(others) == 1 else MatMul(*others)
    product = known.total(left.shape[1], lambda k: known.algebra.multiply(known.at(left, i, k), known.at(right, k, j)))
    return known.algebra.multiply(known.number(factor), product)


@entry_of.register
def _(e: MatAdd, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.add(*(known.at(a, i, j) for a in e.args))


@entry_of.register
def _(e: Transpose, i: Index, j: Index, known: Entries) -> Sum:
    return known.at(e.arg, j, i)


@entry_of.register
def _(e: Identity, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.delta(i, j)


@entry_of.register
def _(e: ZeroMatrix, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.zero


@entry_of.register
def _(e: OneMatrix, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.one


# --- exponentials


@singledispatch
def exponential_of(e: Any, i: Index, j: Index, known: Entries) -> Sum:
    """The exponential of the entry."""
    if isinstance(e, MatrixBase) and not i.parts and not j.parts and e[int(i.offset), int(j.offset)] == -sympy.oo:
        return known.algebra.zero
    return known.algebra.exp(known.at(e, i, j))


@exponential_of.register
def _(e: MatAdd, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.multiply(*(known.exp(a, i, j) for a in e.args))


@exponential_of.register
def _(e: Transpose, i: Index, j: Index, known: Entries) -> Sum:
    return known.exp(e.arg, j, i)
