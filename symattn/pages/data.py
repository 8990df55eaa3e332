"""Steps with their values -> the JSON of the contract, as plain data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from sympy import Symbol, sstr

from symattn.pages.numbers.equations import Equations
from symattn.program.shapes import substitute_sizes
from symattn.program.steps import Step
from symattn.values import Valuation
from symattn.values.decimals import Near, Shown, plain
from symattn.writing.document import Formula
from symattn.writing.writers import LatexStyle, chain_latex


def json_text(data: dict[str, Any]) -> str:
    """Plain data as the text of a JSON file."""
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def report(title: str, equations: Equations, sizes: Mapping[Symbol, int], style: LatexStyle) -> dict[str, Any]:
    """The derivation as data: the title, and each step's name, LaTeX, definition, shape, exact text and decimals."""
    return {"title": title, "steps": [_step(equations, step, sizes, style) for step in equations.program]}


def _step(equations: Equations, step: Step, sizes: Mapping[Symbol, int], style: LatexStyle) -> dict[str, Any]:
    values = equations.known
    return {
        "name": step.name,
        "latex": chain_latex(equations.chain(step), style),
        "definition": Formula(step.expression).write(style),
        "shape": [int(s) if s.is_Integer else str(s) for s in substitute_sizes(step.shape, sizes)],
        "value": None
        if values is None or not values.exact[step.name].is_written
        else [[sstr(x, order="none") for x in row] for row in values.exact[step.name].to_sympy().tolist()],
        "decimal": None if values is None else _decimals(values, step.name, equations.digits),
    }


def _decimals(values: Valuation, name: str, digits: int | None) -> list[list[str]]:
    if digits is not None:
        return nearest_text(values, name, digits)
    return [[_plain(cell) for cell in row] for row in values.readable(name)]


def nearest_text(values: Valuation, name: str, digits: int) -> list[list[str]]:
    """Each entry with so many significant digits, as text; integers and zero plainly."""
    return [["-inf" if x is None else plain(x) for x in row] for row in values.nearest(name, digits)]


def _plain(cell: Shown | Near | None) -> str:
    if cell is None:
        return "-inf"
    number: Decimal = cell.value() if isinstance(cell, Near) else cell.number
    return plain(number)


def evaluation(values: Valuation, names: list[str], digits: int) -> dict[str, Any]:
    """The values of some steps to so many certified digits, for `evaluate --json`."""
    return {"digits": digits, "steps": {name: nearest_text(values, name, digits) for name in names}}
