"""The rules of attentions other than softmax(QKᵀ/√d)V."""

from __future__ import annotations

from typing import Any

from sympy import Integer, MatrixSymbol, S, Transpose
from sympy.matrices.expressions import MatMul

from symattn.nodes import (
    TIME,
    AdditiveScores,
    BahdanauAttention,
    Block,
    CausalMask,
    Concat,
    Constant,
    DivideRows,
    Exponential,
    Kept,
    LatentAttention,
    LinearAttention,
    LuongAttention,
    Mapped,
    Member,
    OnlineAttention,
    Plus,
    Previous,
    RowMax,
    RowSum,
    ScaleRows,
    Softmax,
    StackMembers,
    SubtractColumn,
    member,
)
from symattn.program.steps import Index
from symattn.program.unfolding.rules import Steps, operand, transposed, unfold_node


@unfold_node.register
def _(node: LuongAttention, steps: Steps) -> Any:
    """S = Q W Kᵀ, and on as ever."""
    Q, K, V = (operand(x, given, steps) for x, given in zip("QKV", node.args[:3], strict=True))
    scores = steps.add("scores", "S", MatMul(Q, unfold_node(node.args[3], steps), transposed(K)))
    return steps.add("output", "O", MatMul(unfold_node(node.weights(scores), steps), V))


@unfold_node.register
def _(node: BahdanauAttention, steps: Steps) -> Any:
    """P = Q W; R = K U; S_ij = tanh(p_i + r_j) v."""
    Q, K, V = (operand(x, given, steps) for x, given in zip("QKV", node.args[:3], strict=True))
    W, U, v = (unfold_node(given, steps) for given in node.args[3:6])
    P = steps.add("projected", "P", MatMul(Q, W), operand="Q")
    R = steps.add("projected", "R", MatMul(K, U), operand="K")
    scores = steps.add("scores", "S", AdditiveScores(P, R, v), because="scores.additive")
    return steps.add("output", "O", MatMul(unfold_node(node.weights(scores), steps), V))


@unfold_node.register
def _(node: LatentAttention, steps: Steps) -> Any:
    """Absorbed: (Q U_Kᵀ) Cᵀ and (A C) U_V; else by way of K = C U_K and V = C U_V."""
    Q, C, U_K, U_V = (
        operand(x, given, steps) for x, given in zip(("Q", "C", "U_K", "U_V"), node.args[:4], strict=True)
    )
    if node.absorbed:
        absorbed = steps.add("absorbed", "Q^a", MatMul(Q, transposed(U_K)), operand="Q")
        A = unfold_node(node.weights(steps.add("scores", "S", MatMul(absorbed, transposed(C)))), steps)
        return steps.add("output", "O", MatMul(steps.add("latent", "L", MatMul(A, C)), U_V))
    K, V = steps.add("K", "K", MatMul(C, U_K)), steps.add("V", "V", MatMul(C, U_V))
    A = unfold_node(node.weights(steps.add("scores", "S", MatMul(Q, transposed(K)))), steps)
    return steps.add("output", "O", MatMul(A, V))


@unfold_node.register
def _(node: LinearAttention, steps: Steps) -> Any:
    """φ(Q) (φ(K)ᵀ V) over φ(Q) (φ(K)ᵀ 1)."""
    Q, K = (operand(x, Mapped(given, node.args[3]), steps) for x, given in zip("QK", node.args[:2], strict=True))
    V = operand("V", node.args[2], steps)
    if node.causal:
        return _token_by_token(Q, K, V, steps)
    state = steps.add("state", "H", MatMul(Transpose(K), V))
    sums = steps.add("key_sum", "z", RowSum(Transpose(K)))
    total = steps.add("normaliser", "ell", MatMul(Q, sums))
    return steps.add("output", "O", DivideRows(steps.add("numerator", "N", MatMul(Q, state)), total))


def _token_by_token(Q: Any, K: Any, V: Any, steps: Steps) -> Any:
    """H_t = H_{t−1} + φ(k_t)ᵀ v_t; z_t = z_{t−1} + φ(k_t)ᵀ; o_t = φ(q_t) H_t / φ(q_t) z_t."""
    n, d, e = Q.shape[0], Q.shape[1], V.shape[1]
    H = steps.start("state", "H", Constant(0, d, e))
    z = steps.start("key_sum", "z", Constant(0, d, 1))
    q, k = (Block(X, TIME - 1, 1, 0, d) for X in (Q, K))
    with steps.family(Index(TIME, n, "token")):
        added = MatMul(Transpose(k), Block(V, TIME - 1, 1, 0, e))
        state = steps.next("state", H, Plus(_before(H, d, e), added))
        sums = steps.next("key_sum", z, Plus(_before(z, d, 1), Transpose(k)))
        total = steps.add("normaliser", "ell", MatMul(q, sums))
        row = steps.add("output", "o", DivideRows(steps.add("numerator", "N", MatMul(q, state)), total))
    kept = Kept(MatMul(Q, Transpose(K)), CausalMask())
    closed = DivideRows(MatMul(kept, V), RowSum(kept))
    return steps.add("output", "O", StackMembers(row, TIME, n), equals=closed)


@unfold_node.register
def _(node: OnlineAttention, steps: Steps) -> Any:
    """Block after block of keys, with the largest score, the sum and the output so far."""
    Q, K, V = (operand(x, given, steps) for x, given in zip("QKV", node.args[:3], strict=True))
    Z = steps.named("scores", "S", node.logits(steps.add("scores", "S", MatMul(Q, transposed(K)))))
    (n, m), e, width = Z.shape, V.shape[1], node.args[3]
    mu = steps.start("maximum", "mu", Constant(S.NegativeInfinity, n, 1))
    ell = steps.start("normaliser", "ell", Constant(0, n, 1))
    O = steps.start("accumulated", "U", Constant(0, n, e))
    first = (TIME - 1) * width
    with steps.family(Index(TIME, m / Integer(width), "block")):
        seen = steps.add("scores", "Z", Block(Z, 0, n, first, width), because="scores.block")
        top = steps.next("maximum", mu, RowMax(Concat(_before(mu, n, 1), seen)))
        kept = steps.add("rescale", "alpha", Exponential(SubtractColumn(_before(mu, n, 1), top)))
        E = steps.add("exponentials", "E", Exponential(SubtractColumn(seen, top)))
        total = steps.next("normaliser", ell, Plus(ScaleRows(_before(ell, n, 1), kept), RowSum(E)))
        added = MatMul(E, Block(V, first, width, 0, e))
        sums = steps.next("accumulated", O, Plus(ScaleRows(_before(O, n, e), kept), added))
    sums, total = (Member(x, TIME, m / Integer(width)) for x in (sums, total))
    return steps.add("output", "O", DivideRows(sums, total), equals=MatMul(Softmax(Z), V))


def _before(letter: str, rows: Any, columns: Any) -> Any:
    return Previous(MatrixSymbol(member(letter, TIME), rows, columns), TIME)
