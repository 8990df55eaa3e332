"""A formula without a left side, or of a function called f, whose name stands in the words or the heading above it."""

from __future__ import annotations

import re
from dataclasses import replace

from symattn.checking.findings import Formula
from symattn.checking.formulas.context import Context
from symattn.checking.formulas.definitions.entrywise import define_function
from symattn.checking.formulas.definitions.variant import settle
from symattn.checking.formulas.statements import EQUAL, Statement, names
from symattn.reading import formula as f

NEAR = 160  # characters in front of a formula
_NAMES = re.compile(r"(?<![A-Za-z])(soft-?max|gelu|silu|swish|sigmoid|relu|tanh|softplus)(?![A-Za-z])", re.IGNORECASE)
_WORD = re.compile(
    r"temperature|温度|mask|causal|log-?soft|hard|leaky|glu\b|hierarch|derivative|gradient|导数|梯度|sparse|safe|online"
    r"|linear|simpl|plain|divid|directly|线性|直接|简单",
    re.IGNORECASE,
)
SLIPS = ("root", "index", "denominator", "bracket", "power", "sign")


def judge_named_in_words(statement: Statement, context: Context) -> Formula | None:
    """The side held against the function that the words in front of it name, if they name one alone."""
    side = statement.sides[-1]
    lone = len(statement.sides) == 1 and side.relation == ""
    if statement.head is not None or not (lone or (len(statement.sides) == 2 and side.relation in EQUAL)):
        return None
    function = _named(statement)
    argument = None if function is None else _argument(side.expression, function)
    if function is None or argument is None or not (lone or _is_unspecific(statement.left, argument)):
        return None
    call = f.Call(function, (argument,))
    stated = side if not lone else replace(side, relation="=")
    slips = SLIPS if lone else (*SLIPS, "exponential")  # x_i / Σ x_j without a left side may be another thing
    variants = [replace(v, only=slips, usual="") for v in define_function(call, stated, statement, context)]
    return settle(statement, stated, variants) if variants else None


def _named(statement: Statement) -> str | None:
    """The one function that is named in the last words in front of the formula."""
    words = statement.before[-NEAR:]
    found = {name.lower().replace("-", "") for name in _NAMES.findall(words)}
    if "gelu" in found:
        found.discard("tanh")  # of its approximation
    return found.pop() if len(found) == 1 and not _WORD.search(words) else None


def _argument(e: f.Expression, function: str) -> f.Name | None:
    """What the function is of: the numerator's letter with its index, or the only letter that there is."""
    if function == "softmax":
        if not isinstance(e, f.Quotient) or not isinstance(e.denominator, f.BigSum):
            return None
        found = set(names(e.numerator))
        above = e.numerator.arguments[0] if isinstance(e.numerator, f.Call) else e.numerator
        plain = isinstance(above, f.Name) and len(above.sub) == 1 and len(above.sub[0]) == 1
        return found.pop() if plain and len(found) == 1 else None
    if not any(isinstance(part, f.Call) for part in f.walk(e)):
        return None
    letters = {name for name in names(e) if name.base != "π"}
    return letters.pop() if len(letters) == 1 else None


def _is_unspecific(left: f.Expression, argument: f.Name) -> bool:
    """f(x_i) of the same argument: a letter that may be any function."""
    return isinstance(left, f.Call) and len(left.function) == 1 and left.arguments == (argument,)
