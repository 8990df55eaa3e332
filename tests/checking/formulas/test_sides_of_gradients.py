"""Chains of gradients with sides of one entry and of a whole, with partial derivatives, or with names of their own."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

FORWARD = r"With $P = \mathrm{softmax}(S)$ and $O = PV$, for each row $i$:"
ROWS = r"For rows $x_i$ with $\hat{x}_i = \frac{x_i - \mu}{\sigma}$ and $y_i = \gamma \odot \hat{x}_i + \beta$:"
PATHS = r"Each $x_i$ reaches $L$ by three paths, directly, by $\mu$ and by $\sigma^2$:"


def verdicts(words: str, formula: str) -> list[str]:
    found = check_article(read_article("a.md", f"{words}\n\n$${formula}$$\n")).formulas
    return [each.verdict for each in found if each.line == 3]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"\Delta_i = dO_i \cdot O_i = \mathrm{rowsum}(dO \circ O)", ["holds"]),
        (r"D_i = \sum_d dO_{id} O_{id} = \mathrm{rowsum}(dO \circ O)", ["holds"]),
        (r"D_i = dO_i \cdot O_i = \mathrm{diag}(dO\, O^\top)", ["holds"]),
        (r"D = \mathrm{rowsum}(dO \circ O) = \mathrm{diag}(dO\, O^\top)", ["holds"]),
        (r"\Delta_i = dO_i \cdot O_i = \mathrm{rowsum}(P \circ P)", ["fails"]),
        (r"\Delta_i = dO_i \cdot O_i = \mathrm{rowsum}(dP \circ O)", ["fails"]),
        (r"D_i = dO_i \cdot O_i = \mathrm{diag}(dO\, V^\top)", ["fails"]),
        (r"D_i = \sum_j P_{ij} dP_{ij} = dO \circ O", ["fails"]),
        (r"\frac{\partial L}{\partial V_j} = \sum_i P_{ij} \frac{\partial L}{\partial O_i} = P^\top dO", ["holds"]),
        (r"\frac{\partial L}{\partial V_j} = \sum_i P_{ij} \frac{\partial L}{\partial O_i} = P dO", ["fails"]),
        (r"\frac{\partial L}{\partial V_j} = \sum_i P_{ji} \frac{\partial L}{\partial O_i} = P^\top dO", ["fails"]),
    ],
)
def test_the_entry_of_a_sum_of_rows_is_meant_beside_other_entries(formula: str, expected: list[str]) -> None:
    assert verdicts(FORWARD, formula) == expected


SLOPE, UPSTREAM = r"\frac{\partial L}{\partial \hat{x}_i}", r"\frac{\partial L}{\partial y_i}"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (rf"{SLOPE} = {UPSTREAM} \odot \gamma", ["holds"]),
        (rf"{SLOPE} = {UPSTREAM} \odot \gamma = \text{{dout}}_i \odot \gamma", []),
        (rf"{SLOPE} = {UPSTREAM} \odot \gamma = g_i \odot \gamma", []),
        (rf"{SLOPE} = {UPSTREAM} \gamma^2 = \text{{dout}}_i \odot \gamma", ["fails"]),
    ],
)
def test_a_side_with_a_name_that_no_line_gives_leaves_the_chain_open(formula: str, expected: list[str]) -> None:
    assert verdicts(ROWS, formula) == expected


def along(letter: str) -> str:
    """The path by μ or σ²."""
    return (
        r"\sum_{j=1}^{N} \frac{\partial L}{\partial \hat{x}_j}"
        rf" \frac{{\partial \hat{{x}}_j}}{{\partial {letter}}} \frac{{\partial {letter}}}{{\partial x_i}}"
    )


@pytest.mark.parametrize("before", ["", r"With $\hat{x}_i = \frac{x_i - \mu}{\sqrt{\sigma^2 + \epsilon}}$: "])
@pytest.mark.parametrize(
    ("sides", "expected"),
    [
        (f" + {along(chr(92) + 'mu')} + {along(chr(92) + 'sigma^2')}", ["holds-if"]),
        (f" + {along(chr(92) + 'mu')} - {along(chr(92) + 'sigma^2')}", ["fails"]),
        (f" + {along(chr(92) + 'mu')}", ["fails"]),
    ],
)
def test_the_deviation_goes_with_the_variance_by_which_is_differentiated(
    before: str, sides: str, expected: list[str]
) -> None:
    direct = rf"{SLOPE} \frac{{\partial \hat{{x}}_i}}{{\partial x_i}}"
    assert verdicts(before + PATHS, rf"\frac{{\partial L}}{{\partial x_i}} = {direct}{sides}") == expected
