"""Attention without a name in front, "Attention: $softmax(QKᵀ/√d_k) V$": what the words before it call so."""

from __future__ import annotations

import re

from symattn.checking.findings import Formula
from symattn.checking.formulas.definitions.attention import define_attention
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.trials.variant import settle
from symattn.patterns import regex
from symattn.reading import formula as f

_ATTENTION = regex(r"(?:attention|注意力|アテンション|어텐션)[^\n.。]{0,20}?[:：]?[\s$`*\-—:：]*\Z", re.IGNORECASE)
_WIDTHS = regex(r"d|d_?k|dk|d_?h|d_?head")
_CALL = f.Call("attention", (f.Name("Q"), f.Name("K"), f.Name("V")))


def judge_bare_attention(statement: Statement, context: Context) -> Formula | None:
    """One side alone, of Q, K, V and their width, with a softmax of the scores in it."""
    if len(statement.sides) != 1 or statement.head is not None or not _ATTENTION.search(statement.before):
        return None
    [side] = statement.sides
    used = {"_".join((n.base, *n.sub)) for n in names(side.expression)}
    softmax = any(isinstance(part, f.Call) and part.function == "softmax" for part in f.walk(side.expression))
    others = used - {"Q", "K", "V"}
    if not softmax or not {"Q", "K", "V"} <= used or not all(map(_WIDTHS.fullmatch, others)):
        return None
    return settle(statement, side, list(define_attention(_CALL, side, statement, context)))
