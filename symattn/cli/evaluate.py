"""`symattn evaluate`: values to N certified digits."""

from __future__ import annotations

import argparse
import sys

from symattn.api.worksheets import derive_sheet, worksheet
from symattn.errors import InputError
from symattn.pages.data import evaluation, json_text
from symattn.writing.prose import Sentence

MOST_ALIGNED = 200  # characters; beyond them no line shows a column, and a 0 would stand behind as many blanks


def evaluate(options: argparse.Namespace) -> int:
    """The values of every step, or of one, as a table or as JSON."""
    sheet = worksheet(options.worksheet)
    if sheet.wrt is not None and sheet.values is not None and sheet.upstream is None:
        raise InputError(Sentence("upstream_needed"), place="inputs.G")
    derivation = derive_sheet(sheet, "brief", "en")
    names = [derivation[options.step].name] if options.step else [s.name for s in derivation]
    data = evaluation(derivation.values, names, options.digits)
    if options.to == "json":
        sys.stdout.write(json_text(data))
        return 0
    for name, rows in data["steps"].items():
        widths = [min(max(len(x) for x in column), MOST_ALIGNED) for column in zip(*rows, strict=True)]
        print(name)
        for row in rows:
            print("  " + "  ".join(x.rjust(w) for x, w in zip(row, widths, strict=True)))
    return 0
