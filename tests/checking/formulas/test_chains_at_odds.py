"""Chains f = a = b where f is a or b, and the two are not the same."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

SCALED, BARE = r"\text{softmax}(QK^T/\sqrt{d_k})V", r"\text{softmax}(QK^T)V"


def verdicts(*formulas: str) -> list[tuple[str, str | None]]:
    text = "\n\n".join(f"$${x}$$" for x in formulas) + "\n"
    return [(x.verdict, x.right) for x in check_article(read_article("a.md", text)).formulas]


@pytest.mark.parametrize(
    ("name", "first", "second", "right"),
    [
        (r"\text{Attention}(Q, K, V)", SCALED, BARE, SCALED),
        (r"\text{Attention}(Q, K, V)", BARE, SCALED, SCALED),
        (r"\text{Attention}(Q, K, V)", SCALED, r"\frac{1}{\sqrt{d_k}} " + BARE, SCALED),
        ("s_{ij}", r"q_i \cdot k_j", r"\frac{q_i \cdot k_j}{\sqrt{d_k}}", r"\frac{q_i \cdot k_j}{\sqrt{d_k}}"),
    ],
)
def test_two_sides_of_the_same_letters_that_differ_fail(name: str, first: str, second: str, right: str) -> None:
    assert verdicts(f"{name} = {first} = {second}") == [("fails", f"{name} = {right}")]


@pytest.mark.parametrize(
    "chain",
    [
        rf"\text{{Attention}}(Q, K, V) = \text{{softmax}}(QK^T/8)V = {SCALED}",  # where d_k is 64
        rf"\text{{Attention}}(Q, K, V) = {SCALED} = \text{{softmax}}(QK^T/\sqrt{{d}})V",  # d may be d_k
        rf"\text{{Attention}}(Q, K, V) = {SCALED} = PV",
        rf"\text{{Attention}}(Q, K, V) = {SCALED} \approx {BARE}",
    ],
)
def test_sides_with_letters_or_numbers_of_their_own_may_be_the_same(chain: str) -> None:
    assert all(verdict != "fails" for verdict, _ in verdicts(chain))
