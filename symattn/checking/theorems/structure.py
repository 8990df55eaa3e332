"""Theorems on the structure of attention: what it does not see, how it comes apart, how it is put together again."""

from __future__ import annotations

from sympy import MatPow, MatrixSymbol, OneMatrix, Symbol, ZeroMatrix
from sympy.matrices.expressions import MatMul, Transpose

from symattn.checking.theorems.theorem import Link, Theorem
from symattn.nodes import (
    HEAD,
    Block,
    CausalMask,
    Concat,
    ConcatHeads,
    Diagonal,
    DivideRows,
    Exponential,
    HeadRows,
    Masked,
    Plus,
    RowSum,
    Scaled,
    Softmax,
    Stack,
    SubtractColumn,
    SumHeads,
)

n, m, d, e, h = (Symbol(x, integer=True, positive=True) for x in ("n", "m", "d_k", "d_v", "h"))
Q, K, V, Z = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e), MatrixSymbol("Z", n, m)
SIZES = ({n: 2, m: 3, d: 1, e: 4}, {n: 3, m: 2, d: 4, e: 1})


def shift_invariance() -> Theorem:
    """softmax(Z − t1ᵀ) = softmax(Z)."""
    t, E, u = MatrixSymbol("t", n, 1), MatrixSymbol("E", n, m), MatrixSymbol("u", n, 1)
    shifted = SubtractColumn(Z, t)
    scaled = MatMul(Diagonal(u), E)
    links = (
        Link(DivideRows(Exponential(shifted), RowSum(Exponential(shifted))), "softmax"),
        Link(DivideRows(scaled, RowSum(scaled)), "exponential"),
        Link(DivideRows(scaled, MatMul(Diagonal(u), RowSum(E))), "row_sum"),
        Link(DivideRows(E, RowSum(E)), "cancel"),
        Link(Softmax(Z), "softmax"),
    )
    where = ((E, Exponential(Z)), (u, Exponential(Scaled(t, -1))))
    return Theorem("shift-invariance", Softmax(shifted), links, SIZES, where=where)


def permutation_equivariance() -> Theorem:
    """Att(PQ, RK, RV) = P Att(Q, K, V), for permutations P and R."""
    P, R = MatrixSymbol("P", n, n), MatrixSymbol("R", m, m)
    S = MatMul(Q, Transpose(K))
    weights = Softmax(MatMul(P, Q, Transpose(MatMul(R, K))))
    links = (
        Link(MatMul(Softmax(MatMul(P, S, Transpose(R))), R, V), "transpose"),
        Link(MatMul(P, Softmax(S), Transpose(R), R, V), "permuted"),
        Link(MatMul(P, Softmax(S), V), "orthogonal"),
    )
    kinds = {P: "permutation", R: "permutation"}
    return Theorem("permutation-equivariance", MatMul(weights, R, V), links, SIZES, kinds)


def concat_is_sum() -> Theorem:
    """Concat(Y_1, …, Y_h) W_O = Σ_i Y_i W_i^O."""
    Y, W = MatrixSymbol("Y^(i)", n, e), MatrixSymbol("W_O", h * e, d)
    total = SumHeads(MatMul(Y, HeadRows(W, HEAD, h)), HEAD, h)
    cases = ({n: 1, e: 4, d: 2, h: 3}, {n: 4, e: 1, d: 3, h: 2})
    return Theorem("concat-is-sum", MatMul(ConcatHeads(Y, HEAD, h), W), (Link(total, "blocks"),), cases)


def cached_row() -> Theorem:
    """Row t of causal attention is the attention of q_t over the first t keys."""
    t = Symbol("t", integer=True, positive=True)
    K_n, V_n = MatrixSymbol("K", n, d), MatrixSymbol("V", n, e)
    S = MatMul(Q, Transpose(K_n))
    A = Softmax(Masked(S, CausalMask()))
    q, seen, values = Block(Q, t - 1, 1, 0, d), Block(K_n, 0, t, 0, d), Block(V_n, 0, t, 0, e)
    weights = Softmax(MatMul(q, Transpose(seen)))
    links = (
        Link(MatMul(Block(A, t - 1, 1, 0, n), V_n), "row_of_product"),
        Link(MatMul(Concat(weights, ZeroMatrix(1, n - t)), V_n), "hidden"),
        Link(MatMul(weights, values), "zeros"),
    )
    cases = tuple({n: 5, d: 2, e: 4, t: k} for k in (1, 2, 3))
    return Theorem("cached-row", Block(MatMul(A, V_n), t - 1, 1, 0, e), links, cases)


def block_merging() -> Theorem:
    """Attention over two blocks of keys from the blocks' own outputs and sums (FlashAttention)."""
    p, q = (Symbol(x, integer=True, positive=True) for x in ("m_1", "m_2"))
    Z_1, Z_2 = MatrixSymbol("Z_1", n, p), MatrixSymbol("Z_2", n, q)
    V_1, V_2 = MatrixSymbol("V_1", p, e), MatrixSymbol("V_2", q, e)
    E_1, E_2 = MatrixSymbol("E_1", n, p), MatrixSymbol("E_2", n, q)
    l_1, l_2 = MatrixSymbol("ell_1", n, 1), MatrixSymbol("ell_2", n, 1)
    merged = Plus(MatMul(Diagonal(l_1), Softmax(Z_1), V_1), MatMul(Diagonal(l_2), Softmax(Z_2), V_2))
    both = Concat(E_1, E_2)
    links = (
        Link(DivideRows(MatMul(both, Stack(V_1, V_2)), RowSum(both)), "softmax"),
        Link(DivideRows(Plus(MatMul(E_1, V_1), MatMul(E_2, V_2)), Plus(l_1, l_2)), "blocks"),
        Link(DivideRows(merged, Plus(l_1, l_2)), "softmax_back"),
    )
    cases = ({n: 2, p: 3, q: 1, e: 4}, {n: 1, p: 2, q: 3, e: 4})
    where = ((E_1, Exponential(Z_1)), (E_2, Exponential(Z_2)), (l_1, RowSum(E_1)), (l_2, RowSum(E_2)))
    first = MatMul(Softmax(Concat(Z_1, Z_2)), Stack(V_1, V_2))
    return Theorem("block-merging", first, links, cases, where=where)


def online_softmax() -> Theorem:
    """One more key: the sums so far are brought to the new reference, and the key's own term is added."""
    mu, nu = MatrixSymbol("mu", n, 1), MatrixSymbol("mu'", n, 1)
    z, v = MatrixSymbol("z", n, 1), MatrixSymbol("v", 1, e)
    o, total, new = MatrixSymbol("O", n, e), MatrixSymbol("ell", n, 1), MatrixSymbol("E'", n, m)
    last, factor = MatrixSymbol("epsilon", n, 1), MatrixSymbol("u", n, 1)
    whole, values = Concat(Z, z), Stack(V, v)
    E = Exponential(SubtractColumn(whole, nu))
    links = (
        Link(DivideRows(MatMul(E, values), RowSum(E)), "reference"),
        Link(DivideRows(Plus(MatMul(new, V), MatMul(last, v)), Plus(RowSum(new), last)), "blocks"),
        Link(
            DivideRows(Plus(MatMul(Diagonal(factor), o), MatMul(last, v)), Plus(MatMul(Diagonal(factor), total), last)),
            "rescale",
        ),
    )
    old = Exponential(SubtractColumn(Z, mu))
    where = (
        (new, Exponential(SubtractColumn(Z, nu))),
        (last, Exponential(Plus(z, Scaled(nu, -1)))),
        (factor, Exponential(Plus(mu, Scaled(nu, -1)))),
        (o, MatMul(old, V)),
        (total, RowSum(old)),
    )
    cases = ({n: 2, m: 3, e: 4}, {n: 1, m: 3, e: 2})
    return Theorem("online-softmax", MatMul(Softmax(whole), values), links, cases, where=where)


def rotary_difference() -> Theorem:
    """⟨R_a q, R_b k⟩ depends on a − b alone, R_a being the a-th power of a rotation."""
    a, b = (Symbol(x, integer=True, positive=True) for x in "ab")
    R, q, k = MatrixSymbol("R", 2, 2), MatrixSymbol("q", 1, 2), MatrixSymbol("k", 1, 2)
    first = MatMul(q, MatPow(R, a), Transpose(MatMul(k, MatPow(R, b))))
    links = (
        Link(MatMul(q, MatPow(R, a), Transpose(MatPow(R, b)), Transpose(k)), "transpose"),
        Link(MatMul(q, MatPow(R, a - b), MatPow(R, b), Transpose(MatPow(R, b)), Transpose(k)), "powers"),
        Link(MatMul(q, MatPow(R, a - b), Transpose(k)), "orthogonal"),
    )
    cases = tuple({a: x, b: y} for x, y in ((2, 1), (5, 2), (7, 3)))
    return Theorem("rotary-difference", first, links, cases, {R: "rotation"})


def linear_attention() -> Theorem:
    """(φ(Q)φ(K)ᵀ) V over its row sums is φ(Q)(φ(K)ᵀV) over φ(Q)(φ(K)ᵀ1): no n × m matrix is needed."""
    F, H = MatrixSymbol("Phi_Q", n, d), MatrixSymbol("Phi_K", m, d)
    scores, ones = MatMul(F, Transpose(H)), OneMatrix(m, 1)
    links = (
        Link(DivideRows(MatMul(scores, V), MatMul(scores, ones)), "row_sum"),
        Link(DivideRows(MatMul(F, MatMul(Transpose(H), V)), MatMul(F, MatMul(Transpose(H), ones))), "associative"),
    )
    return Theorem("linear-attention", DivideRows(MatMul(scores, V), RowSum(scores)), links, SIZES)


def latent_absorption() -> Theorem:
    """Multi-head latent attention: the projections of keys and values move over to the query and the output."""
    C, U, W = MatrixSymbol("C", m, h), MatrixSymbol("U_K", h, d), MatrixSymbol("U_V", h, e)
    moved = MatMul(MatMul(Q, Transpose(U)), Transpose(C))
    links = (
        Link(MatMul(Softmax(MatMul(Q, Transpose(U), Transpose(C))), MatMul(C, W)), "transpose"),
        Link(MatMul(Softmax(moved), MatMul(C, W)), "associative"),
        Link(MatMul(MatMul(Softmax(moved), C), W), "associative"),
    )
    first = MatMul(Softmax(MatMul(Q, Transpose(MatMul(C, U)))), MatMul(C, W))
    return Theorem("latent-absorption", first, links, ({n: 2, m: 3, d: 4, e: 5, h: 1}, {n: 1, m: 2, d: 3, e: 5, h: 4}))


def softmax_off_by_one() -> Theorem:
    """exp(Z) over 1 + its row sums is softmax with one more key, of score 0 and value 0."""
    E, zeros = Exponential(Z), ZeroMatrix(n, 1)
    ones = Exponential(zeros)
    extended = Concat(zeros, Z)
    links = (
        Link(
            DivideRows(MatMul(Exponential(extended), Stack(ZeroMatrix(1, e), V)), RowSum(Exponential(extended))),
            "zeros",
        ),
        Link(MatMul(Softmax(extended), Stack(ZeroMatrix(1, e), V)), "softmax"),
    )
    first = DivideRows(MatMul(E, V), Plus(ones, RowSum(E)))
    return Theorem("softmax-off-by-one", first, links, ({n: 2, m: 3, e: 4}, {n: 1, m: 3, e: 2}))


def two_keys() -> Theorem:
    """With two keys the first weight is the sigmoid of the difference of the scores."""
    x, y = MatrixSymbol("x", n, 1), MatrixSymbol("y", n, 1)
    E_x, E_y, ones = Exponential(x), Exponential(y), OneMatrix(n, 1)
    links = (
        Link(DivideRows(E_x, Plus(E_x, E_y)), "softmax"),
        Link(DivideRows(ones, Plus(ones, Exponential(Plus(y, Scaled(x, -1))))), "cancel"),
    )
    return Theorem("two-keys", Block(Softmax(Concat(x, y)), 0, n, 0, 1), links, ({n: 1}, {n: 3}))
