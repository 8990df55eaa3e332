"""The axes of every array, held against NumPy running the article's code, and the article's own table."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from sympy import Integer, MatrixSymbol, symbols

from symattn import Attention, CausalMask, KeepMask, MultiHead, derive
from symattn.api.derivation import Derivation
from symattn.errors import InputError
from symattn.reading.worksheets import library
from symattn.reading.worksheets.worksheet import parse_worksheet, read_worksheet
from tests.samples import sample

n, m, D, d, h = symbols("n m d_model d_k h", integer=True, positive=True)
b = symbols("b", integer=True, positive=True)
Q, K, V = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, d)


def shipped() -> Derivation:
    path = library.find("shapes")
    assert path is not None
    sheet = read_worksheet(path)
    return derive(sheet.expression, **sheet.show)


# 4 sentences of 16 tokens, d_model = 512, 4 heads. The article prints d_key as 128 in its formulas and as 512 in its
# table; each row names the array that has the shape.
ARTICLE = [
    ("X", (4, 16, 512)),
    ("W_Q", (512, 512)),
    ("head_i.Q, wide", (4, 16, 512)),
    ("head_i.K, wide", (4, 16, 512)),
    ("head_i.V, wide", (4, 16, 512)),
    ("head_i.Q", (4, 4, 16, 128)),
    ("K^(i), transposed", (4, 4, 128, 16)),
    ("head_i.scores", (4, 4, 16, 16)),
    ("head_i.scaled", (4, 4, 16, 16)),
    ("head_i.masked", (4, 4, 16, 16)),
    ("head_i.weights", (4, 4, 16, 16)),
    ("head_i.V", (4, 4, 16, 128)),
    ("head_i.output", (4, 4, 16, 128)),
    ("concat", (4, 16, 512)),
    ("projection", (4, 16, 512)),
]


@pytest.mark.parametrize(("name", "shape"), ARTICLE, ids=lambda x: x if isinstance(x, str) else "")
def test_the_table_of_the_article(name: str, shape: tuple[int, ...]) -> None:
    assert shipped().shapes()[name] == shape


def by_numpy(batch: int, tokens: int, width: int, heads: int) -> dict[str, tuple[int, ...]]:
    """The shapes that the usual code has, step by step."""
    X, W = np.zeros((batch, tokens, width)), np.zeros((width, width))
    wide = X @ W
    split = wide.reshape(batch, tokens, heads, width // heads)
    head = split.transpose(0, 2, 1, 3)
    turned = head.swapaxes(-2, -1)
    scores = head @ turned
    output = scores @ head
    merged = output.transpose(0, 2, 1, 3)
    joined = merged.reshape(batch, tokens, width)
    arrays = {
        "X": X, "W_K": W, "head_i.K, wide": wide, "head_i.K, split": split, "head_i.K": head, "head_i.scores": scores,
        "K^(i), transposed": turned, "head_i.weights": scores, "head_i.output": output, "concat, merged": merged,
        "concat": joined, "projection": joined @ W,
    }  # fmt: skip
    return {name: array.shape for name, array in arrays.items()}


@pytest.mark.parametrize(("batch", "tokens", "width", "heads"), [(4, 16, 512, 4), (2, 3, 12, 6), (3, 5, 4, 2)])
def test_shapes_are_those_of_the_code(batch: int, tokens: int, width: int, heads: int) -> None:
    found = shipped().shapes(batch, {"n": tokens, "d_model": width, "h": heads, "d_k": "d_model/h"})
    for name, shape in by_numpy(batch, tokens, width, heads).items():
        assert found[name] == shape, name


def test_axes_in_symbols() -> None:
    shapes = shipped().shapes("b", {})
    assert shapes["head_i.Q, wide"] == (b, n, h * d)
    assert shapes["head_i.Q, split"] == (b, n, h, d)
    assert shapes["head_i.scores"] == (b, h, n, n)
    assert shapes["W_O"] == (h * d, D)
    assert "head_i.scores" in str(shapes) and "[b, h, n, n]" in str(shapes)
    with pytest.raises(KeyError):
        shapes["head_1.scores"]


def test_shared_keys_have_their_own_heads() -> None:
    wide, narrow = MatrixSymbol("W", D, h * d), MatrixSymbol("W_1", D, d)
    shapes = derive(MultiHead(MatrixSymbol("X", n, D), heads=h, kv_heads=1, W_Q=wide, W_K=narrow, W_V=narrow)).shapes(4)
    assert shapes["K"] == (4, n, d) and shapes["head_i.scores"] == (4, h, n, n)
    groups = derive(MultiHead(MatrixSymbol("X", 5, 8), heads=4, kv_heads=2, W_Q=MatrixSymbol("A", 8, 8),
                              W_K=MatrixSymbol("B", 8, 4), W_V=MatrixSymbol("C", 8, 4))).shapes(4)  # fmt: skip
    assert groups["kv_head_j.K"] == (4, 2, 5, 2) and groups["K^(j), transposed"] == (4, 2, 2, 5)
    assert groups["A"] == (8, 8)  # a parameter by what is done with it, not by its name


def test_masks_and_biases_are_shared_and_parameters_alone_have_no_batch() -> None:
    B, M = MatrixSymbol("B", n, m), MatrixSymbol("M", n, m)
    shapes = derive(Attention(Q, K, V, mask=KeepMask(M), bias=B)).shapes("b")
    assert shapes["B"] == shapes["M"] == (n, m) and shapes["masked"] == (b, n, m)
    W = MatrixSymbol("W_Q", D, d), MatrixSymbol("W_K", D, d)
    X = MatrixSymbol("X", n, D)
    absorbed = derive(Attention(W[0] * W[1].T, X, X)).shapes("b")
    assert absorbed["Q"] == (D, D) and absorbed["scores"] == (b, D, n)


def test_values_give_the_numbers() -> None:
    derivation = sample("output projection")
    found = derivation.shapes(7)
    for step in derivation:
        assert found[step.name] == (7, *np.array(step.exact.tolist()).shape)


SIZES_REFUSED: list[tuple[Any, Any, str]] = [
    (None, {"x": 1}, "not a size here; the sizes are d_k, m, n"),
    (None, {"n": 0}, "sizes.n"),
    (None, {"n": 1.5}, "whole number"),
    (None, {"n": True}, "whole number"),
    (None, {"n": 10**15}, "whole number"),
    (None, {"n": "__import__('os')"}, "whole number"),
    (None, {"n": "sqrt(m)"}, "whole number"),
    (None, {"n": "m", "m": "n"}, "has a formula itself"),
    (None, {"n": 3, "m": "n/2"}, "3/2"),
    (0, {}, "batch"),
    (2.5, {}, "batch"),
    (True, {}, "batch"),
    ("n", {}, "no other size"),
    ("a b", {}, "batch"),
    ("_" * 5, {}, "batch"),
]


@pytest.mark.parametrize(("batch", "sizes", "words"), SIZES_REFUSED, ids=range(len(SIZES_REFUSED)))
def test_what_is_no_size_is_refused(batch: Any, sizes: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        derive(Attention(Q, K, V), batch=batch, sizes=sizes)


def test_stated_sizes_agree_with_the_values() -> None:
    values = {Q: [[1, 2]], K: [[1, 2]], V: [[3, 4]]}
    with pytest.raises(InputError, match=r"sizes\.n: n is 1 already"):
        derive(Attention(Q, K, V), values, sizes={"n": 2})
    assert derive(Attention(Q, K, V), values, sizes={"n": 1}).shapes(2)["Q"] == (2, 1, 2)


@pytest.mark.parametrize(
    ("show", "place"),
    [
        ("batch = 0", "show.batch"),
        ("shapes = 1", "show.shapes"),
        ("sizes = 3", "show.sizes"),
        ("sizes = { q = 3 }", "show.sizes.q"),
        ('sizes = { n = "2 +" }', "show.sizes.n"),
    ],
)
def test_a_worksheet_says_where(show: str, place: str) -> None:
    with pytest.raises(InputError) as refusal:
        parse_worksheet(f'[inputs]\nQ = "n x d_k"\nK = "m x d_k"\nV = "m x d_v"\n[show]\n{show}\n')
    assert refusal.value.place == place


def test_pages_have_the_tables() -> None:
    sheet = '[inputs]\nQ = "n x d_k"\nK = "n x d_k"\nV = "n x d_k"\n[attention]\nmask = "causal"\n'
    read = parse_worksheet(sheet + '[show]\nshapes = true\ncosts = true\nbatch = "b"\nsizes = { n = 8 }\n')
    derivation = derive(read.expression, **read.show)
    text, page, latex = derivation.to_text(), derivation.to_markdown(), derivation.to_latex()
    assert re.search(r"S = Q Kᵀ +\[b, n, n] +\[b, 8, 8]\n", text)
    assert r"| $S = Q K^{\top}$ | $[b,\; n,\; n]$ | $[b,\; 8,\; 8]$ |" in page
    latex = re.sub(r"\{\\textcolor\{\w+\}\{(\w+)\}\}", r"\1", latex)
    assert r"$S = Q K^{\top}$ & $[b,\; n,\; n]$ & $[b,\; 8,\; 8]$ \\" in latex
    assert "the mask keeps n (n + 1)/2 = 36" in " ".join(text.split())
    assert "形状" in derivation.to_text(language="zh")
    alone = derivation.to_text(step="scores")
    assert "Shapes" not in alone and "Costs" not in alone
    plain = derive(Attention(Q, K, V, mask=CausalMask()))
    assert "Shapes" not in plain.to_text() and plain.shapes()["scores"] == (n, m)
    assert plain.shapes(Integer(2))["scores"] == (2, n, m)
