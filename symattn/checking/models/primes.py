"""Derivatives that are written with a stroke, u'(x) and t', as the derivatives that they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from symattn.checking.naming import rewrite
from symattn.reading import formula as f

# functions of one number by the names that have a call of their own
NAMED = {
    "σ": "sigmoid", "sigma": "sigmoid", "sigmoid": "sigmoid", "Sigmoid": "sigmoid", "tanh": "tanh", "GELU": "gelu",
    "SiLU": "silu", "Swish": "swish", "softplus": "softplus", "ELU": "elu", "ReLU": "relu", "LeakyReLU": "leakyrelu",
}  # fmt: skip
DEEPEST = 4  # lines on lines
Defined = Mapping[str, tuple[str, f.Expression]]


def as_slope(side: f.Expression, text: str) -> f.Expression:
    """`σ'(x)`, read as a product, and `(x Φ(x))'`, read as a transpose, as the derivatives that they are."""
    if isinstance(side, f.Transpose) and text[side.start : side.end].rstrip().endswith("'"):
        letters = {part for part in f.walk(side) if isinstance(part, f.Name) and part.base not in NAMED}
        if len(letters) == 1:
            return f.Derivative(side.operand, letters.pop(), start=side.start, end=side.end)
    if isinstance(side, f.Product) and len(side.factors) == 2 and isinstance(side.factors[0], f.Transpose):
        slope = None if any(side.operators) else _slope_of(side.factors[0].operand, side.factors[1], primed=True)
        return side if slope is None else replace(slope, start=side.start, end=side.end)
    return rewrite(side, _with_slopes)


def _with_slopes(part: f.Expression) -> f.Expression:
    """The product with the derivative of f for each f'(x) in it, which was read as f' times x."""
    return _joined(part, _slope_of)


def _joined(part: f.Expression, make: Callable[[f.Expression, f.Expression], f.Expression | None]) -> f.Expression:
    """A product with what `make` makes of two factors that stand side by side, where that is anything."""
    if not isinstance(part, f.Product):
        return part
    factors, operators = [part.factors[0]], list[str]()
    for operator, factor in zip(part.operators, part.factors[1:], strict=True):
        made = None if operator else make(factors[-1], factor)
        if made is not None:
            factors[-1] = made
        else:
            factors.append(factor)
            operators.append(operator)
    return factors[0] if len(factors) == 1 else replace(part, factors=tuple(factors), operators=tuple(operators))


def _slope_of(name: f.Expression, x: f.Expression, *, primed: bool = False) -> f.Expression | None:
    if not (isinstance(name, f.Name) and isinstance(x, f.Name)) or name.sub or x.sub:
        return None
    if not primed and name.sup != ("′",):
        return None
    return f.Derivative(f.Call(NAMED.get(name.base, name.base), (x,)), x, start=name.start, end=x.end)


def with_primes(side: f.Expression, by: f.Name, defined: Defined) -> f.Expression:
    """The side with dt/dx for the t' of a letter that a line makes of x."""

    def spelled(part: f.Expression) -> f.Expression:
        if isinstance(part, f.Name) and part.sup == ("′",) and not part.sub and part.base in defined:
            return f.Derivative(f.Name(part.base), by, start=part.start, end=part.end)
        return part

    return rewrite(side, spelled)


def variable_of(letter: str, defined: Defined) -> f.Name | None:
    """The one letter that a line makes another of, the x of t = x + x³."""
    body = defined.get(letter, ("", None))[1]
    names = {part for part in f.walk(body) if isinstance(part, f.Name)} if body is not None else set()
    free = {name for name in names if name.base != "π" and name.base not in defined and name.base not in NAMED}
    return free.pop() if len(free) == 1 else None


def with_applications(side: f.Expression, defined: Defined) -> f.Expression:
    """The side with the h(x) of a function that a line defines, h(x) = …, which was read as a product with x."""
    return rewrite(side, lambda part: _joined(part, lambda name, x: _applied(name, x, defined)))


def _applied(name: f.Expression, x: f.Expression, defined: Defined) -> f.Expression | None:
    """h(x) or h(x)², where a bracket opens between the two."""
    inside = x.base if isinstance(x, f.Power) else x
    bare = isinstance(name, f.Name) and not (name.sub or name.sup) and inside.start == name.end + 1
    if not bare or not isinstance(name, f.Name) or not defined.get(name.base, ("",))[0]:
        return None
    match x:
        case f.Name():
            return f.Call(name.base, (x,), start=name.start, end=x.end)
        case f.Power(f.Name() as inner, exponent):
            return f.Power(f.Call(name.base, (inner,)), exponent, start=name.start, end=x.end)
    return None


def written_out(side: f.Expression, by: f.Name, defined: Defined) -> f.Expression:
    """The side with x + x³ for the u of tanh(u), if lines make all its letters of x; else as it is."""
    made = _put_in(with_applications(side, defined), by, defined, DEEPEST)
    free = {part for part in f.walk(made) if isinstance(part, f.Name)} - {by, f.Name("π")}
    return side if free or any(isinstance(part, f.Dots) for part in f.walk(made)) else made


def _put_in(e: f.Expression, by: f.Name, defined: Defined, depth: int) -> f.Expression:
    def put_in(part: f.Expression) -> f.Expression:
        if isinstance(part, f.Call) and part.arguments == (by,) and part.function in defined and depth:
            argument, body = defined[part.function]
            return _put_in(body, by, defined, depth - 1) if argument == by.base else part
        if not isinstance(part, f.Name) or part == by or part.sub or part.sup or not depth:
            return part
        argument, body = defined.get(part.base, ("?", part))
        return _put_in(body, by, defined, depth - 1) if argument in ("", by.base) else part

    return rewrite(e, put_in)
