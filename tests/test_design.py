"""docs/design.md speaks of what there is: every `room.file.name` in it, and every file that it says to touch."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
ROOMS = sorted(p.name for p in (ROOT / "symattn").iterdir() if p.is_dir() and (p / "__init__.py").exists())
NAMES = sorted(set(re.findall(rf"`((?:{'|'.join(ROOMS)})\.[\w.]*\w)`", TEXT)))
FILES = sorted(set(re.findall(r"symattn/[\w/]+\.py", TEXT)))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_that_of_a_module_or_of_something_in_one(name: str) -> None:
    parts = name.split(".")
    for k in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(["symattn", *parts[:k]]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[k:]:
            found = getattr(found, attribute)
        return
    raise AssertionError(name)


@pytest.mark.parametrize("path", FILES)
def test_a_file_is_there(path: str) -> None:
    assert (ROOT / path).exists()


def test_every_room_is_told() -> None:
    assert all(f"| `{room}` |" in TEXT for room in ROOMS)
