"""Which way the weights of a feed-forward layer stand, by the shapes that an article states of them and of its input.

W_1 of d × d_ff stands behind tokens in rows, x W_1, and W_1 of d_ff × d in front of tokens in columns, W_1 x.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sympy import Expr, Symbol

from symattn.checking.formulas.shapes.declared import collect
from symattn.checking.formulas.shapes.inference import Shape, key_of
from symattn.checking.formulas.shapes.sizes import Sizes, size_letter
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f

_HIDDEN = regex(r"d_?(?:ffn?|f|inner|hidden|mlp)|(?:ffn?|inner|mlp|intermediate)_?(?:dim|size)", re.IGNORECASE)
_LIKELY, UNLIKELY = 1, 3  # what it costs that d is d_model, and that it is d_ff
_WIDTH, _INNER, _MADE, _TOKENS = (size_letter(f"?{name}") for name in ("width", "inner", "made", "tokens"))
Key = tuple[str, tuple[str, ...], tuple[str, ...]]  # the symbol of a name
Needed = Sequence[tuple[Expr, ...]]


@dataclass(frozen=True)
class Layer:
    """The symbols of a layer: its input, the weights that lead to the inner width and those that lead back, if any, its
    shifts, and the weights that stand transposed in the formula."""

    x: Key
    inward: Sequence[Key]
    back: Sequence[Key]
    shifts: Sequence[Key]
    turned: frozenset[Key]

    def needed(self, rows: bool) -> Iterator[tuple[Key, Needed]]:
        """What the shapes of the symbols may be, for tokens in rows or in columns: a column may be one of X's rows."""
        yield self.x, [(_WIDTH,), (_TOKENS, _WIDTH)] if rows else [(_WIDTH,), (_WIDTH, _TOKENS), (_TOKENS, _WIDTH)]
        for key in (*self.inward, *self.back):
            there = (_WIDTH, _INNER) if key in self.inward else (_INNER, _MADE)
            yield key, [there if rows == (key not in self.turned) else there[::-1]]
        for key, width in zip(self.shifts, (_INNER, _MADE), strict=False):
            yield key, [(width,)]


def price_of(layer: Layer, rows: bool, statement: Statement, context: Context) -> float:
    """What it costs that the layer is so: how many sizes have to be the same that the article tells apart, without end
    where they never are. Nothing is said of a name with several shapes, or with other axes."""
    shapes = context.once(collect)
    stated = shapes.near(statement.span[0]).shapes
    held = [Sizes(shapes.relations.formulas)]
    for key, needed in layer.needed(rows):
        found = stated.get(key_of(f.Name(*key)), ())
        known = found[0] if len(found) == 1 else None
        options = [option for option in needed if known is not None and len(option) == len(known)]
        if options:
            held = [sizes for each in held for option in options for sizes in _equate(each, known, option)]
    return min((_price(each) for each in held), default=float("inf"))


def _equate(sizes: Sizes, shape: Shape, needed: Sequence[Expr]) -> Iterator[Sizes]:
    held: Sizes | None = sizes
    for axis, other in zip(shape or (), needed, strict=True):
        held = None if held is None else held.equate(axis, other)
    if held is not None:
        yield held


def _price(sizes: Sizes) -> int:
    needed = sum(UNLIKELY if _is_hidden(a) != _is_hidden(b) else _LIKELY for a, b in sizes.needed_now())
    width, inner = sizes.settle(_WIDTH), sizes.settle(_INNER)
    numbers = width.is_Integer and inner.is_Integer
    return needed + bool(width > inner if numbers else _is_hidden(width) and not _is_hidden(inner))


def _is_hidden(size: Expr) -> bool:
    """Whether it is written as the inner width is: d_ff, or a multiple of another one, 4d or 8d/3."""
    multiple = size.is_Mul and size.args[0].is_Rational and len(size.args) == 2 and size.args[0] > 1
    return bool(multiple or (isinstance(size, Symbol) and _HIDDEN.fullmatch(size.name)))
