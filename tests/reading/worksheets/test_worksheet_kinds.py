"""Worksheets of every kind of attention: the keys of [attention], and what is refused with the key path."""

from __future__ import annotations

import pytest
from sympy import Integer, Rational

from symattn.errors import SymattnError
from symattn.nodes import (
    Alibi,
    BahdanauAttention,
    CausalMask,
    FiniteMask,
    HideMask,
    LinearAttention,
    LuongAttention,
    MultiHead,
    NormalisedRows,
    PaddingMask,
    RotaryEmbedding,
    alibi_slope,
)
from symattn.reading.worksheets.worksheet import parse_worksheet
from tests.samples import SMALL, derived

HEADS = """[inputs]
X = [[1, 2], [0, 1]]
W_Q = [[[1, 0], [0, 1]], [[1, 1], [0, 1]]]
W_K = [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]
W_V = [[[1], [0]], [[0], [1]]]
"""
SCORES = "W_S = [[1, 2], [0, 1]]\n"
SHEETS = {
    "rope": (SMALL + "[attention]\nrope = true\n", lambda e: isinstance(e.args[0], RotaryEmbedding)),
    "rope, stated": (
        SMALL + '[attention]\nrope = { base = 100, pairs = "halves", offset = 2 }\n',
        lambda e: e.args[1] == RotaryEmbedding(e.args[1].args[0], 100, "halves", 2),
    ),
    "qk_norm": (SMALL + '[attention]\nqk_norm = "rms"\n', lambda e: isinstance(e.args[0], NormalisedRows)),
    "sink": (SMALL + '[attention]\nsink = "1/2"\n', lambda e: e.options["sink"][0, 0] == Rational(1, 2)),
    "alibi": (SMALL + "[attention]\nalibi = true\n", lambda e: isinstance(e.options["bias"], Alibi)),
    "padding": (SMALL + "[attention]\nmask = { padding = 2 }\n", lambda e: e.options["mask"] == PaddingMask(2)),
    "padded keys": (
        SMALL + "[attention]\nmask = { padding = [3] }\n",
        lambda e: e.options["mask"] == PaddingMask(keys=[3]),
    ),
    "finite": (
        SMALL + '[attention]\nmask = { finite = -1e9, of = "causal" }\n',
        lambda e: e.options["mask"] == FiniteMask(CausalMask(), Integer(-(10**9))),
    ),
    "hidden": (
        SMALL + "[attention]\nmask = { hidden = [[0, 0, 1], [0, 1, 0], [1, 0, 0]] }\n",
        lambda e: isinstance(e.options["mask"], HideMask),
    ),
    "empty row": (
        SMALL + '[attention]\nmask = { causal = -1 }\nempty_row = "zero"\n',
        lambda e: str(e.options["empty_row"]) == "zero",
    ),
    "linear": (SMALL + '[attention]\nkind = "linear"\n', lambda e: isinstance(e, LinearAttention) and not e.causal),
    "linear, causal": (SMALL + '[attention]\nkind = "linear"\nmask = "causal"\n', lambda e: e.causal),
    "luong": (SMALL + SCORES + '[attention]\nkind = "luong"\n', lambda e: isinstance(e, LuongAttention)),
    "bahdanau": (
        SMALL + SCORES + 'U_S = [[1, 0], [1, 1]]\nv_S = [[1], [2]]\n[attention]\nkind = "bahdanau"\n',
        lambda e: isinstance(e, BahdanauAttention),
    ),
    "heads": (
        HEADS + "[attention]\nalibi = true\nsink = [0, 1]\nqk_norm = true\nrope = true\n",
        lambda e: isinstance(e, MultiHead) and e.bias.args[2] == alibi_slope(2) and e.sink.shape == (1, 2),
    ),
    "scores, sink": (
        "[inputs]\nscores = [[1, 2]]\n[attention]\nscale = 1\nsink = 0\n",
        lambda e: type(e).__name__ == "SinkSoftmax",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SHEETS)
def test_keys_say_what_the_constructors_say(name: str) -> None:
    text, holds = SHEETS[name]
    assert holds(parse_worksheet(text).expression)
    derivation = derived(text)
    for page in (derivation.to_latex(), derivation.to_text(), derivation.to_markdown(language="zh")):
        assert page


REFUSED = {
    "rope = 3": r"attention\.rope: write rope = true",
    'rope = { pairs = "both" }': r'attention\.rope: .*"interleaved".*"halves"',
    'rope = { width = "2" }': r"attention\.rope\.width: width must be a whole number",
    'rope = { positions = [[1]], sections = ["1"] }': r"attention\.rope\.sections: sections must be a whole number",
    "rope = { positions = [[1]], sections = [[1]] }": r"attention\.rope\.sections: sections must be a whole number",
    "rope = { sections = [1, 1] }": r"attention\.rope: sections need a matrix of positions",
    'relative = { table = [[0], [0]], distance = "x" }': r"^attention\.relative\.distance: distance must be",
    'qk_norm = "l3"': r"attention\.qk_norm: .*l2, rms, layer",
    'sink = "a"': r"attention\.sink: ",
    "sink = [0, 1]": r"attention\.sink: ",
    "alibi = 1": r"attention\.alibi: ",
    "alibi = true\nbias = [[0, 0, 0]]": r"attention\.bias: bias cannot be given together with alibi",
    "mask = { padding = 9 }": r"masked: the padding refers to key 9, but there are 3",
    "mask = { padding = [0] }": r"attention\.mask\.padding: ",
    'mask = { finite = 1, of = "causal" }': r"below 0",
    'mask = { finite = -1, of = "none" }': r"not a mask",
    "mask = { hidden = [[0, 2]] }": r"rows\(mask\)|0 and 1",
    'mask = { true = "masked" }': r"attention\.mask: unknown mask",
    'empty_row = "skip"': r"attention\.empty_row: .*uniform",
    'kind = "cosine"': r"attention\.kind: .*softmax, linear, luong, bahdanau",
    'kind = "luong"': r"W_S is missing",
    'kind = "linear"\nsink = 0': r"attention\.sink: linear attention has no option sink",
    'kind = "linear"\nmask = { window = [1, 0] }': r'attention\.mask: linear attention supports no mask but "causal"',
}


@pytest.mark.parametrize("table", REFUSED)
def test_what_is_no_choice_is_refused_with_its_key(table: str) -> None:
    with pytest.raises(SymattnError, match=REFUSED[table]):
        derived(SMALL + f"[attention]\n{table}\n")["output"].exact  # noqa: B018


def test_an_odd_width_is_not_turned() -> None:
    with pytest.raises(SymattnError, match="3 columns cannot be rotated in pairs"):
        derived("[inputs]\nQ = [[1, 2, 3]]\nK = [[1, 2, 3]]\nV = [[1]]\n[attention]\nrope = true\n")["output"].exact  # noqa: B018


def test_the_usual_feature_map_may_be_named():
    text = "[inputs]\nQ = [[1]]\nK = [[1]]\nV = [[1]]\n[attention]\nkind = 'linear'\n"
    assert parse_worksheet(text + "feature = 'elu(z) + 1'\n").expression == parse_worksheet(text).expression
