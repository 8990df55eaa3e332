"""The page of a check in Chromium: what a number is told to be, what it follows from, nothing that complains."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from symattn import check_article
from tests.engines.browser import Browser

ARTICLE = (
    "# <b>S</b> <script>window.taken = 1</script>\n\n$Q = [[1, 5], [9, 13]]$ and $K = [[5, 1], [13, 9]]$\n\n"
    "$Q K^T = [[10, 58], [58, 244]]$, $Q K^T / 2 = [[5, 29], [29, 122]]$\n\n$2/3 = 0.66$\n"
)
FAULTS = (Path(__file__).parent / "faults.js").read_text(encoding="utf-8")
Show = Callable[..., Browser]


def page_of(language: str = "en") -> str:
    return str(check_article("a.md", ARTICLE).to_html(language=language))


def test_pointing_at_a_number_tells_its_value(show: Show) -> None:
    page = show(page_of())
    page.point("section .wrong")
    assert page.text(".readout") == "244: wrong; the value is 234"
    assert page.ask("document.querySelector('.carried.follows').textContent") == "122"
    page.point("section .close")
    assert page.text(".readout") == "0.66: right within rounding; the value is 2/3"
    assert page.complaints == [] and page.requests == [] and page.ask("window.taken === undefined")


def test_a_carried_number_is_joined_to_its_cause(show: Show) -> None:
    page = show(page_of())
    page.point("section .carried")
    assert page.text(".readout").startswith("122: carried: follows from (2,2) of Q K^T at line 5")
    assert page.ask("document.querySelector('.source').textContent") == "244"
    target = "document.getElementById(decodeURIComponent(document.querySelector('ins a').hash.slice(1))).textContent"
    assert page.ask(target) == "244"  # without the script too


def test_the_keyboard_reaches_what_is_wrong(show: Show) -> None:
    page = show(page_of())
    reached = []
    for _ in range(8):
        page.press("Tab")
        reached.append(page.ask("document.activeElement.textContent"))
    assert "244" in reached and "122" in reached
    page.press("Escape")
    assert "Tab" in page.text(".readout")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_is_accessible_and_fits_a_telephone(language: str, dark: bool, show: Show) -> None:
    page = show(page_of(language), width=360, dark=dark)
    page.point("section .carried")
    assert page.ask(FAULTS) == []
    assert page.ask("document.documentElement.scrollWidth") <= 360
