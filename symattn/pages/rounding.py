"""Notes on the decimals of a step: where they do not agree with each other, are no proven 0, or stand alone."""

from __future__ import annotations

from collections.abc import Iterator

from symattn.pages.numbers.entries import Inline
from symattn.pages.numbers.equations import Equations
from symattn.program.steps import Step
from symattn.values.decimals import Shown
from symattn.writing.document import Chain, Matrix, Paragraph, Symbol
from symattn.writing.prose import Sentence


def comes_out(step: Step, equations: Equations) -> bool:
    """Whether what is calculated again from the printed numbers comes out as printed, as far as places are ours."""
    places = equations.expansion.places
    return places is None or equations.digits is not None or places.agrees(step.name)


def rounding_said(step: Step, equations: Equations) -> Iterator[Paragraph]:
    """A note where what is calculated again from the printed numbers does not come out as printed."""
    places = equations.expansion.places
    if places is not None and not comes_out(step, equations):
        yield Paragraph((Sentence("rounded_factors" if places.sums_to_one(step.name) else "rounded_weights"),))


def zeros_said(chain: Chain) -> Iterator[Paragraph]:
    """A note where a number is printed as 0.00, since it is neither told from 0 nor proven to be it."""
    result = chain.sides[-1][1]
    cells = (cell for row in result.rows for cell in row or ()) if isinstance(result, Matrix) else ()
    zeros = (x for x in cells if isinstance(x, Shown) and x.number == 0 and x.number.as_tuple().exponent)
    zero = next(zeros, None)
    if zero is not None:
        yield Paragraph((Sentence("unproven_zero", zero=Inline(zero)),))


def exact_form_missed(step: Step, equations: Equations) -> Iterator[Paragraph]:
    """A note where exact numbers are asked for, and the value is told as decimals alone."""
    if equations.known is not None and equations.lacks_exact_form(step):
        yield Paragraph((Sentence("no_exact_form", symbol=Symbol(step.symbol.name)),))
