"""The rules of products and quotients of two functions: (f/g)' = (f' g − f g')/g², which is not ∂f/∂g = f'/g'.

The functions and their derivatives are letters, of which nothing else is known.
"""

from __future__ import annotations

import sympy
from sympy import Expr, Symbol

from symattn.checking.findings import Formula
from symattn.checking.formulas.polynomials import UnreadError, read_known
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_FUNCTIONS = frozenset("fguvh")
MOST_PARTS = 60


def judge_quotient_rule(statement: Statement, context: Context) -> Formula | None:
    """A derivative of two functions of one variable, by that variable or of one by the other."""
    sides = statement.equals
    if len(sides) != 2 or not isinstance(sides[0], f.Derivative):
        return None
    if sum(1 for side in sides for _ in f.walk(side)) > MOST_PARTS:
        return None
    left = sides[0]
    functions = {base for part in f.walk(left) if (base := _function(part))}
    if len(functions) != 2:
        return None
    try:
        one, other = _derivative(left), _value(sides[1])
    except UnreadError:
        return None
    if sympy.cancel(one - other) == 0:
        return conclude(statement, "holds", Sentence("theorem.quotient_rule"))
    right = _of_quotient(left, other, statement)
    if right is not None:
        return refuse(statement, Sentence("theorem.quotient_rule_fails"), right)
    return refuse(statement, Sentence("theorem.quotient_rule")) if _has_other_sign(left, one, other) else None


def _of_quotient(left: f.Derivative, printed: Expr, statement: Statement) -> str | None:
    """The derivative of f/g in full, where ∂f/∂g is said to be what that is."""
    if not (_function(left.of) and _function(left.by)):
        return None
    variable = _variable(left)
    if variable is None or sympy.cancel(_slope(f.Quotient(left.of, left.by)) - printed) != 0:
        return None
    above, below = (statement.printed(part).strip() for part in (left.of, left.by))
    made = rf"\frac{{\partial}}{{\partial {variable}}} \frac{{{above}}}{{{below}}} = "
    return made + statement.passage.text[statement.equals[1].start : statement.chain.end]


def _has_other_sign(left: f.Derivative, one: Expr, printed: Expr) -> bool:
    """Whether a derivative by the variable has a term, or all of them, with the wrong sign."""
    if _function(left.by):
        return False
    above, below = sympy.fraction(sympy.cancel(one))
    terms = sympy.Add.make_args(sympy.expand(above))
    flipped = [sympy.Add(*(-t if t is term else t for t in terms)) / below for term in terms]
    return any(sympy.cancel(each - printed) == 0 for each in (*flipped, -one))


def _function(e: f.Expression) -> str:
    """The letter of f(x) or of f."""
    match e:
        case f.Call(function=base, arguments=(f.Name(_, (), ()),)) if base in _FUNCTIONS:
            return base
        case f.Name(base, (), ()) if base in _FUNCTIONS:
            return base
        case f.Product((f.Name(base, (), ()), f.Name(variable, (), ())), ("",)) if base in _FUNCTIONS:
            return base if variable in "xzt" else ""
    return ""


def _variable(e: f.Expression) -> str | None:
    """The x of f(x)."""
    found = {p.arguments[0].base for p in f.walk(e) if isinstance(p, f.Call) and isinstance(p.arguments[0], f.Name)}
    return found.pop() if len(found) == 1 else None


def _derivative(e: f.Derivative) -> Expr:
    if _function(e.by):
        return _slope(e.of) / _slope(e.by)
    if not isinstance(e.by, f.Name):
        raise UnreadError
    return _slope(e.of)


def _value(e: f.Expression) -> Expr:
    """A side in letters for the functions and their derivatives."""
    return read_known(e, _leaf, (2,))


def _leaf(e: f.Expression, _: object) -> Expr | None:
    if letter := _function(e):
        return Symbol(letter)
    match e:
        case f.Derivative():
            return _derivative(e)
        case f.Name(own, (), ("′",)) | f.Product((f.Name(own, (), ("′",)), f.Name("x" | "z" | "t")), ("",)) if (
            own in _FUNCTIONS
        ):
            return Symbol(f"{own}′")
    return None


def _slope(e: f.Expression) -> Expr:
    """The derivative by the variable of all functions."""
    if base := _function(e):
        return Symbol(f"{base}′")
    match e:
        case f.Quotient(numerator=top, denominator=bottom):
            a, b = _value(top), _value(bottom)
            return (_slope(top) * b - a * _slope(bottom)) / b**2
        case f.Product(factors=(first, second)):
            return _slope(first) * _value(second) + _value(first) * _slope(second)
        case f.Sum(terms=terms, signs=signs):
            return sympy.Add(*(s * _slope(term) for s, term in zip(signs, terms, strict=True)))
    raise UnreadError
