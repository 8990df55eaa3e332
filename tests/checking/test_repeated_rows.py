"""A wrong row of weights that is written out again in a sum: what follows from it is carried."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

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
