"""Entries and rows of steps, spelled out with their numbers."""

from __future__ import annotations

import pytest
from sympy import MatrixSymbol

from symattn import Attention, derive
from tests.samples import sample


@pytest.mark.parametrize(
    ("step", "entry", "expected"),
    [
        ("scores", (1, 3), r"S_{13} = q_{1} \cdot k_{3} = 1 \cdot (-1) + 2 \cdot 2 = 3"),
        ("scores", (3, 1), r"S_{31} = q_{3} \cdot k_{1} = 0 \cdot 2 + 1 \cdot 0 = 0"),
        # 6/sqrt(2) = 3 sqrt(2) = 4.2426...
        ("scaled", (2, 1), r"S'_{21} = \frac{S_{21}}{\sqrt{d_k}} = 3\sqrt{2} \approx 4.24"),
    ],
)
def test_entries_by_hand(step: str, entry: tuple[int, int], expected: str) -> None:
    assert " ".join(sample("tokens")[step].entry(*entry).split()) == expected


def test_rows_in_symbols() -> None:
    page = " ".join(sample("symbolic").to_markdown().split())
    assert r"o_{i} = \sum_{j} A_{ij} v_{j}" in page and r"S_{ij} = q_{i} \cdot k_{j}" in page


def test_scores_of_many_digits_give_pages() -> None:
    one, huge = 10**18, 10**20  # what is left of the weights is e^(−10³⁷), beyond what a Decimal holds
    Q, K, V = (MatrixSymbol(name, 2, 2) for name in "QKV")
    page = derive(Attention(Q, K, V), {Q: [[huge, 1], [2, one]], K: [[one, 3], [1, huge]], V: [[1, 0], [2, 5]]})
    assert "gives all but at most 1 × 10⁻¹⁰⁰⁰⁰⁰⁰⁰⁰⁰⁰⁰⁰⁰⁰⁰⁰⁰ of its attention" in " ".join(page.to_text().split())
