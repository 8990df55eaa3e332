"""What there is to say of an article: its claims with their verdicts, and what was not checked, each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from symattn.checking.expected.implied_steps import is_input as may_begin
from symattn.checking.expected.implied_steps import is_probability
from symattn.checking.expected.sources import Given, Source
from symattn.checking.findings import BAD, Cause, Claim, Place, Reading
from symattn.checking.mistakes.search import explaining
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Judgement, Printed, finding
from symattn.reading import formula as f
from symattn.reading.articles.article import NotChecked
from symattn.values.balls import Balls
from symattn.values.printed import Ball, distance, round_to
from symattn.writing.prose import Sentence

_MARKS = frozenset(("new", "updated", "next", "′", "*"))


def is_worked_out(expression: f.Expression) -> bool:
    """Whether a side is numbers alone, several of them or one with decimals: no formula, and no product put in."""
    parts = list(f.walk(expression))
    if f.is_printed(expression) or any(isinstance(part, f.Name | f.Unread) for part in parts):
        return False
    if any(isinstance(part, f.Product) and any(isinstance(x, f.Matrix) for x in part.factors) for part in parts):
        return False
    numbers = [part for part in parts if isinstance(part, f.Number)]
    return len(numbers) > 1 or any(number.places < 1 for number in numbers)


class Record:
    """Claims and what was not checked, as they are met; the numbers that are claimed are remembered."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.claims: list[Claim] = []
        self.not_checked: list[NotChecked] = []
        self.givens: list[Given] = []
        self._used: set[f.Expression] = set()  # lists that numbers were held against
        self._listed: set[tuple[int, int]] = set()  # the sides that were listed: their sources, and where they start
        self._said: dict[int, list[tuple[int, int]]] = {}  # by their sources, the stretches that were judged or listed

    def skip(self, source: Source, side: f.Side, reason: Sentence) -> None:
        """List a side as not checked."""
        if (id(source), side.start) in self._listed:
            return
        self._listed.add((id(source), side.start))
        self.pass_over(source, side.start, side.end)
        line, column = source.place(side.start)
        self.not_checked.append(NotChecked(line, column, source.text[side.start : side.end], reason))

    def say(
        self,
        subject: str,
        at: tuple[int, int],
        printed: Printed,
        found: Mapping[Place, Judgement],
        true: Balls,
        source: Source,
        reading: Reading | None = None,
        own: Balls | None = None,
        *,
        loose: bool = False,
    ) -> dict[Place, Cause]:
        """Say what is found of a print, and remember its numbers; which are wrong, with their causes.

        Of what they print no more is known for certain than their digits where it is `loose`: where the formula was
        sought by the numbers, so that another one may be meant, or the numbers that it begins with are rounded.
        """
        self.pass_over(source, *at)
        line, column = source.place(at[0])
        bad: dict[Place, Cause] = {}
        entries = []
        for place in printed.places():
            judgement = found[place]
            if judgement.verdict in BAD:
                bad[place] = judgement.because or Cause(line, subject, place[0] + 1, place[1] + 1)
            span = source.span(*printed.spans[place[0]][place[1]])
            because = explaining(reading, place, judgement)
            entries.append(finding(printed, place, judgement, true, because, span, own))
        self.claims.append(Claim(line, column, subject, source.text[at[0] : at[1]], tuple(entries), printed.shape))
        self.remember_numbers(printed, bad, true)
        self.environment.wrong_rows.note(printed.values, bad, true)
        for i, j in printed.places():
            if (value := printed.values[i][j]) is not None:
                wrong = (i, j) in bad or (i, j) in true.hidden or found[i, j].verdict == "input-rounding"
                self.environment.note_judged(value, None if wrong else true.rows[i][j])
                if loose and not wrong and (unit := printed.units[i][j]) < 1:
                    self.environment.unsure.setdefault(abs(value), unit)
        return bad

    def speaks_of(self, source: Source, start: int, end: int) -> bool:
        """Whether anything between two offsets was judged or listed."""
        return any(a < end and start < b for a, b in self._said.get(id(source), ()))

    def pass_over(self, source: Source, start: int, end: int) -> None:
        """List nothing of what stands between two offsets: it is judged, listed already, or says nothing new."""
        self._said.setdefault(id(source), []).append((start, end))

    def list_rest(self, chain: f.Chain, source: Source) -> None:
        """List what a chain has worked out on its way and nothing was said of: all but what it begins with."""
        begun = chain.sides[0].relation in ("=", "≈")  # it goes on with another
        for side in chain.sides:
            put_in = not begun and not f.is_printed(side.expression)
            squared = isinstance(side.expression, f.Power) and isinstance(side.expression.base, f.Name)  # the name σ²
            begun |= put_in and not squared and any(isinstance(part, f.Number) for part in f.walk(side.expression))
            worked = not put_in and is_worked_out(side.expression)
            if worked and not self.speaks_of(source, side.start, side.end):
                self.skip(source, side, Sentence("terms_unread"))

    def remember_numbers(
        self, printed: Printed, bad: Mapping[Place, Cause], true: Balls, *, given: bool = False
    ) -> None:
        """The numbers of a print, those that are wrong with their causes; `given` says that they are an input."""
        for i, j in printed.places():
            value, unit, cause = printed.values[i][j], printed.units[i][j], bad.get((i, j))
            if value is not None:
                right = None
                if cause and (i, j) not in true.hidden:
                    right = round_to(true.rows[i][j], _unit_of_right(true.rows[i][j], value, unit))
                self.environment.remember(value, unit, cause, right)
                self.environment.keeps_decimals |= unit < 1 and not given
                if given:
                    self.environment.note_judged(value, None)

    def note_used(self, formula: f.Expression) -> None:
        """Remember the lists in a formula that numbers were held against: they are what a calculation begins with."""
        inside = (part for part in f.walk(formula) if part is not formula and isinstance(part, f.Matrix))
        self._used.update(part for part in inside if f.is_printed(part))

    def take_for_inputs(self, sides: Sequence[f.Expression]) -> None:
        """What was given here is what a calculation begins with: the rows of X."""
        self.givens = [given for given in self.givens if not any(given.side.expression is side for side in sides)]

    def list_givens(self) -> None:
        """List what was taken as given, but for inputs: what a program prints is none, nor w₂ where w₁ was computed.

        A lone p may be the share that dropout leaves out; a list of that name is a softmax.
        """
        computed = {
            key.base for key, known in self.environment.stated.items() if known.prints and isinstance(key, f.Name)
        }
        for given in self.givens:
            name = given.open.keys[0] if given.open.keys else None
            if name is None or given.open.labelled:
                if given.stated.used or given.side.expression in self._used:
                    continue
                self.skip(given.source, given.side, Sentence("numbers_unnamed"))
            elif (
                not self.is_input(name)
                or given.side.relation == "≈"
                or given.source.where.kind == "output"
                or (isinstance(name, f.Name) and name.indices and name.base in computed)
                or (is_probability(name) and isinstance(given.side.expression, f.Matrix))
            ):
                self.skip(given.source, given.side, Sentence("taken_as_given", name=given.open.subject))

    def is_input(self, name: f.Expression) -> bool:
        """Whether a calculation begins with it; queries, keys and values do where there are no weights to make them."""
        made = isinstance(name, f.Name) and name.base in ("Q", "K", "V", "q", "k", "v")
        weights = made and any(isinstance(k, f.Name) and k.base in ("W", "w") for k in self.environment.stated)
        return may_begin(name) and not weights and not self._is_remade(name)

    def _is_remade(self, name: f.Expression) -> bool:
        """Whether a name is that of something known with a mark of what has been done to it, W_new of W or Q′ of Q."""
        if not isinstance(name, f.Name):
            return False
        sub, sup = (tuple(part for part in parts if part not in _MARKS) for parts in (name.sub, name.sup))
        base = next((name.base.removesuffix(m) for m in _MARKS if name.base.endswith(m)), name.base)
        known = (key for key in self.environment.stated if isinstance(key, f.Name) and (key.sub, key.sup) == (sub, sup))
        bare = (base, sub, sup) != name.symbol
        return bare and any(key.base.lower() == base.lower() for key in known)


def _unit_of_right(right: Ball, value: Fraction, unit: Fraction) -> Fraction:
    """The unit to which the right number is printed: with as many digits as 2.23 · 10²², if it is 2.23 · 10²⁰."""
    finer = unit
    while finer > 1 and distance(right, Fraction(0)) * 3 < abs(value) * finer / unit:
        finer /= 10
    return finer
