"""Which scores stay is settled by the scores: the k largest of each row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy import Expr, S

from symattn.nodes.boxes import Call
from symattn.nodes.masking.masks import TopKMask, require_number
from symattn.nodes.node import M, Node, Numbers, Sizes, as_matrix, entry, sum_over_row
from symattn.writing.document import Box, Formula
from symattn.writing.strict import as_sympy


class Largest(Node):
    """The k largest numbers of each row, of equal ones the first; the others are −∞, to which softmax gives weight 0.

    Largest(Z, k)_ij = Z_ij where fewer than k numbers of row i come before it, else −∞

    A number comes before Z_ij if it is larger, or equal and further left. A row of k numbers or fewer stays as it is.
    Shape: that of Z. Source: Zhao et al. 2019 (Explicit Sparse Transformer), equation 5, which states no rule for ties.

    >>> from sympy import Matrix
    >>> Largest(Matrix([[1, 3, 3, 2, 3]]), 2).as_explicit()
    Matrix([[-oo, 3, 3, -oo, -oo]])
    """

    def __new__(cls, Z: Any, count: Any) -> Any:
        return super().__new__(cls, as_matrix(Z, "Z"), *TopKMask(count).args)

    @property
    def count(self) -> Expr:
        return self.args[1]

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        return "", {"count": self.count, "infinity": S.NegativeInfinity}

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        Z, value = self.args[0], entry(self.args[0], i, j)

        def comes_before(t: Any) -> Expr:
            other = entry(Z, i, t)
            return sympy.Piecewise((1, (other > value) | (sympy.Eq(other, value) & (t < j))), (0, True))

        before = sum_over_row(comes_before, Z.shape[1], (Z, as_sympy(i), as_sympy(j)))
        return sympy.Piecewise((value, before < self.count), (S.NegativeInfinity, True))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        count = self.count.xreplace(dict(sizes))
        require_number(count)
        return numbers.keep_largest(values[0], int(count))

    def formula(self) -> Box:
        return Call("top", (Formula(self.args[0]),), beside=Formula(self.count))
