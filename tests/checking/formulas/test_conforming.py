"""Formulas whose products fit under no reading, by stated shapes or by the usual ones."""

import pytest

from symattn.checking import check_article
from symattn.checking.formulas.shapes.conform import judge_conforming
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import gather
from symattn.reading.articles.reader import read_article


def fails(text):
    article = read_article("a.md", text)
    context = Context(article, gather(article))
    return any(judge_conforming(statement, context) is not None for statement in context.statements)


@pytest.mark.parametrize(
    "text",
    [
        r"$$O = \text{softmax}\left(\frac{QK}{\sqrt{d_k}}\right)V$$",
        r"$$O = \text{softmax}\left(\frac{Q^TK}{\sqrt{d_k}}\right)V$$",
        r"$$O = \text{softmax}\left(\frac{x W^Q (W^K)^T x}{\sqrt{d_k}}\right) x W^V$$",
        r"$Q, dQ \in \mathbb{R}^{n \times d}$, $dS \in \mathbb{R}^{n \times n}$: $$dK = Q \cdot dS^T$$",
        r"$A \in \mathbb{R}^{n \times n}$, $V \in \mathbb{R}^{n \times d}$: $$O = VA$$",
    ],
)
def test_what_fits_under_no_reading_fails(text):
    assert fails(text)
    assert any(each.verdict == "fails" for each in check_article(read_article("a.md", text)).formulas)


@pytest.mark.parametrize(
    "text",
    [
        "$$W_h = \\begin{pmatrix} d_0 W_0 \\\\ d_1 W_1 \\end{pmatrix}$$\n\n"
        "We compute $W_h h$, where $h$ has shape `[batch_size, hidden_size]`.",
        r"$$O = \text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V$$",
        r"$$O = V\,\text{softmax}\left(\frac{K^TQ}{\sqrt{d_k}}\right)$$",  # tokens in columns
        r"$$O = \text{softmax}\left(\frac{x W^Q (W^K)^T x^T}{\sqrt{d_k}}\right) x W^V$$",
        r"$$O = \text{softmax}\left(\frac{(W^Q X)^T (W^K X)}{\sqrt{d_k}}\right) M$$",
        r"$$O = \text{softmax}\left(\frac{Q_i K_i^T}{\sqrt{d_k}}\right) V_i$$",
        r"$X \in \mathbb{R}^{B \times T \times d}$, $W \in \mathbb{R}^{d \times d_k}$: $$Y = XW + b$$",
        r"$Q \in \mathbb{R}^{n \times d_q}$, $K \in \mathbb{R}^{n \times d_k}$: $$S = QK^T$$",
        r"$W \in \mathbb{R}^{d \times d_k}$, $x \in \mathbb{R}^d$: $$q = W^T x$$ $$q = xW$$",
    ],
)
def test_what_fits_under_some_reading_is_left_alone(text):
    assert not fails(text)


def test_sizes_of_another_example_are_no_fault():
    assert not fails("V: (3, 4) has the shape (3, 4), A: the shape of A is (2, 2)\n\n$$O = A V$$")


MATRICES = r"$P \in \mathbb{R}^{N \times N}$, $V \in \mathbb{R}^{N \times d}$, $O = PV$. "


def test_a_column_is_no_row_times_a_matrix():
    said = (
        MATRICES + r"Here $o_i$ is the i-th {} of O and $v_j$ the j-th {} of V: $$o_i = P_{i:} V = \sum_j P_{ij} v_j$$"
    )
    assert fails(said.replace("{}", "column"))
    assert not fails(said.replace("{}", "row"))
