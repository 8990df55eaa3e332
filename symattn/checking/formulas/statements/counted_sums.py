"""Softmax of a list with a number of entries, e^{z_i}/Σ_{j=1}^3 e^{z_j}: its sum is over all there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from symattn.reading import formula as f


@dataclass(frozen=True)
class Lengths:
    """How many entries an article declares its lists to have, and how many those have that it prints."""

    declared: dict[str, set[Fraction]] = field(default_factory=dict)
    printed: dict[str, set[Fraction]] = field(default_factory=dict)

    def whole(self, part: f.Expression) -> f.Expression:
        """A softmax with its sum over all entries; that of a list with more or fewer of them, as it is declared or
        printed, is of another list, or of a part, which is not settled."""
        match part:
            case f.Quotient(
                f.Call("exp", _), f.BigSum(_, f.Number() as first, f.Number() as last, f.Call("exp")) as total
            ):
                count = last.value - first.value + 1
                bases = {x.base for x in f.walk(total.body) if isinstance(x, f.Name) and x.sub}
                if first.value not in (0, 1) or count < 2:
                    return part
                other = any(self._is_other(known, bases, count) for known in (self.declared, self.printed))
                whole = replace(total, lower=None, upper=f.Dots() if other else None)
                return replace(part, denominator=whole)
        return part

    @staticmethod
    def _is_other(known: Mapping[str, set[Fraction]], bases: Iterable[str], count: Fraction) -> bool:
        return any(base in known and count not in known[base] for base in bases)

    def change(self, chain: f.Chain) -> Callable[[f.Expression], f.Expression] | None:
        """How a chain is read; None where it counts nothing."""
        parts = (part for side in chain.sides for part in f.walk(side.expression))
        return self.whole if any(isinstance(x, f.BigSum) and isinstance(x.upper, f.Number) for x in parts) else None


def find_lengths(chains: Sequence[f.Chain]) -> Lengths:
    """The numbers of entries that lines print, z = [2, 1, 0], or declare, z ∈ ℝ^3."""
    found = Lengths()
    for chain in chains:
        names = [side.expression for side in chain.sides if isinstance(side.expression, f.Name)]
        for side in chain.sides if names else ():
            count = _count(side.expression)
            known = found.declared if isinstance(side.expression, f.Space) else found.printed
            for name in names if count is not None else ():
                known.setdefault(name.base, set()).add(Fraction(count or 0))
    return found


def _count(e: f.Expression) -> Fraction | None:
    match e:
        case f.Matrix(rows) if rows and 1 in (len(rows), len(rows[0])):
            return Fraction(max(len(rows), len(rows[0])))
        case f.Transpose(f.Matrix() as operand):
            return _count(operand)
        case f.Space(dimensions=(*_, f.Number(value=value))):
            return value
    return None
