"""[[layer]] tables: the stack that they state, by numbers worked elsewhere; and what is refused, in one line."""

import re

import pytest
from sympy import MatrixSymbol

from symattn import (
    Activation,
    Attention,
    Dropout,
    FeedForward,
    LayerNorm,
    Residual,
    RMSNorm,
    SinusoidalPositions,
    derive,
    differentiate,
)
from symattn.errors import SymattnError
from symattn.nodes import Hadamard
from symattn.reading.worksheets.template import open_numbers
from symattn.reading.worksheets.worksheet import parse_worksheet, read_tables
from tests.values.stacks import HEADS, LABELS, TOKENS, Stack
from tests.values.test_stacks import in_mpmath, numbers

NAMES = {"g": "gamma", "c": "beta", "g_1": "gamma_1", "c_1": "beta_1", "g_2": "gamma_2", "c_2": "beta_2"}


def as_tables(given, layers):
    """The same stack as a worksheet has it."""
    texts = {name: [[str(x) for x in row] for row in rows] for name, rows in given.items()}
    tables = []
    for k in range(1, layers + 1):
        own = {name.partition("^")[0]: rows for name, rows in texts.items() if name.endswith(f"^(layer{k})")}
        tables.append({NAMES.get(name, name): rows for name, rows in own.items()} | {"heads": HEADS, "mask": "causal"})
    inputs = {NAMES.get(name, name): rows for name, rows in texts.items() if "^" not in name}
    return {"inputs": inputs, "stack": {"ids": list(TOKENS), "labels": list(LABELS)}, "layer": tables, "gradient": {}}


@pytest.mark.slow
def test_two_layers_are_the_stack_that_the_tables_state():
    given = numbers(2)
    own = Stack(40)
    sheet = read_tables(as_tables(given, 2))
    d = derive(sheet.expression, sheet.values)
    right = own.loss(in_mpmath(own.mp, given), 2)
    assert abs(own.mp.mpf(str(d["loss"].evaluate(30)[0, 0])) - right) < own.mp.mpf(10) ** -28
    assert [list(row) for row in sheet.upstream] == [[1]]
    back = differentiate(d, sheet.wrt or None, G=sheet.upstream)
    alone = [[int((i, j) == (0, 3)) for j in range(len(row))] for i, row in enumerate(given["W_1^(layer1)"])]
    slope = own.slope(in_mpmath(own.mp, given), 2, "W_1^(layer1)", alone)
    assert abs(own.mp.mpf(str(back["layer1.dW_1"].evaluate(25)[0, 3])) - slope) < own.mp.mpf(10) ** -15
    assert sheet.parts_in("zh") == {"layer1": "第 1 层", "layer2": "第 2 层"}


def last(sheet):
    d = derive(sheet.expression, sheet.values)
    return d.steps[-1].evaluate(25)


X, W, A, B = (MatrixSymbol(x, 2, 2) for x in "XWAB")
ROWS = {"X": [[1, 3], [2, -1]], "W": [[1, 0], [1, 1]], "A": [[1, 2], [0, 1]], "B": [[1, -1], [2, 0]]}
TEXT = {name: str(rows) for name, rows in ROWS.items()}
ATTENTION = f"W_Q = {TEXT['W']}\nW_K = {TEXT['A']}\nW_V = {TEXT['B']}\n"
NETWORK = f"W_1 = {TEXT['A']}\nW_2 = {TEXT['B']}\n"


def attend(rows):
    return Attention(rows * W, rows * A, rows * B)


@pytest.mark.parametrize(
    ("stack", "layer", "right"),
    [
        ("", NETWORK, Residual(X, FeedForward(LayerNorm(X), A, B, activation="gelu"))),
        ('order = "post"\nepsilon = 0.5', ATTENTION, LayerNorm(Residual(X, attend(X)), epsilon=0.5)),
        ('norm = "rms"', ATTENTION, Residual(X, attend(RMSNorm(X)))),
        ('norm = "none"\ndropout = 0.1', ATTENTION, Residual(X, Dropout(attend(X), 0.1))),
        (
            'norm = "none"\nactivation = "tanh"',
            ATTENTION + NETWORK,
            Residual(Residual(X, attend(X)), FeedForward(Residual(X, attend(X)), A, B, activation="tanh")),
        ),
        ('norm = "none"', NETWORK + f"W_3 = {TEXT['W']}", Residual(X, FeedForward(X, A, B, activation="silu", W_3=W))),
        (
            'norm = "none"',
            ATTENTION + f"W_G = {TEXT['A']}\nW_O = {TEXT['W']}",
            Residual(X, Hadamard(attend(X), Activation(X * A, "sigmoid")) * W),
        ),
        (
            'norm = "none"\npositions = "sinusoidal"',
            NETWORK + 'activation = "relu"',
            Residual(Residual(X, SinusoidalPositions(2, 2)), FeedForward(Residual(X, SinusoidalPositions(2, 2)), A, B)),
        ),
    ],
)
def test_every_kind_of_layer(stack, layer, right):
    sheet = parse_worksheet(f"[inputs]\nX = {TEXT['X']}\n[stack]\n{stack}\n[[layer]]\n{layer}")
    known = derive(right, {s.name: ROWS[s.name] for s in right.atoms(MatrixSymbol)}).steps[-1].evaluate(25)
    found = last(sheet)
    assert all(abs(found[i, j] - known[i, j]) < 1e-22 for i in range(2) for j in range(2))


def test_tied_logits_are_products_with_the_table():
    text = f'[inputs]\nE = {TEXT["A"]}\n[stack]\nids = [1, 0]\nlabels = [0, 0]\ntied = true\nnorm = "none"\n[[layer]]\n'
    d = derive((sheet := parse_worksheet(text + NETWORK)).expression, sheet.values)
    assert d["logits"].step.uses >= {MatrixSymbol("E", 2, 2)}
    assert d["probabilities"].shape == (2, 2)


def test_a_symbolic_stack_is_told_too():
    sheet = parse_worksheet(
        '[inputs]\nX = "n x d"\n[[layer]]\nW_Q = "d x d"\nW_K = "d x d"\nW_V = "d x d"\nW_1 = "d x f"\nW_2 = "f x d"'
    )
    page = derive(sheet.expression, sheet.values).to_markdown()
    assert "GELU" in page and "Residual connection" in page


def test_the_numbers_of_a_stack_can_be_stated_again():
    sheet = parse_worksheet(f'[inputs]\nX = {TEXT["X"]}\n[[layer]]\nname = "only"\n{NETWORK}b_1 = [1, 2]')
    template = open_numbers(sheet)
    assert len(template.numbers) == 4 + 4 + 4 + 2
    assert template.places["b_1^(only)"] == [[12, 13]]
    again = parse_worksheet("".join(a + b for a, b in zip(template.pieces, (*template.numbers, ""), strict=True)))
    assert again.expression == sheet.expression and again.values == sheet.values


HEAD = f"[inputs]\nX = {TEXT['X']}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + "[[layer]]\nheads = 2", "layer1"),
        (HEAD + f"[[layer]]\nW_1 = {TEXT['A']}", "W_2"),
        (HEAD + "[[layer]]\nW_1 = [[1, 2]]\nW_2 = [[1], [2]]", "the width of the rows is 2 but rows(W_1) is 1"),
        (HEAD + f"[[layer]]\nW_1 = {TEXT['A']}\nW_2 = [[1, 1]]", "is 2 but rows(W_2^(layer1)) is 1"),
        (HEAD + f"[[layer]]\n{NETWORK}gamma_2 = [1, 2, 3]", "the width of the rows is 2 but columns(gamma_2) is 3"),
        (HEAD + f'[[layer]]\n{NETWORK}activation = "gleu"', '"gleu" is not a known activation; write one of relu'),
        (HEAD + f"[[layer]]\n{NETWORK}epsilon = -1e-5", "-1/100000 is not a valid ε"),
        (HEAD + f"[[layer]]\n{NETWORK}dropout = 1", "1 is not a probability of dropout"),
        (HEAD + f'[[layer]]\n{NETWORK}norm = "batch"', "batch"),
        (HEAD + f'[[layer]]\n{NETWORK}norm = "rms"\nbeta_2 = [1, 1]', 'norm = "rms" has no beta_2'),
        (HEAD + f"[[layer]]\n{NETWORK}W_7 = 1", "W_7"),
        (HEAD + f"[stack]\nlabels = [0, 1]\n[[layer]]\n{NETWORK}", "W_U"),
        (
            HEAD + f"W_U = {TEXT['A']}\n[stack]\nlabels = [0, 2]\n[[layer]]\n{NETWORK}",
            "stack.labels: number 2, at position 2, is out of range",
        ),
        (HEAD + f"W_U = {TEXT['A']}\n[stack]\nlabels = [0]\n[[layer]]\n{NETWORK}", "is 2 but labels is 1"),
        (HEAD + f"W_U = [[1, 2]]\n[[layer]]\n{NETWORK}", "the width of the rows is 2 but rows(W_U) is 1"),
        (HEAD + f"P = [[1, 2]]\n[[layer]]\n{NETWORK}", "rows(P) is 1, but the positions need 2 rows"),
        (f"[inputs]\nE = {TEXT['A']}\n[stack]\nids = [0, 5]\n[[layer]]\n{NETWORK}", "number 5, at position 2"),
        (f"[inputs]\nE = {TEXT['A']}\n[[layer]]\n{NETWORK}", "ids"),
        (HEAD + f"[stack]\nids = [0]\n[[layer]]\n{NETWORK}", "ids"),
        (
            f'[inputs]\nX = [[1, 2, 3]]\n[stack]\npositions = "sinusoidal"\n[[layer]]\n{NETWORK}',
            "3 columns cannot hold sines and cosines",
        ),
        (HEAD + f'[[layer]]\nname = "a"\n{NETWORK}[[layer]]\nname = "a"\n{NETWORK}', "a"),
        (HEAD + f'[[layer]]\nname = "no name"\n{NETWORK}', "no name"),
        (HEAD + f"[[layer]]\n{NETWORK}[attention]\nheads = 2", "heads"),
        (HEAD + "layer = 3", "layer"),
        (HEAD + "[stack]\nids = [0]", "ids"),
    ],
)
def test_what_does_not_fit_is_said_in_one_line(text, said):
    with pytest.raises(SymattnError) as caught:
        parse_worksheet(text)
    line = str(caught.value)
    assert "\n" not in line and re.search(re.escape(said), line), line
