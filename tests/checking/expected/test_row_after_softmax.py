"""A list that is called a row, and right below it what it is after softmax."""

import pytest
from checking.checked import judged

ROW = "Row: `[0, 2, 0, 2]`\n\n### After softmax\n\n"


def test_weights_of_the_row_right_above() -> None:
    """1/(2 + 2e²) = 0.0596 and e²/(2 + 2e²) = 0.4404 by hand."""
    assert judged(f"{ROW}`[0.060, 0.440, 0.060, 0.440]`")[-1][1:] == (["0.060", "0.440", "0.060", "0.440"], [])
    wrong = ["0.061", "0.450", "0.061", "0.450"]
    assert judged(f"{ROW}`[0.061, 0.450, 0.061, 0.450]` (approximately)")[-1][1:] == (wrong, wrong)


def test_weights_that_add_up_to_more_than_1_are_at_no_temperature() -> None:
    said = "Scores: `[0, 2, 0, 2]`\n\nAfter softmax: `{}`"
    assert not any(bad for *_, bad in judged(said.replace("{}", "[0.134, 0.366, 0.134, 0.366]")))
    assert judged(said.replace("{}", "[0.061, 0.450, 0.061, 0.450]"))[-1][2]


@pytest.mark.parametrize(
    "text",
    [
        f"{ROW}`[0.134, 0.366, 0.134, 0.366]`",  # over 2
        f"{ROW}`[0.098, 0.402, 0.098, 0.402]`",  # over √2
        f"{ROW}Token 0: `[0.2, 0.3, 0.2, 0.3]`",
        f"The temperature is $T = 2$.\n\n{ROW}`[0.2, 0.4, 0.2, 0.4]`",
        f"The scores are masked first.\n\n{ROW}`[0, 0.5, 0, 0.5]`",
        "Row: `[0, 2, 0, 2]`\n\nEvery row is divided by √d.\n\n### After softmax\n\n`[0.2, 0.3, 0.2, 0.3]`",
        "Row: `[0, 2, 0, 2]`\n\n### After softmax and dropout\n\n`[0.061, 0.0, 0.061, 0.450]`",
        "Row: `[3, 1, 3]`\n\nOther row: `[1, 1]`\n\n### After softmax\n\n`[0.45, 0.10, 0.45]`",
    ],
)
def test_right_texts(text: str) -> None:
    assert not any(bad for *_, bad in judged(text))


def test_tokens_beside_batch_and_channels_are_no_temperature() -> None:
    """softmax([2, 1, 0]) = [0.665, 0.245, 0.090]."""
    sizes = "`B = 1`, `T = 3`, `C = 2`.\n\n"
    text = "Scores: `[2, 1, 0]`\n\nAfter softmax: `[0.655, 0.275, 0.110]`"
    assert judged(sizes + text)[-1][2] == ["0.655", "0.275", "0.110"]
    assert not any(bad for *_, bad in judged("`T = 3`.\n\n" + text))
