"""Ratios of time, the processor's unless said, between two pieces of work that take turns, and a table of them."""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

Work = Callable[[], Any]
Clock = Callable[[], float]


class Ratio(NamedTuple):
    """What is compared with what, and the ratio of each pair of runs."""

    what: str
    found: list[float]

    def line(self) -> str:
        middle, least, most = (f(self.found) for f in (statistics.median, min, max))
        return f"| {self.what} | {middle:.3g} | {least:.3g} to {most:.3g} | {len(self.found)} |"


def seconds(work: Work, clock: Clock = time.process_time) -> float:
    start = clock()
    work()
    return clock() - start


def compare(what: str, work: Work, floor: Work, rounds: int, clock: Clock = time.process_time) -> Ratio:
    """How many times the processor time of `floor` does `work` take? Caches are warm for the floor too.

    What runs on several threads is timed by the `clock` on the wall.
    """
    work()

    def ratio() -> float:
        mine = seconds(work, clock)
        floor()
        return mine / seconds(floor, clock)

    return Ratio(what, [ratio() for _ in range(rounds)])


def table(ratios: Iterable[Ratio]) -> Iterator[str]:
    yield "| time of | median ratio | spread | pairs |"
    yield "|---|---|---|---|"
    for ratio in ratios:
        yield ratio.line()


def show(ratios: Iterable[Ratio]) -> None:
    for line in table(ratios):
        print(line, flush=True)


def machine() -> str:
    """The processor and its load, for the table's caption."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        processor = f"{len(names)} × {names[0]}, load {Path('/proc/loadavg').read_text().split()[0]}"
    except (OSError, IndexError):
        processor = platform.processor() or platform.machine()
    return f"{time.strftime('%Y-%m-%d')}, {processor}, {platform.system()}, Python {platform.python_version()}"
