"""Backward passes by blocks: what a block of queries and one of keys add to the gradients, by Pᵀ dO, dS K and dSᵀ Q."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

SCORES = "FlashAttention goes block by block. $S_{ij} = \\tau Q_i K_j^T$\n\n"


def judged(*formulas):
    found = judge_formulas(read_article("a.md", SCORES + "\n\n".join(f"${x}$" for x in formulas))).formulas
    return [(x.verdict, x.right) for x in found if "S_{ij} = " not in x.text or "dS" in x.text]


@pytest.mark.parametrize(
    "formula",
    [
        r"dV_j \leftarrow dV_j + P_{ij}^T dO_i",
        r"dV_j \mathrel{+}= (P_i^{(j)})^\top dO_i",
        r"dV_j \mathrel{+}= P_{ij} dO_i",  # of one query: a number times a row
        r"dP_i^{(j)} = dO_i V_j^\top",
        r"dS_i^{(j)} = P_i^{(j)} \circ (dP_i^{(j)} - D_i)",
        r"dQ_i \leftarrow dQ_i + \tau dS_{ij} K_j",
        r"dK_j = dK_j + \tau {dS_i^{(j)}}^\top Q_i",
    ],
)
def test_what_a_block_adds_holds(formula):
    assert judged(formula) == [("holds", None)]


@pytest.mark.parametrize(
    ("formula", "right"),
    [
        (r"dV_j \leftarrow dV_j + P_i^{(j)} dO_i", r"dV_j \leftarrow dV_j + (P_i^{(j)})^T dO_i"),
        (r"dQ_i \leftarrow dQ_i + \tau dS_{ij}^T K_j", r"dQ_i \leftarrow dQ_i + \tau dS_{ij} K_j"),
        (r"dS_i^{(j)} = P_i^{(j)} \circ (dP_i^{(j)} + D_i)", r"dS_i^{(j)} = P_i^{(j)} \circ (dP_i^{(j)} - D_i)"),
    ],
)
def test_other_products_fail(formula, right):
    [(verdict, mended)] = judged(formula)
    assert verdict == "fails"
    assert judged(mended) == judged(right) == [("holds", None)]


def test_a_scale_that_the_scores_do_not_say_is_left_alone():
    assert judged(r"dQ_i \leftarrow dQ_i + \lambda dS_{ij} K_j") == []


def test_blocks_are_read_where_an_article_speaks_of_them():
    found = judge_formulas(read_article("a.md", r"$dQ_i \leftarrow dQ_i + dS_i^{(j)} K_j$")).formulas
    assert found == ()


def test_a_block_times_a_block_is_meant_entry_by_entry():
    """D_i may be said in letters that are not settled; then the gradient is right if it is what it is elsewhere."""
    said = r"D_i = \sum_j (g_{O_{i,:}} \odot O_{i,:})"
    right = r"dS_{ij} = P_{ij} (dP_{ij} - D_i)"
    assert judged(said, right) == [("holds-if", None)]
    assert judged(said, right.replace("-", "+")) == []
    assert judged(right.replace("-", "+")) == [("fails", right)]
