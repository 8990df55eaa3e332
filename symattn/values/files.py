"""Files that are read: refused by what they are before they are read, and read no further than is asked for."""

from __future__ import annotations

import os
import select
import stat

from symattn.errors import InputError
from symattn.writing.prose import Sentence

PATIENCE = 10  # seconds that a pipe may be silent


def refuse_devices(path: str | os.PathLike[str]) -> os.stat_result:
    """What a path is. Raises InputError for a device, whose bytes may never end, and OSError where there is nothing.

    >>> refuse_devices("/dev/null")
    Traceback (most recent call last):
    symattn.errors.InputError: is a device, not a file
    """
    found = os.stat(path)
    if stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode):
        raise InputError(Sentence("is_device"))
    return found


def read_bytes(path: str | os.PathLike[str], most: int) -> bytes:
    """The bytes of a file or a pipe, one more than `most` where there are more.

    Raises InputError for a device and for a pipe that stays silent, OSError for what cannot be opened.
    """
    found = refuse_devices(path)
    if not stat.S_ISFIFO(found.st_mode):
        with open(path, "rb") as file:
            return file.read(most + 1)
    end = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # opening does not wait for somebody who writes
    try:
        return _read_pipe(end, most)
    finally:
        os.close(end)


def _read_pipe(end: int, most: int) -> bytes:
    parts, size = [], 0
    while size <= most:
        ready, _, _ = select.select([end], [], [], PATIENCE)
        if not ready:
            raise InputError(Sentence("pipe_silent", seconds=PATIENCE))
        part = os.read(end, min(most + 1 - size, 1 << 20))
        if not part:
            break
        parts.append(part)
        size += len(part)
    return b"".join(parts)
