"""Which loop of FlashAttention is outside: over keys and values in the first version, over queries in the second."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words, find_said
from symattn.writing.prose import Sentence

_KEYS, _QUERIES = r"(?:K\s?/\s?V|KV|K ?(?:and|和|、|,) ?V|keys?(?: and values?)?)", r"(?:Q|quer(?:y|ies))"
_BLOCKS = r"(?:\s?(?:的)?\s?(?:blocks?|tiles?|块))?"
_AND = r"\s?(?:[,，;；]| and| with|、)?\s?"


def _loop(place: str, mark: str) -> str:
    runs = r"(?: is| runs| iterates| goes)?(?: over)?"
    return rf"(?:{mark}(?:层)?循环(?:是|为|：)?\s?(?:遍历)?|(?:the )?{place} loops?{runs})"


_LOOPS = re.compile(
    rf"{_loop('outer', '外')}\s*(?:the )?(?:(?P<keys>{_KEYS})|(?P<queries>{_QUERIES})){_BLOCKS}{_AND}"
    rf"{_loop('inner', '内')}\s*(?:the )?(?:(?P<inner_queries>{_QUERIES})|(?P<inner_keys>{_KEYS})){_BLOCKS}",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"(?<!\w)(?:v|version |FlashAttention[- ]?|Flash Attention ?|FA[- ]?)(?P<number>[12])(?![\d.])", re.IGNORECASE
)
_OTHER = re.compile(
    r"原版|原来|原始|之前|此前|旧|改为|而非|original|previous|instead|rather|unlike|formerly|used to", re.IGNORECASE
)
_FLASH = re.compile(r"flash", re.IGNORECASE)
NEAR = 200


def judge_loop_orders(context: Context) -> Iterator[Formula]:
    """By the version that the sentence or its heading names last, and no other in the sentence."""
    for found in find_said(context, _LOOPS, beside=_FLASH):
        if bool(found["keys"]) is not bool(found["inner_queries"]):
            continue
        source = found.string
        before = source[max(found.start() - NEAR, 0) : found.start()]
        versions = list(_VERSION.finditer(before))
        line = before.rpartition("\n")[2]
        around = line + source[found.end() : found.end() + 60].partition("\n")[0]
        if _OTHER.search(around):
            continue
        if not versions or len({x["number"] for x in _VERSION.finditer(line)}) > 1:
            continue
        first = versions[-1]["number"] == "1"
        right = bool(found["keys"]) is first
        yield conclude_in_words(context, found.span(), "holds" if right else "fails", Sentence("words_loop_order"))
