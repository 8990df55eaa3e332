"""The gated delta rule: its gate is on the old state, α S(I − βkkᵀ) + βvkᵀ, and not on what is written."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

RIGHT = r"S_t = \alpha_t S_{t-1}(I - \beta_t k_t k_t^T) + \beta_t v_t k_t^T"
GATED = [
    r"S_t = \alpha_t [S_{t-1}(I - \beta_t k_t k_t^T) + \beta_t v_t k_t^T]",
    r"S_t = \alpha_t \cdot (S_{t-1}(I - \beta_t k_t k_t^T) + \beta_t v_t k_t^T)",
    r"S_t = \alpha_t S_{t-1}(I - \beta_t k_t k_t^T) + \alpha_t \beta_t v_t k_t^T",
]


def judged(words, formula):
    report = check_article(read_article("a.md", f"{words}\n\n$${formula}$$\n"))
    return [(each.verdict, each.right) for each in report.formulas]


def test_the_rule_holds():
    assert judged("Gated DeltaNet keeps one state.", RIGHT) == [("holds", None)]


@pytest.mark.parametrize("formula", GATED)
def test_a_gate_on_what_is_written_fails_where_the_rule_is_named(formula):
    [(verdict, right)] = judged("Gated DeltaNet keeps one state.", formula)
    assert verdict == "fails"
    assert right in (RIGHT, None)
    assert judged("This linear attention keeps one state.", formula) == []
    assert judged("Unlike Gated DeltaNet we also gate what is written:", formula) == []
