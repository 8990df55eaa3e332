"""An exercise as a page: what is given, and boxes for the entries of every step, empty or with what belongs there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import groupby

from sympy import Symbol as Letter
from sympy import sqrt

from symattn.pages.data import nearest_text
from symattn.pages.numbers.cells import MinusInfinity
from symattn.pages.numbers.equations import Equations
from symattn.pages.titles import title_of
from symattn.writing.document import (
    Block,
    Boxes,
    Cell,
    Document,
    Equation,
    Formula,
    Heading,
    Paragraph,
    Quotient,
    Row,
)
from symattn.writing.prose import Sentence

PLACES = 3  # decimals of weights and of what is made of them
DIGITS = 30
Rows = Sequence[Sequence[str]]


def exercise_document(title: Sentence, equations: Equations, words: Mapping[str, object], *, key: bool) -> Document:
    """The sheet of a derivation with values, or its key; `words` are what is said of its difficulty."""
    blocks = tuple(_blocks(equations, words, key))
    return Document(Sentence("exercise.key_to", title=title) if key else title, blocks, equations.notation)


def _blocks(equations: Equations, words: Mapping[str, object], key: bool) -> Iterator[Block]:
    if not key:
        yield Paragraph((Sentence("exercise.name", line="_" * 30),))
    if words:
        root = Formula(sqrt(Letter("d_k", positive=True)))
        yield Paragraph((Sentence("exercise.difficulty", root=root, **words),))
    yield Paragraph((Sentence("exercise.key_how" if key else "exercise.how", places=PLACES),))
    yield Heading(1, Sentence("title.inputs"))
    given = [*equations.given()]
    yield Equation(tuple(given))
    slack = spread(equations)
    for member, steps in groupby(equations.program, key=lambda step: step.name.partition(".")[0] * ("." in step.name)):
        if member:
            yield Heading(1, Sentence("title.head", number=member.rpartition("_")[2]))
        for step in steps:
            yield Heading(2 if member else 1, title_of(step))
            right = key_digits(equations, step.name)
            cells = tuple(tuple(map(spell, row)) for row in right) if key else tuple(("",) * len(row) for row in right)
            boxed = [[f"{x} {slack[step.name][j]}" for j, x in enumerate(row)] for row in right]
            yield Boxes(step.name, equations.definition(step), cells, () if key else tuple(map(tuple, boxed)))


def key_digits(equations: Equations, name: str) -> Rows:
    """The entries of a step as decimals of DIGITS significant digits; exact ones, and −∞ as -inf, as they are."""
    return nearest_text(equations.values, name, DIGITS)


def spell(digits: str) -> Cell:
    """A value as its box has it: −∞, a short fraction, or rounded to PLACES decimals, a half away from zero."""
    if digits == "-inf":
        return MinusInfinity()
    short = Fraction(digits).limit_denominator(9)
    if abs(short - Fraction(digits)) < Fraction(1, 10 ** (DIGITS - 5)) and short.denominator in (3, 6, 7, 9):
        shown = Quotient(str(abs(short.numerator)), str(short.denominator))
        return Row(("-", shown)) if short < 0 else shown
    return round_digits(digits)


def round_digits(digits: str) -> str:
    """A decimal to PLACES places where it has more; −∞ as -inf.

    >>> round_digits("0.66666666"), round_digits("2"), round_digits("-0.75")
    ('0.667', '2', '-0.75')
    """
    if digits == "-inf":
        return digits
    number = Decimal(digits)
    if number == round(number, PLACES):
        return f"{number.normalize():f}"
    return str(number.quantize(Decimal(1).scaleb(-PLACES), ROUND_HALF_UP))


def spread(equations: Equations) -> dict[str, list[str]]:
    """By how many halves of a last digit an entry of each column may be off, with weights rounded to as many places.

    0 where nothing is rounded; a weight by one; Σ|V_kj| for an output, carried on by what is made of it.
    """
    found: dict[str, list[Fraction]] = {}
    outputs: list[list[Fraction]] = []
    for step in equations.program:
        columns = key_digits(equations, step.name)[0]
        match step.role:
            case "weights":
                found[step.name] = [Fraction(1)] * len(columns)
            case "output":
                found[step.name] = [total + 1 for total in _column_sums(equations, step.expression.args[-1].name)]
                outputs.append(found[step.name])
            case "concat":
                found[step.name] = [x for each in outputs for x in each]
            case "projection":
                before = [x for each in outputs for x in each]
                W = [[Fraction(x) for x in row] for row in key_digits(equations, "W_O")]
                sums = [sum(b * abs(w) for b, w in zip(before, column, strict=True)) for column in zip(*W, strict=True)]
                found[step.name] = [total + 1 for total in sums]
            case _:
                found[step.name] = [Fraction(0)] * len(columns)
    return {name: [f"{float(x):g}" for x in each] for name, each in found.items()}


def _column_sums(equations: Equations, symbol: str) -> list[Fraction]:
    """Σ|V_kj| of the values that a step's weights choose from."""
    named = {step.symbol.name: step.name for step in equations.program}
    rows = [[Fraction(x) for x in row] for row in key_digits(equations, named.get(symbol, symbol))]
    return [sum(map(abs, column), Fraction(0)) for column in zip(*rows, strict=True)]
