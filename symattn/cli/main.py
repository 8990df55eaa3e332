"""Arguments -> calls -> exit codes. No mathematics; SymPy is loaded only by commands that need it."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Sequence

from symattn.cli.arguments import UsageError, parser
from symattn.cli.complaint import complain, drop, exceeded
from symattn.cli.loading import load
from symattn.errors import InputError, SymattnError
from symattn.writing.prose import Sentence
from symattn.writing.reasons import reason_of

TYPE_CHECKING = False  # type checkers take it as true; importing typing would be a third of the start
if TYPE_CHECKING:
    import argparse

# the file of each command that is not called as the command is
FILES = {"gradient": "derive", "list": "shipped", "show": "shipped"}
UNGUARDED = (
    "list",
    "show",
    "new",
    "schema",
    "completion",
    "check",
    "weave",
    "lsp",
)  # the last three guard what they do


def run(arguments: Sequence[str], guarded: bool = False) -> int:
    """Carry out a command line: 0 done, 2 the input could not be used (one line on stderr says why).

    A guarded one is carried out by a process of its own, within the limits of time and memory that it states.
    """
    sys.set_int_max_str_digits(0)  # exact numbers are as long as they are; input is bounded where it is read
    _fill_closed()
    return _say(lambda: _carry_out(arguments, guarded))


def _say(work: Callable[[], int]) -> int:
    """What the work returns, with all written that it writes."""
    try:
        try:
            return work()
        finally:  # after --help too, which exits
            sys.stdout.flush()
    except BrokenPipeError:  # the reader went away, as `head` does
        _drop_output()
        return 0
    except OSError as error:
        if error.filename is not None:
            reason = Sentence("cannot_open", reason=reason_of(error))
            return complain(str(InputError(reason, place=str(error.filename))))
        _drop_output()
        return complain(Sentence("no_stdout", reason=reason_of(error)).text("en"))
    except UnicodeEncodeError as error:
        _drop_output()
        sign = f"U+{ord(error.object[error.start]):04X}"
        return complain(Sentence("no_such_sign", encoding=error.encoding, sign=sign).text("en"))
    except KeyboardInterrupt:
        return 130


def _carry_out(arguments: Sequence[str], guarded: bool) -> int:
    try:
        options = parser().parse_args(arguments)
    except UsageError as error:
        return complain(str(error))
    from symattn.cli import workers  # what ends at the parser, as --help does, needs no pickle, JSON and signals

    options.guarded = guarded and workers.CAN_FORK
    if not options.guarded or options.command in UNGUARDED:
        return _command(options)
    (code,) = workers.do(_work, [options], 1, options.max_seconds, options.max_memory)
    if isinstance(code, workers.Stopped):
        stopped = exceeded(code.cause, options.max_seconds, options.max_memory)
        return complain(_with_place(stopped, options).text(_language(options)))
    return int(code)


def _work(options: argparse.Namespace) -> int:
    """What a worker does."""
    try:
        return _say(lambda: _command(options))
    except Exception:  # a fault of ours
        sys.excepthook(*sys.exc_info())
        return 1


def _command(options: argparse.Namespace) -> int:
    try:
        command = options.command
        return int(getattr(load(f"symattn.cli.{FILES.get(command, command)}"), command)(options))
    except SymattnError as error:
        return complain(_with_place(error, options).text(_language(options)))
    except (OverflowError, RecursionError, MemoryError):
        return complain(_with_place(InputError(Sentence("too_large")), options).text(_language(options)))


def _language(options: argparse.Namespace) -> str:
    return getattr(options, "language", None) or "en"


def _fill_closed() -> None:
    """Standard streams that the shell closed lead nowhere, lest a pipe of ours takes the number of one."""
    if sys.stdout is None:
        sys.stdout = _ClosedOutput()
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    while (end := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(end)


class _ClosedOutput(io.TextIOBase):
    """Standard output that is not there: writing to it is an error, and not writing to it is none."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def _drop_output() -> None:
    if not isinstance(sys.stdout, _ClosedOutput):
        drop(sys.stdout)


def _with_place(error: SymattnError, options: argparse.Namespace) -> SymattnError:
    """The error with the worksheet in front, wherever in the work on it it arose."""
    sheet = getattr(options, "worksheet", "")
    own = (sheet, getattr(options, "output", None), getattr(options, "figure", None))
    named = not sheet or error.place in own or error.place.startswith(f"{sheet}: ")
    return error if named else error.at(sheet)
