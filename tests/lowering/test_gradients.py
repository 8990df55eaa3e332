"""Lowered gradients: against central differences of the lowered forward pass, and certified values."""

from functools import cache, partial
from itertools import chain

import numpy as np
import pytest
from sympy import Lambda, MatrixSymbol, Piecewise, Rational, Tuple, exp, oo, symbols

from symattn import Attention, MultiHead, derive, differentiate, lower
from symattn.errors import InputError
from symattn.nodes import (
    HEAD,
    Alibi,
    BahdanauAttention,
    CausalMask,
    FiniteMask,
    HideMask,
    KeepMask,
    LinearAttention,
    LuongAttention,
    OnlineAttention,
    PaddingMask,
    WindowMask,
)
from tests.lowering.symbols import B, D, K, M, Q, V, d_k, d_v, m, n

RNG = partial(np.random.default_rng, 7)
STEP = 1e-3  # five points: an error of order STEP⁴ and u/STEP, some 1e-12 both
z, i, j = symbols("z i j")
SIZES = {n: 3, m: 4, d_k: 2, d_v: 5, D: 6}
X, Z = MatrixSymbol("X", n, 8), MatrixSymbol("Z", m, 8)
W_Q, W_O = MatrixSymbol("W_Q", 8, 8), MatrixSymbol("W_O", 8, 6)
W_K, W_V = MatrixSymbol("W_K", 8, 4), MatrixSymbol("W_V", 8, 4)
GROUPED = {"heads": 4, "kv_heads": 2, "W_Q": W_Q, "W_K": W_K, "W_V": W_V}
EIGHT = {"heads": 4, "W_Q": W_Q, "W_K": MatrixSymbol("W_K", 8, 8), "W_V": MatrixSymbol("W_V", 8, 8)}
ONE = GROUPED | {"kv_heads": 1, "W_K": MatrixSymbol("W_K", 8, 2), "W_V": MatrixSymbol("W_V", 8, 2)}
WIDTHS = {"b_Q": 8, "b_K": 4, "b_V": 4, "b_O": 6}
BIASES = {"W_O": W_O} | {name: MatrixSymbol(name, 1, width) for name, width in WIDTHS.items()}
UNITS = [MatrixSymbol(x, *s) for x, s in zip("WUv", ((d_k, 7), (d_k, 7), (7, 1)), strict=True)]
KEEP = np.array([[1, 0, 1, 0], [0, 0, 0, 0], [1, 1, 1, 1]], dtype=bool)  # a row that may look nowhere

CASES = {
    "plain": (Attention(Q, K, V), {}),
    "causal": (Attention(Q, K, V, mask=CausalMask()), {}),
    "window": (Attention(Q, K, V, mask=WindowMask(1, 0)), {}),
    "bias": (Attention(Q, K, V, bias=B), {}),
    "bias, one row": (Attention(Q, K, V, bias=B), {"B": (1, 4)}),
    "bias, one column": (Attention(Q, K, V, bias=B), {"B": (2, 3, 1), "Q": (2, 3, 2)}),
    "softcap": (Attention(Q, K, V, softcap=2, scale=3), {}),
    "all": (Attention(Q, K, V, softcap=2, scale=Rational(1, 2), bias=B, mask=CausalMask()), {}),
    "keep": (Attention(Q, K, V, mask=KeepMask(M)), {}),
    "hide": (Attention(Q, K, V, mask=HideMask(M)), {}),
    "additive scores": (BahdanauAttention(Q, K, V, *UNITS, mask=CausalMask(1)), {"Q": (2, 3, 2), "U": (2, 1, 2, 7)}),
    "keys two at a time": (OnlineAttention(Q, K, V, block=2, mask=CausalMask(1), softcap=2), {"Q": (2, 3, 2)}),
    "token by token": (LinearAttention(X, X, MatrixSymbol("Y", n, d_v), exp(z), causal=True), {"Y": (2, 3, 5)}),
    "uniform rows": (Attention(Q, K, V, mask=KeepMask(M), empty_row="uniform"), {"Q": (2, 3, 2)}),
    "sink": (Attention(Q, K, V, sink=MatrixSymbol("s", 1, 1)), {}),
    "sink and mask": (Attention(Q, K, V, sink=MatrixSymbol("s", 1, 1), mask=CausalMask(), bias=B), {"s": (2, 1, 1)}),
    "softmax off by one": (Attention(Q, K, V, sink=0), {}),
    "finite": (Attention(Q, K, V, mask=FiniteMask(CausalMask(), -3)), {}),
    "finite, kept": (Attention(Q, K, V, mask=FiniteMask((KeepMask(M), WindowMask(2, 1), PaddingMask(3)), -2)), {}),
    "finite, hidden": (Attention(Q, K, V, mask=FiniteMask((HideMask(M), PaddingMask(Tuple(1, 4))), -2)), {}),
    "formula": (Attention(Q, K, V, score_mod=Lambda((z, i, j), z + z**2 / (9 + i + j))), {}),
    "formula that hides": (
        Attention(Q, K, V, score_mod=Lambda((z, i, j), Piecewise((z / 2, j < i + 2), (-oo, True)))),
        {},
    ),
    "a matrix between": (LuongAttention(Q, K, V, MatrixSymbol("W", d_k, d_k)), {}),
    "self": (Attention(Q, Q, Q), {}),
    "batch": (Attention(Q, K, V, bias=B), {"Q": (2, 3, 3, 2), "K": (3, 4, 2), "V": (1, 1, 4, 5)}),
    "batch of the values": (Attention(Q, K, V, bias=B), {"V": (2, 4, 5)}),
    "batch of the bias": (Attention(Q, K, V, bias=B, mask=KeepMask(M)), {"B": (2, 3, 4)}),
    "heads": (MultiHead(X, **EIGHT), {}),
    "heads, biases": (MultiHead(X, Z, **GROUPED, **BIASES, mask=CausalMask()), {"X": (2, 3, 8), "Z": (2, 4, 8)}),
    "heads, one batch": (MultiHead(X, Z, **GROUPED, **BIASES), {"X": (2, 2, 3, 8)}),
    "heads, bias": (MultiHead(X, Z, **GROUPED, **BIASES, bias=B, softcap=3), {"X": (2, 3, 8)}),
    "heads, own bias": (MultiHead(X, Z, **GROUPED, bias=B), {"B": (4, 3, 4)}),
    "heads, own bias, batch": (MultiHead(X, Z, **GROUPED, bias=B), {"X": (2, 3, 8), "B": (1, 4, 1, 4)}),
    "heads, batch bias": (MultiHead(X, Z, **GROUPED, bias=B), {"X": (2, 3, 8), "B": (2, 1, 3, 4)}),
    "heads, batch of weights": (MultiHead(X, Z, **GROUPED, **BIASES), {"X": (3, 3, 8), "W_Q": (3, 8, 8)}),
    "heads, keep": (MultiHead(X, Z, **GROUPED, **BIASES, mask=KeepMask(M)), {}),
    "one key/value head": (MultiHead(X, **ONE, W_O=W_O), {"X": (2, 3, 8)}),
    "by distance": (MultiHead(X, **EIGHT, bias=Alibi(n, n, 2 ** (-HEAD))), {}),
    "grouped sinks": (MultiHead(X, **GROUPED, sink=MatrixSymbol("s", 1, 4), mask=CausalMask()), {"X": (2, 3, 8)}),
    "sinks": (MultiHead(X, **EIGHT, sink=MatrixSymbol("s", 1, 4)), {"X": (2, 3, 8)}),
    "rotary": (MultiHead(X, Z, **EIGHT, rotary=True), {"X": (2, 3, 8)}),
    "norms": (MultiHead(X, Z, **EIGHT, qk_norm="rms"), {"X": (2, 3, 8)}),
    "tuple of biases": (
        MultiHead(X, Z, **EIGHT, bias=tuple(MatrixSymbol(f"B{k}", n, m) for k in range(4))),
        {"X": (2, 3, 8)},
    ),
}


def drawn(program, shapes):
    """Numbers for every input but G."""
    rng = RNG()
    inputs = [s for s in program.inputs if s.name != "G"]
    sizes = {s.name: shapes.get(s.name, tuple(int(x.subs(SIZES)) for x in s.shape)) for s in inputs}
    return {name: KEEP if name == "M" else rng.normal(size=shape) for name, shape in sizes.items()}


def directions(shape):
    """Two directions of length 1 through all entries, none of which is near 0 in the first."""
    found = np.where(RNG().random(shape) < 0.5, -1, 1) * RNG().uniform(0.5, 1, shape), RNG().normal(size=shape)
    return [along / np.linalg.norm(along) for along in found]


def differences(forward, arrays, name, G):
    """Σ G ∘ output differentiated along directions through all entries of an argument at once."""
    found = []
    for along in directions(arrays[name].shape):
        moved = [arrays | {name: arrays[name] + k * STEP * along} for k in (-2, -1, 1, 2)]
        ends = [np.sum(G * forward(**given)) for given in moved]
        found.append(np.dot((1, -8, 8, -1), ends) / (12 * STEP))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("style", ["fast", "plain", "compiled"])
@pytest.mark.parametrize("case", CASES)
def test_gradients_are_differences(case, style):
    arrays, output, G, gradients = by_differences(case)
    made = lower(CASES[case][0], gradient=True, style=style)(**arrays, G=G)
    np.testing.assert_allclose(made["output"], output, rtol=0, atol=0 if style == "plain" else 1e-13)
    assert set(made) == {"output", *(f"d{name}" for name in gradients)}
    for name, right in gradients.items():
        assert made[f"d{name}"].shape == arrays[name].shape
        slopes = [np.sum(made[f"d{name}"] * along) for along in directions(arrays[name].shape)]
        np.testing.assert_allclose(slopes, right, rtol=1e-8, atol=1e-9, err_msg=name)


@cache
def by_differences(case):
    """A case's inputs, its output, what arrives at that, and the differences: the same for every style."""
    expression, shapes = CASES[case]
    forward = lower(expression, style="plain")
    arrays = drawn(lower(expression, gradient=True, style="plain").program, shapes)
    output = forward(**arrays)
    G = RNG().normal(size=output.shape)
    return arrays, output, G, {name: differences(forward, arrays, name, G) for name in arrays if name != "M"}


def drawn_large(program, shapes):
    """Numbers for more rows and keys than a block has; a row may look nowhere."""
    rng, sizes, found = RNG(), SIZES | {n: 150, m: 270, X.shape[0]: 150}, {}
    for s in program.inputs:
        whole = tuple(int(x.subs(sizes)) for x in s.shape)
        *lead, rows, columns = shapes.get(s.name, whole)
        shape = (*lead, *(a if a == 1 else b for a, b in zip((rows, columns), whole, strict=True)))
        found[s.name] = rng.random(shape) < 0.7 if s.name == "M" else rng.normal(size=shape)
    if "M" in found:
        found["M"][1] = False
    return {name: x for name, x in found.items() if name != "G"}


@pytest.mark.slow
@pytest.mark.parametrize(("size", "allowed"), [(1, 1e-11), (30, 1e-9)])
@pytest.mark.parametrize("case", CASES)
def test_blocks_give_the_gradients_of_plain_lines(case, size, allowed):
    expression, shapes = CASES[case]
    plain, fast = (lower(expression, gradient=True, style=style) for style in ("plain", "fast"))
    arrays = drawn_large(plain.program, shapes)
    first = next(iter(arrays))
    arrays[first] = arrays[first] * size  # scores beyond what exponentials are taken of as they are
    G = RNG().normal(size=lower(expression, style="plain")(**arrays).shape)
    wanted = plain(**arrays, G=G)
    for threads in (1, 3):
        for name, found in fast(**arrays, G=G, threads=threads).items():
            scale = max(1, np.abs(wanted[name]).max())  # that by a bias of keys is 0
            np.testing.assert_allclose(found, wanted[name], rtol=0, atol=allowed * scale, err_msg=name)


def test_products_that_overflow_are_computed_in_a_wider_type():
    plain, fast = (lower(Attention(Q, K, V, bias=B), gradient=True, style=style) for style in ("plain", "fast"))
    arrays = drawn_large(plain.program, {})
    arrays["Q"] *= 1e20
    arrays["K"] *= 1e20
    G = RNG().normal(size=(150, 5))
    wanted = plain(**arrays, G=G)
    single = {name: x.astype(np.float32) for name, x in arrays.items()}
    for name, found in fast(**single, G=G.astype(np.float32)).items():
        assert found.dtype == np.float32 and np.isfinite(found).all()
        np.testing.assert_allclose(found, wanted[name], rtol=1e-4, atol=1e-4 * np.abs(wanted[name]).max())


@pytest.mark.slow
@pytest.mark.parametrize("case", ["all", "heads, biases", "tuple of biases"])
def test_gradients_are_certified(case):
    expression = CASES[case][0]
    function = lower(expression, gradient=True)
    rng = RNG()
    exact = {s: rng.integers(-1, 2, [int(x.subs(SIZES)) for x in s.shape]) for s in function.program.inputs}
    G = next(rows for s, rows in exact.items() if s.name == "G")
    d = derive(expression, {s: rows.tolist() for s, rows in exact.items() if s.name != "G"})
    back = differentiate(d, G=G.tolist())
    made = function(*(rows.astype(float) for rows in exact.values()))
    for name, found in made.items():
        step = d.steps[-1].name if name == "output" else name
        values = np.array(back[step].evaluate(digits=20).tolist(), dtype=float)
        np.testing.assert_allclose(found, values, rtol=1e-11, atol=1e-12, err_msg=name)


def test_a_row_that_sees_nothing_has_no_gradient():
    f = lower(Attention(Q, K, V, mask=KeepMask(M), bias=B), gradient=True)
    arrays = drawn(f.program, {})
    arrays["B"][2] = -np.inf
    made = f(**arrays, G=RNG().normal(size=(3, 5)))
    assert not made["dQ"][1:].any() and not made["dB"][1:].any()
    assert all(np.isfinite(x).all() for x in made.values())
    floats = f(**(arrays | {"M": KEEP.astype(float)}), G=RNG().normal(size=(3, 5)))
    assert all(np.array_equal(made[name], floats[name]) for name in made)


def test_outputs_types_and_positions():
    f = lower(Attention(Q, K, V), outputs=("weights", "lse"), gradient=True)
    arrays = [x.astype(np.float32) for x in drawn(f.program, {}).values()]
    G = np.ones((3, 5), np.float32)
    made = f(*arrays, G)
    assert list(made) == ["weights", "lse", "dQ", "dK", "dV"]
    assert {x.dtype for x in made.values()} == {np.dtype(np.float32)}
    halves = f(*(x.astype(np.float16) for x in [*arrays, G]))
    assert {x.dtype for x in halves.values()} == {np.dtype(np.float16)}


def test_the_source_stands_alone():
    f = lower(MultiHead(X, Z, **GROUPED, **BIASES), gradient=True)
    arrays = drawn(f.program, {"X": (2, 3, 8)})
    space = {}
    exec(f.source, space)
    G = RNG().normal(size=(2, 3, 6))
    made, alone = f(**arrays, G=G), space["attention"](**arrays, G=G)
    assert all(np.array_equal(made[name], alone[name]) for name in chain(made, alone))


def test_g_is_of_the_outputs_shape():
    f = lower(Attention(Q, K, V), gradient=True)
    arrays = drawn(f.program, {"Q": (2, 3, 2)})
    with pytest.raises(ValueError, match=r"G has shape \(3, 5\), expected \(2, 3, 5\)"):
        f(**arrays, G=np.ones((3, 5)))
    with pytest.raises(InputError, match="G"):
        f(**arrays)


def test_any_number_of_heads():
    h, k = symbols("h k", integer=True, positive=True)
    W = {f"W_{x}": MatrixSymbol(f"W_{x}", 8, h * k) for x in "QKV"}
    free = lower(MultiHead(X, heads=h, **W), gradient=True)
    fixed = lower(MultiHead(X, heads=4, **{name: MatrixSymbol(name, 8, 8) for name in W}), gradient=True)
    arrays = drawn(fixed.program, {"X": (2, 3, 8)})
    G = RNG().normal(size=(2, 3, 8))
    for sizes in ({"h": 4, "k": 2}, {"h": 4}):
        made = free(**arrays, G=G, **sizes)
        for name, expected in fixed(**arrays, G=G).items():
            np.testing.assert_allclose(made[name], expected, rtol=1e-12, atol=1e-13)
    with pytest.raises(ValueError, match="k"):
        free(**arrays, G=G, h=4, k=3)


@pytest.mark.parametrize("name", ["a matrix between", "keys two at a time"])
def test_gradients_of_other_scores_are_of_blocks_too(name):
    W = MatrixSymbol("W", d_k, d_k)
    made = {
        "a matrix between": LuongAttention(Q, K, V, W, softcap=3),
        "keys two at a time": OnlineAttention(Q, K, V, block=2),
    }
    fast, plain = (lower(made[name], gradient=True, style=style) for style in ("fast", "plain"))
    assert "attend_back(" in fast.module.own and "attend_back(" not in plain.module.own
    arrays = {
        x: RNG().standard_normal(s)
        for x, s in zip("QKVGW", ((2, 9, 4), (8, 4), (2, 8, 5), (2, 9, 5), (4, 4)), strict=True)
    }
    arrays = {x: arrays[x] for x in fast.module.arguments}
    found, wanted = fast(**arrays), plain(**arrays)
    for x in wanted:
        np.testing.assert_allclose(found[x], wanted[x], rtol=1e-10, atol=1e-12)
