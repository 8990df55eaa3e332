"""Why the system does not do what is asked of a file, in both languages."""

from __future__ import annotations

import errno

from symattn.writing.prose import Sentence

_KNOWN = {
    errno.ENOENT: Sentence("system.missing"),
    errno.ENOTDIR: Sentence("system.missing"),
    errno.EISDIR: Sentence("system.folder"),
    errno.EACCES: Sentence("system.forbidden"),
    errno.EPERM: Sentence("system.forbidden"),
    errno.EROFS: Sentence("system.forbidden"),
    errno.ENOSPC: Sentence("system.full"),
    errno.ENAMETOOLONG: Sentence("system.long_name"),
}


def reason_of(error: OSError) -> Sentence | str:
    """What the system says, in words of ours where it is common.

    >>> reason_of(IsADirectoryError(errno.EISDIR, "Is a directory")).text("zh")
    '这是文件夹'
    """
    return _KNOWN.get(error.errno or 0) or error.strerror or type(error).__name__
