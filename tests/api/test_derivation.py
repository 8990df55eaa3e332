"""Derivations with values: exact entries equal to SymPy's own matrices, options, layers, refusals."""

import itertools

import numpy as np
import pytest
import sympy
from sympy import (
    Identity,
    ImmutableDenseMatrix,
    Matrix,
    MatrixSymbol,
    Rational,
    ZeroMatrix,
    exp,
    oo,
    sqrt,
    symbols,
    tanh,
)

from symattn import Attention, CausalMask, KeepMask, MultiHead, Softmax, WindowMask, derive
from symattn.errors import InputError, NotSupportedError, ShapeError
from tests.sampling import sampled

n, m, d, e = symbols("n m d e", integer=True, positive=True)
Q, K, V, B, M = (MatrixSymbol(x, *s) for x, s in zip("QKVBM", ((n, d), (m, d), (m, e), (n, m), (n, m)), strict=True))

X = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
W_Q = [[1, 0], [1, 0], [0, 1], [0, 1]]
W_K = [[0, 1], [0, 1], [1, 0], [1, 0]]
W_V = [[1, 0], [0, 1], [1, 0], [0, 1]]


def softmax(L):
    powers = L.applyfunc(exp)
    return Matrix(*L.shape, lambda i, j: powers[i, j] / sum(powers.row(i)))


def steps(q, k, v, keep=None, bias=None, scale=None, cap=None):
    """Every step by SymPy's explicit matrices."""
    scores = q * k.T
    logits = scaled = scores * (1 / sqrt(k.cols) if scale is None else scale)
    if cap is not None:
        logits = logits.applyfunc(lambda x: cap * tanh(x / cap))
    if bias is not None:
        logits = logits + bias
    if keep is not None:
        logits = Matrix(*logits.shape, lambda i, j: logits[i, j] if keep(i, j) else -oo)
    return {"scores": scores, "scaled": scaled, "weights": softmax(logits), "output": softmax(logits) * v}


def assert_same(derived, expected):
    for name, right in expected.items():
        got = derived[name].exact
        assert got.shape == right.shape and not got.has(sympy.Float)
        for x, y in zip(got.flat(), right.flat(), strict=True):
            # equal in form, or to 60 digits
            assert x == y or abs(x.evalf(70) - y.evalf(70)) < Rational(1, 10**60)


@pytest.mark.parametrize("detail", ["brief", "full"])
def test_hand_calculation(detail):
    names = {"X": (3, 4), "W_Q": (4, 2), "W_K": (4, 2), "W_V": (4, 2)}
    x, wq, wk, wv = (MatrixSymbol(name, *shape) for name, shape in names.items())
    derived = derive(Attention(x * wq, x * wk, x * wv), {x: X, wq: W_Q, wk: W_K, wv: W_V}, detail=detail)
    assert_same(derived, steps(*(Matrix(X) * Matrix(W) for W in (W_Q, W_K, W_V))))
    # by hand: q_2 = (9, 13), k_3 = (21, 17)
    assert derived["Q"].exact.row(1) == Matrix([[9, 13]]) and derived["K"].exact.row(2) == Matrix([[21, 17]])
    assert derived["scores"].exact == Matrix([[10, 58, 106], [58, 234, 410], [106, 410, 714]])
    assert derived["scores"].exact[1, 2] == 9 * 21 + 13 * 17 == 410
    if detail == "full":
        assert derived["row_max"].exact == Matrix([106, 410, 714]) / sqrt(2)
        assert derived["shifted"].exact[0, 1] == -24 * sqrt(2) and derived["exponentials"].exact[2, 2] == 1


ENTRIES = {
    "integer": lambda r: str(r.integers(-4, 5)),
    "rational": lambda r: f"{r.integers(-6, 7)}/{r.integers(1, 5)}",
    "decimal": lambda r: f"{r.integers(-9, 10) / 10}",
    "surd": lambda r: f"{r.integers(-2, 3)}*sqrt({r.integers(2, 7)})+{r.integers(-2, 3)}",
}
OPTIONS = {
    "plain": {},
    "causal": {"keep": lambda i, j: j <= i + 1, "mask": CausalMask(1)},
    "window": {"keep": lambda i, j: i - 1 <= j <= i, "mask": WindowMask(1, 0)},
    "both": {"keep": lambda i, j: i <= j <= i + 1, "mask": (CausalMask(1), WindowMask(0, None))},
    "bias": {"bias": [["1/2", "-inf", 0], [1, "sqrt(2)", "-inf"]]},
    "scale": {"scale": Rational(3, 5)},
    "capped": {"cap": 2, "bias": [[0, 1, "-inf"], [0, 0, 0]]},
}


@pytest.mark.slow
@pytest.mark.parametrize(  # every kind of entry with each of the seven options, at one detail or the other
    ("kind", "detail", "options"), sampled(itertools.product(ENTRIES, ["brief", "full"], OPTIONS), 2)
)
def test_equals_sympys_matrices(kind, options, detail):
    rng = np.random.default_rng(sum(map(ord, kind + options)))
    rows = {x: [[ENTRIES[kind](rng) for _ in range(2)] for _ in range(k)] for x, k in (("Q", 2), ("K", 3), ("V", 3))}
    chosen = OPTIONS[options]
    bias = chosen.get("bias")
    node = Attention(
        Q, K, V, mask=chosen.get("mask"), bias=B if bias else None, scale=chosen.get("scale"), softcap=chosen.get("cap")
    )
    derived = derive(node, rows | ({"B": bias} if bias else {}), detail=detail)
    q, k, v = (
        Matrix([[sympy.Rational(x) if "sqrt" not in x else sympy.sympify(x) for x in row] for row in rows[y]])
        for y in "QKV"
    )
    written = (
        None if bias is None else Matrix([[-oo if x == "-inf" else sympy.sympify(x) for x in row] for row in bias])
    )
    assert_same(derived, steps(q, k, v, chosen.get("keep"), written, chosen.get("scale"), chosen.get("cap")))
    values = np.array(derived["output"].evaluate(20).tolist(), dtype=float)
    truth = np.array(derived["output"].exact.evalf(30).tolist(), dtype=float)
    assert np.allclose(values, truth, rtol=1e-14, atol=1e-300)


def test_mask_by_symbol():
    given = {Q: [[1, 0], [0, 1]], K: [[1, 2], [3, 4]], V: [[1, 2], [3, 5]], M: [[1, 0], [1, 1]]}
    derived = derive(Attention(Q, K, V, mask=KeepMask(M)), given)
    assert derived["weights"].exact.row(0) == Matrix([[1, 0]])
    # logits of row 2: 2/√2 and 4/√2
    assert_same(derived, {"weights": Matrix([[1, 0], [1 / (1 + exp(sqrt(2))), exp(sqrt(2)) / (1 + exp(sqrt(2)))]])})
    with pytest.raises(InputError):
        derive(Attention(Q, K, V, mask=KeepMask(M)), given | {M: [[1, 2], [1, 1]]})["weights"].exact  # noqa: B018


def test_multihead_cross_attention_with_biases_and_projection():
    x, z = MatrixSymbol("X", 2, 2), MatrixSymbol("Z", 3, 2)
    w = {name: MatrixSymbol(name, 2, 2) for name in ("W_Q", "W_K", "W_V", "W_O")}
    b = {name: MatrixSymbol(name, 1, 2) for name in ("b_Q", "b_K", "b_V", "b_O")}
    given = {
        "X": [[1, 0], [1, -1]],
        "Z": [[1, 1], [0, 2], [1, 0]],
        "W_Q": [[1, 0], [1, 1]],
        "W_K": [[0, 1], [1, 0]],
        "W_V": [[1, 2], [0, 1]],
        "W_O": [[1, 1], [0, 2]],
        "b_Q": [[1, 0]],
        "b_K": [[0, "1/2"]],
        "b_V": [[1, 1]],
        "b_O": [[0, 3]],
    }
    derived = derive(MultiHead(x, z, heads=1, **w, **b), given)
    a = {name: Matrix([[Rational(y) for y in row] for row in rows]) for name, rows in given.items()}
    q, k, v = (
        a[s] * a[f"W_{y}"] + Matrix.vstack(*[a[f"b_{y}"]] * a[s].rows) for s, y in (("X", "Q"), ("Z", "K"), ("Z", "V"))
    )
    expected = steps(q, k, v) | {"Q": q, "K": k, "V": v}
    expected["projection"] = expected["output"] * a["W_O"] + Matrix.vstack(a["b_O"], a["b_O"])
    assert_same(derived, expected)


def test_layers_residuals_and_shared_symbols():
    x = MatrixSymbol("X", 2, 2)
    rows = Matrix([[1, 0], [1, 1]])
    one = steps(rows, rows, rows)["output"]
    assert_same(derive(Attention(x, x, x), {x: rows}), {"output": one})
    assert_same(derive(x + Attention(x, x, x), {x: rows}), {"result": rows + one})
    two = derive(Attention(Attention(x, x, x), x, x), {x: rows})
    assert [s.name for s in two] == [
        "scores",
        "scaled",
        "weights",
        "output",
        "scores_2",
        "scaled_2",
        "weights_2",
        "output_2",
    ]
    truth = steps(one, rows, rows)["output"].evalf(60)
    got = two["output_2"].evaluate(40)
    assert all(
        abs(sympy.Float(str(got[i, j]), 60) - truth[i, j]) < Rational(1, 10**39) for i in range(2) for j in range(2)
    )


def test_operands_that_are_no_plain_symbols():
    x = MatrixSymbol("X", 2, 2)
    rows, I2 = Matrix([[1, 0], [1, 1]]), sympy.eye(2)
    explicit = ImmutableDenseMatrix([[1, 2], [3, 4]])
    for node, truth in (
        (Attention(2 * x, x, x), steps(2 * rows, rows, rows)),
        (Attention(x, ZeroMatrix(2, 2), x), steps(rows, sympy.zeros(2), rows)),
        (Attention(Identity(2), x, Identity(2)), steps(I2, rows, I2)),
        (Attention(x, sympy.Transpose(explicit), x), steps(rows, explicit.T, rows)),
        (Attention(x, x.T, x), steps(rows, rows.T, rows)),
    ):
        assert_same(derive(node, {x: rows}), truth)
    assert_same(derive(Softmax(x, -2), {x: rows}), {"weights": softmax(rows.T).T})


def test_a_step_is_never_taken_for_an_input_of_its_name():
    q = MatrixSymbol("Q", 2, 2)
    derived = derive(Attention(2 * q, q, q), {q: [[1, 0], [0, 1]]})
    names = [s.name for s in derived]
    assert "Q" not in names and derived[names[0]].exact == 2 * sympy.eye(2)
    assert derived.values.exact["Q"].to_sympy() == sympy.eye(2)


@pytest.mark.parametrize("detail", ["brief", "full"])
def test_an_empty_row_is_an_error_that_names_it(detail):
    x = MatrixSymbol("X", 2, 2)
    derived = derive(Attention(x, x, x, mask=CausalMask(-1)), {x: [[1, 0], [1, 1]]}, detail=detail)
    for ask in (lambda: derived["weights"].exact, lambda: derived["weights"].evaluate(5)):
        with pytest.raises(InputError, match="row 1"):
            ask()


@pytest.mark.parametrize(
    "values",
    [
        {"Q": [[1]]},
        {"Q": [[1, 2]], "K": [[1]], "V": [[1]]},
        {"Q": [[1]], "K": [[1], [2]], "V": [[1]]},
        {"Q": [[1], [2, 3]], "K": [[1]], "V": [[1]]},
        {"Q": [], "K": [[1]], "V": [[1]]},
        {"Q": [[]], "K": [[1]], "V": [[1]]},
        {"Q": "12", "K": [[1]], "V": [[1]]},
        {"Q": [["1/0"]], "K": [[1]], "V": [[1]]},
        {"Q": np.ones((1, 1, 1)), "K": [[1]], "V": [[1]]},
        {"Q": [[1]], "K": [[1]], "V": [[1]], "W": [[1]]},
        {"Q": [[sympy.I]], "K": [[1]], "V": [[1]]},
    ],
)
def test_values_that_cannot_be_used(values):
    with pytest.raises(InputError):
        derive(Attention(Q, K, V), values)["output"].exact  # noqa: B018


def test_refusals():
    with pytest.raises(NotSupportedError, match="Kronecker"):
        derive(sympy.KroneckerProduct(Softmax(Q), Q), {Q: [[1]]})["output"].exact  # noqa: B018
    with pytest.raises(InputError):
        derive(Attention(Q, K, V))["output"].exact  # noqa: B018
    with pytest.raises(InputError):
        derive(Q)
    with pytest.raises(ShapeError):
        derive(Softmax(Q) + Softmax(K))
    for digits in (0, -1, 100_001):
        with pytest.raises(InputError):
            derive(Softmax(Q), {Q: [[1, 2]]})["weights"].evaluate(digits)
    with pytest.raises(InputError, match="weights"):
        derive(Softmax(Q))["wieghts"]


def test_a_mask_whose_offset_is_a_size():
    d1 = derive(Attention(Q, K, V, mask=CausalMask(m - n)), {Q: [[1]], K: [[1], [2], [3]], V: [[1], [1], [1]]})
    assert d1["masked"].exact == Matrix([[1, 2, 3]])
    d2 = derive(Attention(Q, K, V, mask=CausalMask(m - n)), {Q: [[1], [1]], K: [[1], [2], [3]], V: [[1], [1], [1]]})
    assert d2["masked"].exact == Matrix([[1, 2, -oo], [1, 2, 3]])


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ((0, 1), "0 is not a row"),
        ((3, 1), "from 1 to 2"),
        ((1, 2), "2 is not a column"),
        ((True, 1), "True"),
        ((1.0, 1), "1.0"),
    ],
)
def test_entries_beyond_a_step_are_refused(at, said):
    Q, K, V = (MatrixSymbol(name, rows, 2) for name, rows in (("Q", 2), ("K", 1), ("V", 1)))
    step = derive(Attention(Q, K, V), {Q: [[1, 2], [3, 4]], K: [[5, 6]], V: [[7, 8]]})["weights"]
    assert step.entry(np.int64(2), 1) == step.entry(2, 1)
    for ask in (step.entry, step.proven_latex):
        with pytest.raises(InputError, match=said):
            ask(*at)


def test_a_step_is_in_a_derivation_by_its_name() -> None:
    d = derive(Attention(*(MatrixSymbol(x, 2, 2) for x in "QKV")))
    assert "weights" in d
    assert "weight" not in d
