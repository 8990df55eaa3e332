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


_TOKEN = regex(r"[^\s,=\[\]{}#\"'][^,=\[\]{}#\"'\n]*")  # a value without quotation marks
_FRACTION = regex(r"[+-]?[\d.]+[ \t]*/[ \t]*[\w.]+(?:\([\w.]*\))?")
_FORMULA = regex(r"[+-]?[A-Za-z]\w*\([^()]*\)[\w .*/^+-]*")
_WORD = regex(r"[A-Za-z][\w-]*")
_HEADER = regex(r"^[ \t]*\[([^\[\]\n]+)\]", re.MULTILINE)


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
    if found and (quoted := _to_be_quoted(text, int(found[1]), int(found[2]), message)) is not None:
        return InputError(quoted, place=place)
    if found and message.startswith("Cannot declare") and (twice := _declared_twice(text, int(found[1]))) is not None:
        return InputError(twice, place=place)
    key = next((key for begins, key in _SAID.items() if message.startswith(begins)), None)
    return InputError(Sentence("bad_toml", reason=Sentence(key) if key else message.lower()[:100]), place=place)


def _to_be_quoted(text: str, line: int, column: int, message: str) -> Sentence | None:
    """What to say of 1/2, sqrt(2) or causal without quotation marks, and of True."""
    if not message.startswith(("Unclosed array", "Unclosed inline table", "Invalid value", "Expected newline or end")):
        return None
    token = next((t for t in _TOKEN.finditer(_line(text, line)) if t.start() < column <= t.end() + 1), None)
    if token is None:
        return None
    value = token.group().rstrip()
    if value in ("True", "False"):
        return Sentence("toml.write", given=value, meant=value.lower())
    if _FRACTION.fullmatch(value) or _FORMULA.fullmatch(value) or _WORD.fullmatch(value):
        return Sentence("toml.quote", given=value)
    return None


def _declared_twice(text: str, line: int) -> Sentence | None:
    """Which table is declared again, and where it was declared before."""
    headers = [(text.count("\n", 0, found.start()) + 1, found[1].strip()) for found in _HEADER.finditer(text)]
    again = next((name for at, name in headers if at == line), None)
    first = next((at for at, name in headers if name == again), line)
    return Sentence("toml.table_again", name=again, line=first) if first < line else None


def _sign_at(text: str, line: int, column: int) -> str:
    """The character at a place."""
    return _line(text, line)[column - 1 : column]


def _line(text: str, number: int) -> str:
    """A line as `tomllib` counts them; nothing behind the last."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[number - 1] if number <= len(lines) else ""


def _line_without_end(text: str) -> int | None:
    """The line of the last key before which all is complete, among the last ones."""
    for begun in reversed([found.start() for found in _STATEMENT.finditer(text)][-MOST_TRIED:]):
        with suppress(ValueError, ArithmeticError, RecursionError):
            tomllib.loads(text[:begun])
            return text.count("\n", 0, begun) + 1
    return None
