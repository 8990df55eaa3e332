"""Verdicts that texts of other people showed to be false: what is right is not accused, what is wrong not proven."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow


def verdicts(text: str) -> list[tuple[int, str]]:
    return [(x.line, x.verdict) for x in check_article(read_article("a.md", text + "\n")).formulas]


def test_the_value_of_one_case_is_no_identity() -> None:
    text = "Minimize $f(w) = w^2$, so $f'(w) = 2w$.\n\nWith $w_0 = 3$: $g = f'(w_0) = 2(3) = $ $6$"
    assert (3, "fails") not in verdicts(text)


ROWS = r"\begin{bmatrix} x_1 & x_2 \end{bmatrix} \begin{bmatrix} \cos t & \sin t \\ -\sin t & \cos t \end{bmatrix}"


def test_a_pair_in_a_row_before_its_rotation() -> None:
    assert "fails" not in [v for _, v in verdicts(f"Rotary positions turn a row:\n\n$$g(x, t) = x R_t = {ROWS}$$")]


@pytest.mark.parametrize(
    ("exponent", "counted", "said"),
    [("8h/n", "1-based", ["holds"]), ("8h/n", "0-based", []), ("8(h+1)/n", "0-based", ["holds"])],
)
def test_slopes_of_heads_that_count_from_zero(exponent: str, counted: str, said: list[str]) -> None:
    text = f"ALiBi's slopes are $m_h = \\frac{{1}}{{2^{{{exponent}}}}}$ for head $h$ ({counted}) of $n$ heads."
    assert [v for _, v in verdicts(text)] == said


def test_gains_of_every_entry_of_an_image_stand_by_entries() -> None:
    axes = r"C \times H \times W}"
    declared = rf"$X \in \mathbb{{R}}^{{B \times {axes}$ and $\gamma \in \mathbb{{R}}^{{{axes}$"
    text = f"{declared}:\n\n$$y = \\gamma \\frac{{X - \\mu}}{{\\sigma}}$$"
    assert "holds-if" not in [v for _, v in verdicts(text)]


BLOCKS = r"""$$m^{(1)} = \max(x^{(1)}), \quad \ell^{(1)} = \sum_j e^{x_j^{(1)} - m^{(1)}}$$

$$m^{new} = \max(m^{(1)}, m^{(2)})$$

"""
MERGED = (
    r"$$O^{new} = \frac{1}{\ell^{new}} (e^{m^{old} - m^{new}} \ell^{old} O^{old}"
    r" + e^{m^{(j)} - m^{new}} \ell^{(j)} O^{(j)})$$"
)
ONE_KEY = r"$$O_1 = \frac{1}{\ell^{(2)}} O^{(2)} = \frac{v_1 + \exp(S_{12} - S_{11}) v_2}{1 + \exp(S_{12} - S_{11})}$$"


@pytest.mark.parametrize("line", [MERGED, ONE_KEY])
def test_states_that_are_marked_in_two_ways(line: str) -> None:
    assert "fails" not in [v for _, v in verdicts("Online softmax, block by block:\n\n" + BLOCKS + line)]


def test_a_named_row_before_its_rotation() -> None:
    turned = r"[\cos t \cdot x_1 - \sin t \cdot x_2 \quad \sin t \cdot x_1 + \cos t \cdot x_2]"
    assert "fails" not in [v for _, v in verdicts(f"Rotary positions of a row:\n\n$$g(x, t) = x R_t = {turned}$$")]


@pytest.mark.parametrize(("axis", "said"), [("0", "holds"), ("1", "fails")])
def test_the_gradient_of_a_bias_is_summed_along_an_axis(axis: str, said: str) -> None:
    gradient = (
        rf"\frac{{\partial L}}{{\partial b}} = \text{{sum}}(\frac{{\partial L}}{{\partial Z}}, \text{{axis}}={axis})"
    )
    assert (3, said) in verdicts(f"$$Z = X W + b$$\n\n$${gradient}$$")


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (r"B \cdot H \cdot N^2 = H \cdot B \cdot N^2", ["holds"]),
        (r"B \cdot S \cdot (2 D F + 2 D F) = 4 S B D F", ["holds"]),
        (r"B \cdot S \cdot (2 D F + 2 D F) = 2 S B D F", ["fails"]),
        (r"4 D^2 + 2 D F = 12 D^2", []),  # if F = 4 D
    ],
)
def test_amounts_are_numbers_in_any_order(count: str, said: list[str]) -> None:
    assert [v for _, v in verdicts(f"With batch $B$ and $H$ heads:\n\n$$\\text{{FLOPs}} = {count}$$")] == said


@pytest.mark.parametrize(
    "line",
    [
        r"\nabla_\theta \log p_\theta(x) = \nabla_\theta p_\theta(x)",
        r"\frac{\partial}{\partial \theta} (h_\theta(x))^2 = h_\theta(x) \frac{\partial}{\partial \theta} h_\theta(x)",
        r"\nabla_\theta (\theta \cdot f_\theta(x)) = f_\theta(x)",
    ],
)
def test_functions_depend_on_the_parameter_below_them(line: str) -> None:
    assert verdicts(f"$${line}$$") == []


def test_a_line_printed_twice_does_not_show_itself() -> None:
    line = r"$$\kappa = (p_o - p_e) / (1 + p_e)$$"
    assert verdicts(f"{line}\n\nOnce more:\n\n{line}") == []
