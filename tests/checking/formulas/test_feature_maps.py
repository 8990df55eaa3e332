"""Linear attention: row i is φ(q_i)ᵀ Σ_j φ(k_j) v_jᵀ, divided by φ(q_i)ᵀ Σ_j φ(k_j) where it is normalised."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def judged(formula):
    return check_article(read_article("a.md", f"Linear attention:\n\n$${formula}$$\n")).formulas


@pytest.mark.parametrize(
    "formula",
    [
        r"O = \phi(Q) (\phi(K)^T V)",
        r"O = (\phi(Q) \phi(K)^T) V = \phi(Q) (\phi(K)^T V)",
        r"\text{LinearAttention}(Q, K, V) = \frac{\phi(Q) (\phi(K)^T V)}{\phi(Q) \phi(K)^T \mathbf{1}}",
    ],
)
def test_both_usual_forms_hold(formula):
    [found] = judged(formula)
    assert found.verdict == "holds"


@pytest.mark.parametrize(
    "formula",
    [
        r"\text{LinearAttention}(Q, K, V) = \frac{\phi(Q) (\phi(K)^T V)}{\phi(Q) \phi(K)^T}",
        r"O = \phi(Q) (\phi(K) V)",
        r"O = \phi(K) (\phi(Q)^T V)",
    ],
)
def test_slips_in_linear_attention_fail(formula):
    [found] = judged(formula)
    assert found.verdict == "fails"


def test_other_terms_are_not_judged():
    assert judged(r"O = \phi(Q) (\phi(K)^T V) + U") == ()


def test_weights_alone_are_not_what_they_make_of_the_values():
    [found] = judged(r"\text{softmax}(Q K^T) = \phi(Q) (\phi(K)^T V)")
    assert (found.verdict, found.right) == ("fails", r"\text{softmax}(Q K^T) V \approx \phi(Q) (\phi(K)^T V)")
    assert not [each for each in judged(r"\text{softmax}(Q K^T) V = \phi(Q) (\phi(K)^T V)") if each.verdict == "fails"]
