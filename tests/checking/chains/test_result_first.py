"""Equations whose result stands first: it is held against the arithmetic behind it, and a label is no result."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        (r"Since $4096 = 32 \times 128$ it fits.", []),
        (r"Since $4096 = 32 \times 126$ it fits.", ["4096"]),
        ("共 2048 维：1024 = 8 头 × 128 维，512 = 8 × 62。", ["512"]),
        ("The width: 1024 = 2^10 = 1024", []),
        ("$4{,}160 = 64 \\times 64 + 64$", []),
        ("d_ff = 2048 = 4 × 512", []),
        ("d_ff = 2048 = 4 × 521", ["2048"]),
        ("d_k = d_v = 64 (768 / 12)", []),
    ],
)
def test_a_number_before_its_arithmetic(text: str, bad: list[str]) -> None:
    found = judged(text)
    assert found and [number for *_, wrong in found for number in wrong] == bad


@pytest.mark.parametrize(
    "text", ["Layer 12 = 3 × 0.5 + 1", "行12 = 0.5 × 3 + 1", "128 GB = 8 × 8 GB", "$75 = 3/4 \\%$"]
)
def test_a_number_that_says_which_or_has_a_unit(text: str) -> None:
    assert not judged(text) and listed(text)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("d_k = 64 (768 / 12)\n", ["64"]),
        ("d_k = 64 (768 / 8)\n", []),  # another remark
        ("```\nAfter concat: 512\n   [8 × 64 = 512]\n```\n", ["512"]),
        ("p = 3 / 8 = 0.375 (37.5%)\n", ["0.375", "37.5%"]),
        ("p = 3 / 8 = 0.375 (37%)\n", ["0.375", "37%"]),
    ],
)
def test_what_brackets_say_once_more(text: str, numbers: list[str]) -> None:
    assert [n for _, printed, bad in judged(text) for n in printed if not bad] == numbers


@pytest.mark.parametrize(
    ("text", "numbers", "bad"),
    [
        ("7.39 / 12.87 ≈ 0.87 (57%)", ["0.87"], ["0.87"]),
        ("- **A**: `2.72 / 12.87` ≈ **0.51 (21%)**", ["0.51"], ["0.51"]),
        ("p = 3 / 4 = 0.75 (25%), the rest is lost.", ["0.75"], []),
        ("0.05 × 200 = 10.0 (5%)", ["10.0"], []),
        ("0.88 / 0.80 = 1.1 (10%).", ["1.1"], []),
        ("We keep 16 × 0.5 = 8.0 (80%).", ["8.0"], []),
        ("loss = 0.3 + 0.2 = 0.5 (10%)", ["0.5"], []),
        ("1 - 0.05 = 0.95 (95%)", ["0.95", "95%"], []),
        ("x = 2 · 0.25 = 0.5 (99%) and more", [], []),
        ("p = 0.25 (30%) · 4", [], []),
        ("lr = 0.1 (50%)", [], []),
        ("e^{-1} = 0.368 (63%)", ["0.368"], []),
        ("3 / 8 = 0.375 (15%) = 1 - 0.625", [], []),
    ],
)
def test_another_percentage_in_brackets_is_parted_from_its_result(
    text: str, numbers: list[str], bad: list[str]
) -> None:
    found = judged(text)
    assert [n for _, printed, _ in found for n in printed] == numbers
    assert [n for *_, wrong in found for n in wrong] == bad


def test_a_count_with_a_letter_is_listed() -> None:
    assert listed("```\nW: 512 × 2048 = 1,048,576\nAll of it: ~2.1M parameters\n```\n") != []
