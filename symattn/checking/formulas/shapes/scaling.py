"""Whether scores are scaled by the width of the queries and keys, or by one that the article has for something else.

Where latent vectors are as wide as d_c and keys as d_h, QKᵀ/√d_c is what it should be only if d_c = d_h.
"""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Expr

from symattn.checking.formulas.shapes.declared import Shapes
from symattn.checking.formulas.shapes.fitting import fit
from symattn.checking.formulas.shapes.inference import key_of
from symattn.checking.formulas.shapes.sizes import Sizes, kind_of, read_size
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.reading import formula as f


def find_foreign_widths(statement: Statement, shapes: Shapes) -> Iterator[tuple[Expr, Expr]]:
    """The widths that scores are scaled by and that are stated of other things alone, with that of the keys."""
    scales = {size for side in statement.equals for size in _scales(side)}
    if not scales:
        return
    settle = Sizes(shapes.relations.formulas).settle
    of_keys = sorted(_of_keys(statement, shapes), key=str, reverse=True)  # so that what is said is the same each time
    inside = {letter for size in of_keys for letter in (size.free_symbols | settle(size).free_symbols)}
    widths = {settle(size): size for size in of_keys if size.is_Symbol and kind_of(str(size)) == "width"}
    stated = {letter for claim in shapes.claims for size in claim.axes for letter in size.free_symbols}
    for size in scales:
        if len(widths) == 1 and size in stated and not {size, settle(size)} & inside:
            yield size, next(iter(widths.values()))


def _scales(side: f.Expression) -> Iterator[Expr]:
    """The letters whose root divides a product of queries and keys."""
    for part in f.walk(side):
        match part:
            case f.Quotient(numerator=top, denominator=f.Root(radicand=f.Name() as name)):
                size = read_size(name)
                if {each.base.lower() for each in names(top)} >= {"q", "k"} and size is not None:
                    yield size


def _of_keys(statement: Statement, shapes: Shapes) -> Iterator[Expr]:
    """The sizes of the axes of queries and keys, as they are stated or follow for those of the formula."""
    for claim in shapes.claims:
        declared = claim.sides if claim.named else claim.sides[:1]
        if any(isinstance(side, f.Name) and _is_query_or_key(side) for side in declared):
            yield from claim.axes
    stated = shapes.near(statement.span[0])
    for side in statement.equals:
        for name in filter(_is_query_or_key, names(side)):
            made = (value for _, value in shapes.definitions.get(key_of(name), ()))  # Q = XW_Q, where W_Q has a shape
            for part in (name, *made):
                found = fit(part, None, stated, shapes.relations.formulas)
                yield from (found.shape or ()) if found.outcome == "fits" else ()


def _is_query_or_key(name: f.Name) -> bool:
    return name.base in ("Q", "K", "q", "k")
