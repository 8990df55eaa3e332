"""Weights with the name of a function, sim(Q_i, K_j) = exp(Q_i K_jᵀ/√d) / Σ_l exp(Q_i K_lᵀ/√d): A_{ij}.

A sim that no sum is divided by is a kernel, which is left as it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from symattn.reading import formula as f

_LETTERS = ("A", "P", "W")


def name_weights(chains: Sequence[f.Chain]) -> Callable[[f.Expression], f.Expression] | None:
    """What puts a letter for such a call, where one line of the article defines it and another weighs values by it."""
    weighing = {function for chain in chains for function in _weighing(chain)}
    functions = {function for chain in chains if (function := _weights(chain)) in weighing}
    parts = (part for chain in chains for side in chain.sides for part in f.walk(side.expression))
    used = {part.base for part in parts if isinstance(part, f.Name)}
    free = next((letter for letter in _LETTERS if letter not in used), None)
    if len(functions) != 1 or free is None:
        return None

    def named(part: f.Expression) -> f.Expression:
        match _of_tokens(part):
            case (function, indices) if function in functions:
                return f.Name(free, (indices,), start=part.start, end=part.end)
        return part

    return named


def _weights(chain: f.Chain) -> str | None:
    """The function that a chain defines as exponentials divided by their sum."""
    left, *others = (side.expression for side in chain.sides)
    found = _of_tokens(left)
    match others:
        case [f.Quotient(f.Call("exp"), f.BigSum(body=f.Call("exp")))] if found is not None:
            return found[0]
    return None


def _weighing(chain: f.Chain) -> Iterator[str]:
    """The functions f of a Σ_j f(q_i, k_j) v_j."""
    for part in (part for side in chain.sides for part in f.walk(side.expression)):
        match part:
            case f.BigSum(body=f.Product((weight, f.Name("V" | "v")))) if (found := _of_tokens(weight)) is not None:
                yield found[0]


def _of_tokens(e: f.Expression) -> tuple[str, str] | None:
    """The function of a query and a key, and their indices."""
    match e:
        case f.Call(function, (f.Name("Q" | "q", (i,), ()), f.Name("K" | "k", (j,), ())), ()) if len(i) == len(j) == 1:
            return function, i + j
    return None
