"""The Jacobian of a softmax with a temperature, and of one whose weights are a row or a column."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def verdict(*lines: str) -> str | None:
    """What is said of the last line."""
    found = check_article(read_article("a.md", "\n\n".join(lines) + "\n")).formulas
    return next((each.verdict for each in found if each.line == 2 * len(lines) - 1), None)


DIVIDED = r"$$p_i = \frac{\exp(z_i/\tau)}{\sum_k \exp(z_k/\tau)}$$"
MULTIPLIED = r"$$p_i = \frac{e^{\beta z_i}}{\sum_k e^{\beta z_k}}$$"
WHOLE = r"$p = \text{softmax}(z/\tau)$"
JACOBIAN = r"$$\frac{\partial p_i}{\partial z_j} = @ p_i(\delta_{ij} - p_j)$$"


@pytest.mark.parametrize(
    ("softmax", "factor", "expected"),
    [
        (DIVIDED, r"\frac{1}{\tau}", "holds"),
        (DIVIDED, "", "fails"),
        (DIVIDED, r"\tau", "fails"),
        (MULTIPLIED, r"\beta", "holds"),
        (MULTIPLIED, "", "fails"),
        (WHOLE, r"\frac{1}{\tau}", "holds"),
        (WHOLE, "", "fails"),
    ],
)
def test_by_entries(softmax: str, factor: str, expected: str) -> None:
    assert verdict(softmax, JACOBIAN.replace("@", factor)) == expected


def test_what_is_said_before_the_temperature_or_of_the_temperature_one() -> None:
    plain = JACOBIAN.replace("@", "")
    text = "\n\n".join(["The softmax $p$ of $z$ has", plain, "and warm ones are", DIVIDED, ""])
    assert "fails" not in [each.verdict for each in check_article(read_article("a.md", text)).formulas]
    assert verdict(DIVIDED, r"For $\tau = 1$ softmax has", plain) != "fails"


def test_as_a_matrix() -> None:
    assert verdict(WHOLE, r"$$\frac{\partial p}{\partial z} = \text{diag}(p) - pp^\top$$") != "holds"


@pytest.mark.parametrize(
    ("shape", "formula", "expected"),
    [
        (r"1 \times n", r"\text{diag}(y) - y^\top y", "holds"),
        (r"1 \times n", r"\text{diag}(y) - yy^\top", "fails"),
        ("n", r"\text{diag}(y) - yy^\top", "holds"),
        ("n", r"\text{diag}(y) - y^\top y", "fails"),
    ],
)
def test_rows_and_columns(shape: str, formula: str, expected: str) -> None:
    made = rf"The softmax $y \in \mathbb{{R}}^{{{shape}}}$ of $x$."
    assert verdict(made, rf"$$\frac{{\partial y}}{{\partial x}} = {formula}$$") == expected
