"""YaRN's temperature: scores are divided by t, too, and √(1/t) = 0.1 ln s + 1 for a context s times as long.

Others call the factor 0.1 ln s + 1 itself a temperature; what is a power of it is left alone. Source: Peng et al. 2023,
section 3.4.
"""

from __future__ import annotations

import re

import sympy
from sympy import Expr, Rational, Symbol

from symattn.checking.findings import Formula
from symattn.checking.formulas.polynomials import read_polynomial
from symattn.checking.formulas.shifts import read_scores
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

MOST_PARTS = 40
_YARN = regex(r"(?<![A-Za-z])YaRN(?![A-Za-z])", re.IGNORECASE)
_OWN_FIT = regex(r"\b(?:we|our|I)\b[^.\n]{0,60}\bfit(?:s|ted|ting)?\b|我们[^。\n]{0,20}拟合|重新拟合", re.IGNORECASE)
_LENGTH, _FACTOR, _TIME = (Symbol(name, positive=True) for name in ("?ln s", "?u", "t"))
_TENTH = Rational(1, 10)
_RIGHT = r"\sqrt{\frac{1}{t}} = 0.1 \ln(s) + 1"


def judge_yarn(statement: Statement, context: Context) -> Formula | None:
    """What an article on YaRN says of its temperature, or of the scores that are divided by it."""
    sides = statement.equals
    if len(sides) != 2 or sum(1 for side in sides for _ in f.walk(side)) > MOST_PARTS:
        return None
    if not context.mentions(_YARN):
        return None
    if isinstance(sides[1], f.Call) and sides[1].function == "softmax":
        held = len(sides[1].arguments) == 1 and _is_tempered(sides[1].arguments[0])
        return conclude(statement, "holds", Sentence("formula.yarn")) if held else None
    left, right = (read_polynomial(side, _leaf, range(-3, 4), roots=True) for side in sides)
    if left is None or right is None or left.free_symbols != {_TIME} or right.free_symbols != {_LENGTH}:
        return None
    grown = right.subs(_LENGTH, (_FACTOR - 1) / _TENTH)
    powers = {k: sympy.cancel(left.subs(_TIME, _FACTOR**k) - grown) == 0 for k in (-2, -1, 1, 2)}
    if powers[-2]:
        return conclude(statement, "holds", Sentence("formula.yarn"))
    own = context.mentions(_OWN_FIT)
    return None if own or any(powers.values()) else refuse(statement, Sentence("formula.yarn"), _RIGHT)


def _is_tempered(scores: f.Expression) -> bool:
    """Whether these are qᵀk or QKᵀ over t and the root of a width."""
    value = read_scores(scores)
    if value is None or value.is_Add:
        return False
    numbers, matrices = value.args_cnc()
    product = sympy.Mul(*numbers) * _TIME
    widths = [letter for letter in product.free_symbols if letter.name.startswith(("d", "D"))]
    inner = product.free_symbols - set(widths)
    if len(widths) != 1 or not {letter.name for letter in inner} <= {"q", "k"} or not (matrices or inner):
        return False
    return bool(sympy.cancel(product * sympy.sqrt(widths[0]) / sympy.Mul(*inner)) == 1)


def _leaf(e: f.Expression, _: object) -> Expr | None:
    """t and ln s."""
    match e:
        case f.Name("t", (), ()):
            return _TIME
        case f.Call(function="log", arguments=(f.Name("s", (), ()),)):
            return _LENGTH
        case f.Call(function="log", arguments=(f.Number() as number,)) if number.value > 1:
            return sympy.log(Rational(number.value.numerator, number.value.denominator))
    return None
