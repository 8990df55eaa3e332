"""Where a page goes, and as what."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Collection
from typing import Any

from symattn.api.page import Page
from symattn.cli.complaint import complain
from symattn.errors import InputError
from symattn.writing.choices import PDF_TARGETS
from symattn.writing.files import by_suffix, same_file, save
from symattn.writing.pdf import GlyphsMissing
from symattn.writing.prose import Sentence

BY_SUFFIX = {".tex": "latex", ".md": "markdown", ".markdown": "markdown", ".txt": "text", ".html": "html"}
BY_SUFFIX |= {".htm": "html", ".json": "json", ".ipynb": "notebook", ".pdf": "pdf", ".toml": "toml", ".csv": "csv"}


def target_of(
    to: str | None, output: str | None, targets: Collection[str] = PDF_TARGETS, default: str | None = None
) -> str:
    """What to write, of the targets of a command: as asked for, by the suffix of the file, else the default.

    Without one that is text on a terminal, else Markdown. Raises InputError for a suffix that is not known.
    """
    known = {suffix: target for suffix, target in BY_SUFFIX.items() if target in targets}
    suffix = os.path.splitext(output or "")[1]
    if to is None and suffix:
        return by_suffix(output or "", known)
    return to or default or ("text" if output is None and sys.stdout.isatty() else "markdown")


def make(page: Page, target: str, **options: Any) -> str | bytes:
    """The page in a format; text as wide as the terminal it goes to; a line says there that LaTeX is at work."""
    if target == "text" and sys.stdout.isatty():
        options["width"] = shutil.get_terminal_size().columns
    if target != "pdf":
        return page.to(target, **options)
    waits = sys.stderr.isatty()
    if waits:
        said = Sentence("typesetting").text(options.get("language", "en"))
        print(said, end="", file=sys.stderr, flush=True)
    try:
        with warnings.catch_warnings(record=True) as missing:
            warnings.simplefilter("always", GlyphsMissing)
            made = page.to_pdf(**options)
    finally:
        if waits:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
    for warning in missing:
        complain(str(warning.message))
    return made


def write(content: str | bytes, output: str | None, *inputs: str) -> None:
    """Write to a file, or to standard output. Raises InputError where that is none but one of the inputs."""
    if output is None:
        if isinstance(content, str):
            sys.stdout.write(content)
        elif sys.stdout.isatty():
            raise InputError(Sentence("pdf_to_terminal"))
        else:
            sys.stdout.buffer.write(content)
        return
    if any(same_file(output, given) for given in inputs):
        raise InputError(Sentence("own_input"), place=output)
    save(content, output)
