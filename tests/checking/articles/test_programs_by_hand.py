"""Calculations by hand as programs have them: attributes, sizes over several lines, lists of equations, arrows."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article
from tests.checking.checked import judged

TEXTS = [
    ("```\nb.grad += a.data × c.grad = 2.0 × 1.5 = {}\n```", "3.0", "4.0"),
    ("```\nw.grad = emb[0].data × logits[3].grad = 0.87 × 0.854 = {}\n```", "0.743", "0.734"),
    ("```\nKV Cache = 2 × 80 × 64 × 128\n         = 160 × 8192\n         = {} bytes\n```", "1,310,720", "1,130,720"),
    ("```\nKV Cache = 2 × 80 × 64 × 128\n         = 1,310,720 bytes\n         ≈ {} MB\n```", "1.31", "1.51"),
    ("```\n取 exp:   [e^0=1.0, e^-1={}, e^-1.9=0.150]\n```", "0.368", "0.386"),
    ("$j=0: 0.4(1 - 0.6) = {}$", "0.16", "0.61"),
    # 0.5 · [[1, 3], [2, −4]]
    (
        "$$G = 0.5 \\times [[1, 1], [0, 1]] [[-1, 7], [2, -4]] = 0.5 \\times [[1, 3], [2, {}]]$$",
        "-4",
        "4",
    ),
]


@pytest.mark.parametrize(("text", "right", "wrong"), TEXTS)
def test_calculations_by_hand(text: str, right: str, wrong: str) -> None:
    assert [bad for *_, bad in judged(text.format(right))] and not any(bad for *_, bad in judged(text.format(right)))
    assert [bad for *_, bad in judged(text.format(wrong)) if bad] == [[wrong]]


LOGITS = "```\nlogits: [2.0, 1.0, 0.1]\n\nT = 0.5:\n  logits/0.5 = [4.0, 2.0, 0.2]\n  softmax → [0.86, {}, 0.02]\n\n"


def test_an_arrow_from_another_list_than_the_last() -> None:
    # softmax(4, 2, 0.2) = 0.864, 0.117, 0.019; softmax(2, 1, 0.1) = 0.659, 0.242, 0.099
    text = LOGITS + "T = 1.0:\n  softmax → [0.66, 0.24, 0.10]\n```\n"
    assert [(len(numbers), bad) for _, numbers, bad in judged(text.format("0.12"))] == [(3, [])] * 3
    assert [bad for *_, bad in judged(text.format("0.21"))] == [[], ["0.21"], []]
    assert not any(bad for *_, bad in judged(LOGITS.format("0.12") + "T = 9:\n  softmax → [0.36, 0.33, 0.31]\n```\n"))


def test_sizes_in_a_table_of_few_rows() -> None:
    text = "| part | shape | number |\n|---|---|---|\n| tokens | 9 × 8 | 72 |\n| output | 9 × 8 | {} |\n"
    assert len(judged(text.format("72"))) == 2 and len(judged(text.format("75"))) == 1  # the one that is right


def test_two_capitals_that_a_program_sets_are_one_name() -> None:
    """QK = Q @ K.T is no product of Q and K, and A of `AA, B = f(A)` has nothing to do with AA."""
    text = (
        "```python\nQ = np.array([[1., 2.], [3., 1.]])\nK = np.array([[1., 0.], [2., 1.]])\nQK = Q @ K.T\nprint(QK)\n"
    )
    for printed, right in (("[[1., 4.], [3., 7.]]", True), ("[[1., 4.], [3., 8.]]", False)):
        found = check_article(read_article("a.md", f"{text}# {printed}\n```\n"))
        assert [e.verdict for claim in found.findings for e in claim.entries].count("wrong") == (not right)
        assert not any(each.verdict == "fails" for each in found.formulas)
    console = ">>> AA, B = f(A)\n>>> AA\narray([[1., 2.], [0., 3.]])\n>>> A\narray([[5., 2.], [1., 3.]])\n"
    found = check_article(read_article("a.md", console))
    assert not any(e.verdict == "wrong" for claim in found.findings for e in claim.entries)
