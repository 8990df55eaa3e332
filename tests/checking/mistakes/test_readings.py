# ruff: noqa: E501 -- a table of formulas
"""Mistakes with a name: an article that makes each, its numbers by plain arithmetic; and articles that make none."""

import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest

from symattn.checking import Findings, Reading, check_article
from symattn.reading.articles import read_article
from tests.sampling import sampled

Rows = Sequence[Sequence[float | Fraction]]
HIDDEN = -math.inf

X = [[1, 0, 2], [0, 3, 1], [2, 1, 0]]
W = [[2, 1, 0], [5, 3, 1], [1, 4, 7]]
Q = [[1, 2, 0], [3, 1, 1], [0, 2, 5]]
K = [[2, 0, 1], [1, 3, 2], [4, 1, 0]]
V = [[1, 7, 2], [3, 0, 5], [9, 4, 6]]
SCORES = [[2, 7, 6], [7, 8, 13], [5, 16, 2]]  # Q Kᵀ
SMALL = [[0.3, 1.1, 2.0], [1.7, 0.2, 0.9], [0.6, 2.4, 0.5]]
MASK = [[0, HIDDEN, HIDDEN], [0, 0, HIDDEN], [0, 0, 0]]


def turned(A: Rows) -> Rows:
    return [list(column) for column in zip(*A, strict=True)]


def times(A: Rows, B: Rows) -> Rows:
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in turned(B)] for row in A]


def each(A: Rows, change: Callable[[float], float]) -> Rows:
    return [[change(float(x)) for x in row] for row in A]


def plus(A: Rows, B: Rows) -> Rows:
    return [[a + b for a, b in zip(p, q, strict=True)] for p, q in zip(A, B, strict=True)]


def softmax(A: Rows) -> Rows:
    return [[math.exp(x) / sum(math.exp(y) for y in row) for x in row] for row in A]


def tex(A: Rows, digits: int = 0) -> str:
    cells = [[r"-\infty" if x == HIDDEN else f"{float(x):.{digits}f}" for x in row] for row in A]
    return r"\begin{bmatrix} " + r" \\ ".join(" & ".join(row) for row in cells) + r" \end{bmatrix}"


def check(*formulas: str) -> Findings:
    return check_article(read_article("article.md", "\n\n".join(f"${x}$" for x in formulas)))


def readings(report: Findings) -> set[str]:
    """The readings of the last claim; every wrong number that has one has the same."""
    found = {e.because.name.key for e in report.findings[-1].entries if isinstance(e.because, Reading)}
    assert all(e.verdict == "wrong" for e in report.findings[-1].entries if isinstance(e.because, Reading))
    return found


def given(**matrices: Rows) -> list[str]:
    return [
        f"{name} = {tex(A, 0 if all(x == int(x) for r in A for x in r if x != HIDDEN) else 1)}"
        for name, A in matrices.items()
    ]


assert times(Q, turned(K)) == SCORES
QKV = given(Q=Q, K=K, V=V)
ROOT3 = each(SCORES, lambda s: s / math.sqrt(3))
SCALED = each(SMALL, lambda s: s / math.sqrt(3))
S_SMALL = given(S=SMALL)
MASKED = [*given(Z=SMALL), f"L = {tex(MASK)}"]
KEPT = [[float(j <= i) for j in range(3)] for i in range(3)]

# name of the case: the formulas before, the formula, the right numbers, the mistaken ones, their digits, the reading
CASES = {
    "Q K for Q K^T": (QKV, r"Q K^T", SCORES, times(Q, K), 0, "transpose_left_out"),
    "X @ W.T": (given(X=X, W=W), "X W", times(X, W), times(X, turned(W)), 0, "transpose_added"),
    "Q^T K for Q K^T": (QKV, r"Q K^T", SCORES, times(turned(Q), K), 0, "transpose_moved"),
    "K Q^T for Q K^T": (QKV, r"Q K^T", SCORES, turned(SCORES), 0, "transposed"),
    "softmax of K Q^T": (
        given(Q=Q, K=[[0.1 * x for x in row] for row in K]),
        r"\mathrm{softmax}(Q K^T)",
        softmax(each(SCORES, lambda s: 0.1 * s)),
        softmax(each(turned(SCORES), lambda s: 0.1 * s)),
        3,
        "scores_transposed",
    ),
    "no scale": (QKV, r"\frac{Q K^T}{\sqrt{3}}", ROOT3, SCORES, 2, "scale_left_out"),
    "no scale, d_k": (QKV, r"\frac{Q K^T}{\sqrt{d_k}}", ROOT3, SCORES, 2, "scale_left_out"),
    "factor in front left out": (QKV, r"\frac{1}{\sqrt{3}} Q K^T", ROOT3, SCORES, 2, "scale_left_out"),
    "by d_k": (QKV, r"\frac{Q K^T}{\sqrt{3}}", ROOT3, each(SCORES, lambda s: s / 3), 2, "scores_divided"),
    "by the square root of d_k, unsaid": (QKV, r"Q K^T", SCORES, ROOT3, 2, "scores_divided"),
    "multiplied": (QKV, r"\frac{Q K^T}{\sqrt{3}}", ROOT3, each(SCORES, lambda s: s * math.sqrt(3)), 2, "scores_multiplied"),
    "twice the product": (given(X=X, W=W), "X W", times(X, W), each(times(X, W), lambda x: 2 * x), 0, "result_multiplied"),
    "half the product": (given(X=X, W=W), "X W", times(X, W), each(times(X, W), lambda x: x / 2), 1, "result_divided"),
    "softmax of unscaled scores": (
        S_SMALL, r"\mathrm{softmax}\left(\frac{S}{\sqrt{3}}\right)", softmax(SCALED), softmax(SMALL), 3, "scale_left_out",
    ),
    "softmax of unscaled scores, scaled a line before": (
        [*S_SMALL, r"Z = \frac{S}{\sqrt{3}} \approx " + tex(SCALED, 2)],
        r"\mathrm{softmax}(Z)", softmax(each(SCALED, lambda x: round(x, 2))), softmax(SMALL), 2, "scale_left_out",
    ),
    "softmax of scores divided by 4": (
        S_SMALL, r"\mathrm{softmax}(S)", softmax(SMALL), softmax(each(SMALL, lambda s: s / 4)), 3, "scores_divided",
    ),
    "attention without its scale": (
        given(Q=X, K=[[0.1, 0.2, 0.5], [0.4, 0.0, 0.3], [0.2, 0.6, 0.1]], V=V),
        r"\mathrm{Attention}(Q, K, V)",
        times(softmax(each(times(X, turned([[0.1, 0.2, 0.5], [0.4, 0.0, 0.3], [0.2, 0.6, 0.1]])), lambda s: s / math.sqrt(3))), V),
        times(softmax(times(X, turned([[0.1, 0.2, 0.5], [0.4, 0.0, 0.3], [0.2, 0.6, 0.1]]))), V),
        3,
        "scale_left_out",
    ),
    "down the columns": (
        S_SMALL, r"\mathrm{softmax}(S)", softmax(SMALL), turned(softmax(turned(SMALL))), 3, "softmax_columns",
    ),
    "no division by the sum": (
        S_SMALL, r"\mathrm{softmax}(S)", softmax(SMALL), each(SMALL, math.exp), 2, "not_normalised",
    ),
    "mask left out": (
        MASKED, r"\mathrm{softmax}(Z + L)", softmax(plus(SMALL, MASK)), softmax(SMALL), 3, "mask_left_out",
    ),
    "mask left out of a name": (
        [*MASKED, f"M = Z + L = {tex(plus(SMALL, MASK), 1)}"],
        r"\mathrm{softmax}(M)", softmax(plus(SMALL, MASK)), softmax(SMALL), 3, "mask_left_out",
    ),
    "mask left out of what is given": (
        [*given(Z=SMALL), f"M = {tex(plus(SMALL, MASK), 1)}"],
        r"\mathrm{softmax}(M)", softmax(plus(SMALL, MASK)), softmax(SMALL), 3, "mask_left_out",
    ),
    "mask left out of the scores": (MASKED, "Z + L", plus(SMALL, MASK), SMALL, 1, "mask_left_out"),
    "mask after softmax": (
        MASKED, r"\mathrm{softmax}(Z + L)", softmax(plus(SMALL, MASK)),
        [[w * k for w, k in zip(p, q, strict=True)] for p, q in zip(softmax(SMALL), KEPT, strict=True)], 3, "mask_after",
    ),
    "masked with 0": (
        MASKED, r"\mathrm{softmax}(Z + L)", softmax(plus(SMALL, MASK)),
        softmax([[s * k for s, k in zip(p, q, strict=True)] for p, q in zip(SMALL, KEPT, strict=True)]), 3, "mask_zero",
    ),
    "heads the other way round": (
        given(A=[[1, 22], [13, 4]], B=[[35, 6], [57, 18]]),
        r"\mathrm{Concat}(A, B)", [[1, 22, 35, 6], [13, 4, 57, 18]], [[35, 6, 1, 22], [57, 18, 13, 4]], 0, "head_order",
    ),
    "elementwise": (
        QKV, "Q K^T", SCORES, [[a * b for a, b in zip(p, q, strict=True)] for p, q in zip(Q, turned(K), strict=True)], 0,
        "elementwise",
    ),
    "two entries": (
        given(X=[[10, 20], [30, 47]], W=[[3, 1], [2, 5]]), "X W", [[70, 110], [184, 265]], [[70, 184], [110, 265]], 0,
        "swapped_transpose",
    ),
    "two entries beside each other": (
        given(X=[[10, 20], [30, 47]], W=[[3, 1], [2, 5]]), "X W", [[70, 110], [184, 265]], [[110, 70], [184, 265]], 0,
        "swapped_entries",
    ),
    "two rows": (QKV, "Q K^T", SCORES, [SCORES[1], SCORES[0], SCORES[2]], 2, "swapped_rows"),
    "a row bent": (
        given(S=[[2, 2, 4]]), r"\mathrm{softmax}\left(\frac{S}{\sqrt{2}}\right)",
        softmax([[2 / math.sqrt(2), 2 / math.sqrt(2), 4 / math.sqrt(2)]]), [[0.163, 0.163, 0.674]], 3, "bent_rows",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_mistake_is_named(case: str) -> None:
    before, formula, _, mistaken, digits, key = CASES[case]
    report = check(*before, rf"R = {formula} \approx {tex(mistaken, digits)}")
    assert readings(report) == {f"reading.{key}"}


@pytest.mark.parametrize("case", CASES)
def test_the_right_numbers_have_no_reading(case: str) -> None:
    before, formula, right, _, digits, _ = CASES[case]
    report = check(*before, rf"R = {formula} \approx {tex(right, digits)}")
    assert report.findings and report.clean


@pytest.mark.slow
@pytest.mark.parametrize("seed", sampled(range(40), 5))
def test_random_numbers_have_none(seed: int) -> None:
    luck = random.Random(seed)
    for before, formula, right, _, digits, _ in CASES.values():
        if any(x == HIDDEN for row in right for x in row):
            continue
        wrong = [[x + luck.choice([-1, 1]) * luck.randint(2, 30) / 10**digits for x in row] for row in right]
        report = check(*before, rf"R = {formula} \approx {tex(wrong, digits)}")
        assert not report.clean
        assert readings(report) == set()


def test_the_sentence_says_which() -> None:
    before, formula, _, mistaken, digits, _ = CASES["softmax of scores divided by 4"]
    (said,) = {
        str(e.because.name) for e in check(*before, rf"R = {formula} = {tex(mistaken, digits)}").findings[-1].bad
    }  # type: ignore[union-attr]
    assert said == "scores divided by 4"
    before, formula, _, mistaken, digits, _ = CASES["X @ W.T"]
    bad = check(*before, rf"R = {formula} = {tex(mistaken, digits)}").findings[-1].bad
    assert {e.because.name.text("zh") for e in bad if isinstance(e.because, Reading)} == {"W 多了转置"}


def test_a_lone_number_has_none() -> None:
    report = check("q = (1, 2, 2)", "k = (3, 1, 2)", r"s = \frac{q \cdot k}{\sqrt{3}} = 9")
    assert [e.verdict for e in report.findings[-1].entries] == ["wrong"]
    assert readings(report) == set()


def test_small_numbers_are_no_evidence() -> None:
    """1 and 0 exchanged in a row of ones and zeros may as well be two slips."""
    report = check(
        *given(X=[[1, 1, 0], [0, 1, 1]], I=[[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        f"R = X I = {tex([[1, 0, 1], [0, 1, 1]])}",
    )
    assert not report.clean
    assert readings(report) == set()


def test_two_readings_that_both_fit_are_none() -> None:
    """Of I and W it cannot be told whether W or the result was transposed."""
    unit = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    report = check(
        *given(I=unit, W=[[11, 52, 37], [94, 25, 66], [71, 18, 49]]),
        f"R = I W = {tex([[11, 94, 71], [52, 25, 18], [37, 66, 49]])}",
    )
    assert not report.clean
    assert readings(report) == set()


def test_one_number_that_does_not_fit_is_enough_against_it() -> None:
    before, formula, _, mistaken, digits, _ = CASES["no scale"]
    spoilt = [list(row) for row in mistaken]
    spoilt[1][1] = 8.5
    assert readings(check(*before, rf"R = {formula} \approx {tex(spoilt, digits)}")) == set()


def test_two_swapped_entries_are_told_from_a_third_that_is_wrong() -> None:
    wrong = [[70, 184], [110, 222]]
    report = check(*given(X=[[10, 20], [30, 47]], W=[[3, 1], [2, 5]]), f"R = X W = {tex(wrong)}")
    said = {(e.row, e.column): e.because for e in report.findings[-1].bad}
    assert isinstance(said[1, 2], Reading) and isinstance(said[2, 1], Reading)
    assert said[2, 2] is None


def test_huge_and_tiny_numbers_are_no_hindrance() -> None:
    for number in ("10^{390}", "10^{-390}"):
        report = check("X = [3, 4]", rf"R = 2 \cdot X = [7 \times {number}, 9 \times {number}]")
        assert readings(report) == set()
