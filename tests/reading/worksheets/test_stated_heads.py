"""Several heads of every kind, and learned numbers, as worksheets state them; values by hand, one head at a time."""

import json
from typing import Any

import numpy as np
import pytest
from sympy import Integer, MatrixSymbol, Symbol

from symattn import derive, differentiate
from symattn.errors import InputError, SymattnError
from symattn.nodes import (
    HEAD,
    Attention,
    DifferentialAttention,
    HeadColumns,
    LatentAttention,
    LuongAttention,
    MultiHead,
    OnlineAttention,
    RotaryEmbedding,
    Stack,
)
from symattn.reading.worksheets.worksheet import parse_worksheet

n, m, D, d, e, s, c, r = (
    Symbol(x, integer=True, positive=True) for x in ("n", "m", "d_model", "d_k", "d_v", "d_s", "d_c", "d_r")
)
X = MatrixSymbol("X", n, D)
SEQUENCE = "X = [[1, 0, 1], [2, 1, 0], [0, -1, 1]]\n"
WIDE = "[[1, 0, 2, -1], [0, 1, 1, 1], [1, -1, 0, 2]]"
SHARED = MatrixSymbol("W_S", d, d)
STATED = SEQUENCE + "".join(f"W_{x} = {WIDE}\n" for x in "QKV")
EACH = "[[[1, 2], [0, 1]], [[2, 0], [1, -1]]]"


def read(inputs: str, options: str) -> Any:
    return parse_worksheet(f"[inputs]\n{inputs}[attention]\n{options}")


def wide(name: str, rows: Any, columns: Any) -> MatrixSymbol:
    return MatrixSymbol(name, rows, 2 * columns)


def own(name: str, rows: Any, columns: Any) -> HeadColumns:
    return HeadColumns(wide(name, rows, columns), HEAD, 2)


def layer(kind: Any, **given: Any) -> MultiHead:
    W = {f"W_{x}": wide(f"W_{x}", D, y) for x, y in (("Q", d), ("K", d), ("V", e))} | given
    return MultiHead(X, heads=2, **W, kind=kind)


@pytest.mark.parametrize(
    ("inputs", "options", "wanted"),
    [
        ("W_S = [[1, 2], [0, 1]]\n", 'kind = "luong"', lambda Q, K, V: LuongAttention(Q, K, V, SHARED)),
        (f"W_S = {EACH}\n", 'kind = "luong"', lambda Q, K, V: LuongAttention(Q, K, V, own("W_S", d, d))),
        ("", 'kind = "online"', OnlineAttention),
        ("", 'kind = "online"\nsink = 1', None),
        (
            f"K_cache = {EACH}\nV_cache = {EACH}\n",
            "scale = [1, 2]",
            lambda Q, K, V: Attention(
                Q,
                Stack(own("K_cache", Symbol("p", integer=True, positive=True), d), K),
                Stack(own("V_cache", Symbol("p", integer=True, positive=True), e), V),
                scale=HeadColumns(((1, 2),), HEAD, 2),
            ),
        ),
    ],
)  # fmt: skip
def test_the_key_of_a_single_head_is_that_of_several(inputs: str, options: str, wanted: Any) -> None:
    if wanted is None:
        with pytest.raises(SymattnError):
            read(STATED + inputs, f"heads = 2\n{options}")
        return
    assert read(STATED + inputs, f"heads = 2\n{options}").expression == layer(wanted)


def test_latent_heads_share_what_is_narrow() -> None:
    narrow = "[[1, 0], [0, 1], [1, 1]]"
    inputs = f"{SEQUENCE}W_Q = {WIDE}\nW_C = {narrow}\nU_K = {EACH}\nU_V = {EACH}\nW_QR = {WIDE}\nW_KR = {narrow}\n"
    parts = {
        "Q_R": RotaryEmbedding(X * own("W_QR", D, r)),
        "K_R": RotaryEmbedding(X * MatrixSymbol("W_KR", D, r)),
    }

    def kind(Q: Any, _K: Any, _V: Any) -> Any:
        return LatentAttention(Q, X * MatrixSymbol("W_C", D, c), own("U_K", c, d), own("U_V", c, e), **parts)

    made = read(inputs, 'heads = 2\nkind = "latent"\nrope = true').expression
    assert made == layer(kind, W_K=None, W_V=None)


def test_differential_heads_have_two_pairs_side_by_side() -> None:
    eight = "[[1, 0, 2, -1, 1, 1, 0, 1], [0, 1, 1, 1, 2, 0, 1, 0], [1, -1, 0, 2, 0, 1, 1, 1]]"
    inputs = f"{SEQUENCE}W_Q = {eight}\nW_K = {eight}\nW_V = {WIDE}\n"
    sheet = read(inputs, 'heads = 2\nkind = "differential"\nlambda = [["1/2", "1/3"]]')
    found = derive(sheet.expression, sheet.values)["concat"].evaluate(20).tolist()
    x, W, W_V = (np.array(json.loads(rows)) for rows in (SEQUENCE[4:], eight, WIDE))
    heads = []
    for k, lam in ((0, 1 / 2), (1, 1 / 3)):
        first, second = (np.exp((y := x @ W[:, start : start + 2]) @ y.T / 2**0.5) for start in (4 * k, 4 * k + 2))
        A = first / first.sum(1, keepdims=True) - lam * second / second.sum(1, keepdims=True)
        heads.append(A @ x @ W_V[:, 2 * k : 2 * k + 2])
    np.testing.assert_allclose([[float(y) for y in row] for row in found], np.hstack(heads), rtol=1e-13)
    assert isinstance(sheet.expression.head(), DifferentialAttention)


LEARNED = {
    "scale": ('scale = [["3/4"]]', "c", lambda z, x: z * x, 0.75),
    "sink": ('sink = [["1/2"]]\nscale = 1', "s", None, 0.5),
    "bias of sigmoid": (
        'weighting = { kind = "sigmoid", bias = [["-1/2"]] }\nscale = 1', "b", lambda z, x: z + x, -0.5
    ),
    "lambda": ('kind = "differential"\nlambda = [["1/3"]]\nscale = 1', "lambda", None, 1 / 3),
}  # fmt: skip
ROWS = "Q = [[1, 2], [0, 1]]\nK = [[2, 1], [1, -1]]\nV = [[1, 0], [3, 1]]\n"


def by_hand(name: str, x: float) -> Any:
    Q, K, V = np.array([[1, 2], [0, 1]]), np.array([[2, 1], [1, -1]]), np.array([[1, 0], [3, 1]])
    Z = Q @ K.T
    change = LEARNED[name][2]
    Z = Z if change is None else change(Z, x)
    if name == "bias of sigmoid":
        return 1 / (1 + np.exp(-Z)) @ V
    A = np.exp(Z) / (np.exp(Z).sum(1, keepdims=True) + (np.exp(x) if name == "sink" else 0))
    return (A - x * A[:, ::-1] if name == "lambda" else A) @ V


@pytest.mark.parametrize("name", LEARNED)
def test_a_learned_number_has_a_value_and_a_gradient(name: str) -> None:
    options, letter, _, value = LEARNED[name]
    pairs = "Q_2 = [[1, 2], [0, 1]]\nK_2 = [[1, -1], [2, 1]]\n" if name == "lambda" else ""  # the keys changed over
    sheet = read(ROWS + pairs, options)
    made = derive(sheet.expression, sheet.values)
    found = [[float(y) for y in row] for row in made["output"].evaluate(20).tolist()]
    np.testing.assert_allclose(found, by_hand(name, value), rtol=1e-14)
    G = np.array([[1, 2], [-1, 3]])
    slope = differentiate(made, G=G.tolist())[f"d{letter}"].evaluate(20).tolist()[0][0]
    step = 1e-5
    wanted = (G * (by_hand(name, value + step) - by_hand(name, value - step))).sum() / (2 * step)
    assert float(slope) == pytest.approx(wanted, rel=1e-8)


@pytest.mark.parametrize(
    ("inputs", "options", "said"),
    [
        ("Q = [[1]]\nC = [[1]]\nU_K = [[1]]\nU_V = [[1]]\n", 'kind = "latent"\nqk_norm = "l2"', "attention.qk_norm"),
        (STATED + "C = [[1]]\n", "heads = 2", "attention.kind"),
        (STATED + f"U_K = {EACH}\n", "heads = 2", "inputs.U_K"),
        (STATED + f"U_K = {EACH}\nU_V = {EACH}\nW_C = {WIDE}\n", 'heads = 2\nkind = "latent"', "inputs.W_K"),
        (STATED, 'heads = 2\nkind = "latent"', "U_K"),
        (STATED, 'heads = 2\nkind = "luong"', "W_S"),
        (STATED + f"K_cache = {EACH}\n", "heads = 2", "V_cache"),
        ("Q = [[1]]\nK = [[1]]\nV = [[1]]\n", "scale = [[1, 2]]", "1"),
        ("Q = [[1]]\nK = [[1]]\nV = [[1]]\n", 'sink = [["x"]]', "attention.sink"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(inputs: str, options: str, said: str) -> None:
    with pytest.raises(SymattnError) as caught:
        read(inputs, options)
    assert said in str(caught.value)


def test_a_cache_of_groups_is_refused() -> None:
    eight = "[[1, 0, 2, -1, 1, 1, 0, 1], [0, 1, 1, 1, 2, 0, 1, 0], [1, -1, 0, 2, 0, 1, 1, 1]]"
    inputs = f"{SEQUENCE}W_Q = {eight}\nW_K = {WIDE}\nW_V = {WIDE}\nK_cache = {EACH}\nV_cache = {EACH}\n"
    with pytest.raises(SymattnError, match=r"inputs\.K_cache"):
        read(inputs, "heads = 4\nkv_heads = 2")


def test_sizes_may_be_letters() -> None:
    inputs = 'X = "n x d_model"\nW_Q = "d_model x d_k"\nW_K = "d_model x d_k"\nW_V = "d_model x d_v"\n'
    made = read(inputs, 'heads = "h"\nkind = "linear"\nmask = "causal"').expression
    assert made.heads == Symbol("h", integer=True, positive=True)
    assert made.head().causal
    assert made.xreplace({made.heads: Integer(2)}).W_Q.shape == (D, 2 * d)


@pytest.mark.parametrize("heads", ["", "[attention]\nheads = 2\n"])
def test_queries_of_each_head_are_refused_with_what_is_needed(heads: str) -> None:
    sheet = f"[inputs]\nQ = [[[1]], [[2]]]\nK = [[[1]], [[2]]]\nV = [[1]]\n{heads}"
    with pytest.raises(InputError, match=r"inputs\.Q: 2 heads need X with W_Q, W_K and W_V"):
        parse_worksheet(sheet)


def test_a_gain_may_be_a_flat_list() -> None:
    sheet = (
        '[inputs]\nQ = [[3, 4]]\nK = [[1, 1]]\nV = [[1, 0]]\ng_Q = {}\ng_K = [[2, 1]]\n[attention]\nqk_norm = "rms"\n'
    )
    flat, nested = (parse_worksheet(sheet.format(given)) for given in ("[1, 2]", "[[1, 2]]"))
    assert flat.values == nested.values and flat.expression == nested.expression
