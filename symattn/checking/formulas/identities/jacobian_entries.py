"""The Jacobian of softmax by an entry and as a matrix in one chain: J_ij = p_i (δ_ij − p_j) = diag(p) − p pᵀ.

An entry is no matrix; what is meant is that the entry (i, j) of the matrix is the one that is printed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import sympy
from sympy import Expr, Integer, Symbol

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_SOFTMAX = regex(r"soft-?max", re.IGNORECASE)
_FACTORS = ("α", "β", "γ", "λ")
_P, _Q = Symbol("p_i", positive=True), Symbol("p_j", positive=True)


class _UnknownError(Exception):
    """A part of which it is not known what it is."""


def judge_jacobian_entry(statement: Statement, context: Context) -> Formula | None:
    """A chain from J_ij, or ∂p_i/∂z_j, over its entry to the matrix."""
    sides = statement.equals
    pair = _indices_of(sides[0]) if len(sides) > 2 and len(sides) == len(statement.sides) else None
    if pair is None or not (context.mentions(_SOFTMAX) or context.once(_has_softmax)):
        return None
    rest = [side for side in sides[1:] if not isinstance(side, f.Derivative)]
    matrices = [any(isinstance(part, f.Call) and part.function == "diag" for part in f.walk(side)) for side in rest]
    letters = {part.base for side in rest for part in f.walk(side)
               if isinstance(part, f.Name) and part.base not in (*_FACTORS, "δ", "𝟏")}  # fmt: skip
    if len(letters) != 1 or not any(matrices) or all(matrices):
        return None
    letter = letters.pop()
    try:
        values = [tuple(_value(side, letter, pair, equal) for equal in (False, True)) for side in rest]
    except _UnknownError:
        return None
    factor = sympy.Mul(*(symbol for symbol in values[0][0].free_symbols if symbol not in (_P, _Q)))
    expected = (-factor * _P * _Q, factor * (_P - _P**2))
    if any(sympy.expand(a - b) for a, b in zip(values[0], expected, strict=True)):
        return None  # not the Jacobian of softmax
    theorem = Sentence("formula.jacobian")
    if any(sympy.expand(a - b) for value in values for a, b in zip(value, expected, strict=True)):
        return refuse(statement, theorem)
    if factor == 1:
        return conclude(statement, "holds", theorem)
    return conclude(
        statement, "holds-if", theorem, condition=Sentence("formula.if_tempered", name=letter, by=factor.name)
    )


def _has_softmax(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether a line divides e^{z_i} by something."""
    quotients = (side for s in statements for side in s.equals[1:] if isinstance(side, f.Quotient))
    return any(isinstance(each.numerator, f.Call) and each.numerator.function == "exp" for each in quotients)


def _indices_of(left: f.Expression) -> tuple[str, str] | None:
    """The i and j of J_ij or ∂p_i/∂z_j."""
    match left:
        case f.Name("J", sub, ()):
            marks = "".join(sub).replace(",", "")
        case f.Derivative(of=f.Name(sub=(i,)), by=f.Name(sub=(j,))):
            marks = i + j
        case _:
            return None
    return (marks[0], marks[1]) if len(marks) == 2 and marks.isalpha() and marks[0] != marks[1] else None


def _value(e: f.Expression, letter: str, pair: tuple[str, str], equal: bool) -> Expr:
    """The entry (i, j) of a side, where i = j or not."""
    entries = {pair[0]: _P, pair[1]: _P if equal else _Q}
    match e:
        case f.Number(value=value):
            return sympy.Rational(value.numerator, value.denominator)
        case f.Name("δ", sub, ()) if sorted("".join(sub).replace(",", "")) == sorted(pair):
            return Integer(int(equal))
        case f.Name(base, (), ()) if base in _FACTORS:
            return Symbol(base, positive=True)
        case f.Name(base, (index,), ()) if base == letter and index in entries:
            return entries[index]
        case f.Call("diag", (f.Name(base, (), ()),)) if base == letter:
            return _P if equal else Integer(0)
        case f.Product((f.Name(base, (), ()), f.Transpose(f.Name(other, (), ())))) if base == other == letter:
            return entries[pair[0]] * entries[pair[1]]
        case f.Sum(terms=terms, signs=signs):
            return sympy.Add(*(s * _value(x, letter, pair, equal) for s, x in zip(signs, terms, strict=True)))
        case f.Product(factors=factors):
            return sympy.Mul(*(_value(factor, letter, pair, equal) for factor in factors))
    raise _UnknownError
