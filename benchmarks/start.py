"""How long does `symattn --help` take beside a bare `python -c pass`? And importing the package?

Medians of interleaved runs in processor time, as ratios to the bare interpreter; neither may load SymPy. At most 3.5 is
wanted. Modules are loaded from their byte code, as where symattn is installed.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator

from benchmarks.timing import Ratio, show

COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "symattn --help": [sys.executable, "-m", "symattn", "--help"],
    "import symattn": [sys.executable, "-c", "import symattn"],
}
INSTALLED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def spent(command: list[str]) -> float:
    """Processor time of a command that is waited for."""

    def now() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    start = now()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=INSTALLED)
    return now() - start


def ratios() -> Iterator[Ratio]:
    bare, *others = COMMANDS
    for name in others:
        spent(COMMANDS[name])  # the first run writes the byte code
    for name in others:
        yield Ratio(f"`{name}`, beside `{bare}`", [spent(COMMANDS[name]) / spent(COMMANDS[bare]) for _ in range(31)])


if __name__ == "__main__":
    show(ratios())
