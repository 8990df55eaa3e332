"""Options are said once: by name, or in the order of the canonical arguments."""

import inspect
from typing import get_type_hints

import pytest
from sympy import MatrixSymbol, Rational, eye

from symattn.nodes import (
    OPTIONS,
    Attention,
    BahdanauAttention,
    CausalMask,
    LatentAttention,
    LuongAttention,
    MultiHead,
    OnlineAttention,
)
from symattn.nodes.kinds.attention import AttentionOptions
from symattn.nodes.kinds.multihead import MultiHeadOptions

Q, W, v = MatrixSymbol("Q", 2, 2), MatrixSymbol("W", 2, 2), MatrixSymbol("v", 2, 1)
GIVEN = {"mask": CausalMask(), "bias": eye(2), "scale": Rational(1, 3), "softcap": 5, "score_mod": None}
KINDS = [
    (Attention, (Q, Q, Q)),
    (LuongAttention, (Q, Q, Q, W)),
    (BahdanauAttention, (Q, Q, Q, W, W, v)),
    (LatentAttention, (Q, Q, W, W, False)),
    (OnlineAttention, (Q, Q, Q, 2)),
]
every_kind = pytest.mark.parametrize(("kind", "given"), KINDS, ids=lambda x: getattr(x, "__name__", ""))


@every_kind
def test_options_by_name_and_in_order_are_the_same(kind, given):
    by_name = kind(*given, **GIVEN)
    assert kind(*given, *(GIVEN.get(name) for name in OPTIONS)) == by_name == by_name.func(*by_name.args)
    assert kind(*given, GIVEN["mask"], **{k: x for k, x in GIVEN.items() if k != "mask"}) == by_name
    assert by_name.options["mask"] == CausalMask() and by_name.options["scale"] == Rational(1, 3)
    assert kind(*given) == kind(*given, **dict.fromkeys(OPTIONS))


@every_kind
def test_an_option_that_is_none_is_a_type_error_with_those_that_are(kind, given):
    with pytest.raises(TypeError, match=rf"{kind.__name__} has no option 'msk'; it has mask, bias, scale, softcap"):
        kind(*given, msk=None)
    with pytest.raises(TypeError, match="'mask' twice"):
        kind(*given, None, mask=None)
    with pytest.raises(TypeError, match=r"8 options \(mask, .*\), not 9"):
        kind(*given, *[None] * 9)


def test_heads_have_the_same_options_and_more():
    heads = {"heads": 1, "W_Q": W, "W_K": W, "W_V": W}
    made = MultiHead(Q, **heads, **GIVEN)
    assert made == MultiHead(Q, Q, Q, *(({**heads, **GIVEN}).get(name) for name in get_type_hints(MultiHeadOptions)))
    assert made.func(*made.args) == made and made.scale == Rational(1, 3)
    with pytest.raises(TypeError, match=r"MultiHead has no option 'W_q'; it has heads, .* W_Q, .* mask, .* qk_norm"):
        MultiHead(Q, heads=1, W_q=W)


@pytest.mark.parametrize("kind", [kind for kind, _ in KINDS] + [MultiHead])
def test_help_says_what_may_be_given(kind):
    assert tuple(get_type_hints(AttentionOptions)) == OPTIONS
    assert all(f"{name}" in inspect.getdoc(kind) for name in OPTIONS)
    assert "options" in inspect.signature(kind).parameters
