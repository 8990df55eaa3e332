"""The variance of a random number by its means: Var(X) = E[(X − E[X])²] = E[X²] − E[X]².

A mean is linear, so that every side is a polynomial in the means of the powers of X, and equal sides are equal
polynomials. Of several random numbers nothing is said: what they come to may rest on their being independent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import sympy
from sympy import Expr, Integer, S, Symbol

from symattn.checking.findings import Formula
from symattn.checking.formulas.moments import NEAR, VARIANCE, ZERO_MEAN, is_upright
from symattn.checking.formulas.statements.context import Context, accept, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

MOST_PARTS = 60
HIGHEST = 2  # power of the random number, and of a mean

_MEAN_OF = {"expectation", "mean"}
_VARIANCES = {"var", "Var", "variance"}
_MEANS = {"μ", "mu"}
_MEAN, _SQUARES, _VARIANCE, _CENTRE, _X = map(Symbol, ("E[X]", "E[X²]", "Var(X)", "μ", "X"))


def judge_variance(statement: Statement, context: Context) -> Formula | None:
    """A chain of the variance of a letter and of means of it and of its square."""
    sides = statement.equals
    if len(sides) < 2 or len(sides) < len(statement.sides) or sum(1 for e in sides for _ in f.walk(e)) > MOST_PARTS:
        return None
    reader = _Reader()
    try:
        values = [reader.value(side) for side in sides]
    except _UnsettledError:
        return None
    found = set().union(*(value.free_symbols for value in values))
    if reader.letter is None or _VARIANCE not in found or not reader.means:
        return None
    theorem = Sentence("formula.variance")
    if _agree(values):
        return accept(statement, theorem)
    if not _slipped(values) or _knows_mean(statement, context):
        return None
    plain = any(isinstance(part, f.Name) and part.text == "V" for side in sides for part in f.walk(side))
    if plain and not context.mentions(VARIANCE):
        return None  # a potential, or the value of a state
    left, letter = sides[0], reader.letter
    is_variance = values[0] == _VARIANCE
    right = f"{statement.printed(left)} = E[({letter} - E[{letter}])^2]" if is_variance else None
    return refuse(statement, theorem, right=right)


_SPREAD = _SQUARES - _MEAN**2
# terms swapped, + for −, a lost square, E[(X + E[X])²]; anything else may be so for the numbers that are meant
_SLIPS = (-_SPREAD, _SQUARES + _MEAN**2, _SQUARES - _MEAN, _SQUARES + 3 * _MEAN**2)
_KNOWN_MEAN = regex(
    r"(?:\\mu|μ|[\])}])[\w\s$]{0,6}=\s*[01](?![\d.])|(?:\bmeans?|均值|期望)[\w\s=$]{0,12}?[01](?![\d.])"
    r"|N\}?\s*\(\s*[01]\s*,|cent(?:red|ered)|unit mean",
    re.IGNORECASE,
)


def _agree(values: Sequence[Expr]) -> bool:
    known = [value.subs(_VARIANCE, _SPREAD).subs(_CENTRE, _MEAN) for value in values]
    return all(sympy.expand(a - b) == 0 for a, b in pairwise(known))


def _slipped(values: Sequence[Expr]) -> bool:
    """Whether all sides are the variance, but for known slips."""
    known = [sympy.expand(value.subs(_CENTRE, _MEAN)) for value in values]
    return _VARIANCE in known and set(known) <= {_VARIANCE, _SPREAD, *_SLIPS}


def _knows_mean(statement: Statement, context: Context) -> bool:
    """Whether the text says that a mean is 0 or 1, for which some slips are none."""
    near = context.around(statement, NEAR)
    return any(mean.search(near) for mean in (ZERO_MEAN, _KNOWN_MEAN))


class _UnsettledError(Exception):
    """A part that is no polynomial in the means of one letter."""


@dataclass
class _Reader:
    """The value of an expression by means; which letter they are of, and along what they are taken."""

    letter: str | None = None
    means: int = 0
    labels: set[str] = field(default_factory=set)

    def value(self, e: f.Expression, *, inside: bool = False) -> Expr:
        """Outside means in the means of X and X², inside a mean in X too."""
        applied = _applied(e)
        if applied is not None:
            return self._applied(*applied)
        match e:
            case f.Number(value=number):
                return sympy.Rational(number.numerator, number.denominator)
            case f.Matrix(rows=((part,),)):
                return self.value(part, inside=inside)
            case f.Power(f.Name("σ"), f.Number("2")):
                return _VARIANCE
            case f.Name(base) if base in _MEANS and not e.sup:
                return _CENTRE
            case f.Name(base) if base in _VARIANCES and not e.item and not e.sup:
                return _VARIANCE
            case f.Name("E", _, ("2",), item=(_,)):  # E_C[X]²
                return self.value(replace(e, sup=()), inside=inside) ** 2
            case f.Name() if inside:
                return self._random(e)
            case f.Power(base, f.Number("2")):
                squared = self.value(base, inside=inside)
                if squared.has(sympy.Pow):
                    raise _UnsettledError  # before it is expanded
                return squared**2
            case f.Sum(terms, signs):
                return sympy.Add(
                    *(Integer(s) * self.value(t, inside=inside) for s, t in zip(signs, terms, strict=True))
                )
            case f.Product(factors):
                return sympy.Mul(*(self.value(factor, inside=inside) for factor in factors))
        raise _UnsettledError

    def _random(self, name: f.Name) -> Expr:
        """X, or X² of a capital letter whose square is read as a mark of it."""
        letter = name.text.split("^")[0].strip()
        if (self.letter or letter) != letter or name.sup not in ((), ("2",)) or name.item:
            raise _UnsettledError
        self.letter = letter
        return _X**2 if name.sup else _X

    def _applied(self, kind: str, label: tuple[str, ...], of: f.Expression) -> Expr:
        self.labels |= {*label}
        inner = sympy.expand(self.value(of, inside=True))
        powers = sympy.Poly(inner, _X).as_dict()
        if (
            len(self.labels) > 1
            or max(powers, default=(0,))[0] > HIGHEST
            or (kind == "variance" and set(powers) != {(1,)})
        ):
            raise _UnsettledError
        if kind == "variance":
            return powers[1,] ** 2 * _VARIANCE
        self.means += 1
        return sympy.Add(*(factor * (S.One, _MEAN, _SQUARES)[power] for (power,), factor in powers.items()))


def _applied(e: f.Expression) -> tuple[str, tuple[str, ...], f.Expression] | None:
    """What a mean or a variance is taken of, and along what, in any of its spellings."""
    match e:
        case f.Call(function, (of,)) if function in _MEAN_OF:
            return "mean", e.label, of
        case f.Call("var", (of,)):
            return "variance", e.label, of
        case f.Product((f.Name("E" | "V" | "Var" as base, sub, ()) as name, of), ("",)) if is_upright(name) or sub:
            return "mean" if base == "E" else "variance", sub, of
        case f.Name("E" | "Var" as base, sub, (), (item,)) if item.isalpha():
            return "mean" if base == "E" else "variance", sub, f.Name(item, text=item)
    return None
