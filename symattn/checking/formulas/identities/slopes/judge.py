"""Derivatives entry by entry, held against the chain rule: ∂L/∂z_i = p_i − y_i, ∂L/∂w_j = ∂L/∂y · ∂y/∂z · x_j.

That one is right is said where all sides are the same at every point and for all values of the indices. It is called
false only where every letter has one formula, which stands in the text, where nothing is left open, and where no case
of the indices and no multiple is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise, product
from typing import Any

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.gradients.scalar_slopes import is_doubtful
from symattn.checking.formulas.identities.slopes.lines import Lines, find_lines, of_entries, spelled, split
from symattn.checking.formulas.identities.slopes.values import LENGTH, Mode, Point, UnsettledError
from symattn.checking.formulas.statements.context import Context, Judge, accept, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.statements.wording import is_said_of_indices
from symattn.checking.models.letters import is_loss
from symattn.checking.models.primes import as_slope
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.enclosures import precision
from symattn.writing.prose import Sentence

BITS = 160
NEAR = 2.0**-60
MOST_INDICES, MOST_PARTS = 3, 250
SEEDS = (0, 1, 2, 3)
MOST_OTHERS = 6  # formulas of letters that have several
_SIZES = frozenset(("n", "N", "d", "D", "m", "M", "K", "C", "T", "B", "H", "V", "k"))
_LOGISTIC = regex(r"[Ss]igmoid|[Ll]ogisti|逻辑|シグモイド|시그모이드")
_WAYS: tuple[tuple[Mode, bool], ...] = (("total", False), ("direct", False), ("total", True))


@dataclass(frozen=True)
class Values:
    """What the sides come to at one point, for some values of the indices."""

    at: dict[str, int]
    sides: tuple[Any, ...]
    point: Point
    known: frozenset[str]  # the letters that the first side has, those of its lines included

    def are_same(self, a: int, b: int) -> bool:
        difference = self.sides[a] - self.sides[b]
        return bool(difference.contains(0) and abs(difference) < NEAR)

    @property
    def agree(self) -> bool:
        """Whether all sides are the same."""
        return all(self.are_same(k, k + 1) for k in range(len(self.sides) - 1))

    @property
    def apart(self) -> bool:
        """Whether the indices are all different."""
        return len({*self.at.values()}) == len(self.at)


def judge_slope(statement: Statement, context: Context) -> Formula | None:
    """A chain with a derivative by an entry or by a number in it, or of what a letter comes to by other lines."""
    text = statement.passage.text
    sides = [spelled(as_slope(side, text)) for side in statement.equals]
    if len(sides) < 2 or len(sides) != len(statement.sides) or statement.head is not None:
        return None
    if sum(1 for side in sides for _ in f.walk(side)) > MOST_PARTS or any(map(is_doubtful, sides)):
        return None
    lines = context.once(find_lines)
    sides = of_entries(sides, lines)
    root = _root_of(sides, lines, statement)
    if not any(isinstance(x, f.Name) for side in sides for x in f.walk(side)):
        return None
    line = lines.of(split(sides[0])[0], statement.number) if isinstance(sides[0], f.Name) else None
    if line is not None and line.body == sides[1]:
        return None  # a line that is printed again
    named = _is_unknown(sides[0], lines, statement) and root is None
    sides = sides[1:] if named else sides  # a name for what follows
    if len(sides) < 2 or not _is_claim(sides):
        return None
    found = {way: _values(sides, lines, statement, context, way, root) for way in _WAYS}
    has_slope = any(isinstance(part, f.Derivative) for side in sides for part in f.walk(side))
    theorem = Sentence("theorem.chain_rule" if has_slope else "formula.identity")
    ways = _WAYS[:2] if named or not _is_slope_of_step(sides[0]) else _WAYS[:1]
    if any(_is_right(found[way], statement, context) for way in ways):
        return accept(statement, theorem)
    open_letters, _ = _reached(sides, lines, statement)
    for other in islice(lines.others(open_letters, statement.number), MOST_OTHERS):
        if _is_right(_values(sides, other, statement, context, _WAYS[0], root), statement, context):
            return accept(statement, theorem)
    if root is not None or any(not values for values in found.values()):
        return None  # the loss may be any, and a function of one entry alone
    every = [values for values in found.values() if values]
    if named or not isinstance(sides[0], f.Derivative):
        return _refuse_step(sides, every[0], statement)
    if all(_is_refuted(values, lines, statement) for values in every):
        for part in _parts_of_sum(sides[0], lines, statement):
            if _is_right(_values(sides, part, statement, context, _WAYS[0], root), statement, context):
                return None  # the slope of one term alone, without that of a penalty
        return refuse(statement, Sentence("theorem.chain_rule_fails"), None, _shown(every[0]))
    return None


def _parts_of_sum(side: f.Derivative, lines: Lines, statement: Statement) -> Iterator[Lines]:
    """The lines with one term less, or one term alone, for the sum that is differentiated."""
    key = split(side.of)[0] if isinstance(side.of, f.Name) else ""
    line = lines.of(key, statement.number)
    if line is None or not isinstance(line.body, f.Sum):
        return
    terms, signs = line.body.terms, line.body.signs
    for k in range(len(terms)):
        rest = f.Sum(terms[:k] + terms[k + 1 :], signs[:k] + signs[k + 1 :])
        for left in (rest, f.Sum(terms[k : k + 1], signs[k : k + 1])):
            yield replace(lines, chosen={**lines.chosen, key: replace(line, body=left)})


def _is_slope_of_step(side: f.Expression) -> bool:
    """Whether it is the slope of no loss, and so by one letter alone perhaps, all others held fixed."""
    return isinstance(side, f.Derivative) and not is_loss(side.of)


def _is_right(values: Sequence[Values] | None, statement: Statement, context: Context) -> bool:
    return bool(values) and (all(each.agree for each in values or ()) or _is_said(values or (), statement, context))


def _refuse_step(sides: Sequence[f.Expression], values: Sequence[Values], statement: Statement) -> Formula | None:
    """That one side of a chain is another than those before and behind it, which are the same, of the same letters."""
    for k in range(1, len(sides) - 1):
        letters = [{split(x)[0] for x in f.walk(side) if isinstance(x, f.Name)} for side in sides[k - 1 : k + 2]]
        around = all(each.are_same(k - 1, k + 1) for each in values)
        off = [each for each in values if not each.are_same(k - 1, k)]
        if around and len(off) == len(values) and letters[0] == letters[1] and len(letters[0]) > 1:
            return refuse(statement, Sentence("theorem.chain_rule_fails"), None, _shown(values))
    return None


def or_by_chain_rule(judge: Judge) -> Judge:
    """A judge of gradients that calls nothing false that is right by the chain rule with the article's own lines."""

    def judge_gradients(statement: Statement, context: Context) -> Formula | None:
        found = judge(statement, context)
        own = None if found is None or found.verdict == "holds" else judge_slope(statement, context)
        return own if own is not None and own.verdict == "holds" else found

    return judge_gradients


def _is_claim(sides: Sequence[f.Expression]) -> bool:
    """Whether the sides say something of derivatives, or of logarithms and exponentials."""
    parts = [x for side in sides for x in f.walk(side)]
    slopes = any(isinstance(x, f.Derivative) and isinstance(x.by, f.Name) for x in parts)
    if len(sides) > 2 and all(isinstance(side, f.Product | f.Sum | f.Quotient) for side in sides):
        return True
    logarithms = any(isinstance(x, f.Call) and x.function == "log" for x in f.walk(sides[0]))
    return slopes or logarithms or is_loss(sides[0])


def _is_unknown(side: f.Expression, lines: Lines, statement: Statement) -> bool:
    """Whether it is, or is the slope of, what no line gives a formula for."""
    of = side.of if isinstance(side, f.Derivative) else side
    return isinstance(of, f.Name) and lines.of(split(of)[0], statement.number) is None


def _is_said(values: Sequence[Values], statement: Statement, context: Context) -> bool:
    """Whether the sides are the same where no two indices are, or where all are, and the text says that it is so."""
    for differ in (True, False):
        wanted = [each for each in values if len(each.at) > 1 and each.apart == differ]
        if wanted and all(each.agree for each in wanted):
            return is_said_of_indices(differ, statement, context.article.words)
    return False


def _is_refuted(values: Sequence[Values], lines: Lines, statement: Statement) -> bool:
    """Whether the sides differ in every case of the indices, and by no constant factor but −1."""
    point = values[0].point
    if not all(lines.is_settled(key, statement.number) for key in point.used):
        return False
    letters = {key for key, _ in point.drawn}
    if any(key in _SIZES and not at for key, at in point.drawn) or not letters <= values[0].known:
        return False  # how many entries there are, or what another letter is, is open
    differing = [each for each in values if not each.agree]
    for differ in (True, False):
        wanted = [each for each in values if each.apart == differ]
        if wanted and all(each.agree for each in wanted):
            return False
    ratios = [a / b for each in differing for a, b in pairwise(each.sides) if not (b.contains(0) or a.contains(0))]
    constant = all((ratio - ratios[0]).contains(0) for ratio in ratios)
    return bool(ratios) and (not constant or (ratios[0] + 1).contains(0))


def _shown(values: Sequence[Values]) -> Counterexample | None:
    for each in values:
        if not each.agree:
            k = next(k for k in range(len(each.sides) - 1) if not each.are_same(k, k + 1))
            drawn = [(_spell(key, at), str(value)) for (key, at), value in each.point.drawn.items()]
            left, right = (each.sides[j].str(5, radius=False) for j in (k, k + 1))
            places = [(index, str(place)) for index, place in each.at.items()]
            return Counterexample((*drawn[:7], *places), left, right)
    return None


def _spell(key: str, at: Sequence[int]) -> str:
    return f"{key}_{''.join(map(str, at))}" if at else key


# --- indices


def _free_indices(e: f.Expression, bound: frozenset[str] = frozenset()) -> Iterator[str]:
    if isinstance(e, f.BigSum):
        yield from _free_indices(e.body, bound | {e.index})
        return
    own = split(e)[1] if isinstance(e, f.Name) else e.indices if isinstance(e, f.Entry) else ()
    yield from (index for index in own if index not in bound and not index.isdecimal())
    for part in e.parts:
        yield from _free_indices(part, bound)


def _reached(sides: Sequence[f.Expression], lines: Lines, statement: Statement) -> tuple[list[str], list[str]]:
    """The letters with formulas that the sides are made of, and the free indices of all, the c of L = −log p_c."""
    found = {index for side in sides for index in _free_indices(side)}
    seen, waiting = dict[str, None](), list(sides)
    while waiting:
        for part in f.walk(waiting.pop()):
            key = split(part)[0] if isinstance(part, f.Name) else None
            line = None if key is None or key in seen else lines.of(key, statement.number)
            if key is not None and line is not None:
                seen[key] = None
                found |= set(_free_indices(line.body)) - set(line.indices)
                waiting.append(line.body)
    return list(seen), sorted(found)


def _root_of(sides: Sequence[f.Expression], lines: Lines, statement: Statement) -> tuple[str, int] | None:
    """The letter by which the slope of a loss without a formula is taken, and of which all others are inputs."""
    slopes = [x for side in sides[1:] for x in f.walk(side) if isinstance(x, f.Derivative) and is_loss(x.of)]
    slopes = [x for x in slopes if _is_unknown(x, lines, statement)]
    found = {split(x.by)[0]: len(split(x.by)[1]) for x in slopes if isinstance(x.by, f.Name)}
    for key, count in found.items():
        point = Point(lines, statement.number, 0)
        if all(other == key or point.depends(f.Name(key), other) for other in found):
            return key, count
    return None


# --- values


def _values(
    sides: Sequence[f.Expression],
    lines: Lines,
    statement: Statement,
    context: Context,
    way: tuple[Mode, bool],
    root: tuple[str, int] | None,
) -> list[Values] | None:
    """The values of the sides at several points; None where a letter is not settled.

    One letter for a number, 1/d before Σ_i x_i, may be how many entries there are.
    """
    _, indices = _reached(sides, lines, statement)
    if len(indices) > MOST_INDICES:
        return None
    start = Point(lines, statement.number, 0, *way, context.mentions(_LOGISTIC), root)
    found = _at_points(sides, start, indices)
    sizes = {key for each in found or () for key, at in each.point.drawn if key in _SIZES and not at}
    if found and len(sizes) == 1 and not all(each.agree for each in found):
        counted = _at_points(sides, replace(start, size=sizes.pop()), indices)
        found = counted if counted and all(each.agree for each in counted) else found
    return found


def _at_points(sides: Sequence[f.Expression], start: Point, indices: Sequence[str]) -> list[Values] | None:
    found: list[Values] = []
    points = 0
    with precision(BITS):
        for seed in SEEDS:
            try:
                at_seed = [_at_point(sides, start, seed, at) for at in _places(indices)]
            except UnsettledError:
                return None
            except (ZeroDivisionError, ValueError):
                continue
            if all(value.is_finite() for each in at_seed for value in each.sides):
                points += 1
                found += at_seed
    return found if points > 1 else None


def _at_point(sides: Sequence[f.Expression], start: Point, seed: int, at: dict[str, int]) -> Values:
    point = replace(start, seed=seed, everywhere=at, drawn={}, used=set())
    first = point.evaluate(sides[0], at)[0]
    known = frozenset(key for key, _ in point.drawn)
    return Values(at, (first, *(point.evaluate(side, at)[0] for side in sides[1:])), point, known)


def _places(indices: Sequence[str]) -> Iterator[dict[str, int]]:
    for values in product(range(1, LENGTH + 1), repeat=len(indices)):
        yield dict(zip(indices, values, strict=True))
