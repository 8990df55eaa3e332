"""The page to explore, in Chromium: what entries are made of, by mouse and keyboard; switches; what goes without it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from symattn.cli.main import run
from symattn.reading.worksheets import library
from symattn.writing.prose import LANGUAGES
from tests.engines.browser import Browser
from tests.samples import derived, qkv, sample
from tests.samples import page as written

SMALL = "[inputs]\nQ = [[1, 2], [3, 4]]\nK = [[5, 6], [7, 8]]\nV = [[1, 0], [0, 2]]\n"


@cache
def small() -> str:
    return derived(SMALL).to_html()


def lit(browser: Browser, kind: str) -> set[str]:
    return set(browser.ask(f"[...document.querySelectorAll('.{kind}')].map(x => x.dataset.e)"))


def test_pointing_at_an_entry_lights_what_makes_it_and_tells_its_sum(show: Callable[..., Browser]) -> None:
    page = show(small())
    names = ["Q", "K", "V", "scores"]  # in the order of inputs and steps: the numbers of values
    page.point("#eq-scores [data-e='3.1.0']")
    assert lit(page, "made") == {"3.1.0"}
    assert lit(page, "maker") == {f"{names.index('Q')}.1.0", "0.1.1", f"{names.index('K')}.0.0", "1.0.1"}
    assert "3 · 5 + 4 · 6 = 39" in page.text(".readout")
    page.point("h1")
    assert page.complaints == [] and page.requests == []


def test_weights_tell_exponents_sum_and_quotient(show: Callable[..., Browser]) -> None:
    page = show(small())
    page.point("[data-e^='5.0.']")  # Q, K, V, S, S', A
    said = page.text(".readout")
    # S = [[17, 23], [39, 53]]: the first row less its largest is -6/√2 = -3√2, and 0
    assert "e^(−3√2)/(e^(−3√2) + 1)" in said and said.endswith("≈ 0.01417")
    assert lit(page, "maker") == {"4.0.0", "4.0.1"}


def test_the_keyboard_walks_through_the_entries(show: Callable[..., Browser]) -> None:
    page = show(small())
    page.ask("document.querySelector('#eq-scores .explore').focus()")
    page.press("ArrowLeft")
    assert lit(page, "made") == {"3.1.1"}  # the last of the formula, first
    page.press("ArrowUp", "ArrowLeft")
    assert lit(page, "made") == {"3.0.0"} and "= 17" in page.text(".readout")
    page.press("ArrowLeft")  # into the factors: K, transposed
    assert lit(page, "made") == {"1.1.0"}
    page.press("Escape")
    assert lit(page, "made") == set() and "Tab" in page.text(".readout")


def test_the_switch_leaves_exact_numbers_or_decimals(show: Callable[..., Browser]) -> None:
    page = show(small())
    seen = "[...document.querySelectorAll('#eq-scaled .{}-side')].every(x => x.getClientRects().length)"
    exact, rounded = seen.format("exact"), seen.format("rounded")
    assert page.ask(exact) and page.ask(rounded)
    page.point("input[value=exact]", press=True)
    assert page.ask(exact) and not page.ask(rounded)
    page.point("#eq-scaled .exact-side [data-e='4.0.0']")
    assert page.text(".readout").endswith("= 17√2/2")
    page.point("input[value=decimal]", press=True)
    assert not page.ask(exact) and page.ask(rounded)


def test_the_latex_of_a_step_is_copied_as_the_article_has_it(show: Callable[..., Browser]) -> None:
    page = show(small())
    copied = "navigator.clipboard.writeText = async (text) => { window.copied = text; }"
    page.ask(copied)
    page.point("#eq-scores button", press=True)
    written = (
        r"S = Q K^{\top} = \begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix} \begin{bmatrix} 5 & 7 \\ 6 & 8 \end{bmatrix} "
    )
    written += r"= \begin{bmatrix} 17 & 23 \\ 39 & 53 \end{bmatrix}"
    assert " ".join(page.ask("window.copied").split()) == written
    assert page.text(".readout") == "Copied"


def task_seconds(page: Browser) -> float:
    """What the tasks of the pages have taken."""
    return float(next(m["value"] for m in page("Performance.getMetrics")["metrics"] if m["name"] == "TaskDuration"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_large_page_is_light_and_quick(language: str, show: Callable[..., Browser]) -> None:
    rows = json.dumps([[(7 * i + 3 * j) % 11 - 5 for j in range(64)] for i in range(64)])
    html = derived(f"[inputs]\nQ = {rows}\nK = {rows}\nV = {rows}\n").to_html(language=language)
    assert len(html.encode()) < 3_000_000
    page = show(small())
    page("Performance.enable", timeDomain="threadTicks")  # processor time
    before = task_seconds(page)
    assert task_seconds(show(html)) - before < 1


HOSTILE = "</script><script>window.taken = 1</script><img src=x onerror='window.taken = 1'>"


def test_what_others_wrote_stays_text(show: Callable[..., Browser]) -> None:
    title, tokens = json.dumps(HOSTILE), json.dumps([HOSTILE, "<b>"])
    page = show(derived(f"title = {title}\ntokens = {tokens}\n{SMALL}").to_html())
    page.point("#eq-scores [data-e='3.1.0']")
    assert page.ask("window.taken === undefined") and page.text("h1") == HOSTILE
    assert page.complaints == [] and page.requests == []


def test_a_plain_page_has_no_script_and_no_colour(katex_context: Any) -> None:
    page = sample("tokens").to_html(plain=True)
    assert "<script" not in page and 'data-e="' not in page and 'class="enclosing' not in page


FAULTS = (Path(__file__).parent / "faults.js").read_text(encoding="utf-8")


@pytest.mark.parametrize(("dark", "width", "edited"), [(False, 1280, False), (True, 400, False), (False, 400, True)])
@pytest.mark.parametrize("name", ["multi-head", "causal-mask", "cost"])
def test_the_page_is_accessible(name: str, dark: bool, width: int, edited: bool, show: Callable[..., Browser]) -> None:
    """What axe's rules of WCAG 2.2 A and AA find, as far as they apply to these pages: nothing.

    Asked are, by axe's names: aria-allowed-attr, aria-deprecated-role, aria-hidden-body, aria-hidden-focus,
    aria-prohibited-attr, aria-roles, aria-valid-attr, aria-valid-attr-value, autocomplete-valid, avoid-inline-spacing,
    blink, button-name, bypass, color-contrast, definition-list, dlitem, document-title, duplicate-id,
    form-field-multiple-labels, frame-title, html-has-lang, html-lang-valid, html-xml-lang-mismatch, image-alt, label,
    link-in-text-block, link-name, list, listitem, marquee, meta-refresh, meta-viewport, nested-interactive,
    role-img-alt, scrollable-region-focusable, select-name, summary-name, svg-img-alt, target-size, td-headers-attr,
    th-has-data-cells, valid-lang, video-caption and audio-caption; and of its best practices empty-heading,
    empty-table-header, heading-order, landmark-one-main, landmark-unique, page-has-heading-one, region, tabindex.
    Its other rules are about widgets, frames and media that no page of ours has, of which the first line of defence is
    that no other role is used than group, img, status, note and list.
    """
    page = show(written(name, "html"), dark=dark, width=width)
    if page.ask("document.querySelector('.readout') !== null"):
        page.point("[data-e^='1.']")
    page.ask("document.querySelectorAll('details').forEach(e => { e.open = true; })")
    if edited and page.ask("document.querySelector('.inputs') !== null"):
        page.ask("new Promise(done => setTimeout(done, 50))")
        page.ask(
            "(f => { f.value = '5'; f.dispatchEvent(new Event('input')); })(document.querySelector('.inputs input'))"
        )
        assert page.ask("document.querySelector('main').classList.contains('edited')")
    assert page.ask(FAULTS) == []


@pytest.mark.parametrize("width", [360, 1280])
def test_what_is_wider_scrolls_in_its_own_box(width: int, show: Callable[..., Browser]) -> None:
    page = show(sample("tokens").to_html(), width=width)
    assert page.ask("document.documentElement.scrollWidth") <= width
    assert page.ask("[...document.querySelectorAll('.wide')].every(e => getComputedStyle(e).overflowX === 'auto')")


def test_a_telephone_shows_results_below_what_they_are_made_of(show: Callable[..., Browser]) -> None:
    path = library.find("hand-calculation")
    assert path is not None
    page = show(derived(path.read_text(encoding="utf-8")).to_html(), width=390)
    for step in ("Q", "K", "V", "scores"):
        of = f"document.querySelector('#eq-{step} .wide')"
        assert page.ask(f"{of}.scrollWidth <= {of}.clientWidth"), step
        # the last line begins with the sign of its relation
        last = f"[...{of}.querySelectorAll('.katex-base')].at(-1)"
        assert page.ask(f"{last}.getBoundingClientRect().left < 40 && {last}.innerText.trim().startsWith('=')"), step
    inputs = "document.querySelector('h2 ~ .wide')"
    assert page.ask(f"{inputs}.scrollWidth <= {inputs}.clientWidth")
    edges = f"[...{inputs}.querySelectorAll('.katex-display')].map(e => e.getBoundingClientRect())"
    assert page.ask(f"{edges}.every((e, k, all) => k === 0 || e.top - all[k - 1].bottom > 8)")


def test_a_wide_window_has_a_formula_on_one_line(show: Callable[..., Browser]) -> None:
    path = library.find("hand-calculation")
    assert path is not None
    page = show(derived(path.read_text(encoding="utf-8")).to_html(), width=1280)
    of = "[...document.querySelectorAll('#eq-Q .katex-base')].map(e => e.getBoundingClientRect())"
    assert page.ask(f"{of}.every((e, k, all) => k === 0 || e.left >= all[k - 1].right - 1)")


def test_paper_is_white_and_has_no_buttons(show: Callable[..., Browser]) -> None:
    page = show(small(), dark=True)
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    page("Emulation.setEmulatedMedia", media="print", features=dark)
    assert page.ask("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    gone = "[...document.querySelectorAll('button, .readout, .tools, .inputs')]"
    assert page.ask(f"{gone}.every(e => !e.getClientRects().length)")
    colour = "getComputedStyle(document.querySelector('#eq-scores [data-e]')).color"
    assert page.ask(colour) == "rgb(5, 80, 174)"  # queries, as on a light page
    page("Emulation.setEmulatedMedia", media="", features=[])


def test_paper_has_all_of_a_figure_and_headings_stay_with_what_follows(show: Callable[..., Browser]) -> None:
    page = show(derived(qkv(12)).to_html(), width=620)  # pixels; a figure of twelve keys is wider
    figure = "document.querySelector('svg.shades')"
    assert page.ask(f"{figure}.getBoundingClientRect().right") > 620
    page("Emulation.setEmulatedMedia", media="print")
    assert page.ask(f"{figure}.getBoundingClientRect().right") <= 620
    assert page.ask(
        "[...document.querySelectorAll('.wide, p')].every(e => getComputedStyle(e).overflowX === 'visible')"
    )
    assert page.ask("[...document.querySelectorAll('h2')].every(e => getComputedStyle(e).breakAfter === 'avoid')")
    leads = "[...document.querySelectorAll('p')].filter(e => e.nextElementSibling?.matches('.stated'))"
    assert page.ask(f"{leads}.length") >= 4
    assert page.ask(f"{leads}.every(e => getComputedStyle(e).breakAfter === 'avoid')")
    page("Emulation.setEmulatedMedia", media="")


def test_a_page_of_paper_may_end_between_lines_of_inputs(show: Callable[..., Browser]) -> None:
    """Five matrices of four columns do not fit side by side."""
    names = ["W_Q", "W_K", "W_V", "W_O"]
    rows = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    page = show(derived("[inputs]\n" + "".join(f"{x} = {rows}\n" for x in ["X", *names])).to_html(), width=800)
    first = "document.querySelector('h2 ~ .wide')"
    assert page.ask(f"{first}.querySelectorAll('.katex-display').length") > 1
    page("Emulation.setEmulatedMedia", media="print")
    assert page.ask(f"getComputedStyle({first}).breakInside") == "auto"
    assert page.ask(f"getComputedStyle({first}.querySelector('.katex-display')).breakInside") == "avoid"
    page("Emulation.setEmulatedMedia", media="")


def test_the_command_line_writes_plain_pages(tmp_path: Path, katex_context: Any) -> None:
    out = tmp_path / "page.html"
    assert run(["derive", "hand-calculation", "--plain", "-o", str(out)]) == 0
    page = out.read_text(encoding="utf-8")
    assert "<script" not in page and "<svg class=" not in page


def test_every_cell_of_a_large_heat_map_is_told(show: Callable[..., Browser]) -> None:
    """A cell too small for its number tells its weight, as the page computes it."""
    d = derived(qkv(17))
    page = show(d.to_html())
    cells = page.ask("document.querySelectorAll('.shades [data-e]').length")
    assert cells == 17 * 17
    weights = d["weights"].evaluate(4)
    i, j = next((i, j) for i in range(4, 14) for j in range(4, 14) if 0.1 < weights[i, j] < 0.9)
    page.point(f".shades [data-e='5.{i}.{j}']")
    said = page.text(".readout")
    assert said.startswith(f"A, row {i + 1}, column {j + 1} ≈ e^(")
    assert math.isclose(float(said.split("≈ ")[-1]), weights[i, j], rel_tol=1e-3)
    assert lit(page, "made") == {f"5.{i}.{j}"}
    page.ask("document.querySelector('.wide:has(.shades)').focus()")
    page.press("ArrowRight")
    assert lit(page, "made") == {f"5.{i}.{j + 1}"}
    assert page.complaints == [] and page.requests == []
