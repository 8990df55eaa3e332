"""What is wrong with a text that is no TOML, in words of ours, and where."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from contextlib import suppress

from symattn.errors import InputError
from symattn.patterns import regex
from symattn.writing.prose import Sentence

MOST_TRIED = 20  # keys at the end of what is no TOML
_STATEMENT = regex(r"^[ \t]*+[\w\"'.-]++[ \t]*+=", re.MULTILINE)
_AT = regex(r"line (\d+), column (\d+)")
# what an input method writes in the place of the signs of TOML, beside the full-width forms of these
_MEANT = {"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "、": ",", "；": ",", "：": "=", "【": "[", "】": "]"}
_MEANT |= {"−": "-", "–": "-", "。": ".", "\u3000": " ", "\xa0": " "}
_SAID = {  # how the messages of `tomllib` begin
    "Unclosed array": "toml.array",
    "Unclosed inline table": "toml.inline_table",
    "Invalid statement": "toml.statement",
    "Invalid value": "toml.value",
    "Expected '=' after a key": "toml.equals",
    "Expected newline or end": "toml.newline",
    "Expected ']'": "toml.header",
    "Illegal character": "toml.character",
    "Unescaped '\\'": "toml.backslash",
    "Cannot overwrite a value": "toml.twice",
    "Cannot declare": "toml.table_twice",
}


def explain(error: tomllib.TOMLDecodeError, text: str) -> InputError:
    """The error that says line and column, the sign that was meant where another stands, or what has no end."""
    message, _, position = str(error).partition(" (at ")
    if position.startswith("end") and (begun := _line_without_end(text)) is not None:
        return InputError(Sentence("toml_without_end"), place=f"{begun}:1")
    found = _AT.match(position)
    place = f"{found[1]}:{found[2]}" if found else ""
    sign = _sign_at(text, int(found[1]), int(found[2])) if found else ""
    if sign.isalpha() and not sign.isascii() and message.startswith(("Invalid statement", "Invalid initial")):
        return InputError(Sentence("toml.key"), place=place)
    meant = _MEANT.get(sign) or unicodedata.normalize("NFKC", sign)
    if meant != sign and meant.isascii():
        return InputError(Sentence("toml.full_width", sign=sign, meant=meant), place=place)
    key = next((key for begins, key in _SAID.items() if message.startswith(begins)), None)
    return InputError(Sentence("bad_toml", reason=Sentence(key) if key else message.lower()[:100]), place=place)


def _sign_at(text: str, line: int, column: int) -> str:
    """The character at a place, as `tomllib` counts lines."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[line - 1][column - 1 : column] if line <= len(lines) else ""


def _line_without_end(text: str) -> int | None:
    """The line of the last key before which all is complete, among the last ones."""
    for begun in reversed([found.start() for found in _STATEMENT.finditer(text)][-MOST_TRIED:]):
        with suppress(ValueError, ArithmeticError, RecursionError):
            tomllib.loads(text[:begun])
            return text.count("\n", 0, begun) + 1
    return None
