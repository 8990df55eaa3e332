"""How many scores a mask keeps, as a polynomial where it is one."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr, Integer, S
from sympy.matrices.matrixbase import MatrixBase

from symattn.nodes import CausalMask, HideMask, KeepMask, WindowMask, mask_parts
from symattn.program.shapes import Measures
from symattn.program.steps import Step
from symattn.writing.strict import as_sympy


def count_kept_scores(step: Step, measures: Measures) -> Expr | None:
    """Σ_i of the keys that query i may look at: n(n + 1)/2 for a causal mask over n tokens. None where it depends.

    >>> from sympy import MatrixSymbol
    >>> from symattn.nodes import Masked
    >>> n = sympy.Symbol("n", integer=True, positive=True)
    >>> S_ = MatrixSymbol("S", n, n)
    >>> count_kept_scores(Step("masked", S_, Masked(S_, CausalMask())), Measures())
    n*(n + 1)/2
    """
    n, m = step.shape
    parts = mask_parts(step.expression.args[1])
    if not all(isinstance(part, CausalMask | WindowMask) for part in parts):
        return _ones(parts, measures.number(n), measures.number(m))
    upper = [part.args[0] if isinstance(part, CausalMask) else part.args[1] for part in parts]
    lower = [part.args[0] for part in parts if not isinstance(part, CausalMask)]
    right, left = sympy.Min(*upper), sympy.Min(*lower)
    if left is S.Infinity and right.is_nonnegative and (m - n - right).is_nonnegative:
        return n * (n + 1) / 2 + n * right
    rows, keys = measures.number(n), measures.number(m)
    if rows.is_Integer and keys.is_Integer and right.is_number and left.is_number:
        if right + left < -1:
            return S.Zero
        return Integer(_under(int(rows), int(keys), right) - _under(int(rows), int(keys), -left - 1))
    return None


def _under(rows: int, keys: int, offset: Any) -> int:
    """Σ_i of how many j >= 0 are at most i + offset, for i < rows, j < keys."""
    if offset in (S.Infinity, S.NegativeInfinity):
        return rows * keys if offset is S.Infinity else 0
    first = min(max(-int(offset) - 1, 0), rows)  # rows before it have none
    full = min(max(keys - int(offset) - 1, first), rows)  # rows from it on have all
    start, stop = first + int(offset) + 1, full + int(offset)
    return (full - first) * (start + stop) // 2 + (rows - full) * keys


def _ones(parts: tuple[Any, ...], rows: Expr, columns: Expr) -> Expr | None:
    given = [p.args[0] for p in parts if isinstance(p, KeepMask | HideMask)]
    if not all(isinstance(matrix, MatrixBase) for matrix in given):
        return None
    rows, columns = given[0].shape if given else (rows, columns)
    if not (as_sympy(rows).is_Integer and as_sympy(columns).is_Integer):
        return None
    return Integer(sum(all(p.keep(i, j) for p in parts) for i in range(int(rows)) for j in range(int(columns))))
