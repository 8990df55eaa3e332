"""Matrices of which nobody says what they were computed from, where the numbers show it by themselves.

Of the matrices known so far the usual steps are tried: products, sums, softmax, and what else a Transformer block is
made of. One is taken if its numbers agree with the print beyond chance: each right number is as unlikely as its last
digit is small beside the numbers around it, and every formula tried makes a chance agreement likelier. Which formulas
are worth a closer look is found out in floats; what is taken is held against the print exactly.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from symattn.checking.expected.evidence import worths
from symattn.checking.expected.sources import Open
from symattn.checking.findings import Place
from symattn.checking.semantics.environment import Environment, Stated
from symattn.checking.verdicts import RIGHT, Definition, Printed, relation_at, try_define
from symattn.reading import formula as f
from symattn.values.balls import Balls

MOST_OPERANDS = 16
MOST_TWINS = 2  # operands of the same numbers: more of them would only tell the same again
MOST_LOOKS = 64  # candidates that are held against the print exactly
LARGEST = 1_024  # entries of an operand
SAMPLED = 4  # entries that are looked at first
ALL_RIGHT = 3.0  # powers of ten to one against chance, where every number is right
SOME_WRONG = 7.0  # where some are not
FEWEST = 3  # numbers that tell
_SURE = 1e-30  # no number tells more than so many digits
_NEAR = 2.0  # units of the last place: what rounding on the way may do

Chances = Mapping[Place, tuple[float, float]]
Rows = list[list[float]]
Entries = Callable[[int, int], float]


@dataclass(frozen=True)
class _Candidate:
    """A formula that may be meant, its shape, and its entries in floats."""

    formula: f.Expression
    shape: tuple[int, int]
    entry: Entries


@dataclass(frozen=True)
class _Operand:
    name: f.Expression
    rows: Rows
    functions: dict[str, Rows | None]

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])


class Search:
    """Looks for the formula of a print among the matrices that an environment knows."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self._operands: dict[int, tuple[Stated, int, list[_Operand]]] = {}

    def find(self, printed: Printed, example: int, open_: Open) -> Definition | None:
        """The formula whose numbers a print evidently has, all of them where another formula has failed or its name is
        set by a line that was not read."""
        unsure = bool(open_.failures) or any(map(self.environment.is_set_unread, open_.keys))
        places = printed.places()
        if len(places) < FEWEST or len(places) > LARGEST or len({printed.values[i][j] for i, j in places}) < 2:
            return None
        repeated, copied = self._is_repeated(printed, example), self._copied(printed, example)
        chances = _chances(printed)
        tried, likely = self._likely(printed, example, sorted(places, key=lambda at: chances[at][1])[:SAMPLED])
        found: list[tuple[float, Definition]] = []
        for candidate in likely:
            definition = try_define(candidate.formula, self.environment)
            if definition is not None and definition.true.shape == printed.shape:
                values = [definition.true] if repeated else worths(definition, self.environment)
                evidence = max(_evidence(v, printed, chances, copied, unsure=unsure or repeated) for v in values)
                found.append((evidence, definition))
        best = max(found, key=lambda each: each[0], default=None)
        return best[1] if best is not None and best[0] > math.log10(tried) else None

    def _likely(self, printed: Printed, example: int, sample: Sequence[Place]) -> tuple[int, list[_Candidate]]:
        """How many formulas there are, and those of which half of a few entries are near those printed."""
        tried, likely = 0, list[tuple[int, int, _Candidate]]()
        for candidate in self._candidates(printed.shape, example):
            tried += 1
            near = _near(candidate, printed, sample)
            if 2 * near >= len(sample):
                likely.append((-near, tried, candidate))
        chosen = sorted(likely, key=lambda each: each[:2])[:MOST_LOOKS]
        return tried, [candidate for *_, candidate in sorted(chosen, key=lambda each: each[1])]

    def _candidates(self, shape: tuple[int, int], example: int) -> Iterator[_Candidate]:
        known = list(self._known(example))
        if (stack := _stack(known, shape)) is not None:
            yield stack
        known = _without_copies(known)
        for whole in self._wholes(known):
            rows, columns = whole.shape
            if whole.shape == shape:
                yield whole
            elif shape == (1, columns):
                for i in range(rows):
                    row = f.Entry(whole.formula, (str(i + 1), ":"))
                    yield _Candidate(row, shape, lambda _, j, entry=whole.entry, i=i: entry(i, j))  # type: ignore[misc]

    def _is_repeated(self, printed: Printed, example: int) -> bool:
        """Whether the numbers are those of a matrix that stands above, or of a row of it, once more."""
        rows = [[-math.inf if v is None else float(v) for v in row] for row in printed.values]
        known = (operand.rows for operand in self._known(example))
        return any(
            list(map(list, above)) == rows or (len(rows) == 1 and rows[0] in map(list, above)) for above in known
        )

    def _copied(self, printed: Printed, example: int) -> set[Place]:
        """Where a print has the number that a matrix above has at the same place: it may be that with another entry.

        What rounds to the print is the same number too: tanh leaves 3 · 10⁻⁸ as it is.
        """
        same = [operand.rows for operand in self._known(example) if operand.shape == printed.shape]
        return {(i, j) for i, j in printed.places() if any(_prints(rows[i][j], printed, i, j) for rows in same)}

    def _known(self, example: int) -> Iterator[_Operand]:
        """The matrices of this example stated last, as they are and as they were printed last."""
        count = 0
        seen: set[int] = set()
        for name, stated in reversed(self.environment.stated.items()):
            if stated.stale or stated.example < example or id(stated) in seen or not isinstance(name, f.Name):
                continue
            rows, columns = stated.true.shape
            if rows * columns == 1 or rows * columns > LARGEST:
                continue
            seen.add(id(stated))
            count += 1
            if count > MOST_OPERANDS:
                return
            held = self._operands.get(id(stated))
            if held is None or held[0] is not stated or held[1] != len(stated.prints):
                values = [_floats(v) for v in (stated.true, *(p.printed for p in stated.prints[-1:]))]
                different = values[:1] if values[1:] == values[:1] else values  # more formulas make chance likelier
                held = stated, len(stated.prints), [_Operand(name, v, {}) for v in different]
                self._operands[id(stated)] = held
            yield from held[2]

    def _wholes(self, known: Sequence[_Operand]) -> Iterator[_Candidate]:
        for x in known:
            for function, apply in _FUNCTIONS.items():
                if function not in x.functions:
                    x.functions[function] = apply(x.rows)
                value = x.functions[function]
                if value is not None:
                    yield _of_rows(f.Call(function, (x.name,)), value)
        for x in known:
            yield from _scaled(x, known)
            for y in known:
                yield from _of_two(x, y)


def _of_rows(formula: f.Expression, rows: Rows) -> _Candidate:
    return _Candidate(formula, (len(rows), len(rows[0])), lambda i, j: rows[i][j])


def _stack(known: Sequence[_Operand], shape: tuple[int, int]) -> _Candidate | None:
    """The rows stated last, below one another."""
    last = {x.name: x for x in reversed(known) if x.shape == (1, shape[1])}  # of each name what it is, not its print
    rows = list(last.values())[-shape[0] :]
    if len(rows) < shape[0] or shape[0] == 1:
        return None
    cells = tuple(tuple(f.Entry(x.name, ("1", str(j + 1))) for j in range(shape[1])) for x in rows)
    return _Candidate(f.Matrix(cells), shape, lambda i, j: rows[i].rows[0][j])


def _scaled(x: _Operand, known: Sequence[_Operand]) -> Iterator[_Candidate]:
    """X / √d and softmax(X / √d), for the widths d of the matrices that are known."""
    for width in sorted({y.shape[1] for y in known} - {1}):
        root = math.sqrt(width)
        rows = [[v / root for v in row] for row in x.rows]
        formula = f.Quotient(x.name, f.Root(f.Number(str(width), Fraction(width), Fraction(1))))
        yield _of_rows(formula, rows)
        weights = _softmax(rows)
        if weights is not None:
            yield _of_rows(f.Call("softmax", (formula,)), weights)


def _of_two(x: _Operand, y: _Operand) -> Iterator[_Candidate]:
    a, b = x.rows, y.rows
    (rows, inner), (others, columns) = x.shape, y.shape
    if inner == others:
        formula = f.Product((x.name, y.name), ("@",))
        yield _Candidate(formula, (rows, columns), lambda i, j: sum(p * q[j] for p, q in zip(a[i], b, strict=True)))
    if inner == columns and others > 1:
        scores = f.Product((x.name, f.Transpose(y.name)), ("@",))

        def dot(i: int, j: int) -> float:
            return sum(p * q for p, q in zip(a[i], b[j], strict=True))

        yield _Candidate(scores, (rows, others), dot)
        root = f.Root(f.Number(str(inner), Fraction(inner), Fraction(1)))
        yield _Candidate(f.Quotient(scores, root), (rows, others), lambda i, j: dot(i, j) / math.sqrt(inner))
    if x.shape == y.shape and x is not y:
        yield _Candidate(f.Sum((x.name, y.name), (1, -1)), x.shape, lambda i, j: a[i][j] - b[i][j])
        if id(x) < id(y):
            yield _Candidate(f.Sum((x.name, y.name), (1, 1)), x.shape, lambda i, j: a[i][j] + b[i][j])
            yield _Candidate(f.Elementwise((x.name, y.name)), x.shape, lambda i, j: a[i][j] * b[i][j])
    elif others == 1 and inner == columns:
        yield _Candidate(f.Sum((x.name, y.name), (1, 1)), x.shape, lambda i, j: a[i][j] + b[0][j])


def _without_copies(known: Sequence[_Operand]) -> list[_Operand]:
    count = Counter[tuple[tuple[float, ...], ...]]()
    chosen = []
    for x in known:
        count[key := tuple(map(tuple, x.rows))] += 1
        if count[key] <= MOST_TWINS:
            chosen.append(x)
    return chosen


def _near(candidate: _Candidate, printed: Printed, sample: Sequence[Place]) -> int:
    """How many of a few entries are near those printed, as far as floats can tell."""
    near = 0
    for i, j in sample:
        number, value = printed.values[i][j], candidate.entry(i, j)
        if number is None:
            near += value == -math.inf
        else:
            near += abs(value - float(number)) <= _NEAR * float(printed.units[i][j]) + 1e-9 * abs(value)
    return near


def _chances(printed: Printed) -> dict[Place, tuple[float, float]]:
    """How likely each number is right by chance, in powers of ten: as one of about this size, and as one of these."""
    values = [printed.values[i][j] for i, j in printed.places()]
    shown = [float(v) for v in values if v is not None]
    spread = max(shown, default=0.0) - min(shown, default=0.0) or max(map(abs, shown), default=0.0) or 1.0
    often = Counter(values)

    def chance(i: int, j: int) -> tuple[float, float]:
        hit = math.log10(min(1.0, max(2 * float(printed.units[i][j]) / spread, _SURE)))
        return hit, max(hit, math.log10(often[printed.values[i][j]] / len(values)))

    return {(i, j): chance(i, j) for i, j in printed.places()}


def _weigh(right: Collection[Place], printed: Printed, chances: Chances) -> float:
    """How many powers of ten stand against so many numbers being right by chance.

    A number that stands in several places tells its size once; but in which places it stands tells something too. Of a
    row of weights, the last number follows from the others.
    """
    rows = [[place for place in right if place[0] == i] for i in range(printed.shape[0])]
    right = [place for row in rows for place in row[sums_to_one(printed, row) :]]
    each = {printed.values[i][j]: chances[i, j][0] for i, j in right}
    return -min(sum(each.values()), sum(chances[place][1] for place in right))


def weigh_against_chance(printed: Printed) -> float:
    """How many powers of ten stand against all numbers of a print being right by chance."""
    return _weigh(printed.places(), printed, _chances(printed))


def sums_to_one(printed: Printed, places: Sequence[Place]) -> bool:
    """Whether the numbers at these places are weights, which add up to 1."""
    total = sum((printed.values[i][j] or Fraction(0) for i, j in places), Fraction(0))
    return len(places) > 1 and abs(total - 1) <= sum((printed.units[i][j] for i, j in places), Fraction(0))


def _evidence(value: Balls, printed: Printed, chances: Chances, copied: Collection[Place], *, unsure: bool) -> float:
    """How much more stands against chance than is asked for; less than nothing where it is no match.

    Of a match that is not whole, a few single numbers may be off, but no row or column, and no number that was made
    nothing: another matrix is meant there, a masked one, or one that was changed in one place. Numbers `copied`
    from a matrix bear out no such match.
    """
    right = {place for place in printed.places() if _is_right(printed, value, place)}
    off = [place for place in printed.places() if place not in right]
    if not off:
        return _weigh(right, printed, chances) - ALL_RIGHT
    rows, columns = printed.shape
    lines = [[(i, j) for j in range(columns)] for i in range(rows)]
    lines += map(list, zip(*lines, strict=True))
    broken = any(len(line) > 1 and not right.intersection(line) for line in lines)
    emptied = any(not printed.values[i][j] for i, j in off)
    if unsure or broken or emptied or 4 * len(off) > len(right):
        return -1.0
    return (
        _weigh(right.difference(copied), printed, chances) - SOME_WRONG - math.log10(math.comb(len(chances), len(off)))
    )


def _prints(number: float, printed: Printed, i: int, j: int) -> bool:
    """Whether a number is printed so at a place, as nearly as floats can tell."""
    value, unit = printed.values[i][j], printed.units[i][j]
    return value is not None and abs(number - float(value)) <= (0.5 * float(unit) if unit < 1 else 0.0)


def _is_right(printed: Printed, value: Balls, place: Place) -> bool:
    """Whether a number is right; that a whole number may be cut off from one with decimals shows nothing, and a 0
    beside decimals is no small number rounded."""
    (i, j), how = place, relation_at(printed, value, place)
    made_nothing = how == "rounded" and not printed.values[i][j] and min(map(min, printed.units)) < 1
    return how in RIGHT and not (printed.units[i][j] >= 1 and (how == "truncated" or made_nothing))


def _floats(value: Balls) -> Rows:
    return [
        [-math.inf if (i, j) in value.hidden else float(x.mid()) for j, x in enumerate(row)]
        for i, row in enumerate(value.rows)
    ]


def _softmax(rows: Rows) -> Rows | None:
    found = []
    for row in rows:
        most = max(row)
        if not math.isfinite(most) or len(row) < 2:
            return None
        weights = [math.exp(x - most) for x in row]
        found.append([w / sum(weights) for w in weights])
    return found


def _of_each(function: Callable[[float], float]) -> Callable[[Rows], Rows | None]:
    def apply(rows: Rows) -> Rows | None:
        try:
            return [[function(x) for x in row] for row in rows] if _is_finite(rows) else None
        except OverflowError:
            return None

    return apply


def _is_finite(rows: Rows) -> bool:
    return all(math.isfinite(x) for row in rows for x in row)


def _standardise(rows: Rows, padding: float = 0.0) -> Rows | None:
    found = []
    for row in rows if _is_finite(rows) else ():
        mean = sum(row) / len(row)
        deviation = math.sqrt(sum((x - mean) ** 2 for x in row) / len(row) + padding)
        if not deviation:
            return None
        found.append([(x - mean) / deviation for x in row])
    return found or None


def _by_root_mean_square(rows: Rows) -> Rows | None:
    sizes = [math.sqrt(sum(x * x for x in row) / len(row)) for row in rows] if _is_finite(rows) else [0.0]
    return [[x / size for x in row] for row, size in zip(rows, sizes, strict=True)] if all(sizes) else None


def _accumulate(rows: Rows) -> Rows | None:
    return [[sum(row[: j + 1]) for j in range(len(row))] for row in rows] if _is_finite(rows) else None


_FUNCTIONS: dict[str, Callable[[Rows], Rows | None]] = {
    "softmax": _softmax,
    "relu": _of_each(lambda x: max(x, 0.0)),
    "gelu": _of_each(lambda x: x / 2 * (1 + math.erf(x / math.sqrt(2)))),
    "exp": _of_each(math.exp),
    "tanh": _of_each(math.tanh),
    "sigmoid": _of_each(lambda x: 1 / (1 + math.exp(-x))),
    "silu": _of_each(lambda x: x / (1 + math.exp(-x))),
    "rmsnorm": _by_root_mean_square,
    "layernorm": _standardise,
    "layernorm_padded": lambda rows: _standardise(rows, 1e-5),
    "cumsum": _accumulate,
}
