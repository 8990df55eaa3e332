"""`symattn completion`: a script by which a shell completes commands, options, files and names that ship.

It is made once and asks nothing of symattn afterwards, so that completing and starting cost nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from symattn.checking.theorems import THEOREMS
from symattn.cli.arguments import parser
from symattn.cli.output import write
from symattn.errors import InputError
from symattn.reading.worksheets import library
from symattn.writing.choices import NOTATIONS
from symattn.writing.prose import Sentence

try:
    shtab: Any = import_module("shtab")
except ImportError:  # the extra `completion`
    shtab = None

# a worksheet is a file, or the name of a derivation that ships
_WORKSHEET = "_symattn_worksheet"
_PREAMBLE = {
    "bash": _WORKSHEET + '() {{ compgen -W "{names}" -- "$1"; compgen -f -- "$1"; }}\n',
    "zsh": _WORKSHEET + "() {{ _alternative 'names:derivation:({names})' 'files:file:_files' }}\n",
}


def completion(options: argparse.Namespace) -> int:
    """The script for a shell."""
    if shtab is None:
        raise InputError(Sentence("no_completion"), place="completion")
    made = parser()
    for command, action in _actions(made):
        _complete(command, action)
    preamble = _PREAMBLE.get(options.shell, "").format(names=" ".join(library.names()))
    write(str(shtab.complete(made, options.shell, preamble=preamble)), options.output)
    return 0


def _actions(made: argparse.ArgumentParser, command: str = "") -> Iterator[tuple[str, Any]]:
    for action in made._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inside in action.choices.items():
                yield from _actions(inside, name)
        else:
            yield command, action


def _complete(command: str, action: Any) -> None:
    """Say what an argument may be: files, or names that are known now."""
    known = {
        ("show", "name"): library.names(),
        ("prove", "name"): THEOREMS,
        (command, "notation"): NOTATIONS,
    }.get((command, action.dest))
    if known is not None:
        action.choices = tuple(known)
    elif action.dest == "worksheet":
        action.complete = {**shtab.FILE, **dict.fromkeys(_PREAMBLE, _WORKSHEET)}
    elif action.dest in ("files", "answers", "output", "figure") or (command, action.dest) == ("grade", "key"):
        action.complete = shtab.FILE
