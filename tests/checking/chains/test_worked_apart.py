"""Numbers that nothing else can stand for, since all the rest of a side is written once more; worked out by hand."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged


def wrong(text: str) -> list[str]:
    return [number for *_, bad in judged(text) for number in bad]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"$p = \frac{1}{1 + e^{-0.5}} = \frac{1}{1.7065} = 0.6225$", ["1.7065"]),  # 1.60653
        (r"$d = (0.3 - 0.5) \cdot 0.3 \cdot (1 - 0.3) = (-0.2) \cdot (0.22) = -0.042$", ["0.22"]),
        (r"$b = (3 + 4)/2 = 8/2 = 3.5$", ["8"]),
        (r"$c = 0.1 + 0.2 + 0.4 = 0.3 + 0.5 = 0.7$", ["0.5"]),
        (r"$n = 2 \cdot 3 \cdot 4 = 2 \cdot 13 = 24$", ["13"]),
        (
            r"$$S = \frac{1}{\sqrt{2}} \begin{bmatrix} 2 \cdot 5 + 1 \cdot 3 & 4 \cdot 2 \end{bmatrix}"
            r" = \frac{1}{\sqrt{2}} \begin{bmatrix} 14 & 8 \end{bmatrix}$$",
            ["14"],
        ),
    ],
)
def test_a_number_that_is_forced_is_wrong(text: str, expected: list[str]) -> None:
    assert wrong(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        r"$p = \frac{1}{1 + e^{-0.5}} = \frac{1}{1.607} = 0.622$",
        r"$n = 2 \cdot 3 \cdot 4 = 4 \cdot 6 = 24$",  # put together in another order
        r"$n = 2 \cdot 32 \cdot 1024 \cdot 8 = 64 \cdot 8192 = 524288$",
        r"$x = \frac{2.4 + 0.3}{1.2} \approx \frac{3}{1.2} = 2.5$",
        r"$2 \times 4096 \times 4096 \times 2 \text{ bytes} = 2 \times 32 \text{ MB} = 64 \text{ MB}$",
        r"$b = 3 \cdot 60 \cdot 2 = 3 \cdot 2 \text{ h}$",
        r"A wrong way to write it: $(3 + 4)/2 = 8/2$.",
        r"$y = 0 \cdot (2 + 3) = 0 \cdot 6 = 0$",
        r"$a = b \cdot (2 + 3) = b \cdot 6$",  # of names it is a formula
    ],
)
def test_what_is_right_or_may_be_is_not_accused(text: str) -> None:
    assert wrong(text) == []
