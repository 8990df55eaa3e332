"""Every sentence that symattn writes, in English and Chinese side by side, keyed by what it says.

One table for each thing that is spoken of; `sentences.SENTENCES` is all of them, loaded when one is said first, since
starting should cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from string import Formatter

from symattn.writing.visible import harmless

LANGUAGES = ("en", "zh")
_FORMATTER = Formatter()


def _sentences() -> Mapping[str, tuple[str, str]]:
    found: Mapping[str, tuple[str, str]] = import_module("symattn.writing.prose.sentences").SENTENCES
    return found


class Sentence:
    """A sentence with its blanks filled in, to be said in either language.

    Braces are doubled for literal ones, as in `str.format`; a field may itself be a Sentence.

    >>> str(Sentence("not_a_number", text="1/0"))  # doctest: +ELLIPSIS
    '"1/0" is not an exact number; write an integer, a fraction, a decimal or a root, such as ...
    >>> Sentence("not_a_number", text="1/0").text("zh")
    '“1/0”不是精确的数；请写整数、分数、小数或根式，例如 3、"1/3"、"0.10"、"sqrt(2)"'
    """

    def __init__(self, key: str, **fields: object) -> None:
        self.key = key
        self.fields: Mapping[str, object] = fields

    def text(
        self,
        language: str = "en",
        *,
        show: Callable[[object], str] = str,
        literal: Callable[[str], str] = str,
        columns: bool = False,
    ) -> str:
        """The sentence; a writer gives how it shows a field and how it spells the words in between.

        With `columns` it is what is said where tokens are columns, if that differs.
        """
        out: list[str] = []
        for words, field, _, _ in _FORMATTER.parse(self._template(language, columns)):
            _append(out, self._spell(words, show, literal))
            if field is not None:
                value = self.fields[field]
                if isinstance(value, Sentence):
                    _append(out, value.text(language, show=show, literal=literal, columns=columns))
                else:
                    _append(out, show(harmless(value) if isinstance(value, str) else value))
        return "".join(out)

    def _template(self, language: str, columns: bool) -> str:
        sentences = _sentences()
        key = f"{self.key}.columns" if columns and f"{self.key}.columns" in sentences else self.key
        return sentences[key][LANGUAGES.index(language)]

    def _spell(self, words: str, show: Callable[[object], str], literal: Callable[[str], str]) -> str:
        return literal(words)

    def __str__(self) -> str:
        return self.text("en")

    def __repr__(self) -> str:
        return f"Sentence({self.key!r}: {self})"


_CHINESE = "\u2e80"  # the first of the letters and marks of Chinese, with a few others


def _append(out: list[str], text: str) -> None:
    """Add to a sentence; beside Chinese, quotation marks and brackets are as wide as a letter and need no space."""
    if out and text.startswith(("“", "（")) and out[-1].endswith(" ") and out[-1][-2:-1] >= _CHINESE:
        out[-1] = out[-1][:-1]
    if out and out[-1].endswith(("”", "）")) and text.startswith(" ") and text[1:2] >= _CHINESE:
        text = text[1:]
    out.append(text)


class Words(Sentence):
    """An author's own sentences, with blanks filled in.

    >>> Words("Row 1 gives {share} of its attention away.", share="1/3").text("zh")
    'Row 1 gives 1/3 of its attention away.'
    """

    def _template(self, language: str, columns: bool) -> str:
        return self.key

    def _spell(self, words: str, show: Callable[[object], str], literal: Callable[[str], str]) -> str:
        return show(words)  # what would be markup is escaped, as in a title


def enumerated(words: Sequence[object]) -> Sentence:
    """What is listed, one or more, parted as each language does.

    >>> enumerated([3, 5]).text("en"), enumerated([3, 5]).text("zh")
    ('3, 5', '3、5')
    """
    told = Sentence("findings.one", text=words[0])
    for word in words[1:]:
        told = Sentence("findings.pair", first=told, last=word)
    return told
