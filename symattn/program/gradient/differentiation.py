"""Gradients: a program with its backward pass behind it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sympy import Basic, MatrixSymbol

from symattn.errors import InputError
from symattn.nodes import HideMask, KeepMask, Masked, PaddingMask, Penalised, RotaryEmbedding, stem
from symattn.program.gradient.backward import Backward
from symattn.program.gradient.rules import pull_back
from symattn.program.steps import Program, Step
from symattn.writing.nearest import listed
from symattn.writing.prose import Sentence

MASKS = (KeepMask, HideMask, PaddingMask)


def add_gradients(
    program: Program, of: Sequence[Step], wanted: Sequence[MatrixSymbol]
) -> tuple[Program, tuple[MatrixSymbol, ...]]:
    """The program with the gradients of Σ ⟨G, step⟩ by the wanted symbols after its own steps, and the symbols G.

    Every gradient has the shape of what it is taken by.

    >>> from sympy import symbols
    >>> from symattn.nodes import Attention
    >>> from symattn.program.unfolding import unfold
    >>> n, d = symbols("n d")
    >>> Q, K, V = (MatrixSymbol(x, n, d) for x in "QKV")
    >>> program = unfold(Attention(Q, K, V))
    >>> for step in add_gradients(program, program.steps[-1:], [Q, K, V])[0].steps[4:]:
    ...     print(step.name, "=", step.expression)
    dO = G
    dA = dO*V.T
    delta = rowsum(A ∘ dA)
    dS = A ∘ (dA - delta 1ᵀ)
    dQ = dS'*K/sqrt(d)
    dK = dS'.T*Q/sqrt(d)
    dV = A.T*dO
    """
    back = Backward(program, of, wanted, pull_back)
    return back.run(wanted), tuple(back.upstream.values())


def resolve(program: Program, wrt: Sequence[Any] | None, of: Sequence[Step] = ()) -> list[MatrixSymbol]:
    """The symbols to differentiate by: inputs or steps, given as symbols or names; if none are given, every input that
    the steps `of`, the last one if left out, depend on.

    Raises InputError for what does not appear, for masks, whose 0 and 1 have no gradient, and for positions.
    """
    masks = {m for step in program for p in step.atoms(*MASKS) for m in p.atoms(MatrixSymbol)}
    places = {p for step in program for x in step.atoms(RotaryEmbedding) for p in x.args[3].atoms(MatrixSymbol)}
    called = {m.name for m in masks} | (
        {"mask"} if any(s.expression.has(Masked, Penalised) for s in program) else set()
    )
    free = [s for s in program.inputs if s not in masks | places]
    if wrt is None:
        behind = _behind(program, of or program.steps[-1:])
        return [s for s in free if s in behind]
    if isinstance(wrt, str | Basic):
        wrt = [wrt]
    if not isinstance(wrt, Iterable):
        raise InputError(Sentence("nothing_wrt", known=", ".join(s.name for s in free)), place="wrt")
    found: dict[MatrixSymbol, None] = {}
    for item in wrt:
        name = str(getattr(item, "name", item))
        known = [s for s in free if s.name == name] or _of_steps(program, name)
        if not known and name in {p.name for p in places}:
            said = Sentence("place_gradient", name=name, known=", ".join(s.name for s in free))
            raise InputError(said, place="wrt")
        if not known and name in called:
            raise InputError(Sentence("mask_gradient", name=name, known=", ".join(s.name for s in free)), place="wrt")
        if not known:
            names = [s.name for s in free] + [step.name for step in program]
            raise InputError(Sentence("unknown_wrt", name=name[:40], known=listed(name, names)), place="wrt")
        found |= dict.fromkeys(known)
    if not found:
        raise InputError(Sentence("nothing_wrt", known=", ".join(s.name for s in free)), place="wrt")
    return list(found)


def _behind(program: Program, of: Sequence[Step]) -> set[Any]:
    """Everything that some steps depend on."""
    found = {step.symbol for step in of}
    for step in (*reversed(program.steps), *reversed(program.steps)):  # a recurrence speaks of members before its own
        if step.symbol in found:
            found |= step.uses
    return found


def _of_steps(program: Program, name: str) -> list[MatrixSymbol]:
    """The steps of a name, that of a head's step (Q) standing for all heads'."""
    return [s.symbol for s in program if name in (s.name, s.short, stem(s.symbol))]
