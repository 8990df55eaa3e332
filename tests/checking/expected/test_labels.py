"""A matrix with nothing but words before it: held against the step that they name if the numbers show that it is it.

The numbers are those of Q = [[1, 0], [0, 2]], K = [[2, 0], [0, 1]], V = [[10, 0], [0, 20]]: S = [[2, 0], [0, 2]],
S/√2 = 1.414…, softmax(√2, 0) = (0.8044, 0.1956) and the output [[8.044, 3.911], [1.956, 16.089]].
"""

from __future__ import annotations

import pytest

from symattn.checking import Findings, check_article
from symattn.reading.articles import read_article
from tests.checking.checked import judged, report

GIVEN = """
The queries are $Q = [[1, 0], [0, 2]]$, the keys $K = [[2, 0], [0, 1]]$ and the values

$$V = [[10, 0], [0, 20]]$$
"""
STEPS = {
    "Scores of each query with each key:": "[[2, 0], [0, 2]]",
    "We scale by $\\sqrt{d_k}$:": "[[1.41, 0], [0, 1.42]]",
    "After softmax, the attention weights are": "[[0.80, 0.20], [0.23, 0.80]]",
    "The output is": "[[8.04, 3.91], [1.96, 17.09]]",
}


def check(text: str) -> Findings:
    return check_article(read_article(text + "\n"))


def verdicts(report: Findings) -> list[list[str]]:
    return [[e.verdict for e in claim.entries] for claim in report.findings]


def page(steps: dict[str, str]) -> str:
    return GIVEN + "".join(f"\n{words}\n\n$${numbers}$$\n" for words, numbers in steps.items())


EXPECTED = [
    ["exact"] * 4,
    ["rounded", "exact", "exact", "last-digit"],
    ["rounded", "rounded", "wrong", "rounded"],
    ["rounded", "rounded", "rounded", "wrong"],
]


def test_every_step_by_the_words_before_it() -> None:
    report = check(page(STEPS))
    assert verdicts(report) == EXPECTED
    assert [c.subject for c in report.findings][2:] == ["After softmax, the attention weights are", "The output is"]


def test_every_step_in_chinese() -> None:
    words = ("注意力得分：", "缩放之后：", "经过 softmax 得到注意力权重：", "输出为：")
    assert verdicts(check(page(dict(zip(words, STEPS.values(), strict=True))))) == EXPECTED


def test_a_formula_with_a_colon_announces_its_numbers() -> None:
    report = check(GIVEN + "\nThe scores are $QK^T$:\n\n$$[[2, 0], [0.1, 2]]$$\n")
    assert [(c.subject, [e.verdict for e in c.entries]) for c in report.findings] == [
        ("QK^T", ["exact", "exact", "wrong", "exact"])
    ]
    assert not check(GIVEN + "\nNow we have $QK^T$ and the mask\n\n$$[[2, 0], [0.1, 2]]$$\n").findings


@pytest.mark.parametrize(
    "text",
    [
        page({**STEPS, "Scores:": "[[4, 7], [3, 1]]"})
        .split("We scale")[0]
        .replace("Scores of", "Suppose the scores of"),
        GIVEN + "\nAssume these attention scores:\n\n$$[[2, 0], [1, 2]]$$\n",
        GIVEN + "\nThe scores of another head:\n\n$$[[2, 1], [1, 3]]$$\n",  # fewer than half are right
        GIVEN + "\nThe scores of another head:\n\n$$[[2, 0], [0, 9]]$$\n",  # far from them
        GIVEN + "\nAnd then:\n\n$$[[2, 0], [1, 2]]$$\n",
    ],
)
def test_without_evidence_the_numbers_are_given(text: str) -> None:
    assert not check(text).findings


def test_a_step_that_was_printed_is_not_looked_for_again() -> None:
    again = {"The attention weights of the second head:": "[[0.80, 0.20], [0.21, 0.79]]"}
    assert verdicts(check(page({**STEPS, **again}))) == EXPECTED


def test_a_formula_that_had_no_value_yet_is_kept_for_the_print() -> None:
    text = "In general $A = \\text{softmax}(Z)$ and $O = AV$.\n" + page(STEPS).replace("The output is", "So")
    report = check(text.replace("$$[[8.04", "$$O = [[8.04"))
    assert verdicts(report)[-1] == ["rounded", "rounded", "rounded", "wrong"]
    assert report.findings[-1].subject == "O"


def test_the_width_of_the_keys_of_every_head_is_d_k() -> None:
    heads = (
        page(STEPS)
        .replace("$Q =", "$Q_1 =")
        .replace("$K =", "$K_1 =")
        .replace("Scores of each", "With $Q_1K_1^T$ each")
    )
    assert verdicts(check(heads))[:2] == EXPECTED[1:3]


def test_the_output_of_all_heads_and_a_residual_by_words() -> None:
    text = r"""$X = [[1, 1], [1, 1]]$, $H_1 = [[1, 0], [0, 1]]$, $H_2 = [[2], [1]]$

$$\text{Concat}(H_1, H_2) = [[1, 0, 2], [0, 1, 1]]$$

$$W^O = [[1, 2], [2, 0], [1, 1]]$$

The output of all heads (multi-head) is:

$$[[3, 4], [3, 1.1]]$$

With the residual connection:

$$[[4, 5], [4, 2.1]]$$
"""
    assert verdicts(check(text))[1:] == [["exact"] * 3 + ["wrong"], ["exact"] * 3 + ["carried"]]


def test_what_follows_from_numbers_given_to_two_digits_is_not_looked_for() -> None:
    # the weights are those of masked scores that nobody printed: 1/(1 + e^-0.0141) = 0.5035 is 0.50
    text = "$V = [[-10, -110], [-20, 50]]$\n\nThe attention weights:\n\n$$[[1.00, 0.00], [0.50, 0.50]]$$\n"
    assert not check(text + "\nThe output:\n\n$$[[-10.00, -110.00], [-14.96, -30.56]]$$").findings


def test_zeros_and_ones_are_no_evidence() -> None:
    scores = "$Q = [[10, 0], [0, 10]]$, $K = [[1, 0], [0, 1]]$\n"  # softmax(7.07, 0) = 0.99915
    learned = "$$[[1.0000, 0.0000], [0.0200, 0.9800]]$$\n"
    assert not check(scores + "\nThe attention weights that were learned:\n\n" + learned).findings


def test_rows_with_a_mask_below_one_another() -> None:
    rows = {
        "Scores": "[0.1, 0.2]\n[0.4, 0.7]",
        "Mask": "[0, -∞]\n[0, 0]",
        "After adding the mask": "[0.1, -∞]\n[0.4, 0.9]",
    }
    text = "".join(f"**{said}:**\n```\n{numbers}\n```\n\n" for said, numbers in rows.items())
    assert judged(text) == []  # 0.9 is not close enough to be a slip of 0.7
    [claim] = report(text.replace("0.9", "0.7")).findings
    assert (claim.subject, claim.line) == ("After adding the mask", 15)
    assert [e.printed for e in claim.entries if e.verdict == "exact"] == ["0.1", "-∞", "0.4", "0.7"]


def test_the_letter_of_the_weights() -> None:
    text = f"{GIVEN}\n$QK^T = [[2, 0], [0, 2]]$\n\n$$\\alpha = [[0.80, 0.20], [0.20, 0.86]]$$\n"
    assert [bad for subject, _, bad in judged(text) if "alpha" in subject] == [["0.86"]]


@pytest.mark.parametrize("words", ["Scale by √d_k = √2:", "Dividing by √2 ≈ 1.414:", "除以 √2 ≈ 1.414："])
def test_words_with_a_formula_before_the_colon(words: str) -> None:
    scores = "\nThe scores are $QK^T = [[2, 0], [0, 2]]$.\n"
    for cell, bad in (("1.41", []), ("1.47", ["1.47"])):
        found = judged(GIVEN + scores + f"\n{words}\n\n[[1.41, 0], [0, {cell}]]\n")[-1]
        assert found[1:] == (["1.41", "0", "0", cell], bad)


def test_words_before_the_print_of_a_program_are_those_of_its_matrix() -> None:
    prints = [
        "Scores:\ntensor([[2, 0],\n        [0, 2]])",
        "After the causal mask:\ntensor([[2, -inf],\n        [{}, 2]])",
    ]
    text = "```\n" + "\n\n".join(prints) + "\n```\n"
    assert verdicts(check(text.format(0))) == [["exact"] * 4]
    weights = "\n\nAttention weights:\ntensor([[1.0000, 0.0000],\n        [0.1192, 0.8880]])\n```\n"
    assert verdicts(check(text.format(0).replace("\n```\n", weights)))[1] == ["exact", "exact", "rounded", "wrong"]


ROWS = "**Step 1: S = Q·Kᵀ**\n```\n      k1   k2\n  q1 [ 2    0 ]\n  q2 [ 0    {} ]\n```\n"


def test_rows_with_labels_are_what_the_words_before_them_say() -> None:
    text = GIVEN + "\n" + ROWS.replace("**\n", "**\n\nThe full S (rows are queries):\n")
    assert verdicts(check(text.format(2))) == [["exact"] * 4]
    masked = "\nwith the causal mask:\n```\n  q1 [ 1.41,  −∞   ]\n  q2 [ 0,     1.42 ]   ← sees 2 tokens\n```\n"
    assert verdicts(check(text.format(2) + masked))[1] == ["rounded", "exact", "exact", "last-digit"]


def test_scores_that_were_scaled_already() -> None:
    text = GIVEN + "\nDivided by √2:\n\n$$\\text{scores} = [[1.41, 0], [0, 1.41]]$$\n"
    assert verdicts(check(text)) == [["rounded", "exact", "exact", "rounded"]]
