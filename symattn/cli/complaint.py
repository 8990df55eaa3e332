"""The one line of a complaint."""

from __future__ import annotations

import os
import sys

from symattn.errors import NotSupportedError
from symattn.writing.prose import Sentence
from symattn.writing.visible import one_line

TYPE_CHECKING = False  # type checkers take it as true; importing typing would be a third of the start
if TYPE_CHECKING:
    from typing import IO


def complain(line: str) -> int:
    """Say in one line what is wrong; the exit code of an input that could not be used."""
    try:
        print("symattn: " + one_line(line), file=sys.stderr)
    except OSError:  # it can be told nowhere but by the exit code
        drop(sys.stderr)
    return 2


def drop(stream: IO[str]) -> None:
    """What is still held back for a stream, and what comes, goes nowhere, so that the end says nothing of it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def exceeded(cause: str, seconds: int, memory: int) -> NotSupportedError:
    """What to say of work that was ended: which limit it reached, and how to raise it."""
    said = {
        "seconds": Sentence("over_time", most=seconds, more=2 * seconds),
        "memory": Sentence("over_memory", most=memory, more=2 * memory),
        "died": Sentence("process_stopped"),
    }
    return NotSupportedError(said[cause])
