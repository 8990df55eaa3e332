"""What can be chosen by name; `--help` lists it, so nothing heavy is imported here."""

from __future__ import annotations

from collections.abc import Iterable

from symattn.errors import InputError
from symattn.writing.nearest import listed
from symattn.writing.prose import Sentence

TYPE_CHECKING = False  # type checkers take it as true; importing typing would be a third of the start
if TYPE_CHECKING:
    from typing import Any

NOTATIONS = ("vaswani", "phuong-hutter", "bishop", "jurafsky-martin", "prince", "flash")
DETAILS = ("brief", "full")
STATES = ("retention", "gated-linear", "state-space", "delta", "gated-delta")  # kinds of attention by a state
STYLES = ("fast", "plain", "compiled", "auto")  # of NumPy modules
LEVELS = ("matrix", "token", "index")
TARGETS = ("latex", "markdown", "notebook", "text", "html", "json")
PDF_TARGETS = (*TARGETS, "pdf")
CHECK_TARGETS = ("text", "markdown", "html", "json", "sarif", "github")
EXERCISE_TARGETS = ("latex", "markdown", "notebook", "text", "html", "pdf", "toml")
GRADE_TARGETS = ("text", "markdown", "html", "json", "csv")


def choice(name: str, given: Any, known: Iterable[Any], *, place: str = "") -> Any:
    """What was given, if it is one of what is known; raises InputError naming these.

    True and 1 are not taken for each other.

    >>> choice("style", "fast", ("fast", "plain"))
    'fast'
    >>> choice("first_index", True, (1, 0))
    Traceback (most recent call last):
    symattn.errors.InputError: "true" is not a valid first_index; choose one of 1, 0
    """
    known = tuple(known)
    if any(isinstance(given, type(k)) and isinstance(given, bool) is isinstance(k, bool) and given == k for k in known):
        return given
    said, *names = (str(x).lower() if isinstance(x, bool) else str(x) for x in (given, *known))
    raise InputError(Sentence("unknown_choice", name=name, given=said[:40], known=listed(said, names)), place=place)
