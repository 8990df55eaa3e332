"""How RoPE turns each entry of a matrix: by which angle, and with which other entry of its row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy
from sympy import Expr, Integer
from sympy.matrices.matrixbase import MatrixBase

from symattn.nodes import RotaryEmbedding, RotatedBack, is_matrix
from symattn.program.steps import Step


@dataclass(frozen=True)
class Turns:
    """Of a matrix that is turned: the pair, partner and sign of each column, and the angle of each row and pair."""

    operand: Any
    places: Sequence[tuple[int, int, int]]
    angles: Sequence[Sequence[Expr]]

    @cached_property
    def rounded(self) -> Sequence[Sequence[tuple[Fraction, Fraction]]]:
        """Cosine and sine of each angle, to many more digits than any print."""
        return [[(_to_digits(sympy.cos(x)), _to_digits(sympy.sin(x))) for x in row] for row in self.angles]


def are_numbers(positions: Any) -> bool:
    """Whether positions are numbers, not inputs."""
    return not is_matrix(positions) or isinstance(positions, MatrixBase)


def _to_digits(x: Expr) -> Fraction:
    return Fraction(str(x.evalf(50)))


def turns_of(step: Step, sizes: Mapping[sympy.Symbol, int]) -> Turns | None:
    """How each entry of a step is turned, forwards or, in gradients, back; None of a step that turns nothing."""
    e = step.expression
    if not isinstance(e, RotaryEmbedding | RotatedBack) or not e.args[0].is_symbol or not are_numbers(e.args[3]):
        return None
    sized = RotaryEmbedding(*e.args).sized(sizes)
    rows, columns = map(int, sized.shape)
    way = 1 if isinstance(e, RotaryEmbedding) else -1
    angles = [[sized.angle(Integer(i), Integer(k)) for k in range(int(sized.turning) // 2)] for i in range(rows)]
    places = [sized.place(j) for j in range(columns)]
    return Turns(e.args[0], [(k, partner, way * sign) for k, partner, sign in places], angles)
