"""Masks by a value and its condition: `M[i][j] = 0 if j ≤ i`, and M_ij = −∞ if j > i in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.mask_cases import CAUSAL, REVERSED, keys_stand_in_rows
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words, with_group
from symattn.patterns import regex
from symattn.writing.prose import Sentence

NEAR = 300  # characters of the text that call a mask causal
_AT = (
    r"(?:\[(?P<r1>[a-z])\]\s?\[(?P<c1>[a-z])\]|\[(?P<r2>[a-z]),\s?(?P<c2>[a-z])\]|_\{?(?P<r3>[a-z]),?(?P<c3>[a-z])\}?)"
)
_VALUE = r"(?P<value>0(?:\.0)?|-\s?1e\d{1,2}|[-−]\s?(?:∞|\\infty|inf\w*)|float\(['\"]-inf['\"]\))"
_IF = r"(?:if|when|for|where|wenn|falls|si|если|若|当|如果)"
_LINE = regex(
    rf"(?<![\w\\])(?P<name>M|mask|Mask)\s?{_AT}\s*=\s*{_VALUE}\s*,?\$?\s*(?P<text>\\text\{{\s*)?{_IF}(?:\s*\}}|\s*\$|\s)\s*"
    r"(?P<left>[a-z])\s*(?P<order>≤|<=|\\leq?(?![a-z])|<|≥|>=|\\geq?(?![a-z])|>)\s*(?P<right>[a-z])"
    r"(?![\w(\\]|[ \t]*[+\-−\\]|\$?,?[ \t]*(?:(?:or|oder|或)\b|(?:and|且)[ \t]+\$?[a-z]))"  # nothing more is asked
)
_HIDES = regex(r"[-−]\s?(?:∞|\\infty|inf|1e\d)|-inf", re.IGNORECASE)
_UPPER = regex(r"upper[- ]triang", re.IGNORECASE)  # of what is hidden, as well as of what is shown
_ORDERS = {"<=": "≤", r"\le": "≤", r"\leq": "≤", ">=": "≥", r"\ge": "≥", r"\geq": "≥"}
_TURNED = {"≤": "≥", "<": ">", "≥": "≤", ">": "<"}


def judge_mask_lines(context: Context) -> Iterator[Formula]:
    """A query's row has 0 for the keys up to its own and −∞ behind; the other way round it is false where it is called
    causal, in a line of code: in a sentence other words may say what i and j are.

    A 0 without a −∞ near it may be multiplied, and hide.
    """
    source = context.article.words
    for found in _LINE.finditer(source):
        row, column = (next(found[f"{kind}{k}"] for k in (1, 2, 3) if found[f"{kind}{k}"]) for kind in "rc")
        if {found["left"], found["right"]} != {row, column} or row == column or keys_stand_in_rows(context):
            continue
        printed = _ORDERS.get(found["order"], found["order"])
        order = printed if found["left"] == column else _TURNED[printed]  # of the key to the query
        around = source[max(found.start() - NEAR, 0) : found.end() + NEAR]
        if not CAUSAL.search(around) or REVERSED.search(_UPPER.sub(" ", around)):
            continue
        shown = found["value"].startswith("0")
        if shown and not _HIDES.search(around):
            continue
        in_a_sentence = "$" in found[0] or found["text"]
        if order == ("≤" if shown else ">"):
            yield conclude_in_words(context, found.span(), "holds", Sentence("theorem.causal_mask"))
        elif not in_a_sentence and not REVERSED.search(around) and order in ((">", "≥") if shown else ("<", "≤")):
            sign = ("≤" if shown else ">") if found["left"] == column else ("≥" if shown else "<")
            theorem = Sentence("theorem.future_shown", row=row, column=column)
            yield conclude_in_words(context, found.span(), "fails", theorem, with_group(found, "order", sign))
