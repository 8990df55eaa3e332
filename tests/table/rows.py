"""The kinds, masks and options that the table has, with numbers for them: an expression of one head, and of several."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sympy import Integer, Lambda, MatrixSymbol, Rational, Symbol, exp, log, sqrt, symbols

from symattn.nodes import (
    HEAD,
    Alibi,
    Attention,
    BahdanauAttention,
    Block,
    CausalMask,
    ChunkedState,
    CrossEntropy,
    DeltaRule,
    DifferentialAttention,
    Dropout,
    FeedForward,
    FiniteMask,
    Gated,
    GatedDeltaRule,
    GatedLinearAttention,
    GridBuckets,
    HeadColumns,
    HideMask,
    KeepMask,
    LatentAttention,
    LayerNorm,
    LinearAttention,
    LuongAttention,
    OnlineAttention,
    PaddingMask,
    QKNorm,
    RelativeAttention,
    RelativeBias,
    Residual,
    Retention,
    RMSNorm,
    Rotary,
    RotaryEmbedding,
    SinusoidalPositions,
    Softmax,
    Stack,
    StateSpaceDuality,
    TopKMask,
    TurnedBuckets,
    Weighting,
    WindowMask,
    WithPositions,
    alibi_slope,
    clipped_buckets,
    linear_rates,
    log_buckets,
    t5_buckets,
)

n, m, p, d, e, c, u, r, D = symbols("n m p d_k d_v d_c d_s d_r d_model", integer=True, positive=True)
o, tau = Symbol("o", integer=True, positive=True), Symbol("tau", positive=True)
z, i, j, head = symbols("z i j head")
Q, K, V, X = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e), MatrixSymbol("X", n, D)
B, M, s, b = (MatrixSymbol(x, *shape) for x, shape in (("B", (n, m)), ("M", (n, m)), ("s", (1, 1)), ("b", (1, 1))))
Q_2, K_2 = MatrixSymbol("Q_2", n, d), MatrixSymbol("K_2", m, d)
Q_R, K_R = MatrixSymbol("Q_R", n, r), MatrixSymbol("K_R", m, r)
C, U_K, U_V = MatrixSymbol("C", m, c), MatrixSymbol("U_K", c, d), MatrixSymbol("U_V", c, e)
W_S, W, U, v = (
    MatrixSymbol("W_S", d, d),
    MatrixSymbol("W_S", d, u),
    MatrixSymbol("U_S", d, u),
    MatrixSymbol("v_S", u, 1),
)
CACHE = MatrixSymbol("K_cache", p, d), MatrixSymbol("V_cache", p, e)
GAINS = MatrixSymbol("g_Q", 1, d), MatrixSymbol("g_K", 1, d)
BIASES = MatrixSymbol("beta_Q", 1, d), MatrixSymbol("beta_K", 1, d)
NUMBERS = {
    "Q": [[1, 2], [3, -1], [0, 1]],
    "K": [[2, 1], [1, 1], [-1, 2]],
    "V": [[1, 0], [0, 1], [2, 3]],
    "B": [[0, 1, 2], [1, 0, -1], [2, 1, 1]],
    "M": [[1, 0, 1], [1, 1, 0], [0, 1, 1]],
    "s": [["1/2"]],
    "b": [["-1/2"]],
    "c": [["3/4"]],
    "Q_R": [[1, 0], [1, 1], [-1, 1]],
    "K_R": [[0, 1], [2, 1], [1, 1]],
    "Q_2": [[0, 1], [1, 1], [-1, 2]],
    "K_2": [[1, 1], [0, 2], [1, -1]],
    "lambda": [["1/2"]],
    "C": [[1], [2], [-1]],
    "W_C": [[1], [2], [-1]],
    "W_QR": [[1, 0], [2, 1], [-1, 1]],
    "W_KR": [[1, 0], [1, 1], [-1, 1]],
    "U_K": [[1, 2]],
    "U_V": [[1, -1]],
    "W_S": [[1, 2], [0, 1]],
    "U_S": [[1, 0], [1, 1]],
    "v_S": [[1], ["1/2"]],
    "K_cache": [[1, 0], [0, 2]],
    "V_cache": [[1, 1], [2, 0]],
    "g_Q": [[1, 2]],
    "g_K": [["1/2", 1]],
    "beta_Q": [[0, 1]],
    "beta_K": [[1, "-1/2"]],
    "X": [[1, 0, 1], [2, 1, 0], [0, -1, 1]],
    "gamma": [[1, 2, "1/2"]],
    "beta_1": [[0, 1, -1]],
    "A": [[1, 0], [1, 2], [-1, 1]],
    "A_3": [[0, 1], [1, 1], [2, -1]],
    "A_G": [[0, 1, 1], [1, "1/2", 0], [1, -1, 1]],
    "T": [[1, 0, 2], [0, 1, -1]],
    "a": [["1/2", 1]],
    "alpha": [["1/2", "1/4"], ["3/4", 1], [0, "1/3"]],
    "t": [[0, 1, 2]],
    "pos": [[4, 1], [0, 3], [2, 2]],
    "K_p": [[1, 0], [0, 1], [1, 1], [-1, 2], [2, 1], [0, -1], ["1/2", 1], [1, "-1/2"]],
    "Q_p": [[0, 1], [1, -1], [2, 0], [1, 1], [-1, 0], [0, 2], [1, "1/2"], [2, 1]],
    "V_p": [[1, 1], [0, -1], [2, 0]],
    "u_p": [[1, "1/2"]],
    "v_p": [[-1, 1]],
}


COLUMNS = {
    "a": [["1/2"], [0], ["3/4"]],
    "beta": [[1], ["1/2"], ["1/4"]],
    "gamma": [["2/3"]],
    "pos": [[4], [0], [2]],
    "t": [[1], ["1/2"], [-1], [2], [0], ["3/4"]],
}  # of states


@dataclass(frozen=True)
class Row:
    """A kind or an option: an expression of one head, the [attention] lines that state it, and several heads of it."""

    group: str
    name: str
    expression: Any
    lines: str | None = ""
    heads: Any = field(default_factory=dict)  # the options of MultiHead; None where it has none such
    numbers: dict[Any, int] = field(default_factory=dict)  # letters that are numbers


def _kinds() -> Iterator[Row]:
    yield Row("kinds", "Attention", Attention(Q, K, V))
    of_heads = {"kind": lambda Q, K, V: LuongAttention(Q, K, V, _each(W_S))}
    yield Row("kinds", "Luong", LuongAttention(Q, K, V, W_S), 'kind = "luong"', of_heads)
    of_heads = {"kind": lambda Q, K, V: BahdanauAttention(Q, K, V, _each(W), U, v)}
    yield Row("kinds", "Bahdanau", BahdanauAttention(Q, K, V, W, U, v), 'kind = "bahdanau"', of_heads)
    yield Row("kinds", "linear", LinearAttention(Q, K, V), 'kind = "linear"', {"kind": LinearAttention})
    same = (x.xreplace({m: n}) for x in (Q, K, V))
    of_heads = {"kind": lambda Q, K, V: LinearAttention(Q, K, V, causal=True)}
    stated = 'kind = "linear"\nmask = "causal"'
    yield Row("kinds", "linear, causal", LinearAttention(*same, causal=True), stated, of_heads)
    of_heads = {"kind": lambda Q, K, V: LinearAttention(Q, K, V, exp(z))}
    stated = 'kind = "linear"\nfeature = "exp(z)"'
    yield Row("kinds", "linear, φ = exp", LinearAttention(Q, K, V, exp(z)), stated, of_heads)
    yield Row("kinds", "latent, absorbed", LatentAttention(Q, C, U_K, U_V), 'kind = "latent"', _latent_heads())
    apart = LatentAttention(Q, C, U_K, U_V, absorbed=False)
    of_heads = _latent_heads(absorbed=False)
    yield Row("kinds", "latent, not absorbed", apart, 'kind = "latent"\nabsorbed = false', of_heads)
    turned = {"Q_R": RotaryEmbedding(Q_R), "K_R": RotaryEmbedding(K_R)}
    both = LatentAttention(Q, C, U_K, U_V, **turned)
    of_heads = _latent_heads(turned=True)
    yield Row("kinds", "latent, rotary part", both, 'kind = "latent"\nrope = true', of_heads)
    both = LatentAttention(Q, C, U_K, U_V, False, **turned)
    stated, of_heads = 'kind = "latent"\nrope = true\nabsorbed = false', _latent_heads(absorbed=False, turned=True)
    yield Row("kinds", "latent, rotary part, not absorbed", both, stated, of_heads)
    yield Row("kinds", "online", OnlineAttention(Q, K, V, block=1), 'kind = "online"', {"kind": OnlineAttention})
    pairs = DifferentialAttention(Q, K, Q_2, K_2, V, Rational(4, 5))
    yield Row("kinds", "differential", pairs, 'kind = "differential"', _pairs_of_heads(Rational(4, 5)))
    learned = MatrixSymbol("lambda", 1, 1)
    pairs = DifferentialAttention(Q, K, Q_2, K_2, V, learned, mask=CausalMask())
    stated = 'kind = "differential"\nlambda = [["1/2"]]\nmask = "causal"'
    yield Row("kinds", "differential, λ a symbol", pairs, stated, _pairs_of_heads(learned, mask=CausalMask()))
    yield from _positions()
    yield from _states()
    past = [_each(MatrixSymbol(x.name, p, x.shape[1])) for x in CACHE]
    of_heads = {"kind": lambda Q, K, V: Attention(Q, Stack(past[0], K), Stack(past[1], V))}
    yield Row("kinds", "cache", Attention(Q, Stack(CACHE[0], K), Stack(CACHE[1], V)), "", of_heads)
    yield Row("kinds", "softmax over columns", Softmax(Q * K.T, -2) * V, None, None)


def _positions() -> Iterator[Row]:
    """Relative positions with keys, queries and values of their own."""
    given: list[tuple[str, Any, dict[str, str], str, dict[str, Any]]] = [
        ("Shaw", TurnedBuckets(clipped_buckets(3)), {"keys": "K_p", "values": "V_p"}, ", turned = true", {}),
        ("Music Transformer", clipped_buckets(5), {"keys": "K_p"}, "", {"mask": CausalMask()}),
        ("BERT", clipped_buckets(5), {"keys": "K_p", "queries": "Q_p"}, "", {}),
        (
            "Transformer-XL",
            clipped_buckets(5, 1),
            {"keys": "K_p", "content": "u_p", "position": "v_p"},
            ", offset = 1",
            {},
        ),
        (
            "DeBERTa",
            log_buckets(8, 5),
            {"keys": "K_p", "queries": "Q_p"},
            ', buckets = "log", distance = 5',
            {"scale": 1 / sqrt(3 * d)},
        ),
    ]
    lines = {"mask": '\nmask = "causal"', "scale": '\nscale = "1/sqrt(3*d_k)"'}
    for name, buckets, names, line, options in given:
        heights = {"content": 1, "position": 1}
        tables = {x: MatrixSymbol(s, heights.get(x, buckets.count), e if s == "V_p" else d) for x, s in names.items()}
        stated = ", ".join(f"{x} = {NUMBERS[t.name][: t.shape[0]]}" for x, t in tables.items())
        own = {x: _each(t) for x, t in tables.items()}
        kind = partial(RelativeAttention, buckets=buckets, **own, **options)
        stated = f"relative = {{ {stated}{line} }}{''.join(lines[x] for x in options)}"
        yield Row(
            "kinds",
            f"positions, {name}",
            RelativeAttention(Q, K, V, buckets, **tables, **options),
            stated,
            {"kind": kind},
        )


def _states() -> Iterator[Row]:
    """Attention by a state, of as many keys as queries."""
    given = [x.xreplace({m: n}) for x in (Q, K, V)]
    alpha, a, beta = MatrixSymbol("alpha", n, d), MatrixSymbol("a", n, 1), MatrixSymbol("beta", n, 1)
    gamma = MatrixSymbol("gamma", 1, 1)
    nodes: list[tuple[str, type, list[Any], str]] = [
        ("retention", Retention, [Rational(31, 32)], '"retention"'),
        ("retention, γ a symbol", Retention, [gamma], '"retention"\ngamma = [["2/3"]]'),
        ("gated linear", GatedLinearAttention, [alpha], '"gated-linear"'),
        ("state space", StateSpaceDuality, [a], '"state-space"'),
        ("delta rule", DeltaRule, [beta], '"delta"'),
        ("gated delta rule", GatedDeltaRule, [a, beta], '"gated-delta"'),
    ]
    for name, node, gates, line in nodes:
        of_heads = [x if x in (gamma, Rational(31, 32)) else _each(x) for x in gates]
        kind = lambda Q, K, V, node=node, of_heads=of_heads: node(Q, K, V, *of_heads)  # noqa: E731
        yield Row("kinds", name, node(*given, *gates), f"kind = {line}", {"kind": kind})
    forms = {"retention, γ a symbol": 1, "retention": None, "delta rule": 3}
    for name, node, gates, line in (x for x in nodes if x[0] in forms):
        size = forms[name]
        told, form = ("parallel", '"parallel"') if size is None else ("in chunks", f"{{ chunk = {size} }}")
        of_heads = [x if x in (gamma, Rational(31, 32)) else _each(x) for x in gates]
        made = lambda Q, K, V, node=node, of_heads=of_heads, size=size: ChunkedState(node(Q, K, V, *of_heads), size)  # noqa: E731
        stated = ChunkedState(node(*given, *gates), size)
        yield Row("kinds", f"{name}, {told}", stated, f"kind = {line}\nform = {form}", {"kind": made})


def _each(matrix: MatrixSymbol) -> HeadColumns:
    """What each of two heads has of its own: its numbers are those of one head, there and back."""
    wide = MatrixSymbol(f"{matrix.name}_h", matrix.shape[0], 2 * matrix.shape[1])
    NUMBERS[wide.name] = [row + row[::-1] for row in (COLUMNS if matrix.shape[1] == 1 else NUMBERS)[matrix.name]]
    return HeadColumns(wide, HEAD, 2)


def _latent_heads(*, absorbed: bool = True, turned: bool = False) -> dict[str, Any]:
    """Heads that share the narrow rows X W_C, and what is turned of the keys."""
    W_C, W_QR, W_KR = MatrixSymbol("W_C", D, c), MatrixSymbol("W_QR", D, r), MatrixSymbol("W_KR", D, r)
    parts = {"Q_R": RotaryEmbedding(X * _each(W_QR)), "K_R": RotaryEmbedding(X * W_KR)} if turned else {}
    kind = lambda Q, K, V: LatentAttention(Q, X * W_C, _each(U_K), _each(U_V), absorbed, **parts)  # noqa: E731
    return {"kind": kind, "W_K": None, "W_V": None}


def _pairs_of_heads(lam: Any, **options: Any) -> dict[str, Any]:
    """Heads with two pairs of queries and keys side by side."""

    def kind(Q: Any, K: Any, V: Any) -> Any:
        pairs = (Block(x, 0, n, k * d, d) for k in (0, 1) for x in (Q, K))
        return DifferentialAttention(*pairs, V, lam, **options)

    return {"kind": kind, **{w: MatrixSymbol(w, D, 4 * d) for w in ("W_Q", "W_K")}}


def _masks() -> Iterator[Row]:
    given: list[tuple[str, Any, str | None, dict[Any, int]]] = [
        ("causal", CausalMask(), '"causal"', {}),
        ("causal, offset", CausalMask(1), "{ causal = 1 }", {}),
        ("causal, offset a letter", CausalMask(o), '{ causal = "o" }', {o: 1}),
        ("window", WindowMask(1, 0), "{ window = [1, 0] }", {}),
        ("window, offset", WindowMask(2, 0, 1), "{ window = [2, 0], offset = 1 }", {}),
        ("keep, a symbol", KeepMask(M), '{ keep = "n x m" }', {}),
        ("hide, a symbol", HideMask(M), '{ hidden = "n x m" }', {}),
        ("padding, a length", PaddingMask(2), "{ padding = 2 }", {}),
        ("padding, a letter", PaddingMask(o), '{ padding = "o" }', {o: 2}),
        ("padding, keys listed", PaddingMask(keys=[2]), "{ padding = [2] }", {}),
        ("top 2", TopKMask(2), "{ top = 2 }", {}),
        ("top k, a letter, causal", (CausalMask(), TopKMask(o)), '["causal", { top = "o" }]', {o: 2}),
        ("finite −10⁹", FiniteMask(CausalMask()), '{ finite = -1e9, of = "causal" }', {}),
        ("finite −20", FiniteMask(CausalMask(), -20), '{ finite = -20, of = "causal" }', {}),
        ("several masks", (CausalMask(), PaddingMask(keys=[2])), '["causal", { padding = [2] }]', {}),
    ]
    for name, mask, line, numbers in given:
        yield Row("masks", name, Attention(Q, K, V, mask=mask), line and f"mask = {line}", {"mask": mask}, numbers)
    keep = [[1, 0, 1], [1, 1, 0], [0, 1, 1]]
    sized = [MatrixSymbol(x.name, 3, x.shape[1]) for x in (Q, K, V)]
    stated = Attention(*sized, mask=KeepMask(keep))
    yield Row("masks", "keep, numbers", stated, f"mask = {keep}", {"mask": KeepMask(keep), "rows": 3})


def _options() -> Iterator[Row]:
    unseen, learned = CausalMask(-1), MatrixSymbol("c", 1, 1)
    slope = Alibi(n, m, alibi_slope(Integer(1), Integer(1)))
    later = Alibi(n, m, alibi_slope(Integer(1), Integer(1)), 3)
    given: list[tuple[str, dict[str, Any], str | None, dict[Any, int]]] = [
        ("bias, a symbol", {"bias": B}, "bias = [[0, 1, 2], [1, 0, -1], [2, 1, 1]]", {}),
        ("ALiBi", {"bias": slope}, "alibi = true", {}),
        ("ALiBi, offset", {"bias": later}, "alibi = { offset = 3 }", {}),
        ("scale, a number", {"scale": Rational(1, 3)}, 'scale = "1/3"', {}),
        ("scale, a letter", {"scale": tau}, 'scale = "tau"', {tau: 2}),
        ("scale, a symbol", {"scale": learned}, 'scale = [["3/4"]]', {}),
        ("softcap", {"softcap": 5}, "softcap = 5", {}),
        ("empty row: zero", {"mask": unseen, "empty_row": "zero"}, 'mask = { causal = -1 }\nempty_row = "zero"', {}),
        ("empty row: nan", {"mask": unseen, "empty_row": "nan"}, 'mask = { causal = -1 }\nempty_row = "nan"', {}),
        (
            "empty row: uniform",
            {"mask": unseen, "empty_row": "uniform"},
            'mask = { causal = -1 }\nempty_row = "uniform"',
            {},
        ),
        ("sink 0", {"sink": 0}, "sink = 0", {}),
        ("sink, a symbol", {"sink": s}, 'sink = [["1/2"]]', {}),
        ("score_mod", {"score_mod": z - (i - j) / 2}, 'score_mod = "z - (i - j)/2"', {}),
        ("score_mod, z²", {"score_mod": Lambda((z, i, j), z**2 / 4)}, 'score_mod = "z^2/4"', {}),
    ]
    for name, options, lines, numbers in given:
        yield Row("options", name, Attention(Q, K, V, **options), lines, options, numbers)

    yield from _tables()


def _tables() -> Iterator[Row]:
    """Biases from a table by relative position."""
    given: list[tuple[str, Any, Any, str]] = [
        ("T5's buckets", t5_buckets(6, 5), n, "distance = 5"),
        ("T5's buckets, offset", t5_buckets(4, 3, both=False, offset=1), n, "distance = 3, both = false, offset = 1"),
        ("Swin's window", GridBuckets(1, 3), Integer(3), "window = [1, 3]"),
    ]
    for name, buckets, rows, line in given:
        table, keys = MatrixSymbol("t", buckets.count, 1), m if rows == n else rows
        sized = [x.xreplace({n: rows, m: keys}) for x in (Q, K, V)]
        stated = Attention(*sized, bias=RelativeBias(table, rows, keys, buckets))
        lines = f"relative = {{ table = {COLUMNS['t'][: buckets.count]}, {line} }}"
        of_heads = {"bias": RelativeBias(_each(table), rows, keys, buckets), "rows": rows}
        yield Row("options", name, stated, lines, of_heads)


def _rows() -> Iterator[Row]:
    turned = RotaryEmbedding(Q), RotaryEmbedding(K)
    yield Row("rows of Q and K", "RoPE", Attention(*turned, V), "rope = true", {"rotary": True})
    halves = [RotaryEmbedding(x, 100, "halves", 2) for x in (Q, K)]
    stated = 'rope = { base = 100, pairs = "halves", offset = 2 }'
    yield Row("rows of Q and K", "RoPE, halves, base, offset", Attention(*halves, V), stated, {"rotary": halves[0]})
    placed = [RotaryEmbedding(x, offset=[4, 0, 2]) for x in (Q, K)]
    lines = "rope = { positions = [4, 0, 2] }"
    yield Row("rows of Q and K", "RoPE, positions", Attention(*placed, V), lines, {"rotary": placed[0]})
    given = MatrixSymbol("pos", n, 1)
    both = [RotaryEmbedding(Q, offset=given), RotaryEmbedding(K.xreplace({m: n}), offset=given)]
    lines = "rope = { positions = [[4], [0], [2]] }"
    stated = Attention(*both, V.xreplace({m: n}))
    yield Row("rows of Q and K", "RoPE, positions a symbol", stated, lines, {"rotary": both[0]})
    given = MatrixSymbol("pos", n, 2)
    both = [RotaryEmbedding(MatrixSymbol(x, n, 4), offset=given, sections=[1, 1]) for x in "QK"]
    lines = "rope = { positions = [[4, 1], [0, 3], [2, 2]], sections = [1, 1] }"
    stated = Attention(*both, V.xreplace({m: n}))
    of_heads = {"rotary": both[0], **{w: MatrixSymbol(w, D, 8) for w in ("W_Q", "W_K")}}
    yield Row("rows of Q and K", "RoPE, sections", stated, lines, of_heads)
    wide = [MatrixSymbol(x, y, 4) for x, y in (("Q", n), ("K", m))]
    rates = linear_rates(2, 8)
    part = [RotaryEmbedding(x, width=2, rates=rates) for x in wide]
    lines = 'rope = { width = 2, scaling = { kind = "linear", factor = 8 } }'
    yield Row("rows of Q and K", "RoPE, some columns, scaled", Attention(*part, V), lines, {"rotary": part[0]})
    apart = [RotaryEmbedding(x, offset=first) for x, first in ((Q, 3), (K, 0))]
    both = {"rotary": [Rotary(offset=3), Rotary()]}
    yield Row("rows of Q and K", "RoPE, queries later", Attention(*apart, V), "rope = { queries = 3 }", both)
    for kind in ("l2", "rms"):
        norm = QKNorm(kind)
        unit = Attention(norm.of(Q, "Q"), norm.of(K, "K"), V)
        yield Row("rows of Q and K", f"QK-norm {kind}", unit, f'qk_norm = "{kind}"', {"qk_norm": kind})
    norm = QKNorm("layer", epsilon=Rational(1, 100))
    unit = Attention(norm.of(Q, "Q"), norm.of(K, "K"), V)
    lines = 'qk_norm = { kind = "layer", epsilon = "1/100" }'
    yield Row("rows of Q and K", "QK-norm layer, ε", unit, lines, {"qk_norm": norm})
    norm = QKNorm("layer", *GAINS, None, *BIASES)
    unit = Attention(norm.of(Q, "Q"), norm.of(K, "K"), V)
    yield Row("rows of Q and K", "QK-norm layer, gains, biases", unit, 'qk_norm = "layer"', {"qk_norm": norm})
    norm = QKNorm("rms", *GAINS, Rational(1, 100))
    unit = Attention(norm.of(Q, "Q"), norm.of(K, "K"), V)
    lines = 'qk_norm = { kind = "rms", epsilon = "1/100" }'
    yield Row("rows of Q and K", "QK-norm rms, gains, ε", unit, lines, {"qk_norm": norm})


def _weightings() -> Iterator[Row]:
    given: list[tuple[str, Any, str]] = [
        ("sparsemax", "sparsemax", '"sparsemax"'),
        ("entmax-1.5", "entmax-1.5", '"entmax-1.5"'),
        ("sigmoid", "sigmoid", '"sigmoid"'),
        ("sigmoid, −log m", Weighting("sigmoid", -log(m)), '{ kind = "sigmoid", bias = "-log(m)" }'),
        ("sigmoid, a symbol", Weighting("sigmoid", b), '{ kind = "sigmoid", bias = [["-1/2"]] }'),
        ("softmax-off-by-one", "softmax-off-by-one", '"softmax-off-by-one"'),
    ]
    for name, weighting, line in given:
        options = {"weighting": weighting}
        yield Row("weights", name, Attention(Q, K, V, **options), f"weighting = {line}", options)
    masked = {"weighting": "sparsemax", "mask": CausalMask()}
    stated = 'weighting = "sparsemax"\nmask = "causal"'
    yield Row("weights", "sparsemax, causal", Attention(Q, K, V, **masked), stated, masked)


def _block() -> Iterator[Row]:
    """What a layer has beside its attention; stacks of layers are worksheets of their own (`[[layer]]`)."""
    gain, offset = MatrixSymbol("gamma", 1, D), MatrixSymbol("beta_1", 1, D)
    A, T, a, t = (MatrixSymbol(x, *shape) for x, shape in (("A", (D, u)), ("T", (u, D)), ("a", (1, u)), ("t", (1, D))))
    made: list[tuple[str, Any]] = [
        ("LayerNorm", LayerNorm(X, gain, offset)),
        ("RMSNorm", RMSNorm(X, gain)),
        ("residual, norm before", Residual(X, FeedForward(LayerNorm(X), A, T))),
        ("residual, norm after", LayerNorm(Residual(X, FeedForward(X, A, T)))),
        ("feed-forward, ReLU", FeedForward(X, A, T, a, t)),
        ("feed-forward, GELU", FeedForward(X, A, T, activation="gelu")),
        ("feed-forward, GELU by tanh", FeedForward(X, A, T, activation="gelu-tanh")),
        ("feed-forward, SwiGLU", FeedForward(X, A, T, activation="silu", W_3=MatrixSymbol("A_3", D, u))),
        ("gate", Gated(X, X, MatrixSymbol("A_G", D, D))),
        ("sinusoidal positions", WithPositions(MatrixSymbol("X", n, 4), SinusoidalPositions(n, 4))),
        ("dropout", FeedForward(Dropout(X, Rational(1, 10)), A, T)),
        ("cross-entropy", CrossEntropy(MatrixSymbol("X", 3, D), (0, 2, 1))),
    ]
    for name, expression in made:
        yield Row("block", name, expression, None, None)


ROWS = {row.name: row for made in (_kinds, _masks, _options, _rows, _weightings, _block) for row in made()}
