"""The face that users hold of a saturation: rows that say what softmax loses, as text, Markdown, LaTeX and JSON."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from symattn.api.page import Page
from symattn.errors import InputError
from symattn.pages.saturation import saturation_blocks
from symattn.values.saturation.measure import (
    DIGITS,
    SaturatedRow,
    block_thresholds_json,
    find_saturated_rows,
    thresholds_json,
)
from symattn.values.valuation import Valuation
from symattn.writing.document import Document
from symattn.writing.prose import Sentence
from symattn.writing.visible import clip

if TYPE_CHECKING:
    from symattn.api.derivation import Derivation


def measure_saturation(
    derivation: Derivation, *, digits: int = DIGITS, computed: Collection[str] = (), accumulate: str | None = None
) -> Saturation:
    """What softmax loses of a derivation with values: every row of every head.

    ε = 1 − max a, H = −Σ a ln a, ‖J‖∞ = 2 max a(1 − a) with J = diag(a) − aaᵀ, each to `digits` proven digits; and the
    weights as every float format holds them. `computed` names algorithms ("naive", "shifted", "division-free",
    "online", "lazy", "p-cast") to be worked in every format too, rounding after every operation; `accumulate` a wider
    format for sums.
    Raises InputError for what is no Derivation, has no values or no softmax, and for an unknown algorithm or format.

    >>> from symattn import Softmax, derive
    >>> from sympy import MatrixSymbol
    >>> S = MatrixSymbol("S", 1, 2)
    >>> row = measure_saturation(derive(Softmax(S), {S: [[0, 20]]})).rows[0]
    >>> row.rest, row.formats["float32"].one, row.formats["float64"].one
    (Decimal('2.06115361819020E-9'), 2, None)
    """
    values = getattr(derivation, "values", None)
    if not isinstance(values, Valuation):
        raise InputError(Sentence("not_a_derivation", given=clip(str(derivation), 40)))
    rows = find_saturated_rows(values, digits=digits, computed=computed, accumulate=accumulate)
    return Saturation(rows, derivation.page.tokens)


@dataclass(frozen=True)
class Saturation(Page):
    """The rows of all heads; str() is the report, and it shows itself in notebooks."""

    rows: tuple[SaturatedRow, ...]
    tokens: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON: rows, and the gaps at which each format, of blocks too, loses information."""
        rows = [row.to_json() for row in self.rows]
        return {"rows": rows, "thresholds": thresholds_json(), "block_thresholds": block_thresholds_json()}

    def document(self) -> Document:
        """The report as a page."""
        return Document(Sentence("saturation.title"), tuple(saturation_blocks(self.rows, self.tokens)))

    def __str__(self) -> str:
        return self.to_text()
