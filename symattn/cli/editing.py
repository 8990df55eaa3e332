"""What an editor is told of an article: its problems, and the edits that correct them. Plain data in and out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from symattn.api.check import Report, check_article
from symattn.checking.acceptance import accept
from symattn.checking.corrections import correct
from symattn.errors import SymattnError
from symattn.pages.problems import find_problems
from symattn.reading.articles.article import LineBreaks
from symattn.reading.settings import find_settings

Edit = dict[str, Any]  # start and end, [line, column] from 1, and text


def work(task: dict[str, Any]) -> dict[str, Any]:
    """The problems of a text, or with "line" and "column" the edits that correct the number there and all numbers.

    What cannot be read is told by "error".
    """
    path, text = task["path"], task["text"]
    try:
        settings = find_settings(os.path.dirname(path))
        report = accept(check_article(path, text), settings.accepted_in(path))
        language = settings.language or "en"
        if "line" not in task:
            return {"problems": [asdict(p) | {"severity": p.severity} for p in find_problems(report, language)]}
        return {"language": language, "fixes": [*_corrections(report, task["line"], task["column"])]}
    except SymattnError as error:
        return {"error": error.text("en")}


def _corrections(report: Report, line: int, column: int) -> Iterator[dict[str, Any]]:
    """The correction of the number at a place with all that follows from it; that of a formula; that of all numbers."""
    told: list[list[Edit]] = []
    for formula in report.failing:
        at = formula.span
        if at is None or formula.right is None or report.source[slice(*at)] != formula.text:
            continue
        if report.breaks.position(at[0]) == (line, column):
            places = [list(report.breaks.position(offset)) for offset in at]
            edit = {"start": places[0], "end": places[1], "text": formula.right}
            yield {"kind": "formula", "printed": formula.text, "right": formula.right, "edits": [edit]}
    for claim in report.findings:
        for entry in claim.bad:
            if entry.span is not None and report.breaks.position(entry.span[0]) == (line, column):
                edits = find_edits(report.source, correct(report, [(claim, entry)]).source)
                if edits:
                    told.append(edits)
                    yield {"kind": "number", "printed": entry.printed, "right": entry.correction, "edits": edits}
    if any(claim.bad for claim in report.findings):
        edits = find_edits(report.source, correct(report).source)
        if edits and edits not in told:
            yield {"kind": "all", "edits": edits}


def find_edits(before: str, after: str) -> list[Edit]:
    """What to put where, line by line, to turn one text into another that has as many lines.

    >>> find_edits("a 400\\nb", "a 410\\nb")
    [{'start': [1, 4], 'end': [1, 5], 'text': '1'}]
    """
    old, new = before.split("\n"), after.split("\n")
    if len(old) != len(new):
        end = LineBreaks.of(before).position(len(before))
        return [{"start": [1, 1], "end": list(end), "text": after}]
    edits = []
    for number, (was, now) in enumerate(zip(old, new, strict=True), 1):
        if was != now:
            head = _common(was, now)
            tail = _common(was[head:][::-1], now[head:][::-1])
            text = now[head : len(now) - tail]
            edits.append({"start": [number, head + 1], "end": [number, len(was) - tail + 1], "text": text})
    return edits


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((k for k, (a, b) in pairs if a != b), min(len(one), len(other)))
