"""What the report says: the matrix with its marks, origins first, the last line, and nothing it does not know."""

import json
import re
from fractions import Fraction

import pytest

import symattn
from symattn import check_article
from symattn.checking import Claim, Finding, Findings, Reading
from symattn.errors import InputError
from symattn.pages.findings.document import findings_document
from symattn.pages.findings.text import findings_text
from symattn.values.decimals import Bounds
from symattn.writing.prose import Sentence
from symattn.writing.prose.sentences import SENTENCES
from symattn.writing.visible import visible
from symattn.writing.writers import WRITERS

# Q K^T = [[1·5+5·1, 1·13+5·9], [9·5+13·1, 9·13+13·9]] = [[10, 58], [58, 234]]; over √2: 7.07, 41.01; 41.01, 165.46.
# 244/1.414 = 172.56 follows from 244; 40 is neither 58/√2 = 41.01 nor 58/1.414 = 41.02.
ARTICLE = r"""
$$Q = \begin{bmatrix} 1 & 5 \\ 9 & 13 \end{bmatrix}$$
$$K = \begin{bmatrix} 5 & 1 \\ 13 & 9 \end{bmatrix}$$
$$QK^T = \begin{bmatrix} 10 & 58 \\ 58 & 244 \end{bmatrix}$$
$$d_k = 2, \quad \sqrt{d_k} \approx 1.414$$
$$\frac{QK^T}{\sqrt{d_k}} \approx \begin{bmatrix} 7.07 & 41.02 \\ 40.00 & 172.56 \end{bmatrix}$$
$$P = F(Q) + 3 = 4$$
"""


def report(**options: object) -> str:
    return check_article(ARTICLE).to_text(**options)  # type: ignore[arg-type]


def test_the_terminal_report_as_a_whole() -> None:
    lines = report().splitlines()
    assert lines[:10] == [
        "text:4:10  QK^T",
        "  10    58",
        "  58  [244]   234",
        "  wrong: entry (2,2) is 234",
        r"text:6:35  \frac{QK^T}{\sqrt{d_k}}",
        "   7.07    41.02",
        " [40.00] (172.56)   41.01  165.46",
        "  wrong: entry (2,1) is 41.01",
        "  carried: follows from (2,2) of QK^T at line 4",
        "  right with earlier rounded values as printed: 41.02",
    ]
    assert lines[10].startswith("text:7:")
    assert "not checked: " in lines[10]
    assert lines[11] == "text: 1 number wrong at line 4, 1 at 6; 1 carried; 7 right; 2 numbers not checked"
    assert len(lines) == 12


def test_chinese_says_the_same() -> None:
    said = report(language="zh")
    assert "错误：元素 (2,2) 应为 234" in said
    assert "连带：由第 4 行 QK^T 的 (2,2) 引起" in said
    assert "text: 第 4 行 1 个数错误、第 6 行 1 个；1 个连带；7 个正确；2 个数未检查" in said


def test_colour_is_asked_for() -> None:
    assert "\x1b" not in report()
    coloured = report(colour=True)
    assert "\x1b[1;31m[244]\x1b[0m" in coloured
    assert "\x1b[33m(172.56)\x1b[0m" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == report()


def test_verbose_shows_what_is_right() -> None:
    assert r"\sqrt{d_k}" + "\n  1.414" in report(verbose=True)


def test_markdown_boxes_the_wrong_entries() -> None:
    page = check_article(ARTICLE).to_markdown()
    assert r"\begin{bmatrix} 10 & 58 \\ 58 & \boxed{244} \end{bmatrix} \quad" in page
    assert r"\begin{bmatrix} \cdot & \cdot \\ \cdot & 234 \end{bmatrix}" in page
    assert "### Line 4, column 10: QK^T" in page
    assert "| place | formula | reason |" in page
    assert "位置" in check_article(ARTICLE).to_markdown(language="zh")


def test_nothing_wrong_is_one_line_with_counts() -> None:
    found = check_article("$2 + 3 = 5$\n$F(x) = 7$\n$y = F(x) + 2 = 3$\n")
    assert found.summary == {"exact": 1}
    assert str(found).splitlines()[-1].startswith("text: nothing wrong: 1 right")


def test_nothing_judged_is_never_right() -> None:
    said = str(check_article("only words\nand more\n"))
    assert said == "text: no number could be checked, so nothing can be said about this file\n"


def test_like_reasons_are_one_line() -> None:
    source = "".join(f"$y_{{{k}}} = G(z) + {k} = {k}$\n\n" for k in range(10, 24))
    found = check_article(source)
    assert len(found.not_checked) == 14
    text = str(found)
    assert text.count("not checked: ") == 1
    assert "; 13 more like it, lines 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, …" in text
    assert "；类似的还有 13 处" in found.to_text(language="zh")
    assert "13 more like it" in found.to_markdown()
    assert found.to_text(verbose=True).count("not checked: ") == 14


def test_what_was_not_checked_is_cut_after_ten() -> None:
    source = "".join(f"$y_{{{k}}} = x_{{{k}}} + 1 = {k}$\n\n" for k in range(10, 24))
    found = check_article(source)
    assert str(found).count("not checked: ") == 10
    assert "4 more not checked" in str(found)


def test_a_notebook_is_told_by_its_cells() -> None:
    lines = ["Words\n", "$S = [10, 20] + [1, 2] = [11, 23]$\n", "$S / 2 = [5.5, 11.5]$"]
    output = {"output_type": "stream", "name": "stdout", "text": ["a\n", "3 + 4 = 8"]}
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["1 + 1"]},
        {"cell_type": "markdown", "metadata": {}, "source": lines},
        {"cell_type": "code", "metadata": {}, "source": "".join(lines), "outputs": [output], "execution_count": None},
    ]
    source = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, ensure_ascii=False)
    found = check_article("n.ipynb", source)
    text = str(found)
    assert "(cell 2, line 2)" in text
    assert "carried: follows from (1,2) of S in cell 2, line 2" in text
    assert "1 number wrong in cell 2, line 2" in text
    assert "单元格 2 第 2 行" in found.to_text(language="zh")
    assert "cell 2, line 3" in found.to_markdown()
    claims = found.to_json()["claims"]
    assert [(c["cell"], c["cell_line"]) for c in claims[:2]] == [(2, 2), (2, 3)]
    assert {(e["cell"], e["cell_line"]) for e in claims[0]["entries"]} == {(2, 2)}
    assert claims[0]["line"] == 1
    escaped = check_article("n.ipynb", source.replace("Words", "W\\u2248 \\ud83d\\ude00"))
    assert "(cell 2, line 2)" in str(escaped)


@pytest.mark.parametrize("text", ["softmax([1, 2]) = [0.3, 0.7]", "2 + 3 = 6", r"\sqrt{2} \approx 1.5"])
def test_an_equation_alone_is_a_text(text: str) -> None:
    assert check_article(text).path == "text"


@pytest.mark.parametrize("path", ["x=1.md", "missing.md", "missing", "a = b.tex"])
def test_a_path_that_is_missing_is_no_text(path: str) -> None:
    with pytest.raises(InputError):
        check_article(path)


def test_many_wrong_values_are_told_once() -> None:
    said = str(check_article("$[[1+1, 2+2, 3+3, 4+4]] = [[1, 2, 3, 4]]$\n"))
    assert " [1] [2] [3] [4]   2  4  6  8\n  wrong: 4 entries, with the right values beside them\n" in said


def test_a_fraction_stands_before_its_decimal() -> None:
    assert "wrong: it is 2/3 ≈ 0.67" in str(check_article("$2/3 = 0.61$\n"))
    assert "wrong: it is 1.225" in str(check_article("$2/1.633 = 1.255$\n"))


@pytest.mark.parametrize("mark", ["", "<p>"])
def test_a_table_is_called_by_the_sentence_before_it(mark: str) -> None:
    given = r"$Q = \begin{pmatrix}1 & 2\\0 & 1\end{pmatrix}$, $K = \begin{pmatrix}1 & 1\\2 & 0\end{pmatrix}$."
    words = r"The attention weights $\operatorname{softmax}(QK^T/\sqrt2)$"
    table = "| | the | cat |\n|---|---|---|\n| the | 0.67 | 0.33 |\n| cat | 0.67 | 0.43 |\n"
    if mark:
        rows = "<tr><th>the</th><td>0.67</td><td>0.33</td></tr><tr><th>cat</th><td>0.67</td><td>0.43</td></tr>"
        table = f"<table><tr><th></th><th>the</th><th>cat</th></tr>{rows}</table>\n"
        given = f"<p>{given.replace('&', '&amp;')}</p>"
    (claim,) = check_article(f"a.{'html' if mark else 'md'}", f"{given}\n\n{words}:\n\n{table}").findings
    assert claim.subject == words


def test_an_article_cannot_steer_the_terminal() -> None:
    assert visible("\x1b]0;x\x07\u202e9\r\n") == "�]0;x��9  "


def test_the_public_face() -> None:
    found = symattn.check_article(ARTICLE)
    assert found.summary["wrong"] == 2
    assert found.findings[0].subject == "QK^T"
    assert str(found) == found.to_text()
    assert found._repr_markdown_().startswith("## text")


@pytest.mark.parametrize("key", [k for k in SENTENCES if k.startswith(("findings.", "patch_", "claim_", "check_"))])
def test_both_languages_have_the_same_blanks(key: str) -> None:
    english, chinese = SENTENCES[key]
    assert set(re.findall(r"\{(\w+)\}", english)) >= set(re.findall(r"\{(\w+)\}", chinese))


def claim(printed: list[list[str]], bad: dict[tuple[int, int], Reading | None]) -> Claim:
    entries = [
        Finding(i, j, x, Fraction(1), Bounds(7, 7, 0), "wrong" if (i, j) in bad else "exact", bad.get((i, j)))
        for i, row in enumerate(printed, 1)
        for j, x in enumerate(row, 1)
    ]
    return Claim(3, 1, "S", "", tuple(entries), (len(printed), len(printed[0])))


def test_a_reading_is_named_once() -> None:
    reading = Reading(Sentence("findings.one", text="scores divided by 4"))
    found = Findings("a.md", (claim([["1", "2"]], {(1, 1): reading, (1, 2): reading}),), ())
    assert findings_text(found).splitlines()[2:4] == [
        "  wrong: entries (1,1) and (1,2) are 7",
        "  the numbers fit another reading: scores divided by 4",
    ]


def test_of_a_long_matrix_the_marked_rows_are_shown() -> None:
    found = Findings("a.md", (claim([["1", "2"]] * 40, {(30, 2): None}),), ())
    assert findings_text(found).splitlines()[1:4] == ["  1  [2]   7", "  ⋮", "  wrong: entry (30,2) is 7"]


def test_of_a_wide_matrix_the_marked_entries_are_shown() -> None:
    found = Findings("a.md", (claim([["1"] * 64] * 3, {(2, 60): None}),), ())
    assert findings_text(found).splitlines()[1:3] == ["  (2,60) [1]  7", "  wrong: entry (2,60) is 7"]
    assert "bmatrix" not in WRITERS["markdown"](findings_document([found]))


def test_a_matrix_that_leaves_out_numbers_is_shown_with_gaps() -> None:
    entries = claim([["1", "2", "3"], ["4", "5", "6"]], {(2, 3): None}).entries
    found = Findings("a.md", (Claim(3, 1, "S", "", (*entries[:1], *entries[2:]), (2, 3)),), ())
    assert findings_text(found).splitlines()[1:3] == ["  1       3", "  4   5  [6]   7"]


def test_a_name_of_capital_letters_is_told_whole() -> None:
    report = check_article(
        "$PE = [[0, 1], [0.841, 0.540]]$ and $X = [[1, 1], [1, 1]]$\n\n$KR = 3$ and $L = 2$, $ML = 4$\n"
    )
    said = [str(item.reason) for item in report.not_checked]
    assert "PE is taken as given: no formula for it was understood" in said
    assert "KR is taken as given: no formula for it was understood" in said
    assert "M has no value yet; state its value before this line" in said  # L has one
