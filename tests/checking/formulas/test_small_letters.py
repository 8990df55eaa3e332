"""Indices and exponents in small letters of Unicode, aᵢⱼ, Σₘ and eˣ, read as those of a_ij, Σ_m and e^x."""

import unicodedata

import pytest

from symattn.checking import check_article
from symattn.reading import formula as f
from symattn.reading.articles.reader import read_article
from tests.checking.checked import judged as numbers_of

pytestmark = pytest.mark.slow


def judged(text):
    return [each.verdict for each in check_article(read_article("a.md", text)).formulas]


LETTERS = "ₐₑₕᵢₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ"
SURROUNDED = ["{}", "- **{}**", "`{}`", "```\n  {}\n```", "| softmax | weights |\n|---|---|\n| softmax | {} |", "${}$"]


@pytest.mark.parametrize("letter", LETTERS)
def test_every_letter_below_the_line_is_an_index(letter):
    right = f"softmax(z{letter}) = exp(z{letter}) / Σⱼ exp(zⱼ)"
    assert judged(right) == ["holds"]
    assert judged(f"softmax(zⱼ) = exp(zⱼ) / Σ{letter} exp(z{letter})") == ["holds"]
    wrong = f"softmax(z{letter}) = exp(zⱼ) / Σⱼ exp(zⱼ)"
    plain = unicodedata.normalize("NFKC", letter)
    assert judged(wrong) == judged(f"softmax(z_{plain}) = exp(z_j) / Σ_j exp(z_j)") != ["holds"]


@pytest.mark.parametrize("around", SURROUNDED)
def test_small_letters_are_read_wherever_formulas_stand(around):
    assert judged(around.format("softmax(zₘ) = e^(zₘ) / Σₙ e^(zₙ)")) == ["holds"]
    assert judged(around.format("softmax(zₘ) = e^(zₙ) / Σₙ e^(zₙ)")) == ["fails"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("softmax(z)ₖ = e^(zₖ − max(z)) / Σⱼ e^(zⱼ − max(z))", ["holds"]),
        ("softmax(xᵢ) = exp(xᵢ − maxⱼ xⱼ) / Σₖ exp(xₖ − maxⱼ xⱼ)", ["holds"]),
        ("softmax(zᵢ) = eᶻᵢ / Σⱼ eᶻⱼ", ["holds"]),
        ("softmax(zᵢ) = eᶻⱼ / Σⱼ eᶻⱼ", ["fails"]),
        ("aᵢⱼ = softmaxⱼ(qᵢ·kⱼ/√d)", ["holds"]),
        ("oₛ = Σₜ aₛₜ · vₜ, aₛₜ = exp(qₛ·kₜ)/Σₗ exp(qₛ·kₗ)", ["holds", "holds"]),
        ("oₛ = Σₜ aₛₜ · vₛ, aₛₜ = exp(qₛ·kₜ)/Σₗ exp(qₛ·kₗ)", ["fails", "holds"]),
        ("μ = (1/n) Σᵢ₌₁ⁿ xᵢ, σ² = (1/n) Σᵢ₌₁ⁿ (xᵢ − μ)²", ["holds", "holds"]),
        ("σ(x) = 1/(1 + e⁻ˣ)", ["holds"]),
        ("tanh(x) = (eˣ − e⁻ˣ)/(eˣ + e⁻ˣ)", ["holds"]),
        ("αᵗⱼ = exp(eᵗⱼ)/Σₖ exp(eᵗₖ)", ["holds"]),  # e at step t
    ],
)
def test_sums_maxima_and_exponents_in_small_letters(text, expected):
    assert judged(text) == expected


def test_the_right_formula_is_in_small_letters_too():
    [found] = check_article(read_article("a.md", "aₛₜ = exp(qₛ·kₜ)/Σₗ exp(qₗ·kₜ)")).formulas
    assert found.right == "aₛₜ = exp(qₛ·kₜ)/Σₗ exp(qₛ·kₗ)"


@pytest.mark.parametrize(
    "text", ["the 1ˢᵗ token = dog, the iᵗʰ row = cat", "p(x) = e⁻ˣ² / √π", "softmax(zᵢ) = eᵃ / Σⱼ eᵇ"]
)
def test_what_small_letters_do_not_say_is_not_judged(text):
    assert judged(text) == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("We count 5 + 6 = 11ᵃ heads and 5 · 6 = 31ᵇ weights.", [("11", False), ("31", True)]),
        ("| | sum |\n|---|---|\n| A | 0.25 + 0.5 = 0.75ᶜ |\n| B | 4 × 3 = 13ᵃ |", [("0.75", False), ("13", True)]),
        ("There are 2ᵏ heads, and 10ᵏ = 100 for k = 2.", [("100", False)]),
        ("8 = 2ᵏ", []),
        ("1 + 1 = 2ᵇ", []),
        ("The 5ᵗʰ layer has 12 heads.", []),
        ("logₑ y = ln y, log₁₀ 1000 = 4, logₘ n", [("4", True)]),
    ],
)
def test_a_letter_raised_behind_a_number_is_a_note_or_an_exponent(text, numbers):
    assert [(number, number in bad) for _, each, bad in numbers_of(text) for number in each] == numbers


def test_a_bound_may_stand_in_small_letters():
    [chain] = f.parse("s = Σᵢ₌₁ⁿ⁻¹ xᵢ")
    total = chain.sides[1].expression
    assert (total.index, str(total.lower.value), type(total.upper)) == ("i", "1", f.Sum)
