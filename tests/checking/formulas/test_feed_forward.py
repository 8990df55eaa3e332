"""Feed-forward layers by any of their names, and the shapes of their weights."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article


def said(text):
    return [(x.verdict, x.right) for x in judge_formulas(read_article("a.md", text + "\n")).formulas]


@pytest.mark.parametrize(
    "layer",
    [
        r"\text{Feed Forward Network}(x) = \text{GELU}(x W_1 + b_1) W_2 + b_2",
        r"\text{FeedForward}(x) = W_2 \, \text{act}(W_1 x)",
        r"\text{FFN}(x) = f(x W_1 + b_1) W_2 + b_2",
        r"\text{FFN}(x) = \text{Dropout}(\text{ReLU}(x W_1 + b_1)) W_2 + b_2",
    ],
)
def test_a_layer_by_another_name_with_any_activation(layer):
    assert said(f"$${layer}$$") == [("holds", None)]
    assert said(f"$${layer.replace('W_2', 'W_1')}$$") == []


ROWS = (r"\max(0, x W_1 + b_1) W_2 + b_2", r"d_{model} \times d_{ff}", r"d_{ff} \times d_{model}")
COLUMNS = (r"W_2 \text{ReLU}(W_1 x + b_1) + b_2", r"d_{ff} \times d_{model}", r"d_{model} \times d_{ff}")


@pytest.mark.parametrize(("layer", "first", "second"), [ROWS, COLUMNS])
def test_shapes_of_weights_hold_beside_the_layer(layer, first, second):
    text = rf"$$\text{{FFN}}(x) = {layer}$$ "
    text += rf"with $W_1 \in \mathbb{{R}}^{{{first}}}$ and $W_2 \in \mathbb{{R}}^{{{second}}}$"
    assert [verdict for verdict, _ in said(text)] == ["holds"] * 3
    turned = text.replace(first, "?").replace(second, first).replace("?", second)
    assert "holds" not in [verdict for verdict, _ in said(turned)]  # which of the lines is wrong is open
    numbers = turned.replace("d_{model}", "512").replace("d_{ff}", "2048")
    assert "holds" not in [verdict for verdict, _ in said(numbers)]


@pytest.mark.parametrize(
    ("gated", "right"),
    [
        (
            r"\left(\text{Swish}(W x) \odot V x\right) W_2",  # of columns, but for the last weight
            r"\left(\text{Swish}(x W) \odot x V\right) W_{2}",
        ),
        (r"W_2 (\text{SiLU}(x W_1) \odot x W_3)", r"\left(\text{SiLU}(x W_{1}) \odot x W_{3}\right) W_{2}"),
        (r"W_2 (\text{SiLU}(W_1 x) \odot W_3 x)", None),
    ],
)
def test_a_gated_layer_stands_on_one_side_of_its_input(gated, right):
    expected = ("holds", None) if right is None else ("fails", rf"\text{{FFN}}(x) = {right}")
    assert said(rf"$$\text{{FFN}}(x) = {gated}$$") == [expected]


@pytest.mark.parametrize(
    "layer",
    [
        r"\text{GLU}(x) = \sigma(W_1 x) \odot (W_2 x) + W_3 x",
        r"f(H) = \text{ReLU}(A H W)",
        r"\text{FFN}(x) = f(x W_r) \, x W_1",
        r"\text{FFN}(x) = \text{Dropout}(\text{ReLU}(x W_1)) + x W_2",
    ],
)
def test_other_layers_are_left_open(layer):
    assert said(f"$${layer}$$") == []
