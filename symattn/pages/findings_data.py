"""Findings -> the JSON of the contract, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symattn.checking import Cause, Claim, Finding, Reading, Report


def findings_json(reports: Sequence[Report], language: str = "en") -> dict[str, Any]:
    """All reports as data."""
    return {"files": [_file(r, language) for r in reports]}


def _file(report: Report, language: str) -> dict[str, Any]:
    return {
        "path": report.path,
        "summary": report.summary,
        "claims": [_claim(c, language) for c in report.findings],
        "not_checked": [
            {"line": n.line, "column": n.column, "text": n.text, "reason": n.reason.text(language)}
            for n in report.not_checked
        ],
    }


def _claim(claim: Claim, language: str) -> dict[str, Any]:
    return {
        "line": claim.line,
        "column": claim.column,
        "subject": claim.subject,
        "text": claim.text,
        "entries": [_entry(e, language) for e in claim.entries],
    }


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
