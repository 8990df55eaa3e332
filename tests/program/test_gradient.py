"""Gradients against SymPy's derivatives of explicit entries, central differences at 50 digits, and what must hold."""

import itertools
import random

import mpmath
import pytest
import sympy
from sympy import Matrix, MatrixSymbol, Rational, S, symbols

from symattn import Attention, CausalMask, KeepMask, MultiHead, Softmax, WindowMask, derive, differentiate
from symattn.errors import InputError, NotSupportedError, ShapeError
from symattn.nodes import (
    AdditiveScores,
    BahdanauAttention,
    Block,
    DivideRows,
    Exponential,
    FiniteMask,
    LinearAttention,
    Mapped,
    NormalisedRows,
    OnlineAttention,
    Part,
    RotaryEmbedding,
    RowMax,
    RowSum,
    Scaled,
    ScoreMod,
    SinkSoftmax,
    Stack,
    SubtractColumn,
    Where,
)

pytestmark = pytest.mark.slow

n, m, d, e, D, F, h = symbols("n m d e D F h", integer=True, positive=True)
Q, K, V, B = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e), MatrixSymbol("B", n, m)
CONTEXT = mpmath.mp.clone() if hasattr(mpmath.mp, "clone") else mpmath.MPContext()
CONTEXT.dps = 90


def rows(shape, seed):
    """Small fractions, none twice, so that no two gradients agree by accident."""
    r = random.Random(f"{shape}{seed}")
    return [[Rational(r.randint(-12, 12), r.choice((2, 3, 5, 7))) for _ in range(shape[1])] for _ in range(shape[0])]


# --- the attention of a schoolbook, in mpmath, for central differences


def attention(q, k, v, *, scale, cap=None, bias=None, keep=lambda i, j: True):
    out = []
    for i, row in enumerate(q):
        z = {}
        for j, key in enumerate(k):
            if not keep(i, j):
                continue
            z[j] = scale * sum(a * b for a, b in zip(row, key, strict=True))
            z[j] = z[j] if cap is None else cap * CONTEXT.tanh(z[j] / cap)
            z[j] += 0 if bias is None else bias[i][j]
        powers = {j: CONTEXT.exp(x) for j, x in z.items()}
        out.append([sum(p * v[j][c] for j, p in powers.items()) / sum(powers.values()) for c in range(len(v[0]))])
    return out


def project(x, w, b=None):
    return [
        [sum(a * w[t][c] for t, a in enumerate(row)) + (0 if b is None else b[0][c]) for c in range(len(w[0]))]
        for row in x
    ]


def multi_head(p, *, heads, kv_heads, **options):
    z = p.get("Z", p["X"])
    q, k, v = (project(x, p[f"W_{s}"], p.get(f"b_{s}")) for x, s in ((p["X"], "Q"), (z, "K"), (p.get("U", z), "V")))
    parts = []
    for i in range(heads):
        j = i * kv_heads // heads
        wide, deep = len(k[0]) // kv_heads, len(v[0]) // kv_heads
        parts.append(
            attention(
                [row[i * wide : (i + 1) * wide] for row in q],
                [row[j * wide : (j + 1) * wide] for row in k],
                [row[j * deep : (j + 1) * deep] for row in v],
                scale=1 / CONTEXT.sqrt(wide),
                bias=p.get("B"),
                **options,
            )
        )
    joined = [[x for part in parts for x in part[i]] for i in range(len(q))]
    return project(joined, p["W_O"], p.get("b_O")) if "W_O" in p else joined


def central_differences(function, parameters, G, step=None):
    """∂⟨G, function⟩/∂p for every entry of every parameter, to some 50 digits."""
    step = CONTEXT.mpf(10) ** -28

    def loss():
        return sum(a * b for a, b in zip(itertools.chain(*G), itertools.chain(*function(parameters)), strict=True))

    found = {}
    for name, table in parameters.items():
        found[name] = []
        for row in table:
            for c, x in enumerate(row):
                row[c] = x + step
                up = loss()
                row[c] = x - step
                down = loss()
                row[c] = x
                found[name].append((up - down) / (2 * step))
    return found


def as_mpf(table):
    return [[CONTEXT.mpf(x.p) / x.q for x in row] for row in table]


def compare(expression, shapes, function, sizes_of_G):
    values = {name: rows(shape, name) for name, shape in shapes.items()}
    G = rows(sizes_of_G, "G")
    back = differentiate(derive(expression, values), list(shapes), G=G)
    expected = central_differences(function, {k: as_mpf(v) for k, v in values.items()}, as_mpf(G))
    for name, shape in shapes.items():
        found = back[f"d{name}"]
        assert found.shape == shape
        for got, want in zip(list(found.evaluate(40)), expected[name], strict=True):
            assert abs(CONTEXT.mpf(got) - want) < CONTEXT.mpf(10) ** -36 * (1 + abs(want)), name


ONE_HEAD = {
    "plain": ({}, {}),
    "causal": ({"mask": CausalMask()}, {"keep": lambda i, j: j <= i}),
    "window": ({"mask": WindowMask(1, 0)}, {"keep": lambda i, j: i - 1 <= j <= i}),
    "kept": ({"mask": KeepMask([[1, 0, 1], [0, 1, 1]])}, {"keep": lambda i, j: (i, j) not in ((0, 1), (1, 0))}),
    "softcap": ({"softcap": 3}, {"cap": 3}),
    "scale": ({"scale": Rational(2, 7)}, {"scale": CONTEXT.mpf(2) / 7}),
}


@pytest.mark.parametrize("kind", ONE_HEAD)
def test_one_head_by_central_differences(kind):
    ours, theirs = ONE_HEAD[kind]
    sized = {n: S(2), m: S(3), d: S(2), e: S(2)}
    matrices = [x.xreplace(sized) for x in (Q, K, V)]
    options = {"scale": 1 / CONTEXT.sqrt(2), **theirs}
    compare(
        Attention(*matrices, **ours),
        {"Q": (2, 2), "K": (3, 2), "V": (3, 2)},
        lambda p: attention(p["Q"], p["K"], p["V"], **options),
        (2, 2),
    )


SELF = {"X": (2, 2), "W_Q": (2, 4), "W_K": (2, 4), "W_V": (2, 2)}
SEVERAL_HEADS = {
    "one": (SELF | {"W_Q": (2, 2), "W_K": (2, 2), "W_O": (2, 2)}, 1, 1, (2, 2), {}, {}),
    "self, biases, masks": (
        SELF | {"W_O": (2, 3), "b_Q": (1, 4), "b_K": (1, 4), "b_V": (1, 2), "b_O": (1, 3), "B": (2, 2)},
        *(2, 2, (2, 3), {"mask": CausalMask()}, {"keep": lambda i, j: j <= i}),
    ),
    "cross, grouped": (
        {"X": (2, 2), "Z": (2, 3), "W_Q": (2, 4), "W_K": (3, 2), "W_V": (3, 2)}, 4, 2, (2, 4), {}, {},
    ),
    "multi-query, values of their own, capped": (
        {"X": (2, 2), "Z": (2, 3), "U": (2, 1), "W_Q": (2, 2), "W_K": (3, 1), "W_V": (1, 2)},
        *(2, 1, (2, 4), {"softcap": 4}, {"cap": 4}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", SEVERAL_HEADS)
def test_several_heads_by_central_differences(kind):
    shapes, heads, kv_heads, out, ours, theirs = SEVERAL_HEADS[kind]
    symbol = {name: MatrixSymbol(name, *shape) for name, shape in shapes.items()}
    arguments = {k: v for k, v in symbol.items() if len(k) > 1} | {"bias": symbol.get("B")}
    expression = MultiHead(*(symbol.get(x) for x in "XZU"), heads=heads, kv_heads=kv_heads, **arguments, **ours)
    compare(expression, shapes, lambda p: multi_head(p, heads=heads, kv_heads=kv_heads, **theirs), out)


def difference_of_ours(expression, values, G, name, along):
    """∂⟨G, result⟩ by all entries of an input at once, from exact differences of our own forward values."""
    step = Rational(1, 10**15)

    def loss(move):
        moved = [[x + move * y for x, y in zip(*pair, strict=True)] for pair in zip(values[name], along, strict=True)]
        result = derive(expression, {**values, name: moved}).steps[-1].evaluate(60)
        return CONTEXT.fdot(itertools.chain(*as_mpf(G)), map(CONTEXT.mpf, result))

    return (loss(step) - loss(-step)) * 10**15 / 2


q2, k2, v2, s1, g1 = (
    MatrixSymbol(x, *s) for x, s in zip("QKVsg", ((2, 2), (3, 2), (3, 2), (1, 1), (1, 2)), strict=True)
)
w2, u1 = MatrixSymbol("W", 2, 2), MatrixSymbol("u", 2, 1)
z_ = sympy.Symbol("z")
KINDS = {
    "sink": SinkSoftmax(Scaled(q2 * k2.T, Rational(1, 3)), s1) * v2,
    "rotated": Softmax(RotaryEmbedding(q2, base=100) * RotaryEmbedding(k2, base=100, offset=1).T) * v2,
    "l2 norm with gain": Softmax(NormalisedRows(q2, "l2", g1) * NormalisedRows(k2, "l2").T) * v2,
    "rms norm": Softmax(NormalisedRows(q2, "rms", None, Rational(1, 7)) * k2.T) * v2,
    "score mod": Softmax(ScoreMod(q2 * k2.T, sympy.tanh(z_) + z_ / 3)) * v2,
    "mapped": DivideRows(
        Mapped(q2, sympy.Lambda(z_, sympy.exp(z_))) * k2.T, RowSum(Mapped(q2, sympy.Lambda(z_, sympy.exp(z_))))
    ),
    "exponentials": DivideRows(Exponential(q2 * k2.T), RowSum(Exponential(q2 * k2.T))) * v2,
    "finite mask": Attention(q2, k2, v2, mask=FiniteMask(CausalMask(), -3)),
    "additive scores": BahdanauAttention(q2, k2, v2, w2, w2, u1, mask=CausalMask(1)),
    "block by block": OnlineAttention(q2, k2, v2, mask=CausalMask(1), softcap=3),
    "two keys at a time": OnlineAttention(q2, Stack(k2, g1), Stack(v2, g1), block=2),
    "token by token": LinearAttention(q2, w2, Block(v2, 0, 2, 0, 2), causal=True),
    "all tokens at once": LinearAttention(q2, k2, v2, sympy.exp(z_)),
    "uniform rows": Attention(q2, k2, v2, mask=CausalMask(-1), empty_row="uniform"),
    "zero rows": Attention(q2, k2, v2, mask=KeepMask([[0, 0, 0], [1, 0, 1]]), empty_row="zero"),
    "kept entries": Where(q2 * k2.T, CausalMask()) * v2,
    "stack and block": Softmax(q2 * Block(Stack(k2, q2), 1, 3, 0, 2).T) * v2,
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_other_kinds_by_differences_of_forward_values(kind):
    expression = KINDS[kind]
    symbols_ = sorted(expression.atoms(MatrixSymbol), key=str)
    values = {s.name: rows(s.shape, s.name) for s in symbols_}
    program = derive(expression, values)
    G = rows(tuple(int(x) for x in program.steps[-1].shape), "G")
    back = differentiate(program, G=G)
    for symbol in symbols_:
        along = [[x or Rational(1, 9) for x in row] for row in rows(symbol.shape, f"along {symbol.name}")]
        want = difference_of_ours(expression, values, G, symbol.name, along)
        got = CONTEXT.fdot(itertools.chain(*as_mpf(along)), map(CONTEXT.mpf, back[f"d{symbol.name}"].evaluate(30)))
        assert abs(got - want) < CONTEXT.mpf(10) ** -22 * (1 + abs(want)), symbol


def test_one_matrix_for_each_head_has_a_gradient_of_its_own():
    symbol = {name: MatrixSymbol(name, 2, 1) for name in ("W_Q1", "W_Q2", "W_K1", "W_K2", "W_V1", "W_V2")}
    X = MatrixSymbol("X", 2, 2)
    weights = {f"W_{x}": (symbol[f"W_{x}1"], symbol[f"W_{x}2"]) for x in "QKV"}

    def joined(p):
        wide = {f"W_{x}": [a + b for a, b in zip(p[f"W_{x}1"], p[f"W_{x}2"], strict=True)] for x in "QKV"}
        return multi_head({"X": p["X"], **wide}, heads=2, kv_heads=2)

    compare(MultiHead(X, heads=2, **weights), {"X": (2, 2)} | dict.fromkeys(symbol, (2, 1)), joined, (2, 2))


def test_parts_of_a_calculation_take_each_others_gradients():
    """Cross-attention to an encoder, both from the same X: the gradient by X is the sum of two paths."""
    symbol = {name: MatrixSymbol(name, 2, 2) for name in ("X", "W_Q", "W_K", "W_V")}
    X, W = symbol["X"], [symbol[f"W_{x}"] for x in "QKV"]
    encoder = Part(MultiHead(X, heads=1, W_Q=W[0], W_K=W[1], W_V=W[2]), "encoder")
    cross = Part(Attention(X, encoder, encoder), "cross", encoder)

    def whole(p):
        inner = multi_head(p, heads=1, kv_heads=1)
        return attention(p["X"], inner, inner, scale=1 / CONTEXT.sqrt(2))

    compare(cross, dict.fromkeys(symbol, (2, 2)), whole, (2, 2))
    names = [step.name for step in differentiate(derive(cross)).families]
    before = [f"cross.{x}" for x in ("dO", "dA", "delta", "dS")]
    assert names[names.index("cross.dO") :][:5] == [*before, "encoder.dO"]


def test_equal_to_symbolic_derivatives_of_explicit_entries():
    """SymPy differentiates softmax(QKᵀ/√2 + B)V written out in scalars; both are compared at random points."""
    q, k, v, b = (MatrixSymbol(x, *s) for x, s in (("Q", (2, 2)), ("K", (2, 2)), ("V", (2, 1)), ("B", (2, 2))))
    point = {s: rows(s.shape, s.name) for s in (q, k, v, b)}
    G = rows((2, 1), "G")
    back = differentiate(derive(Attention(q, k, v, bias=b), point), [q, k, v, b], G=G)
    logits = Matrix(q) * Matrix(k).T / sympy.sqrt(2) + Matrix(b)
    powers = logits.applyfunc(sympy.exp)
    output = Matrix(2, 1, lambda i, _: (powers.row(i) * Matrix(v))[0] / sum(powers.row(i)))
    loss = sum(G[i][0] * output[i] for i in range(2))
    values = {s[i, j]: point[s][i][j] for s in point for i in range(s.rows) for j in range(s.cols)}
    for s in point:
        expected = Matrix(*s.shape, lambda i, j, s=s: sympy.diff(loss, s[i, j]).xreplace(values))
        assert max(abs(x) for x in (back[f"d{s.name}"].exact - expected).evalf(60)) < Rational(1, 10**55)


def test_additive_scores_equal_symbolic_derivatives():
    """SymPy differentiates Σ_k v_k tanh(P_ik + R_jk) written out in scalars; second gradients go unit by unit."""
    P, R, v = MatrixSymbol("P", 2, 2), MatrixSymbol("R", 1, 2), MatrixSymbol("v", 2, 1)
    point, G = {s: rows(s.shape, s.name) for s in (P, R, v)}, rows((2, 1), "G")
    once = differentiate(derive(AdditiveScores(P, R, v)), [P, R, v])
    spelled = Matrix(2, 1, lambda i, j: sum(v[k, 0] * sympy.tanh(P[i, k] + R[j, k]) for k in (0, 1)))
    loss = sum(G[i][0] * spelled[i] for i in (0, 1))
    values = {s[i, j]: point[s][i][j] for s in point for i in range(s.rows) for j in range(s.cols)}
    back = differentiate(derive(AdditiveScores(P, R, v), point), [P, R, v], G=G)
    first = {s: Matrix(*s.shape, lambda i, j, s=s: sympy.diff(loss, s[i, j])) for s in point}
    for s in point:
        assert max(abs(x) for x in (back[f"d{s.name}"].exact - first[s].xreplace(values)).evalf(60)) < 10**-55
    for of, s in [pair for pair in itertools.product(point, repeat=2) if pair != (v, v)]:
        towards = rows(of.shape, "towards")
        twice = differentiate(back, [s], of=f"d{of.name}", G=towards)
        second = sum(towards[i][j] * first[of][i, j] for i in range(of.rows) for j in range(of.cols))
        name = [step.name for step in twice.families if step.by == s][-1]
        want = Matrix(*s.shape, lambda i, j, s=s, second=second: sympy.diff(second, s[i, j])).xreplace(values)
        assert max(abs(x) for x in (twice[name].exact - want).evalf(60)) < 10**-55, (of, s)
    assert [step.name for step in once][-3:] == ["dP", "dR", "dv"]


def test_a_row_that_may_look_at_nothing_has_no_part_in_the_gradient_of_scores():
    """Its weights are a number of their own: 1/3 each, of which the values take their shares, or none at all."""
    values = {s.name: rows(s.shape, s.name) for s in (q2, k2, v2)}
    mask, G = KeepMask([[0, 0, 0], [1, 1, 0]]), rows((2, 2), "G")
    alone = differentiate(
        derive(Attention(q2, k2, v2, mask=KeepMask([[1, 1, 1], [1, 1, 0]])), values), G=[[0, 0], G[1]]
    )
    for rule in ("uniform", "nan", "zero"):
        back = differentiate(derive(Attention(q2, k2, v2, mask=mask, empty_row=rule), values), G=G)
        assert list(back["dS"].exact.row(0)) == [0, 0, 0]
        for name in ("dQ", "dK"):
            assert max(abs(x) for x in (back[name].exact - alone[name].exact).evalf(40)) < 10**-35
        share = {"uniform": Rational(1, 3), "nan": S.NaN, "zero": S.Zero}[rule]
        for j, c in itertools.product(range(3), range(2)):
            got, own = back["dV"].exact[j, c], alone["dV"].exact[j, c]
            assert got is S.NaN if rule == "nan" else abs((got - own - share * G[0][c]).evalf(40)) < 10**-35


def test_a_calculation_step_by_step_is_differentiated_as_a_whole():
    n_keys = {"Q": rows((2, 2), "Q"), "K": rows((3, 2), "K"), "V": rows((3, 2), "V")}
    G = rows((2, 2), "G")
    plain = differentiate(derive(Attention(Q, K, V), n_keys), G=G)
    online = differentiate(derive(OnlineAttention(Q, K, V), n_keys), G=G)
    assert [step.name for step in online.families][-8:] == ["weights", *[s.name for s in plain][-7:]]
    for name in ("dQ", "dK", "dV"):
        assert list(online[name].evaluate(30)) == list(plain[name].evaluate(30))


def test_hessian_times_vector_is_a_second_gradient():
    """∂⟨P, ∂L/∂Q⟩ by Q, K, V and G against central differences of the first gradient."""
    sized = {n: S(2), m: S(2), d: S(2), e: S(1)}
    q, k, v = (x.xreplace(sized) for x in (Q, K, V))
    values = {s.name: rows(s.shape, s.name) for s in (q, k, v)}
    G, P = rows((2, 1), "G"), rows((2, 2), "P")
    for options in ({}, {"softcap": 2}, {"mask": CausalMask()}):
        once = differentiate(derive(Attention(q, k, v, **options), values), [q], G=G)
        twice = differentiate(once, [q, k, v, "G"], of="dQ", G=P)

        def first(p, options=options):
            exact = {key: [[Rational(str(x)) for x in row] for row in table] for key, table in p.items()}
            point = {key: exact[key] for key in ("Q", "K", "V")}
            gradient = differentiate(derive(Attention(q, k, v, **options), point), [q], G=exact["G"])["dQ"].evaluate(60)
            return [[CONTEXT.mpf(gradient[i, j]) for j in range(2)] for i in range(2)]

        point = {key: [[x.limit_denominator(1000) for x in row] for row in t] for key, t in (values | {"G": G}).items()}
        small = Rational(1, 10**15)
        for name in ("Q", "K", "V", "G"):
            table = point[name]
            got = twice[_second(name)].evaluate(30)
            for i, j in itertools.product(range(len(table)), range(len(table[0]))):
                x = table[i][j]
                sides = []
                for move in (small, -small):
                    table[i][j] = x + move
                    found = first(point)
                    sides.append(sum(CONTEXT.mpf(P[a][b].p) / P[a][b].q * found[a][b] for a in (0, 1) for b in (0, 1)))
                table[i][j] = x
                assert abs((sides[0] - sides[1]) * 10**15 / 2 - CONTEXT.mpf(got[i, j])) < CONTEXT.mpf(10) ** -25


def _heads(heads=2, kv_heads=1, **options):
    shapes = {"X": (2, 2), "W_Q": (2, 4), "W_K": (2, 2), "W_V": (2, 2), "W_O": (4, 2), "b_Q": (1, 4), "b_K": (1, 2)}
    symbol = {name: MatrixSymbol(name, *shape) for name, shape in shapes.items()}
    return MultiHead(symbol.pop("X"), heads=heads, kv_heads=kv_heads, **symbol, **options)


SECOND = {
    "grouped heads with biases": (_heads(), "X"),
    "grouped heads, masked and capped": (_heads(mask=CausalMask(), softcap=2), "W_K"),
    "two groups of heads": (_heads(4, 2), "W_K"),
    "rotary heads": (_heads(rotary=True), "W_Q"),
    "window": (Attention(q2, k2, v2, mask=WindowMask(1, 0), scale=Rational(1, 3)), "K"),
    "rotated": (KINDS["rotated"], "Q"),
    "norms": (KINDS["rms norm"], "Q"),
    "sink": (KINDS["sink"], "s"),
    "score mod": (KINDS["score mod"], "K"),
    "additive scores": (KINDS["additive scores"], "W"),
    "block by block": (KINDS["block by block"], "V"),
    "token by token": (KINDS["token by token"], "W"),
    "uniform rows": (KINDS["uniform rows"], "Q"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", SECOND)
def test_second_gradients_by_differences_of_first_ones(kind):
    """⟨∂⟨P, dX⟩, D⟩ along a direction D through all inputs and G at once, for every kind."""
    expression, name = SECOND[kind]
    values = {s.name: rows(s.shape, s.name) for s in expression.atoms(MatrixSymbol)}
    G = rows([int(x) for x in derive(expression, values).steps[-1].shape], "G")
    along = {k: rows((len(table), len(table[0])), f"along {k}") for k, table in (values | {"G": G}).items()}
    P = rows((len(values[name]), len(values[name][0])), "P")

    def first(move):
        moved = {
            k: [[x + move * y for x, y in zip(*pair, strict=True)] for pair in zip(table, along[k], strict=True)]
            for k, table in (values | {"G": G}).items()
        }
        upstream = moved.pop("G")
        found = differentiate(derive(expression, moved), [name], G=upstream)[f"d{name}"].evaluate(60)
        return sum(CONTEXT.mpf(p.p) / p.q * CONTEXT.mpf(x) for p, x in zip(itertools.chain(*P), found, strict=True))

    once = differentiate(derive(expression, values), [name], G=G)
    twice = differentiate(once, of=f"d{name}", G=P)
    total = CONTEXT.mpf(0)
    for symbol in once.families.inputs:
        found = [step.name for step in twice.families if step.by == symbol and step.name not in {s.name for s in once}]
        if found:  # what enters once has no second gradient
            moved = itertools.chain(*along[symbol.name])
            total += sum(
                CONTEXT.mpf(y.p) / y.q * CONTEXT.mpf(x)
                for y, x in zip(moved, twice[found[-1]].evaluate(40), strict=True)
            )
    small = Rational(1, 10**15)
    want = (first(small) - first(-small)) * 10**15 / 2
    assert abs(total - want) < CONTEXT.mpf(10) ** -22 * (1 + abs(want))


def _second(name):
    return "dG" if name == "G" else f"d{name}" if name != "Q" else "dQ_2"


def test_what_must_hold_of_gradients():
    """Rows of dS sum to 0; ⟨dQ, Q⟩ = ⟨dK, K⟩; a bias of the keys has gradient exactly 0."""
    shapes = SEVERAL_HEADS["self, biases, masks"][0]
    symbol = {name: MatrixSymbol(name, *shape) for name, shape in shapes.items() if name != "B"}
    arguments = {k: v for k, v in symbol.items() if k != "X"}
    values = {s.name: rows(s.shape, s.name) for s in symbol.values()}
    back = differentiate(derive(MultiHead(symbol["X"], heads=2, **arguments), values), G=rows((2, 3), "G"))
    assert back["db_K"].exact == Matrix([[0] * 4])  # in closed form, by cancellation of fractions of exponentials
    for head in (1, 2):
        dS = back[f"head_{head}.dS"].evaluate(30)
        assert all(abs(sum(dS[i, j] for j in range(2))) < 1e-28 for i in range(2))
        inner = [
            sum(a * b for a, b in zip(*(back[f"head_{head}.{y}"].evaluate(30) for y in (f"d{x}", x)), strict=True))
            for x in "QK"
        ]
        assert abs(inner[0] - inner[1]) < 1e-26


def test_fractions_that_are_rational_are_seen_to_be():
    """Equal keys share the weight, so that dS = ±1/4 and its products are rational."""
    values = {"Q": [[1], [2]], "K": [[1], [1]], "V": [[0], [1]]}
    back = differentiate(derive(Attention(Q, K, V), values), G=[[1], [1]])
    quarter = Rational(1, 4)
    assert back["dS"].exact == Matrix([[-quarter, quarter]] * 2)
    assert back["dQ"].exact == Matrix([[0], [0]]) and back["dK"].exact == Matrix([[-3 * quarter], [3 * quarter]])


def test_eight_tokens_of_width_eight_stay_exact():
    X, weights = MatrixSymbol("X", 8, 8), {f"W_{x}": MatrixSymbol(f"W_{x}", 8, 8) for x in "QKV"}
    b_K = MatrixSymbol("b_K", 1, 8)
    values = {s.name: rows(s.shape, s.name) for s in (X, *weights.values(), b_K)}
    back = differentiate(derive(MultiHead(X, heads=1, **weights, b_K=b_K), values), G=rows((8, 8), "G"))
    assert back["db_K"].exact == Matrix([[0] * 8])
    exact, near = back["dQ"].exact[3, 4], back["dQ"].evaluate(30)[3, 4]
    assert abs(exact.evalf(40) - sympy.Float(str(near), 40)) < Rational(1, 10**25)


def test_steps_are_named_as_the_forward_ones():
    X = MatrixSymbol("X", n, D)
    wide = {f"W_{x}": MatrixSymbol(f"W_{x}", D, h * d) for x in "QKV"}
    back = differentiate(
        derive(MultiHead(X, heads=h, **wide, W_O=MatrixSymbol("W_O", h * d, F), b_K=MatrixSymbol("b_K", 1, h * d)))
    )
    names = [step.name for step in back.families]
    before, heads, after = ["dY", "dC"], ["dO", "dA", "delta", "dS", "dQ", "dK", "dV"], ["dX"]
    heads += ["dW_Q", "dW_K", "dW_V", "db_K"]
    after += ["dW_Q", "dW_K", "dW_V", "dW_O", "db_K"]
    assert names[names.index("dY") :] == [*before, *(f"head_i.{x}" for x in heads), *after]
    for step in back.families:
        assert step.symbol.shape == step.expression.shape
    assert back["dW_Q"].shape == wide["W_Q"].shape and back["dX"].shape == X.shape


def test_sums_over_heads_are_told_by_rows_and_entries():
    """dX = Σ (dQ W_Qᵀ + dK W_Kᵀ + dV W_Vᵀ); rows are s and t where i and j count heads (reference: Ainslie et al.)."""
    wide = {"W_Q": 4, "W_K": 2, "W_V": 2}
    matrices = {name: MatrixSymbol(name, D, width * d) for name, width in wide.items()}
    page = differentiate(derive(MultiHead(MatrixSymbol("X", n, D), heads=4, kv_heads=2, **matrices))).to_text()
    said = " ".join(page.split())
    assert "dx_s = Σ_j dk^(j)_s (W_j^K)ᵀ + Σ_j dv^(j)_s (W_j^V)ᵀ + Σ_i dq^(i)_s (W_i^Q)ᵀ" in said
    assert "+ Σ_i Σ_k=1..d dQ^(i)_sk (W_i^Q)_tk" in said
    assert "dv^(j)_s = Σ_(i: ⌈i/2⌉ = j) Σ_t A^(i)_ts (dhead_i)_t" in said


def test_only_what_is_asked_for_is_computed():
    back = differentiate(derive(Attention(Q, K, V)), [V])
    assert [step.name for step in back][4:] == ["dO", "dV"]
    assert [step.name for step in differentiate(derive(Attention(Q, K, V)), ["scaled"])][4:] == [
        "dO",
        "dA",
        "delta",
        "dS",
    ]


def test_names_that_are_taken_stay_what_they_are():
    G = MatrixSymbol("G", n, d)
    back = differentiate(derive(Attention(G, K, V)), [G])
    assert [s.name for s in back.families.inputs] == ["G", "K", "V", "G_2"] and back["dG"].shape == (n, d)


MASKED = Attention(Q, K, V, mask=KeepMask(MatrixSymbol("M", n, m)))
REFUSED = [
    (lambda: differentiate(derive(Attention(Q, K, V)), ["W"]), InputError, 'wrt: "W" does not appear.*Q, K, V'),
    (lambda: differentiate(derive(Attention(Q, K, V)), []), InputError, "wrt: name what.*Q, K, V"),
    (lambda: differentiate(Attention(Q, K, V)), InputError, "not a derivation"),
    (lambda: differentiate(derive(Attention(Q, K, V)), [V], of="weights"), InputError, "weights does not depend on V"),
    (lambda: differentiate(derive(Attention(Q, K, V)), 3), InputError, "wrt: name what.*Q, K, V"),
    (lambda: differentiate(derive(Attention(Q, K, V)), [3]), InputError, '"3" does not appear'),
    (lambda: differentiate(derive(Attention(Q, K, V)), Q * K.T), InputError, "does not appear"),
    (lambda: differentiate(derive(Attention(Q, K, V, mask=CausalMask())), ["mask"]), InputError, "mask is a mask"),
    (lambda: differentiate(derive(MASKED), ["M"]), InputError, "M is a mask.*Q, K, V"),
    (lambda: differentiate(derive(Attention(Q, K, V)), [Q], G=[[1]]), InputError, "no values"),
    (lambda: differentiate(derive(Attention(Q, K, V)), [Q])["dQ"].exact, InputError, "no values"),
    (lambda: differentiate(_small(), [Q], G=[[1, 2]]), ShapeError, "1.*2"),
    (lambda: differentiate(_small(), [Q], G=[["x"]]), InputError, "G.*row 1"),
    (lambda: differentiate(_small(), [Q], of="dQ"), InputError, "dQ"),
    (lambda: differentiate(unfolded_max(), ["Z"]), NotSupportedError, "RowMax"),
]


def unfolded_max():
    z = MatrixSymbol("Z", n, m)
    return derive(SubtractColumn(z, RowMax(z)))


def test_a_softmax_taken_apart_has_the_same_gradient():
    point = {"Q": rows((2, 2), "Q"), "K": rows((2, 2), "K"), "V": rows((2, 2), "V")}
    brief, full = (
        differentiate(derive(Attention(Q, K, V), point, detail=detail), G=rows((2, 2), "G"))
        for detail in ("brief", "full")
    )
    assert [s.name for s in full][-7:] == [s.name for s in brief][-7:]
    for name in ("dQ", "dK", "dV"):
        assert list(full[name].evaluate(30)) == list(brief[name].evaluate(30))


def _small():
    return derive(Attention(Q, K, V), {"Q": [[1]], "K": [[1], [2]], "V": [[1], [3]]})


@pytest.mark.parametrize(("attempt", "error", "words"), REFUSED, ids=range(len(REFUSED)))
def test_what_has_no_gradient_is_refused(attempt, error, words):
    with pytest.raises(error, match=words):
        attempt()


def test_what_a_step_does_not_depend_on_is_left_out_of_all():
    assert [s.name for s in differentiate(derive(Attention(Q, K, V)), of="weights")][-2:] == ["dQ", "dK"]


def test_masks_are_left_out_of_all():
    assert [s.name for s in differentiate(derive(MASKED))][-3:] == ["dQ", "dK", "dV"]


def test_softmax_alone_and_down_the_columns():
    z = MatrixSymbol("Z", 2, 3)
    values, G = rows((2, 3), "Z"), rows((2, 3), "G")
    for axis in (-1, -2):
        turned = (lambda t: t) if axis == -1 else (lambda t: [list(c) for c in zip(*t, strict=True)])
        back = differentiate(derive(Softmax(z, axis), {"Z": values}), G=G)
        J = []  # diag(a) − aaᵀ for each row (or column)
        for row, g in zip(turned(values), turned(G), strict=True):
            a = [sympy.exp(x) / sum(sympy.exp(y) for y in row) for x in row]
            J.append([sum(a[i] * (int(i == k) - a[k]) * g[k] for k in range(len(a))) for i in range(len(a))])
        want = Matrix(turned(J))
        assert max(abs(x) for x in (Matrix(back["dS"].exact) - want).evalf(40)) < Rational(1, 10**35)


def test_a_loss_of_several_steps_has_the_sum_of_their_gradients():
    """L = ⟨G_A, A⟩ + ⟨G_O, O⟩, held against differences of the loss."""
    values = {Q: [[1, 2], [0, 1]], K: [[1, 0], [1, 1]], V: [[1, 3], [2, 0]]}
    by_weights, by_output = [[1, 2], [0, 5]], [[1, 0], [2, 1]]
    made = derive(Attention(Q, K, V), values)
    both = differentiate(made, of=["weights", "output"], G={"weights": by_weights, "output": by_output})
    apart = [differentiate(made, of="weights", G=by_weights), differentiate(made, G=by_output)]
    for name in ("dQ", "dK"):
        found, one, other = (made[name].evaluate(30) for made in (both, *apart))
        for at in itertools.product(range(2), range(2)):
            assert abs(found[at] - one[at] - other[at]) < 1e-28
    assert both["dV"].evaluate(30) == apart[1]["dV"].evaluate(30)

    def loss(q):
        with mpmath.workdps(50):
            total = mpmath.mpf(0)
            for row, by_weight, by_row in zip(q, by_weights, by_output, strict=True):
                powers = [mpmath.exp((row[0] * key[0] + row[1] * key[1]) / mpmath.sqrt(2)) for key in values[K]]
                for power, value, g in zip(powers, values[V], by_weight, strict=True):
                    total += power / sum(powers) * (g + sum(a * b for a, b in zip(value, by_row, strict=True)))
            return total

    with mpmath.workdps(50):
        h = mpmath.mpf(10) ** -15
        slope = (loss([[1, 2 + h], [0, 1]]) - loss([[1, 2 - h], [0, 1]])) / (2 * h)
        assert abs(both["dQ"].evaluate(30)[0, 1] / slope - 1) < 1e-25
    assert "dA = G_A + dO V" in differentiate(derive(Attention(Q, K, V)), of=("weights", "output")).to_text()


def test_a_loss_is_one_number():
    a, b = MatrixSymbol("a", 1, n), MatrixSymbol("b", n, 1)
    made = derive(a * b, {a: [[1, 2]], b: [[3], [4]]})
    assert differentiate(made, G=1)["da"].exact == sympy.Matrix([[3, 4]])
    assert differentiate(made, G=Rational(1, 2))["db"].exact == sympy.Matrix([Rational(1, 2), 1])


def test_gradients_of_steps_that_are_refused():
    made = derive(Attention(Q, K, V), {x: [[1, 2]] for x in (Q, K, V)})
    for options, message in (
        ({"of": ["weights", "result"]}, "result"),
        ({"of": []}, "there is no step"),
        ({"of": ["weights", "output"], "G": [[1]]}, "G must have the rows for each of weights, output by its name"),
        ({"of": ["weights", "output"], "G": {"weights": [[1]]}}, "G must have the rows for each of weights, output"),
        ({"of": ["weights", "output"], "G": {"weights": [[1]], "output": [[1]]}}, r"columns\(output\) is 2"),
        ({"G": 1}, r"columns\(output\) is 2"),
    ):
        with pytest.raises((InputError, ShapeError), match=message):
            differentiate(made, **options)
