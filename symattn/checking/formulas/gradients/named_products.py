"""Products that another line calls a gradient: with dA = G_Z Vᵀ, the G_Z Vᵀ of a formula is ∂L/∂A, whatever G_Z is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symattn.checking.formulas.gradients.forward import is_of_field
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import letter_of, slope_of
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

Products = list[tuple[f.Expression, f.Derivative]]


def find_products(_: Article, statements: Sequence[Statement]) -> Products:
    """The products with a letter that no line defines, and the gradients that they are said to be."""
    defined = {letter_of(s.left).key for s in statements if isinstance(s.left, f.Name) and len(s.equals) > 1}
    found: Products = []
    for statement in statements:
        slope = slope_of(statement.left)
        if slope is None or letter_of(slope).indices or len(statement.equals) != 2:
            continue
        product = _plain(statement.equals[1])
        letters = [letter_of(part).key for part in f.walk(product) if isinstance(part, f.Name)]
        unknown = [key for key in letters if key not in defined and not is_of_field(key)]
        if isinstance(product, f.Product) and all(map(_is_letter, product.factors)) and unknown:
            found.append((product, f.Derivative(f.Name("L"), slope)))
    return found


def name_products(statement: Statement, products: Products) -> Statement | None:
    """The statement with the gradients for such products inside of it; None where there are none."""

    def named(part: f.Expression) -> f.Expression:
        slope = next((slope for product, slope in products if product == part), None)
        return part if slope is None else replace(slope, start=part.start, end=part.end)

    sides = []
    for side in statement.chain.sides:
        plain = rewrite(side.expression, f.without_signs)
        whole = any(product == plain for product, _ in products)
        sides.append(side if whole else replace(side, expression=rewrite(plain, named)))
    slopes = sum(isinstance(part, f.Derivative) for side in statement.chain.sides for part in f.walk(side.expression))
    more = sum(isinstance(part, f.Derivative) for side in sides for part in f.walk(side.expression))
    return replace(statement, chain=replace(statement.chain, sides=tuple(sides))) if more > slopes else None


def _is_letter(factor: f.Expression) -> bool:
    return isinstance(factor.operand if isinstance(factor, f.Transpose) else factor, f.Name)


def _plain(e: f.Expression) -> f.Expression:
    return rewrite(e, f.without_signs)
