"""Gradients up to a factor: ∂L/∂Q ∝ dS K, whatever the scores are scaled by, and not ∝ dP K."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

FORWARD = "Backward pass of attention with $S = QK^T/\\sqrt{d_k}$, $P = softmax(S)$ and $O = PV$:"


def verdict(formula):
    report = check_article(read_article("a.md", f"{FORWARD}\n\n$${formula}$$\n"))
    return [each.verdict for each in report.formulas if each.line == 3]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (r"\frac{\partial L}{\partial Q} \propto dS K", r"\frac{\partial L}{\partial Q} \propto dP K"),
        (r"\frac{\partial L}{\partial K} \propto dS^T \cdot Q", r"\frac{\partial L}{\partial K} \propto dS \cdot Q"),
        (r"\frac{\partial L}{\partial V} ∝ P^T dO", r"\frac{\partial L}{\partial V} ∝ P dO"),
        (r"dQ \propto \frac{1}{\sqrt{d_k}} dS K", r"dQ \propto \frac{1}{\sqrt{d_k}} dP K"),
        (r"dV \propto 2 P^T dO", r"dV \propto 2 S^T dO"),
    ],
)
def test_a_gradient_up_to_a_factor(right, wrong):
    assert verdict(right) == ["holds"]
    assert verdict(wrong) == ["fails"]
