"""A temperature divides the scores: how the weights and their entropy change with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from sympy import Rational

from symattn.pages.numbers.entries import Expansion, Inline
from symattn.pages.studies.varied import display, scores_of, show_weights, softmax_rows
from symattn.values.decimals import Shown
from symattn.writing.document import Block, Heading, Paragraph, Spelled, Table
from symattn.writing.prose import Sentence

TEMPERATURES = (Fraction(1, 8), Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4), Fraction(8))
TAU = Spelled(r"\tau", "τ")


def temperature(told: Expansion, tokens: Sequence[str]) -> Iterator[Block]:
    """d entropy/dτ = Var_a(z)/τ³ >= 0 step by step, both limits, and every row at several temperatures."""
    yield Heading(1, Sentence("temperature.title"))
    yield Paragraph((Sentence("temperature.said", tau=TAU, z=Spelled("z", "z")),))
    yield display(
        ("a_j", "a_j"),
        (r"\frac{e^{z_j/\tau}}{Z}", "e^(z_j/τ)/Z"),
    )
    mean = Spelled(r"\langle z\rangle = \sum_j a_j z_j", "⟨z⟩ = Σ_j a_j z_j")
    total = Spelled(r"Z = \sum_k e^{z_k/\tau}", "Z = Σ_k e^(z_k/τ)")
    yield Paragraph((Sentence("temperature.entropy", total=total, mean=mean),))
    yield display(
        ("H", "H"),
        (r"-\sum_j a_j \ln a_j", "−Σ_j a_j ln a_j"),
        (r"-\sum_j a_j \left(\frac{z_j}{\tau} - \ln Z\right)", "−Σ_j a_j (z_j/τ − ln Z)"),
        (r"\ln Z - \frac{\langle z\rangle}{\tau}", "ln Z − ⟨z⟩/τ"),
    )
    yield Paragraph((Sentence("temperature.parts"),))
    yield display((r"\frac{d}{d\tau}\ln Z", "d/dτ ln Z"), (r"-\frac{\langle z\rangle}{\tau^2}", "−⟨z⟩/τ²"))
    yield display(
        (r"\frac{d}{d\tau}\langle z\rangle", "d/dτ ⟨z⟩"),
        (r"-\frac{\langle z^2\rangle - \langle z\rangle^2}{\tau^2}", "−(⟨z²⟩ − ⟨z⟩²)/τ²"),
        (r"-\frac{\mathrm{Var}_a(z)}{\tau^2}", "−Var_a(z)/τ²"),
    )
    yield Paragraph((Sentence("temperature.whole", tau=TAU),))
    yield display(
        (r"\frac{dH}{d\tau}", "dH/dτ"),
        (
            r"-\frac{\langle z\rangle}{\tau^2} + \frac{\langle z\rangle}{\tau^2} + \frac{\mathrm{Var}_a(z)}{\tau^3}",
            "−⟨z⟩/τ² + ⟨z⟩/τ² + Var_a(z)/τ³",
        ),
        (r"\frac{\mathrm{Var}_a(z)}{\tau^3} \ge 0", "Var_a(z)/τ³ ≥ 0"),
    )
    yield Paragraph((Sentence("temperature.limits", tau=TAU),))
    header = (TAU, Sentence("temperature.weights"), Spelled("H", "H"), Spelled(r"1 - a_{\max}", "1 − a_max"))
    for i, scores in enumerate(scores_of(told.values), 1):
        if not scores:
            continue  # a row that sees no key
        yield Paragraph((Sentence("every_row", name=str(i)),))
        lines = []
        for t in TEMPERATURES:
            (row,) = softmax_rows([[x * Rational(t.denominator, t.numerator) for x in scores]])
            lines.append((str(t), show_weights(row), Inline(Shown(row.entropy)), Inline(Shown(row.rest))))
        yield Table(header, tuple(lines))
