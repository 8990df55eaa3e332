"""The derivative of a sum by an entry of a matrix: product rule and chain rule."""

from __future__ import annotations

from fractions import Fraction

from symattn.checking.equality.algebra import Algebra
from symattn.checking.equality.indices import Index, Undecided, Variable, lone
from symattn.checking.equality.terms import ONE, Factor, Sum, Term


def derivative(total: Sum, name: str, at: tuple[Index, ...], algebra: Algebra) -> Sum:
    """∂/∂X_at of a sum, X being the atom of kind "entry" with this name."""
    return algebra.add(*(algebra.scale(_of_term(term, name, at, algebra), c) for term, c in total.terms.items()))


def _of_term(term: Term, name: str, at: tuple[Index, ...], algebra: Algebra) -> Sum:
    """Σ over the factors; indices summed over have names meanwhile."""
    names = {v: Variable(f"_{v.name}.{term.key}", v.size) for v in term.bound}
    product = algebra.opened(term)
    product.rename({v: lone(w) for v, w in names.items()})
    product.bound = set()
    made = []
    for factor, exponent in product.factors.items():
        inner = _of_atom(factor, name, at, algebra)
        if inner:
            rest = product.copy()
            rest.coefficient *= exponent
            if factor[0].kind != "exp":
                rest.multiply(factor, -ONE)
            made.append(algebra.multiply(algebra.normal([rest]), inner))
    return algebra.bind(algebra.add(*made), names.values())


def _of_atom(factor: Factor, name: str, at: tuple[Index, ...], algebra: Algebra) -> Sum:
    """The derivative of an atom; of an exponential that of its exponent."""
    atom, own = factor
    if atom.kind == "entry":
        if atom.name != name:
            return algebra.zero
        if len(own) != len(at):  # a member of a family, and what is none of its members
            raise Undecided("no_derivative")
        return algebra.multiply(*(algebra.delta(i, k) for i, k in zip(own, at, strict=True)))
    if atom.kind == "opaque" and name.partition("[")[0] in atom.name:
        raise Undecided("no_derivative")
    if atom.inner is None:
        return algebra.zero
    inside = derivative(algebra.inside(atom, own), name, at, algebra)
    if not inside or atom.kind in ("exp", "power"):
        return inside
    if atom.name == "log":
        return algebra.multiply(algebra.power(algebra.inside(atom, own), Fraction(-1)), inside)
    if atom.name == "tanh":
        square = algebra.atom(atom, *own, exponent=Fraction(2))
        return algebra.multiply(algebra.subtract(algebra.one, square), inside)
    raise Undecided("formula", atom.name)
