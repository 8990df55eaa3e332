"""Regular expressions that are compiled when they are first used.

The readers and judges name more than a thousand; a short text needs a fifth of them, and to compile all of them would
take longer than to check it.
"""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")


def regex(text: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, compiled when it is first searched with.

    Raises re.error then, and not before. A match names the compiled pattern, `match.re`, which is another object:
    `is_found_by` tells whether it is of this one.

    >>> regex(r"d_\\w+").search("over d_k")[0]
    'd_k'
    """
    return cast(re.Pattern[str], _Uncompiled(text, flags))


def is_found_by(match: re.Match[str], pattern: re.Pattern[str]) -> bool:
    """Whether a match is one of a pattern.

    >>> numeral = regex(r"\\d+")
    >>> is_found_by(numeral.search("d = 64"), numeral)
    True
    """
    return match.re.pattern == pattern.pattern


class _Uncompiled:
    def __init__(self, text: str, flags: int) -> None:
        self.pattern, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        """What the compiled pattern has; its methods become those of this object, which are then found at once."""
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        self.__dict__.update((method, getattr(compiled, method)) for method in _METHODS)
        return getattr(compiled, name)
