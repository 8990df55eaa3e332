"""How a writer says sentences: what it makes of mathematics within them, of plain fields, and of the words between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from symattn.writing.document import Box
from symattn.writing.prose import Sentence


@dataclass(frozen=True)
class Wording:
    """`box` sets mathematics in a line; `field` and `words` escape what would be markup."""

    box: Callable[[Box], str]
    field: Callable[[str], str] = str
    words: Callable[[str], str] = str
    columns: bool = False  # whether sentences speak of columns instead of rows

    def say(self, text: Sentence | Box | str, language: str) -> str:
        """A sentence, a piece of mathematics, or plain words, which are somebody's own and are escaped."""
        if isinstance(text, Sentence):
            return text.text(language, show=self._show, literal=self.words, columns=self.columns)
        return self._show(text)

    def paragraph(self, sentences: Sequence[Sentence], language: str) -> str:
        """Sentences one after another; Chinese has no space between them."""
        return ("" if language == "zh" else " ").join(self.say(s, language) for s in sentences)

    def _show(self, field: object) -> str:
        return self.box(field) if hasattr(field, "write") else self.field(str(field))
