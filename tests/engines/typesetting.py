"""LaTeX articles typeset by an engine that is installed."""

from __future__ import annotations

import subprocess
from pathlib import Path


def typeset(article: str, compiler: str, folder: Path, seconds: float = 120) -> str:
    """The log of an article that is set as article.pdf; fails with LaTeX's own words where it does not compile."""
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
    return log
