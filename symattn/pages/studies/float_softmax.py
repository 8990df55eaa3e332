"""Four ways to compute softmax, in six formats, rounding after every operation: which overflow, how far off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symattn.pages.entries import Expansion, Inline
from symattn.pages.saturation import label
from symattn.pages.studies.varied import Pair
from symattn.values.decimals import Shown
from symattn.values.floats.formats import FORMATS
from symattn.values.saturation.measure import Held, find_saturated_rows
from symattn.writing.document import Block, Chain, Equation, Heading, Paragraph, Spelled, Table
from symattn.writing.prose import Sentence

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
        lines = [(name, *(_worst(row.computed[a][name]) for a in STUDIED)) for name in FORMATS]
        yield Table(header, tuple(lines))
    yield Paragraph((Sentence("float_softmax.verdict"),))


def _worst(held: Held) -> Inline | Sentence:
    assert held.ulps is not None
    errors = [x for x in held.ulps if x is not None]
    return Sentence("held.broken") if len(errors) < len(held.ulps) else Inline(Shown(max(errors)))
