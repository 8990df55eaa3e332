"""Masks by cases: entry (i, j) is query i and key j, so that a causal mask hides j > i."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def cases(*rows):
    return r"M_{ij} = \begin{cases} " + r" \\ ".join(rows) + r" \end{cases}"


def found(text):
    return check_article(read_article("a.md", text)).formulas


@pytest.mark.parametrize(
    "rows",
    [
        (r"0 & \text{if } j \le i", r"-\infty & \text{if } j > i"),
        (r"-\infty, & i < j", r"0, & \text{otherwise}"),
        (r"0 & i \geq j", r"-\infty & i < j"),
        (r"1 & \text{if } j \leq i", r"0 & \text{otherwise}"),
    ],
)
def test_the_past_and_the_token_itself_are_shown(rows):
    [formula] = found(f"The causal mask:\n\n$${cases(*rows)}$$\n")
    assert formula.verdict == "holds"


@pytest.mark.parametrize(
    "rows",
    [
        (r"0 & \text{if } i \le j", r"-\infty & \text{if } i > j"),
        (r"-\infty & i > j", r"0 & \text{otherwise}"),
        (r"-\infty & \text{if } j < i \text{ (future)}", r"0 & \text{else}"),
    ],
)
def test_a_causal_mask_that_shows_the_future_fails(rows):
    [formula] = found(f"The causal mask hides the future:\n\n$${cases(*rows)}$$\n")
    assert formula.verdict == "fails"
    assert formula.right is not None and r"-\infty & \text{if } j > i" in formula.right
    assert found(f"The causal mask is:\n\n$${formula.right}$$\n")[0].verdict == "holds"


REVERSED = cases(r"0 & i \le j", r"-\infty & i > j")
WINDOW = cases(r"0 & i - j < w", r"-\infty & \text{otherwise}")


@pytest.mark.parametrize(
    "text",
    [
        f"A mask:\n\n$${REVERSED}$$\n",  # nothing says which
        f"The reversed causal mask:\n\n$${REVERSED}$$\n",
        f"The causal mask, where i is the key:\n\n$${REVERSED}$$\n",
        f"The causal mask:\n\n$$S = K^T Q$$\n\n$${REVERSED}$$\n",
        f"A causal window:\n\n$${WINDOW}$$\n",
    ],
)
def test_no_alarm_where_another_convention_is_possible(text):
    assert [x.verdict for x in found(text) if "cases" in x.text] == []


def test_ones_may_mark_what_is_hidden():
    ones = cases(r"1 & j > i", r"0 & \text{otherwise}")
    [formula] = found(f"The causal mask:\n\n$${ones}$$\n")
    assert (formula.verdict, formula.condition.key) == ("holds-if", "condition.ones_hide")


def test_minus_infinity_is_added_and_not_multiplied():
    mask = cases(r"0 & j \le i", r"-\infty & j > i")
    [wrong, _] = found(f"$$A = \\text{{softmax}}(QK^T \\odot M) V$$\n\n$${mask}$$\n")
    assert (wrong.verdict, wrong.theorem.key) == ("fails", "theorem.mask_multiplied")
    assert [x.verdict for x in found(f"$$A = \\text{{softmax}}(QK^T + M) V$$\n\n$${mask}$$\n")][1:] in ([], ["holds"])


def test_zeros_and_ones_are_not_added():
    mask = cases(r"1 & j \le i", r"0 & j > i")
    [wrong, _] = found(f"$$A = \\text{{softmax}}(QK^T + M) V$$\n\n$${mask}$$\n")
    assert (wrong.verdict, wrong.theorem.key) == ("fails", "theorem.mask_added")


@pytest.mark.parametrize(
    "said",
    [
        "The bias is $B_{ij} = 1$ if $i = j$ and $0$ otherwise.",
        "Tokens see themselves better: $B_{ij} = 1$ if $i = j$ and $0$ otherwise.",
        "We add a bias.\n\n$$" + cases("1 & i = j", r"0 & i \ne j").replace("M_", "B_") + "$$",
        "The edges $B_{ij} = 1$ if there is an edge and $0$ otherwise are added to the scores.",
    ],
)
def test_a_bias_of_ones_is_rightly_added(said):
    report = found(f"{said}\n\n$A = \\text{{softmax}}(QK^\\top/\\sqrt{{d_k}} + B)$\n")
    assert "fails" not in [x.verdict for x in report]


def test_ones_for_the_keys_before_are_a_mask_in_words():
    report = found("Set $M_{ij} = 1$ for $j \\le i$ and $0$ otherwise.\n\n$A = \\text{softmax}(QK^\\top + M)$\n")
    assert report[-1].theorem.key == "theorem.mask_added"


@pytest.mark.parametrize(
    "said",
    [
        "In the causal mask rows belong to keys and columns to queries",
        "In a GPT token i is visible to token j in this order",
        "The decoder takes the softmax over each column",
        "An auxiliary head only sees the future",
        "A common bug is the inverted causal mask",
        "GPT 中从位置 i 流到位置 j",
    ],
)
def test_masks_that_words_turn_round(said):
    mask = r"$M_{ij} = \begin{cases} 0 & i \le j \\ -\infty & i > j \end{cases}$"
    assert check_article(read_article("a.md", f"{said}: {mask}\n")).formulas == ()
