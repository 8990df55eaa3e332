"""`symattn new`: a worksheet to start from."""

from __future__ import annotations

import argparse
import os

from symattn.cli.output import write
from symattn.errors import InputError
from symattn.reading.worksheets.starter import write_starter
from symattn.writing.prose import Sentence


def new(options: argparse.Namespace) -> int:
    """A commented worksheet of the shapes asked for."""
    if options.output is not None and os.path.exists(options.output):
        raise InputError(Sentence("file_exists"), place=options.output)
    sizes = (options.tokens, options.width, options.heads, options.layers)
    causal = options.mask == "causal"
    write(write_starter(*sizes, causal=causal, language=options.language, kind=options.kind), options.output)
    return 0
