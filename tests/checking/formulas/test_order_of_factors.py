"""Which factor stands first: weights and values as the scores have them, layers as their shapes are stated."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow


def said(text):
    """What is said of the last formula: its verdict, and the condition; None where it is left open."""
    found = check_article(read_article("a.md", text + "\n")).formulas
    last = [x for x in found if text.rstrip("$`. ").endswith(x.text)]
    return (last[-1].verdict, None if last[-1].condition is None else last[-1].condition.key) if last else None


HOLDS = ("holds", None)


@pytest.mark.parametrize(
    ("scores", "output", "verdict"),
    [
        (r"QK^T / \sqrt{d_k}", "P V", HOLDS),
        (r"QK^T / \sqrt{d_k}", "V P", None),
        (r"K^T Q / \sqrt{d_k}", "V P", HOLDS),
        (r"K^T Q / \sqrt{d_k}", "P V", None),
        (r"Q^T K / \sqrt{d_k}", "V P", None),  # the queries are rows of P, and the values columns of V
        (r"K Q^T / \sqrt{d_k}", "V P", None),
        ("q K^T", "V P", None),
        ("K^T q", "V P", HOLDS),
        ("S", "P V", HOLDS),
        ("S", "V P", ("holds-if", "formula.if_columns")),
    ],
)
def test_weights_stand_before_values_where_their_rows_are_queries(scores, output, verdict):
    assert said(rf"$P = \text{{softmax}}({scores})$, then $O = {output}$") == verdict
    if "Q" in scores:
        assert said(rf"$S = {scores}$, $P = \text{{softmax}}(S)$, then $O = {output}$") == verdict


def test_stated_shapes_settle_the_order_of_weights_and_values():
    made = r"$P = \text{softmax}(S) \in \mathbb{R}^{m \times m}$, $V \in \mathbb{R}^{m \times v}$. "
    assert said(made + "$O = V P$") is None
    assert said(made + "$O = P V$") == HOLDS
    all_rows = r"$Q, K, V \in \mathbb{R}^{n \times d}$, $P = \text{softmax}(Q K^T)$. "
    assert said(all_rows + "$O = V P$") == ("fails", None)
    columns = r"$Q, K \in \mathbb{R}^{n \times d}$, $V \in \mathbb{R}^{d \times n}$, $P = \text{softmax}(Q K^T)$. "
    assert said(columns + "$O = P V$") == ("fails", None)


THERE, BACK = r"\mathbb{R}^{d \times d_{ff}}", r"\mathbb{R}^{d_{ff} \times d}"


@pytest.mark.parametrize("given", ["", r"$x \in \mathbb{R}^{d}$, ", r"$x \in \mathbb{R}^{d_{model}}$, "])
@pytest.mark.parametrize("shifts", [("", ""), (" + b_1", " + b_2")])
def test_a_layer_is_as_the_shapes_of_its_weights(given, shifts):
    first, second = shifts
    before = rf"$\text{{FFN}}(x) = \text{{ReLU}}(x W_1{first}) W_2{second}$"
    behind = rf"$\text{{FFN}}(x) = W_2 \text{{ReLU}}(W_1 x{first}){second}$"
    for one, other, right, wrong in ((THERE, BACK, before, behind), (BACK, THERE, behind, before)):
        shapes = rf"{given}$W_1 \in {one}$, $W_2 \in {other}$. "
        assert said(shapes + right) == HOLDS
        assert said(shapes + wrong) is None
    assert said(given + before) == said(given + behind) == HOLDS  # nothing is stated of the weights


def test_a_layer_may_keep_its_weights_transposed_or_take_one_row_at_a_time():
    shapes = rf"$X \in \mathbb{{R}}^{{n \times d}}$, $W_1 \in {BACK}$, $W_2 \in {THERE}$. "
    assert said(shapes + r"$\text{FFN}(X) = \text{ReLU}(X W_1^T) W_2^T$") == HOLDS
    assert said(shapes + r"$\text{FFN}(X) = \text{ReLU}(X W_1) W_2$") is None
    assert said(shapes + r"$\text{FFN}(x) = W_2 \text{ReLU}(W_1 x)$") == HOLDS
    assert said(shapes.replace("X", "x") + r"$\text{FFN}(x) = W_2 \text{ReLU}(W_1 x)$") == HOLDS
    four = r"$W_1 \in \mathbb{R}^{d \times 4d}$, $W_2 \in \mathbb{R}^{4d \times d}$. "
    assert said(four + r"$\text{FFN}(x) = W_2 \text{ReLU}(W_1 x)$") is None


def test_a_gated_layer_is_as_the_shapes_of_its_weights():
    before = r"$\text{SwiGLU}(x) = (\text{Swish}(x W) \odot x V) W_2$"
    behind = r"$\text{SwiGLU}(x) = W_2 (\text{Swish}(W x) \odot V x)$"
    for one, other, right, wrong in ((THERE, BACK, before, behind), (BACK, THERE, behind, before)):
        shapes = rf"$x \in \mathbb{{R}}^{{d}}$, $W, V \in {one}$, $W_2 \in {other}$. "
        assert said(shapes + right) == HOLDS
        assert said(shapes + wrong) is None


@pytest.mark.parametrize(
    "besides",
    [
        r"Updates are $BA$ with $A \in \mathbb{R}^{r \times d}$, $B \in \mathbb{R}^{d \times r}$. ",
        r"The state of an SSM has $A \in \mathbb{R}^{N \times N}$. ",
        r"The state is $S \in \mathbb{R}^{d \times d}$. ",
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_letter_may_stand_for_another_matrix_elsewhere(besides, first):
    attention = r"With $Q, K, V \in \mathbb{R}^{n \times d}$: $S = QK^T$, $A = \text{softmax}(S)$ and $O = A V$. "
    text = besides + attention if first else attention + "\n\n## Others\n\n" + besides
    found = check_article(read_article("a.md", text + "\n")).formulas
    assert [x.verdict for x in found if x.text == "O = A V"] == ["holds"]
