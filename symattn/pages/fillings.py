"""What a placeholder may ask of a derivation besides its steps: an entry, a row, a table, a figure, a single value."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.errors import InputError
from symattn.pages.numbers.elision import turn
from symattn.pages.numbers.equations import Equations
from symattn.pages.pictures.diagram import flow
from symattn.pages.pictures.heat_maps import LARGEST, heat_map
from symattn.program.steps import Program, Step
from symattn.writing.document import Block, Box, Chain, Equation, Symbol, Table
from symattn.writing.prose import Sentence


def entry_block(step: Step, i: int, j: int, equations: Equations) -> Block:
    """Entry (i, j), counted from 1, spelled out."""
    return Equation((equations.expansion.entry(step, i, j),))


def row_block(step: Step, i: int, equations: Equations) -> Block:
    """Row i, counted from 1: how it is made, and its numbers."""
    if equations.known is not None and equations.is_worked(step):
        return Equation((equations.row(step, i - 1),))
    chain = equations.expansion.row(step, i)
    return Equation((equations.row_alone(step, i - 1) if chain is None else chain,))


def table_block(step: Step, equations: Equations, tokens: Sequence[str]) -> Block:
    """The numbers of a step, with the tokens' names, or numbers, beside rows and above columns that are tokens."""
    rows, columns = equations.values.exact[step.name].shape
    if max(rows, columns) > LARGEST:
        raise InputError(Sentence("table_too_large", rows=rows, columns=columns, most=LARGEST), place=step.name)
    first = equations.notation.first_index
    names = [list(tokens) if len(tokens) == n else [str(k + first) for k in range(n)] for n in (rows, columns)]

    def cell(i: int, j: int) -> Box:
        return _last(equations.expansion.result(step.name, i, j, briefly=True))

    at = turn(cell) if equations.notation.columns else cell
    down, across = reversed(names) if equations.notation.columns else names
    body: list[tuple[Box | str, ...]] = [(name, *(at(i, j) for j in range(len(across)))) for i, name in enumerate(down)]
    return Table((Symbol(step.symbol.name), *across), tuple(body))


def figure_block(step: Step | None, program: Program, equations: Equations, tokens: Sequence[str]) -> Block:
    """The weights of a step as shades, or the flow of all steps. Raises InputError for what is no weights."""
    if step is None:
        return flow(program)
    drawn = heat_map(step, equations.values, tokens, equations.notation.first_index)
    if drawn is None:
        raise InputError(Sentence("no_weights_to_draw", most=LARGEST), place=step.name)
    return drawn


def value_box(step: Step, i: int, j: int, equations: Equations) -> Box:
    """The value of a step, of row i or of entry (i, j), counted from 1; 0 for all. An entry's exact one on request."""
    if i and j:
        sides = equations.expansion.result(step.name, i - 1, j - 1, briefly=not equations.exact)
        return sides[0][1] if equations.exact else _last(sides)
    chain: Chain = equations.row_alone(step, i - 1) if i else equations.values_alone(step)
    return chain.sides[-1][1]


def _last(sides: Sequence[tuple[str, Box]]) -> Box:
    return sides[-1][1]
