"""What is equal for every size is found to be, what is not never is."""

from __future__ import annotations

import itertools

import pytest
import sympy
from sympy import (
    Abs,
    HadamardPower,
    ImmutableMatrix,
    Lambda,
    MatMul,
    MatPow,
    MatrixSymbol,
    OneMatrix,
    ZeroMatrix,
    sqrt,
    symbols,
)

from symattn import Attention, CausalMask, KeepMask, MultiHead, Softmax, WindowMask, prove
from symattn.checking.equality.decide import equal
from symattn.checking.equality.indices import Undecided
from symattn.checking.theorems import THEOREMS, decision
from symattn.checking.theorems.gradients import Gradient, inner
from symattn.checking.theorems.scalars import ScalarTheorem
from symattn.nodes import (
    HEAD,
    AddRow,
    Alibi,
    BahdanauAttention,
    Biased,
    Block,
    ColumnSum,
    Concat,
    ConcatHeads,
    DeltaRule,
    DivideRows,
    Hadamard,
    HeadRows,
    HideMask,
    LatentAttention,
    LinearAttention,
    Mapped,
    Masked,
    NormalisedRows,
    OnlineAttention,
    Plus,
    Retention,
    RotaryEmbedding,
    RotatedBack,
    RowMax,
    RowSum,
    Scaled,
    ScoreMod,
    Stack,
    SubtractColumn,
    SumHeads,
)
from tests.processor_time import takes_at_most

pytestmark = pytest.mark.slow

n, m, d, e, h, g, w = symbols("n m d_k d_v h g d_model", integer=True, positive=True)
a, positive = sympy.Symbol("a"), sympy.Symbol("a", positive=True)
Q, K, V, Z = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e), MatrixSymbol("Z", n, m)
K_n, V_n, X = MatrixSymbol("K", n, d), MatrixSymbol("V", n, e), MatrixSymbol("X", n, w)
W_O, M = MatrixSymbol("W_O", h * e, w), MatrixSymbol("M", n, m)
C, U_K, U_V = MatrixSymbol("C", m, g), MatrixSymbol("U_K", g, d), MatrixSymbol("U_V", g, e)
REFUTED = {"query-without-jacobian", "key-without-jacobian", "weights-times-gradient", "delta-rule-with-plus"}
MATRICES = [name for name, make in THEOREMS.items() if not isinstance(make(), ScalarTheorem)]


def heads(kv_heads=h, **options):
    W_Q, W_K, W_V = (
        MatrixSymbol(f"W_{x}", w, count * width)
        for x, count, width in (("Q", h, d), ("K", kv_heads, d), ("V", kv_heads, e))
    )
    return MultiHead(X, heads=h, kv_heads=kv_heads, W_Q=W_Q, W_K=W_K, W_V=W_V, W_O=W_O, **options)


def turned(offset, other, pairs="interleaved"):
    return Attention(RotaryEmbedding(Q, pairs=pairs, offset=offset), RotaryEmbedding(K, pairs=pairs, offset=other), V)


def causal(**mask):
    return Attention(Q, K_n, V_n, **mask)


HOLD = {
    "window without an end": (causal(mask=CausalMask()), causal(mask=WindowMask(None, 0))),
    "positive |a|": (Attention(Q, K, V, scale=positive), Attention(Q, K, V, scale=Abs(positive))),
    "softcap": (Attention(Q, K, V, softcap=5), Attention(Q, K, V, softcap=5, bias=ZeroMatrix(n, m))),
    "softcap is odd": (Attention(Scaled(Q, -1), Scaled(K, -1), V, softcap=5), Attention(Q, K, V, softcap=5)),
    "rows of length 1": (Attention(NormalisedRows(Q), K, V), Attention(NormalisedRows(Scaled(Q, 2)), K, V)),
    "heads": (heads(), heads(scale=1 / sqrt(d))),
    "sum over heads": (heads(), SumHeads(heads().head() * HeadRows(W_O, HEAD, h), HEAD, h)),
    "grouped heads": (heads(g), heads(g, scale=1 / sqrt(d))),
    "token by token": (LinearAttention(Q, K_n, V_n, causal=True), LinearAttention(Q, K_n, V_n, causal=True) + 0 * V_n),
    "rotary": (turned(0, 0), turned(7, 7)),
    "rotary halves": (turned(0, 0, "halves"), turned(7, 7, "halves")),
    "turned back": (RotatedBack(RotaryEmbedding(X)), X),
    "softmax of softmax": (
        Softmax(Softmax(Z)),
        Softmax(SubtractColumn(Softmax(SubtractColumn(Z, RowMax(Z))), RowMax(Z))),
    ),
    "alibi": (Softmax(Biased(Z, Alibi(n, m, a))), Softmax(Biased(Z, Alibi(n, m, a, 5)))),
    "bahdanau": tuple(
        BahdanauAttention(Q, K, V, *(MatrixSymbol(x, d, g) for x in "WU"), MatrixSymbol("v", g, 1), scale=scale)
        for scale in (None, 1)
    ),
    "latent": (LatentAttention(Q, C, U_K, U_V), Attention(Q, C * U_K, C * U_V)),
    "square": (Mapped(Z, Lambda(a, a**2)), Hadamard(Z, Z)),
    "masked": (
        Attention(Q, AddRow(K, MatrixSymbol("b", 1, d)), V, mask=KeepMask(M)),
        Attention(Q, K, V, mask=KeepMask(M)),
    ),
    "cached": (Block(Stack(K, C * U_K), 0, m, 0, d), K),
}
DIFFER = {
    "root of n": (Attention(Q, K, V), Attention(Q, K, V, scale=1 / sqrt(n))),
    "window of 3": (causal(mask=CausalMask()), causal(mask=WindowMask(3, 0))),
    "window of a million": (causal(mask=CausalMask()), causal(mask=WindowMask(10**6, 0))),
    "|a|": (Attention(Q, K, V, scale=a), Attention(Q, K, V, scale=Abs(a))),
    "root of a square": (Attention(Q, K, V, scale=a), Attention(Q, K, V, scale=sqrt(a**2))),
    "softcap": (Attention(Q, K, V, softcap=5), Attention(Q, K, V, softcap=6)),
    "rows turned round": (Attention(NormalisedRows(Q), K, V), Attention(NormalisedRows(Scaled(Q, -2)), K, V)),
    "heads": (heads(), heads(scale=1 / sqrt(w))),
    "online": (OnlineAttention(Q, K, V, scale=1), Attention(Q, K, V)),
    "rotary": (turned(0, 0), turned(7, 6)),
    "softmax of softmax": (Softmax(Softmax(Z)), Softmax(Z)),
    "alibi": (Softmax(Biased(Z, Alibi(n, m, a))), Softmax(Biased(Z, Alibi(n, m, 2 * a)))),
    "masks": (Attention(Q, K, V, mask=KeepMask(M)), Attention(Q, K, V, mask=HideMask(M))),
    "which axis": (Softmax(MatrixSymbol("S", n, n)), Softmax(MatrixSymbol("S", n, n), -2)),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", HOLD)
def test_what_is_equal_for_every_size(case):
    assert equal(*HOLD[case])


@pytest.mark.parametrize("case", DIFFER)
def test_what_differs(case):
    assert not equal(*DIFFER[case])


@pytest.mark.slow
@pytest.mark.parametrize("name", MATRICES)
def test_theorems(name):
    theorem = THEOREMS[name]()
    links = [equal(left, right, theorem.kinds) for left, right in itertools.pairwise(theorem.full_sides)]
    assert all(links) == (name not in REFUTED)


def test_a_permutation_is_no_other_and_not_its_inverse():
    P, R, S = MatrixSymbol("P", n, n), MatrixSymbol("R", n, n), MatrixSymbol("S", n, n)
    kinds = {P: "permutation", R: "permutation"}
    assert equal(P * P.T * S, S, kinds) and equal(Softmax(P * S * R.T), P * Softmax(S) * R.T, kinds)
    assert not equal(P * S, R * S, kinds) and not equal(P * S, P.T * S, kinds)
    assert not equal(P * P.T * S, S)
    ones = OneMatrix(1, n)
    assert equal(ones * P * R * S, ones * S, kinds) and not equal(ones * P * R * S, ones * S * P, kinds)


def test_a_permutation_of_a_part_is_not_decided():
    """Its image of a part is no part."""
    x, y = MatrixSymbol("x", n, e), MatrixSymbol("y", m, e)
    P = MatrixSymbol("P", n + m, n + m)
    with pytest.raises(Undecided):
        equal(P * Stack(x, y), Stack(x, y), {P: "permutation"})
    for top, height in ((0, n), (n, m)):
        blocks = [Block(X, top, height, 0, n + m) for X in (P, sympy.Identity(n + m))]
        with pytest.raises(Undecided):
            equal(*(MatMul(OneMatrix(1, height), X) for X in blocks), {P: "permutation"})


def test_a_block_of_several_sizes_is_cut_alike_on_both_sides():
    t = sympy.Symbol("t", integer=True, positive=True)
    first, rest = Block(V_n, 0, t, 0, e), Block(V_n, t, n - t, 0, e)
    assert equal(Stack(first, rest), V_n)
    assert not equal(Stack(first, rest), 2 * V_n)


def test_a_gradient_is_taken_by_every_part_of_a_matrix():
    """Of ⟨G, softmax(Q[K_1; K_2]ᵀ)V⟩ by V, whose rows are cut where the keys are; by a matrix of several heads."""
    p = sympy.Symbol("p", integer=True, positive=True)
    keys = Stack(MatrixSymbol("K_1", p, d), K)
    values, G = MatrixSymbol("V", p + m, e), MatrixSymbol("G", n, e)
    weights = Softmax(Q * keys.T)
    assert equal(Gradient(inner(G, weights * values), values), weights.T * G)
    assert not equal(Gradient(inner(G, weights * values), values), 2 * weights.T * G)
    Y, D = MatrixSymbol("Y^(i)", n, e), MatrixSymbol("D", n, w)
    joined = ConcatHeads(Y, HEAD, h)
    assert equal(Gradient(inner(D, joined * W_O), W_O), joined.T * D)
    assert not equal(Gradient(inner(D, joined * W_O), W_O), -joined.T * D)


def test_a_recurrence_is_looked_at_with_its_last_row_apart():
    t = sympy.Symbol("t", integer=True, positive=True)
    K_t, V_t = (Block(x, 0, t, 0, size) for x, size in ((K_n, d), (V_n, e)))
    before = Block(K_n, 0, t - 1, 0, d).T * Block(V_n, 0, t - 1, 0, e)
    last = Block(K_n, t - 1, 1, 0, d).T * Block(V_n, t - 1, 1, 0, e)
    assert equal(K_t.T * V_t, before + last) and not equal(K_t.T * V_t, before - last)


def test_one_row_more_is_cut_off_once():
    """Where the rows are cut there anyhow, sides that differ are said to differ."""
    x, y, whole = MatrixSymbol("x", 1, d), MatrixSymbol("y", 1, d), MatrixSymbol("X", n + 1, d)
    assert equal(Stack(Q, x), Stack(Q, x)) and not equal(Stack(Q, x), Stack(Q, y))
    assert not equal(Stack(Q, x), whole) and not equal(whole, whole + whole)
    assert equal(Stack(Block(whole, 0, n, 0, d), Block(whole, n, 1, 0, d)), whole)


@pytest.mark.slow
@pytest.mark.parametrize("case", HOLD)
def test_prove_says_that_it_is_proven(case):
    assert prove(*HOLD[case]).status == "proven"


HOSTILE = {
    "ten thousand terms": lambda: (Plus(*(MatrixSymbol(f"X{k}", n, n) for k in range(10_000))), ZeroMatrix(n, n)),
    "two thousand factors": lambda: (MatMul(*(MatrixSymbol(f"X{k}", n, n) for k in range(2_000))), ZeroMatrix(n, n)),
    "a sum to many powers": lambda: (
        MatMul(*(Plus(MatrixSymbol(f"X{k}", n, n), MatrixSymbol(f"Y{k}", n, n)) for k in range(20))),
        MatMul(*(Plus(MatrixSymbol(f"Y{k}", n, n), MatrixSymbol(f"X{k}", n, n)) for k in range(20))),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", HOSTILE)
def test_what_explodes_is_not_decided_in_time(case, monkeypatch):
    monkeypatch.setattr(decision.decide_links, "__defaults__", (1.0,))
    with takes_at_most(20):
        proof = prove(*HOSTILE[case]())
    assert proof.status in ("undecided", "tried")


def test_softmax_in_softmax_does_not_double_the_work():
    once, twice = Z, SubtractColumn(Z, RowSum(Z))
    for _ in range(20):
        once, twice = Softmax(once), Softmax(twice)
    assert equal(once, twice) and not equal(once, Softmax(twice))


def test_what_is_below_a_line_in_a_sum_stays_there():
    """Σ_ij c_ij/p_i is not Σ_ij c_ji/p_i, though both are Σ_ij c_ij without what is below the line."""
    square, below = MatrixSymbol("C", n, n), Plus(*(MatrixSymbol(f"t_{k}", n, 1) for k in range(20)), OneMatrix(n, 1))
    forth, back = (ColumnSum(RowSum(DivideRows(C, below))) for C in (square, square.T))
    assert equal(forth, forth) and not equal(forth, back)


def test_a_recurrence_of_numbers():
    keys, values = MatrixSymbol("K", 6, d), MatrixSymbol("V", 6, e)
    k, k_6, v, v_6 = (Block(x, top, count, 0, x.shape[1]) for x in (keys, values) for top, count in ((0, 5), (5, 1)))
    assert equal(keys.T * values, k.T * v + k_6.T * v_6) and not equal(keys.T * values, k.T * v)


def test_three_blocks_in_a_row():
    """That the second one ends within the matrix is known from it alone."""
    start, count = symbols("s t", integer=True, positive=True)
    end = start + count
    blocks = [Block(V_n, top, size, 0, e) for top, size in ((0, start), (start, count), (end, n - end))]
    assert equal(Stack(*blocks), V_n) and not equal(Stack(*blocks[::-1]), V_n)


def test_numbers_of_many_rows_are_not_looked_at():
    """16 rows are; 17 are not, nor are those of a part whose size is a letter."""
    ones = [ImmutableMatrix(k, 2, [1] * (2 * k)) for k in (16, 17)]
    assert equal(ones[0], OneMatrix(16, 2))
    for matrix, other in ((ones[1], OneMatrix(17, 2)), (Block(ones[0], 0, n, 0, 2), OneMatrix(n, 2))):
        with pytest.raises(Undecided, match="numbers"):
            equal(matrix, other)


def test_matrices_of_one_name_and_other_sizes_are_others():
    first = [Block(MatrixSymbol("X", *sizes), 0, 1, 0, 1) for sizes in ((n, d), (m, d), (n, e))]
    assert not any(equal(x, y) for x, y in itertools.combinations(first, 2))


def test_what_has_no_rule_is_equal_to_itself():
    a_t, b_t = MatrixSymbol("a", n, 1), MatrixSymbol("b", n, 1)
    delta, other = (DeltaRule(Q, K_n, V_n, rate) for rate in (a_t, b_t))
    learned, another = (Retention(Q, K_n, V_n, MatrixSymbol(x, 1, 1)) for x in "gf")
    for node, near in ((delta, other), (learned, another), (MatPow(M * Z.T, n), MatPow(Z * M.T, n))):
        assert equal(2 * node, node + node) and not equal(node, near)
    S = MatrixSymbol("S", n, n)
    for power in (n, sympy.Rational(1, 2), 0, 9):
        assert equal(MatPow(S, power), MatPow(S, power)) and not equal(MatPow(S, power), S)
    shape = sympy.Lambda(symbols("z i j"), sympy.erf(sympy.Symbol("z")))
    assert equal(ScoreMod(Z, shape), Mapped(Z, sympy.Lambda(sympy.Symbol("z"), shape.expr)))


def test_a_rule_for_empty_rows_says_nothing_where_nothing_is_hidden():
    assert equal(Softmax(Z, -1, "zero"), Softmax(Z)) and equal(Softmax(Z, -1, "uniform"), Softmax(Z))
    hidden = Masked(Z, KeepMask(M))
    rules = [Softmax(hidden, -1, rule) for rule in ("zero", "uniform", "nan")]
    assert not any(equal(x, y) for x, y in itertools.combinations(rules, 2))


def test_numbers_that_are_nearly_the_same_are_told_apart():
    large = sympy.Integer(10) ** 400
    assert prove(Scaled(Z, large), Scaled(Z, large + 1)).status == "refuted"
    assert (
        prove(Scaled(Z, sqrt(sympy.Integer(10) ** 120 + 7)), Scaled(Z, sqrt(sympy.Integer(10) ** 120 + 9))).status
        == "refuted"
    )


def test_fractions_outside_of_sums_are_brought_to_one_denominator():
    """Softmax over two keys with equal values: y e^a/(e^a + e^b) + y e^b/(e^a + e^b) = y."""
    x, y, value = MatrixSymbol("x", n, 1), MatrixSymbol("y", n, 1), MatrixSymbol("v", 1, e)
    whole = Softmax(Concat(x, y)) * Stack(value, value)
    assert equal(whole, OneMatrix(n, 1) * value) and not equal(whole, 2 * OneMatrix(n, 1) * value)


def test_sums_are_cut_one_by_one_where_all_together_do_not_do():
    """[x; y] and [y; x] in one side, beside each other; a difference in one of them is seen."""
    X, Y, R, T = (MatrixSymbol(name, n, n) for name in "XYRT")
    x, y = MatrixSymbol("x", m, n), MatrixSymbol("y", m, n)
    forth = MatMul(Concat(R, x.T), Stack(X, y))
    back = MatMul(Concat(x.T, T), Stack(y, Y))
    assert equal(Plus(forth, back), Plus(R * X, T * Y, Scaled(x.T * y, 2)))
    assert not equal(Plus(forth, back), Plus(R * X, T * X, Scaled(x.T * y, 2)))


def test_sums_are_cut_together_where_that_does():
    """Z([x; y] + W) = Z[x; y] + ZW, of which one sum alone asks for two parts."""
    parts, W = Stack(MatrixSymbol("x", n, e), MatrixSymbol("y", m, e)), MatrixSymbol("W", n + m, e)
    wide = MatrixSymbol("Z", d, n + m)
    assert equal(Plus(wide * parts, wide * W), MatMul(wide, Plus(parts, W)))
    assert not equal(Plus(wide * parts, wide * W), MatMul(wide, Plus(parts, W, W)))


@pytest.mark.parametrize("pairs", ["interleaved", "halves"])
def test_a_row_is_turned_forward(pairs):
    """By 1 at position 1: x cos 1 − y sin 1, y cos 1 + x sin 1."""
    row, cos, sin = MatrixSymbol("x", 1, 2), sympy.cos(1), sympy.sin(1)
    turned = RotaryEmbedding(row, pairs=pairs, offset=1)
    assert equal(turned, row * ImmutableMatrix([[cos, sin], [-sin, cos]]))
    assert not equal(turned, row * ImmutableMatrix([[cos, -sin], [sin, cos]]))


@pytest.mark.parametrize("function", [sympy.tanh, sympy.erf])  # the second one has no normal form
def test_a_score_is_changed_at_its_own_place(function):
    """f(z + i) in row i: of the transpose it is f(z + j)."""
    S, z, i, j = MatrixSymbol("S", n, n), *symbols("z i j")
    rows, columns = (Lambda((z, i, j), function(z + place)) for place in (i, j))
    assert not equal(ScoreMod(S, rows).T, ScoreMod(S.T, rows))
    assert not equal(ScoreMod(S, rows), ScoreMod(S, columns))
    assert equal(ScoreMod(S, rows), ScoreMod(S, rows))


def test_powers_of_entries():
    square, root = HadamardPower(Z, 2), HadamardPower(Z, sympy.Rational(1, 2))
    assert equal(square, Hadamard(Z, Z)) and not equal(square, Z) and not equal(square, Hadamard(Z, M))
    assert equal(root, root) and not equal(root, Z) and not equal(root, HadamardPower(M, sympy.Rational(1, 2)))
