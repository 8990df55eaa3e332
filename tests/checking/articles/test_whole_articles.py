"""Whole articles as they stand: expressions are read whole or not at all, and what is doubtful accuses nobody."""

from __future__ import annotations

import pytest

from symattn.checking import Findings, check_article
from symattn.reading.articles import read_article
from tests.checking.checked import judged, report

pytestmark = pytest.mark.slow


def check(text: str) -> Findings:
    return check_article(read_article("a.md", text + "\n"))


def verdicts(text: str) -> list[list[str]]:
    return [[e.verdict for e in claim.entries] for claim in check(text).findings]


def listed(text: str) -> str:
    return "\n".join(n.text for n in check(text).not_checked)


# --- an expression over several lines


def test_a_sum_goes_on_below_and_below_a_blank_line() -> None:
    text = "= (0.04 × 0.08)\n+ (0.12 × 0.04)\n\n= 0.0032\n+ 0.0048\n\n= 0.0080"
    assert verdicts(text)[-1] == ["exact"]
    assert verdicts(text.replace("0.0080", "0.0090"))[-1] == ["wrong"]


@pytest.mark.parametrize("blank", ["\n", "\n\n"])
def test_signs_may_stand_alone(blank: str) -> None:
    assert verdicts(blank.join(["[2,1]", "+", "[8.06,7.52]", "=", "[10.06,8.52]"])) == [["exact"] * 2]
    assert verdicts(blank.join(["[2,1]", "+", "[8.06,7.52]", "=", "[10.06,8.51]"])) == [["exact", "wrong"]]


def test_lists_of_a_sum_may_have_captions() -> None:
    lines = ["Embedding", "[2, 1, 4]", "+", "Position", "[1, 0, 1]", "=", "Embedding with position", "[3, 1, 5]"]
    assert verdicts("```\n" + "\n\n".join(lines) + "\n```") == [["exact"] * 3]
    of_these = ["[2, 1, 4]", "+", "[1, 0, 1]", "=", "Softmax", "[3, 1, 5]"]
    assert not verdicts("```\n" + "\n\n".join(of_these) + "\n```")


def test_a_column_between_lone_brackets_is_a_vector() -> None:
    column = "[\n0.1\n0.2\n]\n\n+\n\n[\n0.3\n0.4\n]"
    assert verdicts(f"```\n=\n\n{column}\n```\n\n```\n=\n\n[\n0.4\n0.6\n]\n```") == [["exact"] * 2]


def test_rows_between_lone_brackets_are_a_matrix() -> None:
    text = "```\nK =\n[\n 0.08 0.04\n 0.24 0.12\n]\n```\n\n```\nKᵀ =\n[\n 0.08 0.24\n 0.04 0.12\n]\n```"
    assert verdicts(text) == [["exact"] * 4]


def test_a_result_belongs_to_the_formula_right_above_it() -> None:
    text = "```\n1.01369 / 3.06198\n\n= 0.3311\n```\n\n```\n0.0344\n\n↓\n\n1.03500 / 3.06198\n\n= 0.3380\n```"
    assert verdicts(text) == [["rounded"], ["rounded"]]


@pytest.mark.parametrize(
    "text", [r"$$S = 1 \times 2 +$$" + "\n\n" + r"$$3 \times 4 = 14$$", "$$1 × 2$$\n\n$$+ 3 × 4 = 14$$"]
)
def test_half_an_expression_is_not_judged(text: str) -> None:
    assert not verdicts(text)
    assert "14" in listed(text)


def test_an_expression_in_a_sentence_goes_on_below() -> None:
    assert verdicts("Its score with\nitself is 0.5 * 0.5 +\n0.5 * 0.5 = 0.5 today.") == [["exact"]]
    assert verdicts("Its score with itself is 0.5 * 0.5\n+ 0.5 * 0.5 = 0.5 today.") == [["exact"]]


def test_bullets_are_no_signs() -> None:
    assert verdicts("- 2 × 3 = 6\n- 4 × 3 = 12") == [["exact"], ["exact"]]
    assert verdicts("* 0.5 × 2 = 1\n* 3 × 2 = 6") == [["exact"], ["exact"]]


@pytest.mark.parametrize("between", ["## Next", "The rest:", "| a | b |\n|---|---|\n| 1 | 2 |", "$b = \\foo{2$"])
def test_nothing_goes_on_past_what_stands_between(between: str) -> None:
    assert verdicts(f"$a = 2 + 3 = 5$\n\n{between}\n\n$= 8$") == [["exact"]]
    assert "8" in listed(f"$a = 2 + 3 = 5$\n\n{between}\n\n$= 8$")


def test_a_sum_is_judged_term_by_term() -> None:
    text = "= 1 × 2 + 3 × 4 + 5 × 6\n\n= 2 + 12 + 30\n\n= 44"
    assert verdicts(text) == [["exact"] * 3, ["exact"]]
    assert verdicts(text.replace("12", "13")) == [["exact", "wrong", "exact"], ["exact"]]
    assert verdicts(text.replace("12", "13").replace("44", "45"))[-1] == ["carried"]
    assert "3 + 4 + 6" in listed(text.replace("2 + 12 + 30", "3 + 4 + 6"))


# --- names, and what they mean by now


@pytest.mark.parametrize(
    "text",
    [
        "Here $d_v = 64$.\n\nWe take $d_k = d_v = 2$.",
        "Let $d = 512$.\n\nA larger one has $d = d_{model} = 768$, so $4d = 3072$.",
        "It stays stable at LR ≈ 1e-4.\n\nWith it LR ≈ 5e-4 or higher.",
        "Sampling with Top-K = 3 keeps three words.\n\nWith Top-K = 1 it is greedy.",
        "Here α = (0.412, 0.310, 0.278).\n\nWere it sure, α = (1, 0, 0).",
        "Aquí α = (0,412, 0,310, 0,278).\n\nSi no, α = (1, 0, 0).",
        "logits = [2, 1]\n\nsoftmax(logits) = [0.73, 0.27]\n\nBut\n\nlogits = [3, 1]\n\nsoftmax(logits) = [0.88, 0.12]",
        "Its vector is initially random: cat = [0.1, 0.2, 0.3]\n\nOnce it has learned, cat = [0.1, 0.7, 0.3]",
        "The first line has a slope of p = 1/4.\n\nThat of the second one is p = 3.",
        "The smaller side is $s = \\sqrt{2}$ here.\n\nIn the next figure, $s = 5$.",
        "Read pages 10-12 = 3 pages.",
        "From Token 1 to Token 100 = 99 steps.",
    ],
)
def test_what_is_stated_twice_is_given_twice(text: str) -> None:
    assert all(v in ("exact", "rounded") for claim in verdicts(text) for v in claim)


def test_a_fraction_and_its_decimals_are_one_number() -> None:
    assert [verdicts(f"p = 1/3 here.\n\nSo p = {printed}.") for printed in ("0.33", "0.34")] == [
        [["rounded"]],
        [["last-digit"]],
    ]


def test_a_quotient_of_differentials_sets_no_variable() -> None:
    text = "∂L/∂z₂ = 2 × (-1.5) = -3\n\nz₂ + 1 = 4"
    assert not any(v in ("wrong", "carried") for claim in verdicts(text) for v in claim)
    tex = r"$\frac{\partial L}{\partial z_2} = 2 \cdot (-1.5) = -3$" + "\n\n$z_2 + 1 = 4$"
    assert not any(v in ("wrong", "carried") for claim in verdicts(tex) for v in claim)


@pytest.mark.parametrize("start", ["## Example 2", "### Another example", "## 例 2", "Exercise 3."])
def test_another_example_begins_anew(start: str) -> None:
    first = "## Example 1\n\n$x = [1, 2]$\n\n$y = 2x = [2, 4]$"
    assert not any("wrong" in claim for claim in verdicts(f"{first}\n\n{start}\n\n$3y = [3, 9]$"))
    assert verdicts(f"{first}\n\n$3y = [3, 9]$")[-1] == ["wrong", "wrong"]


# --- what a number says


def test_a_unit_or_a_word_after_a_number_counts() -> None:
    assert not any("wrong" in claim for claim in verdicts("With $d=768$ it has $4d^2 \\approx 2.36$M weights."))
    assert not any("wrong" in claim for claim in verdicts("It takes 4 × 250 = 1 thousand steps."))
    assert not any("wrong" in claim for claim in verdicts("That is $3 / 4 = 75$%."))
    assert verdicts("So $2 + 3 = 6$ steps.") == [["wrong"]]


def test_about_a_number_that_ends_in_zeros() -> None:
    assert verdicts("The cost is $197^2 \\approx 39{,}000$ pairs.") == [["rounded"]]
    assert verdicts("The cost is $197^2 \\approx 37{,}000$ pairs.") == [["wrong"]]
    assert verdicts("The cost is $197^2 = 39{,}000$ pairs.") == [["wrong"]]


def test_rounded_thirds_are_thirds() -> None:
    text = r"$0.3333 \times [1, 2] + 0.3333 \times [3, 4] + 0.3333 \times [5, 6] = [3.0000, 4.0000]$"
    assert verdicts(text) == [["intermediate", "intermediate"]]
    assert verdicts(text.replace("4.0000", "4.0010")) == [["intermediate", "wrong"]]


def test_a_rounded_root_squared_is_whole_again() -> None:
    assert verdicts("norm ≈ √512 ≈ 22.6\n\nscaled ≈ 22.6 × 22.6 ≈ 512")[-1] == ["intermediate"]


def test_what_something_unread_has_set_is_unknown() -> None:
    first = "$X = [[1, 0], [0, 1]]$ and $W = [[1, 2], [3, 4]]$.\n\n"
    first += "$Q = XW = [[1, 2], [3, 4]]$\n\n"
    again = "$X = [[1, 0], [0, 1]]$\n\n$Q = XW = [[0, 1], [1, 0]]$\n\n$2Q = [[0, 2], [2, 0]]$"
    assert "wrong" in verdicts(first + again)[-2]
    assert verdicts(first + "$W = \\foo{2} [[0, 1], [1, 0]]$\n\n" + again)[-1] == ["exact"] * 4
    assert not any("wrong" in claim for claim in verdicts(first + "$W = \\foo{2} [[0, 1], [1, 0]]$\n\n" + again))


def test_a_formula_of_unknown_names_may_be_worked_out_anew() -> None:
    first, again = "$a - b = 7.5 - 2.0 = 5.5$", "$a - b = 0.5 - 2.0 = -1.5$"
    assert verdicts(f"{first}\n\n{again}") == [["exact"], ["exact"]]
    assert verdicts(f"{first}\n\n{again.replace('1.5', '1.6')}") == [["exact"], ["wrong"]]


def test_a_multiple_of_an_index_says_which_place_is_meant() -> None:
    assert verdicts("For the first, $i = 0$.\n\nPlace 2 ($2i = 2$, so $i = 1$)") == []
    assert verdicts("Take $d = 3$.\n\nThen $2d = 7$") == [["wrong"]]


# --- comments of programs


@pytest.mark.parametrize("comment", ["# tensor([0.5, 0.5])", "# Result: tensor([0.5, 0.5])  # flat"])
def test_a_comment_is_a_claim_where_all_that_it_needs_stands_above(comment: str) -> None:
    program = f"```python\nx = torch.tensor([2.0, 1.0])\n\n# t = 0.5\np = F.softmax(x / 0.5, dim=-1)\n{comment}\n```"
    assert verdicts(program) == [["wrong"] * 2]  # 1/(1 + e^(-2)) = 0.88


@pytest.mark.parametrize(
    "lines",
    [
        "x = torch.tensor([2.0, 1.0])\np = F.softmax(x)\n# Example output: [0.5, 0.5]",
        "x = torch.tensor([2.0, 1.0])\np = F.softmax(x)\n# [0.5, 0.5] for example",
        "x = torch.randn(2)\n# tensor([2.0, 1.0])\np = F.softmax(x)\n# tensor([0.5, 0.5])",
        "x = torch.tensor([2.0, 1.0])\nx[0] = 1\np = F.softmax(x)\n# tensor([0.5, 0.5])",
        "x = torch.tensor([2.0, 1.0])\nx *= 0\np = F.softmax(x)\n# tensor([0.5, 0.5])",
        "x = torch.tensor([2.0, 1.0])\nx.zero_()\np = F.softmax(x)\n# tensor([0.5, 0.5])",
        "x = torch.tensor([2.0, 1.0])\n```\n\n## Later\n\n```python\np = F.softmax(x)\n# tensor([0.5, 0.5])",
    ],
)
def test_a_comment_is_none_where_other_numbers_may_have_gone_in(lines: str) -> None:
    assert not verdicts(f"```python\n{lines}\n```")


# --- names that stand for the list before them

LIST = "logits_at_{}: [2.0, 2.0]\n{}p: softmax(logits) ≈ [0.50, 0.40]\n"


def test_a_function_takes_the_list_right_before_it_whose_name_begins_alike() -> None:
    text = LIST.format(1, "") + "\n" + LIST.format(2, "")
    assert verdicts(f"```\n{text}```") == [["exact", "wrong"]] * 2


@pytest.mark.parametrize("between", ["[1, 2]\n", "c = 3\n", "```\n\n## Later\n\n```\n"])
def test_no_other_list_is_taken(between: str) -> None:
    assert not verdicts(f"```\n{LIST.format(1, between)}```")


def test_a_dot_in_brackets_is_what_the_equation_before_it_is_about() -> None:
    text = r"\frac{[2, 2]}{2} = [1, 1],\quad \mathrm{softmax}\bigl(\cdot\bigr) = [0.5, 0.6]"
    assert verdicts(f"$${text}$$") == [["exact"] * 2, ["exact", "wrong"]]
    assert verdicts(r"$[2, 2] / 2 = [1, 1]$, so $\mathrm{softmax}(\cdot) = [0.5, 0.6]$") == [["exact"] * 2]


def test_inputs_that_are_stated_anew_are_given_twice() -> None:
    """Examples of small whole numbers have some of them in common by chance."""
    first = "$$V = \\begin{bmatrix}2&3\\\\ 0&2\\\\ 2&3\\end{bmatrix}$$\n\nThen\n\n"
    assert not check(first + first.replace("2&3", "2&0", 1)).summary


def test_a_copy_of_many_digits_has_a_slip() -> None:
    V = "$$V = \\begin{bmatrix}0.137&0.481\\\\ 0.275&0.839\\end{bmatrix}$$\n\nThen\n\n"
    assert check(V + V.replace("0.137", "0.139")).summary == {"exact": 3, "wrong": 1}


def test_what_is_said_behind_the_rows_of_a_matrix() -> None:
    given = "```\nX = [[1, 2],          first of 2\n     [3, 4]]          last      shape (2, 2)\n"
    found = judged(f"{given}\nX·X = [[7, 10],\n       [15, 22]]  (2, 2)\n```")
    assert [number for _, numbers, _ in found for number in numbers] == ["7", "10", "15", "22"]


def test_functions_in_a_list_of_several_lines() -> None:
    text = "```\np = [sin(0/1),   cos(0/1),\n     sin(1/1),   cos(1/1)]\n  = [0,     1,\n     0.841, 0.640]\n```"
    assert [(e.printed, e.verdict) for c in report(text).findings for e in c.entries][-1] == ("0.640", "wrong")


def test_scores_that_are_scaled_before_they_are_printed() -> None:
    given = "$Q = [[1, 0], [0, 2]]$, $K = [[1, 0], [0, 2]]$\n\nWe take `S = Q·Kᵀ` and divide it by `sqrt(2)`:\n\n"
    assert judged(given + "```\nS = [[0.707, 0],\n     [0, 2.828]]\n```")[-1][2] == []
    assert judged(given + "```\nS = [[1, 0],\n     [0, 5]]\n```")[-1][2] == ["5"]


def test_equations_to_be_solved_claim_nothing() -> None:
    """x and y had values before, which x² + y² = 20 is not about."""
    given = "Take `x = 3` and `y = 1`.\n\n"
    for words in ("The solutions of `{}` are many.", "To solve {}, we try both.", "求解方程 `{}`。"):
        text = given + words.format("x^2 + y^2 = 20") + "\n"
        assert not any(v in ("wrong", "last-digit") for claim in verdicts(text) for v in claim)
        assert any("x^2" in each.text for each in check_article(read_article("a.md", text)).not_checked)
    assert verdicts(given + "So `x^2 + y^2 = 20`.\n")[-1] == ["wrong"]


@pytest.mark.parametrize(
    "text",
    [
        "Take `x = 3` and `y = 1`.\n\nAnother pair is `(x, y) = (4, 2)`.",
        "It is ratio=1.7 unless told.\n\nWith ratio=1 nothing grows.",
        "3 × 96 × 96 × 128 = 3.54 Millionen floats = 14.2 MB",
    ],
)
def test_what_is_given_anew_or_counted_in_another_language_is_not_wrong(text: str) -> None:
    assert not any(v in ("wrong", "last-digit") for claim in verdicts(text + "\n") for v in claim)
