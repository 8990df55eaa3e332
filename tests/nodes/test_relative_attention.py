"""Scores that depend on relative position and on the query or the key: Shaw, Transformer-XL, DeBERTa."""

from functools import cache

import numpy as np
import pytest
from sympy import Integer, Matrix, MatrixSymbol, Rational, sqrt, symbols

from symattn import (
    AtBuckets,
    Attention,
    CausalMask,
    DistanceBuckets,
    GridBuckets,
    MultiHead,
    RelativeAttention,
    RelativeBias,
    RowBucketSums,
    TurnedBuckets,
    clipped_buckets,
    derive,
    differentiate,
    log_buckets,
    lower,
    t5_buckets,
)
from symattn.errors import InputError, ShapeError, SymattnError
from symattn.lowering.kernels.variants import at_buckets, at_distances, bucket_row_sums, distance_row_sums, grid_buckets
from symattn.nodes import HEAD, BucketSums, HeadColumns
from symattn.reading.worksheets.worksheet import parse_worksheet

n, m, d, e, D = symbols("n m d_k d_v D", integer=True, positive=True)
Q, K, V = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e)
ROWS = MatrixSymbol("u", 1, d), MatrixSymbol("v", 1, d)
STYLES = pytest.mark.parametrize("style", ["plain", "fast", "compiled"])


def tables(count):
    return {
        name: MatrixSymbol(f"T_{name}", count, e if name == "values" else d) for name in ("keys", "queries", "values")
    }


def softmax(S):
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    return E / E.sum(axis=-1, keepdims=True)


def by_loops(a, bucket, key_bucket, scale):
    """The scores of each pair and the values of each, one by one."""
    q, k, v = a["Q"], a["K"], a["V"]
    u, w = a.get("u", np.zeros((1, q.shape[1])))[0], a.get("v", np.zeros((1, q.shape[1])))[0]
    S, zero = np.zeros((len(q), len(k))), np.zeros((10_000, q.shape[1]))
    for i, j in np.ndindex(S.shape):
        b, c = bucket(i, j), key_bucket(i, j)
        S[i, j] = (q[i] + u) @ k[j] + (q[i] + w) @ a.get("T_keys", zero)[b] + k[j] @ a.get("T_queries", zero)[c]
    A = softmax(S * scale)
    of_values = a.get("T_values", np.zeros((10_000, v.shape[1])))
    return np.array([sum(A[i, j] * (v[j] + of_values[bucket(i, j)]) for j in range(len(k))) for i in range(len(q))])


def clip(count, offset=0):
    return lambda i, j: int(np.clip(i + offset - j + count // 2, 0, count - 1))


FORMS = {
    "shaw": (TurnedBuckets(clipped_buckets(5)), ("keys", "values"), False, lambda i, j: int(np.clip(j - i, -2, 2)) + 2),
    "music transformer": (clipped_buckets(13), ("keys",), False, clip(13)),
    "bert": (clipped_buckets(13), ("keys", "queries"), False, clip(13)),
    "transformer-xl": (clipped_buckets(13, 2), ("keys", "content", "position"), False, clip(13, 2)),
    "deberta": (clipped_buckets(6), ("keys", "queries"), True, clip(6)),
    "all": (DistanceBuckets((1, 3), True, -1), ("keys", "queries", "values", "content", "position"), True, None),
    "window": (GridBuckets(2, 3), ("keys", "queries", "values"), False, None),
    "window, down": (GridBuckets(2, 3, axis=0), ("keys", "queries", "values"), False, lambda i, j: i // 3 - j // 3 + 1),
    "window, across": (
        TurnedBuckets(GridBuckets(2, 3, axis=1)),
        ("keys", "values"),
        False,
        lambda i, j: j % 3 - i % 3 + 2,
    ),
    "window, turned": (TurnedBuckets(GridBuckets(2, 3)), ("keys", "queries", "values"), True, None),
}


def made_and_given(name, rows=6, keys=6):
    buckets, used, mirrored, bucket = FORMS[name]
    given = {x: y for x, y in {**tables(buckets.count), "content": ROWS[0], "position": ROWS[1]}.items() if x in used}
    sized = {n: rows, m: keys} if "window" in name else {}
    operands = [x.xreplace(sized) for x in (Q, K, V)]
    rng, shapes = np.random.default_rng(3), {n: rows, m: keys, d: 4, e: 3}
    symbols_used = [*operands, *given.values()]
    a = {x.name: rng.standard_normal([int(s.subs(shapes)) for s in x.shape]) for x in symbols_used}
    bucket = bucket or buckets.of
    back = {"deberta": lambda i, j: bucket(j, i), "all": lambda i, j: DistanceBuckets((1, 3), True, 1).of(j, i)}
    key_bucket = back.get(name, (lambda i, j: bucket(j, i)) if mirrored else bucket)
    return RelativeAttention(*operands, buckets, **given, mirrored=mirrored), a, bucket, key_bucket


@STYLES
@pytest.mark.parametrize("name", FORMS)
def test_every_form_is_that_of_its_paper(name, style):
    node, a, bucket, key_bucket = made_and_given(name)
    wanted = by_loops(a, bucket, key_bucket, 1 / 2)
    np.testing.assert_allclose(lower(node, style=style)(**a), wanted, rtol=1e-11, atol=1e-13)
    if "window" not in name:  # which has as many keys as queries
        node, a, bucket, key_bucket = made_and_given(name, 3, 7)
        np.testing.assert_allclose(lower(node, style=style)(**a), by_loops(a, bucket, key_bucket, 1 / 2), rtol=1e-11)


@pytest.mark.slow
@STYLES
@pytest.mark.parametrize("name", FORMS)
def test_gradients_are_differences(name, style):
    node, a, bucket, key_bucket = made_and_given(name)
    G = np.random.default_rng(4).standard_normal((6, 3))
    found = lower(node, style=style, gradient=True)(G=G, **a)
    for x in a:
        for place in list(np.ndindex(a[x].shape))[:: max(1, a[x].size // 5)]:
            moved = []
            for step in (1e-5, -1e-5):
                b = {**a, x: a[x].copy()}
                b[x][place] += step
                moved.append((by_loops(b, bucket, key_bucket, 1 / 2) * G).sum())
            assert found[f"d{x}"][place] == pytest.approx((moved[0] - moved[1]) / 2e-5, rel=1e-6, abs=1e-8), (x, place)


@pytest.mark.slow
def test_digits_and_symbolic_gradients_agree_with_arrays():
    for name in FORMS:
        node, a, _, _ = made_and_given(name, 3, 3) if "window" not in name else made_and_given(name)
        exact = {x: Matrix(np.round(a[x.name] * 4).astype(int)) / 4 for x in node.atoms(MatrixSymbol)}
        arrays = {x.name: np.array(y.tolist(), float) for x, y in exact.items()}
        made = derive(node, exact)
        G = np.arange(arrays["Q"].shape[0] * 3).reshape(-1, 3) % 4 - 1
        wanted = lower(node, style="plain", gradient=True)(G=G.astype(float), **arrays)
        found = np.array(made["output"].evaluate(20).tolist(), float)
        np.testing.assert_allclose(found, wanted["output"], rtol=1e-10, atol=1e-12)
        back = differentiate(made, G=G.tolist())
        for x in arrays:
            gradient = np.array(back[f"d{x}"].evaluate(15).tolist(), float)
            np.testing.assert_allclose(gradient, wanted[f"d{x}"], rtol=1e-8, atol=1e-10)


@pytest.mark.slow
def test_entries_in_letters_are_those_of_numbers():
    i, j = symbols("i j", integer=True, nonnegative=True)
    cases = [clipped_buckets(5, 1), log_buckets(8, 6), TurnedBuckets(t5_buckets(8, 6, offset=1)), GridBuckets(2, 2)]
    along = [GridBuckets(2, 2, axis=0), TurnedBuckets(GridBuckets(2, 2, axis=1))]
    for buckets in (*cases, TurnedBuckets(GridBuckets(2, 2)), *along):
        P, A = MatrixSymbol("P", 4, buckets.count), MatrixSymbol("A", 4, 4)
        taken, sums = AtBuckets(P, 4, buckets), RowBucketSums(A, buckets)
        written = taken._entry(i, j)
        for a, b in np.ndindex(4, 4):
            assert written.subs({i: a, j: b}).doit() == taken[a, b] == P[a, buckets.of(a, b)]
        for a, b in np.ndindex(4, buckets.count):
            assert sums[a, b] == sum(A[a, k] for k in range(4) if buckets.of(a, k) == b)
            assert sums._entry(i, j).subs({i: a, j: b}).doit() == sums[a, b]


def test_outputs_have_entries():
    """Equal scores: the weights are 1/2, and each key's value has that of its place beside it."""
    node = RelativeAttention(
        *(Matrix(x) for x in ([[0], [0]], [[1], [1]], [[1], [3]])), clipped_buckets(3), values=[[0], [2], [4]]
    )
    assert node.as_explicit() == Matrix([3, 5])


@pytest.mark.parametrize(("rows", "columns"), [(5, 7), (7, 4), (1, 6), (6, 1), (0, 3), (3, 0)])
@pytest.mark.parametrize(
    "options", [((1, 3), True, 0), (range(-2, 4), False, 2), ((1, 2, 4), True, -3, True), ((-3, 2), False, 0, True)]
)
def test_rows_by_distance(rows, columns, options):
    starts, both, first, *turned = options
    buckets = DistanceBuckets(starts, both, first)
    buckets = TurnedBuckets(buckets) if turned else buckets
    places = np.array([[buckets.of(i, j) for j in range(columns)] for i in range(rows)], int).reshape(rows, columns)
    rng = np.random.default_rng(1)
    P, A = rng.standard_normal((2, 3, rows, buckets.count)), rng.standard_normal((2, 3, rows, columns))
    wanted = np.take_along_axis(P, np.broadcast_to(places, A.shape), axis=-1)
    np.testing.assert_array_equal(at_distances(P, columns, *options), wanted)
    sums = np.stack([(A * (places == b)).sum(axis=-1) for b in range(buckets.count)], axis=-1)
    np.testing.assert_allclose(distance_row_sums(A, buckets.count, *options), sums, atol=1e-13)


@pytest.mark.parametrize("turned", [False, True])
def test_rows_of_a_window(turned):
    buckets = TurnedBuckets(GridBuckets(2, 3)) if turned else GridBuckets(2, 3)
    places = np.array([[buckets.of(i, j) for j in range(6)] for i in range(6)])
    np.testing.assert_array_equal(grid_buckets(2, 3, turned), places)
    rng = np.random.default_rng(1)
    P, A = rng.standard_normal((2, 3, 6, 15)), rng.standard_normal((2, 3, 6, 6))
    wanted = np.take_along_axis(P, np.broadcast_to(places, A.shape), axis=-1)
    np.testing.assert_array_equal(at_buckets(P, grid_buckets(2, 3, turned)), wanted)
    sums = np.stack([(A * (places == b)).sum(axis=-1) for b in range(15)], axis=-1)
    np.testing.assert_allclose(bucket_row_sums(A, 15, grid_buckets(2, 3, turned)), sums, atol=1e-13)


@pytest.mark.slow
@STYLES
@pytest.mark.parametrize("buckets", [clipped_buckets(5), GridBuckets(2, 3), t5_buckets(8, 6), GridBuckets(2, 3, 1)])
def test_biases_from_a_table_may_count_from_the_key(buckets, style):
    """A bias by turned buckets is the transpose of that by the others, and so are their gradients."""
    t, sized = MatrixSymbol("t", buckets.count, 1), [x.xreplace({n: Integer(6), m: Integer(6)}) for x in (Q, K, V)]
    rng = np.random.default_rng(5)
    a = {x: rng.standard_normal(s) for x, s in (("Q", (6, 4)), ("K", (6, 4)), ("V", (6, 3)), ("t", (buckets.count, 1)))}
    T = TurnedBuckets(buckets)
    found = lower(Attention(*sized, bias=RelativeBias(t, 6, 6, T)), style=style, gradient=True)(G=np.ones((6, 3)), **a)
    wanted = lower(Attention(*sized, bias=RelativeBias(t, 6, 6, buckets).T), style=style, gradient=True)(
        G=np.ones((6, 3)), **a
    )
    for x in wanted:
        np.testing.assert_allclose(found[x], wanted[x], rtol=1e-10, atol=1e-12)
    S = MatrixSymbol("S", 6, 6)
    assert BucketSums(S, T).as_explicit() == BucketSums(S.T, buckets).as_explicit()


@STYLES
def test_heads_have_tables_of_their_own_or_share_one(style):
    heads, width, rng = 2, 3, np.random.default_rng(6)
    W = {w: MatrixSymbol(w, 4, heads * width) for w in ("W_Q", "W_K", "W_V")}
    T, E = MatrixSymbol("T", 5, heads * width), MatrixSymbol("E", 5, width)
    X, u = MatrixSymbol("X", n, 4), MatrixSymbol("u", 1, heads * width)

    def kind(Q, K, V):
        own = HeadColumns(T, HEAD, heads)
        content = HeadColumns(u, HEAD, heads)
        return RelativeAttention(
            Q,
            K,
            V,
            clipped_buckets(5),
            keys=own,
            queries=E,
            content=content,
            scale=1 / sqrt(3 * width),
            mask=CausalMask(),
        )

    a = {x.name: rng.standard_normal(x.shape) for x in (*W.values(), T, E, u)} | {"X": rng.standard_normal((2, 6, 4))}
    found = lower(MultiHead(X, heads=heads, **W, kind=kind), style=style)(**a)
    for b, h in np.ndindex(2, heads):
        own = slice(h * width, (h + 1) * width)
        q, k, v = (a["X"][b] @ a[w][:, own] for w in W)
        S, t = np.full((6, 6), -np.inf), a["T"][:, own]
        for i in range(6):
            for j in range(i + 1):
                c = clip(5)(i, j)
                S[i, j] = (q[i] + a["u"][0, own]) @ k[j] + q[i] @ t[c] + k[j] @ a["E"][c]
        np.testing.assert_allclose(found[b, :, own], softmax(S / 3) @ v, rtol=1e-10, atol=1e-12)


def test_the_scale_of_deberta_is_that_of_three_products():
    node = RelativeAttention(Q, K, V, clipped_buckets(8), **{**tables(8), "values": None}, scale=1 / sqrt(3 * d))
    steps = [(step.name, str(step.expression)) for step in derive(node).families.steps]
    assert ("related", "S + R + R_2.T") in steps and ("scaled", "S_p/(sqrt(3)*sqrt(d_k))") in steps


def test_the_page_says_by_which_distance():
    node = RelativeAttention(Q, K, V, clipped_buckets(5, 1), **tables(5))
    said = derive(node).to_markdown()
    assert "distance $1 + i - j$: the first for $-2$ and less" in said and "distance $1 + j - i$" in said
    assert "R_{ij}\n= P_{ib}" in said
    q, k, v = (MatrixSymbol(x, 2, 1) for x in "QKV")
    t = MatrixSymbol("t", 3, 1)
    values = {q: [[2], [3]], k: [[1], [1]], v: [[1], [3]], t: [[5], [6], [7]]}
    one = [MatrixSymbol(x, 1, d) for x in "QKVR"]
    for axis, word in ((0, "down"), (1, "across")):
        bias = AtBuckets(one[0] * one[3].T, 1, GridBuckets(1, 1, axis))
        assert f"the distance {word} of the two" in derive(Attention(*one[:3], bias=bias)).to_latex()
    made = derive(RelativeAttention(q, k, v, clipped_buckets(3), keys=t), values, level="index")
    assert made["placed"].exact == Matrix([[12, 10], [21, 18]])
    said = made.to_markdown()
    assert "R_{ij}\n= P_{ib}" in said and "R_{22} = P_{22} = 18" in said


def test_buckets_of_deberta_are_those_of_its_program():
    """As make_log_bucket_position of the transformers library (5.23) has them, with its clamp."""
    known = {-600: -32, -63: -31, -62: -31, -40: -27, -18: -18, -17: -17, -16: -16, 0: 0, 7: 7, 17: 17, 63: 31, 99: 31}
    buckets = log_buckets(64, 64)
    assert {r: buckets.of(r, 0) - 32 for r in known} == known


def test_what_is_refused():
    short = MatrixSymbol("t", 4, d)
    for error, match, options in (
        (ShapeError, "the number of buckets", {"keys": short}),
        (ShapeError, "the width of keys", {"queries": MatrixSymbol("t", 5, e)}),
        (ShapeError, "the width of values", {"values": MatrixSymbol("t", 5, d)}),
        (ShapeError, "a row", {"keys": MatrixSymbol("t", 5, d), "content": short}),
        (InputError, "neither keys nor queries nor values", {"content": ROWS[0]}),
        (InputError, "without keys", {"values": MatrixSymbol("t", 5, e), "position": ROWS[0]}),
        (InputError, "mirrored", {"keys": MatrixSymbol("t", 5, d), "mirrored": 2}),
    ):
        with pytest.raises(error, match=match):
            RelativeAttention(Q, K, V, clipped_buckets(5), **options)
    with pytest.raises(InputError, match="are no buckets"):
        RelativeAttention(Q, K, V, 5, keys=short)
    with pytest.raises(ShapeError, match="the tokens of the window"):
        RelativeAttention(Q, K, V, GridBuckets(2, 2), keys=MatrixSymbol("t", 9, d))
    for make in (
        lambda: clipped_buckets(2),
        lambda: clipped_buckets("x"),
        lambda: log_buckets(10, 99),
        lambda: log_buckets(4, 99),
        lambda: log_buckets(16, 5),
        lambda: log_buckets(16, Rational(1, 2)),
        lambda: TurnedBuckets(3),
        lambda: GridBuckets(2, 3, axis=2),
    ):
        with pytest.raises(InputError, match=r"bucket|axis"):
            make()


def test_a_node_is_made_of_its_own_arguments():
    node = RelativeAttention(Q, K, V, clipped_buckets(5), **tables(5), content=ROWS[0], mirrored=True, softcap=5)
    assert node.func(*node.args) == node and node.xreplace({n: m}).shape == (m, e)
    assert str(node).startswith("RelativeAttention(Q, K, V; keys: T_keys; queries: T_queries")


SHEET = """[inputs]
X = [[1, 0], [0, 1], [1, 1]]
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 2], [0, 1]]
W_V = [[1, 0], [0, 1]]
[attention]
heads = 2
relative = { keys = [[[1], [2], [3]], [[4], [5], [6]]], queries = [[1], [0], [1]], content = [[[1]], [[2]]] }
"""


def test_worksheets_have_tables_for_heads_or_one_for_all():
    heads = parse_worksheet(SHEET)
    node = next(iter(heads.expression.head().atoms(RelativeAttention)))
    given = node.of_positions
    assert given["keys"].args[1] == HEAD and given["content"].args[1] == HEAD
    assert given["queries"] == MatrixSymbol("Q_p", 3, node.args[1].shape[1])
    assert node.buckets == clipped_buckets(3)
    found = heads.values["K_p"]
    assert [list(map(int, row)) for row in found] == [[1, 4], [2, 5], [3, 6]]
    for old, new, message in (
        ("[[[1], [2], [3]], [[4], [5], [6]]]", "[[[1], [2], [3]]]", r"attention\.relative\.keys: "),
        ("queries = [[1], [0], [1]]", "queries = [[1], [0]]", r"attention\.relative: .*number of buckets"),
        ("queries = ", "distance = 9, queries = ", r"attention\.relative: .*buckets for distances|cannot be made"),
        ("queries = ", 'buckets = "log", queries = ', r"attention\.relative: a relative bias is"),
        ("queries = ", 'buckets = "swin", queries = ', r"attention\.relative\.buckets: "),
        ("queries = ", "mirrored = 3, queries = ", r"attention\.relative: mirrored"),
        ("queries = ", "table = [[0, 0]], queries = ", r"attention\.relative"),
        ("queries = ", 'turned = "no", queries = ', r"attention\.relative: "),
        ("queries = [[1], [0], [1]]", "queries = 3", r"attention\.relative\.queries: "),
        ("heads = 2", 'heads = 2\nkind = "luong"', r"attention\.relative: "),
        ("heads = 2", "heads = 2\nbias = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]", None),
    ):
        if message is None:  # a bias is added to what is scaled
            assert parse_worksheet(SHEET.replace(old, new)).expression
            continue
        with pytest.raises(SymattnError, match=message):
            parse_worksheet(SHEET.replace(old, new))


def test_worksheets_in_letters_and_with_other_buckets():
    letters = '[inputs]\nQ = "n x d"\nK = "m x d"\nV = "m x e"\n[attention]\nrelative = { keys = "8 x d", '
    for more, buckets in (
        ('buckets = "log", distance = 9', log_buckets(8, 9)),
        ("distance = 9, both = false", t5_buckets(8, 9, both=False)),
        ('offset = "o"', clipped_buckets(8, symbols("o", integer=True, positive=True))),
        ("turned = true", TurnedBuckets(clipped_buckets(8))),
    ):
        assert parse_worksheet(f"{letters}{more} }}\n").expression.buckets == buckets
    scores = '[inputs]\nscores = "n x m"\n[attention]\nscale = 1\nrelative = { keys = "3 x d" }\n'
    with pytest.raises(SymattnError, match=r"attention\.relative: relative cannot be given together with scores"):
        parse_worksheet(scores)


@pytest.mark.slow
@pytest.mark.parametrize("style", ["fast", "compiled"])
@pytest.mark.parametrize("name", ["music transformer", "bert", "transformer-xl", "deberta"])
def test_many_blocks_have_the_scores_of_the_plain_lines(name, style):
    """More rows and columns than a block has, of tables with fewer and with more rows than a block has distances."""
    for count in (9, 2001):
        node, a, wanted = plain_of_many_blocks(name, count)
        f = lower(node, style=style)
        assert "add_by_distance(" in f.source
        np.testing.assert_allclose(f(**a), wanted, rtol=1e-10, atol=1e-12)


@cache
def plain_of_many_blocks(name, count):
    """Attention with a table of so many rows, numbers for it, and what the plain lines give."""
    rng = np.random.default_rng(count)
    buckets = TurnedBuckets(clipped_buckets(count, 3)) if name == "music transformer" else clipped_buckets(count, -5)
    given = {**tables(count), "content": ROWS[0], "position": ROWS[1]}
    given = {x: given[x] for x in FORMS[name][1]}
    node = RelativeAttention(Q, K, V, buckets, **given, mask=CausalMask(200), softcap=20)
    shapes = {n: 700, m: 900, d: 8, e: 3}
    a = {x.name: rng.standard_normal([int(s.subs(shapes)) for s in x.shape]) for x in (Q, K, V, *given.values())}
    a["Q"], a["T_keys"] = rng.standard_normal((2, 1, 700, 8)), rng.standard_normal((2, 1, count, 8))
    return node, a, lower(node, style="plain")(**a)


@cache
def plain_of_shared_keys():
    """Four heads of two key/value heads, tables of their own and a shared one, and what the plain lines give."""
    rng, width = np.random.default_rng(8), 4
    X, T, E = MatrixSymbol("X", n, 6), MatrixSymbol("T", 301, 4 * width), MatrixSymbol("E", 301, width)
    W = {w: MatrixSymbol(w, 6, (4 if w == "W_Q" else 2) * width) for w in ("W_Q", "W_K", "W_V")}
    buckets, own = clipped_buckets(301), HeadColumns(T, HEAD, 4)
    layer = MultiHead(
        X, heads=4, kv_heads=2, **W, kind=lambda Q, K, V: RelativeAttention(Q, K, V, buckets, keys=own, queries=E)
    )
    a = {x.name: rng.standard_normal(x.shape) for x in (*W.values(), T, E)} | {"X": rng.standard_normal((3, 400, 6))}
    wanted = lower(layer, style="plain")(**a)
    G = rng.standard_normal(wanted.shape)
    return layer, a, wanted, G, lower(layer, style="plain", gradient=True)(G=G, **a)


@pytest.mark.slow
@pytest.mark.parametrize("style", ["fast", "compiled"])
def test_heads_that_share_keys_score_them_against_positions(style):
    """In many blocks, as by the plain lines; one head of these is calculated here."""
    layer, a, wanted, G, plain = plain_of_shared_keys()
    np.testing.assert_allclose(lower(layer, style=style)(**a), wanted, rtol=1e-10, atol=1e-12)
    for name, found in lower(layer, style=style, gradient=True)(G=G, **a).items():
        np.testing.assert_allclose(found, plain[name], rtol=1e-8, atol=1e-9, err_msg=name)
    q, k, v = (a["X"][2] @ a[w] for w in ("W_Q", "W_K", "W_V"))
    own, kv, places = slice(8, 12), slice(4, 8), np.clip(np.arange(400)[:, None] - np.arange(400) + 150, 0, 300)
    S = q[:, own] @ k[:, kv].T + np.take_along_axis(q[:, own] @ a["T"][:, own].T, places, axis=1)
    S += np.take_along_axis(k[:, kv] @ a["E"].T, places.T, axis=1).T
    np.testing.assert_allclose(wanted[2][:, own], softmax(S / 2) @ v[:, kv], rtol=1e-10, atol=1e-12)


def test_offsets_may_be_those_of_sequences():
    node = RelativeAttention(Q, K, V, clipped_buckets(9, symbols("o", integer=True)), keys=MatrixSymbol("T", 9, d))
    rng = np.random.default_rng(9)
    a = {x: rng.standard_normal((2, *s)) for x, s in (("Q", (3, 4)), ("K", (5, 4)), ("V", (5, 2)))}
    a["T"] = rng.standard_normal((9, 4))
    for style in ("plain", "fast"):
        f = lower(node, style=style)
        whole = f(**a, o=[2, 0])
        for b, first in enumerate((2, 0)):
            own = {x: y if x == "T" else y[b] for x, y in a.items()}
            np.testing.assert_allclose(whole[b], f(**own, o=first), rtol=1e-12)


def test_sums_over_buckets_are_written_by_entries():
    q, k, v = (MatrixSymbol(x, 2, 1) for x in "QKV")
    t = MatrixSymbol("t", 3, 1)
    node = RelativeAttention(q, k, v, clipped_buckets(3), values=t)
    values = {q: [[0], [0]], k: [[1], [1]], v: [[1], [3]], t: [[5], [6], [7]]}
    for notation, letters, numbers in (
        ("vaswani", r"W_{ij}" + "\n" + r"= \sum_{k :\, b_{ik} = j} A_{ik}", r"W_{23} = \sum_{k :\, b_{2k} = 3} A_{2k}"),
        ("prince", r"W_{ji}" + "\n" + r"= \sum_{k :\, b_{ik} = j} A_{ki}", r"W_{32} = \sum_{k :\, b_{2k} = 3} A_{k2}"),
        ({"first_index": 0}, r"W_{ij}", r"W_{12} = \sum_{k :\, b_{1k} = 2} A_{1k}"),
    ):
        said = derive(node, values, level="index").to_markdown(notation=notation)
        assert letters in said and numbers in said
    biased = derive(Attention(q, k, v, bias=RelativeBias(t, 2, 2, clipped_buckets(3))), values, level="index")
    assert r"\sum_{s,t :\, b_{st} = " in differentiate(biased, G=[[1], [2]]).to_latex()
