"""What the stages of reading a chain share: values, what was said of them, what is expected, where the chain stands."""

from __future__ import annotations

from fractions import Fraction

from symattn.checking.chains.expectations import Expectations
from symattn.checking.chains.record import Record
from symattn.checking.expected.definitions import reckon_ranges
from symattn.checking.expected.inputs import is_computed
from symattn.checking.expected.sources import Open, Where
from symattn.checking.semantics.environment import Environment, Stated
from symattn.checking.verdicts import Definition, Printed
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import has_one_digit

_RUN = ("output", "comment")  # kinds of passages whose numbers a program may have printed


class Context:
    """What is known where a chain is read; the chain that is open gets its value here."""

    def __init__(self, *, columns: bool = False) -> None:
        self.environment = Environment(columns=columns)
        self.record = Record(self.environment)
        self.expected = Expectations(self.environment, self.record)
        self.where = Where()
        self.ended_in: Fraction | None = None  # the number that the chain before ends in
        self.replaced: dict[Fraction, Fraction] = {}  # by the numbers that take their place behind an arrow
        self.bases: dict[str, frozenset[str]] = {}  # in which the logarithms of a function may have been so far
        self.at = 0  # how many chains have been read
        self.lists: list[tuple[Balls, int, int, bool]] = []  # those without a name, see `introduced`
        self.words = set[str]()  # names of several capitals, which are no products
        self.squares = set[f.Expression]()  # those that were given in numbers, σ² = 4
        self.anew = -2  # the line in which a name was printed anew last

    def state(self, open_: Open, main: Definition, *, stale: bool = False) -> None:
        """Take a chain for what a formula comes to."""
        stale = stale or self.environment.is_stale(main.used)
        open_.stated = self.stated(
            main.true,
            reckon_ranges(main, self.environment, loose=open_.sought),
            needs=self.environment.needs(main.used) | self.environment.sizes_in(main.expression),
        )
        open_.stated.stale = stale  # Var(q·k) of another d_k, said again
        self.keep(open_)

    def stated(
        self, true: Balls, ranged: Balls | None, needs: frozenset[f.Expression] = frozenset(), *, given: bool = False
    ) -> Stated:
        """A value that is stated where the chain stands."""
        where, run = self.where, given and self.where.kind in _RUN
        stated = Stated(true, ranged, needs=needs, given=given, run=run, section=where.section, example=where.example)
        stated.typed, stated.at = given and where.kind == "code", self.at
        return stated

    def keep(self, open_: Open) -> None:
        """Remember what the names of a chain stand for."""
        assert open_.stated is not None
        for key in open_.keys:
            self.environment.state(key, open_.stated)
            self.expected.roles.note(key, [d.expression for d in open_.definitions])

    def give(self, open_: Open, printed: Printed, side: f.Side) -> None:
        """Go on with the numbers as printed, where what they were computed from is unknown."""
        computed = is_computed(printed, side.relation, open_)
        open_.stated = self.stated(printed.as_given, printed.as_ranges(rounded=computed), given=True)
        open_.definitions = [Definition(side.expression, open_.stated.true, (), open_.stated.true)]
        self.keep(open_)

    def doubt_digits(self, printed: Printed, coarsest: Fraction) -> None:
        """Remember that numbers which nothing was held against may be rounded; a lone η = 0.05 is chosen."""
        finest = min(unit for units in printed.units for unit in units)
        for i, j in printed.places() if finest <= coarsest else ():
            value, unit = printed.values[i][j], printed.units[i][j]
            if value is not None and unit < 1 and not (printed.shape == (1, 1) and has_one_digit(value, unit)):
                self.environment.unsure[abs(value)] = finest
