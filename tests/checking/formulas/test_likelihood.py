"""Losses of language models: the sign of the logarithm, means and perplexity."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.pages.findings.sentences import formula_remarks
from symattn.reading.articles import read_article


def judged(text):
    return [(x.verdict, x.right) for x in judge_formulas(read_article("a.md", text + "\n")).formulas]


RIGHT = [
    r"The loss is $L = -\frac{1}{T} \sum_{t=1}^T \log p_\theta(x_t \mid x_{<t})$.",
    r"Cross-entropy: $\mathcal{L} = -\sum_{i=1}^{|V|} q_i \log p_i$.",
    r"$L_{CE} = -\frac{1}{N} \sum_{i=1}^N [y_i \log p_i + (1 - y_i) \log(1 - p_i)]$",
    r"$\text{PPL} = \exp\left(-\frac{1}{N} \sum_{i=1}^N \log P(w_i | w_{<i})\right)$",
    r"$\text{PPL} = \exp\left(\frac{1}{N} \sum_{i=1}^N -\log P(w_i)\right)$",
    r"$\text{PPL} = 2^{-\frac{1}{N} \sum_{i=1}^N \log_2 P(w_i)}$",
    r"We maximise the likelihood $L = \sum_t \log P(x_t | x_{<t})$.",
]


@pytest.mark.parametrize("text", RIGHT)
def test_a_right_loss_holds(text):
    assert [verdict for verdict, _ in judged(text)] == ["holds"]


WRONG = [
    (
        r"$\text{PPL} = \exp\left(\frac{1}{N} \sum_{i=1}^N \log P(w_i)\right)$",
        r"\text{PPL} = \exp\left(-\frac{1}{N} \sum_{i=1}^N \log P(w_i)\right)",
    ),
    (
        r"The cross-entropy loss is $L = \sum_i y_i \log p_i$.",
        r"L = -\sum_i y_i \log p_i",
    ),
]


@pytest.mark.parametrize(("text", "right"), WRONG)
def test_a_lost_sign_is_found(text, right):
    assert judged(text) == [("fails", right)]


def test_a_sum_of_logarithms_that_nothing_names_is_a_likelihood_under_a_condition():
    assert [verdict for verdict, _ in judged(r"$L = \sum_t \log P(x_t | x_{<t})$")] == ["holds-if"]


@pytest.mark.parametrize(
    "text",
    [
        r"$\text{PPL} = 2^{-\frac{1}{N} \sum_{i=1}^N \ln P(w_i)}$",
        r"$\text{PPL} = e^{-\frac{1}{N} \sum_{i=1}^N \log_2 P(w_i)}$",
        r"$\log_2 p = \ln p$",
    ],
)
def test_a_logarithm_of_another_base_does_not_hold(text):
    assert "holds" not in [verdict for verdict, _ in judged(text)]


def test_logarithms_change_their_base_by_a_factor():
    assert [verdict for verdict, _ in judged(r"$\log_2 p = \frac{\ln p}{\ln 2}$")] == ["holds"]


@pytest.mark.parametrize(("formula", "verdict"), [
    (r"D_{KL}(p \| q) = \sum_i p_i \log \frac{p_i}{q_i}", ["holds"]),
    (r"D_{KL}(p \| q) = \sum_i q_i \log \frac{p_i}{q_i}", ["fails"]),  # minus the divergence of q from p
    (r"D_{KL}(p \| q) = \sum_i p_i \log \frac{q_i}{p_i}", ["fails"]),
    (r"D_{KL}(p \| q) = \sum_i p_i \log \frac{p_i}{r_i}", []),
    (r"H(p, q) = -\sum_i p_i \log q_i", ["holds"]), (r"H(p, q) = \sum_i p_i \log q_i", ["fails"]),
])  # fmt: skip
def test_divergences_and_entropies_have_an_order_and_a_sign(formula, verdict):
    assert [x.verdict for x in judge_formulas(read_article("a.md", f"$${formula}$$\n")).formulas] == verdict


def test_an_entropy_is_no_likelihood():
    assert judged(r"The entropy is $H = \sum_i p_i \log_2 p_i$.") == [("fails", r"H = -\sum_i p_i \log_2 p_i")]
    assert judged(r"The entropy is $H = -\sum_i p_i \log_2 p_i$.") == [("holds", None)]
    assert judged(r"The negative entropy is $H = \sum_i p_i \log_2 p_i$.") == []


def test_an_entropy_has_the_probability_in_front_of_its_logarithm():
    assert judged(r"The entropy is $H = -\sum_i \log_2 p_i$.") == []
    assert judged(r"The entropy of the text is $H = -\frac{1}{N}\sum_{i=1}^N \log_2 p(w_i)$.") == [("holds", None)]


@pytest.mark.parametrize(
    ("power", "log", "verdicts"),
    [
        ("2^{H}", r"\ln", ["holds"]),
        ("e^{H}", r"\log_2", ["holds"]),
        ("2^{H}", r"\log_2", ["holds"] * 2),
        ("2^{H}", r"\log", ["holds"] * 2),
        (r"\exp(H)", r"\ln", ["holds"] * 2),
    ],
)
def test_a_perplexity_takes_the_base_of_its_loss(power, log, verdicts):
    text = rf"$PPL = {power}$ where $H = -\frac{{1}}{{N}}\sum_{{i=1}}^N {log} p(w_i)$"
    assert [verdict for verdict, _ in judged(text)] == verdicts


def test_sides_that_are_numbers_are_not_said_to_be_sizes():
    text = WRONG[0][0] + "\n\n$Q K$ with $Q \\in R^{2 \\times 3}$ and $K \\in R^{2 \\times 3}$\n"
    (formula,) = judge_formulas(read_article("a.md", text)).formulas[:1]
    assert [sentence.key for sentence in formula_remarks(formula)][-1] == "findings.formula_values"


@pytest.mark.parametrize("weight", [r"\hat y_i", r"\hat{y}_i", "p_i"])
def test_a_label_has_no_logarithm(weight):
    assert judged(rf"The cross-entropy is $L = -\sum_i {weight} \log y_i$.") == []
    assert [v for v, _ in judged(r"The cross-entropy is $L = -\sum_i y_i \log \hat y_i$.")] == ["holds"]
    assert [v for v, _ in judged(r"The cross-entropy is $L = -\sum_i t_i \log y_i$.")] == ["holds"]


@pytest.mark.parametrize(
    ("power", "sign", "found"),
    [("L", "-", "holds"), ("-L", "", "holds"), ("L", "", "fails"), ("-L", "-", "fails")],
)
def test_a_perplexity_has_the_sign_of_its_loss(power, sign, found):
    text = rf"$PPL = e^{{{power}}}$ where $L = {sign}\frac{{1}}{{N}}\sum_{{i=1}}^N \log p(x_i \mid x_{{<i}})$"
    assert judged(text)[0][0] == found


@pytest.mark.parametrize(
    "mean", [r"\frac{1}{N}\sum_{i=1}^N \log \frac{1}{p(x_i)}", r"\frac{-1}{N}\sum_{i=1}^N \log p(x_i)"]
)
def test_a_loss_may_be_positive_in_other_ways(mean):
    assert judged(rf"$PPL = e^{{L}}$ where $L = {mean}$")[0][0] == "holds"


@pytest.mark.parametrize(("formula", "found"), [
    (r"H_i = -\sum_{j=1}^{n} \alpha_{ij} \log \alpha_{ij}", ["holds"]),
    (r"H_i = -\sum_{j=1}^{n} \log \alpha_{ij}", []),  # another sum of the same row, it may be
    (r"H_i = \sum_j A_{ij} \log A_{ij}", ["fails"]),
    (r"H_i = -\sum_j \beta_j \log \alpha_{ij}", []),
    (r"h_i = \sum_j A_{ij} \log A_{ij}", []),  # a convex part of an energy, it may be
    (r"H_i = -\sum_i \alpha_{ij} \log \alpha_{ij}", ["fails"]),  # i is an index of the sum
])  # fmt: skip
def test_the_entropy_of_a_row(formula, found):
    assert [x[0] for x in judged(f"The entropy of row $i$ of the weights is $${formula}$$")] == found
    assert "holds" not in [x[0] for x in judged(f"We define $${formula}$$")]
