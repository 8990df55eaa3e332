"""Pages as axe sees them: whole derivations, an edited page, a check; in both themes, wide and narrow."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from symattn import check_article
from symattn.reading.worksheets import library
from tests.engines.browser import Browser
from tests.engines.conftest import missing
from tests.samples import derived

RUN = "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v => [v.id, v.nodes[0].html]))"
ARTICLE = "$Q = [[1, 5], [9, 13]]$, $K = [[5, 1], [13, 9]]$\n\n"
ARTICLE += "$Q K^T = [[10, 58], [58, 244]]$, $Q K^T / 2 = [[5, 29], [29, 122]]$\n"


def violations(page: Browser) -> Any:
    """What axe finds; the file of its program comes with a package that is asked for no more than that."""
    found = find_spec("axe_core_python")
    if found is None or found.origin is None:
        missing("axe-core-python")
    assert found is not None and found.origin is not None
    page.ask((Path(found.origin).parent / "axe.min.js").read_text(encoding="utf-8") + "; 1")
    return page.ask(RUN)


@pytest.mark.parametrize(
    ("name", "language", "dark", "width"),
    [("saturation", "en", False, 1280), ("causal-mask", "zh", True, 400)],
)
def test_a_derivation(name: str, language: str, dark: bool, width: int, show: Callable[..., Browser]) -> None:
    path = library.find(name)
    assert path is not None
    page = show(derived(path.read_text(encoding="utf-8")).to_html(language=language), dark=dark, width=width)
    page.ask("document.querySelectorAll('details').forEach(e => { e.open = true; })")
    if page.ask("document.querySelector('.inputs') !== null"):
        page.ask("new Promise(done => setTimeout(done, 50))")
        page.ask(
            "(f => { f.value = '5'; f.dispatchEvent(new Event('input')); })(document.querySelector('.inputs input'))"
        )
    assert violations(page) == []


@pytest.mark.parametrize("dark", [False, True])
def test_a_check(dark: bool, show: Callable[..., Browser]) -> None:
    page = show(check_article("a.md", ARTICLE).to_html(), dark=dark, width=400)
    page.point("section .carried")
    assert violations(page) == []
