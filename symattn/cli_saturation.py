"""`symattn saturation`: what softmax loses, of a worksheet."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from symattn.derivation import Derivation
from symattn.report import json_text
from symattn.saturation_report import measure_saturation
from symattn.values.floats import ALGORITHMS


@dataclass(frozen=True)
class Manner:
    """How the report is asked for."""

    target: str  # text, markdown, latex or json
    language: str = "en"
    digits: int = 15
    computed: bool = False  # the four algorithms too, rounding after every operation
    accumulate: str | None = None  # a wider format for sums


def report_worksheet(derivation: Derivation, manner: Manner) -> int:
    """Print the report on a derivation."""
    computed = ALGORITHMS if manner.computed else ()
    found = measure_saturation(derivation, digits=manner.digits, computed=computed, accumulate=manner.accumulate)
    if manner.target == "json":
        sys.stdout.write(json_text(found.to_json()))
    else:
        sys.stdout.write(found.to(manner.target, language=manner.language))
    return 0
