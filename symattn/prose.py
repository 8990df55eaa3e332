"""Every sentence that symattn writes, in English and Chinese side by side, keyed by what it says."""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES = ("en", "zh")


class Sentence:
    """A sentence with its blanks filled in, to be said in either language.

    Braces are doubled for literal ones, as in `str.format`; a field may itself be a Sentence.

    >>> str(Sentence("not_a_number", text="1/0"))
    '"1/0" is no exact number; write an integer, a fraction, a decimal or a root, such as 3, "1/3", "0.10" or "sqrt(2)"'
    >>> Sentence("not_a_number", text="1/0").text("zh")
    '“1/0”不是精确的数；请写整数、分数、小数或根式，例如 3、"1/3"、"0.10"、"sqrt(2)"'
    """

    def __init__(self, key: str, **fields: object) -> None:
        self.key = key
        self.fields: Mapping[str, object] = fields

    def text(self, language: str = "en") -> str:
        template = SENTENCES[self.key][LANGUAGES.index(language)]
        said = {k: v.text(language) if isinstance(v, Sentence) else v for k, v in self.fields.items()}
        return template.format(**said)

    def __str__(self) -> str:
        return self.text("en")

    def __repr__(self) -> str:
        return f"Sentence({self.key!r}: {self})"


# key: (English, Chinese)
SENTENCES: dict[str, tuple[str, str]] = {
    # --- exact numbers
    "not_a_number": (
        '"{text}" is no exact number; write an integer, a fraction, a decimal or a root, '
        'such as 3, "1/3", "0.10" or "sqrt(2)"',
        '“{text}”不是精确的数；请写整数、分数、小数或根式，例如 3、"1/3"、"0.10"、"sqrt(2)"',
    ),
}
