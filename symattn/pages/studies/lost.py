"""What softmax loses of each row, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symattn.pages.numbers.entries import Expansion
from symattn.pages.saturation import saturation_blocks
from symattn.values.saturation.measure import find_saturated_rows
from symattn.writing.document import Block, Heading
from symattn.writing.prose import Sentence


def lost(told: Expansion, tokens: Sequence[str]) -> Iterator[Block]:
    """The saturation report, without the remarks that stand beside the weights."""
    yield Heading(1, Sentence("saturation.title"))
    yield from saturation_blocks(find_saturated_rows(told.values, digits=5), tokens, remarks=False)
