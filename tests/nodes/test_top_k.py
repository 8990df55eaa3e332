"""The k largest scores of each query, against NumPy's stable order; ties go to the first key."""

import json
from typing import Any

import numpy as np
import pytest
from sympy import MatrixSymbol, Rational, oo, symbols

from symattn import derive, differentiate, lower
from symattn.errors import InputError, SymattnError
from symattn.nodes import Attention, CausalMask, FiniteMask, Largest, Masked, OnlineAttention, TopKMask
from symattn.reading.worksheets.worksheet import parse_worksheet

n, m, d, e = symbols("n m d_k d_v", integer=True, positive=True)
Q, K, V = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e)
ROWS = {"Q": [[1, 2], [3, -1], [0, 1]], "K": [[2, 1], [1, 1], [-1, 2], [3, 0]], "V": [[1, 0], [0, 1], [2, 3], [1, 1]]}
GIVEN = {x.name: np.array(ROWS[x.name], float) for x in (Q, K, V)}  # Q Kᵀ has ties in rows 1 and 3


def by_hand(count: int, *, causal: bool = False, cap: float | None = None, **given: Any) -> Any:
    q, k, v = (given.get(x, GIVEN[x]) for x in "QKV")
    Z = q @ k.T / 2**0.5
    Z = Z if cap is None else cap * np.tanh(Z / cap)
    if causal:
        Z = np.where(np.arange(4) <= np.arange(3)[:, None], Z, -np.inf)
    place = np.argsort(np.argsort(-Z, axis=1, kind="stable"), axis=1, kind="stable")
    E = np.exp(np.where(place < count, Z, -np.inf))
    return E / E.sum(1, keepdims=True) @ v


def exact(expression: Any, digits: int = 20) -> Any:
    found = derive(expression, {x: ROWS[x.name] for x in (Q, K, V)})["output"].evaluate(digits).tolist()
    return [[float(x) for x in row] for row in found]


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("count", range(1, 6))
def test_weights_are_of_the_largest_scores(count: int, causal: bool) -> None:
    mask = (CausalMask(), TopKMask(count)) if causal else TopKMask(count)
    wanted = by_hand(count, causal=causal)
    for node in (Attention(Q, K, V, mask=mask), OnlineAttention(Q, K, V, mask=mask)):
        if causal and isinstance(node, OnlineAttention) and count < 3:
            continue  # a row may see nothing of the first block then
        for style in ("plain", "fast"):
            np.testing.assert_allclose(lower(node, style=style)(**GIVEN), wanted, rtol=1e-14)
    np.testing.assert_allclose(exact(Attention(Q, K, V, mask=mask)), wanted, rtol=1e-14)


def test_scores_that_have_enclosures_alone_are_put_in_order() -> None:
    apart = {"Q": [[1, 3], [3, -1], [1, 5]]}  # no ties
    expression = Attention(Q, K, V, mask=TopKMask(2), softcap=3)
    rows = {x: apart.get(x.name, ROWS[x.name]) for x in (Q, K, V)}
    found = derive(expression, rows)["output"].evaluate(20).tolist()
    wanted = by_hand(2, cap=3, Q=np.array(apart["Q"], float))
    np.testing.assert_allclose([[float(x) for x in row] for row in found], wanted, rtol=1e-14)


def test_gradients_are_those_of_differences() -> None:
    random = np.random.default_rng(4)
    given = {x: random.standard_normal(rows.shape) for x, rows in GIVEN.items()}
    G = random.standard_normal((3, 2))
    expression = Attention(Q, K, V, mask=TopKMask(2))
    found = lower(expression, gradient=True)(**given, G=G)
    for x, rows in given.items():
        way, step = random.standard_normal(rows.shape), 1e-6
        there, back = (by_hand(2, **(given | {x: rows + s * way})) for s in (step, -step))
        assert np.sum(found[f"d{x}"] * way) == pytest.approx(np.sum(G * (there - back)) / (2 * step), rel=1e-7)


def test_the_engine_has_the_same_gradients() -> None:
    expression = Attention(Q, K, V, mask=TopKMask(2))
    made = differentiate(derive(expression, {x: ROWS[x.name] for x in (Q, K, V)}), G=[[1, 2], [0, 1], [-1, 1]])
    lowered = lower(expression, gradient=True)(**GIVEN, G=np.array([[1, 2], [0, 1], [-1, 1]], float))
    for x in "QKV":
        rows = [[float(y) for y in row] for row in made[f"d{x}"].evaluate(20).tolist()]
        np.testing.assert_allclose(rows, lowered[f"d{x}"], rtol=1e-12, atol=1e-14)


def test_what_is_not_a_number_spreads_to_its_row_alone() -> None:
    given = GIVEN | {"Q": np.array([[np.nan, 2], [3, -1], [0, 1]])}
    found = lower(Attention(Q, K, V, mask=TopKMask(2)))(**given)
    assert np.isnan(found[0]).all() and np.isfinite(found[1:]).all()


def test_an_entry_says_what_comes_before_it() -> None:
    found = Largest(MatrixSymbol("Z", 1, 2), 1)[0, 1]
    Z = MatrixSymbol("Z", 1, 2)
    assert found.subs({Z[0, 0]: 1, Z[0, 1]: 2}) == 2
    assert found.subs({Z[0, 0]: 2, Z[0, 1]: 2}) == -oo


def test_a_worksheet_states_it() -> None:
    text = "[inputs]\n" + "".join(f"{x} = {json.dumps(rows)}\n" for x, rows in ROWS.items())
    sheet = parse_worksheet(f'{text}[attention]\nmask = ["causal", {{ top = 2 }}]\n')
    assert sheet.expression == Attention(Q, K, V, mask=(CausalMask(), TopKMask(2)))
    with pytest.raises(SymattnError, match=r"attention\.mask\.top"):
        parse_worksheet(f"{text}[attention]\nmask = {{ top = 0 }}\n")


@pytest.mark.parametrize("count", [0, -1, Rational(1, 2), "2", True])
def test_what_is_no_count_is_refused(count: Any) -> None:
    with pytest.raises(InputError):
        TopKMask(count)


def test_it_is_no_mask_of_places() -> None:
    with pytest.raises(InputError, match="Largest"):
        Masked(MatrixSymbol("Z", n, m), TopKMask(2))
    with pytest.raises(InputError):
        FiniteMask(TopKMask(2))
