"""Sums of any length: a formula in which every sum over 1, …, n is one of a few numbers, so that n may be any.

With u_l = e^{z_l}, Σ u_l is a number T of its own, and so is every Σ u_l^p x_l^q; a sum over a Kronecker delta is the
term that it picks. Formulas that are equal then are equal for every n and all x and z. The expectation of a product of
sums over independent numbers depends on which of the indices are equal alone, and is a polynomial in their count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy
from sympy import Derivative, Dummy, Expr, Indexed, IndexedBase, Integer, KroneckerDelta, S, Sum, Symbol, exp

from symattn.errors import NotSupportedError
from symattn.writing.prose import Sentence

z, a, x, u = (IndexedBase(name, real=True) for name in ("z", "a", "x", "u"))
TOTAL = Symbol("T", positive=True)


class Mean(sympy.Function):  # type: ignore[misc]
    """The expectation of X over independent q_i, k_i of mean 0 and variance 1."""

    nargs = 1

    def _latex(self, printer: Any, exp: Any = None) -> str:
        written = rf"\mathbb{{E}}\left[{printer._print(self.args[0])}\right]"
        return written if exp is None else f"{written}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"E[{printer._print(self.args[0])}]"


# --- softmax


def sum_up(formula: Expr, alike: Mapping[Symbol, Any]) -> Expr:
    """A formula without sums; indices that `alike` does not make the same are different ones."""
    free = replace_sums(formula.xreplace(dict(alike)), a, lambda index: u[index] / TOTAL)
    free = free.replace(exp, lambda power: powers(power, lambda index: u[index]))
    made = _without_sums(free)
    return made.replace(KroneckerDelta, lambda i, j: S.One if i == j else S.Zero)


def replace_sums(formula: Expr, base: IndexedBase, by: Callable[[Any], Expr]) -> Expr:
    """The formula with something else for every entry of an indexed number."""
    return formula.xreplace({s: by(s.indices[0]) for s in formula.atoms(Indexed) if s.base == base})


def powers(exponent: Expr, exponential: Callable[[Any], Expr]) -> Expr:
    """e^{z_1 − z_2} as u_1/u_2."""
    product: Expr = S.One
    for term, count in sympy.expand(exponent).as_coefficients_dict().items():
        if not (isinstance(term, Indexed) and term.base == z and count.is_Integer):
            raise NotSupportedError(Sentence("not_decided"))
        product *= exponential(term.indices[0]) ** count
    return product


def _without_sums(formula: Expr) -> Expr:
    if not formula.has(Sum, Derivative, sympy.Abs):
        return formula
    arguments = [_without_sums(arg) if isinstance(arg, Expr) else arg for arg in formula.args]
    if isinstance(formula, sympy.Abs):
        return _magnitude(arguments[0])
    if isinstance(formula, Derivative):
        return _slope(arguments[0], formula.variables[0].indices[0])
    if not isinstance(formula, Sum):
        return formula.func(*arguments)
    total = arguments[0]
    for letter, _, count in formula.limits:
        total = sympy.Add(*(_sum_of_term(term, letter, count) for term in sympy.Add.make_args(sympy.expand(total))))
    return total


def _sum_of_term(term: Expr, letter: Symbol, count: Expr) -> Expr:
    """Σ_l of one product: c δ_lj f(l) is c f(j), and c u_l^p x_l^q is c times a number of its own."""
    for delta in term.atoms(KroneckerDelta):
        if letter in delta.args:
            (other,) = set(delta.args) - {letter}
            return term.xreplace({delta: S.One}).xreplace({letter: other})
    outside, inside = term.as_independent(letter, as_Add=False)
    by = inside.as_powers_dict()
    p, q = by.pop(u[letter], S.Zero), by.pop(x[letter], S.Zero)
    if set(by) - {S.One}:
        raise NotSupportedError(Sentence("not_decided"))
    if q == 0 and p in (0, 1):
        return outside * (TOTAL if p else count)
    return outside * Symbol(f"T_{p}_{q}", real=True)


def _magnitude(formula: Expr) -> Expr:
    """|f| where f has one sign, apart for indices that are the same: |δ f + (1 − δ) g| = δ |f| + (1 − δ) |g|."""
    deltas = sorted(formula.atoms(KroneckerDelta), key=str)
    if deltas:
        first, second = deltas[0].args
        same = _magnitude(formula.xreplace({deltas[0]: S.One}).xreplace({second: first}))
        return deltas[0] * same + (1 - deltas[0]) * _magnitude(formula.xreplace({deltas[0]: S.Zero}))
    numbers = {s: Dummy(positive=True) for s in formula.atoms(Indexed) if s.base == u}
    rest = {TOTAL: sympy.Add(*numbers.values()) + Dummy(nonnegative=True)}  # a sum is at least any of its terms
    inside = sympy.fraction(sympy.together(sympy.expand(formula.xreplace(numbers).xreplace(rest))))
    for sign in (1, -1):
        if all(_has_no_minus(part) for part in (sign * inside[0], inside[1])):
            return sign * formula
    raise NotSupportedError(Sentence("not_decided"))


def _has_no_minus(formula: Expr) -> bool:
    return all(term.is_nonnegative for term in sympy.Add.make_args(sympy.expand(formula)))


def _slope(formula: Expr, index: Expr) -> Expr:
    """∂/∂z_k, with ∂u_j = δ_jk u_j and ∂T = u_k."""
    numbers = [s for s in formula.atoms(Indexed) if s.base == u]
    free = {s: Dummy() for s in numbers}
    inside = formula.xreplace(free)
    parts = [KroneckerDelta(s.indices[0], index) * s * sympy.diff(inside, free[s]) for s in numbers]
    back = {dummy: s for s, dummy in free.items()}
    return sympy.Add(*parts, u[index] * sympy.diff(inside, TOTAL)).xreplace(back)


def never_negative(formula: Expr) -> bool:
    """Whether this is a sum of weights times squares, for any length."""
    if isinstance(formula, Sum):
        inner = {s: Dummy(real=True) for s in formula.function.atoms(Sum)}
        return never_negative(
            formula.function if isinstance(formula.function, Sum) else formula.function.xreplace(inner)
        )
    if isinstance(formula, sympy.Add | sympy.Mul) and formula.has(Sum):
        return all(map(never_negative, formula.args))
    deltas = sorted(formula.atoms(KroneckerDelta), key=str)
    if deltas:
        return all(never_negative(formula.xreplace({deltas[0]: value})) for value in (S.Zero, S.One))
    term = replace_sums(formula, a, lambda _: Dummy(positive=True))
    return bool(replace_sums(term, x, lambda _: Dummy(real=True)).is_nonnegative)


# --- expectations


def expect(formula: Expr, used: tuple[int, ...] = ()) -> Expr:
    """A formula with expectations, as a polynomial in the count: an index is one of those used so far, or a new one."""
    if isinstance(formula, Sum):
        *within, (letter, _, count) = formula.limits
        term = Sum(formula.function, *within) if within else formula.function
        new = len(used) + 1
        old = [expect(term.xreplace({letter: Integer(k)}), used) for k in used]
        other = expect(term.xreplace({letter: Integer(new)}), (*used, new))
        return sympy.Add(*old, (count - len(used)) * other)
    if isinstance(formula, Mean):
        inside = _sums_apart(formula.args[0])
        if not inside.has(Sum):
            return expectation(inside)
        return sympy.Add(*(expect(_mean_inside(term), used) for term in sympy.Add.make_args(inside)))
    if not formula.has(Sum, Mean):
        return formula
    return formula.func(*(expect(arg, used) for arg in formula.args))


def expectation(inside: Expr) -> Expr:
    """Of a polynomial in independent numbers of mean 0 and variance 1: a product with a first power has none."""
    numbers = sorted(inside.atoms(Indexed), key=str)
    if not numbers:
        return inside
    total: Expr = S.Zero
    for degrees, coefficient in sympy.Poly(inside, *numbers).terms():
        if max(degrees) > 2:
            raise NotSupportedError(Sentence("not_decided"))
        total += coefficient * (0 if 1 in degrees else 1)
    return total


def _sums_apart(formula: Expr) -> Expr:
    """Powers of sums as products of sums, each with a letter of its own."""

    def apart(power: Expr) -> Expr:
        return sympy.Mul(*(_rename(power.base) for _ in range(int(power.exp))), evaluate=False)

    return formula.replace(lambda e: e.is_Pow and isinstance(e.base, Sum) and e.exp.is_Integer, apart)


def _rename(total: Sum) -> Sum:
    ((letter, first, last),) = total.limits
    other = Dummy(letter.name, integer=True, positive=True)
    return Sum(total.function.xreplace({letter: other}), (other, first, last))


def _mean_inside(product: Expr) -> Expr:
    """E[Σ f · rest] = Σ E[f · rest]."""
    sums = [f for f in sympy.Mul.make_args(product) if isinstance(f, Sum)]
    if not sums:
        raise NotSupportedError(Sentence("not_decided"))
    rest = [f for f in sympy.Mul.make_args(product) if f is not sums[0]]
    return Sum(Mean(sympy.Mul(sums[0].function, *rest)), sums[0].limits[0])
