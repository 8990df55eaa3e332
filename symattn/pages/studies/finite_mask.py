"""A finite number such as −10⁹ instead of −∞: what the float formats make of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from sympy import Expr, MatrixSymbol

from symattn.errors import InputError
from symattn.nodes import Biased, Penalised
from symattn.pages.numbers.entries import Expansion, name_of
from symattn.pages.studies.varied import InBrackets, display, logits_of
from symattn.values import Valuation
from symattn.values.decimals import Shown, nearest_to_fraction
from symattn.values.floats.arithmetic import FloatNumbers
from symattn.values.floats.formats import FORMATS, Array
from symattn.writing.document import Block, Box, Heading, Paragraph, Spelled, Style, Table, write
from symattn.writing.prose import Sentence
from symattn.writing.writers.text_style import TextStyle

Said = Sentence | Box | str
INFINITY = Spelled(r"-\infty", "−∞")
ROOM, APART = 67, 2.2  # digits beside the names of formats on an A4 page, and between columns
BECOMES = 13.2  # for what a format makes of the number


def finite_mask(told: Expansion, tokens: Sequence[str]) -> Iterator[Block]:
    """Shift invariance, which unmasks a row that is masked throughout; then what each format makes of every row."""
    values = told.values
    logits, number = logits_of(values), float(_penalty(values))
    name = next(step.name for step in values.program if step.role == "weights")
    yield Heading(1, Sentence("finite_mask.title", infinity=INFINITY))
    yield Paragraph((Sentence("finite_mask.shift"),))
    shifted = (r"\mathrm{softmax}(z - c\mathbf{1})_j", "softmax(z − c1)_j")
    yield display(
        shifted,
        (r"\frac{e^{z_j - c}}{\sum_k e^{z_k - c}}", "e^(z_j − c)/(Σ_k e^(z_k − c))"),
        (r"\frac{e^{-c}e^{z_j}}{e^{-c}\sum_k e^{z_k}}", "e^−c e^(z_j)/(e^−c Σ_k e^(z_k))"),
        (r"\mathrm{softmax}(z)_j", "softmax(z)_j"),
    )
    yield Paragraph((Sentence("finite_mask.formats"),))
    worked = {name: values.in_numbers(FloatNumbers(form, "shifted")) for name, form in FORMATS.items()}
    yield from _tables("finite_mask.row", {form: steps[name].values for form, steps in worked.items()}, number)
    yield Paragraph((Sentence("finite_mask.sums"),))
    sums = {form: steps[logits].values for form, steps in worked.items()}
    yield _table("finite_mask.sum", sums, [len(sums["float64"]) - 1])
    yield Paragraph((Sentence("finite_mask.verdict", infinity=INFINITY),))


def _penalty(values: Valuation) -> Expr:
    """The number that is added to hide. Raises InputError where none is."""
    for step in values.program:
        match step.expression:
            case Penalised():
                return step.expression.args[2]
            case Biased(args=(_, bias)) if isinstance(bias, MatrixSymbol):
                return min(values.exact[name_of(values.program, bias)].to_sympy())
    raise InputError(Sentence("finite_mask.none"), place="study")


def _tables(column: str, rows: Mapping[str, Array], number: float) -> Iterator[Table]:
    """All rows as each format has them, with what it makes of a number first; as many beside each other as fit."""
    groups: list[list[int]] = [[]]
    left = ROOM - BECOMES
    for i in range(len(rows["float64"])):
        cells = [line[-1] for line in _table(column, rows, [i]).rows]
        across = APART + max(map(_digits, cells))
        if groups[-1] and left < across:
            groups.append([])
            left = ROOM
        groups[-1].append(i)
        left -= across
    for k, shown in enumerate(groups):
        yield _table(column, rows, shown, None if k else number)


def _digits(cell: Said) -> float:
    """How wide a cell is set, in digits: points, commas and spaces take half."""
    assert isinstance(cell, InBrackets)
    return sum(0.5 if c in "., " else 1 for c in write(cell, TextStyle()))


def _table(column: str, rows: Mapping[str, Array], shown: Sequence[int], number: float | None = None) -> Table:
    """Some rows as each format has them, and what it makes of a number before them."""
    header: list[Said] = [Sentence("saturation.format")]
    if number is not None:
        header.append(Sentence("finite_mask.becomes"))
    header += [Sentence(column, row=i + 1) for i in shown]
    lines = []
    for name, values in rows.items():
        line: list[Said] = [name]
        if number is not None:
            line.append(Float(FORMATS[name].cast_one(number)))
        lines.append((*line, *(InBrackets([Float(x) for x in values[i].tolist()]) for i in shown)))
    return Table(tuple(header), tuple(lines))


class Float:
    """A number of a format: NaN, ±∞, all the digits of an integer, three of any other."""

    def __init__(self, value: float) -> None:
        self.value = value

    def write(self, style: Style) -> str:
        x = self.value
        if x != x:
            return style.word("NaN")
        if abs(x) == float("inf"):
            infinity = style.minus_infinity.removeprefix(style.minus)
            return style.minus + infinity if x < 0 else infinity
        if x == int(x):
            return write(str(int(x)), style)
        return Shown(nearest_to_fraction(Fraction(x), digits=3)).write(style)
