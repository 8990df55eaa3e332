"""Sums over the keys of a block as models of blocks read them: Σ_j e^{s_j − m_i} is the row sum of e^{S_i − m_i}."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from symattn.checking.naming import rewrite
from symattn.reading import formula as f


def gather_keys(sides: Sequence[f.Expression], letters: Mapping[str, str]) -> Sequence[f.Expression]:
    """The sides with whole blocks for the sums over their keys, marked as the state is that they lead to."""
    state = next((side for side in sides if isinstance(side, f.Name)), None)
    if state is None or letters.get(state.base) not in ("ℓ", "O", "Õ", "m"):
        return sides

    def whole(part: f.Expression, index: str) -> f.Expression:
        """A key's score or value as those of the block: what is marked with another step stays."""
        if not isinstance(part, f.Name) or letters.get(part.base) not in ("S", "V"):
            return part
        marks = tuple(mark for mark in part.sub if mark != "new")
        own = not part.sup and (not marks or marks == (index,) or (not index and len("".join(marks)) == 1))
        return replace(part, sub=state.sub, sup=tuple(mark for mark in state.sup if mark != "′")) if own else part

    def gathered(part: f.Expression) -> f.Expression:
        if isinstance(part, f.Call) and part.function == "max" and len(part.arguments) == 1:
            inside, index = part.arguments[0], index_of_largest(part)
            if isinstance(inside, f.Name) and letters.get(inside.base) == "S" and (index is not None or not part.label):
                return f.Call("rowmax", (whole(inside, index or ""),), start=part.start, end=part.end)
        if not isinstance(part, f.BigSum) or part.upper is not None or part.condition is not None:
            return part
        kinds = {letters.get(x.base) for x in f.walk(part.body) if isinstance(x, f.Name)}
        calls = {x.function for x in f.walk(part.body) if isinstance(x, f.Call)}
        if not {"S", "m"} <= kinds or calls != {"exp"}:
            return part  # a sum of e^s without a maximum is no running one
        keys = [x for x in f.walk(part.body) if isinstance(x, f.Name) and letters.get(x.base) in ("S", "V")]
        marks = {mark for key in keys for mark in (*key.sub, *key.sup)}
        if len({mark for mark in marks if len(mark) == 1}) > 1:
            return part  # of two keys
        if part.index and any(marks) and not any(part.index in mark for mark in marks):
            return part  # Σ_j e^{x_i − m}, of no key that it runs over
        body = rewrite(part.body, lambda inner: whole(inner, part.index))
        return f.without_signs(body) if "V" in kinds else f.Call("rowsum", (body,), start=part.start, end=part.end)

    return [rewrite(side, gathered) for side in sides]


def index_of_largest(e: f.Expression) -> str | None:
    """The j of max_j x_j."""
    match e:
        case f.Call("max", (f.Name() as inside,), (str(index),)) if index in inside.sub:
            return index
    return None
