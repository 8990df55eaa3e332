"""Pages as Chromium shows them: nothing is fetched, nothing complains, nothing is wider than the window."""

from __future__ import annotations

import html
import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from symattn.reading.worksheets import library
from symattn.writing.prose import LANGUAGES
from tests.formulas import markdown_formulas
from tests.samples import SHEETS, derived
from tests.samples import page as written
from tests.sampling import sampled

Engine = Callable[[str], str]
WIDTHS = (375, 1280)
# what each frame says of itself, as the text of one element; fonts that the page has not would be fetched or fall back
HARNESS = """<!DOCTYPE html><meta charset="utf-8">%s<pre id="found"></pre><script>
addEventListener("load", async () => {
  const found = [];
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument, view = frame.contentWindow;
    await page.fonts.ready;
    const boxes = [...page.querySelectorAll("body *")].filter(e =>
      view.getComputedStyle(e).overflowX === "auto" && e.scrollWidth > e.clientWidth + 1);
    found.push({
      window: frame.clientWidth,
      page: page.documentElement.scrollWidth,
      fetched: view.performance.getEntriesByType("resource").map(e => e.name).filter(n => !n.startsWith("data:")),
      fonts: [...page.fonts].filter(f => f.status === "error").map(f => f.family),
      scripts: [...page.scripts].filter(s => s.src).length,
      unreachable: boxes.filter(e => e.tabIndex < 0 || !e.ariaLabel).map(e => e.textContent.slice(0, 200)),
      scrolling: boxes.length,
      ground: view.getComputedStyle(page.body).backgroundColor,
      height: page.documentElement.scrollHeight,
    });
  }
  document.getElementById("found").textContent = JSON.stringify(found);
});
</script>"""


def shown(pages: list[str], chromium: str, folder: Path, *options: str) -> list[dict[str, Any]]:
    """What Chromium finds in each page at each width; what it complains of fails the test."""
    frames = "".join(
        f'<iframe style="width:{w}px;height:600px;border:0" srcdoc="{html.escape(page)}"></iframe>'
        for page in pages
        for w in WIDTHS
    )
    (folder / "harness.html").write_text(HARNESS % frames, encoding="utf-8")
    command = [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", *options]
    command += [f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=20000", "--dump-dom"]
    done = subprocess.run(
        [*command, (folder / "harness.html").as_uri()], capture_output=True, text=True, timeout=120, check=True
    )
    assert not [line for line in done.stderr.splitlines() if ":CONSOLE" in line]
    found = re.search(r'<pre id="found">(.+?)</pre>', done.stdout, re.DOTALL)
    assert found is not None, done.stderr[-2000:]
    return list(json.loads(html.unescape(found[1])))


@pytest.fixture(scope="module")
def pages(katex_context: Any) -> list[str]:
    made = []
    for name in ("grouped-query", "cost"):
        path = library.find(name)
        assert path is not None
        text = path.read_text(encoding="utf-8")
        made += [derived(text).to_html(language=language) for language in LANGUAGES]
    return made


def test_pages_fit_any_window_and_fetch_nothing(pages: list[str], engine: Engine, tmp_path: Path) -> None:
    for found in shown(pages, engine("chromium"), tmp_path):
        assert found["page"] <= found["window"]
        assert found["height"] > 1000
        assert found["fetched"] == [] and found["fonts"] == [] and found["scripts"] == 0
        assert found["unreachable"] == []
        assert found["ground"] == "rgb(255, 255, 255)"


def test_a_reader_in_the_dark_has_a_dark_page(pages: list[str], engine: Engine, tmp_path: Path) -> None:
    dark = shown(pages[:1], engine("chromium"), tmp_path, "--blink-settings=preferredColorScheme=0")
    assert {found["ground"] for found in dark} == {"rgb(20, 23, 27)"}


def lines_of(formulas: Iterable[str]) -> Iterator[str]:
    """Formulas, and the lines of those that have several, which a page may set one by one."""
    for formula in map(str.strip, formulas):
        inside = formula.removeprefix("\\begin{gathered}\n").removesuffix("\n\\end{gathered}")
        yield from [formula] if inside == formula else re.split(r" \\\\\n(?!&)", inside)


@pytest.mark.parametrize("name", sampled(SHEETS, 2))
def test_every_formula_is_set_with_fonts_that_the_page_has(name: str, katex_context: Any) -> None:
    page = written(name, "html")
    assert "katex-error" not in page
    told = re.sub(r"<nav\b.*?</nav>", "", page, flags=re.DOTALL)  # the outline says the headings again
    said = [
        html.unescape(x) for x in re.findall(r'<annotation encoding="application/x-tex">(.*?)</annotation>', told, re.S)
    ]
    assert Counter(lines_of(said)) == Counter(lines_of(markdown_formulas(written(name, "markdown"))))
    assert not re.search(r'class="[^"]*\b(mathcal|mathfrak|mathscr|mathsf|mathtt|texttt|textsf)\b', page)
    bold = re.search(r'class="[^"]*\bmathbf\b', page) is not None
    assert ("font-family:KaTeX_Main;font-style:normal;font-weight:bold" in page) == bold
