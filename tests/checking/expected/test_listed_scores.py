"""Softmax of scores that stand above it one to a line."""

from __future__ import annotations

import pytest

from symattn import check_article

LINES = "{head}\n\n- q·k₁ = 2.0 (the)\n- q·k₂ = 0.0 (old)\n- q·k₃ = 1.0 (cat)\n\n{label}: {weights}\n"


@pytest.mark.parametrize(
    ("head", "label", "weights", "verdicts"),
    [  # e² = 7.389, e⁰ = 1, e¹ = 2.718, whose sum is 11.107
        ("Scores:", "Softmax weights", "[0.67, 0.09, 0.24]", {"rounded": 3}),
        ("Scores:", "After softmax", "[0.55, 0.11, 0.34]", {"wrong": 3}),
        ("Then the dot products:", "Softmax", "[0.62, 0.14, 0.24]", {"rounded": 1, "wrong": 2}),
        ("Scores before scaling:", "Softmax", "[0.55, 0.11, 0.34]", {}),
        ("Scores:", "Softmax", "[0.20, 0.50, 0.30]", {}),  # in another order: of other scores
        ("Scores:", "Softmax", "[0.50, 0.20, 0.40]", {}),  # no shares
        ("Scores:", "Softmax with temperature 2", "[0.55, 0.11, 0.34]", {}),
        ("Scores:", "The lengths", "[0.55, 0.11, 0.34]", {}),
        ("Оценки (третья — заполнитель):", "После softmax", "[0.88, 0.12, 0.00]", {}),
        (
            "Scores:\n\n- q·k₁ = 1.0\n- q·k₂ = 3.0\n- q·k₃ = 2.0\n\nScores:",
            "Softmax",
            "[0.55, 0.11, 0.34]",
            {},
        ),  # of two
        ("- q·k₀ = 1.0 (an)", "Softmax", "[0.55, 0.11, 0.34]", {}),  # of four scores
    ],
)
def test_weights_below_lines_of_scores(head: str, label: str, weights: str, verdicts: dict[str, int]) -> None:
    assert check_article(LINES.format(head=head, label=label, weights=weights)).summary == verdicts


@pytest.mark.parametrize(
    ("label", "verdicts"),
    [("Score of {}", {"exact": 1, "wrong": 2}), ("Age of {}", {})],
)
def test_the_lines_have_to_be_called_scores(label: str, verdicts: dict[str, int]) -> None:
    lines = "".join(f"    {label.format(w)}: {n}\n" for w, n in (("a", "1.0"), ("b", "1.0"), ("c", "−∞ (hidden)")))
    assert check_article(f"```\n{lines}```\nSoftmax: [0.4, 0.4, 0.0]\n").summary == {}
    text = f"```\n{lines}```\nSoftmax: [0.45, 0.55, 0.0]\n"
    assert check_article(text).summary == {}  # what is as large has the same weight
    text = f"```\n{lines.replace('1.0', '2.0', 1)}```\nSoftmax: [0.85, 0.15, 0.0]\n"
    assert check_article(text).summary == verdicts  # 0.73, 0.27


DOTS = "Scores:\n\n- Q4 · K1 = 0.7\n- Q4 · K2 = 0.5\n- Q4 · K3 = 0.3\n- Q4 · K4 = 0.9\n\n{said}:\n\n{name}{weights}\n"


@pytest.mark.parametrize("name", ["Attention weights = ", "Attention weights: ", ""])
@pytest.mark.parametrize(
    ("said", "weights", "verdicts"),
    [  # softmax(0.7, 0.5, 0.3, 0.9) = (0.269, 0.220, 0.180, 0.329) to three digits
        ("After softmax", "[0.27, 0.22, 0.18, 0.33]", {"rounded": 4}),
        ("After softmax", "[0.2, 0.15, 0.1, 0.55]", {"wrong": 4}),
        ("After softmax", "[0.15, 0.2, 0.1, 0.55]", {}),  # in another order
        ("After softmax", "[0.26, 0.23, 0.20, 0.31]", {}),  # half are of the scores over √2: 0.265, 0.230, 0.200, 0.305
        ("After scaling and softmax", "[0.2, 0.15, 0.1, 0.55]", {}),
    ],
)
def test_softmax_in_a_line_of_its_own(name: str, said: str, weights: str, verdicts: dict[str, int]) -> None:
    found = check_article(DOTS.format(said=said, name=name, weights=weights)).summary
    assert {"wrong" if verdict == "truncated" else verdict for verdict in found} == set(verdicts)
