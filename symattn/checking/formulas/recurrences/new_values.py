"""What the delta rule writes for a key: v_new = β v + (1 − β) v_old, between the new value and the one held so far."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from sympy import Expr

from symattn.checking.findings import Formula
from symattn.checking.formulas.polynomials import UnreadError, read_polynomial
from symattn.checking.formulas.recurrences.delta_slips import DELTA
from symattn.checking.formulas.statements.context import Context, accept, refuse
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_RATES = ("β", "η", "α")
_OLD, _NEW = frozenset(["old", "prev", "旧"]), frozenset(["new", "新"])
_RATE, _VALUE, _STATE, _KEY = sympy.symbols("β v S k")
_HELD = _STATE * _KEY
_MEANT = _RATE * _VALUE + (1 - _RATE) * _HELD
# the weights of both, where they do not add up to 1
_SLIPS = tuple(sign * _RATE * _VALUE + weight * _HELD for sign in (1, -1) for weight in (1 + _RATE, _RATE - 1, _RATE))


def judge_new_value(statement: Statement, context: Context) -> Formula | None:
    """The value written is as far from the old one as the rate says; v_old may be written S k."""
    left = statement.left
    if len(statement.equals) != 2 or len(statement.sides) != 2 or not context.mentions(DELTA):
        return None
    if not isinstance(left, f.Name) or left.base != "v" or _NEW.isdisjoint((*left.sub, *left.sup)):
        return None
    rates = {name.base for name in names(statement.equals[1]) if name.base in _RATES}
    made = read_polynomial(statement.equals[1], _leaf)
    if made is None or len(rates) != 1:
        return None
    theorem = Sentence("theorem.new_value")
    if sympy.expand(made - _MEANT) == 0:
        return accept(statement, theorem)
    return refuse(statement, theorem) if any(sympy.expand(made - slip) == 0 for slip in _SLIPS) else None


def _leaf(e: f.Expression, read: Callable[[f.Expression], Expr]) -> Expr | None:
    match e:
        case f.Name(base, _, ()) if base in _RATES:
            return _RATE
        case f.Name("S", (_,), ()):
            return _STATE
        case f.Name("k", (_,), ()):
            return _KEY
        case f.Name("v", sub, sup) if not _OLD.isdisjoint((*sub, *sup)):
            return _HELD
        case f.Name("v", _, ()):
            return _VALUE
        case f.Name() | f.Call():
            raise UnreadError
    return None
