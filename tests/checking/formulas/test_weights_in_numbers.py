"""Feed-forward layers beside the shapes of their weights, by hand."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def judged(text):
    return [(x.text, x.verdict) for x in check_article(read_article("a.md", text)).formulas]


ROWS, COLUMNS = r"\mathrm{FFN}(x)=\mathrm{GELU}(xW_1+b_1)W_2+b_2", r"\mathrm{FFN}(x)=W_2\mathrm{GELU}(W_1x+b_1)+b_2"


@pytest.mark.parametrize(
    ("formula", "first", "last", "verdicts"),
    [
        (ROWS, r"768\times 3072", r"3072\times 768", ["holds"]),
        (COLUMNS, r"3072\times 768", r"768\times 3072", ["holds"]),
        (COLUMNS, r"768\times 3072", r"3072\times 768", []),
        (ROWS, r"3072\times 768", r"768\times 3072", []),
        (ROWS, r"d\times d_{ff}", r"d\times d_{ff}", []),
    ],
)
def test_the_larger_width_is_the_inner_one(formula, first, last, verdicts):
    text = rf"${formula}$ with $W_1\in\mathbb{{R}}^{{{first}}}$, $W_2\in\mathbb{{R}}^{{{last}}}$."
    assert [verdict for printed, verdict in judged(text) if "FFN" in printed] == verdicts
