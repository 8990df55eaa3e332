"""How long does `symattn --help` take beside a bare `python -c pass`? And importing the package?

Medians of interleaved runs in processor time, as ratios to the bare interpreter; neither may load SymPy. At most 3.5 is
wanted.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile

COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "symattn --help": [sys.executable, "-m", "symattn", "--help"],
    "import symattn": [sys.executable, "-c", "import symattn"],
}


def spent_by_children() -> float:
    """Processor time of all commands that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as compiled:  # as installed: compiled once, not at each start
        environment["PYTHONPYCACHEPREFIX"] = compiled
        for turn in range(32):
            for name, command in COMMANDS.items():
                start = spent_by_children()
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
                if turn:
                    taken[name].append(spent_by_children() - start)
    floor = statistics.median(taken["python -c pass"])
    for name, times in taken.items():
        print(f"{name}: {statistics.median(times) / floor:.2f} times the bare interpreter")


if __name__ == "__main__":
    main()
