"""An e that is a name and no Euler's number: `e = y − t = 3` and then `L = e² = 9`.

`e^x` is read as the exponential. Only of a square can it be another thing, where e has been given a number of its own,
or where the same chain squares one, `e² = (−0.38)²`; and it is the exponential still if that is what is printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from symattn.checking.naming import rewrite_sides
from symattn.checking.semantics.environment import Environment
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.printed import distance

_SQUARE = regex(r"(?:\\mathrm\{e\}|\\text\{e\}|e)\s*(?:\^|\*\*|²)")
_NAME = f.Name("e")
_NEAR = 0.02  # of a value, by which rounding changes it


def with_errors_named_e(chain: f.Chain, text: str, environment: Environment) -> f.Chain:
    """The chain with the square of a name for e^2, where e is one."""
    if not any(_is_square(part, text) for part in _parts(chain)):
        return chain
    if any(_is_other_power(part, text) or _is_worked_out(part) for part in _parts(chain)):
        return chain  # e² + e¹ + e⁰, e²/(1 + e²) = 7.389/8.389
    known = environment.worth(_NAME)
    own = known is not None and known.shape == (1, 1) and distance(known.rows[0][0], _EULER) > float(_TENTH)
    if not own and not any(_is_square_of_number(part) for part in _parts(chain)):
        return chain

    name = _NAME if own else f.Name("e", sup=("given",))  # of which no value is known

    def named(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Call) or not _is_square(part, text):
            return part
        base = replace(name, text="e", start=part.start, end=part.start + 1)
        return f.Power(base, part.arguments[0], start=part.start, end=part.end)

    return chain if _is_printed_so(chain, text, environment) else rewrite_sides(chain, named)


_SQUARED, _SQUARE_OF_EULER = 2, 7.389
_EULER, _TENTH = Fraction(27183, 10000), Fraction(1, 10)


def _parts(chain: f.Chain) -> Iterator[f.Expression]:
    return (part for side in chain.sides for part in f.walk(side.expression))


def _is_square(part: f.Expression, text: str) -> bool:
    """Whether it is written as a power, e^2, and is no exp(2)."""
    match part:
        case f.Call("exp", (f.Number(value=2),)):
            return _SQUARE.match(text, part.start) is not None
    return False


def _is_other_power(part: f.Expression, text: str) -> bool:
    """Whether it is another power of e, e^1."""
    match part:
        case f.Call("exp", (f.Number(value=exponent),)):
            return exponent != _SQUARED and _SQUARE.match(text, part.start) is not None
    return False


def _is_worked_out(part: f.Expression) -> bool:
    """Whether it is the square of Euler's number itself, 7.389."""
    return isinstance(part, f.Number) and abs(float(part.value) - _SQUARE_OF_EULER) < _NEAR


def _is_square_of_number(part: f.Expression) -> bool:
    match part:
        case f.Power(base, f.Number(value=2)):
            numbers = [x for x in f.walk(base) if isinstance(x, f.Number)]
            euler = isinstance(base, f.Number) and abs(base.value - _EULER) < _TENTH
            return bool(numbers) and not euler and not any(isinstance(x, f.Name | f.Call) for x in f.walk(base))
    return False


def _is_printed_so(chain: f.Chain, text: str, environment: Environment) -> bool:
    """Whether a side with e^2 comes to what is printed behind it where e is Euler's number."""
    for side, following in zip(chain.sides, chain.sides[1:], strict=False):
        if not any(_is_square(part, text) for part in f.walk(side.expression)):
            continue
        value, printed = environment.worth(side.expression), following.expression
        if value is not None and value.shape == (1, 1) and isinstance(printed, f.Number):
            off = distance(value.rows[0][0], printed.value)
            return off <= max(_NEAR * abs(float(printed.value)), float(printed.places) / 2)
    return False
