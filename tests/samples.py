"""Worksheets of every kind that the tests of writers, reports and engines share, by name."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from symattn.api.derivation import Derivation, derive
from symattn.api.proof import Proof, prove
from symattn.reading.worksheets import library
from symattn.reading.worksheets.worksheet import parse_worksheet

# every special character of LaTeX, Markdown and TOML's own text
AWKWARD = "50% & _x_ #1 $y$ {z} \\ ~ ^ <b> | * [a](b) `c`"


def square(size: int, *, of: int = 7) -> list[list[int]]:
    """Integers that are neither symmetric nor constant."""
    return [[(3 * i + 5 * j + i * j) % of - of // 2 for j in range(size)] for i in range(size)]


def qkv(size: int) -> str:
    """A worksheet of so many tokens and so wide vectors."""
    rows = json.dumps(square(size))
    return f"[inputs]\nQ = {rows}\nK = {rows}\nV = {rows}\n"


SMALL = "[inputs]\nQ = [[1, 2], [3, -1], [0, 1]]\nK = [[2, 0], [1, 1], [-1, 2]]\nV = [[1, 0], [0, 1], [2, 3]]\n"
PROJECTED = (
    "[inputs]\nX = [[1, 0, 2], [0, 1, -1]]\nW_Q = [[1, 0], [0, 1], [1, 1]]\nW_K = [[0, 1], [1, 0], [1, 1]]\n"
    "W_V = [[1, 2], [0, 1], [1, 0]]\n"
)

SHEETS: dict[str, str] = {
    "decimals": '[inputs]\nQ = [[0.5, "0.10"], [-0.25, 3]]\nK = [[1.5, 2], [0.125, -1]]\nV = [[0.1, 1], [2.75, 0]]\n',
    "fractions": '[inputs]\nQ = [["1/3", "-2/7"]]\nK = [["5/2", "1/9"], ["1/6", "-3"]]\nV = [["1/2"], ["-1/4"]]\n',
    "surds": '[inputs]\nQ = [["sqrt(2)", "1+sqrt(3)"]]\nK = [["sqrt(5)/2", 1], [0, "-sqrt(3)"]]\n'
    'V = [["sqrt(2)"], ["1-sqrt(5)"]]\n',
    "causal": SMALL + '[attention]\nmask = "causal"\n',
    "causal offset": SMALL + "[attention]\nmask = { causal = 1 }\n",
    "window": SMALL + "[attention]\nmask = { window = [1, 0] }\n",
    "matrix mask": SMALL + "[attention]\nmask = [[1, 0, 1], [0, 1, 1], [1, 1, 1]]\n",
    "several masks": SMALL + '[attention]\nmask = ["causal", { window = [1, 2] }, [[1, 1, 0], [1, 1, 1], [0, 1, 1]]]\n',
    "bias": SMALL + '[attention]\nbias = [[0, "-inf", 1], ["1/2", 0, -1], [0, 0, 0]]\n',
    "bias and mask": SMALL + '[attention]\nmask = "causal"\nbias = [[0, 0, 1], ["1/2", 0, -1], [0, "-inf", 0]]\n',
    "softcap": SMALL.replace("[2, 3]]", "[2, 4]]").replace("V = [[1, 0]", "V = [[3, 0]") + "[attention]\nsoftcap = 5\n",
    "softcap, bias and mask": SMALL
    + '[attention]\nsoftcap = "5/2"\nmask = "causal"\nbias = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]\n',
    "scale as a number": SMALL + '[attention]\nscale = "1/8"\n',
    "scale as a root": SMALL + '[attention]\nscale = "1/sqrt(7)"\n',
    "scale one": SMALL + "[attention]\nscale = 1\n",
    "biases of projections": PROJECTED + "b_Q = [1, -1]\nb_K = [0, 2]\nb_V = [1, 1]\n",
    "output projection": PROJECTED + "W_O = [[1, 0, 2], [0, -1, 1]]\nb_O = [1, 0, 0]\n",
    "cross-attention": PROJECTED.replace("W_Q", "Z = [[1, 1, 1], [2, 0, 1], [0, -1, 3]]\nW_Q", 1),
    "scores": '[inputs]\nscores = [[10, 58], [58, 234]]\nV = [[1, 2], [3, 4]]\n[attention]\nscale = "1/sqrt(2)"\n',
    "scores alone": "[inputs]\nscores = [[1, 2], [3, 4]]\n[attention]\nscale = 1\n",
    "scaled": "[inputs]\nscaled = [[1, 2], [3, 4]]\nV = [[1], [0]]\n",
    "scaled alone": '[inputs]\nscaled = [[0, "-1/2", 2.5]]\n',
    "one by one": "[inputs]\nQ = [[2]]\nK = [[3]]\nV = [[-4]]\n",
    "awkward words": f"title = {json.dumps(AWKWARD)}\ntokens = {json.dumps([AWKWARD, '的', 'C'])}\n" + SMALL,
    "negative scores": "[inputs]\nQ = [[-1, -2]]\nK = [[3, 4], [5, 6]]\nV = [[-1], [-2]]\n",
    "tokens": 'title = "Three"\ntokens = ["The", "cat", "sat"]\n' + SMALL,
    "by token": 'tokens = ["a", "b", "c"]\n' + SMALL + '[show]\nlevel = "token"\ndiagram = true\n',
    "by token, masked": SMALL + '[attention]\nmask = "causal"\n[show]\nlevel = "token"\ndiagram = true\n',
    "by token, everything": PROJECTED
    + "W_O = [[1, 0, 2], [0, -1, 1]]\nb_Q = [1, -1]\nb_O = [1, 0, 0]\n"
    + '[attention]\nmask = "causal"\nsoftcap = 3\n[show]\nlevel = "token"\ndiagram = true\n',
    "symbolic": '[inputs]\nQ = "n x d_k"\nK = "m x d_k"\nV = "m x d_v"\n[attention]\nmask = "causal"\nsoftcap = 30\n',
    "symbolic, projected": '[inputs]\nX = "n x d_model"\nW_Q = "d_model x d_k"\nW_K = "d_model x d_k"\n'
    'W_V = "d_model x d_v"\nW_O = "d_v x d_model"\nb_Q = "1 x d_k"\n[show]\ndiagram = true\n',
    "symbolic, by token": '[inputs]\nQ = "n x d_k"\nK = "m x d_k"\nV = "m x d_v"\n[show]\nlevel = "token"\n',
    "symbolic, shapes and costs": '[inputs]\nX = "n x d_model"\nZ = "m x d_model"\nW_Q = "d_model x d_k"\n'
    'W_K = "d_model x d_k"\nW_V = "d_model x d_v"\nW_O = "d_v x d_model"\nb_Q = "1 x d_k"\n'
    '[attention]\nheads = "h"\nkv_heads = "g"\n[show]\nshapes = true\ncosts = true\n'
    'batch = "b"\nsizes = { h = 8, g = 2, d_k = "d_model/h" }\n',
    "symbolic, from scores": '[inputs]\nscores = "n x m"\nV = "m x d_v"\n[attention]\nscale = "1/8"\n',
}

# the kinds of attention beyond the plain one, as the engines and writers see them
SHEETS |= {
    "rotary": SMALL + '[attention]\nrope = { base = 100, pairs = "halves", offset = 1 }\n',
    "rows of one length": SMALL + '[attention]\nqk_norm = "rms"\n',
    "sink": SMALL + '[attention]\nsink = "1/2"\nmask = "causal"\n',
    "finite mask": SMALL + '[attention]\nmask = [{ finite = -1e9, of = "causal" }, { padding = [2] }]\n',
    "true hides": SMALL + "[attention]\nmask = { hidden = [[0, 0, 1], [0, 1, 0], [1, 1, 0]] }\n",
    "empty row, zero": SMALL + '[attention]\nmask = { causal = -1 }\nempty_row = "zero"\n',
    "empty row, nan": SMALL + '[attention]\nmask = { causal = -1 }\nempty_row = "nan"\n',
    "linear, causal": SMALL + '[attention]\nkind = "linear"\nmask = "causal"\n',
    "bahdanau": SMALL + "W_S = [[1, 2], [0, 1]]\nU_S = [[1, 0], [1, 1]]\nv_S = [[1], [2]]\n"
    '[attention]\nkind = "bahdanau"\n',
    "heads of every kind": """[inputs]
X = [[1, 2], [0, 1]]
W_Q = [[[1, 0], [0, 1]], [[1, 1], [0, 1]]]
W_K = [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]
W_V = [[[1], [0]], [[0], [1]]]
[attention]
alibi = true
sink = [0, 1]
qk_norm = true
rope = true
""",
    "symbolic, heads of every kind": """[inputs]
X = "n x d_model"
W_Q = "d_model x d_k"
W_K = "d_model x d_k"
W_V = "d_model x d_v"
[attention]
heads = "h"
alibi = true
qk_norm = "l2"
rope = true
""",
}

LARGE: dict[str, str] = {"12 by 12": qkv(12), "40 by 40": qkv(40)}


def derived(text: str, detail: str = "brief") -> Derivation:
    """What the command line derives from a worksheet's text."""
    sheet = parse_worksheet(text)
    options: dict[str, Any] = {**sheet.show, "notation": sheet.notation}
    return derive(sheet.expression, sheet.values, detail=detail, title=sheet.title, tokens=sheet.tokens, **options)


def text_of(name: str) -> str:
    """A sample, or a worksheet that ships."""
    own = {**SHEETS, **LARGE}.get(name)
    return Path(library.find(name) or name).read_text(encoding="utf-8") if own is None else own


@cache
def sample(name: str, detail: str = "brief", level: str = "") -> Derivation:
    """The derivation of a sample or of a worksheet that ships, made once; at a level of its own or the one given."""
    text = text_of(name)
    return derived(f'{text.partition("[show]")[0]}\n[show]\nlevel = "{level}"\n' if level else text, detail)


@cache
def proven(name: str) -> Proof:
    """A theorem that ships, checked once."""
    return prove(name)


@cache
def page(name: str, target: str, language: str = "en", detail: str = "brief", level: str = "") -> str:
    """A page of `sample`, written once."""
    return sample(name, detail, level).to(target, language=language)
