"""Weights as shades: values to two places, what only looks like 0 or 1 told from it, and no markup of others."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import pytest

from symattn.api.derivation import Derivation
from symattn.writing.document import HeatMap
from symattn.writing.writers.svg import heat_map_svg
from symattn.writing.writers.text_style import TextStyle
from tests.samples import derived, qkv

SCORES = "[inputs]\nscaled = [[0, 1], [0, 40]]\nV = [[1], [2]]\n"


def maps(derivation: Derivation) -> list[HeatMap]:
    return [b for b in derivation.document(figures=True).blocks if isinstance(b, HeatMap)]


def test_shades_are_the_weights() -> None:
    (shown,) = maps(derived(SCORES))
    weight = 1 / (1 + math.exp(1))
    assert [[cell.text for cell in row] for row in shown.cells] == [
        [f"{weight:.2f}", f"{1 - weight:.2f}"],
        ["≈0", "≈1"],  # e^-40 is no 0
    ]
    assert [[cell.percent for cell in row] for row in shown.cells] == [[27, 73], [0, 100]]


def test_every_head_has_one_and_pages_ask_for_them() -> None:
    heads = derived(
        "[inputs]\nX = [[1, 0], [0, 1]]\nW_Q = [[1, 0], [0, 1]]\nW_K = [[1, 0], [0, 1]]\nW_V = [[1, 0], [0, 1]]\n"
        "W_O = [[1, 0], [0, 1]]\n[attention]\nheads = 2\n"
    )
    assert [m.step for m in maps(heads)] == ["head_1.weights", "head_2.weights"]
    assert not any(isinstance(b, HeatMap) for b in heads.document().blocks)


@pytest.mark.slow
def test_what_is_large_has_no_numbers_and_what_is_larger_no_picture() -> None:
    assert [m.has_numbers for size in (12, 13, 64, 65) for m in maps(derived(qkv(size)))] == [True, False, False]


def test_a_worksheet_may_ask_for_figures() -> None:
    asked = derived(f"{SCORES}[show]\nfigures = true\n")
    assert r"\filldraw" in asked.to_latex() and r"\filldraw" not in derived(SCORES).to_latex()
    assert "\n\n\n" not in asked.to_markdown() + asked.to_text()  # which have no pictures


@pytest.mark.parametrize("word", ["<script>alert(1)</script>", '"><img src=x>', "a very long word indeed"])
def test_names_of_tokens_are_text(word: str) -> None:
    (shown,) = maps(derived(SCORES))
    drawn = heat_map_svg(HeatMap(shown.step, shown.symbol, shown.cells, (word, "b"), (word, "b")), TextStyle(), _none)
    assert set(re.findall(r"<(\w+)", drawn)) <= {"svg", "g", "rect", "text", "title"}


def _none(_i: int, _j: int) -> str:
    return ""


def test_columns_are_as_wide_as_the_names_of_their_keys() -> None:
    names = ("Thinking", "Machines")
    drawn = derived(f"tokens = {list(names)}\n[inputs]\nscaled = [[1, 0], [0, 1]]\n").to_html()
    assert all(f">{name}</text>" in drawn for name in names) and "Thinki" not in drawn.replace("Thinking", "")


@pytest.mark.parametrize(("size", "turned"), [(2, False), (13, True), (64, True)])
def test_names_stand_beside_every_row_and_column_in_svg(size: int, turned: bool) -> None:
    (shown,) = maps(derived(f"[inputs]\nscaled = {[[0] * size] * size}\n"))
    names = tuple(f"word{k}" for k in range(size))
    drawn = heat_map_svg(HeatMap(shown.step, shown.symbol, shown.cells, names, names), TextStyle(), _none)
    assert all(drawn.count(f">{name}</text>") == 2 for name in names)
    assert drawn.count("rotate(-90)") == size * turned
    letters = [int(pixels) for pixels in re.findall(r"font-size:(\d+)px", drawn)]
    down = [int(y) for y in re.findall(r'class="name row" x="\d+" y="(\d+)"', drawn)]
    assert all(9 <= size <= b - a for size in letters for a, b in pairwise(down))


CHINESE = ("注意力机制的权重", "前馈神经网络层", "归一化与残差连接")


def across(name: str, letter: float) -> float:
    """How wide a name is set: a Chinese character is as wide as letters are high, which is wider than two letters."""
    return sum(letter if ord(c) > 0x2E80 else 0.6 * letter for c in name)


def test_chinese_names_have_room_in_svg() -> None:
    (shown,) = maps(derived("[inputs]\nscaled = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n"))
    drawn = heat_map_svg(HeatMap(shown.step, shown.symbol, shown.cells, CHINESE, CHINESE), TextStyle(), _none)
    label = r'<text class="name{}" x="([\d.]+)" y="[\d.]+">(?:<title>[^<]+</title>)?([^<]+)<'
    keys = [(float(x), across(name, 13)) for x, name in re.findall(label.format(""), drawn)]
    rows = [(float(x), across(name, 13)) for x, name in re.findall(label.format(" row"), drawn)]
    assert len(keys) == len(rows) == 3
    assert all(x + wide / 2 < y - after / 2 for (x, wide), (y, after) in pairwise(keys))
    assert all(right - wide >= 0 for right, wide in rows)


def test_chinese_names_have_room_in_tikz() -> None:
    page = derived(
        f"tokens = {list(CHINESE)}\n[inputs]\nscaled = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n[show]\nfigures = true\n"
    )
    label = r"anchor=base, font=\\footnotesize\] at \(([\d.]+),[\d.]+\) \{([^}]+)\}"
    centimetres = 9 / 72.27 * 2.54  # of \\footnotesize of 11 points
    keys = [(float(x), across(name, centimetres)) for x, name in re.findall(label, page.to_latex())]
    assert len(keys) == 3 and all(x + wide / 2 < y - after / 2 for (x, wide), (y, after) in pairwise(keys))
