"""What an HTML page holds: escaped words, ids that languages share, a clear word where KaTeX cannot run."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
import sympy

import symattn.writing.writers.typeset as setting
from symattn import derive
from symattn.cli.main import run
from symattn.errors import NotSupportedError
from symattn.nodes import Attention
from symattn.reading.worksheets import library
from tests.samples import derived, sample

HOSTILE = '<script>alert("1")</script> & <b>'


def ids(page: str) -> list[str]:
    return re.findall(r' id="([^"]+)"', page)


def test_words_of_others_stay_words(katex_context: Any) -> None:
    n, d = sympy.symbols("n d")
    Q, K, V = (sympy.MatrixSymbol(x, n, d) for x in "QKV")
    rows = {Q: [[1]], K: [[2]], V: [[4]]}
    page = derive(Attention(Q, K, V), rows, title=HOSTILE, tokens=["<i>a</i>"]).to_html()
    assert "<script>alert" not in page and "<i>a" not in page
    assert "<title>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &lt;b&gt;</title>" in page
    assert "&lt;i&gt;a&lt;/i&gt;" in page


def test_ids_are_the_same_in_both_languages_and_never_twice(katex_context: Any) -> None:
    path = library.find("grouped-query")
    assert path is not None
    derivation = derived(path.read_text(encoding="utf-8"))
    english, chinese = (derivation.to_html(language=language) for language in ("en", "zh"))
    assert ids(english) == ids(chinese)
    assert len(set(ids(english))) == len(ids(english))
    assert {"inputs", "scores", "scores-2", "eq-head_1.scores", "eq-projection"} <= set(ids(english))
    assert '<html lang="en">' in english and '<html lang="zh">' in chinese


def test_a_page_asks_for_nothing(katex_context: Any) -> None:
    page = sample("tokens").to_html()
    assert not re.search(r"src=|href=\"(?!#)|url\((?!data:)|@import|fetch\(", page)


def test_a_fragment_is_for_a_page_that_is_there(katex_context: Any) -> None:
    shown = sample("tokens")._repr_html_()
    assert shown is not None and shown.startswith('<div class="symattn" lang="en"><style>')
    assert "<html" not in shown and "<h1" not in shown and "body {" not in shown


def test_without_its_engine_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "quickjs", None)
    setting._engine.cache_clear()
    try:
        with pytest.raises(NotSupportedError, match=r"pip install .symattn\[html\]"):
            sample("tokens").to_html()
        assert sample("tokens")._repr_html_() is None  # a notebook takes the Markdown
        out = tmp_path / "page.html"
        assert run(["derive", "hand-calculation", "-o", str(out)]) == 2
        assert capsys.readouterr().err.count("\n") == 1 and not out.exists()
    finally:
        setting._engine.cache_clear()


def test_the_command_line_writes_a_page(tmp_path: Path, katex_context: Any) -> None:
    out = tmp_path / "page.html"
    assert run(["derive", "hand-calculation", "-o", str(out), "--language", "zh"]) == 0
    page = out.read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n")
    assert "手算" in page or "自注意力" in page


def test_pages_have_pictures_unless_they_are_refused(katex_context: Any) -> None:
    sheet = "[inputs]\nscaled = [[0, 1], [0, 40]]\nV = [[1], [2]]\n"
    refused = derived(f"{sheet}[show]\nfigures = false\n").to_html()
    for kind in ("shades", "flow"):
        drawn = f'<svg class="{kind}"'
        assert drawn in derived(sheet).to_html() and drawn in str(derived(sheet)._repr_html_())
        assert drawn not in refused and drawn not in derived(sheet).to_html(plain=True)


def test_no_line_begins_with_punctuation(katex_context: Any) -> None:
    page = sample("causal").to_html(language="zh")
    told = page.partition("<main")[2]
    assert "\x05" not in page and "\x06" not in page
    short = re.findall(r'<span class="held"><span class="katex">.{1,2000}?</span></span></span>[，。]</span>', told)
    assert "。</span></span></span>" in told  # within a long formula's last piece
    assert short and not re.search(r'mathnormal">S</span></span></span></span>[，。]', told)
