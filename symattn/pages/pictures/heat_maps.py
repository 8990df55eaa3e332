"""The weights of a step as shades, a row for each query."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from symattn.program.steps import Step
from symattn.values import Valuation
from symattn.values.decimals import Near, Shown
from symattn.writing.document import HeatMap, Shade, Symbol

LARGEST = 64  # rows and columns; what has more is no picture that a reader could look at


def heat_map(step: Step, values: Valuation, tokens: Sequence[str], first: int) -> HeatMap | None:
    """The heat map of weights; None where there are too many, or one is no number. Tokens may have no names."""
    rows, columns = values.exact[step.name].shape
    if max(rows, columns) > LARGEST:
        return None
    cells = tuple(tuple(map(_shade, row)) for row in values.readable(step.name))
    if any(cell is None for row in cells for cell in row):
        return None
    names = [tuple(tokens) if len(tokens) == n else tuple(str(k + first) for k in range(n)) for n in (rows, columns)]
    return HeatMap(step.name, Symbol(step.symbol.name), cells, *names)  # type: ignore[arg-type]


def _shade(shown: Shown | Near | None) -> Shade | None:
    """To two places; what is not 0 or 1 but looks so is told from them."""
    weight = None if shown is None else shown.value() if isinstance(shown, Near) else shown.number
    if weight is None or not weight.is_finite() or not 0 <= weight <= 1:
        return None
    near = weight.quantize(Decimal("0.01"), ROUND_HALF_UP)
    text = str(near) if near not in (0, 1) else str(int(near))
    return Shade(int(near * 100), text if near not in (0, 1) or near == weight else f"≈{text}")
