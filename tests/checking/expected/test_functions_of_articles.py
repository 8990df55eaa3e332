"""What an article prints of a function at a number is held against its own formula; sin 1 = 0.841, cos 1 = 0.540."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

ROW = "p(t) = [sin(t), cos(t), sin(t/10), cos(t/10)]\n\np(1) = [{}]"


@pytest.mark.parametrize(
    ("row", "bad"),
    [
        ("0.841, 0.540, 0.100, 0.995", []),
        ("0.841, 0.504, 0.100, 0.995", ["0.504"]),
    ],
)
def test_a_row_at_a_number(row: str, bad: list[str]) -> None:
    assert judged(ROW.format(row))[-1][1:] == (row.split(", "), bad)


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("f(x) = x^2 + 1\n\nf(3) = 10\n", []),
        ("f(x) = x^2 + 1\n\nf(3) = 9\n", ["9"]),
        (r"$$h(\theta) = \theta^2 + 1$$" + "\n\n" + r"$$h(0.5) = 1.35$$", ["1.35"]),
        (r"$$h(\theta) = \theta^2 + 1$$" + "\n\n" + r"$$h(2) = 5$$", []),
    ],
)
def test_a_number_at_a_number(text: str, bad: list[str]) -> None:
    assert judged(text)[-1][2] == bad


@pytest.mark.parametrize(
    "text",
    [
        ROW.format("0.1, 0.2, 0.3, 0.4"),  # of another definition
        ROW.format("0.841, 0.540"),
        "T(n) = T(n - 1) + n\n\nT(3) = 8\n",
        "f(x) = x if x > 0\n\nf(-1) = 0\n",
        "f(x) = x + 2 if x > 0\n\nf(0) = 5\n",
        "f(x) = a x + b\n\nf(3) = 10\n",
    ],
)
def test_what_does_not_settle_a_value(text: str) -> None:
    assert judged(text) == []


@pytest.mark.parametrize(
    ("second", "bad"), [("0.909, −0.416, 0.199, 0.980", []), ("0.909, 0.416, 0.199, 0.980", ["0.416"])]
)
def test_rows_right_below_each_other_are_equations_each(second: str, bad: list[str]) -> None:
    lines = ["PE(pos) = [sin(pos), cos(pos), sin(pos/10), cos(pos/10)]", "PE(1) = [0.841, 0.540, 0.100, 0.995]"]
    text = "\n".join(f"    {line}" for line in [*lines, f"PE(2) = [{second}]"])
    assert judged("Take this:\n\n" + text)[-1][1:] == (second.split(", "), bad)
