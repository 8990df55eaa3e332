"""Which blocks speak of the very numbers of a calculation, and hold no longer once a reader has changed its inputs.

Whole matrices whose entries are known stay, since the page writes others into them, and formulas of symbols and sizes.
Of all else a number is known by its digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from symattn.writing.document import (
    Block,
    Boxes,
    Chain,
    Diagram,
    Dotted,
    Equation,
    Formula,
    Heading,
    HeatMap,
    Listed,
    Matrix,
    Paragraph,
    Part,
    Product,
    Quotient,
    Row,
    Signed,
    Symbol,
    Vector,
)
from symattn.writing.prose import Sentence, Words
from symattn.writing.writers.text_style import TextStyle

_TEXT = TextStyle()


def with_told(blocks: Sequence[Block]) -> Iterator[tuple[Block, bool]]:
    """Each block with whether it speaks of numbers, or leads to one that does."""
    told = [not _stays(block) for block in blocks]
    for k, block in enumerate(blocks):
        leads = isinstance(block, Paragraph) and k + 1 < len(blocks) and isinstance(blocks[k + 1], Equation)
        yield block, told[k] or (leads and told[k + 1])


def _stays(block: Block) -> bool:
    match block:
        case Heading() | Diagram() | HeatMap() | Boxes():
            return True
        case Equation(chains):
            return all(map(_is_general, chains))
        case Paragraph(sentences):
            return all(map(_is_general, sentences))
    return False


def _is_general(piece: Any) -> bool:
    """Whether a piece of a formula or a sentence holds of any inputs."""
    match piece:
        case Formula() | Symbol() | Vector() | Part():
            return True
        case Matrix():
            cells = (cell for row in piece.rows for cell in row or () if cell is not None)
            return piece.entries is not None or all(map(_is_general, cells))
        case Dotted():
            return _is_general(piece.left) and _is_general(piece.right)
        case Words():
            return False  # an author's own, who had these numbers in view
        case Sentence():
            return all(map(_is_general, piece.fields.values()))
        case Chain():
            return all(_is_general(side) for _, side in piece.sides)
        case Row() | Listed():
            return all(map(_is_general, piece.parts))
        case Product():
            return all(map(_is_general, piece.factors))
        case Signed():
            return all(_is_general(term) for _, term in piece.terms)
        case Quotient():
            return _is_general(piece.above) and _is_general(piece.below)
    shown = piece.write(_TEXT) if hasattr(piece, "write") else str(piece)
    return not any(c.isdigit() for c in shown)
