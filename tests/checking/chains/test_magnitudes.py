"""Numbers with a letter that counts thousands, and code that is a side of an equation."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed, report


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("$3 × 4096 × 14336 ≈ 0.176B$", "0.176B"),
        ("So `total ≈ 320K + 8K + 2 * 50K ≈ 428K`.", "428K"),
        ("$K = [[1, 2]]$ has rows.\n\nIn all 12480 + 4160 + 16640 ≈ 33.3K", "33.3K"),
        ("- the first: `64 x 64 + 64` ≈ 4,160 of them", "4,160"),
        ("- `a * b` = `5000 * 64` = 320K", "320K"),
        ("$4 \\times 4096^2 = 67.1\\text{M}$", "67.1\\text{M}"),  # 67,108,864
        ("$4 \\times 4096^2 \\approx 67\\text{ million}$", "67\\text{ million}"),
        ("$32 × 4096 = 128K$", "128K"),  # 131,072 is 128 · 1024
        ("Es sind $4 \\times 4096^2 = 67{,}1$ M.", "67{,}1M"),
        ("There are $4 \\times 4096^2 \\approx 67$ million of them", "67 million"),
        ("共 $4 \\times 4096^2 = 6711$万参数", "6711万"),
    ],
)
def test_counts_that_are_right(text: str, printed: str) -> None:
    assert ([printed], []) in [(numbers, bad) for _, numbers, bad in judged(text)]


@pytest.mark.parametrize(
    ("text", "printed"), [("$4096 × 4096 = 18M$", "18M"), ("$3 × 1000 = 4K$", "4K"), ("$4K = 4096$", "4096")]
)
def test_counts_that_do_not_fit_are_listed(text: str, printed: str) -> None:
    assert judged(text) == [] and printed in listed(text)


@pytest.mark.parametrize(
    ("text", "printed", "right"),
    [
        ("In all 12480 + 4160 + 16640 + 16448 + 256 ≈ 51.2K", "51.2K", "50.0K"),  # 49,984
        ("$4 \\times 4096^2 = 76.1\\text{M}$", "76.1\\text{M}", "67.1\\text{M}"),
        ("$32 × 4096 = 182K$", "182K", "131K"),
        ("Together 91 + 42 = 0.23B parameters", "0.23B", "133"),
        ("Biases: 3072 + 768 = 3.84M", "3.84M", "0.004M"),
    ],
)
def test_counts_that_are_far_off(text: str, printed: str, right: str) -> None:
    assert [(e.printed, e.decimal) for claim in report(text).findings for e in claim.bad] == [(printed, right)]


@pytest.mark.parametrize(
    "text",
    [
        "In bytes $32 × 4096 = 262K$.",  # two of them each
        "$32 × 4096 = 182K$? No.",
        "$32 × 4096 + n = 182K$",
        "$2 × 3.5M = 8M$",
        "Together 91 + 42 = 0.13B parameters",  # of 91M and 42M
    ],
)
def test_counts_that_may_be_meant_otherwise(text: str) -> None:
    assert not [e for claim in report(text).findings for e in claim.bad]


def test_a_letter_that_has_a_value_is_a_factor() -> None:
    assert judged("$K = 3$\n\n$2K = 6$")[-1][1:] == (["6"], [])
    assert judged("$K = [[1, 2]]$\n\n$2K = [[2, 4]]$")[-1][1:] == (["2", "4"], [])


def test_code_on_both_sides_of_a_sign() -> None:
    assert judged("- `softmax([0, 0])` = `[0.5, 0.6]`")[-1][1:] == (["0.5", "0.6"], ["0.6"])
    assert judged("- output ≈ `0.67*[10, 0] + 0.33*[0, 10]`\n- output ≈ `[6.7, 3.3]`")[-1][1:] == (["6.7", "3.3"], [])


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("12 × 12 × 768² ≈ 85 million parameters", []),
        ("12 × 12 × 768² ≈ 65 million", ["65 million"]),
        ("12 × 12 × 768² = 84.9 million", []),
        ("参数量 = 12 × 12 × 768² ≈ 0.85 亿参数", []),  # 84,934,656
        ("参数量 = 12 × 12 × 768² ≈ 0.75亿", ["0.75亿"]),
        ("参数量 = 12 × 12 × 768² ≈ 8493 万", []),
        ("2 × 70 亿 = 1.4 × 10^10", []),
        ("1.2亿 / 4 = 3000万", []),
        ("70亿 × 2字节 = 14GB", []),
        ("2 × 7 million = 14,000,000", []),
        ("7 billion × 2 bytes = 14 GB", []),
    ],
)
def test_words_that_count_thousands(text: str, wrong: list[str]) -> None:
    [(_, _, bad)] = judged(text)
    assert bad == wrong


def test_a_letter_behind_a_formula_that_may_be_a_name_is_left_alone() -> None:
    assert judged("With $2 \\times 32 = 64$ K and V are as wide.")[0][1:] == (["64"], [])


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("Size: 50,304 × 768 = 38,633,472 (~38.6M)", []),
        ("Size: 50,304 × 768 = 38,633,999 (~38.6M)", ["38,633,999"]),
        ("Size: 1,024 × 768 = 786,432 (~0.99M)", ["0.99M"]),
        ("Size: 1,024 × 768 = 786,432 (~786K)", []),
        ("Size: 4 × 3072 = 12,288 (~12K)", []),
        ("Size: 4 × 300 = 1,200 (~1.9K)", ["1.9K"]),
        ("Size: 3 × 4096 = 12,288 (~12.3)", []),
        ("Size: 3600 × 24 = 86,400 (~86)", []),
        ("Size: 9216 × 9216 = 84,934,656 (~85)", []),
    ],
)
def test_a_long_number_may_be_said_shorter_in_parentheses(text: str, bad: list[str]) -> None:
    assert [number for *_, wrong in judged(text) for number in wrong] == bad


def test_small_numbers_in_parentheses_are_no_short_form() -> None:
    assert not any(bad for *_, bad in judged("d = 2 (~3) and $x = 20 (\\sim 30)$."))


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        (r"In float32, $e^{89} \approx 10^{38}$.", []),  # 4.5 · 10³⁸
        ("`2^127 ≈ 10^38`, `2^64 ≈ 10^19`", []),  # 1.7 · 10³⁸, 1.8 · 10¹⁹
        (r"$e^{-20} \approx 10^{-9}$", []),  # 2.1 · 10⁻⁹
        (r"$e^{89} \approx 2 \times 10^{38}$.", [r"2 \times 10^{38}"]),  # a digit says more
    ],
)
def test_a_power_of_ten_alone_is_an_order_of_magnitude(text: str, bad: list[str]) -> None:
    assert [number for _, _, wrong in judged(text) for number in wrong] == bad
    assert not listed(text)


def test_another_order_of_magnitude_is_listed() -> None:
    assert judged(r"$e^{89} \approx 10^{30}$") == [] and listed(r"$e^{89} \approx 10^{30}$") == ["10^{30}"]
