"""Amounts in letters, FLOPs = B · H · N² = H · B · N²: capital letters are numbers there, in whatever order."""

from __future__ import annotations

import re

import sympy
from sympy import Expr, Symbol

from symattn.checking.findings import Formula
from symattn.checking.formulas.polynomials import read_polynomial
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

MOST_PARTS = 120
_AMOUNTS = regex(r"FLOPs?|FLOPS|MACs?|params?|parameters?|memory|bytes|bandwidth|latency", re.IGNORECASE)


def is_amount(e: f.Expression | None) -> bool:
    """Whether a name is that of a number of operations, of parameters or of bytes.

    >>> is_amount(f.Name("FLOPs", ("MHA",))), is_amount(f.Name("F"))
    (True, False)
    """
    return isinstance(e, f.Name) and _AMOUNTS.fullmatch(e.base) is not None


def judge_amount(statement: Statement, context: Context) -> Formula | None:
    """An amount that is written out in letters in two ways or more."""
    sides = statement.equals
    if len(sides) < 3 or len(sides) != len(statement.sides) or not is_amount(sides[0]):
        return None
    if sum(1 for side in sides for _ in f.walk(side)) > MOST_PARTS:
        return None
    values = [read_polynomial(side, _leaf, (2, 3)) for side in sides[1:]]
    known = [value for value in values if value is not None]
    if len(known) < len(values) or any(value.is_number for value in known):
        return None
    if all(sympy.expand(value - known[0]) == 0 for value in known):
        return conclude(statement, "holds", Sentence("formula.identity"))
    multiples = all(sympy.cancel(value / known[0]).is_number for value in known[1:] if known[0] != 0)
    return refuse(statement, Sentence("formula.identity_fails")) if multiples else None  # d_ff may be 4 d


def _leaf(e: f.Expression, _: object) -> Expr | None:
    match e:
        case f.Name(base, sub, (), ()):
            return Symbol("_".join((base, *sub)), positive=True)
        case f.Name(base, sub, ("2" | "3" as power,), ()):
            return Symbol("_".join((base, *sub)), positive=True) ** int(power)
    return None
