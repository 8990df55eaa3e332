"""Sums of which only the ends are written, e^{x_1} + e^{x_2} + … + e^{x_n}, as sums over an index."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from symattn.checking.naming import rewrite
from symattn.reading import formula as f

_LETTERS = "jklrst"


def chain_with_written_sums(chain: f.Chain) -> f.Chain:
    """The chain with such sums as Σ in all its sides."""
    if not any(isinstance(part, f.Dots) for side in chain.sides for part in f.walk(side.expression)):
        return chain
    sides = (replace(side, expression=with_written_sums(side.expression)) for side in chain.sides)
    return replace(chain, sides=tuple(sides))


def with_written_sums(expression: f.Expression) -> f.Expression:
    """The expression with each such sum as Σ; one that begins with x_0 is over all there are.

    >>> [side] = f.parse(r"e^{x_1} + e^{x_2} + \\dots + e^{x_n}", algebra=True)[0].sides
    >>> with_written_sums(side.expression).index
    'j'
    """
    return rewrite(expression, _as_sum)


def _as_sum(part: f.Expression) -> f.Expression:
    match part:
        case f.Sum(terms=(first, *between, f.Dots(), last), signs=signs) if set(signs) == {1}:
            return _over_an_index(part, [first, *between], last) or part
    return part


def _over_an_index(whole: f.Sum, written: list[f.Expression], last: f.Expression) -> f.BigSum | None:
    used = {index for name in _names(whole) for index in (name.base, *name.sub)}
    letter = next((x for x in _LETTERS if x not in used), None)
    ends = _last_indices(last) - _last_indices(written[0])
    if letter is None or len(ends) != 1:
        return None
    [end] = ends
    for start in (0, 1):
        body = _put(written[0], str(start), letter)
        counted = all(_put(body, letter, str(start + k)) == term for k, term in enumerate(written))
        if body != written[0] and counted and _put(body, letter, end) == last:
            bounds = _bounds(start, end)
            return f.BigSum(letter, *bounds, body, None, start=whole.start, end=whole.end)
    return None


def _bounds(start: int, end: str) -> tuple[f.Expression | None, f.Expression | None]:
    if start == 0 or not end.isalpha():
        return None, None
    return f.Number("1", Fraction(1), Fraction(1)), f.Name(end, text=end)


def _put(expression: f.Expression, old: str, new: str) -> f.Expression:
    """The expression with the last index of every name that has one for another."""

    def change(part: f.Expression) -> f.Expression:
        indexed = isinstance(part, f.Name) and part.sub[-1:] == (old,)
        return replace(part, sub=(*part.sub[:-1], new)) if indexed else part  # type: ignore[attr-defined, call-arg]

    return rewrite(expression, change)


def _last_indices(expression: f.Expression) -> set[str]:
    return {name.sub[-1] for name in _names(expression) if name.sub}


def _names(expression: f.Expression) -> list[f.Name]:
    return [part for part in f.walk(expression) if isinstance(part, f.Name)]
