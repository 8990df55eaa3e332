"""The delta rule within a chunk, solved by hand for two rows: w_1 = β_1 k_1, w_2 = β_2 (k_2 − w_1 (k_1 · k_2))."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

RECURSION = r"w^r = \beta^r \left(k^r - \sum_{i=1}^{r-1} w^i (k^{i\top} k^r)\right)"


def judged(*formulas):
    return check_article(read_article("a.md", "\n\n".join(f"$${x}$$" for x in formulas) + "\n")).formulas


@pytest.mark.parametrize(
    "formula",
    [
        r"T = \left(I + \text{tril}(\text{diag}(\beta) K K^\top, -1)\right)^{-1} \text{diag}(\beta)",
        r"A = \left(I + \text{lower}(\text{diag}(\beta) K K^\top)\right)^{-1}",
        r"W = \left(I + \text{tril}(\text{diag}(\beta) K K^\top, -1)\right)^{-1} \text{diag}(\beta) K",
        r"U = \left(I + \text{tril}(\text{diag}(\beta) K K^\top, -1)\right)^{-1} \text{diag}(\beta) V",
        RECURSION,
    ],
)
def test_the_plus_is_right(formula):
    [found] = judged(formula)
    assert found.verdict == "holds"


def test_the_minus_is_wrong_and_the_plus_is_named():
    [found] = judged(r"A = \left(I - \text{lower}(\text{diag}(\beta) K K^\top)\right)^{-1}")
    assert found.verdict == "fails"
    assert found.right == r"A = \left(I + \text{lower}(\text{diag}(\beta) K K^\top)\right)^{-1}"


@pytest.mark.parametrize(
    "formula",
    [
        RECURSION.replace("k^r - ", "k^r + "),
        r"W = \left(I + \text{tril}(\text{diag}(\beta) K K^\top, -1)\right)^{-1} K",
    ],
)
def test_a_sign_or_a_factor_that_is_wrong_fails(formula):
    [found] = judged(formula)
    assert found.verdict == "fails"


def test_what_is_not_inverted_is_left_alone():
    assert judged(r"W = \left(I + \text{tril}(\text{diag}(\beta) K K^\top, -1)\right) \text{diag}(\beta) K") == ()
