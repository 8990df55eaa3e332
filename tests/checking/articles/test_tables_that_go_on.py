"""Tables that go on with an earlier one, and columns of lists; the numbers are worked out by hand."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

SCORES = "| Palabra | Puntaje |\n|---|---|\n| sol | 3.0 |\n| mar | 0.5 |\n| pan | 0.2 |\n| luz | 1.0 |\n\n"
POWERS = "| Palabra | {} |\n|---|---|\n| sol | 20.09 |\n| mar | {} |\n| pan | 1.22 |\n| luz | 2.72 |\n"


def numbers(text: str) -> list[str]:
    return [number for _, shown, _ in judged(text) for number in shown]


def wrong(text: str) -> list[str]:
    return [number for *_, bad in judged(text) for number in bad]


@pytest.mark.parametrize("heading", ["e^x", "$e^{x}$", "exp(x)", "Exponencial", "exp(score)"])
def test_exponentials_of_the_table_above(heading: str) -> None:
    right, off = (SCORES + "Luego:\n\n" + POWERS.format(heading, number) for number in ("1.65", "1.75"))
    assert numbers(right) == ["20.09", "1.65", "1.22", "2.72"] and not wrong(right)
    assert wrong(off) == ["1.75"]


def test_other_numbers_or_labels_are_left() -> None:
    assert not numbers(SCORES + POWERS.format("e^x", "1.75").replace("20.09", "22.00"))  # two are off: other scores
    assert not numbers(SCORES + POWERS.format("Frecuencia", "1.56").replace("20.09", "20.90"))
    assert not wrong(SCORES + POWERS.format("e^x", "1.65").replace("sol", "ola").replace("20.09", "7.39"))


def test_exponentials_beside_their_arguments_and_the_sum_below() -> None:
    text = "| Valor | e^x |\n|---|---|\n| 4 | 54.60 |\n| 1 | 2.72 |\n| 1 | {} |\n\nSuma:\n\n{}\n"
    assert numbers(text.format("2.72", "60.04")) == ["54.60", "2.72", "2.72", "60.04"]
    assert not wrong(text.format("2.72", "60.04")) and not wrong(text.format("2.72", "81.00"))
    assert not wrong(text.format("3.72", "60.04"))  # one of three is off


def test_percents_as_decimals() -> None:
    text = "| a | % |\n|---|---|\n| x | 5% |\n| y | 35% |\n| z | 20% |\n| u | 40% |\n\n| a | Peso |\n|---|---|\n"
    text += "| x | 0.05 |\n| y | {} |\n| z | 0.20 |\n| u | 0.40 |\n"
    assert numbers(text.format("0.35")) == ["0.05", "0.35", "0.20", "0.40"] and not wrong(text.format("0.35"))
    assert wrong(text.format("0.53")) == ["0.53"]
    assert not numbers(text.format("0.53").replace("0.20", "0.30"))  # other weights


MATRIX = "| | we | are | one | few |\n|---|---|---|---|---|\n| we | 2 | 8 | 4 | 2 |\n| are | 1 | 1 | 1 | 1 |\n"
MATRIX += "| one | 5 | 1 | 3 | 1 |\n| few | 1 | 2 | 3 | 4 |\n\n"
SHARES = "### {}\n\nSum:\n\n{}\n\n| we | are | one | few |\n|---|---|---|---|\n| 12.5% | 50% | {} | 12.5% |\n"


def test_a_row_over_its_sum() -> None:
    right = MATRIX + SHARES.format("Row we", "16", "25%")
    assert numbers(right) == ["16", "12.5%", "50%", "25%", "12.5%"] and not wrong(right)
    assert wrong(MATRIX + SHARES.format("Row we", "18", "26%")) == ["18", "26%"]


@pytest.mark.parametrize("row", ["Row are", "All rows", "Row we or are"])
def test_shares_of_another_row_are_left(row: str) -> None:
    assert not wrong(MATRIX + SHARES.format(row, "18", "26%"))


ROWS = "Q = [[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0]], K = [[1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 1, 0]]\n\n"
STEPS = "| Token | Raw `Q @ K^T` | After `÷ 2` | After causal mask |\n|---|---|---|---|\n"
STEPS += "| a | `[1, 0, 1]` | `[0.5, 0.0, 0.5]` | `[0.5, -∞, -∞]` |\n"
STEPS += "| b | `[0, 1, 0]` | `[0.0, {}, 0.0]` | `[0.0, 0.5, -∞]` |\n"
STEPS += "| c | `[1, 1, 1]` | `[0.5, 0.5, 0.5]` | `[0.5, 0.5, {}]` |\n\n"
WEIGHTS = "After softmax:\n\n| Token | Weights |\n|---|---|\n| a | `[1.00, 0.00, 0.00]` |\n"
WEIGHTS += "| b | `[0.38, 0.62, 0.00]` |\n| c | `[0.33, {}, 0.33]` |\n"


def test_columns_of_lists_are_the_steps_of_all_rows() -> None:
    assert len(numbers(ROWS + STEPS.format("0.5", "0.5") + WEIGHTS.format("0.33"))) >= 33
    assert not wrong(ROWS + STEPS.format("0.5", "0.5") + WEIGHTS.format("0.33"))
    assert wrong(ROWS + STEPS.format("0.7", "0.5")) == ["0.7"]
    assert wrong(ROWS + STEPS.format("0.5", "0.5") + WEIGHTS.format("0.43")) == ["0.43"]


def test_the_new_embedding_is_no_input() -> None:
    text = "X = [[1, 2], [3, 4]]\n\n| word | New Embedding |\n|---|---|\n| a | `[5, 6]` |\n| b | `[7, 8]` |\n\n"
    text += "X + X = {}\n"
    assert not wrong(text.format("[[2, 4], [6, 8]]"))
    assert wrong(text.format("[[2, 4], [6, 9]]")) == ["9"]
