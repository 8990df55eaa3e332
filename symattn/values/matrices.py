"""A program's value for matrices of mpmath or flint: no digit of theirs is lost.

An mpmath number is a rational, so its results are the nearest numbers of its context; flint's balls stay balls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import flint
from flint import arb
from mpmath import libmp
from sympy import Expr, MatrixSymbol, Rational, S, Symbol

from symattn.errors import InputError
from symattn.program.shapes import read_sizes
from symattn.program.steps import Program
from symattn.program.unrolling import Unrolled, unroll
from symattn.values.balls import BallNumbers, Balls
from symattn.values.evaluation import evaluate_steps
from symattn.values.valuation import Valuation
from symattn.writing.prose import Sentence

_GUARD = 12  # decimal digits more than the context's, so that rounding twice changes nothing that shows


def evaluate_mpmath(
    program: Program, given: Mapping[str, Any], names: Sequence[str], letters: Mapping[Symbol, Any] | None = None
) -> list[Any]:
    """Steps of the unrolled program, as matrices of the context of the first argument, correctly rounded."""
    unrolled, rows = _unroll(program, given, letters, _exact)
    context = next(iter(given.values())).ctx
    values = Valuation(unrolled.program, unrolled.inputs(rows), _sizes(rows))
    found = []
    for name in names:
        nearest = values.nearest(name, context.dps + _GUARD)
        found.append(
            context.matrix([[context.ninf if x is None else context.mpf(str(x)) for x in row] for row in nearest])
        )
    return found


def evaluate_flint(
    program: Program, given: Mapping[str, Any], names: Sequence[str], letters: Mapping[Symbol, Any] | None = None
) -> list[Any]:
    """Steps of the unrolled program, as matrices of balls at flint's precision."""
    unrolled, rows = _unroll(program, given, letters, arb)
    values = evaluate_steps(unrolled.program, unrolled.inputs(rows), _sizes(rows), _GivenBalls())
    return [values[name].matrix for name in names]


class _GivenBalls(BallNumbers):
    """Balls that may be given as such."""

    def given(self, rows: Sequence[Sequence[Any]]) -> Balls:
        if not isinstance(rows[0][0], arb):
            return super().given(rows)
        return Balls((len(rows), len(rows[0])), None, tuple(tuple(row) for row in rows))


def _unroll(
    program: Program, given: Mapping[str, Any], letters: Mapping[Symbol, Any] | None, read: Any
) -> tuple[Unrolled, dict[MatrixSymbol, Any]]:
    """The program for these matrices, with numbers in the place of letters such as a mask's offset."""
    if letters:
        numbers = {s: _rational(x, s.name) for s, x in letters.items()}
        steps = [replace(step, expression=step.expression.subs(numbers), equals=None) for step in program.steps]
        program = Program(program.inputs, tuple(steps))
    rows = {s: [[read(x) for x in row] for row in _entries(given[s.name])] for s in program.inputs}
    return unroll(program, _sizes(rows)), rows


def _sizes(rows: Mapping[MatrixSymbol, Any]) -> Any:
    return read_sizes({s: (len(x), len(x[0])) for s, x in rows.items()})


def _entries(matrix: Any) -> list[list[Any]]:
    if isinstance(matrix, flint.arb_mat | flint.fmpz_mat | flint.fmpq_mat):
        return [[matrix[i, j] for j in range(matrix.ncols())] for i in range(matrix.nrows())]
    return [[matrix[i, j] for j in range(matrix.cols)] for i in range(matrix.rows)]


def _rational(x: Any, name: str) -> Expr:
    """The rational that a number is, whatever its type. Raises InputError for what is none, naming the letter."""
    if hasattr(x, "_mpf_"):
        return _exact(x)
    try:
        return Rational(*x.as_integer_ratio())
    except (AttributeError, ValueError, OverflowError):
        raise InputError(Sentence("not_a_number", text=f"{name} = {str(x)[:60]}")) from None


def _exact(x: Any) -> Expr:
    """The rational that an mpmath number is."""
    raw = getattr(x, "_mpf_", None)
    if raw == libmp.fninf:
        return S.NegativeInfinity
    if raw is None or raw in (libmp.finf, libmp.fnan):
        raise InputError(Sentence("not_a_number", text=str(x)[:60]))
    return Rational(*libmp.to_rational(raw))
