"""Inputs changed in the page: its doubles against symattn's own values, what is said, the worksheet that it gives."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from symattn.api.derivation import Derivation
from symattn.api.worksheets import derive_sheet
from symattn.errors import NotSupportedError
from symattn.nodes.exact_numbers import read_exact
from symattn.reading.worksheets import library
from symattn.reading.worksheets.worksheet import parse_worksheet
from symattn.values.decimals import Shown
from tests.engines.browser import Browser
from tests.samples import SHEETS, text_of

SMALL = "[inputs]\nQ = [[1, 2], [3, 4]]\nK = [[5, 6], [7, 8]]\nV = [[1, 0], [0, 2]]\n"
# a half-hidden mask, a cap, rotation, a sink, heads, other kinds, decimals: what worksheets can state
KINDS = [
    "causal",
    "window",
    "matrix mask",
    "bias",
    "softcap, bias and mask",
    "biases of projections",
    "output projection",
    "cross-attention",
    "empty row, zero",
    "empty row, nan",
    "heads of every kind",
    "surds",
]
SHIPPED = [name for name in library.names() if "n x" not in Path(str(library.find(name))).read_text(encoding="utf-8")]
Show = Callable[..., Browser]


@cache
def derivation(text: str) -> Derivation:
    """As the command line derives it, with its worksheet; made once."""
    return derive_sheet(parse_worksheet(text), "brief", "en")


@cache
def page_of(text: str) -> str:
    """The page of a worksheet, written once."""
    return derivation(text).to_html()


def nearest_values(d: Derivation, name: str) -> list[list[Decimal | None]]:
    """Each value as the nearest decimal of 17 digits, or, where one may be 0 and is not proven to be, of 17 places."""
    try:
        return d.values.nearest(name, 17)
    except NotSupportedError:
        rows, columns = d.values.exact[name].shape
        shown = [[d.values.shown(name, i, j, places=17) for j in range(columns)] for i in range(rows)]
        return [[x.number if isinstance(x, Shown) else x.value() for x in row] for row in shown]


def compare(page: Browser, d: Derivation, values: str) -> None:
    """All steps in the page against the nearest doubles."""
    found = page.ask(f"{values}.map(a => a.map(row => row.map(String)))")
    assert len(found) == len(d.steps)
    for step, rows in zip(d.steps, found, strict=True):
        for row, nearest in zip(rows, nearest_values(d, step.name), strict=True):
            for x, y in zip(row, nearest, strict=True):
                if y is None or not y.is_finite():
                    assert x == ("-Infinity" if y is None else "NaN"), (step.name, x, y)
                else:
                    assert math.isclose(float(x), float(y), rel_tol=1e-12, abs_tol=1e-12), (step.name, x, y)


@pytest.mark.parametrize("name", [*library.names(), *KINDS])
def test_every_entry_is_told_and_the_page_computes_what_symattn_does(name: str, show: Show) -> None:
    d = derivation(text_of(name))
    page = show(page_of(text_of(name)))
    marked = set(page.ask("[...document.querySelectorAll('[data-e]')].map(x => x.dataset.e)"))
    told = json.loads(page.text("#explored"))["told"] if marked else {}
    assert marked == set(told)
    assert page.complaints == [] and page.requests == []
    links = "[...document.querySelectorAll('a')].map(a => decodeURIComponent(a.hash.slice(1)))"
    assert page.ask(f"{links}.filter(id => document.getElementById(id) === null)") == []
    if name in SHIPPED + KINDS:
        inputs = "editing.inputs.map(rows => rows.map(row => row.map(k => editing.numbers[k][1] ?? -Infinity)))"
        compare(page, d, f"compute({inputs})")


def change(page: Browser, label: str, text: str) -> None:
    """Type a number into the field of an entry."""
    page.ask("document.querySelectorAll('.inputs, .inputs details').forEach(e => { e.open = true; })")
    field = f"document.querySelector(`.inputs input[aria-label={json.dumps(label)}]`)"
    page.ask(f"new Promise(done => setTimeout(done, 50)).then(() => {{ {field}.focus(); {field}.select(); }})")
    page.type(text)


def worksheet(page: Browser) -> str:
    """What the button saves."""
    page.ask("URL.createObjectURL = (blob) => { window.saved = blob.text(); return '#'; }")
    page.ask("document.querySelector('.save').click()")
    return str(page.ask("window.saved"))


def test_a_change_goes_through_every_step_and_is_said(show: Show) -> None:
    page = show(page_of(SMALL))
    assert page.ask("document.querySelector('.notice').hidden")
    printed = "[...document.querySelectorAll('[data-e]')].map(x => x.textContent + x.innerHTML.length)"
    before = page.ask(printed)
    change(page, "Q, row 2, column 1", "-1/2")
    scores = "[...document.querySelectorAll('#eq-scores [data-e^=\"3.\"]')].map(x => x.textContent).sort()"
    # (-1/2, 4) · (5, 6) = 21.5, (-1/2, 4) · (7, 8) = 28.5
    assert page.ask(scores) == ["17", "21.5", "23", "28.5"]
    page.point("#eq-scores [data-e='3.1.0']")
    assert page.text(".readout") == "S₂₁ ≈ (−0.5) · 5 + 4 · 6 ≈ 21.5"
    weight = 1 / (1 + math.exp(7 / math.sqrt(2)))
    page.point(".shades [data-e='5.1.0']")
    assert f"≈ {weight:.4g}" in page.text(".readout") and "e^(−4.95)/" in page.text(".readout")
    assert "double precision" in page.text(".notice") and not page.ask("document.querySelector('.notice').hidden")
    # what is told of the earlier numbers is gone, formulas stay
    assert page.ask("[...document.querySelectorAll('.told')].every(e => !e.getClientRects().length)")
    assert "41.01" not in page.ask("document.querySelector('main').innerText")
    # and where it stood the page says so
    runs = "[...document.querySelectorAll('.told')].filter(e => !e.previousElementSibling?.matches('.told'))"
    assert page.ask(f"{runs}.every(e => e.previousElementSibling.matches('.omitted'))")
    assert page.ask("[...document.querySelectorAll('.omitted')].every(e => e.getClientRects().length)")
    assert "Left out here, since it was written about the earlier numbers: text" in page.text(".omitted")
    page.point(".notice button:last-child", press=True)
    assert page.ask("[...document.querySelectorAll('.omitted')].every(e => !e.getClientRects().length)")
    assert page.ask(printed) == before
    assert page.ask("document.querySelector('.notice').hidden")
    assert page.complaints == [] and page.requests == []


@pytest.mark.parametrize(
    ("name", "label", "typed"),
    [
        ("hand-calculation", "X, row 1, column 2", "sqrt(3)/2"),
        ("multi-head", "W_1^O, row 1, column 1", "0.25"),
        ("encoder-decoder", "X, row 3, column 1", "-2"),
        ("causal-mask", "S', row 2, column 1", "1.5"),
        ("gradients", "Q, row 1, column 1", "7/3"),
        ("rotary", "Q, row 2, column 1", "2"),
    ],
)
def test_the_worksheet_is_that_of_the_page(name: str, label: str, typed: str, show: Show) -> None:
    page = show(page_of(text_of(name)))
    change(page, label, typed)
    assert page.ask("!document.querySelector('.notice').hidden"), page.ask("editing.names")
    again = derivation(worksheet(page))
    assert again.inputs != derivation(text_of(name)).inputs
    compare(page, again, "values.slice(editing.inputs.length)")


@pytest.mark.parametrize("typed", ["3", "-0.5", "2/3", ".5", "sqrt(2)", "3*sqrt(2)/4", "-1/sqrt(3)", "2*sqrt(5)"])
def test_what_the_page_reads_worksheets_read_as_the_same(typed: str, show: Show) -> None:
    page = show(page_of(SMALL))
    assert math.isclose(page.ask(f"readNumber({json.dumps(typed)})"), float(read_exact(typed)), rel_tol=1e-15)


@pytest.mark.parametrize("typed", ["", "x", "1e400", "1/0", "alert(1)", "sqrt(-1)", "1 + 2", "--1", "NaN", "Infinity"])
def test_what_is_no_number_changes_nothing(typed: str, show: Show) -> None:
    page = show(page_of(SMALL))
    assert page.ask(f"Number.isNaN(readNumber({json.dumps(typed)}))")
    if typed:
        change(page, "Q, row 1, column 1", typed)
        assert page.ask("document.querySelector('.notice').hidden")
        assert page.ask("document.querySelectorAll('[aria-invalid=true]').length") == 1


def test_what_a_mask_hides_cannot_be_changed(show: Show) -> None:
    page = show(page_of(SHEETS["bias"]))
    page.ask("document.querySelectorAll('.inputs, .inputs details').forEach(e => { e.open = true; })")
    fixed = "[...document.querySelectorAll('.inputs input')].filter(x => x.disabled).length"
    fields = page.ask(
        "new Promise(done => setTimeout(done, 50)).then(() => document.querySelectorAll('.inputs input').length)"
    )
    assert fields == 18 and page.ask(fixed) == 0  # Q, K and V; the bias is an option


def test_without_a_worksheet_there_is_none_to_save(show: Show) -> None:
    d = derivation(SMALL)
    page = show(type(d)(d.expression, d.families, d.inputs, d.sizes, d.page, d.measures).to_html())
    assert page.ask("document.querySelector('.save') === null && document.querySelector('.inputs') !== null")


def test_a_step_without_javascript_is_said(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    import symattn.pages.explorer.editing as editing
    from symattn.errors import NotSupportedError
    from symattn.writing.prose import Sentence

    def refuse(*_: Any) -> None:
        raise NotSupportedError(Sentence("no_source", node="Other"))

    monkeypatch.setattr(editing, "write_javascript", refuse)
    page = show(derivation(SMALL).to_html())
    assert "cannot be changed" in page.text(".tools") and page.ask("document.querySelector('.inputs') === null")


@pytest.mark.parametrize("pairs", ["interleaved", "halves"])
def test_entries_that_turn_tell_their_pair_after_an_edit(pairs: str, show: Show) -> None:
    """Row 2 stands at position 1, and its first pair turns by 1 there: x cos 1 − y sin 1, and x sin 1 + y cos 1."""
    inputs = "[inputs]\nQ = [[1, 0, 0, 1], [2, 3, 3, 5]]\nK = [[1, 0, 1, 0]]\nV = [[1]]\n"
    sheet = f"{inputs}[attention]\nrope = {{ pairs = '{pairs}' }}\n"
    page = show(page_of(sheet))
    change(page, "Q, row 2, column 1", "-1/2")
    rotated = page.ask("symbols.findIndex(s => s.includes('Q') && s !== 'Q')")
    second = {"interleaved": 1, "halves": 2}[pairs]
    cos, sin = math.cos(1), math.sin(1)
    told = []
    for j in (0, second):
        page.point(f"[data-e='{rotated}.1.{j}']")
        told.append(page.text(".readout").split(" ≈ ")[1:])
    assert told[0] == [f"(−0.5) · {cos:.4f} − 3 · {sin:.4f}", f"{-0.5 * cos - 3 * sin:.4g}".replace("-", "−")]
    assert told[1] == [f"(−0.5) · {sin:.4f} + 3 · {cos:.4f}", f"{-0.5 * sin + 3 * cos:.4g}"]
    assert page.complaints == []
