"""Placeholders are filled with what their worksheet comes to; nothing else changes by a byte."""

import json
import os
import random
import re
from pathlib import Path

import pytest

from symattn import InputError, SymattnError, check_article, weave
from symattn.reading.placeholders import find_placeholders

SHEET = """tokens = ["I", "you"]
[inputs]
Q = [[1, 0], [0, "1/2"]]
K = [[1, 2], [3, 4]]
V = [[1, 0], [0, 1]]
"""
# by hand: S = QKᵀ = [[1, 3], [1, 2]]; A_12 = 1/(1 + e^(−2/√2)) = 0.8044296...; A_22 = 1/(1 + e^(−1/√2)) = 0.6697615...


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(SHEET)
    return tmp_path


def fill(words: str, path: str = "a.md") -> str:
    """What a placeholder within a line comes to."""
    if path.endswith(".tex"):
        sheet, what, *options = words.split()
        opening, closing = rf"\symattn[{','.join(options)}]{{{sheet}}}{{{what}}}{{", "}"
    else:
        opening, closing = f"<!-- symattn {words} -->", "<!-- /symattn -->"
    text = weave(path, f"a {opening}0{closing} b").text
    assert text.startswith(f"a {opening}") and text.endswith(f"{closing} b")
    return text[len(f"a {opening}") : -len(f"{closing} b")]


def block(words: str, path: str = "a.md") -> str:
    """What a placeholder with lines of its own comes to."""
    opening, closing = (
        (f"% symattn {words}\n", "% /symattn\n")
        if path.endswith(".tex")
        else (f"<!-- symattn {words} -->\n", "<!-- /symattn -->\n")
    )
    text = weave(path, f"a\n\n{opening}{closing}b").text
    assert text.startswith(f"a\n\n{opening}") and text.endswith(f"{closing}b")
    return text[len(f"a\n\n{opening}") : -len(f"{closing}b")]


@pytest.mark.parametrize(
    ("words", "path", "expected"),
    [
        ("mine.toml scores[1,2]", "a.md", "3"),
        ("mine scores[1][2]", "a.md", "3"),
        ("./mine.toml weights[1,2]", "a.md", "0.80"),
        ("mine weights[1,2] --digits 5", "a.md", "0.80443"),
        ("mine weights[1,2] decimals=1", "a.md", "0.8"),
        ("mine scaled[1,1] --exact", "a.md", r"$\frac{\sqrt{2}}{2}$"),
        ("mine weights[2]", "a.md", r"$\begin{bmatrix} 0.33 & 0.67 \end{bmatrix}$"),
        ("mine scores", "a.md", r"$\begin{bmatrix} 1 & 3 \\ 1 & 2 \end{bmatrix}$"),
        ("mine weights[1,2]", "a.html", "0.80"),
        ("hand-calculation weights[1,2]", "a.md", r"$1.82 \times 10^{-15}$"),
        ("hand-calculation weights[1,2]", "a.html", "1.82 × 10⁻¹⁵"),
        ("hand-calculation weights[1,2]", "a.tex", r"\ensuremath{1.82 \times 10^{-15}}"),
        ("mine weights[2,2] digits=3", "a.tex", "0.670"),
        ("mine weights[2,2]", "a.txt", "0.67"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_values(words: str, path: str, expected: str) -> None:
    assert fill(words, path) == expected


@pytest.mark.usefixtures("folder")
def test_what_has_lines_of_its_own() -> None:
    assert block("mine scores[1,2]") == "\n$$\nS_{12}\n= q_{1} \\cdot k_{2}\n= 1 \\cdot 3 + 0 \\cdot 4\n= 3\n$$\n\n"
    assert (
        block("mine table scores") == "\n| $S$ | I | you |\n|---|---|---|\n| I | $1$ | $3$ |\n| you | $1$ | $2$ |\n\n"
    )
    assert "每个查询" in block("mine scores language=zh")
    assert r"\label{eq:two-scores}" in block("mine scores --label-prefix two", "a.tex")
    assert block("mine figure").startswith("\n```mermaid\n") and r"\begin{tikzpicture}" in block("mine figure", "a.tex")
    assert r"\begin{tikzpicture}" in block("mine figure weights", "a.tex")
    assert block("theorem shift-invariance") == block("theorem shift-invariance")
    assert "A_{2}" in block("mine weights[2]") and "q_{1}" in block("mine scores level=token")
    assert "## " in block("mine") and "S_{nm}" in block("mine scores notation=bishop")


@pytest.mark.usefixtures("folder")
def test_a_page_of_html_has_its_styles_once() -> None:
    text = "".join(
        f"<!-- symattn mine {step} -->\n<!-- /symattn -->\n" for step in ("scores", "table scores", "scores")
    )
    woven = weave("a.html", text)
    assert woven.text.count("<style>") == 1 and woven.text.count('class="symattn"') == 3
    assert woven.text.index("<style>") < woven.text.index("katex")
    assert weave("a.html", woven.text).stale == ()


@pytest.mark.usefixtures("folder")
def test_a_block_keeps_its_quote_and_its_item() -> None:
    text = "> - <!-- symattn mine scores[1,2] -->\r\n>   old\r\n>   <!-- /symattn -->\r\nend"
    lines = weave("a.md", text).text.split("\r\n")
    assert lines[0] == "> - <!-- symattn mine scores[1,2] -->" and lines[-2:] == [">   <!-- /symattn -->", "end"]
    assert all(line == ">" or line.startswith(">   ") for line in lines[1:-2]) and ">   = 3" in lines


@pytest.mark.parametrize("form", ["\ufeffé {}\r\n\r\n  x\t\n", "{}", "\n\n{}\n\n\n", "a\rb {} c\x0cd\u2028e"])
@pytest.mark.usefixtures("folder")
def test_nothing_else_changes_by_a_byte(form: str, folder: Path) -> None:
    mark = "<!-- symattn mine scores[1,2] -->{}<!-- /symattn -->"
    path = folder / "a.md"
    path.write_bytes(form.format(mark.format("7")).encode())
    os.chmod(path, 0o640)
    woven = weave(path)
    assert [(p.before, p.after, p.stale) for p in woven.placeholders] == [("7", "3", True)]
    woven.save()
    assert path.read_bytes() == form.format(mark.format("3")).encode() and path.stat().st_mode & 0o777 == 0o640
    before = path.stat().st_mtime_ns
    again = weave(path)
    again.save()
    assert (
        again.stale == () and path.stat().st_mtime_ns == before and sorted(os.listdir(folder)) == ["a.md", "mine.toml"]
    )


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", "$2 + 3$ = <!-- symattn W scores[1,1] digits=7 -->6<!-- /symattn -->\n"),
        ("a.md", "<!-- symattn W scores[1,1] -->\n$2 + 3 = 6$\n<!-- /symattn -->\n"),
        ("a.tex", r"$2 + 3 = \symattn[digits=7]{W}{scores[1,1]}{6}$"),
    ],
)
def test_woven_numbers_are_checked_and_marks_are_no_text(path: str, text: str) -> None:
    report = check_article(path, text)
    assert [e.printed for claim in report.findings for e in claim.bad] == ["6"] and not report.not_checked


@pytest.mark.usefixtures("folder")
def test_worksheets_stand_beside_the_article(folder: Path) -> None:
    (folder / "part").mkdir()
    (folder / "part" / "own.toml").write_text(SHEET.replace("3, 4", "5, 4"))
    (folder / "part" / "a.md").write_text("x <!-- symattn own scores[1,2] --><!-- /symattn -->")
    assert weave(folder / "part" / "a.md").text.endswith("-->5<!-- /symattn -->")


def notebook(*cells: dict[str, object], **how: object) -> str:
    made = [{"cell_type": "markdown", "id": "a", "metadata": {}, **cell} for cell in cells]
    return (
        json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, **{"indent": 1, **how}) + "\n"
    )


@pytest.mark.parametrize("how", [{"ensure_ascii": False}, {"ensure_ascii": True}, {"indent": None}, {"indent": 2}])
@pytest.mark.usefixtures("folder")
def test_notebooks(how: dict[str, object]) -> None:
    inline = "ü <!-- symattn mine scores[1,2] -->{}<!-- /symattn -->\n"
    lines = ["<!-- symattn mine table scores -->\n", "<!-- /symattn -->"]
    tagged = {"tags": ["symattn:mine.toml:table:scores"]}
    cells = [{"source": [inline.format(0), *lines]}, {"source": [], "metadata": tagged}]
    if how.get("indent", 1) != 1:
        cells[1]["source"] = ["old\n", "lines"]
    text = notebook(*cells, **how)
    woven = weave("a.ipynb", text)
    before, after = json.loads(text), json.loads(woven.text)
    table = ["| $S$ | I | you |\n", "|---|---|---|\n", "| I | $1$ | $3$ |\n", "| you | $1$ | $2$ |\n"]
    assert after["cells"][0]["source"] == [inline.format(3), lines[0], "\n", *table, "\n", lines[1]]
    assert after["cells"][1]["source"] == [*table[:-1], table[-1].rstrip()]
    for cell, old in zip(after["cells"], before["cells"], strict=True):
        cell["source"] = old["source"]
    assert after == before
    assert weave("a.ipynb", woven.text).stale == ()
    assert woven.text == json.dumps(json.loads(woven.text), **{"indent": 1, **how}) + "\n"  # laid out as before


def test_a_cell_in_one_string() -> None:
    text = notebook({"source": "x <!-- symattn hand-calculation scores[2,3] -->\n400<!-- /symattn -->"})
    assert "-->410<!--" in weave("a.ipynb", text).text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<!-- symattn yours scores -->\n<!-- /symattn -->", "a.md:1:1: yours: "),
        ("<!-- symattn mine score -->\n<!-- /symattn -->", "a.md:1:1: .*score"),
        ("b\n <!-- symattn mine scores[3,1] -->0<!-- /symattn -->", "a.md:2:2: scores: .*3"),
        ("<!-- symattn mine scores[1,9] -->0<!-- /symattn -->", "a.md:1:1: scores: .*9"),
        ("<!-- symattn mine scores[0,1] -->0<!-- /symattn -->", "a.md:1:1: scores: 0 is not a row"),
        ("<!-- symattn mine scores[1,0] -->0<!-- /symattn -->", "a.md:1:1: scores: 0 is not a column"),
        ("<!-- symattn mine scores[0] -->\n<!-- /symattn -->", "a.md:1:1: scores: 0 is not a row"),
        ("<!-- symattn mine table scores -->0<!-- /symattn -->", "a table does not fit in a line"),
        ("<!-- symattn theorem shift-invariance -->0<!-- /symattn -->", "a theorem does not fit in a line"),
        ("<!-- symattn theorem nothing -->\n<!-- /symattn -->", "a.md:1:1: .*nothing"),
        ("<!-- symattn mine figure scores -->\n<!-- /symattn -->", "only weights"),
        ("<!-- symattn mine figure weights -->\n<!-- /symattn -->", "heat maps need LaTeX or HTML"),
        ("<!-- symattn scaled-dot-product scores[1,2] -->0<!-- /symattn -->", "a.md:1:1: "),  # it has no values
        ("<!-- symattn mine scores --label-prefix $ -->\n<!-- /symattn -->", "a.md:1:1: "),
        ("<!-- symattn bad scores -->\n<!-- /symattn -->", "a.md:1:1: bad.toml: inputs.Q"),
        ("<!-- symattn . scores -->\n<!-- /symattn -->", "a.md:1:1: "),
        (b"\xff\xfea\x00", "a.md: byte 0: this is not UTF-8"),
        (b"a\xff", "a.md: byte 1: "),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_cannot_be_filled_is_told_with_its_place(text: str | bytes, said: str) -> None:
    Path("bad.toml").write_text(SHEET.replace('"1/2"', '"1/0"'))
    with pytest.raises(SymattnError) as raised:
        weave("a.md", text)
    assert re.match(f".*{said}", str(raised.value)) and len(str(raised.value).splitlines()) == 1


@pytest.mark.usefixtures("folder")
def test_what_a_placeholder_states_comes_before_what_is_usual() -> None:
    text = "a <!-- symattn mine weights[1,2] decimals=2 -->0.80<!-- /symattn -->"
    assert weave("a.md", text, digits=4).text == text


@pytest.mark.usefixtures("folder")
def test_fillings_with_marks_are_refused() -> None:
    Path("mine.toml").write_text('summary = "x"\n' + SHEET.replace('"I"', '"<!-- /symattn -->"'))
    assert weave("a.md", "<!-- symattn mine table scores -->\n<!-- /symattn -->").stale  # it is escaped
    text = "a.html"
    assert weave(text, "<!-- symattn mine table scores -->\n<!-- /symattn -->").stale


@pytest.mark.usefixtures("folder")
def test_a_file_that_may_not_be_written_or_was_changed_stays(folder: Path) -> None:
    path = folder / "a.md"
    path.write_text("<!-- symattn mine scores[1,2] -->0<!-- /symattn -->")
    woven = weave(path)
    path.chmod(0o444)
    with pytest.raises(InputError, match="write-protected"):
        woven.save()
    path.chmod(0o644)
    path.write_text("mine")
    with pytest.raises(InputError, match="was changed"):
        woven.save()
    assert path.read_text() == "mine"


@pytest.mark.usefixtures("folder")
def test_random_pages_are_woven_once_and_nothing_else_changes() -> None:
    marks = ["<!-- symattn mine scores[1,2] -->", "<!-- symattn mine scores -->\n", "<!-- /symattn -->", "% /symattn\n"]
    marks += ["% symattn mine table scores\n", r"\symattn{mine}{scores[1,1]}{", "}"]
    pieces = [
        *marks,
        *marks,
        "`",
        "```\n",
        "\n",
        "\r\n",
        "> ",
        "- ",
        "    ",
        "é𝑎 ",
        "\\",
        "<!--",
        "-->",
        "<script>",
        "\ufeff",
    ]
    choose, woven = random.Random(3), 0
    for number in range(400):
        path, text = f"a.{('md', 'tex')[number % 2]}", "".join(choose.choices(pieces, k=choose.randint(1, 12)))
        try:
            found = weave(path, text)
        except InputError:  # marks that do not fit
            continue
        assert weave(path, found.text).stale == () and outside(path, text) == outside(path, found.text)
        woven += bool(found.placeholders)
    assert woven >= 10


def outside(path: str, text: str) -> list[str]:
    """What stands around the fillings."""
    spans = [(p.start, p.end) for p in find_placeholders(text, path)]
    ends = [0, *(end for _, end in spans)]
    return [text[end:start] for end, start in zip(ends, [*(start for start, _ in spans), len(text)], strict=True)]
