"""Findings -> the article with its wrong digits corrected in place, and the difference as a patch."""

from __future__ import annotations

import difflib
import html
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from symattn.checking import BAD, Claim, Finding, Report
from symattn.prose import Sentence

Recheck = Callable[[str], Report]
MOST_ROUNDS = 4


@dataclass(frozen=True)
class Correction:
    """A source with right digits in it, and the numbers that had to stay as they are."""

    source: str
    left: tuple[tuple[Claim, Finding], ...]
    report: Report  # what the checker says of the corrected source


def correct(report: Report, recheck: Recheck) -> Correction:
    """Put the right digits in the place of the wrong ones, until the checker finds no more to correct.

    `recheck` reads and judges a source. A number whose place is not certain, or that stands in several places of
    the mathematics at once (a macro), stays as it is.
    """
    left: list[tuple[Claim, Finding]] = []
    for _ in range(MOST_ROUNDS):
        edits, left = _edits(report)
        if not edits:
            break
        report = recheck(_edited(report.source, edits))
    return Correction(report.source, tuple(left), report)


def _edits(report: Report) -> tuple[dict[tuple[int, int], str], list[tuple[Claim, Finding]]]:
    """New text for stretches of the source, and the wrong numbers without one."""
    found = [(claim, entry) for claim in report.findings for entry in claim.bad]
    wanted: dict[tuple[int, int], set[str | None]] = {entry.span: set() for _, entry in found if entry.span}
    for claim in report.findings:
        for entry in claim.entries:
            if entry.span in wanted:
                wanted[entry.span].add(_replacement(claim, entry, report))
    edits: dict[tuple[int, int], str] = {}
    for span, texts in sorted(wanted.items()):
        (text, *others) = texts
        if not others and text is not None and (not edits or span[0] >= list(edits)[-1][1]):
            edits[span] = text
    return edits, [(c, e) for c, e in found if e.span not in edits]


def _replacement(claim: Claim, entry: Finding, report: Report) -> str | None:
    """The right digits as the source has to spell them; None where that is not certain."""
    assert entry.span is not None
    there = report.source[slice(*entry.span)]
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


def _edited(source: str, edits: dict[tuple[int, int], str]) -> str:
    parts, done = [], 0
    for (start, end), text in edits.items():
        parts += [source[done:start], text]
        done = end
    return "".join([*parts, source[done:]])


def unified_diff(path: str, before: str, after: str) -> str:
    """The difference as `patch -p1` and `git apply` read it; empty where there is none.

    >>> print(unified_diff("a.md", "1\\n2\\n", "1\\n3\\n"), end="")
    --- a/a.md
    +++ b/a.md
    @@ -1,2 +1,2 @@
     1
    -2
    +3
    """
    name = " ".join(path.lstrip("/").split())
    lines = difflib.unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(source: str) -> list[str]:
    """Lines as `patch` counts them: nothing but a line feed ends one."""
    lines = source.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def patch_notes(correction: Correction) -> Iterator[tuple[int | None, int | None, Sentence]]:
    """What the patch leaves wrong: line, column and a sentence for each."""
    for claim, entry in correction.left:
        yield claim.line, claim.column, Sentence("patch_left", printed=entry.printed, right=entry.decimal)
    still = sum(len(claim.bad) for claim in correction.report.findings) - len(correction.left)
    if still > 0:
        yield None, None, Sentence("patch_still_wrong", count=still)
