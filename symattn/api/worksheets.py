"""The name of a worksheet -> what it states -> its derivation."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from symattn.api.derivation import Derivation, derive
from symattn.api.gradient import differentiate
from symattn.errors import InputError
from symattn.reading.settings import SUFFIXES
from symattn.reading.worksheets import library
from symattn.reading.worksheets.template import open_numbers
from symattn.reading.worksheets.worksheet import Worksheet, read_worksheet
from symattn.writing.nearest import hint, nearest
from symattn.writing.prose import Sentence

ARTICLES = frozenset(SUFFIXES) - {".txt"}  # which a worksheet may be called as well


def derive_sheet(sheet: Worksheet, detail: str, language: str, level: str | None = None) -> Derivation:
    """The derivation of a worksheet, with its backward pass if it asks for one: in symbols where no G is given."""
    how: dict[str, Any] = {"title": sheet.title_in(language), "parts": sheet.parts_in(language), **sheet.show}
    how |= sheet.words_in(language)
    if level is not None:
        how["level"] = level
    how |= {"detail": detail, "tokens": sheet.tokens, "notation": sheet.notation}
    derivation = derive(sheet.expression, sheet.values, **how)
    derivation = replace(derivation, template=partial(open_numbers, sheet))
    if sheet.wrt is None:
        return derivation
    return differentiate(derivation, sheet.wrt or None, G=None if sheet.values is None else sheet.upstream)


def worksheet(name: str, preset: str | None = None, folder: str = "") -> Worksheet:
    """The worksheet at a path, that of a derivation that ships, or that at the path with `.toml` behind it.

    Paths begin at `folder`; `preset` takes the place of the notation that the worksheet states.
    """
    path = os.path.join(folder, name)
    there = os.path.exists(path)  # false for a name that no file can have
    if not there and (shipped := library.find(name)) is not None:
        return read_worksheet(shipped, preset)
    if not there and os.path.exists(f"{path}.toml"):
        path = f"{path}.toml"
    elif not there:
        raise InputError(Sentence("no_such_worksheet", hint=_meant(path, name)), place=name)
    elif Path(path).suffix.lower() in ARTICLES:
        raise InputError(Sentence("article_not_worksheet", name=name), place=name)
    return read_worksheet(Path(path), preset)


def _meant(path: str, name: str) -> Sentence:
    """What to say of a worksheet that is not there: the file beside it, or the built-in one, that was meant."""
    folder, file = os.path.split(path)
    try:
        beside = [each for each in os.listdir(folder or ".") if each.endswith(".toml")]
    except (OSError, ValueError):
        beside = []
    near = nearest(file, beside, alike=0.75)  # all end alike
    if near is not None:
        return Sentence("did_you_mean", name=os.path.join(os.path.dirname(name), near))
    return hint(Path(name).stem, library.names(), listed_by="symattn list")
