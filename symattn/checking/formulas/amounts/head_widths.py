"""Widths of heads in shapes: b × t × h × d/h; with h/d the fraction is upside down."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.shapes.sizes import kind_of
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.writing.prose import Sentence

_FRACTION = (
    r"(?:\\[dt]?frac\s*\{\s*(?P<above>[\w{}]+?)\s*\}\s*\{\s*(?P<below>[A-Za-z](?:_\{?\w+\}?)?)\s*\}"
    r"|(?P<above2>\w+)\s?/\s?(?P<below2>\w+))"
)
_SIZE = r"[A-Za-z](?:_\{?\w+\}?)?"
_SHAPE = re.compile(rf"\$?\s?{_SIZE}(?:\s?(?:\\times|×)\s?{_SIZE}){{1,3}}\s?(?:\\times|×)\s?{_FRACTION}\s?\$?")
_HEADS = re.compile(r"(?<!\w)(?:h|H|n_h|n_\{?heads?\}?)(?!\w)")
_ABOUT = re.compile(r"head|头|頭|cabeça|cabeza|tête|헤드|ヘッド|Kopf|Köpfe", re.IGNORECASE)


def judge_head_widths(context: Context) -> Iterator[Formula]:
    """A shape with an axis of h heads whose last axis is a fraction of h and a width."""
    if not context.mentions(_ABOUT):
        return
    for found in _SHAPE.finditer(context.article.words):
        above, below = (re.sub(r"[{}]", "", found[key] or found[f"{key}2"]) for key in ("above", "below"))
        axes = found[0][: found.start("above" if found["above"] else "above2") - found.start()]
        if not _HEADS.search(axes):
            continue
        heads = [bool(_HEADS.fullmatch(x)) for x in (above, below)]
        widths = [kind_of(x) == "width" for x in (above, below)]
        if heads == [True, False] and widths[1]:
            right = _upright(found, above, below)
            yield conclude_in_words(context, found.span(), "fails", Sentence("words_head_fraction"), right)
        elif heads == [False, True] and widths[0]:
            yield conclude_in_words(context, found.span(), "holds", Sentence("words_head_fraction"))


def _upright(found: re.Match[str], above: str, below: str) -> str:
    mark = "" if found["above"] else "2"
    start, end = found.start(f"above{mark}"), found.end(f"below{mark}")
    turned = (
        found[0][: start - found.start()] + found["below"] + "}{" + found["above"] + found[0][end - found.start() :]
        if found["above"]
        else found[0][: start - found.start()] + f"{below}/{above}" + found[0][end - found.start() :]
    )
    return turned.strip()
