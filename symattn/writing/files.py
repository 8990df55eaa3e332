"""Files are written beside their place and renamed, so that a fault leaves the old file as it was."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from symattn.errors import InputError
from symattn.writing.nearest import listed
from symattn.writing.prose import Sentence
from symattn.writing.reasons import reason_of


def save(content: str | bytes, path: str) -> None:
    """Write a file, the whole of it or nothing. Raises InputError where it cannot be written."""
    data = content.encode() if isinstance(content, str) else content
    replace_file(path, lambda beside: _fill(beside, data))


def replace_file(path: str, fill: Callable[[str], object]) -> None:
    """Have `fill` write a new file, whose name it is given, and put that in the place of `path`.

    What is no ordinary file, such as a pipe or a terminal, is written itself. Raises InputError where it cannot.
    """
    target = os.path.realpath(path)  # what a link points to is replaced, not the link
    try:
        if os.path.exists(path) and not os.path.isfile(path):  # /dev/stdout leads to a pipe that has no path
            with _read_by_somebody(path):
                fill(path)
            return
        folder, name = os.path.split(target)
        _require_folder(os.path.dirname(path) or folder, path)  # as it is written: w.toml/ is not w.toml
        _require_folder(folder, path)
        handle, beside = tempfile.mkstemp(prefix=".symattn-", suffix=os.path.splitext(name)[1], dir=folder)
        os.close(handle)
        try:
            fill(beside)
            os.chmod(beside, _mode(target))
            os.replace(beside, target)
        except BaseException:  # an interrupt too
            os.unlink(beside)
            raise
    except OSError as error:
        raise InputError(Sentence("cannot_write", reason=reason_of(error)), place=path) from None


@contextmanager
def _read_by_somebody(path: str) -> Iterator[None]:
    """Opening a pipe that nobody reads waits for ever: raises InputError. It stays open, for its reader is told by
    the first end that comes."""
    if not stat.S_ISFIFO(os.stat(path).st_mode):
        yield
        return
    try:
        end = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        raise InputError(Sentence("no_reader"), place=path) from None
    try:
        yield
    finally:
        os.close(end)


def _require_folder(folder: str, path: str) -> None:
    if not os.path.isdir(folder):
        key = "folder_is_file" if os.path.exists(folder) else "folder_missing"
        raise InputError(Sentence(key, folder=folder), place=path)


def same_file(one: str, other: str) -> bool:
    """Whether two paths lead to one file that is there."""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


def begins_with(path: str, heads: Sequence[str]) -> bool:
    """Whether a file is there and begins with one of these texts."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(max(map(len, heads))).startswith(tuple(heads))
    except (OSError, ValueError):
        return False


def by_suffix(path: str, known: Mapping[str, str]) -> str:
    """What the suffix of a file stands for. Raises InputError for one that is not known.

    >>> by_suffix("a/page.HTML", {".html": "html"})
    'html'
    """
    suffix = os.path.splitext(path)[1]
    if suffix.lower() not in known:
        said = listed(suffix, known, alike=0.75)  # .pdf is near to .diff only in that both are short
        raise InputError(Sentence("unknown_suffix", suffix=suffix[:20], known=said), place=path)
    return known[suffix.lower()]


def _fill(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


def _mode(path: str) -> int:
    """The permissions of the file that is replaced, or those of any new file."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
