"""Softmax of a list with a number of entries, e^{z_i}/Σ_{j=1}^3 e^{z_j}: its sum is over all there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from symattn.reading import formula as f


@dataclass(frozen=True)
class Lengths:
    """How many entries an article gives the lists that it prints or declares."""

    known: dict[str, set[Fraction]]

    def whole(self, part: f.Expression) -> f.Expression:
        """A softmax with its sum over all entries, unless its list is stated to have more or fewer of them."""
        match part:
            case f.Quotient(
                f.Call("exp", _), f.BigSum(_, f.Number() as first, f.Number() as last, f.Call("exp")) as sum_
            ):
                count = last.value - first.value + 1
                stated = (self.known.get(x.base, {count}) for x in f.walk(sum_.body) if isinstance(x, f.Name) and x.sub)
                if first.value in (0, 1) and count > 1 and all(count in counts for counts in stated):
                    return replace(part, denominator=replace(sum_, lower=None, upper=None))
        return part

    def change(self, chain: f.Chain) -> Callable[[f.Expression], f.Expression] | None:
        """How a chain is read; None where it counts nothing."""
        parts = (part for side in chain.sides for part in f.walk(side.expression))
        return self.whole if any(isinstance(x, f.BigSum) and isinstance(x.upper, f.Number) for x in parts) else None


def find_lengths(chains: Sequence[f.Chain]) -> Lengths:
    """The numbers of entries that lines print, z = [2, 1, 0], or declare, z ∈ ℝ^3."""
    known: dict[str, set[Fraction]] = {}
    for chain in chains:
        names = [side.expression for side in chain.sides if isinstance(side.expression, f.Name)]
        counts = {count for side in chain.sides if (count := _count(side.expression)) is not None}
        for name in names if counts else ():
            known.setdefault(name.base, set()).update(counts)
    return Lengths(known)


def _count(e: f.Expression) -> Fraction | None:
    match e:
        case f.Matrix(rows) if rows and 1 in (len(rows), len(rows[0])):
            return Fraction(max(len(rows), len(rows[0])))
        case f.Transpose(f.Matrix() as operand):
            return _count(operand)
        case f.Space(dimensions=(*_, f.Number(value=value))):
            return value
    return None
