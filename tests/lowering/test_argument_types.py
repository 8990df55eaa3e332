"""Arguments as NumPy's users give them: lists, integers, mixed types, `out`; and what a function tells of itself."""

import copy
import functools
import inspect
import pickle
import pydoc
import tracemalloc

import numpy as np
import pytest
from lowering.symbols import B, K, M, Q, V, d_k, d_v, m, n
from lowering.test_lowered import layer, numbers
from sympy import MatrixSymbol, symbols

from symattn import Attention, CausalMask, KeepMask, RelativeBias, Stack, lower, t5_buckets
from symattn.errors import InputError

pytestmark = pytest.mark.slow

STYLES = ("fast", "plain", "compiled")
ATTENTION = Attention(Q, K, V)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("gradient", [False, True])
def test_lists_integers_and_booleans_are_doubles(style, gradient):
    f = lower(Attention(Q, K, V, bias=B, mask=KeepMask(M)), style=style, gradient=gradient)
    given = {"Q": [[1, 2], [3, 4]], "K": [[1, 0], [0, 1]], "V": [[True], [False]], "B": [[0, 1], [2, 3]]}
    given |= {"M": [[True, False], [1, 1]]} | ({"G": [[1], [2]]} if gradient else {})
    same = {x: np.array(a, bool if x == "M" else float) for x, a in given.items()}
    found, wanted = f(**given), f(**same)
    for a, b in zip(*([x.values() if gradient else [x]][0] for x in (found, wanted)), strict=True):
        assert a.dtype == np.float64
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("kinds", "wanted"),
    [
        (("f4", "f8", "f4"), "f8"),
        (("f4", "f4", "i8"), "f8"),
        (("f4", "f4", "i1"), "f4"),
        (("f4", "f4", "?"), "f4"),
        (("f2", "f4", "f2"), "f4"),
        (("f2", "f2", "i1"), "f2"),
        (("f2", "f2", "?"), "f2"),
        (("?", "u1", "i4"), "f8"),
        (("f8", "g", "f4"), "g"),
    ],
)
def test_types_are_promoted_as_numpy_does(kinds, wanted, style):
    arrays = [numbers(3, 2, seed=i).astype(kind) for i, kind in enumerate(kinds)]
    got = lower(ATTENTION, style=style)(*arrays)
    assert got.dtype == np.dtype(wanted)
    exact = lower(ATTENTION, style="plain")(*(x.astype(np.float64) for x in arrays))
    np.testing.assert_allclose(got.astype(float), exact, rtol={"f2": 2e-3, "f4": 1e-5}.get(wanted, 1e-12), atol=1e-7)


@pytest.mark.parametrize("style", STYLES)
def test_out_takes_the_results(style):
    q, k, v = numbers(2, 3, 4), numbers(2, 5, 4), numbers(2, 5, 6)
    f, wanted = lower(ATTENTION, style=style), lower(ATTENTION)(q, k, v)
    place = np.full((2, 6, 3), np.nan).swapaxes(1, 2)
    assert f(q, k, v, out=place) is place
    np.testing.assert_allclose(place, wanted)
    small = np.empty((2, 3, 6), np.float32)
    np.testing.assert_allclose(f(q, k, V=v, out=small), wanted, rtol=1e-6)
    both = lower(ATTENTION, style=style, outputs=("output", "lse"))
    places = {"lse": np.empty((2, 3, 1))}
    assert both(q, k, v, out=places) is places
    np.testing.assert_allclose(places["lse"], both(q, k, v)["lse"])


@pytest.mark.parametrize(
    ("out", "message"),
    [
        (np.empty((3, 6)), r"out of output has shape \(3, 6\), expected \(2, 3, 6\)"),
        (np.empty((2, 3, 6), int), "out of output is an array of int64, to which float64 cannot be cast"),
        ([0.0], r"out is list; expected a NumPy array of shape \(2, 3, 6\)"),
        ({"output": np.empty((2, 3, 6))}, "out is dict"),
    ],
)
def test_out_that_cannot_be_used(out, message):
    with pytest.raises(InputError, match=message):
        lower(ATTENTION)(numbers(2, 3, 4), numbers(2, 5, 4), numbers(2, 5, 6), out=out)


def test_a_name_that_is_no_output():
    f = lower(ATTENTION, outputs=("output", "lse"))
    with pytest.raises(InputError, match="out has weights; the outputs are output, lse"):
        f(numbers(3, 4), numbers(5, 4), numbers(5, 6), out={"weights": np.empty((3, 5))})


def test_it_is_a_function_to_pythons_tools():
    f = lower(ATTENTION)
    assert (
        str(inspect.signature(f))
        == "(Q: 'Array', K: 'Array', V: 'Array', *, threads: 'int | None' = None, out=None) -> 'Array'"
    )
    text = pydoc.render_doc(f)
    assert "scores   S = Q*K.T" in text and "V (m, d_v)" in text
    assert "with its source" in type(f).__doc__
    wrapped = functools.wraps(f)(lambda *arrays: f(*arrays))
    assert wrapped.__name__ == "attention" and wrapped.__doc__ == f.__doc__
    q, k, v = numbers(3, 4), numbers(5, 4), numbers(5, 6)
    for g in (pickle.loads(pickle.dumps(f)), copy.copy(f), copy.deepcopy(f), functools.partial(f, threads=1)):
        np.testing.assert_array_equal(g(q, k, v), f(q, k, v))


def test_shapes_and_operations():
    f, g = lower(ATTENTION, outputs=("output", "lse")), lower(ATTENTION, gradient=True)
    assert f.shapes == {"Q": (n, d_k), "K": (m, d_k), "V": (m, d_v), "output": (n, d_v), "lse": (n, 1)}
    assert g.shapes["dK"] == (m, d_k) and g.shapes["G"] == (n, d_v)
    assert f.flops() == 2 * m * n * d_k + 2 * m * n * d_v
    assert f.flops(8, n=16, m=32, d_k=4, d_v=2) == 8 * 2 * 16 * 32 * 6
    assert g.flops(n=1, m=1, d_k=1, d_v=1) == 12  # QKᵀ, AV, AᵀG, GVᵀ, dZ K, dZᵀQ
    with pytest.raises(InputError, match="x"):
        f.flops(x=3)
    heads = lower(layer(4, 2), outputs=("weights",))
    assert heads.shapes["weights"][0] == 4 and len(heads.shapes["weights"]) == 3


@pytest.mark.parametrize("style", STYLES[:2])
@pytest.mark.parametrize("gradient", [False, True])
@pytest.mark.parametrize("mask", [None, CausalMask()])
def test_memory_is_what_a_call_takes(style, gradient, mask):
    f = lower(Attention(Q, K, V, **({"mask": mask} if mask else {})), style=style, gradient=gradient)
    arrays = [numbers(512, 32, seed=i) for i in range(4 if gradient else 3)]
    f(*arrays, threads=1) if style == "fast" else f(*arrays)
    tracemalloc.start()
    f(*arrays, threads=1) if style == "fast" else f(*arrays)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    told = f.memory(n=512, m=512, d_k=32, d_v=32)
    assert peak <= 1.5 * told and told <= 5 * peak  # of blocks it is what they have at most


@pytest.mark.parametrize("bad", ["shape", "read-only"])
def test_nothing_is_written_where_one_place_cannot_take_its_result(bad):
    f = lower(ATTENTION, outputs=("output", "lse"))
    places = {"output": np.zeros((3, 6)), "lse": np.zeros((3, 2 if bad == "shape" else 1))}
    places["lse"].flags.writeable = bad != "read-only"
    with pytest.raises(InputError, match=f"out of lse {'has shape' if bad == 'shape' else 'is read-only'}"):
        f(numbers(3, 4), numbers(5, 4), numbers(5, 6), out=places)
    assert not places["output"].any()


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("lead", [(), (1,), (3, 1)])
def test_a_table_of_positions_may_have_leading_axes_of_its_own(style, lead):
    n, m, d = symbols("n m d")
    Q, K, V, t = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, d), MatrixSymbol("t", 4, 1)
    f = lower(Attention(Q, K, V, bias=RelativeBias(t, n, m, t5_buckets(4, 5))), style=style)
    q, k, v, table = numbers(*lead, 5, 4), numbers(*lead, 5, 4), numbers(*lead, 5, 4), numbers(2, 4, 1)
    whole = np.broadcast_shapes(lead, (2,))
    each = [np.broadcast_to(x, (*whole, *x.shape[-2:])).reshape(-1, *x.shape[-2:]) for x in (q, k, v, table)]
    alone = np.stack([f(*one) for one in zip(*each, strict=True)])
    np.testing.assert_allclose(f(q, k, v, table), alone.reshape(*whole, 5, 4), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("gradient", [False, True])
def test_a_cache_may_be_empty_where_its_letter_may_be_0(style, gradient):
    n, d = symbols("n d", integer=True, positive=True)
    p = symbols("p", integer=True, nonnegative=True)
    new = [MatrixSymbol(x, n, d) for x in "QKV"]
    cached = [MatrixSymbol(f"{x}_c", p, d) for x in "KV"]
    layer = Attention(new[0], *map(Stack, cached, new[1:]), mask=CausalMask(p))
    q, k, v, none = numbers(3, 4), numbers(3, 4), numbers(3, 4), np.zeros((0, 4))
    G = {"G": numbers(3, 4)} if gradient else {}
    found = lower(layer, style=style, gradient=gradient)(Q=q, K_c=none, K=k, V_c=none, V=v, **G)
    alone = lower(Attention(*new, mask=CausalMask()), style=style, gradient=gradient)(q, k, v, **G)
    for name in ("output", "dQ", "dK", "dV") if gradient else ("output",):
        np.testing.assert_allclose(*(x[name] if gradient else x for x in (found, alone)), rtol=1e-12, atol=1e-15)
    assert not gradient or found["dK_c"].shape == (0, 4)
    with pytest.raises(ValueError, match=r"K_c has shape \(0, 4\), expected .* of at least 1"):
        lower(layer.subs(p, symbols("p", positive=True)), style=style)(q, none, k, none, v)
