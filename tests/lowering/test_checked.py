"""`lower(..., check=True)` holds results against exact values, within the bound of their errors."""

import numpy as np
import pytest
from lowering.symbols import B, K, M, Q, V
from lowering.test_lowered import layer, layer_arrays, numbers
from sympy import MatrixSymbol

from symattn import (
    Alibi,
    Attention,
    CausalMask,
    KeepMask,
    LinearAttention,
    OnlineAttention,
    PaddingMask,
    RotaryEmbedding,
    SymattnError,
    lower,
)
from symattn.cli.main import run
from symattn.errors import NotSupportedError
from symattn.lowering.bound_text import bound_lines
from symattn.program.unfolding import unfold

KINDS = [
    {},
    {"mask": CausalMask()},
    {"softcap": 2},
    {"bias": B},
    {"mask": KeepMask(M)},
    {"sink": MatrixSymbol("s", 1, 1)},
    {"mask": PaddingMask(3), "scale": 1},
]


@pytest.mark.parametrize("options", KINDS)
@pytest.mark.parametrize("kind", ["float64", "float32", "float16"])
@pytest.mark.parametrize("style", ["plain", "fast", "compiled"])
def test_results_are_within_their_bounds(options, kind, style):
    given = {"Q": numbers(2, 3, 4), "K": numbers(2, 5, 4, seed=1), "V": numbers(2, 5, 6, seed=2)}
    given |= {"B": numbers(3, 5)} if "bias" in options else {}
    given |= {"M": numbers(3, 5) > -9} if options.get("mask") == KeepMask(M) else {}
    given |= {"s": np.ones((1, 1))} if "sink" in options else {}
    given = {name: x if x.dtype == bool else (3 * x).astype(kind) for name, x in given.items()}
    plain = lower(Attention(Q, K, V, **options), style=style)(**given)
    np.testing.assert_array_equal(lower(Attention(Q, K, V, **options), style=style, check=True)(**given), plain)


def test_layers_of_heads():
    arrays = layer_arrays(4, 2, (2,)) | {"B": numbers(9, 11)}
    for outputs in ((), ("weights",), ("head_2.weights", "output")):
        lower(layer(4, 2, bias=B), style="plain", check=True, outputs=outputs)(**arrays)
    lower(layer(4, 2, bias=B), check=True)(**arrays)


@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_an_error_beyond_the_bound_is_named(kind):
    f = lower(Attention(Q, K, V), check=True)
    own = f._function
    f._function = lambda *arrays: own(*arrays) * (1 + 1000 * np.finfo(kind).eps)
    with pytest.raises(SymattnError, match=r"output\(0, \d, \d\) is .* from its exact value, more than the bound"):
        f(*(numbers(2, a, b).astype(kind) for a, b in ((3, 4), (5, 4), (5, 6))))


def test_what_has_no_bound_is_refused():
    with pytest.raises(NotSupportedError, match="no error bound is derived for DivideRows"):
        lower(LinearAttention(Q, K, V), check=True)
    with pytest.raises(NotSupportedError, match="no error bound is derived for gradients"):
        lower(Attention(Q, K, V), gradient=True, check=True)


def test_the_command_prints_rules_and_numbers(capsys):
    assert run(["lower", "hand-calculation", "--error-bound"]) == 0
    out = capsys.readouterr().out
    assert "weights  softmax: δA = A (Γ M exp(e) − 1)" in out and "float8_e4m3fn" in out
    assert run(["lower", "scaled-dot-product", "--error-bound", "--language", "zh"]) == 0
    assert "误差界" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("node", "step", "rule"),
    [
        (Attention(RotaryEmbedding(Q), RotaryEmbedding(K), V), "Q_rotated", "every operation and function rounded"),
        (Attention(Q, K, V, mask=CausalMask()), "masked", "as before"),
        (Attention(Q, K, V, bias=Alibi(Q.shape[0], K.shape[0], 2)), "distance", "every operation"),
        (OnlineAttention(Q, K, V), "block_t.scores", "as before"),
        (OnlineAttention(Q, K, V), "block_t.accumulated", "sum: "),
        (LinearAttention(Q, K, V), "Q_features", "no bound is derived"),
    ],
    ids=lambda x: x if isinstance(x, str) else type(x).__name__,
)
def test_only_steps_that_change_no_number_are_told_as_before(node, step, rule):
    lines = (line.split(maxsplit=1) for line in bound_lines(unfold(node), None, "en"))
    assert rule in dict(lines)[step]


@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
def test_nothing_is_claimed_of_what_overflows_a_narrow_format():
    one = np.array([[1.0]], np.float16)
    made = lower(Attention(Q, K, V), check=True, outputs=("scores", "output"))(Q=300 * one, K=300 * one, V=one)
    assert made["scores"] == np.inf  # 90,000 is beyond float16's 65,504
