"""Which files of a folder are meant where nobody names them."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path

INSTALLED = ("node_modules", "site-packages")  # folders of other people's files


def files_in(folder: Path, suffixes: Collection[str]) -> list[str]:
    """The files of these suffixes in a folder and below it, without what is hidden or installed there and without the
    locks of spreadsheets that are open."""
    files: list[str] = []
    for inside, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not is_left_out((name,))]
        kept = (Path(inside, name) for name in names if not is_left_out((name,)) and not name.startswith("~$"))
        files += (str(path) for path in kept if path.suffix.lower() in suffixes and path.is_file())
    return sorted(files)


def is_left_out(parts: Sequence[str], named: Sequence[str] = ()) -> bool:
    """Whether a path leads through what is hidden or installed, and what a pattern does not name itself."""
    return any((part.startswith(".") or part in INSTALLED) and part not in named for part in parts)
