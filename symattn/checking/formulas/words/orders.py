"""Orders of growth with a size as a power, O(L D² + L^D): attention costs L² D, and nothing to the power of a width."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.shapes.sizes import kind_of
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words, find_said
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_ORDER = regex(
    r"(?<![A-Za-z])(?:\\(?:mathcal|mathrm)\s?\{\s?O\s?\}|O)\s*(?:\\left)?\((?P<inside>[^()$\n]{3,60}?)(?:\\right)?\)"
)
_POWER = regex(r"(?P<base>[A-Za-z])\s*\^\s*(?:\{\s*(?P<braced>[A-Za-z])\s*\}|(?P<bare>[A-Za-z]))(?![A-Za-z_])")
_ATTENTION = regex(r"attention|transformer|注意力|アテンション|어텐션", re.IGNORECASE)


def judge_orders(context: Context) -> Iterator[Formula]:
    """Terms in which the number of tokens has the width for a power, beside one that multiplies both."""
    for order in find_said(context, _ORDER, beside=_ATTENTION):
        inside = order["inside"]
        for power in _POWER.finditer(inside):
            base, exponent = power["base"], power["braced"] or power["bare"]
            rest = inside[: power.start()] + inside[power.end() :]
            if {kind_of(base), kind_of(exponent)} != {"tokens", "width"} or not {base, exponent} <= set(rest):
                continue
            tokens, width = (base, exponent) if kind_of(base) == "tokens" else (exponent, base)
            made = f"{inside[: power.start()]}{tokens}^2{width}{inside[power.end() :]}"
            right = order[0].replace(inside, made)
            theorem = Sentence("words_order", power=power[0], right=f"{tokens}²{width}")
            yield conclude_in_words(context, order.span(), "fails", theorem, right)
            break
