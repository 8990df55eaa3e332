"""What steps are called, and what is said to be the reason for them."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import MatrixSymbol, Symbol, symbols

from symattn import (
    Attention,
    LinearAttention,
    MultiHead,
    NormalisedRows,
    OnlineAttention,
    Softmax,
    derive,
    differentiate,
)
from symattn.errors import InputError
from symattn.nodes import AddRow, Part, SinkSoftmax, SoftCapped
from symattn.program.steps import Index, Step

n, m, d, D, k = symbols("n m d D k", integer=True, positive=True)
Q, K, V, B, C = (MatrixSymbol(x, *s) for x, s in zip("QKVBC", ((n, d), (m, d), (m, d), (n, m), (n, m)), strict=True))
X, A = MatrixSymbol("X", n, D), MatrixSymbol("A", n, n)
HEADS = Index(Symbol("i"), Symbol("h"))
TOKENS = Index(Symbol("t"), Symbol("n"), "token", within=HEADS)


def layer(**options: Any) -> Any:
    W = {x: MatrixSymbol(x, D, 2 * k) for x in ("W_Q", "W_K", "W_V")}
    return MultiHead(X, heads=2, **W, **options)


def projected(**options: Any) -> Any:
    return layer(W_O=MatrixSymbol("W_O", 2 * k, D), **options)


@pytest.mark.parametrize(
    ("about", "name"),
    [
        ({}, "weights"),
        ({"part": "encoder"}, "encoder.weights"),
        ({"index": HEADS}, "head_i.weights"),
        ({"index": Index(Symbol("j"), Symbol("g"), "kv_head"), "part": "encoder"}, "encoder.kv_head_j.weights"),
        ({"members": (("head", 2),), "part": "encoder"}, "encoder.head_2.weights"),
        ({"operand": "Q", "suffix": "_2"}, "Q_weights_2"),
        ({"index": TOKENS}, "head_i.token_t.weights"),
        ({"index": TOKENS.inside(), "members": (("head", 2),)}, "head_2.token_t.weights"),
    ],
)
def test_a_name_says_part_family_operand_role_and_number(about: dict[str, Any], name: str) -> None:
    assert Step("weights", A, A, **about).name == name


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("encoder.head_3.weights", 3), ("encoder.head_0.weights", 0), ("encoder.head_i.weights", None),
        ("encoder.head_03.weights", None), ("encoder.head_3.weights_2", None), ("head_3.weights", None),
        ("encoder.head_³.weights", None), ("encoder.head_.weights", None), ("weights", None), ("", None),
    ],
)  # fmt: skip
def test_a_family_knows_its_members_by_name(name: str, number: int | None) -> None:
    family = Step("weights", A, A, "encoder", HEADS)
    assert family.numbers_of(name) == (None if number is None else (number,))
    assert number is None or family.name_of(number) == name
    assert Step("weights", A, A, "encoder").numbers_of(name) is None


def test_a_family_within_a_family_knows_its_members_by_two_numbers() -> None:
    family = Step("state", A, A, index=TOKENS)
    assert family.numbers_of("head_2.token_13.state") == (2, 13)
    assert family.numbers_of("head_2.state") is family.numbers_of("head_2.token_t.state") is None


def test_no_two_steps_have_one_name_or_one_symbol() -> None:
    for whole in (Attention(Attention(Q, K, V), K, V), Part(projected(), "encoder"), Softmax(Softmax(B))):
        steps = derive(whole, detail="full", sum_heads=True).families.steps
        assert len({s.name for s in steps}) == len({s.symbol for s in steps}) == len(steps)


def causal(*matrices: Any) -> Any:
    return LinearAttention(*matrices, causal=True)


# --- sums over the heads


def test_the_sum_over_the_heads_stands_in_a_part_too() -> None:
    d = derive(Part(projected(), "encoder"), sum_heads=True)
    assert [s.name for s in d.families][-3:] == ["encoder.projection", "encoder.head_i.share", "encoder.sum"]
    assert "sum to the same result, Y'^(encoder) = Y^(encoder)" in " ".join(d.to_text().split())


def test_heads_without_a_projection_have_no_sum() -> None:
    assert [s.name for s in derive(layer(), sum_heads=True)][-1] == "concat"


# --- reasons


def said(whole: Any, wrt: Any = None, name: str = "") -> str:
    """What is said of a step, or of the gradient by something."""
    d = derive(whole) if wrt is None else differentiate(derive(whole), wrt)
    return " ".join(d.to_text(step=name or d.families.steps[-1].name, fragment=True).split())


@pytest.mark.parametrize("whole", [Softmax(B + C), Softmax(SoftCapped(B + C, 5)), Softmax(SoftCapped(B * C.T * B, 5))])
def test_scores_that_are_no_products_are_said_to_be_results(whole: Any) -> None:
    first = derive(whole).families.steps[0].name
    assert said(whole, name=first).startswith("The result:")


@pytest.mark.parametrize(
    ("whole", "wrt", "words"),
    [
        (Attention(Q, K, V), "scores", "S is multiplied by a number, in S' = S/√d, and so is its gradient."),
        (Attention(Q, K, V, bias=B), "B", "B was added unchanged"),
        (Attention(Q, K, V), "V", "V is a factor in O = A V"),
        (Softmax(SinkSoftmax(B, MatrixSymbol("s", 1, 1))), "s", "The sink with logit s takes weight from every row"),
        (Attention(NormalisedRows(Q, "l2", MatrixSymbol("g", 1, d)), K, V), "g", "of g multiplies one column"),
        (Softmax(AddRow(B, MatrixSymbol("b", 1, m))), "b", "b was added to every row"),
        (projected(), "W_Q", "of the heads' blocks are placed side by side"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_the_reason_for_a_gradient_is_that_of_its_rule(whole: Any, wrt: str, words: str) -> None:
    assert words in said(whole, [wrt])


def test_every_gradient_starts_from_one_that_is_given() -> None:
    again = differentiate(differentiate(derive(Attention(Q, K, V)), ["V"]), ["Q"])
    given = [s for s in again.families if s.because == "given"]
    assert [(s.name, str(s.expression)) for s in given] == [("dO", "G"), ("ddV", "G_2")]
    assert "with respect to the result, G_2, is given" in " ".join(again.to_text(step="ddV").split())


def test_a_reason_is_of_rows_or_columns_as_the_page_is() -> None:
    sink = differentiate(derive(Softmax(SinkSoftmax(B, MatrixSymbol("s", 1, 1))), notation="bishop"), ["s"])
    assert "every row" in sink.to_text()
    turned = sink.to_text(notation="phuong-hutter")
    assert "The sink with logit s takes weight from every column" in " ".join(turned.split())


def test_a_projection_in_blocks_of_rows_is_joined_from_them() -> None:
    back = differentiate(derive(projected(), sum_heads=True), ["W_O"])
    assert "blocks are stacked" in " ".join(back.to_text(step="dW_O").split())


@pytest.mark.parametrize(("kind", "use"), [(OnlineAttention, "O = softmax(S') V"), (causal, "N = W V")])
@pytest.mark.parametrize("valued", [False, True])
def test_what_turns_use_is_told_in_their_closed_form(kind: Any, use: str, valued: bool) -> None:
    q, k, v = (MatrixSymbol(x, 2, 2) for x in "QKV")
    d = derive(kind(q, k, v), {x: [[1, 2], [3, 5]] for x in "QKV"} if valued else None)
    back = differentiate(d, ["V"], G=[[1, 0], [0, 1]] if valued else None)
    assert f"V is a factor in {use}: its gradient" in " ".join(back.to_text(step="dV").split())


def test_what_is_no_step_is_refused() -> None:
    with pytest.raises(InputError, match="there is no step"):
        derive(layer())["head_3.weights"]
