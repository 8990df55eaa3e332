"""What is different on a terminal: progress of long work, width of text, no bytes of a PDF on the screen."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from symattn.cli import output
from symattn.cli.main import run
from symattn.errors import InputError

CLEAR = "\x1b[K"  # ends a line of progress, which leaves nothing behind


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def run_shown(*arguments: str) -> tuple[int, str]:
    """How a command ends whose standard error is a terminal, and what is written there."""
    screen = Terminal()
    with redirect_stderr(screen):
        return run(arguments), screen.getvalue()


def test_a_check_of_many_files_counts_them(tmp_path: Path) -> None:
    files = [tmp_path / f"{k}.md" for k in range(10)]
    for file in files:
        file.write_text("$2 \\cdot 3 = 6$\n", encoding="utf-8")
    code, said = run_shown("check", *map(str, files))
    assert code == 0
    assert [f"{k} of 10 files" in said for k in range(1, 11)] == [True] * 9 + [False]
    assert said.endswith(CLEAR)


def test_a_few_files_are_not_counted(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("$2 \\cdot 3 = 6$\n", encoding="utf-8")
    assert run_shown("check", str(tmp_path / "a.md")) == (0, "")


def test_ranking_the_rows_of_heads_shows_a_bar(tmp_path: Path) -> None:
    np.save(tmp_path / "scores.npy", np.zeros((4, 3, 3), np.float32))
    code, said = run_shown("saturation", str(tmp_path / "scores.npy"))
    assert code == 0
    assert [bar[:32].count("#") for bar in said.split("\r") if "/4" in bar] == [7, 15, 22, 30]  # of 30, rounded down
    assert said.endswith(CLEAR)


def test_one_worksheet_at_a_time() -> None:
    code, said = run_shown("saturation", "hand-calculation", "causal-mask")
    assert code == 2 and said.count("\n") == 1 and "one worksheet at a time" in said


def test_text_is_as_wide_as_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = {}
    for columns in ("60", "100"):
        monkeypatch.setenv("COLUMNS", columns)
        with redirect_stdout(Terminal()) as page:
            assert run(["derive", "hand-calculation", "--to", "text"]) == 0
        shown[columns] = page.getvalue().splitlines()
    assert max(map(len, shown["100"])) <= 100
    assert len(shown["60"]) > len(shown["100"])


def test_no_pdf_on_the_screen() -> None:
    with redirect_stdout(Terminal()), pytest.raises(InputError, match="write it to a file with -o"):
        output.write(b"%PDF-1.7", None)


@pytest.mark.parametrize(("language", "words"), [("en", "typesetting with LaTeX"), ("zh", "LaTeX 排版")])
def test_what_takes_long_says_so_and_takes_it_back(language: str, words: str) -> None:
    screen = Terminal()

    class Page:
        def to_pdf(self, **options: Any) -> bytes:
            assert words in screen.getvalue()
            return b"%PDF"

    page: Any = Page()
    with redirect_stderr(screen):
        assert output.make(page, "pdf", language=language) == b"%PDF"
    assert screen.getvalue().endswith(CLEAR)


def test_a_pdf_goes_through_a_pipe_byte_by_byte() -> None:
    pipe = io.BytesIO()
    with redirect_stdout(io.TextIOWrapper(pipe, encoding="utf-8")) as text:
        output.write(b"%PDF\xff\n", None)
        text.flush()
        assert pipe.getvalue() == b"%PDF\xff\n"
