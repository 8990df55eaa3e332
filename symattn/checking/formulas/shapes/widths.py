"""How wide a head is: d_k = d_model/h, so that all heads together are as wide as the model.

Source: Vaswani et al. 2017, section 3.2.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import sympy
from sympy import Expr, Symbol

from symattn.checking.findings import Formula
from symattn.checking.formulas.shapes.heads import OF_HEADS
from symattn.checking.formulas.shapes.sizes import HEAD_COUNTS, read_size
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_OF_ONE = frozenset(("d_k", "d_v", "d_q", "d_h", "d_head", "head_dim"))
_OF_MODEL = frozenset(("d_model", "d", "D", "d_emb", "d_embed", "embed_dim", "hidden_size"))
_WIDTH, _COUNT = sympy.symbols("width count", positive=True)


def judge_head_width(statement: Statement, context: Context) -> Formula | None:
    """`d_k = d_v = d_model / h`, beside which a product or the inverse is false where heads are spoken of."""
    worked = [_number(side) for side in statement.equals]
    sides = [side for side, number in zip(statement.equals, worked, strict=True) if number is None]
    if len({number for number in worked if number is not None}) > 1:
        return None  # 768/12 = 46
    sizes = [read_size(side) for side in sides]
    if len(sizes) < 2 or not all(_is_known(size) for size in sizes):
        return None
    known = [size for size in sizes if size is not None]
    letters = {letter.name for size in known for letter in size.free_symbols}
    if not (letters & _OF_ONE and letters & _OF_MODEL and letters & HEAD_COUNTS) or not _is_of_widths(known):
        return None
    worths = [_worth(size) for size in known]
    if all(sympy.expand(worth - worths[0]) == 0 for worth in worths):
        return conclude(statement, "holds", Sentence("formula_head_width"))
    if not context.mentions(OF_HEADS) or not letters & _OF_MODEL - {"d", "D"}:
        return None  # d may be the width of a head
    return refuse(statement, Sentence("formula_head_width"), _right(known))


def _number(side: f.Expression) -> Fraction | None:
    """What a side comes to that is a number, or one by another, 768/12."""
    match side:
        case f.Number(value=value):
            return value
        case f.Quotient(f.Number(value=top), f.Number(value=bottom)) if bottom:
            return top / bottom
    return None


def _is_known(size: Expr | None) -> bool:
    return size is not None and {letter.name for letter in size.free_symbols} <= _OF_ONE | _OF_MODEL | HEAD_COUNTS


def _is_of_widths(sizes: Sequence[Expr]) -> bool:
    """Whether each side is the width of a head, or the one of the model times or by the number of heads."""
    for size in sizes:
        powers = size.as_powers_dict()
        alone = size.is_Symbol and size.name in _OF_ONE | _OF_MODEL
        plain = all(abs(power) == 1 and base.is_Symbol for base, power in powers.items())
        if not alone and not (len(powers) == 2 and plain):
            return False
    return True


def _worth(size: Expr) -> Expr:
    """The size where a head is `width` wide and there are `count` of them."""
    values = {
        letter: _WIDTH if letter.name in _OF_ONE else _COUNT if letter.name in HEAD_COUNTS else _WIDTH * _COUNT
        for letter in size.free_symbols
        if isinstance(letter, Symbol)
    }
    return size.xreplace(values)


def _right(sizes: Sequence[Expr]) -> str:
    """The first side and what it is, in the letters of the article."""
    letters = {letter.name for size in sizes for letter in size.free_symbols}
    head, model, count = (next(iter(sorted(letters & names))) for names in (_OF_ONE, _OF_MODEL, HEAD_COUNTS))
    return f"{head} = {model} / {count}"
