"""Numbers that sizes, places or entries are held against: points say something only where these go beyond them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy
from sympy import MatrixSymbol, Rational, preorder_traversal
from sympy.core.relational import Relational

from symattn.nodes import Block, CausalMask, Largest, PaddingMask, TopKMask, WindowMask, is_matrix
from symattn.nodes.positions.buckets import Buckets

_OF_PLACES = (CausalMask, WindowMask, PaddingMask, TopKMask, Largest, Block, Buckets)
_OF_FORMULAS = (Relational, sympy.Max, sympy.Min, sympy.Abs, sympy.sign, sympy.floor, sympy.ceiling, sympy.Mod)


def largest_threshold(side: Any) -> int:
    """The largest of these numbers, 0 where there are none; of j/100 under ⌊ ⌋ it is 100."""
    return max((max(abs(int(x.p)), int(x.q)) for x in _thresholds(side)), default=0)


def _thresholds(side: Any) -> Iterator[Rational]:
    for part in preorder_traversal(side):
        if isinstance(part, _OF_PLACES):
            for given in part.args:
                yield from () if is_matrix(given) else given.atoms(Rational)
        elif isinstance(part, _OF_FORMULAS) and not part.has(MatrixSymbol):
            yield from part.atoms(Rational)
