"""Lines that every text on networks has, known by their form, and what looks like them."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def said(text):
    return [x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas]


@pytest.mark.parametrize(
    "line",
    [
        "z = w^\\top x + b", r"\mathbf{z} = W\mathbf{x} + \mathbf{b}", "Z = X W + b", r"z = w \cdot x + b",
        r"z_j = \sum_i w_{ij} x_i + b_j", "z^{[l]} = W^{[l]} a^{[l-1]} + b^{[l]}", r"a = f(w^\top x + b)",
        r"w \leftarrow w - \eta \nabla_w L", r"w_{new} = w - \eta \frac{\partial L}{\partial w}",
        r"m_t = \beta_1 m_{t-1} + (1 - \beta_1) g_t", r"v_t = \beta_2 v_{t-1} + (1 - \beta_2) g_t^2",
        r"\hat{m}_t = \frac{m_t}{1 - \beta_1^t}",
    ],
)  # fmt: skip
def test_lines_of_networks_hold(line):
    assert said(f"${line}$") == ["holds"]


@pytest.mark.parametrize(
    "line",
    [
        "z = w^\\top x - b", r"z_j = \sum_i w_{ij} x_j + b_j", r"z = x w^\top + b",
        "z^{[2]} = W^{[2]} a^{[1]} + b^{[1]}", r"w \leftarrow w + \eta \nabla_w L", r"w \leftarrow w - \eta \nabla_b L",
        r"m_t = \beta_1 m_{t-1} + (1 - \beta_2) g_t", r"m_t = (1 - \beta_1) m_{t-1} + \beta_1 g_t",
        r"v_t = \beta_2 v_{t-1} + (1 - \beta_2) g_t", r"\hat{m}_t = \frac{m_t}{1 + \beta_1^t}",
        r"\hat{m}_t = \frac{v_t}{1 - \beta_1^t}",
    ],
)  # fmt: skip
def test_what_is_not_quite_such_a_line_is_left(line):
    assert said(f"${line}$") == []


def test_a_layer_has_to_go_with_the_stated_shapes():
    shapes = r"$X \in \mathbb{R}^{n \times d}$, $W \in \mathbb{R}^{k \times d}$. "
    assert "holds" not in said(shapes + "$Z = X W + b$")[2:]
