"""The reasons for which a print that does not fit is listed and not called wrong, in the order in which they are asked.

Each is asked of the print, of its formula and of what stands around them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from symattn.checking.chains.context import Context
from symattn.checking.chains.leaving.arithmetics import (
    has_other_gains,
    is_other_arithmetic,
    is_other_norm,
    is_with_identity,
)
from symattn.checking.chains.leaving.remarks import (
    is_consequence,
    is_general,
    is_of_another,
    is_one_of_cases,
    is_supposed,
)
from symattn.checking.chains.magnitudes import is_order
from symattn.checking.chains.rows_left_out import is_all_before_dots
from symattn.checking.chains.run_on import (
    first_operand,
    goes_on_from,
    is_dash_between,
    is_dot_between,
    is_right_without_first,
    is_stroke_between,
    stands_beside,
)
from symattn.checking.chains.sizes import set_behind
from symattn.checking.disowned import said_to_be_a_fault
from symattn.checking.expected.definitions import (
    is_increment,
    is_more_exact,
    is_range_at,
    is_same,
    other_meaning,
    puts_in_other_sizes,
    says_which,
)
from symattn.checking.expected.doubts import find_guess, in_another_unit, is_of_shapes, puts_in_another
from symattn.checking.expected.evidence import is_as_computed
from symattn.checking.expected.implied_steps import ROOT
from symattn.checking.expected.sources import Open, Source
from symattn.checking.semantics.alternatives import is_set_by_another_item
from symattn.checking.semantics.environment import Environment
from symattn.checking.semantics.rounded_up import is_filled
from symattn.checking.verdicts import Definition, Printed, agreeing, is_all_right, right_places, try_define
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.printed import distance
from symattn.writing.prose import Sentence

_FAR = 160  # characters in which the other case may stand
_NAMED = 200  # characters before a formula in which its arithmetic may be named
_IN_FORMULA = ("inline", "display")
_DASH = regex(r"[:：][ \t`$]*[-−–][ \t]*\Z")
_ONE_CASE = regex(  # `= 0 for |z| > c`
    r"[\s`$)*]*(?:(?:for|if|when)\b|当|若|如果)[^\n.;=]{0,40}?(?:[<>≤≥]|\\(?:leq?|geq?|lt|gt)\b)"
)
_OTHER_CASE = regex(  # `if y = 0 or 1 - y = 0`
    r"(?:\b(?:if|when(?:ever)?|whether|either|wenn|si|cuando|quando)\b[^.;!?]*=[^.;!?]*\b(?:or|oder|ou|o)\b"
    r"|(?:若|如果|当|當|もし)[^。；]*=[^。；]*(?:或者?|または))[\s$`*(\\\[]*\Z",
    re.IGNORECASE,
)
_TERM_BELOW = regex(r"[^\n=≈]{0,80}\n(?:[ \t]*\n)?[ \t]*[+×][ \t]*[\d\[(]")  # = [2, 4]  (of one head), then + [0, 3]
_WORD = regex(r"[A-Z]{2,4}")
_WORDS = regex(r"(?<![A-Za-z])[A-Z]{2,4}(?![A-Za-z])")
_RIGHT_BEFORE = 12  # characters
_SLIP = Fraction(1, 4)  # of a number, less than which it is off where it is a product
_SOLVED = ("sin", "cos", "tan", "floor", "log", "ln", "exp")


@dataclass(frozen=True)
class Case:
    """A print that does not fit what its chain has come to, and where it stands."""

    context: Context
    open: Open
    printed: Printed
    side: f.Side
    source: Source

    @property
    def main(self) -> Definition:
        return self.open.definitions[0]

    @property
    def environment(self) -> Environment:
        return self.context.environment

    @property
    def before(self) -> str:
        """What stands before the formula that the print is held against."""
        return self.open.source.before(self.main.expression.start)

    @property
    def after(self) -> str:
        return self.source.after(self.side.end)

    def said(self, reason: str) -> Sentence:
        """A reason that names what is printed."""
        return Sentence(reason, name=self.open.subject)


def find_reason(case: Case) -> Sentence | None:
    """The first reason not to call the numbers of a print wrong, if there is one."""
    return next(filter(None, (reason(case) for reason in _REASONS)), None)


def rest_of_line(source: Source, side: f.Side) -> str:
    """The unit of a side and the rest of its line."""
    unit = side.expression.unit if isinstance(side.expression, f.Number) else ""
    return unit + source.after(side.end).partition("\n")[0]


def _is_order_of_magnitude(case: Case) -> Sentence | None:
    return Sentence("order_of_magnitude") if case.side.relation == "≈" and is_order(case.printed) else None


def _is_filled(case: Case) -> Sentence | None:
    """What holds things is counted until they all have a place: 5/16 = 1 block."""
    if case.printed.shape != (1, 1) or case.printed.units[0][0] != 1:
        return None
    text, number = case.printed.texts[0][0], case.printed.values[0][0]
    passage = case.source.where.whole + case.after.partition("\n")[0]
    filled = is_filled(text, number, case.main.true, passage, case.before, case.open.keys)
    return Sentence("unit_unread") if filled else None


def _is_one_case(case: Case) -> Sentence | None:
    """`= 0 for |z| > c`; and x in `if y = 0 or x = 0`, and x² − 1 = 0, are conditions."""
    if _ONE_CASE.match(case.after):
        return Sentence("one_case")
    if is_of_shapes(case.main.expression, case.printed):
        return Sentence("shapes_side_by_side")
    if case.main.symbolic and _OTHER_CASE.search(case.before[-_FAR:]):
        return Sentence("other_case")
    lone = case.printed.texts == (("0",),) and len(case.open.definitions) == 1
    return Sentence("to_be_solved") if lone and _is_to_solve(case.main.expression) else None


def _is_rounded_to_places(case: Case) -> Sentence | None:
    """Who writes round(0.456) = 0.46, or round(123) = 120, means other places, and clip(r, ε) another range."""
    calls = [part.function for part in f.walk(case.main.expression) if isinstance(part, f.Call)]
    kind = next((name for name in calls if name in ("round", "clamp", "clip")), None)
    return None if kind is None else Sentence("not_reckoned", kind=kind)


def _is_remark(case: Case) -> Sentence | None:
    """`if q · k = 0`, and what 0 and 1 mean, are said of an expression in general: numbers that are put in say more."""
    main, after = case.main, case.after
    worked_out = any(not d.symbolic for d in case.open.definitions) or not main.symbolic
    if worked_out or case.printed.shape != (1, 1) or f.is_printed(main.expression):
        return None
    if is_supposed(case.before, after):
        return Sentence("one_case")
    known = case.environment.stated.get(main.expression)
    known_otherwise = known is not None and any(not print_.bad for print_ in known.prints)
    if known_otherwise and is_of_another(case.before):
        return Sentence("one_case")
    value = case.printed.values[0][0]
    if value not in (-1, 0, 1) or case.printed.units[0][0] != 1:
        return None
    text, above = case.open.source.text[main.expression.start : main.expression.end], case.source.where.above
    if is_general(case.before, after) or is_one_of_cases(text, above, after):
        return Sentence("one_case")
    return Sentence("one_case") if known_otherwise and not is_consequence(case.before) else None


def _is_other_number(case: Case) -> Sentence | None:
    """A number of another kind has the name: one that is set, an increment, a count of which one."""
    main, printed, context = case.main, case.printed, case.context
    marked = case.source.where.kind in _IN_FORMULA and case.open.source is case.source
    if f.is_printed(main.expression) and not marked and not is_same(main.true, printed, context.where.label):
        return case.said("defined_anew")
    known = case.environment.stated.get(main.expression)
    if not case.open.claimed and known is not None and is_more_exact(known, printed):
        return Sentence("more_digits")
    masked = printed.values == ((None,),)
    other = masked or is_increment(main, case.open.keys, printed, case.environment)
    which = says_which(main.expression) and printed.shape == (1, 1)
    return case.said("defined_anew") if other or which else None


def _is_name_of_letters(case: Case) -> Sentence | None:
    """Letters that are written as one word may be a name of its own beside those of one letter: N=0, E=2, NE=1."""
    main, printed = case.main, case.printed
    word = case.open.source.text[main.expression.start : main.expression.end]
    for known in case.context.words.intersection(_WORDS.findall(word)):
        return Sentence("taken_as_given", name=known)
    if not _WORD.fullmatch(word) or len(case.open.definitions) > 1 or not isinstance(main.expression, f.Product):
        return None
    if isinstance(case.side.expression, f.Matrix):
        return None  # AV of matrices
    number = printed.values[0][0] if printed.shape == main.true.shape == (1, 1) else None
    if number is None or is_consequence(case.before[-_RIGHT_BEFORE:]):
        return None
    slip = distance(main.true.rows[0][0], number) < abs(number) * _SLIP
    return None if slip else Sentence("taken_as_given", name=word)


def _is_part_of_expression(case: Case) -> Sentence | None:
    """The formula goes on from what stands before it, or begins with what does not belong to it."""
    main, printed, source, keys = case.main, case.printed, case.source, case.open.keys
    total, environment = case.context.ended_in, case.environment
    goes_on = not keys and goes_on_from(total, main, printed, source.text[main.expression.start :])
    beside = not keys and stands_beside(total, main, printed, source, environment)
    if goes_on or beside or _DASH.search(case.before) or _TERM_BELOW.match(case.after):  # nll: - ln 0.5 = 0.69
        return Sentence("half_an_expression")
    parted = main, keys, printed, case.open.source, environment
    if is_stroke_between(*parted) or is_dash_between(*parted) or is_dot_between(*parted):
        return Sentence("half_an_expression")
    return None


def _is_set_anew(case: Case) -> Sentence | None:
    letters = {part.base for part in f.walk(case.main.expression) if isinstance(part, f.Name)}
    above = case.open.source.where.above + case.open.source.text[: case.main.expression.start]
    anew = _is_worked_out_anew(case) or is_set_by_another_item(letters, above)
    return case.said("defined_anew") if anew else None


def _has_label(case: Case) -> Sentence | None:
    """Its first number is that of a step or a figure: `step 2 √9 = 3`."""
    labelled = not case.open.keys and _is_labelled(case.main.expression, case.source)
    if labelled and is_right_without_first(case.main, case.printed, case.environment):
        return Sentence("half_an_expression")
    return None


def _has_unsure_names(case: Case) -> Sentence | None:
    """What its names stand for is guessed, unknown or another meaning fits; or it is a part of a sum."""
    main, environment = case.main, case.environment
    if (guessed := find_guess(main.expression, environment)) is not None:
        return Sentence("name_unknown", name=getattr(guessed, "text", "") or "max")
    reason = environment.why_unsure(main.used)
    reason = reason or other_meaning(main, case.open.definitions, case.printed, case.source, environment)
    if reason is None:
        part = environment.pieces.are_summed(main.expression) or is_all_before_dots(main, case.open.begun)
        reason = "partial_sum" if part else None
    return None if reason is None else case.said(reason)


def _is_of_earlier_example(case: Case) -> Sentence | None:
    example = min(case.context.expected.taken_up, case.source.where.example)
    return Sentence("earlier_example") if case.environment.is_past(case.main.used, example) else None


def _is_in_other_arithmetic(case: Case) -> Sentence | None:
    """Words name an arithmetic, a norm or gains with which it is right."""
    asked = case.main, case.printed
    before = case.source.before(case.main.expression.start).rpartition("\n\n")[2][-_NAMED:]
    around = before, rest_of_line(case.source, case.side)
    if is_other_arithmetic(*asked, *around, case.environment):
        return Sentence("other_arithmetic")
    if is_other_norm(*asked, *around, case.environment):
        return Sentence("other_norm")
    if is_with_identity(*asked, case.environment):
        return Sentence("with_identity")
    return Sentence("other_gains") if has_other_gains(*asked, case.environment) else None


def _is_given_elsewhere(case: Case) -> Sentence | None:
    """Its names have other values behind it, in another section, or in the numbers put in."""
    main, definitions, environment = case.main, case.open.definitions, case.environment
    sizes = {name for name, _ in set_behind(case.after)}
    if sizes.intersection(f.walk(main.expression)) or puts_in_other_sizes(main, definitions, environment):
        return Sentence("given_elsewhere")
    lone = case.printed.shape == (1, 1) and all(d.symbolic for d in definitions)
    if lone and environment.is_elsewhere(main.used, case.source.where.section):
        return Sentence("given_elsewhere")
    return Sentence("put_in_another") if main.symbolic and puts_in_another(definitions, environment) else None


_NOT_SCALED = regex(r"unscaled|\braw\b|not scaled|before scaling|dot product|未缩放|缩放前|原始|点积", re.IGNORECASE)


def _is_scaled_as_others(case: Case) -> Sentence | None:
    """It is the product over √d_k, as that of others is right before it: q·k = 3 → 3/2 = 1.5, then k·q = 1.5."""
    main = case.main
    if not isinstance(main.expression, f.Product) or case.printed.shape != (1, 1) or not main.symbolic:
        return None
    scaled = try_define(f.Quotient(main.expression, ROOT), case.environment)
    if scaled is None or not is_all_right(case.printed, scaled.true):
        return None
    printed = re.escape(case.printed.texts[0][0])
    above = case.source.where.above[-_FAR:] + case.source.text[: case.main.expression.start][-_FAR:]
    shown = re.search(rf"(?:=|→|:)\s*\d[\d.]*\s*/[^\n=]*=\s*{printed}(?![\d.]*\d)", above)
    named = _NOT_SCALED.search(above[-_RIGHT_BEFORE * 4 :]) is not None
    return Sentence("scaled_before") if shown is not None and not named else None


def _is_range(case: Case) -> Sentence | None:
    own = case.open.source is case.source
    return Sentence("range_unread") if own and is_range_at(case.main, case.source) else None


def _is_in_another_unit(case: Case) -> Sentence | None:
    whole = case.source.where.whole
    whole = whole[: whole.rfind(case.printed.texts[0][0]) + 1]
    return in_another_unit(case.printed, case.main.true, whole, case.after)


def _is_said_to_be_wrong(case: Case) -> Sentence | None:
    return said_to_be_a_fault(case.source.where.label, case.before, case.after)


def _has_more_digits(case: Case) -> Sentence | None:
    """A program went on with more digits than it prints, unless it was given just these numbers."""
    run = case.context.expected.is_run(case.main, case.source)
    if not run or not is_as_computed(case.main, case.printed, case.environment):
        return None
    return None if _is_of_typed_numbers(case) else Sentence("more_digits")


def _is_of_typed_numbers(case: Case) -> bool:
    """Whether sums and products of numbers that stand in a program are off by more than any of its formats is."""
    linear = all(isinstance(part, _LINEAR) for part in f.walk(case.main.expression))
    known = [case.environment.stated.get(name) for name in case.environment.needs(case.main.used)]
    typed = all(s is not None and (s.typed or not s.given) and not s.stale for s in known)
    if (
        not linear
        or not typed
        or case.printed.shape != case.main.true.shape
        or _CHANGES.search(case.source.where.above)
    ):
        return False
    pairs = ((case.printed.values[i][j], case.main.true.rows[i][j]) for i, j in case.printed.places())
    return any(x is not None and distance(true, x) > _OF_FORMATS * abs(float(x)) for x, true in pairs)


_LINEAR = (f.Name, f.Number, f.Sum, f.Product, f.Transpose)
_OF_FORMATS = 0.02  # of a number, by which the coarsest floating-point formats may be off
_CHANGES = regex(  # what may change numbers in their place, or by a function that nobody knows
    r"\][ \t]*[-+*/@]?=(?!=)|[-+*/@]=|out=|rand|\bdel\b"
    r"|\b(?!(?:array|asarray|tensor|FloatTensor|Matrix|print|matmul|dot|transpose|round|set_printoptions|softmax|exp|sqrt"
    r"|max|sum|len|tolist|numpy|float|pd|DataFrame|attention|scaled_dot_product_attention)\()[A-Za-z]\w*\("
)


def _is_stated_behind(case: Case) -> Sentence | None:
    """The words right behind it give new values to what it is computed from: 5, where q = [1, 2]."""
    begins = _WHERE.match(case.after)
    given = case.after[begins.end() : begins.end() + _FAR] if begins is not None else ""
    letters = (name.base for name in case.main.used if isinstance(name, f.Name))
    found = any(re.search(rf"(?<![A-Za-z]){re.escape(letter)}\s*=", given) for letter in letters)
    return Sentence("stated_behind") if found else None


def _is_given_later(case: Case) -> Sentence | None:
    """It uses a value that stands behind it, perhaps of another case: divide by √d_k = 2. GPT-3 has d_k = 128."""
    ahead = case.environment.ahead
    if not ahead or ahead.isdisjoint(case.environment.needs(case.main.used)):
        return None
    mostly = 2 * agreeing(case.printed, case.main.true) >= len(case.printed.places())  # so it is what was meant
    return None if mostly else Sentence("stated_behind")


def _is_masked_since(case: Case) -> Sentence | None:
    """All that differs is −∞: the matrix is printed again behind a mask, under the name that it had without."""
    printed, true = case.printed, case.main.true
    if case.open.keys or not isinstance(case.main.expression, f.Name):
        return None
    masked = {(i, j) for i, j in printed.places() if printed.values[i][j] is None} - true.hidden
    if not masked or printed.shape != true.shape or len(masked) == len(printed.places()):
        return None
    return case.said("defined_anew") if masked | right_places(printed, true) >= set(printed.places()) else None


def _is_of_what_was_given(case: Case) -> Sentence | None:
    """Every number is right with what a name was given as before: a text may go back to that."""
    for name in case.main.used:
        for value in case.environment.given_before.get(name, ()):
            found = case.main.reckoned(case.environment, {name: value})
            if found is not None and is_all_right(case.printed, found):
                return Sentence("earlier_example")
    return None


_REASONS: tuple[Callable[[Case], Sentence | None], ...] = (
    _is_order_of_magnitude,
    _is_filled,
    _is_one_case,
    _is_rounded_to_places,
    _is_remark,
    _is_other_number,
    _is_name_of_letters,
    _is_part_of_expression,
    _is_set_anew,
    _has_label,
    _has_unsure_names,
    _is_of_earlier_example,
    _is_in_other_arithmetic,
    _is_given_elsewhere,
    _is_scaled_as_others,
    _is_range,
    _is_in_another_unit,
    _is_said_to_be_wrong,
    _has_more_digits,
    _is_stated_behind,
    _is_given_later,
    _is_masked_since,
    _is_of_what_was_given,
)


_WHERE = regex(
    r"[\s$,.;:`)}\]\\]*(?:\b(?:where|for|with|if|when|given|mit|wobei|für|con|donde|para|où|avec|pour|com|onde)\b|其中|此时|где|для|при|[（(])",
    re.IGNORECASE,
)


def _is_worked_out_anew(case: Case) -> bool:
    """Whether a name that had a value is worked out rightly in other numbers, a = b = 3/3 = 1 where b was 2.

    An entry of a matrix is where they are the result right before it, as of other data: Σx² = 32, C₁₁ = 32/4 = 8.
    """
    main, others, total = case.main, case.open.definitions[1:], case.context.ended_in
    if not isinstance(main.expression, f.Name) or main.true.shape != (1, 1):
        return False
    others = [d for d in others if not d.symbolic and right_places(case.printed, d.written)]
    if not case.environment.is_entry(main.expression):
        return bool(others) and main.used == (main.expression,)
    numbers = (part for d in others for part in f.walk(d.expression) if isinstance(part, f.Number))
    return any(number.value == total for number in numbers)


def _is_labelled(formula: f.Expression, source: Source) -> bool:
    """Whether a number stands apart in front of a factor, behind a word for what has numbers: `step 2 √9`."""
    first = first_operand(formula)
    if not _is_set_beside(formula) or first is None or not re.match(r"[)）]?\s", source.text[first.end :][:2]):
        return False
    return _NUMBERED.search(source.before(first.start)) is not None


def _is_set_beside(formula: f.Expression) -> bool:
    """Whether a product begins with two factors that no sign stands between."""
    match formula:
        case f.Product((f.Product() as first, *_)):
            return _is_set_beside(first)
        case f.Product(operators=(operator, *_)):
            return not operator
    return False


_NUMBERED = regex(
    r"(?:\b(?:step|example|exercise|question|problem|equation|figure|table|(?:eq|fig|no|nr)\."
    r"|schritt|beispiel|aufgabe|gleichung|teil|étape|exemple|exercice|paso|ejemplo|ejercicio|passo|exemplo)\s"
    r"|шаг\s|пример\s|步骤|例|题|問|式|图|表|第)[(（]?$",
    re.IGNORECASE,
)


def _is_to_solve(e: f.Expression) -> bool:
    """Whether it may be set to 0 as an equation for its letters, x² + 1 = 0 or log(x − 3) + log(x + 3) = 0."""
    bent = [part for part in f.walk(e) if isinstance(part, f.Power) or _is_of_function(part)]
    lettered = any(isinstance(x, f.Name) for part in bent for x in f.walk(part))
    return lettered and (isinstance(e, f.Sum) or _is_of_function(e))


def _is_of_function(e: f.Expression) -> bool:
    return isinstance(e, f.Call) and e.function in _SOLVED
