"""The order of keys and values in sums over tokens: Σ φ(k_i) v_iᵀ is a state of keys by values, Σ v_i k_iᵀ the other.

Where as many lines of an article hold in one order as in the other, what it prints as a sum tells which is meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symattn.checking.models.letters import letter_of
from symattn.checking.models.states import FUNCTIONS, LETTERS
from symattn.reading import formula as f


def find_orders(equations: Sequence[Sequence[f.Expression]]) -> frozenset[tuple[bool, bool]]:
    """Whether tokens are columns and whether keys come first, for each product of a key and a value that is summed."""
    sides = (side for equation in equations for side in equation)
    sums = (part for side in sides for part in f.walk(side) if isinstance(part, f.BigSum))
    return frozenset(order for each in sums for order in _orders_of(each.body))


def _orders_of(body: f.Expression) -> Iterator[tuple[bool, bool]]:
    if not isinstance(body, f.Product) or len(body.factors) != 2:
        return
    first, second = body.factors
    letters = [_token(x.operand if isinstance(x, f.Transpose) else x) for x in (first, second)]
    if set(letters) == {"k", "v"} and isinstance(first, f.Transpose) != isinstance(second, f.Transpose):
        columns = isinstance(second, f.Transpose)
        yield columns, letters[0] == "k"


def _token(e: f.Expression) -> str:
    """k of k_i or φ(k_i), v of v_i; "" of anything else."""
    if isinstance(e, f.Call) and e.function in FUNCTIONS and len(e.arguments) == 1:
        e = e.arguments[0]
    return LETTERS.get(letter_of(e).key, "") if isinstance(e, f.Name) and len(letter_of(e).indices) == 1 else ""
