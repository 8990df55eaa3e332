"""Products of derivatives along a chain: ∏_{i=2}^L ∂h_i/∂h_{i−1} ends at h_1, so that ∂h_1/∂W is missing for ∇_W L.

They are read from the text, since a product over an index is no part of other formulas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.patterns import regex
from symattn.writing.prose import Sentence

MOST_FACTORS = 8

_VARIABLE = r"[A-Za-z](?:_(?:\{[^{}]{1,12}\}|\w)|\^(?:\{[^{}]{1,12}\}|\w))*"
_LOSS = r"(?:\\mathcal\s*\{?)?L\}?"


def _slope(of: str, by: str) -> str:
    """A fraction ∂of/∂by, with names for its two groups."""
    above, below = (
        rf"\\partial\s*(?:\\mathcal\s*\{{?)?(?P<{of}>{_VARIABLE}|L)\}}?",
        rf"\\partial\s*(?P<{by}>{_VARIABLE})",
    )
    return rf"\\[dt]?frac\s*\{{\s*{above}\s*\}}\s*\{{\s*{below}\s*\}}"


_SPACE = r"(?:\s|\\[,;!: ]|\\(?:left|right|[bB]igg?[lr]?)|[()]|\\cdot\b|·|\\times\b)*"
_OVER = r"\\prod_\{\s*(?P<index>[a-z])\s*=\s*(?P<first>\w+)\s*\}\s*\^(?:\{\s*(?P<last>\w+)\s*\}|(?P<end>\w))"
_FACTOR = regex(rf"{_SPACE}(?:{_OVER}{_SPACE})?{_slope('of', 'by')}{_SPACE}")
_LEFT = regex(rf"(?:\\nabla_\{{?\s*(?P<whole>{_VARIABLE})\s*\}}?\s*{_LOSS}|{_slope('loss', 'weight')})\s*&?=\s*&?")
_WEIGHT = regex(r"[Wwθ]")  # and no b: ∂z/∂b is 1
_STATE = regex(r"[haxz]")


class _Edge(NamedTuple):
    """∂of/∂by, between names without spaces and braces."""

    of: str
    by: str


def judge_chain_products(context: Context) -> Iterator[Formula]:
    """Gradients by weights that are said to be a product of derivatives which ends at a state of the network."""
    source = context.article.words
    if "\\partial" not in source:
        return
    for left in _LEFT.finditer(source):
        weight = left["whole"] or (left["weight"] if left["loss"].strip("}") == "L" else "")
        edges, end = _factors(source, left.end())
        if not weight or not _WEIGHT.match(weight) or len(edges) < 2 or not _ends(source, end):
            continue
        last = _end_of("L", edges)
        if last is None or not _STATE.match(last):
            continue
        span = (left.start(), end)
        printed = source[span[0] : span[1]]
        right = rf"{printed} \cdot \frac{{\partial {_spelled(last)}}}{{\partial {weight}}}"
        yield conclude_in_words(context, span, "fails", Sentence("words_chain", end=last, weight=_plain(weight)), right)


def _factors(source: str, at: int) -> tuple[list[_Edge], int]:
    """The derivatives that stand side by side from a place on, products over an index as one, and where they end."""
    edges: list[_Edge] = []
    end = at
    while len(edges) < MOST_FACTORS and (found := _FACTOR.match(source, at)) is not None:
        edge = _Edge(_plain(found["of"]), _plain(found["by"]))
        if found["index"]:
            whole = _telescoped(edge, found["index"], found["first"], found["last"] or found["end"])
            if whole is None:
                return [], at
            edge = whole
        edges.append(edge)
        end = found.start() + len(found[0].rstrip())
        at = found.end()
    return edges, end


def _telescoped(edge: _Edge, index: str, first: str, last: str) -> _Edge | None:
    """∏_{i=m}^n ∂h_i/∂h_{i−1} as ∂h_n/∂h_{m−1}."""
    letter, _, place = edge.of.partition("_")
    if place != index or edge.by != f"{letter}_{index}-1":
        return None
    before = str(int(first) - 1) if first.isdigit() else f"{first}-1"
    return _Edge(f"{letter}_{last}", f"{letter}_{before}")


def _end_of(start: str, edges: list[_Edge]) -> str | None:
    """Where the derivatives lead from the loss on, each taken once; None where they do not follow each other."""
    left = list(edges)
    at = start
    while left:
        following = [edge for edge in left if edge.of == at]
        if len(following) != 1:
            return None
        left.remove(following[0])
        at = following[0].by
    return at


def _ends(source: str, end: int) -> bool:
    """Whether nothing more is multiplied or added."""
    return re.match(r"\s*(?:\}|\\\\|\\end\b|\\tag|\$|\\\]|\\\)|[.,;，。；]|\n\s*\n|\Z)", source[end:]) is not None


def _plain(name: str) -> str:
    return re.sub(r"[\s{}]", "", name)


def _spelled(name: str) -> str:
    letter, mark, place = name.partition("_")
    return f"{letter}_{{{place}}}" if mark and len(place) > 1 else name
