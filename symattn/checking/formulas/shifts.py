"""Softmax of shifted or scaled scores: softmax(x + c) = softmax(x) for one number c, as softmax(α(x/α − max(x/α))).

Scores are polynomials whose letters stand in order where they are matrices; a list m [0, 1, …, i − 1] is as many steps
from its first number on.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import sympy
from sympy import Expr, Symbol

from symattn.checking.findings import Formula
from symattn.checking.formulas.polynomials import read_polynomial
from symattn.checking.formulas.statements.context import conclude
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_CONSTANTS = frozenset("cCabkmtMαβλ")  # letters for one number that is added to all scores
_LARGEST = "?max"
_STEPS = "?steps"
MOST_PARTS = 60


def judge_shift(left: f.Expression, right: f.Expression, statement: Statement) -> Formula | None:
    """softmax(x + c) = softmax(x) for one number c; softmax(c x) is another unless c is 1."""
    assert isinstance(left, f.Call) and isinstance(right, f.Call)
    if sum(1 for side in (left, right) for _ in f.walk(side)) > MOST_PARTS:
        return None
    one, other = read_scores(left.arguments[0]), read_scores(right.arguments[0])
    if one is None or other is None:
        return None
    difference = sympy.expand(one - other)
    if all(map(_is_number, difference.free_symbols)):
        return conclude(statement, "holds", Sentence("formula_shift"))
    if _are_multiples(one, other):
        return conclude(statement, "fails", Sentence("formula_scaled"))
    plain = all(symbol.is_commutative and symbol.name[0] != "?" for symbol in one.free_symbols | other.free_symbols)
    varying = [letter for letter in (one.free_symbols & other.free_symbols) if not _is_number(letter)]
    scaled = plain and len(varying) == 1 and sympy.expand(difference.subs(varying[0], 0)) == 0
    open_ = one.free_symbols - other.free_symbols and other.free_symbols - one.free_symbols  # α x and x/T, T = 1/α
    return conclude(statement, "fails", Sentence("formula_scaled")) if scaled and not open_ else None


def _are_multiples(one: Expr, other: Expr) -> bool:
    """Whether both are one product of matrices beside numbers, and one has another factor: QKᵀ/√d and QKᵀ/d."""
    found = []
    for side in (one, other):
        terms = [term for term in sympy.Add.make_args(side) if not all(map(_is_number, term.free_symbols))]
        if len(terms) != 1:
            return False
        found.append(terms[0].args_cnc())
    (first, matrices), (second, others) = found
    if not matrices or matrices != others:
        return False
    one_factor, other_factor = sympy.Mul(*first), sympy.Mul(*second)
    shared = one_factor.free_symbols & other_factor.free_symbols  # β and √d may be the same, d and √d are not
    letters = (one_factor / other_factor).free_symbols
    told = letters <= shared or (bool(shared) and letters.isdisjoint(shared))
    return told and one_factor != other_factor


def _is_number(symbol: Symbol) -> bool:
    """Whether it is one number for all scores: the largest, a constant, or where a list of steps begins."""
    return symbol.name in _CONSTANTS or symbol.name.startswith((_LARGEST, "?end"))


def read_scores(expression: f.Expression) -> Expr | None:
    """Scores as a polynomial; None of what is no letters, numbers, sums, products, quotients and maxima."""
    return read_polynomial(expression, _leaf, roots=True)


def _leaf(e: f.Expression, read: Callable[[f.Expression], Expr]) -> Expr | None:
    match e:
        case f.Name(base, sub, (), ()) if len(base) == 1:
            return _letter(base, sub)
        case f.Transpose(operand=f.Name(base, sub, (), ())):
            return Symbol(f"{base}_{sub}^T", commutative=False)
        case f.Call(function="max", arguments=(inside,)):
            return Symbol(f"{_LARGEST} {read(inside)}")
        case f.Matrix(rows=(cells,)):
            return read(cells[0]) if len(cells) == 1 else _steps(cells)
    return None


def _letter(base: str, sub: tuple[str, ...]) -> Symbol:
    """A letter: capitals and rows of a matrix are in order, a size d is positive."""
    matrix = base in "QKVXW" or (base in "qk" and bool(sub))
    name = f"{base}_{sub}" if sub else base
    return Symbol(name, commutative=False) if matrix else Symbol(name, positive=True)


def _steps(cells: tuple[f.Expression, ...]) -> Expr | None:
    """[a, …, b] whose neighbours differ by 1, as its first number and as many steps from 0 on."""
    places = [k for k, cell in enumerate(cells) if isinstance(cell, f.Dots)]
    if len(places) != 1 or places[0] in (0, len(cells) - 1):
        return None
    values = [bound for cell in cells if (bound := _bound(cell)) is not None]
    if len(values) < len(cells) - 1:
        return None
    pairs = [pair for k, pair in enumerate(pairwise(values), 1) if k != places[0]]
    if not pairs or any(sympy.expand(b - a) != 1 for a, b in pairs):
        return None
    return values[0] + Symbol(f"{_STEPS} {sympy.expand(values[-1] - values[0])}")


def _bound(cell: f.Expression) -> Expr | None:
    """A number of a list, whose letters count how long it is."""
    value = read_scores(cell)
    if value is None or not all(letter.is_commutative for letter in value.free_symbols):
        return None
    return value.xreplace({letter: Symbol(f"?end {letter.name}") for letter in value.free_symbols})
