"""Numbers given to a name before an arrow, `h = 8 → d_k = 64`: an equation, and what it leads to as one of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from symattn.checking.expected.arrows import EQUALITIES
from symattn.checking.expected.sources import Source
from symattn.checking.expected.totals import is_called_sum
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
            case (f.Side("", name), *_, f.Side(relation, f.Number()), f.Side("→", f.Matrix() as value)) if (
                is_called_sum(name) and relation in EQUALITIES and f.is_printed(value)
            ):  # sum = 11.1 → [0.66, 0.25, 0.09]
                yield replace(chain, sides=chain.sides[:-1]), source
                yield replace(chain, sides=chain.sides[-1:]), source
            case (
                *before,
                f.Side(relation, f.Number()),
                f.Side("→", f.Quotient() | f.Product()),
                f.Side("=", f.Number()),
            ) if before and relation in EQUALITIES:  # q · k = 2 → 2/1.41 = 1.41
                yield replace(chain, sides=chain.sides[:-2]), source
                yield replace(chain, sides=(replace(chain.sides[-2], relation=""), chain.sides[-1])), source
            case _:
                yield chain, source
