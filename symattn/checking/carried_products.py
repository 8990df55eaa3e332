"""What follows from numbers that were wrong and rounded before they were multiplied.

People go on with the digits of their calculator, not with those that they wrote. So an entry of A B follows from a
wrong one of A or B if it lies within what these are when each written decimal may be off by half of its last place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from sympy import MatrixSymbol
from sympy.matrices.expressions import MatMul

from symattn.program.steps import Step

Place = tuple[int, int]  # from 1
Texts = Sequence[Sequence[str]]


def follows(step: Step, place: Place, written: Mapping[str, Texts], mistaken: Mapping[str, set[Place]]) -> bool:
    """Whether a wrong entry of a step comes of entries that are `mistaken`.

    `written` are the decimals by the names of symbols, those of the step among them.

    >>> from sympy import symbols
    >>> A, V, O = MatrixSymbol("A", 1, 2), MatrixSymbol("V", 2, 1), MatrixSymbol("O", 1, 1)
    >>> numbers = {"A": [["0.21", "0.79"]], "V": [["10"], ["0"]], "O": [["2.07"]]}
    >>> [follows(Step("output", O, A * V), (1, 1), numbers, {"A": at}) for at in ({(1, 1)}, set())]
    [True, False]
    """
    factors = step.expression.args
    if not isinstance(step.expression, MatMul) or len(factors) != 2:
        return False
    if not all(isinstance(factor, MatrixSymbol) and factor.name in written for factor in factors):
        return False
    left, right = (factor.name for factor in factors)
    (i, j), inner = place, range(1, len(written[right]) + 1)
    if not any((i, k) in mistaken.get(left, ()) or (k, j) in mistaken.get(right, ()) for k in inner):
        return False
    try:
        row = [_read(x) for x in written[left][i - 1]]
        column = [_read(line[j - 1]) for line in written[right]]
        value, room = _read(written[step.symbol.name][i - 1][j - 1])
    except ValueError:  # −∞
        return False
    middle = sum((a * b for (a, _), (b, _) in zip(row, column, strict=True)), Fraction(0))
    room += sum((abs(a) * y + abs(b) * x + x * y for (a, x), (b, y) in zip(row, column, strict=True)), Fraction(0))
    return abs(value - middle) <= room


def _read(text: str) -> tuple[Fraction, Fraction]:
    """A number, and half of its last place if it is a decimal."""
    places = len(text.partition(".")[2])
    return Fraction(text), Fraction(1, 2 * 10**places) if places else Fraction(0)
