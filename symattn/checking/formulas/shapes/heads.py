"""The weights of several heads as an article declares them, whether or not it prints what is made of them.

MultiHead = Concat(head_1, ..., head_h) W^O with head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V): the weights of queries
and keys have one width, and W^O has as many rows as all heads together have columns, h d_v.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sympy import Expr

from symattn.checking.formulas.shapes.declared import Claim
from symattn.checking.formulas.shapes.sizes import Sizes, kind_of, size_letter
from symattn.reading import formula as f

OF_HEADS = re.compile(
    r"multi-?\s?head|\bMHA\b|多头|多頭|マルチヘッド|멀티\s?헤드|multi-?cabe|multi-?têtes|Mehrkopf", re.I
)
_INDEX = re.compile(r"[a-z]|[0-9]|1…[a-zA-Z]")


@dataclass(frozen=True)
class Found:
    """What is said of a declaration: the equations that it needs, or the shape that it should be."""

    claim: Claim
    needed: tuple[tuple[Expr, Expr], ...] = ()
    right: tuple[Expr, Expr] | None = None


def judge_heads(claims: Sequence[Claim], source: str) -> Iterator[Found]:
    """The declarations of W_i^Q, W_i^K, W_i^V and W^O held against each other."""
    declared = _by_role(claims)
    if not {"q", "k", "v", "o"} <= declared.keys() or not OF_HEADS.search(source):
        return
    axes = {role: claim.axes for role, claim in declared.items()}
    rows = len({axes[role][0] for role in "qkv"}) == 1  # X W with tokens in rows, else W X
    if not rows and len({axes[role][1] for role in "qkv"}) != 1:
        return
    q, k, v = (axes[role][1 if rows else 0] for role in "qkv")
    height, width = axes["o"] if rows else axes["o"][::-1]
    for role in "qk":
        yield Found(declared[role], _needed(q, k))
    heads = next((x for x in height.free_symbols if kind_of(str(x)) == "heads" or str(x) in ("h", "H")), None)
    if heads is None and height == v:
        shape = (size_letter("h") * v, width)
        yield Found(declared["o"], right=shape if rows else (shape[1], shape[0]))
        return
    needed = _needed(height / heads, v) if heads is not None else ((height, size_letter("h") * v),)
    yield Found(declared["v"])
    yield Found(declared["o"], needed)


def _needed(a: Expr, b: Expr) -> tuple[tuple[Expr, Expr], ...]:
    sizes = Sizes().equate(a, b)
    return () if sizes is None else sizes.needed_now()


def _by_role(claims: Sequence[Claim]) -> Mapping[str, Claim]:
    """The declarations of the weights of each head, and of W^O, the first of each."""
    found: dict[str, Claim] = {}
    for claim in claims:
        for side in claim.sides:
            if not isinstance(side, f.Name) or side.base != "W" or len(claim.axes) != 2:
                continue
            marks = [mark.lower() for mark in (*side.sub, *side.sup)]
            roles = [mark for mark in marks if mark in ("q", "k", "v", "o")]
            indices = [mark for mark in marks if mark not in roles]
            of_head = len(indices) == 1 and _INDEX.fullmatch(indices[0]) is not None
            if len(roles) == 1 and (of_head if roles[0] != "o" else not indices):
                found.setdefault(roles[0], claim)
    return found
