"""Lists that a row prints at its temperature, and the weights that softmax is said to make of them."""

from __future__ import annotations

from tests.checking.checked import judged

ROWS = "```\nLogits: [2.0, 5.0, 1.0]\nT=2.0 (flatter): [1.0, 2.5, 0.5] → softmax → {}\n```"


def test_weights_of_a_list_over_its_temperature() -> None:
    bad = [bad for *_, bad in judged(ROWS.format("[0.15, 0.67, 0.18]"))]
    assert bad == [["0.15", "0.67", "0.18"], []]  # e^1, e^2.5 and e^0.5 over 16.55: 0.164, 0.736, 0.100
    assert [bad for *_, bad in judged(ROWS.format("[0.16, 0.74, 0.10]"))] == [[], []]  # the list, too


def test_nobody_is_accused_of_what_one_more_scale_explains() -> None:
    text = "```\nLogits: [3.0, 2.0, 1.0]\nT=2.0: [1.5, 1.0, 0.5] → softmax → [0.45, 0.33, 0.22]\n```"
    assert not judged(text)
    shown = text.replace("\nT=2.0", "\nT=1.0: [3.0, 2.0, 1.0] → softmax → [0.67, 0.24, 0.09]\nT=2.0")
    assert [bad for *_, bad in judged(shown)] == [[], ["0.45", "0.33", "0.22"]]  # 0.506, 0.307, 0.186


def test_weights_that_top_k_may_have_cut() -> None:
    cut = ROWS.format("[0.20, 0.80, 0.00]").replace("Logits", "With top-k of two. Logits")
    assert [printed for _, printed, _ in judged(cut)] == [["1.0", "2.5", "0.5"]]  # the list alone
