"""Rows of a softmax at several temperatures."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

TEXT = "{scores} = [2.0, 1.0, 0.1], {words}:\n\n{label} {row}\n"
WORDS = "softmax with temperature"


def bad(label: str, row: str, words: str = WORDS, scores: str = "scores") -> list[str]:
    text = TEXT.format(scores=scores, words=words, label=label, row=row)
    return [number for *_, wrong in judged(text) for number in wrong]


# softmax(4, 2, 0.2) = (0.864, 0.117, 0.019), softmax(1, 0.5, 0.05) = (0.502, 0.304, 0.194)
@pytest.mark.parametrize(
    ("label", "row", "wrong"),
    [
        ("temp=0.5 (cold):", "[0.86, 0.12, 0.02]", []),
        ("temp=0.5 (cold):", "[0.88, 0.11, 0.01]", ["0.88"]),  # 0.117 and 0.019 are cut off
        ("T = 2:", "[0.50, 0.30, 0.19]", []),
        ("Temperature 2:", "[0.46, 0.34, 0.20]", ["0.46", "0.34"]),  # 0.194 is badly rounded
        ("temp=2.0 (hot):", "[0.20, 0.46, 0.34]", []),  # in another order
        ("temp=2.0 (hot):", "[0.46, 0.34, 0.10]", []),  # no shares
        ("step=2.0:", "[0.46, 0.34, 0.20]", []),
    ],
)
def test_rows_at_a_temperature(label: str, row: str, wrong: list[str]) -> None:
    assert bad(label, row) == wrong


def test_rows_at_steps_are_not_accused() -> None:
    assert bad("T=2:", "[0.46, 0.34, 0.20]")
    assert not bad("T=2:", "[0.46, 0.34, 0.20]", words="softmax at steps of the decoder")


def test_right_rows_are_said_to_be_right() -> None:
    text = TEXT.format(scores="scores", words=WORDS, label="temp=0.5 (cold):", row="[0.86, 0.12, 0.02]")
    assert judged(text)[-1][1:] == (["0.86", "0.12", "0.02"], [])


@pytest.mark.parametrize("words", ["shares by temperature", "softmax with temperature and a mask", "softmax"])
def test_other_words_say_another_function(words: str) -> None:
    assert not bad("temp=2.0:", "[0.46, 0.34, 0.20]", words)


def test_numbers_that_are_no_scores() -> None:
    assert not bad("temp=2.0:", "[0.46, 0.34, 0.20]", scores="weights")
