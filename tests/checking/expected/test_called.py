"""Formulas that are the label of their numbers: GELU(1.1) = 0.95, GELU(-1) = -0.16."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed

GIVEN = "```\nh = [1.1, -1.0, 1.1, -1.0]\n\nGELU(h):  {}\n```"


@pytest.mark.parametrize(
    ("printed", "bad"),
    [
        ("≈ [0.95, -0.16, 0.95, -0.16]", []),
        ("≈ [0.92, -0.16, 0.92, -0.16]", ["0.92", "0.92"]),
        ("[0.95, -0.16, 0.95, -0.16]", []),
    ],
)
def test_a_function_before_a_colon(printed: str, bad: list[str]) -> None:
    numbers = printed.strip("≈ []").split(", ")
    assert judged(GIVEN.format(printed))[-1][1:] == (numbers, bad)


@pytest.mark.parametrize("printed", ["[4, 1]", "[0.2, 0.3, 0.4, 0.1]", "≈ [0.2, 0.3]"])
def test_a_colon_alone_says_less_than_an_equals_sign(printed: str) -> None:
    assert not judged(GIVEN.format(printed))
    assert any(printed.strip("≈ ") in text for text in listed(GIVEN.format(printed)))


@pytest.mark.parametrize("label", ["softmax(masked / √2):", "softmax(masked/sqrt(d_k)):", "softmax(masked / √2)："])
@pytest.mark.parametrize(("row", "right"), [("[0.80, 0.20]", True), ("[0.88, 0.12]", False)])
def test_softmax_is_taken_of_all_that_its_label_names(label: str, row: str, right: bool) -> None:
    text = f"masked = [[1, -inf], [3, 1]], d_k = 2\n\n{label} [[1.00, 0.00], {row}]"
    found = judged(text)
    assert (len(found[-1][1]) == 4 and not found[-1][2]) if right else not found
    assert right or any(row in entry for entry in listed(text))


@pytest.mark.parametrize(
    ("printed", "bad"), [("[[0.71, 1.41], [2.12, 0.71]]", []), ("[[0.71, 1.41], [2.12, 0.81]]", ["0.81"])]
)
def test_scores_over_a_root_before_a_colon(printed: str, bad: list[str]) -> None:
    assert judged(f"scores = [[1, 2], [3, 1]], d = 2\n\nscores / √d: {printed}")[-1][2] == bad
