"""Shapes of grouped queries, whose keys and values have fewer heads, by hand."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def judged(text):
    return [(x.text, x.verdict) for x in check_article(read_article("a.md", text)).formulas]


@pytest.mark.parametrize(("queries", "keys"), [("B \\times H_q", "B \\times H_{kv}"), ("h", "g"), ("n_h", "n_{kv}")])
def test_keys_of_a_group_are_repeated(queries, keys):
    text = rf"$Q\in\mathbb{{R}}^{{{queries}\times N\times d}}$, $K,V\in\mathbb{{R}}^{{{keys}\times N\times d}}$, "
    text += rf"$S=QK^T/\sqrt d\in\mathbb{{R}}^{{{queries}\times N\times N}}$."
    assert [verdict for _, verdict in judged(text)] == ["holds"] * 3


def test_heads_side_by_side_have_no_condition():
    text = r"GQA: $Q\in\mathbb{R}^{n\times h d}$, $K,V\in\mathbb{R}^{n\times g d}$; $O=PV\in\mathbb{R}^{n\times d}$."
    assert "holds-if" not in [verdict for _, verdict in judged(text)]


def test_an_output_has_the_heads_of_the_queries():
    text = r"$Q\in\mathbb{R}^{H_q\times N\times d}$, $K\in\mathbb{R}^{H_{kv}\times N\times d}$, "
    text += r"$QK^T\in\mathbb{R}^{H_{kv}\times N\times N}$."
    assert judged(text)[-1][1] == "holds-if"
