"""Which small faults put into a module do the tests not notice? Run by hand: see README.md beside this file.

The tests are collected once. A first run notes which test calls which function; each mutant is then a fork in which the
code of one function is exchanged and the tests that call it run, the quickest first, until one fails.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import gc
import importlib
import os
import pickle
import random
import resource
import sys
import time
import types
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.mutants.changes import Mutant, mutants, telling_calls

ROOT = Path(__file__).parents[2]
# A page that the code wrote is no source, and what runs in another process does not see the change.
NO_KILLERS = ("tests/pages/test_golden.py", "tests/cli/test_interrupts.py", "tests/hostile", "tests/mutants")
PATIENCE = 10  # seconds of a processor, beside five times what a test usually takes
MEMORY = 6 << 30
NOTE = "note_call_of"  # a name among the built-in ones

Calls = dict[tuple[str, int], set[int]]  # of each function, the tests that call it


class Runner:
    """A plugin of pytest that runs the collected tests once for every mutant."""

    def __init__(self, path: Path, most: int, seed: int, lines: range | None) -> None:
        self.path, self.source = path, path.read_text(encoding="utf-8")
        every = [m for m in mutants(self.source) if lines is None or m.line in lines]
        self.chosen = sorted(random.Random(seed).sample(every, min(most, len(every))), key=lambda m: m.line)
        self.survivors = 0

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        importlib.import_module(".".join(self.path.relative_to(ROOT).with_suffix("").parts))  # some tests do so late
        calls, seconds = self._reach(session)
        for mutant in self.chosen:
            reached = sorted(calls.get(mutant.function, ()), key=lambda k: seconds[k])
            answer = self._try(session, mutant, reached, seconds) if reached else "reached by no test"
            self.survivors += answer != "killed"
            if answer != "killed":
                print(f"{self.path}:{mutant.line}  {mutant.change}\n    {answer}", flush=True)
        print(f"{len(self.chosen)} mutants, {self.survivors} not killed")
        return True

    def _reach(self, session: pytest.Session) -> tuple[Calls, list[float]]:
        """Which tests call a function of the module, and how long each test takes; caches stay empty here."""

        def run() -> tuple[Calls, list[float]]:
            calls: Calls = defaultdict(set)
            seconds, current = [], 0

            functions = {m.function for m in self.chosen}
            vars(builtins)[NOTE] = lambda *function: calls[function].add(current)
            _exchange(telling_calls(self.source, NOTE), functions, self.path)
            for current, item in enumerate(session.items):
                began = time.process_time()
                item.config.hook.pytest_runtest_protocol(
                    item=item, nextitem=session.items[current + 1] if current + 1 < len(session.items) else None
                )
                seconds.append(time.process_time() - began)
                if session.testsfailed:  # as one with a time limit may, while calls are noted
                    print(f"left out, since it fails without any change: {item.nodeid}", flush=True)
                    for tests in calls.values():
                        tests.discard(current)
                    session.testsfailed = 0
            return dict(calls), seconds

        return _in_fork(run)  # type: ignore[no-any-return]

    def _try(self, session: pytest.Session, mutant: Mutant, reached: list[int], seconds: list[float]) -> str:
        pid = os.fork()
        if pid == 0:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(1, 2)
            os._exit(_live(session, mutant, self.path, reached, seconds))
        _, status = os.waitpid(pid, 0)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
            return f"survives {len(reached)} tests"
        return "could not be put in" if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 3 else "killed"


def _live(session: pytest.Session, mutant: Mutant, path: Path, reached: list[int], seconds: list[float]) -> int:
    """Run tests with a mutant in place: 0 where all pass, 1 where one fails."""
    try:
        if not _exchange(mutant.put_in(), {mutant.function}, path):
            return 3
    except (ValueError, SyntaxError):
        return 3
    for place, k in enumerate(reached):
        patience = int(time.process_time() + PATIENCE + 5 * seconds[k])
        resource.setrlimit(resource.RLIMIT_CPU, (patience, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        following = session.items[reached[place + 1]] if place + 1 < len(reached) else None
        session.items[k].config.hook.pytest_runtest_protocol(item=session.items[k], nextitem=following)
        if session.testsfailed:
            return 1
    return 0


def _exchange(module: ast.Module, functions: Collection[tuple[str, int]], path: Path) -> int:
    """Give those of these functions that are alive their code of a changed module; return how many are."""
    gc.unfreeze()  # what the tests have put out of the collector's sight is alive too
    new = {_name(code): code for code in _codes(compile(module, str(path), "exec")) if _name(code) in functions}
    alive = [
        thing
        for thing in gc.get_objects()
        if isinstance(thing, types.FunctionType)
        and thing.__code__.co_filename == str(path)
        and _name(thing.__code__) in new
    ]
    for function in alive:
        function.__code__ = new[_name(function.__code__)]
    return len(alive)


def _name(code: types.CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes(constant)


def _in_fork(run: Callable[[], Any]) -> Any:
    """What a function returns, called in a process of its own."""
    down, up = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            answer = pickle.dumps(run())
            os.close(down)
            with open(up, "wb") as pipe:
                pipe.write(answer)
            code = 0
        finally:
            os._exit(code)
    os.close(up)
    with open(down, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(pid, 0)
    if not answer:
        raise SystemExit("the tests end the process without any change")
    return pickle.loads(answer)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("module", type=Path, help="a file of the package")
    parser.add_argument("tests", nargs="*", help="files or folders of tests; those of its room unless given")
    parser.add_argument("--most", type=int, default=50, help="how many mutants, drawn at random (50)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", help="only mutants of these lines, as 120-140")
    given = parser.parse_args()
    path = given.module.resolve()
    first, _, last = (given.lines or "").partition("-")
    lines = range(int(first), int(last or first) + 1) if first else None
    tests = given.tests or [str(ROOT / "tests" / path.relative_to(ROOT / "symattn").parts[0])]
    ignored = [f"--ignore={ROOT / name}" for name in NO_KILLERS]
    runner = Runner(path, given.most, given.seed, lines)
    os.environ["CI"] = "1"  # the same random examples for every mutant
    pytest.main(
        ["-s", "-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:doctest", "-o", "addopts=", *ignored, *tests],
        plugins=[runner],
    )
    return 1 if runner.survivors else 0


if __name__ == "__main__":
    sys.exit(main())
