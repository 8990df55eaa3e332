"""Attentions other than softmax(QKᵀ/√d)V -> their elementary steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import Integer, S, Symbol
from sympy.matrices.expressions import MatMul, Transpose
from sympy.matrices.matrixbase import MatrixBase

from symattn.nodes import (
    TIME,
    AdditiveScores,
    AddRow,
    AtBuckets,
    BahdanauAttention,
    Biased,
    Block,
    CausalMask,
    ChunkedState,
    Concat,
    Constant,
    DifferentialAttention,
    DivideRows,
    Exponential,
    Hadamard,
    LatentAttention,
    LinearAttention,
    LuongAttention,
    Mapped,
    Member,
    OnlineAttention,
    Plus,
    RelativeAttention,
    RowBucketSums,
    RowMax,
    RowSum,
    RunningProduct,
    Scaled,
    ScaledBy,
    ScaleRows,
    Softmax,
    SolveLower,
    StackMembers,
    StateAttention,
    SubtractColumn,
    Where,
    is_matrix,
)
from symattn.program.steps import Index
from symattn.program.unfolding.rules import Steps, operand, rule, transposed, unfold_node


@rule.register
def _(node: LuongAttention, steps: Steps) -> Any:
    """S = Q W Kᵀ, and on as ever."""
    Q, K, V = (operand(x, given, steps) for x, given in zip("QKV", node.args[:3], strict=True))
    scores = steps.add("scores", "S", MatMul(Q, unfold_node(node.args[3], steps), transposed(K)))
    return steps.add("output", "O", MatMul(unfold_node(node.weights(scores), steps), V))


@rule.register
def _(node: BahdanauAttention, steps: Steps) -> Any:
    """P = Q W; R = K U; S_ij = tanh(p_i + r_j) v."""
    Q, K, V = (operand(x, given, steps) for x, given in zip("QKV", node.args[:3], strict=True))
    W, U, v = (unfold_node(given, steps) for given in node.args[3:6])
    P = steps.add("projected", "P", MatMul(Q, W), operand="Q")
    R = steps.add("projected", "R", MatMul(K, U), operand="K")
    scores = steps.add("scores", "S", AdditiveScores(P, R, v), because="scores.additive")
    return steps.add("output", "O", MatMul(unfold_node(node.weights(scores), steps), V))


@rule.register
def _(node: DifferentialAttention, steps: Steps) -> Any:
    """Scores, logits and weights of both pairs; D = A_1 − λ A_2; O = D V."""
    Q, K, Q_2, K_2, V = (
        operand(x, given, steps) for x, given in zip(("Q", "K", "Q_2", "K_2", "V"), node.args[:5], strict=True)
    )
    A, A_2 = (
        unfold_node(node.weights(steps.add("scores", letter, MatMul(q, transposed(k)))), steps)
        for letter, q, k in (("S", Q, K), ("S_2", Q_2, K_2))
    )
    lam = node.args[5]
    if not lam.is_symbol and not isinstance(lam, MatrixBase):
        lam = steps.add("lambda", "lambda", lam)
    D = steps.add("difference", "D", node.difference(A, A_2, lam))
    return steps.add("output", "O", MatMul(D, V))


@rule.register
def _(node: LatentAttention, steps: Steps) -> Any:
    """Absorbed: (Q U_Kᵀ) Cᵀ and (A C) U_V; else by way of K = C U_K and V = C U_V; rotary parts stand beside these."""
    Q, C, U_K, U_V = (
        operand(x, given, steps) for x, given in zip(("Q", "C", "U_K", "U_V"), node.args[:4], strict=True)
    )
    parts = [operand(x, given, steps) for x, given in zip(("Q_R", "K_R"), node.turned, strict=False)]
    if node.absorbed:
        queries, keys = steps.add("absorbed", "Q^a", MatMul(Q, transposed(U_K)), operand="Q"), C
    else:
        queries, keys = Q, steps.add("K", "K", MatMul(C, U_K))
    if parts:
        queries, keys = (
            steps.add("joined", f"{x}^j", Concat(own, part), operand=x)
            for x, own, part in (("Q", queries, parts[0]), ("K", keys, parts[1]))
        )
    V = C if node.absorbed else steps.add("V", "V", MatMul(C, U_V))
    A = unfold_node(node.weights(steps.add("scores", "S", MatMul(queries, transposed(keys)))), steps)
    if not node.absorbed:
        return steps.add("output", "O", MatMul(A, V))
    latent = steps.add("latent", "L", MatMul(A, C))
    return steps.add("output", "O", MatMul(latent, U_V), because="output.latent")


@rule.register
def _(node: RelativeAttention, steps: Steps) -> Any:
    """S = (Q + 1u) Kᵀ, P = (Q + 1v) K_pᵀ by buckets and K Q_pᵀ by theirs beside it; O = A V + (A by buckets) V_p."""
    Q, K, V = (operand(x, given, steps) for x, given in zip("QKV", node.args[:3], strict=True))
    given = {name: unfold_node(X, steps) for name, X in node.of_positions.items()}
    for name in ("keys", "queries", "values"):
        if name in given:
            given[name] = steps.named(f"position_{name}", f"{name[0].upper()}_p", given[name])
    content, position = (
        steps.add(f"with_{x}", f"Q_{letter}", AddRow(Q, given[x])) if x in given else Q
        for x, letter in (("content", "u"), ("position", "v"))
    )
    scores = steps.add("scores", "S", MatMul(content, transposed(K)))
    added = scores
    if "keys" in given:
        met = steps.add("met", "P", MatMul(position, transposed(given["keys"])), operand="Q")
        added = Biased(added, steps.add("placed", "R", AtBuckets(met, K.shape[0], node.buckets)))
    if "queries" in given:
        met = steps.add("met", "P", MatMul(K, transposed(given["queries"])), operand="K")
        placed = steps.add("placed", "R", AtBuckets(met, Q.shape[0], node.key_buckets))
        added = Biased(added, Transpose(placed))
    if added is not scores:
        added = steps.add("related", "S_p", added)
    A = unfold_node(node.weights(added), steps)
    if "values" not in given:
        return steps.add("output", "O", MatMul(A, V))
    weighed = steps.add("bucket_weights", "W", RowBucketSums(A, node.buckets))
    output = Plus(MatMul(A, V), MatMul(weighed, given["values"]))
    return steps.add("output", "O", output, because="output.positions")


@rule.register
def _(node: LinearAttention, steps: Steps) -> Any:
    """φ(Q) (φ(K)ᵀ V) over φ(Q) (φ(K)ᵀ 1)."""
    Q, K = (operand(x, Mapped(given, node.args[3]), steps) for x, given in zip("QK", node.args[:2], strict=True))
    V = operand("V", node.args[2], steps)
    if node.causal:
        return _token_by_token(Q, K, V, steps)
    state = steps.add("state", "H", MatMul(Transpose(K), V))
    sums = steps.add("key_sum", "z", RowSum(Transpose(K)))
    total = steps.add("normaliser", "ell", MatMul(Q, sums))
    above = steps.add("numerator", "N", MatMul(Q, state))
    return steps.add("output", "O", DivideRows(above, total), because="output.linear")


def _token_by_token(Q: Any, K: Any, V: Any, steps: Steps) -> Any:
    """H_t = H_{t−1} + φ(k_t)ᵀ v_t; z_t = z_{t−1} + φ(k_t)ᵀ; o_t = φ(q_t) H_t / φ(q_t) z_t."""
    n, d, e = Q.shape[0], Q.shape[1], V.shape[1]
    H = steps.start("state", "H", Constant(0, d, e), because="state.start")
    z = steps.start("key_sum", "z", Constant(0, d, 1), because="starts.zero")
    q, k = (Block(X, TIME - 1, 1, 0, d) for X in (Q, K))
    with steps.family(Index(TIME, n, "token")):
        added = MatMul(Transpose(k), Block(V, TIME - 1, 1, 0, e))
        state = steps.next("state", H, Plus(steps.before(H, d, e), added))
        sums = steps.next("key_sum", z, Plus(steps.before(z, d, 1), Transpose(k)))
        total = steps.add("normaliser", "ell", MatMul(q, sums))
        above = steps.add("numerator", "N", MatMul(q, state))
        row = steps.add("output", "o", DivideRows(above, total), because="output.linear")
    kept = Where(MatMul(Q, Transpose(K)), CausalMask())
    closed = DivideRows(MatMul(kept, V), RowSum(kept))
    return steps.add("output", "O", StackMembers(row, TIME, n), because="output.tokens", equals=closed)


@rule.register
def _(node: StateAttention, steps: Steps) -> Any:
    """D_t = H_{t−1}, decayed; H_t = D_t + k_tᵀ u_t; o_t = q_t H_t; u_t = v_t, or β_t (v_t − k_t D_t)."""
    named = zip(("Q", "K", "V"), node.args[:3], strict=True)
    given = [operand(x, X, steps) for x, X in named]
    given += [unfold_node(X, steps) if is_matrix(X) else X for X in node.args[3:]]
    Q, K, V = given[:3]
    node, kind = node.func(*given), node.kind
    n, d, e = Q.shape[0], Q.shape[1], V.shape[1]
    H = steps.start("state", "H", Constant(0, d, e), because="state.start")
    q, k, v = (Block(X, TIME - 1, 1, 0, X.shape[1]) for X in (Q, K, V))
    with steps.family(Index(TIME, n, "token")):
        held = node.decayed(steps.before(H, d, e), TIME - 1)
        if node.strength is not None:
            if node.decay is not None:
                held = steps.add("decayed", "D", held)
            found = steps.add("recalled", "r", MatMul(k, held))
            share = Block(node.strength, TIME - 1, 1, 0, 1)
            v = steps.add("correction", "u", ScaledBy(Plus(v, Scaled(found, -1)), share))
        state = steps.next("state", H, Plus(held, MatMul(Transpose(k), v)), because=f"state.{kind}")
        row = steps.add("output", "o", MatMul(q, state), because="output.state")
    return steps.add("output", "O", StackMembers(row, TIME, n), because="output.tokens", equals=node)


@rule.register
def _(node: ChunkedState, steps: Steps) -> Any:
    """b: products of decays; O = (Q ∘ b) H + tril((Q ∘ b)(K/b)ᵀ) U, H' = diag(b_last)(H + (K/b)ᵀ U), by chunks."""
    state, size = node.args[0], node.size
    named = zip(("Q", "K", "V"), state.args[:3], strict=True)
    given = [operand(x, X, steps) for x, X in named]
    given += [unfold_node(X, steps) if is_matrix(X) else X for X in state.args[3:]]
    state = state.func(*given)
    (n, d), e = given[0].shape, given[2].shape[1]
    if size is None:
        chunk = _Chunk(state, lambda X: X, n, steps)
        return steps.add("output", "O", MatMul(chunk.pairs(), chunk.written(None)), because="output.pairs")
    H = steps.start("state", "H", Constant(0, d, e), because="state.start")
    with steps.family(Index(TIME, n / Integer(size), "block")):
        chunk = _Chunk(state, lambda X: Block(X, (TIME - 1) * size, size, 0, X.shape[1]), Integer(size), steps)
        before = steps.before(H, d, e)
        written, pairs = chunk.written(before), chunk.pairs()
        steps.next("state", H, chunk.left(Plus(before, MatMul(Transpose(chunk.over), written))), because="state.chunk")
        row = steps.add("output", "o", Plus(MatMul(chunk.q, before), MatMul(pairs, written)), because="output.chunk")
    return steps.add("output", "O", StackMembers(row, TIME, n / Integer(size)), because="output.chunks", equals=state)


class _Chunk:
    """The rows of a chunk: queries and keys times the products of decays, and keys over them."""

    def __init__(self, state: Any, rows: Callable[[Any], Any], count: Any, steps: Steps) -> None:
        self.steps, self.count, self.b, decay = steps, count, None, state.decay
        self.q, self.k, self.v = (rows(X) for X in state.args[:3])
        self.strength = None if state.strength is None else rows(state.strength)
        self.over = self.k
        if decay is None:
            return
        if not is_matrix(decay):
            decay = Constant(decay, count, 1)
        else:
            decay = ScaledBy(Constant(1, count, 1), decay) if decay.shape == (1, 1) else rows(decay)
        self.b = steps.add("decays", "b", RunningProduct(decay))
        meet = Hadamard if decay.shape[1] != 1 else ScaleRows
        self.q = steps.add("decayed_rows", "Q^d", meet(self.q, self.b), operand="Q", because="rows.decayed")
        over = meet(self.k, Mapped(self.b, 1 / Symbol("z")))
        self.over = steps.add("decayed_rows", "K^d", over, operand="K", because="rows.restored")
        if self.strength is not None:
            self.k = steps.add("kept_rows", "K^b", meet(self.k, self.b), operand="K", because="rows.decayed")

    def pairs(self) -> Any:
        """Queries and the keys up to their own tokens."""
        return self.steps.add("pairs", "P", Where(MatMul(self.q, Transpose(self.over)), CausalMask()))

    def written(self, before: Any) -> Any:
        """The values, or by the delta rule what is written of them."""
        if self.strength is None:
            return self.v
        found = self.v if before is None else Plus(self.v, Scaled(MatMul(self.k, before), -1))
        L = Where(ScaleRows(MatMul(self.k, Transpose(self.over)), self.strength), CausalMask(-1))
        lower = self.steps.add("earlier", "L", L)
        return self.steps.add("correction", "U", SolveLower(lower, ScaleRows(found, self.strength)), because="solved")

    def left(self, state: Any) -> Any:
        """What is left of a state at the end of the chunk."""
        if self.b is None:
            return state
        last = self.steps.add("left", "r", Block(self.b, self.count - 1, 1, 0, self.b.shape[1]))
        return ScaledBy(state, last) if self.b.shape[1] == 1 else ScaleRows(state, Transpose(last))


@rule.register
def _(node: OnlineAttention, steps: Steps) -> Any:
    """Block after block of keys, with the largest score, the sum and the output so far."""
    Q, K, V = (operand(x, given, steps) for x, given in zip("QKV", node.args[:3], strict=True))
    Z = steps.named("scores", "S", node.logits(steps.add("scores", "S", MatMul(Q, transposed(K)))))
    (n, m), e, width = Z.shape, V.shape[1], node.args[3]
    mu = steps.start("maximum", "mu", Constant(S.NegativeInfinity, n, 1), because="starts.lowest")
    ell = steps.start("normaliser", "ell", Constant(0, n, 1), because="starts.zero")
    O = steps.start("accumulated", "U", Constant(0, n, e), because="starts.zero")
    first = (TIME - 1) * width
    with steps.family(Index(TIME, m / Integer(width), "block")):
        seen = steps.add("scores", "Z", Block(Z, 0, n, first, width), because="scores.block")
        top = steps.next("maximum", mu, RowMax(Concat(steps.before(mu, n, 1), seen)))
        kept = steps.add("rescale", "alpha", Exponential(SubtractColumn(steps.before(mu, n, 1), top)))
        E = steps.add("exponentials", "E", Exponential(SubtractColumn(seen, top)))
        rescaled = ScaleRows(steps.before(ell, n, 1), kept)
        total = steps.next("normaliser", ell, Plus(rescaled, RowSum(E)), because="normaliser.blocks")
        added = MatMul(E, Block(V, first, width, 0, e))
        sums = steps.next("accumulated", O, Plus(ScaleRows(steps.before(O, n, e), kept), added))
    sums, total = (Member(x, TIME, m / Integer(width)) for x in (sums, total))
    return steps.add("output", "O", DivideRows(sums, total), because="output.blocks", equals=MatMul(Softmax(Z), V))
