"""Softmax of other scores than the worksheet's own, and equations spelled out: what the studies share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sympy import Expr, MatrixSymbol, S

from symattn.errors import InputError
from symattn.nodes import RowMax, SinkSoftmax, Softmax
from symattn.pages.numbers.cells import Cells
from symattn.pages.numbers.entries import name_of
from symattn.pages.numbers.places import Places
from symattn.program.steps import Program, Step
from symattn.values import Valuation
from symattn.values.saturation.measure import SaturatedRow, weights_rows
from symattn.writing.document import Box, Chain, Equation, Spelled, Style
from symattn.writing.prose import Sentence

Pair = tuple[str, str]  # the same mathematics for LaTeX and for plain text


def softmax_rows(rows: Sequence[Sequence[Expr]]) -> list[SaturatedRow]:
    """The softmax of given rows, measured."""
    scores = MatrixSymbol("S'", len(rows), len(rows[0]))
    step = Step("weights", MatrixSymbol("A", *scores.shape), Softmax(scores))
    values = Valuation(Program((scores,), (step,)), {scores: rows}, {})
    return list(weights_rows(values, "weights", 3))


@dataclass(frozen=True)
class InBrackets:
    """A row of numbers within a line of text: [0.50, 0.50]."""

    cells: Sequence[Box]

    def write(self, style: Style) -> str:
        return "[" + f",{style.space}".join(cell.write(style) for cell in self.cells) + "]"


def show_weights(row: SaturatedRow) -> InBrackets:
    """The weights of a row, with as many places as make them sum to 1 as printed."""
    exact = row.exact
    places = Places(exact.values.program, Cells(exact.values)).of(exact.name)
    return InBrackets([exact.shown_weight(j, places) for j in range(exact.columns)])


def logits_of(values: Valuation) -> str:
    """The name of what softmax is taken of first, taken apart or not. Raises InputError where there is none."""
    for step in values.program:
        if isinstance(step.expression, Softmax | SinkSoftmax | RowMax) and step.expression.args[0].is_symbol:
            return name_of(values.program, step.expression.args[0])
    raise InputError(Sentence("no_weights"))


def scores_of(values: Valuation) -> list[list[Expr]]:
    """What softmax is taken of, row by row, without what is hidden."""
    rows = values.exact[logits_of(values)].to_sympy().tolist()
    return [[x for x in row if x is not S.NegativeInfinity] for row in rows]


def chain(*sides: Pair) -> Chain:
    """Sides that are equal."""
    return Chain(tuple(("" if k == 0 else "=", Spelled(*side)) for k, side in enumerate(sides)))


def display(*sides: Pair) -> Equation:
    """One chain on lines of its own."""
    return Equation((chain(*sides),))
