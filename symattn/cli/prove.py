"""`symattn prove`: a theorem with its check, or all of them."""

from __future__ import annotations

import argparse

from symattn.api import proof
from symattn.cli.output import make, target_of, write
from symattn.errors import InputError
from symattn.writing.prose import Sentence


def prove(options: argparse.Namespace) -> int:
    """A theorem, link by link; without a name a line for each."""
    if options.name is None:
        of_one = {"--notation": options.notation, "--seed": options.seed}
        of_one[f"--to {options.to}"] = None if options.to == "text" else options.to
        for option, given in of_one.items():
            if given is not None:
                raise InputError(Sentence("option_needs", option=option, other="NAME"))
        write(proof.list_theorems(options.language), options.output)
        return 0
    proven = proof.prove(options.name, seed=options.seed)
    target = target_of(options.to, options.output)
    asked = {"language": options.language, "notation": options.notation}
    write(proven.to_json() if target == "json" else make(proven, target, **asked), options.output)
    return 0
