"""Names of several words, thousands, decimal commas between semicolons, equations with a colon between them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from symattn.errors import FormulaError
from symattn.reading import formula as f


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Attention Weights = X", "Attention Weights"),
        ("Output Embedding = Attention Weights × Value Matrix", "Output Embedding"),
        ("Scaled Attention Scores = Attention Scores / √4", "Scaled Attention Scores"),
    ],
)
def test_words_before_a_sign_are_one_name(text: str, name: str) -> None:
    assert f.parse(text)[0].sides[0].expression == f.Name(name)


def test_groups_of_three_digits_are_one_number() -> None:
    [chain] = f.parse("50257 × 768 × 4 = 154,787,712")
    assert isinstance(number := chain.sides[1].expression, f.Number) and number.value == 154787712
    assert f.parse("x = 1.5, y = 62,832")[1].sides[1].expression == f.Number(
        "62,832", number.value * 0 + 62832, number.places
    )
    with pytest.raises(FormulaError):
        f.parse("y = 62,832")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("64 × 64 + 64 = 4,160", 4160),  # whatever is made of whole numbers is whole
        ("n = 2 * (2 * 1024) = 4,096", 4096),
        ("3 \\times 512^2 = 786,432", 786432),
        ("3 × 221,184 = 663,552", 663552),  # or 3 × 221.184 = 663.552, which is as right
        ("= 524,288 bytes", 524288),
        ("20 × 24 × 30 = 41,000", 41000),  # it comes to 14400, and not to 41 either
    ],
)
def test_arithmetic_proves_that_commas_are_of_thousands(text: str, value: int) -> None:
    assert isinstance(number := f.parse(text)[0].sides[-1].expression, f.Number) and number.value == value


@pytest.mark.parametrize(
    "text",
    [
        "2 - 1 = 1,000",
        "2 × 4 = 8,000",
        "7 / 2 = 3,500",
        "1,250 + 2 = 3,250",
        "2^{-3} × 9 = 1,125",
        "(1,5) · (0,75) = 1,125",
    ],
)
def test_commas_that_may_be_decimal_are_not_read(text: str) -> None:
    with pytest.raises(FormulaError):
        f.parse(text)


def test_semicolons_part_decimal_commas() -> None:
    [chain] = f.parse("a = (0,412; 0,3; 0,288)")
    row = chain.sides[1].expression
    assert isinstance(row, f.Matrix) and [cell.text for cell in row.rows[0]] == ["0,412", "0,3", "0,288"]  # type: ignore[attr-defined]


def test_a_colon_parts_two_equations() -> None:
    assert [len(chain.sides) for chain in f.parse("W_Q = W_K = I_2: Q = K = [[1, 0], [0, 1]]")] == [3, 3]


def test_a_matrix_beside_its_labels_is_that_matrix() -> None:
    labels = r"\begin{matrix} \leftarrow \text{one} \\ \leftarrow \text{two} \end{matrix}"
    inner = r"\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}"
    assert f.parse(rf"\begin{{array}}{{c c}} {inner} & {labels} \end{{array}}")[0].sides == f.parse(inner)[0].sides


@pytest.mark.parametrize(
    ("text", "factors"),
    [
        ("S = Q1 K1^T", "Q_1 · K_1^T"),
        ("S = Q1K1ᵀ", "Q_1 · K_1^T"),
        ("z = hW1", "h · W_1"),
        ("z = W2h", "W_2 · h"),
        ("Head1 = Weights1 V1 = 3", "Weights_1 · V_1"),
    ],
)
def test_letters_with_numbers_are_factors(text: str, factors: str) -> None:
    assert f.parse(text)[0].sides[1].expression == _unjoined(f.parse(factors)[0].sides[0].expression)


def _unjoined(product: f.Expression) -> f.Expression:
    assert isinstance(product, f.Product)
    return replace(product, operators=("",) * len(product.operators))


@pytest.mark.parametrize("text", ["the layer2 x3 = 4", "= Layer V of 3"])
def test_words_beside_letters_are_no_factors(text: str) -> None:
    with pytest.raises(FormulaError):
        f.parse(text)
