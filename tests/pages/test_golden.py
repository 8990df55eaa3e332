"""The committed pages of the derivations are what symattn writes now: for form, numbers are checked elsewhere."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from symattn.cli.main import run
from symattn.reading.worksheets import library

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "derivations"


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".md", ".tex"])
@pytest.mark.parametrize("name", library.names())
def test_the_committed_page_is_written_now(name: str, suffix: str, tmp_path: Path) -> None:
    page = tmp_path / f"page{suffix}"
    assert run(["derive", name, "-o", str(page)]) == 0
    stale = f"re-render it: symattn derive {name} -o derivations/{name}{suffix}"
    assert page.read_text(encoding="utf-8") == (FOLDER / f"{name}{suffix}").read_text(encoding="utf-8"), stale


def test_every_derivation_has_a_line_in_the_readme() -> None:
    lines = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    for name in library.names():
        assert sum(line.startswith(f"- `{name}`: ") for line in lines) == 1, name


def test_the_wheel_carries_the_derivations() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"] == {
        "derivations": "symattn/derivations"
    }
    assert set(library.names()) >= {"hand-calculation", "thinking-machines", "scaled-dot-product"}
