"""`symattn schema`: what a worksheet may hold, for editors."""

from __future__ import annotations

import argparse
import json

from symattn.cli.output import write
from symattn.reading.worksheets.schema import worksheet_schema


def schema(options: argparse.Namespace) -> int:
    """The JSON Schema of worksheets."""
    write(json.dumps(worksheet_schema(), ensure_ascii=False, indent=1) + "\n", options.output)
    return 0
