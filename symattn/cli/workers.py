"""Work in other processes, so that no input takes more time or memory than is allowed and an interrupt always ends it.

A worker is forked before anything heavy is loaded. Processor time is the kernel's to limit (RLIMIT_CPU), memory is
watched from outside (Linux), and a worker whose parent is gone is ended by a signal of the kernel (O_ASYNC on a pipe),
whatever it computes. Where a system cannot fork, work is done in the one process there is, without limits.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from symattn.cli.complaint import exceeded
from symattn.cli.loading import load as load_module

TYPE_CHECKING = False  # type checkers take it as true; importing typing would be a third of the start
if TYPE_CHECKING:
    from typing import Any, NoReturn

try:
    import fcntl
    import resource
except ImportError:  # Windows
    CAN_FORK = False
else:
    CAN_FORK = hasattr(os, "fork")

WATCH = 0.02  # seconds between two looks at the memory
# by the signal that ended a worker; libraries of exact arithmetic abort where they are given no memory
CAUSES: dict[int, str] = {signal.SIGXCPU: "seconds", signal.SIGABRT: "memory"} if CAN_FORK else {}
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if CAN_FORK else ()
GRACE = 0.4  # seconds that an interrupted worker has to put its files away
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_workers: list[Worker] = []  # those of this process
unfinished: set[str] = set()  # files of this process that a signal removes


class Stopped:
    """What a task comes to that ended its worker: `cause` is "seconds", "memory" or "died"."""

    def __init__(self, cause: str) -> None:
        self.cause = cause


class Worker:
    """A process that loads what it needs, then does one task after another, each within so many seconds and MiB."""

    def __init__(self, work: Callable[[Any], Any], seconds: int, memory: int, load: str = "") -> None:
        self.memory = memory
        self.cause = "died"
        tasks, self.to_worker = os.pipe()
        self.from_worker, answers = os.pipe()
        parent, self.life = os.pipe()  # nothing is ever written to it
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            for worker in (self, *_workers):
                worker.close()
            _serve(work, seconds, tasks, answers, parent, load)
        for end in (tasks, answers, parent):
            os.close(end)
        _workers.append(self)

    def fileno(self) -> int:
        """For `select`: it is readable when there is an answer, or none will come."""
        return self.from_worker

    def give(self, task: Any) -> None:
        """Hand a task over."""
        with contextlib.suppress(BrokenPipeError):  # told by what is read
            _send(self.to_worker, task)

    def take(self) -> Any:
        """What the task came to. Waits for it."""
        try:
            return _receive(self.from_worker)
        except EOFError:
            status = self.end()
            return Stopped(CAUSES.get(os.WTERMSIG(status), self.cause))

    def watch(self) -> None:
        """End the process if it holds more memory than it may."""
        try:
            with open(f"/proc/{self.pid}/statm", "rb") as file:
                held = int(file.read().split()[1]) * _PAGE
        except OSError:  # no Linux
            return
        if held > self.memory << 20:
            self.cause = "memory"
            os.kill(self.pid, signal.SIGKILL)

    def end(self) -> int:
        """Wait until the process ends, which it does by itself without more tasks. Returns its status."""
        _workers.remove(self)
        os.close(self.to_worker)
        _, status = os.waitpid(self.pid, 0)  # before `life` is closed, which would end it by a signal
        os.close(self.from_worker)
        os.close(self.life)
        return status

    def close(self) -> None:
        """Close this side of the pipes."""
        for end in (self.to_worker, self.from_worker, self.life):
            os.close(end)


def do(
    work: Callable[[Any], Any], tasks: Sequence[Any], most: int, seconds: int, memory: int, load: str = ""
) -> Iterator[Any]:
    """What `work` makes of each task, in their order, by at most so many processes; a `Stopped` where it ended one.

    The module `load` is imported first, which counts for no task's time. An interrupt, or a signal to terminate, ends
    all of them and this process.
    """
    _end_on_signals()
    idle: list[Worker] = []
    busy: dict[Worker, int] = {}
    done: dict[int, Any] = {}
    given = turn = 0
    while turn < len(tasks):
        while given < min(len(tasks), turn + 8 * most) and len(busy) < most:
            worker = idle.pop() if idle else Worker(work, seconds, memory, load)
            worker.give(tasks[given])
            busy[worker] = given
            given += 1
        ready, _, _ = select.select(list(busy), [], [], WATCH)
        for worker in ready:
            done[busy.pop(worker)] = worker.take()
            if worker in _workers:  # it has not ended
                idle.append(worker)
        for worker in busy:
            worker.watch()
        while turn in done:
            yield done.pop(turn)
            turn += 1
    for worker in idle:
        worker.end()


def answer(work: Callable[[Any], Any], seconds: int, memory: int) -> None:
    """Do the tasks that come as lines of JSON through standard input, and answer each with such a line.

    Where a task ended its worker, the answer says so by "error", and the next one has a new worker.
    """
    worker: Worker | None = None
    if CAN_FORK:
        _end_on_signals()
    for line in sys.stdin.buffer:
        task = json.loads(line)
        if not CAN_FORK:
            found = work(task)
        else:
            worker = worker or Worker(work, seconds, memory)
            worker.give(task)
            while not select.select([worker], [], [], WATCH)[0]:
                worker.watch()
            found = worker.take()
        if isinstance(found, Stopped):
            worker, found = None, {"error": exceeded(found.cause, seconds, memory).text("en")}
        sys.stdout.buffer.write(json.dumps(found).encode() + b"\n")
        sys.stdout.buffer.flush()


def _end_on_signals() -> None:
    """Let what ends this process end its workers before, those that put files away in good order."""

    def end(number: int, _: object) -> NoReturn:
        for worker in _workers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker.pid, signal.SIGINT)
        until = time.monotonic() + GRACE
        left = {worker.pid for worker in _workers}
        while left and time.monotonic() < until:
            left -= {pid for pid in left if os.waitpid(pid, os.WNOHANG)[0]}
            time.sleep(0.005)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        for path in unfinished:
            with contextlib.suppress(OSError):  # it is in its place already
                os.unlink(path)
        os._exit(128 + number)

    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)


# --- in the worker


def _serve(work: Callable[[Any], Any], seconds: int, tasks: int, answers: int, parent: int, load: str) -> NoReturn:
    """Do what comes through the pipe, until nothing can come any more."""
    code = 1
    try:
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, _interrupt if number == signal.SIGINT else signal.SIG_DFL)
        sys.unraisablehook = _unraisable
        _keep_output()
        fcntl.fcntl(parent, fcntl.F_SETOWN, os.getpid())  # SIGIO, which ends it, when the other end is closed
        fcntl.fcntl(parent, fcntl.F_SETFL, fcntl.fcntl(parent, fcntl.F_GETFL) | os.O_ASYNC)
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        if load:
            load_module(load)
        while True:
            task = _receive(tasks)
            _allow(seconds)
            _send(answers, work(task))
    except EOFError:
        code = 0
    except KeyboardInterrupt:
        code = 130
    finally:
        os._exit(code)


def _keep_output() -> None:
    """Let nothing but Python write to standard output: libraries print there why they abort."""
    out = sys.stdout
    if out is sys.__stdout__ and isinstance(out, io.TextIOWrapper):
        kept = os.fdopen(os.dup(1), "wb")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.stdout = io.TextIOWrapper(kept, out.encoding, out.errors, line_buffering=out.line_buffering)
        sys.__stdout__ = sys.stdout  # type: ignore[misc]  # which is asked for the width of the terminal


def _interrupt(_number: int, _frame: object) -> NoReturn:
    """Put files away, and say nothing more: what is being loaded may take an interrupt for a fault of its own."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    raise KeyboardInterrupt


def _unraisable(fault: Any) -> None:
    """An interrupt that came where Python cannot raise it, as in a callback of the collector."""
    if isinstance(fault.exc_value, KeyboardInterrupt):
        os._exit(130)
    sys.__unraisablehook__(fault)


def _allow(seconds: int) -> None:
    """So much more processor time than was used."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    until = round(time.process_time()) + seconds  # the kernel counts whole seconds
    resource.setrlimit(resource.RLIMIT_CPU, (until if hard == resource.RLIM_INFINITY else min(until, hard), hard))


# --- through a pipe: a length, and so many bytes


def _send(end: int, content: Any) -> None:
    data = pickle.dumps(content)
    data = len(data).to_bytes(8, "little") + data
    while data:
        data = data[os.write(end, data) :]


def _receive(end: int) -> Any:
    return pickle.loads(_read(end, int.from_bytes(_read(end, 8), "little")))


def _read(end: int, count: int) -> bytes:
    """Exactly so many bytes. Raises EOFError where fewer come."""
    parts = []
    while count:
        part = os.read(end, min(count, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
