"""What a repository has settled for its articles: `symattn.toml`, or the table [tool.symattn] of `pyproject.toml`."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symattn.errors import InputError, Placed
from symattn.reading.folders import files_in, is_left_out
from symattn.reading.worksheets.broken_toml import explain
from symattn.reading.worksheets.keys import refuse_unknown
from symattn.writing.choices import NOTATIONS, choice
from symattn.writing.prose import LANGUAGES, Sentence
from symattn.writing.reasons import reason_of

KEYS = ("language", "notation", "digits", "paths", "accept")
OF_ACCEPTED = ("path", "line", "text", "printed", "reason")
SUFFIXES = (".md", ".markdown", ".mdx", ".qmd", ".rmd", ".tex", ".ipynb", ".html", ".htm", ".txt")  # in a folder
LARGEST = 1_000_000  # bytes of such a file


@dataclass(frozen=True)
class Accepted:
    """A finding that stands as it is: in a file, on a line that reads so, a number (or formula) that is printed so."""

    path: str
    text: str
    printed: str
    line: int | None = None
    reason: str = ""


@dataclass(frozen=True)
class Settings:
    """What is settled, and the folder whose paths these are; None and empty where nothing is."""

    folder: str = ""
    language: str | None = None
    notation: str | None = None
    digits: int | None = None
    paths: tuple[str, ...] = ()
    accept: tuple[Accepted, ...] = ()

    @property
    def conventions(self) -> dict[str, Any]:
        """How articles are told, as far as it is settled: the defaults of their placeholders."""
        stated = {"language": self.language, "notation": self.notation, "digits": self.digits}
        return {option: value for option, value in stated.items() if value is not None}

    def accepted_in(self, path: str) -> tuple[Accepted, ...]:
        """The accepted findings of a file."""
        there = os.path.realpath(path)
        return tuple(a for a in self.accept if os.path.realpath(os.path.join(self.folder, a.path)) == there)

    def articles(self) -> list[str]:
        """The files that `paths` names, relative to the current folder. Raises InputError for what names none."""
        found: dict[str, None] = {}
        for pattern in self.paths:
            named = _named(Path(self.folder), pattern)
            if not named:
                raise InputError(Sentence("settings_no_file", pattern=pattern), place=self.folder)
            found |= dict.fromkeys(os.path.relpath(path) for path in named)
        return list(found)


def find_settings(folder: str = ".") -> Settings:
    """The settings nearest above a folder, or none. Raises InputError, with the file and the key, for wrong ones."""
    there = Path(os.path.realpath(folder or "."))
    for above in (there, *there.parents):
        for name, table in (("symattn.toml", ()), ("pyproject.toml", ("tool", "symattn"))):
            path = above / name
            found = _read(str(path), table) if path.is_file() else None
            if found is not None:
                return found
    return Settings()


def _read(path: str, table: tuple[str, ...]) -> Settings | None:
    with Placed(os.path.relpath(path)):
        stated: Any = _tables(path, shared=bool(table))
        for key in table:
            stated = stated.get(key) if isinstance(stated, dict) else None
        if stated is None:
            return None
        if not isinstance(stated, dict):
            raise InputError(Sentence("not_a_table", name=table[-1]))
        return _settings(stated, os.path.dirname(path))


def _tables(path: str, *, shared: bool) -> dict[str, Any]:
    """The tables of a file; none of one that is `shared` by many tools and does not speak of this one."""
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
        if shared and b"symattn" not in data:
            return {}
        if len(data) > LARGEST:
            raise InputError(Sentence("file_too_large", most=LARGEST // 1_000_000))
        return tomllib.loads(data.decode("utf-8-sig"))
    except OSError as error:
        raise InputError(Sentence("cannot_open", reason=reason_of(error))) from None
    except UnicodeDecodeError as error:
        raise InputError(Sentence("not_text", byte=error.start)) from None
    except tomllib.TOMLDecodeError as error:
        raise explain(error, data.decode("utf-8-sig")) from None
    except (ValueError, RecursionError) as error:
        raise InputError(Sentence("bad_toml", reason=str(error)[:80].lower())) from None


def _settings(stated: Mapping[str, Any], folder: str) -> Settings:
    refuse_unknown(stated, KEYS, "", {})
    for key, known in (("language", LANGUAGES), ("notation", NOTATIONS)):
        if key in stated:
            choice(key, stated[key], known, place=key)
    digits = stated.get("digits")
    if digits is not None and not (type(digits) is int and 1 <= digits <= 100_000):
        raise InputError(Sentence("not_that_many", name="digits", given=str(digits)[:20], least=1, most=100_000))
    paths = stated.get("paths", [])
    if not isinstance(paths, list) or not all(isinstance(path, str) and path for path in paths):
        raise InputError(Sentence("not_words"), place="paths")
    accept = stated.get("accept", [])
    if not isinstance(accept, list):
        raise InputError(Sentence("bad_accepted"), place="accept")
    accepted = tuple(_accepted(entry, f"accept, entry {k}") for k, entry in enumerate(accept, 1))
    return Settings(folder, stated.get("language"), stated.get("notation"), digits, tuple(paths), accepted)


def _accepted(entry: Any, place: str) -> Accepted:
    if not isinstance(entry, dict):
        raise InputError(Sentence("bad_accepted"), place=place)
    refuse_unknown(entry, OF_ACCEPTED, place, {})
    words = {key: entry.get(key, "") for key in OF_ACCEPTED if key != "line"}
    line = entry.get("line")
    complete = all(isinstance(word, str) for word in words.values()) and words["path"] and words["text"]
    if not complete or not words["printed"] or not (line is None or type(line) is int):
        raise InputError(Sentence("bad_accepted"), place=place)
    return Accepted(**words, line=line)


def _named(folder: Path, pattern: str) -> list[str]:
    """The files of a pattern such as docs/**/*.md; of a folder all articles in it."""
    try:
        found = sorted(folder.glob(pattern)) if Path(pattern).parts else [folder]  # "." is the folder itself
    except (ValueError, NotImplementedError):  # no pattern: an absolute path, two stars beside a letter
        found = []
    named = [path for path in found if not is_left_out(path.relative_to(folder).parts, Path(pattern).parts)]
    files = [path for path in named if path.is_file()]
    return [str(path) for path in files] + [file for path in named if path.is_dir() for file in articles_in(path)]


def articles_in(folder: Path) -> list[str]:
    """The articles and spreadsheets in a folder and below it, without what is hidden or installed there."""
    return files_in(folder, (*SUFFIXES, ".xlsx"))
