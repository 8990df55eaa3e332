"""Results and rows behind a colon, and products that go on below it; the numbers are worked out by hand."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

GIVEN = "```\nX = [[1.0, 0.5], [0.2, 0.4]]\nW = [[0.6, 0.4], [0.2, 0.5]]\n{}\n```\n"
GRID = "Q = [[0.7, 0.6], [0.2, 0.3]], K = [[0.5, 0.5], [0.1, 0.2]]\n\nThe scores Q Kᵀ:\n\n```\n{}\n{}\n{}\n```\n"


def wrong(text: str) -> list[str]:
    return [number for *_, bad in judged(text) for number in bad]


@pytest.mark.parametrize("line", ["q₂ = [0.2, 0.4] @ W:  [{}, 0.28]", "q_2 = x_2 · W: [{}, 0.28]   (small)"])
def test_a_product_comes_to_what_stands_behind_a_colon(line: str) -> None:
    text = "x_2 = [0.2, 0.4]\n\n" + GIVEN.format(line)
    assert [shown for subject, shown, _ in judged(text.format("0.2")) if "0.28" in shown] == [["0.2", "0.28"]]
    assert wrong(text.format("0.3")) == ["0.3"]


@pytest.mark.parametrize("line", ["with d = 2: [0.3, 0.28]", "q = [0.2, 0.4]: [0.3, 0.28]"])
def test_other_colons_say_nothing(line: str) -> None:
    assert not wrong(GIVEN.format(line))


@pytest.mark.parametrize(
    ("head", "one", "two"),
    [
        ("        k₁     k₂", "q₁:   0.65   0.19", "q₂:   0.25   {}"),
        ("        k₁=[.5,.5]  k₂=[.1,.2]", "q₁=[.7,.6]:   0.65   0.19", "q₂=[.2,.3]:   0.25   {}"),
    ],
)
def test_rows_of_a_grid_behind_their_names(head: str, one: str, two: str) -> None:
    text = GRID.format(head, one, two)
    assert ["0.65", "0.19", "0.25", "0.08"] in [shown for _, shown, _ in judged(text.format("0.08"))]
    assert not wrong(text.format("0.08"))


def test_a_product_of_one_component_goes_on_below() -> None:
    text = "```\nc = 0.3 v_1 + 0.7 v_2\ndim 0: 0.3×0.9 + 0.7×0.2\n     = 0.27+{} = 0.41\n```\n"
    assert not wrong(text.format("0.14"))
    assert "0.24" in wrong(text.format("0.24"))
