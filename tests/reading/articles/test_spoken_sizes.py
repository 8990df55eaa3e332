"""Sizes that sentences work out in words: the width of a head, roots, the scale of scores."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

WIDTHS = {
    "English": "A model of 256 dimensions with 4 heads: each head sees {} dimensions.",
    "letters": "For d_model = 256 and h = 4, every head works in {} dimensions.",
    "formulas": r"For $d_{{\text{{model}}}} = 256$ and $h = 4$, each head has a width of {}.",
    "German": "Bei 256 Dimensionen und 4 Heads\nhat jeder Head {} Dimensionen.",
    "Korean": "차원(256)을 Head 수(4)로 나누면 각 Head는 {}차원입니다.",
    "Chinese": "模型共 256 维，分成 4 个头，每个头 {} 维。",
}


@pytest.mark.parametrize("text", WIDTHS.values(), ids=WIDTHS)
def test_the_width_of_a_head_in_words(text: str) -> None:
    assert (judged(text.format(64))[-1][1:]) == (["64"], [])


@pytest.mark.parametrize("words", ["are split over", "are divided among"])
def test_what_is_divided_may_be_wrong(words: str) -> None:
    assert judged(f"The 256 dimensions {words} 4 heads, so each head has 32 dimensions.")[-1][2] == ["32"]


@pytest.mark.parametrize(
    "text",
    [
        "A model of 256 dimensions with 4 heads, each head of 128 dimensions.",  # the width is free to choose
        "A model of 256 dimensions with 4 heads: each head sees 64 tokens.",
        "A model of 256 dimensions, 4 heads and 2 heads for keys: each head sees 64 dimensions.",
        "With 256 dimensions, 4 heads and dot products divided by 8, each head has 32 dimensions.",
        "For d_k = 64 the scale is 1/64.",
    ],
)
def test_what_is_not_divided_is_left_alone(text: str) -> None:
    assert judged(text) == []


@pytest.mark.parametrize(
    ("text", "printed", "bad"),
    [
        ("The square root of two is about 1.4.", "1.4", []),
        ("Die Quadratwurzel von 64\nist 9.", "9", ["9"]),
        ("For d_k = 64 the scale is 1/8.", "8", []),
        ("A product of them is around ±22.6 (sqrt(512)).", "22.6", []),
        ("A product of them is about 24.6 (√512).", "24.6", ["24.6"]),
        ("With d_k = 64 the scores have standard deviation 8.", "8", []),
    ],
)
def test_roots_in_words(text: str, printed: str, bad: list[str]) -> None:
    assert judged(text)[-1][1:] == ([printed], bad)


def test_a_root_that_something_is_said_of_otherwise() -> None:
    assert judged("The square root of 64 is 8 times smaller.") == []


@pytest.mark.parametrize(("width", "bad"), [(64, []), (63, ["63"])])
def test_numbers_of_names_may_lead_to_that_of_another(width: int, bad: list[str]) -> None:
    text = f"Each head has `d_k = d_model / n_heads`.\n\n```\nd_model = 512,  n_heads = 8   →   d_k = {width}\n```"
    assert judged(text)[-1][1:] == ([str(width)], bad)


# 2 · 8 · 128 · 2 · 32 bytes are 131,072, or 128 KiB
@pytest.mark.parametrize(
    "bytes_", ["131072 bytes (≈ {})", "131,072 bytes ({})", "131072バイト（{}）", "131072 字节（约 {}）"]
)
def test_bytes_said_again_in_a_larger_unit(bytes_: str) -> None:
    equation = "```\ncache = 2 × 8 × 128 × 2 × 32 = {}\n```"
    assert judged(equation.format(bytes_.format("128 KB")))[-1][1:] == (["128"], [])
    assert judged(equation.format(bytes_.format("1.3 MB")))[-1][1:] == (["1.3"], ["1.3"])
