"""Titles in front of rows."""

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def said(text):
    found = check_article(read_article("a.md", text + "\n")).formulas
    return {each.text: (each.verdict, each.right) for each in found}


def test_a_title_in_front_of_a_row_is_no_side():
    text = r"$$\begin{aligned}\text{Weights}&: A = \text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right) \\"
    text += r"\text{Output}&: O = AV\end{aligned}$$"
    assert [verdict for verdict, _ in said(text).values()] == ["holds", "holds"]
