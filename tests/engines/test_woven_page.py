"""Blocks in somebody else's page, whose ground is not known: what goes on beyond the edge fades there."""

from __future__ import annotations

from collections.abc import Callable

from symattn import weave
from tests.engines.browser import Browser

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title></head>
<body style="background: #fed">
<!-- symattn hand-calculation scores -->
<!-- /symattn -->
<!-- symattn two-layer-block layer1.hidden -->
<!-- /symattn -->
</body></html>"""
CLEAR = "rgba(0, 0, 0, 0)"


def test_a_formula_fades_on_the_side_where_more_of_it_is(show: Callable[..., Browser]) -> None:
    page = show(weave("a.html", PAGE).text, width=300)
    page.ask("window.wide = [...document.querySelectorAll('.wide')].find(x => x.scrollWidth > x.clientWidth + 1)")
    edge = "new Promise(r => setTimeout(() => r(getComputedStyle(wide).maskImage), 100))"
    assert page.ask(edge).startswith(f"linear-gradient(to left, {CLEAR}")
    page.ask("wide.scrollLeft = wide.scrollWidth")
    assert page.ask(edge).startswith(f"linear-gradient(to right, {CLEAR}")
    while not page.ask("document.activeElement == wide"):
        page.press("Tab")
    assert page.ask(edge) == "none"


def test_what_fits_is_whole(show: Callable[..., Browser]) -> None:
    page = show(weave("a.html", PAGE).text, width=1280)
    edges = page.ask("[...document.querySelectorAll('.wide')].map(x => getComputedStyle(x).maskImage)")
    assert edges and set(edges) == {"none"}
