"""symattn.toml and [tool.symattn]: which files are checked, in which language, and what is accepted."""

from pathlib import Path

import pytest

from symattn.cli.main import run
from tests.samples_xlsx import write_book

TEXT = "So $2 + 3 = 6$ and $1 + 1 = 2$.\n"
ACCEPT = '[[accept]]\npath = "docs/a.md"\ntext = "So $2 + 3 = 6$ and $1 + 1 = 2$."\nprinted = "6"\n'


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs/deep").mkdir(parents=True)
    Path("docs/a.md").write_text(TEXT)
    Path("docs/deep/b.tex").write_text("$2 + 2 = 4$\n")
    Path("docs/picture.png").write_bytes(b"\x89")


def test_one_word_checks_the_articles_of_a_repository(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("pyproject.toml").write_text('[tool.symattn]\npaths = ["docs"]\nlanguage = "zh"\n')
    assert run(["check"]) == 1
    out = capsys.readouterr().out
    assert "docs/a.md: 第 1 行 1 个数错误" in out and "docs/deep/b.tex: 没有发现错误" in out and "png" not in out
    monkeypatch.chdir("docs/deep")  # the settings above are those of all folders below
    assert run(["check", "--language", "en"]) == 1
    assert "../a.md: 1 number wrong" in capsys.readouterr().out


def test_patterns(capsys: pytest.CaptureFixture[str]) -> None:
    Path("symattn.toml").write_text('paths = ["docs/**/*.tex"]\n')
    Path("pyproject.toml").write_text('[tool.symattn]\npaths = ["docs"]\n')  # the file of our own goes first
    assert run(["check"]) == 0 and capsys.readouterr().out.startswith("docs/deep/b.tex")


def test_without_files_and_settings_one_line_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    Path("pyproject.toml").write_text("[tool.other]\n")
    assert run(["check"]) == 2
    assert capsys.readouterr().err.startswith("symattn: no FILE to check; name some, or give paths")


@pytest.mark.parametrize(
    ("more", "article", "code"),
    [
        ("", TEXT, 0),
        ("", f"another line\n\n  {TEXT}", 0),  # further down, or further in
        ("line = 1\n", TEXT, 0),
        ("line = 1\n", f"\n{TEXT}", 1),
        ('reason = "on purpose"\n', TEXT, 0),
        ("", TEXT.replace("= 6", "= 7"), 1),  # another number
        ("", TEXT.replace("So", "Then"), 1),  # the line was edited
        ("", TEXT.replace("= 2$.", "= 3$."), 1),  # another number of the line is wrong now
    ],
)
def test_an_accepted_finding_is_no_error_until_its_line_changes(more: str, article: str, code: int) -> None:
    Path("symattn.toml").write_text(ACCEPT + more)
    Path("docs/a.md").write_text(article)
    assert run(["check", "docs/a.md"]) == code


def test_what_is_accepted_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("symattn.toml").write_text(ACCEPT)
    assert run(["check", "--verbose", "docs/a.md"]) == 0
    assert "accepted though wrong: 6" in capsys.readouterr().out
    assert run(["check", "docs/a.md"]) == 0
    assert capsys.readouterr().out == "docs/a.md: nothing wrong: 1 accepted; 1 right\n"
    assert run(["check", "docs/a.md", "--to", "sarif"]) == 0 and '"ruleIndex"' not in capsys.readouterr().out
    assert run(["check", "docs/a.md", "--json"]) == 0 and '"verdict": "accepted"' in capsys.readouterr().out
    assert run(["check", "docs/a.md", "--to", "html"]) == 0 and 'class="accepted"' in capsys.readouterr().out
    assert run(["check", "docs/a.md", "--patch"]) == 0 and capsys.readouterr().out == ""


def test_a_patch_corrects_what_is_not_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    Path("symattn.toml").write_text(ACCEPT)
    Path("docs/a.md").write_text(f"{TEXT}\nAnd $4 + 4 = 9$.\n")
    assert run(["check", "docs/a.md", "--patch"]) == 1
    changed = [line for line in capsys.readouterr().out.splitlines() if line[0] in "+-"][2:]
    assert changed == ["-And $4 + 4 = 9$.", "+And $4 + 4 = 8$."]


def test_formulas_are_accepted_too() -> None:
    formula = r"A = \mathrm{softmax}(QK/\sqrt{d_k})"
    line = f"so ${formula}$"
    Path("docs/a.md").write_text(f"{line}\n")
    assert run(["check", "docs/a.md"]) == 1
    Path("symattn.toml").write_text(f"[[accept]]\npath = 'docs/a.md'\ntext = '{line}'\nprinted = '{formula}'\n")
    assert run(["check", "docs/a.md"]) == 0


def test_conventions_are_those_of_placeholders() -> None:
    Path("symattn.toml").write_text('digits = 4\nlanguage = "zh"\n')
    words = "<!-- symattn thinking-machines weights[1,1]{} -->{}<!-- /symattn -->"
    Path("docs/a.md").write_text(f"{words.format('', '')} {words.format(' digits=2', '')}")
    assert run(["weave", "docs/a.md"]) == 0
    assert Path("docs/a.md").read_text() == f"{words.format('', '0.05581')} {words.format(' digits=2', '0.056')}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('pahts = ["docs"]\n', 'symattn.toml: unknown key "pahts"; did you mean "paths"?'),
        ('paths = "docs"\n', "symattn.toml: paths: "),
        ('paths = ["nothing/*.md"]\n', "paths: nothing/*.md matches no file here"),
        ('paths = ["/etc/**x"]\n', "matches no file here"),
        ('language = "fr"\n', 'symattn.toml: language: "fr" is not a valid language'),
        ('notation = "bishp"\n', 'did you mean "bishop"?'),
        ("digits = 0\n", "symattn.toml: digits 0 is not a whole number from 1"),
        ("digits = true\n", "digits True is not a whole number"),
        ("accept = 3\n", "symattn.toml: accept: write each accepted finding as path, text"),
        ("[[accept]]\npath = 'a.md'\n", "symattn.toml: accept, entry 1: write each accepted finding"),
        (ACCEPT + "lines = 3\n", 'accept, entry 1: unknown key "lines"; did you mean "line"?'),
        ("paths = [\n", "symattn.toml: "),
        ("\x00", "symattn.toml: "),
    ],
)
def test_wrong_settings_are_one_line(text: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("symattn.toml").write_text(text)
    assert run(["check"]) == 2
    out, err = capsys.readouterr()
    assert said in err and len(err.splitlines()) == 1 and not out


def test_what_is_wrong_with_files_that_do_not_speak_of_symattn_is_no_matter(capsys: pytest.CaptureFixture[str]) -> None:
    Path("pyproject.toml").write_text("zz = [")
    assert run(["check", "docs/a.md"]) == 1
    Path("pyproject.toml").write_text("[tool.symattn]\nzz = [")
    assert run(["check", "docs/a.md"]) == 2
    assert "pyproject.toml: 2:1: not valid TOML" in capsys.readouterr().err


def test_a_folder_stands_for_the_articles_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs" / "more").mkdir(parents=True)
    (tmp_path / "empty").mkdir()
    (tmp_path / "books").mkdir()
    (tmp_path / "docs" / "more" / "a.md").write_text("$1 + 1 = 2$\n")
    (tmp_path / "docs" / "b.tex").write_text("$1 + 1 = 3$\n")
    (tmp_path / "docs" / "data.csv").write_text("1 + 1 = 3\n")
    assert run(["check", "docs"]) == 1
    out = capsys.readouterr().out
    assert "b.tex: 1 number wrong" in out and "a.md: nothing wrong" in out and "csv" not in out
    pytest.importorskip("openpyxl")
    write_book(tmp_path / "books" / "c.xlsx", {"S": [("A1", "1+1", 3, "0")]})
    (tmp_path / "books" / "~$c.xlsx").write_text("a lock")
    assert run(["check", "books"]) == 1
    assert "c.xlsx: 1 number wrong" in capsys.readouterr().out
    assert run(["check", "empty"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("paths", ["", 'paths = ["."]', 'paths = ["**/*.*md"]'])
def test_what_is_hidden_or_installed_in_a_folder_is_left_out(paths: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in (
        ".git/a.md",
        "node_modules/x/b.md",
        "env/site-packages/c.md",
        "docs/.d.md",
        "docs/e.Rmd",
        "docs/f.qmd",
    ):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("$1 + 1 = 2$\n")
    Path("docs/a.md").write_text("$1 + 1 = 2$\n")
    Path("docs/deep/b.tex").unlink()
    Path("symattn.toml").write_text(paths)
    assert run(["check", *(() if paths else (".",))]) == 0
    named = sorted(line.split(":")[0] for line in capsys.readouterr().out.splitlines() if "right" in line)
    assert named == ["docs/a.md", "docs/e.Rmd", "docs/f.qmd"]
    for folder in (".git", "node_modules"):  # what is named itself is read
        assert run(["check", folder]) == 0
    Path("symattn.toml").write_text('paths = [".git/*.md", "node_modules"]')
    capsys.readouterr()
    assert run(["check"]) == 0 and "2 files" in capsys.readouterr().out
