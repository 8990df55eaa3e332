"""The normal form of sums: rules are applied until none fits, and like terms are added."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from symattn.checking.equality.algebra import Algebra
from symattn.checking.equality.canonical import canonical
from symattn.checking.equality.relations import rewrite
from symattn.checking.equality.terms import Product, Sum, Term


class NormalForms(Algebra):
    """The algebra whose sums are in normal form."""

    def normal(self, products: Iterable[Product]) -> Sum:
        """The normal form of a sum of products: rules are applied until none fits."""
        total: dict[Term, Fraction] = {}
        waiting = list(products)
        while waiting:
            product = waiting.pop()
            self.budget.spend()
            changed = rewrite(product, self)
            if changed is None:
                term = canonical(product, self.budget)
                total[term] = total.get(term, Fraction(0)) + product.coefficient
            else:
                waiting.extend(changed)
        return Sum(total)
