"""Theorems on indexed numbers, decided by algebra for small counts: the Jacobian, bounds, expectations.

Exponentials of the scores become free positive symbols; what is left are rational functions, which SymPy compares.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Derivative, Expr, IndexedBase, Integer, KroneckerDelta, S, Sum, Symbol, exp

from symattn.errors import NotSupportedError
from symattn.identities.theorem import Checked, Counterexample, Link, Theorem
from symattn.prose import Sentence

n, d = Symbol("n", integer=True, positive=True), Symbol("d_k", integer=True, positive=True)
i, j, k, l = (Symbol(x, integer=True, positive=True) for x in ("i", "j", "k", "l"))
z, a, x, q, t = (IndexedBase(name) for name in ("z", "a", "x", "q", "k"))
Instance = Mapping[Symbol, int]


class Mean(sympy.Function):  # type: ignore[misc]
    """The expectation of X over independent q_i, k_i of mean 0 and variance 1."""

    nargs = 1

    def _latex(self, printer: Any, exp: Any = None) -> str:
        written = rf"\mathbb{{E}}\left[{printer._print(self.args[0])}\right]"
        return written if exp is None else f"{written}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"E[{printer._print(self.args[0])}]"


@dataclass(frozen=True)
class ScalarTheorem(Theorem):
    """A theorem on indexed numbers; `exponentials` makes e^{z_l} of the number l, so that an order can be asked for."""

    exponentials: Callable[[int], Expr] = lambda number: Symbol(f"u_{number}", positive=True)


def check_symbolically(theorem: ScalarTheorem) -> list[Checked | Counterexample]:
    """For each link how it was checked, or the instance at which it fails."""
    found: list[Checked | Counterexample] = []
    for number, (left, link) in enumerate(zip(theorem.sides, theorem.links, strict=False)):
        method = "expectation" if left.has(Mean) else "symbolic" if link.relation == "=" else "bound"
        outcome: Checked | Counterexample = Checked(method, len(theorem.cases))
        for case in theorem.cases:
            sides = [_explicit(side, case, theorem) for side in (left, link.side)]
            if not _holds(sides[0], sides[1], link.relation):
                outcome = Counterexample(number, case, {}, *sides)
                break
        found.append(outcome)
    return found


def _explicit(side: Expr, case: Instance, theorem: ScalarTheorem) -> Expr:
    """A side with its indices and counts as numbers, sums written out, e^{z_l} and expectations as what they are."""
    whole = {s: Integer(v) for s, v in case.items()}
    total = Sum(exp(z[l]), (l, 1, n))
    written = _replace(side, a, lambda index: exp(z[index]) / total).xreplace(whole).doit()
    written = written.replace(Mean, _expectation)
    written = written.replace(exp, lambda power: _free(power, theorem.exponentials))
    return _replace(written, x, lambda index: Symbol(f"x_{index}", real=True))


def _replace(expression: Expr, base: IndexedBase, by: Callable[[Any], Expr]) -> Expr:
    return expression.xreplace({s: by(s.indices[0]) for s in expression.atoms(sympy.Indexed) if s.base == base})


def _free(power: Expr, exponentials: Callable[[int], Expr]) -> Expr:
    """e^{z_1 − z_2} as u_1/u_2."""
    product: Expr = S.One
    for term, count in sympy.expand(power).as_coefficients_dict().items():
        if not (isinstance(term, sympy.Indexed) and count.is_Integer):
            raise NotSupportedError(Sentence("not_decided"))
        product *= exponentials(int(term.indices[0])) ** count
    return product


def _expectation(inside: Expr) -> Expr:
    """Of a polynomial in independent numbers of mean 0 and variance 1: a product with a first power has none."""
    numbers = sorted(inside.atoms(sympy.Indexed), key=str)
    if not numbers:
        return inside
    total: Expr = S.Zero
    for powers, coefficient in sympy.Poly(inside, *numbers).terms():
        if max(powers) > 2:
            raise NotSupportedError(Sentence("not_decided"))
        total += coefficient * (0 if 1 in powers else 1)
    return total


def _holds(left: Expr, right: Expr, relation: str) -> bool:
    if relation == "≥":
        left, right = right, left
    difference = sympy.cancel(sympy.together(right - left))
    if relation == "=":
        return bool(difference == 0)
    if (right - left).is_nonnegative:
        return True
    above, below = sympy.fraction(difference)
    return _no_minus(above) and _no_minus(below)


def _no_minus(polynomial: Expr) -> bool:
    """Whether a polynomial in positive numbers has no negative coefficient."""
    symbols = sorted(polynomial.free_symbols, key=str)
    if not all(s.is_positive for s in symbols):
        return False
    return all(c >= 0 for c in (sympy.Poly(polynomial, *symbols).coeffs() if symbols else [polynomial]))


# --- expressions in the order as written, which SymPy would sort


def _plus(*terms: Any) -> Expr:
    return sympy.Add(*map(sympy.sympify, terms), evaluate=False)


def _times(*factors: Any) -> Expr:
    return sympy.Mul(*map(sympy.sympify, factors), evaluate=False)


def _minus(term: Any) -> Expr:
    return _times(-1, *(term.args if isinstance(term, sympy.Mul) else (term,)))


def _over(above: Any, below: Any) -> Expr:
    return _times(above, sympy.Pow(below, -1, evaluate=False)) if above != 1 else sympy.Pow(below, -1, evaluate=False)


def _sum(term: Any, letter: Symbol, count: Symbol = n) -> Expr:
    return Sum(term, (letter, 1, count))


# --- the theorems


def _entries(count: int) -> Iterator[Instance]:
    for size in range(2, count + 1):
        yield from ({n: size, j: r, k: c} for r, c in itertools.product(range(1, size + 1), repeat=2))


def softmax_jacobian() -> Theorem:
    """∂a_j/∂z_k = a_j(δ_jk − a_k)."""
    total, above, same = _sum(exp(z[l]), l), exp(z[j]), KroneckerDelta(j, k)
    quotient = _over(_plus(_times(same, above, total), _minus(_times(above, exp(z[k])))), total**2)
    links = (Link(quotient, "quotient"), Link(_jacobian(j, k), "weights"))
    return ScalarTheorem("softmax-jacobian", Derivative(_over(above, total), z[k]), links, tuple(_entries(3)))


def _jacobian(row: Symbol, column: Symbol) -> Expr:
    return _times(a[row], _plus(KroneckerDelta(row, column), _minus(a[column])))


def jacobian_symmetry() -> Theorem:
    """J is symmetric."""
    links = (Link(_jacobian(k, j), "commute"),)
    return ScalarTheorem("jacobian-symmetry", _jacobian(j, k), links, tuple(_entries(3)))


def jacobian_rows() -> Theorem:
    """J1 = 0."""
    left = _times(a[j], _plus(1, _minus(_sum(a[k], k))))
    links = (Link(left, "distribute"), Link(S.Zero, "weights_sum"))
    cases = tuple({n: size, j: r} for size in (2, 3, 4) for r in range(1, size + 1))
    return ScalarTheorem("jacobian-rows", _sum(_jacobian(j, k), k), links, cases)


def jacobian_variance() -> Theorem:
    """xᵀJx is the variance of x under the weights, so that J is positive semidefinite."""
    mean = _sum(_times(a[k], x[k]), k)
    inner = _sum(_times(x[j], a[j], _plus(KroneckerDelta(j, k), _minus(a[k])), x[k]), k)
    squares = _sum(_times(a[j], sympy.Pow(_plus(x[j], _minus(mean)), 2)), j)
    links = (
        Link(_plus(_sum(_times(a[j], x[j] ** 2), j), _minus(mean**2)), "distribute"),
        Link(squares, "variance"),
        Link(S.Zero, "squares", "≥"),
    )
    return ScalarTheorem("jacobian-variance", _sum(inner, j), links, ({n: 2}, {n: 3}))


def saturation() -> Theorem:
    """1/(1 + e^g) ≤ 1 − a_1 ≤ (n − 1)e^−g/(1 + (n − 1)e^−g), z_1 ≥ z_2 ≥ all others, g = z_1 − z_2."""
    others = _times(_plus(n, -1), exp(_plus(z[2], _minus(z[1]))))
    links = (
        Link(_plus(1, _minus(a[1])), "two_largest", "≤"),
        Link(_over(others, _plus(1, others)), "others_below", "≤"),
    )
    cases = tuple({n: size} for size in (2, 3, 4))
    first = _over(1, _plus(1, exp(_plus(z[1], _minus(z[2])))))
    return ScalarTheorem("saturation-bounds", first, links, cases, exponentials=_falling)


def _falling(number: int) -> Expr:
    """e^{z_1} ≥ e^{z_2} ≥ every other: quotients 1/(1 + s) with s > 0 (equality is the limit)."""
    largest = Symbol("u", positive=True)
    second = largest / (1 + Symbol("s_2", positive=True))
    return (largest, second)[number - 1] if number < 3 else second / (1 + Symbol(f"s_{number}", positive=True))


def dot_product_variance() -> Theorem:
    """Var(q · k) = d_k for independent components of mean 0 and variance 1."""
    dot = _sum(_times(q[i], t[i]), i, d)
    pairs = _sum(_sum(_times(Mean(_times(q[i], q[j])), Mean(_times(t[i], t[j]))), j, d), i, d)
    means = _sum(_times(Mean(q[i]), Mean(t[i])), i, d)
    links = (
        Link(_plus(pairs, _minus(means**2)), "independent"),
        Link(_sum(_times(Mean(q[i] ** 2), Mean(t[i] ** 2)), i, d), "mean_zero"),
        Link(d, "variance_one"),
    )
    cases = tuple({d: size} for size in (1, 2, 3, 4))
    return ScalarTheorem("dot-product-variance", _plus(Mean(dot**2), _minus(Mean(dot) ** 2)), links, cases)
