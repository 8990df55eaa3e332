"""A tree on one line, for the eye and for tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symattn.reading.formula.tree import (
    BigSum,
    Call,
    Chain,
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
    Space,
    Sum,
    Transpose,
)


def show(chain: Chain) -> str:
    """The chain in prefix notation: products are `(mul a b)`, a name is its letters with `_` and `^`.

    >>> from symattn.reading.formula import parse
    >>> [show(chain) for chain in parse(r"Q_1K_1^\\top \\approx [0.5, -\\infty]")]
    ['(mul Q_1 (T K_1)) ≈ [0.5 -∞]']
    """
    return " ".join(f"{side.relation} {_show(side.expression)}".strip() for side in chain.sides)


def _show(node: Expression) -> str:
    return _SHOWN[type(node)](node)


def _list(head: str, *nodes: Expression) -> str:
    return f"({' '.join([head, *map(_show, nodes)])})"


def _show_name(name: Name) -> str:
    sub = "".join("_" + part for part in name.sub[:1]) + "".join("," + part for part in name.sub[1:])
    return name.base + sub + "".join("^" + part for part in name.sup) + "".join(f"[{part}]" for part in name.item)


def _show_call(call: Call) -> str:
    label = "_" + ",".join(call.label) if call.label else ""
    options = [f"{key}={value}" for key, value in call.options]
    return f"({' '.join([call.function + label, *map(_show, call.arguments), *options])})"


def _show_product(product: Product) -> str:
    written = set(product.operators)
    return _list("mul" + (product.operators[0] if len(written) == 1 else "?"), *product.factors)


def _show_sum(total: Sum) -> str:
    terms = ("-" * (sign < 0) + _show(term) for sign, term in zip(total.signs, total.terms, strict=True))
    return f"(add {' '.join(terms)})"


def _show_big_sum(total: BigSum) -> str:
    bounds = ["" if bound is None else _show(bound) for bound in (total.lower, total.upper)]
    return f"(sum {total.index}={bounds[0]}..{bounds[1]} {_show(total.body)})"


_SHOWN: dict[type[Expression], Callable[[Any], str]] = {
    Number: lambda n: "~" * n.approximate + n.text,
    Infinity: lambda n: "∞" if n.sign > 0 else "-∞",
    NotANumber: lambda _: "nan",
    Dots: lambda _: "…",
    Name: _show_name,
    Sum: _show_sum,
    Product: _show_product,
    Elementwise: lambda n: _list("mul⊙", *n.factors),
    Quotient: lambda n: _list("div", n.numerator, n.denominator),
    Power: lambda n: _list("pow", n.base, n.exponent),
    Root: lambda n: _list("sqrt", n.radicand),
    Transpose: lambda n: _list("T", n.operand),
    Call: _show_call,
    Entry: lambda n: f"(entry {_show(n.operand)} {','.join(n.indices)})",
    BigSum: _show_big_sum,
    Matrix: lambda n: "[" + "; ".join(" ".join(map(_show, row)) for row in n.rows) + "]",
    Space: lambda n: _list("R", *n.dimensions),
}
