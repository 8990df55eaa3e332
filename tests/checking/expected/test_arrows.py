"""What follows an arrow: the step named on the way, or the one that all numbers show."""

from __future__ import annotations

import pytest

from symattn import check_article
from tests.checking.checked import judged


def said(text: str) -> list[tuple[str, str]]:
    """Every number that was judged, with its verdict."""
    return [(e.printed, e.verdict) for claim in check_article(text + "\n").findings for e in claim.entries]


RIGHT = [("0.73", "rounded"), ("0.27", "rounded")]
SLIP = [("0.73", "rounded"), ("0.37", "wrong")]


@pytest.mark.parametrize(
    "text",
    [
        "```\n[2, 1] → softmax → {}\n```",
        "```\n[2, 1]\n→ softmax → {}\n```",
        "```\n[2, 1]\nsoftmax → {}\n```",
        r"$$[2, 1] \xrightarrow{{\text{{softmax}}}} {}$$",
        r"$$s = [2, 1] \xrightarrow{{\text{{row softmax}}}} {} = A$$",
    ],
)
def test_a_step_that_is_named(text: str) -> None:
    assert said(text.format("[0.73, 0.27]")) == RIGHT
    assert said(text.format("[0.73, 0.37]")) == SLIP
    assert said(text.format("[0.1, 0.4]")) == []  # of something else


def test_what_stands_behind_the_arrow_gets_its_name() -> None:
    text = (
        r"$$\frac{{[4, 2]}}{{2}} = [2, 1] \xrightarrow{{\text{{softmax}}}} [0.73, 0.27] = A$$"
        + "\n\n"
        + r"$$A \cdot [1, 1] = {}$$"
    )
    assert said(text.format("1"))[-1] == ("1", "exact")
    assert said(text.format("1.1"))[-1] == ("1.1", "wrong")


def test_a_step_that_the_numbers_show() -> None:
    assert said("```\n[2, 1] → [0.73, 0.27]\n```") == RIGHT
    assert said("```\n[2, 1] → [7.39, 2.72]\n```") == [("7.39", "rounded"), ("2.72", "rounded")]
    assert said("```\n[2, 1] → [0.73, 0.37]\n```") == []
    assert said("```\n[2, 1]: e^2 ≈ 7.39, e^1 ≈ 2.72, total → [0.73, 0.27]\n```")[-2:] == RIGHT
    assert said("softmax([2, 1]):\n\n```\n→ [0.73, 0.27]\n```") == RIGHT


@pytest.mark.parametrize("text", ["$[2, 1] \\to [5, 3]$", "$a \\to [5, 3]$", "[2, 1] → scale → [0.7, 0.2]"])
def test_no_step_is_guessed(text: str) -> None:
    assert said(text) == []


def test_an_equation_of_its_own() -> None:
    assert said("$$G \\xrightarrow{K} B = 2 \\cdot 3 = 6$$") == [("6", "exact")]
    assert said("$$G \\xrightarrow{K} B = 2 \\cdot 3 = 7$$") == [("7", "wrong")]


def test_a_list_on_the_next_line_is_what_the_formula_comes_to() -> None:
    text = "```\nT = 2: softmax([2, 4]) = softmax([1, 2] * 2)\n  → [0.12, {}]  ← sharp\n```"
    assert judged(text.format("0.88"))[-1][1:] == (["0.12", "0.88"], [])
    assert judged(text.format("0.78"))[-1][1:] == (["0.12", "0.78"], ["0.78"])
    assert judged(text.format("0.78").replace("softmax", "choose")) == []


# softmax(0.1, 3.2, 1.5) = (0.0367, 0.8145, 0.1488)
@pytest.mark.parametrize(
    ("words", "weights", "bad"),
    [
        ("Softmax turns scores into weights:", "[0.04, 0.81, 0.15]", []),
        ("Softmax turns scores into weights:", "[0.05, 0.86, 0.09]", ["0.05", "0.86", "0.09"]),
        ("Now apply softmax:", "[0.04, 0.87, 0.09]", ["0.87", "0.09"]),
        ("Weights from scores:", "[0.05, 0.86, 0.09]", []),
        ("Unlike softmax, squares do this:", "[0.05, 0.86, 0.09]", []),
        ("Softmax with temperature 2:", "[0.05, 0.86, 0.09]", []),
        ("Softmax after scaling:", "[0.05, 0.86, 0.09]", []),
        ("Softmax turns scores into weights:", "[0.86, 0.05, 0.09]", []),  # in another order
        ("Softmax turns scores into weights:", "[0.15, 0.86, 0.29]", []),  # no shares
    ],
)
def test_an_arrow_below_words_for_softmax(words: str, weights: str, bad: list[str]) -> None:
    assert [b for *_, wrong in judged(f"{words}\n\n[0.1, 3.2, 1.5] → {weights}") for b in wrong] == bad


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("P(a) = 7.389 / 11.756 = 0.629 → 62.9%", [("0.629", "rounded"), ("62.9%", "rounded")]),
        ("P(class 0) = 7.389 / 11.756 = 0.629 → 63.9%", [("0.629", "rounded")]),  # it may have become that
        ("P(a) = 7.389 / 11.756 = 0.629 → 90%", [("0.629", "rounded")]),  # what it becomes
        ("accuracy = 0.84 → 85%", []),
    ],
)
def test_a_result_in_percent_behind_an_arrow(text: str, expected: list[tuple[str, str]]) -> None:
    assert said(f"```\n{text}\n```") == expected


@pytest.mark.parametrize(
    ("result", "bad"),
    [
        ("A_1 = [[0.731, 0.269], [0.500, 0.500]]", []),
        ("A_1 = [[0.731, 0.269], [0.500, 0.600]]", ["0.600"]),
        (r"A \approx [[0.73, 0.27], [0.20, 0.50]]", ["0.20"]),
        ("A = [[0.9, 0.1], [0.7, 0.3]]", []),  # of other scores
        (r"A \rightarrow [[0.73, 0.27], [0.20, 0.50]]", ["0.20"]),
        ("A = B", []),
    ],
)
def test_a_name_behind_a_step_over_the_arrow(result: str, bad: list[str]) -> None:
    text = rf"$[[2, 1], [1, 1]] \xrightarrow{{\text{{softmax}}}} {result}$"
    assert [n for *_, wrong in judged(text) for n in wrong] == bad
