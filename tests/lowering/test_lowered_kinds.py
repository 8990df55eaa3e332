"""Kinds beyond the plain one, in both styles, against the certified values of the same expression on exact inputs."""

import numpy as np
import pytest
import sympy
from lowering.symbols import D, K, M, Q, V, d_k, d_v, m, n
from lowering.test_layers import CASES
from sympy import MatrixSymbol, Rational, Symbol

import symattn
from symattn import (
    Alibi,
    AtBuckets,
    Attention,
    BahdanauAttention,
    CausalMask,
    ChunkedState,
    DeltaRule,
    DifferentialAttention,
    DistanceBuckets,
    Entmax,
    FiniteMask,
    GatedDeltaRule,
    GatedLinearAttention,
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
    RelativeAttention,
    RelativeBias,
    Retention,
    Rotary,
    RotaryEmbedding,
    RowBucketSums,
    Stack,
    StateSpaceDuality,
    WindowMask,
    alibi_slope,
    clipped_buckets,
    derive,
    lower,
    nodes,
)
from symattn.lowering.rules.elementary import write
from symattn.nodes import Part
from symattn.program.unfolding.rules import rule as unfolding

z, i, j, head = sympy.symbols("z i j head")
p = Symbol("p", integer=True, positive=True)
W, U, w = MatrixSymbol("W", d_k, d_k), MatrixSymbol("U", d_k, d_k), MatrixSymbol("w", d_k, 1)
P, R = MatrixSymbol("P", p, d_k), MatrixSymbol("R", p, d_v)
C, U_K, U_V = MatrixSymbol("C", m, d_v), MatrixSymbol("U_K", d_v, d_k), MatrixSymbol("U_V", d_v, d_v)
SHAPES = {n: 5, m: 6, d_k: 4, d_v: 3, D: 8, p: 2}

FIXED = MatrixSymbol("Q", 5, d_k), MatrixSymbol("K", 6, d_k), MatrixSymbol("V", 6, d_v)

TOKENS = MatrixSymbol("K", n, d_k), MatrixSymbol("V", n, d_v)
OTHERS = MatrixSymbol("Q_2", n, d_k), MatrixSymbol("K_2", m, d_k)

POSITIONS = [MatrixSymbol(f"T_{k}", 5, d_v if k == 2 else d_k) for k in range(3)]

ATTENTIONS = {
    "hidden": Attention(Q, K, V, mask=HideMask(M)),
    "hidden by numbers": Attention(*FIXED, mask=HideMask([[0, 1, 0, 0, 1, 0]] * 5)),
    "kept by numbers": Attention(*FIXED, mask=KeepMask([[0, 1, 0, 0, 1, 0]] * 5)),
    "padding": Attention(Q, K, V, mask=(PaddingMask(4), CausalMask(2))),
    "padding keys": Attention(Q, K, V, mask=PaddingMask(keys=[1, 4])),
    "finite": Attention(Q, K, V, mask=FiniteMask(CausalMask(), value=-5)),
    "alibi": Attention(Q, K, V, bias=Alibi(n, m, Rational(1, 3)), mask=WindowMask(2, 0)),
    "relative": Attention(Q, K, V, bias=RelativeBias(MatrixSymbol("t", 3, 1), n, m, DistanceBuckets((1, 3), offset=1))),
    "relative, of queries and keys": RelativeAttention(
        Q, K, V, clipped_buckets(5), keys=POSITIONS[0], queries=POSITIONS[1], mask=CausalMask(1)
    ),
    "relative, of values": RelativeAttention(Q, K, V, clipped_buckets(5, 1), keys=POSITIONS[0], values=POSITIONS[2]),
    "relative, of rows": Attention(Q, K, V, bias=AtBuckets(MatrixSymbol("P", n, 4), m, DistanceBuckets((-1, 0, 3)))),
    "sums by distance": RowBucketSums(Q * K.T, DistanceBuckets((-1, 0, 3))),
    "score_mod": Attention(Q, K, V, score_mod=z - (i - j) ** 2 / 3 + sympy.Max(z, 0)),
    "off by one": Attention(Q, K, V, sink=0, mask=CausalMask(-1)),
    "sink": Attention(Q, K, V, sink=MatrixSymbol("s", 1, 1)),
    "uniform": Attention(Q, K, V, mask=CausalMask(-2), empty_row="uniform"),
    "zero": Attention(Q, K, V, mask=CausalMask(-2), empty_row="zero"),
    "rotary": Attention(RotaryEmbedding(Q), RotaryEmbedding(K, base=100, offset=3), V),
    "halves": Attention(RotaryEmbedding(Q, pairs="halves"), RotaryEmbedding(K, pairs="halves"), V),
    "luong": LuongAttention(Q, K, V, W),
    "bahdanau": BahdanauAttention(Q, K, V, W, U, w),
    "cache": Attention(Q, Stack(P, K), Stack(R, V), mask=CausalMask(p)),
    "latent": LatentAttention(Q, C, U_K, U_V),
    "linear": LinearAttention(Q, K, V),
    "linear, another feature": LinearAttention(Q, K, V, feature=z**2 + 1),
    "linear, token by token": LinearAttention(Q, TOKENS[0], TOKENS[1], causal=True),
    "a block of keys at a time": OnlineAttention(Q, FIXED[1], FIXED[2], block=3, mask=CausalMask(1), softcap=2),
    "one key at a time": OnlineAttention(Q, FIXED[1], FIXED[2], bias=MatrixSymbol("B", n, 6)),
    "bahdanau, hidden": BahdanauAttention(Q, K, V, W, U, w, mask=HideMask(M), softcap=1),
    "bahdanau, sink": BahdanauAttention(Q, K, V, W, U, w, sink=0),
    "alibi and finite": Attention(Q, K, V, bias=Alibi(n, m, 2, offset=1), mask=FiniteMask(CausalMask(1), value=-5)),
    "entmax": Entmax(Q * K.T, Rational(3, 2)) * V,
    "sparsemax": Attention(Q, K, V, weighting="sparsemax", mask=CausalMask()),
    "sigmoid": Attention(Q, K, V, weighting="sigmoid"),
    "retention": Retention(Q, *TOKENS, Rational(9, 10)),
    "gated linear": GatedLinearAttention(Q, *TOKENS, MatrixSymbol("alpha", n, d_k)),
    "state space": StateSpaceDuality(Q, *TOKENS, MatrixSymbol("a", n, 1)),
    "delta": DeltaRule(Q, *TOKENS, MatrixSymbol("beta", n, 1)),
    "gated delta": GatedDeltaRule(Q, *TOKENS, MatrixSymbol("a", n, 1), MatrixSymbol("beta", n, 1)),
    "retention, all at once": ChunkedState(Retention(Q, *TOKENS, Rational(9, 10)), None),
    "differential": DifferentialAttention(Q, K, OTHERS[0], OTHERS[1], V, Rational(4, 5)),
    "normalised": Attention(NormalisedRows(Q), NormalisedRows(K, "rms"), V),
}


def layer(**options):
    X = MatrixSymbol("X", n, D)
    shapes = {"W_Q": (D, 4 * d_k), "W_K": (D, 2 * d_k), "W_V": (D, 2 * d_v), "W_O": (4 * d_v, D)}
    return MultiHead(X, heads=4, kv_heads=2, **{x: MatrixSymbol(x, *s) for x, s in shapes.items()}, **options)


LAYERS = {
    "alibi": layer(bias=Alibi(n, n, alibi_slope(4)), mask=CausalMask()),
    "rotary": layer(rotary=Rotary()),
    "qk_norm": layer(qk_norm=QKNorm("rms", epsilon=Rational(1, 100))),
    "score_mod": layer(score_mod=z + head * j),
    "sink": layer(sink=0),
    "part": Part(layer(mask=CausalMask()), "encoder"),
}


def check(expression, styles=("fast", "plain", "compiled")):
    d = derive(expression)
    generator = np.random.default_rng(3)
    given, arrays = {}, {}
    for s in d.families.inputs:
        rows, columns = (int(sympy.sympify(x).subs(SHAPES)) for x in s.shape)
        low, high = (0, 2) if s.name == "M" else (-3, 4)
        whole = generator.integers(low, high, (rows, columns))
        if s.name == "M":
            whole[:, 0] = 0
        given[s] = whole.tolist()
        arrays[s.name] = whole.astype(float)
    valued = derive(expression, given)
    wanted = np.array(valued.steps[-1].evaluate(20).tolist(), float)
    for style in styles:
        got = lower(expression, style=style)(**arrays)
        np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-13)
        batch = {name: np.stack([x, x]) for name, x in arrays.items()}
        np.testing.assert_allclose(lower(expression, style=style)(**batch)[1], wanted, rtol=1e-12, atol=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ATTENTIONS)
def test_kinds(kind):
    check(ATTENTIONS[kind])


@pytest.mark.slow
@pytest.mark.parametrize("kind", LAYERS)
def test_kinds_of_several_heads(kind):
    check(LAYERS[kind])


def test_every_kind_is_here():
    """Every kind that the package exports is among those above or the layers', and every node has a rule."""
    exported = [getattr(symattn, name) for name in symattn.__all__]
    kinds = {x for x in exported if isinstance(x, type) and issubclass(x, nodes.Node)}
    lowered = (*ATTENTIONS.values(), *LAYERS.values(), *CASES.values())
    found = {type(x) for whole in lowered for x in sympy.preorder_traversal(whole)}
    assert kinds - found <= {nodes.Concat, nodes.Softmax}  # these are tested by themselves
    all_nodes = {x for x in vars(nodes).values() if isinstance(x, type) and issubclass(x, nodes.Node)}
    rules = set().union(*(rule.registry.keys() for rule in (write, unfolding))) - {object}
    named = {x for x in all_nodes if rules.intersection(x.__mro__)}
    assert all_nodes - named == {nodes.Node, nodes.OverMembers, nodes.SoftmaxAttention}  # what others are made from
