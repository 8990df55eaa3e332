"""`symattn exercise`: a sheet to be filled in by hand, or its key."""

from __future__ import annotations

import argparse

from symattn.api.exercise import Exercise
from symattn.cli.output import make, target_of, write
from symattn.reading.worksheets.exercises import Task
from symattn.writing.choices import EXERCISE_TARGETS


def exercise(options: argparse.Namespace) -> int:
    """The sheet, the key with --key; as a worksheet where the file is one."""
    made = Exercise(Task(options.seed, options.tokens, options.heads, options.width, options.mask, options.given))
    target = target_of(options.to, options.output, EXERCISE_TARGETS)
    if target == "toml":
        content: str | bytes = made.to_worksheet(key=options.key)
    else:
        content = make(made, target, language=options.language, key=options.key)
    write(content, options.output)
    return 0
