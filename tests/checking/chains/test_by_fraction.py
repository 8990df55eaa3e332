"""A fraction that stands for a root behind ≈: what is equal to it then is its own decimal."""

import pytest

from tests.checking.checked import judged


def bad(text: str) -> list[str]:
    return [number for _, _, wrong in judged(text) for number in wrong]


@pytest.mark.parametrize(
    "text",
    [
        "√2 ≈ 99/70 = 1.414286",
        r"$\sqrt{5} \approx \dfrac{9}{4} = 2.25$",
        "ln 3 ≈ 11/10 = 1.1",
        "e^{-1} ≈ 7/19 = 0.36842",
        "φ = (1 + √5)/2 ≈ 13/8 = 1.625",
        "8√2 ≈ 99/70·8 = 11.3143",
    ],
)
def test_the_decimal_of_the_fraction_is_right(text: str) -> None:
    assert judged(text)
    assert bad(text) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("√2 ≈ 99/70 = 1.424286", ["1.424286"]),
        ("√2 = 99/70 = 1.414286", ["1.414286"]),
        ("√2 ≈ 3/1 = 3", ["3"]),
        ("√2 ≈ 1.4243", ["1.4243"]),
    ],
)
def test_another_decimal_or_a_fraction_that_is_far_off_is_wrong(text: str, wrong: list[str]) -> None:
    assert bad(text)[-1:] == wrong
