"""The mathematics of articles, read with the digits as printed and the place of every piece.

Our own small recursive-descent parser: what it does not understand it refuses, with the place. The rules by
which names are told from products and powers are in `names`.
"""

from symattn.reading.formula.abreast import parse_abreast
from symattn.reading.formula.lexer import Commas
from symattn.reading.formula.neighbours import may_be_applied
from symattn.reading.formula.parser import parse
from symattn.reading.formula.recovery import parse_sides
from symattn.reading.formula.tree import (
    Atom,
    BigSum,
    Call,
    Cases,
    Chain,
    Derivative,
    Dots,
    Elementwise,
    Entry,
    Expression,
    Infinity,
    Matrix,
    Name,
    NotANumber,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Side,
    Space,
    Sum,
    Transpose,
    Unread,
    is_printed,
    walk,
    without_signs,
)

__all__ = [
    "Atom",
    "BigSum",
    "Call",
    "Cases",
    "Chain",
    "Commas",
    "Derivative",
    "Dots",
    "Elementwise",
    "Entry",
    "Expression",
    "Infinity",
    "Matrix",
    "Name",
    "NotANumber",
    "Number",
    "Power",
    "Product",
    "Quotient",
    "Root",
    "Side",
    "Space",
    "Sum",
    "Transpose",
    "Unread",
    "is_printed",
    "may_be_applied",
    "parse",
    "parse_abreast",
    "parse_sides",
    "walk",
    "without_signs",
]
