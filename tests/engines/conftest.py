"""Real engines for the tests: KaTeX inside quickjs, LaTeX and poppler from the system.

A missing engine skips its tests, unless SYMATTN_REQUIRE_ENGINES is set: then they fail.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from symattn.writing.writers.typeset import KATEX
from tests.engines.browser import Browser

# the page's own <script> has a window; quickjs has none
KATEX_CALL = """
function refusal(tex) {
  try {
    // what KaTeX refuses it refuses when it reads; what it sets is looked at by the tests that open pages
    katex.__parse(tex, {throwOnError: true, strict: "error", displayMode: true, maxExpand: 1000});
    return JSON.stringify("");
  } catch (error) { return JSON.stringify(String(error)); }
}
function parse(tex) {
  try {
    const nodes = katex.__parse(tex, {displayMode: true, strict: "ignore"});
    return JSON.stringify(nodes, (key, value) => key === "loc" ? undefined : value);
  } catch (error) { return "null"; }
}
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever an engine runs takes seconds."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.slow)


def missing(engine: str) -> None:
    """Skip, or fail where engines are required."""
    if os.environ.get("SYMATTN_REQUIRE_ENGINES"):
        pytest.fail(f"{engine} is required and is not here")
    pytest.skip(f"no {engine} here")


@pytest.fixture
def engine() -> Callable[[str], str]:
    """The path of a program of the system."""

    def find(name: str) -> str:
        path = shutil.which(name)
        if path is None:
            missing(name)
        return str(path)

    return find


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium."""
    path = shutil.which("chromium")
    if path is None:
        missing("chromium")
    return str(path)


@pytest.fixture(scope="session")
def katex_context() -> Any:
    """A JavaScript engine with KaTeX in it."""
    try:
        import quickjs
    except ImportError:
        missing("quickjs-ng")
    context = quickjs.Context()
    context.eval((KATEX / "katex.min.js").read_text(encoding="utf-8"))
    context.eval(KATEX_CALL)
    return context


@pytest.fixture(scope="session")
def katex(katex_context: Any) -> Callable[[str], str]:
    """What KaTeX, strict, complains of in a formula: nothing where it is valid."""

    @cache
    def complaint(tex: str) -> str:
        return str(json.loads(katex_context.eval(f"refusal({json.dumps(tex)})")))

    return complaint


@pytest.fixture(scope="session")
def katex_tree(katex_context: Any) -> Callable[[str], Any]:
    """KaTeX's parse of a formula, None where it refuses it."""
    return lambda tex: json.loads(katex_context.eval(f"parse({json.dumps(tex)})"))


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory, katex_context: Any, chromium: str) -> Iterator[Browser]:
    with Browser(chromium, tmp_path_factory.mktemp("chromium")) as opened:
        yield opened


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Callable[..., Browser]:
    """Open a page of HTML."""

    def open_page(page: str, **how: Any) -> Browser:
        (tmp_path / "page.html").write_text(page, encoding="utf-8")
        browser.open(tmp_path / "page.html", **how)
        return browser

    return open_page
