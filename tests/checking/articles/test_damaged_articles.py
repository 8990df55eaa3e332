"""Articles with letters, brackets or lines lost, doubled or swapped: judged or listed, soon, and without a crash."""

import pytest

from symattn import check_article
from tests.processor_time import takes_at_most

DAMAGED = {
    "empty numerator": r"$\theta = [2, \frac{}{2}]$",
    "numerator that ends the text": r"$x = \frac{}$",
    "gap of a form": "keys$:\n\nK_t = [K" + 60 * "_" + "{t-1}; k_t]$\n",
    "number where a column stood": r"$dS = P \circ (dP - \tau \mathbf{1})$",
    "entry of a number": r"$dS_{ij} = P_{ij} (dP_{ij} - \tau_i)$",
    "row without a cell": "| x | sin(x) |\n|---|---|\n|\n| 1000 | 4 |\n",
    "row without a cell in a second table": "| a | b |\n|---|---|\n| 1 | 2 |\n\n| a | exp |\n|---|---|\n| 1 | 2 |\n|\n",
    "space without a dimension": "Let it be so:\n\n$X \\in R^$\n",
}


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED)
def test_damaged_articles_are_read(text: str) -> None:
    with takes_at_most(5):
        check_article(text)
