"""Results that a sentence leads to: "from [2, 1] to [0.73, 0.27]" by what it names, "…, or about [6.7, 6.6]"."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed


def right(text: str) -> list[str]:
    """The numbers that are judged, none of which may be wrong."""
    claims = judged(text)
    assert not any(bad for *_, bad in claims)
    return [number for _, numbers, _ in claims for number in numbers]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Softmax takes it from [2, 1] to [0.73, 0.27].", ["0.73", "0.27"]),  # 1/(1 + e⁻¹) = 0.731
        ("取 softmax，从 [2, 1] 得到 [0.73, 0.27]。", ["0.73", "0.27"]),
        ("本例 d_k=2，先除以 √d_k，从 [4, 6] 得到 [2.83, 4.24]。", ["2.83", "4.24"]),
        ("Scaling with d_k = 2 takes the scores from [4, 6] to [2.83, 4.24].", ["2.83", "4.24"]),
        ("The output is 0.67 × [10, 0] + 0.33 × [0, 20], or about [6.7, 6.6].", ["6.7", "6.6"]),
        ("It is 0.25 × [4, 0] + 0.75 × [0, 8], which is roughly [1, 6].", ["1", "6"]),
        ("输出为 0.5 × [4, 2]，约为 [2, 1]。", ["2", "1"]),
        ("C'est 0.5 × [4, 2], soit environ [2, 1].", ["2", "1"]),
    ],
)
def test_the_sentence_says_what_it_is(text: str, numbers: list[str]) -> None:
    assert right(text) == numbers


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Values range from [0, 1] to [2, 3].", "[2, 3]"),
        ("The softmax of the scores moved from [2, 1] to [0.63, 0.37].", "[0.63, 0.37]"),  # after training
        ("We divide by 2, from [4, 6] to [2.83, 4.24].", "[2.83, 4.24]"),
        ("It is 0.25 × [4, 0] + 0.75 × [0, 8], or about [1, 7].", "[1, 7]"),
        ("Take 2 × [1, 2], [2, 4] and [3, 5].", "[3, 5]"),
    ],
)
def test_where_it_may_say_something_else_it_is_listed(text: str, last: str) -> None:
    assert right(text) == [] and last in listed(text)


@pytest.mark.parametrize("label", ["Row 2", "token 12", "Head 1", "Zeile 3"])
def test_the_number_of_a_row_is_no_factor_of_it(label: str) -> None:
    # e³ is 20.086 and e 2.718: 0.881 and 0.119 of their sum, 22.804
    assert right(f"{label} [3, 1] → softmax → [0.88, 0.12]") == ["0.88", "0.12"]
    assert right(f"{label} [3, 1]: e^3 ≈ 20.09, e^1 ≈ 2.72, sum = 22.81 → [0.88, 0.12]")[-2:] == ["0.88", "0.12"]
    assert judged(f"{label} [3, 1] → softmax → [0.88, 0.22]")[0][2] == ["0.22"]


def test_a_number_before_a_list_is_a_factor() -> None:
    assert right("We take 2 [1, 2] = [2, 4].") == ["2", "4"]


@pytest.mark.parametrize(
    "text",
    [
        "With temperature 3, softmax takes it from [2, 1] to [0.73, 0.27].",
        "Softmax takes it from [2, 1] to [0.73, 0.27] at temperature 3.",
        "Mit der Temperatur 3 führt softmax von [2, 1] zu [0.73, 0.27].",
        "温度为 3 时取 softmax，从 [2, 1] 得到 [0.73, 0.27]。",
    ],
)
def test_a_temperature_nearby_makes_it_another_softmax(text: str) -> None:
    assert right(text) == []
