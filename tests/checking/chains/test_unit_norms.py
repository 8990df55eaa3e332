"""A norm that is said to be 1 calls its vector a unit vector, and rounds nothing."""

import pytest

from tests.checking.checked import judged, listed


@pytest.mark.parametrize(
    "text",
    ["q = [0.6, 0.6], ‖q‖ = 1", "q = [0.6, 0.6]，‖q‖ = 1", r"$q = (0.6, 0.6)$, $\|q\| = \sqrt{0.36+0.36} = 1$"],
)
def test_a_norm_that_is_clearly_not_1(text: str) -> None:
    assert [bad for *_, bad in judged(text) if bad] == [["1"]]


@pytest.mark.parametrize(
    "text",
    ["q = [0.6, 0.8], ‖q‖ = 1", "q = [0.71, 0.71], ‖q‖ = 1", "q = [0.6, 0.6], ‖q‖ ≈ 1", "q = [1, 2], ‖q‖ = 2"],
)
def test_a_norm_that_may_be_rounded(text: str) -> None:
    assert [numbers for _, numbers, bad in judged(text) if not bad]


@pytest.mark.parametrize(
    "text",
    [
        "q = [0.6, 0.6]. After normalising, ‖q‖ = 1.",
        r"$q = [0.6, 0.6]$, $\|q\| = 0.85$. Then $\|q\| = 1$.",
        "q = [0.6, 0.6]. 对单位向量 ‖q‖ = 1。",
        "If ‖q‖ = 1, then cos is the dot product. q = [1, 1].",
    ],
)
def test_a_norm_of_other_vectors_is_listed(text: str) -> None:
    assert "1" in listed(text)
    assert not [bad for _, numbers, bad in judged(text) if bad or numbers == ["1"]]
