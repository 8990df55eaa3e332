"""`symattn lsp`: the language server, and the process that does its work."""

from __future__ import annotations

import argparse
from importlib import import_module

from symattn.cli.workers import answer
from symattn.errors import NotSupportedError
from symattn.writing.prose import Sentence


def lsp(options: argparse.Namespace) -> int:
    """Serve an editor over standard input and output; with `--worker` check what the server hands over."""
    if options.worker:
        answer(_work, options.max_seconds, options.max_memory)
        return 0
    try:
        server = import_module("symattn.cli.language_server")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise NotSupportedError(Sentence("no_pygls")) from None
    server.serve(options.max_seconds, options.max_memory)
    return 0


def _work(task: dict[str, object]) -> object:
    """What a worker does: everything heavy is loaded here."""
    return import_module("symattn.cli.editing").work(task)
