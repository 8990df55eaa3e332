"""Sums of which the ends are written, indices of two digits, and functions at a number: no false verdicts."""

from __future__ import annotations

import pytest

from tests.checking.checked import report


def verdicts(text: str) -> list[str]:
    return [formula.verdict for formula in report(text).formulas]


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"softmax(x_i) = \frac{exp(x_i)}{exp(x_0) + exp(x_1) + ... + exp(x_n)}", ["holds"]),
        (r"softmax(x_i) = \frac{e^{x_i}}{e^{x_0} + e^{x_1} + \dots + e^{x_{n-1}}}", ["holds"]),
        (r"softmax(x_i) = \frac{e^{x_i}}{e^{x_1} + e^{x_2} + \dots + e^{x_n}}", ["holds"]),
        (r"softmax(x_i) = \frac{x_i}{x_1 + x_2 + \dots + x_n}", ["fails"]),
        (r"q \cdot k = q_1 k_1 + q_2 k_2 + \dots + q_d k_d", ["holds"]),
        (r"q \cdot k = q_1 k_1 + q_3 k_2 + \dots + q_d k_d", []),  # no sum over one index
    ],
)
def test_sums_with_dots(formula: str, verdict: list[str]) -> None:
    assert verdicts(f"$${formula}$$") == verdict


def test_an_index_of_two_digits_may_be_two_indices() -> None:
    slope = r"\frac{\partial L}{\partial s_{12}} = \frac{\partial L}{\partial p_{11}}(-p_{11}p_{12})"
    slope += (
        r" + \frac{\partial L}{\partial p_{12}}(p_{12} - p_{12}^2) + \frac{\partial L}{\partial p_{13}}(-p_{12}p_{13})"
    )
    assert "fails" not in verdicts(f"The weights are $P = softmax(S)$.\n\n$${slope}$$")


def test_a_function_of_the_distance_of_two_tokens_at_one_place() -> None:
    text = "With rotary embeddings, for tokens at one place,\n\n"
    text += r"$$g(x_m, x_n, 0) = x_m^T W_q^T W_k x_n$$"
    assert "fails" not in verdicts(text)
