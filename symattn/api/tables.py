"""Shapes and costs as pages of their own, which notebooks show as tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symattn.api.page import Page
from symattn.pages.sizes import cost_blocks, shape_blocks
from symattn.program.costs import Costs
from symattn.program.shapes import Shapes
from symattn.writing.document import Block, Document, Heading
from symattn.writing.notation import VASWANI, Notation
from symattn.writing.prose import Sentence


@dataclass(frozen=True)
class ShapeTable(Shapes, Page):
    """The shape of every input, step and view of a derivation, by name, and their table."""

    notation: Notation = VASWANI

    def document(self, *_: Any, **options: Any) -> Document:
        """The neutral document that the writers write."""
        return _document(Sentence("title.shapes"), tuple(shape_blocks(self)), self.notation)


@dataclass(frozen=True)
class CostTable(Costs, Page):
    """What a derivation takes, step by step and in all, and its tables."""

    notation: Notation = VASWANI

    def document(self, *_: Any, **options: Any) -> Document:
        """The neutral document that the writers write."""
        return _document(Sentence("title.costs"), tuple(cost_blocks(self)), self.notation)


def _document(title: Sentence, blocks: tuple[Block, ...], notation: Notation) -> Document:
    """Under the title of the section itself."""
    return Document(title, tuple(b for b in blocks if not (isinstance(b, Heading) and b.level == 1)), notation)
