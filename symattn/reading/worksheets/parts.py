"""The [[part]] tables of a worksheet -> one expression: attentions that take each other's outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sympy import MatrixSymbol

from symattn.errors import InputError, Placed, ShapeError
from symattn.nodes import Part
from symattn.nodes.exact_numbers import ExactRows
from symattn.program.shapes import read_sizes
from symattn.reading.worksheets.inputs import Setting, read_calculation
from symattn.reading.worksheets.keys import NAMED, OPTIONS, SIZES, SOURCES, TABLES, refuse_unknown
from symattn.reading.worksheets.tables import read_matrix, read_shape, read_size
from symattn.writing.nearest import listed
from symattn.writing.prose import Sentence


def read_parts(parts: Sequence[Any], inputs: Mapping[str, Any], values: dict[str, ExactRows]) -> Any:
    """The expression of the last part; the rows of all inputs go to `values`.

    Raises InputError with the part for a name that is used twice, and a source that is none.
    """
    last = _compose(parts, inputs, values, apart=False)
    shapes = {s: (len(values[s.name]), len(values[s.name][0])) for s in last.atoms(MatrixSymbol) if s.name in values}
    try:
        read_sizes(shapes)
    except ShapeError:  # the parts do not share d_k, or another size: each has letters of its own
        return _compose(parts, inputs, values, apart=True)
    return last


def _compose(parts: Sequence[Any], inputs: Mapping[str, Any], values: dict[str, ExactRows], *, apart: bool) -> Any:
    known = _share(inputs, values)
    made: dict[str, Part] = {}
    for table in parts:
        path = f"part.{str(table.get('name', ''))[:20]}"
        with Placed(path):
            part = _part(table, known, made, values, apart)
        if part.name in made or part.name in known:
            raise InputError(Sentence("part_twice", name=part.name), place=path)
        made[part.name] = part
    return next(reversed(made.values()))


def _share(inputs: Mapping[str, Any], values: dict[str, ExactRows]) -> dict[str, Any]:
    """The sequences that parts start from."""
    refuse_unknown(inputs, SOURCES, "inputs")
    known = {}
    for name, given in inputs.items():
        path, sizes = f"inputs.{name}", SIZES[name]
        if isinstance(given, str):
            sizes = read_shape(given, path)
        else:
            values[name] = values.get(name) or read_matrix(given, path)
        known[name] = MatrixSymbol(name, *map(read_size, sizes))
    return known


def _part(
    table: Mapping[str, Any],
    known: Mapping[str, Any],
    made: Mapping[str, Part],
    values: dict[str, ExactRows],
    apart: bool,
) -> Part:
    refuse_unknown(table, (*NAMED, *SIZES, *OPTIONS), "", {**TABLES, "inputs": SOURCES})
    name = str(table.get("name", ""))
    sources = {key: _source(table[key], {**known, **made}, key) for key in SOURCES if key in table}
    inputs = {key: table[key] for key in SIZES if key in table and key not in sources}
    options = {key: table[key] for key in OPTIONS if key in table}
    expression = read_calculation(inputs, options, values, Setting(name, apart, sources))
    return Part(expression, name, *made.values())  # type: ignore[no-any-return]


def _source(given: Any, known: Mapping[str, Any], key: str) -> Any:
    if not isinstance(given, str) or given not in known:
        raise InputError(Sentence("part_source", given=str(given)[:40], known=listed(given, known)), place=key)
    return known[given]
