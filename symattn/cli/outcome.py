"""What is asked of `check` and `weave`, and what becomes of one file: passed between processes."""

from __future__ import annotations

from dataclasses import dataclass

from symattn.writing.visible import one_line


@dataclass(frozen=True)
class CheckOptions:
    """How the findings are to be written."""

    target: str  # text, markdown, html, json or patch
    language: str = "en"
    verbose: bool = False
    colour: bool = False
    alone: bool = False  # whether it is the only file: then a patch without a word would tell nothing


@dataclass(frozen=True)
class WeaveOptions:
    """What becomes of the placeholders: filled, or with `check` only compared."""

    check: bool
    language: str = "en"


@dataclass(frozen=True)
class Outcome:
    """One file's report as it is to be written, and what it amounts to."""

    text: str
    verdict: str  # bad, clean, unjudged; failed where there is no report
    complaints: tuple[str, ...] = ()
    files: tuple[str, ...] = ()  # that were read beside its own


def fail(line: str) -> Outcome:
    """That of a file without a report."""
    return Outcome("", "failed", (one_line(line),))
