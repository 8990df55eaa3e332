"""One file of `symattn weave`. All that is heavy is loaded here, by the process that does it."""

from __future__ import annotations

import os
from itertools import zip_longest

from symattn.api.weave import Filled, Woven, weave
from symattn.cli.outcome import Outcome, WeaveOptions, fail
from symattn.errors import InputError, SymattnError
from symattn.reading.settings import find_settings
from symattn.writing.prose import Sentence
from symattn.writing.visible import clip, one_line


def weave_file(path: str, options: WeaveOptions) -> Outcome:
    """Weave one file; what goes wrong is one line, and the file stays as it was."""
    try:
        if path == "-":
            raise InputError(Sentence("weave_stdin"), place=path)
        woven = weave(path, **find_settings(os.path.dirname(path)).conventions)
        if not options.check:
            woven.save()
        return _report(woven, options)
    except SymattnError as error:
        return fail(error.text(options.language))
    except (MemoryError, RecursionError, OverflowError):
        return fail(f"{path}: {Sentence('too_large').text(options.language)}")


def _report(woven: Woven, options: WeaveOptions) -> Outcome:
    """With `--check` a line for each stale placeholder; then one for the file."""
    stale = woven.stale if options.check else ()
    lines = [one_line(f"{woven.path}:{p.line}: {_said(p).text(options.language)}") for p in stale]
    count = len(woven.placeholders)
    one, more = ("weave_checked_one", "weave_checked") if options.check else ("weave_done_one", "weave_done")
    key = one if count == 1 else more
    said = Sentence(key, count=count, stale=len(woven.stale)).text(options.language)
    lines.append(one_line(f"{woven.path}: {said}"))
    return Outcome("".join(f"{line}\n" for line in lines), "bad" if stale else "clean")


def _said(filled: Filled) -> Sentence:
    """What it is and would be, from the first line in which they differ."""
    texts = [[line for line in text.splitlines() if line.strip(" \t>")] for text in (filled.before, filled.after)]
    differing = next((pair for pair in zip_longest(*texts, fillvalue="") if pair[0] != pair[1]), texts[0][:1] * 2)
    shown = [clip(line.strip()) or Sentence("weave_empty") for line in differing]
    return Sentence("weave_stale", request=filled.request, before=shown[0], after=shown[1])
