"""Compiled loops: where they hand over to the fast style, their threads, their exponential, and what they need."""

import subprocess
import sys

import mpmath
import numpy as np
import pytest
from lowering.references import TOLERANCE, attention, error
from lowering.symbols import B, K, M, Q, V
from lowering.test_lowered import numbers

from symattn import Attention, CausalMask, KeepMask, WindowMask, lower
from symattn.errors import NotSupportedError
from symattn.lowering import execution
from symattn.lowering.compiled import attention as loops
from symattn.lowering.compiled.vectors import _SERIES

LONG = {np.float32: 1e-6, np.float64: 3e-15}


def arrays(n, m, lead=(), dtype=np.float64, d=16, e=8):
    return [numbers(*lead, a, b, dtype=dtype, seed=s) for s, (a, b) in enumerate(((n, d), (m, d), (m, e)))]


@pytest.mark.parametrize(("bits", "most"), [(32, 6e-9), (64, 2e-17)])
def test_the_polynomial_is_a_power_of_two(bits, most):
    context = mpmath.MPContext()
    context.dps = 30
    for x in (context.mpf(k) / 200 for k in range(-100, 101)):
        assert abs(context.polyval(_SERIES[bits][::-1], x) / 2**x - 1) < most


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_weights_are_as_right_as_their_logits_over_the_whole_range_of_exponents(dtype):
    """log2(e), a query times it, and its product with a key are rounded: 3 |z| u, beside a few u of 2^x and the sum."""
    z = np.linspace(0, -80 if dtype == np.float32 else -700, 4001).astype(dtype)
    got = lower(Attention(Q, K, V, scale=1), style="compiled")(
        np.ones((1, 1), dtype), z[:, None], np.eye(4001, dtype=dtype)
    )
    exact = np.exp(z.astype(np.longdouble))
    wrong = np.abs(got[0] / (exact / exact.sum()) - 1)
    assert (wrong < (3 * np.abs(z) + 6) * np.finfo(dtype).eps / 2).all()


def test_other_numbers_of_heads_keys_and_columns_than_vectors_have():
    for n, m, d, e in ((1, 1, 1, 1), (47, 129, 3, 5), (49, 127, 17, 33), (97, 300, 65, 1)):
        q, k, v = arrays(n, m, (3,), np.float32, d, e)
        for options, keep in (({}, None), ({"mask": WindowMask(5, 2)}, window(n, m, 5, 2))):
            got = lower(Attention(Q, K, V, **options), style="compiled")(q, k, v)
            assert error(got, q, k, v, keep=keep) < TOLERANCE[got.dtype]


def window(n, m, left, right):
    i, j = np.arange(n)[:, None], np.arange(m)
    return (j >= i - left) & (j <= i + right)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda q, k, v: k.__setitem__((3, 0), np.nan),
        lambda q, k, v: v.__setitem__((2, 1), np.inf),
        lambda q, k, v: q.__imul__(1e308),
    ],
)
def test_what_is_not_finite_or_overflows_is_as_in_the_fast_style(spoil):
    q, k, v = arrays(40, 50)
    k *= 1e150
    q *= 1e-150
    spoil(q, k, v)
    for options in ({}, {"mask": CausalMask()}):
        fast, compiled = (lower(Attention(Q, K, V, **options), style=s)(q, k, v) for s in ("fast", "compiled"))
        np.testing.assert_array_equal(compiled, fast)


@pytest.mark.parametrize("empty", ["zero", "nan", "uniform"])
def test_rows_that_see_nothing_are_as_in_the_fast_style(empty):
    q, k, v = arrays(5, 7)
    keep = np.ones((5, 7), bool)
    keep[2] = False
    f = (
        lower(Attention(Q, K, V, mask=KeepMask(M), empty_row=empty), style=s)(q, k, v, keep)
        for s in ("fast", "compiled")
    )
    np.testing.assert_array_equal(*f)


@pytest.mark.slow
@pytest.mark.parametrize("gradient", [False, True])
@pytest.mark.parametrize("lead", [(), (3,), (2, 4)])
def test_any_number_of_threads_gives_the_same(lead, gradient):
    q, k, v = arrays(300, 200, lead)
    f = lower(Attention(Q, K, V, mask=CausalMask(), bias=B), style="compiled", gradient=gradient)
    given = [q, k, v, numbers(300, 200), *([numbers(*lead, 300, 8, seed=9)] if gradient else [])]
    one = f(*given, threads=1)
    for threads in (2, 5):
        more = f(*given, threads=threads)
        for name in one if gradient else [()]:
            np.testing.assert_allclose(more[name], one[name], rtol=1e-12, atol=1e-13)


def test_long_keys_share_pieces_and_agree_with_whole_rows(monkeypatch):
    q, k, v = arrays(200, 400, (2,))
    given = [q, k, v, numbers(2, 200, 8, seed=5)]
    f = lower(Attention(Q, K, V, mask=WindowMask(150, 20), sink=1), style="compiled", gradient=True)
    whole = f(*given)
    monkeypatch.setattr(loops, "CACHED", 0)
    for name, shared in f(*given).items():
        np.testing.assert_allclose(shared, whole[name], rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_errors_are_a_few_units_of_the_last_place(dtype):
    q, k, v = arrays(256, 512, (2,), dtype, 64, 64)
    got = lower(Attention(Q, K, V), style="compiled")(q, k, v)
    assert np.abs(got - attention(q, k, v)[0]).max() < LONG[dtype]


def test_auto_is_compiled_where_the_work_is_worth_it(monkeypatch):
    called = []
    monkeypatch.setattr(
        loops, "attend_compiled", lambda *a, **o: called.append(1) or loops.fast.attend(*a[:5], logs=False, threads=1)
    )
    f = lower(Attention(Q, K, V), style="auto")
    f(*arrays(4, 4))
    assert called == []
    f(*arrays(600, 600))
    assert called == [1]


def test_small_calls_alike_find_their_plan(monkeypatch):
    made = []
    monkeypatch.setattr(loops, "Call", lambda *a, Call=loops.Call: made.append(a) or Call(*a))
    full, causal = (lower(Attention(Q, K, V, mask=mask), style="compiled") for mask in (None, CausalMask()))
    for n, lead, dtype in ((4, (), np.float32), (4, (2, 3), np.float64), (9, (), np.float32)):
        q, k, v = arrays(n, 9, lead, dtype)
        for f, keep in ((full, None), (causal, window(n, 9, 9, 0)), (full, None), (causal, window(n, 9, 9, 0))):
            assert error(f(q, k, v), q, k, v, keep=keep) < TOLERANCE[q.dtype]
        assert len(made) == 2
        made.clear()


def test_a_plan_that_is_found_does_not_decide_what_is_no_number_or_no_plain_array():
    q, k, v = arrays(4, 9)
    f = lower(Attention(Q, K, V), style="compiled")
    wanted = f(q, k, v)
    np.testing.assert_array_equal(f(q.tolist(), k, v), wanted)
    np.testing.assert_array_equal(f(np.asfortranarray(q), k.view(np.matrix), v), wanted)
    for bad in (np.nan, np.inf, 1e200):
        q[1, 1] = bad
        np.testing.assert_allclose(f(q, k, v), lower(Attention(Q, K, V), style="fast")(q, k, v), rtol=1e-12)
    with pytest.raises(ValueError, match="V has shape"):
        f(q, k, v[:8])


def test_without_numba_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setattr(execution, "import_module", lambda _: (_ for _ in ()).throw(ImportError()))
    with pytest.raises(NotSupportedError, match=r'numba: pip install "symattn\[compiled\]"'):
        lower(Attention(Q, K, V), style="compiled")


def test_read_only_arrays_and_slices_are_taken():
    q, k, v = arrays(20, 30)
    f = lower(Attention(Q, K, V), style="compiled")
    wanted = f(q, k, v)
    q.flags.writeable = False
    k2 = np.zeros((30, 32))[:, ::2]
    k2[...] = k
    np.testing.assert_array_equal(f(q, k2, v), wanted)


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_is_none(tmp_path):
    code = (
        "import numba.core.caching as c\n"
        "c.CacheImpl._locator_classes = []\n"
        "from symattn.lowering.compiled.compiler import compiled\n"
        "assert compiled(lambda x: x + 1)(2.0) == 3\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)
