"""Gradients of attention by a state, exactly, beside derivatives of the entries that the definition gives."""

import pytest
import sympy
from sympy import Matrix, MatrixSymbol, Rational, symbols

from symattn import derive, differentiate
from symattn.nodes import DeltaRule, GatedDeltaRule, GatedLinearAttention, Retention, StateSpaceDuality

n, d, e = symbols("n d_k d_v", integer=True, positive=True)
GIVEN = MatrixSymbol("Q", n, d), MatrixSymbol("K", n, d), MatrixSymbol("V", n, e)
a, beta, alpha = MatrixSymbol("a", n, 1), MatrixSymbol("beta", n, 1), MatrixSymbol("alpha", n, d)
half, third = Rational(1, 2), Rational(1, 3)
VALUES = {
    "Q": Matrix([[1, 2], [3, -1], [0, 1]]),
    "K": Matrix([[1, 0], [1, 1], [2, -1]]),
    "V": Matrix([[2, 1], [0, 1], [1, 1]]),
    "a": Matrix([half, 0, -third]),
    "beta": Matrix([1, half, third]),
    "alpha": Matrix([[half, third], [0, 1], [third, 2]]),
    "gamma": Matrix([[half]]),
}
G = Matrix([[1, 2], [0, -1], [3, 1]])
KINDS = (
    Retention(*GIVEN, third),
    Retention(*GIVEN, MatrixSymbol("gamma", 1, 1)),
    GatedLinearAttention(*GIVEN, alpha),
    StateSpaceDuality(*GIVEN, a),
    DeltaRule(*GIVEN, beta),
    GatedDeltaRule(*GIVEN, a, beta),
)


@pytest.mark.slow
@pytest.mark.parametrize("node", KINDS, ids=str)
def test_gradients_are_those_of_the_entries(node):
    found = node.atoms(MatrixSymbol)
    back = differentiate(derive(node, {x: VALUES[x.name].tolist() for x in found}), G=G.tolist())
    letters = {
        x: Matrix(*VALUES[x.name].shape, lambda i, j, x=x: sympy.Symbol(f"{x.name}_{i}{j}")).as_immutable()
        for x in found
    }
    loss = sum(a * b for a, b in zip(node.func(*[letters.get(x, x) for x in node.args]).as_explicit(), G, strict=True))
    numbers = {x: y for s in found for x, y in zip(letters[s], VALUES[s.name], strict=True)}
    for x in found:
        wanted = letters[x].applyfunc(lambda z: loss.diff(z).subs(numbers))
        assert back[f"d{x.name}"].exact == wanted


def test_gradients_of_several_recurrences_keep_their_order():
    inner = Retention(*GIVEN, half)
    outer = Retention(inner, inner, GIVEN[2], third)
    made = outer.xreplace({e: d})
    back = differentiate(derive(made, {x: VALUES[x.name].tolist() for x in made.atoms(MatrixSymbol)}), G=G.tolist())
    x = sympy.Symbol("x")
    entry = VALUES["Q"].copy()
    entry[1, 0] = x
    first = Retention(entry.as_immutable(), VALUES["K"].as_immutable(), VALUES["V"].as_immutable(), half).as_explicit()
    again = Retention(first, first, VALUES["V"].as_immutable(), third).as_explicit()
    loss = sum(a * b for a, b in zip(again, G, strict=True))
    assert back["dQ"].exact[1, 0] == sympy.expand(loss).diff(x).subs(x, 3)


def test_one_wanted_input_is_reached_through_the_state():
    """V alone: what a token recalls depends on earlier values by the state, which is made after it."""
    node = DeltaRule(*GIVEN, beta)
    values = {x: VALUES[x.name].tolist() for x in node.atoms(MatrixSymbol)}
    alone = differentiate(derive(node, values), wrt=["V"], G=G.tolist())
    assert alone["dV"].exact == differentiate(derive(node, values), G=G.tolist())["dV"].exact
