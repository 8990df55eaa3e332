"""Matrix statements at points: small exact numbers at which two sides differ, or random ones at which they agree."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from time import thread_time
from typing import Any

import sympy
from sympy import (
    Expr,
    ImmutableDenseMatrix,
    Integer,
    MatMul,
    MatPow,
    MatrixSymbol,
    Rational,
    Symbol,
    ZeroMatrix,
    preorder_traversal,
)
from sympy.matrices.expressions import HadamardPower, HadamardProduct

from symattn.checking.theorems.gradients import Gradient
from symattn.checking.theorems.terms import RANGE_BITS, TermNumbers, Terms, chance
from symattn.checking.theorems.theorem import Checked, Counterexample
from symattn.checking.theorems.thresholds import largest_threshold
from symattn.errors import NotSupportedError, SymattnError
from symattn.nodes import (
    Following,
    HeadColumns,
    HeadRows,
    HideMask,
    KeepMask,
    Member,
    Node,
    Numbers,
    OverMembers,
    Part,
    Previous,
    Scaled,
)
from symattn.nodes.node import M, is_matrix
from symattn.program.gradient import add_gradients
from symattn.program.unfolding import unfold
from symattn.program.unrolling import Unrolled, unroll, write_out
from symattn.values.balls import BallNumbers, apart, within
from symattn.values.enclosures import precision
from symattn.values.evaluation import evaluate_steps, value_of
from symattn.values.exact.exponential_field import is_zero
from symattn.values.exact.exponential_fractions import Fractions
from symattn.values.exact.operations import ExactNumbers
from symattn.values.exact.surds import MINUS_ONE
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy

Case = Mapping[Symbol, Expr]
Whole = tuple[tuple[Symbol, Expr], ...]  # a case that can be looked up
Point = Mapping[MatrixSymbol, list[list[Rational]]]
RECENT = 32  # sides of given sizes that are remembered: many points have the same ones
TRIES = 24  # small points for each assignment of sizes
BITS, MOST_BITS = 192, 3072  # of enclosures; those that are apart are proven to be
AGREEING = 128  # bits that are called agreement
LATER = 8  # points after the first that refutes, to find one of rational values
MOST_ENTRIES, LARGEST_POWER = 5000, 64  # of a matrix that is worked out
MOST_FUNCTIONS = 24  # different roots, powers and functions of scalars
HIGHEST_TOWER = 2  # exponents of scalars one upon the other
MOST_NODES = 1000  # of both sides, letters and numbers included
LARGE = 7  # one size at least is so large
MOST_AGREED, MOST_RAISED = (
    12,
    64,
)  # a threshold beyond which points that agree say nothing; up to which sizes are raised
_NO_POINT = (SymattnError, ValueError, TypeError, ZeroDivisionError, IndexError)
_SCALARS = tuple(map(Rational, ("-1", "2", "1/2", "-2", "3", "1", "-3/2", "5/3")))
_WRITTEN_OUT = (OverMembers, Member, Previous, Following, HeadColumns, HeadRows)  # families, which become members


@dataclass(frozen=True)
class Statement:
    """That two sides are equal; `kinds` are matrices that are no free ones, `cases` sizes that are asked for."""

    left: Any
    right: Any
    kinds: Mapping[Any, str]
    cases: Sequence[Mapping[Symbol, Any]] = ()

    @property
    def sides(self) -> tuple[Any, Any]:
        return self.left, self.right

    @cached_property
    def is_small(self) -> bool:
        """Whether there are so few nodes that one point is a matter of a moment."""
        parts = itertools.chain(*map(preorder_traversal, self.sides))
        if sum(1 for _ in itertools.islice(parts, MOST_NODES + 1)) > MOST_NODES:
            return False
        if max(map(_tower, self.sides)) > HIGHEST_TOWER:
            return False
        functions = {x for side in self.sides for x in side.atoms(sympy.Pow, sympy.Function)}  # nested roots take long
        return sum(1 for x in functions if not (x.is_Pow and x.exp.is_Integer)) <= MOST_FUNCTIONS

    @cached_property
    def entries(self) -> Mapping[Expr, int]:
        """How many entries the parts of both sides have, and how many parts have so many."""
        parts = itertools.chain(*map(preorder_traversal, self.sides))
        return Counter(as_sympy(math.prod(part.shape) if is_matrix(part) else 0) for part in parts)

    @cached_property
    def sizes(self) -> list[Symbol]:
        """The letters that are sizes, or whole numbers like these."""
        shapes = [side.shape for e in self.sides for side in preorder_traversal(e) if is_matrix(side)]
        found = {s for shape in shapes for size in shape for s in as_sympy(size).free_symbols}
        return sorted(found | {s for s in self._letters if s.is_integer}, key=str)

    @cached_property
    def signed(self) -> frozenset[Symbol]:
        """Those of them that may be negative, since they are no sizes and no places: factors and parts of factors."""
        held = [s for e in self.sides for part in preorder_traversal(e) if is_matrix(part) for s in _held_by(part)]
        return frozenset(self.sizes) - frozenset(held)

    @cached_property
    def scalars(self) -> list[Symbol]:
        return sorted(self._letters - set(self.sizes), key=str)

    @cached_property
    def _letters(self) -> set[Any]:
        bound = {s for e in self.sides for part in preorder_traversal(e) for s in getattr(part, "bound_symbols", ())}
        letters = {s for e in self.sides for s in e.free_symbols if isinstance(s, Symbol)}
        return letters - bound

    @cached_property
    def threshold(self) -> int:
        """The largest number that sizes, places or entries are held against, which points have to go beyond."""
        return max(map(largest_threshold, self.sides))

    @property
    def has_large_threshold(self) -> bool:
        """Whether points that agree say nothing, since they may all lie on one side of a number."""
        return self.threshold > MOST_AGREED


def _tower(e: Any) -> int:
    """How many exponents stand one upon the other: the digits of a number with four of them cannot be worked out."""
    above = max(map(_tower, e.args), default=0)
    return above + (isinstance(e, sympy.exp) or (isinstance(e, sympy.Pow) and not e.exp.is_Rational))


def _held_by(part: Any) -> set[Symbol]:
    """The letters of the sizes of a matrix, and those that it is made with other than by multiplying by them."""
    scalars = () if isinstance(part, MatMul | Scaled) else (x for x in part.args if not is_matrix(x))
    return {s for x in (*part.shape, *scalars) for s in as_sympy(x).free_symbols}


class Limit:
    """Steps that points of a statement may take, one for each entry of a matrix, some 10 µs: what is found must not
    depend on how busy a machine is. The clock is the last resort."""

    def __init__(self, steps: int, until: float) -> None:
        self.steps, self.until = steps, until

    @property
    def is_reached(self) -> bool:
        return self.steps < 0 or thread_time() > self.until

    def spend(self, statement: Statement, case: Case) -> None:
        """Take the steps of one point at these sizes."""
        self.steps -= _steps(statement, case)


def _steps(statement: Statement, case: Case) -> int:
    taken = 0
    for entries, count in statement.entries.items():
        number = as_sympy(entries.xreplace(dict(case)))
        taken += count * (1 + (int(number) if number.is_Integer else MOST_ENTRIES))
    return taken


# --- small numbers


def refute(
    statement: Statement, position: int, limit: Limit, cases: int = 1000, tries: int = TRIES
) -> Counterexample | None:
    """Small exact numbers at which the sides are proven to differ, of rational value if there are such."""
    generator = random.Random(0)  # the same numbers every time
    for case in itertools.islice(_small_cases(statement), cases):
        found = _refuted_for(statement, position, case, generator, tries, limit)
        if found is not None:
            return found
        if limit.is_reached:
            return None
    return None


def _refuted_for(
    statement: Statement, position: int, case: Case, generator: random.Random, tries: int, limit: Limit
) -> Counterexample | None:
    second: Counterexample | None = None
    late, steps = 0, _steps(statement, case)
    beyond = 2 + (statement.threshold if statement.threshold <= MOST_RAISED else 0)
    for k in range(tries):
        if limit.is_reached or (late and k > late):
            break
        limit.steps -= steps
        try:
            top = 1 if k < tries // 2 else 2 if k < tries * 3 // 4 else beyond
            whole, point = _drawn(statement, case, generator, top, below=4 if k % 4 == 3 else 1)
            if not _differ(statement, whole, point):
                continue
            if second is not None and not _is_rational(_show(statement.left, whole, point)):
                continue  # no better than the first
            found = _counterexample(statement, position, whole, point)
        except _NO_POINT:  # sizes or numbers that it is not stated for
            continue
        late = late or k + LATER
        if _is_rational(found.left) and _is_rational(found.right):
            return found
        second = second or found
    return second


def _small_cases(statement: Statement) -> Iterator[Case]:
    """Sizes that differ pairwise: those asked for, small ones, each in turn a large one, even ones, powers of two."""
    letters = statement.sizes
    yield from sorted(statement.cases, key=lambda case: math.prod(map(int, case.values())))
    if statement.cases:
        return
    if not letters:
        yield {}
        return
    count = len(letters)
    large = max(LARGE, statement.threshold + 3) if statement.threshold <= MOST_RAISED else LARGE
    rows = [list(range(2, count + 2)), list(range(1, count + 1))]
    one_large = [[large if k == one else 2 + k - (k > one) for k in range(count)] for one in range(count)]
    rows = [*one_large, *rows] if statement.has_large_threshold else [*rows, *one_large]
    rows += [[2 * k for k in range(1, count + 1)], [2**k for k in range(1, count + 1)], [3] * (count == 1)]
    for row, turns in itertools.product(filter(None, rows), range(min(count, 3))):
        case = {s: row[(k + turns) % count] for k, s in enumerate(letters)}
        yield from _assumed(case)
        if statement.signed:
            yield from _assumed({s: -v if s in statement.signed else v for s, v in case.items()})


def _assumed(case: Mapping[Symbol, int]) -> Iterator[Case]:
    """The case with numbers that their letters are assumed to be able to be, those nearby where need be; none where
    there are no such numbers."""
    found = {s: next(filter(partial(admits, s), _nearby(v)), None) for s, v in case.items()}
    if None not in found.values():
        yield {s: v for s, v in found.items() if v is not None}


def _nearby(value: int) -> Iterator[Integer]:
    """A number, then its negative, then such that are larger, smaller or of the other sign."""
    near = (value, -value, value + 1, -value - 1, value - 1, value + 2, -value - 2, 0)
    return map(Integer, near)


def admits(letter: Symbol, value: Expr) -> bool:
    """Whether a letter may have a value by all that is assumed of it: odd, negative, imaginary, …"""
    facts = letter.assumptions0.items()
    return all(getattr(value, f"is_{fact}", None) in (known, None) for fact, known in facts)


# --- random numbers


ENOUGH = 4  # random sizes at which both sides are compared


def agree(statement: Statement, position: int, seed: int, limit: Limit) -> Checked | Counterexample:
    """At which random points the sides agree: exactly with a chance of a mistake where that has a bound, else nearly.

    Where they do not it is a counterexample. Raises NotSupportedError where no point decides anything.
    """
    generator = random.Random(seed)
    cases: list[Case] = []
    certain = 10**9
    zeros, why = True, Sentence("unproven.no_point")
    for case in _large_cases(statement, generator):
        if limit.is_reached or len(cases) == ENOUGH:
            break
        limit.spend(statement, case)
        try:
            found = _at_random(statement, position, case, generator, zeros=zeros)
        except NotSupportedError as error:
            why = _why_none(error)
            continue
        except _NO_POINT:
            zeros = False  # an entry may have been what is divided by
            continue
        if isinstance(found, Counterexample):
            return found
        if found is not None:
            cases.append(case)
            certain = min(certain, found)
        else:
            why = Sentence("unproven.digits")
    if not cases:
        raise NotSupportedError(Sentence("unproven.no_time") if limit.is_reached else why)
    return Checked("points", tuple(cases), len(cases), certain or None, seed)


def _why_none(error: NotSupportedError) -> Sentence:
    """Why a point could not be worked out, as a sentence of its own."""
    if isinstance(error.message, Sentence) and error.message.key.startswith("unproven."):
        return error.message
    return Sentence("unproven.no_value", why=error.message)


def _at_random(
    statement: Statement, position: int, case: Case, generator: random.Random, *, zeros: bool
) -> int | Counterexample | None:
    """k, where agreement by chance has a probability of at most 10^-k, 0 if nothing is known of that.

    That algebra does not find them equal refutes nothing: enclosures have to be apart, or algebra has to find them
    different.
    """
    top = 3 + (0 if statement.has_large_threshold else statement.threshold)
    whole, point = _drawn(statement, case, generator, top, below=4, zeros=zeros)
    with precision(2 * BITS):
        left, right = (_value(side, whole, point, BallNumbers()) for side in statement.sides)
        if apart(left, right):
            return _counterexample(statement, position, whole, point)
        near = within(left, right, AGREEING)
    try:
        certain = _chance(statement, case)
        far = _drawn(statement, case, generator, 1 << RANGE_BITS)
        same = _equal(*_exact(statement, *far))
        if same:
            return certain
        if same is False:
            return _counterexample(statement, position, *far)
    except SymattnError:  # no bound, or no closed form
        pass
    if _differ(statement, whole, point, MOST_BITS):
        return _counterexample(statement, position, whole, point)
    return 0 if near else None


def _large_cases(statement: Statement, generator: random.Random) -> Iterator[Case]:
    """Random sizes, pairwise different, each letter in turn larger than 7."""
    letters = statement.sizes
    for turn in range(3 * ENOUGH if letters else 1):  # at some sizes one of the sides may not be defined
        sizes = generator.sample(range(1, max(LARGE, len(letters) + 1)), len(letters))
        if sizes:
            sizes[turn % len(sizes)] = generator.randint(LARGE + 1, LARGE + 6)
        signs = [generator.choice((1, -1)) if s in statement.signed else 1 for s in letters]
        yield from _assumed({s: v * sign for s, v, sign in zip(letters, sizes, signs, strict=True)})


def _chance(statement: Statement, case: Case) -> int:
    """The bound of Schwartz and Zippel, which is one on entries: of scalars nothing is known. Entries of a rotation
    are of degree 2, above and below."""
    if statement.scalars:
        return 0
    degrees = (2, 2) if "rotation" in statement.kinds.values() else (1, 0)
    bounds = []
    for side in statement.sides:
        sized = write_out(side.xreplace(dict(case)), {})
        known = {s: Terms((int(s.shape[0]), int(s.shape[1])), 1, 1, *degrees) for s in sized.atoms(MatrixSymbol)}
        bounds.append(value_of(sized, known, {}, TermNumbers()))
    return chance(*bounds)


# --- points, and what sides are worth there


def _drawn(
    statement: Statement, case: Case, generator: random.Random, top: int, *, below: int = 1, zeros: bool = True
) -> tuple[Case, Point]:
    """Sizes and scalars, and a number for every entry, over `below`; without `zeros` none of these is 0 by itself."""
    whole = {s: Integer(v) for s, v in case.items()}
    whole |= {s: _scalar(s, generator, far=below > 1) for s in statement.scalars}
    masks, inputs = zip(*(_inputs(side, tuple(whole.items())) for side in statement.sides), strict=True)
    special = {str(s.name): kind for s, kind in statement.kinds.items()}
    point = {}
    for s in sorted(set().union(*inputs), key=lambda s: str(s.name)):
        kind = "mask" if any(s in hidden for hidden in masks) else special.get(str(s.name), "")
        point[s] = _matrix(kind, int(s.shape[0]), int(s.shape[1]), generator, top, below)
        if not kind and not zeros:
            point[s] = [[x or Integer(generator.choice((-1, 1))) for x in row] for row in point[s]]
    return whole, point


def _require_small(side: Any) -> None:
    """Raises NotSupportedError where a matrix or its power is too large to be worked out in a moment."""
    for part in preorder_traversal(side):
        large = is_matrix(part) and not math.prod(part.shape) <= MOST_ENTRIES
        if large or (isinstance(part, MatPow) and not part.exp <= LARGEST_POWER):
            raise NotSupportedError(Sentence("unproven.large_matrix"))


def _scalar(s: Symbol, generator: random.Random, *, far: bool) -> Expr:
    """A small number, or with `far` one of many: a formula may be 0 at all of the small ones."""
    value = generator.choice(_SCALARS)
    if far:
        value = Rational(generator.randint(-60, 60), generator.choice((1, 4, 7)))
    for near in (value, -value, *_SCALARS, Integer(0)):
        if admits(s, near):
            return near
    raise NotSupportedError(Sentence("unproven.no_point"))  # an imaginary number, say


def _matrix(
    kind: str, rows: int, columns: int, generator: random.Random, top: int, below: int = 1
) -> list[list[Rational]]:
    if kind == "permutation":
        order = generator.sample(range(rows), rows)
        return [[Integer(int(order[i] == j)) for j in range(columns)] for i in range(rows)]
    if kind == "rotation":  # a rational point of the circle
        t = Rational(generator.randint(1, max(top, 3)), generator.randint(1, 3))
        c, s = (1 - t**2) / (1 + t**2), 2 * t / (1 + t**2)
        return [[c, -s], [s, c]]
    if kind == "mask":
        return _mask(rows, columns, generator)
    if top == 1:  # mostly zeros, of which exponentials are rational
        return [[Integer(generator.choice((0, 0, 0, 0, 1, -1))) for _ in range(columns)] for _ in range(rows)]
    return [
        [Rational(generator.randint(-top * below, top * below), below) for _ in range(columns)] for _ in range(rows)
    ]


def _mask(rows: int, columns: int, generator: random.Random) -> list[list[Rational]]:
    """Any zeros and ones, of which every row has a one as a rule: softmax has no value for a row without."""
    mask = [[Integer(generator.randint(0, 1)) for _ in range(columns)] for _ in range(rows)]
    if generator.random() < 0.9:
        for row in mask:
            row[generator.randrange(columns)] = Integer(1)
    return mask


def _composed(side: Any) -> bool:
    """Whether a side has nodes that are computed step by step, since they have no value of their own."""
    nodes = (x for x in preorder_traversal(side) if isinstance(x, Node) and not isinstance(x, _WRITTEN_OUT))
    own = all(type(x).compute is not Node.compute for x in nodes)
    return not own or bool(side.has(Part, HadamardProduct, HadamardPower))


@lru_cache(maxsize=RECENT)
def _sized(side: Any, whole: Whole) -> Any:
    return side.xreplace(dict(whole))


@lru_cache(maxsize=RECENT)
def _inputs(side: Any, whole: Whole) -> tuple[set[MatrixSymbol], set[MatrixSymbol]]:
    """The symbols of its masks, and those that it needs values of."""
    sized = _sized(side, whole)
    _require_small(sized)
    masks = {x for mask in sized.atoms(KeepMask, HideMask) for x in mask.atoms(MatrixSymbol)}
    return masks, _written(sized).atoms(MatrixSymbol)


def _written(sized: Any) -> Any:
    """A side with the members of its families, but for those that its steps make themselves, as several heads do."""
    return sized if _composed(sized) and not sized.has(OverMembers) else write_out(sized, {})


@dataclass(frozen=True)
class _Plan:
    """How a side of explicit sizes is worked out: its gradients first, then step by step, or else as it is written."""

    gradients: Sequence[tuple[MatrixSymbol, Gradient]]
    written: Any
    program: Unrolled | None


@lru_cache(maxsize=RECENT)
def _plan(side: Any, whole: Whole) -> _Plan:
    sized = _without_absent(_sized(side, whole))
    gradients = []
    for k, node in enumerate(sorted(sized.atoms(Gradient), key=str)):
        gradients.append((MatrixSymbol(f"∂{k}", *node.shape), node))
        sized = sized.xreplace({node: gradients[-1][0]})
    if not _composed(sized):
        return _Plan(gradients, write_out(sized, {}), None)
    program = unroll(unfold(_written(sized)), {})
    return _Plan(gradients, sized, program)


def _without_absent(sized: Any) -> Any:
    """A side with 0 for gradients by symbols that do not stand in what is differentiated."""
    absent = (node for node in sized.atoms(Gradient) if not node.args[0].has(node.args[1]))
    return sized.xreplace({node: ZeroMatrix(*node.shape) for node in absent})


def _value(side: Any, whole: Case, point: Point, numbers: Numbers[M]) -> M:
    plan = _plan(side, tuple(whole.items()))
    slopes = {name: _gradient(node, point, numbers) for name, node in plan.gradients}
    if plan.program is None:
        known = {s: numbers.given(rows) for s, rows in point.items()} | slopes
        return value_of(plan.written, known, {}, numbers)
    program = plan.program.program
    return evaluate_steps(program, plan.program.inputs(point), {}, numbers, slopes)[program.steps[-1].name]


def _gradient(node: Gradient, point: Point, numbers: Numbers[M]) -> M:
    """By the backward pass of L."""
    unrolled, upstream = _backward(node)
    values = evaluate_steps(unrolled.program, unrolled.inputs({**point, upstream: [[Integer(1)]]}), {}, numbers)
    return values[unrolled.program.steps[-1].name]


@lru_cache(maxsize=RECENT)
def _backward(node: Gradient) -> tuple[Unrolled, MatrixSymbol]:
    L, X = node.args
    program = unfold(L)
    program, (upstream,) = add_gradients(program, program.steps[-1:], [X])
    return unroll(program, {}), upstream


def _differ(statement: Statement, whole: Case, point: Point, bits: int = BITS) -> bool:
    """Whether the sides are proven to differ at a point."""
    with precision(bits):
        left, right = (_value(side, whole, point, BallNumbers()) for side in statement.sides)
        return apart(left, right)


def _counterexample(statement: Statement, position: int, whole: Case, point: Point) -> Counterexample:
    return Counterexample(position, whole, point, *(_show(side, whole, point) for side in statement.sides))


def _exact(statement: Statement, whole: Case, point: Point) -> tuple[Any, Any, ExactNumbers]:
    numbers = ExactNumbers()
    left, right = (_value(side, whole, point, numbers) for side in statement.sides)
    return left, right, numbers


def _show(side: Any, whole: Case, point: Point) -> ImmutableDenseMatrix:
    """What a side is worth, in closed form."""
    value = _value(side, whole, point, ExactNumbers())
    rows, columns = value.shape

    def entry(i: int, j: int) -> Any:
        closed = value.closed(i, j)
        return value.entry(i, j) if closed is None else closed.to_sympy()

    return ImmutableDenseMatrix([[entry(i, j) for j in range(columns)] for i in range(rows)])


def _is_rational(value: ImmutableDenseMatrix) -> bool:
    return all(x.is_Rational for x in value.flat())


def _equal(a: Any, b: Any, numbers: ExactNumbers) -> bool | None:
    """Whether two values are equal: decided by algebra, nothing rounded; None where it does not reach."""
    if a.shape != b.shape:
        return False
    made = [Fractions.of(x, numbers.exponents) for x in (a, b)]
    places = itertools.product(range(a.shape[0]), range(a.shape[1]))
    if made[0] is None or made[1] is None:
        left, right = a.to_sympy(), b.to_sympy()
        found = {is_zero(left[i, j] - right[i, j]) for i, j in places}
        return False if False in found else None if None in found else True
    difference = made[0].add(made[1].scale(MINUS_ONE))
    return all(numbers.exponents.vanishes(difference.fractions(i, j)) for i, j in places)
