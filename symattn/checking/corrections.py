"""Findings -> the article with its wrong digits corrected in place, and the difference as a patch."""

from __future__ import annotations

import difflib
import html
import json
from collections.abc import Iterator
from dataclasses import dataclass

from symattn.checking import BAD, Claim, Finding, Report, check_article
from symattn.checking.repeats import edit_twins, find_copies
from symattn.reading.articles import read_article
from symattn.writing.prose import Sentence

Span = tuple[int, int]
MOST_ROUNDS = 4


@dataclass(frozen=True)
class Correction:
    """A source with right digits in it, and the numbers that had to stay as they are."""

    source: str
    left: tuple[tuple[Claim, Finding], ...]
    report: Report  # what the checker says of the corrected source


def correct(report: Report) -> Correction:
    """Put the right digits in the place of the wrong ones, until the checker finds no more to correct.

    A wrong number that is copied into later arithmetic (400/1.414) is corrected there too. One whose place is not
    certain, or that stands in several places of the mathematics at once (a macro), stays as it is.
    """
    left: list[tuple[Claim, Finding]] = []
    for _ in range(MOST_ROUNDS):
        edits, left = _edits(report)
        if not edits:
            break
        source = _edited(report.source, edits)
        report = check_article(read_article(report.path, source))
    return Correction(report.source, tuple(left), report)


def _edits(report: Report) -> tuple[dict[Span, str], list[tuple[Claim, Finding]]]:
    """New text for stretches of the source, and the wrong numbers without one."""
    found = [(claim, entry) for claim in report.findings for entry in claim.bad]
    if not found:
        return {}, []
    article = read_article(report.path, report.source)
    wanted: dict[Span, set[str | None]] = {entry.span: set() for _, entry in found if entry.span}
    for claim in report.findings:
        for entry in claim.entries:
            if entry.span in wanted:
                wanted[entry.span].add(_replacement(claim, entry, entry.span, report))
    if wanted:
        for claim, entry, span in find_copies(report, article):
            wanted.setdefault(span, set()).add(_replacement(claim, entry, span, report))
    edits: dict[Span, str] = {}
    end = 0
    for span, texts in sorted(wanted.items()):
        (text, *others) = texts
        if not others and text is not None and span[0] >= end:
            edits[span] = text
            end = span[1]
    edits = edit_twins(article, edits)
    return edits, [(c, e) for c, e in found if e.span not in edits]


def _replacement(claim: Claim, entry: Finding, span: Span, report: Report) -> str | None:
    """The right digits as the source has to spell them; None where that is not certain."""
    there = report.source[slice(*span)]
    if entry.verdict not in BAD:
        return there
    right = entry.decimal
    if right == "-inf":
        right = r"-\\infty" if "\\" in claim.text else "-inf"
    elif any(c in entry.printed for c in "∞f"):
        return None  # a number for an infinity: with how many digits, nobody has said
    for spell in (_in_json, _in_json_ascii) if report.path.lower().endswith(".ipynb") else (str,):
        printed = spell(entry.printed)
        if there == printed:
            return spell(right)
        if there.endswith(printed) and there[: -len(printed)].strip() in (r"\approx", "~", r"\sim", "≈", r"\\approx"):
            return there[: -len(printed)] + spell(right)
    if html.unescape(there) == entry.printed and html.escape(right) == right:
        return right
    return None


def _in_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _in_json_ascii(text: str) -> str:
    return json.dumps(text)[1:-1]


def _edited(source: str, edits: dict[Span, str]) -> str:
    parts, done = [], 0
    for (start, end), text in edits.items():
        parts += [source[done:start], text]
        done = end
    return "".join([*parts, source[done:]])


def unified_diff(path: str, before: str, after: str, encoding: str = "utf-8") -> str:
    """The difference as `patch -p1` and `git apply` read it; empty where there is none.

    These compare bytes, so the lines of a file in UTF-16 are its bytes, whatever they look like as UTF-8.

    >>> print(unified_diff("a.md", "1\\n2\\n", "1\\n3\\n"), end="")
    --- a/a.md
    +++ b/a.md
    @@ -1,2 +1,2 @@
     1
    -2
    +3
    """
    name = " ".join(path.lstrip("/").split())
    if encoding != "utf-8":
        before, after = (text.encode(encoding).decode("utf-8", "surrogateescape") for text in (before, after))
    lines = difflib.unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(source: str) -> list[str]:
    """Lines as `patch` counts them: nothing but a line feed ends one."""
    lines = source.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def patch_notes(report: Report, correction: Correction) -> Iterator[tuple[int | None, int | None, Sentence]]:
    """What the patch leaves wrong or unreadable: line, column and a sentence for each."""
    for claim, entry in correction.left:
        yield claim.line, claim.column, Sentence("patch_left", printed=entry.printed, right=entry.decimal)
    still = sum(len(claim.bad) for claim in correction.report.findings) - len(correction.left)
    if still > 0:
        yield None, None, Sentence("patch_still_wrong", count=still)
    lost = sum(report.summary.values()) - sum(correction.report.summary.values())
    if lost > 0:
        yield None, None, Sentence("patch_lost", count=lost)
