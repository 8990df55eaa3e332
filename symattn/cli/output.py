"""Where a page goes, and as what."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from typing import Any

from symattn.api.page import Page
from symattn.cli.complaint import complain
from symattn.errors import InputError
from symattn.writing.files import same_file, save
from symattn.writing.nearest import listed
from symattn.writing.pdf import GlyphsMissing
from symattn.writing.prose import Sentence

BY_SUFFIX = {".tex": "latex", ".md": "markdown", ".markdown": "markdown", ".txt": "text", ".html": "html"}
BY_SUFFIX |= {".htm": "html", ".json": "json", ".ipynb": "notebook", ".pdf": "pdf"}


def target_of(to: str | None, output: str | None) -> str:
    """What to write: as asked for, by the suffix of the file, text on a terminal, else Markdown.

    Raises InputError for a suffix that is not known.
    """
    suffix = os.path.splitext(output or "")[1]
    if to is None and suffix and suffix.lower() not in BY_SUFFIX:
        known = listed(suffix, BY_SUFFIX)
        raise InputError(Sentence("unknown_suffix", suffix=suffix[:20], known=known), place=output or "")
    default = "text" if output is None and sys.stdout.isatty() else "markdown"
    return to or BY_SUFFIX.get(suffix.lower()) or default


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
