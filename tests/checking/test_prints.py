"""Fractions and roots as cells; matrices that leave entries out."""

from __future__ import annotations

import pytest

from symattn import check_article

KNOWN = "$Q = [[1, 0], [0, 2]]$ $K = [[1, 1], [2, 0]]$\n\n"


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("softmax([0, 0]) = [1/2, 1/2]", {"exact": 2}),
        ("softmax([0, 0, 0]) = [1/3, 2/3, 1/3]", {"exact": 2, "wrong": 1}),
        (
            r"$\frac{Q}{\sqrt{2}} = \begin{bmatrix} \frac{1}{\sqrt{2}} & 0 \\ 0 & \sqrt{2} \end{bmatrix}$",
            {"rounded": 2, "exact": 2},
        ),
        (r"$Q/4 = [[1/4, 0], [0, 2/4]] = [[0.25, 0], [0, 0.5]]$", {"exact": 4}),  # arithmetic still to be done
        ("softmax([5, 5]) = [5/10, 5/10] = [0.5, 0.5]", {"exact": 2}),
        ("$QK^T = [[1, …], [2, 1]]$", {"exact": 2, "wrong": 1}),
        ("$QK^T = [[1, 2], …]$", {"exact": 2}),
        ("softmax([2, 1, 0, 0]) = [0.61, …, 0.08]", {"rounded": 2}),
        ("softmax([2, 1, 0, 0]) = [0.71, …]", {"wrong": 1}),
    ],
)
def test_every_entry_that_is_printed_is_judged(text: str, verdicts: dict[str, int]) -> None:
    assert check_article(KNOWN + text + "\n").summary == verdicts
