"""What a quantified statement says: `For all $x, y \\in \\mathbb{R}$: $f(x + y) = f(x) + f(y)$` is said of all x and y.

The quantifier with the letters that it binds, their kind and the equation have to be all that stands in the sentence,
and the sentence the first of its paragraph: then nothing else tells which letters are meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f

_LETTER = r"(?:\\(?:mathbf|boldsymbol|bm|vec)\{\w\}|\\[a-z]+|[^\W\d_])"
_LETTERS = rf"{_LETTER}(?:\s*(?:,|、|\band\b|\bund\b|\bet\b|和|与)\s*{_LETTER})*"
_SIZE = r"(?:[A-Za-z](?:_\{?\w+\}?)?|[2-9]|[1-9]\d+)"  # of an axis, none of 1
_REALS = r"(?:\\mathbb\s?\{?R\}?|\\R\b|ℝ)"
_SPACE = rf"(?:\\in|∈)\s*{_REALS}(?:\s*\^\s*\{{?\s*(?P<axes>{_SIZE}(?:\s*(?:\\times|×)\s*{_SIZE})?)\s*\}}?)?"
_KIND = r"(?P<kind>(?:(?:real|square)\s+)?(?:numbers?|scalars?|vectors?|matrix|matrices)|实数|向量|方?矩阵)"
_QUANTIFIER = (
    r"(?:for (?:all|any|every|each|arbitrary)|∀|\\forall|für alle|pour tou(?:t|s|te|tes)|para tod[oa]s?"
    rf"|对于?(?:任意|所有)的?)\s*(?:{_KIND})?\s*(?P<letters>{_LETTERS})\s*(?:{_SPACE})?"
)
_EQUATION = "⟦⟧"
_HOLDS = r"(?:we have|one has|it holds that|gilt|on a|有|恒有)?"
_BEFORE = regex(
    rf"\s*{_QUANTIFIER}\s*[,，:：]?\s*{_HOLDS}\s*{_EQUATION}\s*(?:holds|成立|恒成立)?\s*[.。;；]?\s*\Z", re.IGNORECASE
)
_BEHIND = regex(rf"\s*{_EQUATION}\s*[,，]?\s*(?:holds|gilt)?\s*{_QUANTIFIER}\s*[.。;；]?\s*\Z", re.IGNORECASE)
_MARKS = regex(r"[$`]|\\[()\[\]]|\\q?quad\b|\\[,;:! ]")
_BREAK = regex(r"\n[ \t]*\n|\n[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]|\A")
_END = regex(r"(?<=[.!?;])(?=\s)|(?<=[。！？；])|\n[ \t]*\n|\Z")
_ITEM = regex(r"[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+")
_FAR = 300  # characters


@dataclass(frozen=True)
class Quantified:
    """The letters that an equation is said of, and whether they are matrices of any size."""

    letters: frozenset[str]
    matrices: bool


def read_quantifier(statement: Statement, source: str) -> Quantified | None:
    """What the sentence of an equation says it of; None where it says anything more, or less."""
    start, end = statement.span
    before, after = source[max(start - _FAR, 0) : start], source[end : end + _FAR]
    first = [found.end() for found in _BREAK.finditer(before)][-1]
    if before[:first].rstrip(" \t\n-*+•0123456789.)").endswith((":", "：", "?", "？")):
        return None  # what is announced, or asked
    paragraph = before[first:]
    ended = _END.search(after)
    sentence = paragraph + _EQUATION + after[: ended.end() if ended else len(after)]
    plain = _MARKS.sub(" ", _ITEM.sub("", sentence, 1) if _ITEM.match(sentence) else sentence)
    found = _BEFORE.match(plain) or _BEHIND.match(plain)
    if found is None:
        return None
    kind, axes = found["kind"] or "", found["axes"] or ""
    of_matrices = "matri" in kind.lower() or "矩阵" in kind or "×" in axes or "times" in axes
    return Quantified(frozenset(_bases(found["letters"])), of_matrices)


_BETWEEN = regex(r"\s*(?:,|、|\band\b|\bund\b|\bet\b|和|与)\s*", re.IGNORECASE)


def _bases(letters: str) -> Iterator[str]:
    for letter in _BETWEEN.split(letters):
        for chain in f.parse(letter):
            yield from (side.expression.base for side in chain.sides if isinstance(side.expression, f.Name))
