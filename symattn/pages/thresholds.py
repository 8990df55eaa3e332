"""How the threshold of a row of scores comes about in numbers: which scores lie above it, and what they come to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy
from sympy import Integer

from symattn.errors import InputError, NotSupportedError
from symattn.nodes import find_threshold
from symattn.pages.numbers.entries import Expansion
from symattn.program.steps import Step
from symattn.values.exact.signs import sign_of
from symattn.writing.document import Block, Box, Cell, Chain, Formula, Listed, Paragraph, Quotient, Root, Signed, Symbol
from symattn.writing.prose import Sentence

MOST_SCORES = 8  # above the threshold of a row that is told


def tell_threshold(step: Step, told: Expansion) -> Iterator[Block]:
    """The threshold of the first row: by the sum of the scores above it, or by their mean and squared deviations."""
    Z, power = step.expression.args
    if told.known is None or not Z.is_symbol:
        return
    operand = told.operand(Z)
    support = _support(told.values.exact[operand.name], int(power))
    if support is None:
        return
    row, places = support
    name = Symbol(step.symbol.name, (told.notation.index("1"),))
    value = told.result(step.name, 0, 0, briefly=True)[-1]  # the exact one stands in the formula above
    count = Integer(len(places))
    if power == 1:
        terms: list[tuple[str, Cell]] = [("+", operand.alone(0, j)) for j in places]
        made: Box = Quotient(Signed((*terms, ("-", "1"))), Formula(count))
        chain = Chain((("", name), ("=" if all(operand.tells(0, j) for j in places) else "≈", made), value))
        yield Paragraph((Sentence("step.threshold.example", i=Symbol("1"), chain=chain),))
        return
    shares = [row[j] / 2 for j in places]
    mean = sympy.expand(sympy.Add(*shares) / count)
    spread = sympy.expand(sympy.Add(*((x - mean) ** 2 for x in shares)))
    if not (mean.is_Rational and spread.is_Rational):
        return
    k, M, D = (Symbol(x) for x in "kMD")
    known = Listed(tuple(Chain((("", x), ("=", Formula(y)))) for x, y in ((k, count), (M, mean), (D, spread))))
    root = Root(Quotient(Signed((("+", "1"), ("-", D))), k))
    chain = Chain((("", name), ("=", Signed((("+", M), ("-", root)))), value))
    yield Paragraph((Sentence("step.threshold.known", i=Symbol("1"), known=known, chain=chain),))


def _support(form: Any, power: int) -> tuple[list[sympy.Expr], tuple[int, ...]] | None:
    """The first row, and which of its entries lie above the threshold; None where there is little to tell."""
    if not form.is_written:
        return None
    row = [form.entry(0, j) for j in range(form.shape[1])]
    try:
        found = find_threshold(row, power, sign_of).support
    except (InputError, NotSupportedError):
        return None
    return (row, found) if len(found) <= MOST_SCORES else None
