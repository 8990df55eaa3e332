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

Said = Sentence | Box | str
INFINITY = Spelled(r"-\infty", "−∞")


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
    yield _table("finite_mask.row", {form: steps[name].values for form, steps in worked.items()}, number)
    yield Paragraph((Sentence("finite_mask.sums"),))
    yield _table("finite_mask.sum", {form: steps[logits].values for form, steps in worked.items()}, last=True)
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


def _table(column: str, rows: Mapping[str, Array], number: float | None = None, *, last: bool = False) -> Table:
    """Rows (or the last alone) as each format has them, and what it makes of a number."""
    header: list[Said] = [Sentence("saturation.format")]
    if number is not None:
        header.append(Sentence("finite_mask.becomes"))
    count = len(rows["float64"])
    first = count - 1 if last else 0
    header += [Sentence(column, row=i + 1) for i in range(first, count)]
    lines = []
    for name, values in rows.items():
        line: list[Said] = [name]
        if number is not None:
            line.append(Float(FORMATS[name].cast_one(number)))
        lines.append((*line, *(InBrackets([Float(x) for x in row]) for row in values[first:].tolist())))
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
