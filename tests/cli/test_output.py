"""Where pages go: suffixes, files that are read, a full or closed standard output."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from symattn.cli.main import run

SHEET = "[inputs]\nQ = [[1]]\nK = [[2]]\nV = [[3]]\n"


def symattn(arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -m symattn {arguments}"
    root = Path(__file__).parents[2]
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, cwd=root, env=os.environ | environment
    )


@pytest.mark.parametrize("command", ["derive", "gradient", "prove"])
def test_a_suffix_that_is_not_known(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "two-keys" if command == "prove" else "hand-calculation"
    path = tmp_path / "page.docx"
    assert run([command, name, "-o", str(path)]) == 2
    said = capsys.readouterr().err
    assert '".docx" is not known' in said and ".tex, .md" in said and said.count("\n") == 1 and not path.exists()
    assert run([command, name, "-o", str(path), "--to", "text"]) == 0 and path.exists()


@pytest.mark.parametrize(
    ("command", "suffix", "known"),
    [
        ("exercise", ".json", ".tex, .md, .markdown, .txt, .html, .htm, .ipynb, .pdf, .toml"),
        ("grade key.toml key.toml", ".pdf", ".md, .markdown, .txt, .html, .htm, .json, .csv"),
        ("check key.toml", ".pdf", ".txt, .md, .markdown, .html, .htm, .json, .sarif, .patch, .diff"),
    ],
)
def test_the_suffixes_that_are_told_are_those_that_work(
    command: str,
    suffix: str,
    known: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["exercise", "--key", "-o", "key.toml"]) == 0
    assert run([*command.split(), "-o", f"x{suffix}"]) == 2
    assert capsys.readouterr().err.endswith(
        f'"{suffix}" is not known; say the format with --to, or use one of {known}\n'
    )
    for each in known.split(", "):
        if each != ".pdf":
            assert run([*command.split(), "-o", f"x{each}"]) == 0 and Path(f"x{each}").exists()


@pytest.mark.parametrize("seed", ["abc", "12345678901234567890123", "1000000000", "-1"])
def test_a_seed_that_is_none(seed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["exercise", f"--seed={seed}"]) == 2
    assert f"{seed[:15]}" in (said := capsys.readouterr().err) and "is not a whole number from 0" in said
    assert run(["exercise", "--seed", "0000000000000999999999"]) == 0


@pytest.mark.parametrize("command", ["derive hand-calculation", "lower scaled-dot-product", "new", "schema"])
def test_a_stroke_is_standard_output(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(command.split()) == 0
    usual = capsys.readouterr().out
    for name in ("-", "/dev/stdout"):
        assert run([*command.split(), "-o", name]) == 0
        assert capsys.readouterr().out == usual and not any(tmp_path.iterdir())


@pytest.mark.parametrize("arguments", ["derive {} -o {}", "gradient {} -o {}", "lower {} -o {}"])
def test_the_worksheet_is_not_written_over(arguments: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "w.toml"
    sheet.write_text(SHEET)
    to = [] if arguments.startswith("lower") else ["--to", "text"]
    assert run([*arguments.format(sheet, sheet).split(), *to]) == 2
    assert "read as input" in capsys.readouterr().err and sheet.read_text() == SHEET


@pytest.mark.parametrize(
    "command",
    [
        "derive w.toml --to markdown -o q.csv",
        "derive w --to markdown -o w.toml",
        "gradient w.toml --to markdown -o q.csv",
        "lower w.toml -o q.csv",
        "check w.toml --to text -o q.csv",
        "saturation w.toml --plot weights --figure q.csv",
    ],
)
def test_what_a_worksheet_names_is_not_written_over(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if "--figure" in command:
        pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    Path("q.csv").write_text("1,2\n3,4\n")
    sheet = SHEET.replace("[[1]]", '{file="q.csv"}').replace("[[2]]", "[[1, 2]]")
    Path("w.toml").write_text(sheet + "[claims]\nscores = [[5], [11]]\n")
    before = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert run(command.split()) == 2
    assert "read as input" in capsys.readouterr().err
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == before


def test_a_figure_is_not_drawn_over_its_arrays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    sheet = tmp_path / "w.svg"
    sheet.write_text(SHEET)
    assert run(["saturation", str(sheet), "--figure", str(sheet)]) == 2
    assert "read as input" in capsys.readouterr().err and sheet.read_text() == SHEET


@pytest.mark.parametrize(
    "command",
    ["derive {0} --to text -o {0}/", "saturation {0} --plot weights --figure {0}/", "check {0} --to text -o {0}/."],
)
def test_a_stroke_behind_it_makes_it_no_other_file(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if "--figure" in command:
        pytest.importorskip("matplotlib")
    sheet = tmp_path / "w.svg"
    sheet.write_text(SHEET)
    assert run(command.format(sheet).split()) == 2
    assert "is a file and no folder" in capsys.readouterr().err and sheet.read_text() == SHEET


@pytest.mark.slow
def test_an_encoding_without_the_signs_of_a_page() -> None:
    done = symattn("derive scaled-dot-product --to text", PYTHONIOENCODING="ascii")
    assert done.returncode == 2 and "its encoding, ascii, has no U+00D7; set PYTHONIOENCODING=utf-8" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("command", ["derive hand-calculation", "list", "--help", "check {}", "prove two-keys"])
def test_a_full_standard_output(command: str, tmp_path: Path) -> None:
    (tmp_path / "w.toml").write_text(SHEET + "[claims]\nscores = [[2]]\n")
    for redirection in ("> /dev/full", ">&-"):
        done = symattn(f"{command.format(tmp_path / 'w.toml')} {redirection}")
        assert done.returncode == 2 and done.stderr.startswith("symattn: standard output cannot be written: ")
        assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_check_that_nobody_reads_still_tells_by_its_code(tmp_path: Path) -> None:
    (tmp_path / "right.md").write_text("$1 + 1 = 2$\n")
    (tmp_path / "wrong.md").write_text("$1 + 1 = 3$\n")
    for files, code in (("right.md", 0), ("right.md wrong.md", 1), ("right.md nope.md", 2)):
        names = " ".join(str(tmp_path / name) for name in files.split())
        done = symattn(f"check --verbose {names} | true; exit ${{PIPESTATUS[0]}}")
        assert done.returncode == code and "BrokenPipe" not in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("command", ["derive nope.toml", "check nope.md", "nope", "weave nope.md"])
@pytest.mark.parametrize("redirection", ["2> /dev/full", "2>&-", "<&- >&- 2>&-"])
def test_a_complaint_that_nobody_hears(command: str, redirection: str) -> None:
    done = symattn(f"{command} {redirection}")
    assert done.returncode == 2 and "Traceback" not in done.stdout + done.stderr and "nope" not in done.stdout


@pytest.mark.parametrize(
    "arguments", ["derive hand-calculation", "gradient hand-calculation", "evaluate hand-calculation", "prove two-keys"]
)
def test_json_is_to_json(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    written = []
    for asked in (["--json"], ["--to", "json"]):
        assert run([*arguments.split(), *asked]) == 0
        written.append(capsys.readouterr().out)
    assert written[0] == written[1] and json.loads(written[0])
    assert run([*arguments.split(), "--json", "--to", "text"]) == 2
    assert "not allowed with" in capsys.readouterr().err


def test_grades_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = tmp_path / "key.toml"
    assert run(["exercise", "--key", "-o", str(key)]) == 0
    assert run(["grade", str(key), str(key), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)
    assert run(["grade", str(key), str(key)]) == 0
    assert not capsys.readouterr().out.startswith("{")
