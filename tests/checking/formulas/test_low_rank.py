"""How many numbers LoRA trains: two thin matrices have as many as both together, d r + r k."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

SHAPES = r"$B \in \mathbb{R}^{d \times r}$ and $A \in \mathbb{R}^{r \times k}$"


def judged(text):
    return [(x.verdict, x.right) for x in judge_formulas(read_article("a.md", text + "\n")).formulas]


@pytest.mark.parametrize("count", ["r(d + k)", "r \\cdot (d + k)", "dr + rk"])
def test_both_matrices_together_hold(count):
    assert judged(f"LoRA with {SHAPES} trains ${count}$ parameters.") == [("holds", None)]


def test_shapes_may_stand_in_front():
    assert judged(f"With {SHAPES}, LoRA trains only $r(d+k)$ parameters.") == [("holds", None)]


def test_the_product_of_all_sizes_fails():
    assert judged(rf"LoRA with {SHAPES} trains $r \cdot d \cdot k$ parameters.") == [("fails", "d r + k r")]


@pytest.mark.parametrize("text", [
    rf"LoRA has {SHAPES}. A tensor has $r \cdot d \cdot k$ parameters.",
    rf"LoRA with {SHAPES} has another matrix and trains $r(d + k + r)$ parameters.",
    rf"LoRA with {SHAPES} adds $r(d + k)$ FLOPs.",
    rf"LoRA with {SHAPES} trains $r \cdot d \cdot k$ parameters, which is a mistake.",
    rf"LoRA with {SHAPES} takes $r \cdot d \cdot k$ FLOPs.",
    rf"LoRA with {SHAPES} is small, while a tensor has $r \cdot d \cdot k$ parameters.",
    r"LoRA trains $r \cdot d \cdot k$ parameters.",
    rf"Contrary to LoRA with {SHAPES}, a tensor has $r \cdot d \cdot k$ parameters.",
    rf"It is a mistake that LoRA with {SHAPES} trains $r \cdot d \cdot k$ parameters.",
    rf"With {SHAPES} on both $W_q$ and $W_v$, LoRA trains $r(d+k)$ parameters.",
    rf"With {SHAPES}, LoRA trains $r(d+k)$ parameters for each of four projections.",
    rf"LoRA freezes $A$. With {SHAPES}, LoRA-FA trains $r(d+k)$ parameters.",
    rf"For {SHAPES} it takes $d \cdot k \cdot r$ steps.",
])  # fmt: skip
def test_what_is_no_count_of_both_is_left_alone(text):
    assert judged(text) == []
