"""Other libraries' arrays: the Array API's strict reference, Dask in blocks, and a cluster whose workers are small."""

import pickle
from contextlib import contextmanager, nullcontext

import array_api_strict
import dask.array
import numpy as np
import pytest
from dask.distributed import Client, LocalCluster
from lowering.references import error
from lowering.symbols import B, K, Q, V
from lowering.test_lowered import cases, heads_by_hand, layer, layer_arrays, numbers
from sympy import MatrixSymbol

from symattn import (
    Attention,
    CausalMask,
    GridBuckets,
    RelativeAttention,
    RelativeBias,
    TurnedBuckets,
    clipped_buckets,
    lower,
)
from symattn.errors import InputError
from symattn.lowering.array_api import library_of

pytestmark = pytest.mark.slow


def arrays(*lead):
    return {name: numbers(*lead, *s) for name, s in (("Q", (9, 16)), ("K", (11, 16)), ("V", (11, 8)))}


def test_every_option_by_the_array_api():
    given = arrays(2, 3)
    q, k, v = given.values()
    for options, more, wanted in cases(9, 11, (2, 3), np.float64):
        strict = {name: array_api_strict.asarray(x) for name, x in (given | more).items()}
        got = lower(Attention(Q, K, V, **options))(**strict)
        assert type(got) is type(strict["Q"])
        assert error(np.asarray(got), q, k, v, **wanted) <= 1e-13


def test_several_heads_by_the_array_api():
    a = layer_arrays(4, 2, (2,))
    f = lower(layer(4, 2, mask=CausalMask(2)), outputs=("output", "weights", "lse"))
    got = f(**{name: array_api_strict.asarray(x) for name, x in a.items()})
    wanted = f(**a)
    for name, value in wanted.items():
        np.testing.assert_allclose(np.asarray(got[name]), value, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("buckets", [clipped_buckets(5), GridBuckets(2, 3), TurnedBuckets(GridBuckets(2, 3))])
def test_relative_positions_by_the_array_api(buckets):
    """Scores from tables of positions, and biases from a table, with their gradients."""
    q, k, v = (MatrixSymbol(x, 6, 4) for x in "QKV")
    tables = {x: MatrixSymbol(f"T_{x}", buckets.count, 4) for x in ("keys", "queries", "values")}
    a = {x: numbers(2, 6, 4) for x in ("Q", "K", "V", "G")}
    a |= {t.name: numbers(buckets.count, 4) for t in tables.values()} | {"t": numbers(buckets.count, 1)}
    bias = RelativeBias(MatrixSymbol("t", buckets.count, 1), 6, 6, buckets)
    for node in (Attention(q, k, v, bias=bias), RelativeAttention(q, k, v, buckets, **tables)):
        f = lower(node, style="plain", gradient=True)
        given = {name: a[name] for name in ("G", *(x.name for x in node.atoms(MatrixSymbol)))}
        wanted = f(**given)
        for name, x in f(**{name: array_api_strict.asarray(x) for name, x in given.items()}).items():
            np.testing.assert_allclose(np.asarray(x), wanted[name], rtol=1e-11, atol=1e-13)


def test_libraries_with_types_of_other_names(monkeypatch):
    """What torch and jax call dtype and ndarray cannot be written with brackets; torch raises errors of its own."""

    def refuse(*_shapes):
        raise RuntimeError

    monkeypatch.setattr(array_api_strict, "dtype", object, raising=False)
    monkeypatch.setattr(array_api_strict, "ndarray", object, raising=False)
    monkeypatch.setattr(array_api_strict, "broadcast_shapes", refuse, raising=False)
    given = arrays(2)
    strict = {name: array_api_strict.asarray(x) for name, x in given.items()}
    for style in ("fast", "plain"):
        f = lower(Attention(Q, K, V), style=style)
        assert error(np.asarray(f(**strict)), *given.values()) <= 1e-13
        assert error(np.asarray(f(*strict.values())), *given.values()) <= 1e-13
    with pytest.raises(ValueError, match=r"leading axes do not broadcast: Q \(2, 9, 16\), K \(3, 11, 16\)"):
        f(**(strict | {"K": array_api_strict.asarray(numbers(3, 11, 16))}))
    made = lower(Attention(Q, K, V), gradient=True)
    G = numbers(2, 9, 8)
    wanted = made(**given, G=G)
    for name, x in made(**strict, G=array_api_strict.asarray(G)).items():
        np.testing.assert_allclose(np.asarray(x), wanted[name], rtol=1e-12, atol=1e-13)


def test_arrays_of_jax_are_of_one_library():
    """Those that are numbers are of a class in jaxlib, those that are traced in jax."""
    traced, numbers_ = (
        type("Array", (), {"__module__": x, "shape": (2, 3)})() for x in ("jax._src.core", "jaxlib._jax")
    )
    assert library_of({"Q": traced, "K": numbers_}) == "jax"


def test_two_libraries_do_not_meet():
    given = arrays()
    with pytest.raises(
        InputError, match=r"K of shape \(11, 16\) is an array of array_api_strict; expected one of numpy"
    ):
        lower(Attention(Q, K, V))(**(given | {"K": array_api_strict.asarray(given["K"])}))


def test_dask_in_blocks():
    given, bias = arrays(4, 6), numbers(6, 9, 11)
    f = lower(Attention(Q, K, V, bias=B, mask=CausalMask()), outputs=("output", "weights", "lse"))
    chunked = {name: dask.array.from_array(x, chunks=(2, 2, 5, 7)) for name, x in given.items()}
    got = f(**chunked, B=dask.array.from_array(bias, chunks=(2, 4, 4)))
    wanted = f(**given, B=bias)
    for name, value in wanted.items():
        assert got[name].shape == value.shape and got[name].numblocks[:2] == (2, 3)
        np.testing.assert_allclose(got[name].compute(scheduler="sync"), value, rtol=1e-13, atol=1e-15)


def test_dask_in_blocks_with_heads():
    a, bias = layer_arrays(4, 2, (6,)), numbers(6, 4, 9, 11)
    chunks = {name: (2, -1, -1) if x.ndim == 3 else -1 for name, x in a.items()}
    given = {name: dask.array.from_array(x, chunks=chunks[name]) for name, x in a.items()}
    f = lower(layer(4, 2, bias=B), outputs=("output", "weights"))
    got = f(**given, B=dask.array.from_array(bias, chunks=(3, 2, 4, 4)))
    np.testing.assert_allclose(
        got["output"].compute(scheduler="sync"), heads_by_hand(a, 4, 2, biases=bias).astype(float), atol=1e-11
    )
    assert got["weights"].shape == (6, 4, 9, 11)


@pytest.mark.parametrize("lead", [(4, 6), (1, 6), (6,), ()])
def test_gradients_by_dask_in_blocks(lead):
    """What is shared by the batch has a gradient that is summed over the blocks."""
    given = arrays(4, 6) | {"K": numbers(*lead, 11, 16), "B": numbers(6, 9, 1)}
    f = lower(Attention(Q, K, V, bias=B, mask=CausalMask()), outputs=("output", "lse"), gradient=True)
    given["G"] = numbers(4, 6, 9, 8)
    chunks = (2, 3, 5, 7)
    got = f(**{name: dask.array.from_array(x, chunks=chunks[4 - x.ndim :]) for name, x in given.items()})
    for name, value in f(**given).items():
        assert got[name].shape == value.shape and got[name].dtype == value.dtype
        np.testing.assert_allclose(got[name].compute(scheduler="sync"), value, rtol=1e-12, atol=1e-13)
    assert got["dQ"].numblocks[:2] == (2, 2)


def test_gradients_of_several_heads_by_dask():
    a = layer_arrays(4, 2, (6,)) | {"B": numbers(6, 4, 9, 11), "G": numbers(6, 9, 12)}
    f = lower(layer(4, 2, bias=B), gradient=True)
    wanted = f(**a)
    given = {name: dask.array.from_array(x, chunks=(2, *x.shape[1:]) if x.ndim > 2 else -1) for name, x in a.items()}
    for name, found in f(**given).items():
        np.testing.assert_allclose(found.compute(scheduler="sync"), wanted[name], rtol=1e-11, atol=1e-11)


@contextmanager
def cluster_of(memory):
    """Two workers of so many MB each."""
    options = {"processes": True, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(n_workers=2, memory_limit=f"{memory}MB", **options) as cluster, Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def small_cluster():
    with cluster_of(256) as client:
        yield client


def test_a_cluster_works_on_more_than_its_memory(small_cluster):
    """Four arrays of 147 MB each, on two workers of 256 MB."""
    shape, chunks = (560, 8, 128, 64), (40, 8, 128, 64)
    f = lower(Attention(Q, K, V, mask=CausalMask()))
    client, random = small_cluster, dask.array.random.default_rng(5)
    q, k, v = (random.random(shape, dtype=np.float32, chunks=chunks) for _ in range(3))
    output = f(q, k, v)
    assert 4 * output.nbytes > 2 * 256e6
    sums, first = client.gather(client.compute([output.sum(axis=(1, 2, 3)), output[0, 0]]))
    q, k, v = client.gather(client.compute([x[0, 0] for x in (q, k, v)]))
    assert sums.shape == (560,) and np.isfinite(sums).all()
    i, j = np.arange(128)[:, None], np.arange(128)
    assert error(first, q, k, v, keep=j <= i) <= 2e-5


@pytest.mark.parametrize(("style", "memory", "batch"), [("fast", 256, 280), ("compiled", 512, 560)])
def test_gradients_on_a_cluster_of_more_than_its_memory(style, memory, batch, small_cluster):
    """Four arrays of 73 MB and four results as large, on two workers of 256 MB; twice that where these load Numba."""
    shape, chunks = (batch, 8, 128, 64), (20, 8, 128, 64)
    f = lower(Attention(Q, K, V, mask=CausalMask()), style=style, gradient=True)
    f(*np.zeros((4, 1, 8, 128, 64), np.float32))  # what is compiled is compiled once here, not once in each worker
    with nullcontext(small_cluster) if memory == 256 else cluster_of(memory) as client:
        random = dask.array.random.default_rng(5)
        given = [random.random(shape, dtype=np.float32, chunks=chunks) for _ in range(4)]
        made = f(*given)
        assert sum(x.nbytes for x in (*given, *made.values())) > 2e6 * memory
        sums = client.gather(client.compute([x.sum(axis=(1, 2, 3)) for x in made.values()]))
        first = client.gather(client.compute([x[-1, 3] for x in (*given, *made.values())]))
    assert all(x.shape == (batch,) and np.isfinite(x).all() for x in sums)
    wanted = lower(Attention(Q, K, V, mask=CausalMask()), style="plain", gradient=True)(*first[:4])
    for x, y in zip(first[4:], wanted.values(), strict=True):
        np.testing.assert_allclose(x, y, rtol=2e-4, atol=2e-5)


def test_a_function_travels():
    f = pickle.loads(pickle.dumps(lower(Attention(Q, K, V, mask=CausalMask()))))
    q, k, v = arrays().values()
    assert error(f(q, k, v), q, k, v, keep=np.arange(11) <= np.arange(9)[:, None]) <= 1e-13
