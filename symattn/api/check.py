"""The face that users hold of a check: the report on one article or worksheet, which prints and renders itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from symattn import checking
from symattn.api.derivation import derive
from symattn.api.page import Page
from symattn.checking import Findings, judge_claims
from symattn.checking.patch.corrections import correct, patch_notes, unified_diff, where_to_apply
from symattn.checking.spreadsheets import check_book
from symattn.errors import InputError, Placed, SymattnError
from symattn.pages.findings.data import findings_json
from symattn.pages.findings.document import findings_document
from symattn.pages.findings.frame import html_closing, html_opening
from symattn.pages.findings.html import findings_html
from symattn.pages.findings.text import findings_text
from symattn.reading.articles import load, read_article
from symattn.reading.spreadsheets.workbook import read_book
from symattn.reading.worksheets.worksheet import parse_worksheet, read_text
from symattn.writing.choices import choice
from symattn.writing.document import Document
from symattn.writing.prose import LANGUAGES, Sentence

Place = str | os.PathLike[str]


@dataclass(frozen=True)
class Report(Findings, Page):
    """What the checker says of one file: `.findings`, `.not_checked`, `.summary`; str() is the report in full."""

    files: tuple[str, ...] = field(default=(), repr=False)  # beside its own that it was read from

    def document(self, *, verbose: bool = False) -> Document:
        """The report as a page; `verbose` adds what is right."""
        return findings_document([self], verbose=verbose)

    def to(
        self,
        target: str,
        *,
        language: str = "en",
        fragment: bool = False,
        verbose: bool = False,
        colour: bool = False,
        **options: Any,
    ) -> str:
        """As of every page; but text is for a terminal, in `colour` on request, and a whole page of HTML shows the
        article's own lines with marks."""
        choice("language", language, LANGUAGES)
        if target == "text":
            return findings_text(self, language, verbose=verbose, colour=colour)
        if target == "html" and not fragment:
            return html_opening(language) + findings_html(self, language) + html_closing(language)
        return super().to(target, language=language, fragment=fragment, verbose=verbose, **options)

    def to_json(self, *, language: str = "en") -> dict[str, Any]:
        """The report as plain data for JSON, as in `symattn check --json`."""
        files: list[dict[str, Any]] = findings_json([self], language)["files"]
        return files[0]

    def patch(self) -> tuple[str, list[str]]:
        """A unified diff that corrects the wrong digits in place, and what it leaves wrong, in words.

        `patch -p1` applies it in the current folder; for a file elsewhere the words begin with how.

        Write it as UTF-8 with `errors="surrogateescape"`: of a file in UTF-16 it holds the bytes.

        >>> print(check_article("$2 + 3 = 6$\\n").patch()[0].splitlines()[-1])
        +$2 + 3 = 5$
        """
        diff, notes = self.patched()
        return diff, [f"{place}: {sentence}" for place, sentence in notes]

    def patched(self) -> tuple[str, list[tuple[str, Sentence]]]:
        """The diff, and for what it leaves wrong the place with a sentence; before it where to apply the diff, if that
        is not the current folder."""
        if self.clean:
            return "", []
        if self.article is None:
            spreadsheet = any(claim.origin for claim in self.findings)
            return "", [(self.path, Sentence("patch_spreadsheet" if spreadsheet else "patch_worksheet"))]
        correction = correct(self)
        diff = unified_diff(self.path, self.article.source, correction.source, self.article.encoding)
        elsewhere = where_to_apply(self.path) if diff else None
        notes = [(self.path, elsewhere)] if elsewhere else []
        return diff, notes + list(_with_place(self.path, patch_notes(correction)))

    def __str__(self) -> str:
        return self.to_text()


def _with_place(path: str, notes: Iterator[tuple[int | None, int | None, Sentence]]) -> Iterator[tuple[str, Sentence]]:
    for line, column, sentence in notes:
        yield (path if line is None else f"{path}:{line}:{column}"), sentence


def check_article(article: Place, source: str | bytes | None = None) -> Report:
    """Judge every printed number of an article that is claimed of a formula: a path (`-` is standard input) or a text.

    A string with a line break is the text itself; `source` gives that of a path. Raises InputError, with the place,
    for what cannot be read.

    >>> print(check_article("Then $2 + 3 = 6$.\\n"), end="")
    text:1:15  2 + 3
     [6]   5
      wrong: it is 5
    text: 1 number wrong at line 1
    """
    report = checking.check_article(read_article(article, source))
    return Report(report.path, report.findings, report.not_checked, report.article, report.formulas)


def check_worksheet(path: Place) -> Report:
    """Judge the claims of a worksheet against the steps of its derivation. Raises InputError with the key path.

    A worksheet without claims has nothing to judge, and its report says so.

    >>> import tempfile
    >>> text = '[inputs]\\nscaled = [[0, 0]]\\n[claims]\\nweights = [[0.5, 0.4]]\\n'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(f"{folder}/sheet.toml").write_text(text, encoding="utf-8")
    ...     check_worksheet(f"{folder}/sheet.toml").summary["wrong"]
    1
    """
    place = os.fspath(path)
    with Placed(place):
        sheet = parse_worksheet(read_text(Path(path)), Path(path).parent)
        derivation = derive(sheet.expression, sheet.values)
        if sheet.claims and derivation.symbolic:
            raise InputError(Sentence("claim_symbolic"), place="claims")
        values = (derivation.program, derivation.given, derivation.sizes)
        found = judge_claims(sheet.claims, *values) if sheet.claims else ()
    return Report(place, found, (), files=sheet.files)


def check_spreadsheet(path: Place) -> Report:
    """Judge the numbers that the formulas of an .xlsx file show against what follows exactly from those typed in.

    What a formula gives is judged at the digits that its cell's format shows. It needs the extra `sheets`. Raises
    InputError for what is no spreadsheet, holds macros or unpacks to too much.

    >>> check_spreadsheet("none.xlsx")
    Traceback (most recent call last):
    symattn.errors.InputError: none.xlsx: no such file; give the path of an article, or - for a pasted text
    """
    place = os.fspath(path)
    try:
        report = check_book(place, read_book(load(place)))
    except SymattnError as error:
        raise error if (error.place or "").startswith(place) else error.at(place) from None
    return Report(report.path, report.findings, report.not_checked)
