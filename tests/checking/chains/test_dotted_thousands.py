"""Points that part thousands beside points that are decimal: 784 · 10 + 10 = 7.850 is no slip by a factor."""

import pytest

from tests.checking.checked import judged


@pytest.mark.parametrize(
    "text",
    [
        "Parameter: 784 x 10 + 10 = 7.850. Genauigkeit: 0.9.",
        "Totaal: 320 + 18.496 + 125.450 = 144.266",
        "Vektoren: 50.257 × 768 = 38.597.376, das sind 0.2 GB.",
        "Speicher: 589.824 × 4 bytes = 2.359.296 bytes ≈ 2.36 MB",
        "| a | b |\n|---|---|\n| x | `4 × (768 + 768) = 6.144` |\n\n6.144 + 6.144 = 12.288 und 2.36 MB\n",
    ],
)
def test_points_may_part_thousands(text):
    assert [wrong for _, _, wrong in judged(text) if wrong] == []


@pytest.mark.parametrize(
    "text",
    [
        "2.500 / 2 = 1250",
        "1.024 × 0.5 = 512",
        "784 x 10 + 10 = 7.860. Loss: 0.9.",
        "2.5 × 1.024 = 25.600",
        "3 × 1.512 = 4.525",
    ],
)
def test_other_numbers_are_wrong(text):
    assert [wrong for _, _, wrong in judged(text) if wrong]
