"""What plain text writes as it is spoken: log₂0.9, **0.469 bits**, H(p) = …, and a result once more to more places."""

from __future__ import annotations

import pytest

from symattn.errors import FormulaError
from symattn.reading.formula import parse
from tests.checking.checked import judged, report

ENTROPY = """```
H(p) = -(0.9·log₂0.9 + 0.1·log₂0.1)
     ≈ -(0.9·(-0.152) + 0.1·(-3.322))
     ≈ -(-0.137 - 0.332)
     ≈ **{}**
```"""
POSITION = """```
PE(2, 0) = sin(2) ≈ 0.909
PE(2, 1) = cos(2) ≈ -0.416
PE(2, 2) = sin(0.02) ≈ 0.020
PE(2) ≈ [0.909, -0.416, 0.020]
```"""
AGAIN = """```
A = [[0.670, 0.330], [0.330, 0.670]]
V = [[1, 2], [3, 4]]
```

out = A @ V

```
out = [[1.660, 2.660], [2.340, 3.340]]
```

Before rounding:

```
out = [[1.6605, {}], [2.3395, 3.3395]]
```"""


def test_logarithms_to_base_2_without_brackets() -> None:
    assert [bad for *_, bad in judged(ENTROPY.format("0.469 bits"))] == [[], [], []]
    assert [bad for *_, bad in judged(ENTROPY.format("0.496"))][-1] == ["0.496"]


@pytest.mark.parametrize("name", ["ln1", "ln2", "log2"])
def test_what_may_be_a_name_is_one(name: str) -> None:
    [chain] = parse(f"{name} = 3")
    assert chain.sides[0].expression.text == name  # type: ignore[attr-defined]


def test_the_value_of_a_function_at_a_place_has_a_name() -> None:
    assert judged(POSITION)[-1] == ("PE(2)", ["0.909", "-0.416", "0.020"], [])


def test_beyond_the_first_side_it_may_be_a_product() -> None:
    with pytest.raises(FormulaError):
        parse("3 = H(p)")


def test_more_places_than_before_are_no_slip() -> None:
    assert "wrong" not in report(AGAIN.format("2.6605")).summary


@pytest.mark.parametrize("definition", [r"\newcommand{\mat}[1]{\mathbf{#1}}", r"\def\mat#1{\mathbf{#1}}"])
@pytest.mark.parametrize(("product", "bad"), [("11", []), ("12", ["12"])])
def test_macros_that_take_arguments(definition: str, product: str, bad: list[str]) -> None:
    rows = r"$$\mat{Q} = \begin{bmatrix}1 & 2\end{bmatrix}, \quad \mat K = \begin{bmatrix}3 & 4\end{bmatrix}$$"
    text = f"${definition}$\n\n{rows}\n\n$$\\mat{{Q}}\\mat{{K}}^T = {product}$$"
    assert [found for *_, found in judged(text)] == [bad]


def test_a_macro_without_its_arguments_or_without_an_end_is_refused_by_name() -> None:
    text = r"$\newcommand{\two}[2]{#1 + #2} \newcommand{\on}[1]{\on{#1}}$" + "\n\n$3 = \\two{1}$\n\n$\\on{2} = 3$"
    assert [n.reason.fields.get("name") for n in report(text).not_checked] == ["\\two", "\\on"]


@pytest.mark.parametrize(("text", "known"), [("4 d_{model} = 2048", True), ("4 d_model = 2048", False)])
def test_a_number_before_a_letter_with_a_word_below_it(text: str, known: bool) -> None:
    found = [numbers for _, numbers, _ in judged(f"With $d_{{model}} = 512$ this is ${text}$.")]
    assert found == ([["2048"]] if known else [])


@pytest.mark.parametrize(
    "text",
    [
        "alpha = [0.7, 0.3]\n\nh1 = [1, 2], h2 = [3, 4]\n\nc = Σ α_i h_i = 0.7·[1, 2] + 0.3·[3, 4] = [1.6, {}]",
        "α1 = 0.7, α2 = 0.3\n\nc = α1 · 2 + α2 · 4 = {}",
        "x = [1, 2]\n\n‖x‖² = Σ x_i² = {}",
        "L = 0.5 ln(4) + 2 sqrt(2) ≈ {}",
        "g = [0.5, 0.25]\n\na = [1, 2]\n\nw = a + g = [1.5, {}]",
        "g = [0.5, 0.25]\n\nu = g ⊙ [4, 2] = [2, {}]",
        "s = 0.75\n\ns' = s(1 - s) = {}",
    ],
)
def test_formulas_as_they_are_typed(text: str) -> None:
    right = {"c = Σ": "2.6", "c = α": "2.6", "‖": "5", "L": "3.52", "w": "2.25", "u": "0.50", "s'": "0.1875"}
    [number] = [n for key, n in right.items() if f"\n{key}" in f"\n{text}"]
    assert judged(text.format(number))[-1][2] == []
    assert judged(text.format("9.9"))[-1][2] == ["9.9"]


# y = x W of x = (1, 2) and W = ((1, 0), (2, 3)); σ(0.5) = 0.62246, σ(1 − σ) = 0.23500 by mpmath
@pytest.mark.parametrize(
    ("slope", "latex"), [("∂L/∂{}", False), ("dL/d{}", False), (r"\frac{{\partial L}}{{\partial {}}}", True)]
)
def test_gradients_have_names(slope: str, latex: bool) -> None:
    y, x, w = (slope.format(letter) for letter in "yxW")
    lines = [
        "x = [1, 2]",
        "W = [[1, 0], [2, 3]]",
        f"{y} = [0.5, -1]",
        f"{x} = {y} W^T = [0.5, -2]",
        f"{w} = x^T {y} = [[0.5, -1], [1, {{}}]]",
    ]
    text = "\n\n".join(f"${line}$" if latex else line for line in lines)
    assert [bad for *_, bad in judged(text.replace("{}", "-2"))] == [[], []]
    assert [bad for *_, bad in judged(text.replace("{}", "-3"))] == [[], ["-3"]]


def test_the_chain_rule_by_numbers() -> None:
    text = (
        "a = σ(0.5) = 0.6225\n\n∂a/∂z = a(1 - a) = 0.2350\n\n∂L/∂a = a - 1 = -0.3775\n\n"
        "∂L/∂z = ∂L/∂a · ∂a/∂z = {}\n\nb = 0.8 - 0.1 · ∂L/∂z = 0.8089"
    )
    assert [bad for *_, bad in judged(text.format("-0.0887"))] == [[]] * 5
    assert [bad for *_, bad in judged(text.format("-0.0878"))][3] == ["-0.0878"]


def test_two_letters_under_a_sum_without_one_say_nothing() -> None:
    assert not judged("A = [[1, 2], [3, 4]]\n\nΣ A_ij = 10\n")


# 1/0.8 = 1.25 and 2(0.3 − 1) = −1.4, whatever p is by then
@pytest.mark.parametrize(("right", "wrong"), [("-1.25", "-1.52"), ("-1.4", "1.4")])
def test_numbers_put_in_count_although_their_names_mean_something_else(right: str, wrong: str) -> None:
    written = {"-1.25": "g = -1/p = -1/0.8", "-1.4": "g = 2(p - 1) = 2(0.3 - 1)"}[right]
    text = f"## Example 1\n\n$p = 0.5$\n\n$p^2 = 0.25$\n\n## Example 2\n\n${written} = {{}}$"
    assert judged(text.format(right))[-1][1:] == ([right], [])
    assert judged(text.format(wrong))[-1][1:] == ([wrong], [wrong])


def test_a_number_that_was_printed_right_before_it_was_wrong_is_not_mended() -> None:
    # softmax(1, 0, 1) = 0.4223, 0.1554, 0.4223; softmax(0, 2, 2) = 0.0634, 0.4683, 0.4683
    text = (
        "$softmax([1, 0, 1]) = [0.4223, 0.1554, 0.4223]$\n\n$softmax([0, 2, 2]) = [0.0634, 0.4223, 0.4223]$\n\n"
        "$0.4223 \\cdot 2 = 0.8446$"
    )
    assert [bad for _, _, bad in judged(text)] == [[], ["0.4223", "0.4223"], []]


# e^1.5 = 4.4817, e^1.5 + e^0 = 5.4817, 4.4817/5.4817 = 0.8176
FRACTION = "$softmax(1.5, 0) = \\frac{{(e^{{1.5}}, e^0)}}{{e^{{1.5}} + e^0}} = \\frac{{({}, 1)}}{{{}}} = ({}, {})$"


def test_powers_put_into_a_fraction_are_judged_though_none_is_right() -> None:
    found = [bad for _, _, bad in judged(FRACTION.format("4.841", "5.841", "0.829", "0.171"))]
    assert [number for bad in found for number in bad] == ["4.841", "5.841", "0.829", "0.171"]
    assert not [bad for _, _, bad in judged(FRACTION.format("4.482", "5.482", "0.818", "0.182")) if bad]


def test_a_fraction_that_is_the_same_as_a_whole_may_be_another_way_to_it() -> None:
    """e^2/(e^2 + e) = e/(e + 1): of other numbers, and right."""
    text = "$\\frac{e^2}{e^2 + e^1} = \\frac{2.718}{3.718} = 0.731$"
    assert not [bad for _, _, bad in judged(text) if bad]
