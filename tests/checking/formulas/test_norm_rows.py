"""Norms of a matrix: means over one of two indices, and the gradients of what is normalised so."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

# index of the entry, of the row, and what stands below a letter of the row
LAYER = {"x": "ij", "over": "j", "row": "", "entry": ""}
LAYER_ROWS = {"x": "i,j", "over": "j", "row": "_i", "entry": "_j"}
BATCH = {"x": "ij", "over": "i", "row": "_j", "entry": "_j"}
KINDS = pytest.mark.parametrize("kind", [LAYER, LAYER_ROWS, BATCH], ids=["layer", "rows", "batch"])

MEAN = r"\mu<row> = \frac{1}{D} \sum_{<over>=1}^{D} x_{<x>}"
LINES = [
    r"\sigma<row>^2 = \frac{1}{D} \sum_{<over>=1}^{D} (x_{<x>} - \mu<row>)^2",
    r"\hat{x}_{<x>} = \frac{x_{<x>} - \mu<row>}{\sqrt{\sigma<row>^2 + \epsilon}}",
    r"y_{<x>} = \gamma<entry> \hat{x}_{<x>} + \beta<entry>",
]
BACKWARD = [
    r"\frac{\partial L}{\partial \hat{x}_{<x>}} = \frac{\partial L}{\partial y_{<x>}} \gamma<entry>",
    r"\frac{\partial L}{\partial \sigma<row>^2} = \sum_{<over>=1}^{D} \frac{\partial L}{\partial \hat{x}_{<x>}}"
    r" (x_{<x>} - \mu<row>) \left(-\frac{1}{2}\right) (\sigma<row>^2 + \epsilon)^{-3/2}",
]


def judged(kind, *lines):
    text = "A normalisation layer.\n\n" + "\n\n".join(f"$${line}$$" for line in lines) + "\n"
    for mark, letters in kind.items():
        text = text.replace(f"<{mark}>", letters)
    return [x.verdict for x in judge_formulas(read_article("a.md", text)).formulas]


@KINDS
def test_a_norm_of_each_row_and_its_gradients_hold(kind):
    assert judged(kind, MEAN, *LINES, *BACKWARD) == ["holds"] * 6


@KINDS
def test_a_lost_sign_in_its_gradient_fails(kind):
    assert judged(kind, MEAN, *LINES, BACKWARD[1].replace(r"-\frac{1}{2}", r"\frac{1}{2}"))[-1] == "fails"


def test_the_gradient_by_a_gain_sums_over_the_batch():
    line = r"\frac{\partial L}{\partial \gamma_j} = \sum_i \frac{\partial L}{\partial y_{ij}} \hat{x}_{ij}"
    assert judged(BATCH, MEAN, *LINES, line) == ["holds"] * 5
    assert judged(BATCH, MEAN, *LINES, line.replace("gamma", "beta"))[-1] == "fails"


@pytest.mark.parametrize("line", [
    r"\mu<row> = \frac{1}{N} \sum_{j=1}^{D} x_{<x>}",  # N may be D
    r"\mu<row> = \sum_{j=1}^{D} x_{<x>}",
    r"\mu_k = \frac{1}{D} \sum_{j=1}^{D} x_{<x>}",
])  # fmt: skip
def test_other_means_are_left_alone(line):
    assert judged(LAYER, line) == []


def test_what_has_other_letters_is_read_as_it_stands():
    scores = r"y_{ij} = \sum_k w_{ik} x_{kj}"
    assert judged(LAYER, MEAN, scores) == ["holds"]


def test_a_gradient_by_a_gain_without_the_sum_over_rows_is_not_of_one_row():
    line = r"\frac{\partial L}{\partial \gamma_j} = \frac{\partial L}{\partial y_{ij}} \hat{x}_{ij}"
    assert judged(LAYER_ROWS, MEAN.replace("<x>", "ij"), line) == ["holds"]


def test_the_row_has_one_place():
    assert judged(LAYER, MEAN, LINES[0].replace("<x>", "ji")) == ["holds"]


@pytest.mark.parametrize(("sign", "verdicts"), [("-", []), ("+", ["fails"])])
def test_a_lost_minus_is_not_hidden_by_another_number_of_entries(sign, verdicts):
    text = rf"Layer norm: $\sigma^2 = \frac{{1}}{{N}} \sum_{{j=1}}^{{D}} (x_j {sign} \mu)^2$." + "\n"
    assert [x.verdict for x in judge_formulas(read_article("a.md", text)).formulas] == verdicts


@pytest.mark.parametrize("gap", [r"\hspace{1em}", r"\hspace*{20pt}", r"\quad"])
def test_a_wide_space_parts_equations(gap):
    mean, deviation = r"\mu = \frac{1}{n} \sum_i x_i", r"\sigma = \sqrt{\frac{1}{n} \sum_i (x_i - \mu)^2}"
    text = "LayerNorm:\n\n$$\ny_i = \\frac{x_i - \\mu}{\\sigma} \\\\[1em]\n" + f"{mean} {gap}\n{deviation}\n$$\n"
    found = judge_formulas(read_article("a.md", text)).formulas
    assert [(x.line, x.verdict) for x in found] == [(4, "holds"), (5, "holds"), (6, "holds")]
    wrong = text.replace("x_i - \\mu}", "x_i + \\mu}")
    assert [x.line for x in judge_formulas(read_article("a.md", wrong)).formulas if x.verdict == "fails"] == [4]
