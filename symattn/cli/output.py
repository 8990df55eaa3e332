"""Where a text goes, as what, and the one line of a complaint."""

from __future__ import annotations

import os
import sys

from symattn.errors import InputError
from symattn.writing.prose import Sentence

BY_SUFFIX = {".tex": "latex", ".md": "markdown", ".markdown": "markdown", ".txt": "text"}
BY_SUFFIX |= {".html": "html", ".json": "json"}


def complain(line: str) -> int:
    """Say in one line what is wrong; the exit code of an input that could not be used."""
    print("symattn: " + " ".join(line.split()), file=sys.stderr)
    return 2


def target_of(to: str | None, output: str | None) -> str:
    """What to write: as asked for, by the suffix of the file, text on a terminal, else Markdown."""
    default = "text" if output is None and sys.stdout.isatty() else "markdown"
    return to or BY_SUFFIX.get(os.path.splitext(output or "")[1]) or default


def write(text: str, output: str | None) -> None:
    """Write to a file, or to standard output."""
    if output is None:
        sys.stdout.write(text)
        return
    try:
        with open(output, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise InputError(Sentence("cannot_write", reason=error.strerror or ""), place=output) from None
