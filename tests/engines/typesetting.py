"""LaTeX articles typeset by an engine that is installed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path


def typeset(article: str, compiler: str, folder: Path, seconds: float = 120) -> str:
    """The log of an article that is set as article.pdf; fails with LaTeX's own words where it does not compile.

    It also fails where a letter is left out, which LaTeX tells its log alone.
    """
    (folder / "article.tex").write_text(article, encoding="utf-8")
    done = subprocess.run(
        [compiler, "-interaction=nonstopmode", "-halt-on-error", "article.tex"],
        cwd=folder,
        capture_output=True,
        timeout=seconds,
        check=False,
    )
    log = (folder / "article.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, log[-3000:]
    assert [line for line in log.splitlines() if line.startswith("Missing character")] == []
    return log


def words(pdf: Path, engine: Callable[[str], str]) -> str:
    """The text of a PDF."""
    return subprocess.run([engine("pdftotext"), str(pdf), "-"], capture_output=True, text=True, check=True).stdout
