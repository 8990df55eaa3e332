"""The weights of several heads as an article declares them, whether or not it prints what is made of them.

MultiHead = Concat(head_1, ..., head_h) W^O with head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V): the weights of queries
and keys have one width, and W^O has as many rows as all heads together have columns, h d_v.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sympy import Expr, Symbol

from symattn.checking.formulas.shapes.declared import Claim
from symattn.checking.formulas.shapes.sizes import Sizes, kind_of, size_letter
from symattn.patterns import regex
from symattn.reading import formula as f

OF_HEADS = regex(r"multi-?\s?head|\bMHA\b|多头|多頭|マルチヘッド|멀티\s?헤드|multi-?cabe|multi-?têtes|Mehrkopf", re.I)
_ALIKE = regex(  # words by which keys and values are as wide
    r"d_\{?k\}?\W{0,3}=\W{0,3}d_\{?v\}?|d_\{?v\}?\W{0,3}=\W{0,3}d_\{?k\}?"
    r"|\b(?:same|equal) (?:dimension|width|size)|维度(?:相同|一致|相等)",
    re.I,
)
_OF_ONE = regex(r"d_?(?:[kvh]|head)|head_?dim")
_ON_THE_LEFT = regex(
    r"column|W\^?_?\{?O\}?\s*(?:\[|x\b|h\b|\\?(?:mathrm|text|operatorname)?\{?concat)|列向量", re.IGNORECASE
)
_OF_VALUES = regex(r"(?<![a-z])d_?\{?v\b")
_MODEL = regex(r"d_?m(?:odel)?|D|C|(?:hidden|model|embed)_?(?:dim|size)")
Known = Mapping[Symbol, Expr]  # what the article says of sizes
_INDEX = regex(r"[a-z]|[0-9]|1…[a-zA-Z]")


@dataclass(frozen=True)
class Found:
    """What is said of a declaration: the equations that it needs, or the shape that it should be."""

    claim: Claim
    needed: tuple[tuple[Expr, Expr], ...] = ()
    right: tuple[Expr, Expr] | None = None


def judge_heads(claims: Sequence[Claim], source: str, relations: Known) -> Iterator[Found]:
    """The declarations of W_i^Q, W_i^K, W_i^V and W^O held against each other."""
    every = next(
        (found for found in map(_by_role, (claims, claims), (True, False)) if set("qkvo") <= found.keys()), None
    )
    if not OF_HEADS.search(source):
        return
    if every is None:
        yield from _alone(claims, source)
        return
    declared = {role: found[0] for role, found in every.items()}
    axes = {role: claim.axes for role, claim in declared.items()}
    rows = len({axes[role][0] for role in "qkv"}) == 1  # X W with tokens in rows, else W X
    if not rows and len({axes[role][1] for role in "qkv"}) != 1:
        return
    q, k, v = (axes[role][1 if rows else 0] for role in "qkv")
    if all(role_of(side)[1] is None for side in declared["v"].sides):
        if None in map(_count_in, (q, k, v)):
            return  # of all heads, but not said of how many
        q, k, v = map(_of_one, (q, k, v))
        if not all(size.free_symbols for size in (q, k, v)):
            return  # H alone is a width
    for role in "qk":
        yield Found(declared[role], _needed(q, k, relations))
    yield Found(declared["v"])
    alike = _ALIKE.search(source) is not None
    model = axes["q"][0 if rows else 1]
    outputs = [
        _as_wide_as_head(claim, v, model, rows=rows)
        or _turned(claim, v, model, rows=rows)
        or _of_output(claim, v, rows=rows, relations=relations)
        for claim in every["o"]
    ]
    said = next((each.claim.axes for each in outputs if not each.needed and each.right is None), None)
    for each in outputs:
        other = said is not None and bool(each.needed) and not alike  # the article has it the right way elsewhere
        if other and said is not None:
            yield replace(each, needed=(), right=(said[0], said[1]))
        elif each is outputs[0] or not each.needed:
            yield each


def _alone(claims: Sequence[Claim], source: str) -> Iterator[Found]:
    """W^O ∈ R^{h d_v × d_model} by the usual letters, where the weights of the heads are not declared beside it."""
    apart = _OF_VALUES.search(source) is not None  # d_k is not the width of the values then
    if _ON_THE_LEFT.search(source):
        return
    for claim in _by_role(claims, of_head=False).get("o", ()):
        height, width = claim.axes
        one = str(_of_one(height))
        usual = _OF_ONE.fullmatch(one) and not (apart and one.endswith("k")) and _MODEL.fullmatch(str(width))
        if usual and _count_in(height) is not None:
            yield Found(claim)


def _as_wide_as_head(claim: Claim, v: Expr, model: Expr, *, rows: bool) -> Found | None:
    """A W^O declared to make tokens as wide as one head: what all heads give together is as wide as the tokens were."""
    width = claim.axes[1 if rows else 0]
    if width != v or model == v:
        return None
    height = size_letter("h") * v
    return Found(claim, right=(height, model) if rows else (model, height))


def _turned(claim: Claim, v: Expr, model: Expr, *, rows: bool) -> Found | None:
    """A W^O declared as d_model × h d_v where tokens are rows, or the other way round: that is its transpose."""
    height, width = claim.axes if rows else claim.axes[::-1]
    if height != model or _count_in(width) is None or _of_one(width) != v or _count_in(model) is not None:
        return None
    return Found(claim, right=(claim.axes[1], claim.axes[0]))


def _of_output(claim: Claim, v: Expr, *, rows: bool, relations: Known) -> Found:
    """The declaration of W^O held against the width of the values of a head."""
    height, width = claim.axes if rows else claim.axes[::-1]
    heads = _count_in(height)
    if heads is None and height == v:
        shape = (size_letter("h") * v, width)
        return Found(claim, right=shape if rows else (shape[1], shape[0]))
    return Found(
        claim, _needed(height / heads, v, relations) if heads is not None else ((height, size_letter("h") * v),)
    )


def _needed(a: Expr, b: Expr, relations: Known) -> tuple[tuple[Expr, Expr], ...]:
    sizes = Sizes(relations).equate(a, b)
    return () if sizes is None else sizes.needed_now()


def _count_in(size: Expr) -> Symbol | None:
    """The number of heads in a size, the h of h d_v."""
    return next((x for x in size.free_symbols if kind_of(str(x)) == "heads" or str(x) in ("h", "H")), None)


def _of_one(size: Expr) -> Expr:
    """The width of one head, d_v of h d_v."""
    heads = _count_in(size)
    return size if heads is None else size / heads


def _by_role(claims: Sequence[Claim], of_head: bool) -> Mapping[str, Sequence[Claim]]:
    """The declarations of the weights of each head, or of those of all heads side by side, and of W^O."""
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        for side in claim.sides:
            role, index = role_of(side)
            if role and len(claim.axes) == 2 and (index is None if role == "o" or not of_head else bool(index)):
                found.setdefault(role, []).append(claim)
    return found


def role_of(side: f.Expression) -> tuple[str, str | None]:
    """What a matrix of weights is for, q of W_i^Q, and its index; "" where that is not clear."""
    if not isinstance(side, f.Name) or side.base != "W":
        return "", None
    marks = [mark.lower() for mark in (*side.sub, *side.sup)]
    roles = [mark for mark in marks if mark in ("q", "k", "v", "o")]
    indices = [mark for mark in marks if mark not in roles]
    clear = len(roles) == 1 and len(indices) < 2 and all(map(_INDEX.fullmatch, indices))
    return (roles[0], indices[0] if indices else None) if clear else ("", None)
