"""LaTeX -> PDF, by a LaTeX engine of the system."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

from symattn.errors import InputError, NotSupportedError
from symattn.writing.prose import Sentence

QUIET = ["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape"]
LONGEST = 120  # seconds for one run
MOST_NAMED = 20  # characters of a warning
RUNS = 2  # references to equations are known in the second


def compile_pdf(article: str, longest: float = LONGEST) -> bytes:
    """A PDF of a complete article, by the first of latexmk, xelatex or pdflatex, and tectonic that is installed.

    Warns of characters that its fonts have not, which it leaves out. Raises NotSupportedError where there is none,
    InputError with the engine's first error where it fails or takes longer than so many seconds.
    """
    chinese = article.startswith("% !TEX program = xelatex")
    name, command, runs = _engine(chinese=chinese)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "article.tex").write_text(article, encoding="utf-8")
        for _ in range(runs):
            code = _run([*command, "article.tex"], folder, name, longest)
        pdf = Path(folder, "article.pdf")
        if code or not pdf.is_file():
            raise InputError(_failure(name, code, Path(folder, "article.log")))
        if left_out := _left_out(Path(folder, "article.log")):
            said = Sentence("glyphs_missing", characters=" ".join(left_out[:MOST_NAMED]))
            warnings.warn(GlyphsMissing(said.text("zh" if chinese else "en")), stacklevel=2)
        return pdf.read_bytes()


class GlyphsMissing(UserWarning):
    """A PDF lacks characters that its text has, since no font of it has them."""


def _left_out(log: Path) -> list[str]:
    """The characters that no font had, each once, as the log of XeLaTeX names them."""
    text = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
    named = re.findall(r"^Missing character: There is no (\S) ", text, re.MULTILINE)
    return list(dict.fromkeys(named))


def _engine(chinese: bool) -> tuple[str, list[str], int]:
    """The engine's name, its command, and how often it is to run."""
    bare = ("xelatex",) if chinese else ("pdflatex", "xelatex")
    if shutil.which("latexmk") and shutil.which(bare[0]):
        return "latexmk", ["latexmk", "-pdfxe" if chinese else "-pdf", *QUIET], 1
    for name in bare:
        if shutil.which(name):
            return name, [name, *QUIET], RUNS
    if shutil.which("tectonic"):
        return "tectonic", ["tectonic", "--untrusted", "--keep-logs"], 1
    raise NotSupportedError(Sentence("no_latex", engine=bare[0]))


def _run(command: list[str], folder: str, name: str, longest: float) -> int:
    """The exit code. Its own children end with it."""
    none = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=folder, stdin=none, stdout=none, stderr=none, start_new_session=True)
    try:
        return process.wait(longest)
    except subprocess.TimeoutExpired:
        raise InputError(Sentence("latex_hangs", engine=name, seconds=f"{longest:g}")) from None
    finally:  # an interrupt too
        if process.poll() is None:
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _failure(engine: str, code: int, log: Path) -> Sentence:
    """What the engine says first that is wrong: "Undefined control sequence (line 12)"; or that it says nothing."""
    text = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
    found = re.search(r"^! (.*?)(?:\n.*?^l\.(\d+)|$)", text, re.DOTALL | re.MULTILINE)
    if found is None:
        return Sentence("latex_silent", engine=engine, code=code)
    line = f" (line {found[2]})" if found[2] else ""
    return Sentence("latex_failed", engine=engine, reason=found[1].split("\n")[0].rstrip(".") + line)
