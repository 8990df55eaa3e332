"""Every kind of attention: its values are those of an independent NumPy computation, on random exact inputs."""

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Lambda, MatrixSymbol, Piecewise, Rational, oo, symbols

from symattn import derive
from symattn.errors import InputError
from symattn.nodes import (
    HEAD,
    Alibi,
    Attention,
    BahdanauAttention,
    CausalMask,
    FiniteMask,
    HideMask,
    KeepMask,
    LatentAttention,
    LinearAttention,
    LuongAttention,
    MultiHead,
    NormalisedRows,
    OnlineAttention,
    PaddingMask,
    QKNorm,
    Rotary,
    RotaryEmbedding,
    Softmax,
    Stack,
    WindowMask,
    alibi_slope,
)

pytestmark = pytest.mark.slow

N, M, D, E = 2, 4, 2, 2
Q, K, V = MatrixSymbol("Q", N, D), MatrixSymbol("K", M, D), MatrixSymbol("V", M, E)
z, i, j, head = symbols("z i j head")
small = st.fractions(-3, 3, max_denominator=3)
COLUMNS, ROWS = np.arange(M)[None, :], np.arange(N)[:, None]
G = np.array([[1.0, 0, 1, 1], [0, 1, 1, 0]])


def matrix(rows, columns, entry=small):
    return st.lists(st.lists(entry, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


qkv = st.tuples(matrix(N, D), matrix(M, D), matrix(M, E))


def floats(x):
    return np.array([[float(y) for y in row] for row in x])


def value(node, values, step=None):
    """What the derivation says, to 17 proven digits; its exact value agrees."""
    derived = derive(node, values)
    found = derived[step] if step else derived.steps[-1]
    decimals = np.array([[float(x) for x in row] for row in found.evaluate(17).tolist()])
    exact = np.array([[float(x.evalf(17)) for x in row] for row in found.exact.tolist()])
    np.testing.assert_allclose(exact, decimals, rtol=1e-9, atol=1e-12)
    return decimals


def softmax(logits, sink=None):
    """Rows of nothing but −∞ become NaN."""
    with np.errstate(invalid="ignore"):
        e = np.exp(logits - np.max(logits, axis=1, keepdims=True))
        extra = 0 if sink is None else np.exp(sink - np.max(logits, axis=1, keepdims=True))
        return e / (e.sum(axis=1, keepdims=True) + extra)


def turned(x, base=10000, pairs="interleaved", offset=0):
    """RoPE by complex numbers."""
    n, d = x.shape
    angle = np.outer(np.arange(n) + offset, base ** (-2 * np.arange(d // 2) / d))
    first, second = (x[:, 0::2], x[:, 1::2]) if pairs == "interleaved" else (x[:, : d // 2], x[:, d // 2 :])
    w = (first + 1j * second) * np.exp(1j * angle)
    return np.stack([w.real, w.imag], 2).reshape(n, d) if pairs == "interleaved" else np.hstack([w.real, w.imag])


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


LOGITS = {
    "padding": ({"mask": PaddingMask(3)}, lambda s: np.where(COLUMNS < 3, s, -np.inf)),
    "padded keys": ({"mask": PaddingMask(keys=[1, 3])}, lambda s: np.where(COLUMNS % 2 == 1, s, -np.inf)),
    "causal, offset": ({"mask": CausalMask(2)}, lambda s: np.where(COLUMNS <= ROWS + 2, s, -np.inf)),
    "window": ({"mask": WindowMask(1, 0)}, lambda s: np.where((COLUMNS <= ROWS) & (COLUMNS >= ROWS - 1), s, -np.inf)),
    "true attends": ({"mask": KeepMask(G.astype(int).tolist())}, lambda s: np.where(G == 1, s, -np.inf)),
    "true hides": (
        {"mask": KeepMask(G.astype(bool).tolist(), true="hidden")},
        lambda s: np.where(G == 1, -np.inf, s),
    ),
    "finite": ({"mask": FiniteMask(CausalMask(), -5)}, lambda s: s - 5 * (COLUMNS > ROWS)),
    "finite and infinite": (
        {"mask": (FiniteMask(CausalMask(), Rational(-1, 2)), PaddingMask(3))},
        lambda s: np.where(COLUMNS < 3, s - 0.5 * (COLUMNS > ROWS), -np.inf),
    ),
    "additive": (
        {"bias": [[0, -oo, 1, 0], [Rational(1, 2), 0, 0, -2]]},
        lambda s: s + np.array([[0, -np.inf, 1, 0], [0.5, 0, 0, -2]]),
    ),
    "softcap": ({"softcap": 2}, lambda s: 2 * np.tanh(s / 2)),
    "temperature": ({"scale": Rational(1, 3)}, lambda s: s * np.sqrt(2) / 3),
    "alibi": ({"bias": Alibi(N, M, Rational(1, 4), offset=2)}, lambda s: s - (ROWS + 2 - COLUMNS) / 4),
    "score_mod": (
        {"score_mod": Piecewise((z / 2 + i - j, j <= i + 2), (-oo, True))},
        lambda s: np.where(COLUMNS <= ROWS + 2, s / 2 + ROWS - COLUMNS, -np.inf),
    ),
    "order": (
        {"softcap": 3, "score_mod": Lambda(z, z**2), "bias": Alibi(N, M, 1), "mask": CausalMask(1)},
        lambda s: np.where(COLUMNS <= ROWS + 1, (3 * np.tanh(s / 3)) ** 2 - ROWS + COLUMNS, -np.inf),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", LOGITS)
@settings(max_examples=4, deadline=None)
@given(given_values=qkv)
def test_what_is_done_to_scores(kind, given_values):
    options, done = LOGITS[kind]
    q, k, v = map(floats, given_values)
    values = dict(zip((Q, K, V), given_values, strict=True))
    wanted = softmax(done(q @ k.T / np.sqrt(D))) @ v
    np.testing.assert_allclose(value(Attention(Q, K, V, **options), values), wanted, rtol=1e-9, atol=1e-9)


W, U, R = MatrixSymbol("W", D, D), MatrixSymbol("U", D, D), MatrixSymbol("r", D, 1)
C, U_K, U_V = MatrixSymbol("C", M, 1), MatrixSymbol("U_K", 1, D), MatrixSymbol("U_V", 1, E)
PAST = MatrixSymbol("P", N, D)
KINDS = {
    "luong": (LuongAttention(Q, K, V, W), lambda g: softmax(g["Q"] @ g["W"] @ g["K"].T) @ g["V"]),
    "bahdanau": (
        BahdanauAttention(Q, K, V, W, U, R),
        lambda g: softmax(np.tanh((g["Q"] @ g["W"])[:, None] + (g["K"] @ g["U"])[None]) @ g["r"][:, 0]) @ g["V"],
    ),
    "latent": (
        LatentAttention(Q, C, U_K, U_V),
        lambda g: softmax(g["Q"] @ (g["C"] @ g["U_K"]).T / np.sqrt(D)) @ (g["C"] @ g["U_V"]),
    ),
    "latent, not absorbed": (
        LatentAttention(Q, C, U_K, U_V, absorbed=False),
        lambda g: softmax(g["Q"] @ (g["C"] @ g["U_K"]).T / np.sqrt(D)) @ (g["C"] @ g["U_V"]),
    ),
    "linear": (LinearAttention(Q, K, V), lambda g: linear(elu(g["Q"]) @ elu(g["K"]).T) @ g["V"]),
    "linear, causal": (
        LinearAttention(Q, PAST, PAST, causal=True),
        lambda g: linear(np.tril(elu(g["Q"]) @ elu(g["P"]).T)) @ g["P"],
    ),
    "linear, own feature": (
        LinearAttention(Q, K, V, feature=Lambda(z, z**2 + 1)),
        lambda g: linear((g["Q"] ** 2 + 1) @ (g["K"] ** 2 + 1).T) @ g["V"],
    ),
    "cache": (
        Attention(PAST, Stack(K, Q), Stack(V, Q), mask=CausalMask(M)),
        lambda g: causal(g["P"], np.vstack([g["K"], g["Q"]]), np.vstack([g["V"], g["Q"]]), M),
    ),
    "online": (OnlineAttention(Q, K, V, block=2), lambda g: causal(g["Q"], g["K"], g["V"], M)),
    "online, key by key": (
        OnlineAttention(Q, K, V, mask=CausalMask(1)),
        lambda g: causal(g["Q"], g["K"], g["V"], 1),
    ),
    "rotary": (
        Attention(RotaryEmbedding(Q, offset=2), RotaryEmbedding(K), V),
        lambda g: softmax(turned(g["Q"], offset=2) @ turned(g["K"]).T / np.sqrt(D)) @ g["V"],
    ),
    "sink": (
        Attention(Q, K, V, sink=Rational(1, 2), mask=CausalMask()),
        lambda g: softmax(np.where(COLUMNS <= ROWS, g["Q"] @ g["K"].T / np.sqrt(D), -np.inf), 0.5) @ g["V"],
    ),
}


def elu(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def linear(a):
    return a / a.sum(axis=1, keepdims=True)


def causal(q, k, v, offset):
    s = q @ k.T / np.sqrt(q.shape[1])
    return softmax(np.where(np.arange(s.shape[1]) <= np.arange(s.shape[0])[:, None] + offset, s, -np.inf)) @ v


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_other_kinds(kind, data):
    node, wanted = KINDS[kind]
    values = {s.name: data.draw(matrix(*map(int, s.shape))) for s in sorted(node.atoms(MatrixSymbol), key=str)}
    np.testing.assert_allclose(
        value(node, values), wanted({name: floats(x) for name, x in values.items()}), rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize("pairs", ["interleaved", "halves"])
@settings(max_examples=3, deadline=None)
@given(x=matrix(3, 4))
def test_rotary_embedding(pairs, x):
    node = RotaryEmbedding(MatrixSymbol("X", 3, 4), base=Rational(7, 2), pairs=pairs, offset=5)
    np.testing.assert_allclose(value(node, {"X": x}), turned(floats(x), 3.5, pairs, 5), rtol=1e-9, atol=1e-12)


@settings(max_examples=3, deadline=None)
@given(x=matrix(2, 3, st.fractions(1, 4, max_denominator=3)))
def test_rows_of_one_length(x):
    X, f = MatrixSymbol("X", 2, 3), floats(x)
    np.testing.assert_allclose(value(NormalisedRows(X), {"X": x}), unit(f), rtol=1e-12)
    gain, epsilon = [[1, Rational(1, 2), -2]], Rational(1, 10)
    rms = f / np.sqrt((f**2).mean(axis=1, keepdims=True) + 0.1) * np.array([1, 0.5, -2])
    np.testing.assert_allclose(value(NormalisedRows(X, "rms", gain, epsilon), {"X": x}), rms, rtol=1e-12)


@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_options_of_several_heads(data):
    """Two heads of width 2 that share keys and values: normalised, turned, biased by their own slopes, with sinks."""
    X, W_Q, W_K, W_V = (MatrixSymbol(*a) for a in (("X", 3, 2), ("W_Q", 2, 4), ("W_K", 2, 2), ("W_V", 2, 2)))
    node = MultiHead(
        X, heads=2, kv_heads=1, W_Q=W_Q, W_K=W_K, W_V=W_V, bias=Alibi(3, 3, alibi_slope(2)), sink=[0, 1],
        rotary=Rotary(100, "halves"), qk_norm=QKNorm("rms", epsilon=Rational(1, 4), gain_K=[[2, 1]]),
        score_mod=z + head * j, mask=CausalMask(),
    )  # fmt: skip
    assert node.func(*node.args) == node
    values = {s.name: data.draw(matrix(*map(int, s.shape))) for s in (X, W_Q, W_K, W_V)}
    g = {name: floats(x) for name, x in values.items()}
    rms = [y / np.sqrt((y**2).mean(axis=1, keepdims=True) + 0.25) for y in (
        (g["X"] @ g["W_Q"])[:, :2], (g["X"] @ g["W_Q"])[:, 2:], g["X"] @ g["W_K"])]  # fmt: skip
    k = turned(rms[2] * [2, 1], 100, "halves")
    rows, columns = np.arange(3)[:, None], np.arange(3)[None]
    wanted = []
    for number, (q, slope, sink) in enumerate(zip(rms[:2], (1 / 16, 1 / 256), (0, 1), strict=True), 1):
        s = turned(q, 100, "halves") @ k.T / np.sqrt(2) + number * columns - slope * (rows - columns)
        wanted.append(softmax(np.where(columns <= rows, s, -np.inf), sink) @ (g["X"] @ g["W_V"]))
    np.testing.assert_allclose(value(node, values), np.hstack(wanted), rtol=1e-9, atol=1e-9)


def test_alibi_slopes_are_those_of_the_paper_s_program():
    def program(n):  # get_slopes of the paper's repository
        def power_of_2(n):
            start = 2 ** (-(2 ** -(np.log2(n) - 3)))
            return [start * start**k for k in range(n)]

        if np.log2(n).is_integer():
            return power_of_2(n)
        closest = 2 ** int(np.floor(np.log2(n)))
        return power_of_2(closest) + program(2 * closest)[0::2][: n - closest]

    for heads in (1, 2, 3, 6, 8, 12, 16, 20):
        slopes = [float(alibi_slope(heads, head=k)) for k in range(1, heads + 1)]
        np.testing.assert_allclose(slopes, program(heads), rtol=1e-12)
    assert alibi_slope(symbols("h", positive=True)).has(HEAD)


HIDDEN = CausalMask(-1)  # the first row sees nothing


@pytest.mark.parametrize(("rule", "first"), [("zero", 0), ("uniform", 0.25), ("nan", np.nan)])
@pytest.mark.parametrize("full", [False, True])
def test_an_empty_row_becomes_what_is_asked_for(rule, first, full):
    node = Attention(Q, K, V, mask=HIDDEN, empty_row=rule)
    given_values = {Q: [[1, 2], [3, -1]], K: [[1, 0], [0, 1], [1, 1], [2, 2]], V: [[1, 2], [3, 4], [5, 6], [7, 8]]}
    derived = derive(node, given_values, detail="full" if full else "brief")
    weights, output = (np.array(derived[x].evaluate(17).tolist(), dtype=float) for x in ("weights", "output"))
    np.testing.assert_allclose(weights, [[first] * 4, [1, 0, 0, 0]])
    np.testing.assert_allclose(output, [[np.nan] * 2 if rule == "nan" else [16 * first, 20 * first], [1, 2]])
    for text in (derived.to_latex(), derived.to_markdown(language="zh"), derived.to_text(digits=5)):
        assert ("NaN" in text) == (rule == "nan")
    assert ("nan" in str(derived.to_json())) == (rule == "nan")


def test_an_empty_row_is_an_error_that_names_it_or_the_sinks():
    given_values = {Q: [[1, 2], [3, -1]], K: [[1, 0], [0, 1], [1, 1], [2, 2]], V: [[1, 2], [3, 4], [5, 6], [7, 8]]}
    with pytest.raises(ValueError, match=r"weights: row 1 "):
        derive(Attention(Q, K, V, mask=HIDDEN), given_values)["weights"].exact  # noqa: B018
    sunk = value(Attention(Q, K, V, mask=HIDDEN, sink=0), given_values)
    assert sunk[0].tolist() == [0, 0] and 0 < sunk[1][0] < 1
    unmasked = value(Attention(Q, K, V, mask=FiniteMask(CausalMask(-9))), given_values)
    np.testing.assert_allclose(unmasked, value(Attention(Q, K, V), given_values), rtol=1e-15)


def test_an_empty_row_of_numbers_has_no_entries():
    emptied = sympy.Matrix([[-sympy.oo, -sympy.oo], [0, 0]])
    for node in (Softmax(emptied), Softmax(emptied.T, axis=-2)):
        with pytest.raises(ValueError, match=r"row 1 .* no key"):
            node.as_explicit()


def test_a_finite_mask_leaves_a_weight_that_is_not_0():
    z_ = MatrixSymbol("Q", 1, 1), MatrixSymbol("K", 2, 1), MatrixSymbol("V", 2, 1)
    derived = derive(Attention(*z_, mask=FiniteMask(CausalMask())), {"Q": [[0]], "K": [[0], [0]], "V": [[0], [1]]})
    # 1/(1 + e^(10^9)): log10 is −10^9/log 10 = −434294481.903..., computed by mpmath
    assert str(derived["output"].evaluate(3)[0, 0]).startswith("1.25e-434294482")
    assert derived["output"].exact[0, 0] == sympy.exp(-(10**9)) / (1 + sympy.exp(-(10**9)))


def test_every_mask_is_printed_as_itself():
    keys = HideMask(MatrixSymbol("M", N, M))
    printed = {
        CausalMask(1): (r"j \le i + 1", "j > i + 1"),
        WindowMask(2, 0): (r"i - 2 \le j \le i", r"j < i - 2 \lor j > i"),
        PaddingMask(3): (r"j \le 3", "j > 3"),
        PaddingMask(keys=[4, 2]): (r"j \notin \{2, 4\}", r"j \in \{2, 4\}"),
        keys: ("M_{ij} = 0", "M_{ij} = 1"),
    }
    for mask, (shown, hidden) in printed.items():
        scores = Attention(Q, K, V, mask=mask).logits(MatrixSymbol("S", N, M))
        assert sympy.latex(scores).startswith(rf"\mathrm{{mask}}_{{{shown}}}")
        finite = Attention(Q, K, V, mask=FiniteMask(mask), scale=1).logits(MatrixSymbol("S", N, M))
        assert sympy.latex(finite) == rf"S - 10^{{9}} \left[{hidden}\right]"


CONVENTIONS = [
    (RotaryEmbedding(K), ["columns, 2·k and 2·k + 1", "t · 10000^(−k)", "first row is at position 0"]),
    (
        RotaryEmbedding(K, 500, "halves", 3),
        ["k and k + 1, which are half", "t · 500^(−k)", "first row is at position 3"],
    ),
    (NormalisedRows(K, "rms", epsilon=Rational(1, 10)), ["mean square", "1/10"]),
    (Attention(Q, K, V, mask=HIDDEN, empty_row="zero"), ["zeros, as in torch"]),
    (Attention(Q, K, V, sink=0), ["whose logit is 0"]),
    (Attention(Q, K, V, mask=FiniteMask(CausalMask())), ["−1000000000", "finite", "j ≤ i"]),
    (Attention(Q, K, V, mask=KeepMask(MatrixSymbol("M", N, M), true="hidden")), ["M_ij = 0"]),
    (Attention(Q, K, V, score_mod=z + 2 * j), ["score_mod", "z + 2·j", "count from 0"]),
    (LinearAttention(Q, K, V), ["1 + x if x > 0, else exp(x)"]),
]


@pytest.mark.parametrize(("node", "words"), CONVENTIONS, ids=range(len(CONVENTIONS)))
def test_conventions_are_named_in_the_text(node, words):
    text = " ".join(derive(node).to_text().split())
    assert [w for w in words if w not in text] == []
    assert derive(node).to_markdown(language="zh") != derive(node).to_markdown()


def test_exact_values_stay_closed_where_they_are():
    unit_rows = derive(NormalisedRows(Q), {Q: [[1, 1], [3, 4]]}).steps[-1].exact
    assert unit_rows == sympy.Matrix([[sympy.sqrt(2) / 2] * 2, [Rational(3, 5), Rational(4, 5)]])
    turned_rows = derive(RotaryEmbedding(Q), {Q: [[1, 1], [1, 0]]}).steps[-1].exact
    assert turned_rows == sympy.Matrix([[1, 1], [sympy.cos(1), sympy.sin(1)]])
    linear_rows = derive(LinearAttention(Q, K, V, feature=z), {Q: [[1, 2], [3, 4]], K: [[1, 1]] * 4, V: [[1, 1]] * 4})
    assert linear_rows.steps[-1].exact == sympy.ones(2, 2)


ROW, COLUMN = MatrixSymbol("b", 1, 1), MatrixSymbol("C", 2, 1)
REFUSED = [
    (lambda: KeepMask([[1, 0]], true="masked"), r'"attend".*"hidden" \(torch\.nn\.MultiheadAttention\)'),
    (lambda: KeepMask([[2, 0]]), "only 0 and 1"),
    (lambda: PaddingMask(), "number of keys that are not padding"),
    (lambda: PaddingMask(2, keys=[1]), "number of keys that are not padding"),
    (lambda: PaddingMask(keys=[0]), "counted from 1"),
    (lambda: Attention(Q, K, V, mask=PaddingMask(5)), "key 5, but there are 4 keys"),
    (lambda: FiniteMask(CausalMask(), 1), "below 0"),
    (lambda: FiniteMask(None), "not a mask"),
    (lambda: Attention(Q, K, V, mask=KeepMask([[1, 0]])), r"rows\(Q\) is 2 but rows\(mask\) is 1"),
    (lambda: RotaryEmbedding(MatrixSymbol("X", 2, 3)), "3 columns cannot be rotated in pairs"),
    (lambda: RotaryEmbedding(Q, pairs="both"), '"interleaved".*"halves"'),
    (lambda: RotaryEmbedding(Q, base=-1), "positive number"),
    (lambda: NormalisedRows(Q, "l1"), '"l2" or "rms"'),
    (lambda: NormalisedRows(Q, gain=[[1, 2, 3]]), "columns"),
    (lambda: Attention(Q, K, V, sink="0"), "logit of a sink"),
    (lambda: Attention(Q, K, V, score_mod="z + 1"), "Lambda of z, i, j, head"),
    (lambda: Alibi(2, 2, "1/2"), "alibi_slope"),
    (lambda: OnlineAttention(Q, K, V, block=3), "blocks of 3 keys do not divide 4"),
    (lambda: OnlineAttention(Q, K, V, sink=0), "neither a sink"),
    (lambda: LinearAttention(Q, K, V, causal=True), r"rows\(Q\) is 2 but rows\(K\) is 4"),
    (lambda: LinearAttention(Q, K, V, feature="z"), "Lambda of z"),
    (lambda: LuongAttention(Q, K, V, MatrixSymbol("W", 3, 2)), r"columns\(Q\) is 2 but rows\(W\) is 3"),
    (lambda: MultiHead(Q, heads=2, W_Q=W, W_K=W, W_V=W, sink=[0, 1, 2]), r"columns\(sink\) is 3 but heads is 2"),
    (lambda: MultiHead(Q, heads=2, W_Q=W, W_K=W, W_V=W, rotary=True), "1 columns cannot be rotated"),
    (lambda: MultiHead(Q, heads=2, W_Q=W, W_K=W, W_V=W, b_Q=(ROW,) * 3), "matrices in b_Q is 3 but .* heads is 2"),
    (lambda: MultiHead(Q, heads=2, W_Q=(W, COLUMN), W_K=W, W_V=W), r"columns\(C\) is 1 but columns\(W\) is 2"),
]


@pytest.mark.parametrize(("make", "said"), REFUSED, ids=range(len(REFUSED)))
def test_what_does_not_fit_is_refused_with_what_would_be_right(make, said):
    with pytest.raises(InputError, match=said):
        make()


def test_values_that_do_not_fit_are_refused_with_their_row():
    given_values = {Q: [[0, 0], [1, 2]], K: [[1, 2]] * 4, V: [[1, 2]] * 4}
    with pytest.raises(InputError, match="row 1 would be divided by 0"):
        value(NormalisedRows(Q), {Q: given_values[Q]})
    with pytest.raises(InputError, match="row 1, column 1, which is not a real number"):
        value(Attention(Q, K, V, score_mod=1 / z), given_values)
    with pytest.raises(InputError, match="row 1 may attend to no key"):
        value(Attention(Q, K, V, mask=CausalMask(), bias=[[-oo] * 4] * 2), given_values)


@pytest.mark.parametrize("rule", ["nan", "uniform"])
@pytest.mark.parametrize("option", [{"sink": 0}, {"weighting": "softmax-off-by-one"}])
def test_beside_a_sink_an_empty_row_is_zero(rule, option):
    q, k = MatrixSymbol("Q", 2, 2), MatrixSymbol("K", 2, 2)
    with pytest.raises(InputError, match=f'"{rule}" is not possible beside a sink'):
        Attention(q, k, k, empty_row=rule, **option)
    Attention(q, k, k, empty_row="zero", **option)
