"""Arithmetic with words and units in plain text; the results were worked out by hand."""

from __future__ import annotations

import random

import pytest

from symattn.checking.recognised.amounts.reading import UnreadError, calculate
from symattn.values.enclosures import precision
from tests.checking.checked import judged


def right(text: str) -> list[str]:
    found = judged(text)
    assert not [number for *_, bad in found for number in bad]
    return [number for _, printed, _ in found for number in printed]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 (K and V) × 32 layers × 8 KV heads × 128 dims × 2 bytes", 131072),
        ("Weights of one layer 4 × 768²", 2359296),
        ("layers (12) × heads (12)", 144),
        ("3.5 bytes/param × 7B params", 24_500_000_000),
        ("16 GB / 2", 8_000_000_000),
        ("2^10 − 24 tokens", 1000),
        ("(12 + 4) * 3 / 8", 6),
        ("-2 ** 2", -4),
        ("50% × 30 tokens", 15),
        ("√16 + 1e3", 1004),
        ("1.2 million × 5", 6_000_000),
    ],
)
def test_words_and_units_between_numbers(text: str, value: int) -> None:
    with precision(80):
        assert float(calculate(text).value.mid()) == value


@pytest.mark.parametrize(
    "text",
    ["n × 4", "4 × n", "2 × (3", "3)", "2 + × 3", "= 4", "1 / 0", "(0 − 1) ^ 0.5", "2 ^ 10000", "", "words", "(" * 50],
)
def test_what_is_no_calculation_is_not_read(text: str) -> None:
    with precision(80), pytest.raises(UnreadError):
        calculate(text)


def test_units_of_thousands_and_of_1024() -> None:
    assert right("Cache: 2 × 32 layers × 8 heads × 128 × 2 bytes = 131,072 bytes = 128 KB per token")[-2:] == [
        "131,072",
        "128",
    ]
    assert right("Weights: 7B params × 2 bytes each = 14 GB") == ["14"]


def test_a_line_goes_on_with_the_result_above() -> None:
    assert right("One layer with biases: 4 × 64 (Q, K, V, O) × 64 = 16,384\n× 12 layers = 196,608")[-1] == "196,608"


def test_a_total_below_a_column() -> None:
    table = (
        "| part | parameters |\n|---|---|\n| attention | 2,359,296 |\n| feed-forward | 4,722,432 |\n| total | {} |\n"
    )
    assert "7,081,728" in right(table.format("7,081,728"))
    assert right(table.format("7,081,782")) == []


def test_what_is_not_right_is_left_alone() -> None:
    chance = random.Random(7)
    for _ in range(40):
        a, b, c = (chance.randrange(3, 99) for _ in range(3))
        off = a * b * c + chance.choice([-1, 1]) * chance.randrange(1, 9)
        found = judged(f"so many {a} layers × {b} heads (all) × {c} of them each = {off} bytes")
        assert not any(set(printed) - set(bad) for _, printed, bad in found)


@pytest.mark.parametrize(
    ("total", "confirmed"), [("= Remaining: 125600", 1), ("Available: 125600", 1), ("= Remaining: 126500", 0)]
)
def test_what_is_left_of_an_amount(total: str, confirmed: int) -> None:
    text = f"Context window: 128000\n\n- System prompt: -2000\n- Tools: -400\n{total}"
    assert right(text) == ["125600"] * confirmed


def test_amounts_of_one_unit_on_lines_below_each_other() -> None:
    assert right("- **Weights**: 140 GB\n- **Cache**: 20 GB\n- **Total**: 160 GB") == ["160"]
    assert right("- **Weights**: 140 GB\n- **Cache**: 20 GB\n- **Total**: 166 GB") == []


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("GPT, FP16: 2 × 12 × 768 × 2 B = 36 KB per token → 2048 tokens ≈ 72 MB in all", ["36", "72"]),
        ("GPT, FP16: 2 × 12 × 768 × 2 B = 36 KB per token → 2048 words ≈ 72 MB in all", ["36"]),
        ("Weights: 32 x 32 x 16-bit = 2 KB", ["2"]),
        ("Sums: 32 x FP32 = 128 B x 32 rows = 4 KB", ["128", "4"]),
        ("Rates: 32 x 16-bit = 512 Kb", []),
    ],
)
def test_widths_and_amounts_per_thing(text: str, results: list[str]) -> None:
    assert right(text) == results
