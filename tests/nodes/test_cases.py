"""A case distinction within a sum: substituted, differentiated and printed as a Piecewise would be."""

import sympy
from sympy.abc import x, y

from symattn.nodes.cases import Case, without_piecewise

OPEN = Case(x**2, x > y, 3 * x)


def test_a_condition_that_is_decided_leaves_one_value() -> None:
    assert Case(x, True, y) == x and Case(x, False, y) == y
    assert OPEN.subs(y, -1).subs(x, 2) == 4 and OPEN.subs({x: 2, y: 5}) == 6


def test_what_stays_open_stays_a_case() -> None:
    assert OPEN.subs(x, 2) == Case(4, sympy.Gt(2, y), 6)


def test_the_value_that_a_condition_rules_out_is_not_asked_for() -> None:
    beyond = sympy.Function("entry")(x)
    assert Case(beyond, x < 3, 0).subs(x, 7) == 0


def test_it_is_differentiated_value_by_value() -> None:
    assert sympy.diff(OPEN, x) == Case(2 * x, x > y, 3)


def test_it_is_printed_with_its_values_in_order_and_its_exponent() -> None:
    assert str(OPEN) == "Piecewise((x**2, x > y), (3*x, True))"
    squared = sympy.latex(OPEN**2)
    assert squared.index("x^{2}") < squared.index("3 x") and squared.endswith(r"\right)^{2}")
    assert r"\text{otherwise}" in squared


def test_a_piecewise_of_several_values_is_cases_within_cases() -> None:
    several = sympy.Piecewise((1, x < 0), (x, x < 5), (y, True))
    made = without_piecewise(several + y)
    assert not made.has(sympy.Piecewise)
    assert [made.subs(x, value) for value in (-2, 3, 9)] == [1 + y, 3 + y, 2 * y]
    assert without_piecewise(x + y) == x + y
