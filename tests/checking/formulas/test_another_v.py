"""Values beside another V: an unembedding, a factor of an SVD, by hand."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def judged(text):
    return [(x.text, x.verdict) for x in check_article(read_article("a.md", text)).formulas]


@pytest.mark.parametrize(
    ("shape", "verdict"),
    [(r"d\times N", "holds"), (r"d\times r", "holds"), (r"d\times T", "fails"), (r"d\times d_v", "fails")],
)
def test_a_shape_without_the_tokens_is_that_of_another_v(shape, verdict):
    text = rf"$V\in\mathbb{{R}}^{{{shape}}}$. $X\in\mathbb{{R}}^{{T\times d}}$, $V=XW_V$."
    assert ("V=XW_V", verdict) in judged(text)
