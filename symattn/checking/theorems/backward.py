"""Theorems on gradients: what the backward pass of a softmax is, what it cannot see, and formulas that fail."""

from __future__ import annotations

from typing import Any

from sympy import MatrixSymbol, Symbol, ZeroMatrix, sqrt
from sympy.matrices.expressions import MatMul, Transpose

from symattn.checking.theorems.theorem import Link, Theorem, minus
from symattn.nodes import AddRow, Block, ColumnSum, Diagonal, Hadamard, Plus, RowSum, Scaled, Softmax, SubtractColumn
from symattn.writing.document import Chain, Formula, Over, Quotient, Row
from symattn.writing.document import Symbol as Name

n, m, d, e = (Symbol(x, integer=True, positive=True) for x in ("n", "m", "d_k", "d_v"))
Q, K, V = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e)
Z = MatrixSymbol("Z", n, m)
SCORES = ({n: 2, m: 3}, {n: 1, m: 4})
SIZES = ({n: 2, m: 3, d: 1, e: 4}, {n: 3, m: 2, d: 4, e: 1})


A, DA, DS = MatrixSymbol("A", n, m), MatrixSymbol("dA", n, m), MatrixSymbol("dS", n, m)
delta = MatrixSymbol("delta", n, 1)


def _backward(scores: Any, gradient: Any) -> tuple[tuple[Any, Any], ...]:
    """What A, dA, δ and dS are, for scores and the gradient by the weights."""
    through = Hadamard(A, SubtractColumn(DA, delta))
    return (A, Softmax(scores)), (DA, gradient), (delta, RowSum(Hadamard(A, DA))), (DS, through)


def rows_of_dS() -> Theorem:
    """Every row of the gradient by the scores sums to 0."""
    links = (
        Link(RowSum(Hadamard(A, SubtractColumn(DA, delta))), "chain"),
        Link(Plus(RowSum(Hadamard(A, DA)), minus(Hadamard(delta, RowSum(A)))), "row_sum"),
        Link(Plus(delta, minus(delta)), "weights_sum"),
        Link(ZeroMatrix(n, 1), "difference"),
    )
    return Theorem("rows-of-dS", RowSum(DS), links, SCORES, where=_free())


def _free() -> tuple[tuple[Any, Any], ...]:
    """The same over any scores and any gradient by the weights."""
    return tuple(pair for pair in _backward(Z, DA) if pair[0] != pair[1])


def key_bias() -> Theorem:
    """A bias of the keys has gradient exactly 0: db_K = 1ᵀdK, and the rows of dS sum to 0."""
    c = 1 / sqrt(d)
    links = (
        Link(Scaled(MatMul(Transpose(RowSum(DS)), Q), c), "column_sum"),
        Link(Scaled(MatMul(ZeroMatrix(1, n), Q), c), "rows_of_dS"),
        Link(ZeroMatrix(1, d), "zeros"),
    )
    cases = ({n: 2, m: 3, d: 1}, {n: 3, m: 2, d: 1})
    return Theorem("key-bias", ColumnSum(Scaled(MatMul(Transpose(DS), Q), c)), links, cases, where=_free())


def key_bias_unseen() -> Theorem:
    """softmax(Q(K + 1b)ᵀ) = softmax(QKᵀ): what is added to every key shifts every row of the scores."""
    b = MatrixSymbol("b", 1, d)
    S, shift = MatMul(Q, Transpose(K)), MatMul(Q, Transpose(b))
    links = (
        Link(Softmax(SubtractColumn(S, minus(shift))), "product_of_sum"),
        Link(Softmax(S), "shift"),
    )
    return Theorem("key-bias-unseen", Softmax(MatMul(Q, Transpose(AddRow(K, b)))), links, SIZES)


def query_gradient() -> Theorem:
    """dq = c g Vᵀ (diag(a) − aᵀa) K for one query: the softmax Jacobian stands between the values and the keys."""
    q, g, a, da = (MatrixSymbol(x, 1, size) for x, size in (("q", d), ("g", e), ("a", m), ("r", m)))
    c = 1 / sqrt(d)
    mean = RowSum(Hadamard(a, da))
    J = Plus(Diagonal(a), minus(MatMul(Transpose(a), a)))
    links = (
        Link(Scaled(MatMul(Plus(Hadamard(a, da), minus(MatMul(mean, a))), K), c), "distribute"),
        Link(Scaled(MatMul(Plus(MatMul(da, Diagonal(a)), minus(MatMul(da, Transpose(a), a))), K), c), "diagonal"),
        Link(Scaled(MatMul(da, J, K), c), "factor_out"),
        Link(Scaled(MatMul(g, Transpose(V), J, K), c), "chain"),
    )
    first = Scaled(MatMul(Hadamard(a, SubtractColumn(da, mean)), K), c)
    where = ((a, Softmax(Scaled(MatMul(q, Transpose(K)), c))), (da, MatMul(g, Transpose(V))))
    return Theorem("query-gradient", first, links, ({m: 3, d: 2, e: 1}, {m: 2, d: 3, e: 1}), where=where)


# --- formulas that circulate: Σ_j ∂L/∂o_i a_ij k_j/√d_k and the like, read entry by entry with d_v = d_k; with d_v = 1,
# where ∂L/∂o_i is a number, they could be read as products too: the counterexample has d_v = d_k = 1, where both agree

G, U = MatrixSymbol("G", n, d), MatrixSymbol("V", m, d)
SQUARE = ({n: 2, m: 3, d: 1}, {n: 1, m: 3, d: 2})


def _attention() -> tuple[tuple[Any, Any], ...]:
    return _backward(Scaled(MatMul(Q, Transpose(K)), 1 / sqrt(d)), MatMul(G, Transpose(U)))


def _slope(letter: str, index: str) -> Quotient:
    """∂L/∂q_i."""
    return Quotient(Row((Name("partial"), Name("L"))), Row((Name("partial"), Name(letter, (index,)))))


def _as_printed(letter: str, index: str, other: str, vector: str) -> Chain:
    """∂L/∂q_i = Σ_j ∂L/∂o_i a_ij k_j/√d_k, as articles print it."""
    factor = Quotient(Name(vector, (other,)), Formula(sqrt(d)))
    body = Row((_slope("o", "i"), Name("a", ("i", "j")), factor))
    return Chain((("", _slope(letter, index)), ("=", Over("sum", other, body))))


def query_without_jacobian() -> Theorem:
    """dQ = G ∘ (AK)/√d_k: does not hold."""
    claimed = Link(Scaled(Hadamard(G, MatMul(A, K)), 1 / sqrt(d)), "claimed", printed=_as_printed("q", "i", "j", "k"))
    first = Scaled(MatMul(DS, K), 1 / sqrt(d))
    return Theorem("query-without-jacobian", first, (claimed,), SQUARE, where=_attention())


def key_without_jacobian() -> Theorem:
    """dK = Aᵀ(G ∘ Q)/√d_k: does not hold."""
    claimed = Link(
        Scaled(MatMul(Transpose(A), Hadamard(G, Q)), 1 / sqrt(d)), "claimed", printed=_as_printed("k", "j", "i", "q")
    )
    first = Scaled(MatMul(Transpose(DS), Q), 1 / sqrt(d))
    return Theorem("key-without-jacobian", first, (claimed,), SQUARE, where=_attention())


def value_gradient() -> Theorem:
    """dv_j = Σ_i a_ij g_i, row j of dV = AᵀG: holds, since V enters by O = AV alone."""
    j = Symbol("j", integer=True)
    printed = Chain((("", _slope("v", "j")), ("=", Over("sum", "i", Row((_slope("o", "i"), Name("a", ("i", "j"))))))))
    links = (
        Link(MatMul(Block(Transpose(A), j - 1, 1, 0, n), G), "row_of_product"),
        Link(MatMul(Transpose(Block(A, 0, n, j - 1, 1)), G), "sum_of_rows", printed=printed),
    )
    first = Block(MatMul(Transpose(A), G), j - 1, 1, 0, d)
    cases = tuple({n: 2, m: 3, d: 1, j: k} for k in (1, 2, 3))
    return Theorem("value-gradient", first, links, cases, where=_attention()[:1])


def weights_times_gradient() -> Theorem:
    """dS = A ∘ dA: does not hold."""
    return Theorem("weights-times-gradient", DS, (Link(Hadamard(A, DA), "stated"),), SCORES, where=_free())
