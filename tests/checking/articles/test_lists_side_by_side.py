"""Lists that stand side by side, the first entry of a function's list, numbers put in again; worked out by hand."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged


def wrong(text: str) -> list[str]:
    return [number for *_, bad in judged(text) for number in bad]


@pytest.mark.parametrize(
    "left",
    [
        "",
        "s = ",
        "q = [0.1, 0.2, 0.3]^T$ and $k = [0.4, 0.5, 0.6]^T$ give $qk^T = ",
        r"\boldsymbol{q}\boldsymbol{k}^\top = ",
    ],
)
def test_two_lists_side_by_side_are_their_dot_product(left: str) -> None:
    right, off = (f"${left}[0.1, 0.2, 0.3][0.4, 0.5, 0.6] = {number}$\n" for number in ("0.32", "0.46"))
    assert not wrong(right) and wrong(off) == ["0.46"]
    assert [shown for _, shown, _ in judged(right) if "0.32" in shown] == [["0.32"]]


@pytest.mark.parametrize("lists", ["[0.1, 0.2][0.4, 0.5, 0.6]", "[0.1, 0.2] [0.4, 0.5]", "[0.1, 0.2], [0.4, 0.5]"])
def test_other_lists_are_no_product(lists: str) -> None:
    assert not judged(f"The rows {lists} = 3\n")


def test_a_wrong_number_put_in_again_is_marked_once() -> None:
    text = r"$q = [0.1, 0.2, 0.3]$, $k = [0.4, 0.5, 0.6]$, $d_k = 3$" + "\n\n"
    text += r"$q k^T = [0.1, 0.2, 0.3][0.4, 0.5, 0.6] = 0.46$" + "\n\n"
    text += r"$\frac{q k^T}{\sqrt{d_k}} = \frac{0.46}{\sqrt{3}} = 0.27$" + "\n"
    assert wrong(text) == ["0.46", "0.27"]


def test_the_first_entry_of_a_softmax() -> None:
    text = "loss = -log(softmax([3.2, 0.5, 0.2, 0.8])[0])\n     = -log({}) = {}\n"
    assert not wrong(text.format("0.83", "0.19")) and len(judged(text.format("0.83", "0.19"))) == 2
    assert wrong(text.format("0.89", "0.12")) == ["0.89", "0.12"]
    assert not judged("p = softmax([3.2, 0.5])[1] = 0.94\n")  # counted from 0 or from 1, nobody says


@pytest.mark.parametrize("word", ["rank", "rang"])
def test_the_number_of_a_rank_is_no_side(word: str) -> None:
    assert [shown for _, shown, _ in judged(f"Precision at {word} 3 = 2/3 = 0.667")] == [["0.667"]]
    assert wrong(f"Precision at {word} 5 = 2/5 = 0.5") == ["0.5"]


def test_rows_of_a_product_that_opens_above() -> None:
    text = "```\nQ = [[2, 0], [0, 2], [1, 1]]\nK = [[0, 2], [2, 0], [1, 1]]\n\n"
    text += "Q @ K^T = [[2,0],      [[0, 2],      [[0, 4, 2],\n           [0,2],   @   [2, 0],   =   [4, 0, {}],\n"
    text += "           [1,1]]       [1, 1]]       [2, 2, 2]]\n```\n"
    assert len(judged(text.format(2))[-1][1]) == 9 and not wrong(text.format(2))
    assert wrong(text.format(3)) == ["3"]


GIVEN = r"$$\text{Scores} = [0.5, 0.3, SHOWN]$$" + "\n\nLABEL:\n" + r"$$\text{Weights} = [WEIGHTS]$$" + "\n"


@pytest.mark.parametrize(
    ("label", "shown", "weights", "bad"),
    [
        ("After softmax", "0.7, 0.2", "0.27, 0.22, 0.32, 0.20", []),
        ("After softmax", "0.7, 0.2", "0.25, 0.22, 0.36, 0.17", ["0.25", "0.36", "0.17"]),
        ("After softmax", "-\\infty, -\\infty", "0.62, 0.38, 0, 0", ["0.62", "0.38"]),
        ("After softmax", "0.7, 0.2", "0.36, 0.22, 0.25, 0.17", []),  # in another order: something else is meant
        ("After softmax", "0.7, 0.2", "0.25, 0.22, 0.36, 0.27", []),  # no shares of 1
        ("After scaling and softmax", "0.7, 0.2", "0.25, 0.22, 0.36, 0.17", []),
        ("Random weights", "0.7, 0.2", "0.25, 0.22, 0.36, 0.17", []),
    ],
)
def test_named_weights_below_named_scores(label: str, shown: str, weights: str, bad: list[str]) -> None:
    text = GIVEN.replace("LABEL", label).replace("SHOWN", shown).replace("WEIGHTS", weights)
    assert wrong(text) == bad


def test_a_divergence_with_its_bars_beside_numbers() -> None:
    text = r"$$ D_{\text{KL}}(p \| q) = 0.7 \log\frac{0.7}{0.6} + 0.3 \log\frac{0.3}{0.4} $$" + "\n\n"
    text += r"$$ = 0.7 \times 0.154 + 0.3 \times (-0.288) = 0.108 - 0.086 = LAST $$" + "\n"
    assert [shown for _, shown, _ in judged(text.replace("LAST", "0.022"))] == [
        ["0.154", "-0.288"],
        ["0.108", "0.086"],
        ["0.022"],
    ]
    assert not wrong(text.replace("LAST", "0.022")) and wrong(text.replace("LAST", "0.052")) == ["0.052"]


@pytest.mark.parametrize(("mark", "right"), [("", "7"), ("  ^T", "1"), (" ᵀ", "1")])
def test_two_lists_behind_a_sign_are_multiplied(mark: str, right: str) -> None:
    # [[1, 2], [0, 1]] times [[1, 0], [3, 1]] is [[7, 2], [3, 1]], and times its transpose [[1, 5], [0, 1]]
    rows = f"= [[1, 2],  [[1, 0],{mark}\n       [0, 1]]   [3, 1]]"
    second, last = ("5", "0, 1") if mark else ("2", "3, 1")
    text = "```\nS = M N\n    " + rows + "\n\n    = [[{}, " + second + "],\n       [" + last + "]]\n```"
    assert [bad for _, _, bad in judged(text.format(right))] == [[]]
    assert [bad for _, _, bad in judged(text.format("8"))] == [["8"]]
