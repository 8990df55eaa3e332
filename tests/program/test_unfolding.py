"""The steps of an expression: their names, their order, and that they say the same as the expression."""

import random

import mpmath
import numpy as np
import pytest
import sympy
from sympy import MatrixSymbol, symbols

from symattn import derive, differentiate, lower, prove
from symattn.errors import InputError, NotSupportedError, ShapeError
from symattn.nodes import Attention, CausalMask, LinearAttention, MultiHead, OnlineAttention, RotaryEmbedding, Softmax
from symattn.program.gradient.rewrites import whole
from symattn.program.unfolding import unfold
from symattn.values.matrices import evaluate_mpmath

n, m, d = symbols("n m d", integer=True, positive=True)
Q, K, V, B, X, W = (
    MatrixSymbol(x, *s) for x, s in zip("QKVBXW", ((n, d), (m, d), (m, d), (n, m), (n, d), (d, d)), strict=True)
)

CASES = [
    (Attention(Q, K, V), "scores scaled weights output", False),
    (Attention(Q, K, V, scale=1), "scores weights output", False),
    (Attention(Q, K, V, mask=CausalMask(), bias=B, softcap=5), "scores scaled capped masked weights output", False),
    (Attention(Q, K, V), "scores scaled row_max shifted exponentials row_sum weights output", True),
    (Attention(X * W, X * W, X), "Q scores scaled weights output", False),
    (MultiHead(X, heads=1, W_Q=W, W_K=W.T, W_V=W, W_O=W), "Q K scores scaled weights output concat projection", False),
    (Softmax(Q * K.T), "scores weights", False),
    (Softmax(B) * V, "weights output", False),
]


@pytest.mark.parametrize(("node", "names", "full"), CASES, ids=[c[1] for c in CASES])
def test_steps_in_order(node, names, full):
    program = unfold(node, full=full)
    assert [s.name for s in program] == names.split()
    known = set(program.inputs)
    for step in program:
        assert step.expression.atoms(MatrixSymbol) <= known and step.symbol not in known
        assert step.symbol.shape == step.expression.shape
        known.add(step.symbol)
    assert set(program.inputs) == node.atoms(MatrixSymbol)
    assert program.steps[-1].shape == node.shape


def test_folding_the_steps_back_gives_the_same_entries():
    sizes = {n: sympy.Integer(2), m: sympy.Integer(2), d: sympy.Integer(1)}
    node = Attention(Q, K, V, mask=CausalMask(), bias=B).xreplace(sizes)
    for full in (False, True):
        known = {}
        for step in unfold(node, full=full):
            known[step.symbol] = step.expression.xreplace(known).as_explicit()
        rows = {s.name: sympy.Matrix(*s.shape, lambda i, j: 2 * i - j + 1) for s in node.atoms(MatrixSymbol)}
        folded, whole = (
            x.xreplace(
                {a: rows[a.parent.name][a.i, a.j] for a in x.atoms(sympy.matrices.expressions.matexpr.MatrixElement)}
            )
            for x in (known[step.symbol], node.as_explicit())
        )
        assert max(abs(x) for x in (folded - whole).evalf(40).flat()) < sympy.Rational(1, 10**30)


def test_letters_and_names_are_never_shared():
    S = MatrixSymbol("S", n, d)
    program = unfold(Attention(S, K, V))
    names = [s.symbol.name for s in program] + [s.name for s in program.inputs]
    assert len(set(names)) == len(names)


def test_a_lone_symbol_has_no_steps():
    with pytest.raises(InputError):
        unfold(Q)


@pytest.mark.parametrize(
    ("node", "closed"),
    [
        (Attention(Q, K, V, mask=CausalMask(1)), ["weights"]),
        (OnlineAttention(Q, K, V, block=2, mask=CausalMask(1), softcap=3), ["output"]),
        (LinearAttention(Q, K.xreplace({m: n}), V.xreplace({m: n}), causal=True), ["output"]),
        (MultiHead(X, heads=2, W_Q=W, W_K=W.T, W_V=W, W_O=W), ["head_i.weights"]),
    ],
    ids=["full", "online", "linear", "heads"],
)
def test_a_closed_form_has_the_value_of_its_step(node, closed):
    """Of steps that are taken apart, or taken in turns: the program over closed forms makes the same numbers."""
    program = unfold(node, full=True)
    assert [step.name for step in program if step.equals is not None] == closed
    context = mpmath.mp.clone()
    context.dps = 40
    sizes, r = {n: 4, m: 4, d: 2}, random.Random(1)
    given = {
        s.name: context.matrix(
            [[r.randint(-9, 9) / 8 for _ in range(sizes[s.shape[1]])] for _ in range(sizes[s.shape[0]])]
        )
        for s in program.inputs
    }
    name = [program.steps[-1].name]
    (told,), (folded,) = (evaluate_mpmath(x, given, name) for x in (program, whole(program)[0]))
    assert context.norm(told - folded) <= context.norm(told) * context.mpf(10) ** -38


def test_entrywise_products_of_sympy_are_ours():
    product = sympy.HadamardProduct(Q, Q, Q) + sympy.HadamardProduct(Q, Q * W)
    found = derive(product, {Q: [[2, 3]], W: [[1, 0], [1, 1]]})
    assert found["output"].exact == sympy.Matrix([[8 + 2 * 5, 27 + 3 * 3]])
    numbers = {"Q": np.array([[2.0, 3.0]]), "W": np.array([[1.0, 0.0], [1.0, 1.0]])}
    for style in ("plain", "fast"):
        assert lower(product, style=style)(**numbers).tolist() == [[18, 36]]
    back = differentiate(found, G=[[1, 1]])
    assert back["dQ"].exact == sympy.Matrix([[12 + 5 + 2, 27 + 3 + 2 + 3]])  # 3q², qW and qWᵀ
    with pytest.raises(NotSupportedError, match="HadamardPower cannot be lowered to NumPy; use products"):
        lower(sympy.HadamardPower(Q, sympy.Rational(1, 2)))


def test_entries_of_matrix_symbols_are_no_numbers():
    """A gradient would forget them."""
    M = MatrixSymbol("M", 2, 2)
    for options in ({"scale": M[0, 0]}, {"softcap": M[0, 1]}, {"scale": 2 * M[1, 1]}):
        with pytest.raises(InputError, match=r"M\[\d, \d\] is an entry of a matrix; a number such as a scale must be"):
            derive(Attention(M, M, M, **options))


def test_many_steps_of_one_kind():
    parts = [RotaryEmbedding(MatrixSymbol(x, n, 4)) for x in "ABCDEFGHIJKL"]
    for levels in ("matrix", "token", "index"):
        assert "RoPE" in derive(sympy.MatAdd(*parts), level=levels).to_text()


def test_a_logit_for_each_head_where_there_is_one():
    layer = {"heads": 1, "W_Q": W, "W_K": W, "W_V": W}
    assert MultiHead(X, sink=[3], **layer) == MultiHead(X, sink=3, **layer)
    with pytest.raises(ShapeError, match=r"columns\(sink\) is 1 but heads is 2"):
        MultiHead(X, sink=[3], **(layer | {"heads": 2}))


@pytest.mark.parametrize("take", [derive, lower, unfold, lambda x: prove(x, Attention(Q, K, V))])
def test_two_matrices_of_one_name_are_refused(take):
    with pytest.raises(InputError, match=r"are called Q: one is n × d, the other m × d; give one"):
        take(Attention(Q, K, MatrixSymbol("Q", m, d)))
