"""docs/weave.md: every example is up to date, says what the commands say, and its Python runs."""

import doctest
import re
from pathlib import Path

import pytest

from symattn import weave
from symattn.cli.main import run

TEXT = (Path(__file__).parents[2] / "docs" / "weave.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^````(md|tex|html)\n(.*?)^````$", TEXT, re.DOTALL | re.MULTILINE)


@pytest.fixture(autouse=True)
def _worksheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(re.findall(r"^```toml\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)[0])


@pytest.mark.parametrize(("suffix", "article"), EXAMPLES)
def test_examples_are_up_to_date(suffix: str, article: str) -> None:
    woven = weave(f"article.{suffix}", article)
    assert woven.placeholders and woven.text == article


def test_every_form_of_the_table_fills_something() -> None:
    forms = re.findall(r"^\| `([^`]*)` \|[^|]*\|([^|]*)\|$", TEXT, re.MULTILINE)
    assert len(forms) == 8
    for words, inline in forms:
        assert weave("article.tex", f"% symattn {words}\n% /symattn\n").stale
        if inline.strip():
            assert weave("article.md", f"a <!-- symattn {words} --><!-- /symattn -->").stale


def test_the_command_says_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    (shown,) = re.findall(r"^```console\n\$ symattn ([^\n]*)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    Path("article.md").write_text("\n\nYou give me <!-- symattn mine.toml weights[2,1] -->0.34<!-- /symattn -->.\n")
    assert run(shown[0].split()) == 1
    assert capsys.readouterr().out == shown[1]


def test_the_python_runs() -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    found = doctest.DocTestParser().get_doctest(example, {}, "docs/weave.md", None, 0)
    assert doctest.DocTestRunner().run(found).failed == 0
