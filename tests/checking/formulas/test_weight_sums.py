"""Rows and columns of weights that are said to sum to 1, and weights whose first index is the key's."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def verdicts(*lines: str) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for each in check_article(read_article("a.md", "\n".join(lines) + "\n")).formulas:
        found.setdefault(each.line, set()).add(each.verdict)
    return found


ALONG = r"$A = \text{softmax}(QK^\top/\sqrt{d_k})$"
DOWN = r"$A = \text{softmax}(K^\top Q/\sqrt{d_k})$"


@pytest.mark.parametrize(
    ("weights", "said", "verdict"),
    [
        (ALONG, "Each row of $A$ sums to 1.", {"holds"}),
        (ALONG, "Each column of $A$ sums to 1.", {"fails"}),
        (ALONG, "每一列的和为 1。", {"fails"}),
        (DOWN, "Each column of $A$ sums to 1.", {"holds"}),
        (DOWN, "Every row sums to one.", None),
        (ALONG, "Each column does not sum to 1.", None),
        (ALONG, "It is not true that each column sums to 1.", None),
        (ALONG, "If softmax went over the queries, each column sums to 1.", None),
        (ALONG, "After Sinkhorn steps each column sums to 1, and $A$ is doubly stochastic.", None),
    ],
)
def test_what_sums_to_one(weights: str, said: str, verdict: set[str] | None) -> None:
    assert verdicts(weights, "", said).get(3) == verdict


def test_weights_with_the_index_of_the_key_in_front() -> None:
    weights = r"$\alpha_{ij} = \frac{\exp(q_j^\top k_i)}{\sum_l \exp(q_j^\top k_l)}$"
    assert verdicts(weights)[1] == {"holds"}
    assert verdicts(weights.replace("q_j^\\top k_l", "q_l^\\top k_i"))[1] == {"fails"}
    assert verdicts(weights, "", r"$o_j = \sum_i \alpha_{ij} v_i$")[3] == {"holds"}
    assert verdicts(weights, "", r"$o_j = \sum_i \alpha_{ji} v_i$")[3] == {"fails"}


SHAPES = r"Let $Q \in \mathbb{R}^{n \times d}$ and $K \in \mathbb{R}^{m \times d}$."


@pytest.mark.parametrize(("axes", "verdict"), [("n \\times m", "holds"), ("m \\times n", "fails")])
def test_axes_that_are_exchanged(axes: str, verdict: str) -> None:
    assert verdicts(SHAPES, "", rf"$QK^\top \in \mathbb{{R}}^{{{axes}}}$")[3] == {verdict}
