"""Shapes of what belongs to one head: head_i and Q_i K_iᵀ have axes of batch and tokens, and none of heads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.shapes.sizes import HEAD_COUNTS, kind_of
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words, find_said
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_INDEX = r"_\{?(?P<index>[a-z])\}?"
_HEAD = rf"(?:\\(?:text|mathrm)\{{\s?)?[Hh]ead(?:\s?\}})?{_INDEX}"
_SCORES = r"Q_\{?(?P<row>[a-z])\}?\s?K_\{?(?P=row)\}?\^\{?\s?(?:T|\\top|\\mathsf\{T\})\s?\}?"
_SAID = regex(
    rf"\$?(?:(?P<head>{_HEAD})|(?P<scores>{_SCORES}))\s?\$?\s*(?:的|has|have|with|is|are|of|['’]s|\s)*"
    r"(?:形状|維度|维度|shape|size|dimensions?)\s*(?:为|是|is|of|[:：=])*\s*"
    r"\$?\s?[\[(](?P<axes>[^\[\]()$\n]{3,80})[\])]\s?\$?",
    re.IGNORECASE,
)
_EACH = regex(r"每个头|每一个头|单个头|\b(?:each|every|one|a single|per) head\b|\bper-head\b", re.IGNORECASE)
NEAR = 100  # characters
_CAMEL = regex(r"(?<=[a-z])(?=[A-Z])")


def judge_head_axes(context: Context) -> Iterator[Formula]:
    """False with an axis of heads, where the article speaks of each head."""
    for found in find_said(context, _SAID, beside=_EACH):
        axes = [axis.strip() for axis in found["axes"].split(",")]
        kinds = [_kind(axis) for axis in axes]
        theorem = Sentence("words_head_axis")
        if len(kinds) > 2 and kinds.count("heads") == 1 and "tokens" in kinds and _is_of_one(found):
            rest = ", ".join(axis for axis, kind in zip(axes, kinds, strict=True) if kind != "heads")
            yield conclude_in_words(context, found.span(), "fails", theorem, found[0].replace(found["axes"], rest))
        wanted = ["tokens", "width"] if found["head"] else ["tokens", "tokens"]
        if kinds in (wanted, ["batch", *wanted]):
            yield conclude_in_words(context, found.span(), "holds", theorem)


def _kind(axis: str) -> str:
    """What an axis counts, batchSize as batch_size."""
    letter = _CAMEL.sub("_", axis.strip("\\{}"))
    return "heads" if letter in HEAD_COUNTS else kind_of(letter.lower()) or kind_of(letter)


def _is_of_one(found: re.Match[str]) -> bool:
    """Whether the index is that of a head: of head_i it is, of Q_i K_iᵀ where each head is spoken of beside it."""
    around = found.string[max(found.start() - NEAR, 0) : found.end() + NEAR]
    return found["head"] is not None or _EACH.search(around) is not None
