"""What is said of a stretch of the text that is no formula."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Counterexample, Formula, FormulaVerdict
from symattn.checking.formulas.statements.context import Context
from symattn.reading.articles.article import LineBreaks
from symattn.writing.prose import Sentence


def conclude_in_words(
    context: Context,
    span: tuple[int, int],
    verdict: FormulaVerdict,
    theorem: Sentence,
    right: str | None = None,
    counterexample: Counterexample | None = None,
) -> Formula:
    """A verdict on what stands at a place of the source."""
    source = context.article.words
    line, column = LineBreaks.of(source).position(span[0])
    text = source[span[0] : span[1]]
    return Formula(line, column, text, verdict, theorem, right=right, counterexample=counterexample, span=span)


def find_said(
    context: Context, *patterns: re.Pattern[str], beside: re.Pattern[str] | None = None
) -> Iterator[re.Match[str]]:
    """What patterns find in the text, where that has other words anywhere too."""
    if beside is None or context.mentions(beside):
        said = list(filter(context.mentions, patterns))
        yield from (found for pattern in said for found in pattern.finditer(context.article.words))


def with_group(found: re.Match[str], group: str, made: str) -> str:
    """The stretch with other text for a group."""
    start, end = (place - found.start() for place in found.span(group))
    return found[0][:start] + made + found[0][end:]
