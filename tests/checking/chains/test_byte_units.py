"""Numbers of bytes in the unit that is printed behind them; worked out by hand."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, report


@pytest.mark.parametrize(
    "text",
    [
        "$2 \\times 32 \\times 4096 \\times 4096 \\times 2 = 2.15\\ \\text{GB}$",  # 2,147,483,648
        "$2 \\times 32 \\times 4096 \\times 4096 \\times 2 \\approx 2\\,\\mathrm{GB}$",  # 2 · 2³⁰
        "$2 \\times 32 \\times 4096 \\times 4096 \\times 2 = 2$ GiB",
        "4096 × 4096 × 2 bytes = 33.6 MB",
        "7B × 2 bytes = 14 GB",
        "64 GB × 2 = 128 GB",
        "14 GB + 512 MB = 14.5 GB",
        "40 × 80 GB = 3.2 TB",
        "$4 \\times 512 = 2048 \\text{ bytes} = 2 \\text{ KB per token}$",
    ],
)
def test_numbers_in_bytes(text: str) -> None:
    assert [bad for *_, bad in judged(text)] and not any(bad for *_, bad in judged(text))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("$2 \\times 32 \\times 4096 \\times 1024 \\times 2 \\approx 10\\ \\text{GB}$", "10"),  # 536,870,912
        ("2 × 32 × 4096 × 4096 × 2 bytes = 3.15 GB", "3.15"),
        (
            "$$2 \\times 40 \\times 8 \\times 2048 \\times 128 \\times 2 \\text{ bytes} = 0.67 \\text{ GB}$$",
            "0.67",
        ),  # 335,544,320
        ("The scores take 4 × 8 × 1024 × 1024 × 4 bytes = 67 MB.", "67"),  # 134,217,728
        ("## 2. Scores\n\n4 × 8 × 1024 × 1024 × 4 bytes = 268 MB.", "268"),
        ("$2 \\times 3\\ \\text{bytes} = 7\\ \\text{bytes}$", "7"),
    ],
)
def test_a_product_that_comes_to_something_else(text: str, wrong: str) -> None:
    assert [bad for *_, bad in judged(text)] == [[wrong]]


@pytest.mark.parametrize(
    "text",
    [
        "2 × 80 × 8 × 128 × 4096 = 1.34 GB",  # two bytes each
        "7 × 2 = 15 GB",
        "2 × 3 GB = 7 GB",
        "1000 tokens × 3 × 2 = 12 KB",
        "On 5 cards the weights take 7 × 1000 × 1000000 = 35 GB.",
        "In its 40 layers it keeps 2 × 8 × 128 × 4096 × 2 = 671 MB.",
        "For K and V of 16 layers: 16 × 4096 × 1024 × 2 bytes = 268 MB.",
        "16 × 4096 × 1024 × 2 bytes = 268 MB for both keys and values.",
        "With 5% overhead, 2 × 32 × 4096 × 4096 × 2 = 2.25 GB.",
        "2 × 32 × 4096 × 4096 × 2 = 1.93 GB, with 10% left out.",
    ],
)
def test_what_may_be_meant_otherwise_is_not_accused(text: str) -> None:
    assert not [number for *_, bad in judged(text) for number in bad]


def test_bytes_between_two_equals_signs_are_whole() -> None:
    text = "KV = 64 * 1024 * 4 bytes\n= 262,414 bytes = 256 KiB"  # 262,144
    assert [bad for *_, bad in judged(text) if bad] == [["262,414"]]


CACHE = "```\n{formula}\n```\n\n32 layers, 8 heads, FP16 (2 bytes):\n\n```\n2 × 32 × 8 × 128 × 4096 × 2 = {size}\n```\n"


@pytest.mark.parametrize(("formula", "size", "wrong"), [
    ("cache = 2 × layers × heads × d_head × tokens × bytes_per_value", "536,870,912 bytes", [[]]),
    ("cache = 2 × layers × heads × d_head × tokens × bytes_per_value", "268,435,456 bytes", [["268,435,456"]]),
    ("cache = 2 * L * H * d * n * dtype_size", "268 MB", [["268"]]),
    ("cache = 2 × layers × d_model × tokens × bytes", "268 MB", []),  # the product has another factor
    ("cache = 2 × layers × heads × d_head × tokens", "268 MB", []),  # half a byte each may be meant
])  # fmt: skip
def test_a_formula_of_bytes_leaves_nothing_unsaid(formula: str, size: str, wrong: list[list[str]]) -> None:
    assert [bad for *_, bad in judged(CACHE.format(formula=formula, size=size))] == wrong


@pytest.mark.parametrize(
    "text",
    [
        "2 × 48 × 32 × 128 × 2 = ~786 KB",  # 786,432
        "2 × 48 × 32 × 128 × 2 = **~786 KB**",
        "800 KB × 8192 × 10 = ~65.5 GB",
        "Embeddings: 32K × 2048 × 4 = 256 MB",  # 32 · 1024 · 2048 · 4 = 256 · 2²⁰
        "Embeddings: 32K × 2048 × 4 = 262 MB",  # 262,144,000
        "Embeddings: 32K × 2048 × 4 = 268 MB",  # 32 · 1024 words and 268,435,456 bytes
    ],
)
def test_about_so_many_bytes_and_thousands_of_words(text: str) -> None:
    assert judged(text) and not any(bad for *_, bad in judged(text))


def test_a_wrong_number_of_about_so_many_bytes() -> None:
    assert [bad for *_, bad in judged("2 × 48 × 32 × 128 × 2 = ~986 KB")] == [["986"]]


def test_what_is_divided_by_bytes_has_a_unit_of_its_own() -> None:
    """4 TFLOPS / 200 GB/s is 20 FLOP a byte."""
    assert judged("For v2: 4 TFLOPS / 200 GB/s = 20 FLOP/B.") == []


# 3 · 4096² · 2 = 100,663,296, which is 101 · 10⁶ and 96 · 2²⁰
@pytest.mark.parametrize(("amount", "right"), [("107", "101"), ("102", "96")])
def test_what_is_converted_may_be_wrong_itself(amount: str, right: str) -> None:
    text = f"3 × 4096 × 4096 × 2 = 106,663,296 bytes ≈ {amount} MB"
    entries = [entry for claim in report(text).findings for entry in claim.entries]
    assert [e.verdict for e in entries] == ["wrong", "carried"] and entries[1].decimal == right


@pytest.mark.parametrize("size", ["1,073,741,824", "5,368,709,120"])
def test_a_whole_number_of_gib_is_exact(size: str) -> None:
    """2³⁰ and 5 · 2³⁰ bytes: 1.07 and 5.37 GB, but neither is cut off."""
    n = 4096 if size[0] == "1" else 20480
    text = f"```\nKV = 2 × 32 × {n} × 4096\n   = {size} bytes\n   ≈ {size[0]}.0 GB\n```"
    assert [e.verdict for claim in report(text).findings for e in claim.entries] == ["exact", "exact"]


@pytest.mark.parametrize(
    "text",
    [
        "12 × 25 GB/s = 300 GB/s = 2.4 Tbps",
        "50,000 * 4 KB = 200 MB/s = 1.6 Gbps",
        "0.5 KB/s × 2000 ≈ 1 MB/s ≈ 8 Mbps",
        r"$6 \times 50\ \text{GB/s} = 300\ \text{GB/s} = 2.4\ \text{Tb/s}$",
        "3 × 30 MB/s = 90 MB/s = 720 Mbit/s",
        "3 × 512 KiB = 1.5 MiB = 12 Mibit",
    ],
)
def test_a_byte_has_eight_bits(text: str) -> None:
    assert [entry.verdict for claim in report(text).findings for entry in claim.entries][-1:] == ["exact"]


def test_what_is_wrong_in_bits_may_be_meant_in_bytes() -> None:
    assert not report("12 × 25 GB/s = 300 GB/s = 2.7 Tbps").findings
