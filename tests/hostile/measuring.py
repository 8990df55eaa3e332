"""A command in a process of its own, and what that took: processor time and peak memory, never wall time."""

import importlib
import os
import resource
import sys
from pathlib import Path
from typing import NamedTuple

from symattn.cli.main import run

for door in ("check_file", "saturation", "derive"):  # once, so that no command imports SymPy again
    importlib.import_module(f"symattn.cli.{door}")


class Done(NamedTuple):
    """How a command ended, what it said, and what it took."""

    code: int
    out: str
    err: str
    seconds: float
    mebibytes: float


def measure(folder: Path, *arguments: str, seconds: int = 60) -> Done:
    """Carry a command out in a folder, and what it needs beyond what the tests have. Standard input is empty."""
    before = _mebibytes_in_use()
    pid = os.fork()
    if pid == 0:
        code = 70  # a fault
        try:
            os.chdir(folder)
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            sys.stdout, sys.stderr = open("out.txt", "w"), open("err.txt", "w")  # noqa: SIM115, closed by the end
            code = run(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
        except BaseException as error:  # shown by the test
            print(f"Traceback: {error!r}", file=sys.stderr)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    _, status, usage = os.wait4(pid, 0)
    out, err = ((folder / name).read_text(errors="replace") for name in ("out.txt", "err.txt"))
    code = os.waitstatus_to_exitcode(status)
    return Done(code, out, err, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024 - before)


def _mebibytes_in_use() -> float:
    """The memory of this process, which a fork begins with."""
    statm = Path("/proc/self/statm")
    pages = int(statm.read_text().split()[1]) if statm.exists() else 0
    return pages * resource.getpagesize() / 2**20
