"""What an article states in letters alone and no judge knows: orders of growth, shapes, counts, products by their axes.

Silence is a fault: what is neither judged nor listed would pass for checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from symattn.checking.formulas.programs.einsums import find_einsums
from symattn.checking.formulas.shapes.declared import collect
from symattn.checking.formulas.shapes.mentions import SHAPE_WORD, find_shapes
from symattn.checking.formulas.shapes.sizes import read_size
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading.articles.article import Article, LineBreaks, NotChecked, has_digits
from symattn.writing.prose import Sentence

_ORDER = regex(
    r"(?<![\w\\])(?:\\(?:mathcal|mathrm|text|operatorname)\s?\{\s?O\s?\}|\\?Theta|[OΘ])\s?(?:\\left|\\[bB]ig)?\s?\("
    r"(?=[^()\n]{0,40}?[A-Za-z])(?:[^()\n]|\([^()\n]{0,40}\)){1,80}\)"
)
_CACHE = regex(  # KV cache = layers × heads × …
    r"^[ \t>*\-`$]*(?P<line>KV[ _-]?(?:cache|缓存)[^=\n]{0,24}=[^=\n]{1,24}?[^\W\d]\s?(?:×|\*|·|\\times|\\cdot)"
    r"\s?[^=\n`$]{1,120}?)[ \t`$*.]*$",
    re.IGNORECASE | re.MULTILINE,
)
_EQUATION = regex(  # `+--> S = Q^T K / sqrt(C)   shape: …`
    r"^[ \t|+>-]*(?P<line>[^\W\d][^\s=:,]{0,24}[ \t]*=(?!=)[ \t]*(?=[^=\n]{0,200}[*/@⊙·^+])[^=\n#]{3,200}?)"
    r"[ \t]*(?:#[^\n]*|[ \t]{2,}shape[^\n]*)?$",
    re.MULTILINE,
)
_CALLS = regex(  # of a program, or with numbers
    r"\b\w+\.\w+\(|\b(?:def|for|if|return|import|lambda|const|let|var)\b(?!\()|[{};\"'&|<>?]|\[\[|(?<![\w^.])\d"
)
_UNIT = regex(  # behind a count
    r"[\s$`*)]*(?:(?:trainable|learnable|more) )?(?:bytes?|FLOPs?|operations|MACs?|parameters|params|elements|floats"
    r"|numbers|values|字节|次|个?(?:参数|元素)|paramètres|parámetros)",
    re.IGNORECASE,
)
_COUNTED = regex(
    r"FLOP|\bparam|par[áà]m|operations|\bcosts?\b|cache|memory|计算量|計算量|参数|參數|显存|缓存|复杂度", re.IGNORECASE
)
_LETTERED = regex(r"[^\W\d_}\])][}\])\s]*(?:=|\\approx\b)[^=]*[^\W\d_]")
_LINE_WITH_SHAPE = regex(rf"^[^\n]{{0,300}}{SHAPE_WORD}[^\n]{{0,300}}$", re.IGNORECASE | re.MULTILINE)
_SHAPE_BEFORE = regex(rf"{SHAPE_WORD}\)?\s?(?:of|is|are|=|:|：|是|为|為|→|->|\(|[`$*\s])*$", re.IGNORECASE)
MISREAD = (
    "formula_neighbours",
    "formula_application",
    "name_unknown",
    "formula_incomplete",
)  # of what is read as letters here

Found = tuple[tuple[int, int], str]  # where it stands, and why nothing is said of it


def list_silent(context: Context, is_taken: Callable[[int], bool]) -> Iterator[NotChecked]:
    """What was found in the text and is not taken, by what is judged or listed already; nothing twice."""
    breaks = LineBreaks.of(context.article.words)
    end = 0
    for (start, stop), reason in sorted(_find(context)):
        if start >= end and not any(map(is_taken, (start, stop - 1))):
            yield NotChecked(*breaks.position(start), context.article.words[start:stop], Sentence(reason))
            end = stop


def _find(context: Context) -> Iterator[Found]:
    source = context.article.words
    yield from ((found.span(), "order_not_settled") for found in _ORDER.finditer(source))
    yield from ((found.span("line"), "formula_not_settled") for found in find_einsums(source))
    yield from ((found.span("line"), "count_not_settled") for found in _CACHE.finditer(source))
    for claim in context.once(collect).claims:
        if any(axis.free_symbols for axis in claim.axes):
            yield (claim.place.start, claim.place.end), "shape_not_settled"
    yield from ((span, "shape_not_settled") for span in _find_said(source))
    yield from ((span, "formula_not_settled") for span in _find_lines(context.article))
    yield from ((each.span, "count_not_settled") for each in context.statements if _is_count(each))
    yield from ((span, "formula_not_settled") for span in _find_unread(context))


def _find_unread(context: Context) -> Iterator[tuple[int, int]]:
    """Marked equations of letters that cannot be read; those with numbers are listed where these are."""
    read = {id(statement.passage) for statement in context.statements}
    for passage in context.article.passages:
        unread = passage.kind in ("display", "inline") and id(passage) not in read
        if unread and _LETTERED.search(passage.text) and not has_digits(passage.text):
            yield passage.source_span(0, len(passage.text))


def _find_said(source: str) -> Iterator[tuple[int, int]]:
    """Lists of sizes behind the word shape, whatever has it."""
    for line in _LINE_WITH_SHAPE.finditer(source):
        for found in find_shapes(line[0]):
            lettered = found.sure and any(axis.free_symbols for axis in found.axes)
            if lettered and _SHAPE_BEFORE.search(line[0], 0, found.start):
                yield line.start() + found.start, line.start() + found.end


def _find_lines(article: Article) -> Iterator[tuple[int, int]]:
    """Equations of letters with operators that are lines of a block of code which is no program."""
    for block in article.seen:
        for line in _EQUATION.finditer(block.text) if block.kind == "code" else ():
            if not _CALLS.search(line["line"]):
                yield block.source_span(*line.span("line"))


def _is_count(statement: Statement) -> bool:
    """Whether it is a product or a sum of letters alone, with words for what it counts beside it."""
    if len(statement.sides) != 1 or not (_UNIT.match(statement.after) or _COUNTED.search(statement.before)):
        return False
    size = read_size(statement.left)
    return size is not None and bool(size.free_symbols) and not (size.is_Symbol or size.is_number)


def without_misread(listed: Sequence[NotChecked], open_: Sequence[NotChecked]) -> Iterator[NotChecked]:
    """What was not checked as numbers, without what is listed as letters: that these may be no product is no reason."""
    known = {(each.line, each.text.strip()) for each in open_}
    for each in listed:
        letters = each.reason.key in MISREAD and any(
            line == each.line and each.text.strip() in text for line, text in known
        )
        if not letters:
            yield each
