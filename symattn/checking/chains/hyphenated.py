"""Names with a hyphen, TF-IDF = 0.25 × 0.69 = 0.17, which is no difference of TF and IDF."""

from __future__ import annotations

from dataclasses import replace

from symattn.reading import formula as f

FEWEST = 2  # letters on both sides of a hyphen


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
