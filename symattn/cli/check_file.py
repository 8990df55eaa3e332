"""One file of `symattn check`: its report as it is to be written.

All that is heavy is loaded here, by the process that does it.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace

from symattn.api.check import Report, check_article, check_spreadsheet, check_worksheet
from symattn.checking.acceptance import accept
from symattn.cli.outcome import CheckOptions, Outcome, fail
from symattn.errors import InputError, SymattnError
from symattn.pages.findings.annotations import annotate
from symattn.pages.findings.html import findings_html
from symattn.pages.findings.problems import find_problems
from symattn.pages.findings.sarif import sarif_results
from symattn.pages.findings.sentences import nothing_judged
from symattn.reading.articles import load
from symattn.reading.settings import find_settings
from symattn.writing.prose import Sentence
from symattn.writing.visible import one_line

SPREADSHEETS = (".xlsx", ".xlsm")


def check_file(path: str, options: CheckOptions) -> Outcome:
    """Check one file, whatever it holds; what goes wrong is one line among the complaints."""
    try:
        if os.path.isdir(path):
            raise InputError(Sentence("no_article_inside"), place=path)
        if path.lower().endswith(".toml"):
            report = check_worksheet(path)
            return replace(_write(report, options), files=report.files)
        if path.lower().endswith(SPREADSHEETS):
            return _write(check_spreadsheet(path), options)
        settings = find_settings("" if path == "-" else os.path.dirname(path))
        return _write(accept(check_article(path, load(path)), settings.accepted_in(path)), options)
    except SymattnError as error:
        return fail(error.text(options.language))
    except MemoryError:
        return fail(f"{path}: {Sentence('too_large').text(options.language)}")
    except Exception as error:  # a fault of ours: the other files are still checked
        return fail(f"{path}: {Sentence('check_failed', kind=type(error).__name__).text(options.language)}")


def _write(audit: Report, options: CheckOptions) -> Outcome:
    verdict = "bad" if not audit.clean else "clean" if audit.summary or audit.formulas else "unjudged"
    if options.target == "patch":
        diff, notes = audit.patched()
        if verdict == "unjudged" and options.alone:
            notes = [(audit.path, nothing_judged(audit.path))]
        return Outcome(diff, verdict, tuple(one_line(f"{at}: {said.text(options.language)}") for at, said in notes))
    if options.target == "json":
        return Outcome(json.dumps(audit.to_json(language=options.language), ensure_ascii=False, indent=1), verdict)
    if options.target == "sarif":
        return Outcome(sarif_results(audit.path, find_problems(audit, options.language)), verdict)
    if options.target == "github":
        return Outcome(annotate(audit.path, find_problems(audit, options.language)), verdict)
    if options.target == "html":
        return Outcome(findings_html(audit, options.language), verdict)
    if options.target == "markdown":
        page = audit.to_markdown(language=options.language, verbose=options.verbose, fragment=True)
        return Outcome(page, verdict)
    text = audit.to_text(language=options.language, verbose=options.verbose, colour=options.colour)
    return Outcome(text, verdict)
