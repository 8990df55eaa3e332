"""What the checker says of the shapes that an article prints."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article

pytestmark = pytest.mark.slow


def judged(text, name="a.md"):
    found = check_article(read_article(name, text)).formulas
    return {each.text: (each.verdict, each.condition and each.condition.text()) for each in found}


SELF_ATTENTION = r"$Q, K \in \mathbb{R}^{n \times d_k}$ and $V \in \mathbb{R}^{n \times d_v}$. "


def test_a_width_that_is_told_apart_from_its_equal_holds_under_a_condition():
    found = judged(r"""
$$O = \text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V$$

$Q \in \mathbb{R}^{n \times d_q}$, $K \in \mathbb{R}^{m \times d_k}$, $V \in \mathbb{R}^{m \times d_v}$
""")
    assert found[r"Q \in \mathbb{R}^{n \times d_q}"] == ("holds-if", "d_q = d_k")
    assert found[r"V \in \mathbb{R}^{m \times d_v}"] == ("holds", None)


def test_as_many_keys_as_queries_is_self_attention():
    text = r"$Q \in \mathbb{R}^{n \times d}$, $K \in \mathbb{R}^{m \times d}$, so $QK^T \in \mathbb{R}^{n \times n}$."
    assert judged(text)[r"QK^T \in \mathbb{R}^{n \times n}"] == ("holds-if", "m = n (self-attention)")


def test_a_transpose_too_many_fails_and_the_right_formula_is_given():
    text = r"$X \in \mathbb{R}^{n \times d}$, $W_K \in \mathbb{R}^{d \times d_k}$, $W_V \in \mathbb{R}^{d \times d_v}$"
    text += r": $K = XW_K \in \mathbb{R}^{n \times d_k}$, $V = XW_V^T \in \mathbb{R}^{n \times d_v}$"
    [found] = [f for f in check_article(read_article("a.md", text)).formulas if f.verdict == "fails"]
    assert found.right == r"V = XW_V \in \mathbb{R}^{n \times d_v}"


LATENT = r"$z \in \mathbb{R}^{d_z}$ and $W_K \in \mathbb{R}^{d_z \times d_h}$. "
TURNED = r"$$k = W_K z \in \mathbb{R}^{d_h}$$ "


def test_of_a_formula_and_a_shape_that_contradict_each_other_neither_is_said_to_fail():
    assert "fails" not in [verdict for verdict, _ in judged(LATENT + TURNED).values()]
    assert TURNED.strip(" $") not in judged(LATENT + TURNED)  # nor to hold


@pytest.mark.parametrize("other", [r"$v = W_V z \in \mathbb{R}^{d_h}$", r"$v = \tanh(W_V z + b) \in \mathbb{R}^{d_h}$"])
def test_a_shape_is_turned_where_a_formula_like_that_fits_its_own(other):
    found = judged(LATENT + TURNED + r"$W_V \in \mathbb{R}^{d_h \times d_z}$, " + other)
    assert found[r"W_K \in \mathbb{R}^{d_z \times d_h}"] == ("fails", None)
    assert found[TURNED.strip(" $")] == ("holds", None)


def test_two_formulas_against_one_line_of_shapes_are_not_said_to_fail():
    text = r"$X \in \mathbb{R}^{n \times d}$ and $W_Q, W_K \in \mathbb{R}^{d_k \times d}$: "
    text += r"$Q = XW_Q \in \mathbb{R}^{n \times d_k}$, $K = XW_K \in \mathbb{R}^{n \times d_k}$"
    assert "fails" not in [verdict for verdict, _ in judged(text).values()]


def test_weights_as_out_by_in_fit_with_their_transpose():
    text = r"$X \in \mathbb{R}^{n \times d}$, $W_V \in \mathbb{R}^{d_v \times d}$"
    text += r": $V = XW_V^T \in \mathbb{R}^{n \times d_v}$"
    assert judged(text)[r"V = XW_V^T \in \mathbb{R}^{n \times d_v}"] == ("holds", None)


@pytest.mark.parametrize("said", ["$QK^T$ is $n \\times d_k$.", "The shape of `QK^T` is (n, d_k)", "QK^T: [n, d_k]"])
def test_a_shape_in_words_that_is_another_fails(said):
    assert "fails" in {verdict for verdict, _ in judged(SELF_ATTENTION + "\n\n" + said).values()}


@pytest.mark.parametrize(
    "said",
    [
        "the scores $QK^T$ are $n \\times n$.",
        "QK^T 的形状是 [n, n]",
        "S = Q @ K.T  # (n, n)",
        "| QK^T | (n, n) |\n|---|---|\n| V | (n, d_v) |",
    ],
)
def test_a_shape_in_words_lists_tables_and_comments_holds(said):
    assert ("holds", None) in judged(SELF_ATTENTION + "\n\n" + said).values()


def test_products_of_shapes():
    found = judged(
        "Q: [2, 5, 8] (batch, n, d_k)\n[2, 5, 8] @ [8, 3] = [2, 5, 3]\n[2, 5, 8] @ [5, 3] = [2, 8, 3]\n", "a.txt"
    )
    assert found["[2, 5, 8] @ [8, 3] = [2, 5, 3]"] == ("holds", None)
    assert found["[2, 5, 8] @ [5, 3] = [2, 8, 3]"] == ("fails", None)


def test_a_product_of_lists_that_may_be_numbers_is_left_alone():
    assert judged("[2, 5, 8] @ [5, 3] = [2, 8, 3]\n", "a.txt") == {}


def test_a_name_that_a_program_sets_anew_has_no_shape():
    text = """```python
Q = x @ W   # (B, T, d_model)
K = x @ U   # (B, T, d_model)
Q, K = split(Q), split(K)
scores = Q @ K.transpose(-2, -1)  # (B, h, T, T)
```
"""
    assert "fails" not in {verdict for verdict, _ in judged(text).values()}


def test_heads_side_by_side_are_as_wide_as_the_model():
    text = r"""$h d_v = d_{model}$, $\text{head}_i \in \mathbb{R}^{n \times d_v}$,
$\text{Concat}(\text{head}_1, \dots, \text{head}_h) \in \mathbb{R}^{n \times d_{model}}$"""
    assert ("holds", None) in judged(text).values()


def test_shapes_that_were_judged_are_not_listed_as_numbers_that_were_not():
    report = check_article(read_article("a.txt", "X: [4, 16, 8] (b, n, d)\nW: [8, 3] (d, d_k)\nY = X @ W [4, 16, 3]\n"))
    assert [n.text for n in report.not_checked] == []


def test_a_formula_whose_equation_may_be_false_is_not_called_right_for_its_shape():
    text = SELF_ATTENTION + r"$$A = \frac{QK^T}{d_k} \in \mathbb{R}^{n \times n}$$"
    found = judged(text).get(r"A = \frac{QK^T}{d_k} \in \mathbb{R}^{n \times n}")
    assert found is None or found[0] != "holds"


COLUMNS = r"$X \in \mathbb{R}^{d \times n}$, $W_Q \in \mathbb{R}^{d_k \times d}$: "


def test_a_shape_that_is_not_that_of_the_formula_fails_though_the_formula_is_a_projection():
    [found] = [
        each
        for each in check_article(read_article("a.md", COLUMNS + r"$Q = W_Q X \in \mathbb{R}^{n \times d_k}$")).formulas
        if each.verdict == "fails"
    ]
    assert "d_k × n" in found.right


def test_factors_in_the_wrong_order_are_set_right():
    text = COLUMNS + r"$Q = X W_Q \in \mathbb{R}^{d_k \times n}$"
    [found] = [each for each in check_article(read_article("a.md", text)).formulas if each.verdict == "fails"]
    assert found.right == r"Q = W_Q X \in \mathbb{R}^{d_k \times n}"


def test_what_a_false_claim_says_of_its_name_is_used_nowhere_else():
    text = COLUMNS + r"$Q = X W_Q \in \mathbb{R}^{n \times d_k}$, $Q^TQ \in \mathbb{R}^{n \times n}$"
    assert "fails" not in [verdict for name, (verdict, _) in judged(text).items() if name.startswith("Q^TQ")]


def test_all_weights_the_wrong_way_round():
    text = r"$x \in \mathbb{R}^d$, $W_1 \in \mathbb{R}^{d \times d_{ff}}$, $W_2 \in \mathbb{R}^{d_{ff} \times d}$"
    found = judged(text + r": $y = W_2 \text{ReLU}(W_1 x) \in \mathbb{R}^d$")
    assert found[r"y = W_2 \text{ReLU}(W_1 x) \in \mathbb{R}^d"] == ("fails", None)


def test_the_output_projection_of_several_heads_is_as_high_as_all_of_them():
    text = r"$\text{head}_i \in \mathbb{R}^{n \times d_v}$, $W^O \in \mathbb{R}^{d_v \times d}$"
    text += "\n\n" + r"$$\text{Concat}(\text{head}_1, \dots, \text{head}_h) W^O \in \mathbb{R}^{n \times d}$$"
    assert "fails" in [verdict for verdict, _ in judged(text).values()]


def test_a_shape_that_the_text_calls_wrong_is_not_reported():
    assert "fails" not in [
        verdict for verdict, _ in judged(SELF_ATTENTION + "\n\nIt is wrong that QK^T: [n, d_k]").values()
    ]


def test_a_calculation_with_numbers_is_no_formula_for_all_sizes():
    text = r"$Q, K \in \mathbb{R}^{n \times d_k}$: $$S = QK = \begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}$$"
    assert "fails" not in [verdict for verdict, _ in judged(text).values()]


KEYS = r"$Q, K \in \mathbb{R}^{n \times d_h}$, latent $c \in \mathbb{R}^{d_c}$. "


@pytest.mark.parametrize(
    "formula",
    [
        r"S = \frac{QK^T}{\sqrt{d_c}}",
        r"\text{Attention}(Q, K, V) = \text{softmax}\left(\frac{QK^T}{\sqrt{d_c}}\right) V",
    ],
)
def test_scores_scaled_by_the_width_of_something_else_hold_only_if_it_is_that_of_the_keys(formula):
    assert judged(KEYS + f"$${formula}$$")[formula] == ("holds-if", "d_c = d_h")
    assert judged(KEYS + f"$d_c = d_h$. $${formula}$$")[formula] == ("holds", None)
    own = formula.replace("d_c", "d_h")
    assert judged(KEYS + f"$${own}$$")[own] == ("holds", None)


def test_before_a_product_of_shapes_stands_what_has_the_shape_of_its_result():
    text = "Q: [B, T_q, d_k]\nK: [B, T_k, d_k]\n\nQK^T: [B, T_q, d_k] × [B, d_k, T_k] = [B, T_q, T_k]\n"
    assert {verdict for verdict, _ in judged(text, "a.txt").values()} == {"holds"}
    wrong = text.replace("= [B, T_q, T_k]", "= [B, T_q, d_k]")
    assert "fails" in {verdict for verdict, _ in judged(wrong, "a.txt").values()}


def test_products_of_shapes_of_any_letters():
    found = judged(r"$[s,h] \times [h,4h]\to[s,4h]$, $[a,c]^T × [a,e] → [c,e]$, $[s, h] × [h, V] → [h, V]$")
    assert found[r"[s,h] \times [h,4h]\to[s,4h]"] == ("holds", None)
    assert found["[a,c]^T × [a,e] → [c,e]"] == ("holds", None)
    assert found["[s, h] × [h, V] → [h, V]"][0] != "holds"


def test_intervals_and_products_by_entries_are_no_matrix_products():
    assert judged(r"$g: [a, b] \times [c, d] \to [e, f]$ and $[n, d] × [n, d] → [n, d]$") == {}


def test_a_letter_of_outputs_that_stands_for_weights_before_values() -> None:
    sizes = ", ".join(f"${x} \\in \\mathbb{{R}}^{{{s}}}$" for x, s in (("Q", "n×d_k"), ("K", "m×d_k"), ("V", "m×d_v")))
    output = f"$$A = \\mathrm{{softmax}}\\left(\\frac{{QK^\\top}}{{\\sqrt{{d_k}}}}\\right)V.$$\n\nWith {sizes}:\n\n"
    table = "| size | shape |\n|---|---|\n| output $%s$ | $n \\times d_v$ |\n"
    assert not any(x.verdict == "fails" for x in check_article(read_article("a.md", output + table % "AV")).formulas)
    assert any(x.verdict == "fails" for x in check_article(read_article("a.md", output + table % "A K")).formulas)
