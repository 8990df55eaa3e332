"""Findings -> a neutral document, which the writers turn into a Markdown page (or LaTeX).

Each claim is its matrix as printed, wrong and carried entries boxed, beside the right values of these alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from symattn.checking import BAD, Claim, Findings
from symattn.pages.findings.sentences import (
    Unchecked,
    cell_of,
    claim_remarks,
    formula_remarks,
    order_claims,
    order_formulas,
    summing_up,
    unchecked_sentences,
)
from symattn.values.spelling import Spelling
from symattn.writing.document import Block, Chain, Document, Equation, Heading, Matrix, Paragraph, Row, Style, Table
from symattn.writing.prose import Sentence
from symattn.writing.visible import clip

LARGEST = 16  # rows or columns shown as a matrix


@dataclass(frozen=True)
class Digits:
    """A number as an article prints it: its characters that are markup in LaTeX are not taken for it."""

    text: str
    boxed: bool = False

    def write(self, style: Style) -> str:
        digits = _latex(self.text) if style.target == "latex" else self.text
        return style.boxed(digits) if self.boxed else digits


def _latex(text: str) -> str:
    """The print as LaTeX; what is not spelled as numbers are goes in as words, so that the page always compiles."""
    if text.strip("-−") in ("∞", "inf", r"\infty"):
        return r"-\infty"
    if Spelling.read(text) is None or text.count("{") != text.count("}"):
        return r"\text{" + "".join(c for c in text if c.isalnum() or c in ".,-") + "}"
    return text.replace(r"\%", "%").replace("%", r"\%").replace("−", "-")


def findings_document(reports: Sequence[Findings], *, verbose: bool = False) -> Document:
    """One page for all files, a section for each; `verbose` shows what is right too."""
    blocks = [block for report in reports for block in _file(report, verbose)]
    return Document(Sentence("findings.title"), tuple(blocks))


def _file(report: Findings, verbose: bool) -> Iterator[Block]:
    yield Heading(1, clip(report.path, 200))
    yield Paragraph((summing_up(report),))
    for claim in order_claims(report, every=verbose):
        subject = clip(claim.subject)
        where = Sentence("findings.step" if claim.origin is None else "findings.cells", subject=subject)
        if claim.line is not None:
            where = Sentence("findings.claim", line=claim.line, column=claim.column, subject=subject)
        cell = cell_of(report, claim)
        if cell is not None:
            where = Sentence("findings.claim_cell", cell=cell, subject=subject)
        yield Heading(2, where)
        if max(claim.shape) <= LARGEST:
            yield Equation((_chain(claim),))
        for remark in claim_remarks(claim, report):
            yield Paragraph((remark,))
    for formula in order_formulas(report, every=verbose):
        cell = cell_of(report, formula)
        subject = clip(formula.text)
        where = Sentence("findings.claim", line=formula.line, column=formula.column, subject=subject)
        yield Heading(2, where if cell is None else Sentence("findings.claim_cell", cell=cell, subject=subject))
        for remark in formula_remarks(formula):
            yield Paragraph((remark,))
    shown, left = unchecked_sentences(report, every=verbose)
    if shown:
        yield Heading(2, Sentence("findings.not_checked"))
        header = (Sentence("findings.place"), Sentence("findings.formula"), Sentence("findings.reason"))
        yield Table(header, tuple(_unchecked_table(n, report) for n in shown))
    if left:
        yield Paragraph((Sentence("findings.more_unchecked", count=left),))


def _chain(claim: Claim) -> Chain:
    rows, columns = claim.shape
    printed = [[Digits("")] * columns for _ in range(rows)]
    for e in claim.entries:
        printed[e.row - 1][e.column - 1] = Digits(e.printed, e.verdict in BAD)
    bad = [e for e in claim.entries if e.verdict in BAD]
    shown = Matrix(tuple(map(tuple, printed)))
    if not bad or claim.shape == (1, 1):
        return Chain((("", shown.rows[0][0] if claim.shape == (1, 1) else shown),))  # type: ignore[index,arg-type]
    right: list[list[Digits | Blank]] = [[Blank()] * columns for _ in range(rows)]
    for e in bad:
        right[e.row - 1][e.column - 1] = Digits(e.decimal)
    return Chain((("", Row((shown, Blank(wide=True), Matrix(tuple(map(tuple, right)))))),))


@dataclass(frozen=True)
class Blank:
    """The place of an entry that needs no correction; wide, the space between two matrices."""

    wide: bool = False

    def write(self, style: Style) -> str:
        if style.target != "latex":
            return "   " if self.wide else "·"
        return r"\quad" if self.wide else r"\cdot"


def _unchecked_table(group: Unchecked, report: Findings) -> tuple[str | Sentence, str, Sentence]:
    item, also = group.first, group.also(report)
    place: str | Sentence | None = cell_of(report, item)
    if place is None:
        place = "" if item.line is None else f"{item.line}:{item.column}"
    return (
        place,
        clip(item.text),
        Sentence("findings.pair_of", first=item.reason, last=also) if also else item.reason,
    )
