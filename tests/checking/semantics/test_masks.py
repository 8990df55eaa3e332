"""Masks written as conditions: what they hide is known, and what is printed after them is judged."""

import pytest

from symattn import CausalMask, KeepMask, PaddingMask, WindowMask, check_article
from symattn.checking.semantics.masks import keep_where


@pytest.mark.parametrize(
    ("written", "mask"),
    [
        (r"j \le i", CausalMask()),
        ("m <= n + 2", CausalMask(2)),
        ("i − 1 <= j <= i", WindowMask(1, 0)),
        (r"i - 2 \leq j", WindowMask(2, None)),
        ("i ≤ j", WindowMask(0, None)),
        ("j < i", CausalMask(-1)),
        ("j <= 2", PaddingMask(2)),
        (r"j \notin \{1,\ 3\}", PaddingMask(keys=[1, 3])),
        ("j not in {2}", PaddingMask(keys=[2])),
        (r"q \le p + 1", CausalMask(1)),
        ("k <= q", CausalMask()),
        ("k ≤ i", CausalMask()),
        ("s ≤ t", CausalMask()),
        ("t ≤ s", CausalMask()),
        ("q <= 2", PaddingMask(2)),
    ],
)
def test_a_condition_keeps_what_its_mask_keeps(written: str, mask: object) -> None:
    keep = keep_where(written, lambda name: None)
    assert keep is not None
    places = [(i, j) for i in range(4) for j in range(4)]
    assert [keep(i, j) for i, j in places] == [bool(mask.keep(i, j)) for i, j in places]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "written", ["", "j", "j ≪ i", "x + y <= j", "j <= i <= 3 <= 4", "Z_ij = 1", "j <= f(i)", "a ≤ b"]
)
def test_what_is_not_understood_is_no_condition(written: str) -> None:
    assert keep_where(written, lambda name: None) is None


@pytest.mark.parametrize(
    "text",
    [
        r"$S = [[1, 2], [3, 4]]$ $T = S - 10^{3} \left[j > i\right] = [[1, -998], [3, 4]]$",
        r"$S = [[1, 2], [3, 4]]$ $T = S - 1000 [j \gt i] = [[1, -998], [3, 4]]$",
        "    S = [ 1  2 ]\n        [ 3  4 ]\n\n    T = S − 10³ [j > i]\n\n      = [ 1  -998 ]\n        [ 3     4 ]",
    ],
)
def test_a_number_is_added_where_a_condition_in_brackets_holds(text: str) -> None:
    assert check_article("a.md", text + "\n").summary == {"exact": 4}
    assert check_article("a.md", text.replace("998", "997") + "\n").summary == {"exact": 3, "wrong": 1}


@pytest.mark.parametrize("times", [r"\times", r"\cdot", "×"])
def test_weights_far_below_what_a_number_can_be_are_judged_by_their_digits(times: str) -> None:
    """exp(−10⁹ − 1) is 4.5968 · 10^−434294483, by mpmath with 50 digits."""
    given = r"$S = [[1, -1000000000], [3, 3]]$ $A = \mathrm{softmax}(S) \approx "
    text = given + rf"[[1, 4.60 {times} 10^{{-434294483}}], [0.5, 0.5]]$" + "\n"
    assert check_article("a.md", text).summary == {"exact": 3, "rounded": 1}
    assert check_article("a.md", text.replace("4.60", "4.50")).summary == {"exact": 3, "wrong": 1}
    assert check_article("a.md", text.replace("434294483", "434294482")).summary["wrong"] == 1


def test_a_number_beside_a_condition_is_no_matrix_by_itself() -> None:
    assert check_article("a.md", "$M = -10^{3} [j > i] = [[0, -1000], [0, 0]]$\n").summary == {}


@pytest.mark.parametrize(
    "call", [r"\mathrm{mask}_{j \le i,\ j \notin \{1\}}\left(S\right)", "mask(S; j <= i, j not in {1})"]
)
def test_what_a_mask_hides_is_judged(call: str) -> None:
    dollar = "$" * call.startswith("\\")
    text = f"{dollar}S = [[1, 2], [3, 4]]{dollar}\n\n{dollar}M = {call} = [[-inf, -inf], [-inf, 4]]{dollar}\n"
    assert check_article("a.md", text).summary == {"exact": 4}
    wrong = check_article("a.md", text.replace("[-inf, 4]", "[3, 4]"))
    assert wrong.summary == {"exact": 3, "wrong": 1}


def test_a_mask_of_a_matrix_that_is_printed() -> None:
    assert KeepMask([[1, 0], [1, 1]]).keep(0, 1) == False  # noqa: E712  (a SymPy truth)
    text = "S = [[1, 2], [3, 4]]\n\nM = [[1, 0], [1, 1]]\n\nT = mask(S; M_ij = 1) = [[1, -inf], [3, 4]]\n"
    assert check_article("a.txt", text).summary == {"exact": 4}
