"""What a title promises, in numbers: a step with a cache is the last row; scores depend on differences of positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from symattn.errors import InputError
from symattn.pages.numbers.entries import Expansion, Inline
from symattn.pages.numbers.indexed import vector
from symattn.pages.studies.varied import InBrackets
from symattn.program.steps import Step
from symattn.values import Valuation
from symattn.values.exact.exponential_field import is_zero
from symattn.writing.document import Block, Chain, Equation, Heading, Listed, Paragraph, Symbol, Table
from symattn.writing.prose import Sentence

Place = tuple[str, int, int]  # an entry of a step


def cached_row(told: Expansion, tokens: Sequence[str]) -> Iterator[Block]:
    """The last row of the first output is the one row of the last. Raises InputError where this is not proven."""
    values = told.values
    outputs = [step for step in values.program if step.averages]
    whole, one = outputs[0], outputs[-1]
    n, width = values.exact[whole.name].shape
    pairs = [[(whole.name, n - 1, k), (one.name, 0, k)] for k in range(width)]
    if whole is one or values.exact[one.name].shape != (1, width) or not all(_equal(values, p) for p in pairs):
        raise InputError(Sentence("cached_row.none"), place="study")
    yield Heading(1, Sentence("cached_row.title"))
    yield Paragraph((Sentence("cached_row.said", row=str(n), whole=_name(whole), one=_name(one)),))
    decimals = InBrackets([Inline(told.decimal(one.name, 0, k)) for k in range(width)])
    yield Equation((Chain((("", vector(whole.symbol, n)), ("=", vector(one.symbol, 1)), ("≈", decimals))),))


def positions(told: Expansion, tokens: Sequence[str]) -> Iterator[Block]:
    """Every diagonal of the scores has one value. Raises InputError where this is not proven."""
    values = told.values
    scores = next((step for step in values.program if step.role == "scores"), None)
    if scores is None:
        raise InputError(Sentence("positions.none"), place="study")
    n, m = values.exact[scores.name].shape
    lines = []
    for apart in range(1 - n, m):
        places = [(scores.name, i, i + apart) for i in range(n) if 0 <= i + apart < m]
        if not _equal(values, places):
            raise InputError(Sentence("positions.none"), place="study")
        names = Listed(tuple(Symbol(str(scores.symbol.name), (str(i + 1), str(j + 1))) for _, i, j in places))
        lines.append((Inline(str(apart)), Inline(names), Inline(told.decimal(*places[0]))))
    yield Heading(1, Sentence("positions.title"))
    yield Paragraph((Sentence("positions.said"),))
    yield Table((Sentence("positions.apart"), Sentence("title.scores"), Sentence("positions.value")), tuple(lines))


def _name(step: Step) -> Symbol:
    return Symbol(str(step.symbol.name))


def _equal(values: Valuation, places: Sequence[Place]) -> bool:
    """Whether entries are proven to be equal."""
    entries = [values.exact[name].entry(i, j) for name, i, j in places]
    return all(is_zero(one - other) is True for one, other in pairwise(entries))
