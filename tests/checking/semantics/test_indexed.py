"""Formulas of entries: what they say of the matrix, and sums over a letter."""

from __future__ import annotations

import math

import pytest

from symattn import check_article
from tests.checking.checked import judged

KNOWN = "$X = [[1, 2], [3, 4], [5, 6]]$ $W = [[1, 0], [1, 2]]$\n\n"
# X W = [[3, 4], [7, 8], [11, 12]]; X X^T = [[5, 11, 17], [11, 25, 39], [17, 39, 61]]


@pytest.mark.parametrize(
    ("formula", "printed", "verdicts"),
    [
        (r"Z_{ij} = \sum_{k=1}^{2} X_{ik} W_{kj}", "Z = [[3, 4], [7, 8], [11, 12]]", {"exact": 6}),
        (r"Z_{ij} = \sum_{k} X_{ik} W_{kj}", "Z = [[3, 4], [7, 9], [11, 12]]", {"exact": 5, "wrong": 1}),
        (r"Z_{i,j} = \sum_{k=1}^{d} X_{i,k} W_{k,j}", "Z = [[3, 4], [7, 8], [11, 12]]", {"exact": 6}),
        (r"S_{st} = \sum_{k=0}^{1} X_{sk} X_{tk}", "S = [[5, 11, 17], [11, 25, 39], [17, 39, 61]]", {"exact": 9}),
        (r"S_{ij} = \sum_{k=1}^{3} X_{ik} X_{jk}", "S = [[5, 11, 17], [11, 25, 39], [17, 39, 62]]", {}),  # 3 of 2?
        (r"r_{i} = \sum_{k} X_{ik}", "r = [[3], [7], [12]]", {"exact": 2, "wrong": 1}),
        (r"c_{j} = \sum_{i} X_{ij}", "c = [9, 12]", {"exact": 2}),
        (r"Z_{ij} = X_{ij} + W_{ij}", "Z = [[2, 2], [4, 6]]", {}),  # of different sizes
        (r"X_{21} = 3", "X_{32} = 7", {"exact": 1, "wrong": 1}),
    ],
)
def test_a_formula_of_entries_defines_the_matrix(formula: str, printed: str, verdicts: dict[str, int]) -> None:
    assert check_article(f"{KNOWN}${formula}$\n\n${printed}$\n").summary == verdicts


def test_a_sum_in_an_entry_is_taken_over_the_matrix() -> None:
    # e^3/(e^3 + e^4) = 0.2689
    text = r"$A_{21} = \frac{e^{X_{21}}}{\sum_{k} e^{X_{2k}}} = 0.27$"
    assert check_article(KNOWN + text + "\n").summary == {"rounded": 1}
    assert check_article(KNOWN + text.replace("0.27", "0.37") + "\n").summary == {"wrong": 1}


@pytest.mark.parametrize(
    "scores",
    [
        "    S_1 = [ 1  2 ]\n          [ 3  3 ]",
        "x = 1\n\n    (S_1)₁₁ = x = 1\n\n    (S_1)₁₂ = x + 1 = 2\n\n    (S_1)₂₁ = x + 2 = 3\n\n    (S_1)₂₂ = x + 2 = 3",
    ],
)
def test_a_sum_over_a_row_of_a_matrix_with_an_index(scores: str) -> None:
    # e^1/(e^1 + e^2) = 0.2689
    text = scores + "\n\n    a = e^((S_1)₁₁)/(Σ_k e^((S_1)_1k)) ≈ {}"
    assert judged(text.format("0.27"))[-1][1:] == (["0.27"], [])
    assert judged(text.format("0.37"))[-1][1:] == (["0.37"], ["0.37"])
    from_zero = text.replace("₁", "₀").replace("₂", "₁").replace("_1k", "_0k")
    assert judged(from_zero.format("0.27"))[-1][1:] == (["0.27"], [])
    assert judged(from_zero.format("0.37"))[-1][1:] == (["0.37"], ["0.37"])


@pytest.mark.parametrize(
    ("condition", "printed"),
    [
        (r"j \le i", r"[[5, -\infty, -\infty], [11, 25, -\infty], [17, 39, 61]]"),
        (r"j < i", r"[[-\infty, -\infty, -\infty], [11, -\infty, -\infty], [17, 39, -\infty]]"),
        (r"\text{if } i \ge j", r"[[5, -\infty, -\infty], [11, 25, -\infty], [17, 39, 61]]"),
        (r"j \notin \{2\}", r"[[5, -\infty, 17], [11, -\infty, 39], [17, -\infty, 61]]"),
    ],
)
def test_a_mask_by_cases(condition: str, printed: str) -> None:
    mask = rf"M_{{ij}} = \begin{{cases}} S_{{ij}} & {condition} \\ -\infty & \text{{otherwise}} \end{{cases}}"
    text = f"{KNOWN}$S = XX^T$\n\n${mask}$\n\n$M = {printed}$\n"
    assert check_article(text).summary == {"exact": 9}


def test_a_condition_that_is_not_understood_hides_nothing() -> None:
    mask = r"M_{ij} = \begin{cases} X_{ij} & i \text{ looks at } j \\ 0 & \text{otherwise} \end{cases}"
    assert check_article(f"{KNOWN}${mask}$\n\n$M = [[1, 2], [3, 4], [5, 0]]$\n").summary == {}


ENTRIES = "$S_{11} = 1$ $S_{12} = 2$ $S_{21} = 0$ $S_{22} = 3$\n\n"


def test_entries_stated_one_by_one_are_what_a_sum_runs_over() -> None:
    # e^1/(e^1 + e^2) = 0.2689, e^3/(1 + e^3) = 0.9526
    first = r"$A_{11} = \frac{e^{S_{11}}}{\sum_{k} e^{S_{1k}}} = 0.27$"
    assert check_article(ENTRIES + first + "\n").summary == {"rounded": 1}
    both = r"$A_{ij} = \frac{e^{S_{ij}}}{\sum_{k} e^{S_{ik}}}$" + "\n\n$A = [[0.27, 0.73], [0.05, 0.95]]$"
    assert check_article(ENTRIES + both + "\n").summary == {"rounded": 4}


def test_a_sum_over_entries_of_which_there_may_be_more_accuses_nobody() -> None:
    # with a third token of score 2 in row 1 the weight is e/(e + 2e^2) = 0.155
    text = r"$A_{11} = \frac{e^{S_{11}}}{\sum_{k} e^{S_{1k}}} = 0.16$"
    report = check_article(ENTRIES + text + "\n")
    assert report.summary == {}
    assert "partial_sum" in [n.reason.key for n in report.not_checked]
    missing = ENTRIES.replace("$S_{12} = 2$", "")
    assert check_article(missing + text.replace("0.16", "0.27") + "\n").summary == {}


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("    Z_ij = Σ_k=1..d S_ik S_jk\n\n    Z = [  5  11 ]\n        [ 11  25 ]", 4),
        ("    Z_ij = Σ_k=1..2 S_ik S_jk\n\n    Z = [  5  11 ]\n        [ 11  25 ]", 4),
        ("    A₂₁ = e^(S₂₁)/(Σ_k e^(S_2k)) ≈ 0.27", 1),
    ],
)
def test_sums_in_plain_text(text: str, verdicts: int) -> None:
    known = "    S = [ 1  2 ]\n        [ 3  4 ]\n\n"
    assert sum(check_article("a.txt", known + text + "\n").summary.values()) == verdicts


def test_two_digits_are_an_entry_of_one_column_or_a_row() -> None:
    rows = r" \\ ".join(f"{k}" for k in range(1, 13))
    text = f"$$ O = \\begin{{bmatrix}} {rows} \\end{{bmatrix}} $$\n\n$O_{{11}} = 0.5 \\cdot 1 + 0.5 \\cdot 1 = "
    assert not any(bad for *_, bad in judged(text + "1$"))
    assert judged(text + "2$")[-1][2] == ["2"]  # what is written comes to 1


def test_a_row_of_two_digits_is_not_one_entry() -> None:
    text = (
        "$$E_{11} = e^{-1} \\approx 0.3679$$\n\n$$E_{11,1} = e^{-3} \\approx 0.0498$$\n\n$$E_{11,2} = e^{0} = 1$$\n\n"
        "$$\\ell_{11} = \\sum_{j} E_{11,j} = e^{-3} + 1 \\approx "
    )
    assert not any(bad for *_, bad in judged(text + "1.0498$$"))
    assert judged(text + "1.1498$$")[-1][2] == ["1.1498"]


def test_the_tenth_column_is_no_entry() -> None:
    keys = " & ".join(str(k) for k in range(1, 13))
    text = (
        f"Each column of $K$ is one token.\n\n$$ K = \\begin{{bmatrix}} {keys} \\\\ {keys} \\end{{bmatrix}} $$\n\n"
        "$$ Q = \\begin{bmatrix} 2 & 3 \\\\ 1 & 2 \\end{bmatrix} $$\n\n$$ S = K^\\top Q $$\n\n"
        "$S_{10,2} = k_{10} \\cdot q_{2} = 10 \\cdot 3 + 10 \\cdot 2 = "
    )
    assert not any(bad for *_, bad in judged(text + "50$"))
    assert judged(text + "40$")[-1][2] == ["40"]


def test_an_entry_of_what_has_a_name_of_a_layer_may_count_from_zero() -> None:
    text = (
        "$$ Q_{\\mathrm{one}} = \\begin{bmatrix} 1 & 3 \\\\ -2 & -5 \\\\ 0 & 1 \\end{bmatrix} $$\n\n"
        "$\\left(Q_{\\mathrm{one}}\\right)_{11} = -2 \\cdot 1 + (-3) \\cdot 1 = "
    )
    assert not any(bad for *_, bad in judged(text + "-5$"))
    assert judged(text + "-6$")[-1][2] == ["-6"]


def test_entries_of_more_than_nine_columns_are_all_the_terms_of_a_sum() -> None:
    powers = [f"e^{{{j - 11}}}" for j in range(1, 11)] + ["1"]
    values = [f"{math.exp(j - 11):.4f}" for j in range(1, 12)]
    places = [f"1{j}" if j < 10 else f"1,{j}" for j in range(1, 12)]
    entries = "".join(f"$$E_{{{p}}} = {e} = {v}$$\n\n" for p, e, v in zip(places, powers, values, strict=True))
    total = f"$$\\ell_1 = \\sum_j E_{{1j}} = {' + '.join(powers)} \\approx 1.5820$$\n\n"
    weight = r"$$A_{1,11} = \frac{E_{1,11}}{\ell_1} \approx 0.6321$$"
    assert not any(bad for *_, bad in judged(entries + total + weight))


def test_what_is_written_out_behind_softmax_says_which_softmax() -> None:
    """One more key with the score 0: e¹/(1 + e¹ + e⁰) = 0.5761, and half of e⁰/(1 + e⁰ + e⁰) + ... = 0.2119."""
    text = r"$$S = [[1, 0]]$$ $$a_{ij} = \mathrm{softmax}(S_{ij}) = \frac{e^{S_{ij}}}{1 + \sum_k e^{S_{ik}}}$$"
    assert [claim[1:] for claim in judged(text + "\n\n$$a = [[0.5761, 0.2119]]$$")] == [(["0.5761", "0.2119"], [])]
    wrong = judged(text + "\n\n$$a = [[0.5761, 0.2191]]$$")
    assert [claim[1:] for claim in wrong] == [(["0.5761", "0.2191"], ["0.2191"])]


def test_cases_count_from_0_where_their_indices_do() -> None:
    """Key 1 is the second one, so that the first keeps its score."""
    text = "$S = [[2, 3], [4, 5]]$, $S_{00} = 2$\n\n"
    text += r"$$T_{ij} = \begin{cases} S_{ij} & j \notin \{1\} \\ -\infty & \text{otherwise} \end{cases}$$" + "\n\n"
    text += r"$$T_{00} = S_{00} = 2$$ $$T_{01} = -\infty$$ $$T_{10} = S_{10} = 4$$" + "\n\n"
    weight = r"$$P_{10} = \frac{e^{T_{10}}}{\sum_k e^{T_{1k}}} = 1$$"
    assert judged(text + weight)[-1] == ("P_{10}", ["1"], [])


def test_softmax_stands_where_what_follows_is_not_its_row_written_out() -> None:
    """The sum runs over the wrong index; the weights are those of softmax, [0.7311, 0.2689] of [1, 0]."""
    text = r"$$S = [[1, 0], [0, 2]]$$ $$a_{ij} = \mathrm{softmax}(S_{ij}) = \frac{e^{S_{ij}}}{\sum_k e^{S_{kj}}}$$"
    assert check_article(text + "\n\n$$a = [[0.7311, 0.2689], [0.1192, 0.8808]]$$").clean


def test_entries_of_a_name_with_an_index_define_it() -> None:
    """K₁ᵀ Q₁ of [[1, 2], [3, 4]] and [[1, 0], [2, 1]] is [[7, 3], [10, 4]]."""
    text = "$$K_1 = [[1, 2], [3, 4]]$$ $$Q_1 = [[1, 0], [2, 1]]$$\n\n"
    text += r"$$\left(S_{1}\right)_{ji} = \sum_{k} \left(K_{1}\right)_{kj} \left(Q_{1}\right)_{ki}$$" + "\n\n"
    assert [claim[1:] for claim in judged(text + "$$S_{1} = [[7, 3], [10, 5]]$$")] == [(["7", "3", "10", "5"], ["5"])]


def test_an_entry_of_a_name_with_an_index_counts_from_0_if_it_is_number_0() -> None:
    text = "$$Q_1 = [[1, 2], [3, 4]]$$\n\n" + r"$\left(Q_{1}\right)_{01} = 2$, $\left(Q_{1}\right)_{11} = 4$"
    assert [claim[2] for claim in judged(text)] == [[], []]
