"""`symattn lower`: a NumPy module."""

from __future__ import annotations

import argparse
from pathlib import Path

from symattn import lowering
from symattn.api.worksheets import derive_sheet, worksheet
from symattn.cli.output import write
from symattn.errors import InputError
from symattn.lowering.bound_text import bound_lines
from symattn.writing.files import same_file
from symattn.writing.prose import Sentence


def lower(options: argparse.Namespace) -> int:
    """The module that computes a worksheet, or the error bounds of its steps."""
    sheet = worksheet(options.worksheet)
    expression = sheet.expression
    if options.error_bound:
        derivation = derive_sheet(sheet, "brief", options.language)
        values = None if sheet.values is None else derivation.values
        program = values.program if values else derivation.families
        write("\n".join(bound_lines(program, values, options.language)) + "\n", options.output, *sheet.files)
        return 0
    named = options.output
    if (
        named is not None
        and Path(named).suffix not in ("", ".py")
        and not any(same_file(named, file) for file in sheet.files)
    ):
        raise InputError(Sentence("only_python"), place=named)
    lowered = lowering.lower(expression, style=options.style, gradient=options.gradient)
    text = lowered.module.write(alone=options.standalone, origin=Path(options.worksheet).name)
    write(text, options.output, *sheet.files)
    return 0
