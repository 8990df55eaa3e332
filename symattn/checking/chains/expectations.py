"""What a print is held against that has no formula beside it: what its name, the words before it, or it itself says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from unicodedata import combining

from symattn.checking.chains.record import Record
from symattn.checking.expected.applied import (
    Bare,
    applied_to,
    find_share,
    joined_with,
    rows_meant_for_softmax,
    says_normalised,
    says_otherwise,
)
from symattn.checking.expected.called import words_of
from symattn.checking.expected.definitions import define_once, is_as_large, is_given_anew, is_number_anew, is_same
from symattn.checking.expected.displayed import result_of
from symattn.checking.expected.evidence import (
    borne_out,
    evident,
    is_far,
    is_shown,
    mostly_right,
    telling_places,
    worths,
)
from symattn.checking.expected.gathered import GatheredRows, Singles, copy_of_entries
from symattn.checking.expected.implied_steps import (
    ROOT,
    Roles,
    RowByRow,
    find_shown,
    formulas_of,
    imply_definition,
    is_one_hot,
    is_probability,
    role_of_name,
    role_of_words,
    spell_out,
)
from symattn.checking.expected.inputs import find_temperature, says_anew
from symattn.checking.expected.labels import (
    find_labelled_name,
    find_labelled_step,
    is_assumed,
    letter_in,
    subject_of,
    symbol_behind,
    symbol_in,
)
from symattn.checking.expected.listed_scores import softmax_of_lines
from symattn.checking.expected.measures import (
    Measures,
    MeasuresOfRows,
    RowMeasures,
    is_argument,
    is_largest,
    measured_by,
    measured_by_words,
    measured_of_rows,
)
from symattn.checking.expected.named_rows import NamedRows
from symattn.checking.expected.own_functions import find_value
from symattn.checking.expected.positions import row_of_positions, sinusoids
from symattn.checking.expected.reworked import find_named_weights, find_reworked
from symattn.checking.expected.sought import Search
from symattn.checking.expected.sources import Open, Source, Where
from symattn.checking.expected.stacked import StackedRows
from symattn.checking.expected.totals import (
    find_mean,
    find_shares,
    find_total,
    is_called_sum,
    is_long,
    is_said_to_be_sum,
    sum_of_all_powers,
)
from symattn.checking.expected.weight_rows import find_row_of_weights, find_weights_of_rows
from symattn.checking.naming import begins_with, ends_in
from symattn.checking.semantics.environment import Environment, Stated
from symattn.checking.verdicts import Definition, Printed, agreeing, define, is_all_right, try_define
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.printed import same_values
from symattn.writing.prose import Sentence

MOST_UNPRINTED = MOST_UNNAMED = 3
MOST_LINES = MOST_ABOVE = 4  # from scores to their weights, and the lists above that are remembered
_NO_MORE_THAN_WEIGHTS = regex(
    r"(?i)\W*(?:the )?(?:attention |softmax |final |resulting )*weights?\W*|\W*(?:注意力|归一化)?权重\W*"
)


class Expectations:
    """Remembers what was said of names and lists, and finds from it the formula of a print that has none."""

    def __init__(self, environment: Environment, record: Record) -> None:
        self.environment = environment
        self.record = record
        self.roles = Roles()
        self.argument: Bare | None = None  # the list that softmax was said to be taken of last, but not what it is
        self.inputs = frozenset[f.Expression]()  # the names that the line of the chain gives plain numbers, if it does
        self.taken_up = 0  # the earlier worked example that the one being read goes on with
        self._rows = RowByRow()
        self._singles = Singles()
        self._judged_rows = GatheredRows()
        self._stacked = StackedRows()
        self._measures, self._row_measures, self._measures_of_rows = Measures(), RowMeasures(), MeasuresOfRows()
        self._counted = NamedRows()
        self._unprinted: list[tuple[f.Expression, int]] = []  # formulas without numbers, and under which heading
        self._search = Search(environment)
        self._where = Where()
        self._promised: dict[f.Expression, list[f.Expression]] = {}  # formulas of names that had no value yet
        self._bare: Bare | None = None  # the last list with nothing but words before it
        self._now: tuple[f.Expression, Source] | None = None  # what the chain that is being read is about, and where
        self._before: tuple[f.Expression, Source] | None = None  # the same of the one before
        self._matrix: Bare | None = None  # the last matrix of several rows with nothing but words before it
        self._row: Bare | None = None  # the last row that was judged
        self._above: list[f.Expression] = []
        self._unnamed: list[f.Expression] = []  # the rows without a name, the last one first
        self._source: Bare | None = None  # the list of which the last one is a function, as words say
        self._bare_now: tuple[Bare, int] | None = None  # the one that is being read, and under which heading
        self._bare_before: tuple[Bare, int] | None = None  # the one read just before
        self._defined: dict[f.Expression, tuple[f.Expression, int]] = {}  # by which formula, under which heading
        self._just_defined: Sequence[f.Expression] = ()  # what the last chain gave a formula, but no numbers

    def begin_chain(self, chain: f.Chain, source: Source) -> None:
        self._where = source.where
        self._counted.note(source.where.label, source.where.section)
        self._bare_before, self._bare_now = self._bare_now, None
        self._before, self._now = self._now, (chain.sides[0].expression, source)

    def _line(self) -> int:
        """Where the chain begins that is being read."""
        return 0 if self._now is None else self._now[1].place(0)[0]

    def begin_example(self, example: int) -> None:
        """Forget what was said of the names of the example before."""
        self.taken_up = example
        self.roles, self._rows, self._promised, self._singles = Roles(), RowByRow(), {}, Singles()
        self._stacked = StackedRows()

    def lists_above(self) -> list[f.Expression]:
        """The lists with nothing but words before them, the last one first."""
        return list(self._above)

    def note_argument(self, given: f.Matrix) -> None:
        """A list of numbers that softmax is said to be taken of."""
        self.argument = self._bare = Bare(given, self._where.label, self._line(), softmaxed=True)

    def note_definition(self, keys: Sequence[f.Expression], formula: f.Expression) -> None:
        """Names that a chain gave a formula, but no numbers."""
        self._just_defined = tuple(keys)
        self._unprinted = [*self._unprinted[-MOST_UNPRINTED:], (formula, self._where.section)]
        self._defined.update(dict.fromkeys(keys, (formula, self._where.section)))

    def forget_formula(self, name: f.Name) -> None:
        """A name is no longer what its formula says."""
        self._defined.pop(name, None)

    def note_promise(self, name: f.Name, formulas: list[f.Expression]) -> None:
        """A name whose formulas have no value yet."""
        self._promised[name] = formulas

    def note_row(self, open_: Open, printed: Printed, expression: f.Expression) -> None:
        """A list of numbers, given or judged."""
        self._stacked.note(next(iter(open_.keys), None), expression, printed)
        if not open_.keys and printed.shape[0] == 1:
            self._unnamed = [expression, *self._unnamed[: MOST_UNNAMED - 1]]

    def note_claim(self, open_: Open, printed: Printed, *, bad: bool) -> None:
        """A print that was judged."""
        if not bad:
            self._judged_rows.note(open_.definitions[0], printed)
            if len(printed.places()) >= 4:
                self.take_up(open_.definitions[0].used)
        self._singles.note(open_, open_.definitions[0], printed)
        if printed.shape[0] == 1 < printed.shape[1]:
            cells = zip(printed.texts[0], printed.values[0], printed.units[0], strict=True)
            numbers = [f.Number(text, value, unit) for text, value, unit in cells if value is not None]
            self._row = Bare(f.Matrix((tuple(numbers),)), self._where.label)

    def end_chain(self, chain: f.Chain) -> None:
        self._rows.note(chain, self.roles, self.environment)
        self.roles.alike.note(chain)
        self._just_defined = ()

    def is_announced(self, last: Open | None, printed: Printed) -> bool:
        """Whether a matrix is what the formula before it comes to, as in "the scores are QKᵀ: [...]"."""
        if last is None or last.stated is not None:
            return False
        return any(is_all_right(printed, d.true) or evident(d, printed, self.environment) for d in last.definitions)

    def take_numbers_put_in(self, open_: Open) -> None:
        """Take numbers that are put into the formula just defined, S = QKᵀ and then [...] × [...], for that name's."""
        if open_.keys or len(open_.definitions) != 1 or not self._just_defined:
            return
        known, (formula, _) = self.environment.stated.get(self._just_defined[0]), self._defined[self._just_defined[0]]
        written = open_.definitions[0].written
        if known is None or known.prints or written.shape != known.true.shape or written.shape == (1, 1):
            return
        definition = try_define(formula, self.environment, by_parts=True)
        if definition is None:  # its parts were given once, and are not known any more
            return
        if any(same_values(value, written) for value in worths(definition, self.environment)):
            open_.keys += self._just_defined
            open_.definitions.append(definition)

    def take_words(self, open_: Open, printed: Printed, expression: f.Expression) -> None:
        """Take a matrix with nothing but words before it for the step that these name."""
        label, line = words_of(self._where.label, self.environment), self._line()
        if is_said_to_be_sum(label):
            self._add_up(open_, printed)
        if (symbol := symbol_behind(label)) is not None and self._is_shown_again(symbol, printed):
            open_.definitions.append(define(symbol, self.environment))
            return
        if (symbol := symbol_in(label)) is not None and self._is_called(symbol, printed):
            open_.keys.append(symbol)
            open_.definitions.append(define(symbol, self.environment))
            return
        found = find_labelled_step(label, printed, self.roles, self.environment) if len(printed.places()) > 2 else None
        if found is not None and (found[1] is not None or not self._is_another_step(found[0], printed)):
            role, definition = found
            open_.keys.append(find_labelled_name(role))
            open_.labelled = True
            definition = definition or self._next_of(role, label, printed) or self._shares(open_, printed)
            open_.take(definition, subject_of(label))
        if not open_.definitions:
            self._gather(open_, printed)
        for find in (self._measure_rows, self._awaited_weights, self._listed_weights):
            if not open_.definitions:
                open_.take(find(label, printed), subject_of(label))
        if not (open_.definitions or is_assumed(label) or says_otherwise(label)):
            open_.take(find_weights_of_rows(printed, self.environment))
        if not open_.definitions and (self._bare or self._row) is not None:
            lists = [b for b in (self.argument, self._bare, self._row, self._source, self._matrix) if b is not None]
            found_of = ((bare, applied_to(bare, self._where, line, printed, self.environment)) for bare in lists)
            self._source, applied = next((a for a in found_of if a[1] is not None), (None, None))
            if applied is None and self.roles.before and self._bare is not None:
                applied = joined_with(self._bare, self.roles.before[-1], label, printed, self.environment)
            if applied is None and self._matrix is not None:
                applied = rows_meant_for_softmax(self._matrix, self._where, line, printed, self.environment)
            open_.take(applied, subject_of(label))
        if not open_.definitions:
            self._count_rows(open_, label, printed)
        if not open_.definitions and (name := letter_in(label)) is not None:
            self._name(open_, name, printed)
        self._bare_now = Bare(expression, label, line), self._where.section
        if min(printed.shape) > 1:
            self._matrix = self._bare_now[0]
        if isinstance(expression, f.Matrix):
            self._above = [expression, *self._above[:MOST_ABOVE]]
        if printed.shape != (1, 1):  # a mean between a list and what is made of that is no list
            self._bare = self._bare_now[0]

    def _is_another_step(self, role: str, printed: Printed) -> bool:
        """Whether a matrix shows numbers of another step once more: "Head 1 produced" its scores, no output."""
        known = ((key, stated) for key, stated in self.environment.stated.items() if stated.prints)
        same = [self.roles.role(key) for key, stated in known if same_values(stated.true, printed.as_given)]
        return min(printed.shape) > 1 and any(same) and role not in same

    def _awaited_weights(self, label: str, printed: Printed) -> Definition | None:
        """The weights of a matrix below `W = softmax(S)`, which waits for its numbers: with a mask, or without one."""
        waiting = [formula for formula, section in self._unprinted if section == self._where.section]
        waiting += [formula for formulas in self._promised.values() for formula in formulas]
        waits = any(self.roles.role(formula) == "weights" for formula in waiting)
        if not waits or printed.shape[0] < 2 or is_assumed(label) or find_temperature(self.environment) is not None:
            return None
        return find_shown("weights", printed, self.roles, self.environment)

    def _listed_weights(self, _: str, printed: Printed) -> Definition | None:
        return softmax_of_lines(self._where, self._line(), printed, self.environment)

    def _next_of(self, role: str, label: str, printed: Printed) -> Definition | None:
        """What a labelled list makes of the numbers right above it: any step that fits, or softmax of named scores."""
        found = find_reworked(self._singles, printed, self.environment, role, farther=self._farther_lists())
        if found is not None or role != "weights" or self._bare is None or self._line() - self._bare.line > MOST_LINES:
            return found
        if not _NO_MORE_THAN_WEIGHTS.fullmatch(label):  # a temperature, a bias, another kind
            return None
        return find_named_weights(self._bare, printed, self.environment)

    def _is_called(self, symbol: f.Name, printed: Printed) -> bool:
        """Whether a matrix is evidently what a letter was defined to be that words before it call it by."""
        stated = self.environment.stated.get(symbol)
        fresh = stated is not None and bool(stated.formulas) and not (stated.given or stated.prints)
        return fresh and evident(define(symbol, self.environment), printed, self.environment)

    def _is_shown_again(self, symbol: f.Name, printed: Printed) -> bool:
        """Whether a matrix is what is known of the letter behind its words, "Attention matrix (A):"."""
        known = try_define(symbol, self.environment)
        return known is not None and printed.shape[0] > 1 and is_same(known.true, printed, self._where.label)

    def _name(self, open_: Open, name: f.Name, printed: Printed) -> None:
        """Take a list for what its label calls by a letter; where that is another list too, nobody knows which."""
        if not self.environment.knows(name):
            open_.keys.append(name)
        elif not same_values(define(name, self.environment).true, printed.as_given):
            self.environment.doubt({name.base})

    def _count_rows(self, open_: Open, label: str, printed: Printed) -> None:
        """Take a list for the row that words count, of the formula that was left without numbers or that they name."""
        formulas = [formula for formula, section in reversed(self._unprinted) if section == self._where.section]
        role = role_of_words(label.lower())
        if role is not None:
            formulas += [formula for formula, _ in formulas_of(role, printed, self.roles, self.environment)]
        section = self._where.section
        open_.take(self._counted.find(label, printed, formulas, section, self.environment), subject_of(label))

    def put_list_in(self, expression: f.Expression, source: Source) -> f.Expression:
        """softmax(logits) with the list put in that was printed right before it as `logits_at_position_2`.

        In softmax(·) it is what the equation before it in the same formula is about; softmax(2) is its share in the
        list of scores that has one 2.
        """
        match expression:
            case f.Call("softmax", (f.Number() as number,)):
                return find_share(number, self._bare, self.environment) or expression
            case f.Call(arguments=(f.Name() as name,)) if self._bare_before and not self.environment.knows(name):
                bare, section = self._bare_before
                if section == self._where.section and begins_with(bare.label, name):
                    return replace(expression, arguments=(bare.expression,))
            case f.Call(arguments=(f.Name("·"),)) if self._before is not None and self._before[1] is source:
                return replace(expression, arguments=(self._before[0],))
        return expression

    def find_formula(self, open_: Open, printed: Printed, source: Source) -> None:
        """A formula for what is printed without one: from its name, or from what was said before."""
        if open_.keys and not open_.failures and (is_called_sum(open_.keys[0]) or is_long(printed)):
            self._add_up(open_, printed)
        if open_.keys and not (open_.failures or open_.definitions):
            self._take_argument(open_, printed)
        if not (open_.failures or open_.definitions):
            shares = self._shares(open_, printed) or self._rework(open_, printed)
            open_.take(shares or self._judged_rows.of_function(open_.keys[:1], printed, self.environment))
        if not open_.definitions:
            self._measure(open_, printed)
        if open_.keys and not (open_.failures or open_.definitions):
            self._shorten(open_, source)
            self._again(open_, printed, source)
            self._take_row_of_weights(open_, printed)
            self._apply_own(open_, printed)
        if open_.keys and not open_.definitions and self._may_imply(open_.keys[0], open_.failures):
            open_.take(imply_definition(open_.keys[0], printed, self.roles, self.environment))
        if not (open_.definitions or open_.failures) and open_.keys:
            self._take_step(open_, printed)
        if not (open_.definitions or open_.failures) and open_.keys:
            self._take_softmax_of_lines(open_, printed)
        named = bool(open_.keys) and not (open_.labelled or open_.definitions or open_.failures)
        if named and self._before is not None and self._where.follows:
            open_.take(result_of(self._before[0], printed, self.environment))
        if not open_.definitions and open_.keys:
            promised = [] if open_.failures else self._promised.get(open_.keys[0], [])
            self._spell_out(open_, printed, open_.keys[-1:] if open_.failures else promised)
        if not (open_.definitions or open_.failures or open_.keys):
            open_.take(self._rows.next(printed, self.environment))
        if not (open_.definitions or open_.failures):
            self._gather(open_, printed)

    def _may_imply(self, name: f.Expression, failures: Sequence[Sentence]) -> bool:
        """Whether no formula was left unread: nor softmax(S̃) of scores without a value, which something has changed."""
        match self._promised.get(name):
            case [f.Call("softmax", (f.Name(base) as scores,)), *_] if any(map(combining, base)):
                return self.environment.knows(scores)
        return not failures or isinstance(name, f.Call)

    def _shares(self, open_: Open, printed: Printed) -> Definition | None:
        """The numbers computed last, each over their sum, if a row is that."""
        if is_one_hot(printed):
            return None
        lists = [bare for bare in (self._row, self._bare) if bare is not None]
        return find_shares(self._singles, lists, self._is_called_weights(open_), printed, self.environment)

    def _is_called_weights(self, open_: Open) -> bool:
        """Whether the name of a print, or the words before it, say that it is weights or probabilities."""
        name, label = (open_.keys[0] if open_.keys else None), self._where.label.lower()
        if name is None:
            return not is_assumed(label) and (role_of_words(label) == "weights" or says_normalised(label))
        letter = isinstance(name, f.Name) and name.base in _SHARES
        return role_of_name(name) == "weights" or is_probability(name) or letter

    def _take_step(self, open_: Open, printed: Printed) -> None:
        """Take a new name for the step that the words before it name, "By softmax:", where the numbers are of that."""
        if self.environment.knows(open_.keys[0]) or len(printed.places()) < 3:
            return
        _, definition = find_labelled_step(self._where.label, printed, self.roles, self.environment) or ("", None)
        shown = mostly_right if printed.shape[0] == 1 else evident
        if definition is not None and shown(definition, printed, self.environment):
            open_.definitions.append(definition)

    def _take_row_of_weights(self, open_: Open, printed: Printed) -> None:
        """Take a new α_{0,:}, or one that is given anew, for that row of the softmax of the scores printed last."""
        if open_.definitions or not open_.keys or (open_.anew is None and self.environment.knows(open_.keys[0])):
            return
        around = self._where.label + self._where.after.partition("\n")[0]
        if is_assumed(around) or says_otherwise(around):
            return
        open_.take(find_row_of_weights(open_.keys[0], printed, self.roles, self.environment))

    def _take_argument(self, open_: Open, printed: Printed) -> None:
        """Take weights for the softmax of the list that it was said to be taken of right above: "softmax([2, 1])"."""
        given, line = self.argument, self._line()
        if given is None or not 0 <= line - given.line <= MOST_LINES or role_of_name(open_.keys[0]) != "weights":
            return
        open_.take(self.softmax_left_open(printed))

    def _take_softmax_of_lines(self, open_: Open, printed: Printed) -> None:
        """Take weights for the softmax of the scores in the lines right above, however wrong."""
        name = open_.keys[0]
        if role_of_name(name) == "weights" and (open_.anew is not None or not self.environment.knows(name)):
            open_.take(softmax_of_lines(self._where, self._line(), printed, self.environment))

    def _apply_own(self, open_: Open, printed: Printed) -> None:
        """Take f(3) for what the article's own formula of f(x) comes to."""
        if open_.definitions or not open_.keys or self.environment.knows(open_.keys[0]):
            return
        said = {name: [formula] for name, (formula, _) in self._defined.items()} | self._promised
        found = find_value(open_.keys[0], printed, said, self.environment)
        open_.take(found or row_of_positions(open_.keys[0], printed, said, self.environment))

    def _measure(self, open_: Open, printed: Printed) -> None:
        """Take a number for the mean, the variance or the deviation that its name or its label says it is."""
        name = open_.keys[0] if open_.keys else None
        function = measured_by_words(self._where.label) if name is None else measured_by(name)
        if function is None or (name is not None and is_argument(open_.source.before(name.start))):
            return
        if name is not None and is_largest(open_.source.text[name.end :]):
            return
        known, line = name is not None and self.environment.knows(name), self._line()
        found = None if known else self._measures.find(function, printed, line, self.environment)
        found = found or self._row_measures.find(function, printed, line, self.environment)
        if found is None:
            bare = self._bare if self._bare is not None and 0 <= line - self._bare.line <= MOST_LINES else None
            shown = None if bare is None else bare.expression
            found = self._measures.find_again(function, printed, line, shown, self.environment)
        if found is None and function == "mean":
            found = find_mean(self._singles, printed, self.environment)
        if found is not None:
            open_.take(found)
            open_.keys.append(found.expression)
        else:
            self._measures.leave()

    def _measure_rows(self, label: str, printed: Printed) -> Definition | None:
        """The measures of all rows of the last matrix, which a list is by the words before it, "Means per token:"."""
        matrix, function = None if self._matrix is None else self._matrix.expression, measured_of_rows(label)
        if function is None or not isinstance(matrix, f.Matrix):
            return None
        return self._measures_of_rows.find(function, matrix, printed, self.environment)

    def _rework(self, open_: Open, printed: Printed) -> Definition | None:
        """What a list is made of that does the next step to the numbers above it."""
        name = open_.keys[0] if open_.keys else None
        temperature = find_temperature(self.environment)
        if name is not None and (self.record.is_input(name) or (self.environment.knows(name) and temperature is None)):
            return None
        label = self._where.label.lower()
        if is_assumed(label):
            return None
        said = (None if name is None else role_of_name(name)) or role_of_words(label)
        in_table = name is None and self._where.kind == "table"
        if temperature is not None and (in_table or (isinstance(name, f.Name) and is_probability(name))):
            said = said or "weights"
        return find_reworked(self._singles, printed, self.environment, said, temperature, self._farther_lists())

    def _farther_lists(self) -> list[f.Expression]:
        """The lists without a name, and the latest scores, which may be what words call scaled."""
        return [*self._unnamed, *(formula for role, formula in self.roles.latest.items() if role == "scores")]

    def _add_up(self, open_: Open, printed: Printed) -> None:
        """Take a number that is said to be a sum for that of what was printed before, if it is."""
        lists = [bare for bare in (self._row, self._bare) if bare is not None]
        around = self._where.before + self._where.after
        found = (find_total(bare, self._singles, printed, around, self.environment) for bare in lists or (None,))
        total = next(filter(None, found), None)
        open_.take(total or sum_of_all_powers(self._singles, self._above, printed, self._now, self.environment))

    def _gather(self, open_: Open, printed: Printed) -> None:
        """Take a list for the single numbers computed before it, or for positions, if it has them all."""
        if singles := self._singles.gathered(printed, self.environment, self._where.label):
            open_.definitions += singles
            return
        gathered = self._judged_rows.gathered(printed, self.environment)
        gathered = gathered or self._singles.collected(open_.keys, printed, self._where, self.environment)
        gathered = gathered or copy_of_entries(printed, self._where.label, self.environment)
        open_.take(gathered or sinusoids(printed, self.environment))

    def behind_an_arrow(self, printed: Printed) -> Definition | None:
        """The single numbers computed last, where an arrow leads to a list of just these."""
        return next(iter(self._singles.gathered(printed, self.environment, "result")), None)

    def softmax_left_open(self, printed: Printed) -> Definition | None:
        """Softmax of the list that it was said to be taken of last, if a row is that: exponentials and sum between."""
        given = None if self.argument is None else self.argument.expression
        found = None if given is None else try_define(f.Call("softmax", (given,)), self.environment)
        return found if found is not None and mostly_right(found, printed, self.environment) else None

    def seek_formula(self, open_: Open, printed: Printed) -> None:
        """Look for the formula that the numbers themselves show, where it may not be an input."""
        if not (open_.keys and self.record.is_input(open_.keys[0])):
            open_.sought |= open_.take(self._search.find(printed, self.taken_up, open_))

    def _spell_out(self, open_: Open, printed: Printed, formulas: Sequence[f.Expression]) -> None:
        """A formula in what had no value, "Attention Weights" or what came later, if the numbers bear it out."""
        for formula in formulas:
            definition = try_define(spell_out(formula, self.roles, self.environment), self.environment)
            if definition is None and self._stack(formula, printed):
                definition = define(formula, self.environment)
            elif definition is not None and not borne_out(definition, printed, self.environment):
                definition = None
            if open_.take(definition):
                return

    def _stack(self, formula: f.Expression, printed: Printed) -> bool:
        """Take the one unknown matrix of a formula for rows given one by one, if the print makes that evident."""
        if (found := self._stacked.find(formula, printed, self.environment)) is None:
            return False
        name, stack, whole = found
        where, needs = self._where, self.environment.needs(whole.used)
        stated = Stated(whole.true, needs=needs, section=where.section, example=where.example)
        self.environment.state(name, stated)
        self.environment.state(stack.matrix, stated)
        self.record.take_for_inputs(stack.rows)
        return True

    def _shorten(self, open_: Open, source: Source) -> None:
        """Take a new name for the one just defined whose last words it is: Scores for attention_scores."""
        name, whole = open_.keys[0], next(iter(self._just_defined), None)
        if whole is None or self.environment.knows(name) or self._defined[whole][1] != source.where.section:
            return
        if ends_in(whole, name) and role_of_name(whole) == role_of_name(name) is not None:
            open_.keys.insert(0, whole)

    def _again(self, open_: Open, printed: Printed, source: Source) -> None:
        """A name printed again without a formula: a claim that it is still the same, if most of it is."""
        known = try_define(open_.keys[0], self.environment)
        if known is None or (not known.symbolic and not self.environment.knows(open_.keys[0])):
            return  # a width that nothing but the length of vectors tells
        anew = says_anew(self.inputs - self._defined.keys(), printed, known.true)
        if not anew and open_.take(self._first_print(open_.keys[0], printed, source)):
            return
        same = not anew and is_same(known.true, printed, self._where.label)
        if same and not is_given_anew(self.environment.stated.get(known.expression), printed, known.true):
            if agreeing(printed, known.true) == len(printed.places()) >= 4:
                self.take_up([known.expression])
            open_.definitions.append(known)
            open_.keys.clear()
            return
        if known.true.shape == printed.shape:
            open_.anew = Sentence("defined_anew", name=open_.subject)

    def take_up(self, names: Sequence[f.Expression]) -> None:
        """An example that restates a matrix of an earlier one, or has what follows from it, goes on with that one."""
        known = (self.environment.stated[name] for name in names if name in self.environment.stated)
        self.taken_up = min([self.taken_up, *(stated.example for stated in known if stated.given)])

    def _first_print(self, name: f.Expression, printed: Printed, source: Source) -> Definition | None:
        """The formula of a name that has had no numbers yet, if this is its print: under the same heading, or close."""
        stated, (formula, section) = self.environment.stated.get(name), self._defined.get(name, (None, -1))
        if stated is None or formula is None or stated.prints or stated.given:
            return None
        if (definition := define_once(name, formula, self.environment)) is None:
            return None
        near = section == source.where.section or name in self._just_defined
        near &= not (source.where.kind == "line" and is_far(definition, printed))  # b=128 x 128K, and b=1
        definition = self._scaled(definition, formula, printed) or definition
        lying = printed, printed.turned() if printed.shape[0] == 1 else printed
        if isinstance(formula, f.Matrix) and not any(agreeing(each, definition.true) for each in lying):
            near = False  # of entries written out one by one, that are all of something else, the formulas may be wrong
        fits = is_as_large(definition.true, printed) and not is_number_anew(formula, printed, definition.true)
        fits = fits and (near or borne_out(definition, printed, self.environment))
        shown = fits and (not self.is_run(definition, source) or is_shown(definition, printed, self.environment))
        return definition if shown else None

    def _scaled(self, definition: Definition, formula: f.Expression, printed: Printed) -> Definition | None:
        """The scores divided by √d_k, where these are printed: "S = QKᵀ, then scaled", and S in another formula."""
        if self.roles.role(formula) != "scores" or is_all_right(printed, definition.true):
            return None
        scaled = try_define(f.Quotient(formula, ROOT), self.environment)
        fits = scaled is not None and is_all_right(printed, scaled.true)
        return scaled if fits and len(telling_places(printed)) > 1 else None

    def is_run(self, definition: Definition, source: Source) -> bool:
        """Whether a print may come from other numbers: a comment does not where all that it needs stands above it."""
        where = source.where
        if where.kind != "comment":
            return where.kind == "output"
        return self.environment.is_run(definition.used, where.section)


_SHARES = ("α", "alpha", "p", "P", "w", "a")  # letters of weights
