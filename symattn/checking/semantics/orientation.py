"""Whether tokens are columns, as an article says: softmax then goes down the columns, and a mask's queries stand there.

What is said of rows as well as of columns decides nothing; rows are what most articles mean without a word.
"""

from __future__ import annotations

import re
from dataclasses import replace

from symattn.checking.naming import rewrite_sides
from symattn.checking.semantics.evaluation import FROM_ZERO
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

DOWN = ("axis", "0")  # the option of a call that goes down the columns
_OF_SOFTMAX = (
    r"\bsoftmax\b[^.:;\n]{{0,60}}\b(?:each|every|per|down the|down its) {0}s?\b|\b{0}-?wise[ -]softmax\b"
    r"|\bsoftmax[^.:;\n]{{0,30}}\b{0}-?wise\b"
)
_OF_TOKENS = (
    r"\b(?:each|every|one) {0} of\b[^.:;\n]{{1,80}}\bis (?:one|a|the) (?:\w+ )?(?:token|word)\b"
    r"|\btokens? (?:is|are)(?: the| a)? {0}s?\b|\btokens? in (?:each|every) {0}\b"
)
_IN_CHINESE = (
    r"每一?{0}(?:是|为|代表|对应|表示)一?个?(?:词元|词|token)|每个词元占一{0}"
    r"|softmax\s*(?:沿|按|逐){0}|(?:沿|按|逐){0}做? ?softmax"
)


def _said(english: str, chinese: str) -> re.Pattern[str]:
    patterns = [_OF_SOFTMAX.format(english), _OF_TOKENS.format(english), _IN_CHINESE.format(chinese)]
    return re.compile("|".join(patterns), re.IGNORECASE)


_COLUMNS, _ROWS = _said("column", "列"), _said("row", "行")


def has_tokens_in_columns(article: Article) -> bool:
    """Whether an article says that its tokens are columns, or that softmax is taken of each."""
    said = [block.text for block in article.seen if block.kind not in ("program", "output")]
    return any(map(_COLUMNS.search, said)) and not any(map(_ROWS.search, said))


def turn_to_columns(chain: f.Chain) -> f.Chain:
    """The chain with softmax and masks meant of columns; one that says its axis keeps it."""
    return rewrite_sides(chain, _down)


def _down(part: f.Expression) -> f.Expression:
    if isinstance(part, f.Call) and part.function in ("softmax", "mask", "where") and not {*part.options} - {FROM_ZERO}:
        return replace(part, options=(*part.options, DOWN))
    if isinstance(part, f.Entry) and len(part.indices) == len(part.indices[0]) == 1:  # a column of it
        return f.Transpose(replace(part, operand=f.Transpose(part.operand)), start=part.start, end=part.end)
    return part


def turn_to_rows(part: f.Expression) -> f.Expression:
    """A call without the option to go down."""
    if not isinstance(part, f.Call) or DOWN not in part.options:
        return part
    return replace(part, options=tuple(option for option in part.options if option != DOWN))
