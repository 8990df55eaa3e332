"""Attention by a state in chunks and all at once: the values, gradients and pages of the same recurrence."""

import numpy as np
import pytest
from sympy import Lambda, Matrix, MatrixSymbol, Rational, Symbol, exp, simplify, symbols

from symattn import (
    ChunkedState,
    DeltaRule,
    GatedDeltaRule,
    GatedLinearAttention,
    MultiHead,
    Retention,
    StateSpaceDuality,
    derive,
    differentiate,
    lower,
)
from symattn.errors import InputError, SymattnError
from symattn.nodes import HEAD, HeadColumns, Mapped
from symattn.reading.worksheets.worksheet import parse_worksheet

n, d, e = symbols("n d_k d_v", integer=True, positive=True)
Q, K, V, alpha, a, beta = (
    MatrixSymbol(x, n, s) for x, s in (("Q", d), ("K", d), ("V", e), ("alpha", d), ("a", 1), ("beta", 1))
)
gamma = MatrixSymbol("gamma", 1, 1)
KINDS = [
    Retention(Q, K, V, Rational(2, 3)),
    Retention(Q, K, V, gamma),
    GatedLinearAttention(Q, K, V, alpha),
    StateSpaceDuality(Q, K, V, a),
    DeltaRule(Q, K, V, beta),
    GatedDeltaRule(Q, K, V, a, beta),
]
kinds = pytest.mark.parametrize("state", KINDS, ids=lambda x: type(x).__name__)
sizes = pytest.mark.parametrize("size", [1, 2, 4, None])
ROWS = {
    "Q": [[1, 2], [0, 1], [-1, 1], [2, 1]],
    "K": [[1, 0], [1, -1], [2, 1], [0, 1]],
    "V": [[1], [3], [-2], [1]],
    "alpha": [["1/2", 1], ["2/3", "-1/2"], [1, "1/4"], [2, "1/3"]],
    "a": [["1/2"], ["2/3"], [-1], ["1/4"]],
    "beta": [[1], ["1/2"], ["1/3"], [2]],
    "gamma": [["2/3"]],
}


def rows_of(state):
    return {x: ROWS[x.name] for x in state.atoms(MatrixSymbol)}


@pytest.mark.slow
@kinds
@sizes
def test_values_and_gradients_are_exactly_those_token_by_token(state, size):
    values, G = rows_of(state), [[1], [-1], [2], [1]]
    wanted, found = derive(state, values), derive(ChunkedState(state, size), values)
    last = wanted.families.steps[-1].name
    assert found[found.families.steps[-1].name].exact == wanted[last].exact
    back, known = (differentiate(x, G=G) for x in (found, wanted))
    for x in values:
        assert back[f"d{x.name}"].exact == known[f"d{x.name}"].exact


@pytest.mark.parametrize("size", [1, 2, None])
def test_the_delta_rule_in_letters(size):
    """(I − βkᵀk)H + βkᵀv, written out for two tokens of one column."""
    q, k, v, b = (symbols(f"{x}1:3") for x in "qkvb")
    made = DeltaRule(*(Matrix(x) for x in (q, k, v, b)))
    state, rows = 0, []
    for t in range(2):
        state = (1 - b[t] * k[t] ** 2) * state + b[t] * k[t] * v[t]
        rows.append(q[t] * state)
    found = derive(ChunkedState(made, size))
    last = found.families.steps[-1].name
    assert simplify(found[last].exact - Matrix(rows)) == Matrix([0, 0])


@kinds
@pytest.mark.parametrize("style", ["plain", "fast"])
def test_batches_and_heads(state, style):
    """Two heads in chunks of 3, beside each head token by token."""
    rng, D = np.random.default_rng(0), 4
    X = MatrixSymbol("X", n, D)
    wide = {
        x: MatrixSymbol(f"{x.name}_h", n, 2 * x.shape[1]) for x in state.args[3:] if getattr(x, "shape", (1,))[0] == n
    }
    of_heads = {x: HeadColumns(w, HEAD, 2) for x, w in wide.items()}
    kind = lambda Q, K, V: state.func(Q, K, V, *(of_heads.get(x, x) for x in state.args[3:]))  # noqa: E731
    W = {f"W_{x}": MatrixSymbol(f"W_{x}", D, 2 * size) for x, size in zip("QKV", (d, d, e), strict=True)}
    layers = [MultiHead(X, heads=2, **W, kind=made) for made in (kind, lambda *given: ChunkedState(kind(*given), 3))]
    arrays: dict = {x.name: rng.random((4, 4)) - 0.5 for x in W.values()} | {"X": rng.random((2, 6, D))}
    width = {n: 6, d: 2, e: 2}
    arrays |= {w.name: rng.random((6, int(w.shape[1].xreplace(width)))) / 2 + 0.5 for w in wide.values()}
    arrays |= {"gamma": np.array([[0.7]])} if state.has(gamma) else {}
    arrays["G"] = rng.standard_normal((2, 6, 4))
    wanted, found = (lower(x, style=style, gradient=True)(**arrays) for x in layers)
    for name, x in wanted.items():
        np.testing.assert_allclose(found[name], x, rtol=1e-10, atol=1e-12, err_msg=name)


@pytest.mark.slow
def test_pages_tell_of_chunks():
    for state in KINDS:
        for size in (2, None):
            made = derive(ChunkedState(state, size), rows_of(state))
            for text in (made.to_text(), made.to_text(language="zh"), derive(ChunkedState(state, size)).to_latex()):
                assert "{" not in text or "\\" in text
            assert differentiate(made).to_text()


def test_decays_of_zero_are_refused_and_small_ones_are_not():
    state = StateSpaceDuality(Q, K, V, a)
    zero = rows_of(state) | {a: [[1], [0], [1], [1]]}
    made = derive(ChunkedState(state, 2), zero)
    with pytest.raises(SymattnError):
        made[made.families.steps[-1].name].evaluate(10)
    z, g = Symbol("z"), MatrixSymbol("g", n, 1)
    small = StateSpaceDuality(Q, K, V, Mapped(g, Lambda(z, exp(z))))
    values = rows_of(state) | {g: [[-30], [-40], [-20], [-50]]}
    del values[a]
    found, wanted = derive(ChunkedState(small, 2), values), derive(small, values)
    last = wanted.families.steps[-1].name
    assert found[found.families.steps[-1].name].evaluate(20) == wanted[last].evaluate(20)


def test_what_is_refused():
    for make in (lambda: ChunkedState(Q, 2), lambda: ChunkedState(KINDS[0], 0), lambda: ChunkedState(KINDS[0], "2")):
        with pytest.raises(InputError):
            make()
    with pytest.raises(InputError, match="chunks of 3 tokens do not divide 4 tokens"):
        ChunkedState(Retention(*(MatrixSymbol(x, 4, 2) for x in "QKV"), gamma), 3)
    with pytest.raises(ValueError, match="blocks of 2"):
        lower(ChunkedState(KINDS[0], 2), style="plain")(*np.ones((3, 3, 2)))
    sheet = 'Q = "n x d"\nK = "n x d"\nV = "n x e"\n[attention]\nkind = "retention"\nform = '
    assert isinstance(parse_worksheet(f'[inputs]\n{sheet}"recurrent"').expression, Retention)
    for form, message in (('"chunks"', "form is"), ("{ chunk = 0 }", "chunk"), ("{ chunk = 2, size = 3 }", "form is")):
        with pytest.raises(InputError, match=message):
            parse_worksheet(f"[inputs]\n{sheet}{form}")
