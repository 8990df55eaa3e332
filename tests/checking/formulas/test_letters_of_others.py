"""Letters that stand for something else than usual, and what an equation itself says of its letters."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow


def verdicts(text: str, name: str = "a.md") -> list[tuple[int, str]]:
    return [(x.line, x.verdict) for x in check_article(read_article(name, text + "\n")).formulas]


def failing(text: str) -> list[int]:
    return [line for line, verdict in verdicts(text) if verdict == "fails"]


# --- letters that stand for something else than where they usually stand


def test_the_size_of_a_batch_is_no_vector() -> None:
    forward = [r"\mu_B = \frac{1}{B} \sum_{k=1}^B x_k", r"\sigma_B^2 = \frac{1}{B} \sum_{k=1}^B (x_k - \mu_B)^2"]
    forward += [r"\hat{x}_k = \frac{x_k - \mu_B}{\sqrt{\sigma_B^2 + \epsilon}}", r"y_k = \gamma \hat{x}_k + \beta"]
    slope = r"\frac{\partial L}{\partial %s}"
    back = slope % "x_k" + " = " + slope % r"\hat{x}_k" + r" \frac{1}{\sqrt{\sigma_B^2 + \epsilon}} + "
    back += slope % r"\sigma_B^2" + r" \frac{2 (x_k - \mu_B)}{B} + " + slope % r"\mu_B" + r" \frac{1}{B}"
    text = "\n\n".join(f"$${x}$$" for x in (*forward, back))
    assert verdicts(text)[-1] == (9, "holds")
    assert failing(text.replace("{2 (x_k", "{3 (x_k")) == [9]


def test_what_is_taken_from_scores_is_a_logarithm() -> None:
    text = "FlashAttention's backward pass computes the weights again:\n\n$p = \\exp(s - l)$"
    assert failing(text) == []
    assert failing(text + "\n\n$l = \\mathrm{rowsum}(\\exp(s - m))$") == [3]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            r"\alpha_t = \alpha \frac{\sqrt{1 - \beta_2^t}}{1 - \beta_1^t}",
            r"\alpha_t = \alpha \frac{1 - \beta_2^t}{1 - \beta_1^t}",
        ),
        (r"\rho = \frac{\sqrt{1 - \gamma}}{1 - \kappa}", r"\rho = \frac{1 - \gamma}{1 - \kappa}"),
        (r"w = \sqrt{a - b} \sqrt{b - c}", r"w = \sqrt{(a - b)(b + c)}"),
    ],
)
def test_what_has_no_value_at_most_points_does_not_hold_by_chance(first: str, second: str) -> None:
    text = f"$${first}$$\n\nand with that\n\n$${second}$$\n"
    assert "holds" not in [verdict for _, verdict in verdicts(text)]


MERGED = r"$O = \frac{e^{m_1 - m} O_1 + e^{m_2 - m} O_2}{e^{m_1 - m} \ell_1 + e^{m_2 - m} \ell_2}$"


@pytest.mark.parametrize(("word", "formula", "expected"), [
    ("unnormalised", MERGED, ["holds"]), ("own", MERGED, []),
    ("unnormalised", MERGED.replace(r"e^{m_2 - m} \ell", r"e^{m_1 - m} \ell"), ["fails"]),
    ("own", MERGED.replace("O_1", r"\ell_1 O_1").replace("O_2", r"\ell_2 O_2"), ["holds"]),
])  # fmt: skip
def test_outputs_of_blocks_may_be_divided_when_they_are_merged(word: str, formula: str, expected: list[str]) -> None:
    text = f"Each block of keys gives its {word} output and its sum; online softmax merges them:\n\n{formula}"
    assert [verdict for _, verdict in verdicts(text)] == expected


def test_keys_and_values_of_two_sequences_are_not_called_right() -> None:
    text = "$$Q = X W_Q$$\n\n$$K = Y W_K$$\n\n$$V = %s W_V$$"
    assert verdicts(text % "Y") == [(1, "holds"), (3, "holds"), (5, "holds")]
    assert verdicts(text % "X") == [(1, "holds")]


def test_a_second_convention_has_shapes_of_its_own() -> None:
    text = (
        "Columns: $Q = W_Q H \\in \\mathbb{R}^{d \\times n}$\n\nRows: $X \\in \\mathbb{R}^{n \\times e}$ and $Q = %s$"
    )
    assert failing(text % "X W_Q") == []
    shapes = (
        r"$X \in \mathbb{R}^{n \times e}$, $W_Q \in \mathbb{R}^{e \times d}$, $Q = X W_Q \in \mathbb{R}^{n \times d}$"
    )
    assert failing(shapes + "\n\nand here $Q = W_Q X$") == [3]


def test_what_another_item_of_a_list_wants_is_no_condition() -> None:
    items = "- The query: what we want to know\n- The output: $\\text{Attention}(Q, K, V) = %s$"
    assert failing(items % r"\text{softmax}(\frac{QK^T}{\sqrt{d_k}} V)") == [2]
    assert failing(items % r"\text{softmax}(\frac{QK^T}{\sqrt{d_k}}) V") == []


@pytest.mark.parametrize(("order", "shape", "expected"), [
    ("X W_K", r"n \times e", ["holds"]), ("W_K X", r"n \times e", ["fails"]),
    ("W_K X", r"d \times n", ["holds"]), ("X W_K", r"d \times n", ["fails"]),
])  # fmt: skip
def test_projections_have_the_order_that_the_shapes_give(order: str, shape: str, expected: list[str]) -> None:
    text = rf"$X \in \mathbb{{R}}^{{{shape}}}$ and $W_K \in \mathbb{{R}}^{{e \times d}}$." + f"\n\n$$K = {order}$$"
    assert [verdict for line, verdict in verdicts(text) if line == 3] == expected


def test_weights_of_an_input_are_differentiated_in_its_order() -> None:
    text = "Step: `$Q = x W_Q$`\n\n" + r"$$\frac{\partial L}{\partial W_Q} = %s$$"
    assert verdicts(text % r"x^\top \frac{\partial L}{\partial Q}")[-1] == (3, "holds")
    assert failing(text % r"\frac{\partial L}{\partial Q} x^\top") == [3]


def test_shapes_of_scores_and_of_their_transpose_do_not_turn_the_scores() -> None:
    text = r"From $S = Q K^T$ of shape $(B, T_q, T_k)$:" + "\n\n$$\\frac{\\partial L}{\\partial K} = %s Q$$\n\n"
    text += r"Shapes: $(B, T_k, T_q) \times (B, T_q, d) \rightarrow (B, T_k, d)$."
    slope = r"\frac{\partial L}{\partial S}"
    assert failing(text % slope) == [3]
    assert failing(text % rf"\left({slope}\right)^T") == []


@pytest.mark.parametrize("row", ["P_{i:}", "P_{i,}"])
def test_the_jacobian_of_a_row_is_a_matrix(row: str) -> None:
    text = rf"$$J_i = \mathrm{{diag}}({row}) - {row}^T {row}$$" + "\n\n" + f"$$d{row.replace('P', 'S')} = d{row} J_i$$"
    assert [verdict for _, verdict in verdicts(text)] == ["holds-if", "holds"]
    assert "holds" not in [verdict for _, verdict in verdicts(text.replace(") - ", ") + "))]


# --- what an equation says of its letters


@pytest.mark.parametrize("text", ["$Q' M Q = H$ and also $Q' Q = Q Q' = 1$", r"$\delta(-t) = \delta(t)$"])
def test_conditions_on_letters_and_functions_of_the_same_letter_are_not_false(text: str) -> None:
    assert failing(text) == []


def test_two_products_that_are_not_said_to_be_one_can_be_false() -> None:
    assert failing("$(QK)^T = Q^T K^T$") == [1]
    assert failing(r"$\delta(-t) = \delta t$") == [1]


@pytest.mark.parametrize("letter", [r"\Delta", r"\theta", "t", "m"])
@pytest.mark.parametrize(("sign", "verdict"), [("-", "holds"), ("", "fails")])
def test_a_rotation_by_a_multiple_of_its_argument(letter: str, sign: str, verdict: str) -> None:
    cosine, sine = (rf"\{function}(\omega {letter})" for function in ("cos", "sin"))
    matrix = rf"\begin{{bmatrix}}{cosine} & {sign}{sine}\\ {sine} & {cosine}\end{{bmatrix}}"
    assert [x.verdict for x in check_article(read_article("a.md", f"$$R({letter})={matrix}$$\n")).formulas] == [verdict]


def test_a_prime_behind_a_bracket_of_a_function_is_a_derivative() -> None:
    text = (
        r"$$a = \frac{e^z}{\sum_k e^k}$$" + "\n\n" + r"$$\frac{\partial a}{\partial z} = (e^z)' / \sum_k e^k$$" + "\n"
    )
    assert not [x for x in check_article(read_article("a.md", text)).formulas if x.verdict == "fails"]
