"""The backward pass of LayerNorm in whole vectors: dx = (1/√(σ² + ε)) (dx̂ − (1/D) Σ dx̂ − x̂ (1/D) Σ (dx̂ · x̂))."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from sympy import Expr, Symbol

from symattn.checking.findings import Formula
from symattn.checking.formulas.polynomials import UnreadError, read_polynomial
from symattn.checking.formulas.statements.context import Context, accept, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import slope_of
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_D, _X, _ROOT, _SIZE = sympy.symbols("d x root D")
_HAT = "\u0302"


def judge_norm_backward(statement: Statement, context: Context) -> Formula | None:
    """Both means are taken off what comes from above; with another sign it is the gradient of nothing."""
    own = slope_of(statement.left)
    if len(statement.equals) != 2 or own is None or own.base.lower() not in ("x", "z", "h"):
        return None
    made = read_polynomial(statement.equals[1], _leaf, (2,))
    if made is None or _ROOT not in made.free_symbols:
        return None
    first, second = _total(_D * _X), _total(_D * _X**2)
    if sympy.expand(made - (_D * _X - first / _SIZE - _X * second / _SIZE) / _ROOT) == 0:
        return accept(statement, Sentence("theorem.norm_backward"))
    signs = ((1, -1), (-1, 1), (1, 1))
    others = ((_D * _X + a * first / _SIZE + b * _X * second / _SIZE) / _ROOT for a, b in signs)
    if any(sympy.expand(made - other) == 0 for other in others):
        return refuse(statement, Sentence("theorem.norm_backward"))
    return None


def _total(inside: Expr) -> Symbol:
    return Symbol(f"sum({sympy.expand(inside)})")


def _leaf(e: f.Expression, read: Callable[[f.Expression], Expr]) -> Expr | None:
    match e:
        case f.Name("d", (), ()):
            return _D
        case f.Name(base, (), ()) if base.startswith("d") and base.endswith(_HAT):
            return _D * _X
        case f.Name(base, (), ()) if base.endswith(_HAT):
            return _X
        case f.Name("D" | "N" | "H" | "n" | "m", (), ()):
            return _SIZE
        case f.BigSum(index=index, condition=None) if not index:
            return _total(read(e.body))
        case f.Root(f.Sum((f.Power(f.Name("σ"), f.Number("2")), f.Name("ε")), (1, 1))):
            return _ROOT
        case f.Name() | f.Call() | f.BigSum() | f.Root():
            raise UnreadError
    return None
