"""Gradients: a program with its backward pass behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import MatrixSymbol

from symattn.errors import InputError
from symattn.gradient import kinds as _kinds  # noqa: F401  (adds its rules)
from symattn.gradient.rules import pull_back
from symattn.gradient.tape import Backward
from symattn.nodes import HideMask, KeepMask, PaddingMask
from symattn.prose import Sentence
from symattn.steps import Program, Step

MASKS = (KeepMask, HideMask, PaddingMask)
__all__ = ["add_gradients", "resolve"]


def add_gradients(program: Program, of: Step, wanted: Sequence[MatrixSymbol]) -> tuple[Program, MatrixSymbol]:
    """The program with the gradients of ⟨G, step⟩ by the wanted symbols after its own steps, and the symbol G.

    Every gradient has the shape of what it is taken by.

    >>> from sympy import symbols
    >>> from symattn.nodes import Attention
    >>> from symattn.unfolding import unfold
    >>> n, d = symbols("n d")
    >>> Q, K, V = (MatrixSymbol(x, n, d) for x in "QKV")
    >>> program = unfold(Attention(Q, K, V))
    >>> for step in add_gradients(program, program.steps[-1], [Q, K, V])[0].steps[4:]:
    ...     print(step.name, "=", step.expression)
    dO = G
    dA = dO*V.T
    delta = rowsum(A ∘ dA)
    dS = A ∘ (dA - delta 1ᵀ)
    dQ = dS*K/sqrt(d)
    dK = dS.T*Q/sqrt(d)
    dV = A.T*dO
    """
    back = Backward(program, of, wanted, pull_back)
    return back.run(wanted), back.upstream


def resolve(program: Program, wrt: Sequence[Any] | None) -> list[MatrixSymbol]:
    """The symbols to differentiate by: inputs or steps, given as symbols or names; every input if none are given.

    Raises InputError for what does not appear and for masks, whose 0 and 1 have no gradient.
    """
    masks = {m for step in program for p in step.expression.atoms(*MASKS) for m in p.atoms(MatrixSymbol)}
    free = [s for s in program.inputs if s not in masks]
    if wrt is None:
        return free
    if isinstance(wrt, str | MatrixSymbol):
        wrt = [wrt]
    found: dict[MatrixSymbol, None] = {}
    for item in wrt:
        name = str(getattr(item, "name", item))
        if name in {m.name for m in masks}:
            raise InputError(Sentence("mask_gradient", name=name, known=", ".join(s.name for s in free)))
        known = [s for s in free if s.name == name] or _of_steps(program, name)
        if not known:
            names = [s.name for s in free] + [step.name for step in program]
            raise InputError(Sentence("unknown_wrt", name=name[:40], known=", ".join(names)))
        found |= dict.fromkeys(known)
    if not found:
        raise InputError(Sentence("unknown_wrt", name="[]", known=", ".join(s.name for s in free)))
    return list(found)


def _of_steps(program: Program, name: str) -> list[MatrixSymbol]:
    """The steps of a name, that of a head's step (Q) standing for all heads'."""
    return [
        s.symbol for s in program if name in (s.name, s.name.rpartition(".")[2], str(s.symbol.name).partition("^(")[0])
    ]
