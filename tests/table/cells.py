"""What works with what: kinds, masks and options as rows, passes over a calculation as columns, every cell tried.

A cell holds if the call returns and its numbers agree: digits with the plain NumPy function, gradients of the engine
with lowered ones, fast with plain, several heads with the plain function of them, a worksheet with the node that it
must state, a check with claims that are right and one that is not.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from sympy import Basic, Integer, Lambda, MatrixSymbol, Rational, Symbol, exp, log, symbols

from symattn import check_worksheet, derive, differentiate, lower, measure_saturation
from symattn.nodes import (
    Alibi,
    Attention,
    BahdanauAttention,
    CausalMask,
    CrossEntropy,
    DeltaRule,
    DifferentialAttention,
    Dropout,
    FeedForward,
    FiniteMask,
    Gated,
    GatedDeltaRule,
    GatedLinearAttention,
    HideMask,
    KeepMask,
    LatentAttention,
    LayerNorm,
    LinearAttention,
    LuongAttention,
    MultiHead,
    OnlineAttention,
    PaddingMask,
    QKNorm,
    Residual,
    Retention,
    RMSNorm,
    Rotary,
    RotaryEmbedding,
    SinusoidalPositions,
    Softmax,
    Stack,
    StateSpaceDuality,
    Weighting,
    WindowMask,
    WithPositions,
    alibi_slope,
    linear_rates,
)
from symattn.reading.worksheets.worksheet import parse_worksheet

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
    "alpha": [["1/2", "1/4"], ["3/4", 1], [0, "1/3"]],
    "C": [[1], [2], [-1]],
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
    "t": [[0, 1, 2]],
}
COLUMNS = {"a": [["1/2"], [0], ["3/4"]], "beta": [[1], ["1/2"], ["1/4"]], "gamma": [["2/3"]]}  # of states
PASSES = (
    *("LaTeX", "token", "index", "columns", "heads", "digits", "saturation", "gradient"),
    *("plain", "fast", "fast gradient", "worksheet", "shapes", "costs", "check"),
)


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
    yield Row("kinds", "Luong", LuongAttention(Q, K, V, W_S), 'kind = "luong"', None)
    yield Row("kinds", "Bahdanau", BahdanauAttention(Q, K, V, W, U, v), 'kind = "bahdanau"', None)
    yield Row("kinds", "linear", LinearAttention(Q, K, V), 'kind = "linear"', None)
    same = (x.xreplace({m: n}) for x in (Q, K, V))
    yield Row("kinds", "linear, causal", LinearAttention(*same, causal=True), 'kind = "linear"\nmask = "causal"', None)
    yield Row("kinds", "linear, φ = exp", LinearAttention(Q, K, V, exp(z)), 'kind = "linear"\nfeature = "exp(z)"', None)
    yield Row("kinds", "latent, absorbed", LatentAttention(Q, C, U_K, U_V), 'kind = "latent"', None)
    apart = LatentAttention(Q, C, U_K, U_V, absorbed=False)
    yield Row("kinds", "latent, not absorbed", apart, 'kind = "latent"\nabsorbed = false', None)
    turned = {"Q_R": RotaryEmbedding(Q_R), "K_R": RotaryEmbedding(K_R)}
    both = LatentAttention(Q, C, U_K, U_V, **turned)
    yield Row("kinds", "latent, rotary part", both, 'kind = "latent"\nrope = true', None)
    both = LatentAttention(Q, C, U_K, U_V, False, **turned)
    yield Row(
        "kinds", "latent, rotary part, not absorbed", both, 'kind = "latent"\nrope = true\nabsorbed = false', None
    )
    yield Row("kinds", "online", OnlineAttention(Q, K, V, block=1), 'kind = "online"', None)
    pairs = DifferentialAttention(Q, K, Q_2, K_2, V, Rational(4, 5))
    yield Row("kinds", "differential", pairs, 'kind = "differential"', None)
    pairs = DifferentialAttention(Q, K, Q_2, K_2, V, MatrixSymbol("lambda", 1, 1), mask=CausalMask())
    stated = 'kind = "differential"\nlambda = "1 x 1"\nmask = "causal"'
    yield Row("kinds", "differential, λ a symbol", pairs, stated, None)
    yield from _states()
    yield Row("kinds", "cache", Attention(Q, Stack(CACHE[0], K), Stack(CACHE[1], V)), "", None)
    yield Row("kinds", "softmax over columns", Softmax(Q * K.T, -2) * V, None, None)


def _states() -> Iterator[Row]:
    """Attention by a state, of as many keys as queries."""
    given = [x.xreplace({m: n}) for x in (Q, K, V)]
    alpha, a, beta = MatrixSymbol("alpha", n, d), MatrixSymbol("a", n, 1), MatrixSymbol("beta", n, 1)
    gamma = MatrixSymbol("gamma", 1, 1)
    rows: list[tuple[str, Any, str]] = [
        ("retention", Retention(*given, Rational(31, 32)), '"retention"'),
        ("retention, γ a symbol", Retention(*given, gamma), '"retention"\ngamma = "1 x 1"'),
        ("gated linear", GatedLinearAttention(*given, alpha), '"gated-linear"'),
        ("state space", StateSpaceDuality(*given, a), '"state-space"'),
        ("delta rule", DeltaRule(*given, beta), '"delta"'),
        ("gated delta rule", GatedDeltaRule(*given, a, beta), '"gated-delta"'),
    ]
    for name, expression, line in rows:
        yield Row("kinds", name, expression, f"kind = {line}", None)


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
        ("bias, a symbol", {"bias": B}, 'bias = "n x m"', {}),
        ("ALiBi", {"bias": slope}, "alibi = true", {}),
        ("ALiBi, offset", {"bias": later}, "alibi = { offset = 3 }", {}),
        ("scale, a number", {"scale": Rational(1, 3)}, 'scale = "1/3"', {}),
        ("scale, a letter", {"scale": tau}, 'scale = "tau"', {tau: 2}),
        ("scale, a symbol", {"scale": learned}, 'scale = "1 x 1"', {}),
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
        ("sink, a symbol", {"sink": s}, 'sink = "1 x 1"', {}),
        ("score_mod", {"score_mod": z - (i - j) / 2}, 'score_mod = "z - (i - j)/2"', {}),
        ("score_mod, z²", {"score_mod": Lambda((z, i, j), z**2 / 4)}, 'score_mod = "z^2/4"', {}),
    ]
    for name, options, lines, numbers in given:
        yield Row("options", name, Attention(Q, K, V, **options), lines, options, numbers)


def _rows() -> Iterator[Row]:
    turned = RotaryEmbedding(Q), RotaryEmbedding(K)
    yield Row("rows of Q and K", "RoPE", Attention(*turned, V), "rope = true", {"rotary": True})
    halves = [RotaryEmbedding(x, 100, "halves", 2) for x in (Q, K)]
    stated = 'rope = { base = 100, pairs = "halves", offset = 2 }'
    yield Row("rows of Q and K", "RoPE, halves, base, offset", Attention(*halves, V), stated, {"rotary": halves[0]})
    placed = [RotaryEmbedding(x, offset=[4, 0, 2]) for x in (Q, K)]
    lines = "rope = { positions = [4, 0, 2] }"
    yield Row("rows of Q and K", "RoPE, positions", Attention(*placed, V), lines, {"rotary": placed[0]})
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
        ("sigmoid, a symbol", Weighting("sigmoid", b), '{ kind = "sigmoid", bias = "1 x 1" }'),
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


# --- the passes


def _values(expression: Any) -> dict[Any, Any]:
    columns = {x for x in expression.atoms(MatrixSymbol) if x.shape[1] == 1}
    found = {x: NUMBERS.get(x.name) or _weights(x) for x in expression.atoms(MatrixSymbol)}
    found |= {x: COLUMNS[x.name] for x in columns if x.name in COLUMNS}
    return {x: _of_four(x.name, rows) if x.shape[1] == 4 else rows for x, rows in found.items()}


def _of_four(name: str, rows: Any) -> Any:
    """Rows of four numbers, of queries and keys of two, or of what comes into a layer of three."""
    if name in ("Q", "K"):
        return [row + row[::-1] for row in rows]
    return [[*row, 2] for row in rows] if name == "X" else rows


def _weights(x: MatrixSymbol) -> list[list[int]]:
    """The numbers of a projection of heads of width 2."""
    rows, columns = (4 if size.has(Symbol) and not size.is_Symbol else 4 if size.is_Integer else 3 for size in x.shape)
    return [[(2 * k + 3 * t + k * t) % 5 - 2 for t in range(columns)] for k in range(3 if x.name[0] == "W" else rows)]


def _arrays(expression: Any) -> dict[str, Any]:
    return {
        x.name: np.array([[float(Rational(str(y))) for y in row] for row in rows]).astype(
            bool if x.name == "M" else float
        )
        for x, rows in _values(expression).items()
    }


def _known(row: Row, expression: Any) -> Any:
    return expression.xreplace(row.numbers)


def _derived(row: Row, **page: Any) -> Any:
    return derive(_known(row, row.expression), _values(row.expression), **page)


def _called(row: Row, expression: Any, **options: Any) -> Any:
    f = lower(expression, **options)
    arrays = _arrays(expression)
    if options.get("gradient"):
        arrays["G"] = np.array(_upstream(lower(expression, style="plain")(**arrays, **_named(row)).shape), float)
    return f(**arrays, **_named(row))


def _named(row: Row) -> dict[str, int]:
    return {x.name: value for x, value in row.numbers.items()}


def _upstream(shape: tuple[int, ...]) -> list[list[int]]:
    return [[(3 * a + 2 * b) % 4 - 1 for b in range(shape[1])] for a in range(shape[0])]


def _floats(matrix: Any) -> Any:
    return np.array([[float(x) for x in row] for row in matrix.tolist()])


def _latex(row: Row) -> None:
    assert derive(row.expression).to_latex() and _derived(row).to_latex()


def _told(**page: Any) -> Callable[[Row], None]:
    def tell(row: Row) -> None:
        assert derive(row.expression, **page).to_latex() and _derived(row, **page).to_text()

    return tell


def _heads(row: Row) -> None:
    if row.heads is None:
        raise NotImplementedError
    options = {name: x for name, x in row.heads.items() if name != "rows"}
    if isinstance(options.get("rotary"), RotaryEmbedding):
        options["rotary"] = _rotary(options["rotary"])
    x = MatrixSymbol("X", row.heads.get("rows", n), D)
    keys = {m: x.shape[0]}
    options = {name: y.xreplace(keys) if isinstance(y, Basic) else y for name, y in options.items()}
    if isinstance(options.get("mask"), tuple):
        options["mask"] = tuple(options["mask"])
    layer = MultiHead(
        x, heads=2, **{w: MatrixSymbol(w, D, 2 * y) for w, y in (("W_Q", d), ("W_K", d), ("W_V", e))}, **options
    )
    found = derive(_known(row, layer), _values(layer))
    plain = _called(row, layer, style="plain")
    np.testing.assert_allclose(_floats(found["concat"].evaluate(20)), plain, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(_called(row, layer), plain, rtol=1e-10, atol=1e-12)


def _rotary(node: RotaryEmbedding) -> Any:
    return Rotary(*node.args[1:])


def _digits(row: Row) -> None:
    name = derive(row.expression).families.steps[-1].name
    found = _floats(_derived(row)[name].evaluate(20))
    np.testing.assert_allclose(found, _called(row, row.expression, style="plain"), rtol=1e-10, atol=1e-12)


def _saturation(row: Row) -> None:
    assert measure_saturation(_derived(row)).rows


def _gradient(row: Row) -> None:
    assert differentiate(derive(row.expression)).to_latex()
    wanted = _called(row, row.expression, style="plain", gradient=True)
    made = _derived(row)
    G = _upstream(wanted["output"].shape)
    back = differentiate(made, G=G)
    for name in (name for name in wanted if name != "output"):
        np.testing.assert_allclose(_floats(back[name].evaluate(15)), wanted[name], rtol=1e-9, atol=1e-10)


def _plain(row: Row) -> None:
    assert np.asarray(_called(row, row.expression, style="plain")).ndim == 2


def _fast(row: Row) -> None:
    plain = _called(row, row.expression, style="plain")
    np.testing.assert_allclose(_called(row, row.expression), plain, rtol=1e-10, atol=1e-12)


def _fast_gradient(row: Row) -> None:
    plain = _called(row, row.expression, style="plain", gradient=True)
    for name, found in _called(row, row.expression, gradient=True).items():
        np.testing.assert_allclose(found, plain[name], rtol=1e-9, atol=1e-11)


_STATED = ("B", "M", "s", "b", "c", "lambda", "gamma")  # symbols that lines of [attention] state


def _sheet(row: Row) -> str:
    """The worksheet that states the row: in letters where some of it has no numbers."""
    if row.lines is None:
        raise NotImplementedError
    own = [x for x in sorted(row.expression.atoms(MatrixSymbol), key=str) if x.name not in _STATED]
    letters = bool(row.numbers) or any(x.name in _STATED for x in row.expression.atoms(MatrixSymbol))
    lines = [f'{x.name} = "{x.shape[0]} x {x.shape[1]}"' if letters else f"{x.name} = {_values(x)[x]}" for x in own]
    return "\n".join(["[inputs]", *lines, "[attention]", row.lines, ""]).replace("'", '"')


def _worksheet(row: Row) -> None:
    stated = parse_worksheet(_sheet(row)).expression
    alike = (stated, stated.xreplace({m: n}), stated.xreplace({d: Integer(4)}))  # as many keys as queries; four columns
    assert row.expression in alike


def _shapes(row: Row) -> None:
    assert derive(row.expression).shapes(batch="b") and _derived(row).shapes(batch=2)


def _costs(row: Row) -> None:
    for costs in (derive(row.expression).costs(batch="b"), _derived(row).costs()):
        assert costs.total.numbers and not costs.not_counted


def _check(row: Row) -> None:
    """A worksheet's claims: right ones are right, one that is off by a tenth is wrong."""
    text = _sheet(row)
    if not parse_worksheet(text).values:
        raise NotImplementedError
    name = derive(row.expression).families.steps[-1].name
    rows = [[f"{float(x) + 0.0:.2f}" for x in line] for line in _derived(row)[name].evaluate(20).tolist()]
    with tempfile.TemporaryDirectory() as folder:
        for wrong in (False, True):
            rows[0][0] = f"{float(rows[0][0]) + 0.1:.2f}" if wrong else rows[0][0]
            path = Path(folder) / "sheet.toml"
            path.write_text(f"{text}[claims]\n{name} = {rows}\n".replace("'", '"'), encoding="utf-8")
            assert check_worksheet(path).summary.get("wrong", 0) == wrong


CELLS: dict[str, Callable[[Row], None]] = {
    "LaTeX": _latex,
    "token": _told(level="token"),
    "index": _told(level="index"),
    "columns": _told(notation="prince"),
    "heads": _heads,
    "digits": _digits,
    "saturation": _saturation,
    "gradient": _gradient,
    "plain": _plain,
    "fast": _fast,
    "fast gradient": _fast_gradient,
    "worksheet": _worksheet,
    "shapes": _shapes,
    "costs": _costs,
    "check": _check,
}


def try_cell(row: Row, name: str) -> str:
    """Nothing where the cell holds, else what stands in the way."""
    try:
        CELLS[name](row)
    except NotImplementedError:
        return "none"
    except Exception as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
    return ""


# --- the table

EMPTY = {  # why a cell is empty, by row ("" for all of them) and column
    ("Luong", "heads"): "no MultiHead with it; heads are written one by one (`Concat`)",
    ("Bahdanau", "heads"): "no MultiHead with it; heads are written one by one (`Concat`)",
    ("linear", "heads"): "no MultiHead with it; heads are written one by one (`Concat`)",
    ("linear, causal", "heads"): "a family of tokens inside a family of heads has no steps yet",
    ("linear, φ = exp", "heads"): "no MultiHead with it; heads are written one by one (`Concat`)",
    ("latent, absorbed", "heads"): "no MultiHead with it; heads are written one by one (`Concat`)",
    ("latent, not absorbed", "heads"): "MultiHead over C is the same, with U_K and U_V as W_K and W_V",
    ("latent, rotary part", "heads"): "no MultiHead with it; heads are written one by one (`Concat`)",
    ("latent, rotary part, not absorbed", "heads"): "no MultiHead with it; heads are written one by one (`Concat`)",
    ("online", "heads"): "a family of blocks of keys inside a family of heads has no steps yet",
    ("differential", "heads"): "no MultiHead with it; heads are written one by one (`Concat`)",
    ("differential, λ a symbol", "heads"): "no MultiHead with it; heads are written one by one (`Concat`)",
    ("cache", "heads"): "caches of heads are not stated by MultiHead",
    ("softmax over columns", "heads"): "no attention: an expression of its own",
    ("softmax over columns", "worksheet"): "no attention: an expression of its own",
    ("retention", "heads"): "a family of tokens inside a family of heads has no steps yet",
    ("retention, γ a symbol", "heads"): "a family of tokens inside a family of heads has no steps yet",
    ("gated linear", "heads"): "a family of tokens inside a family of heads has no steps yet",
    ("state space", "heads"): "a family of tokens inside a family of heads has no steps yet",
    ("delta rule", "heads"): "a family of tokens inside a family of heads has no steps yet",
    ("gated delta rule", "heads"): "a family of tokens inside a family of heads has no steps yet",
    ("retention", "saturation"): "has no softmax that could saturate",
    ("retention, γ a symbol", "saturation"): "has no softmax that could saturate",
    ("gated linear", "saturation"): "has no softmax that could saturate",
    ("state space", "saturation"): "has no softmax that could saturate",
    ("delta rule", "saturation"): "has no softmax that could saturate",
    ("gated delta rule", "saturation"): "has no softmax that could saturate",
    ("linear", "saturation"): "has no softmax that could saturate",
    ("linear, causal", "saturation"): "has no softmax that could saturate",
    ("linear, φ = exp", "saturation"): "has no softmax that could saturate",
    ("sparsemax", "saturation"): "has no softmax that could saturate",
    ("sparsemax, causal", "saturation"): "has no softmax that could saturate",
    ("entmax-1.5", "saturation"): "has no softmax that could saturate",
    ("sigmoid", "saturation"): "has no softmax that could saturate",
    ("sigmoid, −log m", "saturation"): "has no softmax that could saturate",
    ("sigmoid, a symbol", "saturation"): "has no softmax that could saturate",
    ("empty row: nan", "check"): "nan is no number that could be claimed",
    ("block", "heads"): "no attention: all heads share it",
    ("block", "saturation"): "has no softmax of scores",
    ("block", "worksheet"): "stated by `[[layer]]` and `[stack]`, which the tests of stacks try",
    ("block", "check"): "claims of stacks are tried by the tests of stacks",
    ("", "check"): "claims are numbers: a worksheet in letters has none",
}
HEADING = """# What works with what

Kinds, masks and options, and what can be done with them. Every cell is tried by a test (`tests/table`), which keeps
this file as it is: a mark means that the call returns and that its numbers agree, digits with the plain NumPy function,
gradients with each other, fast with plain, several heads with the plain function of them, a worksheet with the node
that it must state, a check with right and wrong claims. An o in the place of ✓ is a fast function that keeps n times m
numbers, as the plain one does. An empty cell has a line below that says why.

LaTeX: with numbers and in letters; token, index: other levels than matrix; columns: tokens as columns; heads: as
options of `MultiHead`; digits: certified; gradient: `differentiate`; plain, fast: `lower`; worksheet: a key of it.
"""


def line_of(row: Row) -> str:
    """The row of the table, every cell tried. Raises AssertionError for an empty cell without a reason."""
    marks = []
    for name in CELLS:
        found = try_cell(row, name)
        reason = _reason(row, name) if found else ""
        assert not found or reason, f"{row.name}, {name}: {found}"
        assert found or (row.name, name) not in EMPTY, f"{row.name}, {name} works: {EMPTY[row.name, name]}"
        marks.append(" " if found else "o" if _keeps_scores(row, name) else "✓")
    return f"| {row.name} | {' | '.join(marks)} |"


def _keeps_scores(row: Row, name: str) -> bool:
    """Whether a fast function has lines for scores of all queries and keys."""
    if not name.startswith("fast") or row.group == "block":  # which has no scores
        return False
    gradient = name == "fast gradient"
    made = lower(row.expression, gradient=gradient)
    keys = {x.shape[0] for x in row.expression.atoms(MatrixSymbol)} - {d, e, c, u, r, Integer(1)}
    scores = any(step.shape[0] == row.expression.shape[0] and step.shape[1] in keys for step in made.program)
    kernels = ("attend_back",) if gradient else ("attend", "running_average")
    return scores and not any(f"{kernel}(" in made.module.own for kernel in kernels)


def _reason(row: Row, name: str) -> str:
    own = EMPTY.get((row.name, name), "")
    own = own or EMPTY.get((row.group, name), "")
    return own or (EMPTY["", name] if ("", name) in EMPTY and _in_letters(row) else "")


def _in_letters(row: Row) -> bool:
    return row.lines is None or not parse_worksheet(_sheet(row)).values


def document(lines: dict[str, str]) -> str:
    """The page, from the rows of the table by their names."""
    out = [HEADING]
    for group in dict.fromkeys(row.group for row in ROWS.values()):
        out += [f"| {group} | {' | '.join(CELLS)} |", f"|{'---|' * (len(CELLS) + 1)}"]
        out += [*(lines[row.name] for row in ROWS.values() if row.group == group), ""]
    out += ["## Why not", ""]
    out += [f"* {row + ', ' if row else ''}{name}: {reason}" for (row, name), reason in EMPTY.items()]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    written = document({row.name: line_of(row) for row in ROWS.values()})
    (Path(__file__).resolve().parents[2] / "docs" / "table.md").write_text(written, encoding="utf-8")
