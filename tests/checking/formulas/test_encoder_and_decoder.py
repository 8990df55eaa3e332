"""Attention of a decoder's states to those of an encoder: which index is whose, and the shapes of additive scores."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def judged(text):
    return [(each.line, each.verdict) for each in check_article(read_article("a.md", text)).formulas]


SAID = "Here $h_i$ is the state of the encoder at place $i$ and $s_j$ is the state of the decoder at step $j$.\n\n"
CONTEXT = "\n\n$$c_j = \\sum_{i=1}^n \\alpha_{ij} h_i$$\n"


@pytest.mark.parametrize(("term", "verdict"), [("e_{kj}", "holds"), ("e_{ik}", "fails")])
def test_weights_are_divided_by_their_sum_over_the_encoder(term, verdict):
    weights = rf"$$\alpha_{{ij}} = \frac{{\exp(e_{{ij}})}}{{\sum_{{k=1}}^n \exp({term})}}$$"
    assert judged(SAID + weights + CONTEXT) == [(3, verdict), (5, "holds")]


def test_without_words_neither_of_two_lines_is_false():
    weights = r"$$\alpha_{ij} = \frac{\exp(e_{ij})}{\sum_{k=1}^n \exp(e_{ik})}$$"
    assert "fails" not in [verdict for _, verdict in judged("The weights:\n\n" + weights + CONTEXT)]


SCORE = r"$$e_{ij} = v^\top \tanh(W s_{i-1} + U h_j)$$" + "\n\n"


@pytest.mark.parametrize(
    ("sizes", "words", "said"),
    [
        (r"m \times n", "where $n$ is the hidden size", [(3, "holds"), (3, "holds")]),
        (r"n \times m", "where $n$ is the hidden size", [(3, "fails"), (3, "fails")]),
        (r"n \times m", "for some $n$", []),  # v may be the one that is wrong
    ],
)
def test_the_weights_of_an_additive_score(sizes, words, said):
    text = SCORE + rf"with $W \in \mathbb{{R}}^{{{sizes}}}$, $U \in \mathbb{{R}}^{{{sizes}}}$, $v \in \mathbb{{R}}^m$ "
    assert [each for each in judged(text + words + ".\n") if each[0] == 3] == said
