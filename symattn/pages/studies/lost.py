"""What softmax loses of each row, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symattn.pages.saturation import saturation_blocks
from symattn.values import Valuation
from symattn.values.saturation.measure import find_saturated_rows
from symattn.writing.document import Block, Heading
from symattn.writing.prose import Sentence


def lost(values: Valuation, tokens: Sequence[str]) -> Iterator[Block]:
    """The saturation report, without the remarks that stand beside the weights."""
    yield Heading(1, Sentence("saturation.title"))
    yield from saturation_blocks(find_saturated_rows(values, digits=5), tokens, remarks=False)
