"""What an editor is told of an article: its problems, and the edits that correct them. Plain data in and out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from symattn.api.check import Report, check_article
from symattn.checking.acceptance import accept
from symattn.checking.patch.corrections import correct
from symattn.cli.open_article import Notebook, PlainText
from symattn.errors import SymattnError
from symattn.pages.findings.problems import find_problems
from symattn.reading.settings import find_settings


def work(task: dict[str, Any]) -> dict[str, Any]:
    """The problems of a "text" or of "cells", or with "place" the edits that correct the number there and all numbers.

    What cannot be read is told by "error".
    """
    path = task["path"]
    article = Notebook(task["cells"]) if "cells" in task else PlainText(task["text"])
    try:
        settings = find_settings(os.path.dirname(path))
        report = accept(check_article(path, article.source), settings.accepted_in(path))
        language = settings.language or "en"
        if "place" not in task:
            found = (asdict(p) | {"severity": p.severity} for p in find_problems(report, language))
            return {"problems": [p | {end: article.place(*p[end]) for end in ("start", "end")} for p in found]}
        return {"language": language, "fixes": [*_corrections(article, report, task["place"])]}
    except SymattnError as error:
        return {"error": error.text("en")}


def _corrections(article: PlainText, report: Report, place: list[int]) -> Iterator[dict[str, Any]]:
    """The correction of the number at a place with all that follows from it; that of a formula; that of all numbers."""
    told: list[list[dict[str, Any]]] = []
    for formula in report.failing:
        at = formula.span
        if at is None or formula.right is None or article.said(report.source[slice(*at)]) != formula.text:
            continue
        (part, *start), (_, *end) = (article.place(*report.breaks.position(offset)) for offset in at)
        if [part, *start] == place:
            edit = {"part": part, "start": start, "end": end, "text": formula.right}
            yield {"kind": "formula", "printed": formula.text, "right": formula.right, "edits": [edit]}
    for claim in report.findings:
        for entry in claim.bad:
            if entry.span is not None and article.place(*report.breaks.position(entry.span[0])) == place:
                edits = article.edits(correct(report, [(claim, entry)]).source)
                if edits:
                    told.append(edits)
                    yield {"kind": "number", "printed": entry.printed, "right": entry.correction, "edits": edits}
    if any(claim.bad for claim in report.findings):
        edits = article.edits(correct(report).source)
        if edits and edits not in told:
            yield {"kind": "all", "edits": edits}
