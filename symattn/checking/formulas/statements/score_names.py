"""QK as one name: of scores that an article defines under it, `QK = K @ Q^T`, and then uses as `exp(QK - lse)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from symattn.reading import formula as f

_SCORES = f.Name("S")


def find_score_name(chains: Sequence[f.Chain]) -> f.Name | None:
    """The name that QK is: S, if no formula has that letter, where a line says what QK is; None where none does.

    As a product QK has a value for square matrices alone, so that nobody defines that.
    """
    if not any(len(chain.sides) > 1 and _is_pair(chain.sides[0].expression) for chain in chains):
        return None
    bases = {part.base for chain in chains for side in chain.sides for part in f.walk(side.expression)
             if isinstance(part, f.Name)}  # fmt: skip
    return _SCORES if "S" not in bases else f.Name("QK")


def named_as(name: f.Name) -> Callable[[f.Expression], f.Expression]:
    """What puts that name for QK."""
    return lambda part: f.Name(name.base, text="QK", start=part.start, end=part.end) if _is_pair(part) else part


def _is_pair(e: f.Expression) -> bool:
    """Whether it is written QK, with nothing between the letters."""
    match e:
        case f.Product((f.Name("Q", (), (), ()) as q, f.Name("K", (), (), ()) as k), ("",)):
            return q.end == k.start
    return False


def find_similarity(chains: Sequence[f.Chain]) -> dict[str, f.Expression]:
    """The functions of Q and K that a line says to be their product, Similarity(Q, K) = QKᵀ."""
    found: dict[str, f.Expression] = {}
    for left, *others in ([side.expression for side in chain.sides] for chain in chains):
        match others:
            case [f.Product((f.Name("Q"), f.Transpose(f.Name("K")))) as made] if (
                function := _function(left)
            ) is not None:
                found.setdefault(function, made)
    return found


def _function(e: f.Expression) -> str | None:
    """The function whose arguments are Q and K."""
    match e:
        case f.Call(function, (f.Name("Q"), f.Name("K")), ()):
            return function
    return None


def put_in(made: dict[str, f.Expression]) -> Callable[[f.Expression], f.Expression]:
    """What puts the product for such a call within another formula."""

    def product(part: f.Expression) -> f.Expression:
        return made.get(_function(part) or "", part)

    def put(part: f.Expression) -> f.Expression:
        match part:
            case f.Quotient(above, below) if product(above) is not above:
                return f.Quotient(product(above), below, start=part.start, end=part.end)
            case f.Call("softmax", (inside,)) if product(inside) is not inside:
                return replace(part, arguments=(product(inside),))
        return part

    return put
