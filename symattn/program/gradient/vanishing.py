"""Which sums of gradients are 0 whatever the numbers: softmax does not see what is added to all scores of a row.

The rows of dS = A ∘ (dA − δ1ᵀ) with δ = rowsum(A ∘ dA) sum to δ − δ rowsum(A), which is 0 where the rows of A sum to 1
(or are 0). So the columns of dSᵀ Q sum to Qᵀ(dS 1) = 0: a bias of the keys has no gradient.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import MatrixSymbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.nodes import Biased, Hadamard, Plus, RowSum, Scaled, ScaledBy, Softmax, SubtractColumn, SumGroup, SumHeads

Known = Mapping[MatrixSymbol, Any]  # what each step is


def column_sums_vanish(X: Any, known: Known) -> bool:
    """Whether 1ᵀX is surely 0."""
    match X:
        case MatrixSymbol():
            return X in known and column_sums_vanish(known[X], known)
        case Transpose(arg=S):
            return row_sums_vanish(S, known)
        case MatMul(args=(first, *_)):
            return bool(first.is_Matrix) and column_sums_vanish(first, known)
        case Scaled() | ScaledBy() | SumGroup() | SumHeads():
            return column_sums_vanish(X.args[0], known)
        case Plus():
            return all(column_sums_vanish(term, known) for term in X.args)
    return False


def row_sums_vanish(X: Any, known: Known) -> bool:
    """Whether X1 is surely 0."""
    match X:
        case MatrixSymbol():
            return X in known and row_sums_vanish(known[X], known)
        case Transpose(arg=S):
            return column_sums_vanish(S, known)
        case Scaled() | ScaledBy():
            return row_sums_vanish(X.args[0], known)
        case Plus() | Biased():
            return all(row_sums_vanish(term, known) for term in X.args)
        case Hadamard(args=(A, SubtractColumn(args=(dA, delta)))):
            weights = known.get(A)
            by_rows = isinstance(weights, Softmax) and weights.axis == -1
            return by_rows and known.get(delta) == RowSum(Hadamard(A, dA))
    return False
