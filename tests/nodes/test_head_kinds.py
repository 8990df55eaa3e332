"""Heads of every kind, held against NumPy head by head and, in 30 digits, against mpmath."""

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from sympy import MatrixSymbol, Rational, symbols

from symattn import derive, differentiate, lower
from symattn.errors import SymattnError
from symattn.nodes import (
    HEAD,
    Attention,
    BahdanauAttention,
    Block,
    CausalMask,
    DeltaRule,
    DifferentialAttention,
    GatedLinearAttention,
    HeadColumns,
    LatentAttention,
    LinearAttention,
    LuongAttention,
    MultiHead,
    OnlineAttention,
    Retention,
    RotaryEmbedding,
    Stack,
)

pytestmark = pytest.mark.slow

N, WIDTH, HEADS, INNER = 4, 3, 2, 2
n, D, d, e = symbols("n d_model d_k d_v", integer=True, positive=True)
X = MatrixSymbol("X", n, D)
W_C, W_KR = MatrixSymbol("W_C", D, 2), MatrixSymbol("W_KR", D, 2)


def wide(name: str, rows: Any, columns: Any, count: int = HEADS) -> MatrixSymbol:
    return MatrixSymbol(name, rows, count * columns)


def own(name: str, rows: Any, columns: Any) -> HeadColumns:
    return HeadColumns(wide(name, rows, columns), HEAD, HEADS)


def layer(kind: Any, kv_heads: int = HEADS, pairs: int = 1, **given: Any) -> MultiHead:
    projections = {"W_Q": wide("W_Q", D, pairs * d), "W_K": wide("W_K", D, pairs * d, kv_heads)}
    projections |= {"W_V": wide("W_V", D, e, kv_heads)} | given
    return MultiHead(X, heads=HEADS, kv_heads=kv_heads, **projections, W_O=MatrixSymbol("W_O", HEADS * e, D), kind=kind)


def differential(Q: Any, K: Any, V: Any) -> Any:
    halves = (Block(x, 0, n, k * d, d) for k in (0, 1) for x in (Q, K))
    return DifferentialAttention(*halves, V, MatrixSymbol("lambda", 1, 1))


def latent(*, absorbed: bool = True, turned: bool = False) -> MultiHead:
    parts = {"Q_R": RotaryEmbedding(X * own("W_QR", D, 2)), "K_R": RotaryEmbedding(X * W_KR)} if turned else {}

    def kind(Q: Any, _K: Any, _V: Any) -> Any:
        return LatentAttention(Q, X * W_C, own("U_K", 2, d), own("U_V", 2, e), absorbed, **parts)

    return layer(kind, W_K=None, W_V=None)


LAYERS = {
    "luong": lambda: layer(lambda Q, K, V: LuongAttention(Q, K, V, own("W_S", d, d))),
    "luong, shared": lambda: layer(lambda Q, K, V: LuongAttention(Q, K, V, MatrixSymbol("W_S", d, d))),
    "bahdanau": lambda: layer(
        lambda Q, K, V: BahdanauAttention(Q, K, V, own("W_S", d, 2), own("U_S", d, 2), MatrixSymbol("v_S", 2, 1))
    ),
    "linear": lambda: layer(LinearAttention),
    "linear, causal": lambda: layer(lambda Q, K, V: LinearAttention(Q, K, V, causal=True)),
    "linear, causal, one key head": lambda: layer(lambda Q, K, V: LinearAttention(Q, K, V, causal=True), kv_heads=1),
    "online": lambda: layer(lambda Q, K, V: OnlineAttention(Q, K, V, mask=CausalMask())),
    "latent": latent,
    "latent, turned": lambda: latent(turned=True),
    "latent, not absorbed": lambda: latent(absorbed=False, turned=True),
    "differential": lambda: layer(differential, pairs=2),
    "differential, one key head": lambda: layer(differential, pairs=2, kv_heads=1),
    "retention": lambda: layer(lambda Q, K, V: Retention(Q, K, V, 1 - Rational(1, 2) ** HEAD)),
    "retention, learned": lambda: layer(
        lambda Q, K, V: Retention(Q, K, V, HeadColumns(MatrixSymbol("gamma", 1, HEADS), HEAD, HEADS))
    ),
    "retention, one key head": lambda: layer(
        lambda Q, K, V: Retention(Q, K, V, MatrixSymbol("gamma", 1, 1)), kv_heads=1
    ),
    "gated": lambda: layer(lambda Q, K, V: GatedLinearAttention(Q, K, V, own("alpha", n, d))),
    "delta": lambda: layer(lambda Q, K, V: DeltaRule(Q, K, V, own("beta", n, 1))),
    "cache": lambda: layer(
        lambda Q, K, V: Attention(Q, Stack(own("K_cache", 2, d), K), Stack(own("V_cache", 2, e), V))
    ),
}


def values(expression: Any) -> dict[str, np.ndarray]:
    """Small integers, and a half for λ."""
    sizes = {n: N, D: WIDTH, d: INNER, e: INNER}
    random = np.random.default_rng(7)
    made = {}
    for x in sorted(expression.atoms(MatrixSymbol), key=str):
        shape = tuple(int(size.xreplace(sizes)) for size in x.shape)
        made[x.name] = random.integers(-2, 3, shape).astype(float) if x.name != "lambda" else np.array([[0.5]])
    return made


# --- by hand, one head at a time, with whatever computes tanh, exp and products


class Hand:
    """A head by plain loops, over NumPy's numbers or mpmath's."""

    def __init__(self, exp: Callable[..., Any], tanh: Callable[..., Any], cos: Any, sin: Any, root: Any) -> None:
        self.exp, self.tanh, self.cos, self.sin, self.root = exp, tanh, cos, sin, root

    def softmax(self, scores: Any) -> Any:
        made = self.each(scores, self.exp)
        return np.array([[x / sum(row) for x in row] for row in made], dtype=object)

    def each(self, matrix: Any, function: Any) -> Any:
        return np.array([[function(x) for x in row] for row in matrix], dtype=object)

    def turn(self, matrix: Any) -> Any:
        """One pair of columns, turned by the position."""
        return np.array(
            [[x * self.cos(t) - y * self.sin(t), x * self.sin(t) + y * self.cos(t)] for t, (x, y) in enumerate(matrix)],
            dtype=object,
        )

    def weigh(self, Q: Any, K: Any, V: Any, *, width: int = INNER, causal: bool = False) -> Any:
        logits = Q @ K.T / self.root(width)
        A = self.each(logits, self.exp)
        A = np.array([[x if j <= i or not causal else 0 for j, x in enumerate(row)] for i, row in enumerate(A)])
        return np.array([[x / sum(row) for x in row] for row in A]) @ V

    def head(self, name: str, k: int, v: dict[str, Any]) -> Any:
        kind, _, more = name.partition(", ")
        shared = 0 if name.endswith("one key head") else k
        Q = _columns(v["X"] @ v["W_Q"], k)
        if kind == "latent":
            return self._latent(more, k, Q, v)
        wide = 2 * INNER if kind == "differential" else INNER
        K = (v["X"] @ v["W_K"])[:, shared * wide : (shared + 1) * wide]
        V = (v["X"] @ v["W_V"])[:, shared * INNER : (shared + 1) * INNER]
        if kind == "luong":
            W = v["W_S"] if more == "shared" else _columns(v["W_S"], k)
            return self.softmax(Q @ W @ K.T) @ V
        if kind == "bahdanau":
            P, R = Q @ _columns(v["W_S"], k), K @ _columns(v["U_S"], k)
            return self.softmax([[(self.each([p + r], self.tanh) @ v["v_S"])[0, 0] for r in R] for p in P]) @ V
        if kind == "linear":
            feature = lambda x: 1 + x if x > 0 else self.exp(x)  # noqa: E731
            A = self.each(Q, feature) @ self.each(K, feature).T
            A = np.array([[x if j <= i or not more else 0 for j, x in enumerate(row)] for i, row in enumerate(A)])
            return np.array([[x / sum(row) for x in row] for row in A]) @ V
        if kind in ("retention", "gated", "delta"):
            return self._by_state(name, k, Q, K, V, v)
        if kind == "differential":
            Q = (v["X"] @ v["W_Q"])[:, 2 * INNER * k : 2 * INNER * (k + 1)]
            pairs = [self.weigh(Q[:, s : s + 2], K[:, s : s + 2], V) for s in (0, 2)]
            return pairs[0] - v["lambda"][0, 0] * pairs[1]
        if kind == "cache":
            K, V = (np.vstack([_columns(v[f"{x}_cache"], k), own]) for x, own in (("K", K), ("V", V)))
        return self.weigh(Q, K, V, causal=kind == "online")

    def _by_state(self, name: str, k: int, Q: Any, K: Any, V: Any, v: dict[str, Any]) -> Any:
        H, rows = np.zeros((INNER, INNER)) + 0 * Q[0, 0], []
        for t in range(N):
            if name == "retention":
                H = H - H / 2 ** (k + 1)
            elif name.startswith("retention"):
                H = v["gamma"][0, k if name.endswith("learned") else 0] * H
            elif name == "gated":
                H = v["alpha"][t, INNER * k : INNER * (k + 1)][:, None] * H
            value = v["beta"][t, k] * (V[t] - K[t] @ H) if name == "delta" else V[t]
            H = H + np.outer(K[t], value)
            rows.append(Q[t] @ H)
        return np.array(rows)

    def _latent(self, more: str, k: int, Q: Any, v: dict[str, Any]) -> Any:
        C = v["X"] @ v["W_C"]
        K, V = C @ _columns(v["U_K"], k), C @ _columns(v["U_V"], k)
        if not more:
            return self.weigh(Q, K, V)
        Q_R, K_R = self.turn(_columns(v["X"] @ v["W_QR"], k)), self.turn(v["X"] @ v["W_KR"])
        return self.weigh(np.hstack([Q, Q_R]), np.hstack([K, K_R]), V, width=4)


def _columns(matrix: Any, k: int) -> Any:
    return matrix[:, INNER * k : INNER * (k + 1)]


def by_hand(name: str, given: dict[str, Any], hand: Hand) -> Any:
    return np.hstack([hand.head(name, k, given) for k in range(HEADS)]) @ given["W_O"]


FLOATS = Hand(np.exp, np.tanh, np.cos, np.sin, np.sqrt)
every_kind = pytest.mark.parametrize("name", LAYERS)


@every_kind
def test_every_style_computes_each_head_as_numpy_does(name: str) -> None:
    expression = LAYERS[name]()
    given = values(expression)
    wanted = np.array(by_hand(name, given, FLOATS), float)
    for style in ("plain", "fast"):
        np.testing.assert_allclose(lower(expression, style=style)(**given), wanted, rtol=1e-12, atol=1e-12)


@every_kind
def test_exact_values_agree_with_mpmath_to_thirty_digits(name: str) -> None:
    expression = LAYERS[name]()
    given = values(expression)
    with mpmath.workdps(40):
        hand = Hand(mpmath.exp, mpmath.tanh, mpmath.cos, mpmath.sin, lambda x: mpmath.sqrt(x))
        numbers = {x: np.vectorize(mpmath.mpf, otypes=[object])(rows) for x, rows in given.items()}
        wanted = by_hand(name, numbers, hand)
        rows = {x: [[Rational(str(y)) for y in row] for row in given[x.name]] for x in expression.atoms(MatrixSymbol)}
        found = derive(expression, rows)["projection"].evaluate(30).tolist()
        for made, right in zip(np.ravel(found), np.ravel(wanted), strict=True):
            assert abs(mpmath.mpf(str(made)) - right) <= mpmath.mpf("1e-29") * (1 + abs(right))


@every_kind
def test_gradients_are_those_of_differences(name: str) -> None:
    expression = LAYERS[name]()
    random = np.random.default_rng(1)
    given = {x: random.standard_normal(rows.shape) for x, rows in values(expression).items()}
    G = random.standard_normal((N, WIDTH))
    found = {style: lower(expression, style=style, gradient=True)(**given, G=G) for style in ("plain", "fast")}
    for x, rows in given.items():
        way, step = random.standard_normal(rows.shape), 1e-5
        there, back = (by_hand(name, given | {x: rows + s * way}, FLOATS) for s in (step, -step))
        slope = np.sum(G * np.array(there - back, float)) / (2 * step)
        for style, made in found.items():
            assert np.sum(made[f"d{x}"] * way) == pytest.approx(slope, rel=1e-7, abs=1e-7), (style, x)


def test_gradients_of_the_engine_are_those_of_the_functions() -> None:
    expression = LAYERS["linear, causal"]()
    given = values(expression)
    rows = {x: given[x.name].astype(int).tolist() for x in expression.atoms(MatrixSymbol)}
    G = np.arange(N * WIDTH).reshape(N, WIDTH) % 3 - 1
    back = differentiate(derive(expression, rows), G=G.tolist())
    lowered = lower(expression, style="plain", gradient=True)(**given, G=G.astype(float))
    for x in given:
        made = [[float(y) for y in row] for row in back[f"d{x}"].evaluate(20).tolist()]
        np.testing.assert_allclose(made, lowered[f"d{x}"], rtol=1e-12, atol=1e-12)


def test_what_a_head_takes_in_turns_is_named_by_head_and_token() -> None:
    expression = LAYERS["linear, causal"]()
    given = values(expression)
    rows = {x: given[x.name].astype(int).tolist() for x in expression.atoms(MatrixSymbol)}
    exact = derive(expression, rows)["head_2.token_3.key_sum"].evaluate(20).tolist()
    member = lower(expression, outputs="head_2.token_3.key_sum")(**given)
    whole = lower(expression, outputs="key_sum", style="plain")(**given)
    assert whole.shape == (HEADS, N, INNER, 1)
    np.testing.assert_allclose(member, [[float(x) for x in row] for row in exact], rtol=1e-14)
    np.testing.assert_allclose(whole[1, 2], member, rtol=1e-14)


def test_what_no_head_has_of_its_own_is_one_step() -> None:
    names = [step.name for step in derive(latent(turned=True)).families]
    assert {"C", "K_R", "K_R_rotated", "head_i.Q_R", "head_i.Q_absorbed"} <= set(names)


def test_a_number_of_heads_may_stay_a_letter() -> None:
    h = symbols("h", integer=True, positive=True)
    W = {x: MatrixSymbol(x, D, h * y) for x, y in (("W_Q", d), ("W_K", d), ("W_V", e))}
    expression = MultiHead(X, heads=h, **W, kind=LinearAttention)
    given = values(LAYERS["linear"]())
    lowered = lower(expression)(**{x: given[x] for x in ("X", *W)}, h=HEADS)
    np.testing.assert_allclose(lowered @ given["W_O"], np.array(by_hand("linear", given, FLOATS), float), rtol=1e-12)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"kind": lambda Q, K, V: 3}, "kind must be a function"),
        ({"kind": "linear"}, "kind must be a function"),
        ({"kind": LinearAttention, "mask": CausalMask()}, "mask is given beside kind"),
        ({"kind": lambda Q, K, V: Block(Q, 0, 1, 0, d)}, "rows(kind)"),
        ({"kind": LinearAttention, "W_K": None}, "K must be a matrix"),
        ({"kind": LuongAttention}, "W"),
    ],
)
def test_what_is_no_kind_is_refused(given: dict[str, Any], said: str) -> None:
    W = {x: wide(x, D, d) for x in ("W_Q", "W_K", "W_V")}
    with pytest.raises((SymattnError, TypeError)) as caught:
        MultiHead(X, heads=2, **{**W, **given})
    assert said in str(caught.value)


@every_kind
def test_leading_axes_are_those_of_every_head(name: str) -> None:
    expression = LAYERS[name]()
    given = values(expression)
    batch = np.random.default_rng(3).standard_normal((3, N, WIDTH))
    wanted = np.array([np.array(by_hand(name, given | {"X": x}, FLOATS), float) for x in batch])
    for style in ("plain", "fast"):
        np.testing.assert_allclose(
            lower(expression, style=style)(**(given | {"X": batch})), wanted, rtol=1e-11, atol=1e-11
        )
