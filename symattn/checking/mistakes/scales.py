"""Scores with another divisor than the formula's: left out, of another size, or put in where there was none.

A divisor is √n for a whole n, so that 2, √2 and √d_k are candidates alike. Which of them the numbers allow is seen in
floating point first, on the wrong entries; what passes is proven in `readings` like any other rereading.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from symattn.checking.findings import Place
from symattn.checking.mistakes.rules import Reread, Spot, integer, is_softmax, meaning, spots, versions
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Printed
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.writing.prose import Sentence

WHOLE = (2, 3, 4, 5, 8, 10, 16, 100)
ROOTS = (2, 3)
Allowed = Callable[[float], bool]  # whether the numbers allow a divisor, as far as floating point can tell
LOOSE = 1 + 1e-6
MOST_SIZED = 64  # how many of the things stated are asked for their sizes


@dataclass(frozen=True)
class Scaled:
    """An expression as core / divisor; `put` makes it whole again around another core (masks stay outside)."""

    core: f.Expression
    divisor: f.Expression | None
    put: Callable[[f.Expression], f.Expression]


def split_scale(expression: f.Expression, environment: Environment, depth: int = 4) -> Scaled:
    """S / √d_k, (1/√d_k) S, (S / √d_k) + mask, or a name for one of these, as S and what divides it."""
    formula = meaning(expression, environment)
    if depth and isinstance(formula, f.Quotient):
        return Scaled(formula.numerator, formula.denominator, lambda x: x)
    if depth and isinstance(formula, f.Product):
        small = [x for x in formula.factors if _is_scalar(x, environment)]
        large = tuple(x for x in formula.factors if not _is_scalar(x, environment))
        if len(small) == 1 and large:
            core = large[0] if len(large) == 1 else f.Product(large, ("",) * (len(large) - 1))
            return Scaled(core, f.Quotient(integer(1), small[0]), lambda x: x)
    if depth and isinstance(formula, f.Sum) and set(formula.signs) == {1}:
        masks = [_is_mask(t, environment) for t in formula.terms]
        if masks.count(False) == 1:
            k = masks.index(False)
            inner = split_scale(formula.terms[k], environment, depth - 1)
            terms, signs = formula.terms, formula.signs
            return Scaled(
                inner.core, inner.divisor, lambda x: f.Sum((*terms[:k], inner.put(x), *terms[k + 1 :]), signs)
            )
    return Scaled(expression, None, lambda x: x)


def _is_scalar(expression: f.Expression, environment: Environment) -> bool:
    value = environment.worth(expression)
    return value is not None and value.shape == (1, 1)


def _is_mask(expression: f.Expression, environment: Environment) -> bool:
    """Nothing but 0 and −∞: whatever divides it, it stays what it is."""
    value = environment.worth(expression)
    return (
        value is not None
        and bool(value.hidden)
        and all(x.is_zero() or (i, j) in value.hidden for i, row in enumerate(value.rows) for j, x in enumerate(row))
    )


def divisors(environment: Environment) -> list[int]:
    """The n of the divisors √n: 1, small whole numbers, and the sizes of what was stated with their roots."""
    known = {m for s in list(environment.stated.values())[:MOST_SIZED] for m in s.true.shape if 1 < m <= 4096}
    return sorted({1, *(w * w for w in WHOLE), *ROOTS, *known, *(m * m for m in known)})


def other_scales(
    expression: f.Expression, environment: Environment, printed: Printed, wrong: Sequence[Place]
) -> Iterator[Reread]:
    """S and S / c for S / √d_k, within a softmax or by itself; c S where the formula multiplies by nothing."""
    softmaxes = [s for s in spots(expression) if is_softmax(s.node)]
    if not softmaxes:
        whole = split_scale(expression, environment)
        about = "scores" if whole.divisor is not None or _is_scores(whole.core) else "result"
        yield from _rescale(whole, environment, about, lambda core: _fits(core, printed, wrong))
    for spot in softmaxes:
        yield from _rescale_softmax(spot, environment, printed, wrong, alone=spot.node is expression)


def _rescale_softmax(
    spot: Spot, environment: Environment, printed: Printed, wrong: Sequence[Place], alone: bool
) -> Iterator[Reread]:
    call = spot.node
    assert isinstance(call, f.Call)
    argument = environment.worth(call.arguments[0])
    if argument is None:
        return
    inner = split_scale(call.arguments[0], environment)

    def put(core: f.Expression) -> f.Expression:
        return spot.put(replace(call, arguments=(inner.put(core),)))

    def filters(core: Balls) -> Allowed:
        return _softmax_fits(core, argument.hidden, printed, wrong) if alone and not call.options else _is_usual

    yield from _rescale(Scaled(inner.core, inner.divisor, put), environment, "scores", filters)


def _is_usual(divisor: float) -> bool:
    """Where the numbers cannot be compared beforehand only the usual divisors are tried."""
    return divisor in (1, *WHOLE)


def _is_scores(expression: f.Expression) -> bool:
    return isinstance(expression, f.Product) and any(isinstance(x, f.Transpose) for x in expression.factors)


def _rescale(
    whole: Scaled, environment: Environment, about: str, filters: Callable[[Balls], Allowed]
) -> Iterator[Reread]:
    tests = [filters(core) for core in versions(whole.core, environment) if core.shape != (1, 1)]
    below = environment.worth(whole.divisor) if whole.divisor is not None else None
    if whole.divisor is not None and below is None:
        return
    now = float(below.rows[0][0].mid()) if below is not None else 1.0
    for n in divisors(environment):
        root = math.sqrt(n)
        if abs(root - now) > 1e-9 and any(allowed(root) for allowed in tests):
            name = Sentence(f"reading.{about}_divided", below=_spoken(n))
            if n == 1:
                name = Sentence("reading.scale_left_out")
            yield Reread(name, whole.put(whole.core if n == 1 else f.Quotient(whole.core, _root(n))))
        if n > 1 and abs(1 / root - now) > 1e-9 and any(allowed(1 / root) for allowed in tests):
            name = Sentence(f"reading.{about}_multiplied", by=_spoken(n))
            yield Reread(name, whole.put(f.Product((_root(n), whole.core), ("",))))


def _root(n: int) -> f.Expression:
    root = math.isqrt(n)
    return integer(root) if root * root == n else f.Root(integer(n))


def _spoken(n: int) -> str:
    root = math.isqrt(n)
    return str(root) if root * root == n else f"√{n}"


def _fits(core: Balls, printed: Printed, wrong: Sequence[Place]) -> Allowed:
    """Whether a divisor brings every wrong entry of S / c within a unit of its print."""
    if core.shape != printed.shape:
        return lambda _: False
    shown = _show(printed, wrong)
    values = {(i, j): float(core.rows[i][j].mid()) for (i, j) in shown}
    return lambda c: all(abs(values[at] / c - p) <= u * LOOSE + 0.02 * abs(p) for at, (p, u) in shown.items())


def _softmax_fits(core: Balls, hidden: frozenset[Place], printed: Printed, wrong: Sequence[Place]) -> Allowed:
    """Whether softmax(S / c), in the first row with a wrong entry, comes within a unit or so of the print."""
    if core.shape != printed.shape or not wrong:
        return lambda _: False
    i = wrong[0][0]
    columns = range(printed.shape[1])
    shown = _show(printed, [(i, j) for j in columns])
    scores = {j: float(core.rows[i][j].mid()) for j in columns if (i, j) not in hidden and (i, j) not in core.hidden}

    def allowed(c: float) -> bool:
        if not scores:
            return False
        top = max(scores.values()) / c
        powers = {j: math.exp(s / c - top) for j, s in scores.items()}
        total = sum(powers.values())
        return all(abs(powers.get(j, 0.0) / total - p) <= 2 * u + 0.02 for (_, j), (p, u) in shown.items())

    return allowed


def _show(printed: Printed, places: Sequence[Place]) -> dict[Place, tuple[float, float]]:
    shown = {}
    for i, j in places:
        value: Fraction | None = printed.values[i][j]
        if value is not None:
            shown[i, j] = (float(value), float(printed.units[i][j]))
    return shown
