"""`symattn weave`: exit codes, lines, files that stay, time."""

from pathlib import Path

import pytest

from symattn.cli.main import run
from tests.processor_time import takes_at_most

MARK = "<!-- symattn hand-calculation scores[2,3] -->{}<!-- /symattn -->"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("stale.md").write_text(f"a\n{MARK.format(400)}\n")
    Path("fresh.md").write_text(MARK.format(410))
    Path("bad.md").write_text(f"{MARK.format(400)}\n<!-- symattn hand-calculation scroes -->\n<!-- /symattn -->\n")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--check", "fresh.md"], 0, "fresh.md: 1 placeholder, 0 stale\n"),
        (
            ["--check", "stale.md", "fresh.md"],
            1,
            "stale.md:2: hand-calculation scores[2,3]: is 400, would be 410\nstale.md: 1 placeholder, 1 stale\n"
            "fresh.md: 1 placeholder, 0 stale\n",
        ),
        (["stale.md"], 0, "stale.md: 1 placeholder, 1 refreshed\n"),
        (["bad.md", "stale.md"], 2, "stale.md: 1 placeholder, 1 refreshed\n"),
        (["none.md", "--check"], 2, ""),
        (["."], 2, ""),
        (["-"], 2, ""),
    ],
)
@pytest.mark.usefixtures("folder")
def test_exit_codes(arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["weave", *arguments]) == code
    out, err = capsys.readouterr()
    assert out == said and len(err.splitlines()) == (code == 2)
    assert (
        "--check" in arguments
        or "stale.md" not in arguments
        or Path("stale.md").read_text() == f"a\n{MARK.format(410)}\n"
    )


@pytest.mark.usefixtures("folder")
def test_a_bad_placeholder_leaves_the_whole_file(capsys: pytest.CaptureFixture[str]) -> None:
    before = Path("bad.md").read_bytes()
    assert run(["weave", "bad.md"]) == 2 and Path("bad.md").read_bytes() == before
    assert capsys.readouterr().err.startswith("symattn: bad.md:2:1: ")


@pytest.mark.usefixtures("folder")
def test_what_may_not_be_written_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("stale.md").chmod(0o444)
    assert run(["weave", "stale.md"]) == 2 and "400" in Path("stale.md").read_text()
    assert "stale.md: is write-protected" in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_fifty_placeholders_take_less_than_three_seconds() -> None:
    steps = ("scores", "scaled", "weights", "output")
    asked = [f"{('', 'table ')[k % 2]}{steps[k % 4]}" for k in range(50)]
    text = "\n".join(f"<!-- symattn hand-calculation {what} -->\n<!-- /symattn -->\n" for what in asked)
    Path("fifty.md").write_text(text)
    with takes_at_most(2.5):  # 0.5 is what starting takes
        assert run(["weave", "fifty.md"]) == 0
    assert Path("fifty.md").read_text().count("<!-- symattn") == 50
