"""Lists that words call a function of the list before: "Softmax produces [0.09, 0.24, 0.67]", "After ReLU: [1, 0]".

So are those that it is scaled or shifted to, entry by entry, by what has just been named: γ = [2, 1], "After scaling".

Words are no equation, so the numbers have to bear them out: all right, or evidently those. Where "before softmax"
stands above the one list and "after softmax" above the other, half of them are enough.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from symattn.checking.expected.evidence import mostly_right, same_order
from symattn.checking.expected.implied_steps import is_one_hot
from symattn.checking.expected.inputs import find_temperature
from symattn.checking.expected.sources import Where
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, agreeing, table_of_prints, try_define
from symattn.reading import formula as f
from symattn.values.printed import sums_to_one

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
_BEFORE = re.compile(r"\b(?:before|input|avant|vor|antes)\b|之前|前\b|输入", re.IGNORECASE)
_AFTER = re.compile(r"\b(?:after|output|après|nach|después|depois)\b|之后|后\b|输出", re.IGNORECASE)
_TIMES = re.compile(r"\bscal(?:e|ed|ing)\b|multipl|times|缩放|乘", re.IGNORECASE)
_PLUS = re.compile(r"\badd|\bplus\b|shift|加", re.IGNORECASE)
_SCORES = re.compile(r"[-*• ]*(?:scaled|raw|scores?|logits?|缩放|分数|\s)+(?:后|得分)?\W*", re.IGNORECASE)
_OF_SCORES = re.compile(r"scores?\b|logits?\b|dot products?|similarit|点积|得分|分数|相似", re.IGNORECASE)
_SOFTMAX = re.compile(r"[-*• ]*softmax(?: output| result| weights| 后)?\W*", re.IGNORECASE)
_WEIGHTS = re.compile(r"\W*(?:attention )?(?:weights?|softmax|prob(?:abilitie)?s|shares|权重|概率)\W*", re.IGNORECASE)
_CLAUSE = re.compile(r"[。，；！？]|[,.;](?=\s)")
_NORMALISED = re.compile(r"归一|歸一|标准化|標準化|正規化|정규화|нормал|normali[sz]", re.IGNORECASE)
_OTHERWISE = re.compile(r"temperature|scal|mask|\bT\b|温度|缩放|掩|√|sqrt|divid|除", re.IGNORECASE)
NEAR = 2  # lines from one list to the next
FEWEST = 3  # numbers that show by being right that it was this that was computed
_GIVES = re.compile(
    r"\W*(?:gives?|yields?|produces?|becomes?|turns? into|ergibt|donne|da|得到|变成|变为)[^.;:。；]{0,40}$"
)
_NONE = re.compile(r"without|instead|not |assum|suppos|target|不|假设", re.IGNORECASE)


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
    if (function := _named(label)) is None:
        return _normalised(last, printed, environment) if says_normalised(label) else None
    definition = try_define(f.Call(function, (last.expression,)), environment)
    if definition is None or definition.true.shape != printed.shape:
        return None
    if function == "softmax" and is_one_hot(printed) and not _is_led_to(last, where, line):
        return None
    count, right = len(printed.places()), agreeing(printed, definition.true)
    paired = _AFTER.search(label) and _BEFORE.search(last.label) and _named(last.label) == function
    fits = right == count or (paired and 2 * right >= count) or mostly_right(definition, printed, environment)
    return definition if fits or (function == "softmax" and _is_next(last, where, line, printed)) else None


def meant_for_softmax(
    last: Bare, where: Where, line: int, printed: Printed, environment: Environment
) -> Definition | None:
    """The softmax of the scores right before, as words say, of weights that are wrong all over.

    They add up to 1 and have the order of the scores, and are not the softmax of these divided by a root.
    """
    label, near = where.label, 0 <= line - last.line <= NEAR
    said = near and "softmax" in label.lower() and _OF_SCORES.search(last.label) and not _NONE.search(label)
    if not said or says_otherwise(last.label + label + where.after) or find_temperature(environment) is not None:
        return None
    definition = try_define(f.Call("softmax", (last.expression,)), environment)
    if definition is None or definition.true.shape != printed.shape or not _are_shares(printed):
        return None
    given = table_of_prints(last.expression)
    if given is None or _are_shares(given) or not same_order(definition.true, printed):
        return None
    for width in _WIDTHS:
        root = f.Root(f.Number(str(width), Fraction(width), Fraction(1)))
        other = try_define(f.Call("softmax", (f.Quotient(last.expression, root),)), environment)
        if other is not None and 2 * agreeing(printed, other.true) >= len(printed.places()):
            return None
    return definition


def says_otherwise(words: str) -> bool:
    """Whether words speak of a temperature, a scale or a mask, with which a softmax is another one."""
    return _OTHERWISE.search(words) is not None


def _are_shares(printed: Printed) -> bool:
    """Whether a print is one row of decimals that add up to 1, three at least."""
    shares = printed.as_prints()
    return len(printed.places()) >= FEWEST and printed.shape[0] == 1 and shares is not None and sums_to_one(shares, 0)


_WIDTHS = (2, 3, 4, 8, 16, 32, 64, 128, 256)  # of a head, that nobody may have named


def says_normalised(label: str) -> bool:
    """Whether words say that numbers are normalised."""
    return _NORMALISED.search(label) is not None


def _normalised(last: Bare, printed: Printed, environment: Environment) -> Definition | None:
    """What a list comes to that is normalised somehow: to shares of its sum, by softmax, or by its deviation."""
    formulas: list[f.Expression] = [f.Call(name, (last.expression,)) for name in ("layernorm", "softmax", "rmsnorm")]
    if isinstance(last.expression, f.Matrix) and len(last.expression.rows) == 1:
        cells = last.expression.rows[0]
        formulas.insert(0, f.Quotient(last.expression, f.Sum(cells, (1,) * len(cells))))
    for formula in formulas if len(printed.places()) >= FEWEST else ():
        definition = try_define(formula, environment)
        if definition is None or definition.true.shape != printed.shape:
            continue
        whole = agreeing(printed, definition.true) == len(printed.places())
        if whole or mostly_right(definition, printed, environment):
            return definition
    return None


def _is_next(last: Bare, where: Where, line: int, printed: Printed) -> bool:
    """Whether "Softmax: [0.6, 0.4]" stands right below "Scores: [2, 0.5]": no number has to show what is computed.

    Nor where "weights: [0.6, 0.4]" stands below "softmax([2, 0.5]):".
    """
    shares = all(x is not None and 0 <= x <= 1 for row in printed.values for x in row)
    close = where.follows and 0 <= line - last.line <= NEAR and not says_otherwise(where.after)
    named = _SCORES.fullmatch(last.label.strip()) and _SOFTMAX.fullmatch(where.label.strip())
    if last.softmaxed and 0 <= line - last.line <= NEAR + 1:
        total = sum((x for row in printed.values for x in row if x is not None), Fraction(0))
        whole = abs(total - 1) <= sum((u for row in printed.units for u in row), Fraction(0))
        return shares and whole and _WEIGHTS.fullmatch(where.label) is not None
    return shares and close and named is not None


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
