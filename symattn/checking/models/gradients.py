"""The gradients of a forward pass: ∂L/∂X of L = Σ ⟨G, Z⟩, where the gradients G of some letters Z are any numbers.

At a point the slope of L is carried along (x + x′ε); for every size it is taken of the normal form.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from symattn.checking.equality.derivatives import derivative
from symattn.checking.models.evaluate import UnsettledError
from symattn.checking.models.passes import Pass, Plan, with_slopes
from symattn.checking.models.rings import Forms, Numbers, Slopes, as_index, slope_by
from symattn.checking.models.tensors import Tensor, Tensors


def upstream_of(plan: Plan, keys: Sequence[str]) -> list[str]:
    """Of these letters those that no other of them is made from: their gradients are any numbers."""
    return [k for k in keys if not any(k != other and plan.known(k) in plan.needs(other) for other in keys)]


def attach_gradients(made: Pass, roots: Sequence[str]) -> None:
    """Let `made` answer what ∂L/∂X is. Raises UnsettledError when X does not lead to the roots."""
    known: dict[str, Tensor] = {}

    def slope(key: str) -> Tensor:
        spelling = made.plan.known(key)
        if spelling is None:
            raise UnsettledError(key)
        if spelling not in known:
            known[spelling] = _slope(made, spelling, roots)
        return known[spelling]

    made.slopes = slope


def _slope(made: Pass, key: str, roots: Sequence[str]) -> Tensor:
    names = [made.plan.known(root) for root in roots]
    if key == "L":
        return made.tensors.number(1)
    if key in names:
        free = made.free(f"d{key}", made.letter(key).shape)
        scores = free.shape == (made.sizes.get("n"), made.sizes.get("m"))
        made.drawn[f"d{key}"] = _centred(free, made.tensors) if made.plan.centred and scores else free
        return made.drawn[f"d{key}"]
    if not any(name is not None and key in made.plan.needs(name) for name in names):
        raise UnsettledError(f"d{key}")
    if isinstance(made.ring, Forms):
        return _by_rule(made, key, roots)
    return _by_slopes(made, key, roots)


def _centred(x: Tensor, tensors: Tensors) -> Tensor:
    """X less the means of its rows."""
    count = tensors.total(tensors.ones(*x.shape), 1)
    return tensors.add(x, tensors.scale(tensors.divide(tensors.total(x, 1), count), -1))


def _by_slopes(made: Pass, key: str, roots: Sequence[str]) -> Tensor:
    assert isinstance(made.ring, Numbers)
    x, raised = made.letter(key), with_slopes(made, key)
    assert isinstance(raised.ring, Slopes)
    total = raised.ring.number(Fraction(0))
    for root in roots:
        z, g = raised.letter(root), made.slope(root)
        if z.shape != g.shape:
            raise UnsettledError(root)  # an L that is no loss
        terms = (raised.ring.multiply(z.at(*at), (g.at(*at), None)) for at in z.places)
        total = raised.ring.add(total, *terms)
    found = {place: slope_by(total, k) for k, place in enumerate(x.places)}
    return Tensors(made.ring).make(x.shape, lambda *place: found[place])


def _by_rule(made: Pass, key: str, roots: Sequence[str]) -> Tensor:
    """By the product rule: X has to be free, so that its entries are letters."""
    if key in made.plan.definitions:
        raise UnsettledError(key)
    x, ring = made.letter(key), made.ring
    assert isinstance(ring, Forms)
    total = ring.algebra.zero
    for root in roots:
        product = made.tensors.hadamard(made.slope(root), made.letter(root))
        total = ring.add(total, _sum_of_entries(product, ring))
    return Tensors(ring).make(x.shape, lambda *place: derivative(total, key, tuple(map(as_index, place)), ring.algebra))


def _sum_of_entries(x: Tensor, ring: Forms) -> Any:
    if x.is_number:
        return x.at()
    return ring.total(x.shape[0], lambda i: ring.total(x.shape[1], lambda j: x.at(i, j)))
