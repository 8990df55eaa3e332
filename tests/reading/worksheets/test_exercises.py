"""Exercises can be done by hand as stated, and their keys are right: worked out again by fractions and mpmath."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

from symattn.api.exercise import make_exercise
from symattn.errors import InputError
from symattn.reading.worksheets.draws import Draws
from symattn.reading.worksheets.exercises import Task, draw_exercise

pytestmark = pytest.mark.slow

KINDS: list[dict[str, Any]] = [
    {},
    {"mask": "causal"},
    {"heads": 2},
    {"given": "Q", "tokens": 4},
    {"width": 9, "tokens": 2},
    {"width": 1, "heads": 3, "mask": "causal"},
    {"tokens": 1},
    {"tokens": 8, "heads": 4, "width": 9},
]
Rows = list[list[Any]]
ROOT = Path(__file__).parents[3]


def product(A: Rows, B: Rows) -> Rows:
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*B, strict=True)] for row in A]


def attention(Q: Rows, K: Rows, V: Rows, causal: bool) -> dict[str, Rows]:
    """The steps of one head; scores as fractions, weights by mpmath."""
    root = {1: 1, 4: 2, 9: 3}[len(Q[0])]
    found: dict[str, Rows] = {"Q": Q, "K": K, "V": V, "scores": product(Q, [list(c) for c in zip(*K, strict=True)])}
    found["scaled"] = [[Fraction(x, root) for x in row] for row in found["scores"]]
    seen = found["scaled"]
    if causal:
        seen = found["masked"] = [[x if j <= i else None for j, x in enumerate(row)] for i, row in enumerate(seen)]
    powers = [[0 if x is None else mpmath.exp(mpmath.mpf(x.numerator) / x.denominator) for x in row] for row in seen]
    found["weights"] = [[x / sum(row) for x in row] for row in powers]
    found["output"] = product(found["weights"], V)
    return found


def solve(sheet: dict[str, Any]) -> dict[str, Rows]:
    """All steps of a worksheet, by their names."""
    given, causal = sheet["inputs"], sheet.get("attention", {}).get("mask") == "causal"
    if "Q" in given:
        found = attention(given["Q"], given["K"], given["V"], causal)
        return {name: rows for name, rows in found.items() if name not in "QKV"}
    each = [given[name] if "W_O" in given else [given[name]] for name in ("W_Q", "W_K", "W_V")]
    heads = [attention(*(product(given["X"], W) for W in of_head), causal) for of_head in zip(*each, strict=True)]
    if "W_O" not in given:
        return heads[0]
    found = {f"head_{k}.{name}": rows for k, head in enumerate(heads, 1) for name, rows in head.items()}
    found["concat"] = [[x for row in rows for x in row] for rows in zip(*(h["output"] for h in heads), strict=True)]
    return found | {"projection": product(found["concat"], given["W_O"])}


def require_key(sheet: dict[str, Any]) -> None:
    """Every claim of a key is the value, exactly or to three places; all is as the sheet says."""
    claims: dict[str, Any] = {}
    for name, rows in sheet["claims"].items():
        claims |= {f"{name}.{step}": inner for step, inner in rows.items()} if isinstance(rows, dict) else {name: rows}
    with mpmath.workdps(40):
        right = solve(sheet)
        assert claims.keys() == right.keys()
        for name, rows in right.items():
            for shown, row in zip(claims[name], rows, strict=True):
                for text, x in zip(shown, row, strict=True):
                    if x is None:
                        assert text == "-inf"
                        continue
                    value = mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpmath.mpf(x)
                    assert abs(mpmath.mpf(text) - value) <= mpmath.mpf("0.0005"), (name, text)
                    if isinstance(x, int):
                        assert text == str(x)
            if name.endswith("scores"):
                assert all(isinstance(x, int) for row in rows for x in row)
            if name.endswith("weights"):
                seen = [[x for x in row if x != 0] for row in rows]
                assert all(max(row) < 0.95 for row in seen if len(row) > 1)


@pytest.mark.parametrize("asked", KINDS, ids=str)
@pytest.mark.parametrize("seed", [0, 7])
def test_a_key_is_right(asked: dict[str, Any], seed: int) -> None:
    require_key(tomllib.loads(make_exercise(seed, **asked).to_worksheet(key=True)))


def test_seeds_differ_and_repeat() -> None:
    sheets = [make_exercise(seed).to_worksheet() for seed in range(20)]
    assert len({sheet.partition("[inputs]")[2] for sheet in sheets}) == 20
    assert [make_exercise(seed).to_worksheet() for seed in range(20)] == sheets


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({}, ("X", "Q", "K", "V", "weights")),
        ({"width": 1}, ("X", "Q", "K", "V", "weights")),
        ({"given": "Q", "width": 1}, ("Q", "K", "V", "weights")),
        ({"tokens": 6, "width": 1}, ("X",)),
        ({"tokens": 8}, ("X", "Q", "K", "V", "weights")),
    ],
)
def test_no_two_rows_are_alike(asked: dict[str, Any], names: tuple[str, ...]) -> None:
    for seed in range(60 if len(asked) < 2 else 10):
        sheet = make_exercise(seed, **asked).tables
        for name in names:
            rows = {**solve(sheet), **sheet["inputs"]}[name]
            assert len({tuple(mpmath.nstr(x, 10) for x in row) for row in rows}) == len(rows), (seed, name)


def test_a_seed_gives_the_same_numbers_in_another_process() -> None:
    code = "from symattn.reading.worksheets.exercises import *; print(draw_exercise(Task(5, heads=2)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert ran.stdout.strip() == str(draw_exercise(Task(5, heads=2)))


def test_the_generator_is_splitmix64() -> None:
    """The published first numbers of seed 1234567."""
    draws = Draws(1234567)
    assert [draws.next() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_heads_need_projections() -> None:
    with pytest.raises(InputError, match="2 heads need X"):
        make_exercise(1, heads=2, given="Q").to_worksheet()
