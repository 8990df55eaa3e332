"""Findings -> an HTML page in one file: the article's own lines, every judged number marked, right values beside wrong.

Nothing is fetched, and all is there without the script, which tells on pointing what a mark says by its title and
lights what a carried number follows from. Marks differ in line and weight, not in colour alone, and say themselves to
those who only hear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape

from symattn.checking import BAD, Cause, Claim, Finding, Findings, Formula, NotChecked
from symattn.pages.findings.sentences import (
    cause_remark,
    cell_of,
    claim_remarks,
    formula_remarks,
    order_claims,
    order_formulas,
    right_value,
    summing_up,
    unchecked_sentences,
)
from symattn.reading.articles.article import Cell
from symattn.writing.prose import Sentence
from symattn.writing.visible import clip, harmless

KINDS = {
    "wrong": "wrong",
    "carried": "carried",
    "last-digit": "near",
    "accepted": "accepted",
    "exact": "right",
    "rounded": "right",
}

SIGNS = {  # of formulas
    "holds": ("right", "✓"),
    "holds-if": ("near", "✓?"),
    "fails": ("wrong-formula", "✗"),
    "accepted": ("accepted", "✗"),
}


def findings_html(report: Findings, language: str = "en") -> str:
    """The section on one file: what is wrong, the lines with their marks, what was not checked."""
    return "\n".join(_Section(report, language).parts()) + "\n"


@dataclass(frozen=True)
class _Mark:
    """What is written in the place of a stretch of a text; an empty stretch is only pointed at."""

    start: int
    end: int
    before: str
    after: str
    bad: bool = False


@dataclass(frozen=True)
class _Section:
    report: Findings
    language: str
    _named: set[tuple[int | None, str, int, int]] = field(default_factory=set)

    def parts(self) -> Iterator[str]:
        report = self.report
        yield f"<section>\n<h2>{_escape(clip(report.path, 200))}</h2>"
        yield f'<p class="sum">{self._say(summing_up(report))}</p>'
        bad = [f"<li>{self._place(c)}{self._told(c)}</li>" for c in order_claims(report)]
        bad += [f"<li>{self._place(each)}{self._told_formula(each)}</li>" for each in order_formulas(report)]
        if bad:
            yield "<ul>" + "\n".join(bad) + "</ul>"
        article = report.article
        yield from self._table() if article is None else self._cells(article.cells) if article.cells else self._lines()
        shown, _ = unchecked_sentences(report)
        if shown:
            count = self._say(Sentence("findings.not_checked"))
            items = []
            for group in shown:
                also = group.also(report)
                text = f" <code>{_escape(clip(group.first.text))}</code>" if group.first.text else ""
                said = self._say(group.first.reason) + (self._say(also) if also else "")
                items.append(f"<li>{self._place(group.first)}{said}{text}</li>")
            yield f"<details>\n<summary>{count}{self._colon}{len(report.not_checked)}</summary>"
            yield f"<ul>{''.join(items)}</ul>\n</details>"
        yield "</section>"

    def _say(self, sentence: Sentence) -> str:
        return _escape(clip(sentence.text(self.language), 400))

    def _listed(self, remarks: Iterable[Sentence]) -> str:
        return Sentence("findings.semicolon").text(self.language).join(map(self._say, remarks))

    def _told(self, claim: Claim) -> str:
        remarks = self._listed(claim_remarks(claim, self.report))
        return f"<code>{_escape(clip(claim.subject))}</code> — {remarks}"

    def _told_formula(self, formula: Formula) -> str:
        remarks = self._listed(formula_remarks(formula))
        return f"<code>{_escape(clip(formula.text, 200))}</code> — {remarks}"

    def _place(self, item: Claim | Formula | NotChecked) -> str:
        cell = cell_of(self.report, item)
        if cell is not None or item.line is None:
            return "" if cell is None else f"{self._say(cell)}{self._colon}"
        said = self._say(Sentence("findings.line", line=item.line))
        return f'<a href="#{self._anchor(item.line)}">{said}</a>{self._colon}'

    @property
    def _colon(self) -> str:
        return Sentence("findings.colon").text(self.language)

    def _anchor(self, line: int) -> str:
        name = "".join(c if c.isalnum() else "-" for c in self.report.path)[-60:]
        return _escape(f"{name}-{line}")

    # --- the article's own lines

    def _lines(self) -> Iterator[str]:
        marks = [m for c in self.report.findings for e in c.entries if e.span and (m := self._mark(c, e, *e.span))]
        starts = self.report.breaks.starts
        for item in self.report.not_checked:
            if item.line is not None and item.column is not None:
                marks.append(self._question(item, starts[item.line - 1] + item.column - 1))
        marks += [self._formula_mark(each, each.span[0]) for each in self.report.formulas if each.span]
        yield _numbered(self.report.source, marks, self._anchor)

    def _cells(self, cells: Sequence[Cell]) -> Iterator[str]:
        entries = [(c, e) for c in self.report.findings for e in c.entries if e.span]
        for cell in cells:
            marks = []
            for claim, entry in entries:
                start, end = (cell.index_at(offset) for offset in (entry.span[0], entry.span[1] - 1))  # type: ignore[index]
                if start is not None and end is not None and (mark := self._mark(claim, entry, start, end + 1)):
                    marks.append(mark)
            if cell.text.text.strip():
                key = "findings.output_of" if cell.output else "findings.cell_of"
                yield f"<h3>{self._say(Sentence(key, cell=cell.number))}</h3>"
                yield _numbered(cell.text.text, marks, None)

    def _mark(self, claim: Claim, entry: Finding, start: int, end: int) -> _Mark | None:
        kind = KINDS.get(entry.verdict, "close")
        said = _escape(Sentence(f"findings.mark.{kind}").text(self.language))
        tag = "del" if kind == "wrong" else "mark"
        title = _escape(self._title(claim, entry, kind))
        joined = "".join(f' {name}="{at}"' for name, at in self._joined(claim, entry))
        before = f'<{tag} class="{kind}" title="{title}"{joined}>'
        if kind in ("right", "close"):
            return _Mark(start, end, before, f"</{tag}>")
        heard = f'<span class="heard"> ({said}) </span>'
        cause = self._causes.get(_key(entry.because)) if isinstance(entry.because, Cause) else None
        link = "" if cause is None else f' <a href="#{cause}" aria-label="{title}">↑</a>'
        right = f"<ins>{_escape(right_value(entry))}{link}</ins>"
        return _Mark(start, end, before, f"</{tag}>{heard}{right}", entry.verdict in BAD)

    def _title(self, claim: Claim, entry: Finding, kind: str) -> str:
        """What is said of a number on pointing: the verdict, what it follows from, the right value."""
        remark = cause_remark(entry, claim, self.report)
        said = (remark or Sentence(f"findings.verdict.{kind}")).text(self.language)
        exact = right_value(entry) if kind not in ("right", "close") else entry.exact
        if exact == entry.printed:
            return said
        return Sentence("findings.with_value", verdict=said, right=clip(exact, 80)).text(self.language)

    @cached_property
    def _causes(self) -> dict[tuple[int | None, str, int, int], str]:
        """An id for each number that others follow from."""
        because = (e.because for c in self.report.findings for e in c.entries)
        keys = dict.fromkeys(_key(cause) for cause in because if isinstance(cause, Cause))
        return {key: f"{self._anchor(0)}-{k}" for k, key in enumerate(keys, 1)}

    def _joined(self, claim: Claim, entry: Finding) -> Iterator[tuple[str, str]]:
        """The id of a number that others follow from, once, and what a number follows from."""
        key = (claim.line, claim.subject, entry.row, entry.column)
        if entry.verdict in ("wrong", "accepted") and key in self._causes and key not in self._named:
            self._named.add(key)
            yield "id", self._causes[key]
        if isinstance(entry.because, Cause):
            yield "data-cause", self._causes[_key(entry.because)]

    def _formula_mark(self, formula: Formula, offset: int) -> _Mark:
        """A sign in front of the formula: ✓, ✗, or ✓? where it holds under a condition."""
        said = _escape(Sentence(f"findings.mark.formula_{formula.verdict}").text(self.language))
        kind, sign = SIGNS[formula.verdict]
        shown = f'<span class="open {kind}" title="{said}">{sign}<span class="heard"> {said} </span></span>'
        return _Mark(offset, offset, shown, "", formula.verdict == "fails")

    def _question(self, item: NotChecked, offset: int) -> _Mark:
        why = _escape(Sentence("findings.not_checked_because", reason=item.reason).text(self.language))
        return _Mark(offset, offset, f'<span class="open" title="{why}">?<span class="heard"> {why} </span></span>', "")

    def _table(self) -> Iterator[str]:
        """The claims of a worksheet, which has no lines of its own."""
        for claim in self.report.findings:
            rows: list[list[str]] = [[""] * claim.shape[1] for _ in range(claim.shape[0])]
            for entry in claim.entries:
                mark = self._mark(claim, entry, 0, 0)
                text = _escape(entry.printed)
                rows[entry.row - 1][entry.column - 1] = f"{mark.before}{text}{mark.after}" if mark else text
            body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
            yield f"<h3><code>{_escape(clip(claim.subject))}</code></h3>\n<table>{body}</table>"


def _escape(text: str) -> str:
    """Somebody's words within a page: without markup, and with nothing that steers or turns a line about."""
    return escape(harmless(text))


def _key(cause: Cause) -> tuple[int | None, str, int, int]:
    return cause.line, cause.subject, cause.row, cause.column


def _numbered(text: str, marks: Sequence[_Mark], anchor: Callable[[int], str] | None) -> str:
    """The lines of a text as a list that counts them, with the marks that do not overlap others."""
    waiting = sorted(marks, key=lambda m: (m.start, m.end))[::-1]
    out, at = [], 0
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        stop, done, said, bad = at + len(line), at, [], False
        while waiting and waiting[-1].start <= stop:
            mark = waiting.pop()
            if done <= mark.start and mark.end <= stop:
                said += [
                    _escape(text[done : mark.start]),
                    mark.before,
                    _escape(text[mark.start : mark.end]),
                    mark.after,
                ]
                done, bad = mark.end, bad or mark.bad
        said.append(_escape(text[done:stop].rstrip("\r")))
        name = f' id="{anchor(number)}"' if anchor is not None and (bad or len(said) > 1) else ""
        out.append(f"<li{name}{' class=bad' if bad else ''}>{''.join(said)}</li>")
        at = stop + 1
    return '<ol class="lines">' + "\n".join(out) + "</ol>"
