"""Scores and weights of tokens in columns, and softmax that is said by rows or by columns, by hand."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def judged(text):
    return [(x.text, x.verdict) for x in check_article(read_article("a.md", text)).formulas]


@pytest.mark.parametrize(
    ("shape", "formula", "words"),
    [
        (r"d\times n", r"A=\mathrm{softmax}(Q^\top K/\sqrt d)", "按行归一化"),
        (r"d\times n", r"A=\mathrm{softmax}(Q^\top K/\sqrt d)", "row-wise"),
        (r"n\times d", r"A=\mathrm{softmax}(KQ^T/\sqrt d)", "column-wise"),
        (r"n\times d", r"A=\mathrm{softmax}(KQ^T/\sqrt d)", "every column sums to one"),
    ],
)
def test_words_of_softmax_do_not_turn_tokens(shape, formula, words):
    text = rf"$Q,K\in\mathbb{{R}}^{{{shape}}}$, ${formula}$ ({words})."
    assert "fails" not in [verdict for _, verdict in judged(text)]


def test_what_follows_from_scores_against_their_shapes_is_read_without_them():
    text = r"$Q,K,V\in\mathbb{R}^{n\times d}$. $S=Q^TK$, $P=\mathrm{softmax}(S)$, $O=PV$. $dV=P^TdO$, $dQ=dS\,K$."
    found = dict(judged(text))
    assert "S=Q^TK" not in found and "fails" not in found.values()
