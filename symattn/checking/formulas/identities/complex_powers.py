"""Powers of e with an imaginary exponent, written out: r e^{iθ} = r cos θ + i r sin θ.

Sines and cosines are sums of such powers, so that both sides are polynomials in them. A side that lacks a factor, a
length r that only the other one has, is false unless the article says that it is 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import sympy
from sympy import Expr, I, Symbol

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.polynomials import UnreadError, read_polynomial
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.mending import mend_statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

MOST_PARTS = 60
NEAR = 300  # characters in which r may be said to be 1
_UNIT = regex(
    r"unit (?:circle|length|modulus|complex)|=\s*1\b|单位(?:圆|长度|复数)|單位圓|模(?:长)?为\s*1|単位円|단위원"
)
_INDEX = regex(r"(?<![^\W\d_])i(?![^\W\d_])")


def judge_complex_power(statement: Statement, context: Context) -> Formula | None:
    """Two sides of which one has e^{iθ}: the same, or one of them without a factor of the other."""
    sides = statement.equals
    arithmetic = _is_arithmetic(sides) and context.mentions(_COMPLEX)
    if len(sides) != 2 or not (arithmetic or _is_about(sides)):
        return None
    values = [value for side in sides if (value := read_polynomial(side, _leaf)) is not None]
    if len(values) < 2 or 0 in values:
        return None
    left, right = values
    if arithmetic and left.free_symbols != right.free_symbols:
        return None  # u + iv = (a + ib)(c + id) says what u and v are
    if sympy.expand(left - right) == 0:
        return conclude(statement, "holds", Sentence("theorem.complex_power"))
    if arithmetic:
        return refuse(
            statement, Sentence("theorem.complex_power"), mend_statement(statement, _are_equal), _point(left, right)
        )
    near = context.around(statement, NEAR)
    if _UNIT.search(near):
        return None
    missing = sorted(right.free_symbols - left.free_symbols, key=str)
    factor = next((x for x in missing if sympy.expand(x * left - right) == 0), None)
    if factor is None:
        return None
    made = statement.with_text(f"{factor} {statement.printed(sides[0])}", sides[0])
    return refuse(statement, Sentence("theorem.complex_power"), made)


_COMPLEX = regex(
    r"\bcomplex (?:number|multipl|product)|imaginary|复数|複數|虚数|虚部|複素数|복소수|número complejo|nombre complexe",
    re.IGNORECASE,
)


def _point(left: Expr, right: Expr) -> Counterexample:
    """Both sides at small numbers for the letters."""
    letters = sorted(left.free_symbols | right.free_symbols, key=str)
    worth = dict(zip(letters, map(sympy.prime, range(1, len(letters) + 1)), strict=True))
    first, second = (str(sympy.expand(side.subs(worth))).replace("I", "i") for side in (left, right))
    return Counterexample(tuple((str(x), str(value)) for x, value in worth.items()), first, second)


def _are_equal(sides: Sequence[f.Expression]) -> bool:
    values = [value for side in sides if (value := read_polynomial(side, _leaf)) is not None]
    return len(values) == len(sides) and all(sympy.expand(values[0] - value) == 0 for value in values)


def _is_arithmetic(sides: Sequence[f.Expression]) -> bool:
    """Whether both sides have i as a factor beside real letters, (a + ib)(c + id), and no power of e."""
    parts = [list(f.walk(side)) for side in sides]
    products = [
        [part for part in side if isinstance(part, f.Product) and any(map(_is_i, part.factors))] for side in parts
    ]
    plain = all(isinstance(x, f.Sum | f.Product | f.Name | f.Power | f.Number) for side in parts for x in side)
    names = [x for side in parts for x in side if isinstance(x, f.Name)]
    indexed = any(_INDEX.search(mark) for name in names for mark in (*name.sub, *name.sup, *name.item))
    return all(products) and plain and not indexed and sum(map(len, parts)) <= MOST_PARTS


def _is_about(sides: Sequence[f.Expression]) -> bool:
    """Whether e^{iθ} is on one side, and i is no index."""
    parts = [part for side in sides for part in f.walk(side)]
    names = [part for part in parts if isinstance(part, f.Name)]
    powers = [part for part in parts if isinstance(part, f.Call) and part.function == "exp"]
    imaginary = any(_is_i(x) for power in powers for x in f.walk(power))
    indexed = any(_INDEX.search(mark) for name in names for mark in (*name.sub, *name.sup, *name.item))
    return imaginary and not indexed and len(parts) <= MOST_PARTS


def _is_i(e: f.Expression) -> bool:
    return isinstance(e, f.Name) and e.base == "i" and not (e.sub or e.sup or e.item)


def _leaf(e: f.Expression, read: Callable[[f.Expression], Expr]) -> Expr | None:
    """Letters and powers of e; a side is divided by numbers and letters alone."""
    match e:
        case f.Name() if _is_i(e):
            return I
        case f.Name(base, sub, (), ()):
            return Symbol("_".join((base, *sub)), real=True)
        case f.Call(function="exp", arguments=(inside,)):
            return sympy.exp(read(inside))
        case f.Call(function="cos" | "sin" as function, arguments=(inside,)):
            angle = read(inside)
            one, other = sympy.exp(I * angle), sympy.exp(-I * angle)
            return sympy.expand((one + other) / 2 if function == "cos" else (one - other) / (2 * I))
        case f.Quotient(denominator=below) if not isinstance(below, f.Number | f.Name):
            raise UnreadError
    return None
