"""Findings -> the report for a terminal: each claim as printed, wrong entries in [brackets], carried in (parentheses).

What an article says is shown as it stands, save for control characters, so that it cannot steer a terminal.
"""

from __future__ import annotations

from collections.abc import Iterator

from symattn.checking import BAD, Claim, Finding, Findings, Formula, NotChecked
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
from symattn.writing.prose import Sentence
from symattn.writing.visible import clip, columns, visible

MARKS = {"wrong": ("[", "]"), "carried": ("(", ")")}
COLOURS = {"wrong": "\x1b[1;31m", "carried": "\x1b[33m"}
PLAIN = "\x1b[0m"
WIDEST = 100
MOST_ROWS = 24


def findings_text(report: Findings, language: str = "en", *, verbose: bool = False, colour: bool = False) -> str:
    """The report on one file; `verbose` shows the claims that are right too, and all that was not checked."""
    lines: list[str] = []
    for claim in order_claims(report, every=verbose):
        lines += [f"{_place(report, claim, language)}  {clip(claim.subject)}", *_matrix(claim, colour)]
        lines += ["  " + say(remark, language) for remark in claim_remarks(claim, report)]
    for formula in order_formulas(report, every=verbose):
        lines.append(f"{_place(report, formula, language)}  {clip(formula.text, WIDEST)}")
        lines += ["  " + say(remark, language) for remark in formula_remarks(formula)]
    shown, left = unchecked_sentences(report, every=verbose)
    lines += [_unchecked_lines(report, n, language) for n in shown]
    if left:
        lines.append(say(Sentence("findings.more_unchecked", count=left), language))
    lines.append(f"{visible(report.path)}: {say(summing_up(report), language)}")
    return "\n".join(lines) + "\n"


def say(sentence: Sentence, language: str) -> str:
    return visible(sentence.text(language))


def _place(report: Findings, item: Claim | Formula | NotChecked, language: str) -> str:
    place = visible(report.path) if item.line is None else f"{visible(report.path)}:{item.line}:{item.column}"
    cell = cell_of(report, item)
    return place if cell is None else f"{place} ({cell.text(language)})"


def _unchecked_lines(report: Findings, group: Unchecked, language: str) -> str:
    item, also = group.first, group.also(report)
    because = say(Sentence("findings.not_checked_because", reason=item.reason), language)
    text = clip(item.text)
    return (
        f"{_place(report, item, language)}  {because}"
        + (f"  ({text})" if text else "")
        + (say(also, language) if also else "")
    )


def _matrix(claim: Claim, colour: bool) -> Iterator[str]:
    """The rows as printed, the right values of the marked entries beside them."""
    rows, count = claim.shape
    table: list[dict[int, Finding]] = [{} for _ in range(rows)]  # what is left out, `…`, has no entry
    for entry in claim.entries:
        table[entry.row - 1][entry.column - 1] = entry
    widths = [max((columns(clip(row[j].printed)) for row in table if j in row), default=0) for j in range(count)]
    fits = 2 + sum(w + 3 for w in widths) <= WIDEST
    shown = (
        [row for row in table if not claim.bad or any(e.verdict in BAD for e in row.values())]
        if rows > MOST_ROWS
        else table
    )
    for row in shown[:MOST_ROWS]:
        bad = [e for e in row.values() if e.verdict in BAD]
        if not fits:  # the marked entries alone
            yield from (f"  ({e.row},{e.column}) {_cell(e, 0, colour)}  {e.decimal}" for e in bad[:MOST_ROWS])
            continue
        cells = " ".join(_cell(row[j], w, colour) if j in row else " " * (w + 2) for j, w in enumerate(widths))
        yield (" " + cells + "   " + "  ".join(clip(e.decimal) for e in bad)).rstrip()
    if len(shown) < rows or len(shown) > MOST_ROWS:
        yield "  ⋮"


def _cell(entry: Finding, width: int, colour: bool) -> str:
    left, right = MARKS.get(entry.verdict, (" ", " "))
    text = f"{left}{clip(entry.printed)}{right}"
    padding = " " * (width + 2 - columns(text))
    if colour and entry.verdict in COLOURS:
        text = COLOURS[entry.verdict] + text + PLAIN
    return padding + text
