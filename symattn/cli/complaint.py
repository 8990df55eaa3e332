"""The one line of a complaint."""

from __future__ import annotations

import sys


def complain(line: str) -> int:
    """Say in one line what is wrong; the exit code of an input that could not be used."""
    print("symattn: " + " ".join(line.split()), file=sys.stderr)
    return 2
