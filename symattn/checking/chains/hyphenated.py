"""Names that are no names to a reader of formulas.

TF-IDF = 0.25 × 0.69 = 0.17 is no difference of TF and IDF; `- for_compute : 24 / 96 = 0.25` says what for_compute is.
"""

from __future__ import annotations

from dataclasses import replace

from symattn.checking.naming import with_one_spelling
from symattn.patterns import regex
from symattn.reading import formula as f

FEWEST = 2  # letters on both sides of a hyphen
_ITEM = regex(
    r"(?:^|\n)[ \t]*(?:[-*+•][ \t]+)?[`*]{0,3}(?P<base>[a-z]{2,})_(?P<sub>[a-z]{2,})[`*]{0,3}[ \t]?:[ \t]*[`$]{0,2}\Z"
)


def with_hyphenated(chain: f.Chain, text: str) -> f.Chain:
    """The chain with one name for a first side of two words that a hyphen joins, where formulas or numbers follow."""
    first = chain.sides[0].expression
    written = text[first.start : first.end]
    words = written.split("-")
    joined = len(words) == 2 and all(len(word) >= FEWEST and word.isalpha() for word in words)
    if not joined or not isinstance(first, f.Sum) or len(chain.sides) < 2:
        return chain
    name = f.Name(written, text=written, start=first.start, end=first.end)
    return replace(chain, sides=(replace(chain.sides[0], expression=name), *chain.sides[1:]))


def name_before(chain: f.Chain, before: str) -> f.Name | None:
    """The name of an item that goes on with a calculation in numbers alone, which has no name of its own."""
    found = _ITEM.search(before)
    if found is None or len(chain.sides) < 2 or f.is_printed(chain.sides[0].expression):
        return None
    if any(isinstance(part, f.Name | f.Unread) for side in chain.sides for part in f.walk(side.expression)):
        return None
    name = f.Name(found["base"], (found["sub"],), text=f"{found['base']}_{found['sub']}")
    spelled = with_one_spelling(replace(chain, sides=(replace(chain.sides[0], expression=name),))).sides[0].expression
    return spelled if isinstance(spelled, f.Name) else None
