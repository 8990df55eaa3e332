"""The words of a placeholder -> what it asks for: `mine.toml weights[1,2] --digits 4`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from symattn.errors import InputError
from symattn.patterns import regex
from symattn.writing.choices import DETAILS, LEVELS, NOTATIONS, choice
from symattn.writing.prose import LANGUAGES, Sentence
from symattn.writing.visible import clip

_ENTRY = regex(r"(?P<step>[^\[\]]+)\[(?P<row>\d{1,6})(?:(?:,|\]\[)(?P<column>\d{1,6}))?\]")
_SPACES = regex(r"(?<=[\[,\d])[ \t]+(?=[\d,\]])(?=[^\[\]]*\])")


@dataclass(frozen=True)
class Request:
    """What is asked for: `kind` is "derivation", "step", "row", "entry", "table", "figure" or "theorem".

    `worksheet` is as it is written, empty of a theorem; `name` that of the step or the theorem.
    """

    kind: str
    worksheet: str = ""
    name: str = ""
    row: int = 0
    column: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def language(self) -> str:
        """What it is told in."""
        return str(self.options.get("language", "en"))

    @property
    def text(self) -> str:
        """What it asks for, in short."""
        place = f"[{self.row},{self.column}]" if self.column else f"[{self.row}]" if self.row else ""
        kind = self.kind if self.kind in ("table", "figure", "theorem") else ""
        return " ".join(filter(None, (self.worksheet, kind, self.name + place)))


def read_request(words: str) -> Request:
    """The words between the marks. Raises InputError, which says what would be right.

    >>> read_request("mine.toml weights[1,2] --digits 4").text
    'mine.toml weights[1,2]'
    >>> read_request("theorem shift-invariance language=zh").options
    {'language': 'zh'}
    """
    try:
        parts = shlex.split(_SPACES.sub("", words))
    except ValueError:
        raise InputError(Sentence("placeholder_quote", words=clip(words))) from None
    named, options = _split(parts)
    match named:
        case ["theorem", name]:
            return Request("theorem", name=name, options=options)
        case [worksheet]:
            return Request("derivation", worksheet, options=options)
        case [worksheet, "figure"]:
            return Request("figure", worksheet, options=options)
        case [worksheet, ("table" | "figure") as kind, name]:
            return Request(kind, worksheet, name, options=options)
        case [worksheet, name]:
            entry = _ENTRY.fullmatch(name)
            if entry is None:
                return Request("step", worksheet, name, options=options)
            row, column = int(entry["row"]), int(entry["column"] or 0)
            return Request("entry" if entry["column"] else "row", worksheet, entry["step"], row, column, options)
    raise InputError(Sentence("placeholder_words", words=clip(f"symattn {words}")))


def _split(parts: list[str]) -> tuple[list[str], dict[str, Any]]:
    """The names, and the options as `derive` has them; `--digits 4` may be written digits=4 too."""
    named: list[str] = []
    options: dict[str, Any] = {}
    held = iter(parts)
    for part in held:
        option, equals, given = part.removeprefix("--").partition("=")
        if not part.startswith("--") and not (equals and re.fullmatch("[a-z-]+", option)):
            named.append(part)
            continue
        choice("option", option, _OPTIONS)
        read = _OPTIONS[option]
        if option in _FLAGS:
            if equals:
                raise InputError(Sentence("placeholder_flag", option=option))
            options[option.replace("-", "_")] = True
            continue
        if not equals:
            given = next(held, "")
        options[option.replace("-", "_")] = read(option, given)
    return named, options


def _one_of(known: tuple[str, ...]) -> Callable[[str, str], Any]:
    return lambda option, given: choice(option, given, known)


def _number(least: int, most: int) -> Callable[[str, str], Any]:
    def read(option: str, given: str) -> int:
        if not (given.isascii() and given.isdigit() and least <= int(given[:9]) <= most):
            raise InputError(Sentence("not_that_many", name=option, given=clip(given, 20), least=least, most=most))
        return int(given)

    return read


_FLAGS = ("exact", "no-elide")
_OPTIONS: dict[str, Callable[[str, str], Any]] = {
    "language": _one_of(LANGUAGES),
    "digits": _number(1, 100_000),
    "decimals": _number(0, 1000),
    "notation": _one_of(NOTATIONS),
    "level": _one_of(LEVELS),
    "detail": _one_of(DETAILS),
    "label-prefix": lambda _, given: given,
    **dict.fromkeys(_FLAGS, lambda _, given: given),
}
