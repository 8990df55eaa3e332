"""What a derivation may end with when a worksheet asks for it (`[show] study = "..."`): a section that compares."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from symattn.pages.numbers.entries import Expansion
from symattn.pages.studies.finite_mask import finite_mask
from symattn.pages.studies.float_softmax import float_softmax
from symattn.pages.studies.lost import lost
from symattn.pages.studies.rows import cached_row, positions
from symattn.pages.studies.scaling import scaling
from symattn.pages.studies.temperature import temperature
from symattn.writing.document import Block

# from the values as the page tells them, and the names of the tokens
Study = Callable[[Expansion, Sequence[str]], Iterator[Block]]

STUDIES: Mapping[str, Study] = {
    "saturation": lost,
    "scaling": scaling,
    "temperature": temperature,
    "finite-mask": finite_mask,
    "float-softmax": float_softmax,
    "cached-row": cached_row,
    "positions": positions,
}

__all__ = ["STUDIES"]
