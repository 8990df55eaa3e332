"""Every operation on enclosures, of closed forms and of what has none, against mpmath: contained, and narrow.

A is 2 × 3, B is 3 × 2. Entries that have no closed form (an exponential, a logarithm) begin as balls.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint
import pytest
import sympy
from flint import arb
from sympy import E, Lambda, Max, Min, Piecewise, Rational, S, Symbol, exp, log, pi, sqrt, tanh, zoo
from sympy.abc import x, y, z

import symattn.values.balls
from symattn.errors import InputError, NotSupportedError
from symattn.values.balls import BallNumbers, Balls, apart, within
from symattn.values.decimals import Bounds
from symattn.values.enclosures import MOST_BITS, bounds, enclose, narrow, precision, raised, whole_of

BITS = 120
R = Rational
# the first is rational, the second has roots, the third starts as balls
KINDS: dict[str, list[list[Any]]] = {
    "rational": [[R(1, 2), 3, -2], [5, R(-1, 3), 1]],
    "one root": [[sqrt(2), 3 * sqrt(2), -sqrt(2)], [sqrt(2) / 2, -2 * sqrt(2), 4 * sqrt(2)]],
    "roots": [[1 + sqrt(2), sqrt(3), -2], [5, 2 - sqrt(3), R(1, 7)]],
    "balls": [[exp(R(1, 2)), log(3), -2], [pi / 3, -E, tanh(1)]],
}
TABLES = {name: sympy.Matrix(rows) for name, rows in KINDS.items()}
NUMBERS = BallNumbers()


def given(table: sympy.Matrix) -> Balls:
    return NUMBERS.given([list(map(sympy.sympify, row)) for row in table.tolist()])


def number(value: sympy.Expr) -> Fraction:
    """A true value to 60 digits, by mpmath."""
    sign, mantissa, power, _ = sympy.Float(sympy.N(value, 60))._mpf_
    return (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** power


def ends(ball: arb) -> tuple[Fraction, Fraction]:
    middle, radius = (Fraction(int(m)) * Fraction(2) ** int(e) for m, e in (ball.mid().man_exp(), ball.rad().man_exp()))
    return middle - radius, middle + radius


def agrees(balls: Balls, truth: sympy.Matrix) -> None:
    """Each entry is enclosed, to within 2^-100 of its size; −∞ is hidden and nothing else."""
    assert balls.shape == truth.shape == (len(balls.rows), len(balls.rows[0]))
    infinite = {(i, j) for i in range(truth.rows) for j in range(truth.cols) if truth[i, j] == -sympy.oo}
    assert balls.hidden == infinite
    for i in range(truth.rows):
        for j in range(truth.cols):
            if (i, j) not in infinite:
                low, high = ends(balls.rows[i][j])
                true = number(truth[i, j])
                hair = (1 + abs(true)) / 2**100
                assert low - hair < true < high + hair and high - low < hair


@pytest.fixture(autouse=True)
def _bits():
    with precision(BITS):
        yield


@pytest.fixture(params=KINDS)
def A(request: pytest.FixtureRequest) -> sympy.Matrix:
    return TABLES[request.param]


B = sympy.Matrix([[1, R(2, 3)], [-1, 4], [R(1, 5), 2]])
OPEN_B = sympy.Matrix([[1, log(2)], [-1, 4], [E, 2]])


@pytest.mark.parametrize("other", [B, OPEN_B], ids=["closed", "open"])
def test_products_and_sums(A: sympy.Matrix, other: sympy.Matrix) -> None:
    agrees(NUMBERS.matmul(given(A), given(other)), A * other)
    agrees(NUMBERS.add(given(A), given(other.T)), A + other.T)
    agrees(NUMBERS.times(given(A), given(other.T)), A.multiply_elementwise(other.T))
    agrees(NUMBERS.transpose(given(A)), A.T)
    agrees(NUMBERS.add_row(given(A), given(other.T[1, :])), A + sympy.ones(2, 1) * other.T[1, :])
    agrees(NUMBERS.subtract_column(given(A), given(other[1:, 0])), A - other[1:, 0] * sympy.ones(1, 3))
    agrees(NUMBERS.divide_rows(given(A), given(other[1:, 1])), sympy.diag(*[1 / v for v in other[1:, 1]]) * A)


@pytest.mark.parametrize("factor", [R(2, 7), sqrt(5), E])
def test_a_scale(A: sympy.Matrix, factor: sympy.Expr) -> None:
    agrees(NUMBERS.scale(given(A), factor), factor * A)


def test_functions_of_entries_and_rows(A: sympy.Matrix) -> None:
    agrees(NUMBERS.exp(given(A)), A.applyfunc(exp))
    agrees(NUMBERS.tanh(given(A)), A.applyfunc(tanh))
    agrees(NUMBERS.row_sum(given(A)), A * sympy.ones(3, 1))
    agrees(NUMBERS.row_max(given(A)), sympy.Matrix([Max(*A[i, :]) for i in range(2)]))
    powers = A.applyfunc(exp)
    agrees(NUMBERS.softmax(given(A)), sympy.Matrix(2, 3, lambda i, j: powers[i, j] / sum(powers[i, :])))
    agrees(
        NUMBERS.each(given(A), Lambda((z, x, y), z**2 + 10 * x + y)),
        sympy.Matrix(2, 3, lambda i, j: A[i, j] ** 2 + 10 * i + j),
    )


def test_the_largest_of_each_row(A: sympy.Matrix) -> None:
    falling = [sorted(A[i, :], key=number, reverse=True) for i in range(2)]
    for count in (1, 2, 3):
        kept = sympy.Matrix(2, 3, lambda i, j: A[i, j] if A[i, j] in falling[i][:count] else -sympy.oo)  # noqa: B023
        agrees(NUMBERS.keep_largest(given(A), count), kept)


def causal(i: int, j: int) -> bool:
    return j <= i


def test_what_is_hidden_stays_hidden(A: sympy.Matrix) -> None:
    hidden = NUMBERS.hide(given(A), causal)
    shown = sympy.Matrix(2, 3, lambda i, j: A[i, j] if causal(i, j) else -sympy.oo)
    agrees(hidden, shown)
    agrees(NUMBERS.hide(hidden, lambda i, j: j != 0 or i != 1), shown - sympy.Matrix([[0, 0, 0], [sympy.oo, 0, 0]]))
    agrees(NUMBERS.transpose(hidden), shown.T)
    for same in (B.T, OPEN_B.T):
        agrees(NUMBERS.add(hidden, given(same)), shown + same)
        agrees(NUMBERS.add(given(same), hidden), shown + same)
    agrees(NUMBERS.scale(hidden, E), shown * E)
    agrees(NUMBERS.exp(hidden), sympy.Matrix([[exp(A[0, 0]), 0, 0], [exp(A[1, 0]), exp(A[1, 1]), 0]]))
    total = exp(A[1, 0]) + exp(A[1, 1])
    agrees(NUMBERS.softmax(hidden), sympy.Matrix([[1, 0, 0], [exp(A[1, 0]) / total, exp(A[1, 1]) / total, 0]]))
    agrees(NUMBERS.row_max(hidden), sympy.Matrix([A[0, 0], Max(A[1, 0], A[1, 1])]))
    agrees(NUMBERS.block(hidden, range(2), range(1, 3)), shown[:, 1:])
    agrees(NUMBERS.block(hidden, range(1, 2), range(2)), shown[1:, :2])
    agrees(NUMBERS.block(hidden, range(1, 2), range(1, 3)), shown[1:, 1:])
    agrees(NUMBERS.concat([hidden, given(B.T), hidden]), sympy.Matrix.hstack(shown, B.T, shown))
    agrees(NUMBERS.concat([hidden]), shown)
    agrees(NUMBERS.concat([given(OPEN_B.T), hidden]), sympy.Matrix.hstack(OPEN_B.T, shown))
    last = NUMBERS.hide(given(A), lambda i, j: i > 0)
    assert NUMBERS.empty_rows(hidden) == [] and NUMBERS.empty_rows(last) == [0]
    assert NUMBERS.empty_rows(NUMBERS.hide(given(A.T), lambda i, j: i < 2)) == [2]
    for value in (R(1, 3), E):
        agrees(NUMBERS.fill_rows(last, [0], value), sympy.Matrix([[value] * 3, list(A[1, :])]))
        agrees(NUMBERS.fill_rows(hidden, [], value), shown)
        filled = NUMBERS.fill_rows(hidden, [1], value)
        agrees(filled, sympy.Matrix([list(shown[0, :]), [value] * 3]))
    nothing = NUMBERS.fill_rows(last, [0], S.NaN).rows
    assert all(ball.is_nan() for ball in nothing[0]) and not any(ball.is_nan() for ball in nothing[1])
    with pytest.raises(InputError, match="row 1"):
        NUMBERS.softmax(last)


def test_what_is_infinite_when_it_is_given() -> None:
    for rows in ([[1, -sympy.oo]], [[E, -sympy.oo]], [[-sympy.oo, E]]):
        agrees(given(sympy.Matrix(rows)), sympy.Matrix(rows))
        agrees(NUMBERS.each(given(sympy.Matrix(rows)), Lambda((z, x, y), 3 * z)), 3 * sympy.Matrix(rows))
    hides = Lambda((z, x, y), Piecewise((z, x >= y), (-sympy.oo, True)))
    for rows in ([[1, 2], [3, 4]], [[E, 2], [3, 4]]):
        agrees(NUMBERS.each(given(sympy.Matrix(rows)), hides), sympy.Matrix([[rows[0][0], -sympy.oo], rows[1]]))


def test_zeros_and_nothing_else() -> None:
    table = sympy.Matrix([[0, -sympy.oo, 0]])
    agrees(given(table), table)
    agrees(NUMBERS.exp(given(table)), sympy.Matrix([[1, 0, 1]]))
    agrees(NUMBERS.exp(given(sympy.Matrix([[1 + sqrt(2), 0]]))), sympy.Matrix([[exp(1 + sqrt(2)), 1]]))


def test_what_is_closed_stays_closed() -> None:
    """So a tie is decided: a ball around √2 does not tell whether it is as large as √2."""
    a, b = given(TABLES["roots"]), given(B)
    made = [NUMBERS.matmul(a, b), NUMBERS.add(a, given(B.T)), NUMBERS.scale(a, sqrt(5)), NUMBERS.times(a, given(B.T))]
    made += [NUMBERS.add_row(a, given(B.T[0, :])), NUMBERS.subtract_column(a, given(B[1:, 0])), NUMBERS.row_sum(a)]
    made += [NUMBERS.row_max(a), NUMBERS.transpose(a), NUMBERS.hide(a, causal), NUMBERS.concat([a])]
    made += [NUMBERS.block(a, range(1), range(2)), NUMBERS.fill_rows(a, [0], R(1, 3)), NUMBERS.fill_rows(a, [], E)]
    assert all(x.exact is not None for x in made)
    tie = Lambda((z, x, y), Piecewise((E, z >= sqrt(2)), (7, True)))
    agrees(NUMBERS.each(given(sympy.Matrix([[sqrt(2), sqrt(3)]])), tie), sympy.Matrix([[E, E]]))


def test_scores_beyond_every_exponent_cancel() -> None:
    """softmax(x + 10⁴⁰) is softmax(x): no power of 10⁴⁰ is taken."""
    with precision(400):
        balls = NUMBERS.softmax(given(sympy.Matrix([[10**40 + log(3), 10**40, 10**40 + log(2)]])))
    agrees(balls, sympy.Matrix([[R(1, 2), R(1, 6), R(1, 3)]]))


def test_a_mask_of_balls_is_refused() -> None:
    keep = NUMBERS.keep(given(sympy.Matrix([[1, 0], [0, 1]])))
    assert [keep(i, j) for i in range(2) for j in range(2)] == [True, False, False, True]
    with pytest.raises(InputError):
        NUMBERS.keep(given(sympy.Matrix([[E, 0]])))


@pytest.mark.parametrize(
    ("row", "power", "threshold"),
    [
        # sparsemax: τ = (Σ of those kept − 1)/count; entmax with 1.5: Σ (x/2 − τ)² = 1
        ([3, 0, 0], 1, 2),  # the first alone
        ([1, R(1, 2), -3], 1, R(1, 4)),
        ([0, 0, 0], 1, R(-1, 3)),
        ([E, 2, -9], 1, (E + 1) / 2),
        ([E, 2, R(5, 2)], 1, (E + R(3, 2)) / 2),
        ([E, R(12, 5), R(5, 2)], 1, (E + R(39, 10)) / 3),
        ([4, 0], 2, 1),  # (2 − 1)² = 1
        ([2, 2], 2, 1 - sqrt(2) / 2),
        ([E, E, E, -9], 2, E / 2 - sqrt(3) / 3),
        ([E, E - 1, E - 1], 2, E / 2 - (2 + sqrt(10)) / 6),  # u² + 2 (u − 1/2)² = 1
        ([E, E - R(6, 5), E - R(11, 5)], 2, E / 2 - (R(6, 5) + sqrt(R(656, 100))) / 4),  # u² + (u − 3/5)² = 1
        ([E, E - 1, -9], 2, E / 2 - R(1, 4) - sqrt(R(7, 16))),  # with s = 1/2 between: u² + (u − 1/2)² = 1
    ],
)  # fmt: skip
def test_thresholds(row: list[Any], power: int, threshold: sympy.Expr) -> None:
    balls = given(sympy.Matrix([row]))
    for values in (balls, Balls(balls.shape, None, balls.rows, balls.hidden)):
        agrees(NUMBERS.threshold(values, power), sympy.Matrix([[threshold]]))


def test_a_threshold_among_hidden_entries() -> None:
    hidden = NUMBERS.hide(given(sympy.Matrix([[E, 9, 2]])), lambda i, j: j != 1)
    agrees(NUMBERS.threshold(hidden, 1), sympy.Matrix([[(E + 1) / 2]]))


@pytest.mark.parametrize("off", [arb(1) / 1000, -arb(1) / 1000, arb(30), -arb(30)])
def test_a_threshold_is_proven_whatever_was_guessed(off: arb, monkeypatch: pytest.MonkeyPatch) -> None:
    guess = symattn.values.balls._guess
    monkeypatch.setattr(symattn.values.balls, "_guess", lambda falling, power: (guess(falling, power) + off).mid())
    for power, true in ((1, (arb(1).exp() + 1) / 2), (2, arb(1).exp() / 2 - 1 / arb(2).sqrt())):
        row = [[exp(1), 2 if power == 1 else exp(1), -9]]
        ball = NUMBERS.threshold(given(sympy.Matrix(row)), power).rows[0][0]
        assert ball.contains(true) and ball.rad() < 1000


def test_a_threshold_that_is_not_found_is_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    for guess, top, true in ((arb(2) ** 900, E, (E + 1) / 2), (arb(0), E * 2**900, E * 2**900 - 1)):
        monkeypatch.setattr(symattn.values.balls, "_guess", lambda falling, power, guess=guess: guess)
        found = NUMBERS.threshold(given(sympy.Matrix([[top, 2, -9]])), 1).rows[0][0]
        assert found.contains(enclose(true))


def test_a_threshold_of_wide_balls_is_enclosed() -> None:
    """Of [1 ± 1/100, 1/2]: τ is the half of the sum less 1, so 1/4 ± 1/200, and nothing much wider."""
    row = Balls((1, 2), None, ((arb(1, 0.01), arb(0.5)),))
    low, high = ends(NUMBERS.threshold(row, 1).rows[0][0])
    assert low <= Fraction(245, 1000) and high >= Fraction(255, 1000) and high - low < Fraction(1, 5)


@pytest.mark.parametrize(
    "value",
    [
        R(-7, 3), 0, pi, E, sqrt(7), R(5, 2) ** R(3, 4), E**-3, log(5), tanh(R(1, 3)), sympy.cos(2), sympy.sin(2),
        sympy.Abs(-E + 1), sympy.erf(R(1, 3)), Max(E, 2, -3), Min(E, 3, 5), 3 * E - pi, E * pi * sqrt(2), E**2 / 7,
    ],
)  # fmt: skip
def test_numbers(value: sympy.Expr) -> None:
    agrees(Balls((1, 1), None, ((enclose(sympy.sympify(value)),),)), sympy.Matrix([[value]]))


def test_a_symbol_with_a_ball() -> None:
    t = Symbol("t")
    agrees(Balls((1, 1), None, ((enclose(t**2 + Max(t, 9), {t: arb(3)}),),)), sympy.Matrix([[18]]))
    for unknown in (t, Piecewise((1, t > 0)), sympy.Function("f")(1), zoo):
        with pytest.raises(NotSupportedError):
            enclose(unknown)
    with pytest.raises(NotSupportedError):
        enclose(Piecewise((1, sympy.Eq(t, 1)), (2, True)), {t: arb(3)})
    with pytest.raises(NotSupportedError):
        enclose(Piecewise((1, t > 5)), {t: arb(3)})


@pytest.mark.parametrize(
    ("condition", "at_2", "at_3", "at_4"),
    [
        (x > 3, False, False, True), (x >= 3, False, True, True), (x < 3, True, False, False),
        (x <= 3, True, True, False),
        ((x > 1) & (x < 3), True, False, False), ((x < 3) | (x > 3), True, False, True),
    ],
)  # fmt: skip
def test_branches(condition: Any, at_2: bool, at_3: bool, at_4: bool) -> None:
    value = Piecewise((5, condition), (7, True), evaluate=False)
    assert [enclose(value, {x: arb(at)}) == 5 for at in (2, 3, 4)] == [at_2, at_3, at_4]
    assert [enclose(value, {x: arb(at)}) == 7 for at in (2, 3, 4)] == [not at_2, not at_3, not at_4]


def test_branches_that_a_ball_does_not_tell_apart() -> None:
    around = {x: arb(3, 0.5)}
    either = enclose(Piecewise((5, x > 3), (7, True)), around)
    assert either.contains(5) and either.contains(7) and not either.contains(9)
    assert not enclose(Piecewise((5, x > 3), (7, x < 9), (11, True)), around).contains(11)
    assert enclose(Piecewise((4, x > 9), (5, (x > 3) & (x > 9)), (7, True), evaluate=False), around) == 7
    assert enclose(Piecewise((5, (x > 3) | (x > 2)), (7, True), evaluate=False), around) == 5
    assert enclose(Piecewise((5, S.false), (7, True), evaluate=False)) == 7
    unsure = enclose(Piecewise((5, (x > 3) & (x > 2)), (7, True), evaluate=False), around)
    assert unsure.contains(5) and unsure.contains(7)


@pytest.mark.parametrize(
    "ball",
    [arb(0), arb(3), arb(1) / 3 + arb(0, 2), arb(-5) / 8, arb(1) / 3, arb(-1) / 7,
     arb(0, 0.25), arb(5, 3), arb(1, 2**-70), arb(2) ** 300 + arb(1) / 3],
    ids=str,
)  # fmt: skip
def test_bounds_are_the_ends(ball: arb) -> None:
    found = bounds(ball)
    scale = Fraction(2) ** found.exponent
    assert (found.low * scale, found.high * scale) == ends(ball)


@pytest.mark.parametrize("beyond", [2, 10, 6 * MOST_BITS])
def test_bounds_of_a_tiny_radius_are_wider_and_short(beyond: int) -> None:
    """Of 3 ± (2^30 − 1)·2^-(far + beyond), in units of the last bit there."""
    far = 4 * MOST_BITS
    found = bounds(arb(3) + arb(0, 2**30 - 1) * arb(2) ** -(far + beyond))
    low, high = (end << (found.exponent + far + beyond) for end in (found.low, found.high))
    middle, radius = 3 << (far + beyond), 2**30 - 1
    assert low <= middle - radius and middle + radius <= high
    assert high - low <= 2 * radius + (4 << beyond) and found.low.bit_length() <= far + 2


@pytest.mark.parametrize("sign", [1, -1])
def test_bounds_of_a_tiny_middle_are_those_of_the_radius(sign: int) -> None:
    ball = sign * arb(2) ** -(40 * MOST_BITS) + arb(0, 3)
    found, (radius, power) = bounds(ball), map(int, ball.rad().man_exp())
    radius <<= power - found.exponent
    assert found.low < -radius and radius < found.high
    assert (found.high - found.low) * 2.0**found.exponent < 7 and found.low.bit_length() < 100


def test_bounds_of_what_is_infinite_are_wide() -> None:
    infinite = bounds(arb("inf"))
    assert infinite.low < 0 < infinite.high and infinite.exponent > 10_000


def test_whole_numbers_in_a_ball() -> None:
    assert [whole_of(b) for b in (arb(7, 0.3), arb(7, 1), arb(7.5, 0.3), arb(0.2, 0.3), arb(0.3, 0.1))] == [
        7,
        None,
        None,
        0,
        None,
    ]
    assert [whole_of(b) for b in (arb(-0.4, 0.05), arb(-6), arb(1), arb(0.1, 0.2), arb(0))] == [None, -6, 1, 0, 0]


@pytest.mark.parametrize("power", [1, 2, 3, 64])
def test_whole_powers_of_a_ball_around_0(power: int) -> None:
    """Of [−2, 2]: the logarithm by which other powers go knows none of them."""
    found, most = raised(arb(0, 2), arb(power)), arb(2) ** power
    assert found.contains(0) and found.contains(most) and (power % 2 == 0 or found.contains(-most))
    assert abs(found) < most * 1.01


def test_other_powers_of_a_ball_around_0() -> None:
    assert raised(arb(0, 2), arb(0)) == 1
    for power in (arb(-1), arb(2, 0.001), arb(1) / 2):  # of −1 there is no power 2.0005
        assert raised(arb(0, 2), power).is_nan()
    assert raised(arb(-3), arb(-2)).contains(arb(1) / 9) and raised(arb(9), arb(1) / 2) == 3


def test_precision_is_doubled_until_there_is_an_answer() -> None:
    asked: list[int] = []

    def question(found: Bounds) -> int | None:
        return flint.ctx.prec if flint.ctx.prec >= 400 else None

    def ball(bits: int) -> arb:
        asked.append(bits)
        return arb(1) / 3

    assert narrow(ball, question, 100) == 400 and asked == [100, 200, 400]
    assert narrow(ball, question, 100, 200) is None and asked[3:] == [100, 200]
    assert flint.ctx.prec == BITS


def pair(*values: Any) -> Balls:
    """A row of balls; None for −∞."""
    balls = tuple(arb(0) if v is None else v if isinstance(v, arb) else arb(v) for v in values)
    return Balls((1, len(values)), None, (balls,), frozenset((0, j) for j, v in enumerate(values) if v is None))


def test_the_largest_beside_what_is_hidden() -> None:
    assert NUMBERS.keep_largest(pair(-1, None, -5, -2), 1).hidden == {(0, 1), (0, 2), (0, 3)}
    assert NUMBERS.keep_largest(pair(-1, None, -5, -2), 2).hidden == {(0, 1), (0, 2)}


def test_the_largest_of_balls_that_do_not_tell() -> None:
    """At 3/2 both may lie, and then the first would be kept."""
    left_open = pair(arb(1, 0.5), arb(2, 0.5), -9, None)
    unknown = NUMBERS.keep_largest(left_open, 1)
    assert all(ball.is_nan() for ball in unknown.rows[0]) and unknown.hidden == {(0, 3)}
    two = NUMBERS.keep_largest(left_open, 2)
    assert two.rows == left_open.rows and two.hidden == {(0, 2), (0, 3)}


@pytest.mark.parametrize(
    ("a", "b", "different", "near"),
    [
        (pair(1, 2), pair(1, 2), False, True),
        (pair(1, 2), pair(1, 3), True, False),
        (pair(1, 2), pair(1, 2, 3), True, False),
        (pair(1, None), pair(1, None), False, True),
        (pair(1, None), pair(1, 2), True, False),
        (pair(1, 2), pair(1, None), True, False),
        (pair(1, arb("nan")), pair(1, arb("nan")), False, False),
        (pair(1, arb("nan")), pair(1, None), False, False),
        (pair(1, arb("nan")), pair(1, 7), False, False),
        (pair(1, arb("inf")), pair(1, 7), False, False),
        (pair(arb(1, 0.5)), pair(arb(1.25, 0.5)), False, False),
        (pair(arb(1, 0.5)), pair(arb(9, 0.5)), True, False),
        (pair(arb(1)), pair(arb(1) + arb(2) ** -41), True, True),
        (pair(arb(1)), pair(arb(1) + 5 * arb(2) ** -41), True, False),  # 2 · 2^-40 is the limit
        (pair(arb(2) ** 30), pair(arb(2) ** 30 + arb(2) ** -12), True, True),  # of its size
        (pair(arb(2) ** 30), pair(arb(2) ** 30 + arb(2) ** -9), True, False),
        (pair(arb(-1)), pair(arb(-1) - arb(2) ** -41), True, True),
    ],
)  # fmt: skip
def test_two_matrices_apart_and_near(a: Balls, b: Balls, different: bool, near: bool) -> None:
    assert (apart(a, b), within(a, b, 40)) == (different, near)
    assert apart(b, a) == different
