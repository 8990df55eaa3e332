"""Silence is a fault: every number of a calculation is judged, given, or listed with its place and a reason."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.checking import Findings, check_article
from symattn.pages.findings.text import findings_text
from symattn.reading.articles import read_article
from tests.sampling import EVERY

MARK = re.compile(r"7\d\d\d")  # the numbers of the tests that have to be spoken of


def check(text: str, name: str = "a.md") -> Findings:
    return check_article(read_article(name, text + "\n"))


def spoken_of(report: Findings) -> set[str]:
    """The marked numbers that are judged or listed."""
    said = [e.printed for c in report.findings for e in c.entries] + [n.text for n in report.not_checked]
    return {number for text in said for number in MARK.findall(text)}


@pytest.mark.parametrize(
    "text",
    [
        "The middle of it is about = 7001 (who knows).",
        "scores:\n[7001, 7002, 7003]",
        "```\nstep one gives 7001\nthen it is = 7002\n 7003 7004\n```",
        "| x | f(x) |\n|---|---|\n| 1 | 0.5 |\n| 2 | 7001 |",
        "| dot | k1 | k2 |\n|---|---|---|\n| **q1** | 7001 | -inf |\n| **q2** | 7002 | **7003** |",
        "x → 7001 → 7002",
        "One of them: 4 × 64 × 7001 = 16,384\n× 12 layers = 197,608",
        "- score(cat, dog): 7001\n- score(cat, cat): 7002",
        "- q_cat · k_dog = [7001, 1] · [2, 7002] = 7001 × 2 + 1 × 7002 = 21004",
        "| name | 1 → 2 | 2 → 4 |\n|---|---|---|\n| long | 7001.5x | 7002.2x |",
        "a → [7001, 7002] = [7003, 7004]",
        "```python\nprint(f(x))  # Result: [7001, 7002]\n```",
        "```python\nprint(f(x))  # 7001.5\n```",
        "$$\\foo{7001} = 7002$$",
        "$= 7001$",
        "K_{21} = 7001\n\n$W_K = [[1, 2]]$",
        "Weights of the row:\n\n$$\\begin{bmatrix} 7001 & 7002 \\end{bmatrix}$$",
        "```\n[\n 7001 7002\n 7003\n]\n```",
        "a = 1 × 2 + 3 × 4\n= 7001 + 7002",
        "```\n[0, 2] · [0, 3, 1] = [0, 7003, 1]\n```",  # no shapes: none has a size of 0
        "```\n[2, 3] · [4, 5] = [7005, 7006]\n```",
        "c = 0.5 · [2, 4] + 0.5 · [6, 8] = [7001 + 7002, 7003 + 7004] = [4, 6]",
        "$A_1 \\approx [7001, 7002]$ and $O = A_1 [[1], [1]] = [14003]$",
        "w₁ = 2 · 3 = 6\nw₂ = 7002",
        "p = [7001, 7002]",
        "Both are alike (weight 7001.5).",
        "The first gets ~7001× of it.",
        "The first gets about 7001.5 of it.",
        "每个词的权重高了 7001 倍。",
        "A share of it is 7001.5 times larger.",
        "ヘッドごとに分けると7001 GBになる。",
        '```\nder auf "die": 7001.5  (so viele)\ner auf "das": 7002.5\n```',
        "```\nx    y\n-------\na | 7001.5 | 7002.5 |\nb | 7003.5 | 7004.5 |\n```",
        "```python\nprint(f(p))\n# H(p1) = 7001.5  (high)\n```",
        "```python\nm_t = b * m_{t-1} + g\n    = 2 * 3 = 7001\n```",
        "- **Итого: 7001 параметр**",
        "All of them would take 7001 GB.",
        "4Kトークンでは7001万の演算が要る。",
        "$x \\approx [7001, 7002]$",
        "$ # [7001, 7002]\nu = 7003\n$",
        '```\nA = | 7001  7002 |   ("red" is first)\n    | 7003  7004 |\n```',
        "```\na = 2.5 - 1.5 = 7001 GB (7002%)\n```",
        "```\nsoftmax([2.5, 1.5]) = [e^2.5, e^1.5] / Z\n\nApproximately: [7001, 7002]\n```",
        "```\n[1, 2]   [3, 4]\n[7001, 2] × [7002, 4]\n```",
        "Each has one (7001 in all ÷ 4 heads).",
        "它的根约为 `7001.5`。",
        "两者约为 7001M 和 7002M。",
    ],
)
def test_nothing_is_passed_over(text: str) -> None:
    assert spoken_of(check(text)) == set(MARK.findall(text))


@pytest.mark.parametrize(
    "text",
    [
        "Weights of all layers: 4,194,304",
        "**Parameter je Schicht:** `4.194.304`",
        "Em todos, são `4.194.304` parâmetros a menos.",
        "| Modelo | Um | Dois |\n|---|---|---|\n| a | 4 194 304 | 8 |\n| b | 2 097 152 | 8 |",
    ],
)
def test_numbers_with_thousands_set_apart_are_listed(text: str) -> None:
    assert any(re.search(r"4[., ]194[., ]304", n.text) for n in check(text).not_checked)


RESULTS_IN_WORDS = [
    "the cache takes 7001 MB",
    "缓存占用 7001 MiB",
    "膨胀了 **7001 倍**",
    "메모리는 7001배",
    "每个是 2 × 28 × 8 字节，约 7001 KB",
    "就是 7001 个元素",
    "it grows by 7001",
    "that is smaller by a factor of 7001",
    "the sum is 7001",
    "they add up to 7001",
    "Answer: 7001",
    "答案：7001",
    "um den Faktor 7001",
]
PLACES = ["{}", "- {}", "3. {}", "> {}", "So: {}, more or less.", "One thing. {}; another", "| one | {} |", "**{}**"]


@pytest.mark.parametrize("said", RESULTS_IN_WORDS)
@pytest.mark.parametrize("place", PLACES)
def test_results_in_words_are_listed_wherever_they_stand(said: str, place: str) -> None:
    line = place.format(said)
    text = f"| what | it |\n|---|---|\n{line}" if line.startswith("|") else f"Some words.\n\n{line}\n\nMore words."
    assert spoken_of(check(text)) == {"7001"}


def test_a_number_that_is_a_sentence_is_listed() -> None:
    assert [n.text for n in check("::: answer\n16. Scores so large are near one of the keys.\n:::").not_checked] == [
        "16. Scores so large are near one of the keys."
    ]
    assert spoken_of(check("How many?\n\n7001. They belong to two matrices.")) == {"7001"}
    assert not check("15. Begin with words.\n\n16. Go on with words.\n").not_checked  # items of a list
    assert not check("It was written in\n2017. Much was written since.\n").not_checked  # the end of a sentence


def test_a_formula_that_holds_does_not_hide_its_number() -> None:
    text = "```\nV (d_v=4):\n  a: [0.5, 0.2, 0.1, 0.3]\n  b: [0.3, 0.8, 0.5, 0.2]\n```\n\n"
    text += "```\nGiven: d_model = 512, h = 8\nEach head: d_k = d_v = d_model / h = 7001\n```"
    assert spoken_of(check(text)) == {"7001"}


def test_what_tags_say_is_no_calculation() -> None:
    text = (
        '<div style="background-color:#047857; padding:20px; width: 50%; opacity: 0.75">\n\n'
        '<img src="a.png" width=50% height="0.25"/> A picture.\n\n<h2 align="center" style="top: 1.5em">One</h2>'
    )
    assert not check(text).not_checked
    assert spoken_of(check("<a, b> + 1 → 7001.5")) == {"7001"}


def test_in_every_format() -> None:
    cell = '{"cell_type": "code", "source": ["f(x)"], "outputs": [{"data": {"text/plain": ["array([7001., 7002.])"]}}]}'
    assert spoken_of(check(f'{{"cells": [{cell}], "nbformat": 4}}', "a.ipynb")) == {"7001", "7002"}
    page = "<p>so z ≈ 7001</p><pre>y = [7002, 7003]</pre><table><tr><td>0.5</td><td>7004</td></tr></table>"
    assert spoken_of(check(page, "a.html")) == {"7001", "7002", "7003", "7004"}
    tex = "It is $\\foo = 7001$.\n\\begin{verbatim}\nu = 7003\n\\end{verbatim}\n0.5 & 7002 \\\\"
    assert spoken_of(check(tex, "a.tex")) == {"7001", "7002", "7003"}


WORDS = st.sampled_from(["so", "|", "`", "$", "#", "Step 1:"])
RESULTS = st.sampled_from(["u = 7001", "= 7002", "[7003, 7004]", "≈ 7006", "→ 7007", "= [[7008, 7009]]"])
ENDS = st.sampled_from(["\n", "\n\n", "\n```\n", "; ", " and "])


@pytest.mark.slow
@settings(max_examples=300 if EVERY else 100, deadline=None)  # each result comes before each end many times
@given(st.lists(st.tuples(st.lists(WORDS, max_size=2), RESULTS, ENDS), min_size=1, max_size=6))
def test_whatever_stands_around_it(pieces: list[tuple[list[str], str, str]]) -> None:
    text = "".join(" ".join([*words, result]) + end for words, result, end in pieces)
    assert set(MARK.findall(text)) - spoken_of(check(text)) == set(), text


def test_the_last_line_counts_numbers() -> None:
    said = findings_text(check("$1 + 1 = 2$\n\n$z = \\foo{3} = [4, 5]$"))
    assert said.splitlines()[-1].endswith("nothing wrong: 1 right; 3 numbers not checked")


def test_only_what_was_not_read_of_a_line_is_listed_and_counted() -> None:
    report = check_article(
        read_article("Sum: 2 + 3 = 5, product: 2 * 3 = 6. With 12 heads and ~2.4M weights: 4 - 1 = 3.\n")
    )
    assert [entry.printed for claim in report.findings for entry in claim.entries] == ["5", "6", "3"]
    assert [n.text for n in report.not_checked] == ["With 12 heads and ~2.4M weights"]


def test_a_number_rounded_wrongly_is_shown() -> None:
    report = check("$\\sqrt{2} = 1.5$")
    said = findings_text(report)
    assert not report.clean
    assert "rounded wrongly: 1.5, nearest 1.4" in said
    assert said.splitlines()[-1].endswith(": 1 rounded wrongly")
    assert "nothing wrong" not in said
