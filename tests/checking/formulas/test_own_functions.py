"""Derivatives of functions that an article names itself, worked out by hand."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def judged(*lines: str) -> list[str]:
    found = check_article(read_article("a.md", "\n\n".join(f"${x}$" for x in lines) + "\n")).formulas
    return [x.verdict for x in found if x.line == 2 * len(lines) - 1]


@pytest.mark.parametrize(
    ("line", "right", "wrong"),
    [
        (r"L = g_1(x_1) = -\log(x_1)", r"\frac{\partial g_1(x_1)}{\partial x_1} = -\frac{1}{x_1}", "x_1^2"),
        (r"x_1 = g_2(x_2) = \frac{c}{x_2}", r"\frac{\partial g_2(x_2)}{\partial x_2} = -\frac{c}{x_2^2}", "x_2"),
        (r"y = g_3(u) = e^{au}", r"\frac{\partial g_3(u)}{\partial u} = \frac{a e^{au}}{1}", "2"),
    ],
)
def test_a_function_of_one_letter(line: str, right: str, wrong: str) -> None:
    assert judged(line, right) == ["holds"]
    assert judged(line, right[: right.rindex("{")] + f"{{{wrong}}}") == ["fails"]


def test_the_last_line_before_says_what_a_function_is() -> None:
    slope = r"\frac{\partial g_1(u)}{\partial u} = \frac{1}{s}"
    assert judged(r"y = g_1(u) = u^2", r"y = g_1(u) = \frac{u}{s}", slope) == ["holds"]
    assert judged(r"y = g_1(u) = \frac{u}{s}", r"y = g_1(u) = u^2", slope) == ["fails"]


def test_matrices_and_functions_of_several_are_left_alone() -> None:
    assert judged("y = g_1(Z) = W Z", r"\frac{\partial g_1(Z)}{\partial Z} = Z") == []
    assert judged(r"y = g_1(z) = z - \max(z)", r"\frac{\partial g_1(z)}{\partial z} = 1") == []
