"""A derivation -> NumPy source that people can read, and the function that it makes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symattn.lowering.function import Lowered
from symattn.lowering.inputs import masks_of_one_head
from symattn.lowering.module import STYLES
from symattn.program.unfolding import unfold
from symattn.writing.choices import choice

__all__ = ["Lowered", "lower"]


def lower(expression: Any, *, outputs: Sequence[str] = (), style: str = "fast", gradient: bool = False) -> Lowered:
    """A NumPy function for an attention expression or a Derivation, with its `.source`.

    Its arguments are named as the symbols, and positional in the order of their first appearance: arrays
    (..., rows, columns) whose leading axes broadcast. The result is an array, the last step's, or with several
    `outputs` (names of steps, and "lse" for the log-sum-exp of the rows) a dict by these names. `style="plain"` has
    one line or a few for each step; "fast" computes the same by blocks of rows, so that memory is O(n) for each
    thread, of which `threads=` says how many. With `gradient` it also takes G, the gradient of a loss by the last
    step, and of its shape, and returns a dict of the outputs ("output" if none are named) and of the gradients by all
    inputs but masks, "dQ", "dK", ...: each of its argument's shape, summed over what was broadcast. Raises InputError
    for a name that is no step or style, NotSupportedError for a node that has no rule.
    Source: Dao et al. 2022 for the blocks; Blanchard, Higham and Higham 2021 for the softmax.

    >>> from sympy import MatrixSymbol, symbols
    >>> from symattn import Attention
    >>> n, d = symbols("n d")
    >>> f = lower(Attention(*(MatrixSymbol(x, n, d) for x in "QKV")), style="plain")
    >>> import numpy as np
    >>> f(Q=np.zeros((1, 1)), K=np.ones((1, 1)), V=np.array([[7.0]]))
    array([[7.]])
    """
    choice("style", style, STYLES)
    names = (outputs,) if isinstance(outputs, str) else tuple(outputs)
    program = expression.families if hasattr(expression, "families") else unfold(expression)
    alone = masks_of_one_head(getattr(expression, "expression", expression))
    return Lowered(program, names, style, gradient, alone)
