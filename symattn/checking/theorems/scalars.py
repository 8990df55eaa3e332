"""Theorems on indexed numbers, decided by algebra for any count: the Jacobian, bounds, expectations.

Exponentials of the scores become free positive symbols; what is left are rational functions, which SymPy compares.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Derivative, Expr, IndexedBase, Integer, KroneckerDelta, Rational, S, Sum, Symbol, exp

from symattn.checking.theorems.sums import (
    TOTAL,
    Mean,
    a,
    expect,
    expectation,
    never_negative,
    powers,
    replace_sums,
    sum_up,
    u,
    x,
    z,
)
from symattn.checking.theorems.theorem import Checked, Counterexample, Link, Outcome, Theorem
from symattn.errors import NotSupportedError
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy

n, d = Symbol("n", integer=True, positive=True), Symbol("d_k", integer=True, positive=True)
i, j, k, l = (Symbol(letter, integer=True) for letter in ("i", "j", "k", "l"))  # a positive i counts heads
q, t = IndexedBase("q"), IndexedBase("k")
Instance = Mapping[Symbol, int]
SMALL = tuple(map(Rational, ("1", "2", "1/2", "16", "1/16")))


@dataclass(frozen=True)
class ScalarTheorem(Theorem):
    """A theorem on indexed numbers, for any count; at the cases what fails is refuted.

    `alike` says which indices may be the same. `exponentials` makes e^{z_l} of the number l, so that an order can be
    asked for; then `others` is the sum of those beyond the second and `more` how many these are.
    """

    alike: tuple[Mapping[Symbol, Any], ...] = ({},)
    exponentials: Callable[[int], Expr] = lambda number: Symbol(f"u_{number}", positive=True)
    others: Expr | None = None
    more: Expr = S.Zero


def check_symbolically(theorem: ScalarTheorem) -> list[Outcome]:
    """For each link how it was checked, or the instance at which it fails."""
    found: list[Outcome] = []
    for number, (left, link) in enumerate(zip(theorem.sides, theorem.links, strict=False)):
        method = "expectation" if left.has(Mean) else "symbolic" if link.relation == "=" else "bound"
        if all(_holds(left, link.side, link.relation, alike, theorem) for alike in theorem.alike):
            found.append(Checked(method, theorem.alike))
            continue
        outcome = next(filter(None, (_refute(number, left, link, case, theorem) for case in theorem.cases)), None)
        if outcome is None:
            raise NotSupportedError(Sentence("not_decided"))
        found.append(outcome)
    return found


def _holds(left: Expr, right: Expr, relation: str, alike: Mapping[Symbol, Any], theorem: ScalarTheorem) -> bool:
    """Whether a link holds for every count."""
    if relation == "≥":
        left, right = right, left
    if relation != "=" and never_negative(right - left):
        return True
    if left.has(Mean) or right.has(Mean):
        difference = sympy.expand(expect(right) - expect(left))
    else:
        difference = sympy.cancel(sympy.together(_order(sum_up(right - left, alike), theorem)))
    if relation == "=":
        return bool(difference == 0)
    return all(_no_minus(part) for part in sympy.fraction(difference))


def _order(formula: Expr, theorem: ScalarTheorem) -> Expr:
    """A formula without sums, in numbers that are in the order that the theorem speaks of."""
    if theorem.others is None:
        return formula
    first, second = (theorem.exponentials(number) for number in (1, 2))
    known = {u[1]: first, u[2]: second, TOTAL: first + second + theorem.others, n: 2 + theorem.more}
    return formula.xreplace(known)


def _refute(number: int, left: Expr, link: Link, case: Instance, theorem: ScalarTheorem) -> Counterexample | None:
    """Small numbers at which a link fails, for explicit counts."""
    sides = [_explicit(side, case, theorem) for side in (left, link.side)]
    symbols = sorted(set().union(*(side.free_symbols for side in sides)), key=str)
    for chosen in itertools.product(SMALL, repeat=min(len(symbols), 4)):
        point = dict(zip(symbols, (*chosen, *SMALL * len(symbols)), strict=False))
        values = [side.xreplace(point) for side in sides]
        difference = values[1] - values[0]
        if not difference.is_Rational or difference == 0:  # of another number its form does not tell that it is 0
            continue
        if link.relation == "=" or (difference > 0) == (link.relation == "≥"):
            return Counterexample(number, case, {s: [[v]] for s, v in point.items()}, *values)
    return None


def _explicit(side: Expr, case: Instance, theorem: ScalarTheorem) -> Expr:
    """A side with its indices and counts as numbers, sums written out, e^{z_l} and expectations as what they are."""
    whole = {s: Integer(v) for s, v in case.items()}
    total = Sum(exp(z[l]), (l, 1, n))
    written = replace_sums(side, a, lambda index: exp(z[index]) / total).xreplace(whole).doit()
    written = written.replace(Mean, expectation)
    written = written.replace(exp, lambda power: powers(power, lambda index: theorem.exponentials(int(index))))
    return replace_sums(written, x, lambda index: Symbol(f"x_{index}", real=True))


def _no_minus(polynomial: Expr) -> bool:
    """Whether a polynomial in positive numbers has no negative coefficient."""
    symbols = sorted(polynomial.free_symbols, key=str)
    if not all(s.is_nonnegative for s in symbols):
        return False
    return all(c >= 0 for c in (sympy.Poly(polynomial, *symbols).coeffs() if symbols else [polynomial]))


# --- expressions in the order as written, which SymPy would sort


def _plus(*terms: Any) -> Expr:
    return sympy.Add(*map(as_sympy, terms), evaluate=False)


def _times(*factors: Any) -> Expr:
    return sympy.Mul(*map(as_sympy, factors), evaluate=False)


def _minus(term: Any) -> Expr:
    return _times(-1, *(term.args if isinstance(term, sympy.Mul) else (term,)))


def _over(above: Any, below: Any) -> Expr:
    return _times(above, sympy.Pow(below, -1, evaluate=False)) if above != 1 else sympy.Pow(below, -1, evaluate=False)


def _sum(term: Any, letter: Symbol, count: Symbol = n) -> Expr:
    return Sum(term, (letter, 1, count))


# --- the theorems


ENTRIES: tuple[Mapping[Symbol, Any], ...] = ({}, {k: j})  # two different keys, or the same


def _entries(count: int) -> Iterator[Instance]:
    for size in range(2, count + 1):
        yield from ({n: size, j: r, k: c} for r, c in itertools.product(range(1, size + 1), repeat=2))


def softmax_jacobian() -> Theorem:
    """∂a_j/∂z_k = a_j(δ_jk − a_k)."""
    total, above, same = _sum(exp(z[l]), l), exp(z[j]), KroneckerDelta(j, k)
    quotient = _over(_plus(_times(same, above, total), _minus(_times(above, exp(z[k])))), total**2)
    links = (Link(quotient, "quotient"), Link(_jacobian(j, k), "weights"))
    first = Derivative(_over(above, total), z[k])
    return ScalarTheorem("softmax-jacobian", first, links, tuple(_entries(3)), alike=ENTRIES)


def _jacobian(row: Symbol, column: Symbol) -> Expr:
    return _times(a[row], _plus(KroneckerDelta(row, column), _minus(a[column])))


def jacobian_symmetry() -> Theorem:
    """J is symmetric."""
    links = (Link(_jacobian(k, j), "commute"),)
    return ScalarTheorem("jacobian-symmetry", _jacobian(j, k), links, tuple(_entries(3)), alike=ENTRIES)


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


def jacobian_row_bound() -> Theorem:
    """Σ_k |J_jk| = 2 a_j (1 − a_j) ≤ 1/2."""
    half, square = Rational(1, 2), sympy.Pow(_plus(a[j], -Rational(1, 2)), 2)
    links = (
        Link(_times(2, a[j], _plus(1, _minus(a[j]))), "signs_of_jacobian"),
        Link(_plus(half, _times(-2, square)), "complete_square"),
        Link(half, "squares", "≤"),
    )
    cases = tuple({n: size, j: r} for size in (2, 3, 4) for r in range(1, size + 1))
    return ScalarTheorem("jacobian-row-bound", _sum(sympy.Abs(_jacobian(j, k), evaluate=False), k), links, cases)


def jacobian_norm() -> Theorem:
    """½ xᵀx − xᵀJx is a sum of squares, so that ‖J‖₂ ≤ 1/2."""
    half = Rational(1, 2)
    form = _sum(_sum(_times(x[j], a[j], _plus(KroneckerDelta(j, k), _minus(a[k])), x[k]), k), j)
    rows = _sum(_times(2, sympy.Pow(_plus(a[j], -half), 2), x[j] ** 2), j)
    pairs = _times(_plus(1, _minus(KroneckerDelta(j, k))), a[j], a[k], sympy.Pow(_plus(x[j], x[k]), 2))
    links = (
        Link(_plus(rows, _times(half, _sum(_sum(pairs, k), j))), "sum_of_squares"),
        Link(S.Zero, "squares", "≥"),
    )
    first = _plus(_times(half, _sum(x[j] ** 2, j)), _minus(form))
    return ScalarTheorem("jacobian-norm", first, links, ({n: 2}, {n: 3}))


def saturation_bounds() -> Theorem:
    """1/(1 + e^g) ≤ 1 − a_1 ≤ (n − 1)e^−g/(1 + (n − 1)e^−g), z_1 ≥ z_2 ≥ all others, g = z_1 − z_2."""
    others = _times(_plus(n, -1), exp(_plus(z[2], _minus(z[1]))))
    links = (
        Link(_plus(1, _minus(a[1])), "two_largest", "≤"),
        Link(_over(others, _plus(1, others)), "others_below", "≤"),
    )
    cases = tuple({n: size} for size in (2, 3, 4))
    first = _over(1, _plus(1, exp(_plus(z[1], _minus(z[2])))))
    more = Symbol("N", integer=True, nonnegative=True)
    others_below = more * _falling(3)
    return ScalarTheorem(
        "saturation-bounds", first, links, cases, exponentials=_falling, others=others_below, more=more
    )


def _falling(number: int) -> Expr:
    """e^{z_1} ≥ e^{z_2} ≥ every other: quotients 1/(1 + s) with s ≥ 0, for each other and for their average."""
    largest = Symbol("u", positive=True)
    second = largest / (1 + Symbol("s_2", nonnegative=True))
    return (largest, second)[number - 1] if number < 3 else second / (1 + Symbol(f"s_{number}", nonnegative=True))


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
