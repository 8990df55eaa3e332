"""What a name means: rows and entries, spellings, names that mean something new, versions in bounded number."""

import pytest

from tests.checking.checked import cause, check, last, verdicts

Q, K = "Q = [[1, 2], [3, 4]]", "K = [[1, 0], [0, 1]]"


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        ("q_1 \\cdot k_2 = 2", "exact"),
        ("q_1 \\cdot k_2 = 3", "wrong"),
        ("q_2 k_1^T = 3", "exact"),
        ("Q_{12} + 0 = 2", "exact"),
        ("Q_{1,2} + 0 = 2", "exact"),
        ("Q_{2,1} + 0 = 2", "wrong"),
    ],
)
def test_rows_and_entries(formula: str, verdict: str) -> None:
    assert verdicts(Q, K, formula) == [verdict]


def test_scripts_that_count_from_zero() -> None:
    assert verdicts(Q, K, "q_0 \\cdot k_0 = 1", "q_1 \\cdot k_1 = 4") == ["exact"]


@pytest.mark.parametrize(
    "entries", ["S_{10} + 0 = 3, S_{11} + 0 = 4", "S_{00} + 0 = 1, S_{01} + 0 = 2, S_{10} + 0 = 3"]
)
def test_entries_that_count_from_zero(entries: str) -> None:
    assert set(verdicts("S = [[1, 2], [3, 4]]", *entries.split(", "))) == {"exact"}


@pytest.mark.parametrize("entry", ["A_{1,1} = 4", "A_{01} = 2", "A_1 = [3, 4]"])
def test_entries_of_given_numbers_that_would_be_right_counted_from_zero(entry: str) -> None:
    given = "A = [[1, 2], [3, 4]]"
    assert not [e for c in check(given, entry).findings for e in c.bad]
    assert [e.printed for e in check(given, "A_{1,1} = 7").findings[-1].bad] == ["7"]


SQUARES = "X = [[1, 4, 9, 16, 25], [36, 49, 64, 81, 100]]"


def test_spans_that_count_from_zero() -> None:
    doubled = (SQUARES, "Y = X + X", r"Y_{:,0:2} = [[2, 8, 18], [72, 98, 128]]")
    assert set(verdicts(*doubled, r"Y_{:,3:4} = [[32, 50], [162, 200]]")) == {"exact"}
    assert verdicts(*doubled, r"Y_{:,3:4} = [[32, 50], [162, 201]]") == ["exact", "exact", "exact", "wrong"]


@pytest.mark.parametrize(
    "part", [r"Y_{:,3:4} = [[32, 50], [162, 200]]", r"Y_{:,1} = [[8], [98]]", r"Y_{:,2:3} = [[18, 32], [128, 162]]"]
)
def test_parts_that_would_be_right_counted_from_zero(part: str) -> None:
    assert not [e for c in check(SQUARES, "Y = X + X", part).findings for e in c.bad]


def test_one_number_of_a_span_is_wrong_either_way() -> None:
    equal = "X = [[1, 1, 1, 1], [2, 2, 2, 2]]"
    assert verdicts(equal, "Y = X + X", r"Y_{:,2:3} = [[2, 2], [4, 5]]") == ["exact", "exact", "exact", "wrong"]


def test_tokens_in_columns() -> None:
    # Q = W X has columns (4, 3) and (6, 4), K = X has (1, 3) and (2, 4)
    given = (
        "X = [[1, 2], [3, 4]]",
        "W_Q = [[1, 1], [0, 1]]",
        "W_K = [[1, 0], [0, 1]]",
        "Q = W_Q X = [[4, 6], [3, 4]]",
        "K = W_K X = [[1, 2], [3, 4]]",
    )
    assert verdicts(*given, "q_1^T k_2 = 20") == ["exact"]
    assert verdicts(*given, "q_1 \\cdot k_2 = 36") == ["wrong"]  # what the rows would give


def test_weights_by_either_spelling() -> None:
    assert verdicts("X = [[1, 2]]", "W^Q = [[1], [1]]", "X W_Q = 3") == ["exact"]


def test_a_name_that_means_something_new() -> None:
    report = check(
        Q, K, "QK^T = [[1, 2], [3, 4]]", "q_1 \\cdot k_1 = 1", "Q = [[9, 8], [7, 5]]", "QK^T = [[9, 8], [7, 5]]"
    )
    assert report.clean
    again = check(Q, K, "q_1 \\cdot k_1 = 1", "Q = [[9, 8], [7, 5]]", "q_1 \\cdot k_1 = 9")
    assert [e.verdict for c in again.findings for e in c.entries] == ["exact", "exact"]
    assert verdicts("S = [[2, 4]]", "S = S/2 = [[1, 2]]", "T = S/2 = [[0.5, 1]]") == ["exact", "exact"]


def test_eight_symbols_each_wrong_twice() -> None:
    given = [f"{x} = 2 + 3 = 6 = 7" for x in "ABCDFGHM"]
    total = " + ".join("ABCDFGHM")
    assert verdicts(*given, f"Z = {total} = 56") == ["carried"]  # all as printed last
    assert verdicts(*given, f"Z = {total} = 42") == ["carried"]  # one of them: 5 * 7 + 7
    assert verdicts(*given, f"Z = {total} = 40") == ["exact"]
    assert verdicts(*given, f"Z = {total} = 99") == ["wrong"]


def test_an_error_too_small_to_show_is_followed() -> None:
    # 1² + 0.5² = 1.25; half of 1.27 is 0.6 to one decimal like half of 1.25, but softmax(0.635, 0.25) = (0.595, 0.405)
    given = (r"X = \begin{bmatrix} 1 & 0.5 \\ 0 & 1 \end{bmatrix}", "S = XX^T = [[1.27, 0.5], [0.5, 1]]")
    scaled, weights = "Z = S/2 = [[0.6, 0.3], [0.3, 0.5]]", r"A = \text{softmax}(Z) = [[0.595, 0.405], [0.438, 0.562]]"
    assert verdicts(*given, scaled) == ["rounded"] * 3 + ["exact"]
    assert verdicts(*given, scaled, weights) == ["carried", "carried", "rounded", "rounded"]
    assert cause(last(*given, scaled, weights)) == ("S", 1, 1)
    # neither is it lost where the scaled scores are not printed at all, or where nobody made it
    assert verdicts(*given, "Z = S/2", weights) == ["carried", "carried", "rounded", "rounded"]
    right = (given[0], "S = XX^T = [[1.25, 0.5], [0.5, 1]]", scaled, weights)
    assert verdicts(*right) == ["wrong", "wrong", "rounded", "rounded"]


def test_the_row_of_a_sum_counts_from_zero() -> None:
    # e/(1 + e) and 1/(1 + e) of the first row, e²/(1 + e²) of the second
    scores = "S = [[1, 0], [2, 0]]"
    weight = r"A_{{{0}}} = \frac{{e^{{S_{{{0}}}}}}}{{\sum_k e^{{S_{{{1}k}}}}}} \approx {2}"
    first = weight.format("00", "0", "0.7311")
    assert verdicts(scores, first) == ["rounded"]
    assert verdicts(scores, first, weight.format("10", "1", "0.8808")) == ["rounded"]
    assert verdicts(scores, first, weight.format("10", "1", "0.7311")) == ["wrong"]


SCALED = ("S = [[1.25, 2.5], [3.5, 4.75]]", r"S' = \frac{S}{2} = [[0.625, 1.25], [1.75, 2.375]]")


def test_numbers_say_that_entries_count_from_zero() -> None:
    words = r"\text{Row 0: } S'_{:,0} = [[0.625], [1.75]]"
    second = r"\mathrm{score}(x_1, x_1) = \frac{S_{11}}{2} = \frac{4.75}{2} = 2.375"
    assert verdicts(*SCALED, words, second)[-1] == "exact"
    assert verdicts(*SCALED, second)[-1] == "wrong"  # nothing counts from 0 there
    assert verdicts(*SCALED, words, second.replace("2.375", "2.365"))[-1] == "wrong"
