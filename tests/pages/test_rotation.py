"""RoPE's rotation matrix, and one pair turned in numbers that a reader can calculate again."""

from __future__ import annotations

import json
import math
import re

import pytest

from symattn.api.worksheets import derive_sheet
from symattn.reading.worksheets.worksheet import parse_worksheet
from tests.samples import derived, sample

SHEET = "[inputs]\nQ = [[1, 1], [3, 4]]\nK = [[1, 0], [0, 1]]\nV = [[1], [2]]\n[attention]\nrope = true\n"


def test_the_matrix_and_one_pair() -> None:
    page = derived(SHEET).to_text(decimals=3)
    assert "φ = t · 10000^(−2·k/d_k)" in page
    # 3 cos 1 − 4 sin 1 = −1.744977, 3 sin 1 + 4 cos 1 = 4.685622; with 0.540 and 0.841 it would be −1.744
    shown = re.sub(r"\s+", " ", page)
    assert "[ 3 4 ] [ cos(1) sin(1) ]" in shown and "[ −sin(1) cos(1) ]" in shown
    assert "0.5403" in page and "0.8415" in page
    assert "[ −1.745 4.686 ]" in shown


def test_keys_are_turned_like_queries_and_not_told_again() -> None:
    page = derived(SHEET).to_markdown()
    assert page.count("rotation matrix") == 1
    assert "$K$ is rotated in the same way, by the same angles." in page


def test_the_row_that_turns_first_is_taken() -> None:
    """Position 0 turns nothing, and a pair of zeros shows nothing."""
    page = derived(SHEET.replace("[3, 4]", "[0, 0], [5, 0]")).to_markdown()
    assert "row 3, whose angle is $2$" in page


@pytest.mark.parametrize("name", ["rotary", "heads of every kind", "symbolic, heads of every kind"])
def test_the_matrix_stands_once(name: str) -> None:
    assert sample(name).to_markdown().count("rotation matrix") == 1


def test_columns_are_turned_from_the_left() -> None:
    page = derived(SHEET + '[notation]\ntokens = "columns"\n').to_text()
    shown = re.sub(r"\s+", " ", page)
    assert "[ cos(φ) −sin(φ) ]" in shown
    assert "A pair of rows is thus multiplied by a rotation matrix" in shown


def told(sheet: str) -> dict[str, list[str]]:
    page = derive_sheet(parse_worksheet(sheet), "brief", "en").to_html()
    found = re.search(r'id="explored">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return dict(json.loads(found[1])["told"])


def test_each_turned_entry_tells_the_sum_of_its_pair() -> None:
    """3 cos 1 − 4 sin 1 = −1.744977; 3 sin 1 + 4 cos 1 = 4.685622, which 0.84 and 0.54 would make 4.68."""
    rotated = 3  # Q, K, V, Q̂
    entries = told(SHEET)
    assert entries[f"{rotated}.1.0"][0].endswith("= 3 · cos(1) − 4 · sin(1) ≈ 3 · 0.54 − 4 · 0.84 ≈ −1.74")
    assert entries[f"{rotated}.1.1"][0].endswith("= 3 · sin(1) + 4 · cos(1) ≈ 3 · 0.8415 + 4 · 0.5403 ≈ 4.69")
    assert entries[f"{rotated}.0.0"][0].endswith("= 1 · 1 − 1 · 0 = 1")


@pytest.mark.slow
def test_gradients_are_turned_back_and_come_out() -> None:
    """The partner comes in with the other sign; the factors have the places with which the sum is the print."""
    entries = [x[0] for x in told(SHEET.replace("[attention]", "G = [[1], [2]]\n[gradient]\n[attention]")).values()]
    first, second = (next(x for x in entries if x.startswith(name)) for name in ("dK₂₁", "dK₂₂"))
    assert re.search(r"≈ \S+ · sin\(1\) \+ \S+ · cos\(1\) ≈ ", first)
    assert re.search(r"≈ \S+ · cos\(1\) − \S+ · sin\(1\) ≈ ", second)
    x, sin, y, cos, printed = map(float, re.findall(r"\d+\.\d+", " ".join(first.split("≈")[-2:])))
    assert abs(x * sin + y * cos - printed) <= 0.005 and abs(sin - math.sin(1)) < 0.005 > abs(cos - math.cos(1))


def test_a_column_that_does_not_turn_tells_no_sum() -> None:
    sheet = (
        SHEET.replace("true", "{ width = 2 }")
        .replace("1], [3, 4]", "1, 7], [3, 4, 8]")
        .replace("0], [0, 1]", "0, 1], [0, 1, 1]")
    )
    entries = told(sheet)
    assert "cos" not in entries["3.1.2"][0] and "cos(1)" in entries["3.1.1"][0]


def test_sines_have_the_places_that_what_is_turned_needs() -> None:
    """0.3 cos 1 + 2.25 sin 1 = 2.055400; with cos 1 and sin 1 of five places it would be 2.05541."""
    sheet = SHEET.replace("[[1, 1], [3, 4]]", "[['0.161', '1.2'], ['0.3', '-2.25']]")
    page = derived(sheet.replace("K = [[1, 0], [0, 1]]", "K = [['0.4', '0.1'], ['1.5', '2.125']]")).to_text()
    assert re.search(r"0\.540302\s+0\.841471", page) or "2.05540" not in page


def test_columns_of_a_pair_are_named_with_the_pair_first() -> None:
    assert "columns, $2 k$ and $2 k + 1$," in derived(SHEET).to_latex()
