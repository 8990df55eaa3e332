"""Case distinctions that stay where they are within a sum."""

from __future__ import annotations

from functools import reduce
from typing import Any, cast

import sympy
from sympy import Expr, Function, Piecewise, S


class Case(Function):  # type: ignore[misc]
    """One value where a condition holds, another where it does not; printed as a Piecewise.

    A Sum of SymPy's takes each Piecewise in its term to the front, out of inner sums too, whose index the condition
    then has lost. It leaves other functions where they are.

    >>> from sympy.abc import x
    >>> Case(x, x > 1, 0), Case(x, x > 1, 0).subs(x, 3)
    (Piecewise((x, x > 1), (0, True)), 3)
    """

    is_commutative = True
    nargs = 3

    @classmethod
    def eval(cls, value: Any, condition: Any, otherwise: Any) -> Any:
        if condition in (S.true, S.false):
            return value if condition == S.true else otherwise
        return None

    def _eval_subs(self, old: Any, new: Any) -> Any:
        """What a condition rules out is not touched: it may be an entry beyond the last."""
        value, condition, otherwise = self.args
        condition = condition._subs(old, new)
        if condition in (S.true, S.false):
            return (value if condition == S.true else otherwise)._subs(old, new)
        return self.func(value._subs(old, new), condition, otherwise._subs(old, new))

    def _eval_derivative(self, symbol: Any) -> Any:
        value, condition, otherwise = self.args
        return self.func(value.diff(symbol), condition, otherwise.diff(symbol))

    def _as_piecewise(self, printer: Any) -> Any:
        value, condition, otherwise = self.args
        return printer._print(Piecewise((value, condition), (otherwise, True)))

    _sympystr = _pretty = _numpycode = _pythoncode = _as_piecewise

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        written = rf"\left({self._as_piecewise(printer)}\right)"
        return written if exp is None else f"{written}^{{{exp}}}"


def without_piecewise(expression: Expr) -> Expr:
    """The same with a Case for every Piecewise."""
    if not expression.has(Piecewise):
        return expression
    return cast(Expr, expression.replace(lambda part: isinstance(part, Piecewise), _cases))


def _cases(piecewise: Any) -> Any:
    pairs = reversed(piecewise.args)
    return reduce(lambda otherwise, pair: Case(pair[0], pair[1], otherwise), pairs, sympy.nan)
