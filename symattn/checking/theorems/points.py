"""Matrix identities decided exactly at random points of explicit small sizes; counterexamples in small numbers."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sympy import ImmutableDenseMatrix, Integer, MatrixSymbol, Rational, Symbol

from symattn.checking.theorems.terms import RANGE_BITS, TermNumbers, Terms, chance
from symattn.checking.theorems.theorem import Checked, Counterexample, Theorem
from symattn.errors import InputError, NotSupportedError
from symattn.nodes import RowMax
from symattn.program.unrolling import written_out
from symattn.values.evaluation import value_of
from symattn.values.exact.closed_form import Form
from symattn.values.exact.exponential_field import is_zero
from symattn.values.exact.exponential_fractions import Fractions
from symattn.values.exact.operations import ExactNumbers
from symattn.values.exact.surds import MINUS_ONE
from symattn.writing.prose import Sentence

Point = Mapping[MatrixSymbol, list[list[Rational]]]
TRIES = 30


def check_points(theorem: Theorem) -> list[Checked | Counterexample]:
    """For each link how it was checked, or numbers at which it fails."""
    found: list[Checked | Counterexample] = []
    for position, (left, right) in enumerate(itertools.pairwise(theorem.full_sides)):
        found.append(_link(theorem, position, left, right))
    return found


def _link(theorem: Theorem, position: int, left: Any, right: Any) -> Checked | Counterexample:
    count, certain = 0, 10**9
    free = _any_reference(left, right)
    for case in theorem.cases:
        sides = [written_out(side.xreplace(_whole(case)), case) for side in free]
        symbols = _symbols(sides)
        certain = min(certain, chance(*(_terms(side, symbols, case, theorem) for side in sides)))
        generator = random.Random(f"{theorem.name} {position} {sorted(map(str, case.items()))}")
        for point in _points(symbols, theorem.kinds, case, generator, 1 << RANGE_BITS):
            count += 1
            if not _agree(sides, point, case):
                small = _smallest(theorem, position, left, right)
                if small is None and free != [left, right]:
                    raise NotSupportedError(Sentence("not_decided"))
                return small or Counterexample(position, case, point, *map(_shown, _values(sides, point, case)[:2]))
    return Checked("points", theorem.cases, count, certain)


def _any_reference(*sides: Any) -> list[Any]:
    """The sides with any column in the place of each column of largest scores: if they are equal then, they are."""
    tops = sorted({top for side in sides for top in side.atoms(RowMax)}, key=str)
    columns = {top: MatrixSymbol(f"⟨rowmax {k}⟩", *top.shape) for k, top in enumerate(tops)}
    return [side.xreplace(columns) for side in sides]


def _symbols(sides: list[Any]) -> list[MatrixSymbol]:
    found = {s for side in sides for s in side.atoms(MatrixSymbol)}
    return sorted(found, key=lambda s: str(s.name))


def _points(
    symbols: list[MatrixSymbol],
    kinds: Mapping[Any, str],
    case: Mapping[Symbol, int],
    generator: random.Random,
    top: int,
) -> Iterator[Point]:
    """Random integers for free matrices; every permutation for those; a random point of the circle for rotations."""
    special = {s.xreplace(_whole(case)): kind for s, kind in kinds.items()}
    shapes = {s: (int(s.shape[0]), int(s.shape[1])) for s in symbols}
    free = {
        s: [[Integer(generator.randint(-top, top)) for _ in range(shape[1])] for _ in range(shape[0])]
        for s, shape in shapes.items()
        if s not in special
    }
    turned = {s: _rotation(generator, top) for s in symbols if special.get(s) == "rotation"}
    permuted = [s for s in symbols if special.get(s) == "permutation"]
    for chosen in itertools.product(*(_permutations(shapes[s][0]) for s in permuted)):
        yield free | turned | dict(zip(permuted, chosen, strict=True))


def _rotation(generator: random.Random, top: int) -> list[list[Rational]]:
    """A rational point of the circle: (1 − t²)/(1 + t²), 2t/(1 + t²)."""
    t = Integer(generator.randint(1, top))
    c, s = (1 - t**2) / (1 + t**2), 2 * t / (1 + t**2)
    return [[c, -s], [s, c]]


def _permutations(size: int) -> Iterator[list[list[Rational]]]:
    for order in itertools.permutations(range(size)):
        yield [[Integer(int(order[i] == j)) for j in range(size)] for i in range(size)]


def _terms(side: Any, symbols: list[MatrixSymbol], case: Mapping[Symbol, int], theorem: Theorem) -> Terms:
    # the entries of a rotation are of degree 2, above and below; so all are taken to be where there is one
    degrees = (2, 2) if "rotation" in theorem.kinds.values() else (1, 0)
    known = {s: Terms((int(s.shape[0]), int(s.shape[1])), 1, 1, *degrees) for s in symbols}
    return value_of(side, known, _whole(case), TermNumbers())


def _whole(case: Mapping[Symbol, int]) -> dict[Symbol, Integer]:
    return {s: Integer(v) for s, v in case.items()}


def _agree(sides: Sequence[Any], point: Point, case: Mapping[Symbol, int]) -> bool:
    """Whether the two are equal at a point: decided by algebra, nothing rounded."""
    return _equal(*_values(sides, point, case))


def _values(sides: Sequence[Any], point: Point, case: Mapping[Symbol, int]) -> tuple[Form, Form, ExactNumbers]:
    numbers = ExactNumbers()
    known = {s: numbers.given(rows) for s, rows in point.items()}
    left, right = (value_of(side, known, _whole(case), numbers) for side in sides)
    return left, right, numbers


def _equal(a: Form, b: Form, numbers: ExactNumbers) -> bool:
    if a.shape != b.shape:
        return False
    made = [Fractions.of(x, numbers.exponents) for x in (a, b)]
    places = itertools.product(range(a.shape[0]), range(a.shape[1]))
    if made[0] is None or made[1] is None:
        left, right = a.to_sympy(), b.to_sympy()
        zero = [is_zero(left[i, j] - right[i, j]) for i, j in places]
        if None in zero:
            raise NotSupportedError(Sentence("not_decided"))
        return all(zero)
    difference = made[0].add(made[1].scale(MINUS_ONE))
    return all(numbers.exponents.vanishes(difference.fractions(i, j)) for i, j in places)


def _is_rational(value: Form) -> bool:
    """Whether every entry is seen to be a rational number."""
    places = itertools.product(range(value.shape[0]), range(value.shape[1]))
    entries = (value.closed(i, j) for i, j in places)
    return all(x is not None and x.rational is not None for x in entries)


def _shown(value: Form) -> ImmutableDenseMatrix:
    rows, columns = value.shape
    whole = value.to_sympy()

    def entry(i: int, j: int) -> Any:
        closed = value.closed(i, j)
        return whole[i, j] if closed is None else closed.to_sympy()

    return ImmutableDenseMatrix(rows, columns, entry)


def _smallest(theorem: Theorem, position: int, left: Any, right: Any) -> Counterexample | None:
    """Numbers as small as they come at which a link fails, rational on both sides if there are such."""
    second: Counterexample | None = None
    generator = random.Random(theorem.name)
    sizes = sorted({s for case in theorem.cases for s in case}, key=str)
    stated = sorted(theorem.cases, key=lambda case: math.prod(case.values()))
    for case in (*stated, dict.fromkeys(sizes, 1), dict.fromkeys(sizes, 2)):
        try:
            sides = [written_out(side.xreplace(_whole(case)), case) for side in (left, right)]
            symbols = _symbols(sides)
            for k in range(TRIES):
                point = next(iter(_points(symbols, theorem.kinds, case, generator, 1 if k < TRIES // 2 else 2)))
                left_value, right_value, numbers = _values(sides, point, case)
                if _equal(left_value, right_value, numbers):
                    continue
                rational = _is_rational(left_value) and _is_rational(right_value)
                if rational or second is None:
                    second = Counterexample(position, case, point, _shown(left_value), _shown(right_value))
                if rational:
                    return second
            if second is not None:
                break
        except (InputError, NotSupportedError, ValueError):  # a size that this statement does not have
            continue
    return second
