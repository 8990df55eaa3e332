"""Biases from a table by relative position: T5's buckets, Swin's windows, and the gradients of their tables."""

import numpy as np
import pytest
from sympy import Matrix, MatrixSymbol, symbols

from symattn import Attention, DistanceBuckets, GridBuckets, MultiHead, RelativeBias, derive, differentiate, lower
from symattn.errors import InputError, ShapeError, SymattnError
from symattn.lowering.kernels.variants import by_distance, distance_sums, grid_sums
from symattn.nodes import HEAD, BucketSums, HeadColumns, t5_buckets
from symattn.reading.worksheets.worksheet import parse_worksheet

n, m, d, D = symbols("n m d D", integer=True, positive=True)
Q, K, V, X = (MatrixSymbol(x, *s) for x, s in (("Q", (n, d)), ("K", (m, d)), ("V", (m, d)), ("X", (n, D))))

# key minus query -> bucket of 32 up to 128, as `_relative_position_bucket` of the transformers library (5.23) has them
BOTH = {-1100: 15, -128: 15, -91: 15, -90: 14, -64: 14, -46: 13, -45: 12, -23: 11, -22: 10, -16: 10, -12: 9, -11: 8}
BOTH |= {-8: 8, -7: 7, 0: 0, 1: 17, 7: 23, 8: 24, 12: 25, 64: 30, 90: 30, 91: 31, 128: 31}
CAUSAL = {-1100: 31, -113: 31, -112: 30, -64: 26, -32: 21, -31: 21, -30: 20, -19: 17, -18: 16, -16: 16, 0: 0, 5: 0}


@pytest.mark.parametrize(("both", "known"), [(True, BOTH), (False, CAUSAL)])
def test_buckets_are_those_of_the_library(both, known):
    buckets = t5_buckets(32, both=both)
    assert {distance: buckets.of(0, distance) for distance in known} == known
    assert t5_buckets(32, both=both, offset=9).of(0, 4) == buckets.of(9, 4)


def test_buckets_are_counted_by_numbers_of_any_type():
    assert t5_buckets(np.int64(32), np.int32(128)) == t5_buckets(32) == t5_buckets(32.0)
    for make in (
        lambda: t5_buckets("32"),
        lambda: t5_buckets(32, "x"),
        lambda: t5_buckets(31.5),
        lambda: DistanceBuckets(5),
        lambda: DistanceBuckets(None),
    ):
        with pytest.raises(InputError, match="buckets"):
            make()
    with pytest.raises(InputError, match="offset"):
        DistanceBuckets((1,), False, 1.5)
    with pytest.raises(InputError, match="both"):
        DistanceBuckets((1,), "no")
    assert len(t5_buckets(4000, 10000).args[0]) == 1999


def test_a_window_has_a_number_for_each_pair_of_distances():
    """As in Swin's program: coordinates of all tokens, their differences, moved to begin at 0, rows weighing 2w − 1."""
    h, w = 2, 3
    places = np.stack(np.meshgrid(np.arange(h), np.arange(w), indexing="ij")).reshape(2, -1)
    apart = (places[:, :, None] - places[:, None, :]).transpose(1, 2, 0) + np.array([h - 1, w - 1])
    wanted = apart[..., 0] * (2 * w - 1) + apart[..., 1]
    buckets = GridBuckets(h, w)
    assert [[buckets.of(i, j) for j in range(6)] for i in range(6)] == wanted.tolist() and buckets.count == 15
    t = Matrix(range(15))
    np.testing.assert_array_equal(np.array(RelativeBias(t, 6, 6, buckets).as_explicit().tolist(), int), wanted)


def test_entries_in_letters_are_those_of_numbers():
    for buckets, size in ((t5_buckets(8, 6, offset=1), 5), (t5_buckets(4, 5, both=False), 5), (GridBuckets(2, 2), 4)):
        t = MatrixSymbol("t", buckets.count, 1)
        node = RelativeBias(t, size, size, buckets)
        i, j = symbols("i j", integer=True, nonnegative=True)
        written = node._entry(i, j)
        for a, b in np.ndindex(size, size):
            assert written.subs({i: a, j: b}).doit() == node[a, b] == t[buckets.of(a, b), 0]


@pytest.mark.parametrize("style", ["plain", "fast", "compiled"])
@pytest.mark.parametrize(
    "buckets",
    [t5_buckets(8, 6), t5_buckets(8, 20, both=False, offset=2), DistanceBuckets((2,), True), GridBuckets(2, 3)],
)
def test_the_table_has_the_sums_of_its_buckets_as_gradient(buckets, style):
    """dS = A ∘ (dA − rowsum(A ∘ dA)) with dA = G Vᵀ, head by head, summed over the batch and over every bucket."""
    rng, tokens, heads, width = np.random.default_rng(0), 6, 2, 3
    table = MatrixSymbol("T", buckets.count, heads)
    bias = RelativeBias(HeadColumns(table, HEAD, heads), 6, 6, buckets)
    W = {w: MatrixSymbol(w, 4, heads * width) for w in ("W_Q", "W_K", "W_V")}
    layer = MultiHead(MatrixSymbol("X", 6, 4), heads=heads, **W, bias=bias)
    a = {x.name: rng.standard_normal(x.shape) for x in W.values()}
    x, T, G = (rng.standard_normal(s) for s in ((2, tokens, 4), (buckets.count, heads), (2, tokens, heads * width)))
    found = lower(layer, style=style, gradient=True)(X=x, T=T, G=G, **a)
    places = np.array([[buckets.of(i, j) for j in range(tokens)] for i in range(tokens)])
    dT = np.zeros_like(T)
    for b in range(2):
        for h in range(heads):
            own = slice(h * width, (h + 1) * width)
            q, k, v = (x[b] @ a[w][:, own] for w in W)
            E = np.exp(q @ k.T / np.sqrt(width) + T[places, h])
            A = E / E.sum(axis=1, keepdims=True)
            np.testing.assert_allclose(found["output"][b, :, own], A @ v, rtol=1e-11, atol=1e-13)
            dA = G[b, :, own] @ v.T
            np.add.at(dT[:, h], places, A * (dA - (A * dA).sum(axis=1, keepdims=True)))
    np.testing.assert_allclose(found["dT"], dT, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize(("rows", "columns"), [(5, 7), (7, 4), (1, 6), (6, 1), (0, 3)])
@pytest.mark.parametrize("options", [((1, 3), True, 0), ((2,), False, 2), ((1, 2, 4), True, -3)])
def test_numbers_stand_at_their_distances_and_are_summed_over_them(rows, columns, options):
    rng, buckets = np.random.default_rng(1), DistanceBuckets(*options)
    places = np.array([[buckets.of(i, j) for j in range(columns)] for i in range(rows)], int).reshape(rows, columns)
    t, G = rng.standard_normal((2, buckets.count, 1)), rng.standard_normal((2, 3, rows, columns))
    np.testing.assert_array_equal(by_distance(t, rows, columns, *options), t[..., 0][:, places])
    wanted = np.stack([(G * (places == b)).sum(axis=(-2, -1)) for b in range(buckets.count)], axis=-1)
    np.testing.assert_allclose(distance_sums(G, buckets.count, *options)[..., 0], wanted, atol=1e-13)


@pytest.mark.parametrize(("height", "width"), [(2, 3), (3, 2), (1, 4), (4, 1)])
def test_sums_over_the_distances_in_a_window(height, width):
    buckets, G = GridBuckets(height, width), np.random.default_rng(2).standard_normal((2, 3, 4 * 3, 4 * 3))
    G = G[..., : height * width, : height * width]
    places = np.array([[buckets.of(i, j) for j in range(height * width)] for i in range(height * width)])
    wanted = np.stack([(G * (places == b)).sum(axis=(-2, -1)) for b in range(buckets.count)], axis=-1)
    np.testing.assert_allclose(grid_sums(G, height, width)[..., 0], wanted, atol=1e-13)


def test_gradients_of_the_table_are_exact_to_every_digit():
    """With equal scores the weights are 1/2: dS = ±1/4 (v_1 − v_2) g, at distances 0, 1 and −1."""
    t = MatrixSymbol("t", 4, 1)
    made = derive(
        Attention(Q, K, V, bias=RelativeBias(t, n, m, DistanceBuckets((1,), True))),
        {Q: [[0], [0]], K: [[1], [1]], V: [[1], [3]], t: [[0], [0], [7], [0]]},
    )
    back = differentiate(made, G=[[1], [2]])
    assert back["dt"].exact == Matrix([["1/2"], [-1], [0], ["1/2"]])
    S = MatrixSymbol("S", 2, 2)
    sums = derive(BucketSums(S, DistanceBuckets((1,), True)), {S: [[1, 2], [3, 4]]})
    back = differentiate(sums, G=[[5], [6], [7], [8]])  # every place takes the number of its bucket
    assert back["dS"].exact == Matrix([[5, 8], [6, 5]])


@pytest.mark.parametrize("style", ["plain", "fast", "compiled"])
def test_arrays_have_the_sizes_that_are_numbers(style):
    """A window is no window of more or fewer tokens, and a table has a row for each bucket."""
    q, k, v, t = MatrixSymbol("Q", 4, d), MatrixSymbol("K", 4, d), MatrixSymbol("V", 4, D), MatrixSymbol("t", 9, 1)
    f = lower(Attention(q, k, v, bias=RelativeBias(t, 4, 4, GridBuckets(2, 2))), style=style)
    table = np.arange(9.0)[:, None]
    assert f(np.zeros((4, 2)), np.zeros((4, 2)), np.eye(4, 3), t=table).shape == (4, 3)
    for rows in (1, 5, 300):
        with pytest.raises(ValueError, match=rf"Q has shape \({rows}, 2\), expected \(\.\.\., 4, d\)"):
            f(np.zeros((rows, 2)), np.zeros((rows, 2)), np.eye(rows, 3), t=table)
    for rows in (1, 8, 20):
        with pytest.raises(ValueError, match=rf"t has shape \({rows}, 1\), expected \(\.\.\., 9, 1\)"):
            f(np.zeros((4, 2)), np.zeros((4, 2)), np.eye(4, 3), t=np.zeros((rows, 1)))


def test_worksheets_have_tables_for_heads():
    sheet = """[inputs]
X = [[1, 0], [0, 1]]
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 0], [0, 1]]
W_V = [[1, 0], [0, 1]]
[attention]
heads = 2
relative = { table = [[0, 1], [1, 0], [2, 1], [3, 1]], distance = 4 }
"""
    layer = parse_worksheet(sheet).expression
    assert layer.bias.args[0] == HeadColumns(MatrixSymbol("t", 4, 2), HEAD, 2)
    for old, new, message in (
        ("distance = 4", "distance = 1", "4 buckets for distances up to 1"),
        ("distance = 4", "far = 4", "a relative bias is"),
        ("distance = 4", "distance = 4, window = [1, 2]", "a relative bias is"),
        ("distance = 4", "window = [1, 2]", "rows"),
        ("[3, 1]]", "[3, 1], [0, 0]]", "5 buckets"),
        ("relative =", "bias = [[0, 1], [1, 0]]\nrelative =", "bias"),
    ):
        with pytest.raises(SymattnError, match=message):
            parse_worksheet(sheet.replace(old, new))


def test_what_is_refused():
    with pytest.raises(ShapeError, match="the number of buckets"):
        RelativeBias(MatrixSymbol("t", 5, 1), n, n, t5_buckets(8))
    with pytest.raises(ShapeError, match="the tokens of the window"):
        RelativeBias(MatrixSymbol("t", 9, 1), 5, 4, GridBuckets(2, 2))
    for make in (
        lambda: t5_buckets(2),
        lambda: t5_buckets(7),
        lambda: DistanceBuckets((2, 1)),
        lambda: DistanceBuckets((0,), both=True),
        lambda: GridBuckets(0, 2),
        lambda: RelativeBias(MatrixSymbol("t", 4, 1), n, n, "t5"),
    ):
        with pytest.raises(InputError):
            make()


@pytest.mark.parametrize("notation", ["vaswani", "prince"])
def test_the_sentence_names_query_and_key(notation):
    t = MatrixSymbol("t", 2, 1)
    made = derive(Attention(Q, K, V, bias=RelativeBias(t, n, m, DistanceBuckets((1,), offset=1))))
    said = made.to_markdown(notation=notation)
    assert "The score of query $i$ and key $j$" in said and "distance $1 + i - j$" in said


def test_entries_are_written_by_their_buckets():
    t, q, k, v = (MatrixSymbol(x, *shape) for x, shape in (("t", (3, 1)), ("Q", (2, 1)), ("K", (2, 1)), ("V", (2, 1))))
    values = {q: [[0], [0]], k: [[1], [1]], v: [[1], [3]], t: [[5], [6], [7]]}
    made = derive(Attention(q, k, v, bias=RelativeBias(t, 2, 2, GridBuckets(1, 2))), values, level="index")
    for notation, of_letters, of_numbers in (
        ("vaswani", "B_{ij}\n= t_{b}", "B_{22} = t_{2} = 6"),
        ({"first_index": 0}, "B_{ij}\n= t_{b}", "B_{11} = t_{1} = 6"),
        ("prince", "B_{ji}\n= t_{b}", "B_{22} = t_{2} = 6"),
    ):
        said = made.to_markdown(notation=notation)
        assert of_letters in said and of_numbers in said
