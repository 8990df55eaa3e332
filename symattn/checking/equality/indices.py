"""Where an entry stands: indices that run over ranges of symbolic size, shifted, permuted, or of two letters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import sympy
from sympy import Expr, Integer, S


class Undecided(Exception):  # noqa: N818  (an answer)
    """What the normal form has no words for; `reason` is a key of the sentences, without "unproven."."""

    def __init__(self, reason: str, what: object = "") -> None:
        super().__init__(reason, str(what))
        self.reason, self.what = reason, str(what)[:60]


@dataclass(frozen=True, slots=True)
class Variable:
    """An index that runs over 0, …, size − 1: a number for one that is summed over, text for a free one."""

    name: int | str
    size: Expr

    @property
    def bound(self) -> bool:
        return isinstance(self.name, int)


Part = tuple[Expr, tuple[str, ...], Variable]  # coefficient, permutations (the last is applied first), variable


@dataclass(frozen=True, slots=True)
class Index:
    """offset + Σ coefficient · σ(variable)."""

    offset: Expr
    parts: tuple[Part, ...] = ()

    @property
    def variables(self) -> tuple[Variable, ...]:
        return tuple(v for _, _, v in self.parts)

    @property
    def lone(self) -> Variable | None:
        """The variable that this index is, and nothing else."""
        if self.offset == 0 and len(self.parts) == 1 and self.parts[0][0] == 1 and not self.parts[0][1]:
            return self.parts[0][2]
        return None

    def renamed(self, new: Mapping[Variable, Index]) -> Index:
        if not any(v in new for _, _, v in self.parts):
            return self
        offset, parts = self.offset, dict[tuple[tuple[str, ...], Variable], Expr]()
        for factor, permutations, v in self.parts:
            inner = new.get(v)
            if inner is None:
                inner = Index(S.Zero, ((S.One, (), v),))
            elif permutations and not (inner.offset == 0 and len(inner.parts) == 1 and inner.parts[0][0] == 1):
                raise Undecided("permuted_part")
            offset = offset + factor * inner.offset
            for f, p, w in inner.parts:
                place = (_cancelled(permutations + p), w)
                parts[place] = parts.get(place, S.Zero) + factor * f
        return Index.of(offset, parts)

    @staticmethod
    def of(offset: Expr, parts: Mapping[tuple[tuple[str, ...], Variable], Expr]) -> Index:
        made = [(sympy.expand(f), p, v) for (p, v), f in parts.items()]
        made = [part for part in made if part[0] != 0]
        made.sort(key=lambda part: (str(part[0]), part[1], isinstance(part[2].name, str), part[2].name))
        return Index(offset if offset.is_Atom else sympy.expand(offset), tuple(made))

    def shifted(self, by: Expr) -> Index:
        return self if by == 0 else Index(sympy.expand(self.offset + by), self.parts)

    def times(self, factor: Expr) -> Index:
        return Index.of(self.offset * factor, {(p, v): f * factor for f, p, v in self.parts})

    def plus(self, other: Index) -> Index:
        parts = {(p, v): f for f, p, v in self.parts}
        for f, p, v in other.parts:
            parts[p, v] = parts.get((p, v), S.Zero) + f
        return Index.of(self.offset + other.offset, parts)

    def permuted(self, name: str) -> Index:
        """σ of this index; ~σ is the inverse."""
        if self.offset != 0 or len(self.parts) != 1 or self.parts[0][0] != 1:
            raise Undecided("permuted_part")
        _, permutations, v = self.parts[0]
        return Index(S.Zero, ((S.One, _cancelled((name, *permutations)), v),))

    def write(self, label: Callable[[Variable], str]) -> str:
        shift = "" if self.offset is S.Zero else str(self.offset)
        terms = []
        for f, permutations, v in self.parts:
            quoted = "".join(f"σ{name!r}" for name in permutations)  # so that a label is no part of a name
            terms.append(f"{'' if f is S.One else f}*{quoted}{label(v)}")
        return "+".join((shift, *sorted(terms)))


def _cancelled(permutations: tuple[str, ...]) -> tuple[str, ...]:
    """Without σ beside its inverse."""
    made: list[str] = []
    for name in permutations:
        if made and made[-1] == inverse(name):
            made.pop()
        else:
            made.append(name)
    return tuple(made)


def inverse(permutation: str) -> str:
    return permutation[1:] if permutation.startswith("~") else f"~{permutation}"


def constant(value: object) -> Index:
    return Index(sympy.expand(value))


def lone(variable: Variable) -> Index:
    return Index(S.Zero, ((S.One, (), variable),))


class Cut(Exception):  # noqa: N818  (a request)
    """Ranges of a size have to be looked at in parts; all are then, so that equal sums stay equal."""

    def __init__(self, size: Expr, parts: Parts) -> None:
        super().__init__(size)
        self.size, self.parts = sympy.expand(size), parts


@dataclass(frozen=True)
class At:
    """A range cut in two: 0, …, place − 1 and the rest."""

    place: Expr


@dataclass(frozen=True)
class Grid:
    """A range counted by two letters: inner · a + b."""

    outer: Expr
    inner: Expr


Parts = At | Grid
UNROLLED = 4  # ranges of so few are written out


class Axes:
    """How ranges are looked at, and what is known of sizes: all are at least 1, and `facts` are not negative.

    `one_by_one`: a sum is cut where it needs it, others over the same range are not.
    """

    def __init__(self, one_by_one: bool = False) -> None:
        self.parts: dict[Expr, Parts] = {}
        self.facts: set[Expr] = set()
        self.one_by_one = one_by_one
        self._count = 0

    def cut(self, cut: Cut) -> None:
        known = self.parts.get(cut.size)
        if known is None:
            self.parts[cut.size] = cut.parts
        elif known == cut.parts or not (isinstance(known, At) and isinstance(cut.parts, At)):
            raise Undecided("two_ways_of_cutting")
        else:  # a second place: in the part where it lies
            first, place = known.place, cut.parts.place
            if self.is_nonnegative(first - place):
                self.cut(Cut(first, At(place)))
            elif self.is_nonnegative(place - first):
                self.cut(Cut(cut.size - first, At(sympy.expand(place - first))))
            else:
                raise Undecided("order_of_sizes", place)

    def positions(self, size: Expr) -> Iterator[Index]:
        """Indices that together run over a range once, with fresh variables."""
        size = sympy.expand(size)
        if size.is_Integer and 0 <= int(size) <= UNROLLED:
            yield from (Index(Integer(k)) for k in range(int(size)))
            return
        parts = self.parts.get(size)
        if isinstance(parts, At):
            yield from self.positions(parts.place)
            for index in self.positions(size - parts.place):
                yield index.shifted(parts.place)
        elif isinstance(parts, Grid):
            inner = list(self.positions(parts.inner))
            for outer in self.positions(parts.outer):
                for index in inner:
                    yield outer.times(parts.inner).plus(index)
        else:
            self._count += 1
            yield lone(Variable(f"s{self._count}", size))

    def below(self, index: Index, place: Expr) -> bool:
        """Whether an index is below a place, or not below it; where both can be, its range has to be cut there."""
        least, most = self.bounds(index)
        if self.is_nonnegative(place - 1 - most):
            return True
        if self.is_nonnegative(least - place):
            return False
        where = sympy.expand(place - index.offset)
        if len(index.parts) == 1 and index.parts[0][0] == 1 and not index.parts[0][1]:
            size = index.parts[0][2].size
            if self.is_nonnegative(where) and self.is_nonnegative(size - where):
                raise Cut(size, At(where))
        raise Undecided("order_of_sizes", place)

    def bounds(self, index: Index) -> tuple[Expr, Expr]:
        """The least and the largest value of an index: infinite where a sign, or what a placeholder is, is open."""
        least = most = index.offset
        for factor, _, v in index.parts:
            reach = factor * (v.size - 1)
            if v.size == 0:
                return S.NegativeInfinity, S.Infinity
            if self.is_nonnegative(-factor):
                least += reach
            elif factor.is_nonnegative or self.is_nonnegative(factor):
                most += reach
            else:
                return S.NegativeInfinity, S.Infinity
        return least, most

    def is_nonnegative(self, amount: Expr) -> bool:
        """Whether an amount is at least 0 for all sizes, as far as is easily seen."""
        return _never_negative(amount) or any(_never_negative(amount - fact) for fact in self.facts)


def _never_negative(amount: Expr) -> bool:
    letters = sorted(amount.free_symbols, key=str)
    if not letters:
        return bool(amount.is_nonnegative)
    if not all(s.is_integer and s.is_positive for s in letters):
        return False
    moved = sympy.expand(amount.xreplace({s: s + 1 for s in letters}))  # every size is 1 + something
    if not moved.is_polynomial(*letters):
        return False
    return all(c.is_nonnegative for c in sympy.Poly(moved, *letters).coeffs())
