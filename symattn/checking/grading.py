"""The answers to an exercise, judged as claims are: what is right, wrong of itself, only follows, or was left empty.

What is no number, such as e^2/(1+e^2), is for the teacher to decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, get_args

from sympy import MatrixSymbol, Symbol

from symattn.checking.findings import Finding, Reading
from symattn.checking.semantics.evaluation import size_text
from symattn.checking.worksheets import Rows, judge_claims, reads_as_number
from symattn.errors import InputError
from symattn.patterns import regex
from symattn.program.steps import Program
from symattn.reading.answers import Answers
from symattn.writing.nearest import listed
from symattn.writing.prose import Sentence

Standing = Literal["right", "wrong", "follows", "empty", "unreadable"]
STANDINGS: tuple[Standing, ...] = get_args(Standing)
PLACES = 12  # of a fraction without an end, as a decimal
_FRACTION = regex(r"([+-]?\d{1,15})/(\d{1,15})")
_SHORT = regex(r"([-−+]?\d+)(?:\.(\d?))?")  # a number of too few decimals
FEWEST = 2  # decimals of a number that has no end


@dataclass(frozen=True)
class Mark:
    """One box: what stands in it, what is right to a few places, and how it counts; rows and columns from 1."""

    step: str
    row: int
    column: int
    printed: str
    right: str
    standing: Standing
    reading: Sentence | None = None  # the mistake by its name, where it has one


@dataclass(frozen=True)
class Grade:
    """All boxes of one set of answers, in the order of the calculation."""

    name: str
    marks: tuple[Mark, ...]

    def count(self, standing: Standing) -> int:
        """How many boxes are right, wrong, follow, are empty or cannot be read."""
        return sum(mark.standing == standing for mark in self.marks)

    def points(self, credit: int) -> str:
        """A point for each right box, and so many percent of one for each that follows from a mistake."""
        return f"{(Decimal(100 * self.count('right') + credit * self.count('follows')) / 100).normalize():f}"

    @cached_property
    def first(self) -> Mark | None:
        """The first mistake; none where nothing is wrong of itself."""
        return next((mark for mark in self.marks if mark.standing == "wrong"), None)

    @cached_property
    def reading(self) -> Sentence | None:
        """The name of the mistake in the step of the first one, if it has one."""
        if self.first is None:
            return None
        return next((m.reading for m in self.marks if m.step == self.first.step and m.reading is not None), None)

    @cached_property
    def explained(self) -> tuple[Mark, ...]:
        """The wrong boxes of the first mistake's step that its name explains."""
        if self.first is None or self.reading is None:
            return ()
        name, step = str(self.reading), self.first.step
        return tuple(m for m in self.marks if m.step == step and m.reading is not None and str(m.reading) == name)

    @cached_property
    def others(self) -> dict[str, int]:
        """How many boxes of each step are wrong beside the first mistake and those that its name explains."""
        wrong = [m for m in self.marks if m.standing == "wrong" and m is not self.first and m not in self.explained]
        return dict(Counter(mark.step for mark in wrong))

    def steps(self, standing: Standing) -> dict[str, int]:
        """How many boxes of each step stand so."""
        return dict(Counter(mark.step for mark in self.marks if mark.standing == standing))


def grade_answers(
    answers: Answers,
    rights: Mapping[str, Sequence[Sequence[str]]],
    program: Program,
    inputs: Mapping[MatrixSymbol, Rows],
    sizes: Mapping[Symbol, int],
) -> Grade:
    """Judge answers against the steps of a calculation; `rights` are its entries to a few places.

    A box that is empty or cannot be read stands for the right number where later steps are judged. Raises InputError
    for a name that is no step and for rows of another size.
    """
    for name, given in answers.steps.items():
        if name not in rights:
            raise InputError(Sentence("no_step", name=name[:40], known=listed(name, rights)))
        _require_shape(name, given, rights[name])
    claims = {name: given for name, given in answers.steps.items() if any(map(any, given))}
    filled = {name: _fill(given, rights[name]) for name, given in claims.items()}
    found = {
        (claim.subject, entry.row, entry.column): entry
        for claim in judge_claims(filled, program, inputs, sizes)
        for entry in claim.entries
    }
    marks: list[Mark] = []
    width = next((str(size) for letter, size in sizes.items() if letter.name == "d_k"), "")
    for name, rows in rights.items():
        for i, row in enumerate(rows, 1):
            for j, right in enumerate(row, 1):
                printed = claims[name][i - 1][j - 1] if name in claims else ""
                marks.append(_mark(name, i, j, printed, right, found.get((name, i, j)), width))
    return Grade(answers.name, tuple(marks))


def _fill(given: Sequence[Sequence[str]], rights: Sequence[Sequence[str]]) -> list[list[str]]:
    """The answers as decimals; the right number where none can be read."""
    pairs = (zip(row, right, strict=True) for row, right in zip(given, rights, strict=True))
    decimals = ([(_lengthen(as_decimal(x)), right) for x, right in row] for row in pairs)
    return [[x if reads_as_number(x) else right for x, right in row] for row in decimals]


def _lengthen(text: str) -> str:
    """With FEWEST decimals: a student's 2 is 2.00, which no 1.5 is rounded to."""
    found = _SHORT.fullmatch(text)
    return text if found is None else f"{found[1]}.{(found[2] or '').ljust(FEWEST, '0')}"


def as_decimal(text: str) -> str:
    """A fraction as a decimal, to PLACES places where it has no end; anything else as it is.

    >>> as_decimal("-3/2"), as_decimal("2/3"), as_decimal("0.50"), as_decimal("1/0")
    ('-1.5', '0.666666666667', '0.50', '1/0')
    """
    found = _FRACTION.fullmatch(text)
    if found is None or int(found[2]) == 0:
        return text
    number = Fraction(int(found[1]), int(found[2]))
    places = next((k for k in range(PLACES) if (number * 10**k).denominator == 1), PLACES)
    return f"{Decimal(round(number * 10**places)).scaleb(-places):f}"


def _mark(step: str, row: int, column: int, printed: str, right: str, entry: Finding | None, width: str) -> Mark:
    if not printed or entry is None:
        return Mark(step, row, column, "", right, "empty")
    if not reads_as_number(as_decimal(printed)):
        return Mark(step, row, column, printed, right, "unreadable")
    if entry.verdict == "carried":
        return Mark(step, row, column, printed, right, "follows")
    reading = entry.because.name if isinstance(entry.because, Reading) else None
    if reading is not None and reading.fields.get("below") == width:
        reading = Sentence(reading.key, below=f"d_k = {width}")
    is_wrong = entry.verdict == "wrong"
    return Mark(step, row, column, printed, right, "wrong" if is_wrong else "right", reading if is_wrong else None)


def _require_shape(name: str, rows: Sequence[Sequence[Any]], right: Sequence[Sequence[str]]) -> None:
    shape = (len(right), len(right[0]))
    widths = {len(row) for row in rows}
    if len(rows) != shape[0] or widths != {shape[1]}:
        found = size_text((len(rows), max(widths, default=0)))
        raise InputError(Sentence("answers_shape", step=name, found=found, expected=size_text(shape)))
