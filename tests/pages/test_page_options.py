"""What a page tells is said to `derive`, or to one page in the place of that."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import MatrixSymbol

from symattn import Attention, CausalMask, MultiHead, derive, differentiate
from symattn.errors import InputError
from symattn.nodes import Part

Q, K, V = (MatrixSymbol(x, 2, 2) for x in "QKV")
VALUES = {Q: [[1, 2], [3, 4]], K: [[1, 0], [0, "0.5"]], V: [[1, 2], [3, 4]]}
WHOLE = Attention(Q, K, V, mask=CausalMask())

OPTIONS: list[dict[str, Any]] = [
    {"title": "By hand"},
    {"tokens": ["A", "B"]},
    {"level": "token"},
    {"level": "index"},
    {"diagram": True},
    {"theorems": ["shift-invariance"]},
    {"study": "temperature"},
    {"shapes": True},
    {"costs": True},
    {"notation": "bishop"},
    {"notation": "flash", "theorems": ["shift-invariance"]},
    {"step": "weights"},
    {"digits": 9},
    {"rounded": False},
    {"elide": False},
]


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_page_may_have_every_option_of_its_own(options: dict[str, Any]) -> None:
    plain, own = derive(WHOLE, VALUES), derive(WHOLE, VALUES, **options)
    for target in ("text", "latex"):
        assert plain.to(target, **options) == own.to(target)
        if options != {"elide": False}:  # which a small matrix does not show
            assert own.to(target) != plain.to(target)
        assert plain.to(target) == derive(WHOLE, VALUES).to(target)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_none_leaves_an_option_as_it_is(options: dict[str, Any]) -> None:
    own = derive(WHOLE, VALUES, **options)
    assert own.to_text(**dict.fromkeys(options)) == own.to_text()
    assert derive(WHOLE, VALUES, **dict.fromkeys(options)).to_text() == derive(WHOLE, VALUES).to_text()


def test_parts_are_named_for_one_page() -> None:
    d = derive(Part(WHOLE, "encoder"))
    assert "The encoder" in d.to_text(parts={"encoder": "The encoder"}) and "The encoder" not in d.to_text()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"level": "rows"}, '"rows" is not a valid level; choose one of matrix, token, index'),
        ({"study": "x"}, '"x" is not a valid study'),
        ({"notation": "x"}, '"x" is not a valid notation'),
        ({"theorems": ["x"]}, "x"),
        ({"step": "x"}, 'there is no step "x"'),
    ],
)
def test_what_there_is_not_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        derive(WHOLE).to_text(**options)
    with pytest.raises(InputError, match=words):
        derive(WHOLE, **options).to_text()


def test_what_is_no_option_is_refused() -> None:
    with pytest.raises(TypeError, match="colour"):
        derive(WHOLE, colour="red")
    with pytest.raises(TypeError, match="colour"):
        derive(WHOLE).to_text(colour="red")


def test_digits_of_a_derivation_are_those_of_its_steps_and_json_too() -> None:
    d = derive(WHOLE, VALUES, digits=7)
    assert d["weights"].to_latex() == derive(WHOLE, VALUES)["weights"].to_latex(digits=7)
    assert d.to_json() == derive(WHOLE, VALUES).to_json(digits=7)
    assert d.to_json(digits=3) == derive(WHOLE, VALUES).to_json(digits=3)


def test_decimals_are_written_where_any_input_is() -> None:
    whole = {name: [[1, 2], [3, 4]] for name in "QKV"}
    assert not derive(WHOLE, whole).decimal and derive(WHOLE, VALUES).decimal
    assert differentiate(derive(WHOLE, whole), G=[[1, "0.5"], [0, 1]]).decimal


def test_a_notation_that_fits_is_left_as_it_is() -> None:
    X, W = MatrixSymbol("X", 2, 4), MatrixSymbol("W", 4, 4)
    d = derive(MultiHead(X, heads=2, W_Q=W, W_K=W, W_V=W), notation="phuong-hutter")
    assert d.to_text() == d.to_text(notation="phuong-hutter")
