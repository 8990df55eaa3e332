"""`symattn lower`: a NumPy module."""

from __future__ import annotations

import argparse
from pathlib import Path

from symattn import lowering
from symattn.api.worksheets import worksheet
from symattn.cli.output import write


def lower(options: argparse.Namespace) -> int:
    """The module that computes a worksheet."""
    expression = worksheet(options.worksheet).expression
    lowered = lowering.lower(expression, style=options.style, gradient=options.gradient)
    text = lowered.module.write(alone=options.standalone, origin=Path(options.worksheet).name)
    write(text, options.output, options.worksheet)
    return 0
