"""What stands under one heading by itself: a survey has the conventions of several papers, one below the other."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading.articles.article import Article

_HEADING = re.compile(
    r"^(?:#{1,6}[ \t]+\S|[ \t]*\\(?:sub){0,2}(?:section|paragraph)\*?\{|[ \t]*<h[1-6]\b"
    r"|\S[^\n]*\n(?:={3,}|-{3,})[ \t]*$)",
    re.MULTILINE | re.IGNORECASE,
)
_LETTER = re.compile(r"[^\n]")
FEWEST = 3  # statements by which a section may have conventions of its own


def by_itself(statement: Statement, context: Context, fewest: int = FEWEST) -> tuple[Statement, Context] | None:
    """The statement among those of its section alone; None where the article is one section, or the section too short.

    The text of all other sections is blank there, so that every place stays.
    """
    starts = context.once(find_headings)
    if len(starts) < 2:
        return None
    k = bisect_right(starts, statement.span[0])
    key = (by_itself, k)
    if key not in context.found:
        ends = [0, *starts, len(context.article.words)]
        context.found[key] = _cut(context, ends[k], ends[k + 1])
    alone = cast(Context, context.found[key])
    own = next((each for each in alone.statements if each.span == statement.span), None)
    return None if own is None or len(alone.statements) < fewest else (own, alone)


def find_headings(article: Article, _: Sequence[Statement]) -> list[int]:
    """Where the headings stand."""
    return [found.start() for found in _HEADING.finditer(article.words)]


def _cut(context: Context, start: int, end: int) -> Context:
    source = context.article.words
    blank = _LETTER.sub(" ", source[:start]), _LETTER.sub(" ", source[end:])
    kept: dict[int, Statement] = {}
    for statement in context.statements:
        if start <= statement.span[0] < end:
            head = None if statement.head is None else kept.get(statement.head.number)
            kept[statement.number] = replace(statement, number=len(kept), head=head)
    article = replace(context.article, source=blank[0] + source[start:end] + blank[1])
    return Context(article, tuple(kept.values()))
