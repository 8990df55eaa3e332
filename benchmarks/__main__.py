"""All benchmarks that compare times, as one table of ratios: `python -m benchmarks [NAME ...]`.

Each compares with a floor or a rival within the same run; see the docstring of its script. `error_bounds.py`, `fuzz.py`
and `random_configurations.py` compare no times. What needs a package that is not there is named and left out.
"""

from __future__ import annotations

import argparse
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is imported

from collections.abc import Iterator
from importlib import import_module

from benchmarks.timing import Ratio, machine, show

NAMES = ("start", "derive", "heads", "digits", "gradient", "lower", "compiled", "saturation", "check")


def every(names: list[str], missing: list[str]) -> Iterator[Ratio]:
    for name in names:
        try:
            yield from import_module(f"benchmarks.{name}").ratios()
        except ModuleNotFoundError as error:
            missing.append(f"`{name}` was left out: it needs {error.name}.")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; all unless given")
    names = parser.parse_args().names
    if unknown := [name for name in names if name not in NAMES]:
        parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(NAMES)}")
    missing: list[str] = []
    print(f"Measured {machine()}.\n")
    show(every(names or list(NAMES), missing))
    print(*missing, sep="\n")


if __name__ == "__main__":
    main()
