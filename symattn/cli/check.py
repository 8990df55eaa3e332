"""The `check` command: many files, each for itself, on all cores; one report after the other, in order.

Results are written as they come and then forgotten, so memory does not grow with the number of files.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import IO, Any

from symattn.api.check import Report, check_article, check_worksheet
from symattn.cli.complaint import complain
from symattn.errors import SymattnError
from symattn.pages.findings_html import findings_html, html_closing, html_opening
from symattn.pages.findings_text import files_line, visible
from symattn.writing.prose import Sentence

FEW = 8  # files that one process checks sooner than several would start


@dataclass(frozen=True)
class CheckOptions:
    """How the findings are to be written."""

    target: str  # text, markdown, html, json or patch
    language: str = "en"
    verbose: bool = False
    colour: bool = False


@dataclass(frozen=True)
class Outcome:
    """One file's report as it is to be written, and what it amounts to."""

    text: str
    verdict: str  # bad, clean, unjudged; failed where there is no report
    complaints: tuple[str, ...] = ()


def check(options: argparse.Namespace) -> int:
    """Check files as the command line asks for."""
    if options.patch and (options.json or options.to):
        return complain("check: --patch prints a diff alone; leave out --json and --to")
    if options.json and options.to not in (None, "json"):
        return complain(f"check: --json and --to {options.to} exclude each other; leave one out")
    target = "patch" if options.patch else "json" if options.json else options.to or "text"
    colour = target == "text" and wants_colour(sys.stdout)
    return check_files(options.files, CheckOptions(target, options.language, options.verbose, colour))


def check_files(paths: Sequence[str], options: CheckOptions) -> int:
    """Check the files and write their reports: 0 nothing wrong, 1 something wrong, 2 a file could not be used."""
    verdicts: list[str] = []
    if isinstance(sys.stdout, io.TextIOWrapper):  # any article's words and any file's name can be written
        sys.stdout.reconfigure(
            encoding="utf-8", errors="surrogateescape" if options.target == "patch" else "backslashreplace"
        )
    write = sys.stdout.write
    between = _opening(options, write)
    shows_progress = len(paths) > FEW and sys.stderr.isatty()
    for outcome in _outcomes(paths, options):
        verdicts.append(outcome.verdict)
        if shows_progress:
            sys.stderr.write("\r\x1b[K")
        for line in outcome.complaints:
            print("symattn: " + line, file=sys.stderr)
        if outcome.text:
            write(between + outcome.text)
            between = ",\n" if options.target == "json" else "\n" if options.target in ("text", "markdown") else ""
        if shows_progress and len(verdicts) < len(paths):
            said = Sentence("findings.progress", done=len(verdicts), all=len(paths)).text(options.language)
            sys.stderr.write(said)
            sys.stderr.flush()
    _closing(options, verdicts, write)
    return 2 if "failed" in verdicts else int("bad" in verdicts)


def _opening(options: CheckOptions, write: Any) -> str:
    if options.target == "json":
        write('{"files": [')
    elif options.target == "html":
        write(html_opening(options.language))
    elif options.target == "markdown":
        write(f"# {Sentence('findings.title').text(options.language)}\n\n")
    return "\n" if options.target == "json" else ""


def _closing(options: CheckOptions, verdicts: list[str], write: Any) -> None:
    if options.target == "json":
        write("\n]}\n" if set(verdicts) - {"failed"} else "]}\n")
    elif options.target != "patch" and len(verdicts) > 1:
        failed = verdicts.count("failed")
        line = files_line([v for v in verdicts if v != "failed"], failed).text(options.language)
        write(f"<p>{line}</p>\n" if options.target == "html" else f"\n{line}\n")
    if options.target == "html":
        write(html_closing(options.language))


def _outcomes(paths: Sequence[str], options: CheckOptions) -> Iterator[Outcome]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if len(paths) <= FEW or cores == 1:
        yield from (check_file(path, options) for path in paths)
        return
    with ProcessPoolExecutor(min(cores, len(paths))) as pool:
        try:
            yield from _in_order(pool, paths, options, ahead=8 * cores)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _in_order(pool: ProcessPoolExecutor, paths: Sequence[str], options: CheckOptions, ahead: int) -> Iterator[Outcome]:
    """Outcomes in the order of the paths, never more than `ahead` of them at once."""
    waiting: deque[tuple[str, Future[Outcome] | None]] = deque()
    for path in paths:
        waiting.append((path, _submit(pool, path, options)))
        if len(waiting) >= ahead:
            yield _result(*waiting.popleft(), options)
    while waiting:
        yield _result(*waiting.popleft(), options)


def _submit(pool: ProcessPoolExecutor, path: str, options: CheckOptions) -> Future[Outcome] | None:
    if path == "-":
        return None  # standard input is this process's own
    try:
        return pool.submit(check_file, path, options)
    except BrokenProcessPool as error:
        failed: Future[Outcome] = Future()
        failed.set_exception(error)
        return failed


def _result(path: str, future: Future[Outcome] | None, options: CheckOptions) -> Outcome:
    try:
        return check_file(path, options) if future is None else future.result()
    except BrokenProcessPool:
        return _fail(f"{path}: {Sentence('check_stopped').text(options.language)}")


def check_file(path: str, options: CheckOptions) -> Outcome:
    """Check one file, whatever it holds; what goes wrong is one line among the complaints."""
    try:
        audit = check_worksheet(path) if path.lower().endswith(".toml") else check_article(path)
        return _write(audit, options)
    except SymattnError as error:
        return _fail(error.text(options.language))
    except Exception as error:  # a fault of ours: the other files are still checked
        return _fail(f"{path}: {Sentence('check_failed', kind=type(error).__name__).text(options.language)}")


def _write(audit: Report, options: CheckOptions) -> Outcome:
    verdict = "bad" if not audit.clean else "clean" if audit.summary or audit.formulas else "unjudged"
    if options.target == "patch":
        diff, notes = audit.patched()
        return Outcome(diff, verdict, tuple(_line(f"{at}: {said.text(options.language)}") for at, said in notes))
    if options.target == "json":
        return Outcome(json.dumps(audit.to_json(language=options.language), ensure_ascii=False, indent=1), verdict)
    if options.target == "html":
        return Outcome(findings_html(audit, options.language), verdict)
    if options.target == "markdown":
        page = audit.to_markdown(language=options.language, verbose=options.verbose, fragment=True)
        return Outcome(page, verdict)
    text = audit.to_text(language=options.language, verbose=options.verbose, colour=options.colour)
    return Outcome(text, verdict)


def _fail(line: str) -> Outcome:
    return Outcome("", "failed", (_line(line),))


def _line(text: str) -> str:
    return visible(" ".join(text.split()))


def wants_colour(stream: IO[str]) -> bool:
    """Only on a terminal, and not where NO_COLOR asks for none."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
