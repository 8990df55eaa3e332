"""The HTML page of a check: the article's own lines, marked, in one file that fetches nothing."""

import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from symattn import check_article, check_worksheet
from symattn.cli.main import run

ARTICLE = """# Scores & <b>more</b>

$Q = [[1, 5], [9, 13]]$ and "$K = [[5, 1], [13, 9]]$"

$Q K^T = [[10, 58], [58, 244]]$, $Q K^T / 2 = [[5, 29], [29, 122]]$

$P = F(Q) + 3 = 4$ and $2/3 = 0.66$
"""


class Tags(HTMLParser):
    """Every tag is closed in order, and what is read loses no character."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.sources: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.sources += [str(value) for name, value in attrs if name in ("src", "href")]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def lines_of(page: str) -> list[str]:
    """The lines of the article as they stand, what was added taken away."""
    [inside] = re.findall(r'<ol class="lines">(.*?)</ol>', page, re.DOTALL)
    bare = re.sub(r"<ins>.*?</ins>|<span class=\"open\".*?</span></span>|<span class=\"heard\">.*?</span>", "", inside)
    return [unescape(re.sub(r"<[^<>]*>", "", line)) for line in bare.split("</li>")[:-1]]


@pytest.mark.parametrize("source", [ARTICLE, ARTICLE.replace("\n", "\r\n"), "\ufeff" + ARTICLE, "$1+1=3$"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_lines_are_the_articles_own(source: str, language: str) -> None:
    page = check_article("a.md", source).to_html(language=language)
    assert [line.strip("\n") for line in lines_of(page)] == source.rstrip("\r\n").replace("\r\n", "\n").split("\n")
    tags = Tags()
    tags.feed(page)
    tags.close()
    assert not tags.open
    assert all(source.startswith("#") for source in tags.sources)


def test_right_values_stand_beside_wrong_ones() -> None:
    page = check_article("a.md", ARTICLE).to_html()
    assert re.search(r'<del class="wrong"[^<>]*>244</del><span class="heard"> \(wrong[^<>]*</span><ins>234</ins>', page)
    assert re.search(r'<mark class="carried"[^<>]*>122</mark>.*?<ins>117 <a href="#[^<>]*>↑</a></ins>', page)
    [cause] = re.findall(r'<mark class="carried" title="carried: [^"]*; the value is 117" data-cause="([^"]*)">', page)
    assert re.search(rf'<del class="wrong" title="wrong; the value is 234" id="{re.escape(cause)}">244<', page)
    assert page.count('<mark class="right"') == 6
    assert '<mark class="close" title="right within rounding; the value is 2/3">0.66</mark>' in page
    assert 'title="not checked: ' in page
    [target] = re.findall(r'href="#([^"]*)">line 5<', page)[:1]
    assert f'<li id="{target}" class=bad>' in page


def test_a_notebook_is_shown_by_its_cells() -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["a ≈ <b>\n", "$2 + 3 = 6$"]},
        {
            "cell_type": "code",
            "metadata": {},
            "source": "x",
            "outputs": [{"output_type": "stream", "text": ["hello\n"]}],
        },
    ]
    source = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    page = check_article("n.ipynb", source).to_html()
    assert "<h3>Cell 1</h3>" in page
    assert "<h3>Output of cell 2</h3>" in page
    assert "<li>a ≈ &lt;b&gt;</li>" in page
    assert re.search(r'<li class=bad>\$2 \+ 3 = <del class="wrong"[^<>]*>6</del>.*<ins>5</ins>\$</li>', page)


def test_a_worksheet_shows_its_claims(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.toml"
    sheet.write_text('[inputs]\nQ = [[1]]\nK = [[2]]\nV = [[3]]\n[claims]\nscores = [["4"]]\n')
    assert re.search(r'<td><del class="wrong"[^<>]*>4</del>.*<ins>2</ins></td>', check_worksheet(sheet).to_html())


def test_several_files_are_one_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text("$1 + 1 = 3$")
    Path("b.md").write_text("$1 + 1 = 2$")
    assert run(["check", "--to", "html", "a.md", "b.md"]) == 1
    page = capsys.readouterr().out
    assert page.count("<!DOCTYPE html>") == page.count("</html>") == 1
    assert page.count("<section>") == 2
    assert "2 files: 1 with wrong numbers" in page


@pytest.mark.parametrize(("language", "colon", "between"), [("en", ": ", "; "), ("zh", "：", "；")])
def test_a_line_of_findings_is_punctuated_as_its_language_is(language: str, colon: str, between: str) -> None:
    page = check_article("x.md", "$[[1, 2]] + [[1, 1]] = [[3, 4]]$\n").to_html(language=language)
    [line] = re.findall(r"<ul><li>(.*?)</li>", page)
    assert f"</a>{colon}<code>" in line
    assert line.count(between) == 1
