"""Four ways to compute softmax, in six formats, rounding after every operation: which overflow, how far off."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from symattn.pages.numbers.entries import Expansion
from symattn.pages.saturation import label
from symattn.pages.studies.varied import Pair
from symattn.values.decimals import Shown
from symattn.values.floats.formats import FORMATS
from symattn.values.saturation.measure import Held, find_saturated_rows
from symattn.writing.document import (
    FIGURE_SPACE,
    Block,
    Chain,
    Equation,
    Heading,
    Paragraph,
    Spelled,
    Style,
    Table,
    write,
)
from symattn.writing.prose import Sentence
from symattn.writing.writers.text_style import TextStyle

FORMULAS: dict[str, Pair] = {
    "naive": (r"\frac{e^{z_j}}{\sum_k e^{z_k}}", "e^(z_j)/(Σ_k e^(z_k))"),
    "shifted": (r"\frac{e^{z_j - \max z}}{\sum_k e^{z_k - \max z}}", "e^(z_j − max z)/(Σ_k e^(z_k − max z))"),
    "division-free": (
        r"e^{z_j - \ell},\quad \ell = \max z + \ln \sum_k e^{z_k - \max z}",
        "e^(z_j − ℓ), ℓ = max z + ln Σ_k e^(z_k − max z)",
    ),
    "online": (
        r"m' = \max(m, z_k),\quad l' = e^{m - m'}l + e^{z_k - m'}",
        "m' = max(m, z_k), l' = e^(m − m') l + e^(z_k − m')",
    ),
}
STUDIED = tuple(FORMULAS)


def float_softmax(told: Expansion, tokens: Sequence[str]) -> Iterator[Block]:
    """The algorithms, then for each row the largest error of a weight in units of its last place."""
    yield Heading(1, Sentence("float_softmax.title"))
    for algorithm in STUDIED:
        yield Paragraph((Sentence(f"algorithm.{algorithm}"),))
        yield Equation((Chain((("", Spelled(*FORMULAS[algorithm])),)),))
    rows = find_saturated_rows(told.values, digits=3, computed=STUDIED)
    yield Paragraph((Sentence("float_softmax.errors"),))
    header = (Sentence("saturation.format"), *(Sentence(f"algorithm.name.{a}") for a in STUDIED))
    for row in rows:
        key = "every_row.token" if tokens else "every_row"
        yield Paragraph((Sentence(key, name=label(row, tokens, len({r.exact.name for r in rows}) > 1, quoted=True)),))
        across = [align_points([_worst(row.computed[a][name]) for name in FORMATS]) for a in STUDIED]
        yield Table(header, tuple(zip(FORMATS, *across, strict=True)), figures=True)
    yield Paragraph((Sentence("float_softmax.verdict"),))


def _worst(held: Held) -> Shown | None:
    assert held.ulps is not None
    errors = [x for x in held.ulps if x is not None]
    return None if len(errors) < len(held.ulps) else Shown(max(errors))


@dataclass(frozen=True)
class OnPoint:
    """A number of a column, as wide as if it had so many decimals, that the points stand below one another."""

    number: Shown
    places: int

    def write(self, style: Style) -> str:
        written = write(self.number, style)
        decimals = _decimals(written)
        if decimals is None or decimals >= self.places:
            return written
        missing = "0" * (self.places - decimals) if decimals else "." + "0" * self.places
        return written + Spelled(rf"\phantom{{{missing}}}", FIGURE_SPACE * len(missing)).write(style)


def align_points(column: Sequence[Shown | None]) -> list[OnPoint | Sentence]:
    """The cells of a column, the points of its numbers below one another; what overflowed is a word."""
    places = max((_decimals(write(x, TextStyle())) or 0 for x in column if x is not None), default=0)
    return [Sentence("held.broken") if x is None else OnPoint(x, places) for x in column]


def _decimals(written: str) -> int | None:
    """How many digits stand behind the point; None of a power of ten."""
    found = re.fullmatch(r"\d+(?:\.(\d+))?", written)
    return None if found is None else len(found[1] or "")
