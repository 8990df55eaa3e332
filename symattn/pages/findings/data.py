"""Findings -> the JSON of the contract, as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Any

from symattn.checking import Cause, Claim, Counterexample, Finding, Findings, Formula, NotChecked, Reading
from symattn.reading.articles.article import LineBreaks, has_digits


def findings_json(reports: Sequence[Findings], language: str = "en") -> dict[str, Any]:
    """All reports as data."""
    return {"files": [_file(r, language) for r in reports]}


def _file(report: Findings, language: str) -> dict[str, Any]:
    return {
        "path": report.path,
        "summary": report.summary,
        "claims": [_claim(part, report, language) for c in report.findings for part in _stretches(c, report.source)],
        "formulas": [_formula(each, report, language) for each in report.formulas],
        "not_checked": [
            {"line": n.line, "column": n.column, **_cell(report, n), "text": n.text, "reason": n.reason.text(language)}
            for n in report.not_checked
        ],
    }


def _stretches(claim: Claim, source: str) -> Iterator[Claim]:
    """The claim, or a claim for each of its rows where other numbers stand between them, as in a sheet of cells."""
    rows = [list(row) for _, row in groupby(claim.entries, key=lambda e: e.row)]
    spans = [[e.span for e in row if e.span is not None] for row in rows]
    between = [source[a[-1][1] : b[0][0]] for a, b in pairwise(spans) if a and b]
    if not between or not all(has_digits(text) for text in between):
        yield claim
        return
    breaks = LineBreaks.of(source)
    for row, span in zip(rows, spans, strict=True):
        line, column = breaks.position(span[0][0]) if span else (claim.line, claim.column)
        yield replace(claim, line=line, column=column, entries=tuple(row))


def _cell(report: Findings, item: Claim | Formula | NotChecked) -> dict[str, int]:
    """The cell of a notebook and the line in it."""
    found = report.cell_at(item.line, item.column)
    return {} if found is None else {"cell": found[0].number, "cell_line": found[1]}


def _claim(claim: Claim, report: Findings, language: str) -> dict[str, Any]:
    cell = _cell(report, claim)
    entries = [_entry(e, language) | cell for e in claim.entries]
    if claim.origin is not None:
        entries = [{"at": claim.place_name(e["row"], e["column"]), **e} for e in entries]
    return {
        "line": claim.line,
        "column": claim.column,
        **cell,
        "subject": claim.subject,
        "text": claim.text,
        "entries": entries,
    }


def _formula(formula: Formula, report: Findings, language: str) -> dict[str, Any]:
    return {
        "line": formula.line,
        "column": formula.column,
        **_cell(report, formula),
        "text": formula.text,
        "verdict": formula.verdict,
        "if": None if formula.condition is None else formula.condition.text(language),
        "right": formula.right,
        "theorem": formula.theorem.text(language),
        "counterexample": _counterexample(formula.counterexample),
    }


def _counterexample(found: Counterexample | None) -> dict[str, Any] | None:
    return None if found is None else {"values": dict(found.values), "left": found.left, "right": found.right}


def _entry(entry: Finding, language: str) -> dict[str, Any]:
    return {
        "row": entry.row,
        "column": entry.column,
        "printed": entry.printed,
        "exact": entry.exact,
        "decimal": entry.decimal,
        "verdict": entry.verdict,
        "because": _because(entry.because, language),
    }


def _because(because: Cause | Reading | None, language: str) -> dict[str, Any] | None:
    if isinstance(because, Cause):
        return {"line": because.line, "subject": because.subject, "row": because.row, "column": because.column}
    if isinstance(because, Reading):
        return {"reading": because.name.text(language)}
    return None
