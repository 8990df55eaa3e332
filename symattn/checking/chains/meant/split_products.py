"""Products whose factors stand in formulas of their own, `= A` above `B = C`: C is not what B is worth.

Within a display the reader joins them. Of two displays, or two lines of text, the second may be an equation of its own
just as well: the factors are listed, and nothing is held against them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symattn.checking.expected.arrows import EQUALITIES
from symattn.checking.expected.sources import Source
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_HALF = Sentence("half_an_expression")


def part_split_products(read: Sequence[tuple[f.Chain, Source]]) -> list[tuple[f.Chain, Source]]:
    """The chains, with factors unread that stand at the end of one and at the beginning of the next."""
    found = list(read)
    for k in range(len(read) - 1):
        if _is_split(read, k):
            before, source = found[k]
            after, source_after = found[k + 1]
            found[k] = _without(before, len(before.sides) - 1), source
            found[k + 1] = _without(after, 0), source_after
    return found


def _is_split(read: Sequence[tuple[f.Chain, Source]], k: int) -> bool:
    """Whether a chain ends with a factor, and the next begins with the other: both matrices, of sizes that fit."""
    (before, source), (after, source_after) = read[k], read[k + 1]
    left, right = before.sides[-1], after.sides[0]
    if not (source_after is source or source_after.where.goes_on) or left.relation not in EQUALITIES[1:]:
        return False
    if right.relation or not _fit(left.expression, right.expression):
        return False
    if len(after.sides) > 1:
        return f.is_printed(after.sides[1].expression)
    return k + 2 < len(read) and _goes_on(read[k + 2], source_after)


def _goes_on(following: tuple[f.Chain, Source], source: Source) -> bool:
    """Whether a chain begins with a relation and goes on with the one before it, from a source."""
    chain, own = following
    return bool(chain.sides[0].relation) and (own is source or own.where.goes_on)


def _fit(left: f.Expression, right: f.Expression) -> bool:
    """Whether both are matrices in numbers, and have a product that is more than one of two lists of numbers."""
    if not (isinstance(left, f.Matrix) and isinstance(right, f.Matrix)):
        return False
    printed = f.is_printed(left) and f.is_printed(right)
    return printed and len(left.rows[0]) == len(right.rows) > 1


def _without(chain: f.Chain, k: int) -> f.Chain:
    """The chain with a side that counts as not read."""
    side = chain.sides[k]
    unread = f.Unread(_HALF, start=side.expression.start, end=side.expression.end)
    sides = (*chain.sides[:k], replace(side, expression=unread), *chain.sides[k + 1 :])
    return replace(chain, sides=sides)
