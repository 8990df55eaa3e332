"""Sides in closed form within a chain: right where they are exactly what comes before them, else nothing is said."""

from __future__ import annotations

import pytest

from symattn import check_article

KNOWN = "$S = [[2, 0], [0, 1]]$ $V = [[1, 0], [0, 1]]$\n\n"


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (r"$S\sqrt{2} = [[2\sqrt{2}, 0], [0, \sqrt{2}]] \approx [[2.83, 0], [0, 1.41]]$", {"exact": 6, "rounded": 2}),
        (r"$S\sqrt{2} = [[2\sqrt{3}, 0], [0, \sqrt{2}]] \approx [[2.83, 0], [0, 1.41]]$", {"exact": 2, "rounded": 2}),
        (
            r"$\mathrm{softmax}([2, 1]) = \frac{[1, e^{-1}]}{1 + e^{-1}} \approx [0.73, 0.27]$",
            {"exact": 2, "rounded": 2},
        ),
        ("$\\mathrm{softmax}([1, 2]) = \\frac{[1, e^{-1}]}{1 + e^{-1}} \\approx [0.27, 0.73]$", {"rounded": 2}),
        (r"$A = \mathrm{softmax}(S)$ $A_{22} = \frac{1}{1 + e^{-1}} \approx 0.73$", {"exact": 1, "rounded": 1}),
        (r"$S\sqrt{2} = [[2\sqrt{2}, \cdots], [0, \cdots]] = [[2.83, 0], [0, 1.41]]$", {"exact": 4, "rounded": 2}),
        (  # e^-1.333 / (1 + e^-1.333) is 0.2087
            r"$w = [0.666, 1.999]$ $a = \mathrm{softmax}(w)_1 \approx \frac{e^{-1.33}}{1 + e^{-1.33}} \approx 0.21$",
            {"rounded": 2},
        ),
        (
            r"$w = [0.666, 1.999]$ $a = \mathrm{softmax}(w)_1 \approx \frac{e^{-1.43}}{1 + e^{-1.43}} = 0.21$",
            {"rounded": 1},
        ),
        (r"$S_{11} + S_{22} = 2 + 1 = 3$", {"exact": 3}),  # a sum of prints is judged term by term
        (r"$S_{11}/S_{22} = \frac{4}{2} = 2$", {"exact": 1}),  # and arithmetic explains what comes after it
    ],
)
def test_a_closed_form_is_judged_where_it_is_exactly_right(text: str, verdicts: dict[str, int]) -> None:
    assert check_article(KNOWN + text + "\n").summary == verdicts
