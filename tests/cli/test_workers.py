"""Worker processes: how they end, and what is told of one that did not end by itself."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from symattn.cli import workers

pytestmark = pytest.mark.skipif(not workers.CAN_FORK, reason="no processes are forked here")


@pytest.fixture(autouse=True)
def own_signals() -> Iterator[None]:
    """What ends a process with its workers is not for the process of the tests."""
    before = {number: signal.getsignal(number) for number in workers.SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


PLENTY = 1 << 20  # MiB: a fork of the tests holds what they hold


def _load(task: str) -> None:
    """As NumPy is loaded: an interrupt becomes another error, which is told."""
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        os.write(2, b"Traceback: an import failed")
        raise ImportError from None


def _work(task: Any) -> Any:
    if task == "gone":
        os.kill(os.getpid(), signal.SIGKILL)
    if task == "interrupted":
        os.kill(os.getpid(), signal.SIGINT)
    return task * 2


def test_a_worker_without_tasks_ends_by_itself() -> None:
    # not by the signal that is for a worker whose parent is gone: its exit status is 0
    worker = workers.Worker(_work, 30, PLENTY)
    worker.give(21)
    assert worker.take() == 42
    assert worker.end() == 0


def test_an_interrupt_that_is_ignored_stays_so() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a script's work in the background is started
    assert list(workers.do(_work, ["interrupted", 3], 1, 30, PLENTY)) == ["interrupted" * 2, 6]


def test_nothing_is_said_after_an_interrupt(capfd: pytest.CaptureFixture[str]) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    worker = workers.Worker(_load, 30, PLENTY)
    worker.give("interrupted")
    assert worker.take().cause == "died" and capfd.readouterr().err == ""


ABORTING = """
import os
from symattn.cli import workers

def work(task):
    os.write(1, b"Unable to allocate memory")
    print(task, flush=True)
    os.abort()

print(*(stopped.cause for stopped in workers.do(work, ["page"], 1, 30, 1 << 20)))
"""


def test_a_library_that_aborts_has_no_memory_and_writes_to_no_page() -> None:
    done = subprocess.run([sys.executable, "-c", ABORTING], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("page\nmemory\n", "")


def test_a_worker_that_died_is_replaced_for_the_tasks_behind() -> None:
    found = list(workers.do(_work, [1, "gone", 3], 1, 30, PLENTY))
    assert [found[0], found[1].cause, found[2]] == [2, "died", 6]
