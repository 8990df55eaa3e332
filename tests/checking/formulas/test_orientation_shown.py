"""Whether tokens are rows or columns, where products of the article show it and its words mean other columns."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def verdicts(*lines: str) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for each in check_article(read_article("a.md", "\n".join(lines) + "\n")).formulas:
        found.setdefault(each.line, set()).add(each.verdict)
    return found


WEIGHTS = r"$$A = \text{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)$$"


@pytest.mark.parametrize(
    "words",
    [
        "Here every vector is a column vector.",
        "Column $j$ shows who looks at token $j$.",
        "A padded key has $-\\infty$ in its whole column.",
        "被遮住的键所在的那一列为零。",
    ],
)
def test_columns_of_something_else(words: str) -> None:
    assert verdicts(words, "", WEIGHTS)[3] == {"holds"}
    assert verdicts(words, "", WEIGHTS.replace(r"K^\top", "K")).get(3) != {"holds"}


def test_tokens_that_are_columns() -> None:
    words = "Each column of $X$ is a token."
    assert verdicts(words, "", WEIGHTS)[3] == {"fails"}
    assert verdicts(words, "", WEIGHTS.replace(r"QK^\top", r"K^\top Q"))[3] == {"holds"}


ROWS = r"$$\text{head}_i = \text{Attention}(QW_i^Q, KW_i^K, VW_i^V)$$"
COLUMNS = r"$$\text{head}_i = \text{Attention}(W_i^Q Q, W_i^K K, W_i^V V)$$"
JOINED = r"\text{Concat}(\text{head}_1, \ldots, \text{head}_h)"


@pytest.mark.parametrize(("heads", "behind", "before"), [(ROWS, "holds", "fails"), (COLUMNS, "holds", "holds")])
def test_heads_that_are_rows_are_multiplied_from_the_right(heads: str, behind: str, before: str) -> None:
    multihead = r"$$\text{MultiHead}(Q, K, V) = "
    assert verdicts(heads, "", multihead + JOINED + " W^O$$")[3] == {behind}
    assert verdicts(heads, "", multihead + "W^O " + JOINED + "$$")[3] == {before}


@pytest.mark.parametrize(
    "output", [r"$u_t = W^O [o_{t,1}; o_{t,2}; \ldots; o_{t,n_h}]$", r"$u_t = [o_{t,1}; \ldots; o_{t,n_h}] W^O$"]
)
def test_a_token_by_itself_may_be_a_column_beside_matrices_of_rows(output: str) -> None:
    rows = "Each row is a token: $Q = X W_Q$, $K = X W_K$, $QK^T$."
    assert verdicts(rows, "", output)[3] == {"holds"}
