"""Causal masks of a program: the strict upper triangle is hidden, `torch.triu(torch.ones(T, T), diagonal=1)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.programs.names import NAME
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_ONES = r"(?:torch|np|jnp)\.ones\(\(?\s?(?P<rows>[\w.]+),\s?(?P<columns>[\w.]+)\s?\)?(?:,[^()\n]*)?\)"
_TRIANGLE = regex(
    rf"^[ \t]*(?P<line>(?P<name>{NAME})[ \t]*=[ \t]*(?:torch|np|jnp)\.(?P<kind>triu|tril)\({_ONES}"
    r"(?:,\s?(?:(?:diagonal|k)\s?=\s?)?(?P<diagonal>-?\d))?\)(?:\.(?:bool|to)\([^()\n]*\)|\.astype\(bool\))?)"
    r"(?=[ \t]*(?:#|$))",
    re.MULTILINE,
)
_LOW = r"(?:float\(['\"]-inf['\"]\)|-?(?:np|torch|math)\.inf|-1e\d{1,2}|-float\(['\"]inf['\"]\)|NEG_INF)"


def judge_masks(context: Context) -> Iterator[Formula]:
    """What is hidden is the future alone: its own key every query sees."""
    source = context.article.words
    for found in _TRIANGLE.finditer(source):
        use = _use_of(found["name"], source[found.end() : found.end() + 600])
        if use is None or found["rows"] != found["columns"]:
            continue
        diagonal = int(found["diagonal"] or 0)
        kind, hides = found["kind"], use == "hidden"
        theorem = Sentence("words_code_mask")
        if (kind, diagonal, hides) in (("triu", 1, True), ("tril", 0, False)):
            yield conclude_in_words(context, found.span("line"), "holds", theorem)
        elif (kind, diagonal, hides) in (("triu", 0, True), ("tril", -1, False)):
            yield conclude_in_words(context, found.span("line"), "fails", theorem)


def _use_of(name: str, after: str) -> str | None:
    """Whether the true entries are hidden or shown: where they are filled with −∞, or kept."""
    own = re.escape(name)
    after = re.split(rf"^[ \t]*{own}[ \t]*=", after, maxsplit=1, flags=re.MULTILINE)[0]
    if re.search(rf"masked_fill_?\(\s?{own}(?:\s?==\s?(?:1|True))?\s?,\s?{_LOW}|where\(\s?{own}\s?,\s?{_LOW}", after):
        return "hidden"
    turned = rf"masked_fill_?\(\s?(?:~\s?{own}|{own}\s?==\s?(?:0|False))\s?,\s?{_LOW}"
    if re.search(rf"{turned}|where\(\s?{own}\s?,\s?[\w.]+\s?,\s?{_LOW}", after):
        return "shown"
    return None
