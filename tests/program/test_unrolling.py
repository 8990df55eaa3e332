"""Several heads: values against an independent computation, families and their members, worksheets of both forms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Identity, Matrix, MatrixSymbol, symbols

from symattn import CausalMask, MultiHead, derive
from symattn.errors import NotSupportedError, SymattnError
from symattn.program.unfolding import unfold
from symattn.program.unrolling import unroll
from symattn.reading.worksheets.worksheet import parse_worksheet

n, m, D, h, g, d_k, d_v = symbols("n m d_model h g d_k d_v", integer=True, positive=True)
X, Z = MatrixSymbol("X", n, D), MatrixSymbol("Z", m, D)


def projections(heads, kv_heads):
    return {
        "W_Q": MatrixSymbol("W_Q", D, heads * d_k),
        "W_K": MatrixSymbol("W_K", D, kv_heads * d_k),
        "W_V": MatrixSymbol("W_V", D, kv_heads * d_v),
        "W_O": MatrixSymbol("W_O", heads * d_v, D),
    }


def softmax(z):
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def by_numpy(a, heads, kv_heads, causal):
    """Heads as an array axis, keys and values repeated for their group: not how the project does it."""
    split = lambda y, count: y.reshape(len(y), count, -1).swapaxes(0, 1)  # noqa: E731
    q = split(a["X"] @ a["W_Q"] + a["b_Q"], heads)
    k, v = (np.repeat(split(a["Z"] @ a[w], kv_heads), heads // kv_heads, 0) for w in ("W_K", "W_V"))
    s = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1])
    if causal:
        s = np.where(np.tri(*s.shape[1:], dtype=bool), s, -np.inf)
    weights = softmax(s)
    joined = (weights @ v).swapaxes(0, 1).reshape(len(a["X"]), -1)
    return weights, joined @ a["W_O"] + a["b_O"]


@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_values_equal_an_independent_computation(data):
    kv_heads = data.draw(st.integers(1, 2))
    heads = kv_heads * data.draw(st.integers(1, 3))
    rows, keys, wide, k, v = (data.draw(st.integers(1, 3)) for _ in range(5))
    causal = data.draw(st.booleans())
    shapes = {
        "X": (rows, wide), "Z": (keys, wide), "W_Q": (wide, heads * k), "W_K": (wide, kv_heads * k),
        "W_V": (wide, kv_heads * v), "W_O": (heads * v, wide), "b_Q": (1, heads * k), "b_O": (1, wide),
    }  # fmt: skip
    entries = st.integers(-3, 3)
    values = {name: [[data.draw(entries) for _ in range(s[1])] for _ in range(s[0])] for name, s in shapes.items()}
    biases = {"b_Q": MatrixSymbol("b_Q", 1, heads * d_k), "b_O": MatrixSymbol("b_O", 1, D)}
    whole = MultiHead(
        X, Z, heads=heads, kv_heads=kv_heads, mask=CausalMask() if causal else None,
        **projections(heads, kv_heads), **biases,
    )  # fmt: skip
    d = derive(whole, values, sum_heads=True)
    weights, output = by_numpy({k: np.array(x, float) for k, x in values.items()}, heads, kv_heads, causal)
    got = np.array(d["projection"].evaluate(17).tolist(), float)
    assert np.allclose(got, output, rtol=1e-12, atol=1e-12)
    for number in range(1, heads + 1):
        name = f"head_{number}.weights" if heads > 1 else "weights"
        assert np.allclose(np.array(d[name].evaluate(17).tolist(), float), weights[number - 1], rtol=1e-13, atol=0)
    if heads > 1:
        assert d["sum"].evaluate(30).tolist() == d["projection"].evaluate(30).tolist()


def test_a_family_is_written_once_and_its_number_may_stay_a_letter():
    d = derive(MultiHead(X, heads=h, **projections(h, h)))
    assert [s.name for s in d] == [
        *(f"head_i.{x}" for x in ("Q", "K", "V", "scores", "scaled", "weights", "output")), "concat", "projection",
    ]  # fmt: skip
    assert sympy.latex(d["concat"].expression).count("head") == 2  # the first and the last
    assert str(d["projection"].shape) == "(n, d_model)"
    assert r"\mathrm{head}_{i}" in d.to_latex() and r"W_{i}^{Q}" in d.to_markdown()


def test_members_are_views_of_their_family():
    d = derive(MultiHead(X, heads=2, **projections(2, 2)))
    assert str(d["head_2.Q"].expression) == "X*W_Q^(2)" and d["head_2.Q"].shape == (n, d_k)
    assert str(d["head_i.Q"].expression) == "X*W_Q^(i)"
    assert [s.name for s in d][:8] == [
        *(f"head_1.{x}" for x in ("Q", "K", "V", "scores", "scaled", "weights", "output")), "head_2.Q",
    ]  # fmt: skip


def test_grouped_heads_use_the_keys_of_their_group():
    program = unroll(unfold(MultiHead(X, heads=4, kv_heads=2, **projections(4, 2))), {}).program
    used = {k: str(program[f"head_{k}.scores"].expression) for k in (1, 2, 3, 4)}
    assert used == {k: f"Q^({k})*K^({(k + 1) // 2}).T" for k in used}  # Ainslie et al. 2023: contiguous groups
    shared = unroll(unfold(MultiHead(X, heads=3, kv_heads=1, **projections(3, 1))), {}).program
    assert str(shared["head_3.scores"].expression) == "Q^(3)*K.T"  # one key head: no family of one


def test_one_matrix_for_each_head_is_the_wide_matrix():
    parts = {f"W_{x}": tuple(MatrixSymbol(f"W_{x}{k}", 2, 1) for k in (1, 2)) for x in "QKV"}
    values = {"X": [[1, 2], [3, 5]]} | {f"W_{x}{k}": [[k], [-1]] for x in "QKV" for k in (1, 2)}
    each = derive(MultiHead(MatrixSymbol("X", n, 2), heads=2, **parts), values)
    wide = {f"W_{x}": MatrixSymbol(f"W_{x}", 2, 2) for x in "QKV"}
    whole = derive(
        MultiHead(MatrixSymbol("X", n, 2), heads=2, **wide),
        {"X": values["X"]} | {f"W_{x}": [[1, 2], [-1, -1]] for x in "QKV"},
    )
    assert each["concat"].exact == whole["concat"].exact
    assert r"W_{i}^{Q}" in each.to_latex()


def test_heads_that_are_not_known_are_asked_for():
    values = {"X": [[1, 2]]} | {w: [[1, 2, 3, 4]] * 2 for w in ("W_Q", "W_K", "W_V")}
    values["W_O"] = [[1, 2]] * 4
    with pytest.raises(NotSupportedError, match=r"the number of heads, h, is not known"):
        derive(MultiHead(X, heads=h, **projections(h, h)), values)


EACH = "[inputs]\nX = [[1, 0], [0, 2]]\nW_Q = [[[1], [0]], [[0], [1]]]\nW_K = [[[1], [1]], [[0], [1]]]\n"
EACH += "W_V = [[[1], [2]], [[3], [1]]]\nW_O = [[1, 0], [0, 1]]\nb_Q = [[1], [2]]\n"
WIDE = "[inputs]\nX = [[1, 0], [0, 2]]\nW_Q = [[1, 0], [0, 1]]\nW_K = [[1, 0], [1, 1]]\n"
WIDE += "W_V = [[1, 3], [2, 1]]\nW_O = [[1, 0], [0, 1]]\nb_Q = [1, 2]\n[attention]\nheads = 2\n"


def derived(text):
    sheet = parse_worksheet(text)
    return derive(sheet.expression, sheet.values)


def test_worksheets_of_both_forms_say_the_same():
    each, wide = derived(EACH), derived(WIDE)
    assert each["head_2.scores"].exact == wide["head_2.scores"].exact == sympy.Matrix([[0, 4], [0, 8]])
    assert each["projection"].exact == wide["projection"].exact
    with_biases = EACH + "[attention]\nbias = [[[0, 0], [0, 0]], [[1, 2], [3, 4]]]\n"
    assert derived(with_biases)["head_2.masked"].exact == sympy.Matrix([[1, 6], [3, 12]])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (WIDE.replace("heads = 2", "heads = 3"), "inputs.W_Q: 3 heads do not divide 2 columns"),
        (EACH + "[attention]\nheads = 3\n", "inputs.W_Q: the number of matrices is 2, that of heads 3"),
        (EACH.replace("[[1], [1]]", "[[1, 1], [1, 1]]"), "inputs.W_K: the matrix of head 2 is 2 x 1, that of head 1"),
        (EACH.replace("[[1, 0], [0, 1]]\nb_Q", "[[1, 0], [0, 1], [1, 1]]\nb_Q"), "inputs.W_O: 2 heads do not divide 3"),
        (WIDE.replace("heads = 2", "heads = 2\nkv_heads = 3"), "inputs.W_K: 3 heads do not divide 2 columns"),
        (WIDE.replace("heads = 2", 'heads = "h"'), "attention.heads: "),
        (WIDE.replace("heads = 2", "heads = 0"), "attention.heads: "),
        ("[inputs]\nQ = [[1]]\nK = [[1]]\nV = [[1]]\n[attention]\nheads = 2", "attention.heads: 2 heads need X"),
        (EACH + "[attention]\nbias = [[[0, 0], [0, 0]]]\n", "attention.bias: the number of matrices is 1"),
        ("[inputs]\nX = [[[1]]]\nW_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]\n", "inputs.X: "),
    ],
)  # fmt: skip
def test_heads_that_do_not_fit(text, said):
    with pytest.raises(SymattnError) as refused:
        derived(text)
    assert str(refused.value).startswith(said)


def test_symbolic_worksheets_state_the_sizes_of_one_head(tmp_path: Path):
    text = '[inputs]\nX = "n x d_model"\nW_Q = "d_model x d_k"\nW_K = "d_model x d_k"\nW_V = "d_model x d_v"\n'
    text += 'W_O = "d_v x d_model"\n[attention]\nheads = "h"\nkv_heads = "g"\n'
    d = derived(text)
    assert str(d["kv_head_j.K"].expression) == "X*W_K^(j)" and str(d["concat"].shape) == "(n, d_v*h)"
    assert "K^(⌈g*i/h⌉)" in str(d["head_i.scores"].expression)


def test_heads_of_a_matrix_that_is_no_symbol():
    """An identity whose size is a letter has blocks as well."""
    d = symbols("d", integer=True, positive=True)
    X = MatrixSymbol("X", symbols("n", integer=True, positive=True), 2 * d)
    same = {name: Identity(2 * d) for name in ("W_Q", "W_K", "W_V")}
    W = MatrixSymbol("W", 2 * d, 2 * d)
    derive(MultiHead(X * W, heads=2, **same)).to_latex()
    x = [[1, 2, 3, 4], [0, 1, 0, 2]]
    found = derive(MultiHead(X, heads=2, **same), {X: x})
    for k in (1, 2):
        assert found[f"head_{k}.Q"].exact == Matrix([row[2 * k - 2 : 2 * k] for row in x])
