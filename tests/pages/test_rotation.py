"""RoPE's rotation matrix, and one pair turned in numbers that a reader can calculate again."""

from __future__ import annotations

import re

import pytest

from tests.samples import derived, sample

SHEET = "[inputs]\nQ = [[1, 1], [3, 4]]\nK = [[1, 0], [0, 1]]\nV = [[1], [2]]\n[attention]\nrope = true\n"


def test_the_matrix_and_one_pair() -> None:
    page = derived(SHEET).to_text()
    assert "φ = t · 10000^(−2·k/d)" in page
    # 3 cos 1 − 4 sin 1 = −1.744977, 3 sin 1 + 4 cos 1 = 4.685622; with 0.5403 and 0.8415 it would be −1.7451
    shown = re.sub(r"\s+", " ", page)
    assert "[ 3 4 ] [ cos(1) sin(1) ]" in shown and "[ −sin(1) cos(1) ]" in shown
    assert "0.54030" in page and "0.84147" in page
    assert "[ −1.74 4.69 ]" in shown


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
