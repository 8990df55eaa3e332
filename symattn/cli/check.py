"""The `check` command: many files, each for itself, on all cores; one report after the other, in order.

Results are written as they come and then forgotten, so memory does not grow with the number of files.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from symattn.cli import workers
from symattn.cli.complaint import complain, drop, exceeded
from symattn.cli.outcome import CheckOptions, Outcome, fail
from symattn.errors import InputError
from symattn.pages.findings.annotations import annotate_line
from symattn.pages.findings.frame import files_line, html_closing, html_opening, is_report
from symattn.pages.findings.sarif import sarif_closing, sarif_opening
from symattn.reading.settings import articles_in, find_settings
from symattn.writing.files import by_suffix, replace_file, same_file
from symattn.writing.prose import Sentence

BETWEEN = {"json": ",\n", "sarif": ",\n", "text": "\n", "markdown": "\n"}  # reports
BY_SUFFIX = {".txt": "text", ".md": "markdown", ".markdown": "markdown", ".html": "html", ".htm": "html"}
BY_SUFFIX |= {".json": "json", ".sarif": "sarif", ".patch": "patch", ".diff": "patch"}
FEW = 8  # files whose checking is over before a line of progress is read


def check(options: argparse.Namespace) -> int:
    """Check files as the command line asks for."""
    if options.patch and options.to:
        return complain("check: --patch prints a diff alone; leave out --json and --to")
    settings = find_settings()
    files = _named(options.files, options.output) or _without(options.output, settings.articles())
    language = options.language or settings.language or "en"
    if not files:
        return complain(Sentence("check_what").text(language))
    target = (
        "patch"
        if options.patch
        else options.to or ("text" if options.output is None else by_suffix(options.output, BY_SUFFIX))
    )
    colour = target == "text" and options.output is None and wants_colour(sys.stdout)
    asked = CheckOptions(target, language, options.verbose, colour, len(files) == 1)
    if options.guarded:
        outcomes = _guarded(files, asked, options.max_seconds, options.max_memory)
    else:
        outcomes = _outcomes(files, asked)
    if options.output is None:
        return _report(outcomes, len(files), asked, sys.stdout)
    _refuse_input(options.output, files)
    return _save(outcomes, len(files), asked, options.output)


def _named(files: Sequence[str], output: str | None) -> list[str]:
    """The files named; of a folder what can be checked in it; one where nothing can is complained of."""
    return [
        each
        for file in files
        for each in (_without(output, articles_in(Path(file))) if os.path.isdir(file) else ()) or (file,)
    ]


def _without(output: str | None, files: list[str]) -> list[str]:
    """Files that nobody named, without the report of an earlier run; an article in its place stays among them."""
    if output is None or not is_report(output):
        return files
    return [file for file in files if not same_file(file, output)]


def _refuse_input(output: str, files: Iterable[str]) -> None:
    """Raise InputError where a report would take the place of what is read."""
    if any(same_file(output, file) for file in files):
        raise InputError(Sentence("own_input"), place=output)


def _of_others(outcomes: Iterable[Outcome], output: str) -> Iterator[Outcome]:
    """The outcomes, none of which was read from the file that they are written to."""
    for outcome in outcomes:
        _refuse_input(output, outcome.files)
        yield outcome


def _save(outcomes: Iterable[Outcome], count: int, options: CheckOptions, output: str) -> int:
    """Write the reports to a file, which is the old one until all are there."""
    codes: list[int] = []

    def fill(path: str) -> None:
        if path != output:  # but what is no ordinary file, and stays
            workers.unfinished.add(path)
        with open(path, "w", encoding="utf-8") as stream:
            codes.append(_report(_of_others(outcomes, output), count, options, stream))

    replace_file(output, fill)
    return codes[0]


def _report(outcomes: Iterable[Outcome], count: int, options: CheckOptions, stream: IO[str]) -> int:
    """Write the reports as they come: 0 nothing wrong, 1 something wrong, 2 a file could not be used."""
    verdicts: list[str] = []
    complaints: list[str] = []
    if isinstance(stream, io.TextIOWrapper):  # any article's words and any file's name can be written
        stream.reconfigure(
            encoding="utf-8", errors="surrogateescape" if options.target == "patch" else "backslashreplace"
        )

    def write(text: str) -> None:
        try:
            stream.write(text)
            stream.flush()  # it stands, whatever ends the work
        except BrokenPipeError:  # nobody reads any more; the exit code still tells of all files
            drop(stream)

    between = _opening(options, write)
    shows_progress = count > FEW and sys.stderr.isatty()
    for outcome in outcomes:
        verdicts.append(outcome.verdict)
        if shows_progress:
            sys.stderr.write("\r\x1b[K")
        for line in outcome.complaints:
            complain(line)
            if options.target == "github":
                write(annotate_line("error", {}, line))
        complaints += outcome.complaints
        if outcome.text:
            write(between + outcome.text)
            between = BETWEEN.get(options.target, "")
        if shows_progress and len(verdicts) < count:
            said = Sentence("findings.progress", done=len(verdicts), all=count).text(options.language)
            sys.stderr.write(said)
            sys.stderr.flush()
    _closing(options, verdicts, complaints, write)
    return 2 if "failed" in verdicts else int("bad" in verdicts)


def _opening(options: CheckOptions, write: Any) -> str:
    if options.target == "json":
        write('{"files": [')
    elif options.target == "sarif":
        write(sarif_opening(options.language))
    elif options.target == "html":
        write(html_opening(options.language))
    elif options.target == "markdown":
        write(f"# {Sentence('findings.title').text(options.language)}\n\n")
    return "\n" if options.target == "json" else ""


def _closing(options: CheckOptions, verdicts: list[str], complaints: list[str], write: Any) -> None:
    if options.target == "json":
        write("\n]}\n" if set(verdicts) - {"failed"} else "]}\n")
    elif options.target == "sarif":
        write(sarif_closing(complaints))
    elif options.target not in ("patch", "github") and len(verdicts) > 1:
        failed = verdicts.count("failed")
        line = files_line([v for v in verdicts if v != "failed"], failed).text(options.language)
        write(f"<p>{line}</p>\n" if options.target == "html" else f"\n{line}\n")
    if options.target == "html":
        write(html_closing(options.language))


def _outcomes(paths: Sequence[str], options: CheckOptions) -> Iterator[Outcome]:
    """What becomes of each file, in their order."""
    from symattn.cli.check_file import check_file

    yield from (check_file(path, options) for path in paths)


def _guarded(paths: Sequence[str], options: CheckOptions, seconds: int, memory: int) -> Iterator[Outcome]:
    """The same by a process for each core, each file within limits of time and memory."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    tasks = [(path, options) for path in paths]
    outcomes = workers.do(_check_file, tasks, cores, seconds, memory, load="symattn.cli.check_file")
    for path, outcome in zip(paths, outcomes, strict=True):
        if isinstance(outcome, workers.Stopped):
            yield fail(exceeded(outcome.cause, seconds, memory).at(path).text(options.language))
        else:
            yield outcome


def _check_file(task: tuple[str, CheckOptions]) -> Outcome:
    """What a worker does: everything heavy is loaded here."""
    (outcome,) = _outcomes([task[0]], task[1])
    return outcome


def wants_colour(stream: IO[str]) -> bool:
    """Only on a terminal, and not where NO_COLOR asks for none."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
