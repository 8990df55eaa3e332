"""Numbers given to a name before an arrow, `h = 8 → d_k = 64`: an equation, and what it leads to as one of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from symattn.checking.expected.arrows import EQUALITIES
from symattn.checking.expected.sources import Source
from symattn.reading import formula as f


def part_at_arrows(read: Sequence[tuple[f.Chain, Source]]) -> Iterator[tuple[f.Chain, Source]]:
    """The chains, of which those that give a name its numbers end before an arrow."""
    for chain, source in read:
        match chain.sides:
            case (f.Side("", f.Name()), f.Side("=", value), f.Side("→", f.Name()), f.Side(relation), *_) if (
                f.is_printed(value) and relation in EQUALITIES
            ):
                yield replace(chain, sides=chain.sides[:2]), source
                yield replace(chain, sides=chain.sides[2:]), source
            case _:
                yield chain, source
