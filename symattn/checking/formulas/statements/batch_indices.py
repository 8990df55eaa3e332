"""Indices that all arrays of a formula share in front, S_{bhij} = Σ_d Q_{bhid} K_{bhjd}: of each batch and head."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile

from symattn.checking.naming import rewrite_sides
from symattn.patterns import regex
from symattn.reading import formula as f

_RUN = regex(r"(?:[a-z]′*){3,4}")
_INDEX = regex(r"[a-z]′*")
_FIRST = frozenset("bhg")  # of a batch, a head, a group
MOST = 2  # indices that are left


def chain_without_batches(chain: f.Chain) -> f.Chain:
    """The chain with S_{ij}^{(bh)} for S_{bhij}, where every array begins with the same letters and none sums them."""
    parts = [part for side in chain.sides for part in f.walk(side.expression)]
    arrays = [part for part in parts if isinstance(part, f.Name) and part.sub]
    runs = {part.sub[0] for part in arrays if len(part.sub) == 1 and _RUN.fullmatch(part.sub[0])}
    shared = _beginning(runs)
    rests = [_INDEX.findall(run[len(shared) :]) for run in runs]
    summed = {part.index for part in parts if isinstance(part, f.BigSum)}
    others = any(part.base[0].isupper() and not runs.issuperset(part.sub) for part in arrays)
    if len(runs) < 2 or not shared or others or not summed.isdisjoint(shared):
        return chain
    if not all(1 <= len(rest) <= MOST and set(rest).isdisjoint(shared) for rest in rests):
        return chain

    def each(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Name) or len(part.sub) != 1 or part.sub[0] not in runs:
            return part
        return replace(part, sub=(part.sub[0][len(shared) :],), sup=(*part.sup, f"({shared})"))

    return rewrite_sides(chain, each)


def _beginning(runs: Iterable[str]) -> str:
    """The letters of batches and heads that all runs begin with."""
    alike = takewhile(lambda column: len(set(column)) == 1 and column[0] in _FIRST, zip(*runs, strict=False))
    return "".join(column[0] for column in alike)
