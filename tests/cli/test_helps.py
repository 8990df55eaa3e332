"""`new`, `schema` and `completion`: what helps to write worksheets and command lines."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import get_args

import pytest

from symattn import derive
from symattn.cli.main import run
from symattn.errors import InputError
from symattn.lowering.module import Style
from symattn.nodes.kinds import relative_attention
from symattn.reading.worksheets import keys
from symattn.reading.worksheets.starter import write_starter
from symattn.reading.worksheets.worksheet import parse_worksheet
from symattn.writing.choices import STATES, STYLES
from tests.processor_time import takes_at_most


def test_the_help_of_a_limit_says_the_limit(capsys: pytest.CaptureFixture[str]) -> None:
    for command, seconds in (("lsp", 10), ("check", 30)):
        with pytest.raises(SystemExit):
            run([command, "--help"])
        assert f"(default {seconds})" in " ".join(capsys.readouterr().out.split())


def test_what_starting_must_not_load_is_told_twice_and_alike() -> None:
    assert get_args(Style) == STYLES
    assert relative_attention.OF_POSITIONS == keys.OF_POSITIONS


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("sizes", [(3, 2, 1, 0), (2, 3, 2, 0), (1, 1, 1, 1), (4, 2, 2, 3)])
def test_a_new_worksheet_has_the_shapes_asked_for(sizes: tuple[int, int, int, int], language: str) -> None:
    tokens, width, heads, layers = sizes
    sheet = parse_worksheet(write_starter(*sizes, causal=True, language=language))
    assert sheet.values is not None
    X = sheet.values["X"]
    assert (len(X), len(X[0])) == (tokens, heads * width)
    assert sum(name.startswith("W_Q") for name in sheet.values) == max(layers, 1)


def test_a_new_worksheet_derives_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "new.toml"
    assert run(["new", "--heads", "2", "--mask", "causal", "-o", str(path)]) == 0
    assert run(["derive", str(path)]) == 0
    assert "tokens, heads: 2" in capsys.readouterr().out


@pytest.mark.parametrize("heads", [1, 2])
@pytest.mark.parametrize("kind", STATES)
def test_a_new_state_derives_as_it_is_and_in_chunks(kind: str, heads: int) -> None:
    text = write_starter(3, 2, heads, 0, causal=False, kind=kind)
    last = []
    for form in ('"recurrent"', '"parallel"', "{ chunk = 3 }"):
        sheet = parse_worksheet(text.replace('form = "recurrent"', f"form = {form}"))
        made = derive(sheet.expression, sheet.values)
        last.append(made[made.families.steps[-1].name].evaluate(15))
    assert last[0] == last[1] == last[2]
    with pytest.raises(InputError, match="--layers cannot be given together with --kind"):
        write_starter(3, 2, 1, 2, causal=False, kind=kind)


def test_a_new_stack_has_digits_in_a_moment() -> None:
    # SymPy takes half a minute to find real parts of the nested roots that its second layer has
    sheet = parse_worksheet(write_starter(2, 2, 1, 2, causal=True))
    with takes_at_most(10):
        first, second = derive(sheet.expression, sheet.values)["layer2.weights"].evaluate(20).tolist()
    assert first == [1, 0] and abs(sum(second) - 1) < 1e-19


def test_the_schema_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema"]) == 0
    assert "inputs" in json.loads(capsys.readouterr().out)["properties"]


COMPLETE = """
source "$1"
complete_line() {
  COMP_WORDS=($1); COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 )); COMP_LINE="$1"; COMP_POINT=${#1}; COMPREPLY=()
  $(complete -p symattn | sed 's/.*-F \\([^ ]*\\).*/\\1/') symattn
  echo "${COMPREPLY[@]}"
}
complete_line "symattn der"
complete_line "symattn derive hand"
complete_line "symattn derive --lang"
complete_line "symattn derive x --to mark"
complete_line "symattn prove key-bias-"
complete_line "symattn show gra"
"""


def test_bash_completes(tmp_path: Path) -> None:
    pytest.importorskip("shtab")
    script = tmp_path / "symattn.bash"
    assert run(["completion", "bash", "-o", str(script)]) == 0
    done = subprocess.run(["bash", "-c", COMPLETE, "bash", str(script)], capture_output=True, text=True, check=True)
    words = ["derive", "hand-calculation", "--language", "markdown", "key-bias-unseen", "gradients"]
    assert [line.split()[:1] for line in done.stdout.splitlines()] == [[word] for word in words], (
        done.stdout + done.stderr
    )


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("shtab")
    assert run(["completion", shell]) == 0
    assert "symattn" in capsys.readouterr().out


def test_a_new_worksheet_takes_no_files_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("mine", encoding="utf-8")
    assert run(["new", "-o", str(path)]) == 2 and "exists already" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == "mine"
