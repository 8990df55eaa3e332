"""Numbers and sizes as Python text."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

import sympy
from sympy import Expr, S, Symbol

from symattn.errors import NotSupportedError
from symattn.writing.prose import Sentence

_FUNCTIONS = {
    sympy.exp: "np.exp",
    sympy.log: "np.log",
    sympy.tanh: "np.tanh",
    sympy.sin: "np.sin",
    sympy.cos: "np.cos",
    sympy.tan: "np.tan",
    sympy.sinh: "np.sinh",
    sympy.cosh: "np.cosh",
    sympy.asin: "np.asin",
    sympy.acos: "np.acos",
    sympy.atan: "np.atan",
    sympy.asinh: "np.asinh",
    sympy.sign: "np.sign",
    sympy.Abs: "np.abs",
    sympy.floor: "np.floor",
    sympy.ceiling: "np.ceil",
}


def number_text(number: Any) -> str:
    """The literal of the double nearest to a number; integers as they are.

    >>> number_text(sympy.Rational(1, 3)), number_text(sympy.Integer(-10) ** 9), number_text(-S.Infinity)
    ('0.3333333333333333', '-1000000000', '-np.inf')
    """
    number = sympy.sympify(number)
    if number is S.Infinity or number is S.NegativeInfinity:
        return "np.inf" if number is S.Infinity else "-np.inf"
    if number.is_Integer and abs(number) < 2**53:
        return str(int(number))
    double = float(number.evalf(40)) if not number.is_Rational else float(sympy.Rational(number))
    if double in (float("inf"), float("-inf")) or double != double:
        raise NotSupportedError(Sentence("no_double", number=str(number)[:40]))
    return repr(double)


def scalar(expression: Any, name: Callable[[Symbol], str]) -> str:
    """An expression in sizes as Python text; an own small printer, so that nothing else is ever written.

    >>> n, d = sympy.symbols("n d_k", positive=True)
    >>> scalar(1 / sympy.sqrt(d), str), scalar(n - 2 * d, str), scalar(sympy.Rational(1, 8), str)
    ('1 / d_k**0.5', 'n - 2 * d_k', '0.125')
    """
    return _text(sympy.sympify(expression), name)[0]


_SUM, _PRODUCT, _POWER, _ATOM = 1, 2, 3, 4


def _text(x: Expr, name: Callable[[Symbol], str]) -> tuple[str, int]:
    """The text, and how tightly it binds."""
    if isinstance(x, Symbol):
        return name(x), _ATOM
    if not x.free_symbols:
        text = number_text(x)
        return text, _ATOM if text[0] != "-" else _SUM
    if isinstance(x, sympy.Add):
        return _sum(x, name), _SUM
    if isinstance(x, sympy.Mul):
        return _product(x, name)
    if isinstance(x, sympy.Pow):
        return _power(x, name)
    if isinstance(x, sympy.Max | sympy.Min):
        inside = ", ".join(_text(a, name)[0] for a in x.args)
        return f"{'max' if isinstance(x, sympy.Max) else 'min'}({inside})", _ATOM
    if isinstance(x, sympy.Mod):
        return " % ".join(_bound(a, _POWER, name) for a in x.args), _PRODUCT
    if x.func in _FUNCTIONS:
        return f"float({_FUNCTIONS[x.func]}({_text(x.args[0], name)[0]}))", _ATOM
    raise NotSupportedError(Sentence("no_source", node=type(x).__name__))


def _bound(x: Any, least: int, name: Callable[[Symbol], str]) -> str:
    text, tight = _text(x, name)
    return text if tight >= least else f"({text})"


def _sum(x: Expr, name: Callable[[Symbol], str]) -> str:
    terms = sorted(x.args, key=lambda t: (not t.free_symbols, t.could_extract_minus_sign(), str(t)))
    text = ""
    for term in terms:
        minus = term.could_extract_minus_sign()
        written = _bound(-term if minus else term, _PRODUCT, name)
        text += (f" - {written}" if minus else f" + {written}") if text else (f"-{written}" if minus else written)
    return text


def _product(x: Expr, name: Callable[[Symbol], str]) -> tuple[str, int]:
    if x.could_extract_minus_sign():
        return f"-{_bound(-x, _PRODUCT, name)}", _SUM
    above, below = x.as_numer_denom()
    if below != 1:
        return f"{_bound(above, _PRODUCT, name)} / {_bound(below, _POWER, name)}", _PRODUCT
    return " * ".join(_bound(a, _POWER, name) for a in x.args), _PRODUCT


def _power(x: Expr, name: Callable[[Symbol], str]) -> tuple[str, int]:
    base, exponent = x.args
    if exponent.could_extract_minus_sign():
        return f"1 / {_bound(base**-exponent, _POWER, name)}", _PRODUCT
    return f"{_bound(base, _ATOM, name)}**{_bound(exponent, _ATOM, name)}", _POWER


def formula(expression: Any, arrays: Mapping[Any, str], number: Callable[[Any], str]) -> str:
    """An expression in arrays entry by entry; what has no array in it is written by `number`.

    >>> z = Symbol("z")
    >>> formula(sympy.Piecewise((z + 1, z > 0), (sympy.exp(z), True)), {z: "Q"}, str)
    'np.where(Q > 0, Q + 1, np.exp(Q))'
    """
    expression = sympy.sympify(expression)
    if expression in arrays:
        return arrays[expression]
    if not expression.has(*arrays):
        return number(expression)

    def inner(x: Any, around: bool = True) -> str:
        text = formula(x, arrays, number)
        return text if not around or not isinstance(ast.parse(text, mode="eval").body, _LOOSE) else f"({text})"

    if isinstance(expression, sympy.Piecewise):
        cases, text = expression.args, "np.nan"  # where no condition holds
        if cases[-1][1] is S.true:
            *cases, last = cases
            text = formula(last[0], arrays, number)
        if not any(value.has(*arrays) for value, _ in expression.args):  # numbers alone would have a type of their own
            text = f"np.full_like({min(arrays.values(), key=len)}, {text})"
        for value, condition in reversed(cases):
            text = f"np.where({formula(condition, arrays, number)}, {formula(value, arrays, number)}, {text})"
        return text
    if isinstance(expression, sympy.core.relational.Relational):
        return f"{inner(expression.lhs)} {expression.rel_op} {inner(expression.rhs)}"
    if isinstance(expression, sympy.And | sympy.Or):
        return (" & " if isinstance(expression, sympy.And) else " | ").join(
            f"({inner(a, False)})" for a in expression.args
        )
    if isinstance(expression, sympy.Add):
        terms = sorted(expression.args, key=lambda t: (not t.has(*arrays), str(t)))
        return " + ".join(inner(t) for t in terms)
    if isinstance(expression, sympy.Mul):
        return " * ".join(inner(t) for t in expression.args)
    if isinstance(expression, sympy.Pow | sympy.Mod):
        return f" {'**' if isinstance(expression, sympy.Pow) else '%'} ".join(inner(t) for t in expression.args)
    if isinstance(expression, sympy.Max | sympy.Min):
        name = "np.maximum" if isinstance(expression, sympy.Max) else "np.minimum"
        first, *rest = sorted(expression.args, key=lambda t: (not t.has(*arrays), str(t)))
        text = inner(first, False)
        for other in rest:
            text = f"{name}({text}, {inner(other, False)})"
        return text
    if isinstance(expression, sympy.Heaviside):
        return formula((1 + sympy.sign(expression.args[0])) / 2, arrays, number)
    if expression.func in _FUNCTIONS:
        return f"{_FUNCTIONS[expression.func]}({inner(expression.args[0], False)})"
    raise NotSupportedError(Sentence("no_source", node=type(expression).__name__))


_LOOSE = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp)
