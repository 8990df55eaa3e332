"""`symattn list` and `symattn show`: the derivations that ship."""

from __future__ import annotations

import argparse
import sys

from symattn.errors import InputError
from symattn.reading.worksheets import library
from symattn.writing.nearest import hint
from symattn.writing.prose import Sentence


def list(_: argparse.Namespace) -> int:  # noqa: A001, the name of the command
    """A line each, name first."""
    width = max(len(name) for name in library.names())
    for name in library.names():
        print(f"{name.ljust(width)}  {library.title(name)}")
    return 0


def show(options: argparse.Namespace) -> int:
    """The worksheet of one, as it stands."""
    path = library.find(options.name)
    if path is None:
        raise InputError(
            Sentence("no_such_derivation", hint=hint(options.name, library.names(), listed_by="symattn list")),
            place=options.name,
        )
    sys.stdout.write(path.read_text(encoding="utf-8"))
    return 0
