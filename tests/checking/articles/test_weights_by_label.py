"""Weights that a label or a sign says are a softmax; softmax(2, 1, 0) = 0.665, 0.245, 0.090 by mpmath."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

LABELS = {
    "an arrow down": "점수: [2, 1, 0]\n      ↓ Softmax\n가중치: [{}]",
    "Korean": "# logits[0] = [2, 1, 0]\n#             ↑a ↑b ↑c\n# → Softmax 후: [{}]",
    "Chinese": "分数: [2, 1, 0, 4]\n                 ↑ 后面的\n加遮罩后: [2, 1, 0, -∞]\n\nSoftmax 后: [{}, 0]",
    "Spanish": "puntuaciones: [2, 1, 0]\nDespués de softmax: [{}]",
    "Vietnamese": "[2, 1, 0]\nSau softmax: [{}]",
    "Italian": "punteggi: [2, 1, 0]\nDopo softmax: [{}]",
}


@pytest.mark.parametrize("text", LABELS.values(), ids=LABELS)
def test_labels_in_many_languages(text: str) -> None:
    assert judged(f"```\n{text.format('0.67, 0.24, 0.09')}\n```")[-1][2] == []
    assert judged(f"```\n{text.format('0.40, 0.37, 0.23')}\n```")[-1][2] == ["0.40", "0.37", "0.23"]


def test_normalised_under_a_heading_that_names_softmax() -> None:
    text = "### 2. Softmax\n\n- 每行的和为 1\n- 第一行分数[2, 1, 0] → 归一化后[{}]"
    assert judged(text.format("0.40, 0.37, 0.23"))[-1][2] == ["0.40", "0.37", "0.23"]
    assert not judged(text.format("0.40, 0.37, 0.23").replace("Softmax", "Shares"))


def test_weights_of_the_first_of_two_lists() -> None:
    """softmax([3, 1, 2]) = [0.67, 0.09, 0.24], and softmax([3, 0, 2.5]) = [0.60, 0.03, 0.37]."""
    text = "Scores A: [3, 1, 2]\nScores B: [3, 0, 2.5]\n↓ Softmax\nA: [0.67, 0.09, 0.24]\nB: [0.60, 0.03, 0.37]"
    assert not any(wrong for *_, wrong in judged(text))


ROWS = (
    "```\nlogits: [2, 1, 0]\nsoftmax: [0.67, 0.24, 0.09]\n```\n\n```\nsoftmax(z / T)\n\nT=1.0: [{}]\nT=0.5: [{}]\n```"
)


def test_rows_at_temperatures_of_the_list_that_the_one_at_1_is_of() -> None:
    one = "0.67, 0.24, 0.09"
    assert judged(ROWS.format(one, "0.87, 0.12, 0.02"))[-1] == ("T=0.5", ["0.87", "0.12", "0.02"], [])
    assert not any(wrong for *_, wrong in judged(ROWS.format(one, "0.91, 0.08, 0.01")))  # T may be a step
    assert len(judged(ROWS.format("0.60, 0.30, 0.10", "0.91, 0.08, 0.01"))) == 1  # of other logits


HEAD = "     a     b    c\n    ----------------\n"
MASKED = f"{HEAD}a | 2.0 | -∞  | -∞  |\nb | 2.0 | 1.0 | -∞  |\nc | 2.0 | 1.0 | 0.0 |"
WEIGHTS = f"{HEAD}a | 1.00 | 0.00 | 0.00 |\nb | 0.73 | 0.27 | 0.00 |\nc | {{}} | 0.24 | 0.09 |"


def test_tables_with_bars_in_their_rows_alone() -> None:
    text = f"after masking\n```\n{MASKED}\n```\n\nafter softmax\n```\n{WEIGHTS}\n```"
    for number, wrong in (("0.67", []), ("0.76", ["0.76"])):
        *_, (_, shown, bad) = judged(text.format(number))
        assert len(shown) == 9 and bad == wrong
