"""Gradients by both factors of a product that no line says: dV = Aᵀ dZ and dA = dZ Vᵀ are those of Z = A V."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from symattn.checking.findings import Formula
from symattn.checking.formulas.gradients.outcomes import theorem_of
from symattn.checking.formulas.statements.context import Context, accept
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import letter_of, slope_of
from symattn.checking.models.spelling import spell
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_PLAIN = ("", "·", "@")


class Product(NamedTuple):
    """C = A B."""

    made: str
    first: str
    second: str


@dataclass(frozen=True)
class Slope:
    """∂L/∂A = ∂L/∂C Bᵀ or ∂L/∂B = Aᵀ ∂L/∂C: the product to which it belongs, and by which factor it is."""

    product: Product
    by: str


def judge_both_factors(statement: Statement, context: Context) -> Formula | None:
    """A gradient by a factor of a product that no line says, where the one by the other factor is that of the same."""
    own = _read_slope(statement)
    if own is None or own not in context.once(find_paired):
        return None
    made, first, second = own.product
    return accept(statement, theorem_of(True), Sentence("condition.is_product", name=made, product=f"{first} {second}"))


def find_paired(_: Article, statements: Sequence[Statement]) -> frozenset[Slope]:
    """The gradients by both factors of a product that nothing else is said of, and whose factors make nothing else."""
    slopes = {slope for statement in statements if (slope := _read_slope(statement)) is not None}
    lefts = (statement.left for statement in statements if len(statement.equals) > 1)
    defined = {letter_of(left).key for left in lefts if isinstance(left, f.Name) and slope_of(left) is None}

    def is_alone(slope: Slope) -> bool:
        product = slope.product
        others = {other.product for other in slopes} - {product}
        used = any(slope.by in other[1:] or product.made == other.made for other in others)
        return not used and product.made not in defined

    paired = (slope for slope in slopes if {Slope(slope.product, by) for by in slope.product[1:]} <= slopes)
    return frozenset(filter(is_alone, paired))


def _read_slope(statement: Statement) -> Slope | None:
    if len(statement.equals) != 2:
        return None
    left, right = map(spell, statement.equals)
    by = slope_of(left)
    if by is None or not isinstance(right, f.Product) or len(right.factors) != 2 or right.operators[-1] not in _PLAIN:
        return None
    match right.factors:
        case f.Transpose(f.Name() as first), behind if (made := slope_of(behind)) is not None:
            names = made, first, by
        case before, f.Transpose(f.Name() as last) if (made := slope_of(before)) is not None:
            names = made, by, last
        case _:
            return None
    letters = [letter_of(name) for name in names]
    if any(letter.indices for letter in letters) or len({letter.key for letter in letters}) < 3:
        return None
    product = Product(*(letter.key for letter in letters))
    return Slope(product, letter_of(by).key)
