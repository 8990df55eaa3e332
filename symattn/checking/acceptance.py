"""Findings that their author has accepted: they are told, but are no errors any more."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TypeVar

from symattn.checking.findings import BAD, Claim, Finding, Findings, Formula
from symattn.reading.settings import Accepted

R = TypeVar("R", bound=Findings)


def accept(report: R, accepted: Collection[Accepted]) -> R:
    """The report with accepted findings marked so.

    One is accepted only where its line reads as it did, white space around aside, and the number, or the formula, is
    printed as it was: after an edit it is told again.
    """
    if not accepted or report.article is None:
        return report
    lines = report.source.split("\n")

    def is_accepted(span: tuple[int, int] | None, printed: str) -> bool:
        if span is None:
            return False
        line = report.breaks.position(span[0])[0]
        text, shown = _words(lines[line - 1]), _words(printed)
        return any(_words(a.text) == text and _words(a.printed) == shown and a.line in (None, line) for a in accepted)

    def of_claim(claim: Claim) -> Claim:
        return replace(claim, entries=tuple(map(of_entry, claim.entries)))

    def of_entry(entry: Finding) -> Finding:
        wrong = entry.verdict in (*BAD, "last-digit")
        return replace(entry, verdict="accepted") if wrong and is_accepted(entry.span, entry.printed) else entry

    def of_formula(formula: Formula) -> Formula:
        wrong = formula.verdict == "fails" and is_accepted(formula.span, formula.text)
        return replace(formula, verdict="accepted") if wrong else formula

    return replace(
        report, findings=tuple(map(of_claim, report.findings)), formulas=tuple(map(of_formula, report.formulas))
    )


def _words(text: str) -> list[str]:
    return text.split()
