"""Rows of weights measured: against mpmath, on both sides of every threshold, and as the report says it."""

from __future__ import annotations

import json
from decimal import MIN_EMIN, Decimal, localcontext
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import MatrixSymbol

from symattn import Attention, OnlineAttention, Softmax, derive, measure_saturation
from symattn.cli.main import run
from symattn.errors import InputError, NotSupportedError
from symattn.values.floats.formats import FORMATS, FloatFormat
from symattn.values.saturation.thresholds import THRESHOLDS
from tests.samples import SHEETS, derived, sample

pytestmark = pytest.mark.slow

context = mpmath.MPContext()
context.dps = 400


def softmax(row: list[Any], **options: Any) -> Any:
    S = MatrixSymbol("S", 1, len(row))
    return measure_saturation(derive(Softmax(S), {S: [row]}), **options).rows[0]


def true_weights(row: list[Any]) -> list[Any]:
    powers = [context.exp(context.mpf(Fraction(x).numerator) / Fraction(x).denominator) for x in row]
    return [p / sum(powers) for p in powers]


def agrees(printed: Decimal, true: Any) -> bool:
    """Within half a unit of the last digit printed."""
    if not printed:
        return bool(true == 0)
    unit = context.mpf(10) ** int(printed.as_tuple().exponent)
    slack = abs(true) * context.eps * 4  # a decimal on a tie is no binary fraction
    return bool(abs(context.mpf(str(printed)) - true) <= unit / 2 + slack)


rationals = st.fractions(min_value=-60, max_value=60, max_denominator=50)


@settings(max_examples=40)
@given(st.lists(rationals, min_size=2, max_size=5), st.sampled_from([5, 15, 40]))
def test_figures(scores: list[Fraction], digits: int) -> None:
    row = softmax([str(x) for x in scores], digits=digits)
    a = true_weights(scores)
    top = max(a)
    first, second, *_ = sorted(scores, reverse=True)
    assert agrees(row.gap, context.mpf((first - second).numerator) / (first - second).denominator)
    assert agrees(row.largest, top)
    assert agrees(row.rest, 1 - top)
    assert agrees(row.entropy, -sum(x * context.log(x) for x in a))
    assert agrees(row.jacobian_norm, max(2 * x * (1 - x) for x in a))
    places = row.places
    assert 1 - top >= context.mpf(10) ** -places / 2
    assert places == 0 or 1 - top < context.mpf(10) ** (1 - places) / 2


@settings(max_examples=40)
@given(st.lists(rationals, min_size=2, max_size=4))
def test_the_norm_is_that_of_the_matrix(scores: list[Fraction]) -> None:
    a = np.array([float(x) for x in true_weights(scores)])
    norm = np.abs(np.diag(a) - np.outer(a, a)).sum(axis=1).max()
    assert float(softmax([str(x) for x in scores]).jacobian_norm) == pytest.approx(norm, rel=1e-9, abs=1e-15)


@settings(max_examples=40)
@given(st.lists(rationals, min_size=2, max_size=4))
def test_formats_hold_the_weights_rounded_once(scores: list[Fraction]) -> None:
    row = softmax([str(x) for x in scores])
    for name, held in row.formats.items():
        form = FORMATS[name]
        expected = tuple(form.of(Fraction(int(x.man)) * Fraction(2) ** int(x.exp)) for x in true_weights(scores))
        if len(set(scores)) == 1:
            expected = tuple(form.of(Fraction(1, len(scores))) for _ in scores)
        assert held.weights == expected
        a = [Fraction(x) for x in expected]
        jacobian = [[x * (i == j) - x * y for j, y in enumerate(a)] for i, x in enumerate(a)]
        assert held.jacobian_zero == (not any(x for line in jacobian for x in line))
        assert held.zeros == [j for j, w in enumerate(expected, 1) if w == 0]


@pytest.mark.parametrize("form", FORMATS.values(), ids=lambda f: f.name)
@pytest.mark.parametrize("event", ["zero", "one"])
def test_both_sides_of_the_thresholds(form: FloatFormat, event: str) -> None:
    at = THRESHOLDS[event].decimal(form, 30)
    for away, happens in ((Decimal("1e-20"), True), (Decimal("-1e-20"), False)):
        held = softmax([str(at + away), 0]).formats[form.name]
        assert (held.zeros == [2] if event == "zero" else held.one == 1) is happens


@pytest.mark.parametrize("form", FORMATS.values(), ids=lambda f: f.name)
def test_the_naive_algorithm_overflows_just_beyond_its_threshold(form: FloatFormat) -> None:
    at = Fraction(str(THRESHOLDS["overflow"].decimal(form, 30)))
    below = form.of(at) if Fraction(form.of(at)) < at else form.of(at - form.ulp(float(at)))
    above = Fraction(below) + form.ulp(below)
    for x, broken in ((Fraction(below), False), (above, True)):
        row = softmax([str(x), str(x)], computed=("naive", "shifted"))
        found = row.computed["naive"][form.name]
        if broken:
            assert found.broken
        assert not row.computed["shifted"][form.name].broken


def test_the_row_that_a_hand_calculation_rounds_away() -> None:
    row = softmax(["10/sqrt(2)", "58/sqrt(2)", "106/sqrt(2)"], digits=9)
    assert (row.gap, row.rest) == (Decimal("33.9411255"), Decimal("1.81784348E-15"))
    assert (row.places, row.column) == (15, 3)
    assert row.formats["float16"].weights == (0.0, 0.0, 1.0)
    assert row.formats["float32"].one == 3 and row.formats["float32"].zeros == []
    assert row.formats["float64"].one is None


def test_equal_scores_are_exactly_uniform() -> None:
    row = softmax([2] * 4)
    assert (row.gap, row.largest, row.rest) == (0, Decimal("0.25"), Decimal("0.75"))
    assert agrees(row.entropy, context.log(4))
    # 1024 equal weights lie on a tie of float8_e4m3fn, half its smallest number, and all become 0
    many = softmax([0] * 1024).formats["float8_e4m3fn"]
    assert many.jacobian_zero and many.one is None and len(many.zeros) == 1024
    assert softmax([0] * 1023).formats["float8_e4m3fn"].zeros == []


def test_one_key_alone_leaves_nothing() -> None:
    row = softmax([7])
    assert (row.rest, row.entropy, row.jacobian_norm, row.places) == (0, 0, 0, None)
    assert row.to_json()["gap"] == "inf"


def test_far_apart() -> None:
    row = softmax([0, -(10**8)])
    with localcontext(prec=15, Emin=MIN_EMIN):
        assert row.rest == Decimal(-(10**8)).exp()  # 6.45·10^−43429449, by libmpdec
    with pytest.raises(NotSupportedError, match="scores of row 1 are too far apart"):
        _ = softmax(["1e308", "-1e308"]).rest  # e^(−2·10³⁰⁸) has more places than a Decimal counts
    assert row.places == 43429448  # 2·6.45·10^−43429449 lies between 10^−43429448 and 10^−43429447


@pytest.mark.parametrize("name", [n for n in SHEETS if not sample(n).symbolic and n != "linear, causal"])
def test_every_kind(name: str) -> None:
    derivation = sample(name)
    for row in measure_saturation(derivation, digits=10, computed=("shifted",)).rows:
        weights = derivation[row.exact.name].evaluate(40)
        a = [context.mpf(mpmath.nstr(weights[row.row - 1, j], 40)) for j in range(weights.cols)]
        others = [sum(a) - x for x in a]
        assert float(row.largest) == pytest.approx(float(max(a)))
        assert float(row.rest) == pytest.approx(float(1 - max(a)), rel=1e-9)
        assert float(row.entropy) == pytest.approx(-sum(float(x * context.log(x)) for x in a if x), abs=1e-9)
        norm = max(x * (1 - x) + x * rest for x, rest in zip(a, others, strict=True))
        assert float(row.jacobian_norm) == pytest.approx(float(norm))
        close = row.computed["shifted"]["float64"].weights
        assert [float(x) for x in a] == pytest.approx(close, abs=1e-13)


def test_errors_in_ulp() -> None:
    row = softmax([0, "1/3", 2], computed=("shifted", "division-free"))
    a = true_weights([Fraction(0), Fraction(1, 3), Fraction(2)])
    for by_format in row.computed.values():
        for name, held in by_format.items():
            assert held.ulps is not None
            for w, true, ulps in zip(held.weights, a, held.ulps, strict=True):
                unit = FORMATS[name].ulp(float(true))
                error = abs(context.mpf(w) - true) / (context.mpf(unit.numerator) / unit.denominator)
                assert float(ulps) == pytest.approx(float(error), rel=0.06)


def test_several_heads() -> None:
    sheet = SHEETS["tokens"].split("[inputs]")[0] + (
        "[inputs]\nX = [[1, 0, 2], [0, 1, -1], [3, 1, 1]]\n"
        "W_Q = [[[1, 0], [0, 1], [1, 1]], [[9, 0], [0, 9], [1, 1]]]\n"
        "W_K = [[[1, 0], [0, 1], [1, 1]], [[9, 0], [0, 9], [1, 1]]]\n"
        "W_V = [[[1], [1], [1]], [[1], [1], [1]]]\n[attention]\nheads = 2\n"
    )
    rows = measure_saturation(derived(sheet)).rows
    assert [(r.head, r.row) for r in rows] == [(h, i) for h in (1, 2) for i in (1, 2, 3)]
    assert "head 2: sat" in str(measure_saturation(derived(sheet)))


def test_what_cannot_be_measured() -> None:
    Q = MatrixSymbol("Q", 1, 1)
    with pytest.raises(InputError, match="symbolic"):
        measure_saturation(derive(Attention(Q, Q, Q)))
    with pytest.raises(InputError, match="naive, shifted"):
        softmax([1, 2], computed=("exact",))
    with pytest.raises(InputError, match="float64, float32"):
        softmax([1, 2], computed=("naive",), accumulate="float128")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["saturation", "hand-calculation", "--json", "--computed", "--accumulate", "float32"]) == 0
    data = json.loads(capsys.readouterr().out)
    first = data["rows"][0]
    assert first["rest"] == "1.81784348093970e-15" and first["formats"]["float16"]["weights"] == [0, 0, 1]
    assert set(first["computed"]) == {"naive", "shifted", "division-free", "online", "lazy", "p-cast"}
    assert first["computed"]["naive"]["float8_e4m3fn"]["weights"] == ["nan"] * 3
    assert data["thresholds"]["float16"]["zero"] == "17.3287"
    for target in ("text", "markdown", "latex"):
        assert run(["saturation", "hand-calculation", "--to", target, "--language", "zh"]) == 0
        assert "饱和" in capsys.readouterr().out
    assert run(["saturation", "scaled-dot-product"]) == 2
    assert "symbolic" in capsys.readouterr().err
    assert run(["saturation", "hand-calculation", "--digits", "0"]) == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("hand-calculation --plot weights", "--plot has an effect only with --figure FILE"),
        ("hand-calculation --json --accumulate float64", "--accumulate has an effect only with --computed"),
        ("hand-calculation --computed", "--computed has an effect only with --json"),
        ("hand-calculation --causal", "--causal has an effect only with .npy .npz .safetensors"),
        ("hand-calculation --most 3", "--most has an effect only with .npy .npz .safetensors"),
        ("a.npy --json --computed", "--computed has an effect only with WORKSHEET"),
    ],
)
def test_an_option_without_effect_is_refused(given: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["saturation", *given.split()]) == 2
    assert capsys.readouterr().err == f"symattn: {said}\n"


def test_the_remark_stands_beside_saturated_weights_only() -> None:
    saturated = derived("[inputs]\nscaled = [[0, 20], [0, 1]]\n").to_text()
    assert "Saturated: key 2 receives all but 2.06 × 10⁻⁹ of the attention of query 1." in saturated
    assert "Saturated" not in derived("[inputs]\nscaled = [[0, 4], [0, 1]]\n").to_text()
    masked = derived('[inputs]\nscaled = [[0, 20], [0, 1]]\n[attention]\nmask = "causal"\n').to_text()
    assert "Saturated" not in masked  # a token that sees itself alone is not


def test_the_report_shows_itself() -> None:
    found = measure_saturation(derived(SHEETS["tokens"]))
    assert found._repr_markdown_() == found.to_markdown(fragment=True)
    assert str(found) == found.to_text()


def test_attention_to_an_attention_has_rows_of_both() -> None:
    S, T = MatrixSymbol("S", 2, 2), MatrixSymbol("T", 2, 2)
    values = {S: [[0, 20], [0, 1]], T: [[3, 0], [0, 30]]}
    found = measure_saturation(derive(Softmax(S) * Softmax(T), values))
    assert [(row.exact.name, row.row) for row in found.rows] == [
        ("weights", 1),
        ("weights", 2),
        ("weights_2", 1),
        ("weights_2", 2),
    ]
    assert "weights_2: 2" in found.to_text()


def test_online_attention_loses_what_attention_loses():
    """Its weights are never made, but they are what its output weighs the values with."""
    Q, K, V = (MatrixSymbol(x, *s) for x, s in (("Q", (2, 2)), ("K", (4, 2)), ("V", (4, 1))))
    values = {Q: [[9, 1], [2, 30]], K: [[1, 0], [0, 1], [3, 2], [5, 5]], V: [[1], [2], [3], [4]]}
    wanted = measure_saturation(derive(Attention(Q, K, V), values))
    found = measure_saturation(derive(OnlineAttention(Q, K, V, block=2), values))
    assert len(found.rows) == 2
    for one, other in zip(found.rows, wanted.rows, strict=True):
        assert one.to_json() == other.to_json()
