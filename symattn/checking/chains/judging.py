"""An article's chains of equalities, read in order: what is given, what is claimed, what follows.

A symbol's first value is given. Every later side of a chain that is printed as numbers is a claim.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from symattn.checking.chains.arguments import judge_arguments
from symattn.checking.chains.claims import claim, claim_by
from symattn.checking.chains.context import Context
from symattn.checking.chains.exact_sides import exact_table, expected_of, puts_in
from symattn.checking.chains.first_prints import begin
from symattn.checking.chains.gaps import positions_with_gaps
from symattn.checking.chains.hyphenated import name_before, with_hyphenated
from symattn.checking.chains.magnitudes import with_magnitudes
from symattn.checking.chains.meant.squared_signs import with_signs_squared
from symattn.checking.chains.pairs import is_second_of_pair
from symattn.checking.chains.prints import closed_table, lone_fraction, partial_table
from symattn.checking.chains.result_first import with_result_last
from symattn.checking.chains.rows_left_out import beginning, rows_shown
from symattn.checking.chains.run_on import first_operand, split_run_on
from symattn.checking.chains.termwise import in_a_row, is_sum_of_prints, judge_terms
from symattn.checking.chains.turned import with_columns_upright, with_weights_turned
from symattn.checking.chains.worked_apart import find_worked_apart
from symattn.checking.disowned import said_to_be_a_fault
from symattn.checking.expected.arrows import EQUALITIES, as_result, equation_behind, with_shares
from symattn.checking.expected.conventions import is_sound
from symattn.checking.expected.definitions import (
    as_meant,
    is_index,
    is_range_at,
    is_rising,
    is_worth,
    main_definition,
    put_in_place,
    root_of_square,
)
from symattn.checking.expected.doubts import is_in_thousands
from symattn.checking.expected.positions import names_usual_base
from symattn.checking.expected.said_plainly import said_of
from symattn.checking.expected.sources import Open, Source
from symattn.checking.expected.totals import find_divided_sum, over_own_sum
from symattn.checking.faults import contain_faults
from symattn.checking.naming import rewrite_sides
from symattn.checking.semantics.euler import with_errors_named_e
from symattn.checking.semantics.evaluation import NoValueError, scalar
from symattn.checking.semantics.from_zero import counted_from_one
from symattn.checking.verdicts import (
    Definition,
    Judge,
    Judgement,
    Printed,
    define,
    table_of_prints,
    try_define,
)
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.writing.prose import Sentence

_UNSTATED = f.Name("unstated")  # what the readers say that a program gives a name whose value is no mathematics
NEAR = 3  # lines from a list to what an arrow leads to


_TIME = regex(r"(?<![A-Za-z])(?:[mnµμ]?s|(?:milli|micro|nano)?seconds?|毫?秒)(?![A-Za-z])")


class Chains:
    """Reads chains one after another; `record` has what there is to say."""

    def __init__(self, *, columns: bool = False) -> None:
        self.context = context = Context(columns=columns)
        self.environment, self.record, self.expected = context.environment, context.record, context.expected
        self._last: Open | None = None
        self._example = 0
        self._sinusoidal = False  # whether sines of pos / 10000^… were written
        self._list: tuple[f.Expression, int] | None = None  # the list that was printed last, and in which line

    def read(self, chain: f.Chain, source: Source, lost: bool = False) -> None:
        """Read a chain: what of it is neither judged nor given is listed; `lost` says that its left side is missing."""
        with contain_faults() as fault:
            self._read_parts(chain, source, lost)
        if fault.reason is not None:
            self._last = None
            self.record.skip(source, chain.sides[-1], fault.reason)

    def _read_parts(self, chain: f.Chain, source: Source, lost: bool) -> None:
        """Read a chain, and then what runs on from it."""
        lost |= bool(chain.sides[0].relation)
        whole, rest = split_run_on(with_magnitudes(chain, self.environment), source, self.environment, lost)
        self._read(whole, source)
        self.record.list_rest(whole, source)
        last = whole.sides[-1].expression if rest is None else first_operand(rest.sides[0].expression)
        self.context.ended_in = last.value if isinstance(last, f.Number) else None
        if rest is not None:
            self.environment.doubt({x.base for x in (chain.sides[0].expression,) if isinstance(x, f.Name)})
            self.read(rest, source, lost)

    def _read(self, chain: f.Chain, source: Source) -> None:
        self._enter(chain, source)
        if is_second_of_pair(chain, source, self.environment):
            self.record.skip(source, chain.sides[-1], Sentence("half_an_expression"))
            return
        chain = with_shares(with_hyphenated(chain, source.text))
        chain = with_errors_named_e(chain, source.text, self.environment)
        chain = with_signs_squared(chain, source.text, self.environment)
        self.environment.note_notation(part for side in chain.sides for part in f.walk(side.expression))
        if int in self.environment.from_zero:
            chain = rewrite_sides(chain, counted_from_one)
        chain = rewrite_sides(chain, lambda part: over_own_sum(part, self.environment))
        self._sinusoidal |= any(names_usual_base(side.expression) for side in chain.sides)
        chain = with_weights_turned(with_columns_upright(chain), self.environment)
        chain = with_result_last(as_meant(chain, self.environment), source)
        if source.where.goes_on and self._last is not None:
            chain = as_result(chain, self._last)
        chain, open_, bare = self._open(chain, source)
        begins = open_ is not self._last
        if begins and (name := name_before(chain, source.before(chain.sides[0].start))) is not None:
            if self.environment.knows(name):
                self.environment.doubt({name.base})  # of another machine or model
            else:
                open_.keys.append(name)
        self._last = open_
        self._give_size(chain)
        judge_arguments(self.context, chain, source)
        match [side.expression for side in chain.sides]:
            case [f.Call("softmax", (f.Matrix() as given,)), *rest] if f.is_printed(given):
                if not any(map(f.is_printed, rest)):
                    self.expected.note_argument(given)
        for k, side in enumerate(chain.sides):
            if side.relation not in EQUALITIES:
                self._not_equal(chain, k, source)
                return
            if bare is not None and begins:
                self.expected.take_words(open_, bare, chain.sides[0].expression)
            if isinstance(side.expression, f.Unread):
                open_ = self._unread(open_, side, source)
                continue
            self._side(open_, side, source, first=k == 0 and begins, last=k == len(chain.sides) - 1)
            if k == 0 and begins:
                self.expected.take_numbers_put_in(open_)
        self._close(open_, chain, source)

    def _enter(self, chain: f.Chain, source: Source) -> None:
        """Come to where a chain stands, perhaps to another worked example."""
        self.context.where = source.where
        self.context.at += 1
        self.environment.enter_section(source.where.section)
        self.environment.told = source.where.before
        self.expected.begin_chain(chain, source)
        if source.where.unread:
            self.environment.doubt(source.where.unread)
        if source.where.example > self._example:
            self._example, self._last = source.where.example, None
            self.expected.begin_example(self._example)
            self.environment.wrong_rows.begin_example()

    def _open(self, chain: f.Chain, source: Source) -> tuple[f.Chain, Open, Printed | None]:
        """The chain that is the same as the one before if it goes on with that; and what it prints, if nothing else."""
        first = chain.sides[0].expression
        goes_on = source.where.goes_on and chain.sides[0].relation in ("=", "≈") and self._last is not None
        goes_on = goes_on and is_worth(first, self._last.stated if self._last else None, self.environment)
        if not goes_on and self._works_out(chain):
            chain, goes_on = replace(chain, sides=chain.sides[1:]), True
        alone = len(chain.sides) == 1 or (isinstance(first, f.Number) and chain.sides[1].relation == "→")
        bare = table_of_prints(first) if alone and f.is_printed(first) else None
        if not goes_on and source.where.announced and bare is not None:
            goes_on = self.expected.is_announced(self._last, bare)
        if goes_on and self._last is not None:
            return chain, self._last, bare
        return chain, Open(" ".join(source.text[first.start : first.end].split()), source), bare

    def _close(self, open_: Open, chain: f.Chain, source: Source) -> None:
        """Remember of a chain what it says of names though nothing was printed: S = QKᵀ."""
        if not open_.keys and open_.stated is not None and open_.stated.true.shape != (1, 1):
            open_.keys.append(f.Name("printed", sup=("labelled", str(len(self.environment.stated)))))
            open_.labelled = True
            self.context.keep(open_)
        self.expected.end_chain(chain)
        main = main_definition(open_.definitions, open_.keys) if open_.definitions and open_.keys else None
        ranges = main is not None and (is_range_at(main, source) or is_rising(main.expression))
        own = [key for key in open_.keys if main is not None and _is_of_itself(key, main)]
        if open_.stated is None and own and source.where.kind != "code":
            for key in own:  # y = 1/(1 + e^-y): that y still, or a later one
                self.environment.stated[key].stale = True
        elif open_.stated is None and main is not None and not ranges:
            self.context.state(open_, main)
            open_.stated = None
            self.expected.note_definition(open_.keys, main.expression)
        name = open_.keys[0] if open_.keys else None
        if open_.stated is None and open_.failures and isinstance(name, f.Name):
            self.environment.pieces.others.add(name)
            self.expected.note_promise(name, [side.expression for side in chain.sides[1:]])
            unstated = source.where.kind == "code" and any(side.expression == _UNSTATED for side in chain.sides)
            if unstated or any(side.relation == ":=" for side in chain.sides):
                self.environment.drop(name)  # it has been given another value, which nobody knows
                self.expected.forget_formula(name)
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
        elif open_.failures and len(chain.sides) > 1 and _puts_in_vectors(chain):
            self.record.skip(source, chain.sides[1], open_.failures[0])

    def _give_size(self, chain: f.Chain) -> None:
        """√d_k = √4 says what d_k is."""
        match [side.expression for side in chain.sides[:2]]:
            case [f.Root(f.Name() as name), f.Root(f.Number() as number)]:
                known = self.environment.lookup()(name)
                if known is None or known.rows[0][0] != scalar(number.value).rows[0][0]:
                    self.environment.state(name, self.context.stated(scalar(number.value), None, given=True))

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
            claim_by(self.context, gathered, Open(source.text[side.start : side.end], source), table, side, source)
            return
        for each in rest:
            shown = table_of_prints(each.expression) if isinstance(each.expression, f.Matrix) else None
            meant = None if shown is None else said_of(shown, each, source, self.environment)
            if shown is not None and meant is not None:
                claim_by(self.context, meant, Open("softmax", source), shown, each, source)
                return
        self.record.skip(
            source, replace(side, end=rest[-1].end), Sentence("relation_unchecked", relation=side.relation)
        )
        before = chain.sides[max(k - 1, 0)].expression
        arrows = sum(each.relation == "→" for each in chain.sides)  # 2 → 4 → 1 are the sizes of layers
        table = table_of_prints(side.expression) if side.relation == "→" and arrows == 1 else None
        old = table_of_prints(before) if f.is_printed(before) else None
        self.context.replaced.update(put_in_place(old, table))
        first = chain.sides[0].expression
        whole = old is not None and table is not None and (*old.units, *table.units) == ((Fraction(1),),) * 2
        if k == 2 and isinstance(first, f.Name) and whole:
            self.environment.drop(first)  # `N = 64 → 2048`: N is the one before and the other after
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
            shown = rows_shown(expression) if printed is None and open_.keys else None
            if shown is not None:
                printed, side = table_of_prints(shown), replace(side, expression=shown)
            if printed is None:
                self._claim_beginning(open_, side, source)
                return
        elif last and not first and self._is_new_name(open_, expression):
            open_.keys.append(expression)
            self.context.keep(open_)
            return
        else:
            printed = closed_table(expression) if last and self._is_held_against(open_) else None
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
        if open_.stated is None:
            begin(self.context, open_, printed, side, source)
        assert open_.stated is not None
        if not open_.given:
            claim(self.context, open_, printed, side, source)
        open_.given = False

    def _is_held_against(self, open_: Open) -> bool:
        """Whether there is something that numbers are held against: a formula before them, or what their name is."""
        if open_.definitions or open_.stated:
            return True
        name = open_.keys[0] if open_.keys else None
        if name is None or not self.environment.knows(name) or self.environment.is_given(name):
            return False
        stated = self.environment.stated.get(name)  # given in closed form, [√2, 0], it may be given anew
        return stated is None or bool(stated.prints or stated.needs)

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
        about = side.relation == "≈"
        printed = None if true is None else exact_table(side.expression, true, about=about)
        if true is not None and printed is not None:
            found = {place: Judgement("rounded" if about else "exact") for place in printed.places()}
            self.record.say(open_.subject, (side.start, side.end), printed, found, true, source)
        elif true is not None and self._is_of_other_whole_numbers(side.expression, true):
            self.record.skip(source, side, Sentence("terms_unread"))

    def _is_of_other_whole_numbers(self, expression: f.Expression, true: Balls) -> bool:
        """Whether a list is worked out of whole numbers, [1 + 0, 0 + 0], and is not what stands before it."""
        numbers = [part for part in f.walk(expression) if isinstance(part, f.Number)]
        definition = try_define(expression, self.environment) if isinstance(expression, f.Matrix) else None
        if definition is None or definition.symbolic or any(number.places != 1 for number in numbers):
            return False
        pairs = zip(definition.true.rows, true.rows, strict=False)
        same = all(a.overlaps(b) for row, other in pairs for a, b in zip(row, other, strict=False))
        return definition.true.shape == true.shape and not same

    def _terms(self, open_: Open, side: f.Side, source: Source) -> bool:
        """Judge the numbers of a side that stand for parts of those before; a sum of prints is listed at least."""
        formulas = [d.expression for d in open_.definitions]
        terms = judge_terms(formulas, side.expression, self.environment, side.relation)
        terms = terms or find_worked_apart(formulas, side.expression, self.environment)
        before, after = (
            open_.source.before(open_.definitions[0].expression.start) if formulas else "",
            source.after(side.end),
        )
        if not all(term.right for term in terms) and (fault := said_to_be_a_fault(source.where.label, before, after)):
            self.record.skip(source, side, fault)
            return True
        said = [term for term in terms if not term.again]
        timed = _TIME.search(source.after(side.end).partition("\n")[0]) is not None
        if timed and any(is_in_thousands(term.printed, term.definition.true) for term in said):
            self.record.skip(source, side, Sentence("unit_unread"))  # seconds before the sign, milliseconds behind it
            return True
        row = in_a_row(said) if said else None
        if row is not None:
            at = (side.start, side.end)
            self.record.say(open_.subject, at, row.printed, row.found, row.definition.true, source)
        for term in said if row is None else ():
            at = (term.expression.start, term.expression.end)
            self.record.say(open_.subject, at, term.printed, term.found, term.definition.true, source)
        alone = not terms and is_sum_of_prints(side.expression)
        if alone and (open_.definitions or open_.failures):
            self.record.skip(source, side, Sentence("terms_unread"))
        elif alone and open_.keys:
            self.record.pass_over(source, side.start, side.end)  # total = 2.7 + 7.4 = 10.1: they are what is added
        elif alone and side.relation and not self.context.where.goes_on:
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
        if known is None and self._sinusoidal and not (open_.keys or open_.failures):
            found = positions_with_gaps(expression, self.environment)
            if found is not None:
                open_.definitions.append(found[0])
                return found[1]
        return None if known is None else partial_table(expression, known.shape)

    def _claim_beginning(self, open_: Open, side: f.Side, source: Source) -> None:
        """Hold a list that ends in dots against one of as many expressions before its dots; the name has neither."""
        shown = beginning(side.expression)
        printed = None if shown is None else table_of_prints(shown)
        if printed is None or open_.begun is None or open_.begun.true.shape != printed.shape:
            self.record.skip(source, side, Sentence("partial_matrix"))
            return
        assert shown is not None
        open_.failures.clear()
        claim_by(
            self.context, open_.begun, Open(open_.subject, source), printed, replace(side, expression=shown), source
        )

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
        if (root := root_of_square(open_.keys, expression, self.environment)) is not None:
            open_.definitions.append(define(root, self.environment))
        try:
            definition = define(expression, self.environment)
            if (width := _width_of_lists(expression)) and definition.true.shape == (1, 1):
                # q kᵀ of two columns, [1, 2][3, 4] = 11: the numbers put in say that their dot product is meant
                open_.definitions[:] = [d for d in open_.definitions if d.true.shape != (width, width)]
            rounded = side.relation == "≈" and bool(open_.failures) and not open_.definitions
            open_.definitions.append(replace(definition, rounded=rounded and not definition.symbolic))
        except NoValueError as error:
            open_.failures.append(error.reason)
            self._doubt_entry(open_, error.reason)
            shown = beginning(expression)
            open_.begun = None if shown is None else try_define(shown, self.environment)
        if isinstance(expression, f.Root) or any(isinstance(part, f.Name) for part in f.walk(expression)):
            open_.keys.append(expression)

    def _doubt_entry(self, open_: Open, reason: Sentence) -> None:
        """Hold A_21 = e^{S_21}/… against no A that was given where S has no value: both may be of another example."""
        match [definition.expression for definition in open_.definitions]:
            case [f.Name() as entry] if reason.key == "name_unknown" and not open_.keys:
                if self.environment.is_entry(entry) and self.environment.is_given(entry):
                    open_.definitions.clear()


def _is_of_itself(name: f.Expression, main: Definition) -> bool:
    """Whether a name is said to be a function of itself, and no step from it to the next: w = w - 0.1g, S = S/2."""
    return main.expression != name in main.used and name not in _steps_from(main.expression)


def _steps_from(expression: f.Expression) -> list[f.Expression]:
    """What something is added to, or multiplied."""
    match expression:
        case f.Sum(terms=parts) | f.Product(factors=parts) | f.Quotient(numerator=f.Product(factors=parts)):
            return [step for part in parts for step in _steps_from(part)]
        case f.Quotient():
            return _steps_from(expression.numerator)
    return [expression]


def _width_of_lists(expression: f.Expression) -> int:
    """How many numbers each of two lists has whose product a side is; 0 if it is none."""
    match expression:
        case f.Product(factors=(f.Matrix(rows=(row,)) as left, f.Matrix(rows=(other,)) as right)):
            return len(row) if len(row) == len(other) and f.is_printed(left) and f.is_printed(right) else 0
    return 0


def _puts_in_vectors(chain: f.Chain) -> bool:
    """Whether lists are put in for names that have no value, q · k = [2, 1] · [1, 2] = 4: nobody says where from."""
    match [side.expression for side in chain.sides[:2]]:
        case [f.Product(factors=names), f.Product(factors=lists)]:
            named = all(isinstance(name, f.Name) for name in names)
            return named and len(names) == len(lists) and all(isinstance(part, f.Matrix) for part in lists)
    return False
