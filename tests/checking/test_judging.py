"""Verdicts at their boundaries, and what excuses a number. Expected values by hand."""

import pytest
from flint import arb

from symattn import check_article
from symattn.checking.verdicts import table_of_prints
from symattn.reading.formula import parse
from tests.checking.checked import cause, check, last, verdicts


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        ("a = 1/8 = 0.125", "exact"),
        ("a = 1/8 = 0.12", "rounded"),  # a tie goes either way
        ("a = 1/8 = 0.13", "rounded"),
        ("a = 1/8 = 0.14", "wrong"),  # 1.5 units
        ("a = 1/8 = 0.11", "wrong"),
        ("a = 5/2 = 2", "rounded"),
        ("a = 5/2 = 3.", "wrong"),
        (r"a = 5/2 \approx 3", "rounded"),
        ("a = 15/2 = 8.", "rounded"),
        ("a = 5/2 = 4", "wrong"),
        ("a = 17/10 = 1", "truncated"),
        ("a = -17/10 = -1", "truncated"),  # towards zero
        ("a = 14/10 = 2", "last-digit"),  # 0.6 units, not cut off
        ("a = 13/10 = 1.2", "wrong"),  # a whole unit exactly
        ("a = 1/8 = 12.5\\%", "exact"),
        ("a = 1/8 = 12\\%", "rounded"),
        ("a = 1/8 = 14\\%", "wrong"),
        ("a = \\sqrt{2} = 1.414", "rounded"),
        ("a = \\sqrt{2} \\cdot \\sqrt{2} = 2", "exact"),
        ("a = e^{-200} = 0", "rounded"),
        ("a = e^{200} = 7.226 \\times 10^{86}", "rounded"),  # 7.22597...e86
        ("a = e^{200} = 7.228 \\times 10^{86}", "wrong"),
        ("a = \\frac{1}{3} \\approx 0,333", "rounded"),
    ],
)
def test_one_number(formula: str, verdict: str) -> None:
    assert verdicts(formula) == [verdict]


@pytest.mark.parametrize(
    ("chain", "verdict"),
    [
        ("y = a b \\approx 0.25 \\cdot 0.33 \\approx 0.085", "input-rounding"),  # 0.254 · 0.334 = 0.0848
        ("y = a b \\approx 0.25 \\cdot 0.33 \\approx 0.086", "wrong"),  # 0.255 · 0.335 = 0.0854 at most
        ("y = a b = 0.25 \\cdot 0.33 \\approx 0.085", "wrong"),  # 0.0825, and = says that these are a and b
    ],
)
def test_what_is_about_equal_to_something_unknown_is_rounded(chain: str, verdict: str) -> None:
    assert verdicts(chain) == [verdict]


def test_the_unit_is_that_of_each_entry() -> None:
    assert verdicts("Q = [[0.707, -0.3]]", "R = 1 \\cdot Q = [[0, -0]]") == ["truncated", "rounded"]
    assert verdicts("Q = [[0.707, -0.3]]", "R = 10Q = [[7., -3.]]") == ["rounded", "exact"]


def test_rounding_of_a_number_written_out_excuses_its_result() -> None:
    # 10 / 1.41 = 7.092, and √2 rounds to 1.41
    assert verdicts("S = \\frac{10}{\\sqrt{2}} = \\frac{10}{1.41} = 7.09") == ["intermediate"]
    given = "Q = [[10, 4]]"
    assert verdicts(given, "Z = \\frac{Q}{\\sqrt{2}} = [[10/1.41, 4/1.41]] = [[7.09, 2.84]]") == ["intermediate"] * 2
    assert verdicts(given, "Z = \\frac{Q}{\\sqrt{2}} = \\frac{Q}{1.41} = [[7.09, 2.84]]") == ["intermediate"] * 2


def test_a_slip_in_a_number_written_out_excuses_nothing() -> None:
    given = ("Q = [[1, 5], [9, 13]]", "K = [[5, 1], [13, 9]]")
    # q_1 k_1 = 1*5 + 5*1 = 10; the author wrote 5*2
    wrong = "S = QK^T = [[1 \\times 5 + 5 \\times 2, 58], [58, 234]] = [[15, 58], [58, 234]]"
    assert verdicts(*given, wrong) == ["wrong", "exact", "exact", "exact"]
    assert verdicts("Q = [[10, 4]]", "Z = \\frac{Q}{\\sqrt{2}} = \\frac{Q}{1.141} = [[8.76, 3.51]]") == ["wrong"] * 2
    assert verdicts("S = [[15, 58]]", "Z = S/\\sqrt{2} = S/2 = [[7.5, 29]]") == ["wrong"] * 2


def test_minus_infinity() -> None:
    given = ("S = [[1, 2], [3, 4]]", "M = [[0, -\\infty], [0, 0]]")
    assert verdicts(*given, "T = S + M = [[1, 2], [3, 4]]") == ["exact", "wrong", "exact", "exact"]
    wrong = (*given, "T = S + M = [[1, -\\infty], [3, -\\infty]]")
    assert verdicts(*wrong) == ["exact", "exact", "exact", "wrong"]
    assert verdicts(*wrong, "U = T/2 = [[0.5, -\\infty], [1.5, -\\infty]]")[3] == "carried"
    assert verdicts("T = [[0.123456 + 0.345678, 2]] = [[-\\infty, 2]]") == ["wrong", "exact"]
    for number, verdict in (("-10000", "exact"), ("-9999", "wrong")):  # which is a mask from 10,000 on
        assert verdicts(f"M = [[0, {number}]]", "T = 1 \\cdot M = [[0, -\\infty]]") == ["exact", verdict]
    weights = last(*wrong, "A = softmax(T) = [[1, 0], [1, 0]]")
    assert weights.entries[2].verdict == "carried" and cause(weights, 2) == ("T", 2, 2)


def test_an_error_followed_with_and_without_rounding() -> None:
    given = ("S = [[1, 2]]", "T = 3S = [[3, 7]]")
    # the author's 7 is 6; 7/3 = 2.333 and 2.333 * 10 = 23.33 or 2.33 * 10 = 23.30
    half = (*given, "U = T/3 = [[1, 2.33]]")
    for end in ("23.33", "23.30"):
        claim = last(*half, f"W = 10U = [[10, {end}]]")
        assert [e.verdict for e in claim.entries] == ["exact", "carried"]
        assert cause(claim, 1) == ("T", 1, 2)


def test_a_rounded_print_used_as_printed() -> None:
    # √2 = 1.414; 10/1.414 = 7.0721 against 7.0711
    assert verdicts("r = \\sqrt{2} = 1.414", "a = 10/r = 7.0721") == ["intermediate"]


def test_half_a_unit_of_rounded_inputs() -> None:
    # 0.4556 stands for 0.45555 to 0.45565, ten times which is 4.5555 to 4.5565
    assert verdicts("x = 0.4556", "y = 10x = 4.5564") == ["input-rounding"]
    assert verdicts("x = 0.4556", "y = 10x = 4.5567") == ["wrong"]
    assert verdicts("x = 0.45", "y = 10x = 4.53") == ["wrong"]


def test_an_entry_of_given_decimals_with_more_digits() -> None:
    given = "A = [[0.06, 0.94], [0.01, 0.99]]"
    assert verdicts(given, "A_{12} = 0.9442") == ["input-rounding"]
    assert verdicts(given, "A_{12} = 0.9451") == verdicts(given, "A_{12} = 0.93") == ["wrong"]
    given = "Q = [[1.06, 2.94], [1.01, 2.99]]"  # no shares
    assert verdicts(given, "Q_{12} = 2.9442") == ["input-rounding"]
    assert verdicts(given, "Q_{12} = 2.9451") == ["wrong"]


def test_what_is_not_understood_is_not_judged() -> None:
    given = "X = [[1, 2], [3, 4]]"
    for formula in (
        "Y = Dropout(X) = [[-1, 1], [-1, 1]]",
        "Y = Dropout(X) = [[1, 0], [3, 0]]",
        "Y = \\Gamma(2) = 0.30",
        "Y = X Z = [[1, 2], [3, 4]]",
        "Y = X^{-1} = [[-2, 1], [1.5, -0.5]]",
        "Y = 2X = [2, 4, 6, 8]",
        "Y = \\tanh([[-\\infty, 0]]) = [[-1, 0]]",
    ):
        report = check(given, formula)
        assert not report.findings and report.not_checked, formula


def test_a_number_beside_a_matrix() -> None:
    given = "X = [[4, 1], [2, 3]]"
    assert verdicts(given, "Y = X - 5 = [[-1, -4], [-3, -2]]") == ["exact"] * 4
    report = check(given, "Y = X - 5 = [[-1, 1], [2, -2]]")  # X − 5 I may be meant
    assert not report.findings and report.not_checked
    assert verdicts(given, "Y = 2X + 1 = [[9, 3], [5, 8]]") == ["exact"] * 3 + ["wrong"]


@pytest.mark.parametrize(
    ("text", "printed", "wrong"),
    [
        ("\\sqrt{11.143}", "3.3382", "3.3386"),
        ("\\exp(2.312)", "10.096", "10.103"),
        ("1/11.143", "0.08974", "0.08984"),
    ],
)
def test_a_long_decimal_within_a_function_may_be_rounded(text: str, printed: str, wrong: str) -> None:
    assert set(verdicts(f"{text} = {printed}")) <= {"exact", "rounded", "truncated", "input-rounding"}
    assert verdicts(f"{text} = {wrong}") == ["wrong"]


def test_what_a_program_prints_of_numbers_that_are_rounded_here() -> None:
    # weights [0.24825508, 0.24825508, 0.50348984] of 1/√2, 1/√2 and √2, times V = [[1], [0], [1]]
    weights = "a = softmax([0.707, 0.707, 1.414]) = [0.248, 0.248, 0.503]"
    assert verdicts("V = [[1], [0], [1]]", weights, "Y = a V = 0.75174492") == ["input-rounding"]
    assert verdicts("V = [[1], [0], [1]]", weights, "Y = a V = 0.75274492") == ["wrong"]
    assert verdicts("s = e^1 = 2.72", "t = s/10 = 0.2713828") == ["wrong"]
    assert verdicts("V = [[1], [0], [1]]", "a = [1/4, 1/4, 1/2]", "Y = a V = 0.75010000") == ["wrong"]


def test_bounded_search_for_causes() -> None:
    def matrix(entry: str) -> str:
        return "[" + ", ".join("[" + ", ".join([entry] * 40) + "]" for _ in range(40)) + "]"

    report = check("Q = " + matrix("1"), "S = 2Q = " + matrix("5"), "T = 3S = " + matrix("15"))
    assert report.summary == {"carried": 1600, "wrong": 1600}
    assert {
        (e.row, e.column) == cause(report.findings[1], k)[1:] for k, e in enumerate(report.findings[1].entries)
    } == {True}


@pytest.mark.parametrize(
    "huge", ["2^{99999999}", "10^{10^{10}}", "e^{10^{20}}", "e^{e^{e^{e^{9}}}}", r"10^{300} \cdot e^{9999}"]
)
def test_what_nobody_would_write_out_is_not_judged(huge: str) -> None:
    report = check(f"x = {huge} = 1")
    assert [n.reason.key for n in report.not_checked] == ["value_too_large"]
    assert not report.findings


@pytest.mark.parametrize("masked", ["-1e9", "-1e30", "-1e300"])
def test_a_weight_with_billions_of_zeros_is_zero(masked: str) -> None:
    claim = last(rf"A = \mathrm{{softmax}}(\begin{{bmatrix}} 1 & {masked} \end{{bmatrix}}) = [1, 0.1]")
    assert [(e.verdict, e.exact, e.decimal) for e in claim.entries] == [("exact", "1", "1"), ("wrong", "0", "0.0")]


def test_minus_infinity_may_be_printed_for_the_large_number_of_a_mask() -> None:
    text = "M = [[0, 1], [0, 0]]\n\nM * {} = [[0, -inf], [0, 0]]\n"
    assert [e.verdict for e in last(text.format("-1e9")).entries] == ["exact"] * 4
    assert [e.verdict for e in last(text.format("-100")).entries] == ["exact", "wrong", "exact", "exact"]


def test_softmax_rows_that_an_article_gives_for_a_mask_are_refuted():
    # figures from the fourth article the project began with; right by hand: e/(e + e^0.1 + e^0.2) = 0.539, and
    # 1/(1 + e^-0.28) = 0.5695...
    text = "$$softmax([1.0, 0.1, 0.2]) ≈ [0.4, 0.3, 0.3]$$\n\n"
    text += "$$softmax([0.32, 0.04, -inf, -inf]) = [0.52, 0.48, 0.00, 0.00]$$\n"
    first, second = check_article(text).findings
    assert [e.verdict for e in first.entries] == ["wrong", "last-digit", "last-digit"]
    assert [e.verdict for e in second.entries] == ["wrong", "wrong", "exact", "exact"]
    assert [e.decimal for e in second.entries[:2]] == ["0.57", "0.43"]


def test_a_number_written_twice_is_the_same_number_both_times() -> None:
    # e^2 = 7.389 is written 7.0; the ranges of both 7.0 alone would reach 0.881 = e^2 / (e^2 + 1)
    slip = r"\text{softmax}([2, 0]) = [7.0/(7.0 + 1), 1/(7.0 + 1)] = [0.875, 0.125]"
    assert verdicts(slip) == ["wrong"] * 2
    rounded = r"\text{softmax}([2, 0]) = [7.4/(7.4 + 1), 1/(7.4 + 1)] = [0.881, 0.119]"
    assert verdicts(rounded) == ["rounded"] * 2
    cut_off = r"\text{softmax}([2, 0]) = [7.3/(7.3 + 1), 1/(7.3 + 1)] = [0.8795, 0.1205]"
    assert verdicts(cut_off) == ["intermediate"] * 2


def test_softmax_of_one_score_of_a_row_is_not_taken_for_the_whole():
    report = check_article("$q_1 = [1, 2]$, $k_1 = [3, 4]$\n\n$$\\alpha_{11} = softmax(q_1 \\cdot k_1) = 0.3$$\n")
    assert all(e.verdict != "wrong" for claim in report.findings for e in claim.entries)
    assert check_article("$softmax([5]) = [1]$\n").findings[0].entries[0].verdict == "exact"


MASKED = ("S = [[1, 2]]", "M = [[0, -\\infty]]")


def test_earlier_rounding_goes_before_the_rounding_of_inputs() -> None:
    # 151.870 is 1000 · 0.15187, and within 1000 (0.4556 ± 0.00005)/3, which is 151.850 to 151.883
    assert verdicts("x = 0.4556", "y = x/3 = 0.15187", "z = 1000y = 151.870") == ["intermediate"]


def test_a_hidden_entry_is_no_rounded_number() -> None:
    given = ("x = [[0.4556, 0.1234]]", "M = [[0, -\\infty]]")
    assert verdicts(*given, "U = 10x + M = [[4.5564, 1.2344]]") == ["input-rounding", "wrong"]


def test_a_number_in_the_place_of_a_size_is_what_the_author_says() -> None:
    given = ("Q = [[1, 3]]", "K = [[5, 1]]")  # QK^T = 8
    assert verdicts(*given, r"S = \frac{QK^T}{\sqrt{d_k}} = \frac{QK^T}{\sqrt{4}} = 4") == ["exact"]
    assert verdicts(*given, r"S = \frac{QK^T}{\sqrt{2}} = \frac{QK^T}{\sqrt{4}} = 4") == ["wrong"]


def test_infinity_above_is_not_the_mask_s() -> None:
    for claim in ("[[1, \\infty]]", "[[1, +\\infty]]"):
        report = check(*MASKED, f"T = S + M = {claim}")
        assert not report.findings and claim in [n.text for n in report.not_checked]


def test_each_number_follows_from_the_entry_that_it_was_made_of() -> None:
    claim = last(*MASKED, "T = S + M = [[7, 9]]", "U = 3T = [[21, 27]]")
    assert [cause(claim, k) for k in range(2)] == [("T", 1, 1), ("T", 1, 2)]
    claim = last(*MASKED, "T = S + M = [[-\\infty, 9]]", "U = 3T = [[-\\infty, 27]]")
    assert [cause(claim, k) for k in range(2)] == [("T", 1, 1), ("T", 1, 2)]
    given = ("S = [[1, 2], [3, 4]]", "T = 2S = [[3, 5], [7, 8]]", "V = [[0, 1], [1, 0]]")
    columns = last(*given, "U = T V = [[5, 3], [8, 7]]")
    assert [cause(columns, k) for k in (0, 1, 3)] == [("T", 1, 2), ("T", 1, 1), ("T", 2, 1)]
    rows = last(*given, "U = V T = [[7, 8], [3, 5]]")
    assert [cause(rows, k) for k in (0, 2, 3)] == [("T", 2, 1), ("T", 1, 1), ("T", 1, 2)]


def test_an_entry_printed_wrong_where_there_is_none_is_mended_for_what_follows() -> None:
    claims = check(*MASKED, "T = S + M = [[-\\infty, 2]]", "U = 3T = [[3, -\\infty]]", "A = softmax(T) = [[0, 1]]")
    assert [[e.verdict for e in c.entries] for c in claims.findings] == [
        ["wrong", "wrong"],
        ["exact", "exact"],
        ["carried", "carried"],
    ]


def test_about_whole_numbers_beside_a_mask() -> None:
    given = ("S = [[13000, 7]]", "M = [[0, -\\infty]]")
    # 39,000 is 40,000 to the ten thousands, and 41,000 to nothing
    assert verdicts(*given, "T = 3S + M \\approx [[40000, -\\infty]]") == ["rounded", "exact"]
    assert verdicts(*given, "T = 3S + M \\approx [[41000, -\\infty]]")[0] in ("wrong", "last-digit")


def test_a_number_printed_wrong_is_the_same_again_where_its_name_says_so() -> None:
    slip = r"a = 4 \cdot 1.25 = 5.75"
    claim = last(slip, r"b = 3 \cdot a = 3 \cdot 5.75 = 17.25")
    assert [e.verdict for e in claim.entries] == ["carried"] and cause(claim) == ("a", 1, 1)
    assert verdicts(slip, r"b = 5.75 \cdot 3 = 17.25") == ["exact"]  # it may be another 5.75
    assert verdicts(slip, r"b = 5.75 \cdot 3 = 15") == ["exact"]  # 5 · 3
    assert verdicts(slip, "b = 5.75 + 5.75 = 10") == ["exact"]
    assert verdicts(slip, r"b = 5.75 \cdot 3 = 16") == ["wrong"]


@pytest.mark.parametrize(
    ("formula", "right"),
    [
        (r"1 \times 10000^{-1} = 0.01", "0.0001"),
        (r"10^4 \cdot 10^3 = 10^{8}", "10^7"),
        ("1/1000 = 0.01", "0.001"),
        ("e^{-12} = 0.0001", "0.000006"),  # 6.1 · 10⁻⁶
        (r"3/100 = 0.1", "0.03"),
        (r"0.04 \times 1 = 0.1", "0.04"),
    ],
)
def test_ten_times_what_is_right_is_no_wrong_rounding(formula: str, right: str) -> None:
    [entry] = last(formula).entries
    assert entry.verdict == "wrong" and entry.decimal.replace("{", "").replace("}", "") == right


def test_what_is_less_than_ten_times_as_large_or_stands_in_a_row_is_rounded_wrongly() -> None:
    assert verdicts("1/300 = 0.01") == ["last-digit"]
    assert verdicts("[0.99985, 0.00014, 0.00001] = [0.9998, 0.0001, 0.0001]")[2] == "last-digit"


@pytest.mark.parametrize("function", ["sin", "tanh", r"\tan"])
def test_ten_times_what_is_right_is_not_taken_up_on_the_way(function: str) -> None:
    assert [e.verdict for c in check(f"{function}(1/100) = {function}(0.1) = 0.100").findings for e in c.entries] == [
        "wrong",
        "carried",
    ]


@pytest.mark.parametrize(
    "formula",
    [
        r"\sin(1/8) = \sin(0.12) = 0.125",
        r"\sin(1/7) = \sin(0.1) = 0.142",
        r"\cos(1/15) \approx \cos(0.1) \approx 0.998",
        r"\sin(2/10000^{2/4}) = \sin(0.02) = 0.020",
        r"e^{-1/30} = e^{-0.03} = 0.967",
        r"\sqrt{0.6 \cdot 0.6} = \sqrt{0.4} = 0.6",
    ],
)
def test_a_number_rounded_on_the_way_is_no_slip(formula: str) -> None:
    assert not {e.verdict for c in check(formula).findings for e in c.entries} & {"wrong", "carried"}


def test_who_prints_decimals_does_not_cut_off_to_whole_numbers() -> None:
    assert verdicts("a = 17/10 = 1") == ["truncated"]
    assert verdicts("a = 1/8 = 0.125", "b = 17/10 = 1") == ["last-digit"]


def test_hidden_entries_leave_the_others_to_the_rounding_of_inputs() -> None:
    given = ("x = [[0.1234, 0.4556], [0.4556, 0.1234]]", "M = [[-\\infty, 0], [0, -\\infty]]")
    claimed = verdicts(*given, "U = 10x + M = [[1.2344, 4.5564], [4.5564, 1.2344]]")
    assert claimed == ["wrong", "input-rounding", "input-rounding", "wrong"]


def test_what_a_program_prints_is_known_to_half_a_unit_of_its_finest_number() -> None:
    [chain] = parse("[0.5, 0.25]")
    printed = table_of_prints(chain.sides[0].expression)
    assert printed is not None
    run, whole = printed.as_run(), printed.about().as_prints()
    assert run is not None and whole is not None
    for ball, low, high in zip(run.rows[0], ("0.495", "0.245"), ("0.505", "0.255"), strict=True):
        assert ball.overlaps(arb(low)) and ball.overlaps(arb(high))
        assert not ball.overlaps(arb(low) - arb("0.001")) and not ball.overlaps(arb(high) + arb("0.001"))


def test_a_number_that_was_a_right_sum_of_rounded_ones_is_no_slip_where_it_is_gathered() -> None:
    """softmax([1, 0, 1]/√2) gives 3.982 without rounding; with weights of three digits it is 3.985."""
    rows = "$Q = [[1, 0], [0, 1]]$, $K = [[1, 0], [0, 1], [1, 1]]$, $V = [[10, 0], [0, 10], [5, 5]]$.\n\n"
    sums = "$0.401 · (10, 0) + 0.198 · (0, 10) + 0.401 · (5, 5) = (4.01 + 2.005, 1.98 + 2.005) = (6.02, 3.99)$\n\n"
    output = r"$$\text{Attention}(Q, K, V) = \begin{pmatrix} 6.02 & 3.99 \\ 3.99 & 6.02 \end{pmatrix}$$"
    assert "last-digit" not in verdicts_of(rows + sums + output)
    assert "last-digit" in verdicts_of(rows + output)


def verdicts_of(text: str) -> dict[str, int]:
    return dict(check_article(text).summary)


def test_letters_above_are_no_square_of_a_transposed_number() -> None:
    """F^{2T} is the F of 2T tokens."""
    text = "$F = 6 · 30 · 600 = 108000$ and $F^{2T} = 6 · 30 · 2000 = 360000$"
    assert verdicts_of(text) == {"exact": 2}
    assert verdicts_of(text.replace("360000", "350000")) == {"exact": 1, "wrong": 1}


def test_numbers_of_a_row_that_repeats_a_wrong_one_may_be_its_right_ones() -> None:
    """2/√2 = 1.414 is right at the second place only, and e^1.41421 is 4.113."""
    scores = r"$$S = [[1 \cdot 1, 1 \cdot 2]] = [[2, 2]]$$" + "\n\n" + r"$$\frac{S}{\sqrt{2}} = [[1.414, 1.414]]$$"
    found = verdicts_of(scores + "\n\n$e^{1.414} = 4.113$\n")
    assert found["wrong"] == found["carried"] == 1 and "last-digit" not in found


def test_a_result_that_is_right_from_the_numbers_beside_it_is_no_slip() -> None:
    """2√2 is 2.8284, and 2 · 1.4143 = 2.8286; √2 is 1.4142."""
    text = r"$x = 2 \cdot \sqrt{2} = 2 \cdot 1.4143 = 2.829$"
    assert verdicts_of(text) == {"intermediate": 1, "last-digit": 1}
    assert [e.printed for c in check_article(text).findings for e in c.entries if e.verdict == "last-digit"] == [
        "1.4143"
    ]
    assert verdicts_of(r"$x = 2 \cdot \sqrt{2} = 2.829$") == {"last-digit": 1}
    other = r"x = 2 \cdot \sqrt{2} = 2 \cdot 1.4137 = 2.829"  # 2 · 1.4137 is 2.8274
    assert verdicts(other) == ["last-digit"]


def test_an_offset_says_what_its_letter_is() -> None:
    text = "We divide by $n - 1 = 6$.\n\nOther data have $n = 10$.\n"
    assert verdicts_of(text) == {}
    assert verdicts_of("With $n = 10$ we divide by $n - 1 = 6$.\n") == {"wrong": 1}


def test_sigma_of_a_number_is_what_it_is_written_out_as():
    """e/(e + e² + e³) = 0.0900 is a softmax, whose σ is; 1/(1 + 1/e) is 0.7311 by hand."""
    softmax = r"\sigma(1.0) = \frac{2.7183}{30.1929} \approx"
    assert verdicts(f"{softmax} 0.0900") == ["rounded"]
    assert verdicts(r"\sigma(1.0) = \frac{1}{1+0.3679} \approx 0.7511") == ["wrong"]
    assert verdicts(r"\sigma(1.0) = 0.7411") == ["wrong"]
    assert verdicts(r"\sigma(2) = \frac{1}{1+e^{2}} \approx 0.1192") == ["wrong"]  # 0.8808, of which a sign slipped
    assert "wrong" in verdicts(r"\sigma(2) = \frac{e^{-2}}{1+e^{-2}} = 0.119")
    assert verdicts(r"\sigma(1) = \frac{e^1}{e^1+e^2} = 0.269")[-1] == "rounded"


def test_who_rounds_a_number_of_a_row_up_cuts_none_off() -> None:
    """Over 1.41, 10 is 7.092, 30 is 21.277 and 40 is 28.369; over √2 they are 7.071, 21.213 and 28.284."""
    root = r"r = \sqrt{2} = 1.41"
    assert verdicts(root, "Q = [[10, 30]]", "A = Q/r = [[7.09, 21.27]]") == ["intermediate", "truncated"]
    assert verdicts(root, "Q = [[40, 30]]", "A = Q/r = [[28.37, 21.27]]") == ["intermediate", "wrong"]
    assert verdicts(root, "Q = [[40, 30]]", "A = Q/r = [[30.01, 21.27]]") == ["wrong", "truncated"]  # 30.01 rounds none


def test_who_rounds_what_is_put_in_cuts_nothing_off() -> None:
    """100 · 5/3 is 166.67 rounded and 166.66 cut off."""
    assert verdicts("a = 5/3 = 1.666", r"b = 100 \cdot 1.666 = 166.66") == ["truncated"]
    assert verdicts("a = 5/3 = 1.667", r"b = 100 \cdot 1.667 = 166.66") == ["wrong"]


def test_a_wrong_number_put_in_stands_for_no_other_digits() -> None:
    """30/3 + 0.143 = 10.143, and 30 · 0.333 + 0.153 = 10.143 too, where 1/7 is 0.143."""
    third, after = "a = 1/3 = 0.333", r"c = 30 \cdot 0.333 + {} = {}"
    assert verdicts(third, "b = 1/7 = 0.143", after.format("0.143", "10.143")) == ["intermediate"]
    assert verdicts(third, "b = 1/7 = 0.153", after.format("0.153", "10.153")) == ["wrong"]
    assert verdicts(third, "b = 2 + 2 = 5", after.format("5", "15.00")) == ["intermediate"]  # any 5


def test_only_a_lone_number_is_wrong_where_it_is_ten_times_its_value() -> None:
    assert verdicts(r"a = 0.001 \cdot 1 = 0.01") == ["wrong"]
    assert verdicts(r"S = [[0.1 \cdot 1, 14/10]] = [[1, 2]]") == ["last-digit"] * 2


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [("1.5361234", "input-rounding"), ("1.536123", "wrong"), ("1.5362345", "wrong")],  # y = 1.536
)
def test_seven_decimals_of_a_program_may_be_off_by_a_ten_thousandth(printed: str, verdict: str) -> None:
    assert verdicts("x = 0.512", f"y = 3x = {printed}") == [verdict]


def test_a_column_of_which_half_is_as_before_is_put_in_with_a_slip() -> None:
    """[1, 2; 3, 4] [1; 1] = [3; 7]."""
    assert verdicts("A = [[1, 2], [3, 4]]", "v = [[1], [1]]", "A v = [[1, 2], [3, 4]] [[1], [2]] = [[5], [11]]") == [
        "wrong",
        "wrong",
    ]


def test_shapes_side_by_side_are_one_row() -> None:
    assert not check(r"[1024, 64] \cdot 12 = [1024, 768]").findings
    assert verdicts(r"[1024, 64] \cdot 12 = [1024, 778]") == ["wrong", "wrong"]
    assert verdicts(r"[1024, 64, 2] \cdot 12 = [1024, 768, 5]") == ["wrong", "exact", "wrong"]
    assert verdicts(r"[[1024, 64], [1, 2]] \cdot 12 = [[1024, 768], [1, 24]]") == ["wrong", "exact"] * 2
