"""PDFs are made by the LaTeX engine that is there; one that fails, hangs or is missing is named in one line."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from symattn.cli.main import run
from symattn.errors import InputError, NotSupportedError
from symattn.writing.pdf import compile_pdf
from tests.engines.typesetting import words

ARTICLE = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"


@pytest.mark.parametrize(("language", "word"), [("en", "Self-attention of three tokens, by hand"), ("zh", "注意力")])
def test_a_derivation_becomes_a_pdf(
    language: str, word: str, engine: Callable[[str], str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    engine("pdflatex"), engine("xelatex")
    path = tmp_path / "page.PDF"
    assert run(["derive", "hand-calculation", "-o", str(path), "--language", language]) == 0
    assert capfd.readouterr() == ("", "") and os.listdir(tmp_path) == ["page.PDF"]
    text = words(path, engine)
    assert word in text and "??" not in text  # references to equations are known


def test_an_error_of_the_engine_is_said(engine: Callable[[str], str]) -> None:
    engine("pdflatex")
    with pytest.raises(InputError, match=r"could not typeset the page: Undefined control sequence \(line 3\)"):
        compile_pdf(ARTICLE % r"\nothing")


def fake(name: str, script: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine of this name, and no other."""
    path = folder / name
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}")


def test_an_engine_that_hangs_is_stopped_with_its_children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alive = tmp_path / "alive"
    fake("pdflatex", f"(/bin/sleep 2; echo x > {alive}) & wait", tmp_path, monkeypatch)
    with pytest.raises(InputError, match=r"pdflatex did not finish within 0\.3 seconds"):
        compile_pdf(ARTICLE % "x", longest=0.3)
    subprocess.run(["/bin/sleep", "2.5"], check=True)
    assert not alive.exists()


def test_an_engine_that_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake("tectonic", "exit 1", tmp_path, monkeypatch)
    with pytest.raises(InputError, match="tectonic made no PDF and named no error; its exit code was 1"):
        compile_pdf(ARTICLE % "x")


def test_without_an_engine_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotSupportedError, match="install TeX Live or MiKTeX"):
        compile_pdf(ARTICLE % "x")


def test_characters_that_no_font_has_are_named(
    engine: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Fandol has no 喆 and no 镕; what it has is not named."""
    engine("xelatex")
    sheet = tmp_path / "names.toml"
    sheet.write_text('tokens = ["喆镕", "流水"]\n[inputs]\nscaled = [[1, 0], [0, 1]]\n', encoding="utf-8")
    assert run(["derive", str(sheet), "--language", "zh", "-o", str(tmp_path / "names.pdf")]) == 0
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "喆 镕" in said and "流" not in said
