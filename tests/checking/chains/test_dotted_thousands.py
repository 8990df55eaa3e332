"""Points and spaces that part thousands: 784 · 10 + 10 = 7.850 is no slip by a factor beside 0.9, nor beside 0,9."""

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


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("```\n128 × 784 + 128 = 100.480\n 10 × 128 +  10 =   1.291\n```", ["1.291"]),
        ("p = 0,25 · 0,5 = 0,125 und 0,75 + 0,05 = 0,80\n\n1.024 × 2 = 2.049", ["2.049"]),
        ("p = 0,25 · 0,5 = 0,125 und 0,75 + 0,05 = 0,80\n\n1.024 × 2 = 2.048", []),
        ("embedding = 4096 × 512 = 2 097 153", ["2097153"]),
        ("La table a 4096 × 512 = 2\u202f097\u202f152 poids.", []),
        ("Somme : 2 048 + 1 024 = 3 073", ["3073"]),
        ("The table has 2 048 + 1 024 = 3 072 rows", []),
    ],
)
def test_whole_numbers_that_are_worked_out(text, wrong):
    found = judged(text)
    assert found
    assert [number for _, _, bad in found for number in bad] == wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("p = σ(0,5) = 0,6325, et L = 0,1425.", ["0,6325"]),
        ("z = w·x + b = 0,5 → h = σ(0,5) = 0,6225", []),
    ],
)
def test_a_comma_in_a_function_of_one_number_is_decimal(text, wrong):
    found = judged(text)
    assert found
    assert [number for _, _, bad in found for number in bad] == wrong


def test_three_noughts_behind_a_point_may_be_decimals():
    text = "p = 0,25 · 0,5 = 0,125 und 0,75 + 0,05 = 0,80\n\n2 · 4 = 8.000"
    assert [number for _, _, bad in judged(text) for number in bad] == []


@pytest.mark.parametrize(
    "text",
    [
        "Layer 1 512 × 512 = 262 144.",
        "layers 12 768 × 3 = 2304",
        "Table 2 100 + 20 × 5 = 200 in all",
        "2 × 3 = 6 100 times",
        "Step 1 512 ÷ 8 = 64 100",
    ],
)
def test_a_label_or_what_follows_is_no_part_of_a_number(text):
    assert not [number for *_, bad in judged(text) for number in bad]


@pytest.mark.parametrize("said", [r"$\pi + 1 = 4.142$", r"$x = 2 \cdot \pi = 6.283$", r"$1 + 2 \approx 3.001$"])
def test_what_comes_of_letters_or_nearly_is_no_whole_number(said):
    text = f"Mit Komma: $0,5 + 0,5 = 1,0$ und $2,5 + 1,5 = 4,0$. Der Code gibt Punkte aus.\n\n{said}\n"
    assert [wrong for _, _, wrong in judged(text) if wrong] == []
