"""Numbers and sizes as Python text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import add, and_, mod, mul, or_
from typing import Any

import sympy
from sympy import Expr, S, Symbol

from symattn.errors import NotSupportedError
from symattn.lowering.text.code import ATOM, POWER, SUM, Code, call
from symattn.nodes import Logistic
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy

_FUNCTIONS = {
    sympy.exp: "np.exp",
    sympy.log: "np.log",
    sympy.tanh: "np.tanh",
    sympy.sin: "np.sin",
    sympy.cos: "np.cos",
    sympy.tan: "np.tan",
    sympy.sinh: "np.sinh",
    sympy.cosh: "np.cosh",
    sympy.asin: "np.arcsin",
    sympy.acos: "np.arccos",
    sympy.atan: "np.arctan",
    sympy.asinh: "np.arcsinh",
    sympy.sign: "np.sign",
    sympy.Abs: "np.abs",
    sympy.floor: "np.floor",
    sympy.ceiling: "np.ceil",
    sympy.erf: "erf",
    Logistic: "sigmoid",
}
_OPERATORS: dict[Any, Callable[[Code, Code], Code]] = {
    sympy.Add: add,
    sympy.Mul: mul,
    sympy.Pow: pow,
    sympy.Mod: mod,
    sympy.And: and_,
    sympy.Or: or_,
    sympy.Max: lambda a, b: call("np.maximum", a, b),
    sympy.Min: lambda a, b: call("np.minimum", a, b),
}


def number_text(number: Any) -> str:
    """The literal of the double nearest to a number; integers as they are.

    >>> number_text(sympy.Rational(1, 3)), number_text(sympy.Integer(-10) ** 9), number_text(-S.Infinity)
    ('0.3333333333333333', '-1000000000', '-np.inf')
    """
    number = as_sympy(number)
    if number is S.Infinity or number is S.NegativeInfinity:
        return "np.inf" if number is S.Infinity else "-np.inf"
    if number.is_Integer and abs(number) < 2**53:
        return str(int(number))
    double = float(number.evalf(40)) if not number.is_Rational else float(sympy.Rational(number))
    if double in (float("inf"), float("-inf")) or double != double:
        raise NotSupportedError(Sentence("no_double", number=str(number)[:40]))
    return repr(double)


def scalar(expression: Any, name: Callable[[Symbol], str]) -> Code:
    """An expression in sizes as Python text; an own small printer, so that nothing else is ever written.

    >>> n, d = sympy.symbols("n d_k", positive=True)
    >>> print(scalar(1 / sympy.sqrt(d), str), scalar(n - 2 * d, str), scalar(sympy.Rational(1, 8), str), sep=", ")
    1 / d_k**0.5, n - 2 * d_k, 0.125
    """
    x = as_sympy(expression)
    if isinstance(x, Symbol):
        return Code(name(x))
    if not x.free_symbols:
        text = number_text(x)
        return Code(text, ATOM if text[0] != "-" else SUM)
    if isinstance(x, sympy.Add):
        return _sum(x, name)
    if isinstance(x, sympy.Mul):
        return _product(x, name)
    if isinstance(x, sympy.Pow):
        return _power(x, name)
    if isinstance(x, sympy.Max | sympy.Min):
        return call("max" if isinstance(x, sympy.Max) else "min", *(scalar(a, name) for a in x.args))
    if isinstance(x, sympy.Mod):
        return reduce(mod, (scalar(a, name) for a in x.args))
    if x.func in _FUNCTIONS:
        return call("float", call(_FUNCTIONS[x.func], scalar(x.args[0], name)))
    raise NotSupportedError(Sentence("no_source", node=type(x).__name__))


def _sum(x: Expr, name: Callable[[Symbol], str]) -> Code:
    first, *others = sorted(x.args, key=lambda t: (not t.free_symbols, t.could_extract_minus_sign(), str(t)))
    made = scalar(first, name)
    for term in others:
        minus = term.could_extract_minus_sign()
        made = made - scalar(-term, name) if minus else made + scalar(term, name)
    return made


def _product(x: Expr, name: Callable[[Symbol], str]) -> Code:
    if x.could_extract_minus_sign():
        return -scalar(-x, name)
    above, below = x.as_numer_denom()
    if below != 1:
        return scalar(above, name) / scalar(below, name)
    return reduce(mul, (scalar(a, name) for a in x.args))


def _power(x: Expr, name: Callable[[Symbol], str]) -> Code:
    base, exponent = x.args
    if exponent.could_extract_minus_sign():
        return Code("1") / scalar(base**-exponent, name)
    return Code(f"{scalar(base, name).within(ATOM)}**{scalar(exponent, name).within(ATOM)}", POWER)


def formula(expression: Any, arrays: Mapping[Any, Code], number: Callable[[Any], Code]) -> Code:
    """An expression in arrays entry by entry; what has no array in it is written by `number`.

    >>> z = Symbol("z")
    >>> x = sympy.Piecewise((z + 1, z > 0), (sympy.exp(z), True))
    >>> print(formula(x, {z: Code("Q")}, lambda x: scalar(x, str)))
    np.where(Q > 0, Q + 1, np.exp(Q))
    """
    expression = as_sympy(expression)
    if expression in arrays:
        return arrays[expression]
    if not expression.has(*arrays):
        return number(expression)
    if isinstance(expression, sympy.Heaviside):
        expression = (1 + sympy.sign(expression.args[0])) / 2
    if isinstance(expression, sympy.Piecewise):
        return _cases(expression, arrays, number)
    operands = expression.args
    if isinstance(expression, sympy.Add | sympy.Max | sympy.Min):
        operands = sorted(operands, key=lambda t: (not t.has(*arrays), str(t)))
    if isinstance(expression, sympy.Mul):
        operands = _with_one_number(operands, arrays)
    made = [formula(a, arrays, number) for a in operands]
    if isinstance(expression, sympy.Pow) and made[0].is_name and expression.exp.is_Integer and 2 < expression.exp <= 64:
        return _repeated(made[0], int(expression.exp))
    if isinstance(expression, sympy.core.relational.Relational):
        return made[0].compared(expression.rel_op, made[1])
    if expression.func in _OPERATORS:
        return reduce(_OPERATORS[expression.func], made)
    if expression.func in _FUNCTIONS:
        return call(_FUNCTIONS[expression.func], *made)
    raise NotSupportedError(Sentence("no_source", node=type(expression).__name__))


def _with_one_number(factors: Sequence[Any], arrays: Mapping[Any, Code]) -> list[Any]:
    """The factors, those without an array as one: 0.7071 · z and not 0.5 · z · 1.4142."""
    alone = [x for x in factors if not x.has(*arrays)]
    return [*([sympy.Mul(*alone)] if alone else []), *(x for x in factors if x.has(*arrays))]


def _repeated(base: Code, exponent: int) -> Code:
    """A whole power by squares and products, which take a hundredth of the time of NumPy's own: z³ as z² · z."""
    if exponent % 2:
        return base if exponent == 1 else _repeated(base, exponent - 1) * base
    return _repeated(base, exponent // 2) ** Code("2")


def _cases(expression: Any, arrays: Mapping[Any, Code], number: Callable[[Any], Code]) -> Code:
    cases, made = expression.args, Code("np.nan")  # where no condition holds
    if cases[-1][1] is S.true:
        *cases, last = cases
        made = formula(last[0], arrays, number)
    if not any(value.has(*arrays) for value, _ in expression.args):  # numbers alone would have a type of their own
        made = call("np.full_like", min(map(str, arrays.values()), key=len), made)
    for value, condition in reversed(cases):
        made = call("np.where", formula(condition, arrays, number), formula(value, arrays, number), made)
    return made
