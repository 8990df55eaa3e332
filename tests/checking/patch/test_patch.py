"""The patch: right digits in the author's manner, in place; the patched file has nothing wrong."""

import json
import shutil
import subprocess
from decimal import Decimal
from pathlib import Path

import pytest

from symattn import check_article
from symattn.checking import Findings
from symattn.checking.patch.corrections import correct, unified_diff
from symattn.values.spelling import Spelling

ARTICLES: dict[str, str] = json.loads((Path(__file__).parents[2] / "data" / "clean_articles.json").read_text("utf-8"))


def wrong_in(report: Findings) -> list[str]:
    """The numbers that are wrong or follow from wrong ones; what is rounded wrongly stays as it is."""
    return [e.printed for claim in report.findings for e in claim.bad]


def corrected(source: str, path: str = "a.md") -> str:
    correction = correct(check_article(path, source))
    assert not wrong_in(correction.report)
    assert not correction.left
    return correction.source


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("$2 + 3 = 6$", "$2 + 3 = 5$"),
        ("$1000 + 24 = 1{,}034$", "$1000 + 24 = 1{,}024$"),
        (r"$0.002 / 400 = 6.14 \times 10^{-6}$", r"$0.002 / 400 = 5.00 \times 10^{-6}$"),
        ("$2/3 = 61\\%$", "$2/3 = 67\\%$"),
        ("$[[1/4, 1/3]] = [[0,20, 0,33]]$", "$[[1/4, 1/3]] = [[0,25, 0,33]]$"),
        (r"$2 + 3 = \mathbf{6}$", r"$2 + 3 = \mathbf{5}$"),
        ("$2 - 3 = −2$", "$2 - 3 = −1$"),
        ("$2 - 3 = 1$", "$2 - 3 = -1$"),
        ("$3 - 2 = -1$", "$3 - 2 = 1$"),
        ("$1/8 = .5$", "$1/8 = .1$"),
        (
            r"$[2 - 6, 3/10] = \begin{bmatrix} {-}5 & 0.3 \end{bmatrix}$",
            r"$[2 - 6, 3/10] = \begin{bmatrix} {-}4 & 0.3 \end{bmatrix}$",
        ),
        (r"$3/10000 = 4 \times 10^-4$", r"$3/10000 = 3 \times 10^-4$"),
        ("$10^5 \\cdot 10^5 = 10^9$", "$10^5 \\cdot 10^5 = 10^{10}$"),
        ("$10^5 \\cdot 10^4 = 10^{10}$", "$10^5 \\cdot 10^4 = 10^{9}$"),
        (r"$10^5 \cdot 2 \cdot 10^5 = 10^{9}$", r"$10^5 \cdot 2 \cdot 10^5 = 2\times 10^{10}$"),
        (r"$2 \cdot 10^{10} = 3 \times 10^9$", r"$2 \cdot 10^{10} = 2 \times 10^{10}$"),
    ],
)
def test_digits_are_put_in_as_the_author_prints_them(wrong: str, right: str) -> None:
    assert corrected(wrong + "\n") == right + "\n"


@pytest.mark.parametrize(
    ("text", "number", "again"),
    [
        ("1.5e-06", "0.00025", "2.5e-04"),
        ("3×10⁻⁴", "0.05", "5×10⁻²"),
        ("1{,}024.50", "2048.25", "2{,}048.25"),
        ("0,34", "-0.5", "-0,5"),
        ("+1.", "2", "+2."),
        ("- 5", "-7", "- 7"),
    ],
)
def test_spelling(text: str, number: str, again: str) -> None:
    manner = Spelling.read(text)
    assert manner is not None
    assert manner.write(Decimal(number)) == again


def test_a_spelling_that_is_none() -> None:
    assert Spelling.read("-}4") is None
    assert Spelling.read("−∞") is None


COPIED = r"""$$Q = \begin{bmatrix} 1 & 5 \\ 9 & 13 \end{bmatrix}$$

$$K = \begin{bmatrix} 5 & 1 \\ 13 & 9 \end{bmatrix}$$

$$QK^T = \begin{bmatrix} 10 & 58 \\ 58 & 244 \end{bmatrix}$$

$$\frac{QK^T}{2} = \begin{bmatrix} 10/2 & 58/2 \\ 58/2 & 244/2 \end{bmatrix}
= \begin{bmatrix} 5 & 29 \\ 29 & 122 \end{bmatrix}$$
"""


def test_copies_in_arithmetic_are_corrected_with_their_origin() -> None:
    assert corrected(COPIED) == COPIED.replace("244", "234").replace("122", "117")


ROOTED = r"""$$S = \begin{bmatrix} 10 & 58 \\ 58 & 234 \end{bmatrix}$$

$$\frac{S}{\sqrt{2}} = \frac{1}{1.414} \begin{bmatrix} 10 & 58 \\ 58 & 234 \end{bmatrix}
= \begin{bmatrix} 7.072 & 41.018 \\ 41.018 & 165.288 \end{bmatrix}$$
"""


@pytest.mark.parametrize(
    "text",
    [
        ROOTED,
        "$\\sqrt{2} = 1.414$ and $S = [10, 58, 234]$, so $S / \\sqrt{2} = [7.072, 41.018, 165.288]$.\n",
    ],
)
def test_a_rounded_root_is_kept(text: str) -> None:
    assert corrected(text) == text.replace("165.288", "165.488")  # 234/1.414, and not 234/√2 = 165.463


SPOKEN = """# Scores

$S = [[1, 2], [3, 4]] + [[100, 50], [20, 30]] = [[101, 52], [23, 34]]$

Dividing 34 by four, $S / 4 = [[25.25, 13], [5.75, 8.5]]$.

The largest is 25.25, that is $25.25$ (see [page](25.25.html)).

    scores = model(x)  # 25.25 is the largest
"""


def test_words_and_comments_are_corrected_with_the_number_that_they_speak_of() -> None:
    wrong = SPOKEN.replace("25.25", "25.75").replace("](25.75", "](25.25")
    assert corrected(wrong) == SPOKEN
    link = wrong.replace("](25.25", "](25.75")
    assert corrected(link) == SPOKEN.replace("](25.25", "](25.75")


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("Before: 25.75.\n\n# Scores", "25.25"),  # an earlier section speaks of something else
        ("# Scores\n\nGiven $x = 25.75$, and 25.75 again.", "25.25"),  # the article has this number of its own
    ],
)
def test_words_stay_where_they_may_speak_of_another_number(words: str, number: str) -> None:
    source = f"{words}\n\n$101 / 4 = 25.75$\n"
    assert corrected(source) == f"{words}\n\n$101 / 4 = {number}$\n"


def test_what_a_row_of_a_table_makes_is_no_copy() -> None:
    """2 · 256 · 1024 is 524288, whatever is printed for 256 / 4."""
    table = "| Layer | Formula | Params |\n|---|---|---|\n| FFN | 2 × 256 × 1024 | 524288 |\n\n"
    assert corrected(f"{table}Per head: 256 / 4 = 524288.\n") == f"{table}Per head: 256 / 4 = 64.\n"


def test_one_hunk_that_fails_does_not_keep_the_others_back() -> None:
    source = "\\newcommand{\\six}{6}\n$2 + 3 = \\six$ and $1 + 1 = 3$.\n\n$2 + 4 = \\six$\n"
    correction = correct(check_article("a.tex", source))
    assert correction.source == source.replace("1 + 1 = 3", "1 + 1 = 2")
    assert [entry.printed for _, entry in correction.left] == ["6"]


def test_no_number_that_was_right_is_changed_and_all_that_follows_is() -> None:
    source = "$100 + 55 = 165$\n\n$165 \\cdot 2 = 330$\n\n$11 \\cdot 15 = 165$\n\n$165 - 5 = 160$\n"
    found = check_article("a.md", source)
    correction = correct(found)
    assert "$11 \\cdot 15 = 165$" in correction.source
    assert correction.source.startswith("$100 + 55 = 155$")
    assert not wrong_in(correction.report)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # a number in later arithmetic is the one that was wrong where the name says so: 2.0 + 3.125 = 5.125
        (
            "$s = 2.0 + 3.125 = 5.325$\n\n$10.25 / s = 10.25 / 5.325 = 1.925$",
            "$s = 2.0 + 3.125 = 5.125$\n\n$10.25 / s = 10.25 / 5.125 = 2.000$",
        ),
        (
            "$2.0 + 3.125 = 5.325$\n\n$10.25 / 5.325 = 1.925$",
            "$2.0 + 3.125 = 5.325$\n\n$10.25 / 5.325 = 1.925$",  # as a whole or not at all
        ),
        # √ of the square that was wrong, and what follows from it: σ² = 14/4
        (
            "$\\sigma^2 = (4 + 1 + 9)/4 = 4.5$, $\\sigma = \\sqrt{4.5} = 2.1213$, $3/\\sigma = 3/2.1213 = 1.4142$",
            "$\\sigma^2 = (4 + 1 + 9)/4 = 3.5$, $\\sigma = \\sqrt{3.5} = 1.8708$, $3/\\sigma = 3/1.8708 = 1.6036$",
        ),
        # a row of a matrix that is a copy of a list: [1 + 1, 1 + 2, 1 + 3], and times 2
        (
            "$a = [1 + 1, 1 + 2, 1 + 3] = [2, 3, 5]$\n\n$2 [[2, 3, 5], [7, 8, 9]] = [[4, 6, 8], [14, 16, 18]]$",
            "$a = [1 + 1, 1 + 2, 1 + 3] = [2, 3, 4]$\n\n$2 [[2, 3, 4], [7, 8, 9]] = [[4, 6, 8], [14, 16, 18]]$",
        ),
    ],
)
def test_copies_in_later_arithmetic_are_put_right(before: str, after: str) -> None:
    report = check_article("a.md", before + "\n")
    assert correct(report).source == after + "\n"


def test_a_list_that_may_be_a_copy_of_two_stays() -> None:
    source = "$[1 + 1, 2 + 1] = [2, 4]$\n\n$[5 - 1, 2 + 2] = [2, 4]$\n\nSo it is $[2, 4]$ in the end.\n"
    assert correct(check_article("a.md", source)).source.endswith("$[2, 4]$ in the end.\n")


def test_an_equation_that_holds_is_not_broken() -> None:
    source = "$s = 3 + 6 = 8$\n\n$r = \\sqrt{s} = \\sqrt{8} = 2.83$\n"
    assert corrected(source) == "$s = 3 + 6 = 9$\n\n$r = \\sqrt{s} = \\sqrt{9} = 3.00$\n"


def test_both_halves_of_a_rendered_page_are_corrected() -> None:
    pasted = "\n".join(
        [
            r"Q=[15913]Q = \begin{bmatrix} 1 & 5 \\ 9 & 13 \end{bmatrix}",
            r"K=[51139]K = \begin{bmatrix} 5 & 1 \\ 13 & 9 \end{bmatrix}",
            r"QKT=[105858244]QK^T = \begin{bmatrix} 10 & 58 \\ 58 & 244 \end{bmatrix}",
            "",
        ]
    )
    assert check_article("page.txt", pasted).summary["wrong"] == 1
    assert corrected(pasted, "page.txt") == pasted.replace("244", "234")


def test_a_notebook_stays_json() -> None:
    cell = {"cell_type": "markdown", "metadata": {}, "source": ["$0.002 / 400 = 6.14 \\times 10^{-6}$\n", "$1+1=3$"]}
    source = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    text = json.loads(corrected(source, "n.ipynb"))["cells"][0]["source"]
    assert text == ["$0.002 / 400 = 5.00 \\times 10^{-6}$\n", "$1+1=2$"]


def test_a_number_in_a_macro_that_is_used_twice_stays() -> None:
    source = "\\newcommand{\\six}{6}\n$2 + 3 = \\six$\n\n$2 + 4 = \\six$\n"
    found = check_article("a.tex", source)
    assert found.summary == {"exact": 1, "wrong": 1}
    diff, notes = found.patch()
    assert diff == ""
    assert notes == ["a.tex:2:10: 6 stays as it is: its right value 5 cannot be put in its place safely"]


def test_the_diff_marks_a_missing_line_end_and_keeps_others() -> None:
    assert unified_diff("a b.md", "x\u2028y\r\n1", "x\u2028y\r\n2") == (
        "--- a/a b.md\t\n+++ b/a b.md\t\n@@ -1,2 +1,2 @@\n x\u2028y\r\n-1\n\\ No newline at end of file\n"
        "+2\n\\ No newline at end of file\n"
    )


@pytest.mark.skipif(shutil.which("patch") is None, reason="needs the patch program")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_the_patch_program_applies_it(tmp_path: Path, ending: str, encoding: str) -> None:
    mark = "\ufeff" if encoding.startswith("utf-16") else ""
    source = mark + (COPIED + "\n第二节，ਊ。\n").replace("\n", ending)  # U+0A0A has the byte of a line feed twice
    article = tmp_path / "article.md"
    article.write_bytes(source.encode(encoding))
    diff, notes = check_article("article.md", article.read_bytes()).patch()
    assert not notes
    patch = diff.encode("utf-8", "surrogateescape")
    subprocess.run(["patch", "-p1", "-s"], input=patch, cwd=tmp_path, check=True)
    assert check_article(article).clean
    assert article.read_bytes() == source.replace("244", "234").replace("122", "117").encode(encoding)


@pytest.mark.skipif(shutil.which("patch") is None, reason="needs the patch program")
@pytest.mark.parametrize(
    ("named", "header"),
    [("{here}/a.md", "a.md"), ("./sub/../a.md", "a.md"), ("{here}/sub/b.md", "sub/b.md"), ("linked.md", "a.md")],
)
def test_a_file_is_found_from_the_current_folder(
    named: str, header: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sub").mkdir()
    Path("linked.md").symlink_to("a.md")
    for article in (Path("a.md"), Path("sub/b.md")):
        article.write_text("$2 + 3 = 6$\n")
    diff, notes = check_article(named.format(here=tmp_path)).patch()
    assert notes == []
    assert diff.startswith(f"--- a/{header}\n+++ b/{header}\n")
    subprocess.run(["patch", "-p1", "-s"], input=diff, text=True, check=True)
    assert Path(header).read_text() == "$2 + 3 = 5$\n"


@pytest.mark.skipif(shutil.which("patch") is None, reason="needs the patch program")
def test_a_file_elsewhere_is_found_from_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "a.md").write_text("$2 + 3 = 6$\n")
    monkeypatch.chdir(tmp_path / "here")
    diff, notes = check_article("../a.md").patch()
    assert notes == ["../a.md: not in the current folder; patch -d / -p1 applies the patch"]
    subprocess.run(["patch", "-d", "/", "-p1", "-s"], input=diff, text=True, check=True)
    assert (tmp_path / "a.md").read_text() == "$2 + 3 = 5$\n"
    assert check_article("../a.md").patch() == ("", [])


@pytest.mark.parametrize("name", sorted(ARTICLES))
def test_published_articles_come_out_clean(name: str) -> None:
    found = check_article(f"{name}.md", ARTICLES[name])
    if not wrong_in(found):
        assert found.patch() == ("", [])
        return
    correction = correct(found)
    assert not wrong_in(correction.report)
    assert sum(correction.report.summary.values()) == sum(found.summary.values())
