"""The JavaScript of pages whose inputs can be changed, run by quickjs, against the values themselves."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
import sympy
from sympy import MatrixSymbol

import symattn.writing.writers.html as pages
from symattn.api.derivation import Derivation, derive
from symattn.lowering.javascript import write_javascript
from symattn.nodes import (
    Attention,
    BahdanauAttention,
    CausalMask,
    KeepMask,
    LinearAttention,
    LuongAttention,
    OnlineAttention,
    ScoreMod,
    Softmax,
    TopKMask,
    Weighting,
)
from tests.lowering.test_layers import CASES, given_for
from tests.samples import SHEETS, derived

pytestmark = pytest.mark.slow

quickjs = pytest.importorskip("quickjs")
PROGRAM = (Path(pages.__file__).parent / "page" / "recompute.js").read_text(encoding="utf-8")
Q, K, V = (MatrixSymbol(x, 3, 2) for x in "QKV")
ROWS = {Q: [[1, 2], [0, -1], ["1/2", 3]], K: [[1, 0], [2, 1], [-1, 1]], V: [[1, 0], [0, 2], [3, -1]]}
z, i, j = sympy.symbols("z i j")


def check(d: Derivation) -> frozenset[str]:
    """Every step in doubles against its nearest doubles; what cannot change."""
    script = write_javascript(d.program, d.given, d.sizes)
    x = [[[float(v) for v in row] for row in d.given[s]] for s in d.program.inputs]
    context = quickjs.Context()
    context.eval(f"{PROGRAM}\nconst compute = (x) => {{ {script.text} }};")
    found = json.loads(
        context.eval(f"JSON.stringify(compute({json.dumps(x)}).map(a => a.map(row => row.map(String))))")
    )
    for step, rows in zip(d.steps, found, strict=True):
        for row, nearest in zip(rows, d.values.nearest(step.name, 17), strict=True):
            for shown, y in zip(row, nearest, strict=True):
                if y is None or not y.is_finite():
                    assert shown == ("-Infinity" if y is None else "NaN"), step.name
                else:
                    assert math.isclose(float(shown), float(y), rel_tol=1e-12, abs_tol=1e-12), step.name
    return script.fixed


@pytest.mark.parametrize("name", [name for name, text in SHEETS.items() if '"n x' not in text])
def test_worksheets_of_every_kind(name: str) -> None:
    d = derived(SHEETS[name])
    if not d.symbolic:
        assert check(d) == frozenset()


@pytest.mark.parametrize(
    "node",
    [
        LinearAttention(Q, K, V, causal=True),
        LuongAttention(Q, K, V, sympy.Matrix([[1, 2], [0, 1]])),
        BahdanauAttention(Q, K, V, *(sympy.Matrix(x) for x in ([[1, 0], [1, 1]], [[2, 0], [0, 1]], [[1], [-1]]))),
        OnlineAttention(Q, K, V, block=1),
        Attention(Q, K, V, sink=1, softcap=3),
        Attention(Q, K, V, weighting="sparsemax", mask=CausalMask()),
        Attention(Q, K, V, weighting="entmax-1.5"),
        Attention(Q, K, V, mask=TopKMask(2)),
        Attention(Q, K, V, weighting=Weighting("sigmoid", -sympy.log(3))),
        Softmax(ScoreMod(Q * K.T, sympy.Piecewise((z - sympy.Mod(i + j, 2), i >= j), (-sympy.oo, True)))) * V,
    ],
    ids=str,
)
def test_nodes_that_python_states(node: Any) -> None:
    check(derive(node, ROWS))


@pytest.mark.parametrize("name", CASES)
def test_layers(name: str) -> None:
    assert check(derive(CASES[name], given_for(CASES[name]))) == frozenset()


def test_what_a_mask_is_read_from_cannot_change() -> None:
    M = MatrixSymbol("M", 3, 3)
    rows = {**ROWS, M: [[1, 0, 1], [1, 1, 0], [0, 1, 1]]}
    assert check(derive(Attention(Q, K, V, mask=KeepMask(M)), rows)) == {"M"}
