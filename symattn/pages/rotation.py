"""What RoPE does to one pair of columns: the rotation matrix, a pair of a row in numbers, and each entry as a sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial

import sympy
from sympy import Expr

from symattn.nodes import AlternatingSections, is_matrix
from symattn.pages.numbers.entries import Expansion, Operand, follow, relation
from symattn.pages.numbers.places import FEWEST, MOST
from symattn.pages.numbers.turns import Turns, are_numbers
from symattn.program.steps import Step
from symattn.values.decimals import Shown, nearest_places
from symattn.values.enclosures import enclose, narrow
from symattn.writing.document import (
    Block,
    Box,
    Cell,
    Chain,
    Dotted,
    Equation,
    Formula,
    Listed,
    Matrix,
    Paragraph,
    Row,
    Signed,
    Symbol,
)
from symattn.writing.prose import Sentence

ANGLE = sympy.Symbol("phi")
Turn = Sequence[Sequence[Cell]]
At = tuple[str, int, int]  # an entry of a value


def turn_pairs(step: Step, told: Expansion) -> Iterator[Block]:
    """A pair times its rotation matrix in letters, and then in the numbers of the first row that turns."""
    x, y = sympy.symbols("x y")
    cos, sin = sympy.cos(ANGLE), sympy.sin(ANGLE)
    product = _product([Formula(x), Formula(y)], _formulas(ANGLE), told)
    turned = _matrix([[Formula(x * cos - y * sin), Formula(x * sin + y * cos)]], told)
    _, _, _, positions, rates, width, sections = step.expression.args
    if is_matrix(positions):
        yield Paragraph((Sentence("rotation.table", positions=Formula(positions)),))
    elif not isinstance(positions, sympy.Tuple):
        yield Paragraph((Sentence("rotation.first", first=Formula(positions)),))
    if sections is not sympy.S.true:
        key = "rotation.alternating" if isinstance(sections, AlternatingSections) else "rotation.sections"
        yield Paragraph((Sentence(key, counts=Listed(tuple(map(Formula, sections)), " ")),))
    if isinstance(positions, sympy.Tuple):
        yield Paragraph((Sentence("rotation.positions", positions=Listed(tuple(map(Formula, positions)), " ")),))
    if rates is not sympy.S.true:
        theta = Formula(sympy.Symbol("theta_k"))
        yield Paragraph((Sentence("rotation.rates", theta=theta, rates=Listed(tuple(map(Formula, rates)), " ")),))
    if width is not sympy.S.true:
        yield Paragraph((Sentence("rotation.width", width=Formula(width)),))
    yield Paragraph((Sentence("rotation.matrix"),))
    yield Equation((Chain((("", product), ("=", turned))),))
    if told.known is not None and told.rounded and are_numbers(positions) and step.expression.args[0].is_symbol:
        yield from _example(step, told, told.operand(step.expression.args[0]))


def _example(step: Step, told: Expansion, operand: Operand) -> Iterator[Block]:
    """The first pair of the first row whose position is not 0 and that is not 0 there."""
    rows, width = operand.shape
    turned = step.expression.args[5]
    width = width if turned is sympy.S.true else int(turned)
    pair = (0, 1 if step.expression.pairs == "interleaved" else width // 2)
    angle = partial(step.expression.angle, k=sympy.Integer(0))
    i = next((i for i in range(rows) if angle(i) != 0 and any(operand.cell(i, j) != "0" for j in pair)), None)
    if i is None:
        return
    names = [Symbol(step.symbol.name, (str(i + 1), str(j + 1))) for j in pair]
    before = [operand.term(i, j) for j in pair]
    after = [told.result(step.name, i, j, briefly=True)[-1] for j in pair]
    sides: list[tuple[str, Box]] = [("", _matrix([names], told))]
    sides.append((relation([operand]), _product(before, _formulas(angle(i)), told)))
    rounded = _round_turn(angle(i), [(operand.name, i, j) for j in pair], [(step.name, i, j) for j in pair], told)
    sides += [] if rounded is None else [("≈", _product(before, rounded, told))]
    sign = "≈" if any(sign == "≈" for sign, _ in after) else "="
    sides = [sides[0], *follow(sides[1:], [(sign, _matrix([[cell for _, cell in after]], told))])]
    yield Paragraph((Sentence("rotation.example", row=told.notation.index(str(i + 1)), angle=Formula(angle(i))),))
    yield Equation((Chain(tuple(sides)),))


def turn_entry(turns: Turns, name: str, i: int, j: int, told: Expansion) -> list[tuple[str, Box]]:
    """Entry (i, j), counted from 0, of what is turned: x cos φ − y sin φ, and the same in decimals that come out."""
    pair, partner, sign = turns.places[j]
    if pair < 0:
        return []
    operand, angle = told.operand(turns.operand), turns.angles[i][pair]

    def side(cos: Cell, sin: Cell) -> Signed:
        own, other = Dotted(operand.term(i, j), cos), Dotted(operand.term(i, partner), sin)
        return Signed((("+", own), ("-", other)) if sign < 0 else (("+", other), ("+", own)))

    made: list[tuple[str, Box]] = [(relation([operand]), side(Formula(sympy.cos(angle)), Formula(sympy.sin(angle))))]
    if angle == 0 or not told.rounded or told.places is None:
        return made
    x, y = (told.places.printed(operand.name, i, at) for at in (j, partner))
    for places in range(FEWEST, MOST + 3):
        cos, sin = (_nearest(of(angle), places) for of in (sympy.cos, sympy.sin))
        if x is None or y is None or cos is None or sin is None:
            break
        again = Fraction(x) * Fraction(cos) + sign * Fraction(y) * Fraction(sin)
        if told.places.is_printed(again, name, i, j):
            return [*made, ("≈", side(Shown(cos), Shown(sin)))]
    return made


def _formulas(angle: Expr) -> Turn:
    """What a pair is multiplied by."""
    cos, sin = sympy.cos(angle), sympy.sin(angle)
    return [[Formula(cos), Formula(sin)], [Formula(-sin), Formula(cos)]]


def _product(pair: Sequence[Cell], turn: Turn, told: Expansion) -> Row:
    factors = [_matrix([pair], told), _matrix(turn, told)]
    return Row(tuple(factors[::-1] if told.notation.columns else factors))


def _matrix(cells: Sequence[Sequence[Cell]], told: Expansion) -> Matrix:
    return told.lay((len(cells), len(cells[0])), lambda i, j: cells[i][j], 10_000)


def _round_turn(angle: Expr, before: Sequence[At], after: Sequence[At], told: Expansion) -> Turn | None:
    """Sine and cosine in as few places as give what is printed of the pair; None where none do."""
    assert told.places is not None
    pair = [Fraction(x) for at in before if (x := told.places.printed(*at)) is not None]
    if len(pair) < len(before):
        return None
    for places in range(FEWEST, MOST + 3):
        cos, sin = (_nearest(of(angle), places) for of in (sympy.cos, sympy.sin))
        if cos is None or sin is None:
            return None
        columns = ((cos, -sin), (sin, cos))
        made = [pair[0] * Fraction(up) + pair[1] * Fraction(down) for up, down in columns]
        if all(told.places.is_printed(x, *at) for x, at in zip(made, after, strict=True)):
            return [list(map(Shown, row)) for row in zip(*columns, strict=True)]
    return None


def _nearest(value: Expr, places: int) -> Decimal | None:
    return narrow(lambda _: enclose(value), lambda bounds: nearest_places(bounds, places), 64)
