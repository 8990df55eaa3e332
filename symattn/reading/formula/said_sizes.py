"""The size of a matrix that is said behind it, `[[-3], [3]] (2×1)`: no factor."""

from __future__ import annotations

from symattn.reading.formula.state import Parser
from symattn.reading.formula.tree import Expression, Matrix, Transpose

_KINDS = ["open", "number", "times", "number", "close"]
_ENDS = ("end", "relation", "comma", "stop")


def skip_said_size(p: Parser, operand: Expression) -> None:
    """Past two numbers in brackets that are the rows and columns of the matrix before them, where nothing follows."""
    match operand:
        case Matrix(rows=rows):
            shape = len(rows), len(rows[0])
        case Transpose(Matrix(rows=rows)):
            shape = len(rows[0]), len(rows)
        case _:
            return
    tokens = p.tokens[p.i : p.i + len(_KINDS) + 1]
    if [t.kind for t in tokens[:-1]] != _KINDS or tokens[0].value != "(":
        return
    if (tokens[1].value, tokens[3].value) == tuple(map(str, shape)) and tokens[-1].kind in _ENDS:
        p.i += len(_KINDS)
