"""State space models: h_t = Ā h_{t-1} + B̄ x_t, y_t = C h_t, and Ā, B̄ by zero-order hold from a step Δ.

Ā = e^{ΔA} and B̄ = (ΔA)⁻¹(e^{ΔA} − I) ΔB = A⁻¹(e^{ΔA} − I) B. A, its inverse and its exponential commute, and B stands
last, so that sides are compared as polynomials in A, e^{ΔA} and Δ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import sympy
from sympy import Expr

from symattn.checking.findings import Formula
from symattn.checking.formulas.polynomials import UnreadError, read_polynomial
from symattn.checking.formulas.statements.context import Context, accept, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_ABOUT = regex(
    r"\bSSMs?\b|state[- ]space|mamba|\bS4\b|discreti[sz]|\bZOH\b|zero-order|离散化|離散化|状态空间|狀態空間|状態空間"
    r"|이산|상태 공간|rời rạc|discrétis|diskretis",
    re.IGNORECASE,
)
_STEPS = ("Δ", "δ", "dt", "h", "τ")
_STATES, _INPUTS, _OUTPUTS = ("h", "x", "s"), ("x", "u"), ("y", "o")
_BARRED = ("A\u0304", "B\u0304")
_A, _E, _STEP, _B = sympy.symbols("A E Delta B")


def judge_state_space(statement: Statement, context: Context) -> Formula | None:
    """Ā and B̄ by the step; the recurrence and what is read from it; the kernel of the convolution."""
    if len(statement.equals) < 2 or not context.mentions(_ABOUT):
        return None
    left, side = statement.equals[0], statement.equals[1]
    if not isinstance(left, f.Name) or len(statement.equals) > 2:
        return None
    if left.base in _BARRED:
        return _of_step(statement, left, side)
    if isinstance(side, f.Matrix):
        return _of_kernel(statement, side, context)
    return accept(statement, Sentence("theorem.state_space")) if _is_recurrence(left, side, context) else None


def _of_step(statement: Statement, left: f.Name, side: f.Expression) -> Formula | None:
    letter = left.base[0]
    if letter == "B" and not _ends_with_input(side, indexed=bool(left.sub)):
        return None
    made = read_polynomial(side, _leaf_of(side), (-1,))
    usual = _E if letter == "A" else (_E - 1) / _A * _B
    if made is None:
        return None
    if sympy.expand(made - usual) == 0:
        return accept(statement, Sentence("theorem.zero_order_hold"))
    if letter == "B" and sympy.expand(made * _STEP - usual) * sympy.expand(made - usual * _STEP) == 0:
        return refuse(statement, Sentence("theorem.zero_order_hold"))  # Δ is lost, or stands once too often
    return None


def _ends_with_input(side: f.Expression, *, indexed: bool) -> bool:
    """Whether B stands once, behind all others: nothing commutes with it but numbers."""
    match side:
        case f.Product(factors=factors):
            found = [
                k for k, x in enumerate(factors) if any(isinstance(y, f.Name) and y.base == "B" for y in f.walk(x))
            ]
            return (
                len(found) == 1 and (indexed or found[0] == len(factors) - 1) and isinstance(factors[found[0]], f.Name)
            )
    return False


def _leaf_of(side: f.Expression) -> Callable[[f.Expression, Callable[[f.Expression], Expr]], Expr | None]:
    """A, B, Δ, I and e^{ΔA} of a side, with whatever index they have."""
    steps = {x.base for x in f.walk(side) if isinstance(x, f.Name) and x.base in _STEPS}

    def leaf(e: f.Expression, read: Callable[[f.Expression], Expr]) -> Expr | None:
        match e:
            case f.Name("A" | "a"):
                return _A
            case f.Name("B"):
                return _B
            case f.Name(base) if base == _BARRED[0]:
                return _E
            case f.Name("I", (), ()):
                return sympy.Integer(1)
            case f.Name(base) if base in steps and len(steps) == 1:
                return _STEP
            case f.Call("exp", (inside,), ()):
                if sympy.expand(read(inside) - _STEP * _A) == 0:
                    return _E
                raise UnreadError
        return None

    return leaf


def _is_recurrence(left: f.Name, side: f.Expression, context: Context) -> bool:
    """h_t = Ā h_{t-1} + B̄ x_t, y_t = C h_t, y_t = C h_t + D x_t, with bars where the article has them; a_t for a number
    by which the whole state fades, as in state space duality, and C_tᵀ for a column."""
    if len(left.sub) != 1 or left.sup:
        return False
    (step,) = left.sub
    terms = side.terms if isinstance(side, f.Sum) and set(side.signs) == {1} else (side,)
    pairs = [
        (_without_turn(x.factors[0]), x.factors[1])
        for x in terms
        if isinstance(x, f.Product) and len(x.factors) == 2 and x.operators in (("",), ("·",))
    ]
    if len(pairs) != len(terms):
        return False
    named = [(a, b) for a, b in pairs if isinstance(a, f.Name) and isinstance(b, f.Name) and len(b.sub) == 1]
    kinds = [(a.base.rstrip("\u0304"), b.base, b.sub[0]) for a, b in named if set(a.sub) <= {step} and not a.sup]
    barred = ["\u0304" in a.base for a, _ in named]
    if len(kinds) != len(terms):
        return False
    if left.base in _STATES and len(kinds) == 2:
        (a, state, before), (b, given, now) = kinds
        fades = a == "A" or (a == "a" and named[0][0].sub == (step,))
        goes_on = fades and (state, before) == (left.base, f"{step}-1") and (b, now) == ("B", step)
        bars = all(barred) or (not any(barred) and not context.once(_find_bars))
        return goes_on and given in _INPUTS and given != left.base and bars
    if left.base in _OUTPUTS and 1 <= len(kinds) <= 2:
        reads = kinds[0][0] == "C" and kinds[0][1] in _STATES and kinds[0][2] == step
        passes = len(kinds) == 1 or (kinds[1][0] == "D" and kinds[1][1] in _INPUTS and kinds[1][2] == step)
        return reads and passes and len({x[1] for x in kinds}) == len(kinds) and context.once(_has_state)
    return False


def _without_turn(e: f.Expression) -> f.Expression:
    """C for the Cᵀ of a column."""
    match e:
        case f.Transpose(f.Name("C") as read):
            return read
    return e


def _find_bars(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """The discretised matrices that the article gives."""
    lefts = (s.left for s in statements if len(s.equals) > 1)
    return frozenset(left.base for left in lefts if isinstance(left, f.Name) and left.base in _BARRED)


def _has_state(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether a line says how the state goes on, with Ā or A."""
    lines = (s for s in statements if isinstance(s.left, f.Name) and s.left.base in _STATES and len(s.equals) > 1)
    return any(isinstance(x, f.Name) and x.base in (_BARRED[0], "A", "a") for s in lines for x in f.walk(s.equals[1]))


def _of_kernel(statement: Statement, side: f.Matrix, context: Context) -> Formula | None:
    """[CB̄, CĀB̄, …, CĀ^{L-1}B̄], of the discretised matrices where the article has these."""
    if len(side.rows) != 1 or not any(isinstance(x, f.Dots) for x in side.rows[0]):
        return None
    cells = [x for x in side.rows[0] if not isinstance(x, f.Dots)]
    read = [_power_in(x) for x in cells]
    powers = [x[0] for x in read if x is not None]
    if len(powers) != len(cells) or len(cells) < 3 or powers[:2] != ["0", "1"]:
        return None
    barred = {x[1] for x in read if x is not None}
    if barred == {True}:
        return accept(statement, Sentence("theorem.kernel_of_state_space"))
    if barred == {False} and context.once(_find_bars) == set(_BARRED):
        printed = statement.printed(statement.sides[1])
        text = re.sub(r"\\[A-Za-z]+|([AB])", lambda x: rf"\bar{{{x[1]}}}" if x[1] else x[0], printed)
        right = statement.with_text(text, statement.sides[1])
        return refuse(statement, Sentence("theorem.kernel_of_state_space"), right)
    return None


def _power_in(e: f.Expression) -> tuple[str, bool] | None:
    """The power of A in C Aᵏ B, and whether both have bars."""
    if not isinstance(e, f.Product) or not 2 <= len(e.factors) <= 3:
        return None
    first, *between, last = e.factors
    if not isinstance(first, f.Name) or not isinstance(last, f.Name) or first.base.rstrip("\u0304") != "C":
        return None
    middle = between[0] if between else None
    power = "0" if middle is None else "1"
    if isinstance(middle, f.Power):
        middle, power = middle.base, "k"
    bases = [last.base] + ([middle.base] if isinstance(middle, f.Name) else [])
    if (middle is not None and len(bases) == 1) or not {x.rstrip("\u0304") for x in bases} <= {"A", "B"}:
        return None
    bars = {x in _BARRED for x in bases}
    return (power, bars.pop()) if len(bars) == 1 else None
