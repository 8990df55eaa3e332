"""Powers of e with an imaginary exponent, written out: r e^{iθ} = r cos θ + i r sin θ.

Sines and cosines are sums of such powers, so that both sides are polynomials in them. A side that lacks a factor, a
length r that only the other one has, is false unless the article says that it is 1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import sympy
from sympy import Expr, I, Symbol

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

MOST_PARTS = 60
NEAR = 300  # characters in which r may be said to be 1
_UNIT = re.compile(
    r"unit (?:circle|length|modulus|complex)|=\s*1\b|单位(?:圆|长度|复数)|單位圓|模(?:长)?为\s*1|単位円|단위원"
)


def judge_complex_power(statement: Statement, context: Context) -> Formula | None:
    """Two sides of which one has e^{iθ}: the same, or one of them without a factor of the other."""
    sides = statement.equals
    if len(sides) != 2 or not _is_about(sides):
        return None
    values = _all(sides)
    if values is None or 0 in values:
        return None
    left, right = values
    if sympy.expand(left - right) == 0:
        return conclude(statement, "holds", Sentence("theorem.complex_power"))
    near = context.article.source[max(statement.span[0] - NEAR, 0) : statement.span[1] + NEAR]
    if _UNIT.search(near):
        return None
    factor = next(
        (x for x in sorted(right.free_symbols - left.free_symbols, key=str) if _is_times(left, right, x)), None
    )
    if factor is None:
        return None
    text = statement.passage.text
    made = text[statement.start : sides[0].start] + f"{factor} {text[sides[0].start : statement.chain.end]}"
    return refuse(statement, Sentence("theorem.complex_power"), made)


def _is_times(left: Expr, right: Expr, factor: Symbol) -> bool:
    return bool(sympy.expand(factor * left - right) == 0)


def _is_about(sides: Sequence[f.Expression]) -> bool:
    """Whether e^{iθ} is on one side, and i is no index."""
    parts = [part for side in sides for part in f.walk(side)]
    names = [part for part in parts if isinstance(part, f.Name)]
    powers = [part for part in parts if isinstance(part, f.Call) and part.function == "exp"]
    imaginary = any(_is_i(x) for power in powers for x in f.walk(power))
    indexed = any("i" in mark for name in names for mark in (*name.sub, *name.sup, *name.item))
    return imaginary and not indexed and len(parts) <= MOST_PARTS


def _is_i(e: f.Expression) -> bool:
    return isinstance(e, f.Name) and e.base == "i" and not (e.sub or e.sup or e.item)


def _read(e: f.Expression) -> Expr | None:
    """A side as a polynomial in letters and powers of e; None of anything else."""
    match e:
        case f.Number(value=value):
            return sympy.Rational(value.numerator, value.denominator)
        case f.Name() if _is_i(e):
            return I
        case f.Name(base, sub, (), ()):
            return Symbol("_".join((base, *sub)), real=True)
        case f.Sum(terms=terms, signs=signs):
            read = _all(terms)
            return None if read is None else sympy.expand(sympy.Add(*(s * x for s, x in zip(signs, read, strict=True))))
        case f.Product(factors=factors):
            parts = _all(factors)
            return None if parts is None else sympy.expand(sympy.Mul(*parts))
        case f.Quotient(numerator=top, denominator=f.Number() | f.Name() as bottom):
            above, below = _read(top), _read(bottom)
            return None if above is None or not below else sympy.expand(above / below)
        case f.Call(function="exp", arguments=(inside,)):
            power = _read(inside)
            return None if power is None else sympy.exp(power)
        case f.Call(function="cos" | "sin" as function, arguments=(inside,)):
            angle = _read(inside)
            if angle is None:
                return None
            one, other = sympy.exp(I * angle), sympy.exp(-I * angle)
            return sympy.expand((one + other) / 2 if function == "cos" else (one - other) / (2 * I))
    return None


def _all(expressions: Sequence[f.Expression]) -> list[Expr] | None:
    read = [value for each in expressions if (value := _read(each)) is not None]
    return read if len(read) == len(expressions) else None
