"""Sums that are set in several displays: one formula, whose result is judged; a finished equation ends its display."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged


@pytest.mark.parametrize("marks", [("$$", "$$"), (r"\[", r"\]")])
def test_a_sum_in_two_displays(marks: tuple[str, str]) -> None:
    opening, closing = marks
    first, second = r"y = 0.5 \times [2, 0] + 0.3 \times [0, 2]", r"+ \ 0.2 \times [1, 1] = [1.2, 0.7]"
    text = f"{opening}{first}{closing}\n{opening}{second}{closing}"
    assert judged(text) == [("y", ["1.2", "0.7"], ["0.7"])]  # 0.3 · 2 + 0.2 = 0.8


@pytest.mark.parametrize("between", ["\nand then\n", "\n\n"])
def test_displays_with_something_between_are_two(between: str) -> None:
    assert not judged(f"$$y = 0.5 \\times 2$${between}$$+ 3 = 5$$")


def test_a_result_ends_its_formula() -> None:
    assert not judged("$$y = 3$$\n$$+ 2 = 6$$")
