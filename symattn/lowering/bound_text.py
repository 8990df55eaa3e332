"""The error bounds of a program, told step by step; with values, the largest bound of each step in each format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from sympy import MatrixSymbol
from sympy.matrices.expressions import MatAdd, MatMul, Transpose

from symattn import nodes
from symattn.nodes import Scaled, SinkSoftmax, SoftCapped, Softmax
from symattn.program.steps import Program
from symattn.values.floats.error_bounds import Bounded, BoundNumbers, of_format
from symattn.values.floats.formats import FORMATS
from symattn.values.valuation import Valuation
from symattn.writing.prose import Sentence


def bound_lines(program: Program, values: Valuation | None, language: str) -> Iterator[str]:
    """The rule of each step, and the largest bounds where there are values.

    In the formats every operation is rounded, as in `symattn saturation --computed`.
    """
    yield Sentence("bound.title").text(language)
    wide = max(len(step.name) for step in program)
    for step in program:
        yield f"  {step.name:<{wide}}  {_rule(step.expression).text(language)}"
    if values is None:
        return
    yield ""
    yield Sentence("bound.largest").text(language)
    found = {name: _largest(values, name) for name in FORMATS}
    rows = [["", *FORMATS], *([x, *(found[f].get(x, "") for f in FORMATS)] for x in found["float64"])]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    yield from ("  " + "  ".join(x.ljust(w) for x, w in zip(row, widths, strict=True)).rstrip() for row in rows)


def _largest(values: Valuation, name: str) -> dict[str, str]:
    """The largest bound of each step in a format."""
    steps: Mapping[str, Bounded] = values.in_numbers(BoundNumbers(of_format(FORMATS[name])))
    made = {step.name: steps[step.name] for step in values.program}
    return {key: _spell(np.where(x.hidden, 0, x.errors)) for key, x in made.items()}


def _spell(errors: Iterable[Any]) -> str:
    most = float(np.max(np.asarray(errors)))
    return f"{most:.2g}" if most < np.inf else "∞"


def _rule(expression: Any) -> Sentence:
    """How the error of a step comes of those before it."""
    if isinstance(expression, Softmax | SinkSoftmax):
        return Sentence("bound.softmax")
    if isinstance(expression, Scaled) or (isinstance(expression, MatMul) and expression.as_coeff_matrices()[0] != 1):
        return Sentence("bound.scaled")
    if isinstance(expression, SoftCapped):
        return Sentence("bound.capped")
    if isinstance(expression, _SUMS):
        return Sentence("bound.sum")
    if isinstance(expression, MatMul):
        return Sentence("bound.product", count=str(expression.args[0].shape[1]))
    if isinstance(expression, _REFUSED):
        return Sentence("bound.refused")
    return Sentence("bound.none" if isinstance(expression, _UNCHANGED) else "bound.operations")


_SUMS = (nodes.Biased, nodes.AddRow, nodes.Plus, nodes.SubtractColumn, nodes.SumHeads, MatAdd)
_REFUSED = (  # `BoundNumbers` has no rule for the operation that they are
    nodes.ScoreMod, nodes.Mapped, nodes.Activation, nodes.Largest, nodes.RowThreshold, nodes.AboveThreshold,
)  # fmt: skip
_UNCHANGED = (  # no number becomes another
    nodes.Masked, nodes.Where, nodes.Concat, nodes.ConcatHeads, nodes.Stack, nodes.StackMembers, nodes.Block,
    nodes.HeadColumns, nodes.HeadRows, nodes.Member, nodes.Previous, nodes.Part, nodes.RowMax, nodes.Constant,
    nodes.Dropout, MatrixSymbol, Transpose,
)  # fmt: skip
