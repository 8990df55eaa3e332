"""What the sections that compare say is true: by enumeration, by NumPy, and in both languages."""

from __future__ import annotations

import itertools
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from sympy import MatrixSymbol

from symattn import Attention, CausalMask, FiniteMask, LinearAttention, MultiHead, OnlineAttention, derive
from symattn.errors import InputError
from symattn.nodes import Part
from symattn.pages.studies import STUDIES
from symattn.reading.worksheets.keys import STUDIES as NAMES
from tests.samples import derived

Q, K, V, B = (MatrixSymbol(x, 2, 2) for x in "QKVB")
SCORES = "[inputs]\nscaled = [[1, -1], [2, 2]]\n"


def page(study: str, sheet: str = SCORES, **options: Any) -> str:
    return derived(sheet + f'[show]\nstudy = "{study}"\n').to_text(**options)


def section(text: str) -> list[str]:
    """The lines of the last tables, from the first line under a header on."""
    lines = text.splitlines()
    return lines[next(i for i, line in enumerate(lines) if line.startswith("---  ") or "  ---" in line) :]


def test_a_worksheet_may_name_every_study() -> None:
    assert set(NAMES) == set(STUDIES)


@pytest.mark.parametrize("study", [s for s in STUDIES if s not in ("finite-mask", "cached-row", "positions")])
def test_in_chinese(study: str) -> None:
    text = page(study, language="zh")
    assert len(re.findall(r"[一-鿿]", text)) > 150


def moments(width: int, q: dict[Fraction, Fraction], k: dict[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """Mean and variance of q·k, all components independent, by going through every case."""
    mean = square = Fraction(0)
    for case in itertools.product(q, repeat=width):
        for other in itertools.product(k, repeat=width):
            chance = Fraction(1)
            for x, y in zip(case, other, strict=True):
                chance *= q[x] * k[y]
            product = sum(x * y for x, y in zip(case, other, strict=True))
            mean, square = mean + chance * product, square + chance * product * product
    return mean, square - mean * mean


def test_the_variance_is_the_width_under_the_assumptions_and_what_is_said_without_them() -> None:
    half, third = Fraction(1, 2), Fraction(1, 3)
    signs = {Fraction(-1): half, Fraction(1): half}
    skewed = {Fraction(2): third / 2, Fraction(-1): third, Fraction(0): half}  # mean 0, variance 1
    for width in (1, 2, 3):
        assert moments(width, signs, signs) == (0, width)
        assert moments(width, signs, skewed) == (0, width)
    shifted = {Fraction(3): third, Fraction(0): 1 - third}  # mean 1, variance 2
    mean, variance = moments(2, shifted, shifted)
    assert (mean, variance) == (2 * 1 * 1, 2 * (2 * 2 + 2 * 1 + 2 * 1))


def test_the_scale_table() -> None:
    found = [line.strip() for line in section(page("scaling"))]
    lines = [line.split("  ") for line in found if re.match(r"(1|4|16|64|256|1024) ", line)]
    assert [line[0].strip() for line in lines] == ["1", "4", "16", "64", "256", "1024"]
    for line in lines:
        d, gap, rest = (x.strip() for x in [x for x in line if x.strip()][:3])
        assert float(gap) == 2 * float(d) ** 0.5
        mantissa, _, power = rest.partition(" × 10")
        ten = int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")) or 0)
        assert float(mantissa) * 10.0**ten == pytest.approx(1 / (1 + np.exp(float(gap))), rel=5e-3)


def test_the_temperature_table() -> None:
    text = page("temperature", "[inputs]\nscaled = [[3, 1, 0]]\n")
    for line in text.splitlines():
        if found := re.match(r"(1|2|4|8)  +\[(.*?)\]  +([\d.]+) ", line):
            powers = np.exp(np.array([3.0, 1.0, 0.0]) / int(found[1]))
            weights = powers / powers.sum()
            assert [float(x) for x in found[2].split(",")] == pytest.approx(weights, abs=0.0051)
            assert float(found[3]) == pytest.approx(-(weights * np.log(weights)).sum(), rel=5e-3)
    assert text.count("] ") > 4


def test_the_finite_mask_is_what_the_formats_make_of_it() -> None:
    sheet = SCORES + "[attention]\nbias = [[0, -1000000000], [-1000000000, -1000000000]]\n"
    text = page("finite-mask", sheet)
    types = {"float32": np.float32, "bfloat16": ml_dtypes.bfloat16, "float16": np.float16}
    for name, kind in types.items():
        line = next(line for line in section(text) if line.startswith(name + "  "))
        with np.errstate(over="ignore"):
            became = float(np.float64(-1e9).astype(kind))
        assert (str(int(became)).replace("-", "−") if np.isfinite(became) else "−∞") in line
    assert "[NaN, NaN]" in next(line for line in section(text) if line.startswith("float16"))


def test_the_errors_name_what_overflows() -> None:
    text = page("float-softmax", "[inputs]\nscaled = [[12, 4]]\n")
    table = {line.split()[0]: line.split()[1] for line in text.splitlines() if line.startswith(("float", "bfloat"))}
    assert {name for name, cell in table.items() if cell == "overflow"} == {"float16", "float8_e5m2", "float8_e4m3fn"}


def test_the_points_of_errors_stand_below_one_another() -> None:
    text = page("float-softmax", "[inputs]\nscaled = [[96, 97, 98]]\n")
    table = [line for line in section(text) if line.startswith(("float", "bfloat"))]
    wholes = [re.search(r"(\d+)(\.\d+)?$", line) for line in table]  # the last column has 0.94 and 14
    assert len(table) == 6 and len({whole and whole.end(1) for whole in wholes}) == 1


ROWS = {Q: [[1, 2], [3, 4]], K: [[1, 0], [0, 1]], V: [[1, 2], [3, 4]]}
WITHOUT = {
    "scaling": LinearAttention(Q, K, V),
    "temperature": OnlineAttention(Q, K, V),
    "finite-mask": Attention(Q, K, V),
}


@pytest.mark.parametrize("study", WITHOUT)
def test_what_a_study_is_not_about_is_refused(study: str) -> None:
    with pytest.raises(InputError, match=r"softmax|finite mask"):
        derive(WITHOUT[study], ROWS, study=study).to_text()


@pytest.mark.parametrize("detail", ["brief", "full"])
@pytest.mark.parametrize("study", ["scaling", "temperature"])
@pytest.mark.parametrize(
    "whole",
    [
        Attention(Q, K, V, mask=CausalMask()),
        Attention(Q, K, V, mask=CausalMask(-1), empty_row="zero"),
        Attention(Q, K, V, sink=0),
        Part(Attention(Q, K, V), "encoder"),
        MultiHead(Q, K, V, heads=2, W_Q=K, W_K=K, W_V=K),
    ],
    ids=["one key", "no key", "sink", "part", "heads"],
)
def test_studies_of_other_attentions(study: str, detail: str, whole: Any) -> None:
    assert derive(whole, ROWS, study=study, detail=detail).to_text()


def test_a_temperature_is_of_what_softmax_is_taken_of() -> None:
    """A cap bends the scores before softmax: at temperature 1 the weights are those of the derivation."""
    capped = derive(Attention(Q, K, V, softcap=1), ROWS, study="temperature")
    (row,) = [line for line in capped.to_text().splitlines() if re.match(r"1  +\[", line)][:1]
    assert row.split("[")[1].split("]")[0].split(", ") == [
        f"{x:.2f}" for x in map(float, capped["weights"].evaluate(9)[0, :])
    ]


def test_a_finite_mask_is_studied_as_its_bias_is() -> None:
    finite = derive(Attention(Q, K, V, mask=FiniteMask(CausalMask())), ROWS, study="finite-mask")
    bias = derive(Attention(Q, K, V, bias=B), {**ROWS, B: [[0, -(10**9)], [0, 0]]}, study="finite-mask")
    assert section(finite.to_text()) == section(bias.to_text())


CACHE = """
[inputs]
X = [[1, 0], [0, 1], [1, 1]]
Z = {new}
[[part]]
name = "full"
X = "X"
W_Q = [[1, 0], [1, 1]]
W_K = [[1, 1], [0, 1]]
W_V = [[2, 0], [0, 1]]
mask = "causal"
[[part]]
name = "step"
X = "Z"
Z = "X"
W_Q = [[1, 0], [1, 1]]
W_K = [[1, 1], [0, 1]]
W_V = [[2, 0], [0, 1]]
"""


def test_the_cached_row_is_the_last_one_and_no_other_is_taken_for_it() -> None:
    assert "o^(full)₃ = o^(step)₁ ≈ [1.85, 0.69]" in page("cached-row", CACHE.format(new="[[1, 1]]"))
    for new in ("[[1, 0]]", "[[1, 1], [1, 1]]"):
        with pytest.raises(InputError, match="last row"):
            page("cached-row", CACHE.format(new=new))


def test_scores_of_equal_queries_and_keys_depend_on_the_difference_of_positions() -> None:
    """cos 1 = 0.5403, cos 2 = −0.4161; where two queries differ, the diagonals have more than one value."""
    sheet = "[inputs]\nQ = {rows}\nK = [[1, 0], [1, 0], [1, 0]]\nV = [[1], [2], [3]]\n[attention]\nrope = true\n"
    table = section(page("positions", sheet.format(rows="[[1, 0], [1, 0], [1, 0]]")))
    found = [re.split("  +", line.strip()) for line in table if line.strip()[:2] in ("−2", "−1", "0 ", "1 ", "2 ")]
    assert [(line[0], line[-1]) for line in found] == [
        ("−2", "−0.416"),
        ("−1", "0.540"),
        ("0", "1"),
        ("1", "0.540"),
        ("2", "−0.416"),
    ]
    four = section(page("positions", sheet.format(rows="[[1, 0], [1, 0], [1, 0]]"), decimals=4))
    assert any(re.search("S₂₁, S₃₂ +0.5403$", line) for line in four)
    with pytest.raises(InputError, match="equal queries"):
        page("positions", sheet.format(rows="[[1, 0], [0, 1], [1, 0]]"))


def test_formats_of_eight_bits_are_among_those_that_round_the_largest_weight_to_1() -> None:
    """At d_k = 4 it is 0.982: a multiple of 1/16 or 1/8 next to it is 1."""
    (four,) = [line for line in section(page("scaling")) if line.strip().startswith("4 ")]
    weight = 1 / (1 + np.exp(-4))
    assert float(np.float64(weight).astype(ml_dtypes.float8_e4m3fn)) == 1 and "both float8" in four
    assert float(np.float64(weight).astype(ml_dtypes.float8_e5m2)) == 1


def test_weights_at_a_temperature_sum_to_1_as_printed() -> None:
    text = page("temperature", "[inputs]\nscaled = [[3, 1, 0]]\n")
    rows = re.findall(r"^(?:1/2|1|2|4|8)  +\[([\d., ]+)\]", text, re.MULTILINE)
    assert [sum(map(Decimal, row.split(","))) for row in rows] == [1] * 5


@pytest.mark.parametrize("study", ["saturation", "scaling"])
def test_formulas_in_tables_of_markdown_have_no_bars(study: str) -> None:
    """GitHub takes a backslash before a bar away within a table, and ‖J‖ would be |J|."""
    text = derived(SCORES + f'[show]\nstudy = "{study}"\n').to_markdown()
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert rows and all(r"\|" not in row for row in rows) and r"\lVert J\rVert_\infty" in text
