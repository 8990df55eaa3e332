"""More of what is left out or stands elsewhere than it belongs, in formulas, in words and in comments of programs."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def verdicts(text):
    return [x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas]


SOFTMAX = r"\text{softmax}(QK^T / \sqrt{d_k}) V"


@pytest.mark.parametrize(
    ("formula", "found"),
    [
        (rf"\frac{{\partial L}}{{\partial Q}} = \frac{{\partial {SOFTMAX}}}{{\partial Q}}", ["fails"]),
        (rf"\frac{{\partial O}}{{\partial Q}} = \frac{{\partial {SOFTMAX}}}{{\partial Q}}", []),
    ],
)
def test_the_loss_is_not_the_output(formula, found):
    assert verdicts(f"Backward:\n\n$${formula}$$") == found


TOKENS = "Token $x_i$ has a query $Q_i$.\n\n$$\\alpha_i = \\text{softmax}(\\text{score}_i)$$\n\n"


@pytest.mark.parametrize(
    ("formula", "fails"),
    [
        (r"\text{score}_i = Q_i K_i^T / \sqrt{d}", True),
        (r"\text{score}_i = Q_i K^T / \sqrt{d}", False),
        (r"\text{context}_i = \sum_{j=1}^n \alpha_j V_j", True),
        (r"\text{context}_i = \sum_{j=1}^n \alpha_{ij} V_j", False),
        (r"\text{context} = \sum_{j=1}^n \alpha_j V_j", False),
    ],
)
def test_scores_of_a_token_are_those_of_all_keys(formula, fails):
    assert ("fails" in verdicts(f"{TOKENS}$${formula}$$")) is fails


def test_scores_of_a_head_have_its_index_alone():
    text = "$$\\alpha_i = \\text{softmax}(\\text{score}_i)$$\n\n$$\\text{score}_i = Q_i K_i^T / \\sqrt{d}$$"
    assert "fails" not in verdicts(f"Head $i$:\n\n{text}")
    assert "fails" not in verdicts(f"Each head computes $Q_i = X W_i^Q$ of the tokens, $x_i$ among them.\n\n{text}")


def test_weights_meet_the_values_alone():
    weights = "$$A_1 = \\text{softmax}(Q_1 K_1^T / \\sqrt{d})$$\n\n"
    assert verdicts(f"{weights}$$H_1 = X_1 A_1 V_1$$") == ["holds", "fails"]
    assert "fails" not in verdicts(f"{weights}$$H_1 = A_1 V_1 W_1$$")


ROWS = "$$h(x) = x W_{OV}$$\n\n"
COLUMNS = "$$h(x) = W_{OV} x$$\n\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (ROWS + "$$W_{OV} = W^V W^O$$", ["holds"]),
        (ROWS + "$$W_{OV} = W^O W^V$$", ["fails"]),
        (COLUMNS + "$$W_{OV} = W_O W_V$$", ["holds"]),
        (COLUMNS + "$$W_{OV} = W_V W_O$$", ["fails"]),
        (ROWS + "$$W_{QK} = W^Q (W^K)^T$$", ["holds"]),
        ("$$W_{OV} = W^O W^V$$", []),
    ],
)
def test_circuits(text, found):
    assert verdicts(text) == found


def test_queries_meet_keys_turned_where_tokens_are_rows():
    rows = "$$Q = X W^Q$$\n\n$$K = X W^K$$\n\n"
    assert verdicts(f"{rows}$$\\text{{DPA}}(Q, K, V) = Q^T K V$$")[-1] == "fails"
    assert "fails" not in verdicts(f"{rows}$$\\text{{LinearAttention}}(Q, K, V) = Q (K^T V)$$")
    assert "fails" not in verdicts("$$\\text{DPA}(Q, K, V) = Q^T K V$$")
