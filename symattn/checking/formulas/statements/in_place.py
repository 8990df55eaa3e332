"""States that a program changes in place, S = S + k_t v_tᵀ, and o_t = S q_t below: with the steps that they are of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symattn.checking.naming import rewrite
from symattn.reading import formula as f

_STATES = frozenset("SzZHh")
_STEPS = frozenset("tnijs")  # d_k is a width
_FARTHEST = 6  # statements below an update that may read the state


def with_steps(chains: Sequence[f.Chain]) -> list[f.Chain]:
    """The chains with S_t = S_{t-1} + … for an update of S, and S_t in those right below it that have the same step.

    >>> lines = (r"S = S + k_t v_t^T", r"o_t = S q_t")
    >>> made = with_steps([f.parse(line, algebra=True)[0] for line in lines])
    >>> made[0].sides[0].expression.sub, made[1].sides[1].expression.factors[0].sub
    (('t',), ('t',))
    """
    indexed = {name.base for chain in chains for name in _names(chain) if name.sub}
    steps: dict[str, tuple[str, int]] = {}  # of each state its step, and which chain set it last
    made: list[f.Chain] = []
    for k, chain in enumerate(chains):
        step = _step(chain)
        state = chain.sides[0].expression
        updates = isinstance(state, f.Name) and _is_update(chain, state) and state.base not in indexed
        if updates and step is not None and isinstance(state, f.Name):
            steps[state.base] = step, k
        known = {base: s for base, (s, at) in steps.items() if s == step and k - at <= _FARTHEST}
        made.append(_renamed(chain, known, state.base if updates and isinstance(state, f.Name) else ""))
    return made


def _is_update(chain: f.Chain, state: f.Name) -> bool:
    plain = state.base in _STATES and not (state.sub or state.sup or state.item)
    return plain and len(chain.sides) == 2 and state in f.walk(chain.sides[1].expression)


def _step(chain: f.Chain) -> str | None:
    """The one letter that all indices of a chain are."""
    letters = {mark for name in _names(chain) for mark in name.sub}
    step = next(iter(letters)) if len(letters) == 1 else ""
    return step if step in _STEPS else None


def _renamed(chain: f.Chain, known: dict[str, str], updated: str) -> f.Chain:
    """The chain with steps for its states; of the one that it updates, what stands right of the sign is that before."""
    if not known:
        return chain

    def change(before: bool) -> list[f.Side]:
        def named(part: f.Expression) -> f.Expression:
            if not isinstance(part, f.Name) or part.base not in known or part.sub or part.sup:
                return part
            step = known[part.base]
            return replace(part, sub=(f"{step}-1" if before and part.base == updated else step,))

        return [replace(side, expression=rewrite(side.expression, named)) for side in chain.sides]

    return replace(chain, sides=(change(before=False)[0], *change(before=True)[1:]))


def _names(chain: f.Chain) -> list[f.Name]:
    return [part for side in chain.sides for part in f.walk(side.expression) if isinstance(part, f.Name)]
