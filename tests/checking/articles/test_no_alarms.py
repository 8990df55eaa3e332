"""Right numbers as people write them: nothing of them is called wrong, and a slip in the same place still is."""

from __future__ import annotations

import pytest

from symattn.checking import Findings, check_article
from symattn.reading.articles import read_article
from tests.checking.checked import judged


def check(text: str) -> Findings:
    return check_article(read_article("a.md", text + "\n"))


def bad(text: str) -> list[str]:
    return [e.printed for claim in check(text).findings for e in claim.bad]


# --- rounded weights written out, and what follows from the weights that were not rounded

WEIGHTS = "$$\\text{softmax}([1.0, 0.0, 0.5]) = [0.506, 0.186, 0.307]$$"  # 0.18632… + 0.30719… = 0.49352…
SUM = "$$o = 0.506 \\times [1, 0] + 0.186 \\times [0, 1] + 0.307 \\times [1, 1] = [0.813, {}]$$"


@pytest.mark.parametrize(("printed", "flagged"), [("0.493", []), ("0.494", []), ("0.495", ["0.495"])])
def test_either_chain_makes_a_result_right(printed: str, flagged: list[str]) -> None:
    assert bad(WEIGHTS + "\n\n" + SUM.format(printed)) == flagged


@pytest.mark.parametrize(("printed", "flagged"), [("0.640", []), ("0.641", []), ("0.642", ["0.642"])])
def test_weights_printed_with_three_decimals_are_rounded(printed: str, flagged: list[str]) -> None:
    lines = f"Row 0: [0.410·1+0.230·0+0.230·1+0.129·0] = [{printed}]"
    assert bad(f"Attention weights ≈\n```\n[0.410 0.230 0.230 0.129]\n```\n\n```\n{lines}\n```") == flagged


def test_inputs_are_what_they_are() -> None:
    assert bad("x = [0.410, 0.230]\n\n0.410·1 + 0.230·1 = 0.641") == ["0.641"]


@pytest.mark.parametrize(
    ("printed", "flagged"), [("[0.2322, 0.0995]", []), ("[0.2331, 0.0995]", ["0.2331"]), ("[0.232, 0.101]", ["0.101"])]
)
def test_a_result_with_more_decimals_than_a_weight_is_that_of_the_weight_before_it_was_rounded(
    printed: str, flagged: list[str]
) -> None:
    assert bad(f"0.332 × [0.7, 0.3] = {printed}") == flagged  # 0.7 times 0.3315 to 0.3325
    assert bad("x = [0.332, 0.5]\n\n0.332 × [0.7, 0.3] = [0.2322, 0.0996]") == ["0.2322"]  # an input is what it is


@pytest.mark.parametrize("rest", ["(s + self.d)", "self.d", "total"])
def test_what_goes_on_with_an_operation_that_is_not_read_is_not_judged(rest: str) -> None:
    report = check(f"`y = (3 - 1) / {rest}`\n\n`y = (5 - 1) / {rest}`\n\nwith y = 2 / {rest}")
    assert report.findings == report.formulas == ()


# --- names that are given anew in a way that is not read


@pytest.mark.parametrize("anew", ["float q[4] = { 1,0,  0,1 };", "let q: [f32; 4] = [ 1,0,  0,1 ];"])
def test_rows_of_an_array_given_anew_are_unknown(anew: str) -> None:
    head = "// head 0: q0=[0,0], q1=[0,1]\n// k0=[1,0], k1=[0,1]\n"
    lines = "float k[4] = { 1,0,  0,1 };\n// q0·k0=1, q0·k1=0"
    assert bad(f"```c\n{head}// q0·k0=1\n```") == ["1"]
    assert not bad(f"```c\n{head}{anew}\n{lines}\n```")


def test_a_name_with_an_index_is_no_entry_of_a_lone_number() -> None:
    lines = (
        "pair 0: freq = 1 / 1 = 1.000\npair 1: freq = 1 / 100 = 0.010\nθ₀ = p * freq₀ = 1 * 1.000 = {} rad (≈ 57.3°)"
    )
    assert not bad("p = 1\n```\n" + lines.format("1.000") + "\n```")


def test_another_unit_in_brackets_is_another_number() -> None:
    lines = [
        "angle = 1 * 1.000 = 1.000 rad (≈ 57.3°)",
        "size = 2 * 4 = 8 bytes (= 64 bits)",
        "t = 3 * 0.5 = 1.5 s (1500 ms)",
    ]
    assert not bad("\n".join(["```", *lines, "```"]))


# --- numbers cut off


def test_whole_numbers_are_cut_off_only_where_nothing_has_decimals() -> None:
    product = "$$A V = [0.34, 0.66] \\begin{bmatrix} 1 & 2 \\\\ 2 & 3 \\end{bmatrix} = [1, 2]$$"  # [1.66, 2.66]
    verdicts = [e.verdict for e in check(product).findings[-1].entries]
    assert verdicts == ["truncated", "truncated"]
    softmax = "$$\\text{softmax}([1, 0]) = [0.73, 0.27]$$\n\n"
    assert [e.verdict for e in check(softmax + product).findings[-1].entries] == ["last-digit"] * 2


# --- signs that are no factors, bases or sums


@pytest.mark.parametrize("text", ["h₁ = [1, 0]\n\ne¹₁ = q·h₁ = 0.5", "e²₁ = 0.8", "$e_1^2 = 0.25$"])
def test_a_score_called_e_is_no_power_of_eulers_number(text: str) -> None:
    assert not bad(text)


def test_an_index_above_before_one_below_is_the_step() -> None:
    lines = "q₁ = [0.5, 0.5], h₁ = [1, 3]\n\ne²₁ = q₁·h₁ = {}"
    assert bad(lines.format("2.0")) == []
    assert bad(lines.format("2.1")) == ["2.1"]


@pytest.mark.parametrize(
    ("line", "flagged"),
    [("0.5 + 1.0 = 1.7", []), ("0.5 + 1.0 = 1.5", []), ("0.5 + 1.0 = 1.8", ["1.8"]), ("[1, 2] · [3, 4] = 11.2", [])],
)
def test_what_is_added_to_a_sum(line: str, flagged: list[str]) -> None:
    assert bad(f"```\nsum = 0.1 + 0.1 = 0.2\nsum += {line}\n```") == flagged


def test_what_is_added_to_what_was_not_understood() -> None:
    assert not bad("```\n∮ sum += 0.5 + 1.0 = 1.7\n```")


@pytest.mark.parametrize("arrow", [r"\xrightarrow{\frac{1}{2} \cdot K}", r"\xrightarrow[K]{x}", r"\overset{K}{\to}"])
def test_what_stands_above_an_arrow_is_no_factor(arrow: str) -> None:
    lines = r"$$G = \begin{bmatrix} 2 & 4 \end{bmatrix}, K = 3$$" + "\n\n" + rf"$$G {arrow} B = \frac{{G}}{{2}} = "
    assert bad(lines + r"\begin{bmatrix} 1 & 2 \end{bmatrix}$$") == []
    assert bad(lines + r"\begin{bmatrix} 1 & 3 \end{bmatrix}$$") == ["3"]
    assert bad(rf"$$\left\{{ G {arrow} B = 2 \times 3 = 7$$") == []


# --- formulas that the arithmetic behind them explains


def test_a_product_written_out_as_a_sum_is_of_vectors() -> None:
    lines = "q = [1, 2], k = [3, 4]\n\n$q_1 \\cdot k_1 = 1 \\cdot 3 + 2 \\cdot 4 = {}$"
    assert bad(lines.format("11")) == []
    assert bad(lines.format("10")) == ["10"]
    assert bad("q = [1, 2], k = [3, 4]\n\n$q_1 \\cdot k_1 = 4$") == ["4"]
    assert bad("q = [1, 2], k = [3, 4]\n\n$q \\cdot k = 1 \\cdot 3 + 2 \\cdot 5 = 13$") == ["13"]


@pytest.mark.parametrize("text", ["s² = 20/3 = {}, s = 2.58", "s = 2.58 since s² = 20/3 = {}"])
def test_a_square_is_not_computed_from_its_rounded_root(text: str) -> None:
    assert bad(text.format("6.67")) == []
    assert bad(text.format("6.68")) == ["6.68"]


@pytest.mark.parametrize("sign", ["→", "with"])
def test_a_range_is_no_difference(sign: str) -> None:
    assert not bad(f"```\nd = 256 {sign} n_heads = 4-8\nd = 512 {sign} n_heads = 8\n```")


# --- what pages of weights near 0 and 1 print


def test_a_sum_with_dots_in_its_middle_is_one_expression() -> None:
    for dots in ("⋯", "…", "..."):
        report = check(f"so H = 2 · 3 + {dots} + 4 · 5 = 46 in all\n")
        assert not report.findings
        assert [n.text for n in report.not_checked] == ["46"]


def test_softmax_in_brackets_is_that_of_a_name() -> None:
    # e^2 / (e^2 + 1) = 0.8808
    report = check("S = [[2, 0]]\n\nA = Softmax[S] = [[0.88, 0.12]]\n")
    assert [e.verdict for c in report.findings for e in c.entries] == ["rounded", "rounded"]


def test_saturated_weights_are_those_of_any_large_scores() -> None:
    # with a score of 2.4 beside them that belongs to no key: 1 - e^11.9 / (e^0 + e^2 + e^11.9 + e^2.4) = 1.318e-4
    given = "$Q = [[1]]$, $K = [[0], [2], [11.9]]$, $S = Q K^T = [[0, 2, 11.9]]$\n\n"
    weights = r"$A \approx [[6.79 \times 10^{-6}, 5.02 \times 10^{-5}, 1 - 1.32 \times 10^{-4}]]$"
    assert check(given + weights).clean


def test_what_is_missing_from_a_whole_number_shows_no_more_than_the_numbers_before_it() -> None:
    written = r"$S_{11} = 3 \cdot 0.9977 + 3 \cdot 0.0023 + (-3) \cdot 2.23 \times 10^{-9} \approx "
    assert check(written + r"3 - 1.18 \times 10^{-4}$").clean
    assert not check(written + r"3 - 8.18 \times 10^{-4}$").clean


def test_a_formula_of_entries_that_are_known_does_not_give_them_anew() -> None:
    entries = "".join(f"$P_{{{i}{j}}} = 1 / {k} = 0.{d}$\n\n" for i, j, k, d in ((1, 1, 2, 5), (1, 2, 4, 25)))
    text = entries + r"$S = [[1, 2]]$, $V = [[1], [2]]$" + "\n\n$P_{ij} = e^{S_{ij}}$\n\n$P V = [[1]]$\n"
    assert check(text).clean


def test_a_first_term_is_not_the_sum() -> None:
    text = "$Z = 0.4 \\cdot [1, 0] + 0.6 \\cdot [1, 1]$\n\n$Z = [0.4, 0]$\n$+ [0.6, 0.6]$\n\n$Z_1 = 0.4 + 0.6 = 1.0$\n"
    assert not bad(text)
    assert bad(text.replace("$+ [0.6, 0.6]$", ""))  # nothing is added to it


def test_an_entry_that_a_mask_hides_is_not_called_wrong() -> None:
    given = "Q = [[1, 0], [0, 1]]\n\nK = [[1, 1], [2, 1]]\n\nS = Q K^T = [[1, 2], [1, 1]]\n\n"
    assert bad(f"{given}- the first token sees itself alone: mask S[0,1] = −∞") == []
    assert bad(f"{given}- S[0,1] = 3") == ["3"]


@pytest.mark.parametrize(("anew", "summary"), [("1", {}), ("0.8", {"rounded": 1})])
def test_a_rough_number_that_is_supposed_is_not_the_one_before(anew: str, summary: dict[str, int]) -> None:
    start = "The best is" if summary else "If"
    text = f"The optimum is $D \\approx 816$ billion.\n\n{start} $D = {anew} \\times 10^{{12}}$, it is trained longer."
    assert check(text).summary == summary


def test_a_variance_that_is_supposed_is_not_the_one_before() -> None:
    text = (
        "The variance is $\\sigma^2 = \\frac{1}{2}(1^2 + 3^2) = 5$.\n\nIf $\\sigma^2 = 4$, then $\\sigma = \\sqrt{4} = "
    )
    assert bad(text + "2$.") == [] and bad(text + "3$.") == ["3"]


def test_entries_that_count_from_zero_before_the_first_is_met() -> None:
    text = "Take $x = [1.0, 2.0, 3.0, 4.0]$.\n\n$$z = [x_2, x_3, x_0, x_1] = [3.0, 4.0, 1.0, {}]$$"
    assert bad(text.format("2.0")) == [] and bad(text.format("3.0")) == ["3.0"]


def test_entries_given_anew_by_their_names() -> None:
    given = "Given $w = [w_0, w_1, w_2] = {}$, we find the output."
    assert bad(given.format("[5, 4, 6]") + "\n\n" + given.format("[2, 3, 4]")) == []


def test_more_digits_than_the_number_that_was_mended_has() -> None:
    slip = "- $a = -0.3 + 0.2 \\cdot 0.462117157 = -0.2075846$\n"  # −0.2075765686
    assert bad(slip + "- $h = \\tanh(-0.2075846) = -0.20464571679388185$") == ["-0.2075846"]  # tanh(−0.20757654…)
    assert bad(slip + "- $h = \\tanh(-0.2075846) = -0.20462$") == ["-0.2075846", "-0.20462"]  # −0.20465


def test_a_divergence_of_letters_without_values_is_given_anew() -> None:
    first = "$D_{KL}(P \\| Q) = 0.5 \\ln(0.5 / 0.25) + 0.5 \\ln(0.5 / 0.75) \\approx 0.144$"  # (ln 2 + ln 2/3)/2
    assert bad(first + ".\n\nFor two others\n\n- $D_{KL}(P \\| Q) = 0.441796$") == []
    assert bad(first.replace("0.144", "0.154")) == ["0.154"]


def test_a_name_with_a_hyphen_is_no_difference() -> None:
    text = "TF = 2 / 8 = 0.25, IDF = ln(4 / 2) = 0.693, TF-IDF = TF × IDF = 0.25 × 0.693 = {}"
    assert bad(text.format("0.173")) == [] and bad(text.format("0.183")) == ["0.183"]
    assert bad("ab = 5\n\ncd = 3\n\nab - cd = 3") == ["3"]


@pytest.mark.parametrize(("total", "flagged"), [("21", []), ("20", ["4.32 \\times 10^{20}"])])
def test_a_number_in_units_that_is_put_in_and_written_out(total: str, flagged: list[str]) -> None:
    step = "\\text{step} &= 10.55 \\times 1024 = 10803\\ \\text{TFLOPs} \\\\"
    whole = f"\\text{{total}} &= 400000 \\times 10803 = 4.32 \\times 10^{{{total}}}"
    assert bad(f"$$\n\\begin{{aligned}}\n{step}\n{whole}\n\\end{{aligned}}\n$$") == flagged


def test_a_largest_score_that_is_called_mu_is_no_mean() -> None:
    given = "$v = [4, 3, 2, -6]$\n\n"
    assert check(given + "$$ \\mu = \\max_{t} S'^{(1)}_{1t} = 0 $$").summary == {}
    assert check(given + "$$ \\mu = 0.75 $$").summary == {"exact": 1}  # (4 + 3 + 2 − 6)/4


def test_weights_of_scores_with_a_bias_that_is_not_known() -> None:
    scores = "    Q = [[1], [3]]\n\n    K = [[0], [0]]\n\n    S = Q Kᵀ = [[0, 0], [0, 0]]\n\n"
    scores += "    S' = S/√d_k = [[0, 0], [0, 0]]\n\n"
    weights = "Written as decimals:\n\n    A ≈ [[0.4875, 0.5125], [0.4875, 0.5125]]\n"
    assert bad(scores + "    S̃ = S' + B\n\n    A = softmax(S̃)\n\n" + weights) == []
    assert len(bad(scores + "    A = softmax(S')\n\n" + weights)) == 4


def test_a_shape_times_the_number_of_heads_is_a_shape() -> None:
    assert [bad for *_, bad in judged("Q of 12 heads: [1024, 64] * 12 = [1024, 768]")] == []
    assert [bad for *_, bad in judged("So it is [3, 5] * 2 = [6, 11]")] == [["11"]]


# 2 [1, 2] + 3 [0, 1] = [2, 7]
@pytest.mark.parametrize("remarks", [("(first)", "(second)"), ("# first", "# second"), ("← one", "← other"), ("", "")])
@pytest.mark.parametrize(("last", "bad"), [("[2, 7]", []), ("[2, 8]", ["8"])])
def test_terms_one_below_another_with_remarks_are_one_sum(remarks, last, bad):
    one, other = remarks
    text = f"```\ny = 2×[1, 2] + 3×[0, 1]\n\n  = [2, 4]   {one}\n  + [0, 3]   {other}\n\n  = {last}\n```\n"
    report = check_article(read_article("a.md", text))
    assert [entry.printed for claim in report.findings for entry in claim.bad] == bad
    assert sum(len(claim.entries) for claim in report.findings) == 6


@pytest.mark.parametrize("mark", ["```\n", ""])
@pytest.mark.parametrize("remark", ["(token 1)", "of the first"])
def test_a_number_before_another_term_on_the_next_line_is_no_result(mark, remark):
    text = f"{mark}z = 2×1 + 3×4\n  = 2   {remark}\n  + 12  and so on\n{mark}"
    assert not any(claim.bad for claim in check_article(read_article("a.md", text)).findings)


@pytest.mark.parametrize(
    ("remarks", "judged_"), [(("the", "cat", "sat"), 1), (("the", "token 2", "sat"), 0), (("the", "cat", "12"), 0)]
)
def test_terms_are_added_up_from_the_first_one_on_or_not_at_all(remarks, judged_):
    one, two, three = remarks
    text = f"```\nz = 0.6 * 1.0   # {one}\n  + 0.3 * 2.0   # {two}\n  + 0.1 * 3.0   # {three}\n  = 1.5\n```\n"
    report = check_article(read_article("a.md", text))
    assert [len(claim.bad) for claim in report.findings] == [0] * judged_  # 0.6 + 0.6 + 0.3
    other = check_article(read_article("a.md", text.replace("= 1.5", "= 0.9"))).findings
    assert [len(claim.bad) for claim in other] == [1] * judged_


@pytest.mark.parametrize("said", ["because the remaining tokens add 5.2", "with the others", "（含其余词）"])
def test_a_total_of_more_than_the_exponentials_before_it(said):
    text = f"Logits: [3, 2, 1]. e^3 = 20.1, e^2 = 7.4, e^1 = 2.7. Sum = 35.4, {said}.\n"
    assert not any(claim.bad for claim in check_article(read_article("a.md", text)).findings)
