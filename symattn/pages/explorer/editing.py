"""How a page computes a derivation again from inputs that its reader changes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from sympy import MatrixSymbol, S, Symbol, sstr

from symattn.errors import SymattnError
from symattn.lowering.javascript import write_javascript
from symattn.lowering.text.scalars import number_text
from symattn.nodes.exact_numbers import ExactRows
from symattn.program.unrolling import Unrolled
from symattn.reading.worksheets.template import Template
from symattn.writing.explored import Editing

Numbered = Sequence[Sequence[int]]


def edit_inputs(
    unrolled: Unrolled,
    given: Mapping[MatrixSymbol, ExactRows],
    sizes: Mapping[Symbol, int],
    template: Template | None = None,
) -> Editing | None:
    """What the page needs for it; None where a step has no JavaScript.

    With the template of a worksheet the numbers are counted as there, and what is no input of it cannot change.
    """
    try:
        script = write_javascript(unrolled.program, unrolled.inputs(given), sizes)
    except SymattnError:
        return None
    more = count(len(template.numbers) if template else 0)
    places = {s: _counted(s, rows, template, more) for s, rows in given.items()}
    inputs = {s.name: rows for s, rows in unrolled.inputs(places).items()}
    numbers: dict[int, tuple[str, float | None]] = {}
    fixed: set[int] = set()
    for symbol, rows in given.items():
        stated = template is None or symbol.name in template.places
        for numbered, row in zip(places[symbol], rows, strict=True):
            for k, x in zip(numbered, row, strict=True):
                numbers[k] = (sstr(x), None if x is S.NegativeInfinity else float(number_text(x)))
                if not stated or x is S.NegativeInfinity or symbol.name in script.fixed:
                    fixed.add(k)
    total = next(more)
    known = [numbers.get(k, ("", 0.0)) for k in range(total)]
    literals = template.numbers if template else ()
    typed = [(_typed(literal), x) for literal, (_, x) in zip(literals, known, strict=False)] + known[len(literals) :]
    pieces = template.pieces if template else ()
    return Editing(script.text, inputs, typed, sorted(fixed), pieces, literals)


def _counted(symbol: MatrixSymbol, rows: ExactRows, template: Template | None, more: Iterator[int]) -> Numbered:
    """The number of each entry: as the worksheet counts them, or new ones."""
    if template is not None and symbol.name in template.places:
        return template.places[symbol.name]
    return [[next(more) for _ in row] for row in rows]


def _typed(literal: str) -> str:
    """What stands between the quotes of a text in TOML."""
    return str(json.loads(literal)) if literal.startswith('"') else literal
