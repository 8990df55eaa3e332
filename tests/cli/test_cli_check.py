"""`symattn check`: exit codes, several files, what goes to stdout and what to stderr."""

import io
import json
from pathlib import Path

import pytest

from symattn.cli import check
from symattn.cli.check_file import check_file
from symattn.cli.main import run
from symattn.cli.outcome import CheckOptions

RIGHT, WRONG = "$2 + 3 = 5$\n", "$2 + 3 = 6$\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("right.md").write_text(RIGHT)
    Path("wrong.md").write_text(WRONG)
    Path("bytes.md").write_bytes(b"$1 = \xff$")
    Path("sheet.toml").write_text("[inputs]\nQ = [[2]]\nK = [[3]]\nV = [[1]]\n[claims]\nscores = [[7]]\n")
    return tmp_path


@pytest.mark.parametrize(
    ("files", "code"),
    [
        (["right.md"], 0),
        (["wrong.md"], 1),
        (["right.md", "wrong.md"], 1),
        (["bytes.md", "wrong.md"], 2),
        (["nosuch.md"], 2),
        (["sheet.toml"], 1),
        (["."], 2),
    ],
)
@pytest.mark.usefixtures("folder")
def test_exit_codes(files: list[str], code: int) -> None:
    assert run(["check", *files]) == code


@pytest.mark.usefixtures("folder")
def test_the_others_are_still_done(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "nosuch.md", "wrong.md", "bytes.md", "right.md"]) == 2
    out, err = capsys.readouterr()
    assert out == (
        "wrong.md:1:10  2 + 3\n [6]   5\n  wrong: it is 5\nwrong.md: 1 number wrong at line 1\n"
        "\nright.md: nothing wrong: 1 right\n"
        "\n4 files: 1 with wrong numbers, 1 with nothing wrong, 0 without a number checked, 2 could not be read\n"
    )
    assert [line.split(": ")[:2] for line in err.splitlines()] == [["symattn", "nosuch.md"], ["symattn", "bytes.md"]]


@pytest.mark.usefixtures("folder")
def test_json_holds_every_file_that_could_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--json", "wrong.md", "nosuch.md", "sheet.toml"]) == 2
    files = json.loads(capsys.readouterr().out)["files"]
    assert [f["path"] for f in files] == ["wrong.md", "sheet.toml"]
    assert files[0]["summary"] == {"wrong": 1}
    claim = files[1]["claims"][0]
    assert (claim["line"], claim["column"], claim["subject"]) == (None, None, "scores")
    assert claim["entries"][0]["decimal"] == "6"
    assert run(["check", "--to", "json", "nosuch.md"]) == 2
    assert json.loads(capsys.readouterr().out) == {"files": []}


@pytest.mark.usefixtures("folder")
def test_markdown_is_one_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--to", "markdown", "wrong.md", "right.md"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("# What the checker found\n\n## wrong.md\n")
    assert "## right.md\n\nnothing wrong: 1 right\n" in out


@pytest.mark.usefixtures("folder")
def test_patch_prints_the_diff_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--patch", "right.md", "wrong.md"]) == 1
    out, err = capsys.readouterr()
    assert out == "--- a/wrong.md\n+++ b/wrong.md\n@@ -1 +1 @@\n-$2 + 3 = 6$\n+$2 + 3 = 5$\n"
    assert err == ""
    assert run(["check", "--patch", "sheet.toml"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("symattn: sheet.toml: worksheets are not patched")


@pytest.mark.parametrize("more", [["--patch", "--json"], ["--patch", "--to", "text"], ["--json", "--to", "text"]])
def test_options_that_exclude_each_other(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "x.md", *more]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(WRONG.encode())))
    assert run(["check", "-", "--language", "zh"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "-: 第 1 行 1 个数错误"


def test_a_closed_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert run(["check", "-"]) == 2
    assert "-: standard input is closed" in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_errors_speak_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "nosuch.md", "--language", "zh"]) == 2
    assert "没有这个文件" in capsys.readouterr().err


def test_a_folder_without_articles_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "empty").mkdir()
    assert run(["check", "empty"]) == 2
    assert capsys.readouterr().err == "symattn: empty: no article and no spreadsheet is in this folder\n"
    assert run(["check", "--language", "zh", "empty"]) == 2
    assert capsys.readouterr().err == "symattn: empty: 这个文件夹里没有文章，也没有电子表格\n"


@pytest.mark.usefixtures("folder")
def test_many_files_are_reported_in_order(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"{k:02}.md" for k in range(20)]
    for k, name in enumerate(names):
        Path(name).write_text(f"$1 + {k} = {k + 1 + (k == 7)}$\n")
    assert run(["check", "--json", *names]) == 1
    files = json.loads(capsys.readouterr().out)["files"]
    assert [f["path"] for f in files] == names
    assert [f["path"] for f in files if "wrong" in f["summary"]] == ["07.md"]


@pytest.mark.usefixtures("folder")
def test_a_fault_of_ours_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: str) -> None:
        raise RecursionError

    monkeypatch.setattr("symattn.cli.check_file.check_article", fail)
    outcome = check_file("right.md", CheckOptions("text"))
    assert outcome.verdict == "failed"
    assert outcome.complaints[0].startswith("right.md: could not be checked (RecursionError)")


@pytest.mark.usefixtures("folder")
def test_colour_is_for_terminals_that_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert check.wants_colour(Terminal())
    assert not check.wants_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not check.wants_colour(Terminal())


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("report.txt", []),
        ("report.md", ["--to", "markdown"]),
        ("report.html", ["--to", "html"]),
        ("report.json", ["--json"]),
        ("report.SARIF", ["--to", "sarif"]),
        ("report.patch", ["--patch"]),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_report_goes_to_a_file_as_its_suffix_says(
    name: str, asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", *asked, "wrong.md"]) == 1
    shown = capsys.readouterr().out
    assert run(["check", "wrong.md", "-o", name]) == 1
    assert capsys.readouterr().out == ""
    assert Path(name).read_text(encoding="utf-8") == shown


@pytest.mark.usefixtures("folder")
def test_what_is_asked_for_goes_before_the_suffix() -> None:
    assert run(["check", "right.md", "--json", "-o", "report.txt"]) == 0
    assert json.loads(Path("report.txt").read_text())["files"][0]["path"] == "right.md"


@pytest.mark.usefixtures("folder")
def test_a_report_takes_the_place_of_no_article(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "wrong.md", "-o", "./wrong.md"]) == 2
    assert Path("wrong.md").read_text() == WRONG and "read as input" in capsys.readouterr().err
    assert run(["check", "right.md", "-o", "report.docx"]) == 2
    assert ".sarif" in capsys.readouterr().err and not Path("report.docx").exists()


def test_a_report_in_a_folder_that_is_checked_is_no_article(folder: Path) -> None:
    Path("bytes.md").unlink()
    Path("wrong.md").unlink()
    codes = [run(["check", str(folder), "-o", "report.html"]) for _ in range(2)]
    assert codes == [0, 0] and "right.md" in Path("report.html").read_text(encoding="utf-8")
    (folder / "symattn.toml").write_text('paths = ["."]\n')
    assert run(["check", "-o", "report.html"]) == 0


@pytest.mark.parametrize("name", ["report.html", "report.md", "report.txt"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_earlier_report_is_no_article_and_an_article_no_report(
    name: str, language: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["check", str(folder), "--language", language, "-o"]
    first = [run([*asked, name]), Path(name).read_text(encoding="utf-8")]
    assert [run([*asked, name]), Path(name).read_text(encoding="utf-8")] == first
    capsys.readouterr()
    (folder / "symattn.toml").write_text('paths = ["*.md"]\n')
    for arguments in (asked, ["check", "-o"]):
        assert run([*arguments, "wrong.md"]) == 2
        assert Path("wrong.md").read_text() == WRONG
        said = capsys.readouterr().err
        assert "read as input" in said or "输入文件" in said


def test_a_report_that_is_not_finished_leaves_the_old_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("report.txt").write_text("old")
    monkeypatch.setattr(check, "_report", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run(["check", "wrong.md", "-o", "report.txt"])
    assert Path("report.txt").read_text() == "old"
    assert {p.name for p in folder.iterdir()} == {
        "right.md", "wrong.md", "bytes.md", "sheet.toml", "report.txt"
    }  # fmt: skip
