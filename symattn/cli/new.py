"""`symattn new`: a worksheet to start from."""

from __future__ import annotations

import argparse

from symattn.cli.output import write
from symattn.reading.worksheets.starter import write_starter


def new(options: argparse.Namespace) -> int:
    """A commented worksheet of the shapes asked for."""
    sizes = (options.tokens, options.width, options.heads, options.layers)
    write(write_starter(*sizes, causal=options.mask == "causal", language=options.language), options.output)
    return 0
