"""One step of training by hand: updates with arrows, gradients summed over time, halves and negative numbers."""

from __future__ import annotations

import pytest

from symattn.checking import Findings, check_article
from symattn.reading.articles import read_article


def check(text: str) -> Findings:
    return check_article(read_article("a.md", text + "\n"))


def verdicts(text: str) -> list[str]:
    return [entry.verdict for claim in check(text).findings for entry in claim.entries]


@pytest.mark.parametrize(
    ("right", "slip"),
    [
        ("- w ← 0.5 − 0.1·(−0.3) = 0.53", "- w ← 0.5 − 0.1·(−0.3) = 0.47"),
        ("b ⟵ 2 - 0.5 * 3 = 0.5", "b ⟵ 2 - 0.5 * 3 = 4.5"),
        ("- Total ∂L/∂w = −0.2 + −0.3 = −0.5", "- Total ∂L/∂w = −0.2 + −0.3 = 0.1"),
        ("E = ½(4 − 1) = 1.5", "E = ½(4 − 1) = 2.5"),
        ("E = −½(4 − 1) = −1.5.", "E = −½(4 − 1) = 1.5."),
        ("N = 3.000.000 + 2.500.000 = 5.500.000", "N = 3.000.000 + 2.500.000 = 5.600.000"),
    ],
)
def test_what_stands_before_a_result_is_read(right: str, slip: str) -> None:
    assert verdicts(right) == ["exact"]
    assert verdicts(slip) == ["wrong"]


def test_brackets_that_say_where_a_gradient_comes_from_are_no_part_of_its_name() -> None:
    given = "a = 0.2, x = 3\n\n"
    assert verdicts(given + "- ∂L/∂w (from t = 2) = a · x = 0.6") == ["exact"]
    assert verdicts(given + "- ∂L/∂w (from t = 2) = a · x = 0.5") == ["wrong"]


def test_an_update_gives_no_name_its_old_value() -> None:
    for name in ("w", "W_x"):
        text = f"{name} = 0.5\n\n{name} ← {name} − 0.1 · 2 = 0.3\n\ny = {name} · 2 = 0.6"
        assert "wrong" not in verdicts(text)
    assert verdicts("w ← w − 0.1 · g") == []


@pytest.mark.parametrize("text", ["n = 2½ + 1 = 3.5", "n = 2 ½ = 1"])
def test_a_half_behind_a_number_is_left_alone(text: str) -> None:
    assert verdicts(text) == []


def test_the_factors_behind_a_negative_number_are_judged() -> None:
    given = "h = 0.5\n\ng = −0.4\n\n"
    assert verdicts(given + "d = g · (1 − h²) = −0.4·(1 − 0.25) = −0.3") == ["exact", "exact"]
    assert verdicts(given + "d = g · (1 − h²) = −0.4·(1 − 0.25) = −0.5") == ["exact", "wrong"]


def test_a_wrong_number_that_is_put_in_is_marked_once() -> None:
    text = "g₁ = −0.5 · 0.5 = −0.35\n\nh₁ = 0.5\n\nd = g₁ · (1 − h₁²) = −0.35·(1 − 0.25) = −0.2625"
    printed = [(e.printed, e.verdict) for claim in check(text).findings for e in claim.entries]
    assert printed.count(("−0.35", "wrong")) == 1
    assert not any(number.endswith("0.35") and verdict == "carried" for number, verdict in printed)
