"""Matrices wider than the page, whole: by columns, as many of them at a time as fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symattn.pages.numbers.equations import Equations
from symattn.writing.document import Block, Chain, Equation, Matrix, Paragraph, Symbol, has_dots
from symattn.writing.prose import Sentence


def by_columns(blocks: Iterable[Block], equations: Equations) -> Iterator[Block]:
    """The blocks of a page, where a value that would have dots stands in parts: A_{:,1:7} ≈ …, A_{:,8:12} ≈ …"""
    explained = False
    for block in blocks:
        if not isinstance(block, Equation):
            yield block
            continue
        shown: list[list[Chain]] = [[]]
        parts: list[Chain] = []
        for chain in block.chains:
            found = _parts(chain, equations)
            sides = chain.sides[:-1] if found else chain.sides
            shown[-1] += [Chain(sides, chain.broken)] if len(sides) > 1 or not found else []
            shown += [*([part] for part in found), []] if found else []
            parts += found
        for k, chains in enumerate(filter(None, shown)):
            yield Equation(tuple(chains), "" if k else block.step)
        if parts and not explained and (said := _explain(parts[0], equations)):
            yield Paragraph((said,))
            explained = True


def _parts(chain: Chain, equations: Equations) -> list[Chain]:
    """The columns of the value that a chain ends with, in parts; none where it stands whole or is too large."""
    (_, left), (relation, right) = chain.sides[0], chain.sides[-1]
    if not (isinstance(left, Symbol) and isinstance(right, Matrix) and right.entries and has_dots(right)):
        return []
    if left.indices or left.name != equations.letter(right.entries.name):
        return []
    parts = equations.parts(right.entries.name, exactly=relation == "=")
    return [Chain((("", Symbol(left.name, _span(part, equations))), (relation, part))) for part in parts]


def _span(part: Matrix, equations: Equations) -> tuple[str, str]:
    """The rows and columns of a part, in the order of rows and columns; where the matrix is turned, so are they."""
    assert part.entries is not None
    shown = [j for j in part.entries.columns if j is not None]
    columns = f"{shown[0] + 1}:{shown[-1] + 1}"
    return (columns, ":") if equations.notation.columns else (":", columns)


def _explain(part: Chain, equations: Equations) -> Sentence | None:
    """What a part with several columns is."""
    symbol = part.sides[0][1]
    assert isinstance(symbol, Symbol)
    first, last = equations.notation.index(max(symbol.indices, key=len)).split(":")
    if first == last:
        return None
    return Sentence("by_columns", part=symbol, first=first, last=last, whole=Symbol(symbol.name))
