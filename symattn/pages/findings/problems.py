"""Findings -> one problem for each wrong number or formula, with its place: what reviews and editors show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from symattn.checking import Claim, Finding, Findings, Formula, Reading
from symattn.pages.findings.sentences import cause_remark, formula_remarks, right_value
from symattn.pages.findings.severities import SEVERITIES
from symattn.writing.prose import Sentence
from symattn.writing.visible import clip, one_line

Position = tuple[int, int]  # line and column, from 1, in code points


@dataclass(frozen=True)
class Problem:
    """What is wrong, and from where to where; in a worksheet it has no place."""

    rule: str  # one of SEVERITIES
    message: str
    start: Position | None = None
    end: Position | None = None

    @property
    def severity(self) -> str:
        return SEVERITIES[self.rule]


def find_problems(report: Findings, language: str = "en") -> Iterator[Problem]:
    """All that makes the exit code of `check` 1, in the order of the file."""
    found = [
        _problem(entry.verdict, _said(entry, claim, report), entry.span, report, language)
        for claim in report.findings
        for entry in (*claim.bad, *claim.misrounded)
    ]
    found += [_problem("formula", _failure(each), each.span, report, language) for each in report.failing]
    yield from sorted(found, key=lambda problem: problem.start or (0, 0))


def _problem(rule: str, said: Sentence, span: tuple[int, int] | None, report: Findings, language: str) -> Problem:
    message = one_line(said.text(language))
    if span is None:
        return Problem(rule, message)
    return Problem(rule, message, *map(report.breaks.position, span))


def _said(entry: Finding, claim: Claim, report: Findings) -> Sentence:
    """What a number should be, and what it follows from or which other reading explains it."""
    places = claim.place_name(entry.row, entry.column)
    key = "problem.number" if claim.shape == (1, 1) else "problem.entry"
    key = "problem.last_digit" if entry.verdict == "last-digit" else key
    words = {"printed": entry.printed, "places": places, "subject": clip(claim.subject), "right": right_value(entry)}
    said = Sentence(key, **words)
    more = cause_remark(entry, claim, report)
    if isinstance(entry.because, Reading):
        more = Sentence("findings.reading", reading=entry.because.name)
    return said if more is None else Sentence("findings.then", first=said, last=more)


def _failure(formula: Formula) -> Sentence:
    first, *others = formula_remarks(formula)
    for other in others:
        first = Sentence("findings.then", first=first, last=other)
    return first
