"""Attention by a state in worksheets: what states it, and what is refused with the key path."""

import pytest
from sympy import MatrixSymbol, Rational, Symbol

from symattn.errors import InputError, NotSupportedError, ShapeError
from symattn.nodes import DeltaRule, GatedLinearAttention, Retention
from symattn.reading.worksheets.worksheet import parse_worksheet

GIVEN = "[inputs]\nQ = [[1, 2], [0, 1]]\nK = [[1, 0], [1, 1]]\nV = [[1], [2]]\n"
LETTERS = '[inputs]\nQ = "n x d"\nK = "n x d"\nV = "n x e"\n'


@pytest.mark.parametrize(
    ("given", "gamma"), [("", Rational(31, 32)), ("gamma = 0.9", Rational(9, 10)), ('gamma = "3/4"', Rational(3, 4))]
)
def test_the_decay_of_retention(given, gamma):
    assert parse_worksheet(f'{GIVEN}[attention]\nkind = "retention"\n{given}\n').expression.decay == gamma


def test_a_decay_in_letters():
    stated = parse_worksheet(f'{LETTERS}[attention]\nkind = "retention"\ngamma = "g"\n').expression
    assert stated.decay == Symbol("g", positive=True)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('[attention]\nkind = "delta"', "beta is missing"),
        ('alpha = [[1, 1], [1, 1]]\n[attention]\nkind = "retention"', "inputs.alpha"),
        ('[attention]\nkind = "delta"\ngamma = 1', "attention.gamma"),
        ('[attention]\nkind = "retention"\nmask = "causal"', "attention.mask"),
        ('[attention]\nkind = "retention"\ngamma = "x y"', "attention.gamma"),
        ('[attention]\nkind = "retention"\ngamma = ["1/2", "3/4"]', "attention.gamma: gamma is one number"),
    ],
)
def test_refusals_name_what_and_where(lines, said):
    with pytest.raises(InputError, match=said):
        parse_worksheet(f"{GIVEN}{lines}\n")


def test_nodes_refuse_what_does_not_fit():
    Q, K, V = (MatrixSymbol(x, 3, 2) for x in "QKV")
    with pytest.raises(InputError, match="decay"):
        Retention(Q, K, V, "1/2")
    with pytest.raises(ShapeError, match=r"4.*3|3.*4"):
        DeltaRule(Q, K, V, MatrixSymbol("b", 4, 1))
    with pytest.raises(ShapeError, match="columns"):
        GatedLinearAttention(Q, K, V, MatrixSymbol("b", 3, 1))
    rows = Symbol("n", integer=True, positive=True)
    wide = [MatrixSymbol(x, rows, 2) for x in "QKV"]
    with pytest.raises(NotSupportedError, match="DeltaRule"):
        DeltaRule(*wide, MatrixSymbol("b", rows, 1))[Symbol("i", integer=True), 0]
