"""What stands under one heading by itself: a survey has the conventions of several papers, one below the other."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import cast

from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

_HEADING = regex(
    r"^(?:#{1,6}[ \t]+\S|[ \t]*\\(?:sub){0,2}(?:section|paragraph)\*?\{|[ \t]*<h[1-6]\b"
    r"|\S[^\n]*\n(?:={3,}|-{3,})[ \t]*$)",
    re.MULTILINE | re.IGNORECASE,
)
_LEFT = regex(r"(?<![^\s$`])([A-Za-z]\w{0,9}) ?=(?!=)")
_LETTER = regex(r"[^\n]")
MOST_TIMES = 4  # that one letter is defined, where each time stands for itself
FEWEST = 3  # statements by which a section may have conventions of its own


def by_itself(statement: Statement, context: Context, fewest: int = FEWEST) -> tuple[Statement, Context] | None:
    """The statement among those of its section alone; None where the article is one section, or the section too short.

    The text of all other sections is blank there, so that every place stays.
    """
    starts = context.once(find_headings)
    if len(starts) < 2:
        return None
    k = bisect_right(starts, statement.span[0])
    ends = [0, *starts, len(context.article.words)]
    found = _within(statement, context, ends[k], ends[k + 1])
    return None if found is None or len(found[1].statements) < fewest else found


def until_defined_anew(statement: Statement, context: Context, name: str) -> tuple[Statement, Context] | None:
    """The statement among those from the last definition of a letter before it to the next one behind it.

    None where the letter is defined once, or before this statement twice, or where either stretch says nothing more of
    what the statement is about: C = A B with its dB, and then C = A ⊙ B with another dB.
    """
    starts = context.once(find_starts).get(name, [])
    k = bisect_right(starts, statement.span[0])
    if not 1 < len(starts) <= MOST_TIMES or k == 0:
        return None
    ends = [*starts, len(context.article.words)]
    same = context.once(find_lefts).get(statement.printed(statement.left).strip(), [])
    if any(bisect_right(same, start) == bisect_right(same, end) for start, end in pairwise(ends)):
        return None
    return _within(statement, context, ends[k - 1], ends[k])


def find_starts(_: Article, statements: Sequence[Statement]) -> dict[str, list[int]]:
    """Where each plain letter is defined, C = A B."""
    found: dict[str, list[int]] = {}
    for each in statements:
        if len(each.equals) == 2 and isinstance(each.left, f.Name) and not (each.left.sub or each.left.sup):
            found.setdefault(each.left.base, []).append(each.span[0])
    return found


def find_lefts(article: Article, _: Sequence[Statement]) -> dict[str, list[int]]:
    """Where each word stands in front of a sign of equality, read as a statement or not."""
    found: dict[str, list[int]] = {}
    for each in _LEFT.finditer(article.words):
        found.setdefault(each[1], []).append(each.start())
    return found


def find_headings(article: Article, _: Sequence[Statement]) -> list[int]:
    """Where the headings stand."""
    return [found.start() for found in _HEADING.finditer(article.words)]


def _within(statement: Statement, context: Context, start: int, end: int) -> tuple[Statement, Context] | None:
    """The statement among those of a stretch alone, which is cut out once."""
    key = (_within, start, end)
    if key not in context.found:
        context.found[key] = _cut(context, start, end)
    alone = cast(Context, context.found[key])
    own = next((each for each in alone.statements if each.span == statement.span), None)
    return None if own is None else (own, alone)


def without_lines(context: Context, spans: Sequence[tuple[int, int]]) -> Context:
    """All statements but those at these places, whose text is blank: lines that are false."""
    source, end = [], 0
    for first, last in sorted(spans):
        source += [context.article.words[end:first], _LETTER.sub(" ", context.article.words[first:last])]
        end = last
    source.append(context.article.words[end:])
    return _with_statements(context, "".join(source), lambda each: each.span not in spans)


def _cut(context: Context, start: int, end: int) -> Context:
    source = context.article.words
    blank = _LETTER.sub(" ", source[:start]), _LETTER.sub(" ", source[end:])
    return _with_statements(
        context, blank[0] + source[start:end] + blank[1], lambda statement: start <= statement.span[0] < end
    )


def _with_statements(context: Context, source: str, is_kept: Callable[[Statement], bool]) -> Context:
    kept: dict[int, Statement] = {}
    for statement in context.statements:
        if is_kept(statement):
            head = None if statement.head is None else kept.get(statement.head.number)
            kept[statement.number] = replace(statement, number=len(kept), head=head)
    return Context(replace(context.article, source=source), tuple(kept.values()))
