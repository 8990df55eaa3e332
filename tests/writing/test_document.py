"""Pieces of mathematics, as each style writes them."""

from __future__ import annotations

import pytest

from symattn.writing.document import (
    Chain,
    Document,
    Dotted,
    Equation,
    Heading,
    Matrix,
    Paragraph,
    Quotient,
    Signed,
    Symbol,
    number_headings,
)
from symattn.writing.prose import Sentence
from symattn.writing.writers.latex import write_latex
from symattn.writing.writers.latex_style import LatexStyle
from symattn.writing.writers.text_style import TextStyle

LATEX, TEXT = LatexStyle(), TextStyle()


@pytest.mark.parametrize(("style", "minus", "dot"), [(LATEX, "-", r"\cdot"), (TEXT, "−", "·")], ids=["latex", "text"])
def test_negative_factors_stand_in_brackets_after_a_sign(style: LatexStyle | TextStyle, minus: str, dot: str) -> None:
    total = Signed((("+", Dotted(f"{minus}2", f"{minus}3")), ("+", Dotted(f"{minus}1", "4"))))
    assert total.write(style) == f"{minus}2 {dot} ({minus}3) + ({minus}1) {dot} 4"


def test_signs_of_terms() -> None:
    assert Signed((("-", "a"), ("+", "b"), ("-", "c"))).write(LATEX) == "-a + b - c"


def test_a_matrix_with_dots() -> None:
    matrix = Matrix((("1", None, "9"), None, ("3", None, "7")))
    assert matrix.write(LATEX) == (
        r"\begin{bmatrix} 1 & \cdots & 9 \\ \vdots & \ddots & \vdots \\ 3 & \cdots & 7 \end{bmatrix}"
    )


def test_a_chain_and_its_beginning() -> None:
    chain = Chain((("", Symbol("S'", ("2", "3"))), ("=", Quotient("1", "3")), ("≈", Symbol("x"))))
    assert chain.write(LATEX) == r"S'_{23} = \frac{1}{3} \approx x"
    assert chain.first(2).write(LATEX) == r"S'_{23} = \frac{1}{3}"
    assert Symbol("A", ("2", "12")).write(LATEX) == "A_{2,12}"


def test_headings_are_numbered_where_there_are_several() -> None:
    two = (Heading(1, "a"), Heading(2, "b"), Heading(1, "c"))
    assert [number for number, _ in number_headings(Document("t", two))] == ["1 ", "", "2 "]
    assert [number for number, _ in number_headings(Document("t", two[:1]))] == [""]


def test_a_conclusion_stays_with_the_last_formula() -> None:
    """TeX may not break a page between the last display and a last section that has words alone."""
    words = Paragraph((Sentence("findings.title"),))
    step, heading = Equation((Chain((("=", Symbol("Q")),)),)), Heading(1, "End")
    page = Document("Title", (Heading(1, "Begin"), step, words, heading, words))
    written = write_latex(page)
    assert written.index(r"\postdisplaypenalty10000") < written.index(r"\[")
    assert written.index(r"\@secpenalty10000") < written.index(r"\section{End}")
    assert written.index(r"\section{Begin}") < written.index(r"\postdisplaypenalty")
    assert "penalty" not in write_latex(page, fragment=True)
    assert "secpenalty" not in write_latex(Document("Title", (heading, words, Heading(1, "Last"), step)))
