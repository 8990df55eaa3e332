"""Outputs that are one weight times one value: z_i = a_ij v_j has a j that nothing binds, for Σ_j a_ij v_j."""

from __future__ import annotations

import re

from symattn.checking.findings import Formula
from symattn.checking.formulas.shapes.inference import indices_of
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_WEIGHTS = frozenset(["a", "α", "w", "p", "A", "P"])
_VALUES = frozenset(["v", "V"])
_OUTPUTS = frozenset(["z", "o", "y", "c", "h", "b", "Z", "O", "Y", "out", "output", "context", "head"])
_INDEX = regex(r"[ijklmnst]")
_EINSTEIN = regex(r"Einstein|einsum|summation convention|repeated ind|爱因斯坦|求和约定|重复指标", re.IGNORECASE)

_BLOCKS = regex(r"Flash|\bblocks?\b|\btil(?:e|es|ed|ing)\b|\bloops?\b|\bfor [ij] (?:in|=)|分块|块|循环", re.IGNORECASE)

# words beside it that say that it is one term, or that its terms are added up
_OF_ONE = regex(
    r"\bterms?\b|contribut|summed|\bsum(?:s|ming)? (?:over|of|up)|add(?:ed|s|ing)? up|accumulat"
    r"|for (?:each|every|all) \$?[a-z]\b"
    r"|求和|累加|相加|一项|每项|各项|贡献",
    re.IGNORECASE,
)
NEAR = 150  # characters in front of it and behind it


def judge_missing_sum(statement: Statement, context: Context) -> Formula | None:
    """An output of i made of a weight of i and j and the value of j."""
    match statement.equals:
        case (f.Name() as left, f.Product((f.Name() as weight, f.Name() as value))):
            pass
        case _:
            return None
    own, pair, one = indices_of(left), indices_of(weight), indices_of(value)
    if left.base not in _OUTPUTS or weight.base not in _WEIGHTS or value.base not in _VALUES:
        return None
    if len(own) != 1 or len(pair) != 2 or pair[0] != own[0] or one != pair[1:] or pair[0] == pair[1]:
        return None
    if not all(map(_INDEX.fullmatch, pair)) or context.mentions(_EINSTEIN):
        return None
    if weight.base.isupper() and value.base.isupper() and context.mentions(_BLOCKS):
        return None  # what one block adds, in a loop over j
    start, end = statement.span
    if _OF_ONE.search(context.article.words, max(start - NEAR, 0), end + NEAR):
        return None
    text, side = statement.passage.text, statement.equals[1]
    sign = rf"\sum_{pair[1]} " if "\\" in text or "{" in text else f"Σ_{pair[1]} "
    right = statement.with_text(sign + statement.printed(side), side)
    return refuse(statement, Sentence("formula.missing_sum", index=pair[1]), right.strip())
