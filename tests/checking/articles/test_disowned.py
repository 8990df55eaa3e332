"""A number that the text calls a mistake, a belief or a question is no claim of the text."""

import pytest

from tests.checking.checked import judged, listed, report

DENIED = [
    "Is $3 + 4 = 8$? No.",
    "A pupil claims that $3 + 4 = 8$. In fact $3 + 4 = 7$.",
    "Do not write $3 + 4 = 8$.",
    "It is tempting to think that $3 + 4 = 8$, but it is 7.",
    "Some people get $3 + 4 = 8$ by mistake.",
    "$3 + 4 = 8$? Wrong! It is 7.",
    'Reply 3: "3 + 4 = 8" → reward 0.2 (incorrect)',
    "回复3: “3 + 4 = 8” → 奖励 0.2 (错误)",
    "$3 + 4 = 8$ (falsch)",
    "有人认为 $3 + 4 = 8$，其实是 7。",
    "The authors write $3 + 4 = 8$; it should read $3 + 4 = 7$.",
    "$3 + 4 = 8$ (this should have been 7)",
    "$3 + 4 = 8$ should be $7$.",
    "$3 + 4 = 8$，应为 $7$。",
    "$3 + 4 = 8$. This should be 7, not 8.",
    "$3 + 4 = 8$ (must be 7.0 GB)",
    "$3 + 4 = 8$, 应该是 7 而不是 8。",
    "$3 + 4 = 8$. 应改为二者之和。",
    "✗ Pupil 1: 3 + 4 = 8",
    "✗ not this. $3 + 4 = 8$",
    "True or false? $3 + 4 = 8$. Answer: false.",
    "True or false? $3 + 4 = 8$.",
    "- False: $3 + 4 = 8$",
    "✗ 3 + 4 = 8 ✓ 3 + 4 = 7",
    "3 + 4 = 8 ✗",
    "判断题:$3 + 4 = 8$。(×)",
    "3 + 4 = 8。（×）",
    "| 3 + 4 = 8 | false |",
    "The step was written `3 + 4 = 8`. Mathematically it is 7.",
    "It had been logged as $3 + 4 = 8$, actually it is 7.",
    "Im Skript wurde geschrieben: $3 + 4 = 8$. Tatsächlich ist es 7.",
    "原文写成 $3 + 4 = 8$，实际上是 7。",
]


@pytest.mark.parametrize("text", DENIED)
def test_what_the_text_denies_is_listed_and_not_judged(text: str) -> None:
    assert report(text).clean
    assert "8" in listed(text)


@pytest.mark.parametrize(
    "text",
    [
        "What is the sum? $3 + 4 = 8$.",
        "It was written as $3 + 4 = 8$ in the table.",
        "It was written out: $3 + 4 = 8$. It is then halved.",
        "Students do not need a calculator. We have $3 + 4 = 8$.",
        "Never mind the sign; $3 + 4 = 8$, which is right.",
        "So $3 + 4 = 8$. Is that much?",
        "$3 + 4 = 8$. It should be noted that we add.",
        "$3 + 4 = 8$ (should be 1 after the division)",
        "$3 + 4 = 8$. This should be 5 times larger than before.",
        "$3 + 4 = 8$, which should be 3 more than what we had.",
        "$3 + 4 = 8$ (must be 4 wide)",
        "$3 + 4 = 8$，应为每个头的维度。",
        "$3 + 4 = 8$，应为 2 的倍数。",
        "$3 + 4 = 8$，应该是缓存大小。",
        "✗ Slow: 3 + 4 = 8 products",
        "$2 + 1 = 3$ ✓, $3 + 4 = 8$ ✓",
        "7 × 8 = 56 ✗ and 3 + 4 = 8.",
        "$3 + 4 = 8$\n\n✗ more than that",
        "| ✗ | 3 + 4 = 8 |",
        "Instead of a softmax, we have $3 + 4 = 8$.",
        "Instead of exponentials we take $3 + 4 = 8$.",
    ],
)
def test_what_the_text_says_itself_is_judged(text: str) -> None:
    assert [bad for _, _, bad in judged(text) if bad] == [["8"]]
