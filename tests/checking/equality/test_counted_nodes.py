"""The entries of nodes for every size, counted with numbers for sizes, are what NumPy says of their definitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
from sympy import (
    HadamardPower,
    Identity,
    ImmutableMatrix,
    Lambda,
    MatMul,
    MatPow,
    MatrixSymbol,
    OneMatrix,
    Rational,
    Symbol,
    Transpose,
    ZeroMatrix,
    symbols,
)

from symattn import (
    Attention,
    CausalMask,
    Concat,
    KeepMask,
    LinearAttention,
    MultiHead,
    PaddingMask,
    Softmax,
    Stack,
    WindowMask,
    nodes,
)
from symattn.checking.equality import positions, rules
from symattn.checking.equality.entries import Entries
from symattn.checking.equality.indices import Axes, Cut
from symattn.checking.equality.normal_form import NormalForms
from symattn.nodes import HEAD, Scaled
from symattn.nodes.weights.weighting import AboveThreshold
from tests.checking.equality.counting import World

pytestmark = pytest.mark.slow

assert rules and positions  # which say what the entries of nodes are

n, m, d, e, h, g, w = symbols("n m d e h g w", integer=True, positive=True)
a, z, i, j = *symbols("a", real=True, seq=True), *symbols("z i j")
SIZES = {n: 3, m: 5, d: 4, e: 2, h: 4, g: 2, w: 3, a: Rational(1, 3)}
SHAPES = {
    "Q": (n, d),
    "K": (m, d),
    "V": (m, e),
    "Z": (n, m),
    "Y": (n, m),
    "S": (n, n),
    "T": (n, n),
    "M": (n, m),
    "L": (n, d),
    "U": (n, e),
    "t": (n, 1),
    "r": (1, m),
    "s": (1, 1),
    "u": (1, n),
    "X": (n, w),
    "c": (1, d),
    "W_Q": (w, h * d),
    "W_K": (w, g * d),
    "W_V": (w, g * e),
    "W_O": (h * e, w),
    "b_O": (1, w),
    "v": (d, 1),
    "N": (sympy.Integer(6), sympy.Integer(5)),
}
X = {name: MatrixSymbol(name, *shape) for name, shape in SHAPES.items()}
Q, K, V, Z, Y, S, T, M, L, U, t, r, s, u = (X[name] for name in "QKVZYSTMLUtrsu")
FAMILY, TWO, PROJECTIONS = MatrixSymbol("F^(i)", n, e), MatrixSymbol("F^(i,z)", n, e), MatrixSymbol("H", w, h * d)


def drawn() -> dict[str, Any]:
    draw = np.random.default_rng(5)
    made = {name: draw.uniform(0.4, 1.4, [int(x.subs(SIZES)) for x in A.shape]) for name, A in X.items()}
    made["M"] = np.array([[1, 0, 1, 1, 0], [0, 0, 0, 0, 0], [1, 1, 1, 0, 1.0]])  # a row sees nothing
    made["F^(i)"] = np.concatenate([np.full((1, 3, 2), np.nan), draw.uniform(0.4, 1.4, (4, 3, 2))])  # members from 1
    made["F^(i,z)"] = draw.uniform(0.4, 1.4, (5, 3, 3, 2))
    made["H"] = draw.uniform(0.4, 1.4, (3, 16))
    return made


ARRAYS = drawn()
ROTATION = 0.7
WORLD = World(SIZES | {Symbol("angle of G"): ROTATION}, ARRAYS, {"P": [1, 2, 0]})
WORLD.uniform = Fraction(1, 5)


def counted(expression: Any, kinds: Mapping[Any, str] | None = None, facts: tuple[Any, ...] = ()) -> Any:
    """Every entry of a matrix, from its formula for every size."""
    algebra, axes = NormalForms(), Axes()
    axes.facts |= set(facts)
    rows, columns = map(sympy.sympify, expression.shape)
    for _ in range(9):
        known = Entries(algebra, axes, kinds)
        try:
            found = [
                (i, j, known.at(expression, i, j)) for i in axes.positions(rows) for j in list(axes.positions(columns))
            ]
            break
        except Cut as cut:
            axes.cut(cut)
    made = np.full((WORLD.number(rows), WORLD.number(columns)), np.nan)
    for i, j, total in found:
        for at in WORLD.ranges(i.variables + j.variables):
            value = WORLD.worth(total, at)
            assert abs(value.imag) < 1e-12
            made[WORLD.index(i, at), WORLD.index(j, at)] = value.real
    return made


# --- NumPy


def softmax(scores: Any, axis: int = 1) -> Any:
    powers = np.exp(scores)
    total = powers.sum(axis=axis, keepdims=True)
    return np.divide(powers, total, out=np.zeros_like(powers), where=total > 0)


def hidden(scores: Any, seen: Any) -> Any:
    return np.where(seen, scores, -np.inf)


def turned(rows: Any, offset: int, pairs: str, way: int = 1, base: float = 10000.0) -> Any:
    """Su et al. 2021: pair k of row t is turned by (t + offset) base^(−2k/d)."""
    made, width = rows.copy(), rows.shape[1]
    for row, k in np.ndindex(rows.shape[0], width // 2):
        x, y = (2 * k, 2 * k + 1) if pairs == "interleaved" else (k, k + width // 2)
        angle = way * (row + offset) * base ** (-2 * k / width)
        made[row, x] = rows[row, x] * np.cos(angle) - rows[row, y] * np.sin(angle)
        made[row, y] = rows[row, x] * np.sin(angle) + rows[row, y] * np.cos(angle)
    return made


def heads(W_O: Any, b_O: Any) -> Any:
    """Of 4 heads with 2 keys and values, each for 2 heads in turn."""
    x, made = ARRAYS, []
    for head in range(4):
        q = x["X"] @ x["W_Q"][:, 4 * head : 4 * head + 4]
        k, v = (x["X"] @ x[f"W_{y}"][:, (head // 2) * c : (head // 2) * c + c] for y, c in (("K", 4), ("V", 2)))
        made.append(softmax(q @ k.T / 2) @ v)
    return np.hstack(made) @ W_O + b_O


def linear(q: Any, k: Any, v: Any, seen: Any) -> Any:
    weights = np.where(seen, (q**2 + 1) @ (k**2 + 1).T, 0)
    return weights @ v / weights.sum(axis=1, keepdims=True)


def weighted(x: Any, weights: tuple[int, ...]) -> Any:
    return sum(c * member for c, member in zip(weights, x["F^(i)"][1:], strict=True))


LOWER = np.tril(np.ones((3, 3)))
ROW, COLUMN = np.indices((3, 5))
SHOWN = np.array([[(i + j) % 3 > 0 for j in range(5)] for i in range(6)])
MEMBERS = range(1, 5)
CASES: dict[str, tuple[Any, Callable[..., Any]]] = {}


def case(name: str, expression: Any, worth: Callable[[Any], Any]) -> None:
    CASES[name] = (expression, worth)


# --- what is worked out entry by entry

case("plus", nodes.Plus(Z, Y, Z), lambda x: 2 * x["Z"] + x["Y"])
case("scaled", Scaled(Z, 3 * n / sympy.sqrt(m)), lambda x: 9 / 5**0.5 * x["Z"])
case("scaled by", nodes.ScaledBy(Z, s), lambda x: x["s"] * x["Z"])
case("hadamard", nodes.Hadamard(Z, Y), lambda x: x["Z"] * x["Y"])
for power in (3, -2, Rational(1, 2), Rational(-3, 2)):
    case(f"power {power}", HadamardPower(Z, power), lambda x, p=float(power): x["Z"] ** p)  # type: ignore[misc]
case("add row", nodes.AddRow(Z, r), lambda x: x["Z"] + x["r"])
case("subtract column", nodes.SubtractColumn(Z, t), lambda x: x["Z"] - x["t"])
case("divide rows", nodes.DivideRows(Z, t), lambda x: x["Z"] / x["t"])
case("scale rows", nodes.ScaleRows(Z, t), lambda x: x["Z"] * x["t"])
case("scale columns", nodes.ScaleColumns(Z, r), lambda x: x["Z"] * x["r"])
case("diagonal of a column", nodes.Diagonal(t), lambda x: np.diag(x["t"][:, 0]))
case("diagonal of a row", nodes.Diagonal(u), lambda x: np.diag(x["u"][0]))
case("constant", nodes.Constant(7, n, m), lambda x: np.full((3, 5), 7))
case("part", nodes.Part(Z, "scores"), lambda x: x["Z"])
case("dropout", nodes.Dropout(Z, Rational(1, 2)), lambda x: x["Z"])
case("exponential", nodes.Exponential(Scaled(Z, -1)), lambda x: np.exp(-x["Z"]))
case("exponential of a number", nodes.Exponential(nodes.Constant(2, n, m)), lambda x: np.full((3, 5), np.exp(2)))
case(
    "exponential of a causal sum",
    nodes.Exponential(MatMul(nodes.Where(S, CausalMask()), t)),
    lambda x: np.exp((LOWER * x["S"]) @ x["t"]),
)
case(
    "exponential of a sum of logarithms",
    nodes.Exponential(nodes.RowSum(nodes.Mapped(Z, Lambda(z, sympy.log(z))))),
    lambda x: x["Z"].prod(axis=1, keepdims=True),
)
for name, number in (("a product", sympy.exp(sympy.log(a) ** 2)), ("a power", sympy.exp(2 * sympy.log(a)))):
    worth = np.exp(np.log(1 / 3) ** 2) if name == "a product" else 1 / 9
    case(f"exponential of {name} of logarithms", Scaled(Z, number), lambda x, c=worth: c * x["Z"])  # type: ignore[misc]
for first, second, name in ((Z, Y, "ZY"), (Y, Z, "YZ")):
    below = nodes.Plus(nodes.Where(first, KeepMask(M)), second)
    case(
        f"below a line {name}",
        nodes.Mapped(below, Lambda(z, 1 / z)),
        lambda x, f=name[0], s=name[1]: 1 / (x[f] * x["M"] + x[s]),  # type: ignore[misc]
    )
case("capped", nodes.SoftCapped(Z, 5), lambda x: 5 * np.tanh(x["Z"] / 5))
case("slope of a cap", nodes.CapSlope(Z, 3), lambda x: 1 - np.tanh(x["Z"] / 3) ** 2)
case("mapped", nodes.Mapped(Z, Lambda(z, z**2 + 1 / z)), lambda x: x["Z"] ** 2 + 1 / x["Z"])
case("by place", nodes.ScoreMod(Z, Lambda((z, i, j), z * i - 2 * j)), lambda x: x["Z"] * ROW - 2 * COLUMN)
case("by an entry", Scaled(Z, s[0, 0] * t[1, 0]), lambda x: x["Z"] * x["s"] * x["t"][1])
case("alibi", nodes.Alibi(n, m, a, 2), lambda x: -(ROW + 2 - COLUMN) / 3)
case("kept", nodes.Where(Z, KeepMask(M)), lambda x: x["Z"] * x["M"])
case("penalised", nodes.Penalised(Z, KeepMask(M), -7), lambda x: x["Z"] - 7 * (1 - x["M"]))
case("vanishing", nodes.Vanishing(Z), lambda x: np.zeros((3, 5)))
case(
    "additive scores",
    nodes.AdditiveScores(Q, K, X["v"]),
    lambda x: (np.tanh(x["Q"][:, None] + x["K"][None]) * x["v"][:, 0]).sum(axis=2),
)

# --- of rows and columns

case("row sum", nodes.RowSum(Z), lambda x: x["Z"].sum(axis=1, keepdims=True))
case("column sum", nodes.ColumnSum(Z), lambda x: x["Z"].sum(axis=0, keepdims=True))
case("largest", nodes.RowMax(Z), lambda x: x["Z"].max(axis=1, keepdims=True))
case("largest of two parts", nodes.RowMax(Concat(Z, S)), lambda x: np.hstack([x["Z"], x["S"]]).max(1, keepdims=True))
case("length", nodes.RowNorm(Z), lambda x: np.linalg.norm(x["Z"], axis=1, keepdims=True))
case("mean square", nodes.RowNorm(Z, "rms", 2), lambda x: ((x["Z"] ** 2).mean(axis=1, keepdims=True) + 2) ** 0.5)
case("of length 1", nodes.NormalisedRows(Q), lambda x: x["Q"] / np.linalg.norm(x["Q"], axis=1, keepdims=True))
case(
    "with a gain",
    nodes.RMSNorm(Q, X["c"], Rational(1, 2)),
    lambda x: x["Q"] * x["c"] / np.sqrt((x["Q"] ** 2).mean(axis=1, keepdims=True) + 0.5),
)
case(
    "layer norm",
    nodes.LayerNorm(Q, X["c"], None, Rational(1, 2)),
    lambda x: (x["Q"] - x["Q"].mean(1, keepdims=True)) * x["c"] / np.sqrt(x["Q"].var(axis=1, keepdims=True) + 0.5),
)

# --- weights

case("softmax", Softmax(Z), lambda x: softmax(x["Z"]))
case("softmax of columns", Softmax(Z, -2), lambda x: softmax(x["Z"], 0))
case("no key at all", Softmax(nodes.Masked(Z, KeepMask(M)), -1, "zero"), lambda x: softmax(hidden(x["Z"], x["M"])))
case(
    "no key at all, alike",
    Softmax(nodes.Masked(Z, KeepMask(M)), -1, "uniform"),
    lambda x: softmax(hidden(x["Z"], x["M"])) + (x["M"].sum(1, keepdims=True) == 0) / 5,
)
case(
    "no key below",
    nodes.RowSum(Softmax(nodes.Masked(Z, PaddingMask(2)))),
    lambda x: np.ones((3, 1)),
)
case(
    "sink", nodes.SinkSoftmax(Z, s), lambda x: np.exp(x["Z"]) / (np.exp(x["s"]) + np.exp(x["Z"]).sum(1, keepdims=True))
)
case("sigmoid", nodes.SigmoidWeights(Z, a), lambda x: 1 / (1 + np.exp(-x["Z"] - 1 / 3)))
case("above a threshold", AboveThreshold(Z, t, 2), lambda x: np.maximum(x["Z"] / 2 - x["t"], 0) ** 2)
case("penalised weights", Softmax(nodes.Penalised(Z, KeepMask(M), -2)), lambda x: softmax(x["Z"] - 2 * (1 - x["M"])))
for rows, columns, axis in ((6, 5, -1), (6, 1, -2), (3, 5, -1)):
    hiding = ImmutableMatrix(rows, columns, lambda i, j: i - j if SHOWN[i, j] else -sympy.oo)
    case(
        f"weights of numbers, some of them hidden, {rows} by {columns}",
        Softmax(nodes.Plus(nodes.Block(X["N"], 0, rows, 0, columns), hiding), axis),
        lambda x, r=rows, c=columns, axis=axis: softmax(  # type: ignore[misc]
            hidden(x["N"][:r, :c] + np.subtract.outer(np.arange(r), np.arange(c)), SHOWN[:r, :c]), axis
        ),
    )
case(
    "weights beside hidden ones",
    Softmax(Concat(Z, nodes.Constant(-sympy.oo, n, n), nodes.Constant(1, n, n))),
    lambda x: softmax(np.hstack([x["Z"], np.full((3, 3), -np.inf), np.ones((3, 3))])),
)
case("causal weights", Softmax(nodes.Masked(S, CausalMask())), lambda x: softmax(hidden(x["S"], LOWER)))
case("weights of a sum", Softmax(nodes.Plus(Z, Y)), lambda x: softmax(x["Z"] + x["Y"]))
case("weights of a difference", Softmax(nodes.SubtractColumn(Z, t), -2), lambda x: softmax(x["Z"] - x["t"], 0))
case("weights beside a row", Softmax(nodes.AddRow(Z, r)), lambda x: softmax(x["Z"] + x["r"]))
case("weights of numbers", Softmax(nodes.Plus(Z, nodes.Constant(2, n, m)), -2), lambda x: softmax(x["Z"], 0))
case("weights of a transpose", Softmax(Transpose(Z)), lambda x: softmax(x["Z"].T))
case("weights of parts", Softmax(Concat(Z, S)), lambda x: softmax(np.hstack([x["Z"], x["S"]])))
case("weights of a block", Softmax(nodes.Block(Z, 1, 2, 2, 3)), lambda x: softmax(x["Z"][1:, 2:]))

# --- attention

case("attention", Attention(Q, K, V), lambda x: softmax(x["Q"] @ x["K"].T / 2) @ x["V"])
case(
    "causal attention",
    Attention(Q, L, U, scale=1, mask=CausalMask()),
    lambda x: softmax(hidden(x["Q"] @ x["L"].T, LOWER)) @ x["U"],
)
case(
    "differential attention",
    nodes.DifferentialAttention(Q, K, L, K + K, V, a),
    lambda x: (softmax(x["Q"] @ x["K"].T / 2) - softmax(x["L"] @ x["K"].T) / 3) @ x["V"],
)
case("linear", LinearAttention(Q, K, V, feature=z**2 + 1), lambda x: linear(x["Q"], x["K"], x["V"], True))
case("causal", LinearAttention(Q, L, U, feature=z**2 + 1, causal=True), lambda x: linear(x["Q"], x["L"], x["U"], LOWER))
case(
    "retention",
    nodes.Retention(Q, L, U, Rational(1, 2)),
    lambda x: (LOWER * (x["Q"] @ x["L"].T) * 0.5 ** (np.arange(3)[:, None] - np.arange(3))) @ x["U"],
)
PARTS = {name: X[name] for name in ("W_Q", "W_K", "W_V")}
case(
    "heads",
    MultiHead(X["X"], heads=h, kv_heads=g, **PARTS, W_O=X["W_O"], b_O=X["b_O"]),
    lambda x: heads(x["W_O"], x["b_O"]),
)
case("heads beside each other", MultiHead(X["X"], heads=h, kv_heads=g, **PARTS), lambda x: heads(np.eye(8), 0))

# --- parts and families

case("concat", Concat(Z, S, t), lambda x: np.hstack([x["Z"], x["S"], x["t"]]))
case("stack", Stack(Z, M, r), lambda x: np.vstack([x["Z"], x["M"], x["r"]]))
case("block", nodes.Block(Z, 1, 2, 2, 3), lambda x: x["Z"][1:, 2:])
case("heads joined", nodes.ConcatHeads(FAMILY, HEAD, h), lambda x: np.hstack(x["F^(i)"][1:]))
case("members", nodes.StackMembers(FAMILY, HEAD, h), lambda x: np.vstack(x["F^(i)"][1:]))
case("sum of members", nodes.SumHeads(Scaled(FAMILY, HEAD), HEAD, h), lambda x: weighted(x, (1, 2, 3, 4)))
case("group", nodes.SumGroup(Scaled(FAMILY, HEAD), HEAD, h, 2, g), lambda x: weighted(x, (0, 0, 3, 4)))
case(
    "two families",
    nodes.SumHeads(nodes.SumHeads(Scaled(TWO, HEAD * z**2), z, g), HEAD, h),
    lambda x: np.einsum("i,r,irst->st", [1, 2, 3, 4], [1, 4], x["F^(i,z)"][1:, 1:]),
)
case("columns", nodes.HeadColumns(PROJECTIONS, 2, h), lambda x: x["H"][:, 4:8])
case("rows", nodes.HeadRows(Transpose(PROJECTIONS), 3, h), lambda x: x["H"].T[8:12])

# --- what the number of a member says

case(
    "members that see further",
    nodes.SumHeads(nodes.Where(Z, CausalMask(HEAD)), HEAD, h),
    lambda x: x["Z"] * sum(np.tri(3, 5, i) for i in MEMBERS),
)
case(
    "members of windows",
    nodes.SumHeads(nodes.Where(Z, WindowMask(HEAD, 2 * HEAD - 3)), HEAD, h),
    lambda x: x["Z"] * sum(np.tri(3, 5, 2 * i - 3) - np.tri(3, 5, -i - 1) for i in MEMBERS),
)
case(
    "members without padding",
    nodes.SumHeads(nodes.Where(Z, PaddingMask(HEAD)), HEAD, h),
    lambda x: x["Z"] * np.array([4, 3, 2, 1, 0]),
)
case(
    "members at other places",
    nodes.SumHeads(nodes.Alibi(n, m, HEAD, 3 * HEAD), HEAD, h),
    lambda x: -sum(i * (ROW + 3 * i - COLUMN) for i in MEMBERS),
)
case(
    "members turned further",
    nodes.SumHeads(nodes.RotaryEmbedding(Q, offset=2 * HEAD), HEAD, h),
    lambda x: sum(turned(x["Q"], 2 * i, "interleaved") for i in MEMBERS),
)
case(
    "members times their entries",
    nodes.SumHeads(Scaled(Z, FAMILY[2, 1] ** 2), HEAD, h),
    lambda x: x["Z"] * (x["F^(i)"][1:, 2, 1] ** 2).sum(),
)

# --- rotations

for pairs in ("interleaved", "halves"):
    rope = nodes.RotaryEmbedding(Q, pairs=pairs, offset=2)
    case(f"rotary {pairs}", rope, lambda x, pairs=pairs: turned(x["Q"], 2, pairs))  # type: ignore[misc]
    back = nodes.RotatedBack(*nodes.RotaryEmbedding(Q, pairs=pairs, offset=1, base=100).args)
    case(f"turned back {pairs}", back, lambda x, pairs=pairs: turned(x["Q"], 1, pairs, -1, 100.0))  # type: ignore[misc]

# --- of SymPy

case("product", MatMul(3, Q, Transpose(K)), lambda x: 3 * x["Q"] @ x["K"].T)
case("times a number", MatMul(3, Q), lambda x: 3 * x["Q"])
case("three factors", MatMul(S, Q, Transpose(K)), lambda x: x["S"] @ x["Q"] @ x["K"].T)
case("cube", MatPow(S, 3), lambda x: np.linalg.matrix_power(x["S"], 3))
case("first power", MatPow(S, 1), lambda x: x["S"])
case("square of a sum", MatPow(S + T, 2), lambda x: (x["S"] + x["T"]) @ (x["S"] + x["T"]))
case("sum", Z + 2 * Y, lambda x: x["Z"] + 2 * x["Y"])
case("identity", Identity(n) + ZeroMatrix(n, n), lambda x: np.eye(3))
case("ones", OneMatrix(n, m), lambda x: np.ones((3, 5)))
case(
    "numbers",
    ImmutableMatrix(6, 2, range(12)) * ImmutableMatrix(2, 1, [3, 5]),
    lambda x: np.arange(12).reshape(6, 2) @ [[3], [5]],
)


@pytest.mark.parametrize("name", CASES)
def test_the_entries_of_a_node_are_its_definition(name: str) -> None:
    expression, worth = CASES[name]
    np.testing.assert_allclose(counted(expression), worth(ARRAYS), rtol=1e-12, atol=1e-12)


def test_permutations_and_rotations_are_what_their_names_say() -> None:
    P, G = MatrixSymbol("P", n, n), MatrixSymbol("G", 2, 2)
    kinds, order = {P: "permutation", G: "rotation"}, [1, 2, 0]
    np.testing.assert_allclose(counted(P * S, kinds), ARRAYS["S"][order])
    np.testing.assert_allclose(counted(S * P.T, kinds), ARRAYS["S"][:, order])
    np.testing.assert_allclose(counted(G, kinds), counted(MatPow(G, 1), kinds))
    for power in (1, 3):
        cos, sin = np.cos(power * ROTATION), np.sin(power * ROTATION)
        np.testing.assert_allclose(counted(MatPow(G, power), kinds), [[cos, -sin], [sin, cos]])
