"""The commands that only set a letter in another font, `\\mathbf{A}`, which go where the letter goes."""

from __future__ import annotations

import re
from dataclasses import replace

from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.formula.spellings import FONTS

_FONT = regex(rf"(?:{'|'.join(map(re.escape, sorted(FONTS)))})\s*\Z")
_LONGEST = max(map(len, FONTS)) + 4


def with_fonts(e: f.Expression, text: str) -> f.Expression:
    """The expression whose parts begin at the commands right in front of them.

    >>> [chain] = f.parse(r"B \\mathbf{A}^T", algebra=True)
    >>> with_fonts(chain.sides[0].expression, r"B \\mathbf{A}^T").factors[1].start
    2
    """

    def begun(part: f.Expression) -> f.Expression:
        found = _FONT.search(text, max(part.start - _LONGEST, 0), part.start)
        return part if found is None else replace(part, start=found.start())

    return rewrite(e, begun)
