"""The `weave` command: the placeholders of articles filled, or with `--check` those that are stale, file by file."""

from __future__ import annotations

import argparse
import io
import sys

from symattn.cli import workers
from symattn.cli.complaint import complain, exceeded
from symattn.cli.outcome import Outcome, WeaveOptions


def weave(options: argparse.Namespace) -> int:
    """Weave files as the command line asks for: 1 where `--check` finds one stale, 2 where one could not be used."""
    tasks = [(path, WeaveOptions(options.check, options.language)) for path in options.files]
    if isinstance(sys.stdout, io.TextIOWrapper):  # any article's words and any file's name can be written
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    seconds, memory = options.max_seconds, options.max_memory
    outcomes = (
        workers.do(_weave_file, tasks, 1, seconds, memory, load="symattn.cli.weave_file")
        if options.guarded
        else map(_weave_file, tasks)
    )
    verdicts = []
    for path, outcome in zip(options.files, outcomes, strict=True):
        if isinstance(outcome, workers.Stopped):
            complain(exceeded(outcome.cause, seconds, memory).at(path).text(options.language))
            verdicts.append("failed")
            continue
        verdicts.append(outcome.verdict)
        for line in outcome.complaints:
            complain(line)
        sys.stdout.write(outcome.text)
        sys.stdout.flush()
    return 2 if "failed" in verdicts else int("bad" in verdicts)


def _weave_file(task: tuple[str, WeaveOptions]) -> Outcome:
    """What a worker does: everything heavy is loaded here."""
    from symattn.cli.weave_file import weave_file

    return weave_file(*task)
