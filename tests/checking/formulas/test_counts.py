"""Parameters, operations and cached numbers, with and without what is usually left out."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article

pytestmark = pytest.mark.slow


def judged(text):
    """What is said of counts, without what is said of the width of a head."""
    report = check_article(read_article("a.md", text))
    found = [each for each in report.formulas if each.theorem.key != "formula_head_width"]
    return [(each.verdict, each.condition and each.condition.text()) for each in found]


SAID = "Biases are left out, and d_ff = 4 d_model, h d_k = h d_v = d_model.\n\n"


@pytest.mark.parametrize(
    "formula",
    [
        r"\text{Params}_{\text{FFN}} = 2 \cdot d_{model} \cdot d_{ff} = 8 \cdot d_{model}^2",
        r"\text{Params}_{\text{MHA}} = 4 \cdot d_{model}^2",
        r"\text{Params}_{\text{MHA}} = 3 h d_k d_{model} + h d_v d_{model}",
    ],
)
def test_parameters_hold_where_the_article_says_what_they_need(formula):
    assert judged(f"{SAID}$${formula}$$") == [("holds", None)] * 2  # d_ff = 4 d_model, as is usual, too


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        (r"Parameters of the FFN: $8 d^2$", "d_ff = 4 d_model and biases are left out"),
        (r"Parameters of the attention: $4d^2$", "h d_k = h d_v = d_model and biases are left out"),
        (r"Parameters of the attention: $4d^2 + 4d$", "h d_k = h d_v = d_model"),
        (
            r"自注意力的参数量为 $3d^2$",
            "h d_k = h d_v = d_model and biases are left out and the output projection is left out",
        ),
        (
            r"Parameters of a block: $12 d^2$",
            "d_ff = 4 d_model and h d_k = h d_v = d_model and biases are left out and norms are left out",
        ),
        (r"Parameters of a block: $12 d^2 + 13 d$", "d_ff = 4 d_model and h d_k = h d_v = d_model"),
    ],
)  # fmt: skip
def test_parameters_hold_under_conventions(text, condition):
    assert ("holds-if", condition) in judged(text)


@pytest.mark.parametrize(
    "formula",
    [r"\text{KV cache} = 2 \times L \times n_{heads} \times d_{head} \times n", r"\text{KV cache} = 2 B L n h d_h"],
)
def test_the_cache_holds_keys_and_values_of_all_layers(formula):
    assert judged(f"$${formula}$$") == [("holds", None)]


def test_a_chain_of_counts_that_are_not_equal_fails():
    text = SAID + r"$$\text{Params}_{\text{FFN}} = 2 \cdot d_{model} \cdot d_{ff} = 6 \cdot d_{model}^2$$"
    *_, found = check_article(read_article("a.md", text)).formulas
    assert (found.verdict, found.right) == ("fails", r"\text{Params}_{\text{FFN}} = 8 d_model²")


@pytest.mark.parametrize(
    "text", ["The model has $4d^2$ nodes.", r"Parameters of the FFN: $5 d^2$", "Parameters: $n = 12$"]
)
def test_what_may_be_another_count_is_left_alone(text):
    assert judged(text) == []


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        (r"**FFN $= 2 d_{model} d_{ff}$**", "biases are left out"),
        ("| MHA | $4 d_{model}^2$ |", "h d_k = h d_v = d_model and biases are left out"),
        (
            r"**Decoder $= 8 d_{model}^2 + 2 d_{model} d_{ff} + 6 d_{model}$**",
            "h d_k = h d_v = d_model and biases are left out",
        ),
        (
            r"Parámetros, total: $L (4 d_{model}^2 + 2 d_{model} d_{ff} + 4 d_{model})$",
            "h d_k = h d_v = d_model and biases are left out",
        ),
        (
            "The number of parameters is $N$.\n\n" r"* $N \approx 2 d_{model} n_{layer} (2 d_{attn} + d_{ff})$",
            "d_v = d_k and biases are left out and norms are left out",
        ),
    ],
)  # fmt: skip
def test_what_has_two_widths_is_a_count_of_parameters(text, condition):
    assert ("holds-if", condition) in judged(text)


@pytest.mark.parametrize("text", [r"FFN: $2 d_{model}$", "MHA takes $4 n^2$ and $4 n d$", r"FFN: $5 d_{model} d_{ff}$"])
def test_other_products_beside_a_layer_are_left_alone(text):
    assert judged(text) == []


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("6bsh^2 + 2bsh^2 = 10bsh^2", ["fails"]),
        ("6bsh^2 + 2bsh^2 = 8bsh^2", ["holds"]),
        (r"\frac{24bsh^2}{12h^2} = 4bs", ["fails"]),
        ("3 d d_{ff} = 8 d^2", []),  # an equation for d_ff
        ("AB = -BA", []),
        (r"6bsh^2 + 2bsh^2 \approx 10bsh^2", []),
    ],
)
def test_the_same_products_with_other_numbers_are_never_the_same(formula, said):
    report = check_article(read_article("a.md", f"For all of them, ${formula}$ follows.\n"))
    assert [x.verdict for x in report.formulas] == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Parameters of the model: $N = 12 L d^2$.\n\nParameters: $N = 12 L d$.", ["holds-if"]),  # and no d = 1
        (r"Its parameters: $N \approx 12 L d^2 + 2 V d$.", ["holds-if"]),
        (r"Its parameters: $N \approx 12 L d^2 + 3 V d$.", []),
        ("n_heads × d_head = d_model\n\nparams ≈ 12 × n_layers × d_model²", ["holds", "holds-if"]),
        ("Attention and the FFN of a block are $12 d^2$ parameters.", ["holds-if"]),
    ],
)
def test_parameters_of_whole_models(text, said):
    assert [x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas] == said


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("Parameters.\n\n- MLP: $D \\times 4D$ and $4D \\times D$ → $16 D^2$.", ["fails"]),
        ("Parameters.\n\n- MLP: $D \\times 4D$ and $4D \\times D$ → $8 D^2$.", ["holds-if"]),
        ("Parameters.\n\n- Attention: four of $D \\times D$ → $4 D^2$.\n- Total: $12 D^2 L$.", ["holds-if"] * 2),
        ("FLOPs for each token.\n\n- MLP: $D \\times 4D$ and $4D \\times D$ → $16 D^2$.", []),
        ("Parameters in bytes.\n\n- MLP: $D \\times 4D$ and $4D \\times D$ → $16 D^2$.", []),
        ("Parameters.\n\n- MLP, with a gate: $D \\times 4D$ and $4D \\times D$ → $12 D^2$.", []),
    ],
)
def test_a_count_behind_the_shapes_of_its_matrices(text, verdicts):
    """By hand: D · 4D + 4D · D = 8 D²."""
    assert [verdict for verdict, _ in judged(text)] == verdicts


@pytest.mark.parametrize(
    ("heading", "count", "verdicts"),
    [
        ("### Self-attention", "4d²", ["holds-if"]),
        ("### Feed-forward network", "8d²", ["holds-if"]),
        ("### Feed-forward network", "7d²", []),
        ("### Embeddings", "4d²", []),
    ],
)
def test_what_is_counted_may_stand_in_the_heading(heading, count, verdicts):
    text = f"{heading}\n- Weights as above\n- 参数总数 ≈ `{count}`\n"
    assert [each.verdict for each in check_article(read_article("a.md", text)).formulas] == verdicts


def test_the_million_of_a_number_is_no_letter():
    text = "The two matrices of the feed-forward layer: 2 × d_model × d_ff = 2 × 512 × 2048 = 2M\n"
    assert [each.verdict for each in check_article(read_article("a.md", text)).formulas] == ["holds-if"]


@pytest.mark.parametrize(
    ("said", "verdicts"),
    [
        ("The projections $W_Q$, $W_K$, $W_V$ and $W_O$ are $d \\times d$: $N_{attn} = 3d^2$.", []),
        ("The projections $W_Q$, $W_K$, $W_V$ and $W_O$ are $d \\times d$: $N_{attn} = 4d^2$.", ["holds-if"]),
        ("Attention without the output projection $W_O$ has $N_{attn} = 3d^2$.", ["holds-if"]),
    ],
)
def test_what_the_sentence_names_is_not_left_out(said, verdicts):
    found = check_article(read_article("a.md", said + "\n")).formulas
    assert [each.verdict for each in found] == verdicts


@pytest.mark.parametrize(
    ("said", "fails"),
    [
        ("One multiply-add counts as 2 FLOPs.", True),
        ("One multiply-add counts as 2 FLOPs. With a causal mask only half of it is needed:", False),
        ("一次乘加算2次浮点运算。因果掩码下只需一半：", False),
        ("有的文献把乘加算2次浮点运算，本文算1次。", False),
    ],
)
def test_multiply_adds_are_two_operations_where_nothing_halves_them(said, fails):
    text = said + r" $Q, K \in \mathbb{R}^{n \times d}$: FLOPs of $QK^T$ $= n^2 d$."
    found = check_article(read_article("a.md", text + "\n")).formulas
    assert ("fails" in [x.verdict for x in found]) is fails
