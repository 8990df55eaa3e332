"""Amounts with their thousands set apart, in columns and beside their units."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed


@pytest.mark.parametrize(
    ("text", "slip"),
    [
        ("```\nT · d      =  1 024 · 768 =     {}\n```", ("786 432", "786 532")),
        ("Donc : 32 x 8 x 128 x 2 octets = {} octets par token.", ("65 536", "65 436")),
        ("大小 = 784² = {}", ("614,656", "614,556")),
        ("倍数 = 614,656 / 38,416 = {}", ("16", "18")),
        ("```\ncache = 2 × 36 × 8 × 128 × 2 bytes = 147,456 B = {} KB / token\n```", ("144", "")),
        ("```\n2 × 32 × 32 × 128 × 2 B = 524,288 B = {} MB\n```", ("0.5", "0.8")),
        ("weights ≈ 7 × 10^9 × 2 B = {} GB", ("14", "")),
        (r"$$\frac{{64 \times 10^6}}{{4 \times 10^6}} = \mathbf{{{}\times}}$$", ("16", "18")),
        ("With scaling /√2 → softmax([0.72, 0.35, 0.00]) = [{}, 0.318, 0.223]", ("0.459", "0.559")),
        ("Summe: 9,0 + 0,8 + 1 = 10,8 GB\n\n9,0 + 3,2 + 1 = {} GB", ("13,2", "14,2")),
    ],
)
def test_amounts(text: str, slip: tuple[str, str]) -> None:
    right, wrong = slip
    assert not [bad for *_, bad in judged(text.format(right)) if bad]
    assert judged(text.format(right))
    if wrong:  # but amounts of bytes that are off are listed: 1,000 or 1,024 may be meant
        assert [bad for *_, bad in judged(text.format(wrong)) if bad] in ([[wrong]], [[wrong.replace(" ", "")]])


def test_what_may_be_a_decimal_is_not_taken_for_thousands() -> None:
    assert not judged("f = 10 × 10 / 8 = 12,500")
    assert not judged("f = 2 × 7 B = 14 GB")  # two bytes for each of seven billions
    assert listed("f = 10 × 10 / 8 = 12,500")


def test_no_equation_begins_behind_a_sign() -> None:
    assert [number for _, shown, _ in judged("z = 0.5 ·  768 · 4 = 1536") for number in shown] == ["1536"]
    assert judged("2 (keys and values) x 32 x 8 x 256 octets = 131 072 octets")[0][1] == ["131072"]
    assert not [bad for *_, bad in judged("z = 0.5 x 768 x 4 = 1 536") if bad]
