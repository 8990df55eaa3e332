"""Articles made at random: all right, one entry wrong, and one entry wrong with the rest following from it.

The values are those of mpmath with 60 digits; matrices are small and whole.
"""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symattn.checking import Cause, Findings
from tests.checking.checked import check
from tests.sampling import EVERY

mp = mpmath.mp.clone()
mp.dps = 60
Table = list[list[Fraction]]
NAMES = ("S", "Z", "A", "O")
EXAMPLES = settings(max_examples=100 if EVERY else 30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _mp(table: Table) -> list[list[object]]:
    return [[mp.mpf(x.numerator) / x.denominator for x in row] for row in table]


def _mul(a: list[list], b: list[list]) -> list[list]:
    return [[sum(x * y for x, y in zip(row, column, strict=True)) for column in zip(*b, strict=True)] for row in a]


def _softmax(table: list[list]) -> list[list]:
    powers = [[mp.exp(x) for x in row] for row in table]
    return [[x / mp.fsum(row) for x in row] for row in powers]


def _round(table: list[list], places: int) -> Table:
    def one(x: object) -> Fraction:
        whole = int(mp.floor(abs(x) * 10**places + mp.mpf("0.5")))
        return Fraction(whole if x >= 0 else -whole, 10**places)

    return [[one(x) for x in row] for row in table]


def _text(x: Fraction, places: int) -> str:
    digits = str(abs(round(x * 10**places))).rjust(places + 1, "0")
    whole = digits[:-places] + "." + digits[-places:] if places else digits
    return ("-" if x < 0 else "") + whole


class Sums:
    """A hand calculation: its inputs, its true values, its prints."""

    def __init__(self, q: Table, k: Table, v: Table, places: int) -> None:
        self.q, self.k, self.v, self.places = q, k, v, (0, places, places, places)
        self.root = mp.sqrt(len(q[0]))
        scores = _mul(q, [list(c) for c in zip(*k, strict=True)])
        self.true = [_mp(scores)]
        for step in (1, 2, 3):
            self.true.append(self.next(step, self.true[-1]))
        self.prints = [_round(t, p) for t, p in zip(self.true, self.places, strict=True)]

    def next(self, step: int, before: list[list]) -> list[list]:
        if step == 1:
            return [[x / self.root for x in row] for row in before]
        return _softmax(before) if step == 2 else _mul(before, _mp(self.v))

    def follow(self, step: int) -> None:
        """Print everything after a step as it follows from what is printed before."""
        for later in range(step + 1, 4):
            self.prints[later] = _round(self.next(later, _mp(self.prints[later - 1])), self.places[later])

    def off(self, step: int, i: int, j: int) -> float:
        """How far a print is from the true value, in units of its last place."""
        printed = self.prints[step][i][j]
        return float(
            abs(mp.mpf(printed.numerator) / printed.denominator - self.true[step][i][j]) * 10 ** self.places[step]
        )

    def from_right_prints(self, step: int, i: int, j: int) -> bool:
        """Whether a print is within a unit of what the right roundings of the step before give."""
        before = _mp(_round(self.true[step - 1], self.places[step - 1]))
        printed = self.prints[step][i][j]
        apart = mp.mpf(printed.numerator) / printed.denominator - self.next(step, before)[i][j]
        return bool(abs(apart) * 10 ** self.places[step] < 1)

    def report(self) -> Findings:
        def matrix(table: Table, places: int) -> str:
            rows = (" & ".join(_text(x, places) for x in row) for row in table)
            return r"\begin{bmatrix} " + r" \\ ".join(rows) + r" \end{bmatrix}"

        sides = ("QK^T", rf"\frac{{S}}{{\sqrt{{{len(self.q[0])}}}}}", r"\mathrm{softmax}(Z)", "AV")
        inputs = [f"{n} = {matrix(t, 0)}" for n, t in (("Q", self.q), ("K", self.k), ("V", self.v))]
        steps = zip(NAMES, sides, self.prints, self.places, strict=True)
        report = check(*inputs, *(f"{n} = {side} = {matrix(t, p)}" for n, side, t, p in steps))
        assert not report.not_checked and [c.subject for c in report.findings] == list(NAMES)
        return report


@st.composite
def sums(draw: st.DrawFn) -> Sums:
    sizes = st.integers(1, 3)
    n, m, d, width = draw(sizes), draw(st.integers(2, 3)), draw(sizes), draw(sizes)

    def table(rows: int, columns: int) -> Table:
        entries = st.integers(-3, 3).map(Fraction)
        return draw(st.lists(st.lists(entries, min_size=columns, max_size=columns), min_size=rows, max_size=rows))

    return Sums(table(n, d), table(m, d), table(m, width), draw(st.integers(2, 4)))


@pytest.mark.slow
@EXAMPLES
@given(sums())
def test_right_articles_are_right(made: Sums) -> None:
    assert set(made.report().summary) <= {"exact", "rounded"}


def _perturb(made: Sums, data: st.DataObject, steps: int) -> tuple[int, int, int]:
    step = data.draw(st.integers(0, steps - 1))
    i = data.draw(st.integers(0, len(made.prints[step]) - 1))
    j = data.draw(st.integers(0, len(made.prints[step][0]) - 1))
    units = data.draw(st.sampled_from([1, 2, 3, 5, 17, -1, -2, -4, -30]))
    made.prints[step][i][j] += Fraction(units, 10 ** made.places[step])
    assume(made.off(step, i, j) >= 1.03)
    return step, i, j


@pytest.mark.slow
@EXAMPLES
@given(sums(), st.data())
def test_one_wrong_entry_is_the_only_one(made: Sums, data: st.DataObject) -> None:
    # of the output a unit or two may come from rounded weights; what comes before cannot
    where = _perturb(made, data, 3)
    assume(where[0] == 0 or not made.from_right_prints(*where))  # it may have been cut off
    for step, claim in enumerate(made.report().findings):
        for e in claim.entries:
            wrong = (step, e.row - 1, e.column - 1) == where
            assert e.verdict == "wrong" if wrong else e.verdict in ("exact", "rounded")


@pytest.mark.slow
@EXAMPLES
@given(sums(), st.data())
def test_what_follows_from_a_wrong_entry_is_carried(made: Sums, data: st.DataObject) -> None:
    step, i, j = _perturb(made, data, 2)
    made.follow(step)
    for later, claim in enumerate(made.report().findings):
        for e in claim.entries:
            at = (later, e.row - 1, e.column - 1)
            if at == (step, i, j):
                assert e.verdict == "wrong"
            elif made.off(*at) >= 1 and later > 1 and e.verdict in ("intermediate", "truncated"):
                # by chance the right prints before it explain it too, and that comes first
                assert later == 3 or made.from_right_prints(*at)
            elif made.off(*at) >= 1:
                assert e.verdict == "carried"
                assert isinstance(e.because, Cause)
                assert (e.because.subject, e.because.row, e.because.column) == (NAMES[step], i + 1, j + 1)
            else:
                assert e.verdict != "wrong"
