"""Gradients with names of more than one letter, and what stands beside them: dS̃, dSa, d\\beta, d\\mathrm{head}_1."""

from __future__ import annotations

import pytest

from symattn.reading.formula import Elementwise, Name, Product, Transpose, parse, walk


def expression(text: str):
    return parse(text, latex="\\" in text)[0].sides[-1].expression


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (r"d\tilde{S} \circ A", ["dS\u0303", "A"]),
        (r"d\mathrm{head}_{1} \left(V\right)^{\top}", ["dhead", "V"]),
        (r"d\mathrm{Sa}_{1} A_{1}^{\top}", ["dSa", "A"]),
        (r"d\Omega_q X", ["dΩ", "X"]),
        (r"dQ \, \left(W^{(q)}\right)^{\top}", ["dQ", "W"]),
        (r"A_{2} \circ dA_{2}", ["A", "dA"]),
        ("Vᵀ dSa", ["V", "dSa"]),
        ("A ∘ dMhSa", ["A", "dMhSa"]),
    ],
)
def test_a_gradient_is_one_factor(text: str, names: list[str]) -> None:
    found = expression(text)
    assert isinstance(found, Product | Elementwise)
    assert len(found.factors) == 2
    assert [part.base for part in walk(found) if isinstance(part, Name)] == names


def test_ones_are_a_letter_where_they_are_transposed() -> None:
    for text in ("δ 1ᵀ", r"\delta\mathbf{1}^{\top}"):
        assert expression(text).factors[1] == Transpose(Name("𝟏"))


def test_an_exponential_by_itself_says_that_others_are_no_powers_of_ten() -> None:
    assert any(
        part.function == "exp"
        for part in walk(expression(r"\frac{7e^{-12}}{e^{-12} + 1}"))
        if hasattr(part, "function")
    )
    with pytest.raises(ValueError, match="more than one way"):
        expression(r"7e^{-12}")


def test_a_matrix_of_one_entry_is_drawn_beside_a_row() -> None:
    assert len(expression("[ 3 ] [ 1  2 ]").factors) == 2
