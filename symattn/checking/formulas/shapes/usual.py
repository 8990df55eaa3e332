"""Declarations that no formula of the article uses, held against what attention makes of these letters everywhere.

Queries and keys are multiplied, Q Kᵀ, and their weights with them, X W_Q (X W_K)ᵀ; values stand beside the keys. With
tokens in columns it is Qᵀ K and V Kᵀ. What fits neither is left open: the article may have other formulas.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symattn.checking.formulas.shapes.declared import Claim, Shapes
from symattn.checking.formulas.shapes.fitting import Fit
from symattn.checking.formulas.shapes.heads import role_of
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f

Member = tuple[str, str | None]  # whether it is a weight, and of which head


def find_usual(shapes: Shapes, statements: Sequence[Statement]) -> list[Claim]:
    """The declarations of queries, keys and values, or of their weights, that go together."""
    groups = (group for group in _groups(shapes.claims) if not any(_multiplies(each, group) for each in statements))
    return [claim for group in groups for claim in _going_together(group, shapes)]


def _multiplies(statement: Statement, group: Mapping[str, tuple[f.Name, Claim]]) -> bool:
    """Whether a formula multiplies a matrix of a group, so that its shape is held against it."""
    names = {name for name, _ in group.values()}
    products = (part for side in statement.equals for part in f.walk(side) if isinstance(part, f.Product | f.Call))
    return any(not names.isdisjoint(f.walk(product)) for product in products)


def _groups(claims: Sequence[Claim]) -> Iterator[Mapping[str, tuple[f.Name, Claim]]]:
    """The declared matrices of one kind and head by their roles, each declared once."""
    found: dict[Member, dict[str, list[tuple[f.Name, Claim]]]] = {}
    for claim in claims:
        for side in claim.sides if len(claim.axes) == 2 else ():
            role, member = _place_of(side)
            if role and isinstance(side, f.Name):
                found.setdefault(member, {}).setdefault(role, []).append((side, claim))
    for group in found.values():
        if {"q", "k"} <= group.keys() and all(len(own) == 1 for own in group.values()):
            yield {role: own[0] for role, own in group.items()}


def _place_of(side: f.Expression) -> tuple[str, Member]:
    """The role of a matrix, and whose it is: of Q, K or V themselves or of W_Q, W_K or W_V, with or without a head."""
    match side:
        case f.Name("Q" | "K" | "V" as letter, sub, ()) if len(sub) < 2:
            return letter.lower(), ("", sub[0] if sub else None)
    role, head = role_of(side)
    return (role, ("W", head)) if role in ("q", "k", "v") else ("", ("", None))


def _going_together(group: Mapping[str, tuple[f.Name, Claim]], shapes: Shapes) -> list[Claim]:
    """The declarations of a group if they fit the products for tokens in rows, or those for tokens in columns."""
    names = {role: name for role, (name, _) in group.items()}
    weights = names["q"].base == "W"
    claims = [claim for _, claim in group.values()]
    for rows in (True, False):
        # Q Kᵀ beside Kᵀ V, but W_Q W_Kᵀ beside W_Qᵀ W_V
        products = [_product(names["q"], names["k"], turn_first=not rows)]
        if "v" in names:
            products.append(_product(names["q" if weights else "k"], names["v"], turn_first=rows))
        if all(_fits(shapes.fit(product, None, claims[0].place.start)) for product in products):
            return claims
    return []


def _product(a: f.Name, b: f.Name, *, turn_first: bool) -> f.Product:
    """Aᵀ B, or A Bᵀ."""
    return f.Product((f.Transpose(a), b) if turn_first else (a, f.Transpose(b)), ("",))


def _fits(held: Fit) -> bool:
    return held.outcome == "fits" and held.tested > 0 and not held.needed
