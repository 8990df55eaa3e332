"""An article's chains of equalities, read in order: what is given, what is claimed, what follows.

A symbol's first value is given. Every later side of a chain that is printed as numbers is a claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from symattn.checking.chains.exact_sides import exact_table, expected_of, puts_in
from symattn.checking.chains.expectations import Expectations
from symattn.checking.chains.magnitudes import judge_about, with_magnitudes
from symattn.checking.chains.prints import closed_table, lone_fraction, partial_table
from symattn.checking.chains.record import Record
from symattn.checking.chains.run_on import goes_on_from, split_run_on
from symattn.checking.chains.sizes import with_sizes_that_fit
from symattn.checking.chains.termwise import in_a_row, is_sum_of_prints, judge_terms
from symattn.checking.chains.units import judge_in_unit
from symattn.checking.disowned import said_to_be_a_fault
from symattn.checking.expected.arrows import EQUALITIES, as_result, equation_behind
from symattn.checking.expected.conventions import is_sound, judge_by_others
from symattn.checking.expected.definitions import (
    as_meant,
    is_counted_from_zero,
    is_increment,
    is_index,
    is_more_exact,
    is_range_at,
    is_run_together,
    is_same,
    is_worth,
    main_definition,
    other_meaning,
    put_in_place,
    reckon_ranges,
    says_which,
    without_what_is_anew,
    writes_one_of,
)
from symattn.checking.expected.doubts import in_another_unit
from symattn.checking.expected.evidence import is_as_computed, is_shown
from symattn.checking.expected.inputs import has_broken_shares, is_computed, is_given
from symattn.checking.expected.named_rows import row_in
from symattn.checking.expected.sources import Given, Open, Source, Where
from symattn.checking.expected.totals import find_divided_sum
from symattn.checking.findings import BAD, Cause, Place
from symattn.checking.mistakes.search import find_reading
from symattn.checking.semantics.environment import Environment, Print, Stated
from symattn.checking.semantics.evaluation import NoValueError, scalar, size_text
from symattn.checking.semantics.literals import meant, within_prints
from symattn.checking.verdicts import (
    Definition,
    Judge,
    Judgement,
    Printed,
    correct_prints,
    define,
    right_places,
    table_of_prints,
)
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import Ball, has_one_digit, round_to
from symattn.writing.prose import Sentence

_UNSTATED = f.Name("unstated")  # what the readers say that a program gives a name whose value is no mathematics
_ANEW = ("stale_name", "earlier_example", "given_elsewhere", "defined_anew")  # reasons why the numbers are other ones
_OTHER = ("stale_name", "earlier_example", "given_elsewhere")  # those by which names stand for something else
_RUN = ("output", "comment")  # kinds of passages whose numbers a program may have printed
_TENTH, _HUNDREDTH = Fraction(1, 10), Fraction(1, 100)  # finer units are those of rounded numbers
NEAR = 3  # lines from a list to what an arrow leads to


class Chains:
    """Reads chains one after another; `record` has what there is to say."""

    def __init__(self, *, columns: bool = False) -> None:
        self.environment = Environment(columns=columns)
        self.record = Record(self.environment)
        self.expected = Expectations(self.environment, self.record)
        self._last: Open | None = None
        self._total: Fraction | None = None  # the number that the chain before ends in
        self._where = Where()
        self._example = 0
        self._replacements: set[Fraction] = set()
        self._anew = -2  # the line in which a name was printed anew last
        self._list: tuple[f.Expression, int] | None = None  # the list that was printed last, and in which line

    def read(self, chain: f.Chain, source: Source) -> None:
        """Read a chain: what of it is neither judged nor given is listed."""
        whole, rest = split_run_on(chain, self.environment)
        self._read(whole, source)
        self.record.list_rest(whole, source)
        if rest is not None:
            self.environment.doubt({x.base for x in (chain.sides[0].expression,) if isinstance(x, f.Name)})
            self.read(rest, source)
        last = chain.sides[-1].expression
        self._total = last.value if isinstance(last, f.Number) else None

    def _read(self, chain: f.Chain, source: Source) -> None:
        self._where = source.where
        self.environment.enter_section(source.where.section)
        self.expected.begin_chain(chain, source)
        if source.where.unread:
            self.environment.doubt(source.where.unread)
        if source.where.example > self._example:
            self._example, self._last = source.where.example, None
            self.expected.begin_example(self._example)
            self.environment.wrong_rows.begin_example()
        chain = with_magnitudes(as_meant(chain, self.environment), self.environment)
        if source.where.goes_on and self._last is not None:
            chain = as_result(chain, self._last)
        first = chain.sides[0].expression
        goes_on = source.where.goes_on and chain.sides[0].relation in ("=", "≈")
        goes_on = goes_on and self._last is not None and is_worth(first, self._last.stated, self.environment)
        if not goes_on and self._works_out(chain):
            chain, goes_on = replace(chain, sides=chain.sides[1:]), True
        alone = len(chain.sides) == 1 or (isinstance(first, f.Number) and chain.sides[1].relation == "→")
        bare = table_of_prints(first) if alone and f.is_printed(first) else None
        goes_on = goes_on or (
            source.where.announced and bare is not None and self.expected.is_announced(self._last, bare)
        )
        if goes_on and self._last is not None:
            open_ = self._last
        else:
            goes_on = False
            open_ = self._last = Open(" ".join(source.text[first.start : first.end].split()), source)
        self._give_size(chain)
        match [side.expression for side in chain.sides]:
            case [f.Call("softmax", (f.Matrix() as given,))] if f.is_printed(given):
                self.expected.note_argument(given)
        for k, side in enumerate(chain.sides):
            if side.relation not in EQUALITIES:
                self._not_equal(chain, k, source)
                return
            if bare is not None and not goes_on:
                self.expected.take_words(open_, bare, first)
            if isinstance(side.expression, f.Unread):
                open_ = self._unread(open_, side, source)
                continue
            last = k == len(chain.sides) - 1
            self._side(open_, side, source, first=k == 0 and not goes_on, last=last)
            if k == 0 and not goes_on:
                self.expected.take_numbers_put_in(open_)
        if not open_.keys and open_.stated is not None and open_.stated.true.shape != (1, 1):
            open_.keys.append(f.Name("printed", sup=("labelled", str(len(self.environment.stated)))))
            open_.labelled = True
            self._keep(open_)
        self.expected.end_chain(chain)
        main = main_definition(open_.definitions, open_.keys) if open_.definitions and open_.keys else None
        if open_.stated is None and main is not None and not is_range_at(main, source):
            self._state(open_, main)  # S = QK^T, not printed (yet)
            open_.stated = None
            self.expected.note_definition(open_.keys, main.expression)
        name = open_.keys[0] if open_.keys else None
        if open_.stated is None and open_.failures and isinstance(name, f.Name):
            self.expected.note_promise(name, [side.expression for side in chain.sides[1:]])
            if source.where.kind == "code" and any(side.expression == _UNSTATED for side in chain.sides):
                self.environment.drop(name)  # a program has given it another value, which nobody knows
        self._note_unused(open_, chain, source)

    def _works_out(self, chain: f.Chain) -> bool:
        """Whether a chain repeats the name of the one before it, s = 1 · 2 + 3 · 4, and goes on, s = 2 + 12 = 14."""
        if self._last is None or self._last.stated is not None or len(chain.sides) < 2:
            return False
        second = chain.sides[1]
        if chain.sides[0].expression not in self._last.keys or second.relation not in EQUALITIES:
            return False
        return bool(judge_terms([d.expression for d in self._last.definitions], second.expression, self.environment))

    def _note_unused(self, open_: Open, chain: f.Chain, source: Source) -> None:
        """List matrices that are written into a formula without a value, from which nothing is claimed."""
        if open_.failures and open_.stated is None:
            for side in chain.sides:
                if any(isinstance(part, f.Matrix) for part in f.walk(side.expression)):
                    self.record.skip(source, side, open_.failures[0])

    def _give_size(self, chain: f.Chain) -> None:
        """√d_k = √4 says what d_k is."""
        match [side.expression for side in chain.sides[:2]]:
            case [f.Root(f.Name() as name), f.Root(f.Number() as number)]:
                known = self.environment.lookup()(name)
                if known is None or known.rows[0][0] != scalar(number.value).rows[0][0]:
                    self.environment.state(name, self._stated(scalar(number.value), None, given=True))

    def _not_equal(self, chain: f.Chain, k: int, source: Source) -> None:
        """What follows another relation is no claim; after an arrow numbers may take the place of as many others."""
        side, rest = chain.sides[k], chain.sides[k:]
        if side.relation == "∈":
            return
        if side.relation == ":" and len(rest) > 1 and is_index(chain.sides[:k]):
            self.read(replace(chain, sides=(replace(side, relation=""), *rest[1:])), source)  # `j = 0: 2 · 3 = 6`
            return
        lists = [self._list[0]] if self._list and source.place(side.start)[0] - self._list[1] <= NEAR else []
        lists += [self.expected.argument.expression] if self.expected.argument else []
        lists += self.expected.lists_above()
        equation = equation_behind(chain, k, lists, self.environment)
        if equation is not None:
            self.read(equation, source)
            return
        if not k and side.relation == "→" and len(rest) == 1 and f.is_printed(side.expression):
            self.read(replace(chain, sides=(replace(side, relation=""),)), source)  # a result with nothing before it
            return
        table = (
            table_of_prints(side.expression) if side.relation == "→" and isinstance(side.expression, f.Matrix) else None
        )
        gathered = self.expected.behind_an_arrow(table) if table is not None and len(rest) == 1 else None
        if table is not None and gathered is not None:
            self._claim_of(gathered, Open(source.text[side.start : side.end], source), table, side, source)
            return
        self.record.skip(
            source, replace(side, end=rest[-1].end), Sentence("relation_unchecked", relation=side.relation)
        )
        before = chain.sides[max(k - 1, 0)].expression
        arrows = sum(each.relation == "→" for each in chain.sides)  # 2 → 4 → 1 are the sizes of layers
        table = table_of_prints(side.expression) if side.relation == "→" and arrows == 1 else None
        old = table_of_prints(before) if f.is_printed(before) else None
        self._replacements.update(put_in_place(old, table))
        if isinstance(side.expression, f.Matrix) and side.relation == "→":
            self._list = side.expression, source.place(side.start)[0]

    def read_apart(self, chain: f.Chain, source: Source) -> None:
        """Read a chain out of its order, without ending the one that is being read."""
        last = self._last
        self.read(chain, source)
        self._last = last

    def _unread(self, open_: Open, side: f.Side, source: Source) -> Open:
        """Past a side that was not understood nothing is held against what stands before it."""
        assert isinstance(side.expression, f.Unread)
        if any(c.isdigit() for c in source.text[side.start : side.end]):
            self.record.skip(source, side, side.expression.reason)
        if open_.stated is not None:
            open_ = self._last = Open(open_.subject, source)
        open_.definitions.clear()
        open_.failures.append(side.expression.reason)
        return open_

    def _side(self, open_: Open, side: f.Side, source: Source, *, first: bool, last: bool) -> None:
        expression = side.expression
        if f.is_printed(expression):
            printed = table_of_prints(expression) or self._with_gaps(open_, expression)
            if printed is None:
                self.record.skip(source, side, Sentence("partial_matrix"))
                return
        elif last and not first and self._is_new_name(open_, expression):
            open_.keys.append(expression)
            self._keep(open_)
            return
        else:
            printed = closed_table(expression) if last and (open_.definitions or open_.stated) else None
            if last and not first and side.relation == "=" and self._is_another_fraction(open_, expression):
                printed = lone_fraction(expression)
            if printed is None:
                if not self._terms(open_, side, source) and not first and not is_sum_of_prints(expression):
                    self._agree(open_, side, source)
                    if puts_in(expression, open_.keys, open_.definitions, self.environment):
                        self.record.pass_over(source, side.start, side.end)
                self._define(open_, side, first, source)
                return
        if isinstance(expression, f.Matrix):
            self._list = open_.keys[0] if open_.keys else expression, source.place(side.start)[0]
        if open_.stated is None and not self._begin(open_, printed, side, source):
            return
        assert open_.stated is not None
        if not open_.given:
            self._claim(open_, printed, side, source)
        open_.given = False

    def _is_another_fraction(self, open_: Open, expression: f.Expression) -> bool:
        """Whether a chain ends in a fraction that neither is what stands before it nor is rounded above and below."""
        if lone_fraction(expression) is None or not open_.definitions or open_.stated is not None:
            return False
        true = expected_of(open_.keys, open_.definitions, self.environment)
        if true is None or true.shape != (1, 1) or exact_table(expression, true) is not None:
            return False
        terms = judge_terms([d.expression for d in open_.definitions], expression, self.environment)
        return not (terms and all(term.right and not term.carried for term in terms))

    def _is_new_name(self, open_: Open, expression: f.Expression) -> bool:
        """Whether a chain of numbers ends in a name for them, QKᵀ = [...] = S."""
        return isinstance(expression, f.Name) and open_.stated is not None and not self.environment.knows(expression)

    def _agree(self, open_: Open, side: f.Side, source: Source) -> None:
        """Say of a side in closed form that it is right, if it is exactly what the formula before it comes to."""
        true = expected_of(open_.keys, open_.definitions, self.environment)
        printed = None if true is None else exact_table(side.expression, true)
        if true is not None and printed is not None:
            found = {place: Judgement("exact") for place in printed.places()}
            self.record.say(open_.subject, (side.start, side.end), printed, found, true, source)

    def _terms(self, open_: Open, side: f.Side, source: Source) -> bool:
        """Judge the numbers of a side that stand for parts of those before; a sum of prints is listed at least."""
        terms = judge_terms([d.expression for d in open_.definitions], side.expression, self.environment)
        row = in_a_row(terms) if terms else None
        if row is not None:
            at = (side.start, side.end)
            self.record.say(open_.subject, at, row.printed, row.found, row.definition.true, source)
        for term in terms if row is None else ():
            at = (term.expression.start, term.expression.end)
            self.record.say(open_.subject, at, term.printed, term.found, term.definition.true, source)
        alone = not terms and is_sum_of_prints(side.expression)
        if alone and (open_.definitions or open_.failures or (side.relation and not self._where.goes_on)):
            self.record.skip(source, side, Sentence("terms_unread"))
        return bool(terms)

    def _judge_divisor(self, open_: Open, expression: f.Expression, source: Source) -> None:
        """Say of the sum that a row is divided by that it is right, if it is."""
        found = find_divided_sum(expression, self.environment)
        if found is not None:
            number, printed, definition = found
            judged = Judge(printed, [definition], self.environment, None).judge()
            at = (number.start, number.end)
            if is_sound(judged) and not self.record.speaks_of(source, *at):
                self.record.say(open_.subject, at, printed, judged, definition.true, source)

    def _with_gaps(self, open_: Open, expression: f.Expression) -> Printed | None:
        """A matrix that leaves entries out, if a formula says how large it is."""
        known = open_.stated.true if open_.stated else None
        if known is None and open_.definitions:
            known = main_definition(open_.definitions, open_.keys).true
        return None if known is None else partial_table(expression, known.shape)

    def _define(self, open_: Open, side: f.Side, first: bool, source: Source) -> None:
        expression = side.expression
        if first and isinstance(expression, f.Name):
            if self.environment.is_entry(expression):  # S_{11} of a matrix that is known is held against it
                open_.definitions.append(define(expression, self.environment))
            else:
                open_.keys.append(expression)
            return
        self._judge_divisor(open_, expression, source)
        if first:
            expression = self.expected.put_list_in(expression, source)
        try:
            definition = define(expression, self.environment)
            rounded = side.relation == "≈" and bool(open_.failures) and not open_.definitions
            open_.definitions.append(replace(definition, rounded=rounded and not definition.symbolic))
        except NoValueError as error:
            open_.failures.append(error.reason)
        if isinstance(expression, f.Root) or any(isinstance(part, f.Name) for part in f.walk(expression)):
            open_.keys.append(expression)

    def _begin(self, open_: Open, printed: Printed, side: f.Side, source: Source) -> bool:
        """What the first print of a chain is held against; without anything it is what is given."""
        if not open_.definitions and not open_.labelled:
            self.expected.find_formula(open_, printed, source)
        if not open_.definitions:
            self.expected.seek_formula(open_, printed)
        definitions = without_what_is_anew(open_.definitions)
        rows = [row_in(d, self._where.label, printed, self.environment) for d in definitions]
        alone = {d.expression for d, row in zip(definitions, rows, strict=True) if row is not d}
        open_.keys = [key for key in open_.keys if key not in alone]  # a row is not all that the formula comes to
        definitions = rows
        open_.definitions = with_sizes_that_fit(definitions, printed, self._where.label, self.environment)
        if open_.definitions and self._is_anew(open_, printed, source.place(side.start)[0]):
            known = open_.definitions[0].expression
            self.record.skip(source, side, Sentence("defined_anew", name=source.text[known.start : known.end]))
            open_.definitions = []
        main = main_definition(open_.definitions, open_.keys) if open_.definitions else None
        if main is not None and self.expected.is_run(main, source) and not is_shown(main, printed, self.environment):
            self.record.skip(source, side, Sentence("printed_otherwise"))
            main = None
        if main is not None:
            open_.definitions = [main, *(d for d in open_.definitions if d is not main)]
            self._state(open_, main)
            return True
        for reason in [*open_.failures[:1], *([open_.anew] if open_.anew is not None else ())]:
            self.record.skip(source, side, reason)
        if open_.anew is not None:
            self._anew = source.place(side.start)[0]
        open_.given = True
        computed = is_computed(printed, side.relation, open_)  # and may be rounded
        ranges = printed.as_ranges(rounded=computed)
        open_.stated = self._stated(printed.as_given, ranges, given=True)
        open_.stated.loose = printed.as_prints()
        if not open_.failures:
            self.record.givens.append(Given(open_, open_.stated, side, source))
        open_.definitions = [Definition(side.expression, open_.stated.true, (), open_.stated.true)]
        given = bool(open_.keys) and self.record.is_input(open_.keys[0])
        open_.stated.unsound = not given and has_broken_shares(printed)
        named = bool(open_.keys) and not open_.labelled and not given  # words alone may begin something new
        copied = self.environment.wrong_rows.known_again(side.expression) if named else {}
        if copied:
            self._copy(open_.stated, printed, copied)
        else:
            self.record.remember_numbers(printed, {}, open_.stated.true, given=given)
            if computed or (not given and not is_given(open_, printed)):
                self._doubt_digits(printed, _TENTH if side.relation == "≈" else _HUNDREDTH)
            self.environment.wrong_rows.note(printed.values, {}, open_.stated.true)  # what is given anew is meant
        self._keep(open_)
        self.expected.note_row(open_, printed, side.expression)
        return True

    def _is_anew(self, open_: Open, printed: Printed, line: int) -> bool:
        """Whether what is known by its own name is printed with other numbers, or an entry as counted from 0."""
        known = open_.definitions[0]
        restated = all(self._is_restated(d.expression, line) for d in open_.definitions)
        other = restated and not is_same(known.true, printed, self._where.label)
        if self._where.kind == "code" and isinstance(known.expression, f.Name):  # what a program is given, it sets anew
            given = all(self.environment.stated[key].given for key in known.used)
            other |= given and len(right_places(printed, known.true)) < len(printed.places())
        return other or is_counted_from_zero(known, printed, self.environment)

    def _is_restated(self, expression: f.Expression, line: int) -> bool:
        """Whether this is a value that is known by its own name, or a square right below one, μ = 2, σ² = 0."""
        match expression:
            case f.Power(f.Name() as base, f.Number()) if line - 1 <= self._anew <= line:
                return self.environment.knows(base)
        return self.environment.is_alias(expression)

    def _doubt_digits(self, printed: Printed, coarsest: Fraction) -> None:
        """Remember that numbers which nothing was held against may be rounded; a lone η = 0.05 is chosen."""
        finest = min(unit for units in printed.units for unit in units)
        for i, j in printed.places() if finest <= coarsest else ():
            value, unit = printed.values[i][j], printed.units[i][j]
            if value is not None and unit < 1 and not (printed.shape == (1, 1) and has_one_digit(value, unit)):
                self.environment.unsure[abs(value)] = finest

    def _copy(self, stated: Stated, printed: Printed, copied: Mapping[Place, tuple[Ball, Cause]]) -> None:
        """Take numbers that repeat a row printed wrong before for that row: what follows from them is carried."""
        bad = {place: cause for place, (_, cause) in copied.items()}
        rows = [list(row) for row in printed.as_given.rows]
        for (i, j), (right, _) in copied.items():
            rows[i][j] = right
        stated.true = Balls(printed.shape, None, tuple(map(tuple, rows)), printed.as_given.hidden)
        stated.ranged = stated.loose = None
        stated.prints.append(Print(printed.as_given, correct_prints(printed, bad, stated.true), bad))
        self.record.remember_numbers(printed, bad, stated.true)
        for i, j in copied:
            value, unit = printed.values[i][j], printed.units[i][j]
            if value is not None and not has_one_digit(value, unit):
                self.environment.mend_within(self._where.section, value, round_to(stated.true.rows[i][j], unit))

    def _state(self, open_: Open, main: Definition, *, stale: bool = False) -> None:
        stale = stale or self.environment.is_stale(main.used)
        open_.stated = self._stated(
            main.true,
            reckon_ranges(main, self.environment, loose=open_.sought),
            needs=self.environment.needs(main.used) | self.environment.sizes_in(main.expression),
        )
        open_.stated.stale = stale  # Var(q·k) of another d_k, said again
        self._keep(open_)

    def _stated(
        self, true: Balls, ranged: Balls | None, needs: frozenset[f.Expression] = frozenset(), *, given: bool = False
    ) -> Stated:
        where, run = self._where, given and self._where.kind in _RUN
        return Stated(true, ranged, needs=needs, given=given, run=run, section=where.section, example=where.example)

    def _keep(self, open_: Open) -> None:
        assert open_.stated is not None
        for key in open_.keys:
            self.environment.state(key, open_.stated)
            self.expected.roles.note(key, [d.expression for d in open_.definitions])

    def _claim(self, open_: Open, printed: Printed, side: f.Side, source: Source) -> None:
        stated = open_.stated
        assert stated is not None
        true = stated.true
        if printed.shape != true.shape and 1 in printed.shape and printed.shape == true.shape[::-1]:
            printed = printed.turned()
        if printed.shape != true.shape and (left := self.expected.softmax_left_open(printed)) is not None:
            self._claim_of(left, Open("softmax", source), printed, side, source)
            return
        if printed.shape != true.shape:
            sizes = {"found": size_text(printed.shape), "expected": size_text(true.shape)}
            self.record.skip(source, side, Sentence("printed_size", **sizes))
            if not printed.left_out:
                self._give(open_, printed, side)
            return
        if not open_.definitions[0].symbolic and writes_one_of(open_.definitions[0], self._replacements):
            self.record.skip(source, side, Sentence("uses_replacement"))
            return
        if is_run_together(open_.definitions[0], printed, self.environment):
            self.record.skip(source, side, Sentence("run_together"))
            return
        judge, found = judge_about(printed, open_.definitions, stated.ranged, self.environment, side)
        printed = judge.printed
        if not is_sound(found):
            other = judge_by_others(printed, open_.definitions[0], found, self.environment)
            if other is not None:
                found, true = other[0], other[1].true
        in_unit = judge_in_unit(open_, printed, side, source, self.environment, sound=is_sound(found))
        if isinstance(in_unit, Sentence):
            self.record.skip(source, side, in_unit)
            return
        if in_unit is not None and not in_unit[0]:
            open_.definitions = [in_unit[1]]
            self._state(open_, in_unit[1], stale=True)  # p may be 75 or 0.75 from here on
            self._claim(open_, printed, side, source)
            return
        if in_unit is not None:
            self.record.say(open_.subject, (side.start, side.end), printed, in_unit[0], in_unit[1].true, source)
            return
        is_bad = any(j.verdict in BAD for j in found.values())
        doubt = self._doubt(open_, printed, side, source) if is_bad else None
        if doubt is not None and doubt.key in _OTHER and self._put_in_alone(open_, printed):
            self._claim(open_, printed, side, source)
            return
        if doubt is not None:
            self.record.skip(source, side, doubt)
            if doubt.key in _ANEW and not printed.left_out:
                self._give(open_, printed, side)
            return
        ran = is_bad and self.expected.is_run(open_.definitions[0], source)
        if ran and is_as_computed(open_.definitions[0], printed, self.environment):
            self.record.skip(source, side, Sentence("more_digits"))
            return
        reading = None if printed.left_out else find_reading(printed, found, open_.definitions, self.environment)
        own = judge.own() if is_bad else None
        bad = self.record.say(open_.subject, (side.start, side.end), printed, found, true, source, reading, own)
        self._note_meanings(open_.definitions[0], printed, stated)
        open_.claimed = True
        self.environment.note_use(self.environment.needs(open_.definitions[0].used))
        self.expected.note_claim(open_, printed, bad=is_bad)
        if len(stated.prints) == 0:
            self.expected.note_row(open_, printed, side.expression)
        if not is_bad and isinstance(open_.definitions[0].expression, f.Name):
            self.environment.printed_sizes.add(open_.definitions[0].expression)
        if not printed.left_out:
            stated.prints.append(Print(printed.as_given, correct_prints(printed, bad, true), bad))

    def _claim_of(self, found: Definition, open_: Open, printed: Printed, side: f.Side, source: Source) -> None:
        """Judge a print by a formula that was found for it alone, apart from its chain."""
        open_.definitions.append(found)
        self._state(open_, found)
        self._claim(open_, printed, side, source)

    def _put_in_alone(self, open_: Open, printed: Printed) -> bool:
        """Keep of the sides before a print only the numbers put in, 2(0.7 − 1): they count, whatever names mean."""
        plain = [d for d in open_.definitions if not (d.symbolic or f.is_printed(d.expression))]
        if not plain or len(plain) == len(open_.definitions) or plain[0].true.shape != printed.shape:
            return False
        open_.definitions = plain
        self._state(open_, plain[0])
        return True

    def _note_meanings(self, definition: Definition, printed: Printed, stated: Stated) -> None:
        """Remember what the numbers of a print may stand for where those it is made of are prints: −ln 0.22 = 1.51."""
        if within_prints(definition.expression, self.environment) is not None:
            self._doubt_digits(printed, Fraction(1, 10))
        for value in (*meant(definition.expression, self.environment), *self._of_meanings(definition)):
            if stated.true.shape == value.shape and len(right_places(printed, value)) == len(printed.places()):
                stated.meant.append(value)
            for i, j in right_places(printed, value) - value.hidden:
                number = printed.values[i][j]
                if number is not None:
                    self.environment.note_judged(number, value.rows[i][j])

    def _of_meanings(self, definition: Definition) -> Iterator[Balls]:
        """The value where names that were computed from prints are what they are without that rounding."""
        known = ((key, self.environment.stated.get(key)) for key in definition.used)
        choice = {key: stated.meant[-1] for key, stated in known if stated is not None and stated.meant}
        if choice:
            with suppress(NoValueError):
                yield definition.reckoned(self.environment, choice)

    def _give(self, open_: Open, printed: Printed, side: f.Side) -> None:
        """Go on with the numbers as printed, where what they were computed from is unknown."""
        open_.stated = self._stated(printed.as_given, printed.as_ranges(), given=True)
        open_.definitions = [Definition(side.expression, open_.stated.true, (), open_.stated.true)]
        self._keep(open_)

    def _doubt(self, open_: Open, printed: Printed, side: f.Side, source: Source) -> Sentence | None:
        """Why numbers that do not fit are not called wrong, if there is a reason."""
        main, where = open_.definitions[0], source.where
        marked = where.kind in ("inline", "display") and open_.source is source
        if f.is_printed(main.expression) and not marked and not is_same(main.true, printed, self._where.label):
            return Sentence("defined_anew", name=open_.subject)
        known = self.environment.stated.get(main.expression)
        if not open_.claimed and known is not None and is_more_exact(known, printed):
            return Sentence("more_digits")
        other = printed.values == ((None,),) or is_increment(main, open_.keys, printed, self.environment)  # or masked
        if other or (says_which(main.expression) and printed.shape == (1, 1)):
            return Sentence("defined_anew", name=open_.subject)
        if not open_.keys and goes_on_from(self._total, main, printed, source.text[main.expression.start :]):
            return Sentence("half_an_expression")
        reason = self.environment.why_unsure(main.used)
        reason = reason or other_meaning(main, open_.definitions, printed, source, self.environment)
        reason = reason or ("partial_sum" if self.environment.pieces.are_summed(main.expression) else None)
        if reason is not None:
            return Sentence(reason, name=open_.subject)
        if self.environment.is_past(main.used, min(self.expected.taken_up, where.example)):
            return Sentence("earlier_example")
        lone = printed.shape == (1, 1) and all(d.symbolic for d in open_.definitions)
        if lone and self.environment.is_elsewhere(main.used, where.section):
            return Sentence("given_elsewhere")
        if open_.source is source and is_range_at(main, source):
            return Sentence("range_unread")
        after = source.after(side.end)
        in_unit = in_another_unit(printed, main.true, after)
        return in_unit or said_to_be_a_fault(where.label, open_.source.before(main.expression.start), after)
