"""Counts of which the words behind them say what they are: `SwiGLU has 3 d d_ff = 8 d² parameters`."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

SIZES = "$n$ tokens, $h$ heads of width $d_h = d/h$, $g$ key-value heads.\n\n"


def judged(text):
    found = judge_formulas(read_article("a.md", SIZES + text + "\n")).formulas
    return [(x.verdict, x.right) for x in found if x.line > 1]


@pytest.mark.parametrize(("text", "verdict"), [
    ("A layer costs $24nd^2 + 4n^2d$ FLOPs forward.", "holds"),
    ("In GQA the projections have $2d^2 + 2 d g d_h$ parameters.", "holds-if"),
    (r"With $d_{ff} = \frac{8}{3} d$, SwiGLU has $3 d \cdot d_{ff} = 8 d^2$ parameters.", "holds"),
])  # fmt: skip
def test_a_right_count_holds(text, verdict):
    assert judged(text) == [(verdict, None)]


def test_what_is_counted_in_all_is_the_layer():
    """4 d² of attention and 2 · d · 4d of a feed-forward network that is not gated."""
    text = "A layer has $4d^2$ parameters in attention and $8d^2$ in the feed-forward network, ${}$ in all."
    [found] = judge_formulas(read_article("a.md", text.format("12 d^2"))).formulas
    assert found.verdict == "holds-if" and "gated" not in found.condition.text()
    assert judge_formulas(read_article("a.md", text.format("10 d^2"))).formulas == ()


def test_a_gated_network_with_a_wrong_count_fails():
    text = r"With $d_{ff} = \frac{8}{3} d$, SwiGLU has $3 d \cdot d_{ff} = 12 d^2$ parameters."
    assert judged(text) == [("fails", r"3 d \cdot d_{ff} = 8 d²")]


@pytest.mark.parametrize("text", [
    "A layer costs $20nd^2 + 4n^2d$ FLOPs forward.",  # of which parts, nobody says
    "A layer costs $24nd^2 + 4n^2d$ FLOPs per token.",
    "In GQA the projections have $2d^2 + d g d_h$ parameters.",
])  # fmt: skip
def test_other_counts_are_left_alone(text):
    assert judged(text) == []


@pytest.mark.parametrize(
    ("said", "verdicts"),
    [
        ("The feed-forward network has $8 d^2$ parameters in total.", ["holds-if"]),
        ("Multi-head attention has $4 d^2$ parameters in total.", ["holds-if"]),
        ("Multi-head attention has $12 d^2$ parameters in total.", []),  # as a layer with its network has
        ("Attention has $3 d^2$ parameters in total without the output projection.", ["holds-if"]),
        ("With SwiGLU the network has $3 d d_{ff}$ parameters in total.", ["holds"]),
        ("The FFN has $8 d^2$ parameters and attention $4 d^2$, $12 d^2$ in total.", ["holds-if"] * 3),
    ],
)
def test_what_a_sentence_names_alone_has_the_parameters_in_total(said, verdicts):
    assert [x.verdict for x in judge_formulas(read_article("a.md", said + "\n")).formulas] == verdicts
