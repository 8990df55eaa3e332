"""What a derivation tells, and in which order."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import Matrix, MatrixSymbol, symbols

from symattn import Attention, CausalMask, FiniteMask, HideMask, KeepMask, MultiHead, derive, differentiate
from symattn.errors import InputError
from symattn.writing.document import Diagram, Equation, Heading
from tests.samples import derived, sample


@pytest.mark.parametrize("detail", ["brief", "full"])
def test_every_step_has_a_heading_and_an_equation(detail: str) -> None:
    derivation = sample("output projection", detail)
    blocks = derivation.document().blocks
    told = [b.step for b in blocks if isinstance(b, Equation) and b.step]
    assert told == [step.name for step in derivation]
    assert sum(isinstance(b, Heading) for b in blocks) == len(told) + 1  # and the inputs


def test_one_step_alone() -> None:
    blocks = sample("tokens").document(step="scores").blocks
    assert not any(isinstance(b, Heading) for b in blocks)
    assert [b.step for b in blocks if isinstance(b, Equation)] == ["scores"]


def test_the_diagram_is_drawn_where_asked_for() -> None:
    assert isinstance(sample("by token").document().blocks[-1], Diagram)
    assert not any(isinstance(b, Diagram) for b in sample("tokens").document().blocks)


def test_an_entry_by_hand() -> None:
    # q_2 = (3, -1), k_3 = (-1, 2)
    assert r"S_{23} = q_{2} \cdot k_{3} = 3 \cdot (-1) + (-1) \cdot 2 = -5" in sample("tokens").to_markdown()
    assert "For example, for “cat” attending to “sat”: " in sample("tokens").to_markdown()
    assert "S₂₃ = q₂ · k₃ = 3 · (−1) + (−1) · 2 = −5" in " ".join(sample("tokens").to_text().split())


def test_rows_of_softmax_in_full() -> None:
    page = sample("scaled", "full").to_markdown()
    # exp(1 - 2) and exp(3 - 4)
    assert page.count("e^{-1}") >= 2


@pytest.mark.parametrize("sink", [None, 1])
def test_the_sum_below_a_weight_is_over_the_keys_and_the_sink(sink: int | None) -> None:
    """Of heads that are counted by i, rows and columns have other letters, none of which is the one summed over."""
    n, w = symbols("n w")
    X, W = MatrixSymbol("X", n, w), [MatrixSymbol(f"W_{x}", w, w) for x in "QKV"]
    many = MultiHead(X, heads=2, W_Q=W[0], W_K=W[1], W_V=W[2], sink=sink)
    text = differentiate(derive(many), wrt=[X]).to_text()
    assert ("ℓ_s = e¹ + Σ_k e^(S'^(i)_sk)" if sink else "ℓ_s = Σ_k e^(S'^(i)_sk)") in text


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({}, ("S'", "S'", "S'")),
        ({"scale": 1}, ("S", "S", "S")),
        ({"mask": CausalMask()}, (r"\tilde{S}", r"\tilde{S}", "S̃")),
        ({"softcap": 5}, (r"\bar{S}", r"\bar{S}", "Sᶜ")),
        ({"sink": 1}, ("S'", "S'", "S'")),
    ],
    ids=str,
)
def test_the_gradient_of_softmax_has_the_letter_of_what_softmax_is_taken_of(
    options: dict[str, Any], name: tuple[str, ...], language: str
) -> None:
    n, d = symbols("n d")
    Q, K, V = (MatrixSymbol(x, n, d) for x in "QKV")
    back = differentiate(derive(Attention(Q, K, V, **options)), wrt=[Q])
    for target, letter in zip(("latex", "markdown", "text"), name, strict=True):
        page = back.to(target, language=language)
        assert f"d{letter}" in page and (letter == "S" or "dS " not in page), target
    assert f"d{name[0]}" in back.to("html", language=language).replace("&#x27;", "'")


def test_many_heads_have_dots_between_their_names() -> None:
    X, W = MatrixSymbol("X", 1, 2), [MatrixSymbol(f"W_{x}", 2, 24) for x in "QKV"]
    many = MultiHead(X, heads=12, W_Q=W[0], W_K=W[1], W_V=W[2], W_O=MatrixSymbol("W_O", 24, 2))
    values = {s: [[1] * s.shape[1]] * s.shape[0] for s in (X, *W, MatrixSymbol("W_O", 24, 2))}
    told = derive(many, values, sum_heads=True)
    assert r"\left(\mathrm{head}_{1}, \mathrm{head}_{2}, \ldots, \mathrm{head}_{12}\right)" in told["concat"].to_latex()
    assert r"P^{(1)} + P^{(2)} + \cdots + P^{(12)}" in told["sum"].to_latex()
    assert "P⁽¹⁾ + P⁽²⁾ + ⋯ + P⁽¹²⁾" in told.to_text() or "P^(1) + P^(2) + ⋯ + P^(12)" in told.to_text()


def test_rows_of_heads_are_put_side_by_side() -> None:
    X, W = MatrixSymbol("X", 2, 2), [MatrixSymbol(f"W_{x}", 2, 2) for x in "QKV"]
    both = MultiHead(X, heads=2, W_Q=W[0], W_K=W[1], W_V=W[2], W_O=MatrixSymbol("W_O", 2, 2))
    page = derive(both, {s: [[1, 2], [0, 1]] for s in (X, *W, MatrixSymbol("W_O", 2, 2))}).to_text(level="token")
    assert "c₂ = Concat((head_1)₂, (head_2)₂) ≈ [ 0.5000  3.8577 ]" in page


@pytest.mark.parametrize("mask", [KeepMask([[1, 0], [1, 1]]), FiniteMask(HideMask([[1, 0], [1, 1]]), -9)])
def test_a_mask_of_zeros_and_ones_is_stated(mask: Any) -> None:
    Q = MatrixSymbol("Q", 2, 1)
    given = derive(Attention(Q, Q, Q, mask=mask), {Q: [[1], [2]]})
    assert r"\begin{bmatrix} 1 & 0 \\ 1 & 1 \end{bmatrix}" in given.to_latex()
    assert "M = [ 1  0 ]\n        [ 1  1 ]" in given.to_text()


def test_a_calculation_without_inputs_begins_with_its_first_step() -> None:
    X = Matrix([[1, 0], [0, 1]])
    blocks = derive(Attention(X, X, X)).document().blocks
    assert [b.step for b in blocks if isinstance(b, Equation)][:2] == ["Q", "scores"]
    assert "Inputs" not in derive(Attention(X, X, X)).to_text()


TWO_HEADS = (
    "[inputs]\nX = [[1, 0], [0, 1]]\nW_Q = [[1, 0], [0, 1]]\nW_K = [[1, 0], [0, 1]]\nW_V = [[1, 2], [0, 1]]\n"
    "W_O = [[1, 0], [3, 1]]\n[attention]\nheads = 2\n[show]\ncosts = true\n"
)


def test_the_sum_over_heads_tells_of_several_and_is_not_counted_twice() -> None:
    summed, plain = (derived(TWO_HEADS + more).to_markdown() for more in ("sum_heads = true\n", ""))
    again = "The sum over the heads computes the output projection a second time and is not counted."
    assert "Contribution of each head\n" in summed and again in summed and again not in plain
    totals = [page[page.index("| Total ") :] for page in (summed, plain)]
    assert totals[0] == totals[1]


def test_how_many_tokens_are_named_is_said_of_one_too() -> None:
    with pytest.raises(InputError, match="the number of tokens named, 1, is not the number of rows, 2;"):
        derived(f'tokens = ["I"]\n{TWO_HEADS}')
