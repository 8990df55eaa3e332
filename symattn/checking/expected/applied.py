"""Lists that words call a function of the list before: "Softmax produces [0.09, 0.24, 0.67]", "After ReLU: [1, 0]".

So are those that it is scaled or shifted to, entry by entry, by what has just been named: γ = [2, 1], "After scaling".

Words are no equation, so the numbers have to bear them out: all right, or evidently those. Where "before softmax"
stands above the one list and "after softmax" above the other, half of them are enough.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from symattn.checking.expected.evidence import (
    agree_all,
    fits_one_scale,
    has_shares,
    mostly_right,
    point_along,
    same_order,
    shows_rows,
    telling_places,
)
from symattn.checking.expected.implied_steps import best_first, is_one_hot, role_of_words
from symattn.checking.expected.inputs import find_temperature
from symattn.checking.expected.sources import Where
from symattn.checking.findings import Place
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import (
    Definition,
    Printed,
    agreeing,
    define_like,
    right_places,
    table_of_prints,
    try_define,
)
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import distance

# a word -> the function that it names
_FUNCTIONS = (
    ("softmax", "softmax"),
    ("gelu", "gelu"),
    ("relu", "relu"),
    ("sigmoid", "sigmoid"),
    ("silu", "silu"),
    ("swish", "silu"),
    ("tanh", "tanh"),
    ("rmsnorm", "rmsnorm"),
    ("layernorm", "layernorm"),
    ("layer norm", "layernorm"),
    ("exponential", "exp"),
    ("exp value", "exp"),
    ("exps", "exp"),
    ("weight", "softmax"),
    ("权重", "softmax"),
    ("normaliz", "layernorm"),
    ("normalis", "layernorm"),
)
_BEFORE = regex(r"\b(?:before|input|avant|vor|antes)\b|之前|前\b|输入", re.IGNORECASE)
_AFTER = regex(r"\b(?:after|output|après|nach|después|depois)\b|之后|后\b|输出", re.IGNORECASE)
_TIMES = regex(r"\bscal(?:e|ed|ing)\b|multipl|times|缩放|乘", re.IGNORECASE)
_PLUS = regex(r"\badd|\bplus\b|shift|加", re.IGNORECASE)
_WEIGHTS = regex(r"\W*(?:attention )?(?:weights?|softmax|prob(?:abilitie)?s|shares|权重|概率)\W*", re.IGNORECASE)
_RESULT = regex(
    r"\W*(?:(?:which is |this is )?(?:approximately|approx|roughly|about|numerically)|ungefähr|etwa|environ"
    r"|aproximadamente|circa|xấp xỉ|примерно|приблизительно|(?:结果)?约[为等]?于?|近似[为于]?|大约|およそ|約|약)\W*",
    re.IGNORECASE,
)
_CLAUSE = regex(r"[。，；！？]|[,.;](?=\s)")
_NORMALISED = regex(r"归一|歸一|标准化|標準化|正規化|정규화|нормал|normali[sz]", re.IGNORECASE)
_OTHERWISE = regex(
    r"temperature|scal|mask|\bT\b|温度|缩放|掩|√|sqrt|divid|除|bias|alibi|偏置|dropout|rope\b|rotat"
    r"|sigmoid|sparse|entmax|gumbel|top-?k|\bpad(?:ded|ding)?\b|填充|패딩|마스크|マスク|маск|заполн|máscara|maschera",
    re.IGNORECASE,
)
NEAR = 2  # lines from one list to the next
MOST_TO_RESULT = 6  # lines from a softmax that is written out to what it comes to, "Approximately: [...]"
FEWEST = 3  # numbers that show by being right that it was this that was computed
_GIVES = regex(r"\W*(?:gives?|yields?|produces?|becomes?|turns? into|ergibt|donne|da|得到|变成|变为)[^.;:。；]{0,40}$")
_NONE = regex(r"without|instead|not |assum|suppos|target|不|假设", re.IGNORECASE)


@dataclass(frozen=True)
class Bare:
    """A list that was printed with nothing but words before it."""

    expression: f.Expression
    label: str
    line: int = 0
    softmaxed: bool = False  # whether it was said that softmax is taken of it, "softmax([2, 1]):"


def applied_to(last: Bare, where: Where, line: int, printed: Printed, environment: Environment) -> Definition | None:
    """The function of the last list that a label names, if the numbers are those, or nothing else can be meant."""
    label = _CLAUSE.split(where.label)[-1]
    if _named(label) is None and not says_normalised(label):
        label = where.label
    if _NONE.search(label) or _BEFORE.search(label) or _NONE.search(last.label):
        return None
    function = "softmax" if last.softmaxed and _RESULT.fullmatch(where.label) else _named(label)
    if function is None:
        return _normalised(last, printed, environment) if says_normalised(label) else None
    definition = define_like(printed, f.Call(function, (last.expression,)), environment)
    if definition is None:
        return None
    if function == "softmax" and is_one_hot(printed) and not _is_led_to(last, where, line):
        return None
    count, right = len(printed.places()), agreeing(printed, definition.true)
    paired = _AFTER.search(label) and _BEFORE.search(last.label) and _named(last.label) == function
    fits = right == count or (paired and 2 * right >= count) or mostly_right(definition, printed, environment)
    fits = fits or (function == "layernorm" and (shows_rows(definition, printed) or point_along(definition, printed)))
    return definition if fits or (function == "softmax" and _is_left_open(last, where, line, printed)) else None


def rows_meant_for_softmax(
    last: Bare, where: Where, line: int, printed: Printed, environment: Environment
) -> Definition | None:
    """The softmax of the last matrix, called scores, of weights that are wrong in many places, as words say.

    Every row adds up to 1 and has the order of the scores. Where anything stands between the two, the scores are said
    to be scaled or masked, and one row is right all through.
    """
    label, of = where.label.lower(), role_of_words(last.label.lower())
    said = role_of_words(label) == "weights" and of in ("scores", "scaled", "masked")
    if not said or _NONE.search(label) or _BEFORE.search(label) or _OTHERWISE.search(label + where.after):
        return None
    definition = define_like(printed, f.Call("softmax", (last.expression,)), environment)
    if find_temperature(environment) is not None or definition is None:
        return None
    given = table_of_prints(last.expression)
    if given is None or min(printed.shape) < 2 or not _are_rows_of(definition, given, printed):
        return None
    near = 0 <= line - last.line - printed.shape[0] <= _NEAR_ROWS
    if of == "scores" and not (near and not is_of_scaled(last, printed, environment)):
        return None
    return definition if near or _has_right_row(definition, printed) else None


def _are_rows_of(definition: Definition, given: Printed, printed: Printed) -> bool:
    """Whether rows of weights, three numbers or two rows, have the order of scores, which are no weights themselves."""
    known = printed.shape[1] >= FEWEST and has_shares(printed) and not has_shares(given)
    return known and same_order(definition.true, printed)


def _has_right_row(definition: Definition, printed: Printed) -> bool:
    """Whether one row is right all through, but for last digits, and tells something: no 0 and 1 alone."""
    right, telling = right_places(printed, definition.true), {i for i, _ in telling_places(printed)}

    def is_right(i: int, j: int) -> bool:
        number, unit = printed.values[i][j], printed.units[i][j]
        near = number is not None and distance(definition.true.rows[i][j], number) < float(unit)
        return (i, j) in right or (near and unit <= _FINE)

    rows, columns = printed.shape
    return any(i in telling and all(is_right(i, j) for j in range(columns)) for i in range(rows))


_FINE = Fraction(1, 100)  # of a number whose last digit may be off


def is_of_scaled(last: Bare, printed: Printed, environment: Environment) -> bool:
    """Whether half of the weights are those of the scores divided by √d_k: the one that is known, or any usual one.

    Where none is known all may be those at one temperature, too.
    """
    given = table_of_prints(last.expression)
    named, telling = f.Name("d", sub=("k",)), telling_places(printed)  # what is masked is 0 with any scale
    numbers = (f.Number(str(width), Fraction(width), Fraction(1)) for width in WIDTHS)
    for width in (named,) if environment.knows(named) else numbers:
        other = try_define(f.Call("softmax", (f.Quotient(last.expression, f.Root(width)),)), environment)
        if other is not None and 2 * len(right_to_finest(printed, other.true).intersection(telling)) >= len(telling):
            return True
    if environment.knows(named) or given is None or given.shape != printed.shape:
        return False
    return fits_one_scale(given, printed)


def right_to_finest(printed: Printed, true: Balls) -> set[Place]:
    """The numbers that are right, and so to the last place of the row: 0.2 beside 0.15 is no 0.24."""
    finest = min(unit for units in printed.units for unit in units)
    values = ((i, j, printed.values[i][j]) for i, j in right_places(printed, true) - true.hidden)
    near = {(i, j) for i, j, value in values if value is not None and distance(true.rows[i][j], value) <= finest}
    return near | (right_places(printed, true) & true.hidden)


def says_otherwise(words: str) -> bool:
    """Whether words speak of a temperature, a scale or a mask, with which a softmax is another one."""
    return _OTHERWISE.search(words) is not None


WIDTHS = (2, 3, 4, 8, 16, 32, 64, 128, 256)  # of a head, that nobody may have named
_NEAR_ROWS = 4  # lines from the last row of scores to the first one of weights: words and the heads of columns


def says_normalised(label: str) -> bool:
    """Whether words say that numbers are normalised."""
    return _NORMALISED.search(label) is not None


def _normalised(last: Bare, printed: Printed, environment: Environment) -> Definition | None:
    """What a list comes to that is normalised somehow: to shares of its sum, by softmax, or by its deviation."""
    formulas: list[f.Expression] = [f.Call(name, (last.expression,)) for name in ("layernorm", "softmax", "rmsnorm")]
    if isinstance(last.expression, f.Matrix) and len(last.expression.rows) == 1:
        cells = last.expression.rows[0]
        formulas.insert(0, f.Quotient(last.expression, f.Sum(cells, (1,) * len(cells))))
    if len(printed.places()) < FEWEST:
        return None
    found = best_first([(formula, mostly_right) for formula in formulas], printed, environment)
    return next((d for d, shows in found if agree_all(d, printed, environment) or shows(d, printed, environment)), None)


def _is_left_open(last: Bare, where: Where, line: int, printed: Printed) -> bool:
    """Whether "weights: [0.6, 0.4]" stands below "softmax([2, 0.5]):", or "approximately:" below its fractions.

    Then no number has to show what is computed.
    """
    result = _RESULT.fullmatch(where.label) is not None
    if not last.softmaxed or not 0 <= line - last.line <= (MOST_TO_RESULT if result else NEAR + 1):
        return False
    values = [x for row in printed.values for x in row]
    total = sum((x for x in values if x is not None), Fraction(0))
    whole = abs(total - 1) <= sum((u for row in printed.units for u in row), Fraction(0))
    shares = all(x is not None and 0 <= x <= 1 for x in values)
    return shares and whole and (result or _WEIGHTS.fullmatch(where.label) is not None)


def joined_with(
    last: Bare, name: f.Expression, label: str, printed: Printed, environment: Environment
) -> Definition | None:
    """The last list times or plus what has a name, entry by entry, if a label says so and every number is right."""
    if _TIMES.search(label):
        formula: f.Expression = f.Elementwise((last.expression, name))
    elif _PLUS.search(label):
        formula = f.Sum((last.expression, name), (1, 1))
    else:
        return None
    definition = try_define(formula, environment)
    if definition is None:
        return None
    count = len(printed.places())
    return definition if count >= FEWEST and agreeing(printed, definition.true) == count else None


def _is_led_to(last: Bare, where: Where, line: int) -> bool:
    """Whether a verb alone stands between the list before and this one, "[10, 20] gives weights close to [0, 1]"."""
    between = where.before.rpartition("]")[2]
    return last.line == line and _GIVES.match(between) is not None and not says_otherwise(between)


def _named(label: str) -> str | None:
    said = label.lower()
    return next((function for word, function in _FUNCTIONS if word in said), None)


MOST_NAMED = 4  # of the lists that were named last
_SAME = 1e-12


def find_share(number: f.Number, bare: Bare | None, environment: Environment) -> f.Expression | None:
    """The entry of a softmax that belongs to a number of the list before, or of one of the rows that were named last:
    softmax(2) of a list of scores that has one 2."""
    named = islice(reversed(environment.stated), MOST_NAMED)
    for row in (*([bare.expression] if bare is not None else []), *named):
        known = try_define(row, environment) if isinstance(row, f.Name | f.Matrix) else None
        cells = known.true.rows[0] if known is not None and known.true.shape[0] == 1 else ()
        places = [j for j, x in enumerate(cells) if distance(x, number.value) < _SAME]
        if len(places) == 1 < len(cells):
            return f.Entry(f.Call("softmax", (row,)), ("1", str(places[0] + 1)))
    return None
