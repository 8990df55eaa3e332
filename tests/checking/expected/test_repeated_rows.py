"""A wrong row of weights that is written out again in a sum: what follows from it is carried."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, report

WEIGHTS = "```\nsoftmax([0.71, 0.71, 1.41]) = {}\n```\n\n"  # 0.2492…, 0.2492…, 0.5017…
SUM = "```\nn = {} [10, 0] + {} [0, 10] + {} [5, 5]\n  = {}\n```"


def of_weights(*weights: str) -> str:
    return SUM.format(*(f"{w}·" for w in weights), "[{}, {}] + [{}, {}] + [{}, {}]")


@pytest.mark.parametrize(
    ("weights", "terms", "bad"),
    [
        (("0.25", "0.25", "0.50"), ("2.5", "0", "0", "2.5", "2.5", "2.5"), []),
        (("0.27", "0.27", "0.46"), ("2.7", "0", "0", "2.7", "2.3", "2.3"), ["2.7", "2.7", "2.3", "2.3"]),
        (("0.25", "0.25", "0.46"), ("2.5", "0", "0", "2.5", "2.3", "2.3"), ["2.3", "2.3"]),
        (("0.25", "0.25", "0.46"), ("2.5", "0", "0", "2.5", "2.40", "2.50"), ["2.40"]),  # 2.5086 cut off
    ],
)
def test_terms_follow_from_their_weights(weights: tuple[str, ...], terms: tuple[str, ...], bad: list[str]) -> None:
    text = WEIGHTS.format(f"[{', '.join(weights)}]") + of_weights(*weights).format(*terms)
    assert [number for _, _, wrong in judged(text)[1:] for number in wrong] == bad


def test_a_row_that_is_given_anew_is_meant() -> None:
    again = WEIGHTS.format("[0.27, 0.27, 0.46]") + "# Another example\n\nWeights: [0.27, 0.27, 0.46]\n\n"
    text = again + of_weights("0.27", "0.27", "0.46").format("2.7", "0", "0", "2.7", "2.3", "2.3")
    assert [number for _, _, wrong in judged(text)[1:] for number in wrong] == []


def test_one_number_of_two_digits_alone_is_not_known_again() -> None:
    text = WEIGHTS.format("[0.27, 0.27, 0.46]") + "```\nm = 0.27 * 10 = 2.7\n```"
    assert judged(text)[-1] == ("m", ["2.7"], [])


NAMED = "```\nrow = [{}]\n```\n\n$e^{{{}}} = {}$"  # of a row of the weights that were printed wrong, a power


@pytest.mark.parametrize("power", ["1.310", "1.284"])  # e^0.27, e^0.25
def test_a_number_of_a_row_that_was_printed_wrong_may_mean_itself_or_what_is_right(power: str) -> None:
    text = WEIGHTS.format("[0.27, 0.25, 0.50]") + NAMED.format("0.27, 0.25, 0.50", "0.27", power)
    assert judged(text)[-1] == ("e^{0.27}", [power], [])


def test_the_right_number_of_a_copied_row_is_not_meant_under_another_heading() -> None:
    text = WEIGHTS.format("[0.27, 0.25, 0.50]") + NAMED.format("0.27, 0.25, 0.50", "0.27", "1.284")
    anew = text.replace("$e^", "# More\n\n$e^")
    assert [bad for _, _, bad in judged(anew)][-1] == ["1.284"]


def test_a_row_that_words_alone_name_may_begin_something_new() -> None:
    text = WEIGHTS.format("[0.27, 0.25, 0.50]") + NAMED.format("0.27, 0.25, 0.50", "0.27", "1.310")
    assert [bad for _, _, bad in judged(text.replace("row = ", "Take these: "))][-1] == []


def test_entries_that_follow_from_a_wrong_weight_are_no_rounding() -> None:
    """0.27 [0.4] = 0.108 for 0.249 [0.4]: that 0.4 may stand for 0.43 is no reason to let it pass."""
    text = "```\nV = [[0.4, 1.1], [0.5, 1.2], [0.6, 1.3]]\n```\n\n" + WEIGHTS.format("[0.27, 0.25, 0.50]")
    text += "```\no = 0.27·V[0] + 0.25·V[1] + 0.50·V[2]\n  = 0.27·[0.4, 1.1] + 0.25·[0.5, 1.2] + 0.50·[0.6, 1.3]\n"
    text += "  = [0.108, 0.297] + [0.125, 0.300] + [0.300, 0.650]\n```"
    assert judged(text)[1][2] == ["0.108", "0.297"]


def test_weights_that_words_call_so_again_are_those_that_were_printed_wrong() -> None:
    again = WEIGHTS.format("[0.27, 0.27, 0.46]") + "Then the sum.\n\nAttention weights: [0.27, 0.27, 0.46]\n\n"
    sums = of_weights("0.27", "0.27", "0.46").format("2.7", "0", "0", "2.7", "2.3", "2.3")
    assert [number for _, _, wrong in judged(again + sums)[1:] for number in wrong] == ["2.7", "2.7", "2.3", "2.3"]
    assumed = again.replace("Attention weights", "Assume weights") + sums
    assert [number for _, _, wrong in judged(assumed)[1:] for number in wrong] == []


def test_weights_below_words_of_an_example_may_begin_something_new() -> None:
    again = WEIGHTS.format("[0.27, 0.27, 0.46]") + "A concrete example:\n\nAttention weights: [0.27, 0.27, 0.46]\n\n"
    text = again + of_weights("0.27", "0.27", "0.46").format("2.7", "0", "0", "2.7", "2.3", "2.3")
    assert [number for _, _, wrong in judged(text)[1:] for number in wrong] == []


def test_all_entries_of_a_row_added_up_are_that_row() -> None:
    h = r"$$x = \begin{bmatrix} -0.94 & 0.12 \end{bmatrix}$$" + "\n\n"
    h += r"$$y = \begin{bmatrix} 1 & 3 \end{bmatrix}$$" + "\n\n"
    h += r"$$h = x + y = \begin{bmatrix} -0.06 & 3.12 \end{bmatrix}$$" + "\n\n"
    found = report(h + r"$$\mu = ((-0.06) + 3.12) / 2 = 1.53$$").findings  # of 0.06 and 3.12 it is 1.59
    assert [e.verdict for e in found[-1].entries] == ["carried"]
