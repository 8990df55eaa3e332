"""Lines that many articles have: sums in a softmax, loops of FlashAttention, backward passes."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article

pytestmark = pytest.mark.slow


def said(text):
    """The verdicts on the formulas of the last line."""
    found = check_article(read_article("a.md", text + "\n")).formulas
    return [each.verdict for each in found if each.line == text.count("\n") + 1]


PARTS = "```\nm_new = max(max(a), max(b))\n"
SCORES = "$$S = QK^T / \\sqrt{d_k}$$\n\n"
FACTOR = r"\frac{1}{\sqrt{\sigma^2 + \epsilon}}"
SECOND = r"\hat{X} \cdot \frac{1}{D} \sum (d\hat{X} \cdot \hat{X})"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Causal: $o_t = \\sum_{i \\leq t} \\text{softmax}(q_t^T k_i / \\sqrt{d}) v_i$", ["holds-if"]),
        ("Causal: $o_t = \\sum_{i \\leq t} \\text{softmax}(q_i^T k_i / \\sqrt{d}) v_i$", []),
        (PARTS + "l_new = Σexp(a - m_new) + Σexp(b - m_new)", ["holds"]),
        (PARTS + "l_new = Σexp(a - m_new) + Σexp(c - m_new)", []),
        ("Variance as $\\sqrt{\\sigma + \\epsilon}$\n\n$$\\sigma = \\frac{1}{d} \\sum_{j=1}^{d} (x_j - \\mu)^2$$",
         ["holds"]),
        (SCORES + "$$\\frac{\\partial L}{\\partial Q} = \\frac{1}{\\sqrt{d_k}} \\Delta K$$", ["holds-if"]),
        (SCORES + "$$\\frac{\\partial L}{\\partial K} = \\frac{1}{\\sqrt{d_k}} \\Delta^T Q$$", ["holds-if"]),
        (SCORES + "$$\\frac{\\partial L}{\\partial K} = \\frac{1}{\\sqrt{d_k}} \\Delta Q$$", []),
        (rf"$$dX = {FACTOR} \left(d\hat{{X}} - \frac{{1}}{{D}} \sum d\hat{{X}} - {SECOND}\right)$$", ["holds"]),
        (rf"$$dX = {FACTOR} \left(d\hat{{X}} - \frac{{1}}{{D}} \sum d\hat{{X}} + {SECOND}\right)$$", ["fails"]),
        (rf"$$dX = {FACTOR} \left(d\hat{{X}} - \sum d\hat{{X}} - {SECOND}\right)$$", []),
        ("$$ATT^{(v)} = \\text{softmax}(Q_e^{(v)} (K_e^{(v)})^T / \\sqrt{d}) V_e^{(v)}$$", ["holds"]),
        ("$$\\text{SDPA-T}(Q, K, V) = \\text{SDPA}(Q W^Q, K W^K, V W^V)$$", ["holds"]),
    ],
)  # fmt: skip
def test_usual_lines(text, found):
    assert said(text) == found


def test_a_read_without_transpose_beside_outer_products():
    text = "A state:\n\n$$h_t = (I - \\beta_t k_t k_t^T) h_{t-1} + \\beta_t v_t k_t^T$$\n\n"
    assert said(text + "$$o_t = q_t h_t$$") == ["fails"]
    assert said(text + "$$o_t = q_t^T h_t$$") == []
    shaped = "The state is $h \\in \\mathbb{R}^{K \\times V}$:\n\n" + text
    assert said(shaped + "$$o_t = q_t h_t$$") == []  # where the update alone is wrong
